use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use tabiya_play::{GameController as _, GameKind, Player, SessionDeps};
use tabiya_store::{Checked, Cursor, GameFilter, GameId, GameSort, GameSummary, Store, StoreError};

use crate::play::{self, FirstSight, Look, Room};

/// The games you have played, and those you have brought.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya games                                 the latest
  tabiya games list --unfinished
  tabiya games list --player morphy --result 1-0
  tabiya games show 12
  tabiya games open                            the list on the screen; tabiya games open 12
  tabiya games export > games.pgn
  tabiya games import games.pgn
  tabiya games delete 12, and tabiya games undelete 12
  tabiya games backup games-2026-11-16.db      all that is kept, as one file
  tabiya games restore games-2026-11-16.db
  tabiya games check                           whether all is sound")]
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
    /// Open a game on the screen, to go on with it, to walk through it or to play on from anywhere in it.
    Open {
        /// Its number; without it there is a list to choose from.
        id: Option<GameId>,

        #[command(flatten)]
        look: Look,
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
    Undelete {
        /// Its number.
        id: GameId,
    },
    /// Write all that is kept to one new file; also while a server runs.
    Backup {
        /// The file.
        file: PathBuf,
    },
    /// Put the games of a backup in the place of those that are kept, which are kept aside.
    ///
    /// The backup is checked first, move by move. Nobody may be playing meanwhile.
    Restore {
        /// The file.
        file: PathBuf,
    },
    /// Check that all that is kept is sound, and replay every game.
    ///
    /// What is wrong is told, a line each, and the program then ends with status 1.
    Check {
        /// A backup to be checked instead.
        file: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct ListArgs {
    /// Words that are in the names of players, event or opening, or a year; capitals and accents do not matter.
    #[arg(long, alias = "player", value_name = "WORDS")]
    search: Option<String>,

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

    /// Only games that were played here.
    #[arg(long, conflicts_with = "imported")]
    mine: bool,

    /// Only games that came from files.
    #[arg(long)]
    imported: bool,

    /// Only games that go on.
    #[arg(long)]
    unfinished: bool,

    /// What is in the bin.
    #[arg(long)]
    deleted: bool,

    /// By what they are sorted: updated, date, white, white-elo, black, black-elo, event, opening, result, plies or deleted.
    #[arg(long, default_value_t)]
    sort: GameSort,

    /// From the first or the least on.
    #[arg(long)]
    ascending: bool,

    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u32,

    /// Where to go on, as the last line of a list says.
    #[arg(long, value_name = "PLACE")]
    after: Option<Cursor>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Game {
    Chess,
    Bishops,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = tabiya_store::folder(args.data.as_deref())?;
    match &args.command {
        Some(Command::Restore { file }) => return restore(&folder, file),
        Some(Command::Check { file }) => return check(&folder, file.as_deref()),
        // Whoever only looks leaves no trace.
        Some(Command::Import { .. }) => {}
        _ if !folder.join("games.db").exists() => return nothing(&args.command, &folder),
        _ => {}
    }
    let store = Store::open(&folder)?;
    let mut out = crate::print::out();
    match &args.command {
        None => list(&store, &GameFilter { limit: Some(20), begun: true, ..GameFilter::default() }),
        Some(Command::List(args)) => list(&store, &filter(args)),
        Some(Command::Show { id }) => {
            Ok(write!(std::io::stdout().lock(), "{}", store.export(*id)?)?)
        }
        Some(Command::Export { ids }) => export(&store, ids),
        Some(Command::Open { id, look }) => open(store, *id, *look),
        Some(Command::Import { file }) => import(&store, file),
        Some(Command::Delete { id }) => {
            store.delete(*id)?;
            Ok(writeln!(
                out,
                "Game {id} is in the bin. To have it back: tabiya games undelete {id}"
            )?)
        }
        Some(Command::Undelete { id }) => {
            store.restore(*id)?;
            Ok(writeln!(out, "Game {id} is back.")?)
        }
        Some(Command::Backup { file }) => {
            store.backup(file)?;
            Ok(writeln!(out, "All that is kept is in {}, too.", file.display())?)
        }
        Some(Command::Restore { .. } | Command::Check { .. }) => Ok(()),
    }
}

impl Args {
    pub(crate) fn takes_the_screen(&self) -> bool {
        matches!(self.command, Some(Command::Open { .. }))
    }
}

/// What there is to say where no games are kept.
fn nothing(command: &Option<Command>, folder: &Path) -> anyhow::Result<()> {
    match command {
        None | Some(Command::List(_)) => {
            println!("There are no games yet: tabiya play begins one.");
            Ok(())
        }
        Some(Command::Export { ids }) if ids.is_empty() => Ok(()),
        _ => bail!("there are no games in {}", folder.display()),
    }
}

/// On the screen: a game that is over from its start.
fn open(store: Store, id: Option<GameId>, look: Look) -> anyhow::Result<()> {
    anyhow::ensure!(crate::terminal::has_screen(), "this needs a terminal that can be drawn on");
    let latest = || {
        let filter = GameFilter { begun: true, limit: Some(1), ..GameFilter::default() };
        let games = store.list(&filter)?;
        Ok::<_, anyhow::Error>(games.first().context("there are no games yet")?.id)
    };
    let shown = match id {
        Some(id) => id,
        None => latest()?,
    };
    let kept = store.resume(shown, SessionDeps::default())?;
    let first = match (id, kept.view().end.is_some()) {
        (None, _) => FirstSight::List,
        (Some(_), true) => FirstSight::Start,
        (Some(_), false) => FirstSight::Game,
    };
    play::show(Room::Kept(Box::new(kept), store), look, Duration::ZERO, first)
}

/// `12 games with 340 moves, 1 study`
fn counted(checked: &Checked) -> String {
    let count = |number: usize, one: &str, more: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {more}"),
    };
    format!(
        "{} with {}, {}",
        count(checked.games, "game", "games"),
        count(checked.moves, "move", "moves"),
        count(checked.studies, "study", "studies")
    )
}

fn restore(folder: &Path, file: &Path) -> anyhow::Result<()> {
    let is_number = file.to_str().is_some_and(|name| name.parse::<GameId>().is_ok());
    if is_number && !file.exists() {
        let id = file.display();
        bail!(
            "there is no file {id}; to take game {id} out of the bin: tabiya games undelete {id}"
        );
    }
    let restored = tabiya_store::restore(folder, file)?;
    let mut out = crate::print::out();
    writeln!(out, "The games of {} are in place: {}.", file.display(), counted(&restored.checked))?;
    if let Some(before) = restored.before {
        writeln!(out, "Those from before are in {}.", before.display())?;
    }
    Ok(())
}

fn check(folder: &Path, file: Option<&Path>) -> anyhow::Result<()> {
    let checked = match file {
        Some(file) => tabiya_store::check_copy(file)?,
        None => tabiya_store::check(folder)?,
    };
    let mut out = crate::print::out();
    for fault in &checked.faults {
        writeln!(out, "{fault}")?;
    }
    let name = file.map_or_else(|| folder.join("games.db"), Path::to_owned);
    match checked.faults.len() {
        0 => Ok(writeln!(out, "{} is sound: {}.", name.display(), counted(&checked))?),
        1 => bail!("{} has a fault", name.display()),
        faults => bail!("{} has {faults} faults", name.display()),
    }
}

fn filter(args: &ListArgs) -> GameFilter {
    GameFilter {
        search: args.search.clone(),
        result: args.result.clone(),
        since: args.since.clone(),
        until: args.until.clone(),
        kind: args.game.map(|game| match game {
            Game::Chess => GameKind::Chess,
            Game::Bishops => GameKind::Bishops,
        }),
        imported: match (args.mine, args.imported) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        },
        unfinished: args.unfinished,
        begun: true,
        deleted: args.deleted,
        limit: Some(args.limit),
        after: args.after.clone(),
        sort: args.sort,
        ascending: args.ascending,
        ..GameFilter::default()
    }
}

/// As a shell reads it as one word.
fn quoted(text: &str) -> String {
    match text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.') {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

fn list(store: &Store, filter: &GameFilter) -> anyhow::Result<()> {
    let mut out = crate::print::out();
    // One more than wanted tells whether the list goes on.
    let one_more = filter.limit.map(|limit| limit.saturating_add(1));
    let mut games = store.list(&GameFilter { limit: one_more, ..filter.clone() })?;
    if games.is_empty() {
        return Ok(writeln!(out, "There are no such games.")?);
    }
    let more = filter.limit.is_some_and(|limit| games.len() > limit as usize);
    games.truncate(filter.limit.map_or(usize::MAX, |limit| limit as usize));
    for game in &games {
        writeln!(out, "{}", line(game))?;
    }
    if let Some(last) = games.last().filter(|_| more) {
        // Names have spaces in them.
        writeln!(out, "There are more: --after {}", quoted(&last.place.to_string()))?;
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
    let opening = match (&game.eco, &game.opening) {
        (Some(eco), Some(opening)) => format!("  {eco} {opening}"),
        (Some(only), None) | (None, Some(only)) => format!("  {only}"),
        (None, None) => String::new(),
    };
    let ending = if game.ending.is_empty() { String::new() } else { format!("  {}", game.ending) };
    let (id, when, result) = (game.id, &game.when, &game.result);
    format!(
        "{id:>5}  {when}  {white} – {black}  {moves} move{plural}  {result}{what}{opening}{ending}"
    )
}

fn export(store: &Store, ids: &[GameId]) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut first = true;
    let mut write = |record: String| {
        let between = if std::mem::take(&mut first) { "" } else { "\n" };
        write!(out, "{between}{record}")
    };
    for &id in ids {
        write(store.export(id)?)?;
    }
    if ids.is_empty() {
        // The oldest first, as in any book.
        for id in all(store)?.into_iter().rev() {
            match store.export(id) {
                // A server has taken it away meanwhile.
                Err(StoreError::NoGame(_)) => {}
                record => write(record?)?,
            }
        }
    }
    Ok(out.flush()?)
}

/// The numbers of all games of chess that were begun, the latest first. Nothing else of a game is held in memory, however
/// many there are.
fn all(store: &Store) -> Result<Vec<GameId>, StoreError> {
    let (kind, limit) = (Some(GameKind::Chess), Some(500));
    let mut filter = GameFilter { kind, limit, begun: true, ..GameFilter::default() };
    let mut ids = Vec::new();
    loop {
        let page = store.page(&filter)?;
        ids.extend(page.games.iter().map(|game| game.id));
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return Ok(ids),
        }
    }
}

fn import(store: &Store, file: &Path) -> anyhow::Result<()> {
    let name = || file.display().to_string();
    let source = std::fs::File::open(file).with_context(name)?;
    let imported = store.import(source).with_context(name)?;
    for complaint in &imported.complaints {
        eprintln!("{}:{complaint}", file.display());
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let games = imported.games;
    let mut out = crate::print::out();
    writeln!(out, "{games} game{} added.", plural(games))?;
    match imported.known {
        0 => {}
        1 => writeln!(out, "1 game was here already.")?,
        known => writeln!(out, "{known} games were here already.")?,
    }
    match imported.restored {
        0 => {}
        1 => writeln!(out, "1 game was in the bin, and is back.")?,
        restored => writeln!(out, "{restored} games were in the bin, and are back.")?,
    }
    if imported.bad > 0 {
        writeln!(out, "{} game{} could not be read.", imported.bad, plural(imported.bad))?;
    }
    Ok(())
}
