//! Our own engine and others by name: lines, stopping, and programs that misbehave.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tabiya_base::{Score, Stop};
use tabiya_chess::Game;
use tabiya_players::Engines;
use tabiya_thinker::{Info, Limits, Lines, ThinkError, Thinker};
use tempfile::TempDir;

/// One engine, which is a shell script, beside our own.
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

fn after_e4() -> Game {
    let mut game = Game::new();
    game.play(game.position().parse_san("e4").unwrap()).unwrap();
    game
}

fn think(
    engines: &Engines,
    name: &str,
    stop: &Stop,
    mut on_info: impl FnMut(&Info),
) -> Result<(), ThinkError> {
    let limits = Limits { multipv: Some(2), ..Limits::default() };
    engines.thinker(name).unwrap().think(&after_e4(), &limits, stop, &mut on_info).map(drop)
}

/// Waits for two lines, then stops; gives them.
fn ask(engines: &Engines, name: &str) -> Vec<Info> {
    let stop = Stop::default();
    let mut lines = Lines::new(2);
    // Should the lines never come.
    let other = stop.clone();
    let timer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(3000));
        other.stop();
    });
    think(engines, name, &stop, |info| {
        lines.hear(info);
        if lines.all().count() == 2 {
            stop.stop();
        }
    })
    .unwrap();
    timer.join().unwrap();
    lines.all().cloned().collect()
}

#[test]
fn lines_come_from_whoever_is_asked() {
    let ours = ask(&Engines::default(), Engines::OURS);
    assert_eq!(ours.len(), 2);
    assert!(ours[0].nodes > 0 && ours[0].depth > 0);
    assert_ne!(ours[0].pv[0], ours[1].pv[0]);

    let folder = TempDir::new().unwrap();
    let engines = script(folder.path(), &GOOD.replace("heard", "/dev/null"));
    assert_eq!(engines.thinker("Script").unwrap().name(), "Script");
    let theirs = ask(&engines, "Script");
    let told: Vec<(Score, usize)> = theirs.iter().map(|info| (info.score, info.pv.len())).collect();
    // The end of the second line makes no sense, so it is not told.
    assert_eq!(told, [(Score::Centipawns(20), 2), (Score::Mate(-3), 1)]);
    assert_eq!(theirs[0].nodes_per_second(), 1000);
}

#[test]
fn a_search_ends_when_it_is_stopped() {
    let folder = TempDir::new().unwrap();
    let heard = folder.path().join("heard");
    let engines = script(folder.path(), &GOOD.replace("heard", heard.to_str().unwrap()));
    for name in [Engines::OURS, "Script"] {
        let stop = Stop::default();
        let other = stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            other.stop();
        });
        let begun = Instant::now();
        think(&engines, name, &stop, |_| {}).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
    }
    assert_eq!(fs::read_to_string(heard).unwrap(), "stop\n");
}

#[test]
fn a_program_that_dies_or_is_not_there_is_told_in_a_sentence() {
    let folder = TempDir::new().unwrap();
    let stop = Stop::default();
    let refused =
        |engines: &Engines| think(engines, "Script", &stop, |_| {}).unwrap_err().to_string();
    let dies = GOOD.replace("go*infinite*)", "go*infinite*) exit 3;;\n never)");
    assert_eq!(refused(&script(folder.path(), &dies)), "Script ended when asked to think");
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
    let failure = think(&hangs, "Script", &impatient, |_| impatient.stop()).unwrap_err();
    assert_eq!(failure.to_string(), "Script was asked to think and does not answer; it was ended");
    assert!(begun.elapsed() < Duration::from_secs(10));
    let none =
        Engines::read("[[engine]]\nname = \"Script\"\npath = \"./nothing\"\n", folder.path());
    let failure = think(&none.unwrap(), "Script", &stop, |_| {}).unwrap_err();
    assert_eq!(failure.to_string(), "Script cannot be started");
    assert!(failure.detail.contains("No such file"), "{}", failure.detail);
}
