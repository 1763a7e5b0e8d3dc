//! `SquareSet`: 64 bits as a mutable set of Python.

use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

use crate::board::At;
use crate::state::{Reversed, between, bit, line};

/// A set of squares, and a number of 64 bits.
///
/// >>> import tabiya
/// >>> len(tabiya.SquareSet(tabiya.BB_FILE_B))
/// 8
#[pyclass(subclass, module = "tabiya")]
pub(crate) struct SquareSet {
    /// The set as a number of 64 bits.
    #[pyo3(get, set)]
    pub(crate) mask: u64,
}

/// The bits of a set, a number, or something with squares in it.
pub(crate) fn mask_of(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(set) = value.cast::<SquareSet>() {
        return of(set);
    }
    if let Ok(number) = value.extract::<i128>() {
        return Ok((number & i128::from(u64::MAX)) as u64);
    }
    // A set of masks of its own kind.
    let masked = value.call_method1("__and__", (u64::MAX,));
    if let Ok(number) = masked.and_then(|number| number.extract::<u64>()) {
        return Ok(number);
    }
    if let Ok(number) = value.call_method0("__int__") {
        return number.extract();
    }
    let mut mask = 0;
    for square in value.try_iter()? {
        mask |= one(&square?)?;
    }
    Ok(mask)
}

/// The squares of a set; a RuntimeError where another thread is just changing it.
fn of(set: &Bound<'_, SquareSet>) -> PyResult<u64> {
    set.try_borrow().map(|set| set.mask).map_err(|_| PyRuntimeError::new_err(BUSY))
}

/// Changes a set; only when the other side is known, which may be the set itself.
fn change(set: &Bound<'_, SquareSet>, mask: u64) -> PyResult<()> {
    set.try_borrow_mut().map_err(|_| PyRuntimeError::new_err(BUSY))?.mask = mask;
    Ok(())
}

const BUSY: &str =
    "this set is just being used elsewhere: threads that share a set take turns by a lock";

fn one(square: &Bound<'_, PyAny>) -> PyResult<u64> {
    match square.extract::<u8>() {
        Ok(square @ 0..64) => Ok(bit(square)),
        _ => Err(PyValueError::new_err(format!("squares are numbers from 0 to 63, not {square}"))),
    }
}

/// The squares of a mask as a list, from a1 or from h8.
fn list<'py>(py: Python<'py>, mask: u64, reversed: bool) -> PyResult<Bound<'py, PyList>> {
    let mut squares: Vec<u8> = Reversed(mask).collect();
    if !reversed {
        squares.reverse();
    }
    PyList::new(py, squares)
}

fn like(slf: &Bound<'_, SquareSet>, mask: u64) -> PyResult<Py<SquareSet>> {
    let kind = slf.get_type();
    if kind.is(slf.py().get_type::<SquareSet>()) {
        return Py::new(slf.py(), SquareSet { mask });
    }
    Ok(kind.call1((mask,))?.cast_into::<SquareSet>()?.unbind())
}

