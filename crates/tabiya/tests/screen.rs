//! The screen in a real terminal: tmux types, and reads what is shown.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A terminal with a shell in it.
struct Tmux {
    socket: String,
    folder: tempfile::TempDir,
}

impl Tmux {
    /// A terminal of that size.
    fn new(name: &str, width: u16, height: u16) -> Tmux {
        let version = Command::new("tmux").arg("-V").output();
        assert!(version.is_ok(), "these tests need tmux (apt-get install tmux)");
        let tmux = Tmux {
            socket: format!("tabiya-{name}-{}", std::process::id()),
            folder: tempfile::tempdir().unwrap(),
        };
        let (width, height) = (width.to_string(), height.to_string());
        let output = Command::new("tmux")
            .args(["-L", &tmux.socket, "-f", "/dev/null", "new-session", "-d"])
            .args(["-x", &width, "-y", &height, "PS1='$ ' exec sh"])
            .env_remove("TMUX")
            .env("TABIYA_DATA", tmux.folder.path())
            .env("TABIYA_CONFIG", tmux.folder.path().join("config.toml"))
            .env("LC_ALL", "C.UTF-8")
            .current_dir(tmux.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        tmux.tmux(&["set", "-g", "status", "off"]);
        tmux.wait("the shell", |text| text.contains('$'));
        tmux
    }

    fn tmux(&self, args: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(args).output().unwrap()
    }

    /// Presses keys by tmux's names for them.
    fn keys(&self, keys: &[&str]) {
        let output = self.tmux(&[&["send-keys"], keys].concat());
        assert!(output.status.success(), "{output:?}");
    }

    /// Types text as it is, and Enter.
    fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.keys(&["Enter"]);
    }

