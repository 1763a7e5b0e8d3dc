use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use parking_lot::{Mutex, MutexGuard};

use crate::words::one_line;
use crate::{BestMove, InfoMessage, Message};

/// Where a [`UciEngine`](crate::UciEngine) tells what it finds, from any of its threads.
///
/// It belongs to one search, and keeps the rules of the protocol for it:
///
/// - There is exactly one best move. Later ones are ignored, and so is information that comes too
///   late. If all copies are dropped before there was one, `bestmove 0000` is the answer.
/// - After `go infinite` or `go ponder`, the best move is kept back until it is asked for.
/// - A message is one line, whole and at once.
///
/// ```
/// use std::io::Cursor;
/// # use tabiya_chess::Game;
/// # use tabiya_thinker::Limits;
/// # use tabiya_uci_protocol::{BenchWork, Identity, OptionSpec, OptionValue, UciEngine};
/// use tabiya_uci_protocol::{BestMove, InfoMessage, Output, serve};
///
/// struct Hasty;
///
/// impl UciEngine for Hasty {
///     fn go(&mut self, _: &Game, _: Limits, _: bool, output: Output) {
///         output.info(InfoMessage::text("always e4"));
///         output.best_move(BestMove::new("e2e4"));
///         output.best_move(BestMove::new("d2d4")); // Too late.
///     }
/// #   fn identity(&self) -> Identity { Identity { name: "Hasty".into(), author: "-".into() } }
/// #   fn options(&self) -> Vec<OptionSpec> { Vec::new() }
/// #   fn set_option(&mut self, _: &str, _: OptionValue) -> Result<(), String> { Ok(()) }
/// #   fn new_game(&mut self) {}
/// #   fn stop(&mut self) {}
/// #   fn ponder_hit(&mut self) {}
/// #   fn wait(&mut self) {}
/// #   fn eval(&self, _: &Game) -> String { String::new() }
/// #   fn bench(&self, _: Option<u32>) -> BenchWork { Box::new(|_| None) }
///     // ...
/// }
///
/// let mut said = Vec::new();
/// serve(Cursor::new("go depth 1\n"), &mut said, Hasty)?;
/// assert_eq!(said, b"info string always e4\nbestmove e2e4\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Output {
    teller: Arc<Teller>,
}

impl Output {
    /// The output of a new search, and what the server needs to control it. With `hold`, the best
    /// move is kept back.
    pub(crate) fn new(lines: &Lines, hold: bool) -> (Output, Ending) {
        let ending = Ending {
            lines: lines.clone(),
            state: Arc::new(Mutex::new(State { hold, told: Told::Pending })),
        };
        (Output { teller: Arc::new(Teller(ending.clone())) }, ending)
    }

    /// Tells what has been found so far.
    pub fn info(&self, info: InfoMessage) {
        let Teller(ending) = &*self.teller;
        // The lock is held so that no information can follow the best move.
        let state = ending.state();
        if state.told != Told::Given {
            ending.lines.say(&Message::Info(info));
        }
    }

    /// Ends the search with a move.
    pub fn best_move(&self, best: BestMove) {
        let Teller(ending) = &*self.teller;
        ending.answer(best);
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

/// What all copies of an [`Output`] share: when the last is gone, nobody can answer any more.
struct Teller(Ending);

impl Drop for Teller {
    fn drop(&mut self) {
        let Teller(ending) = self;
        if ending.state().told == Told::Pending {
            ending.lines.inform("the search ended without a move");
            ending.answer(BestMove::default());
        }
    }
}

/// How a search ends.
#[derive(Clone)]
pub(crate) struct Ending {
    lines: Lines,
    state: Arc<Mutex<State>>,
}

struct State {
    hold: bool,
    told: Told,
}

#[derive(PartialEq, Eq)]
enum Told {
    Pending,
    KeptBack(BestMove),
    Given,
}

impl Ending {
    /// Whether the best move has been told.
    pub(crate) fn is_over(&self) -> bool {
        self.state().told == Told::Given
    }

    /// The best move may be told as soon as it is known.
    pub(crate) fn release(&self) {
        let mut state = self.state();
        state.hold = false;
        if let Told::KeptBack(best) = &mut state.told {
            let best = std::mem::take(best);
            self.give(&mut state, best);
        }
    }

    /// Takes the best move if it is the first.
    pub(crate) fn answer(&self, best: BestMove) {
        let mut state = self.state();
        match state.told {
            Told::Pending if state.hold => state.told = Told::KeptBack(best),
            Told::Pending => self.give(&mut state, best),
            Told::KeptBack(_) | Told::Given => {}
        }
    }

    fn give(&self, state: &mut State, best: BestMove) {
        self.lines.say(&Message::BestMove(best));
        state.told = Told::Given;
    }

    /// A search thread that panicked leaves a state that is whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// The way to the writer: lines come out whole, in the order in which they were said.
#[derive(Clone)]
pub(crate) struct Lines(Sender<Word>);

enum Word {
    Line(String),
    End,
}

impl Lines {
    /// Both ends: the way in for everybody, the way out for the one who writes.
    pub(crate) fn new() -> (Lines, Writer) {
        let (sender, receiver) = mpsc::channel();
        (Lines(sender), Writer(receiver))
    }

    pub(crate) fn say(&self, message: &Message) {
        self.line(one_line(&message.to_string()));
    }

    /// A sentence for the user.
    pub(crate) fn inform(&self, text: impl fmt::Display) {
        self.say(&Message::Info(InfoMessage::text(text.to_string())));
    }

    /// A text of several lines, none of which is a message.
    pub(crate) fn text(&self, text: &str) {
        text.lines().for_each(|line| self.line(line.to_owned()));
    }

    /// Nothing more will be written, even if somebody goes on talking.
    fn end(&self) {
        let _ = self.0.send(Word::End);
    }

    /// When nobody writes any more, the GUI has gone: there is no one to tell.
    fn line(&self, line: String) {
        let _ = self.0.send(Word::Line(line));
    }
}

/// Ends the lines when it goes out of scope, whatever happened before.
pub(crate) struct EndOnDrop<'a>(pub(crate) &'a Lines);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The only one who writes.
pub(crate) struct Writer(Receiver<Word>);

impl Writer {
    /// Writes each line as it comes, until the end.
    pub(crate) fn write(self, mut output: impl Write) -> io::Result<()> {
        while let Ok(Word::Line(mut line)) = self.0.recv() {
            line.push('\n');
            output.write_all(line.as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }
}
