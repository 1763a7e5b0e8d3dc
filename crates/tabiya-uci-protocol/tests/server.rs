//! Conversations with a GUI, good and bad, about a player that does what it is told to.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tabiya_chess::Game;
use tabiya_thinker::Limits;
use tabiya_uci_protocol::{
    BenchWork, BestMove, Go, Identity, InfoMessage, OptionKind, OptionSpec, OptionValue, Output,
    UciEngine, serve,
};

/// A player whose searches do as `go` says: with `depth` they end by themselves with e4, with `mate`
/// they end without a move, and otherwise they go on until stopped, and then play d4.
#[derive(Default)]
struct Actor {
    is_stopped: Arc<(Mutex<bool>, Condvar)>,
    search: Option<JoinHandle<()>>,
    calls: Calls,
}

/// What the player was asked to do.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<Vec<String>>>);

impl Calls {
    fn note(&self, call: impl Into<String>) {
        self.0.lock().unwrap().push(call.into());
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl UciEngine for Actor {
    fn identity(&self) -> Identity {
        Identity { name: "Actor 1".into(), author: "a\ntest".into() }
    }

    fn options(&self) -> Vec<OptionSpec> {
        let option = |name: &str, kind| OptionSpec { name: name.into(), kind };
        vec![
            option("Hash", OptionKind::Spin { default: 16, min: 1, max: 64 }),
            option("UCI_Chess960", OptionKind::Check { default: false }),
            option("Clear Hash", OptionKind::Button),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        self.calls.note(format!("{name} = {value:?}"));
        match value {
            OptionValue::Spin(13) => Err("13 brings bad luck".into()),
            _ => Ok(()),
        }
    }

    fn new_game(&mut self) {
        self.calls.note("new game");
    }

    fn go(&mut self, game: &Game, limits: Limits, chess960: bool, output: Output) {
        assert!(self.search.is_none(), "the last search was not waited for");
        let variant = if chess960 { " chess960" } else { "" };
        let go = Go::from_limits(&limits, game);
        self.calls.note(format!("{go} after {} moves{variant}", game.moves().len()));
        *self.is_stopped.0.lock().unwrap() = false;
        let is_stopped = Arc::clone(&self.is_stopped);
        self.search = Some(thread::spawn(move || {
            output.info(InfoMessage { depth: Some(1), ..InfoMessage::default() });
            if go.depth.is_some() {
                output.best_move(BestMove::new("e2e4"));
                // Heard only if the best move was kept back.
                output.info(InfoMessage::text("the search is over"));
            } else if go.mate.is_none() {
                let (lock, signal) = &*is_stopped;
                let _stopped =
                    signal.wait_while(lock.lock().unwrap(), |stopped| !*stopped).unwrap();
                output.best_move(BestMove::new("d2d4"));
                output.best_move(BestMove::new("c2c4"));
            }
        }));
    }

    fn stop(&mut self) {
        self.calls.note("stop");
        *self.is_stopped.0.lock().unwrap() = true;
        self.is_stopped.1.notify_all();
    }

    fn ponder_hit(&mut self) {
        self.calls.note("ponder hit");
        *self.is_stopped.0.lock().unwrap() = true;
        self.is_stopped.1.notify_all();
    }

    fn wait(&mut self) {
        if let Some(search) = self.search.take() {
            search.join().unwrap();
        }
    }

    fn eval(&self, game: &Game) -> String {
        format!("a matter of taste,\nafter {} moves", game.moves().len())
    }

    fn bench(&self, depth: Option<u32>) -> BenchWork {
        Box::new(move |stop| {
            // The deepest has no end.
            stop.wait_while(|| depth == Some(60));
            (!stop.is_stopped()).then(|| format!("bench {depth:?}"))
        })
    }
}

/// All that is answered to a script.
fn answers(script: impl AsRef<[u8]>) -> Vec<String> {
    converse(script).0
}

/// All that is answered to a script, and what the player was asked to do.
fn converse(script: impl AsRef<[u8]>) -> (Vec<String>, Vec<String>) {
    let (mut said, player) = (Vec::new(), Actor::default());
    let calls = player.calls.clone();
    serve(script.as_ref(), &mut said, player).unwrap();
    let text = String::from_utf8(said).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    (text.lines().map(str::to_owned).collect(), calls.all())
}

/// A GUI that waits for answers before it goes on.
struct Gui {
    to: Option<Sender<String>>,
    from: Receiver<String>,
    calls: Calls,
    serving: JoinHandle<io::Result<()>>,
}

/// The engine's end of a pipe to read from.
struct Ear(Receiver<String>);

impl Read for Ear {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = self.0.recv().unwrap_or_default();
        buffer[..text.len()].copy_from_slice(text.as_bytes());
        Ok(text.len())
    }
}

/// The engine's end of a pipe to write to. What is not flushed is not heard.
struct Mouth(Sender<String>, Vec<u8>);

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.1)).unwrap();
        text.lines().for_each(|line| self.0.send(line.to_owned()).unwrap());
        Ok(())
    }
}

