//! `tabiya-uci`, as a graphical program talks to it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    fn start() -> Gui {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya-uci"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Gui { child, input, lines }
    }

    fn say(&mut self, text: &str) {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
    }

    /// The lines up to the first that begins with a word.
    fn until(&self, word: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect("an answer");
            seen.push(line.clone());
            if line.starts_with(word) {
                return seen;
            }
        }
    }

    fn ask(&mut self, text: &str, word: &str) -> String {
        self.say(text);
        self.until(word).pop().unwrap()
    }

    fn end(mut self) -> bool {
        drop(self.input.take());
        self.child.wait().unwrap().success()
    }
}

#[test]
fn it_introduces_itself() {
    let mut gui = Gui::start();
    gui.say("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name Tabiya "), "{lines:?}");
    for option in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead"] {
        assert!(lines.iter().any(|l| l.starts_with(&format!("option name {option} type "))));
    }
    for option in ["UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode", "UCI_LimitStrength"] {
        assert!(lines.iter().any(|l| l.starts_with(&format!("option name {option} type check"))));
    }
    let elo = lines.iter().find(|l| l.starts_with("option name UCI_Elo type spin ")).unwrap();
    assert!(elo.contains(" min 400 "), "{elo}");
    assert_eq!(gui.ask("isready", "readyok"), "readyok");
    gui.say("quit");
    assert!(gui.end());
}

#[test]
fn it_plays_at_a_level() {
    let mut gui = Gui::start();
    gui.say("setoption name UCI_LimitStrength value true");
    let game = |gui: &mut Gui, elo: u32, seed: u32| {
        gui.say(&format!("setoption name UCI_Elo value {elo}\nsetoption name Seed value {seed}"));
        gui.say("ucinewgame");
        let mut moves = String::new();
        for _ in 0..12 {
            gui.say(&format!("position startpos moves{moves}"));
            // However long it may think, it decides by itself when it has seen enough.
            let best = gui.ask("go wtime 3600000 btime 3600000", "bestmove");
            moves.push(' ');
            moves.push_str(best.split(' ').nth(1).unwrap());
        }
        moves
    };
    let first = game(&mut gui, 600, 5);
    assert_eq!(game(&mut gui, 600, 5), first);
    assert_ne!(game(&mut gui, 600, 6), first);
    assert_ne!(game(&mut gui, 1600, 5), first);
    // From 1400 on, a mate is not missed.
    gui.say("setoption name UCI_Elo value 1400\nposition fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_eq!(gui.ask("go", "bestmove"), "bestmove a1a8");
    // A level out of range is refused, and at full strength the search goes on until stopped.
    gui.say("setoption name UCI_Elo value 50\nsetoption name UCI_LimitStrength value false");
    gui.say("position startpos\ngo infinite");
    assert_eq!(gui.ask("isready", "readyok"), "readyok");
    assert!(gui.ask("stop", "bestmove").len() > "bestmove ".len());
    assert!(gui.end());
}

#[test]
fn it_plays() {
    let mut gui = Gui::start();
    gui.say("setoption name Hash value 8\nsetoption name Threads value 2\nucinewgame");
    gui.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_eq!(gui.ask("go depth 5", "bestmove"), "bestmove a1a8");
    gui.say("position startpos moves e2e4 e7e5");
    gui.say("setoption name UCI_ShowWDL value true");
    gui.say("go wtime 1000 btime 1000 winc 10 binc 10");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|l| l.contains(" score cp ") && l.contains(" wdl ")), "{lines:?}");
    gui.say("setoption name MultiPV value 3");
    gui.say("go depth 4");
    assert!(gui.until("bestmove").iter().any(|line| line.contains("multipv 3")));
    assert!(gui.end());
}

/// All that is said to a script, which ends without `quit`.
fn answers(script: &str) -> Vec<String> {
    let mut gui = Gui::start();
    gui.say(script);
    drop(gui.input.take());
    let said = gui.lines.iter().collect();
    assert!(gui.end());
    said
}

