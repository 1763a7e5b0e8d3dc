use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use tabiya_chess::Game;
use tabiya_engine::textbook::Textbook;
use tabiya_engine::{Clocks, Engine, Limits, Settings, Timer};
use tabiya_lab::{
    Choice, ClockState, DrawRule, Entrant, Format, Openings, Player, PlayerError, Sprt,
    TimeControl, Tournament, WinRule,
};
use tabiya_uci_protocol::{Client, EngineError, Go, PositionCommand, Program};

/// Each opening is played twice, with colours changed. Players are
///
///   tabiya             our engine (hash=MB threads=N, or at a level: elo=1200, and seed=N)
///   random, minimax:2, alphabeta:3   textbook players
///   uci PROGRAM        any UCI engine (arg=… option.NAME=VALUE, such as option.Move_Overhead=20)
///
/// with name=… and tc=… for one player alone. Times are 5+0.05 (seconds and increment), 40/60,
/// movetime=0.1, nodes=20000 or depth=8.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya match --engine tabiya --engine alphabeta:3 --tc nodes=5000 --pairs 10
  tabiya match --engine tabiya --engine 'uci gnuchess arg=--uci option.OwnBook=false' \\
      --tc movetime=0.1 --openings book.pgn --plies 16 --pairs 100 --pgn games.pgn --concurrency 2
  tabiya match --engine 'tabiya elo=1200' --engine 'tabiya elo=1400' --pairs 100
  tabiya match --engine 'uci ./new' --engine 'uci ./old' --tc 8+0.08 --sprt 0,5 --pairs 20000 --state sprt.json")]
pub(crate) struct Args {
    /// A player; give two or more.
    #[arg(long = "engine", value_name = "PLAYER", required = true)]
    engines: Vec<String>,

    /// The time control.
    #[arg(long, value_name = "TIME", default_value = "nodes=10000")]
    tc: TimeControl,

    /// How many openings each pairing plays.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: usize,

    /// Everybody against everybody, or the first against all others.
    #[arg(long, value_enum, default_value_t = Kind::Match)]
    format: Kind,

    /// Where games begin: "own" (1,000 positions of our own making, White a little better), "random", or a
    /// file, one FEN or EPD a line, or the main lines of a PGN file.
    #[arg(long, value_name = "own|random|FILE", default_value = "own")]
    openings: String,

    /// How many plies of each game of a PGN file to play; without it, all.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Make openings by so many random plies (8 with --openings random).
    #[arg(long, value_name = "PLIES")]
    random_plies: Option<usize>,

    /// For random openings and for the order of given ones.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many games at a time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    concurrency: NonZeroUsize,

    /// Append the games to a PGN file as they end.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Keep the score in a file, and go on from there when started again.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Stop when it is clear which of two Elo differences is right, such as 0,5.
    #[arg(long, value_name = "ELO0,ELO1")]
    sprt: Option<String>,

    /// End won and drawn games early: ±10 pawns for 4 moves, 0.08 for 8 moves after move 40.
    #[arg(long)]
    adjudicate: bool,

    /// By how many milliseconds a player may overstep its time; more on a machine that is busy.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Match,
    Gauntlet,
    RoundRobin,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut settings = tabiya_lab::Settings::new(args.tc);
    settings.pairs = args.pairs;
    settings.conditions.margin = Duration::from_millis(args.margin);
    settings.format = match args.format {
        Kind::Match => Format::Match,
        Kind::Gauntlet => Format::Gauntlet,
        Kind::RoundRobin => Format::RoundRobin,
    };
    if args.adjudicate {
        settings.conditions.win = Some(WinRule { moves: 4, score: 1000 });
        settings.conditions.draw = Some(DrawRule { after_move: 40, moves: 8, score: 8 });
    }
    if let Some(text) = &args.sprt {
        let (elo0, elo1) = text
            .split_once(',')
            .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
            .with_context(|| format!("{text:?} is not a pair of Elo differences like 0,5"))?;
        settings.sprt = Some(Sprt::new(elo0, elo1)?);
    }
    let openings = openings(args)?;
    let specs: Vec<Spec> =
        args.engines.iter().map(|text| Spec::parse(text)).collect::<anyhow::Result<_>>()?;
    let entrants = specs.iter().map(Spec::entrant).collect();
    let mut tournament = Tournament::new(settings, entrants, openings)?;
    if let Some(file) = &args.pgn {
        tournament = tournament.with_pgn(file);
    }
    if let Some(file) = &args.state {
        tournament = tournament.with_state(file);
    }
    let standings = tournament.run(args.concurrency.get(), |snapshot| {
        eprintln!("{}", snapshot.standings);
        ControlFlow::Continue(())
    })?;
    writeln!(std::io::stdout().lock(), "{standings}")?;
    Ok(())
}