    /// Presses the left mouse button on a cell and lets it go, as a terminal reports it.
    fn click(&self, x: usize, y: usize) {
        for end in ["M", "m"] {
            let report = format!("\u{1b}[<0;{};{}{end}", x + 1, y + 1);
            self.tmux(&["send-keys", "-l", &report]);
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until the terminal shows what it should.
    fn wait(&self, what: &str, shown: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let text = self.text();
            if shown(&text) {
                return text;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "waited for {what}:\n{text}");
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    fn shows(&self, wanted: &str) -> String {
        self.wait(wanted, |text| text.contains(wanted))
    }

    fn run(&self, arguments: &str) {
        self.line(&format!("{} {arguments}", env!("CARGO_BIN_EXE_tabiya")));
    }

    /// Where a text is on the screen: column and line.
    fn find(&self, wanted: &str) -> (usize, usize) {
        let text = self.shows(wanted);
        let found = text
            .lines()
            .enumerate()
            .find_map(|(y, line)| line.find(wanted).map(|at| (line[..at].chars().count(), y)));
        found.unwrap()
    }

    /// The numbers of the rows, from the top.
    fn rows(&self) -> String {
        let first = |line: &str| line.trim_start().chars().next();
        self.text().lines().filter_map(first).filter(char::is_ascii_digit).take(8).collect()
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn a_game_of_chess_by_keys() {
    let tmux = Tmux::new("chess", 80, 24);
    tmux.run("play --black random --seed 7");
    tmux.shows("Your move");
    // By typing.
    tmux.line("e4");
    tmux.shows("1. e4");
    tmux.wait("an answer", |text| text.contains("Your move"));
    // By arrows, from a square that was typed.
    tmux.line("g1");
    tmux.keys(&["Down", "Left", "Up", "Up", "Enter"]);
    tmux.shows("2. Nf3");
    tmux.wait("an answer", |text| text.contains("Your move"));
    // A refusal is explained.
    tmux.line("Ke4");
    let text = tmux.wait("a refusal", |text| text.to_lowercase().contains(" king "));
    assert!(text.contains("2. Nf3"));
    tmux.keys(&["Escape"]);
    // Windows of other sizes.
    for (width, height) in [("40", "20"), ("120", "40"), ("20", "8"), ("100", "30")] {
        tmux.tmux(&["resize-window", "-x", width, "-y", height]);
        std::thread::sleep(Duration::from_millis(200));
    }
    tmux.shows("2. Nf3");
    // The board turned round.
    assert_eq!(tmux.rows(), "87654321");
    tmux.keys(&["Space", "f"]);
    tmux.wait("a turned board", |_| tmux.rows() == "12345678");
    tmux.keys(&["Space", "f"]);
    tmux.wait("the board turned back", |_| tmux.rows() == "87654321");
    // Taken back, and played again.
    tmux.keys(&["u"]);
    tmux.wait("a move less", |text| !text.contains("2. Nf3"));
    tmux.keys(&["r"]);
    tmux.shows("2. Nf3");
    // Back to the shell for a moment.
    tmux.keys(&["C-z"]);
    tmux.shows("Stopped");
    tmux.line("fg");
    tmux.wait("the screen", |text| text.contains("2. Nf3") && text.contains("Your move"));
    // Left and taken up again.
    tmux.keys(&["q"]);
    tmux.shows("The game is kept: tabiya play --resume");
    tmux.run("play --resume");
    tmux.wait("the game", |text| text.contains("2. Nf3") && text.contains("Your move"));
    tmux.keys(&["C-c"]);
    tmux.wait("the shell", |text| !text.contains("Your move"));
    tmux.line("echo still here");
    tmux.wait("the shell", |text| text.lines().any(|line| line == "still here"));
}

#[test]
fn a_move_by_mouse() {
    let tmux = Tmux::new("mouse", 80, 24);
    tmux.run("play --black random --seed 7 --ascii --theme plain");
    tmux.shows("Your move");
    let (left, bottom) = tmux.find(" a   b   c");
    let file = |file: usize| left + 1 + 4 * file;
    // Rows are two lines high; the first row is just above the letters.
    let row = |row: usize| bottom - 2 * row;
    tmux.click(file(4), row(2));
    tmux.wait("destinations", |text| text.contains(">P <"));
    tmux.click(file(4), row(4));
    tmux.shows("1. e4");
    tmux.keys(&["q"]);
    tmux.shows("The game is kept");
}

#[test]
fn the_terminal_is_given_back_on_a_signal() {
    let tmux = Tmux::new("signal", 60, 20);
    let tabiya = env!("CARGO_BIN_EXE_tabiya");
    tmux.line(&format!("sh -c 'echo $$ > pid; exec {tabiya} play --black random --seed 7'"));
    tmux.shows("Your move");
    let pid = std::fs::read_to_string(tmux.folder.path().join("pid")).unwrap();
    Command::new("kill").arg(pid.trim()).status().unwrap();
    // The next line may be typed only when the shell asks for it, or it is echoed before its prompt.
    tmux.wait("the shell", |text| !text.contains("Your move") && text.trim_end().ends_with('$'));
    tmux.line("stty -a | grep -c ' echo '");
    tmux.wait("a terminal that echoes", |text| text.lines().any(|line| line.trim() == "1"));
}

fn board(folder: &Path) {
    let text = "26\nKa1, Bb1, Bd1, Bm1, Bc2\nKz26, By26, Bw26, Bx25\n";
    std::fs::write(folder.join("board.txt"), text).unwrap();
}

#[test]
fn the_bishop_and_king_game_on_a_board_larger_than_the_window() {
    let tmux = Tmux::new("bishops", 60, 20);
    board(tmux.folder.path());
    tmux.run("puzzle board.txt --tui --level 0 --seed 1");
    tmux.shows("Your move");
    // The first row is in sight, the last is not.
    let text = tmux.text();
    assert!(text.contains("\n 1") && !text.contains("\n26"), "{text}");
    tmux.line("b1a2");
    tmux.wait("an answer", |text| text.contains("b1a2") && text.contains("Your move"));
    // To the far corner by arrows.
    tmux.keys(&["Up"; 30]);
    tmux.wait("the last row", |text| text.lines().any(|line| line.starts_with("26")));
    tmux.keys(&["Space", "u"]);
    tmux.wait("the move taken back", |text| !text.contains("b1a2"));
    tmux.keys(&["Space", "q"]);
    tmux.wait("the shell", |text| !text.contains("Your move"));
}

#[test]
fn positions_are_walked_through_and_played_on_from() {
    let tmux = Tmux::new("browse", 80, 24);
    std::fs::write(
        tmux.folder.path().join("mate.pgn"),
        "[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    )
    .unwrap();
    tmux.run("games import mate.pgn");
    tmux.shows("1 game added.");
    // A game that is over is opened at its start.
    tmux.run("games open 1");
    tmux.shows("The start of the game");
    tmux.keys(&["Right", "Right"]);
    tmux.shows("After 1...e5");
    tmux.keys(&["End"]);
    tmux.shows("Checkmate: Black wins");
    tmux.keys(&["Left"]);
    tmux.shows("After 2.g4");
    // Another end, in a game of its own.
    tmux.line("d6");
    tmux.shows("A new game from here with d6?");
    tmux.keys(&["y"]);
    tmux.wait("the new game", |text| text.contains("d6") && text.contains("to move"));
    tmux.keys(&["q"]);
    tmux.shows("The game is kept");
    tmux.run("games list");
    tmux.wait("both games", |text| text.contains("0-1") && text.contains("2 moves  *"));
    // From a list.
    tmux.run("games open");
    tmux.shows("Open a game");
    tmux.keys(&["Down", "Enter"]);
    tmux.shows("The start of the game");
    tmux.keys(&["q"]);
}

#[test]
fn the_screen_is_cleared_drawn_anew_and_left_by_control_c() {
    let tmux = Tmux::new("anew", 80, 24);
    // Somebody has left text on the other screen.
    tmux.line("printf '\\033[?1049h'; seq 30");
    tmux.shows("30");
    tmux.run("play --black random --seed 7");
    let text = tmux.shows("Your move");
    assert!(!text.lines().any(|line| line.trim() == "12"), "{text}");
    // Control keys edit what is typed and command nothing.
    tmux.line("e4");
    tmux.wait("an answer", |text| text.contains("1. e4") && text.contains("Your move"));
    tmux.keys(&["N", "f", "C-u", "C-d", "C-l"]);
    let text = tmux.wait("an empty line", |text| !text.contains("› "));
    assert!(text.contains("1. e4") && !text.contains("draw"), "{text}");
    tmux.keys(&["C-c"]);
    tmux.shows("Execution interrupted.");
}

#[test]
fn an_engine_shows_its_lines() {
    let tmux = Tmux::new("engine", 80, 24);
    tmux.run("play --black human --no-keep --fen '6k1/5ppp/8/8/8/8/8/R3K3 w'");
    tmux.shows("White to move");
    tmux.keys(&["Space", "a"]);
    tmux.wait("a mate", |text| text.contains("Tabiya, depth ") && text.contains("#1 Ra8#"));
    tmux.keys(&["Space", "a"]);
    tmux.wait("no lines", |text| !text.contains("Ra8#"));
    // A name that is proposed is replaced by what is typed, and keeps its letters.
    tmux.keys(&["s"]);
    tmux.shows("game.pgn");
    tmux.line("nowhere/game.pgn");
    tmux.shows("It could not be saved: nowhere/game.pgn: ");
    tmux.keys(&["q"]);
}
