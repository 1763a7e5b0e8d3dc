use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use parking_lot::Mutex;
use tabiya_base::random_seed;
use tabiya_chess::Game;
use tabiya_engine::{Engine, Limits, Network, Settings};
use tabiya_lab::data::{GameFileError, GameWriter, ScoredGame, ScoredMove, SelfPlay};
use tabiya_tables::Tables;

use crate::{NetworkArg, tables};

/// Let the engine play games against itself, to learn from.
///
/// Games begin with eight or nine random moves, one in eight from a start position of Chess960; a lost opening
/// is thrown away. They are packed and kept in the folder, one file for each seed.
///
/// It can be killed at any time: only the games in progress are lost. With the seed of a former run it goes on
/// where that run ended; without a seed it takes a new one. Openings that are in the folder already are not
/// played again.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya datagen --out data/first --minutes 60 --threads 2
  tabiya datagen --out data/first --positions 1000000 --nodes 8000
  tabiya datagen --out data/first --games 500 --seed 7
  tabiya datagen --out data/second --minutes 60 --network data/networks/a.nnue
Then: tabiya data stats data/first")]
#[command(group = clap::ArgGroup::new("until").required(true))]
pub(crate) struct Args {
    /// The folder to keep the games in; made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Play so many games.
    #[arg(long, value_name = "N", group = "until")]
    games: Option<u64>,

    /// Play until there are so many positions more.
    #[arg(long, value_name = "N", group = "until")]
    positions: Option<u64>,

    /// Play so long.
    #[arg(long, value_name = "M", group = "until", value_parser = minutes)]
    minutes: Option<Duration>,

    /// After how many positions the engine begins no new depth for a move.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(50..))]
    nodes: u64,

    /// How many games to play at a time.
    #[arg(long, value_name = "T", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,

    /// Begin with this seed, or go on with it.
    #[arg(long, value_name = "K")]
    seed: Option<u64>,

    /// End games where the tables of endings in this folder know the result.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    #[command(flatten)]
    network: NetworkArg,
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "not a number of minutes".to_owned())?;
    Duration::try_from_secs_f64(60.0 * minutes).map_err(|error| error.to_string())
}

/// How often the disk is made to write, and the progress told.
const PAUSE: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = &args.out;
    let network = args.network.load()?;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let seed = args.seed.unwrap_or_else(random_seed);
    let known = known_openings(folder)?;
    let version = env!("CARGO_PKG_VERSION");
    let maker = format!("tabiya {version}, {} nodes a move", args.nodes);
    let writer = GameWriter::open(&folder.join(format!("{seed}.games")), &maker)?;
    let number = writer.next_number();
    eprintln!("seed {seed}, from game {number}, {} openings known", known.len());
    let clock = Instant::now();
    let run = Run {
        args,
        network,
        tables: args.tables.as_ref().map(tables::open_folder).transpose()?,
        seed,
        clock,
        state: Mutex::new(State {
            writer,
            known,
            number,
            games: 0,
            positions: 0,
            bytes: 0,
            told: clock,
            error: None,
        }),
    };
    thread::scope(|scope| -> std::io::Result<()> {
        for _ in 0..args.threads.get() {
            // The engine thinks on the threads that play, and its search goes deep.
            thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, || run.play())?;
        }
        Ok(())
    })?;
    let state = run.state.into_inner();
    if let Some(error) = state.error {
        return Err(error.into());
    }
    state.writer.sync()?;
    eprintln!("{}", state.progress(clock.elapsed()));
    Ok(())
}

/// Where the games in the folder begin.
fn known_openings(folder: &Path) -> anyhow::Result<HashSet<u64>> {
    let mut known = HashSet::new();
    for path in crate::data::game_files(&[folder.to_owned()])? {
        for game in tabiya_lab::data::games_of(&path)? {
            match game {
                Ok(game) => known.insert(game.opening().position().key()),
                Err(GameFileError::Torn { .. }) => break,
                Err(error) => return Err(error.into()),
            };
        }
    }
    Ok(known)
}

/// What the threads share.
struct Run<'a> {
    args: &'a Args,
    network: Option<Arc<Network>>,
    tables: Option<Tables>,
    seed: u64,
    clock: Instant,
    state: Mutex<State>,
}

struct State {
    writer: GameWriter,
    known: HashSet<u64>,
    /// The next game to begin.
    number: u32,
    games: u64,
    positions: u64,
    bytes: u64,
    /// When the progress was last told.
    told: Instant,
    error: Option<GameFileError>,
}

impl Run<'_> {
    fn is_over(&self, state: &State) -> bool {
        let Args { games, positions, minutes, .. } = self.args;
        state.error.is_some()
            || games.is_some_and(|games| state.games >= games)
            || positions.is_some_and(|positions| state.positions >= positions)
            || minutes.is_some_and(|minutes| self.clock.elapsed() >= minutes)
    }

    /// One thread: plays games until there are enough.
    fn play(&self) {
        let rules = SelfPlay::default();
        // No larger than a game fills: a table that stays in the cache is worth a tenth of the speed.
        let hash_megabytes = (self.args.nodes / 600).clamp(1, 16) as usize;
        let mut engine = Engine::new(Settings { hash_megabytes, ..Settings::default() });
        engine.set_network(self.network.clone());
        while let Some((number, opening)) = self.next_opening(&rules) {
            engine.clear();
            let game = rules.play(opening, number, self.tables.as_ref(), |game| {
                think(&mut engine, game, self.args.nodes)
            });
            if let Some(game) = game {
                self.keep(&game);
            }
        }
    }

    fn next_opening(&self, rules: &SelfPlay) -> Option<(u32, Game)> {
        loop {
            let mut state = self.state.lock();
            if self.is_over(&state) {
                return None;
            }
            let number = state.number;
            state.number = number.checked_add(1)?;
            if let Some(opening) = rules.opening(self.seed, number)
                && state.known.insert(opening.position().key())
            {
                return Some((number, opening));
            }
        }
    }

    fn keep(&self, game: &ScoredGame) {
        let mut state = self.state.lock();
        if self.args.minutes.is_none() && self.is_over(&state) {
            return; // there are as many as were asked for
        }
        match state.writer.append(game) {
            Ok(bytes) => state.bytes += bytes as u64,
            Err(error) => {
                state.error.get_or_insert(error);
                return;
            }
        }
        state.games += 1;
        state.positions += game.moves.len() as u64;
        if state.told.elapsed() >= PAUSE {
            state.told = Instant::now();
            eprintln!("{}", state.progress(self.clock.elapsed()));
            if let Err(error) = state.writer.sync() {
                state.error.get_or_insert(error);
            }
        }
    }
}

impl State {
    fn progress(&self, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64();
        let (games, positions) = (self.games, self.positions);
        let speed = positions as f64 / seconds.max(1e-9);
        let size = self.bytes as f64 / positions.max(1) as f64;
        format!(
            "{games} games, {positions} positions in {seconds:.0} s: {speed:.0} positions/s, {size:.2} bytes each"
        )
    }
}

/// The engine's move and what it thinks of the position.
fn think(engine: &mut Engine, game: &Game, nodes: u64) -> Option<ScoredMove> {
    // A depth that has begun may be finished, within reason: half a depth says little.
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(8 * nodes), ..Limits::default() };
    let mut score = None;
    let found = engine.think(game, limits, |info| score = Some(info.score));
    Some(ScoredMove { m: found.best?, score: score? })
}
