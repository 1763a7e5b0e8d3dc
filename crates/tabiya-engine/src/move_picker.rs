//! Which move to try next: the one from the table, good captures, quiet moves, bad captures. Each stage
//! is generated only when the search gets there.

use tabiya_chess::{Bitboard, Move, MoveKind, Position, Role};

use crate::history::{Histories, PieceTo, captured};
use crate::see;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    ListTactical,
    GoodTactical,
    ListQuiet,
    Quiet,
    BadTactical,
    Done,
}

/// A move and how promising it is, in one number: the score above the move, so that the greatest is
/// found without looking at its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Scored(i64);

impl Scored {
    #[inline(always)]
    fn new(m: Move, score: i32) -> Scored {
        Scored(i64::from(score) << 16 | i64::from(m.bits()))
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }

    #[inline(always)]
    fn chess_move(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }
}

/// The moves of all pickers of a line, one after the other: a node's own begin where its parent's end.
pub(crate) type MoveStack = Vec<Scored>;

/// Gives the legal moves of a position in the order in which they are worth trying.
pub(crate) struct MovePicker<'a> {
    position: &'a Position,
    table_move: Option<Move>,
    threats: Bitboard,
    before: [Option<PieceTo>; 4],
    stage: Stage,
    /// A capture is good if it wins this much by exchanges.
    threshold: i32,
    only_tactical: bool,
    skip_quiets: bool,
    /// On the stack: bad captures from `start` to `bad`, moves not yet given from `next` to `end`.
    start: usize,
    bad: usize,
    next: usize,
    end: usize,
}

impl<'a> MovePicker<'a> {
    /// All moves.
    #[inline]
    pub(crate) fn new(
        position: &'a Position,
        stack: &MoveStack,
        table_move: Option<Move>,
        threats: Bitboard,
        before: [Option<PieceTo>; 4],
    ) -> MovePicker<'a> {
        let start = stack.len();
        MovePicker {
            position,
            table_move: table_move.filter(|&m| position.is_legal(m)),
            threats,
            before,
            stage: Stage::Table,
            threshold: 0,
            only_tactical: false,
            skip_quiets: false,
            start,
            bad: start,
            next: start,
            end: start,
        }
    }

    /// Captures and promotions that win at least `threshold` by exchanges, and no others.
    #[inline]
    pub(crate) fn tactical(
        position: &'a Position,
        stack: &MoveStack,
        table_move: Option<Move>,
        threshold: i32,
    ) -> MovePicker<'a> {
        let table_move = table_move.filter(|&m| {
            is_tactical(position, m)
                && position.is_legal(m)
                && see::wins_at_least(position, m, threshold)
        });
        MovePicker {
            threshold,
            only_tactical: true,
            table_move,
            ..MovePicker::new(position, stack, None, Bitboard::EMPTY, [None; 4])
        }
    }

    /// From now on no quiet moves, please.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    pub(crate) fn next(&mut self, stack: &mut MoveStack, histories: &Histories) -> Option<Move> {
        // What children have left behind.
        stack.truncate(self.end);
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListTactical;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::ListTactical => {
                    self.position.for_each_tactical_move(|role, m| {
                        if Some(m) != self.table_move {
                            let score = tactical_score(self.position, histories, role, m);
                            stack.push(Scored::new(m, score));
                        }
                    });
                    self.end = stack.len();
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => match self.best_left(stack) {
                    Some(m) if see::wins_at_least(self.position, m, self.threshold) => {
                        return Some(m);
                    }
                    Some(_) if self.only_tactical => {}
                    Some(_) => {
                        stack[self.bad] = stack[self.next - 1];
                        self.bad += 1;
                    }
                    None if self.only_tactical => self.stage = Stage::Done,
                    None => self.stage = Stage::ListQuiet,
                },
                Stage::ListQuiet => {
                    stack.truncate(self.bad);
                    self.next = self.bad;
                    if !self.skip_quiets {
                        let scores =
                            histories.quiet_scores(self.position, self.threats, &self.before);
                        let color = self.position.turn();
                        self.position.for_each_quiet_move(|role, m| {
                            if Some(m) != self.table_move {
                                let score = scores.of(PieceTo::new(color, role, m), m);
                                stack.push(Scored::new(m, score));
                            }
                        });
                    }
                    self.end = stack.len();
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(m) = self.best_left(stack)
                    {
                        return Some(m);
                    }
                    self.stage = Stage::BadTactical;
                    self.next = self.start;
                }
                Stage::BadTactical => {
                    if self.next < self.bad {
                        self.next += 1;
                        return stack[self.next - 1].chess_move();
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The score that put the last move where it was, if it came from among the quiet ones.
    pub(crate) fn quiet_score(&self, stack: &MoveStack) -> Option<i32> {
        (self.stage == Stage::Quiet).then(|| stack[self.next - 1].score())
    }

    /// The move with the highest score among those not yet given.
    #[inline]
    fn best_left(&mut self, stack: &mut MoveStack) -> Option<Move> {
        let left = &mut stack[self.next..self.end];
        let mut best = *left.first()?;
        let mut place = 0;
        for (i, &scored) in left.iter().enumerate().skip(1) {
            place = if scored > best { i } else { place };
            best = best.max(scored);
        }
        left.swap(0, place);
        self.next += 1;
        best.chess_move()
    }
}

/// Whether a move captures or promotes.
pub(crate) fn is_tactical(position: &Position, m: Move) -> bool {
    match m.kind() {
        MoveKind::Promotion | MoveKind::EnPassant => true,
        MoveKind::Castle => false,
        MoveKind::Normal => position.board().occupied().contains(m.to()),
    }
}

/// The most valuable victim first, then what captures of the kind have been worth.
fn tactical_score(position: &Position, histories: &Histories, role: Role, m: Move) -> i32 {
    let captured = captured(position, m);
    let worth = match m.kind() {
        MoveKind::Promotion if m.promotes_to() != Some(Role::Queen) => -10_000,
        MoveKind::Promotion if !position.board().occupied().contains(m.to()) => {
            see::value(Role::Queen)
        }
        MoveKind::Promotion => see::value(Role::Queen) + see::value(captured),
        _ => see::value(captured),
    };
    16 * worth + histories.capture_score(PieceTo::new(position.turn(), role, m), captured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_comes_once() {
        let histories = Histories::new();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let mut expected: Vec<Move> = position.legal_moves().to_vec();
            expected.sort();
            for table_move in [None, Some(expected[0]), expected.last().copied()] {
                let mut stack = MoveStack::new();
                let mut picker =
                    MovePicker::new(&position, &stack, table_move, Bitboard::EMPTY, [None; 4]);
                let mut given: Vec<Move> = Vec::new();
                while let Some(m) = picker.next(&mut stack, &histories) {
                    given.push(m);
                }
                assert!(table_move.is_none_or(|m| given[0] == m));
                given.sort();
                assert_eq!(given, expected, "{fen}");
            }
        }
    }

    #[test]
    fn tactical_pickers_give_winning_captures_only() {
        let histories = Histories::new();
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        let mut stack = MoveStack::new();
        let mut picker = MovePicker::tactical(&position, &stack, None, 0);
        let mut count = 0;
        while let Some(m) = picker.next(&mut stack, &histories) {
            assert!(is_tactical(&position, m) && see::wins_at_least(&position, m, 0));
            count += 1;
        }
        assert!(0 < count && count < position.tactical_moves().len());
    }
}
