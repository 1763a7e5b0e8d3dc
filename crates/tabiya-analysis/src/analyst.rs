//! The engine at work on tasks.

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::thread;

use sha2::{Digest as _, Sha256};
use tabiya_base::Stop;
use tabiya_chess::Position;
use tabiya_engine::{Engine, Network, Settings};
use tabiya_jobs::{Handler, Job};
use tabiya_review::review;

use crate::search::search;
use crate::task::What;
use crate::{AnalysisSettings, AnalysisTask};

/// The table of the engine. It belongs to what an answer depends on, so it is not a setting.
const HASH_MEGABYTES: usize = 16;
/// What the engine needs.
const STACK: usize = 16 << 20;

/// What a worker has to be to be given our tasks: this version with this network, which sees what this one sees. Another
/// build of the same version may play differently, so a small search belongs to the name.
///
/// ```
/// assert!(tabiya_analysis::kind().starts_with("analysis by tabiya "));
/// ```
pub fn kind() -> &'static str {
    static KIND: OnceLock<String> = OnceLock::new();
    KIND.get_or_init(|| {
        let network = Network::built_in();
        let (version, network) = (env!("CARGO_PKG_VERSION"), network.description());
        format!("analysis by tabiya {version}, {network}, signature {}", signature())
    })
}

/// What tells engines apart that play differently.
fn signature() -> String {
    const POSITIONS: [&str; 3] = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    ];
    let positions: Vec<Position> = POSITIONS.iter().filter_map(|fen| fen.parse().ok()).collect();
    let settings = AnalysisSettings { nodes: 4_000, depth: None, multipv: 2 };
    let task = AnalysisTask::of_positions(&positions, &settings);
    let answer = Analyst::default().answer(&task, &|_| {}, &Stop::default());
    let digest = Sha256::digest(format!("{answer:?}"));
    digest.iter().take(4).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Does what tasks ask for, each with an engine of its own that remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analyst {}

impl Analyst {
    /// The answer to a task, as a text. `progress` is told how many positions are done. Nothing if it was stopped, an error
    /// if the task cannot be done.
    pub fn answer(
        &self,
        task: &AnalysisTask,
        progress: &(dyn Fn(u64) + Sync),
        stop: &Stop,
    ) -> Option<Result<String, String>> {
        match task.what() {
            What::Game(record) => {
                let mut game = match AnalysisTask::game(record) {
                    Ok(game) => game,
                    Err(error) => return Some(Err(error.to_string())),
                };
                let cost = game.to_play().moves().len() + 1;
                // Mistakes are looked at twice, which nobody knows before.
                let mut tell = |done: usize, of: usize| progress((done * cost / of.max(1)) as u64);
                match review(&game, &task.settings().review(), &mut tell, stop) {
                    Ok(review) => {
                        review.annotate(&mut game);
                        Some(Ok(game.to_string()))
                    }
                    Err(_) if stop.is_stopped() => None,
                    Err(_) => Some(Err("the engine has failed".to_owned())),
                }
            }
            What::Positions(fens) => with_engine(|engine| {
                let mut all = Vec::with_capacity(fens.len());
                for (fen, done) in fens.iter().zip(1..) {
                    let position = match AnalysisTask::position(fen) {
                        Ok(position) => position,
                        Err(error) => return Some(Err(error.to_string())),
                    };
                    match search(engine, &position, task.settings(), stop)? {
                        Ok(found) => all.push(found),
                        Err(error) => return Some(Err(error)),
                    }
                    progress(done);
                }
                Some(serde_json::to_string(&all).map_err(|error| error.to_string()))
            }),
        }
    }
}

impl Handler for Analyst {
    fn kinds(&self) -> Vec<String> {
        vec![kind().to_owned()]
    }

    fn handle(
        &self,
        job: &Job,
        progress: &(dyn Fn(u64) + Sync),
        stop: &Stop,
    ) -> Option<Result<String, String>> {
        match AnalysisTask::parse(&job.payload) {
            Ok(task) => self.answer(&task, progress, stop),
            Err(error) => Some(Err(error.to_string())),
        }
    }
}

/// Works with a fresh engine, whose lines are long.
fn with_engine(
    work: impl FnOnce(&mut Engine) -> Option<Result<String, String>> + Send,
) -> Option<Result<String, String>> {
    let work = || {
        let mut engine =
            Engine::new(Settings { hash_megabytes: HASH_MEGABYTES, ..Settings::default() });
        engine.set_network(Some(Network::built_in()));
        work(&mut engine)
    };
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("analyst".to_owned()).stack_size(STACK);
        match builder.spawn_scoped(scope, work) {
            Ok(thread) => {
                thread.join().unwrap_or_else(|_| Some(Err("the engine has failed".to_owned())))
            }
            Err(error) => Some(Err(format!("no thread for the engine: {error}"))),
        }
    })
}

#[cfg(test)]
mod tests {
    use tabiya_base::Score;
    use tabiya_review::Assessment;

    use super::*;
    use crate::AnalysisAnswer;

    fn answer(task: &AnalysisTask) -> String {
        Analyst::default().answer(task, &|_| {}, &Stop::default()).unwrap().unwrap()
    }

