use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use tabiya_play::{GameKind, Player};
use tabiya_store::{GameFilter, GameId, GameSummary, Store};

/// The games you have played, and those you have brought.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya games                                 the latest
  tabiya games list --unfinished
  tabiya games list --player morphy --result 1-0
  tabiya games show 12
  tabiya games export > games.pgn
  tabiya games import games.pgn
  tabiya games delete 12, and tabiya games restore 12")]
pub(crate) struct Args {
    /// The folder in which games are kept (else that of TABIYA_DATA, else the system's).
    #[arg(long, value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List games, the latest first.
    List(ListArgs),
    /// Show a game as a record.
    Show {
        /// Its number.
        id: GameId,
    },
    /// Write chess games as PGN, all or those of the numbers given.
    Export {
        /// Their numbers.
        ids: Vec<GameId>,
    },
    /// Add the games of a PGN file.
    Import {
        /// The file.
        file: PathBuf,
    },
    /// Put a game into the bin, where it stays for thirty days.
    Delete {
        /// Its number.
        id: GameId,
    },
    /// Take a game out of the bin.
    Restore {
        /// Its number.
        id: GameId,
    },
}

#[derive(clap::Args)]
struct ListArgs {
    /// Part of a player's name.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// 1-0, 0-1, 1/2-1/2 or *.
    #[arg(long)]
    result: Option<String>,

    /// The first day: 2026, 2026.11 or 2026.11.15.
    #[arg(long, value_name = "DATE")]
    since: Option<String>,

    /// The last day.
    #[arg(long, value_name = "DATE")]
    until: Option<String>,

    /// Which game.
    #[arg(long, value_enum)]
    game: Option<Game>,

    /// Only games that go on.
    #[arg(long)]
    unfinished: bool,

    /// What is in the bin.
    #[arg(long)]
    deleted: bool,

    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u32,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Game {
    Chess,
    Bishops,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let store = Store::open(&tabiya_store::folder(args.data.as_deref())?)?;
    let mut out = std::io::stdout().lock();
    match &args.command {
        None => list(&store, &GameFilter { limit: Some(20), begun: true, ..GameFilter::default() }),
        Some(Command::List(args)) => list(&store, &filter(args)),
        Some(Command::Show { id }) => Ok(write!(out, "{}", store.export(*id)?)?),
        Some(Command::Export { ids }) => export(&store, ids),
        Some(Command::Import { file }) => import(&store, file),
        Some(Command::Delete { id }) => {
            store.delete(*id)?;
            Ok(writeln!(
                out,
                "Game {id} is in the bin. To have it back: tabiya games restore {id}"
            )?)
        }
        Some(Command::Restore { id }) => {
            store.restore(*id)?;
            Ok(writeln!(out, "Game {id} is back.")?)
        }
    }
}

fn filter(args: &ListArgs) -> GameFilter {
    GameFilter {
        player: args.player.clone(),
        result: args.result.clone(),
        since: args.since.clone(),
        until: args.until.clone(),
        kind: args.game.map(|game| match game {
            Game::Chess => GameKind::Chess,
            Game::Bishops => GameKind::Bishops,
        }),
        unfinished: args.unfinished,
        begun: true,
        deleted: args.deleted,
        limit: Some(args.limit),
        ..GameFilter::default()
    }
}

fn list(store: &Store, filter: &GameFilter) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let games = store.list(filter)?;
    if games.is_empty() {
        return Ok(writeln!(out, "There are no such games.")?);
    }
    for game in games {
        writeln!(out, "{}", line(&game))?;
    }
    Ok(())
}

/// `  12  2026-11-15 14:05  You – Tabiya, level 1200   34 moves  *`
fn line(game: &GameSummary) -> String {
    let name = |player: &String| {
        player.parse::<Player>().map_or_else(|_| player.clone(), |player| player.title())
    };
    let [white, black] = game.players.each_ref().map(name);
    let moves = game.plies.div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    let what = if game.kind == GameKind::Bishops { "  bishops" } else { "" };
    let ending = if game.ending.is_empty() { String::new() } else { format!("  {}", game.ending) };
    let (id, when, result) = (game.id, &game.when, &game.result);
    format!("{id:>5}  {when}  {white} – {black}  {moves} move{plural}  {result}{what}{ending}")
}

fn export(store: &Store, ids: &[GameId]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let all;
    let ids = match ids {
        [] => {
            let filter =
                GameFilter { kind: Some(GameKind::Chess), begun: true, ..GameFilter::default() };
            // The oldest first, as in any book.
            all = store.list(&filter)?.into_iter().rev().map(|game| game.id).collect::<Vec<_>>();
            all.as_slice()
        }
        ids => ids,
    };
    for (index, &id) in ids.iter().enumerate() {
        let between = if index == 0 { "" } else { "\n" };
        write!(out, "{between}{}", store.export(id)?)?;
    }
    Ok(())
}

fn import(store: &Store, file: &std::path::Path) -> anyhow::Result<()> {
    let name = || file.display().to_string();
    let source = std::fs::File::open(file).with_context(name)?;
    let imported = store.import(source).with_context(name)?;
    for complaint in &imported.complaints {
        eprintln!("{}:{complaint}", file.display());
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let games = imported.games;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{games} game{} added.", plural(games))?;
    if imported.bad > 0 {
        writeln!(out, "{} game{} could not be read.", imported.bad, plural(imported.bad))?;
    }
    Ok(())
}