#[test]
fn the_last_line_begins_with_the_move() {
    let mut gui = Gui::start();
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let plays = |lines: &[String]| {
        let words = |line: &String| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let pv = |line: &String| line.split_once(" pv ").map(|(_, pv)| format!("{pv} "));
        let best = words(lines.last().unwrap());
        let first =
            lines.iter().filter(|line| line.contains(" multipv 1 ")).filter_map(pv).next_back();
        let played = best.get(3).map_or(format!("{} ", best[1]), |p| format!("{} {p} ", best[1]));
        assert!(first.unwrap().starts_with(&played), "{lines:#?}");
    };
    for setting in [
        "MultiPV value 1",
        "MultiPV value 3",
        "Threads value 2",
        "UCI_Elo value 1700",
        "UCI_LimitStrength value true",
    ] {
        gui.say(&format!("setoption name {setting}\nposition fen {fen}"));
        for number in 1..8 {
            gui.say(&format!("go movetime {}", 5 * number));
            plays(&gui.until("bestmove"));
            gui.say(&format!("go nodes {}", number * number * 200));
            plays(&gui.until("bestmove"));
            gui.say("go infinite");
            std::thread::sleep(Duration::from_millis(number));
            gui.say("stop");
            plays(&gui.until("bestmove"));
            gui.say("go ponder wtime 100 btime 100");
            std::thread::sleep(Duration::from_millis(number));
            gui.say("ponderhit");
            plays(&gui.until("bestmove"));
        }
    }
    assert!(gui.end());
}

#[test]
fn a_game_that_is_over_has_no_chances_but_one() {
    for (fen, score, wdl) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0", "0 1000 0"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate 0", "0 0 1000"),
    ] {
        let said = answers(&format!(
            "setoption name UCI_ShowWDL value true\nposition fen {fen}\ngo depth 3"
        ));
        // As Stockfish, which leaves out the chances and calls no move (none).
        assert!(said[0].starts_with("info depth 0 "), "{said:?}");
        assert!(said[0].contains(&format!(" score {score} wdl {wdl} ")), "{said:?}");
        assert_eq!(said[1], "bestmove 0000");
    }
    let bare = answers(
        "setoption name UCI_ShowWDL value true\nposition fen 8/8/4k3/8/8/4K3/8/8 w - -\ngo depth 3",
    );
    assert!(bare.iter().any(|line| line.contains(" wdl 0 1000 0 ")), "{bare:?}");
}

#[test]
fn a_count_is_answered_before_it_quits() {
    let said = answers("go perft 4\nquit");
    assert!(said.contains(&"Nodes searched: 197281".to_owned()), "{said:?}");
}

#[test]
fn a_bench_ends_when_it_is_told_to() {
    let mut gui = Gui::start();
    gui.say("bench 60\nisready");
    assert_eq!(gui.until("readyok").len(), 1);
    assert_eq!(gui.ask("stop", "info string bench"), "info string bench was stopped");
    assert!(gui.ask("bench 2", "Bench: ").len() > "Bench: ".len());
    let begun = Instant::now();
    gui.say("bench 60");
    assert!(gui.end());
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
}

#[test]
fn it_takes_no_more_threads_than_help() {
    let mut gui = Gui::start();
    gui.say("setoption name Threads value 512\nisready");
    let lines = gui.until("readyok");
    assert!(lines[0].starts_with("info string Threads: "), "{lines:?}");
    let start = Instant::now();
    gui.ask("go nodes 20000", "bestmove");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(gui.end());
}

#[test]
fn it_says_what_it_is() {
    let run = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_tabiya-uci")).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for help in ["--help", "-h"] {
        let (code, out, error) = run(&[help]);
        assert_eq!((code, error.as_str()), (Some(0), ""));
        assert!(out.contains("Usage: tabiya-uci"), "{out}");
    }
    for version in ["--version", "-V"] {
        let expected = concat!("tabiya-uci ", env!("CARGO_PKG_VERSION"), "\n").to_owned();
        assert_eq!(run(&[version]), (Some(0), expected, String::new()));
    }
    let (code, out, _) = run(&["bench", "2"]);
    assert_eq!(code, Some(0));
    assert!(out.lines().last().unwrap().starts_with("Bench: "), "{out}");
    for (arguments, reason) in [
        (&["bench", "61"][..], "bench goes to a depth of 1 to 60, not \"61\""),
        (&["bench", "x"], "bench goes to a depth of 1 to 60, not \"x\""),
        (&["--nonsense"], "there is no command \"--nonsense\"; see tabiya-uci --help"),
    ] {
        let expected = format!("tabiya-uci: {reason}\n");
        assert_eq!(run(arguments), (Some(2), String::new(), expected));
    }
}

#[test]
fn it_castles_as_the_game_does() {
    let mut gui = Gui::start();
    // Castling is the only move of the list.
    gui.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(gui.ask("go depth 3 searchmoves e1g1", "bestmove").starts_with("bestmove e1g1"));
    gui.say("setoption name UCI_Chess960 value true");
    gui.say("position fen 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1");
    assert!(gui.ask("go depth 3 searchmoves f1h1", "bestmove").starts_with("bestmove f1h1"));
    assert!(gui.end());
}

