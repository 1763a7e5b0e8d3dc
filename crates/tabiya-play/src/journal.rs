use std::time::Duration;

use crate::GameEnd;

/// Where a game is written down as it goes. Nothing is shown that has not been kept.
///
/// ```
/// use tabiya_play::{Change, Journal};
///
/// struct Memory(Vec<String>);
///
/// impl Journal for Memory {
///     fn keep(&mut self, change: &Change) -> Result<(), String> {
///         self.0.truncate(change.stays);
///         self.0.extend(change.added.iter().map(|entry| entry.uci.clone()));
///         Ok(())
///     }
/// }
///
/// let mut journal = Memory(vec!["e2e4".to_owned(), "e7e5".to_owned()]);
/// journal.keep(&Change { stays: 1, added: Vec::new(), end: None })?;
/// assert_eq!(journal.0, ["e2e4"]);
/// # Ok::<(), String>(())
/// ```
pub trait Journal: Send {
    /// Keeps a change for good, or says in a sentence why that is impossible; then the change does not
    /// happen.
    fn keep(&mut self, change: &Change) -> Result<(), String>;

    /// Keeps what was taken back and can be played again after the last change, the next move first.
    fn keep_undone(&mut self, moves: Vec<String>) -> Result<(), String> {
        drop(moves);
        Ok(())
    }
}

/// How a game goes on.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
/// use tabiya_play::{Change, GameController, GameSetup, Journal, Past, Session, SessionDeps, Start};
///
/// struct Teller(Sender<Change>);
///
/// impl Journal for Teller {
///     fn keep(&mut self, change: &Change) -> Result<(), String> {
///         self.0.send(change.clone()).map_err(|error| error.to_string())
///     }
/// }
///
/// let (sender, changes) = channel();
/// let deps = SessionDeps { journal: Some(Box::new(Teller(sender))), ..SessionDeps::default() };
/// let mut game = Session::restore(GameSetup::new(Start::standard()), &Past::default(), deps)?;
/// game.submit("e4")?;
/// let change = changes.recv()?;
/// assert_eq!((change.stays, change.added[0].uci.as_str(), change.end), (0, "e2e4", None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// So many moves from the start stay as they are; all others are gone.
    pub stays: usize,
    /// The moves that follow them.
    pub added: Vec<Entry>,
    /// How the game has ended with that, if it has.
    pub end: Option<GameEnd>,
}

/// A move that was played.
///
/// ```
/// # use tabiya_play::{Entry, GameController, GameSetup, Past, Session, SessionDeps, Start};
/// let entry = Entry { uci: "e2e4".to_owned(), clocks: None };
/// let past = Past { entries: vec![entry], end: None };
/// let game = Session::restore(GameSetup::new(Start::standard()), &past, SessionDeps::default())?;
/// assert_eq!(game.view().moves[0].san, "e4");
/// # Ok::<(), tabiya_play::GameSetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// As programs write it: `e2e4`.
    pub uci: String,
    /// What White and Black had left on their clocks after it.
    pub clocks: Option<[Duration; 2]>,
}

/// What is known of a game that was played before, to go on with it.
///
/// ```
/// # use tabiya_play::Past;
/// assert!(Past::default().entries.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Past {
    /// The moves.
    pub entries: Vec<Entry>,
    /// How it ended, if it has.
    pub end: Option<GameEnd>,
}
