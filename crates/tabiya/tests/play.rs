//! Games at the terminal, a line at a time: what is typed, what is said, what is left on the disk.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(args).env("TABIYA_DATA", self.folder()).current_dir(self.folder());
        command.env("TABIYA_CONFIG", self.folder().join("config.toml"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn output(&self, args: &[&str], input: &str) -> Output {
        let mut child = self.command(args).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// What is said; there must be no complaint.
    fn say(&self, args: &[&str], input: &str) -> String {
        let output = self.output(args, input);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && complaint.is_empty(), "{args:?}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The one line of a refusal.
    fn refusal(&self, args: &[&str]) -> String {
        let output = self.output(args, "");
        assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        text.trim_end().to_owned()
    }

    fn people(&self, input: &str) -> String {
        self.say(&["play", "--plain", "--black", "human"], input)
    }
}

fn board(rows: [&str; 8]) -> String {
    let line = "  +---+---+---+---+---+---+---+---+\n";
    let mut text = String::new();
    for (number, row) in (1..=8).rev().zip(rows) {
        let cells: Vec<String> =
            row.chars().map(|piece| piece.to_string().replace('.', " ")).collect();
        text += &format!("{line}{number} | {} |\n", cells.join(" | "));
    }
    text + line + "    a   b   c   d   e   f   g   h \n\n\n"
}

#[test]
fn a_dialogue_byte_for_byte() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let empty = "........";
    let start = board(["....k...", empty, empty, empty, empty, empty, "....P...", "....K..."]);
    let e4 = board(["....k...", empty, empty, empty, "....P...", empty, empty, "....K..."]);
    let kd7 = board([empty, "...k....", empty, empty, "....P...", empty, empty, "....K..."]);
    let args = ["play", "--plain", "--black", "human", "--fen", fen];
    let text = Folder::new()
        .say(&args, "e1\ne2 -> e4\ne5\nKd7\nhistory\nundo\nnotation uci\nhistory\nquit\n");
    let expected = format!(
        "{start}e1 may go to d1 f1 d2 f2\nwhite moves: e2 -> e4\n{e4}No pawn of yours can go to e5.\n\
         black moves: e8 -> d7\n{kd7}1. e4 Kd7\n{e4}Moves are written like g1f3.\n1. e2e4\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn the_same_input_gives_the_same_output() {
    let args = ["play", "--plain", "--level", "900", "--seed", "3"];
    let input = "e4\nhint\neval\nd4\nthreats\nmoves\nhistory\nundo\nredo\n";
    let (one, other) = (Folder::new(), Folder::new());
    let text = one.say(&args, input);
    assert_eq!(text, other.say(&args, input));
    assert_eq!(text.matches("black moves: ").count(), 2, "{text}");
    assert!(text.contains("\nHint: ") && text.contains("\nEvaluation: "), "{text}");
    assert!(text.ends_with("Execution interrupted.\n"));
}

#[test]
fn every_command_is_understood() {
    let folder = Folder::new();
    let text = folder.people("help\nhistory\nnotation arrows\nnotation tally\ne4\nexport\nsave game.pgn\nload nowhere.pgn\nsave\n");
    for part in [
        "Type a move: ",
        "No moves yet.\n",
        "Moves are written like g1 -> f3.\n",
        "Notations are san, uci and arrows.\n",
        "[White \"Human\"]\n",
        "\n1. e4 *\n",
        "Saved to game.pgn.\n",
        "It could not be loaded: nowhere.pgn: ",
        "The game is kept, as number 1.\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let saved = std::fs::read_to_string(folder.folder().join("game.pgn")).unwrap();
    assert!(saved.ends_with("\n1. e4 *\n"), "{saved}");
    let leftovers = std::fs::read_dir(folder.folder()).unwrap();
    assert!(leftovers.flatten().all(|file| !file.path().to_string_lossy().ends_with(".new")));
}

#[test]
fn save_and_load_give_the_same_position() {
    let folder = Folder::new();
    let first = folder.people("e4\nc5\nNf3\nfen\nsave game.pgn\nquit\n");
    let fen = first.lines().find(|line| line.contains(" b KQkq ")).unwrap().to_owned();
    let again = folder.people("load game.pgn\nfen\nhistory\nd6\nquit\n");
    assert!(again.contains(&fen), "{again}");
    assert!(again.contains("1. e4 c5\n2. Nf3\n"));
    let loaded =
        folder.say(&["play", "--plain", "--black", "human", "--load", "game.pgn"], "fen\n");
    assert!(loaded.contains(&fen));
    std::fs::write(folder.folder().join("position.fen"), &fen).unwrap();
    let loaded =
        folder.say(&["play", "--plain", "--black", "human", "--load", "position.fen"], "fen\n");
    assert!(loaded.contains(&fen));
}

#[test]
fn draws_and_resigning() {
    let folder = Folder::new();
    let text = folder.people("e4\ndraw\nresign\n");
    assert!(
        text.ends_with("Black offers a draw.\nBlack resigns: White wins. Game over!\n"),
        "{text}"
    );
    let text = folder.people("draw\ne4\ndraw\nfoo\n");
    assert!(text.contains("Draw by agreement. Game over!\nThe game is over. "), "{text}");
    let shuffle = "Nf3\nNf6\nNg1\nNg8\n".repeat(2);
    let text = folder.people(&format!("{shuffle}draw\nundo\nhistory\n"));
    assert!(
        text.contains("Draw by threefold repetition. Game over!\nThe game goes on.\n"),
        "{text}"
    );
    let five = folder.people(&"Nf3\nNf6\nNg1\nNg8\n".repeat(4));
    assert!(five.ends_with("Draw by fivefold repetition. Game over!\n"));
    let refused = folder.say(
        &["play", "--plain", "--black", "tabiya", "--fen", "3qk3/8/8/8/8/8/PP6/4K3 w - - 0 40"],
        "draw\nquit\n",
    );
    assert!(refused.contains("Tabiya declines the draw: it likes its position.\n"), "{refused}");
}

#[test]
fn the_end_can_be_taken_back() {
    let text = Folder::new().people("f3\ne5\ng4\nQh4\nundo\nQg5\nhistory\n");
    assert!(text.contains("Checkmate: Black wins.\nNo legal moves left for white. Game over!\n"));
    assert!(text.contains("1. f3 e5\n2. g4 Qg5\n"), "{text}");
}

#[test]
fn chess960_by_its_number() {
    let folder = Folder::new();
    let args = ["play", "--plain", "--black", "human", "--chess960", "0"];
    assert!(folder.say(&args, "fen\n").contains("bbqnnrkr/pppppppp/"));
    assert!(folder.refusal(&["play", "--chess960", "960"]).contains("numbered 0 to 959"));
    assert!(
        folder.refusal(&["play", "--chess960", "1", "--game", "bishops"]).contains("are for chess")
    );
}

#[test]
fn watching_ends_after_so_many_moves_or_when_told() {
    let folder = Folder::new();
    for moves in ["5", "25", "50"] {
        let args =
            ["play", "--white", "random", "--black", "random", "--seed", "7", "--moves", moves];
        let text = folder.say(&args, "");
        assert_eq!(text.matches(" moves: ").count().to_string(), moves);
    }
    // Nobody played: nothing is kept.
    assert!(folder.say(&["games"], "").starts_with("There are no games yet"));
    let slow = ["play", "--white", "random", "--black", "random", "--delay", "30"];
    let mut child = folder.command(&slow).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    read_until(&mut out, "white moves: ");
    interrupt(&child);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
    assert!(rest.ends_with("\nExecution interrupted.\n"), "{rest}");
    assert!(child.wait().unwrap().success());
}

fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
}

/// Until the program itself takes Ctrl-C, as the bit of SIGINT in its status tells.
#[cfg(target_os = "linux")]
fn wait_until_it_listens(child: &Child) {
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(caught, 16).unwrap() & 0b10 != 0
    };
    let begun = std::time::Instant::now();
    while !listens() {
        assert!(begun.elapsed().as_secs() < 60, "Ctrl-C is not listened to");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn read_until(out: &mut BufReader<ChildStdout>, beginning: &str) -> String {
    loop {
        let mut line = String::new();
        assert_ne!(out.read_line(&mut line).unwrap(), 0, "no {beginning:?}");
        if line.starts_with(beginning) {
            return line.trim_end().to_owned();
        }
    }
}

#[test]
fn control_c_and_the_end_of_input_lose_nothing() {
    let folder = Folder::new();
    let mut child = folder.command(&["play", "--plain", "--black", "human"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    input.write_all(b"e4\n").unwrap();
    read_until(&mut out, "white moves: ");
    interrupt(&child);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
    assert!(rest.ends_with("Execution interrupted.\n"), "{rest}");
    assert!(child.wait().unwrap().success());
    let text = folder.say(&["play", "--plain", "--resume"], "e5\nhistory\n");
    assert!(text.contains("\n1. e4 e5\n"), "{text}");
    let text = folder.say(&["play", "--plain", "--resume", "1"], "history\n");
    assert!(text.contains("\n1. e4 e5\n"), "{text}");
}

#[test]
fn a_killed_game_goes_on_with_every_confirmed_move() {
    let folder = Folder::new();
    let mut confirmed: Vec<String> = Vec::new();
    let start = ["play", "--plain", "--white", "human", "--black", "random", "--seed", "11"];
    let resume = ["play", "--plain", "--resume"];
    for (round, pawn) in ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().enumerate() {
        let args: &[&str] = if round == 0 { &start } else { &resume };
        let mut child = folder.command(args).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        // One of them can nearly always be played: a random opponent may stand in the way of the other.
        writeln!(input, "{pawn}3\nmoves").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        while out.read_line(&mut line).unwrap() > 0 {
            if let Some((side, m)) = line.trim_end().split_once(" moves: ") {
                confirmed.push(m.to_owned());
                if side == "black" {
                    break;
                }
            } else if line.contains(" can") || line.contains("check") {
                break; // That one was refused.
            }
            line.clear();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let history = folder.say(&resume, "notation arrows\nhistory\nquit\n");
        let kept: String = history
            .lines()
            .rev()
            .take_while(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
            .join(" ");
        let mut at = 0;
        for m in &confirmed {
            let found =
                kept[at..].find(m.as_str()).unwrap_or_else(|| panic!("{m} is lost: {kept}"));
            at += found + m.len();
        }
    }
    assert!(confirmed.len() >= 8, "{confirmed:?}");
}

#[test]
fn a_game_killed_in_the_middle_of_a_move_is_whole() {
    let script = "Nf3\nNf6\nNg1\nNg8\nNc3\nNc6\nNb1\nNb8\ne4\ne5\nNf3\nNc6\nBb5\na6\nBa4\nNf6\n";
    for confirmed in 1..8 {
        let folder = Folder::new();
        let mut child = folder.command(&["play", "--plain", "--black", "human"]).spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        for number in 0..confirmed {
            read_until(&mut out, if number % 2 == 0 { "white moves: " } else { "black moves: " });
        }
        // The next moves are being written now.
        child.kill().unwrap();
        child.wait().unwrap();
        let text = folder.say(&["play", "--plain", "--resume"], "history\nexport\nquit\n");
        let kept = text.lines().filter(|line| line.contains(". N")).count();
        assert!(kept * 2 + 1 >= confirmed, "{confirmed}: {text}");
        assert!(text.contains("\n1. Nf3"), "{text}");
    }
}

#[test]
fn bishops_and_kings() {
    let folder = Folder::new();
    std::fs::write(folder.folder().join("board.txt"), "3\nKc1, Ba3, Bb3\nKa1\n").unwrap();
    let args = ["play", "--plain", "--game", "bishops", "--board", "board.txt"];
    let text = folder.say(&args, "a3\na3 -> b2\nexport\n");
    assert!(text.contains("a3 may go to b2\n"), "{text}");
    assert!(text.contains("white moves: a3 -> b2\n  +---+---+---+\n3 |   | B |   |\n"), "{text}");
    assert!(
        text.contains("Checkmate: White wins.\nNo legal moves left for black. Game over!\n3\n"),
        "{text}"
    );

    let args = ["play", "--plain", "--game", "bishops", "--size", "10", "--seed", "5"];
    let first = folder.say(&args, "moves\n");
    let m = first.lines().rev().nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let text = folder.say(&args, &format!("{m}\nquit\n"));
    assert_eq!(text.matches(" moves: ").count(), 2, "{text}");
    let resumed = folder.say(&["play", "--plain", "--resume"], "history\n");
    assert!(resumed.contains(&format!("\n1. {m} ")), "{resumed}");
    assert!(folder.say(&["games"], "").contains("bishops"));
    assert!(folder.refusal(&["play", "--size", "5"]).contains("add --game bishops"));
    assert!(
        folder.refusal(&["play", "--game", "bishops", "--size", "2"]).contains("sizes are 3 to 26")
    );
    let other = folder.refusal(&["play", "--game", "bishops", "--black", "minimax:2"]);
    assert!(other.contains("does not play the bishop-and-king game"), "{other}");
}

#[test]
fn who_plays_if_nobody_says() {
    let folder = Folder::new();
    let record = |args: &[&str], input: &str| {
        let args = [&["play", "--plain", "--seed", "1"], args].concat();
        folder.say(&args, input)
    };
    assert!(record(&[], "e4\nexport\n").contains("[Black \"Tabiya, level 1200\"]"));
    assert!(record(&["--level", "700"], "e4\nexport\n").contains("[Black \"Tabiya, level 700\"]"));
    let black = record(&["--white", "tabiya:700"], "export\n");
    assert!(black.contains("[Black \"Human\"]") && black.starts_with("white moves: "), "{black}");
    assert!(folder.refusal(&["play", "--level", "7000"]).contains("is no level"));
    assert!(folder.refusal(&["play", "--black", "nobody"]).contains("there is no player"));
}

#[test]
fn a_game_without_take_backs() {
    let args = ["play", "--plain", "--black", "human", "--take-backs", "no"];
    let text = Folder::new().say(&args, "e4\nundo\n");
    assert!(text.contains("Moves are not taken back in this game.\n"));
}

#[test]
fn an_engine_that_fails_is_told() {
    let folder = Folder::new();
    let args = ["play", "--plain", "--black", "uci:/nowhere/engine"];
    let output = folder.output(&args, "e4\n");
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("tabiya: engine "), "{text}");
    // The game is there all the same.
    assert!(folder.say(&["games"], "").contains("1 move "));
}

#[test]
fn time_runs_out() {
    let folder = Folder::new();
    let args = ["play", "--plain", "--black", "human", "--time", "90+30"];
    assert!(folder.say(&args, "e4\nclock\n").contains("White 90:"));
    assert!(folder.people("clock\n").contains("This game has no clocks.\n"));
    let args = ["play", "--plain", "--black", "human", "--time", "0.01+0"];
    let mut child = folder.command(&args).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let end = read_until(&mut out, "White's time");
    assert_eq!(end, "White's time is up: Black wins. Game over!");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn games_are_looked_after() {
    let folder = Folder::new();
    // Whoever looks leaves no trace.
    let nothing = folder.folder().join("not yet");
    let here = nothing.to_string_lossy().into_owned();
    let said = "There are no games yet: tabiya play begins one.\n";
    assert_eq!(folder.say(&["games", "--data", &here], ""), said);
    assert_eq!(folder.say(&["games", "list", "--data", &here], ""), said);
    assert_eq!(folder.say(&["games", "export", "--data", &here], ""), "");
    assert!(folder.refusal(&["games", "show", "1", "--data", &here]).contains("no games in"));
    assert!(!nothing.exists());
    assert!(
        folder.refusal(&["play", "--plain", "--resume"]).contains("there is no unfinished game")
    );
    folder.people("e4\ne5\nresign\n");
    folder.people("d4\n");
    folder.people(""); // Nothing happened, so nothing is kept.
    let list = folder.say(&["games"], "");
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.lines().next().unwrap().trim_start().starts_with("2  "));
    assert!(list.contains("1-0") || list.contains("0-1"), "{list}");
    let unfinished = folder.say(&["games", "list", "--unfinished"], "");
    assert_eq!(unfinished.lines().count(), 1);

    std::fs::write(
        folder.folder().join("two.pgn"),
        "[White \"Morphy\"]\n\n1. e4 e5 1-0\n\n[White \"X\"]\n\n1. e5 *\n",
    )
    .unwrap();
    let output = folder.output(&["games", "import", "two.pgn"], "");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "1 game added.\n1 game could not be read.\n"
    );
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("two.pgn:7:4: game 2: "));
    let again = folder.output(&["games", "import", "two.pgn"], "");
    assert_eq!(
        String::from_utf8(again.stdout).unwrap(),
        "0 games added.\n1 game was here already.\n1 game could not be read.\n"
    );
    let found = folder.say(&["games", "list", "--search", "open mórphy", "--imported"], "");
    assert!(found.contains("C20 Open Game"), "{found}");
    let sorted = folder.say(&["games", "list", "--sort", "plies", "--limit", "1"], "");
    assert!(sorted.contains("There are more: --after 2."), "{sorted}");
    let id = found.split_whitespace().next().unwrap().to_owned();
    assert!(folder.say(&["games", "show", &id], "").contains("1. e4 e5 1-0"));
    let all = folder.say(&["games", "export"], "");
    assert_eq!(all.matches("[Event ").count(), 3);
    folder.say(&["games", "delete", &id], "");
    assert!(folder.refusal(&["games", "show", &id]).contains("there is no game"));
    folder.say(&["games", "undelete", &id], "");
    assert!(folder.say(&["games", "show", &id], "").contains("Morphy"));
}

#[test]
fn a_damaged_store_is_told_and_left_alone() {
    let folder = Folder::new();
    let file = folder.folder().join("games.db");
    std::fs::write(&file, "not a database").unwrap();
    let text = folder.refusal(&["play", "--plain"]);
    assert!(text.contains("games.db is damaged"), "{text}");
    assert_eq!(std::fs::read(&file).unwrap(), b"not a database");
    // One may play without.
    assert!(
        folder
            .say(&["play", "--plain", "--no-keep", "--black", "human"], "e4\n")
            .contains("white moves: ")
    );
    let other = folder.folder().join("elsewhere");
    let args = ["play", "--plain", "--black", "human", "--data", other.to_str().unwrap()];
    folder.say(&args, "e4\n");
    assert!(other.join("games.db").exists());
}

#[test]
fn an_empty_square_is_told_by_its_number_too() {
    let text = Folder::new().people("e5e6\ne4 -> e5\nfen\n");
    let told = "Cannot move empty square. (ID: 0)\nThere is no piece on e";
    assert_eq!(text.matches(told).count(), 2, "{text}");
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"));
}

#[test]
fn a_wrong_answer_at_a_promotion_is_asked_again() {
    let ask = |answers: &str| {
        let fen = "4k3/P7/8/8/8/8/8/4K2R w - - 0 1";
        let args = ["play", "--plain", "--black", "human", "--fen", fen];
        Folder::new().say(&args, &format!("a8\n{answers}\nfen\n"))
    };
    let text = ask("king\n\nn");
    assert_eq!(text.matches("Promote to queen, rook, bishop or knight?").count(), 3, "{text}");
    assert!(text.contains("N3k3/8/8/8/8/8/8/4K2R b"), "{text}");
    let text = ask("cancel");
    assert!(text.contains("The pawn stays.\n4k3/P7/8/8/8/8/8/4K2R w"), "{text}");
    // Whoever wants to leave may.
    let folder = Folder::new();
    let fen = "4k3/P7/8/8/8/8/8/4K2R w - - 0 1";
    let args = ["play", "--plain", "--black", "human", "--no-keep", "--fen", fen];
    assert!(!folder.say(&args, "a8\nquit\n").contains("interrupted"));
}

#[test]
fn check_is_announced() {
    let text = Folder::new().people("e4\nf5\nQh5\ng6\nQxg6\nhxg6\n");
    assert_eq!(text.matches("\nBlack is in check.\n").count(), 2, "{text}");
    assert_eq!(text.matches("is in check").count(), 2);
}

#[test]
fn a_notation_counts_for_moves_hints_and_lists() {
    let folder = Folder::new();
    let args =
        ["play", "--plain", "--black", "human", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"];
    let text = folder.say(
        &args,
        "notation san\nhint\nnotation uci\nhint\nmoves\nnotation arrows\nhint\nnotation san\nRa8\n",
    );
    for said in ["Hint: Ra8#\n", "Hint: a1a8\n", "a1a2 ", "Hint: a1 -> a8\n", "white moves: Ra8#\n"]
    {
        assert!(text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn a_position_is_saved_as_fen() {
    let folder = Folder::new();
    folder.people("e4\nsave now.fen\nsave now.pgn\n");
    let read = |name: &str| std::fs::read_to_string(folder.folder().join(name)).unwrap();
    assert_eq!(read("now.fen"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
    assert!(read("now.pgn").contains("1. e4 *"));
}

#[test]
fn computers_tell_what_they_expect_and_keep() {
    let args = ["play", "--white", "tree:2", "--black", "tree:2", "--moves", "4"];
    let folder = Folder::new();
    let text = folder.say(&args, "");
    assert_eq!(text.matches("\nscore: +0.00\n").count(), 4, "{text}");
    let text = folder.say(&[&args[..], &["--stats"]].concat(), "");
    assert!(text.contains("looked at 420 positions; keeps 421 nodes in "), "{text}");
    assert!(text.contains("; of 421 before, 420 were cut\n"), "{text}");
    // A person is not told what the opponent thinks.
    let text = folder.say(&["play", "--plain", "--black", "tree:2"], "e4\n");
    assert!(text.contains("black moves: ") && !text.contains("score"), "{text}");
}

#[test]
fn a_game_of_chance_is_played_to_the_end_of_legal_moves() {
    let folder = Folder::new();
    let watch = [
        "play",
        "--white",
        "random",
        "--black",
        "random",
        "--fen",
        "4k1n1/8/8/8/8/8/8/4K1N1 w - - 140 90",
    ];
    // With draws some of these games end by repetition or quiet moves, without none.
    let ends = |more: &[&str]| -> Vec<String> {
        (1..=2)
            .map(|seed: u32| {
                let seed = seed.to_string();
                let args = [&watch[..], more, &["--seed", &seed]].concat();
                folder.say(&args, "").lines().last().unwrap_or_default().to_owned()
            })
            .collect()
    };
    let end = |line: &String| {
        line.starts_with("No legal moves left for ") || line.starts_with("Draw by insufficient")
    };
    assert!(ends(&["--no-draws"]).iter().all(end));
    assert!(!ends(&[]).iter().any(end));
    assert!(folder.refusal(&["play", "--plain", "--no-draws"]).contains("between computers"));
}

#[test]
fn what_was_taken_back_can_be_played_again_after_a_while() {
    let folder = Folder::new();
    folder.people("e4\ne5\nNf3\nNc6\nundo one\nundo one\nundo one\nquit\n");
    let resume = |input: &str| folder.say(&["play", "--plain", "--resume"], input);
    let text = resume("redo\nredo\nhistory\nquit\n");
    assert!(text.contains("1. e4 e5\n2. Nf3\n"), "{text}");
    // Another move, and there is nothing to play again.
    let text = resume("d6\nundo one\nredo\nhistory\nquit\n");
    assert!(text.contains("2. Nf3 d6\n"), "{text}");
    let text = resume("redo\nquit\n");
    assert!(text.contains("There is nothing to play again."), "{text}");
}

#[test]
fn settings_are_kept_in_a_file() {
    let folder = Folder::new();
    folder.say(&["config", "level", "700"], "");
    folder.say(&["config", "theme", "slate"], "");
    assert_eq!(folder.say(&["config", "level"], ""), "700\n");
    let list = folder.say(&["config"], "");
    assert!(
        list.contains("theme     slate\n") && list.contains("sounds    off   (not set)\n"),
        "{list}"
    );
    let text = folder.say(&["play", "--plain"], "e4\nexport\n");
    assert!(text.contains("[Black \"Tabiya, level 700\"]"), "{text}");
    folder.say(&["config", "--unset", "level"], "");
    assert_eq!(folder.say(&["config", "level"], ""), "1200\n");
    // What is wrong is told with its place, and nothing is changed.
    assert!(folder.refusal(&["config", "level", "9"]).contains("400 to 2400"));
    assert!(folder.refusal(&["config", "engine", "human"]).contains("no person"));
    std::fs::write(folder.folder().join("config.toml"), "theme = \"slate\"\nlevle = 900\n")
        .unwrap();
    let refusal = folder.refusal(&["play", "--plain"]);
    assert!(refusal.contains("config.toml: line 2: unknown variant `levle`"), "{refusal}");
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_interrupts_is_told() {
    let folder = Folder::new();
    let endless = ["match", "--engine", "random", "--engine", "random", "--pairs", "1000000"];
    for args in [
        &["puzzle"][..],
        &["bench", "40"],
        &["search", "--depth", "60", "--method", "minimax"],
        &endless,
    ] {
        let mut child = folder.command(args).spawn().unwrap();
        let _input = child.stdin.take();
        wait_until_it_listens(&child);
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.ends_with("Execution interrupted.\n"), "{args:?}: {text}");
        assert_eq!(output.status.code(), Some(130));
    }
}

#[test]
fn whoever_asks_for_numbers_reads_them_a_line_at_a_time() {
    let folder = Folder::new();
    let game = "play --white tree:2 --black random --seed 1 --stats --no-keep --delay 0 --fen 4k3/8/8/8/8/8/8/QQ2K3";
    let output = Command::new("script")
        .args(["-qec", &format!("{} {game}", env!("CARGO_BIN_EXE_tabiya")), "/dev/null"])
        .env("TABIYA_DATA", folder.folder())
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output()
        .expect("script is there: apt-get install bsdutils");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("looked at ") && text.contains("; keeps "), "{text}");
    assert!(!text.contains("\u{1b}[?1049h"), "{text}");
}

#[test]
fn a_dumb_terminal_is_not_drawn_on() {
    // `script`, of util-linux, gives the program a terminal.
    let folder = Folder::new();
    let output = Command::new("script")
        .args(["-qec", &format!("{} play --seed 1", env!("CARGO_BIN_EXE_tabiya")), "/dev/null"])
        .env("TABIYA_DATA", folder.folder())
        .env("TERM", "dumb")
        .stdin(Stdio::null())
        .output()
        .expect("script is there: apt-get install bsdutils");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("8 | r | n |") && !text.contains('\u{1b}'), "{text}");
    let tables = folder.folder().join("tables");
    let make = format!(
        "{0} tables make KRvK --tables {1} && {0} tables check KRvK --tables {1}",
        env!("CARGO_BIN_EXE_tabiya"),
        tables.display()
    );
    let output = Command::new("script")
        .args(["-qec", &make, "/dev/null"])
        .env("TERM", "dumb")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("positions follow from their moves"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.replace("\r\n", "").contains('\r'), "{text}");
}
