//! The three pipes of another program, each in the care of a thread, so that none can make us wait.

use std::io::{self, BufReader, Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use parking_lot::Mutex;

use crate::words::shorten;
use crate::{InputLine, LineReader, Message};

pub(crate) struct Pipes {
    /// Lines for the program. Full if it does not read them.
    pub(crate) to: SyncSender<String>,
    /// What the program says. Closed when it will say no more.
    pub(crate) from: Receiver<Message>,
    last_words: Arc<Mutex<Option<String>>>,
    complaining: JoinHandle<()>,
}

/// Lines on their way in either direction. A program that talks when nobody listens has to wait.
const WAITING: usize = 256;
/// The longest line that we listen to, in bytes.
const LONGEST: usize = 1 << 16;

impl Pipes {
    /// Takes the pipes of a program. The threads end with the pipes.
    pub(crate) fn new(child: &mut Child) -> io::Result<Pipes> {
        let missing = || io::Error::other("a pipe is missing");
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;

        let (to, lines) = sync_channel::<String>(WAITING);
        Builder::new().name("engine-input".into()).spawn(move || {
            for line in lines {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        })?;

        let (messages, from) = sync_channel(WAITING);
        Builder::new().name("engine-output".into()).spawn(move || {
            each_line(stdout, |line| messages.send(Message::parse(&line)).is_ok());
        })?;

        let last_words = Arc::new(Mutex::new(None));
        let words = Arc::clone(&last_words);
        let complaining = Builder::new().name("engine-errors".into()).spawn(move || {
            each_line(stderr, |line| {
                let line = shorten(&line);
                if !line.is_empty() {
                    *words.lock() = Some(line);
                }
                true
            });
        })?;
        Ok(Pipes { to, from, last_words, complaining })
    }

    /// Whether the error output has been read to its end.
    pub(crate) fn is_all_said(&self) -> bool {
        self.complaining.is_finished()
    }

    /// The last line of the error output.
    pub(crate) fn last_words(&self) -> Option<String> {
        self.last_words.lock().clone()
    }
}

/// Hands on each line, or the beginning of one that is too long, as long as they are wanted.
fn each_line(pipe: impl Read, mut hand_on: impl FnMut(String) -> bool) {
    let mut lines = LineReader::with_limit(BufReader::new(pipe), LONGEST);
    while let Ok(Some(line)) = lines.next_line() {
        let (InputLine::Text(text) | InputLine::TooLong { beginning: text }) = line;
        if !hand_on(text) {
            break;
        }
    }
}
