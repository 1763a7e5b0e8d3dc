//! Our engine, served over UCI.

use std::sync::Arc;
use std::time::Duration;

use tabiya_base::random_seed;
use tabiya_chess::{Game, Move, Position};
use tabiya_engine::{
    BENCH_DEPTH, Engine, Found, Info, Level, Limits, SearchHandle, Settings, Stop, Tables,
    most_threads,
};
use tabiya_uci_protocol::{
    BenchWork, BestMove, Identity, InfoMessage, OptionKind, OptionSpec, OptionValue, Output, Score,
    UciEngine, Wdl,
};

use crate::network;

/// Serves the engine on standard input and output until `quit`.
pub fn run() -> std::io::Result<()> {
    tabiya_uci_protocol::serve(std::io::stdin().lock(), std::io::stdout(), Served::new())
}

/// What `bench` answers.
pub fn bench(depth: Option<u32>) -> Option<String> {
    Served::new().bench(depth)(&Stop::default())
}

/// The deepest `bench`.
pub const DEEPEST_BENCH: u32 = 60;

/// The engine and what the GUI has asked of it.
struct Served {
    engine: Engine,
    search: Option<SearchHandle>,
    show_wdl: bool,
    limits_strength: bool,
    level: Level,
    /// What the games of a level are drawn from; 0 for another one each game.
    seed: u64,
}

/// The level before a GUI sets one: a club player.
const DEFAULT_ELO: u16 = 1500;

impl Served {
    fn new() -> Served {
        let mut served = Served {
            engine: Engine::new(Settings::default()),
            search: None,
            show_wdl: false,
            limits_strength: false,
            level: Level::new(DEFAULT_ELO),
            seed: 0,
        };
        served.draw_seed();
        served
    }

    fn set_strength(&mut self) {
        let level = self.limits_strength.then_some(self.level);
        self.change(|s| s.level = level);
    }

    fn draw_seed(&mut self) {
        let seed = if self.seed == 0 { random_seed() } else { self.seed };
        self.change(|s| s.seed = seed);
    }

    /// Opens the tables in some folders, Syzygy's and our own, and says what cannot be used.
    fn set_tables(&mut self, folders: &str) -> Result<(), String> {
        if folders.is_empty() || folders == "<empty>" {
            self.engine.set_tables(None);
            return Ok(());
        }
        let tables = Tables::open(std::env::split_paths(folders));
        let problem = match tables.problems().first() {
            Some(problem) => Some(problem.to_string()),
            None if tables.most_men() == 0 => Some(format!("no tables in {folders}")),
            None => None,
        };
        self.engine.set_tables(Some(Arc::new(tables)));
        problem.map_or(Ok(()), |problem| Err(format!("{SYZYGY_PATH}: {problem}")))
    }

    fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = *self.engine.settings();
        change(&mut settings);
        self.engine.set(settings);
    }
}

const HASH: &str = "Hash";
const CLEAR_HASH: &str = "Clear Hash";
const THREADS: &str = "Threads";
const MULTI_PV: &str = "MultiPV";
const PONDER: &str = "Ponder";
const MOVE_OVERHEAD: &str = "Move Overhead";
const CHESS960: &str = "UCI_Chess960";
const SHOW_WDL: &str = "UCI_ShowWDL";
const ANALYSE_MODE: &str = "UCI_AnalyseMode";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const SEED: &str = "Seed";
const EVAL_FILE: &str = "EvalFile";
const SYZYGY_PATH: &str = "SyzygyPath";
const SYZYGY_PROBE_LIMIT: &str = "SyzygyProbeLimit";
const SYZYGY_50_MOVE_RULE: &str = "Syzygy50MoveRule";

/// In a build for tuning, an option for each number of the search.
fn search_numbers() -> Vec<OptionSpec> {
    #[cfg(feature = "tune")]
    let numbers = tabiya_engine::tuning::search_numbers();
    #[cfg(not(feature = "tune"))]
    let numbers: &[(&str, i32)] = &[];
    let option = |&(name, default): &(&str, i32)| OptionSpec {
        name: name.replace('_', " "),
        kind: OptionKind::Spin { default: default.into(), min: -1_000_000, max: 1_000_000 },
    };
    numbers.iter().map(option).collect()
}

impl UciEngine for Served {
    fn identity(&self) -> Identity {
        let name = concat!("Tabiya ", env!("CARGO_PKG_VERSION")).to_owned();
        Identity { name, author: env!("CARGO_PKG_AUTHORS").to_owned() }
    }

