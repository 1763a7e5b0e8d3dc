//! What is asked of games again and again, in 24 bytes each: so small that filters look at all of them.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | White, by the number in the table of players |
//! | 4–7 | Black |
//! | 8–11 | the event, by the number in the table of events |
//! | 12–15 | 32 · date + 4 · speed + result (0 White, 1 Black, 2 draw, 3 unknown) |
//! | 16–17, 18–19 | ratings of White and Black, 0 if unknown |
//! | 20–21 | ECO code as a number, A00 0 to E99 499, 511 if unknown; 32768 more if the game has a start of its own |
//! | 22–23 | how many plies |
//!
//! All numbers have the low byte first. Tables of names: how many, where each begins and the last ends (four bytes
//! each), then the texts. The last four bytes of either file are the CRC-32 of all before them.

use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use tabiya_pgn::GameResult;

use crate::bytes::{map, u32_at, write};
use crate::error::DbError;
use crate::record::{Day, Speed, StoredGame};

pub(crate) const HEAD: usize = 24;
const NO_ECO: u16 = 511;
const OWN_START: u16 = 1 << 15;

/// A game as filters and explorers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) white: u32,
    pub(crate) black: u32,
    pub(crate) event: u32,
    pub(crate) day: Day,
    pub(crate) speed: Speed,
    pub(crate) result: GameResult,
    pub(crate) white_elo: u16,
    pub(crate) black_elo: u16,
    pub(crate) eco: Option<u16>,
    pub(crate) own_start: bool,
    pub(crate) plies: u16,
}

impl Head {
    pub(crate) fn to_bytes(self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        let when = self.day.0 << 5 | (self.speed as u32) << 2 | self.result as u32;
        for (at, number) in [self.white, self.black, self.event, when].into_iter().enumerate() {
            bytes[4 * at..4 * at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let eco = self.eco.unwrap_or(NO_ECO) | if self.own_start { OWN_START } else { 0 };
        for (at, number) in
            [self.white_elo, self.black_elo, eco, self.plies].into_iter().enumerate()
        {
            bytes[16 + 2 * at..18 + 2 * at].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    #[inline]
    pub(crate) fn from_bytes(bytes: &[u8; HEAD]) -> Head {
        let four = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let two = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (when, eco) = (four(12), two(20));
        Head {
            white: four(0),
            black: four(4),
            event: four(8),
            day: Day(when >> 5),
            speed: Speed::ALL.get((when >> 2 & 7) as usize).copied().unwrap_or_default(),
            result: GameResult::ALL[(when & 3) as usize],
            white_elo: two(16),
            black_elo: two(18),
            eco: Some(eco & !OWN_START).filter(|&eco| eco < 500),
            own_start: eco & OWN_START != 0,
            plies: two(22),
        }
    }
}

/// `B97` as a number.
pub(crate) fn eco_number(code: &str) -> Option<u16> {
    let [letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9', ..] = *code.as_bytes()
    else {
        return None;
    };
    let digit = |byte: u8| u16::from(byte - b'0');
    Some(u16::from(letter - b'A') * 100 + digit(tens) * 10 + digit(ones))
}

/// A number as `B97`.
pub(crate) fn eco_code(number: u16) -> String {
    format!("{}{:02}", char::from(b'A' + (number / 100) as u8), number % 100)
}

/// Gives each text a number, the next one if it is new.
#[derive(Default)]
pub(crate) struct Interner {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Interner {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        number
    }

    pub(crate) fn write(&self, path: &Path) -> Result<u64, DbError> {
        let mut bytes = (self.texts.len() as u32).to_le_bytes().to_vec();
        let mut end = 4 + 4 * (self.texts.len() as u32 + 1);
        bytes.extend_from_slice(&end.to_le_bytes());
        for text in &self.texts {
            end += text.len() as u32;
            bytes.extend_from_slice(&end.to_le_bytes());
        }
        self.texts.iter().for_each(|text| bytes.extend_from_slice(text.as_bytes()));
        write_checked(path, &bytes)
    }
}

/// Writes bytes and their checksum.
pub(crate) fn write_checked(path: &Path, bytes: &[u8]) -> Result<u64, DbError> {
    write(path, &[bytes, &crc32fast::hash(bytes).to_le_bytes()])
}

/// Whether the checksum of such a file is right.
pub(crate) fn check(path: &Path) -> Result<(), DbError> {
    let bytes = map(path)?;
    let at = bytes.len().checked_sub(4);
    let is_right = at.is_some_and(|at| u32_at(&bytes, at) == Some(crc32fast::hash(&bytes[..at])));
    is_right.then_some(()).ok_or_else(|| DbError::damaged(path, "the checksum is wrong"))
}

/// The heads of games that are being indexed.
#[derive(Default)]
pub(crate) struct HeadWriter {
    pub(crate) heads: Vec<[u8; HEAD]>,
    pub(crate) players: Interner,
    pub(crate) events: Interner,
}

impl HeadWriter {
    pub(crate) fn push(&mut self, game: &StoredGame) {
        let head = Head {
            white: self.players.number(&game.white),
            black: self.players.number(&game.black),
            event: self.events.number(&game.event),
            day: game.day,
            speed: game.speed,
            result: game.result,
            white_elo: game.white_elo,
            black_elo: game.black_elo,
            eco: eco_number(&game.eco),
            own_start: game.fen.is_some(),
            plies: game.plies,
        };
        self.heads.push(head.to_bytes());
    }

    pub(crate) fn get(&self, game: u32) -> Head {
        Head::from_bytes(&self.heads[game as usize])
    }
}

/// The heads of a run.
pub(crate) struct Heads(Bytes);

impl Heads {
    pub(crate) fn open(path: &Path, games: u32) -> Result<Heads, DbError> {
        let bytes = map(path)?;
        match bytes.len() == games as usize * HEAD + 4 {
            true => Ok(Heads(bytes)),
            false => Err(DbError::damaged(path, format!("it is not of {games} games"))),
        }
    }

    #[inline]
    pub(crate) fn get(&self, game: u32) -> Option<Head> {
        let at = game as usize * HEAD;
        let bytes = self.0[..self.0.len() - 4].get(at..at + HEAD)?;
        Some(Head::from_bytes(bytes.try_into().ok()?))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = Head> + '_ {
        let (heads, _) = self.0[..self.0.len() - 4].as_chunks::<HEAD>();
        heads.iter().map(Head::from_bytes)
    }
}

/// A table of names.
pub(crate) struct Names(Bytes);

impl Names {
    pub(crate) fn open(path: &Path) -> Result<Names, DbError> {
        let bytes = map(path)?;
        let wrong = || DbError::damaged(path, "it is no table of names");
        let count = u32_at(&bytes, 0).ok_or_else(wrong)? as usize;
        let starts = count.checked_mul(4).and_then(|all| all.checked_add(8)).ok_or_else(wrong)?;
        let mut before = starts as u32;
        for number in 0..=count {
            let end = u32_at(&bytes, 4 + 4 * number).ok_or_else(wrong)?;
            if end < before || end as usize + 4 > bytes.len() {
                return Err(wrong());
            }
            before = end;
        }
        Ok(Names(bytes))
    }

    pub(crate) fn len(&self) -> u32 {
        u32_at(&self.0, 0).unwrap_or(0)
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        let at = 4 + 4 * number as usize;
        let ends = if number < self.len() {
            u32_at(&self.0, at).zip(u32_at(&self.0, at + 4))
        } else {
            None
        };
        let text = ends.and_then(|(start, end)| self.0.get(start as usize..end as usize));
        text.and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.get(number))
    }
}
