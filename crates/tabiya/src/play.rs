mod events;
mod plain;
mod room;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use tabiya_play::{Kind, Means, Past, Player, Setup, Start, Strength, TimeControl};
use tabiya_puzzle::{Recipe, Size};
use tabiya_store::{Filter, GameId, Store};

use self::events::Events;
use self::plain::Plain;
pub(crate) use self::room::Room;

/// Type a move (e4, e2e4, e2 -> e4, O-O, e8=Q), a square to see where its piece may go, or "help".
///
/// Players are human, human:NAME, tabiya (as well as it can), tabiya:1200 (at a level, in Elo), random,
/// minimax:2, alphabeta:3 (any depth), and uci:PROGRAM (any UCI engine). In the bishop-and-king game they
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

    /// How well Tabiya plays if nobody else is named: 400 to 2400 in chess (1200 if not given), 0 to 6 in
    /// the bishop-and-king game (3).
    #[arg(long, value_name = "ELO", conflicts_with = "black")]
    level: Option<String>,

    /// Minutes for each side and seconds for each move, like 5+3.
    #[arg(long, value_name = "TIME")]
    time: Option<TimeControl>,

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

    /// Do not keep the game.
    #[arg(long, conflicts_with = "resume")]
    no_keep: bool,
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

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (sender, events) = Events::new();
    let means = || Means { on_change: Some(sender.on_change()), ..Means::default() };
    let room = open(args, means())?;
    let on_screen = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if on_screen && !args.plain && room.has_person() {
        return screen(room, &sender, events, means);
    }
    Plain::new(room, &sender, events, Duration::from_secs_f64(args.delay), args.moves).run(means)
}

/// The table where there is a whole screen to show it on.
fn screen(
    room: Room,
    sender: &events::Sender,
    events: Events,
    means: impl Fn() -> Means,
) -> anyhow::Result<()> {
    Plain::new(room, sender, events, Duration::ZERO, None).run(means)
}

/// The game that the command line asks for.
fn open(args: &Args, means: Means) -> anyhow::Result<Room> {
    if let Some(wanted) = args.resume {
        let store = Store::open(&tabiya_store::folder(args.data.as_deref())?)?;
        let id = match wanted {
            Some(id) => id,
            None => latest(&store)?,
        };
        return Ok(Room::Kept(Box::new(store.resume(id, means)?), store));
    }
    let (start, past) = match &args.load {
        Some(file) => room::read(file, args.kind())?,
        None => (args.start()?, Past::default()),
    };
    let kind = start.kind();
    let setup = Setup {
        players: args.players(kind)?,
        control: args.time,
        seed: args.seed(),
        take_backs: args.take_backs == YesNo::Yes,
        ..Setup::new(start)
    };
    setup.check()?;
    let store = match args.no_keep || !setup.players.iter().any(Player::is_person) {
        true => None,
        false => Some(Store::open(&tabiya_store::folder(args.data.as_deref())?)?),
    };
    Room::begin(store, setup, &past, means)
}

fn latest(store: &Store) -> anyhow::Result<GameId> {
    let filter = Filter {
        unfinished: true,
        begun: true,
        played_here: true,
        limit: Some(1),
        ..Filter::default()
    };
    let games = store.list(&filter)?;
    let latest = games.first().context("there is no unfinished game to go on with")?;
    Ok(latest.id)
}

impl Args {
    const fn kind(&self) -> Kind {
        match self.game {
            Game::Chess => Kind::Chess,
            Game::Bishops => Kind::Bishops,
        }
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya"))
    }

    fn start(&self) -> anyhow::Result<Start> {
        let is_chess = self.kind() == Kind::Chess;
        if is_chess && (self.board.is_some() || self.size.is_some()) {
            bail!("--board and --size are for the bishop-and-king game: add --game bishops");
        }
        if !is_chess && (!self.fen.is_empty() || self.chess960.is_some()) {
            bail!("--fen and --chess960 are for chess");
        }
        Ok(match (&self.board, self.chess960) {
            (Some(file), _) => Start::bishops(&text_of(file)?).with_context(|| name_of(file))?,
            (None, Some(number)) => Start::chess960(number)?,
            (None, None) if !is_chess => self.new_board()?,
            (None, None) if self.fen.is_empty() => Start::standard(),
            (None, None) => Start::fen(&self.fen.join(" "))?,
        })
    }

    /// An even board, with as many bishops as rows, less two, or half a dozen if there are many rows.
    fn new_board(&self) -> anyhow::Result<Start> {
        let rows = self.size.unwrap_or(8);
        let size = Size::new(rows)
            .with_context(|| format!("there is no board of size {rows}: sizes are 3 to 26"))?;
        let bishops = usize::from(rows).saturating_sub(2).clamp(1, 6);
        let recipe = Recipe {
            size,
            white_bishops: bishops,
            black_bishops: bishops,
            mate: None,
            seed: self.seed(),
        };
        Ok(Start::bishops(&recipe.compose()?.plain())?)
    }

    fn players(&self, kind: Kind) -> anyhow::Result<[Player; 2]> {
        let white = self.white.clone().unwrap_or(Player::HUMAN);
        let black = match &self.black {
            Some(black) => black.clone(),
            None if !white.is_person() => Player::HUMAN,
            None => {
                let friendly = if kind == Kind::Chess { "1200" } else { "3" };
                let level = self.level.as_deref().unwrap_or(friendly);
                let player = format!("tabiya:{level}").parse()?;
                match player {
                    Player::Tabiya(Strength::Elo(_) | Strength::Step(_)) => player,
                    _ => bail!("{level:?} is no level"),
                }
            }
        };
        Ok([white, black])
    }
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file).with_context(|| name_of(file))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn name_of(file: &Path) -> String {
    file.display().to_string()
}
