//! Our own engine and others: lines, stopping, and programs that misbehave.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tabiya_study::{Engines, OURS, Report, Stop, Study};
use tempfile::TempDir;

/// A house with one engine, which is a shell script.
fn script(folder: &Path, body: &str) -> Engines {
    let path = folder.join("engine.sh");
    fs::write(&path, body).unwrap();
    let file = format!(
        "[[engine]]\nname = \"Script\"\npath = \"sh\"\nargs = [{:?}]\n",
        path.to_str().unwrap()
    );
    Engines::read(&file, folder).unwrap()
}

const GOOD: &str = r#"
while read -r line; do
    case "$line" in
        uci) echo "id name Reed"; echo "option name MultiPV type spin default 1 min 1 max 9"; echo uciok ;;
        isready) echo readyok ;;
        go*infinite*)
            echo "info depth 5 multipv 1 score cp 20 nodes 100 nps 1000 pv d7d5 e4d5"
            echo "info depth 5 multipv 2 score mate -3 nodes 100 nps 1000 pv e7e5 a1a8" ;;
        stop) echo "$line" >>heard; echo "bestmove d7d5" ;;
    esac
done
"#;

/// Waits for a report, then stops; gives it.
fn ask(engines: &Engines, name: &str, study: &Study, node: usize) -> Report {
    let stop = Stop::default();
    let question = study.question(node, 2).unwrap();
    let mut last = Report::default();
    let tell = |report: &Report| {
        last = report.clone();
        if report.lines.len() == 2 {
            stop.stop();
        }
    };
    // Should the lines never come.
    let other = stop.clone();
    let timer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(3000));
        other.stop();
    });
    engines.think(name, &question, &stop, tell).unwrap();
    timer.join().unwrap();
    last
}

#[test]
fn lines_come_as_people_write_them_from_whites_side() {
    let study = Study::from_pgn("1. e4 *").unwrap();
    let report = ask(&Engines::default(), OURS, &study, 1);
    assert_eq!(report.engine, "Tabiya");
    assert_eq!(report.lines.len(), 2);
    assert!(report.nodes > 0 && report.depth > 0);
    assert!(report.lines[0].moves[0].number == 1);
    assert_ne!(report.lines[0].moves[0].code, report.lines[1].moves[0].code);

    let folder = TempDir::new().unwrap();
    let engines = script(folder.path(), &GOOD.replace("heard", "/dev/null"));
    let report = ask(&engines, "Script", &study, 1);
    assert_eq!(report.engine, "Reed");
    let lines: Vec<(&str, Vec<&str>)> = report
        .lines
        .iter()
        .map(|line| (line.score.as_str(), line.moves.iter().map(|m| m.text.as_str()).collect()))
        .collect();
    // The end of the second line makes no sense, so it is not told.
    assert_eq!(lines, [("-0.20", vec!["d5", "exd5"]), ("#3", vec!["e5"])]);
    assert_eq!(report.nodes_per_second, 1000);
}

#[test]
fn a_search_ends_when_it_is_stopped() {
    let folder = TempDir::new().unwrap();
    let heard = folder.path().join("heard");
    let engines = script(folder.path(), &GOOD.replace("heard", heard.to_str().unwrap()));
    let study = Study::from_pgn("1. e4 *").unwrap();
    for name in [OURS, "Script"] {
        let stop = Stop::default();
        let other = stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            other.stop();
        });
        let begun = Instant::now();
        engines.think(name, &study.question(1, 1).unwrap(), &stop, |_| {}).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
        // Stopped before it begins, it does not begin.
        engines.think(name, &study.question(1, 1).unwrap(), &stop, |_| panic!()).unwrap();
    }
    assert_eq!(fs::read_to_string(heard).unwrap(), "stop\n");
}

#[test]
fn a_program_that_dies_or_is_not_there_is_told_in_a_sentence() {
    let folder = TempDir::new().unwrap();
    let study = Study::new();
    let question = study.question(0, 1).unwrap();
    let stop = Stop::default();
    let refused =
        |engines: &Engines| engines.think("Script", &question, &stop, |_| {}).unwrap_err().sentence;
    let dies = GOOD.replace("go*infinite*)", "go*infinite*) exit 3;;\n never)");
    let engines = script(folder.path(), &dies);
    assert!(refused(&engines).contains("ended when asked to think"), "{}", refused(&engines));
    let lies = GOOD
        .replace("bestmove d7d5", "bestmove a1a8")
        .replace("go*infinite*)", "go*infinite*) echo 'bestmove a1a8';;\n never)");
    assert!(refused(&script(folder.path(), &lies)).contains("wants to play"));
    let hangs = GOOD.replace("stop)", "stop) sleep 60;;\n never)");
    let path = folder.path().join("hangs.sh");
    fs::write(&path, hangs).unwrap();
    let file =
        format!("[[engine]]\nname = \"Script\"\npath = \"sh\"\nargs = [{path:?}]\npatience = 1\n");
    let hangs = Engines::read(&file, folder.path()).unwrap();
    let impatient = Stop::default();
    let begun = Instant::now();
    let failure = hangs.think("Script", &question, &impatient, |_| impatient.stop()).unwrap_err();
    assert_eq!(failure.sentence, "Script was asked to think and does not answer; it was ended.");
    assert!(begun.elapsed() < Duration::from_secs(10));
    let none =
        Engines::read("[[engine]]\nname = \"Script\"\npath = \"./nothing\"\n", folder.path())
            .unwrap();
    assert!(refused(&none).contains("cannot be started"), "{}", refused(&none));
    let unknown = engines.think("Other", &question, &stop, |_| {}).unwrap_err();
    assert_eq!(unknown.sentence, "There is no engine called \"Other\".");
}

#[test]
fn nothing_is_thought_about_when_the_game_is_over() {
    let mate = Study::from_pgn("1. f3 e5 2. g4 Qh4# *").unwrap();
    let refusal =
        Engines::default().think(OURS, &mate.question(4, 1).unwrap(), &Stop::default(), |_| {});
    assert_eq!(refusal.unwrap_err().sentence, "Checkmate: Black wins.");
}

#[test]
fn a_pass_in_the_record_is_a_new_beginning() {
    let study = Study::from_pgn("1. e4 -- 2. d4 *").unwrap();
    let stop = Stop::default();
    let mut told = 0;
    let question = study.question(3, 1).unwrap();
    Engines::default()
        .think(OURS, &question, &stop, |report| {
            told += 1;
            if let Some(line) = report.lines.first() {
                assert_eq!(line.moves[0].side, tabiya_play::Side::Black);
                stop.stop();
            }
        })
        .unwrap();
    assert!(told > 0);
}
