//! The dialogue: White types moves, Black is the computer.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use std::io::{self, BufRead, Read, Write};

use crate::recent::Recent;
use crate::{Board, BoardFileError, Move, Player, Position, SaveError, Side};

/// Where the person is: asks questions and says things.
///
/// ```
/// use std::convert::Infallible;
/// use tabiya_puzzle::{Console, Disk, Level, Player, converse};
///
/// /// Gives up at once.
/// struct Tired(String);
///
/// impl Console for Tired {
///     type Error = Infallible;
///     fn ask(&mut self, prompt: &str) -> Result<Option<String>, Infallible> {
///         self.0 += prompt;
///         Ok(Some("QUIT".to_owned()))
///     }
///     fn say(&mut self, text: &str) -> Result<(), Infallible> {
///         self.0 += text;
///         Ok(())
///     }
/// }
///
/// let mut tired = Tired(String::new());
/// converse(&mut tired, &mut Disk, &mut Player::new(Level::FULL, 0), None)?;
/// assert_eq!(tired.0, "File name for initial configuration: ");
/// # Ok::<(), Infallible>(())
/// ```
pub trait Console {
    /// What may go wrong.
    type Error;

    /// Shows a question, without a newline after it, and gives the line that is answered; none when there
    /// will be no more answers.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Self::Error>;

    /// Shows a text and a newline.
    fn say(&mut self, text: &str) -> Result<(), Self::Error>;
}

/// Where boards are kept under names.
///
/// ```
/// use tabiya_puzzle::{Disk, Files};
///
/// assert!(Disk.read("no/such/file").is_err());
/// ```
pub trait Files {
    /// The board of that name.
    fn read(&mut self, name: &str) -> Result<Board, BoardFileError>;

    /// Keeps a board under a name, in place of what was there.
    fn save(&mut self, name: &str, board: &Board) -> Result<(), SaveError>;
}

/// The files of this machine.
///
/// ```
/// use tabiya_puzzle::{Disk, Files};
///
/// let board = "3\nKa1\nKc3".parse()?;
/// let folder = tempfile::tempdir()?;
/// let name = folder.path().join("board.txt").display().to_string();
/// Disk.save(&name, &board)?;
/// assert_eq!(Disk.read(&name)?, board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Files for Disk {
    fn read(&mut self, name: &str) -> Result<Board, BoardFileError> {
        Board::read(name)
    }

    fn save(&mut self, name: &str, board: &Board) -> Result<(), SaveError> {
        board.save(name)
    }
}

/// A console of two streams.
///
/// ```
/// use tabiya_puzzle::{Console, Streams};
///
/// let mut output = Vec::new();
/// let mut console = Streams::new("a1b2\r\n".as_bytes(), &mut output);
/// assert_eq!(console.ask("Move: ")?, Some("a1b2".to_owned()));
/// assert_eq!(console.ask("Move: ")?, None);
/// assert_eq!(output, b"Move: Move: ");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Streams<I, O> {
    input: I,
    output: O,
}

/// The longest line that is read; of a longer one the rest is dropped. No move and no file name is so
/// long.
const LONGEST: u64 = 1 << 16;

impl<I: BufRead, O: Write> Streams<I, O> {
    /// Reads lines from one and writes to the other.
    pub fn new(input: I, output: O) -> Streams<I, O> {
        Streams { input, output }
    }
}

impl<I: BufRead, O: Write> Console for Streams<I, O> {
    type Error = io::Error;

    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.output.write_all(prompt.as_bytes())?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match line.pop_if(|last| *last == b'\n') {
            Some(_) => drop(line.pop_if(|last| *last == b'\r')),
            None => drop(self.input.skip_until(b'\n')?),
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }
}

/// Runs the game from the first question to the last word. A file name that is given is tried before
/// anybody is asked. The end of the answers ends the game, and nothing is saved.
///
/// ```
/// use tabiya_puzzle::{Disk, Level, Player, Streams, converse};
///
/// let mut output = Vec::new();
/// let mut console = Streams::new("nowhere\nQUIT\n".as_bytes(), &mut output);
/// converse(&mut console, &mut Disk, &mut Player::new(Level::FULL, 0), None)?;
/// let text = "File name for initial configuration: \
///             This is not a valid file. File name for initial configuration: ";
/// assert_eq!(String::from_utf8(output).unwrap(), text);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn converse<C: Console, F: Files>(
    console: &mut C,
    files: &mut F,
    computer: &mut Player,
    file: Option<&str>,
) -> Result<(), C::Error> {
    let Some(mut position) = ask_for_start(console, files, file)? else { return Ok(()) };
    console.say("The initial configuration is:")?;
    console.say(&position.board().draw())?;
    let mut recent = Recent::new();
    loop {
        if position.status().is_over() {
            return console.say(&position.status().to_string());
        }
        let m = match position.turn() {
            Side::White => match ask_for_move(console, &position)? {
                Answer::Move(m) => m,
                Answer::Quit => return ask_and_save(console, files, position.board()),
                Answer::End => return Ok(()),
            },
            Side::Black => match computer.choose(&position, recent.keys()) {
                Some(m) => m,
                // Cannot be: the game would be over.
                None => return Ok(()),
            },
        };
        recent.add(&position, m);
        position.play(m);
        console.say(&match position.turn() {
            Side::Black => "The configuration after White's move is:".to_owned(),
            Side::White => {
                format!("Next move of Black is {m}. The configuration after Black's move is:")
            }
        })?;
        console.say(&position.board().draw())?;
    }
}

/// The word that ends things.
const QUIT: &str = "QUIT";

fn ask_for_start<C: Console, F: Files>(
    console: &mut C,
    files: &mut F,
    file: Option<&str>,
) -> Result<Option<Position>, C::Error> {
    const PROMPT: &str = "File name for initial configuration: ";
    let mut name = file.map(str::to_owned);
    let mut prompt = PROMPT.to_owned();
    loop {
        let name = match name.take() {
            Some(name) => name,
            None => match console.ask(&prompt)? {
                Some(answer) if answer.trim() != QUIT => answer.trim().to_owned(),
                _ => return Ok(None),
            },
        };
        if let Ok(board) = files.read(&name)
            && let Ok(position) = Position::new(board, Side::White)
        {
            return Ok(Some(position));
        }
        prompt = format!("This is not a valid file. {PROMPT}");
    }
}

/// What White answers.
enum Answer {
    Move(Move),
    Quit,
    End,
}

fn ask_for_move<C: Console>(console: &mut C, position: &Position) -> Result<Answer, C::Error> {
    const PROMPT: &str = "Next move of White: ";
    let mut prompt = PROMPT.to_owned();
    loop {
        let Some(answer) = console.ask(&prompt)? else { return Ok(Answer::End) };
        match answer.trim() {
            QUIT => return Ok(Answer::Quit),
            text => match position.parse_move(text) {
                Ok(m) => return Ok(Answer::Move(m)),
                Err(_) => prompt = format!("This is not a valid move. {PROMPT}"),
            },
        }
    }
}

/// Asks for names until the board is saved under one. Here QUIT is a name like any other.
fn ask_and_save<C: Console, F: Files>(
    console: &mut C,
    files: &mut F,
    board: &Board,
) -> Result<(), C::Error> {
    const PROMPT: &str = "File name to store the configuration: ";
    let mut prompt = PROMPT.to_owned();
    loop {
        let Some(answer) = console.ask(&prompt)? else { return Ok(()) };
        match files.save(answer.trim(), board) {
            Ok(()) => return console.say("The game configuration saved."),
            Err(error) => prompt = format!("The configuration was not saved ({error}). {PROMPT}"),
        }
    }
}
