//! The dialogue, byte for byte.

use std::collections::HashMap;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;

use tabiya_puzzle::{
    Board, BoardFileError, Disk, Files, Level, Player, SaveError, Side, Streams, converse,
};

/// Files in memory; names that begin with `full` cannot be written.
#[derive(Default)]
struct MemoryFiles(HashMap<String, String>);

impl Files for MemoryFiles {
    fn read(&mut self, name: &str) -> Result<Board, BoardFileError> {
        let path = PathBuf::from(name);
        match self.0.get(name) {
            Some(text) => text.parse().map_err(|source| BoardFileError::Plain { path, source }),
            None => Err(BoardFileError::Io { path, source: ErrorKind::NotFound.into() }),
        }
    }

    fn save(&mut self, name: &str, board: &Board) -> Result<(), SaveError> {
        if name.starts_with("full") {
            return Err(SaveError { path: name.into(), source: io::Error::other("no room") });
        }
        self.0.insert(name.to_owned(), board.plain());
        Ok(())
    }
}

const FILES: [(&str, &str); 11] = [
    ("board", "4\nKa2, Bc1, Bb4\nKd1, Ba3\n"),
    ("mate", "4\nKc2, Bc1, Bd1\nKa4, Bc3, Bb4\n"),
    ("stalemate", "4\nKb2, Ba2, Ba4\nKb4, Bd1\n"),
    ("black-mates", "4\nKd4, Bb2, Bc2\nKb4, Ba1, Ba3, Bc4\n"),
    ("white-stalemated", "4\nKa1, Bd2\nKd4, Bd3, Bc4\n"),
    ("mated-at-once", "3\nKa1\nKc1, Bc3, Bb3\n"),
    ("stalemated-at-once", "3\nKa1\nKc1, Bb3\n"),
    ("example", "5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3 \n\n"),
    ("adjacent", "5\nKc3\nKd4, Ba1"),
    ("large", "26\nKz26, Ba1,\nKa26 , Ba13\r\n"),
    ("wrong", "4\nKa2, Bz9\nKd1\n"),
];

fn files() -> MemoryFiles {
    MemoryFiles(FILES.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect())
}

fn talk_with(files: &mut MemoryFiles, file: Option<&str>, input: &str) -> String {
    let mut output = Vec::new();
    let mut console = Streams::new(input.as_bytes(), &mut output);
    converse(&mut console, files, &mut Player::new(Level::FULL, 0), file).unwrap();
    String::from_utf8(output).unwrap()
}

/// What is printed when these lines are typed.
fn talk(input: &str) -> String {
    talk_with(&mut files(), None, input)
}

/// A transcript: what is typed is not in it. Dots are blank cells.
fn expect(text: &str) -> String {
    // Dots between letters or at the end of a sentence stay.
    let blanks = |line: &str| match line.chars().all(|c| ".♔♗♚♝".contains(c)) {
        true => line.replace('.', "\u{2001}"),
        false => line.to_owned(),
    };
    text.split('\n').map(blanks).collect::<Vec<_>>().join("\n")
}

const ASK_FILE: &str = "File name for initial configuration: ";
const ASK_FILE_AGAIN: &str = "This is not a valid file. File name for initial configuration: ";
const ASK_MOVE: &str = "Next move of White: ";
const ASK_MOVE_AGAIN: &str = "This is not a valid move. Next move of White: ";
const ASK_NAME: &str = "File name to store the configuration: ";

const BOARD: &str = "The initial configuration is:\n.♗..\n♝...\n♔...\n..♗♚\n";

#[test]
fn quit_at_the_first_question() {
    assert_eq!(talk("QUIT\n"), ASK_FILE);
}

#[test]
fn quit_at_a_repeated_question() {
    let expected = format!("{ASK_FILE}{ASK_FILE_AGAIN}{ASK_FILE_AGAIN}");
    assert_eq!(talk("nothing\nwrong\nQUIT\n"), expected);
}

