//! Other engines, good and bad.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_chess::Game;
use tabiya_uci_protocol::{
    Client, Command, EngineError, EngineTask, Go, PositionCommand, Program, StartPosition, Stop,
};

const IMPATIENT: Duration = Duration::from_millis(1_500);
/// Far longer than any of the tests should take, even on a busy machine.
const HANG: Duration = Duration::from_secs(20);

/// An engine written in shell.
fn shell(script: &str) -> Program {
    Program {
        args: vec!["-c".into(), script.into()],
        patience: Duration::from_secs(10),
        ..Program::new("sh")
    }
}

/// One that begins well and gets ready, then does something else.
fn well_begun(then: &str) -> Program {
    shell(&format!(
        "read x; echo id name Actor; echo uciok; \
         while read x; do case $x in isready) echo readyok;; go*) break;; esac; done; {then}"
    ))
}

fn reed() -> Program {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reed.sh");
    Program { args: vec![script.into()], ..Program::new("sh") }
}

fn think(engine: &mut Client, go: &Go, limit: Duration) -> Result<String, EngineError> {
    let answer = engine.go(&PositionCommand::default(), go, limit, &Stop::default(), |_| {})?;
    Ok(answer.best_move.to_string())
}

fn depth(depth: u32) -> Go {
    Go { depth: Some(depth), ..Go::default() }
}

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

#[test]
fn a_good_engine_is_told_what_it_needs() {
    let heard: PathBuf =
        std::env::temp_dir().join(format!("tabiya-uci-heard-{}", std::process::id()));
    let mut program = reed();
    program.args.push(heard.display().to_string());
    program.options = vec![("hash".into(), Some("8".into())), ("Clear Hash".into(), None)];
    let mut engine = program.start().unwrap();
    assert_eq!((engine.name(), engine.author()), ("Reed 2", "a shell"));
    assert_eq!(engine.options().len(), 3);

    engine.new_game().unwrap();
    let mut news = Vec::new();
    let position = PositionCommand { start: StartPosition::Startpos, moves: vec!["g1f3".into()] };
    // A move of the other side: the engine always plays e4.
    let error = engine
        .go(&position, &depth(3), HANG, &Stop::default(), |info| news.push(info.clone()))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "Reed 2 wants to play \"e2e4\": The pawn on e2 is White's, and it is Black's move."
    );
    assert_eq!(news.len(), 1);
    assert_eq!(news[0].pv, ["e2e4", "e7e5"]);
    assert_eq!(think(&mut engine, &depth(3), HANG).unwrap(), "bestmove e2e4 ponder e7e5");
    engine.quit().unwrap();

    let text = std::fs::read_to_string(&heard).unwrap();
    std::fs::remove_file(&heard).unwrap();
    let expected = "uci\nsetoption name Hash value 8\nsetoption name Clear Hash\nisready\n\
                    ucinewgame\nisready\nposition startpos moves g1f3\nisready\ngo depth 3\n\
                    position startpos\nisready\ngo depth 3\nquit\n";
    assert_eq!(text, expected);
}

#[test]
fn a_search_ends_when_its_time_is_over_or_when_it_is_stopped() {
    let mut engine = reed().start().unwrap();
    let limit = Duration::from_millis(50);
    assert_eq!(think(&mut engine, &infinite(), limit).unwrap(), "bestmove d2d4");

    let stop = Stop::default();
    let stopper = stop.clone();
    let from_afar = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stopper.stop();
    });
    let start = PositionCommand::default();
    let answer = engine.go(&start, &infinite(), Duration::MAX, &stop, |_| {}).unwrap();
    assert_eq!(answer.best_move.to_string(), "bestmove d2d4");
    from_afar.join().unwrap();

    let stop = Stop::default();
    let answer = engine.go(&start, &infinite(), Duration::MAX, &stop, |_| stop.stop()).unwrap();
    assert_eq!(answer.best_move.best.as_deref(), Some("d2d4"));
}

#[test]
fn options_are_checked_before_they_are_set() {
    let mut program = reed();
    program.options = vec![("Hsah".into(), Some("8".into()))];
    let error = program.start().unwrap_err();
    assert_eq!(error.to_string(), "Reed 2: there is no option \"Hsah\"");

    let mut engine = reed().start().unwrap();
    assert_eq!(
        engine.set_option("Threads", Some("3")).unwrap_err().to_string(),
        "Reed 2: the option Threads is a number from 1 to 2, not \"3\""
    );
    // The mistake was ours: the engine is as good as before.
    engine.set_option("Threads", Some("2")).unwrap();
    let nonsense = PositionCommand { start: StartPosition::Fen("8/8".into()), moves: Vec::new() };
    let error = engine.go(&nonsense, &depth(1), HANG, &Stop::default(), |_| {}).unwrap_err();
    assert!(matches!(error, EngineError::BadPosition { .. }), "{error}");
    assert!(think(&mut engine, &depth(1), HANG).is_ok());
}