    fn positions(fens: &[&str], settings: &AnalysisSettings) -> AnalysisTask {
        let positions: Vec<Position> = fens.iter().map(|fen| fen.parse().unwrap()).collect();
        AnalysisTask::of_positions(&positions, settings)
    }

    #[test]
    fn positions_are_searched_on_their_own() {
        let settings = AnalysisSettings { nodes: 3_000, depth: None, multipv: 3 };
        let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        let black_mates = "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
        let over = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let mated = "7k/8/8/8/8/8/r7/1r5K w - - 0 1";
        let task = positions(&[mate, black_mates, over, mated], &settings);
        let text = answer(&task);
        assert_eq!(text, answer(&task), "always the same");
        let AnalysisAnswer::Positions(found) = task.read(&text).unwrap() else { panic!() };
        let worth = |at: usize, fen: &str| found[at].evaluation(&fen.parse().unwrap()).worth;
        assert_eq!(worth(0, mate), Assessment::Score(Score::Mate(1)));
        assert_eq!(worth(1, black_mates), Assessment::Score(Score::Mate(-1)));
        assert_eq!(worth(2, over).chances(), 0.0);
        assert_eq!(found[0].lines()[0].codes(), ["d1d8"]);
        assert_eq!([0, 1, 2, 3].map(|at| found[at].lines().len()), [3, 3, 0, 0]);
        // Alone it has the same answer as among others.
        let alone = positions(&[mate], &settings);
        let AnalysisAnswer::Positions(single) = alone.read(&answer(&alone)).unwrap() else {
            panic!()
        };
        assert_eq!(single[0], found[0]);
        // Few nodes are enough for one ply, and no more plies than asked for.
        let shallow = AnalysisSettings { nodes: 100_000, depth: Some(4), multipv: 1 };
        let task = positions(&[&Position::initial().fen()], &shallow);
        let AnalysisAnswer::Positions(found) = task.read(&answer(&task)).unwrap() else { panic!() };
        assert_eq!(found[0].evaluation(&Position::initial()).depth, 4);
        let hasty = AnalysisSettings { nodes: 1, depth: None, multipv: 5 };
        let task = positions(&[&Position::initial().fen()], &hasty);
        assert!(task.read(&answer(&task)).is_ok());
    }

    #[test]
    fn what_cannot_be_an_answer_is_refused() {
        let settings = AnalysisSettings { nodes: 2_000, depth: None, multipv: 1 };
        let fen = Position::initial().fen();
        let task = positions(&[&fen], &settings);
        let text = answer(&task);
        assert!(task.read(&text).is_ok());
        let refused = |task: &AnalysisTask, text: &str| task.read(text).unwrap_err().to_string();
        for (from, to) in [("\"nodes\":2000", "\"nodes\":2"), ("\"score\":\"", "\"score\":\"x")] {
            assert_ne!(text, text.replace(from, to));
            refused(&task, &text.replace(from, to));
        }
        let illegal = r#"[{"depth":3,"nodes":2000,"lines":[{"score":"0.10","moves":["e2e5"]}]}]"#;
        assert!(refused(&task, illegal).contains("e2e5"));
        let none = r#"[{"depth":3,"nodes":2000,"lines":[]}]"#;
        assert!(refused(&task, none).contains("0 lines instead of 1"));
        assert!(refused(&task, "[]").contains("1 positions"));
        assert!(refused(&task, "{").contains("cannot be read"));
        let two = AnalysisSettings { multipv: 2, ..settings };
        let twice = r#"[{"depth":3,"nodes":2000,"lines":[{"score":"0.10","moves":["e2e4"]},{"score":"0.10","moves":["e2e4"]}]}]"#;
        assert!(refused(&positions(&[&fen], &two), twice).contains("twice"));

        let game = AnalysisTask::of_game(&"1. e4 e5 2. Nf3 *".parse().unwrap(), &settings);
        let other = AnalysisTask::of_game(&"1. e4 e5 2. Nc3 *".parse().unwrap(), &settings);
        let deeper = AnalysisSettings { nodes: 4_000, ..settings };
        let deep = AnalysisTask::of_game(&"1. e4 e5 2. Nf3 *".parse().unwrap(), &deeper);
        let text = answer(&game);
        assert!(
            matches!(game.read(&text), Ok(AnalysisAnswer::Game(review)) if review.moves.len() == 3)
        );
        assert!(refused(&other, &text).contains("other moves"));
        assert!(refused(&deep, &text).contains("4000 nodes"));
        assert!(refused(&game, "1. e4 e5 2. Nf3 *").contains("no review"));
    }

    #[test]
    fn a_search_that_is_stopped_has_no_answer() {
        let stop = Stop::default();
        stop.stop();
        let settings = AnalysisSettings { nodes: 10_000_000, ..AnalysisSettings::default() };
        let task = positions(&[&Position::initial().fen()], &settings);
        assert_eq!(Analyst::default().answer(&task, &|_| {}, &stop), None);
        let game = AnalysisTask::of_game(&"1. e4 *".parse().unwrap(), &settings);
        assert_eq!(Analyst::default().answer(&game, &|_| {}, &stop), None);
    }
}