#[test]
fn quit_is_exactly_that_word() {
    let expected = format!("{ASK_FILE}{ASK_FILE_AGAIN}{ASK_FILE_AGAIN}{ASK_FILE_AGAIN}");
    assert_eq!(talk("quit\nQuit\nQUIT now\n"), expected);
    let expected = format!("{ASK_FILE}{BOARD}{ASK_MOVE}{ASK_MOVE_AGAIN}{ASK_MOVE_AGAIN}");
    assert_eq!(talk("board\nquit\nQUIT.\n"), expect(&expected));
}

#[test]
fn the_end_of_the_input_ends_everything() {
    assert_eq!(talk(""), ASK_FILE);
    assert_eq!(talk("wrong"), format!("{ASK_FILE}{ASK_FILE_AGAIN}"));
    assert_eq!(talk("board"), expect(&format!("{ASK_FILE}{BOARD}{ASK_MOVE}")));
    let mut files = files();
    let text = talk_with(&mut files, None, "board\nQUIT\n");
    assert_eq!(text, expect(&format!("{ASK_FILE}{BOARD}{ASK_MOVE}{ASK_NAME}")));
    assert_eq!(files.0.len(), FILES.len());
}

#[test]
fn quit_instead_of_a_move_saves() {
    let mut files = files();
    let text = talk_with(&mut files, None, "board\nQUIT\nkept\n");
    let expected = format!("{ASK_FILE}{BOARD}{ASK_MOVE}{ASK_NAME}The game configuration saved.\n");
    assert_eq!(text, expect(&expected));
    assert_eq!(files.0["kept"].parse::<Board>(), files.0["board"].parse());
}

#[test]
fn at_the_save_question_quit_is_a_name() {
    let mut files = files();
    let text = talk_with(&mut files, None, "board\nQUIT\nQUIT\n");
    assert!(text.ends_with(&format!("{ASK_NAME}The game configuration saved.\n")));
    assert!(files.0.contains_key("QUIT"));
}

#[test]
fn an_existing_file_is_replaced() {
    let mut files = files();
    talk_with(&mut files, None, "board\nb4a3\nQUIT\nwrong\n");
    assert_eq!(files.0["wrong"].parse::<Board>(), "4\nKa2,Bc1,Ba3\nKc2".parse());
}

#[test]
fn a_failed_save_says_why_and_asks_again() {
    let mut files = files();
    let text = talk_with(&mut files, None, "board\nQUIT\nfull\nother\n");
    let expected = format!(
        "{ASK_FILE}{BOARD}{ASK_MOVE}{ASK_NAME}\
         The configuration was not saved (full: no room). {ASK_NAME}The game configuration saved.\n"
    );
    assert_eq!(text, expect(&expected));
    assert!(files.0.contains_key("other") && !files.0.contains_key("full"));
}

#[test]
fn bad_moves_are_refused_until_one_is_good() {
    let bad = [
        "c1-d2", // not a move
        "", "C1D2", // columns are small letters
        "c1 d2", "c1d02", // rows have no zeros in front
        "d4d3",  // nothing there
        "a3b2",  // Black's
        "c1c2",  // not along a diagonal
        "b4b4",  // its own place
        "b4e7",  // off the board
        "c1a3x", "a2b2", // into check
        "a2b4", // not a step, and White's own bishop
    ];
    let text = talk(&format!("board\n{}\nb4a3\n", bad.join("\n")));
    let expected = format!(
        "{ASK_FILE}{BOARD}{ASK_MOVE}{}The configuration after White's move is:\n\
         ....\n♗...\n♔...\n..♗♚\n\
         Next move of Black is d1c2. The configuration after Black's move is:\n\
         ....\n♗...\n♔.♚.\n..♗.\n{ASK_MOVE}",
        ASK_MOVE_AGAIN.repeat(bad.len())
    );
    assert_eq!(text, expect(&expected));
}

