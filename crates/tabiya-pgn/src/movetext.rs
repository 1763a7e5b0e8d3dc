//! The moves of a game with their variations, checked one by one. Nothing here calls itself: how
//! deeply variations are nested costs some memory and nothing else.

use std::io::Read;

use tabiya_chess::{Move, Position};

use crate::lexer::{self, Token, next_token};
use crate::reader::{MAX_DEPTH, Reader, Stop};
use crate::text::decode;
use crate::visitor::{Interest, Played, Visitor};
use crate::{GameResult, Nag, Place, Problem};

/// A line that was left for a variation: where it goes on, the position before its last move, and
/// where the variation begins.
pub(crate) struct Branch {
    here: Position,
    before: Position,
    opened: Place,
}

/// What a word can be that is no plain move.
enum Word {
    Move(Move),
    NullMove(Position),
    Nag(Nag),
    Result(GameResult),
    /// `e.p.`, `mate` and the like, said after a move.
    Nothing,
}

impl<R: Read> Reader<R> {
    /// Reads the moves from the first token to the end of the game.
    pub(crate) fn read_moves<V: Visitor>(
        &mut self,
        visitor: &mut V,
        start: Position,
        first: Token,
    ) -> Result<Option<GameResult>, Stop> {
        self.branches.clear();
        // The position, and the one before its last move, in places that they take in turn: copying is what reading
        // moves costs most.
        let mut line = [start; 2];
        let mut here = 0;
        // Whether a move was played since the line began.
        let mut moved = false;
        let mut token = first;
        loop {
            match token {
                Token::Word(length) => {
                    let rest = self.window.rest();
                    let text = rest.get(..length).unwrap_or_default();
                    let mut length = length;
                    let english = self.letters.map(|letters| letters.to_english(&decode(text)));
                    let spelt = english.as_ref().map_or(text, |english| english.as_bytes());
                    let [first, second] = &mut line;
                    let (now, next) = if here == 0 { (&*first, second) } else { (&*second, first) };
                    let played = match now.parse_plain_san(spelt) {
                        Some(m) => Some(Some(m)),
                        None => match read_word(now, spelt, rest) {
                            Ok(Word::Move(m)) => Some(Some(m)),
                            Ok(Word::NullMove(after)) => {
                                *next = after;
                                Some(None)
                            }
                            Ok(Word::Nag(nag)) => {
                                visitor.nag(nag);
                                None
                            }
                            Ok(Word::Result(result)) if self.branches.is_empty() => {
                                self.window.consume(length);
                                return Ok(Some(result));
                            }
                            Ok(Word::Result(_) | Word::Nothing) => {
                                if text == b"e" {
                                    length = b"e.p.".len();
                                }
                                None
                            }
                            Err(problem) => return Err(Stop::bad(&mut self.window, problem)),
                        },
                    };
                    if let Some(played) = played {
                        if let Some(m) = played {
                            *next = *now;
                            next.play_unchecked(m);
                        }
                        visitor.played(&Played { san: text, played, before: now, after: next });
                        here = 1 - here;
                        moved = true;
                    }
                    self.window.consume(length);
                }
                Token::Nag(nag) => visitor.nag(nag),
                Token::Comment(length) => self.tell_comment(visitor, length),
                Token::LineComment(length) => self.tell_line_comment(visitor, length),
                Token::Open => {
                    if !moved {
                        return Err(Stop::bad(&mut self.window, Problem::EarlyVariation));
                    }
                    if visitor.begin_variation() == Interest::Skip {
                        self.skip(token)?;
                    } else if self.branches.len() == MAX_DEPTH {
                        return Err(Stop::bad(&mut self.window, Problem::Depth));
                    } else {
                        let opened = self.window.place();
                        let [first, second] = line;
                        let (now, before) =
                            if here == 0 { (first, second) } else { (second, first) };
                        self.branches.push(Branch { here: now, before, opened });
                        here = 1 - here;
                        moved = false;
                        self.window.consume(1);
                    }
                }
                Token::Close => {
                    let Some(branch) = self.branches.pop() else {
                        return Err(Stop::bad(&mut self.window, Problem::UnopenedVariation));
                    };
                    (line, here) = ([branch.here, branch.before], 0);
                    moved = true;
                    self.window.consume(1);
                    visitor.end_variation();
                }
                // Some programs end variations with a result too.
                Token::Result(_) if !self.branches.is_empty() => {}
                Token::Result(result) => return Ok(Some(result)),
                Token::Tag(_) | Token::End => {
                    return match self.branches.last() {
                        Some(open) => Err(Stop::Bad(open.opened, Problem::UnclosedVariation)),
                        None => Ok(None),
                    };
                }
            }
            self.check_length()?;
            token = next_token(&mut self.window)?;
        }
    }

    /// Passes over a variation, if it begins here, or over all moves to the end of the game.
    pub(crate) fn skip(&mut self, first: Token) -> Result<Option<GameResult>, Stop> {
        let is_variation = first == Token::Open;
        let opened = self.window.place();
        let mut depth = 0_usize;
        let mut token = first;
        loop {
            match token {
                Token::Word(length) => {
                    let word = self.window.rest().get(..length).unwrap_or_default();
                    // `½-½`
                    let is_result = depth == 0 && !word.first().is_some_and(u8::is_ascii);
                    let result =
                        if is_result { GameResult::from_text(&decode(word)) } else { None };
                    self.window.consume(length);
                    if result.is_some() {
                        return Ok(result);
                    }
                }
                Token::Comment(length) | Token::LineComment(length) => self.window.consume(length),
                Token::Open => {
                    depth += 1;
                    self.window.consume(1);
                }
                Token::Close => {
                    depth = match depth.checked_sub(1) {
                        Some(depth) => depth,
                        None => {
                            return Err(Stop::bad(&mut self.window, Problem::UnopenedVariation));
                        }
                    };
                    self.window.consume(1);
                    if is_variation && depth == 0 {
                        return Ok(None);
                    }
                }
                Token::Result(result) if depth == 0 => return Ok(Some(result)),
                Token::Nag(_) | Token::Result(_) => {}
                Token::Tag(_) | Token::End if depth > 0 => {
                    return Err(Stop::Bad(opened, Problem::UnclosedVariation));
                }
                Token::Tag(_) | Token::End => return Ok(None),
            }
            self.check_length()?;
            let plain = lexer::plain(self.window.rest());
            self.window.consume(plain);
            token = next_token(&mut self.window)?;
        }
    }
}

/// What a word means that is not plain notation.
#[cold]
fn read_word(here: &Position, word: &[u8], rest: &[u8]) -> Result<Word, Problem> {
    let text = decode(word);
    match &*text {
        "--" | "Z0" | "null" | "@@@@" => {
            return here.null_move().map(Word::NullMove).ok_or(Problem::NullMoveInCheck);
        }
        "+" | "++" | "#" | "mate" | "ch" | "ep" => return Ok(Word::Nothing),
        "e" if rest.starts_with(b"e.p.") => return Ok(Word::Nothing),
        _ => {}
    }
    if let Some(nag) = Nag::from_symbol(&text) {
        return Ok(Word::Nag(nag));
    }
    if let Some(result) = GameResult::from_text(&text) {
        return Ok(Word::Result(result));
    }
    Ok(Word::Move(here.parse_san(&text)?))
}
