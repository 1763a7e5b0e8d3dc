mod analyst;
mod events;
mod plain;
mod room;
mod screen;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use tabiya_base::random_seed;
use tabiya_play::{GameKind, GameSetup, Minutes, Past, Player, SessionDeps, Start};
use tabiya_puzzle::{Recipe, Size};
use tabiya_store::{GameFilter, GameId, Store};

use self::events::Events;
use self::plain::Plain;
pub(crate) use self::room::Room;
pub(crate) use self::screen::{Look, show};
use crate::config::Config;
pub(crate) use tabiya_tui::FirstSight;

/// Type a move (e4, e2e4, e2 -> e4, O-O, e8=Q), a square to see where its piece may go, or "help".
///
/// Players are human, human:NAME, tabiya (as well as it can), tabiya:1200 (at a level, in Elo), random,
/// minimax:2, alphabeta:3, tree:3 (any depth), and uci:PROGRAM (any UCI engine). In the bishop-and-king game they
/// are human, random, tabiya, and tabiya:0 to tabiya:6.
///
/// Games with a person at the table are kept, move by move, and can be gone on with at any time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya play                                          you against Tabiya at a friendly level
  tabiya play --level 1800 --time 5+3                  at another, with clocks
  tabiya play --white tabiya:1000 --black human        you have Black
  tabiya play --black human                            two people at one keyboard
  tabiya play --resume                                 go on with the latest game
  tabiya play --chess960 518
  tabiya play --game bishops --size 10
  tabiya play --white random --black random --seed 7   watch")]
pub(crate) struct Args {
    /// Who plays White: human, if not given.
    #[arg(long, value_name = "WHO")]
    white: Option<Player>,

    /// Who plays Black: Tabiya, if not given; human, if White is a computer.
    #[arg(long, value_name = "WHO")]
    black: Option<Player>,

    /// How well Tabiya plays if nobody else is named: 400 to 2400 in chess (1200 if not given, or as set by
    /// tabiya config), 0 to 6 in the bishop-and-king game (3).
    #[arg(long, value_name = "ELO", conflicts_with = "black")]
    level: Option<String>,

    /// Minutes for each side and seconds for each move: 5+3 is five minutes and three seconds a move.
    #[arg(long, value_name = "TIME")]
    time: Option<Minutes>,

    /// Which game.
    #[arg(long, value_enum, default_value_t = Game::Chess)]
    game: Game,

    /// The position to play from.
    #[arg(long, value_name = "FEN", num_args = 1..=6)]
    fen: Vec<String>,

    /// A start position of Chess960, by its number.
    #[arg(long, value_name = "0-959", conflicts_with = "fen")]
    chess960: Option<u16>,

    /// A board of the bishop-and-king game.
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,

    /// A new board of the bishop-and-king game with so many rows.
    #[arg(long, value_name = "3-26", conflicts_with = "board")]
    size: Option<u8>,

    /// Go on with the first game of a PGN file, from a FEN, or from a board.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "chess960", "board", "size"])]
    load: Option<PathBuf>,

