//! Legal moves, without trying them.
//!
//! Checks and pins are found first, looking out from the king. A few bishops then walk one by one. In a
//! large army all slide at once: the set of them is stepped in one direction until nothing is left,
//! and each cell that it meets on the n-th step is a move from n steps back. So hundreds of bishops
//! cost no more than dozens.

use core::ops::ControlFlow;

use crate::{Cell, Cells, Direction, Move, Position};

/// Up to so many bishops walk one by one; more slide together. About here both take the same time.
const FEW: usize = 64;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    Captures,
}

/// What the side to move has to heed.
struct Danger {
    /// Pieces that give check.
    checkers: usize,
    /// Where a bishop ends the check: on the checking bishop, or between it and the king. All cells
    /// if there is no check.
    remedy: Cells,
    /// Bishops that shield the king, each with the direction from the king.
    pins: [Option<(Cell, Direction)>; 4],
}

impl Position {
    /// All legal moves.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side};
    /// let position = Position::new("4\nKa1, Bb2\nKd1, Bd4".parse()?, Side::White)?;
    /// let mut moves: Vec<String> = position.legal_moves().iter().map(|m| m.to_string()).collect();
    /// moves.sort();
    /// assert_eq!(moves, ["a1a2", "a1b1", "b2c3", "b2d4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.list_moves(Wanted::All, &mut moves);
        moves
    }

    /// Writes moves into a list that can be used again.
    pub(crate) fn list_moves(&self, wanted: Wanted, moves: &mut Vec<Move>) {
        moves.clear();
        let _ = self.visit_moves(wanted, |m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.visit_moves(Wanted::All, |_| ControlFlow::Break(())).is_break()
    }

    /// Shows each legal move to a visitor until it has seen enough.
    pub(crate) fn visit_moves(
        &self,
        wanted: Wanted,
        mut visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (us, them) = (self.turn(), !self.turn());
        let board = self.board();
        let occupied = board.occupied();
        let targets = match wanted {
            // A king is never taken.
            Wanted::All => *board.size().cells() & !(board.cells_of(us) | *board.kings(them)),
            Wanted::Captures => *board.bishops(them),
        };
        let king = self.king(us);
        let mut without_king = occupied;
        without_king.remove(king);
        for to in king.neighbours(board.size()) {
            if targets.contains(to)
                && self.king(them).distance(to) > 1
                && !board.is_attacked_by_bishops(to, them, &without_king)
            {
                visit(Move { from: king, to })?;
            }
        }
        let danger = self.danger(&occupied);
        if danger.checkers > 1 {
            return ControlFlow::Continue(());
        }
        let targets = targets & danger.remedy;
        let mut walk = |from: Cell, direction| {
            for to in from.ray(direction, board.size()) {
                if targets.contains(to) {
                    visit(Move { from, to })?;
                }
                if occupied.contains(to) {
                    break;
                }
            }
            ControlFlow::Continue(())
        };
        let mut free = *board.bishops(us);
        for (from, direction) in danger.pins.into_iter().flatten() {
            free.remove(from);
            // A check elsewhere is not answered by a pinned bishop, and the remedy says so.
            walk(from, direction)?;
            walk(from, direction.opposite())?;
        }
        if free.len() <= FEW {
            for from in free {
                for direction in Direction::DIAGONALS {
                    walk(from, direction)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let passable = *board.size().cells() & !occupied;
        for direction in Direction::DIAGONALS {
            let mut steps = 0;
            let mut sliding = free;
            while !sliding.is_empty() {
                sliding = sliding.step(direction);
                steps += 1;
                for to in sliding & targets {
                    visit(Move { from: to.back(direction, steps), to })?;
                }
                sliding = sliding & passable;
            }
        }
        ControlFlow::Continue(())
    }

    fn danger(&self, occupied: &Cells) -> Danger {
        let (us, them) = (self.turn(), !self.turn());
        let board = self.board();
        let king = self.king(us);
        let mut danger =
            Danger { checkers: 0, remedy: *board.size().cells(), pins: [const { None }; 4] };
        for (direction, pin) in Direction::DIAGONALS.into_iter().zip(&mut danger.pins) {
            let mut shield = None;
            for cell in king.ray(direction, board.size()) {
                if !occupied.contains(cell) {
                    continue;
                }
                if board.bishops(them).contains(cell) {
                    match shield {
                        Some(shield) => *pin = Some((shield, direction)),
                        None => {
                            danger.checkers += 1;
                            danger.remedy = king
                                .ray(direction, board.size())
                                .take(usize::from(king.distance(cell)))
                                .collect();
                        }
                    }
                    break;
                }
                if shield.is_some() || !board.bishops(us).contains(cell) {
                    break;
                }
                shield = Some(cell);
            }
        }
        if king.distance(self.king(them)) == 1 {
            // Only the king itself can answer that.
            danger.checkers += 1;
            danger.remedy = Cells::EMPTY;
        }
        danger
    }
}