#[pymethods]
impl SquareSet {
    #[new]
    #[pyo3(signature = (squares=None))]
    fn new(squares: Option<&Bound<'_, PyAny>>) -> PyResult<SquareSet> {
        Ok(SquareSet { mask: squares.map_or(Ok(0), mask_of)? })
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(one(square).is_ok_and(|square| self.mask & square != 0))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(list(py, self.mask, false)?.try_iter()?.into_any())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(list(py, self.mask, true)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.mask.count_ones() as usize
    }

    fn __bool__(&self) -> bool {
        self.mask != 0
    }

    fn __int__(&self) -> u64 {
        self.mask
    }

    fn __index__(&self) -> u64 {
        self.mask
    }

    fn __hash__(&self) -> PyResult<u64> {
        Err(pyo3::exceptions::PyTypeError::new_err("unhashable type: 'SquareSet'"))
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Ok(other) = mask_of(other) else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let mask = self.mask;
        let answer = match op {
            CompareOp::Eq => mask == other,
            CompareOp::Ne => mask != other,
            CompareOp::Le => mask & !other == 0,
            CompareOp::Lt => mask & !other == 0 && mask != other,
            CompareOp::Ge => other & !mask == 0,
            CompareOp::Gt => other & !mask == 0 && mask != other,
        };
        Ok(answer.into_pyobject(py)?.to_owned().into_any())
    }

    /// Puts a square in.
    fn add(&mut self, square: &Bound<'_, PyAny>) -> PyResult<()> {
        self.mask |= one(square)?;
        Ok(())
    }

    /// Takes a square out, if it is there.
    fn discard(&mut self, square: &Bound<'_, PyAny>) -> PyResult<()> {
        self.mask &= !one(square)?;
        Ok(())
    }

    /// Takes a square out; KeyError if it is not there.
    fn remove(&mut self, square: &Bound<'_, PyAny>) -> PyResult<()> {
        let mask = one(square)?;
        if self.mask & mask == 0 {
            return Err(PyKeyError::new_err(square.clone().unbind()));
        }
        self.mask ^= mask;
        Ok(())
    }

    /// Takes the first square out and gives it.
    fn pop(&mut self) -> PyResult<u8> {
        if self.mask == 0 {
            return Err(PyKeyError::new_err("pop from an empty SquareSet"));
        }
        let square = self.mask.trailing_zeros() as u8;
        self.mask &= self.mask - 1;
        Ok(square)
    }

    /// Takes all squares out.
    fn clear(&mut self) {
        self.mask = 0;
    }

    /// Whether no square is in both.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.mask & mask_of(other)? == 0)
    }