#[test]
fn a_line_cannot_smuggle_in_another() {
    let script = "read x; echo 'option name Path type string'; echo uciok; \
                  while read x; do case $x in quit) exit 7;; isready) echo readyok;; esac; done";
    let mut engine = shell(script).start().unwrap();
    engine.set_option("Path", Some("a\nquit\r\nb")).unwrap();
    engine.new_game().unwrap();
}

#[test]
fn an_engine_that_cannot_be_started() {
    for path in ["/no/such/engine", "/", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
        let error = Program::new(path).start().unwrap_err();
        assert!(matches!(error, EngineError::NotStarted { .. }), "{error}");
    }
    let nowhere = Program { dir: Some("/no/such/folder".into()), ..reed() };
    assert!(matches!(nowhere.start(), Err(EngineError::NotStarted { .. })));
}

#[test]
fn an_engine_that_ends_at_once() {
    let error = shell("read x; exit 3").start().unwrap_err();
    assert_eq!(error.to_string(), "sh ended when asked to begin (exit status: 3)");
    let error =
        shell("read x; echo >&2 hm; echo >&2 'no licence  found'; exit 3").start().unwrap_err();
    assert_eq!(
        error.to_string(),
        "sh ended when asked to begin (exit status: 3); its last words: no licence found"
    );
}

#[test]
fn an_engine_that_dies_while_it_thinks() {
    let mut engine =
        well_begun("echo info depth 1; echo >&2 out of memory; kill -9 $$").start().unwrap();
    let error = think(&mut engine, &depth(5), HANG).unwrap_err();
    let EngineError::Exited { engine: name, task, status, last_words } = &error else {
        panic!("{error}")
    };
    assert_eq!((name.as_str(), *task), ("Actor", EngineTask::Think));
    assert!(status.contains("signal: 9"), "{status}");
    assert_eq!(last_words.as_deref(), Some("out of memory"));
    // Whatever is asked next, it stays dead.
    assert_eq!(engine.new_game(), Err(error.clone()));
    assert_eq!(think(&mut engine, &depth(5), HANG), Err(error));
}

#[test]
fn the_last_move_of_a_dying_engine_counts() {
    let mut engine = well_begun("echo bestmove e2e4").start().unwrap();
    assert_eq!(think(&mut engine, &depth(5), HANG).unwrap(), "bestmove e2e4");
    assert!(matches!(engine.new_game(), Err(EngineError::Exited { .. })));
}

#[test]
fn an_engine_that_says_nothing() {
    for script in ["sleep 3; exit", "exec sleep 100", "while read x; do :; done"] {
        let start = Instant::now();
        let error = Program { patience: IMPATIENT, ..shell(script) }.start().unwrap_err();
        assert_eq!(
            error.to_string(),
            "sh was asked to begin and has not answered for 1.5s",
            "{script}"
        );
        assert!(start.elapsed() >= IMPATIENT && start.elapsed() < HANG);
    }
}

#[test]
fn an_engine_that_does_not_stop() {
    let program = well_begun("echo info depth 1; while read x; do :; done");
    let mut engine = Program { patience: Duration::from_secs(2), ..program }.start().unwrap();
    let start = Instant::now();
    let error = think(&mut engine, &infinite(), Duration::from_millis(50)).unwrap_err();
    let EngineError::Silent { task: EngineTask::Think, waited, last_line, .. } = error else {
        panic!("{error}")
    };
    assert!(waited >= Duration::from_secs(2) && start.elapsed() < HANG);
    assert_eq!(last_line.as_deref(), Some("info depth 1"));
}

#[test]
fn an_engine_that_does_not_stop_when_stopped_by_hand() {
    let program = well_begun("echo info depth 1; while read x; do :; done");
    let mut engine = Program { patience: Duration::from_secs(2), ..program }.start().unwrap();
    let stop = Stop::default();
    let start = PositionCommand::default();
    let result = engine.go(&start, &infinite(), Duration::MAX, &stop, |_| stop.stop());
    assert!(matches!(result, Err(EngineError::Silent { task: EngineTask::Think, .. })));
}