impl Gui {
    fn new() -> Gui {
        let ((to, ear), (mouth, from)) = (channel(), channel());
        let player = Actor::default();
        let calls = player.calls.clone();
        let serving = thread::spawn(move || {
            serve(BufReader::new(Ear(ear)), Mouth(mouth, Vec::new()), player)
        });
        Gui { to: Some(to), from, calls, serving }
    }

    fn say(&self, line: &str) {
        self.to.as_ref().unwrap().send(format!("{line}\n")).unwrap();
    }

    #[track_caller]
    fn hear(&self, expected: &str) {
        let line = self.from.recv_timeout(Duration::from_secs(20));
        assert_eq!(line.as_deref(), Ok(expected));
    }

    /// Nothing is said, even if there is time to.
    #[track_caller]
    fn hear_nothing(&self) {
        self.say("isready");
        self.hear("readyok");
        assert!(self.from.recv_timeout(Duration::from_millis(30)).is_err());
    }

    /// Ends the conversation; nothing more has been said, and all was well.
    #[track_caller]
    fn end(mut self) {
        self.to = None;
        self.serving.join().unwrap().unwrap();
        assert_eq!(self.from.try_iter().collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn the_introduction() {
    let expected = "id name Actor 1\n\
                    id author a test\n\
                    option name Hash type spin default 16 min 1 max 64\n\
                    option name UCI_Chess960 type check default false\n\
                    option name Clear Hash type button\n\
                    uciok\n\
                    readyok";
    assert_eq!(answers("uci\r\nisready\r\nquit\r\nisready\r\n").join("\n"), expected);
}

#[test]
fn a_game() {
    let gui = Gui::new();
    gui.say("ucinewgame");
    gui.say("position startpos");
    gui.say("go depth 3");
    gui.hear("info depth 1");
    gui.hear("bestmove e2e4");
    gui.say("position startpos moves e2e4 e7e5");
    gui.say("go wtime 1000 btime 1000");
    gui.hear("info depth 1");
    gui.hear_nothing();
    gui.say("stop");
    gui.hear("bestmove d2d4");
    gui.say("stop");
    gui.hear_nothing();
    let calls = [
        "new game",
        "go depth 3 after 0 moves",
        "go wtime 1000 btime 1000 winc 0 binc 0 after 2 moves",
        "stop",
    ];
    assert_eq!(gui.calls.all(), calls);
    gui.say("quit");
    gui.end();
}

#[test]
fn go_without_a_position_starts_from_the_start() {
    let gui = Gui::new();
    gui.say("go depth 1");
    gui.hear("info depth 1");
    gui.hear("bestmove e2e4");
    assert_eq!(gui.calls.all(), ["go depth 1 after 0 moves"]);
    gui.end();
}

#[test]
fn stop_and_ponderhit_without_a_search() {
    assert_eq!(converse("stop\nponderhit\nisready\nstop\n").0, ["readyok"]);
    assert!(converse("stop\nponderhit\n").1.is_empty());
}

#[test]
fn go_during_a_search() {
    let gui = Gui::new();
    gui.say("go nodes 1");
    gui.hear("info depth 1");
    gui.say("go nodes 2");
    gui.hear("bestmove d2d4");
    gui.hear("info depth 1");
    gui.say("go depth 1");
    gui.hear("bestmove d2d4");
    gui.hear("info depth 1");
    gui.hear("bestmove e2e4");
    gui.end();
}

#[test]
fn whatever_disturbs_a_search_stops_it_first() {
    let no_fen = "info string position: \"x\": the FEN has one rank instead of eight";
    let conversations: [(&str, &[&str]); 6] = [
        ("position startpos moves e2e4", &[]),
        ("position fen x", &[no_fen]),
        ("setoption name Hash value 2", &[]),
        ("ucinewgame", &[]),
        ("bench 4", &["bench Some(4)"]),
        ("go perft 0", &["", "Nodes searched: 1"]),
    ];
    for (line, answers) in conversations {
        let gui = Gui::new();
        gui.say("go infinite");
        gui.hear("info depth 1");
        gui.say(line);
        gui.hear("bestmove d2d4");
        answers.iter().for_each(|answer| gui.hear(answer));
        gui.end();
    }
}

#[test]
fn what_does_not_disturb_a_search_is_answered_at_once() {
    let gui = Gui::new();
    gui.say("go infinite");
    gui.hear("info depth 1");
    gui.say("isready");
    gui.hear("readyok");
    gui.say("debug on");
    gui.say("register later");
    gui.say("eval");
    gui.hear("a matter of taste,");
    gui.hear("after 0 moves");
    gui.say("what do you think?");
    gui.hear("info string \"what do you think?\" is not a command");
    gui.hear_nothing();
    gui.say("stop");
    gui.hear("bestmove d2d4");
    gui.end();
}

#[test]
fn an_infinite_search_that_ends_by_itself_waits_for_stop() {
    let gui = Gui::new();
    gui.say("go infinite depth 1");
    gui.hear("info depth 1");
    gui.hear("info string the search is over");
    gui.hear_nothing();
    gui.say("ponderhit");
    gui.hear_nothing();
    gui.say("stop");
    gui.hear("bestmove e2e4");
    gui.end();
}

#[test]
fn pondering_that_ends_by_itself_waits_for_ponderhit_or_stop() {
    for line in ["ponderhit", "stop"] {
        let gui = Gui::new();
        gui.say("go ponder depth 1 wtime 1000");
        gui.hear("info depth 1");
        gui.hear("info string the search is over");
        gui.hear_nothing();
        gui.say(line);
        gui.hear("bestmove e2e4");
        gui.say(line);
        gui.hear_nothing();
        gui.end();
    }
}

#[test]
fn a_hit_turns_pondering_into_thinking() {
    let gui = Gui::new();
    gui.say("go ponder wtime 1000");
    gui.hear("info depth 1");
    gui.hear_nothing();
    gui.say("ponderhit");
    gui.hear("bestmove d2d4");
    assert_eq!(
        gui.calls.all(),
        ["go ponder wtime 1000 btime 0 winc 0 binc 0 after 0 moves", "ponder hit"]
    );
    gui.end();

    let gui = Gui::new();
    gui.say("go ponder infinite depth 1");
    gui.hear("info depth 1");
    gui.hear("info string the search is over");
    gui.say("ponderhit");
    gui.hear_nothing();
    gui.say("stop");
    gui.hear("bestmove e2e4");
    gui.end();
}

#[test]
fn a_search_without_a_move_is_answered_for() {
    let gui = Gui::new();
    gui.say("go mate 1");
    gui.hear("info depth 1");
    gui.hear("info string the search ended without a move");
    gui.hear("bestmove 0000");
    gui.end();
}

#[test]
fn quit_and_the_end_of_input_during_a_search() {
    for end in ["quit\n", "quit", "", "stop\nquit\n"] {
        for go in ["go infinite", "go ponder", "go wtime 0 btime 0", "go nodes 9"] {
            let (said, calls) = converse(format!("{go}\n{end}"));
            assert_eq!(said, ["info depth 1", "bestmove d2d4"], "{go} {end:?}");
            assert!(calls.contains(&"stop".to_owned()));
        }
    }
    assert_eq!(converse("quit\ngo depth 1\n"), (vec![], vec![]));
    assert_eq!(converse(""), (vec![], vec![]));
}

#[test]
fn a_bad_position_is_reported_and_gives_no_move() {
    for (position, complaint) in [
        ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "\"8/8/8/8/8/8/8/8 w - - 0 1\": White has no king"),
        ("fen", "\"\": the FEN is empty"),
        ("", "\"\": the FEN is empty"),
        ("startpos moves e2e4 e7e6 e1e3", "move 3, \"e1e3\": A king does not move like that."),
        (
            "startpos moves e2e4 \u{1b}[2J",
            "move 2, \"\u{FFFD}[2J\": \"\\u{1b}[2J\" is not a move: write it like e4, Nf3 or e2e4.",
        ),
    ] {
        let script = format!(
            "position startpos moves e2e4\nposition {position}\ngo depth 1\nd\neval\ngo perft 1\n\
             isready\nposition startpos\ngo nodes 1\n"
        );
        let nothing = "info string there is no position to think about";
        let expected = [
            &format!("info string position: {complaint}"),
            nothing,
            "bestmove 0000",
            nothing,
            nothing,
            nothing,
            "readyok",
            "info depth 1",
            "bestmove d2d4",
        ];
        let (said, calls) = converse(script);
        assert_eq!(said, expected);
        assert_eq!(calls, ["go nodes 1 after 0 moves", "stop"]);
    }
}

#[test]
fn even_without_a_position_an_infinite_search_waits() {
    let gui = Gui::new();
    gui.say("position fen x");
    gui.hear("info string position: \"x\": the FEN has one rank instead of eight");
    gui.say("go infinite");
    gui.hear("info string there is no position to think about");
    gui.hear_nothing();
    gui.say("stop");
    gui.hear("bestmove 0000");
    gui.end();
}

#[test]
fn malformed_numbers_and_strange_clocks() {
    let (said, calls) = converse("go wtime -5 btime 0 winc x binc 99999999999999999999 nodes\n");
    let expected = [
        "info string go: winc needs a number, not \"x\"",
        "info string go: nodes needs a number",
        "info depth 1",
        "bestmove d2d4",
    ];
    assert_eq!(said, expected);
    assert_eq!(calls[0], "go wtime 0 btime 0 winc 0 binc 18446744073709551615 after 0 moves");
}

#[test]
fn moves_to_consider_are_checked() {
    let (said, calls) = converse("go nodes 1 searchmoves e2e4 e2e5 e2e6 d2d4\n");
    let complaint =
        "info string go: searchmoves \"e2e5\" is left out: A pawn does not move like that.";
    assert_eq!(said, [complaint, "info depth 1", "bestmove d2d4"]);
    assert_eq!(calls[0], "go searchmoves e2e4 d2d4 nodes 1 after 0 moves");
}

#[test]
fn options_are_checked() {
    let script = "setoption name hash value 32\nsetoption name Hash value 1000\n\
                  setoption name Hash value lots\nsetoption name Hash\nsetoption name Contempt value 1\n\
                  setoption name clear hash\nsetoption\nsetoption name Hash value 13\n";
    let (said, calls) = converse(script);
    let number = "info string the option Hash is a number from 1 to 64, not ";
    let expected = [
        &format!("{number}\"1000\""),
        &format!("{number}\"lots\""),
        &format!("{number}\"\""),
        "info string there is no option \"Contempt\"",
        "info string setoption needs the name of an option",
        "info string 13 brings bad luck",
    ];
    assert_eq!(said, expected);
    assert_eq!(calls, ["Hash = Spin(32)", "Clear Hash = Button", "Hash = Spin(13)"]);
}

#[test]
fn chess960_is_passed_on() {
    let script = "setoption name UCI_Chess960 value true\ngo nodes 1\n\
                  setoption name UCI_Chess960 value maybe\ngo nodes 2\n\
                  setoption name UCI_Chess960 value false\ngo nodes 3\n";
    let (_, calls) = converse(script);
    let searches: Vec<_> = calls.iter().filter(|call| call.starts_with("go")).collect();
    let expected = [
        "go nodes 1 after 0 moves chess960",
        "go nodes 2 after 0 moves chess960",
        "go nodes 3 after 0 moves",
    ];
    assert_eq!(searches, expected);
}

#[test]
fn rubbish_is_answered_with_one_line_and_ignored() {
    let script = b"hello\n\n   \nj\xffho\n\0\0\nGO DEPTH 1\ndebug\nxyzzy isready\n";
    let expected = [
        "info string \"hello\" is not a command",
        "info string \"j\u{FFFD}ho\" is not a command",
        "info string \"\u{FFFD}\u{FFFD}\" is not a command",
        "info string \"GO DEPTH 1\" is not a command",
        "info string debug is on or off, not \"\"",
        "readyok",
    ];
    assert_eq!(answers(script), expected);
}

#[test]
fn endless_lines_are_cut_off() {
    let ten_megabytes = "x".repeat(10_000_000);
    let beginning = "x".repeat(60);
    let said = answers(format!("{ten_megabytes}\nisready\n{ten_megabytes}"));
    let complaint = format!("info string \"{beginning}…\" begins a line that is too long");
    assert_eq!(said, [&complaint, "readyok", &complaint]);

    // A game that is too long is not the game before it.
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(500_000);
    let said = answers(format!("position startpos moves{moves}\ngo depth 1\n"));
    assert!(said[0].ends_with("begins a line that is too long"), "{}", said[0]);
    assert_eq!(said[1..], ["info string there is no position to think about", "bestmove 0000"]);
}

#[test]
fn a_very_long_game_is_still_a_game() {
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(50_000);
    let (said, calls) = converse(format!("position startpos moves{moves}\ngo nodes 1\n"));
    assert_eq!(said, ["info depth 1", "bestmove d2d4"]);
    assert_eq!(calls[0], "go nodes 1 after 200000 moves");
}

#[test]
fn debugging_tells_the_position() {
    let said = answers("debug on\nposition startpos moves e2e4\ndebug off\nposition startpos\n");
    let expected = "info string the position is \
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(said, [expected]);
}

#[test]
fn perft_counts_by_move() {
    let gui = Gui::new();
    gui.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    gui.say("go perft 2");
    let mut said: Vec<String> = (0..15).map(|_| gui.from.recv().unwrap()).collect();
    said.sort();
    // The numbers are Stockfish's.
    let expected = [
        "e1d1: 5", "e1d2: 5", "e1e2: 5", "e1f1: 5", "e1f2: 5", "e1g1: 3", "h1f1: 3", "h1g1: 5",
        "h1h2: 5", "h1h3: 5", "h1h4: 5", "h1h5: 5", "h1h6: 5", "h1h7: 2", "h1h8: 3",
    ];
    assert_eq!(said, expected);
    gui.hear("");
    gui.hear("Nodes searched: 66");
    gui.end();
    let said = answers("go perft 0\n");
    assert_eq!(said, ["", "Nodes searched: 1"]);
    assert_eq!(answers("go perft 21\n"), ["info string perft goes no deeper than 20"]);
}

#[test]
fn perft_can_be_stopped() {
    let gui = Gui::new();
    gui.say("go perft 20");
    gui.say("isready");
    gui.hear("readyok");
    gui.say("stop");
    gui.hear("info string perft was stopped");
    gui.say("go perft 20");
    gui.say("go depth 1");
    gui.hear("info string perft was stopped");
    gui.hear("info depth 1");
    gui.hear("bestmove e2e4");
    gui.end();
}

#[test]
fn a_count_is_answered_before_the_end() {
    // The number is Stockfish's.
    for end in ["quit\n", ""] {
        let said = answers(format!("go perft 4\nisready\n{end}"));
        assert!(said.contains(&"Nodes searched: 197281".to_owned()), "{said:?}");
    }
    let said = answers("bench 4\nposition startpos moves e2e4\nd\nquit\n");
    assert_eq!(said[0], "bench Some(4)");
}

#[test]
fn a_bench_without_end_is_ended() {
    let gui = Gui::new();
    gui.say("bench 60");
    gui.say("isready");
    gui.hear("readyok");
    gui.say("stop");
    gui.hear("info string bench was stopped");
    gui.end();
}

/// Nobody waits for it as for what is soon done, which is three seconds.
#[test]
fn a_deep_bench_does_not_hold_up_what_comes_next() {
    for next in ["quit\n", "", "position startpos\nquit\n", "ucinewgame\nquit\n"] {
        let begun = Instant::now();
        let said = answers(format!("bench 60\n{next}"));
        assert_eq!(said, ["info string bench was stopped"], "{next}");
        assert!(begun.elapsed() < Duration::from_millis(2500), "{next}: {:?}", begun.elapsed());
    }
}

#[test]
fn the_board_is_drawn() {
    let said = answers("position startpos moves e2e4\nd\n");
    assert!(said.contains(&"8 | r | n | b | q | k | b | n | r |".to_owned()), "{said:#?}");
    let fen = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(said.last().unwrap(), fen);
}

#[test]
fn a_gui_that_does_not_listen_any_more() {
    struct Deaf;
    impl Write for Deaf {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let script = "go infinite\n".repeat(100);
    let error = serve(script.as_bytes(), Deaf, Actor::default()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn an_input_that_breaks_off_is_an_error_after_the_search_has_ended() {
    struct Broken(bool);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            buffer[..12].copy_from_slice(b"go infinite\n");
            Ok(12)
        }
    }
    let mut said = Vec::new();
    let error = serve(BufReader::new(Broken(false)), &mut said, Actor::default()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(said, b"info depth 1\nbestmove d2d4\n");
}

#[test]
fn lines_of_several_threads_do_not_mix() {
    let gui = Gui::new();
    gui.say("go nodes 1");
    for _ in 0..50 {
        gui.say("isready");
        gui.say("go nodes 1");
    }
    gui.say("stop");
    gui.say("quit");
    let mut counts = [0; 3];
    let known = ["info depth 1", "readyok", "bestmove d2d4"];
    for line in gui.from.iter() {
        counts[known.iter().position(|&known| known == line).expect(&line)] += 1;
    }
    assert_eq!(counts, [51, 50, 51]);
    gui.end();
}