    /// Go on with a kept game: the latest, or the one of that number.
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with_all =
        ["white", "black", "level", "time", "game", "fen", "chess960", "board", "size", "load", "seed", "take_backs"])]
    resume: Option<Option<GameId>>,

    /// Make computers play the same game again.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Whether moves may be taken back.
    #[arg(long, value_enum, default_value_t = YesNo::Yes, value_name = "yes|no")]
    take_backs: YesNo,

    /// A line at a time, for scripts and bare consoles.
    #[arg(long)]
    plain: bool,

    /// When watching, wait so many seconds after each move.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    delay: f64,

    /// When watching, stop after so many moves.
    #[arg(long, value_name = "N")]
    moves: Option<usize>,

    /// The folder in which games are kept (else that of TABIYA_DATA, else the system's).
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Tell after each move what the computer looked at, and what one of the textbook keeps in memory (a line at a
    /// time, without the full screen).
    #[arg(long)]
    stats: bool,

    /// Play until there is no legal move or nobody could win: repetitions, quiet moves and time end nothing.
    #[arg(long, conflicts_with = "resume")]
    no_draws: bool,

    /// Do not keep the game.
    #[arg(long, conflicts_with = "resume")]
    no_keep: bool,

    #[command(flatten)]
    look: Look,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Game {
    Chess,
    Bishops,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum YesNo {
    Yes,
    No,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    number.ok_or_else(|| "seconds are a number from 0 to 3600".to_owned())
}

/// How long each move of a game between computers is looked at, if nothing else is said.
const WATCH: Duration = Duration::from_millis(700);

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if crate::terminal::has_screen() && !args.is_plain() {
        let room = open(args, SessionDeps::default())?;
        let delay = match args.delay {
            0.0 if !room.has_person() => WATCH,
            seconds => Duration::from_secs_f64(seconds),
        };
        return show(room, args.look, delay, FirstSight::Game);
    }
    let (sender, events) = Events::new();
    let deps = || SessionDeps { on_change: Some(sender.on_change()), ..SessionDeps::default() };
    let room = open(args, deps())?;
    let delay = Duration::from_secs_f64(args.delay);
    Plain::new(room, &sender, events, delay, args.moves).with_stats(args.stats).run(deps)
}

/// The game that the command line asks for.
fn open(args: &Args, deps: SessionDeps) -> anyhow::Result<Room> {
    if let Some(wanted) = args.resume {
        let store = Store::open(&tabiya_store::folder(args.data.as_deref())?)?;
        let id = match wanted {
            Some(id) => id,
            None => latest(&store)?,
        };
        return Ok(Room::Kept(Box::new(store.resume(id, deps)?), store));
    }
    let (start, past) = match &args.load {
        Some(file) => room::read(file, args.kind())?,
        None => (args.start()?, Past::default()),
    };
    let kind = start.kind();
    let setup = GameSetup {
        players: args.players(kind)?,
        control: args.time,
        seed: args.seed(),
        take_backs: args.take_backs == YesNo::Yes,
        draws: !args.no_draws,
        ..GameSetup::new(start)
    };
    setup.check()?;
    if args.no_draws && setup.players.iter().any(Player::is_person) {
        bail!("--no-draws is for games between computers: name --white and --black");
    }
    let store = match args.no_keep || !setup.players.iter().any(Player::is_person) {
        true => None,
        false => Some(Store::open(&tabiya_store::folder(args.data.as_deref())?)?),
    };
    Room::begin(store, setup, &past, deps)
}

fn latest(store: &Store) -> anyhow::Result<GameId> {
    let filter = GameFilter {
        unfinished: true,
        begun: true,
        played_here: true,
        limit: Some(1),
        ..GameFilter::default()
    };
    let games = store.list(&filter)?;
    let latest = games.first().context("there is no unfinished game to go on with")?;
    Ok(latest.id)
}

impl Args {
    const fn kind(&self) -> GameKind {
        match self.game {
            Game::Chess => GameKind::Chess,
            Game::Bishops => GameKind::Bishops,
        }
    }

    /// Whether a line comes after another: so it does where somebody wants to read what is told of each move.
    const fn is_plain(&self) -> bool {
        self.plain || self.stats || self.moves.is_some()
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(random_seed)
    }

    fn start(&self) -> anyhow::Result<Start> {
        let is_chess = self.kind() == GameKind::Chess;
        if is_chess && (self.board.is_some() || self.size.is_some()) {
            bail!("--board and --size are for the bishop-and-king game: add --game bishops");
        }
        if !is_chess && (!self.fen.is_empty() || self.chess960.is_some()) {
            bail!("--fen and --chess960 are for chess");
        }
        Ok(match (&self.board, self.chess960) {
            (Some(file), _) => Start::bishops(&text_of(file)?).with_context(|| name_of(file))?,
            (None, Some(number)) => Start::chess960(number)?,
            (None, None) if !is_chess => new_board(self.size.unwrap_or(8), self.seed())?,
            (None, None) if self.fen.is_empty() => Start::standard(),
            (None, None) => Start::fen(&self.fen.join(" "))?,
        })
    }

    fn players(&self, kind: GameKind) -> anyhow::Result<[Player; 2]> {
        let white = self.white.clone().unwrap_or(Player::HUMAN);
        let black = match &self.black {
            Some(black) => black.clone(),
            None if !white.is_person() => Player::HUMAN,
            None => {
                let config = Config::read()?;
                let friendly = if kind == GameKind::Chess { config.level() } else { "3" };
                let level = self.level.as_deref().unwrap_or(friendly);
                format!("tabiya:{level}").parse()?
            }
        };
        Ok([white, black])
    }
}

/// An even board, with as many bishops as rows, less two, or half a dozen if there are many rows.
pub(crate) fn new_board(rows: u8, seed: u64) -> anyhow::Result<Start> {
    let size = Size::new(rows)
        .with_context(|| format!("there is no board of size {rows}: sizes are 3 to 26"))?;
    let bishops = usize::from(rows).saturating_sub(2).clamp(1, 6);
    let recipe = Recipe { size, white_bishops: bishops, black_bishops: bishops, mate: None, seed };
    Ok(Start::bishops(&recipe.compose()?.plain())?)
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file).with_context(|| name_of(file))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn name_of(file: &Path) -> String {
    file.display().to_string()
}
