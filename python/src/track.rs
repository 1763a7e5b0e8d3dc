//! A board and the moves that led to it: what [`BoardCore`](crate::board::BoardCore) shows to Python.

use std::ops::Deref;

use pyo3::exceptions::{PyAssertionError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya_chess::{Game, Position};

use crate::generate::Sight;
use crate::notation::{self, SanError};
use crate::piece_move::{AmbiguousMoveError, IllegalMoveError, InvalidMoveError, shared};
use crate::state::{KING, PAWN, State, Step, bit, piece_attacks};

/// A board, and the moves that led to it with the boards before them.
pub(crate) struct Track {
    pub(crate) state: State,
    pub(crate) chess960: bool,
    pub(crate) stack: Stack,
}

/// The moves that were played with the boards before them. Most boards have none, and are smaller for it.
#[derive(Default)]
#[expect(clippy::box_collection, reason = "a vector takes three words in every board")]
pub(crate) struct Stack(Option<Box<Vec<(State, Step)>>>);

impl Stack {
    pub(crate) fn push(&mut self, before: State, step: Step) {
        self.0.get_or_insert_default().push((before, step));
    }

    pub(crate) fn pop(&mut self) -> Option<(State, Step)> {
        self.0.as_mut()?.pop()
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        if let Some(stack) = &mut self.0 {
            stack.truncate(length);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }
}

impl Deref for Stack {
    type Target = [(State, Step)];

    fn deref(&self) -> &[(State, Step)] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl From<Vec<(State, Step)>> for Stack {
    fn from(stack: Vec<(State, Step)>) -> Stack {
        Stack(if stack.is_empty() { None } else { Some(Box::new(stack)) })
    }
}

impl Track {
    /// Rights that the pieces bear out. After a move they are always clean.
    pub(crate) fn castling(&self) -> u64 {
        if self.stack.is_empty() {
            self.state.clean_castling(self.chess960)
        } else {
            self.state.castling
        }
    }

    pub(crate) fn moves<'py>(
        &self,
        py: Python<'py>,
        visit: impl FnOnce(&State, bool, u64, &mut dyn FnMut(Step) -> bool),
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = PyList::empty(py);
        let mut failed = None;
        visit(&self.state, self.chess960, self.castling(), &mut |step| {
            failed = moves.append(shared(py, step)).err();
            failed.is_none()
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(moves.try_iter()?.into_any()),
        }
    }

    pub(crate) fn is_pseudo_legal_step(&self, step: Step) -> bool {
        let state = &self.state;
        if step.is_null() || step.drop != 0 {
            return false;
        }
        let (from, to) = (bit(step.from), bit(step.to));
        let kind = state.kind_at(step.from);
        let own = state.color(state.turn);
        if kind == 0 || own & from == 0 {
            return false;
        }
        let mut found = false;
        if kind == KING && step.promotion == 0 {
            let step = state.as_written(self.chess960, step);
            state.castling_moves(self.chess960, self.castling(), from, !0, &mut |castling| {
                found |= castling == step;
                !found
            });
            if found {
                return true;
            }
        }
        if own & to != 0 {
            return false;
        }
        if kind == PAWN {
            state.pseudo_legal(self.chess960, 0, from, to, &mut |other| {
                found |= other == step;
                !found
            });
            return found;
        }
        step.promotion == 0
            && piece_attacks(kind, state.turn, step.from, state.occupied()) & to != 0
    }

    pub(crate) fn is_legal_step(&self, step: Step) -> bool {
        self.is_pseudo_legal_step(step) && self.state.is_safe(&Sight::of(&self.state), step)
    }

    pub(crate) fn push_step(&mut self, step: Step) -> bool {
        let castling = self.castling();
        let before = self.state;
        let written = before.as_written(self.chess960, before.onto_rook(step));
        if !self.state.play(before.onto_rook(step), castling) {
            self.state = before;
            return false;
        }
        self.stack.push(before, written);
        true
    }

    /// Tabiya's reason why a move is refused; a plain sentence where the position itself is impossible.
    pub(crate) fn reason(&self, text: &str) -> String {
        match self.state.position(self.castling()) {
            Ok(position) => match position.parse_move(text) {
                Err(error) => format!("{error} ({text:?} in {})", position.fen()),
                Ok(_) => format!("{text:?} is not allowed in {}", position.fen()),
            },
            Err(problem) => format!(
                "{text:?} is not possible on this board ({problem}): {}",
                notation::board_fen(&self.state, false)
            ),
        }
    }

    pub(crate) fn read_san(&self, text: &str) -> PyResult<Step> {
        notation::parse_san(&self.state, self.chess960, self.castling(), text).map_err(|error| {
            let reason = self.reason(text);
            match error {
                SanError::Invalid => InvalidMoveError::new_err(reason),
                SanError::Illegal => IllegalMoveError::new_err(reason),
                SanError::Ambiguous => AmbiguousMoveError::new_err(reason),
            }
        })
    }

    pub(crate) fn read_uci(&self, text: &str) -> PyResult<Step> {
        let step = notation::parse_uci(text).map_err(InvalidMoveError::new_err)?;
        if step.is_null() {
            return Ok(step);
        }
        let step = self.state.as_written(self.chess960, self.state.onto_rook(step));
        if self.is_legal_step(step) {
            return Ok(step);
        }
        Err(IllegalMoveError::new_err(self.reason(text)))
    }

    pub(crate) fn write(&self, step: Step, long: bool) -> PyResult<String> {
        notation::san(&self.state, self.chess960, self.castling(), step, long).ok_or_else(|| {
            PyAssertionError::new_err(format!(
                "no piece stands where {} begins: {}",
                notation::uci(step),
                notation::board_fen(&self.state, false)
            ))
        })
    }

    pub(crate) fn has_en_passant(&self, legal: bool) -> bool {
        let sight = Sight::of(&self.state);
        !self.state.en_passant(!0, !0, &mut |step| legal && !self.state.is_safe(&sight, step))
    }

    pub(crate) fn ep_text(&self, en_passant: &str) -> PyResult<String> {
        let wanted = match en_passant {
            "fen" => true,
            "xfen" => self.has_en_passant(false),
            "legal" => self.has_en_passant(true),
            other => {
                return Err(PyValueError::new_err(format!(
                    "en_passant is \"legal\", \"xfen\" or \"fen\", not {other:?}"
                )));
            }
        };
        Ok(match self.state.ep_square {
            Some(square) if wanted => notation::square_name(square),
            _ => "-".to_owned(),
        })
    }

    pub(crate) fn fields(
        &self,
        shredder: bool,
        en_passant: &str,
        promoted: bool,
    ) -> PyResult<String> {
        let castling = if shredder {
            notation::castling_shredder(self.castling())
        } else {
            notation::castling_xfen(&self.state, self.castling())
        };
        Ok(format!(
            "{} {} {castling} {}",
            notation::board_fen(&self.state, promoted),
            if self.state.turn { 'w' } else { 'b' },
            self.ep_text(en_passant)?
        ))
    }

    /// The position, where the rules allow it; else a ValueError with the reason.
    pub(crate) fn position(&self) -> PyResult<Position> {
        self.state.position(self.castling()).map_err(|problem| {
            PyValueError::new_err(format!(
                "this board is no position of a game: {problem} ({})",
                notation::board_fen(&self.state, false)
            ))
        })
    }

    /// The game that led here, as far as it is known.
    pub(crate) fn game(&self) -> PyResult<Game> {
        let Some((root, _)) = self.stack.first() else {
            return Ok(Game::from_position(self.position()?));
        };
        let played = || -> Option<Game> {
            let start = root.position(root.clean_castling(self.chess960)).ok()?;
            let mut game = Game::from_position(start);
            for (_, step) in &*self.stack {
                let found = game.position().parse_uci(&notation::uci(*step)).ok()?;
                game.play(found).ok()?;
            }
            Some(game)
        };
        // A null move, or a start that is none: the game begins here.
        match played() {
            Some(game) => Ok(game),
            None => Ok(Game::from_position(self.position()?)),
        }
    }

    /// What makes two boards the same for the rule of repetition.
    pub(crate) fn same_key(&self) -> ([u64; 6], [u64; 2], bool, u64, Option<u8>) {
        let state = &self.state;
        let ep_square = state.ep_square.filter(|_| self.has_en_passant(true));
        (state.kinds, state.colors, state.turn, self.castling(), ep_square)
    }
}
