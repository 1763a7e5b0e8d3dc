//! Moves in about a byte each.

use tabiya_chess::{Move, Position};

use crate::order::{move_number, numbered_move};

/// A null move, with which some records say that a side passes.
const NULL: u8 = 254;
/// The number follows in two bytes, the low one first.
const LONG: u8 = 255;

/// What stands behind a position in a game.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::NextMove;
///
/// let start = Position::initial();
/// let e4 = start.parse_san("e4")?;
/// let code = NextMove::Move(e4).code(&start);
/// assert_eq!(NextMove::from_code(code.ok_or("no number")?, &start), Some(NextMove::Move(e4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NextMove {
    /// A move.
    Move(Move),
    /// A null move.
    Null,
    /// Nothing: the game ends here.
    End,
}

impl NextMove {
    /// The step as a number: 0 is the end of the game, 1 a null move, all others are two more than the number of the
    /// move. None if no man moves so.
    pub fn code(self, position: &Position) -> Option<u16> {
        match self {
            NextMove::End => Some(0),
            NextMove::Null => Some(1),
            NextMove::Move(m) => move_number(position, m).map(|number| number + 2),
        }
    }

    /// The step with a number in a position, if there is one.
    pub fn from_code(code: u16, position: &Position) -> Option<NextMove> {
        match code {
            0 => Some(NextMove::End),
            1 => Some(NextMove::Null),
            code => numbered_move(position, code - 2).map(NextMove::Move),
        }
    }

    /// The position after it, if there is one: the end of a game leads nowhere, nobody passes in check, and a damaged
    /// file may tell a move that leaves the king in check.
    pub fn after(self, position: &Position) -> Option<Position> {
        match self {
            NextMove::End => None,
            NextMove::Null => position.null_move(),
            NextMove::Move(m) => position.play(m).ok(),
        }
    }
}

/// Adds a step to the packed moves of a game.
pub(crate) fn pack(code: u16, packed: &mut Vec<u8>) {
    match code {
        0 => {}
        1 => packed.push(NULL),
        code if code - 2 < u16::from(NULL) => packed.push((code - 2) as u8),
        code => {
            packed.push(LONG);
            packed.extend_from_slice(&(code - 2).to_le_bytes());
        }
    }
}

/// A step of a packed game.
pub(crate) enum Packed {
    Null,
    Number(u16),
}

/// The first step of packed moves and the rest; none at the end.
#[inline]
pub(crate) fn split(packed: &[u8]) -> Option<(Packed, &[u8])> {
    match *packed {
        [] => None,
        [NULL, ref rest @ ..] => Some((Packed::Null, rest)),
        [LONG, low, high, ref rest @ ..] => {
            Some((Packed::Number(u16::from_le_bytes([low, high])), rest))
        }
        [number, ref rest @ ..] => Some((Packed::Number(u16::from(number)), rest)),
    }
}

/// The moves of a game, from its start: with each position what follows there, the last one with [`NextMove::End`].
/// If the bytes are not moves of this game, they end early, without it.
///
/// A byte is the number of the move in its position, in the order that [`move_number`] tells; 254 is a null
/// move; behind 255 stands a number in two bytes, the low one first.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::{NextMove, unpack};
///
/// let start = Position::initial();
/// let moves: Vec<_> = unpack(start, &[9, 8]).collect();
/// assert_eq!(moves[0].0, start);
/// assert_eq!(moves[1].1, NextMove::Move(moves[1].0.parse_san("e5")?));
/// assert_eq!(moves[2].1, NextMove::End);
/// assert!(unpack(start, &[9, 200]).all(|(_, step)| step != NextMove::End));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unpack(start: Position, packed: &[u8]) -> Unpack<'_> {
    Unpack { here: Some(start), rest: packed }
}

/// The steps of a packed game, from [`unpack`].
#[derive(Clone, Debug)]
pub struct Unpack<'a> {
    here: Option<Position>,
    rest: &'a [u8],
}

impl Iterator for Unpack<'_> {
    type Item = (Position, NextMove);

    #[inline]
    fn next(&mut self) -> Option<(Position, NextMove)> {
        let here = self.here.take()?;
        let step = match split(self.rest) {
            None => NextMove::End,
            Some((step, rest)) => {
                self.rest = rest;
                match step {
                    Packed::Null => NextMove::Null,
                    Packed::Number(number) => NextMove::Move(numbered_move(&here, number)?),
                }
            }
        };
        if step != NextMove::End {
            self.here = Some(step.after(&here)?);
        }
        Some((here, step))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(0u8..60, 0..300)) {
            prop_assert!(unpack(Position::initial(), &bytes).count() <= bytes.len() + 1);
        }

        #[test]
        fn what_is_packed_is_unpacked(choices in proptest::collection::vec(any::<u16>(), 0..200)) {
            let mut here = Position::initial();
            let (mut packed, mut played) = (Vec::new(), Vec::new());
            for choice in choices {
                let legal = here.legal_moves();
                let step = match legal.len() {
                    0 => break,
                    _ if choice % 31 == 0 && !here.is_check() => NextMove::Null,
                    len => NextMove::Move(legal[usize::from(choice) % len]),
                };
                pack(step.code(&here).unwrap(), &mut packed);
                played.push((here, step));
                here = step.after(&here).unwrap();
            }
            played.push((here, NextMove::End));
            prop_assert_eq!(unpack(Position::initial(), &packed).collect::<Vec<_>>(), played);
        }
    }

    #[test]
    fn a_move_that_leaves_the_king_in_check_ends_a_game_early() {
        let start: Position = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse().unwrap();
        // Kd1, and Kd2, which the rook attacks.
        assert_eq!(unpack(start, &[0]).count(), 2);
        assert_eq!(unpack(start, &[2]).count(), 0);
    }

    #[test]
    fn a_position_of_many_moves_needs_no_more_than_three_bytes() {
        let many: Position =
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1".parse().unwrap();
        for m in many.legal_moves() {
            let mut packed = Vec::new();
            pack(NextMove::Move(m).code(&many).unwrap(), &mut packed);
            assert_eq!(unpack(many, &packed).next(), Some((many, NextMove::Move(m))));
        }
        let mut packed = Vec::new();
        pack(2 + 300, &mut packed);
        assert_eq!(packed, [LONG, 44, 1]);
    }
}
