//! `board.legal_moves`: what can be looped over, counted and asked for a move.

use pyo3::prelude::*;

use crate::board::{BoardCore, look};
use crate::piece_move::Move;

/// Kinds of boards that generate their moves here and not in a class of their own.
pub(crate) fn is_plain(board: &Bound<'_, BoardCore>) -> PyResult<bool> {
    board.get_type().getattr("_plain")?.extract()
}

macro_rules! moves_of_a_board {
    ($Name:ident, $generate:literal, $is:literal, $native:ident, $count:ident, $doc:literal) => {
        #[doc = $doc]
        #[pyclass(frozen, module = "tabiya")]
        pub(crate) struct $Name {
            board: Py<PyAny>,
        }

        #[pymethods]
        impl $Name {
            #[new]
            pub(crate) fn new(board: Py<PyAny>) -> $Name {
                $Name { board }
            }

            /// The board whose moves these are.
            #[getter]
            fn board(&self, py: Python<'_>) -> Py<PyAny> {
                self.board.clone_ref(py)
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let board = self.board.bind(py);
                match board.cast::<BoardCore>() {
                    Ok(core) if is_plain(core)? => look(core)?.$native(py, None, None),
                    _ => board.call_method0($generate),
                }
            }

            fn __contains__(&self, py: Python<'_>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
                self.board.bind(py).call_method1($is, (r#move,))?.extract()
            }

            fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
                Ok(self.__iter__(py)?.try_iter()?.next().transpose()?.is_some())
            }

            /// How many there are.
            fn count(&self, py: Python<'_>) -> PyResult<usize> {
                let board = self.board.bind(py);
                if let Ok(core) = board.cast::<BoardCore>() {
                    if is_plain(core)? {
                        return Ok(look(core)?.$count());
                    }
                }
                let mut count = 0;
                for found in self.__iter__(py)?.try_iter()? {
                    found?;
                    count += 1;
                }
                Ok(count)
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let py = slf.py();
                let mut moves = Vec::new();
                for found in slf.get().__iter__(py)?.try_iter()? {
                    let text = slf.get().text(py, &found?)?;
                    moves.push(text);
                }
                Ok(format!("<{} at {:p} ({})>", stringify!($Name), slf.as_ptr(), moves.join(", ")))
            }
        }
    };
}

moves_of_a_board!(
    LegalMoveGenerator,
    "generate_legal_moves",
    "is_legal",
    generate_legal_moves,
    _count_legal,
    "The legal moves of a board."
);
moves_of_a_board!(
    PseudoLegalMoveGenerator,
    "generate_pseudo_legal_moves",
    "is_pseudo_legal",
    generate_pseudo_legal_moves,
    _count_pseudo_legal,
    "The moves of a board as its pieces go, some of which may leave the king in check."
);

impl LegalMoveGenerator {
    fn text(&self, py: Python<'_>, found: &Bound<'_, PyAny>) -> PyResult<String> {
        self.board.bind(py).call_method1("san", (found,))?.extract()
    }
}

impl PseudoLegalMoveGenerator {
    /// In SAN, or by squares where the move is not legal.
    fn text(&self, py: Python<'_>, found: &Bound<'_, PyAny>) -> PyResult<String> {
        let board = self.board.bind(py);
        if board.call_method1("is_legal", (found,))?.extract()? {
            board.call_method1("san", (found,))?.extract()
        } else {
            found.call_method0("uci")?.extract()
        }
    }
}