#[test]
fn spaces_around_answers_do_not_matter() {
    let plain = talk("board\nb4a3\nQUIT\nkept\n");
    assert_eq!(talk("  board \r\n b4a3\t\n  QUIT\nkept \n"), plain);
    let mut files = files();
    talk_with(&mut files, None, "board\nQUIT\n  kept  \n");
    assert!(files.0.contains_key("kept"));
}

#[test]
fn white_mates() {
    let expected = format!(
        "{ASK_FILE}The initial configuration is:\n♚♝..\n..♝.\n..♔.\n..♗♗\n{ASK_MOVE}\
         The configuration after White's move is:\n♚♝..\n..♝♔\n....\n..♗♗\nGame over. White wins.\n"
    );
    assert_eq!(talk("mate\nc2d3\nQUIT\n"), expect(&expected));
}

#[test]
fn white_stalemates_black() {
    let expected = format!(
        "{ASK_FILE}The initial configuration is:\n♗♚..\n....\n♗♔..\n...♝\n{ASK_MOVE}\
         The configuration after White's move is:\n.♚..\n....\n♗♔..\n...♗\nGame over. Stalemate.\n"
    );
    assert_eq!(talk("stalemate\na4d1\nb2b3\n"), expect(&expected));
}

#[test]
fn black_mates() {
    let expected = format!(
        "{ASK_FILE}The initial configuration is:\n.♚♝♔\n♝...\n.♗♗.\n♝...\n{ASK_MOVE}\
         The configuration after White's move is:\n.♚♝♔\n♝.♗.\n..♗.\n♝...\n\
         Next move of Black is a1c3. The configuration after Black's move is:\n\
         .♚♝♔\n♝.♝.\n..♗.\n....\nGame over. Black wins.\n"
    );
    assert_eq!(talk("black-mates\nb2c3\nd4d3\n"), expect(&expected));
}

#[test]
fn black_stalemates_white() {
    let expected = format!(
        "{ASK_FILE}The initial configuration is:\n..♝♚\n...♝\n...♗\n♔...\n{ASK_MOVE}\
         The configuration after White's move is:\n..♝♚\n..♗♝\n....\n♔...\n\
         Next move of Black is d4c3. The configuration after Black's move is:\n\
         ..♝.\n..♚♝\n....\n♔...\nGame over. Stalemate.\n"
    );
    assert_eq!(talk("white-stalemated\nd2c3\n"), expect(&expected));
}

#[test]
fn a_file_in_which_the_game_is_over() {
    let expected =
        format!("{ASK_FILE}The initial configuration is:\n.♝♝\n...\n♔.♚\nGame over. Black wins.\n");
    assert_eq!(talk("mated-at-once\na1a2\n"), expect(&expected));
    let expected =
        format!("{ASK_FILE}The initial configuration is:\n.♝.\n...\n♔.♚\nGame over. Stalemate.\n");
    assert_eq!(talk("stalemated-at-once\n"), expect(&expected));
}

#[test]
fn the_example_of_the_document() {
    let expected = format!(
        "{ASK_FILE}The initial configuration is:\n.♗♔..\n....♗\n.♚♝.♝\n.....\n...♗.\n{ASK_MOVE}"
    );
    assert_eq!(talk("example\n"), expect(&expected));
}

#[test]
fn adjacent_kings_are_a_check_and_no_capture() {
    let start = "The initial configuration is:\n.....\n...♚.\n..♔..\n.....\n♝....\n";
    let expected = format!("{ASK_FILE}{start}{ASK_MOVE}{ASK_MOVE_AGAIN}{ASK_MOVE_AGAIN}{ASK_NAME}");
    assert_eq!(talk("adjacent\nc3d4\nc3c4\nQUIT\n"), expect(&expected));
}

