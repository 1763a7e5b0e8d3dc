//! Any bytes as what somebody types: the dialogue comes to an end, what it saves can be read, and files
//! that were not saved to stay as they were.
#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use tabiya_puzzle::{
    Board, BoardFileError, Files, Level, Limits, Player, SaveError, Streams, converse,
};

/// Files in memory, so that nothing on this machine is read or written. Some names cannot be saved to.
struct Shelf {
    texts: HashMap<String, String>,
    saved: Vec<String>,
}

impl Files for Shelf {
    fn read(&mut self, name: &str) -> Result<Board, BoardFileError> {
        let path = PathBuf::from(name);
        match self.texts.get(name) {
            Some(text) => text.parse().map_err(|source| BoardFileError::Plain { path, source }),
            None => Err(BoardFileError::Io { path, source: ErrorKind::NotFound.into() }),
        }
    }

    fn save(&mut self, name: &str, board: &Board) -> Result<(), SaveError> {
        if name.len() % 3 == 0 {
            return Err(SaveError { path: name.into(), source: ErrorKind::StorageFull.into() });
        }
        self.texts.insert(name.to_owned(), board.plain());
        self.saved.push(name.to_owned());
        Ok(())
    }
}

const TEXTS: [(&str, &str); 5] = [
    ("a", "3\nKa1, Bb1\nKc3, Bc2"),
    ("b", "5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3 \n\n"),
    ("c", "8\nKa1, Bb1, Bc1, Bd1\nKh8, Bg8, Bf8, Be8"),
    ("d", "26\nKa1, Bb1, Bz20\nKz26, By26"),
    ("e", "4\nKa1, Bz9\nKd4"),
];

// To make its tables takes ten times as long as a dialogue, so it is the same one for all.
thread_local!(static COMPUTER: RefCell<Player> = RefCell::new({
    let limits = Limits { nodes: 50, depth: 2, time: None };
    Player::new(Level::FULL, 0).with_limits(limits)
}));

fuzz_target!(|data: &[u8]| {
    let texts: HashMap<_, _> =
        TEXTS.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    let mut shelf = Shelf { texts: texts.clone(), saved: Vec::new() };
    let (file, input) = match data.split_first() {
        Some((b'!', input)) => (Some("a"), input),
        _ => (None, data),
    };
    let mut output = Vec::new();
    let mut console = Streams::new(input, &mut output);
    let said =
        COMPUTER.with_borrow_mut(|computer| converse(&mut console, &mut shelf, computer, file));
    said.expect("these streams do not fail");
    let output = String::from_utf8(output).expect("text");
    assert!(shelf.saved.len() <= 1);
    assert_eq!(output.ends_with("The game configuration saved.\n"), shelf.saved.len() == 1);
    for (name, text) in &shelf.texts {
        match shelf.saved.contains(name) {
            true => assert!(text.parse::<Board>().is_ok()),
            false => assert_eq!(texts.get(name), Some(text)),
        }
    }
});
