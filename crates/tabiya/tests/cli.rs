//! The program as its users meet it: arguments in, text and exit status out.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tabiya_chess::{Game, Position};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const START: &str = "  +---+---+---+---+---+---+---+---+
8 | r | n | b | q | k | b | n | r |
  +---+---+---+---+---+---+---+---+
7 | p | p | p | p | p | p | p | p |
  +---+---+---+---+---+---+---+---+
6 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
5 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
4 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
3 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
2 | P | P | P | P | P | P | P | P |
  +---+---+---+---+---+---+---+---+
1 | R | N | B | Q | K | B | N | R |
  +---+---+---+---+---+---+---+---+
    a   b   c   d   e   f   g   h ";

fn tabiya(args: &[&str], input: &str) -> Output {
    // Games are kept, but not among those of whoever runs the tests.
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(args)
        .env("TABIYA_DATA", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = tabiya(args, "");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A refusal: the exit status and the one line on standard error, with nothing on standard output.
fn refusal(args: &[&str]) -> (i32, String) {
    let output = tabiya(args, "");
    assert!(output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    (output.status.code().unwrap(), text.trim_end().to_owned())
}

#[test]
fn perft_ends_with_the_count() {
    assert_eq!(stdout(&["perft", "4"]), "Nodes searched: 197281\n");
    assert_eq!(stdout(&["perft", "0"]), "Nodes searched: 1\n");
    assert_eq!(stdout(&["perft", "3", "--fen", KIWIPETE]), "Nodes searched: 97862\n");
    let timing = String::from_utf8(tabiya(&["perft", "3"], "").stderr).unwrap();
    assert!(timing.contains(" s, ") && timing.contains("nodes/s"), "{timing}");
}

#[test]
fn perft_divides_by_move() {
    let text = stdout(&["perft", "3", "--divide"]);
    let (moves, last) = text.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(last, "Nodes searched: 8902");
    let counts: Vec<u64> = moves
        .lines()
        .map(|line| {
            let (m, count) = line.split_once(": ").unwrap();
            assert!(Position::initial().parse_uci(m).is_ok(), "{line}");
            count.parse().unwrap()
        })
        .collect();
    assert_eq!((counts.len(), counts.iter().sum()), (20, 8902));
    assert!(moves.lines().any(|line| line == "e2e4: 600"));
    assert_eq!(stdout(&["perft", "0", "--divide"]), "Nodes searched: 1\n");
}

#[test]
fn perft_counts_the_same_with_threads_and_hash() {
    for extra in [&["--threads", "2"][..], &["--hash", "8"], &["--threads", "3", "--hash", "1"]] {
        let args = [&["perft", "4", "--fen", KIWIPETE], extra].concat();
        assert_eq!(stdout(&args), "Nodes searched: 4085603\n", "{extra:?}");
    }
}

#[test]
fn perft_knows_chess960() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_eq!(stdout(&["perft", "4", "--fen", fen]), "Nodes searched: 326672\n");
    // Castling is written as king takes rook there.
    let ready = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1";
    let divided = stdout(&["perft", "1", "--divide", "--fen", ready]);
    assert!(divided.contains("f1h1: 1\n") && divided.contains("f1b1: 1\n"), "{divided}");
}

#[test]
fn wrong_usage_is_told_in_a_sentence() {
    let (status, text) = refusal(&["perft", "many"]);
    assert_eq!(status, 2);
    assert!(text.starts_with("tabiya: invalid value 'many' for '<DEPTH>'"), "{text}");
    assert_eq!(refusal(&["perft", "3", "--threads", "0"]).0, 2);
    assert_eq!(refusal(&["dance"]).0, 2);
    assert_eq!(refusal(&["show", "--style", "oil"]).0, 2);
}

#[test]
fn help_and_documents_name_the_themes_that_there_are() {
    let screen = include_str!("../../../docs/screen.md");
    let readme = include_str!("../../../README.md");
    for theme in tabiya_tui::ThemeName::ALL.map(tabiya_tui::ThemeName::name) {
        for command in [&["play", "--help"][..], &["config", "--help"]] {
            let help = String::from_utf8(tabiya(command, "").stdout).unwrap();
            assert!(help.contains(theme), "{command:?}: {theme}");
        }
        assert!(screen.contains(&format!("`{theme}`")), "docs/screen.md: {theme}");
        assert!(readme.contains(theme), "README.md: {theme}");
    }
}

#[test]
fn what_was_meant_is_proposed() {
    for (args, meant) in [
        (&["pley"][..], "did you mean play?"),
        (&["pgn", "chek"], "did you mean check?"),
        (&["play", "--tehme", "slate"], "did you mean --theme?"),
        (&["show", "--style", "grdi"], "did you mean grid?"),
    ] {
        let (status, text) = refusal(args);
        assert_eq!(status, 2);
        assert!(text.contains(meant), "{text}");
    }
    // A group of commands alone shows what there is.
    let output = tabiya(&["pgn"], "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("Commands:") && text.contains("dedupe"), "{text}");
}

#[test]
fn shells_and_manuals_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let text = stdout(&["completions", shell]);
        for word in ["games", "dedupe", "take-backs"] {
            assert!(text.contains(word), "{shell} does not know {word}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    stdout(&["man", &folder.path().join("man1").to_string_lossy()]);
    let page = |name: &str| std::fs::read_to_string(folder.path().join("man1").join(name)).unwrap();
    assert!(page("tabiya.1").contains("tabiya\\-pgn(1)"));
    assert!(page("tabiya-pgn-cut.1").contains("\\-\\-material"));
}

#[test]
fn wrong_positions_are_told_in_a_sentence() {
    let refused = |fen| refusal(&["show", fen]);
    assert_eq!(
        refused("8/8/8/8 w"),
        (1, "tabiya: the FEN has 4 ranks instead of eight".to_owned())
    );
    assert_eq!(refused("8/8/8/8/8/8/8/8"), (1, "tabiya: White has no king".to_owned()));
    let (status, text) = refusal(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w K"]);
    assert_eq!(
        (status, text.as_str()),
        (1, "tabiya: castling with a rook on h1 is impossible here")
    );
}

#[test]
fn help_teaches() {
    for command in ["play", "show", "perft"] {
        let help = stdout(&[command, "--help"]);
        assert!(
            help.contains("Examples:") && help.contains(&format!("tabiya {command}")),
            "{help}"
        );
    }
}

#[test]
fn show_draws_and_explains() {
    let text = stdout(&["show"]);
    assert!(text.starts_with(&format!("{START}\n\nFEN       rnbqkbnr/")), "{text}");
    assert!(text.contains("To move   White, move 1"));
    assert!(text.contains("Moves     20\n"));
    assert!(text.contains("knight g1     Nf3 Nh3\n"), "{text}");
    assert!(!text.contains('\u{1b}'), "colour in a pipe");
}

#[test]
fn show_has_many_styles() {
    let board = |style| stdout(&["show", "--style", style]);
    assert!(board("grid").starts_with(START));
    assert!(board("unicode").starts_with(&START.lines().next().unwrap().to_owned()));
    assert!(board("unicode").contains("8 | ♜ | ♞ | ♝ | ♛ | ♚ | ♝ | ♞ | ♜ |\n"));
    assert!(board("pairs").starts_with("|br|bn|bb|bq|bk|bb|bn|br|\n|bp|"));
    assert!(board("ids").starts_with("10\t8\t9\t11\t12\t9\t8\t10\t\n7\t7\t"));
    assert!(board("ranks-right").starts_with("+---+---+"));
    assert!(board("ranks-right").contains("| ♜ | ♞ | ♝ | ♛ | ♚ | ♝ | ♞ | ♜ | 8\n"));
    assert!(board("bitboards").starts_with("ID: 1\n[[0 0 0 0 0 0 0 0]\n [1 1 1 1 1 1 1 1]\n"));
}

#[test]
fn show_takes_boards_apart() {
    let board = stdout(&["show", "--size", "5x6"]);
    assert_eq!(board.matches("+---+---+---+---+---+\n").count(), 7, "{board}");
    assert!(
        board.starts_with("  +---+") && board.ends_with("    a   b   c   d   e \n\n"),
        "{board}"
    );
    let pieces = stdout(&["show", "--size", "12x3", "k11/12/10QK"]);
    assert!(pieces.contains("1 |   |   |   |   |   |   |   |   |   |   | Q | K |\n"), "{pieces}");
    let (_, refused) = refusal(&["show", "--size", "5x6", "kq3/5"]);
    assert_eq!(refused, "tabiya: the placement has 2 ranks, the board 6");

    let path = stdout(&["show", "--path", "e1", "e8", "4r2k/8/8/8/8/8/8/4R2K w"]);
    assert_eq!(
        path,
        "+0,+1 in 7 steps: e2 e3 e4 e5 e6 e7 e8; reaches e2 e3 e4 e5 e6 e7 e8; takes on e8, valid\n"
    );
    let paths = stdout(&["show", "--path", "b1"]);
    assert!(paths.ends_with("white knight on b1: 8 paths, 2 valid, 2 legal moves\n"), "{paths}");
    assert_eq!(stdout(&["show", "--offset", "d4", "1,0"]), "e4\n");
    assert_eq!(stdout(&["show", "--offset", "d4", "-1,-3"]), "c1\n");
    assert_eq!(stdout(&["show", "--offset", "d4", "5,0"]), "none: 5,0 from d4 is off the board\n");
    let steps = stdout(&["show", "--steps", "a8=Q", "4k3/P7/8/8/8/8/8/4K3 w"]);
    assert!(steps.starts_with("remove wp@a7\nadd wq@a8\n"), "{steps}");
    assert!(steps.ends_with("4k3/P7/8/8/8/8/8/4K3\n"), "{steps}");
    let squares = stdout(&["show", "--squares", "P+n"]);
    assert!(squares.ends_with("\n10: a2 b2 c2 d2 e2 f2 g2 h2 b8 g8\n"), "{squares}");
    assert!(stdout(&["show", "--squares", "~all&~white"]).ends_with("a6 b6 c6 d6 e6 f6 g6 h6\n"));

    // Knights and kings, from a table of numbers.
    let numbers = "0 8 0 0 12 0 8 0".to_owned() + &" 0".repeat(48) + " 0 2 0 0 6 0 2 0";
    assert!(
        stdout(&["show", "--array", &numbers]).contains("1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1")
    );
    assert_eq!(refusal(&["show", "--array", "1 2 3"]).1, "tabiya: a board has 64 numbers, not 3");
    let edited = stdout(&["show", "--put", "wn@e4", "--remove", "wp@e2", "--relocate", "h1", "h3"]);
    assert!(
        edited.contains("rnbqkbnr/pppppppp/8/8/4N3/7R/PPPP1PPP/RNBQKBN1 w - - 0 1"),
        "{edited}"
    );
    let (_, refused) = refusal(&["show", "--relocate", "e4", "e5"]);
    assert_eq!(refused, "tabiya: Cannot move empty square. (ID: 0)");
    let (_, refused) = refusal(&["show", "--threats", "--of", "green"]);
    let text = "Incorrect color specified (got green, only 'white' and 'black' permitted).";
    assert!(refused.contains(text), "{refused}");
}

#[test]
fn show_tells_checks_pins_and_the_end() {
    let pinned = stdout(&["show", "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1", "--moves"]);
    assert!(pinned.contains("Pinned    White's rook e4 by the queen e5\n"), "{pinned}");
    assert!(pinned.contains("rook e4: Re2 Re3 Ra4 Rb4 Rc4 Rd4 Rf4 Rg4 Rh4 Rxe5\n"), "{pinned}");
    assert!(pinned.contains("legal: Re2 Re3 Rxe5\n"));
    assert!(pinned.contains("\ne4 -> e5\n"));
    let double = stdout(&["show", "4k3/8/8/8/8/5n2/8/r3K3 w - - 0 1"]);
    assert!(double.contains("Check     by the rook a1, knight f3\n"), "{double}");
    let mate = stdout(&["show", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"]);
    assert!(mate.contains("Outcome   Checkmate: White wins\n"), "{mate}");
    // A FEN need not be quoted.
    assert_eq!(stdout(&["show", "7k/5KQ1/8/8/8/8/8/8", "b", "-", "-", "0", "1"]), mate);
}

#[test]
fn show_maps_threats_and_heat() {
    let text = stdout(&["show", "--threats", "--heat"]);
    assert!(text.contains("Attacked by White:\n. . . . . . . .\n"), "{text}");
    assert!(text.contains("X X X X X X X X\nX X X X X X X X\n. X X X X X X .\n"));
    assert!(text.contains("Attackers of White:\n"));
    assert!(text.contains("2 2 3 2 2 3 2 2\n1 1 1 4 4 1 1 1\n. 1 1 1 1 1 1 .\n"), "{text}");
}

#[test]
fn show_draws_the_opinion_of_the_network() {
    let text = stdout(&["show", "--eval"]);
    let (_, drawing) = text.split_once("\n\n  +-").expect("a board of worths");
    // Each piece helps its own side: with it, White's or Black's score is better.
    let worths: Vec<f64> = drawing
        .split(['|', '\n'])
        .map(str::trim)
        .filter(|cell| cell.starts_with(['+', '-']))
        .filter_map(|cell| cell.parse().ok())
        .collect();
    assert_eq!(worths.len(), 30, "{drawing}");
    assert!(worths[..15].iter().all(|&worth| worth < 0.0), "{drawing}");
    assert!(worths[15..].iter().all(|&worth| worth > 0.0), "{drawing}");
    assert!(drawing.contains("\nEvaluation "), "{drawing}");
}

#[test]
fn show_speaks_json() {
    let text = stdout(&["show", "--json", KIWIPETE]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["fen"], KIWIPETE);
    assert_eq!(report["turn"], "white");
    assert_eq!(report["moves"].as_array().unwrap().len(), 48);
    assert_eq!(report["castling"].as_array().unwrap().len(), 4);
    assert_eq!(report["outcome"], serde_json::Value::Null);
    assert_eq!(report["heat"]["white"].as_array().unwrap().len(), 8);
    let castle = report["moves"].as_array().unwrap().iter().find(|m| m["san"] == "O-O").unwrap();
    assert_eq!(
        (&castle["from"], &castle["to"], &castle["uci"]),
        (&"e1".into(), &"g1".into(), &"e1g1".into())
    );
}

/// Plays the game that the output tells, and gives it back with the last lines.
fn replay(text: &str, start: Position) -> (Game, String) {
    let mut game = Game::from_position(start);
    let mut rest = String::new();
    for line in text.lines() {
        if let Some((side, m)) = line.split_once(" moves: ") {
            assert_eq!(side, game.position().turn().to_string());
            let m = game.position().parse_move(m).unwrap();
            game.play(m).unwrap();
            rest.clear();
        } else {
            rest.push_str(line);
            rest.push('\n');
        }
    }
    (game, rest)
}

#[test]
fn random_games_are_legal_and_end_as_they_say() {
    for seed in ["1", "2", "7"] {
        let args = ["play", "--white", "random", "--black", "random", "--seed", seed];
        let text = stdout(&args);
        assert_eq!(text, stdout(&args), "the same seed gives the same game");
        assert!(text.starts_with("white moves: "), "{text}");
        assert!(text.contains("    a   b   c   d   e   f   g   h \n\n\nblack moves: "), "{text}");
        let (game, end) = replay(&text, Position::initial());
        let outcome = game.outcome().expect("the game is over");
        assert!(end.contains("Game over!\n"), "{end}");
        assert!(end.contains(&outcome.to_string()), "{end}");
        if !game.position().has_legal_moves() {
            let turn = game.position().turn();
            assert!(end.contains(&format!("No legal moves left for {turn}. Game over!")), "{end}");
        }
    }
}

#[test]
fn random_games_start_anywhere() {
    let fen = "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1";
    let text =
        stdout(&["play", "--white", "random", "--black", "random", "--seed", "1", "--fen", fen]);
    let (game, _) = replay(&text, fen.parse().unwrap());
    assert!(game.outcome().is_some());
}

fn play(args: &[&str], input: &str) -> String {
    let output = tabiya(&[&["play"], args].concat(), input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn games_begun_at_once_in_a_new_folder_are_all_kept() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let begin = |_| {
            let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
                .args(["play", "--black", "human"])
                .env("TABIYA_DATA", folder.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(b"e4\n").unwrap();
            child
        };
        let games: Vec<_> = (0..8).map(begin).collect();
        for game in games {
            let output = game.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn two_people_play_the_scholars_mate() {
    let text = play(&["--black", "human"], "e4\ne7e5\nQd1-h5\nNc6\nf1 -> c4\nNf6\nQxf7\n");
    assert!(text.contains("white moves: h5 -> f7\n"));
    assert!(text.ends_with("Checkmate: White wins.\nNo legal moves left for black. Game over!\n"));
}

#[test]
fn a_refused_move_is_explained_and_changes_nothing() {
    let text = play(&["--black", "human"], "e5\nfoo\ng1\ne4\nfen\n");
    assert!(text.contains("\"foo\" is not a move"), "{text}");
    assert!(text.contains("g1 may go to f3 h3\n"));
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"));
    assert_eq!(text.matches(" moves: ").count(), 1);
}

#[test]
fn a_pawn_is_asked_what_it_becomes() {
    let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    for (answer, letter) in [("queen", 'Q'), ("r", 'R'), ("B", 'B'), ("Knight", 'N')] {
        let text = play(&["--black", "human", "--fen", fen], &format!("a7a8\n{answer}\nfen\n"));
        assert!(text.contains("Promote to queen, rook, bishop or knight?\n"), "{text}");
        assert!(text.contains(&format!("white moves: a7 -> a8={letter}\n")), "{text}");
    }
    let text = play(&["--black", "human", "--fen", fen], "a8\nking\ncancel\nfen\n");
    assert!(text.contains("A pawn becomes a queen, a rook, a bishop or a knight.\n"), "{text}");
    assert!(text.contains(fen));
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let text = play(&["--black", "human"], "undo\ne4\ne5\nundo\nundo\nfen\nredo\nfen\n");
    assert!(text.contains("There is no move to take back.\n"));
    let start = Position::initial().fen();
    assert!(text.contains(&start));
    assert!(text.ends_with(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nExecution interrupted.\n"
    ));
    // Against a random mover its answer goes as well.
    let text = play(&["--black", "random", "--seed", "5"], "e4\nundo\nfen\n");
    assert!(text.contains(&start), "{text}");
}

#[test]
fn hostile_input_is_survived() {
    let long = "x".repeat(1_000_000);
    let text = play(&["--black", "human"], &format!("{long}\n\0\u{200b}\n♔\nquit\n"));
    assert_eq!(text.matches("is not a move").count(), 3);
    let output = tabiya(&["play"], "");
    assert!(output.status.success());
}

#[test]
fn whoever_stops_listening_is_not_shouted_at() {
    for args in [
        vec!["show", "--json"],
        vec!["show"],
        vec!["perft", "3"],
        vec!["bench", "1"],
        vec!["pgn", "stats", "-"],
        vec!["--help"],
        vec!["nonsense"],
        vec!["completions", "bash"],
        vec!["config"],
        vec!["games"],
        vec!["search", "--depth", "3"],
        vec!["play", "--white", "random", "--black", "random", "--moves", "20"],
        vec!["puzzle", "new", "--size", "5", "--white-bishops", "1", "--black-bishops", "1"],
        vec!["pgn"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(&args)
            .stdin(Stdio::null())
            .stdout(writer.try_clone().unwrap())
            .stderr(writer)
            .spawn()
            .unwrap();
        drop(reader);
        let status = child.wait().unwrap();
        // With a status of its own, and not by a signal.
        assert!(status.code().is_some_and(|code| code < 3), "{args:?}: {status}");
    }
}

#[test]
fn a_locale_without_other_letters_is_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = "[White \"Réti, R\"]\n[Black \"Ståhlberg\"]\n[WhiteElo \"2500\"]\n[Date \"1934.08.01\"]\n\
                 [Result \"1/2-1/2\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1/2-1/2\n\n\
                 [White \"Réti, R\"]\n[Black \"Ståhlberg\"]\n\n1. e5 *\n";
    let (file, database) = (path("games.pgn"), path("games.tdb"));
    std::fs::write(&file, games).unwrap();
    let run = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(args)
            .env("TABIYA_DATA", folder.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let mut names = 0;
    for args in [
        &["pgn", "check", &file][..],
        &["pgn", "stats", &file],
        &["games", "import", &file],
        &["games", "list"],
        &["db", "import", &database, &file],
        &["db", "info", &database],
        &["db", "explore", &database],
        &["db", "find", &database, "--player", "reti"],
        &["db", "games", "list", &database],
        &["review", "--nodes", "1000", &file],
        &["match", "--engine", "random", "--engine", "alphabeta:1", "--pairs", "1"],
        &["show", "8/8/8/8/8/8/8/8"],
        &["--help"],
        &["puzzle", "--help"],
        &["pgn", "cut", "--help"],
        &["puzzle", "solve", "nö"],
    ] {
        let output = run(args);
        let text = [output.stdout, output.stderr].concat();
        assert!(text.len() > 20 && text.is_ascii(), "{args:?}: {}", String::from_utf8_lossy(&text));
        names += String::from_utf8(text).unwrap().matches("Reti, R").count();
    }
    assert!(names >= 6, "{names}");
    // What programs read is as it was.
    let record = run(&["pgn", "cut", "--games", "1", &file]).stdout;
    assert!(String::from_utf8(record).unwrap().contains("[White \"Réti, R\"]"));
    let table = run(&["db", "--json", "games", "list", &database]).stdout;
    assert!(String::from_utf8(table).unwrap().contains("Réti, R"));
}

#[test]
fn tables_of_three_men_are_at_hand_and_others_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().to_str().unwrap();
    let queen = "8/8/8/8/8/2k5/8/K6Q w - - 0 1";
    assert!(stdout(&["show", "--table", queen, "--tables", none]).contains("White mates in 6\n"));
    assert!(
        stdout(&["tables", "probe", queen, "--tables", none]).starts_with("White mates in 6\n")
    );
    let bishops = "8/8/8/8/8/2k5/8/K4BB1 w - - 0 1";
    let told = refusal(&["tables", "probe", bishops, "--tables", none]);
    let sentence = "tabiya: 4 men are on the board, and the largest table here is of 3; \
                    tabiya tables make KBBvK makes what is needed";
    assert_eq!(told, (1, sentence.to_owned()));
}