#[test]
fn an_engine_that_talks_rubbish() {
    let forever = "while :; do echo 'lorem ipsum'; done";
    let error = Program { patience: IMPATIENT, ..shell(forever) }.start().unwrap_err();
    assert_eq!(
        error.to_string(),
        "sh was asked to begin and has not answered for 1.5s; it said last: lorem ipsum"
    );
    let bytes = "cat /dev/urandom";
    let error = Program { patience: IMPATIENT, ..shell(bytes) }.start().unwrap_err();
    assert!(matches!(error, EngineError::Silent { task: EngineTask::Begin, .. }), "{error}");
    let one_line = "cat /dev/zero";
    let error = Program { patience: IMPATIENT, ..shell(one_line) }.start().unwrap_err();
    assert!(matches!(error, EngineError::Silent { task: EngineTask::Begin, .. }), "{error}");
}

#[test]
fn an_engine_that_plays_rubbish() {
    let mut engine = well_begun("echo bestmove e2e5; read x").start().unwrap();
    let error = think(&mut engine, &depth(1), HANG).unwrap_err();
    assert_eq!(error.to_string(), "Actor wants to play \"e2e5\": A pawn does not move like that.");
    let mut engine = well_begun("echo bestmove castles; read x").start().unwrap();
    let error = think(&mut engine, &depth(1), HANG).unwrap_err();
    assert!(matches!(error, EngineError::IllegalMove { .. }), "{error}");
}

#[test]
fn an_engine_that_speaks_twice_is_heard_once() {
    let script = "read x; echo uciok; while read x; do case $x in isready) echo readyok;; \
                  go*) echo bestmove e2e4; echo bestmove a2a3;; esac; done";
    let mut engine = shell(script).start().unwrap();
    for _ in 0..3 {
        assert_eq!(think(&mut engine, &depth(1), HANG).unwrap(), "bestmove e2e4");
    }
}

#[test]
fn an_engine_that_does_not_read() {
    // It never reads what comes after `isready`, so that the pipe fills up.
    let script = "read x; echo 'option name Path type string'; echo uciok; read x; echo readyok; exec sleep 100";
    let mut engine = shell(script).start().unwrap();
    let long = "x".repeat(10_000);
    let start = Instant::now();
    let error = (0..1000).find_map(|_| engine.set_option("Path", Some(&long)).err()).unwrap();
    assert_eq!(error.to_string(), "sh does not read that it is asked to get ready");
    assert!(start.elapsed() < HANG);
}

#[test]
fn an_engine_that_does_not_quit() {
    let program = well_begun("").args.remove(1).replace("go*) break;;", "");
    let stubborn = Program { patience: Duration::from_secs(2), ..shell(&program) };
    let engine = stubborn.start().unwrap();
    let error = engine.quit().unwrap_err();
    assert!(matches!(error, EngineError::Silent { task: EngineTask::Quit, .. }), "{error}");
}

#[test]
fn an_engine_that_closes_its_output_but_lives_on() {
    let error = shell("read x; exec >&-; exec sleep 100").start().unwrap_err();
    assert_eq!(error.to_string(), "sh ended when asked to begin (it closed a pipe)");
}

/// The program is killed when the client is dropped: its process is gone.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind() {
    let engine = shell("read x; echo id name $$; echo uciok; while read x; do echo readyok; done")
        .start()
        .unwrap();
    let process = Path::new("/proc").join(engine.name());
    assert!(process.exists());
    drop(engine);
    assert!(!process.exists());
}

#[test]
fn a_game_of_stockfish() {
    // Debian keeps games apart.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    let stockfish = folders.map(|folder| folder.join("stockfish")).find(|file| file.exists());
    let stockfish = stockfish.expect("this test needs Stockfish: install the package stockfish");
    let options = vec![("Hash".into(), Some("1".into()))];
    let mut engine = Program { options, ..Program::new(stockfish) }.start().unwrap();
    assert!(engine.name().starts_with("Stockfish"), "{}", engine.name());
    engine.new_game().unwrap();
    let mut game = Game::new();
    for _ in 0..6 {
        let mut deepest = 0;
        let position = PositionCommand::from_game(&game, false);
        let answer = engine
            .go(&position, &depth(4), HANG, &Stop::default(), |info| {
                deepest = deepest.max(info.depth.unwrap_or(0))
            })
            .unwrap();
        assert_eq!(deepest, 4);
        let m = game.position().parse_uci(&answer.best_move.best.unwrap()).unwrap();
        game.play(m).unwrap();
    }
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let Command::Position(mate) = Command::parse(mate).0 else { panic!() };
    let answer = engine.go(&mate, &depth(3), HANG, &Stop::default(), |_| {}).unwrap();
    assert_eq!(answer.best_move.best.as_deref(), Some("a1a8"));
    engine.quit().unwrap();
}
