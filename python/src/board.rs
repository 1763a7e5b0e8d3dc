//! What `Board` and `BaseBoard` are made of: a board, and the moves that led to it.

use pyo3::exceptions::{PyAssertionError, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use tabiya_chess::{Game, Position};

use crate::generate::Sight;
use crate::notation::{self, SanError};
use crate::piece_move::{AmbiguousMoveError, IllegalMoveError, InvalidMoveError, kind_of, shared};
use crate::square_set::{SquareSet, mask_of};
use crate::state::{KING, PAWN, State, Step, bit, piece_attacks};

/// Pieces on squares, all else that a FEN tells, and the moves that led here.
#[pyclass(subclass, module = "tabiya", name = "BoardCore")]
pub(crate) struct BoardCore {
    pub(crate) state: State,
    pub(crate) chess960: bool,
    pub(crate) stack: Vec<(State, Step)>,
}

pub(crate) fn square(number: u8) -> PyResult<u8> {
    if number < 64 {
        return Ok(number);
    }
    Err(PyIndexError::new_err(format!("squares are numbers from 0 to 63, not {number}")))
}

impl BoardCore {
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
        self.stack.push((before, written));
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
            for (_, step) in &self.stack {
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

pub(crate) fn set(py: Python<'_>, mask: u64) -> PyResult<Py<SquareSet>> {
    Py::new(py, SquareSet { mask })
}

#[pymethods]
impl BoardCore {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(_arguments: &Bound<'_, PyTuple>, _named: Option<&Bound<'_, PyDict>>) -> BoardCore {
        BoardCore { state: State::EMPTY, chess960: false, stack: Vec::new() }
    }

    #[getter]
    fn turn(&self) -> bool {
        self.state.turn
    }

    #[setter]
    fn set_turn(&mut self, turn: bool) {
        self.state.turn = turn;
    }

    #[getter]
    fn castling_rights(&self) -> u64 {
        self.state.castling
    }

    #[setter]
    fn set_castling_rights(&mut self, rights: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state.castling = mask_of(rights)?;
        Ok(())
    }

    #[getter]
    fn ep_square(&self) -> Option<u8> {
        self.state.ep_square
    }

    #[setter]
    fn set_ep_square(&mut self, at: Option<u8>) -> PyResult<()> {
        self.state.ep_square = at.map(square).transpose()?;
        Ok(())
    }

    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.state.halfmove_clock
    }

    #[setter]
    fn set_halfmove_clock(&mut self, number: u32) {
        self.state.halfmove_clock = number;
    }

    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.state.fullmove_number
    }

    #[setter]
    fn set_fullmove_number(&mut self, number: u32) {
        self.state.fullmove_number = number;
    }

    #[getter]
    fn chess960(&self) -> bool {
        self.chess960
    }

    #[setter]
    fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    #[getter]
    fn promoted(&self) -> u64 {
        self.state.promoted
    }

    #[setter]
    fn set_promoted(&mut self, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state.promoted = mask_of(mask)?;
        Ok(())
    }

    #[getter]
    fn occupied(&self) -> u64 {
        self.state.occupied()
    }

    /// Black's and White's squares.
    #[getter]
    fn occupied_co(&self) -> [u64; 2] {
        self.state.colors
    }

    #[getter]
    fn pawns(&self) -> u64 {
        self.state.kinds[0]
    }

    #[getter]
    fn knights(&self) -> u64 {
        self.state.kinds[1]
    }

    #[getter]
    fn bishops(&self) -> u64 {
        self.state.kinds[2]
    }

    #[getter]
    fn rooks(&self) -> u64 {
        self.state.kinds[3]
    }

    #[getter]
    fn queens(&self) -> u64 {
        self.state.kinds[4]
    }

    #[getter]
    fn kings(&self) -> u64 {
        self.state.kinds[5]
    }

    /// The moves that were pushed, the first one first. A new list each time.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.stack.iter().map(|(_, step)| shared(py, *step)))
    }

    /// How many moves were pushed.
    fn stack_size(&self) -> usize {
        self.stack.len()
    }

    fn clear_stack(&mut self) {
        self.stack.clear();
    }

    fn _reset_pieces(&mut self, empty: bool) {
        let state = if empty { State::EMPTY } else { State::INITIAL };
        (self.state.kinds, self.state.colors, self.state.promoted) = (state.kinds, state.colors, 0);
    }

    fn _reset(&mut self, empty: bool) {
        self.state = if empty { State::EMPTY } else { State::INITIAL };
        self.stack.clear();
    }

    fn _parse_fen(&mut self, fen: &str) -> PyResult<()> {
        self.state = notation::parse_fen(fen).map_err(PyValueError::new_err)?;
        self.stack.clear();
        Ok(())
    }

    fn _parse_board_fen(&mut self, fen: &str) -> PyResult<()> {
        notation::set_board_fen(&mut self.state, fen).map_err(PyValueError::new_err)
    }

    fn _parse_castling(&mut self, text: &str) -> PyResult<()> {
        self.state.castling =
            notation::castling_rights(&self.state, text).map_err(PyValueError::new_err)?;
        Ok(())
    }

    /// Becomes like another board; with its last `stack` moves.
    fn _assign(&mut self, other: &Bound<'_, BoardCore>, stack: usize) -> PyResult<()> {
        let other = other.try_borrow()?;
        self.state = other.state;
        self.chess960 = other.chess960;
        self.stack = other.stack[other.stack.len().saturating_sub(stack)..].to_vec();
        Ok(())
    }

    /// Goes back to before the first move that is known.
    fn _to_root(&mut self) {
        if let Some((state, _)) = self.stack.first() {
            self.state = *state;
        }
        self.stack.clear();
    }

    fn _put(&mut self, at: u8, kind: Option<u8>, white: bool, promoted: bool) -> PyResult<()> {
        let at = square(at)?;
        match kind_of(kind)? {
            0 => drop(self.state.remove(at)),
            kind => self.state.put(at, kind, white, promoted),
        }
        Ok(())
    }

    fn _remove(&mut self, at: u8) -> PyResult<Option<u8>> {
        let kind = self.state.remove(square(at)?);
        Ok((kind != 0).then_some(kind))
    }

    /// Turns the whole board by a function of masks.
    fn _transform(&mut self, turn: &Bound<'_, PyAny>) -> PyResult<()> {
        let of = |mask: u64| -> PyResult<u64> { mask_of(&turn.call1((mask,))?) };
        let mut state = self.state;
        for kind in &mut state.kinds {
            *kind = of(*kind)?;
        }
        state.colors = [of(state.colors[0])?, of(state.colors[1])?];
        state.promoted = of(state.promoted)?;
        state.castling = of(self.castling())?;
        state.ep_square = match state.ep_square {
            Some(square) => {
                let mask = of(bit(square))?;
                (mask != 0).then(|| mask.trailing_zeros() as u8)
            }
            None => None,
        };
        self.state = state;
        self.stack.clear();
        Ok(())
    }

    /// Turns the board upside down and exchanges the colours.
    fn _mirror(&mut self) {
        let castling = self.castling().swap_bytes();
        let state = &mut self.state;
        for kind in &mut state.kinds {
            *kind = kind.swap_bytes();
        }
        state.colors = [state.colors[1].swap_bytes(), state.colors[0].swap_bytes()];
        state.promoted = state.promoted.swap_bytes();
        state.castling = castling;
        state.ep_square = state.ep_square.map(|square| square ^ 56);
        state.turn = !state.turn;
        self.stack.clear();
    }

    fn _same_pieces(&self, other: &Bound<'_, BoardCore>) -> PyResult<bool> {
        let other = other.try_borrow()?;
        Ok((self.state.kinds, self.state.colors, self.state.promoted)
            == (other.state.kinds, other.state.colors, other.state.promoted))
    }

    fn _same_position(&self, other: &Bound<'_, BoardCore>) -> PyResult<bool> {
        let other = other.try_borrow()?;
        Ok(self.same_key() == other.same_key()
            && self.state.halfmove_clock == other.state.halfmove_clock
            && self.state.fullmove_number == other.state.fullmove_number)
    }

    fn _transposition_key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ([p, n, b, r, q, k], [black, white], turn, castling, ep) = self.same_key();
        Ok((p, n, b, r, q, k, white, black, turn, castling, ep).into_pyobject(py)?.into_any())
    }

    /// All of the board in one value, for pickle and hashes.
    fn __getstate__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let core = slf.borrow();
        let one = |state: &State| {
            (
                state.kinds,
                state.colors,
                state.promoted,
                state.castling,
                state.ep_square,
                state.halfmove_clock,
                state.fullmove_number,
                state.turn,
            )
        };
        let stack: Vec<_> = core
            .stack
            .iter()
            .map(|(state, s)| (one(state), (s.from, s.to, s.promotion, s.drop)))
            .collect();
        let dict = slf.getattr("__dict__").ok();
        Ok((one(&core.state), core.chess960, stack, dict).into_pyobject(py)?.into_any())
    }

    fn __setstate__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        type One = ([u64; 6], [u64; 2], u64, u64, Option<u8>, u32, u32, bool);
        type All<'py> = (One, bool, Vec<(One, (u8, u8, u8, u8))>, Option<Bound<'py, PyDict>>);
        let (now, chess960, stack, dict): All<'_> = value.extract()?;
        let one = |(kinds, colors, promoted, castling, ep, half, full, turn): One| State {
            kinds,
            colors,
            promoted,
            castling,
            halfmove_clock: half,
            fullmove_number: full,
            ep_square: ep.map(|square| square & 63),
            turn,
        };
        {
            let mut core = slf.borrow_mut();
            core.state = one(now);
            core.chess960 = chess960;
            core.stack = stack
                .into_iter()
                .map(|(state, (from, to, promotion, drop))| {
                    (
                        one(state),
                        Step {
                            from: from & 63,
                            to: to & 63,
                            promotion: promotion % 7,
                            drop: drop % 7,
                        },
                    )
                })
                .collect();
        }
        if let Some(dict) = dict {
            slf.getattr("__dict__")?.cast::<PyDict>()?.update(dict.as_mapping())?;
        }
        Ok(())
    }
}