    fn options(&self) -> Vec<OptionSpec> {
        let settings = Settings::default();
        let spin =
            |default: usize, min, max| OptionKind::Spin { default: default as i64, min, max };
        let off = || OptionKind::Check { default: false };
        let overhead = settings.move_overhead.as_millis() as usize;
        let options = [
            (HASH, spin(settings.hash_megabytes, 1, 1 << 20)),
            (CLEAR_HASH, OptionKind::Button),
            (THREADS, spin(settings.threads, 1, 512)),
            (MULTI_PV, spin(settings.multipv, 1, 256)),
            (PONDER, off()),
            (MOVE_OVERHEAD, spin(overhead, 0, 10_000)),
            (CHESS960, off()),
            (SHOW_WDL, off()),
            (ANALYSE_MODE, off()),
            (LIMIT_STRENGTH, off()),
            (ELO, spin(DEFAULT_ELO.into(), Level::MIN.into(), Level::TOP.into())),
            (SEED, spin(0, 0, i64::from(u32::MAX))),
            (EVAL_FILE, OptionKind::String { default: String::new() }),
            (SYZYGY_PATH, OptionKind::String { default: String::new() }),
            (SYZYGY_PROBE_LIMIT, spin(settings.table_men, 0, 7)),
            (SYZYGY_50_MOVE_RULE, OptionKind::Check { default: settings.fifty_move_rule }),
        ]
        .map(|(name, kind)| OptionSpec { name: name.to_owned(), kind });
        options.into_iter().chain(search_numbers()).collect()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            (HASH, OptionValue::Spin(n)) => self.change(|s| s.hash_megabytes = n as usize),
            (CLEAR_HASH, _) => self.engine.clear(),
            (THREADS, OptionValue::Spin(n)) => {
                self.change(|s| s.threads = n as usize);
                let cores = most_threads();
                if n as usize > cores {
                    return Err(format!(
                        "Threads: {cores} search instead of {n}, one for each core of this machine"
                    ));
                }
            }
            (MULTI_PV, OptionValue::Spin(n)) => self.change(|s| s.multipv = n as usize),
            (MOVE_OVERHEAD, OptionValue::Spin(n)) => {
                self.change(|s| s.move_overhead = Duration::from_millis(n as u64));
            }
            (SHOW_WDL, OptionValue::Check(on)) => self.show_wdl = on,
            (LIMIT_STRENGTH, OptionValue::Check(on)) => {
                self.limits_strength = on;
                self.set_strength();
            }
            (ELO, OptionValue::Spin(elo)) => {
                self.level = Level::new(u16::try_from(elo).unwrap_or(DEFAULT_ELO));
                self.set_strength();
            }
            (SEED, OptionValue::Spin(seed)) => {
                self.seed = seed as u64;
                self.draw_seed();
            }
            (EVAL_FILE, OptionValue::String(file)) => {
                let network = network::named(&file).map_err(|error| error.to_string())?;
                self.engine.set_network(network);
            }
            (SYZYGY_PATH, OptionValue::String(folders)) => return self.set_tables(&folders),
            (SYZYGY_PROBE_LIMIT, OptionValue::Spin(men)) => {
                self.change(|s| s.table_men = men as usize);
            }
            (SYZYGY_50_MOVE_RULE, OptionValue::Check(on)) => {
                self.change(|s| s.fifty_move_rule = on);
            }
            // Nothing to do: pondering is asked for by `go ponder`, the castling of Chess960 is told
            // with each `go`, and analysing is like playing.
            (PONDER | CHESS960 | ANALYSE_MODE, _) => {}
            #[cfg(feature = "tune")]
            (name, OptionValue::Spin(n))
                if tabiya_engine::tuning::set_search_number(&name.replace(' ', "_"), n as i32) => {}
            (name, _) => return Err(format!("there is no option {name}")),
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.engine.clear();
        self.draw_seed();
    }

    fn go(&mut self, game: &Game, limits: Limits, chess960: bool, output: Output) {
        let root = *game.position();
        let show_wdl = self.show_wdl;
        let infos = output.clone();
        self.search = Some(self.engine.go_then(
            game,
            limits,
            move |info| infos.info(message(&root, info, chess960, show_wdl)),
            move |found| output.best_move(best_move(&root, found, chess960)),
        ));
    }

    fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = &self.search {
            search.ponder_hit();
        }
    }

    fn wait(&mut self) {
        if let Some(search) = self.search.take() {
            search.wait();
        }
    }

    fn eval(&self, game: &Game) -> String {
        network::draw_evaluation(&self.engine, game.position())
    }

    fn bench(&self, depth: Option<u32>) -> BenchWork {
        let depth = depth.unwrap_or(BENCH_DEPTH).clamp(1, DEEPEST_BENCH);
        let network = self.engine.network().cloned();
        Box::new(move |stop| {
            let bench = tabiya_engine::bench(depth, network, stop, |_, _| {});
            let text =
                || format!("{:.0} nodes/s\nBench: {}", bench.nodes_per_second(), bench.nodes);
            (!stop.is_stopped()).then(text)
        })
    }
}

fn move_text(position: &Position, m: Move, chess960: bool) -> String {
    if chess960 { position.uci_chess960(m) } else { position.uci(m) }
}

/// A line as UCI text.
fn line_text(root: &Position, line: &[Move], chess960: bool) -> Vec<String> {
    let mut position = *root;
    let mut text = Vec::new();
    for &m in line {
        text.push(move_text(&position, m, chess960));
        position.play_unchecked(m);
    }
    text
}

fn message(root: &Position, info: &Info, chess960: bool, show_wdl: bool) -> InfoMessage {
    InfoMessage {
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        multipv: Some(info.multipv),
        score: Some(info.score),
        bound: info.bound,
        wdl: show_wdl.then(|| wdl(root, info.score)),
        nodes: Some(info.nodes),
        nps: Some(info.nodes_per_second()),
        hashfull: Some(info.hashfull.into()),
        time: Some(info.time),
        pv: line_text(root, &info.pv, chess960),
        ..InfoMessage::default()
    }
}

/// The chances by the score, unless the game is over: then there is nothing to guess.
fn wdl(root: &Position, score: Score) -> Wdl {
    match root.outcome() {
        Some(outcome) if outcome.is_draw() => Wdl { win: 0, draw: 1000, loss: 0 },
        _ => score.wdl(),
    }
}

fn best_move(root: &Position, found: Found, chess960: bool) -> BestMove {
    let line: Vec<Move> = found.best.into_iter().chain(found.ponder).collect();
    let mut text = line_text(root, &line, chess960).into_iter();
    BestMove { best: text.next(), ponder: text.next() }
}