#[test]
fn endless_thinking_ends_when_told() {
    let mut gui = Gui::start();
    gui.say("go infinite");
    assert_eq!(gui.ask("isready", "readyok"), "readyok");
    assert!(gui.ask("stop", "bestmove").len() > "bestmove ".len());
    gui.say("position startpos moves e2e4");
    gui.say("go ponder wtime 2000 btime 2000");
    assert_eq!(gui.ask("isready", "readyok"), "readyok");
    gui.ask("ponderhit", "bestmove");
    // The end of the input ends a search, too.
    gui.say("go infinite");
    assert!(gui.end());
}

#[test]
fn nonsense_is_survived() {
    let mut gui = Gui::start();
    for line in [
        "hello",
        "stop",
        "ponderhit",
        "setoption name Hash value many",
        "setoption name Nonsense value 1",
        "setoption name Hash value -5",
        "go perft",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
    ] {
        gui.say(line);
        gui.ask("isready", "readyok");
    }
    gui.say(&"x".repeat(10_000_000));
    assert_eq!(gui.ask("go depth 3", "bestmove"), "bestmove 0000");
    gui.say("position startpos");
    for go in [
        "go wtime 0 btime 0",
        "go wtime -50 btime -50 winc 0",
        "go movetime 0",
        "go depth 0",
        "go nodes 0",
        "go depth x movetime 20",
        "go movestogo 0 wtime 100 btime 100",
    ] {
        let best = gui.ask(go, "bestmove");
        assert_ne!(best, "bestmove 0000", "{go}");
    }
    gui.say("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert_eq!(gui.ask("go depth 3", "bestmove"), "bestmove 0000");
    assert_eq!(gui.ask("go perft 1", "Nodes searched"), "Nodes searched: 0");
    gui.say("quit");
    assert!(gui.end());
}

#[test]
fn eval_draws_what_each_piece_is_worth() {
    let mut gui = Gui::start();
    gui.say("position fen rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    gui.say("eval");
    let lines = gui.until("Evaluation");
    let row = lines.iter().position(|line| line.starts_with("1 |")).expect("the first rank");
    assert_eq!(&lines[row][27..35], "   Q   |");
    // A queen is worth more than five pawns, and without her the network sees less for White. Kings cannot be
    // taken away.
    let worth: f64 = lines[row + 1][27..34].trim().parse().unwrap();
    assert!(worth > 5.0, "{worth}");
    assert_eq!(lines[row + 1][35..42].trim(), "");
    let score = |line: &str| line.split(' ').nth(1).unwrap().parse::<f64>().unwrap();
    let black_to_move = score(lines.last().unwrap());
    assert!(black_to_move > 5.0, "{black_to_move}");
    gui.say("setoption name EvalFile value by-hand");
    gui.say("eval");
    let lines = gui.until("Evaluation");
    assert!(!lines.iter().any(|line| line.contains("Q   |")), "{lines:?}");
    assert!(score(lines.last().unwrap()) > 5.0, "{lines:?}");
    assert!(gui.end());
}

#[test]
fn a_file_that_is_no_network_is_refused() {
    let mut gui = Gui::start();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    gui.say(&format!("setoption name EvalFile value {file}"));
    gui.say("setoption name EvalFile value /no/such/file");
    gui.say("isready");
    let lines = gui.until("readyok");
    let told =
        |what: &str| lines.iter().any(|line| line.contains("info string") && line.contains(what));
    assert!(told("Cargo.toml") && told("/no/such/file"), "{lines:?}");
    assert_ne!(gui.ask("go depth 2", "bestmove"), "bestmove 0000");
    assert!(gui.end());
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let folder = std::env::temp_dir().join(format!("tabiya-uci-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (pipe, large) = (folder.join("pipe"), folder.join("large"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
    let mut gui = Gui::start();
    for (file, reason) in [
        (pipe.to_str().unwrap(), "this is a folder, a pipe or a device, not a file"),
        (folder.to_str().unwrap(), "this is a folder, a pipe or a device, not a file"),
        ("/dev/zero", "this is a folder, a pipe or a device, not a file"),
        (large.to_str().unwrap(), "bytes, and this file has more"),
    ] {
        gui.say(&format!("setoption name EvalFile value {file}\nisready"));
        let lines = gui.until("readyok");
        assert!(lines[0].starts_with(&format!("info string {file}: ")), "{lines:?}");
        assert!(lines[0].ends_with(reason), "{lines:?}");
    }
    assert_ne!(gui.ask("go depth 2", "bestmove"), "bestmove 0000");
    assert!(gui.end());
    std::fs::remove_dir_all(&folder).unwrap();
}