#[test]
fn rows_up_to_26() {
    let mut files = files();
    let text = talk_with(&mut files, None, "large\na1y25\nQUIT\nkept\n");
    assert!(text.contains(ASK_MOVE) && !text.contains("not a valid"), "{text}");
    let kept: Board = files.0["kept"].parse().unwrap();
    assert_eq!(kept.piece_at("y25".parse().unwrap()).unwrap().side, Side::White);
    let first_row = text.lines().nth(1).unwrap();
    assert_eq!(first_row, format!("♚{}♔", "\u{2001}".repeat(24)));
}

#[test]
fn a_file_that_is_given_is_not_asked_for() {
    let text = talk_with(&mut files(), Some("board"), "");
    assert_eq!(text, expect(&format!("{BOARD}{ASK_MOVE}")));
    let text = talk_with(&mut files(), Some("wrong"), "board\n");
    assert_eq!(text, expect(&format!("{ASK_FILE_AGAIN}{BOARD}{ASK_MOVE}")));
}

#[test]
fn strange_bytes_and_endless_lines_are_just_wrong() {
    let mut output = Vec::new();
    let long = [&b"board\n"[..], &b"b4a3".repeat(100_000), b"\n\xff\xfe\0\nQUIT\nkept\n"].concat();
    let mut console = Streams::new(&long[..], &mut output);
    let mut files = files();
    converse(&mut console, &mut files, &mut Player::new(Level::FULL, 0), None).unwrap();
    let expected = format!(
        "{ASK_FILE}{BOARD}{ASK_MOVE}{ASK_MOVE_AGAIN}{ASK_MOVE_AGAIN}{ASK_NAME}\
         The game configuration saved.\n"
    );
    assert_eq!(String::from_utf8(output).unwrap(), expect(&expected));
}

#[test]
fn a_closed_pipe_is_an_error_and_no_panic() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut console = Streams::new("board\n".as_bytes(), Closed);
    let result = converse(&mut console, &mut files(), &mut Player::new(Level::FULL, 0), None);
    assert_eq!(result.unwrap_err().kind(), ErrorKind::BrokenPipe);
}

#[test]
fn games_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("board"), FILES[0].1).unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    // Names that cannot be: a folder, a folder that is not there, nothing at all.
    let input = format!(
        "{}\n{}\nb4a3\nQUIT\n{}\n{}\n\n{}\n",
        path("folder"),
        path("board"),
        path("folder"),
        path("nowhere/file"),
        path("board")
    );
    let mut output = Vec::new();
    let mut console = Streams::new(input.as_bytes(), &mut output);
    converse(&mut console, &mut Disk, &mut Player::new(Level::FULL, 0), None).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text.matches("The configuration was not saved (").count(), 3, "{text}");
    assert!(text.ends_with(&format!("{ASK_NAME}The game configuration saved.\n")));
    let saved: Board = "4\nKa2, Bc1, Ba3\nKc2".parse().unwrap();
    assert_eq!(Board::read(path("board")).unwrap(), saved);
    // Nothing else is left lying about.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Two kings walk for ever; so does the dialogue, in the same memory.
#[test]
fn an_endless_game() {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            // Some of these steps are possible, wherever the kings are.
            const STEPS: [&str; 6] = ["a1b1\n", "b1a1\n", "a1a2\n", "a2a1\n", "b1a2\n", "a2b1\n"];
            let line = match self.0 {
                0 => "kings\n",
                60_000.. => "",
                n => STEPS[n % STEPS.len()],
            };
            self.0 += 1;
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }
    #[derive(Default)]
    struct Counter {
        rounds: usize,
    }
    impl Write for &mut Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.rounds += usize::from(bytes.starts_with(b"Next move of Black is "));
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut files = MemoryFiles::default();
    files.0.insert("kings".to_owned(), "26\nKa1\nKz26".to_owned());
    let mut counter = Counter::default();
    let mut console = Streams::new(BufReader::new(Endless(0)), &mut counter);
    converse(&mut console, &mut files, &mut Player::new(Level::RANDOM, 0), None).unwrap();
    assert!(counter.rounds > 10_000, "{}", counter.rounds);
}