/// The openings that were asked for.
fn openings(args: &Args) -> anyhow::Result<Openings> {
    let is_pgn = args.openings.to_ascii_lowercase().ends_with(".pgn");
    if args.plies.is_some() && !is_pgn {
        bail!("--plies is for the games of a PGN file");
    }
    let openings = match (args.openings.as_str(), args.random_plies) {
        ("own" | "random", Some(plies)) => {
            return Ok(Openings::random(args.pairs.max(1), plies, args.seed)?);
        }
        ("random", None) => return Ok(Openings::random(args.pairs.max(1), 8, args.seed)?),
        ("own", None) => Openings::from_epd(include_str!("../data/openings.epd"))?,
        (_, Some(_)) => bail!("--openings FILE and --random-plies exclude each other"),
        (file, None) => {
            let bytes = fs::read(file).with_context(|| file.to_owned())?;
            // Old files have names of players in other encodings; moves are the same in all.
            let text = String::from_utf8_lossy(&bytes);
            let read = if is_pgn {
                Openings::from_pgn(&text, args.plies)
            } else {
                Openings::from_epd(&text)
            };
            read.with_context(|| file.to_owned())?
        }
    };
    Ok(openings.shuffled(args.seed))
}

/// A player as given on the command line.
struct Spec {
    name: String,
    text: String,
    kind: SpecKind,
    control: Option<TimeControl>,
}

enum SpecKind {
    Tabiya(Settings),
    Textbook(Textbook),
    Uci(Program),
}

impl Spec {
    fn parse(text: &str) -> anyhow::Result<Spec> {
        let mut words = text.split_whitespace();
        let first = words.next().context("a player needs a name: tabiya, random, uci PROGRAM …")?;
        let mut kind = match first {
            "tabiya" => SpecKind::Tabiya(Settings::default()),
            "uci" => {
                let program = words.next().context("after uci comes the program")?;
                SpecKind::Uci(Program::new(program))
            }
            textbook => SpecKind::Textbook(textbook.parse()?),
        };
        let mut name = first.to_owned();
        if let SpecKind::Uci(program) = &kind
            && let Some(file) = program.path.file_name()
        {
            name = file.to_string_lossy().into_owned();
        }
        let mut control = None;
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                bail!("{word:?} is not a setting like name=…, tc=… or option.Hash=64");
            };
            match (&mut kind, key) {
                (_, "name") => name = value.to_owned(),
                (_, "tc") => control = Some(value.parse()?),
                (SpecKind::Tabiya(settings), "hash") => settings.hash_megabytes = value.parse()?,
                (SpecKind::Tabiya(settings), "threads") => settings.threads = value.parse()?,
                (SpecKind::Tabiya(settings), "seed") => settings.seed = value.parse()?,
                (SpecKind::Tabiya(settings), "elo") => {
                    settings.level = Some(value.parse()?);
                    if name == first {
                        name = format!("{first}:{value}");
                    }
                }
                (SpecKind::Uci(program), "arg") => program.args.push(value.to_owned()),
                (SpecKind::Uci(program), key) if key.starts_with("option.") => {
                    // Words are split at blanks, so those of a name are written as underscores.
                    let option = key.trim_start_matches("option.");
                    let option = match option.starts_with("UCI_") {
                        true => option.to_owned(),
                        false => option.replace('_', " "),
                    };
                    program.options.push((option, Some(value.to_owned())));
                }
                _ => bail!("{first} has no setting {key:?}"),
            }
        }
        Ok(Spec { name, text: text.to_owned(), kind, control })
    }

    fn entrant(&self) -> Entrant<'_> {
        let entrant = Entrant::new(&self.name, move |_| self.player()).with_details(&self.text);
        match self.control {
            Some(control) => entrant.with_control(control),
            None => entrant,
        }
    }

    fn player(&self) -> Result<Box<dyn Player>, PlayerError> {
        let name = self.name.clone();
        Ok(match &self.kind {
            SpecKind::Tabiya(settings) => {
                let engine = Engine::new(*settings);
                Box::new(EnginePlayer { name, engine, settings: *settings, at_start: true })
            }
            SpecKind::Textbook(textbook) => Box::new(TextbookPlayer { name, textbook: *textbook }),
            SpecKind::Uci(program) => {
                Box::new(UciPlayer { name, client: program.start().map_err(player_error)? })
            }
        })
    }
}

