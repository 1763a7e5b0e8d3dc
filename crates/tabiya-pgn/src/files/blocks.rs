//! A file of games in blocks of whole games, so that several threads can read it.

use std::io::{self, Read};

use memchr::{memmem, memrchr_iter, memrchr2};

/// How long a block is, unless a game is longer: short enough that it stays near the processor with what is made of it,
/// and that no thread waits long for the last one.
const BLOCK: usize = 1 << 18;
/// No game is longer than half of this, so that here something is wrong anyway.
const LONGEST: usize = 2 * crate::MAX_GAME as usize;
const NEXT_GAME: &[u8] = b"[Event \"";
const RESULTS: [&[u8]; 5] = [b"1-0", b"0-1", b"1/2-1/2", b"1/2", b"*"];

/// Blocks of a source, in order.
///
/// ```
/// use tabiya_pgn::files::Blocks;
///
/// let mut blocks = Blocks::new(&b"1. e4 *\n"[..]);
/// assert_eq!(blocks.next()?.as_deref(), Some(&b"1. e4 *\n"[..]));
/// assert_eq!(blocks.next()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Blocks<R> {
    source: R,
    rest: Vec<u8>,
    ended: bool,
    /// How long a block is, unless a game is longer, and how long at most.
    size: usize,
    longest: usize,
}

impl<R: Read> Blocks<R> {
    /// Blocks of this source.
    pub fn new(source: R) -> Blocks<R> {
        Blocks { source, rest: Vec::new(), ended: false, size: BLOCK, longest: LONGEST }
    }

    /// The next block; none at the end.
    #[expect(clippy::should_implement_trait, reason = "it may fail")]
    pub fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.next_into(Vec::new())
    }

    /// The same, with the memory of a block that nobody needs any more.
    ///
    /// ```
    /// use tabiya_pgn::files::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"1. e4 *\n"[..]);
    /// let block = blocks.next()?.unwrap_or_default();
    /// assert_eq!(blocks.next_into(block)?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn next_into(&mut self, mut room: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        let mut wanted = self.size;
        loop {
            while self.rest.len() < wanted && !self.ended {
                let missing = (wanted - self.rest.len()) as u64;
                let read = self.source.by_ref().take(missing).read_to_end(&mut self.rest)?;
                self.ended = read == 0;
            }
            if self.ended {
                return Ok((!self.rest.is_empty()).then(|| std::mem::take(&mut self.rest)));
            }
            let cut = match wanted == self.size {
                true => last_event(&self.rest),
                false => last_event(&self.rest).or_else(|| last_game(&self.rest)),
            };
            let cut = match cut {
                None if wanted >= self.longest => memrchr_iter(b'\n', &self.rest).next(),
                cut => cut,
            };
            if let Some(cut) = cut.filter(|&cut| cut > 0) {
                room.clear();
                room.reserve(self.size + 4096);
                room.extend_from_slice(self.rest.get(cut..).unwrap_or_default());
                self.rest.truncate(cut);
                return Ok(Some(std::mem::replace(&mut self.rest, room)));
            }
            wanted = (2 * wanted).max(self.rest.len());
            if wanted > self.longest && self.rest.len() >= self.longest {
                return Ok(Some(std::mem::take(&mut self.rest)));
            }
        }
    }
}

/// Where the last game begins, if it begins with the tag `Event` and moves come before it.
fn last_event(bytes: &[u8]) -> Option<usize> {
    memmem::rfind_iter(bytes, NEXT_GAME).find(|&at| bytes.get(..at).is_some_and(ends_with_moves))
}

/// Where the last game begins that has other tags, or none.
fn last_game(bytes: &[u8]) -> Option<usize> {
    memrchr_iter(b'\n', bytes).map(|at| at + 1).find(|&at| {
        bytes.split_at_checked(at).is_some_and(|(before, game)| {
            (game.starts_with(b"[") || game.starts_with(b"1."))
                && ends_with_result(before)
                && memrchr2(b'{', b'}', before).is_none_or(|brace| bytes.get(brace) == Some(&b'}'))
        })
    })
}

/// Whether moves or a result stand on the last line that is not empty.
fn ends_with_moves(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    let line = text.rsplit(|&byte| byte == b'\n').next().unwrap_or(text);
    bytes.last() == Some(&b'\n')
        && !matches!(line.first(), None | Some(b';' | b'%' | b'['))
        && line
            .last()
            .is_some_and(|&last| last.is_ascii_alphanumeric() || b"*+#!?)".contains(&last))
}

/// Whether a game has just ended, on a line before.
fn ends_with_result(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    bytes.last() == Some(&b'\n')
        && RESULTS.iter().any(|result| {
            text.strip_suffix(*result)
                .is_some_and(|before| before.last().is_none_or(u8::is_ascii_whitespace))
        })
}

#[cfg(test)]
mod tests {
    use crate::{Game, ReadError, Reader};

    use super::*;

    fn blocks(text: &str) -> Vec<Vec<u8>> {
        let mut blocks = Blocks { size: 1 << 12, longest: 1 << 16, ..Blocks::new(text.as_bytes()) };
        let mut all = Vec::new();
        while let Some(block) = blocks.next().unwrap() {
            all.push(block);
        }
        assert_eq!(all.concat(), text.as_bytes());
        all
    }

    fn games<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Vec<Result<Game, String>> {
        let told = |game: Result<Game, ReadError>| {
            game.map_err(|error| match error {
                ReadError::BadGame(bad) => bad.problem.to_string(),
                error => error.to_string(),
            })
        };
        texts.into_iter().flat_map(|text| Reader::new(text).games().map(told)).collect()
    }

    #[test]
    fn the_games_of_all_blocks_are_the_games_of_the_file() {
        let plain = "[Event \"x\"]\n[Site \"y\"]\n\n1. e4 e5 {a [Event \"no\"]} 1-0\n\n";
        let swapped = "[Site \"y\"]\n[Event \"x\"]\n\n1. d4 {1-0\n[White \"no\"]\n} *\r\n\r\n";
        let bad =
            "[Event \"x\"]\n\n1. e4 e6 {never closed 1-0\n\n[Event \"x\"]\n\n1. c4 1/2-1/2\n\n";
        let open = "[Event \"x\"]\n\n1. e4\n\n[Event \"y\"]\n\n";
        let untagged = "1. e4 e5 1-0\n\n1. d4 (1. c4 1-0\n) d5 0-1\n";
        let nameless = "[White \"y\"]\n1. d4 *\n[White \"z\"]\n1. e4 *\n";
        for part in [plain, swapped, bad, open, untagged, nameless, &[plain, bad, open].concat()] {
            let text = part.repeat((1 << 15) / part.len());
            let blocks = blocks(&text);
            assert!(blocks.len() > 1, "{part}");
            let found = games(blocks.iter().map(Vec::as_slice));
            let expected = games([text.as_bytes()]);
            assert_eq!(found.len(), expected.len(), "{part}");
            assert!(found == expected, "{part}");
        }
    }

    #[test]
    fn what_has_no_games_comes_to_an_end() {
        for text in ["x".repeat(1 << 18), "x\n".repeat(1 << 17), String::new()] {
            assert!(blocks(&text).len() <= 8);
        }
    }
}
