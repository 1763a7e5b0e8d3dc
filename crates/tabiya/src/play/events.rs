//! What a dialogue waits for: a line, a computer, a signal.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use tabiya_uci_protocol::{InputLine, LineReader};

/// Something to see to.
pub(crate) enum Event {
    /// Somebody typed a line.
    Line(String),
    /// There will be no more lines.
    End,
    /// A computer has answered.
    Changed,
    /// Somebody wants to leave at once.
    Interrupt,
}

/// The end at which events come out.
pub(crate) struct Events {
    receiver: Receiver<Event>,
}

/// The end at which they go in.
pub(crate) struct Sender {
    events: mpsc::Sender<Event>,
    /// Made when a line is first wanted. A line is read only when it is wanted, so that each meets the
    /// position it was written for.
    wants: OnceLock<mpsc::Sender<()>>,
}

impl Events {
    pub(crate) fn new() -> (Sender, Events) {
        let (events, receiver) = mpsc::channel();
        (Sender { events, wants: OnceLock::new() }, Events { receiver })
    }

    /// Waits for something, but not for ever if there is a clock to look at.
    pub(crate) fn next(&self, patience: Option<Duration>) -> Option<Event> {
        match patience {
            None => Some(self.receiver.recv().unwrap_or(Event::End)),
            Some(patience) => match self.receiver.recv_timeout(patience) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Event::End),
            },
        }
    }
}

impl Sender {
    /// To be called when a computer has answered.
    pub(crate) fn on_change(&self) -> Arc<dyn Fn() + Send + Sync> {
        let events = self.events.clone();
        Arc::new(move || {
            let _ = events.send(Event::Changed);
        })
    }

    /// Makes events of Ctrl-C and of requests to end.
    pub(crate) fn catch_signals(&self) {
        let events = self.events.clone();
        // Where there are no signals, there is nothing to catch.
        let _ = ctrlc::set_handler(move || {
            let _ = events.send(Event::Interrupt);
        });
    }

    /// Puts an interruption back that came at a bad moment.
    pub(crate) fn interrupt(&self) {
        let _ = self.events.send(Event::Interrupt);
    }

    /// Asks for one line.
    pub(crate) fn want_line(&self) {
        let wants = self.wants.get_or_init(|| {
            let (wants, wanted) = mpsc::channel();
            let events = self.events.clone();
            thread::spawn(move || read_lines(&wanted, &events));
            wants
        });
        let _ = wants.send(());
    }
}

fn read_lines(wanted: &Receiver<()>, events: &mpsc::Sender<Event>) {
    let mut lines = LineReader::new(std::io::stdin().lock());
    while wanted.recv().is_ok() {
        let event = match lines.next_line() {
            Ok(Some(InputLine::Text(text) | InputLine::TooLong { beginning: text })) => {
                Event::Line(text)
            }
            Ok(None) | Err(_) => Event::End,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