    /// Whether all squares are in the other, too.
    fn issubset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.mask & !mask_of(other)? == 0)
    }

    /// Whether all squares of the other are in this.
    fn issuperset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(mask_of(other)? & !self.mask == 0)
    }

    #[pyo3(signature = (*others))]
    /// The squares of all.
    fn union(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<Py<Self>> {
        let mut mask = of(slf)?;
        for other in others {
            mask |= mask_of(&other)?;
        }
        like(slf, mask)
    }

    #[pyo3(signature = (*others))]
    /// The squares that are in all.
    fn intersection(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<Py<Self>> {
        let mut mask = of(slf)?;
        for other in others {
            mask &= mask_of(&other)?;
        }
        like(slf, mask)
    }

    #[pyo3(signature = (*others))]
    /// The squares that are in no other.
    fn difference(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<Py<Self>> {
        let mut mask = of(slf)?;
        for other in others {
            mask &= !mask_of(&other)?;
        }
        like(slf, mask)
    }

    /// The squares that are in one of both only.
    fn symmetric_difference(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mask = of(slf)? ^ mask_of(other)?;
        like(slf, mask)
    }

    /// Puts the squares of others in.
    #[pyo3(signature = (*others))]
    fn update(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        let all = others.iter().try_fold(0, |all, other| PyResult::Ok(all | mask_of(&other)?))?;
        change(slf, of(slf)? | all)
    }

    /// Keeps the squares that are in all others, too.
    #[pyo3(signature = (*others))]
    fn intersection_update(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        let all = others.iter().try_fold(!0, |all, other| PyResult::Ok(all & mask_of(&other)?))?;
        change(slf, of(slf)? & all)
    }

    /// Takes the squares of others out.
    #[pyo3(signature = (*others))]
    fn difference_update(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        let all = others.iter().try_fold(0, |all, other| PyResult::Ok(all | mask_of(&other)?))?;
        change(slf, of(slf)? & !all)
    }

    /// Keeps the squares that are in one of both only.
    fn symmetric_difference_update(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let other = mask_of(other)?;
        change(slf, of(slf)? ^ other)
    }

    fn __or__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mask = of(slf)? | mask_of(other)?;
        like(slf, mask)
    }

    fn __ror__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Self::__or__(slf, other)
    }

    fn __and__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mask = of(slf)? & mask_of(other)?;
        like(slf, mask)
    }

    fn __rand__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Self::__and__(slf, other)
    }

    fn __xor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Self::symmetric_difference(slf, other)
    }

    fn __rxor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Self::symmetric_difference(slf, other)
    }

    fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mask = of(slf)? & !mask_of(other)?;
        like(slf, mask)
    }

    fn __rsub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mask = mask_of(other)? & !of(slf)?;
        like(slf, mask)
    }

    fn __invert__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        let mask = !of(slf)?;
        like(slf, mask)
    }

    fn __lshift__(slf: &Bound<'_, Self>, by: u32) -> PyResult<Py<Self>> {
        let mask = of(slf)?.checked_shl(by).unwrap_or(0);
        like(slf, mask)
    }

    fn __rshift__(slf: &Bound<'_, Self>, by: u32) -> PyResult<Py<Self>> {
        let mask = of(slf)?.checked_shr(by).unwrap_or(0);
        like(slf, mask)
    }

    fn __ior__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let other = mask_of(other)?;
        change(slf, of(slf)? | other)
    }

    fn __iand__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let other = mask_of(other)?;
        change(slf, of(slf)? & other)
    }

    fn __ixor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let other = mask_of(other)?;
        change(slf, of(slf)? ^ other)
    }

    fn __isub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let other = mask_of(other)?;
        change(slf, of(slf)? & !other)
    }

    fn __ilshift__(&mut self, by: u32) {
        self.mask = self.mask.checked_shl(by).unwrap_or(0);
    }

    fn __irshift__(&mut self, by: u32) {
        self.mask = self.mask.checked_shr(by).unwrap_or(0);
    }

    /// A set of its own with the same squares.
    fn copy(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        let mask = of(slf)?;
        like(slf, mask)
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        Self::copy(slf)
    }

    /// All sets with squares of this one only, the empty one included.
    fn carry_rippler(&self) -> Subsets {
        Subsets { mask: self.mask, next: Some(0) }
    }

    /// The set turned upside down.
    fn mirror(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        let mask = of(slf)?.swap_bytes();
        like(slf, mask)
    }

    /// 64 truths, from a1 to h8.
    fn tolist(&self) -> Vec<bool> {
        (0..64).map(|square| self.mask & bit(square) != 0).collect()
    }

    /// The squares as text like "a1 b2".
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            Reversed(self.mask).map(crate::notation::square_name).collect();
        names.reverse();
        names
    }

    fn __str__(&self) -> String {
        let mut text = String::with_capacity(128);
        for rank in (0..8).rev() {
            for file in 0..8 {
                text.push(if self.mask & bit(rank * 8 + file) != 0 { '1' } else { '.' });
                text.push(if file == 7 { '\n' } else { ' ' });
            }
        }
        text.pop();
        text
    }

    fn __repr__(&self) -> String {
        format!(
            "SquareSet(0x{:04x}_{:04x}_{:04x}_{:04x})",
            self.mask >> 48,
            self.mask >> 32 & 0xffff,
            self.mask >> 16 & 0xffff,
            self.mask & 0xffff
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (u64,))> {
        Ok((slf.get_type(), (of(slf)?,)))
    }

    /// The ray through two squares, from edge to edge; empty if they are not on one.
    #[classmethod]
    fn ray(cls: &Bound<'_, PyType>, a: At, b: At) -> PyResult<Py<Self>> {
        Ok(cls.call1((if a.0 == b.0 { 0 } else { line(a.0, b.0) },))?.cast_into::<Self>()?.unbind())
    }

    /// The squares between two squares.
    #[classmethod]
    fn between(cls: &Bound<'_, PyType>, a: At, b: At) -> PyResult<Py<Self>> {
        Ok(cls.call1((between(a.0, b.0),))?.cast_into::<Self>()?.unbind())
    }

    /// The set of one square.
    #[classmethod]
    fn from_square(cls: &Bound<'_, PyType>, square: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Ok(cls.call1((one(square)?,))?.cast_into::<Self>()?.unbind())
    }
}

/// The subsets of a set, one after the other.
#[pyclass(module = "tabiya")]
pub(crate) struct Subsets {
    mask: u64,
    next: Option<u64>,
}

#[pymethods]
impl Subsets {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self) -> Option<u64> {
        let now = self.next?;
        let next = now.wrapping_sub(self.mask) & self.mask;
        self.next = if next == 0 { None } else { Some(next) };
        Some(now)
    }
}