struct EnginePlayer {
    name: String,
    engine: Engine,
    settings: Settings,
    at_start: bool,
}

impl Player for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.engine.clear();
        self.at_start = true;
        Ok(())
    }

    fn choose(&mut self, game: &Game, clock: ClockState) -> Result<Choice, PlayerError> {
        if core::mem::take(&mut self.at_start) {
            // Each game has a seed of its own, the same whichever worker plays it and when.
            let seed = self.settings.seed ^ game.position().key();
            self.engine.set(Settings { seed, ..self.settings });
        }
        let mut limits = Limits { timer: Some(Timer::start()), ..Limits::default() };
        match clock.control {
            TimeControl::Clock { .. } => {
                limits.clocks = Some(Clocks {
                    time: clock.time,
                    increment: clock.increment,
                    moves_to_go: clock.moves_to_go,
                });
            }
            TimeControl::MoveTime(time) => limits.movetime = Some(time),
            TimeControl::Nodes(nodes) => limits.nodes = Some(nodes),
            TimeControl::Depth(depth) => limits.depth = Some(depth),
        }
        let mut last = None;
        let found = self.engine.think(game, limits, |info| {
            last = Some((info.score, info.depth, info.nodes));
        });
        let best = found.best.ok_or_else(|| PlayerError::Other("found no move".to_owned()))?;
        let mut choice = Choice::new(game.position().uci(best));
        if let Some((score, depth, nodes)) = last {
            choice.score = Some(score);
            choice.depth = Some(depth);
            choice.nodes = Some(nodes);
        }
        Ok(choice)
    }
}

struct TextbookPlayer {
    name: String,
    textbook: Textbook,
}

impl Player for TextbookPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _clock: ClockState) -> Result<Choice, PlayerError> {
        let best = self.textbook.choose(game);
        let best = best.ok_or_else(|| PlayerError::Other("found no move".to_owned()))?;
        Ok(Choice::new(game.position().uci(best)))
    }
}

struct UciPlayer {
    name: String,
    client: Client,
}

/// How much later than its time an answer may come before the engine is given up.
const PATIENCE: Duration = Duration::from_secs(5);

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.client.new_game().map_err(player_error)
    }

    fn choose(&mut self, game: &Game, clock: ClockState) -> Result<Choice, PlayerError> {
        let chess960 = !game.start().castles_as_in_standard_chess();
        let mut go = Go::default();
        match clock.control {
            TimeControl::Clock { .. } => {
                let [white, black] = clock.time;
                let [white_increment, black_increment] = clock.increment;
                (go.wtime, go.btime) = (Some(white), Some(black));
                (go.winc, go.binc) = (Some(white_increment), Some(black_increment));
                go.movestogo = clock.moves_to_go;
            }
            TimeControl::MoveTime(time) => go.movetime = Some(time),
            TimeControl::Nodes(nodes) => go.nodes = Some(nodes),
            TimeControl::Depth(depth) => go.depth = Some(depth),
        }
        let limit = clock.allowed().unwrap_or(Duration::from_secs(600)) + PATIENCE;
        let mut last = (None, None, None);
        let position = PositionCommand::from_game(game, chess960);
        let answer = self.client.go(&position, &go, limit, &tabiya_base::Stop::default(), |info| {
            if info.score.is_some() {
                last = (info.score, info.depth, info.nodes);
            }
        });
        let answer = answer.map_err(player_error)?;
        let best = answer.best_move.best.unwrap_or_else(|| "0000".to_owned());
        let (score, depth, nodes) = last;
        Ok(Choice { best, score, depth, nodes })
    }
}

fn player_error(error: EngineError) -> PlayerError {
    match error {
        EngineError::Exited { .. } => PlayerError::Crashed,
        EngineError::Silent { .. } | EngineError::NotListening { .. } => PlayerError::Timeout,
        EngineError::IllegalMove { .. } => PlayerError::Illegal(error.to_string()),
        other => PlayerError::Other(other.to_string()),
    }
}
