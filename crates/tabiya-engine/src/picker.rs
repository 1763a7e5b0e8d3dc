//! Which move to try next: the one from the table, good captures, quiet moves, bad captures. Each stage
//! is generated only when the search gets there.

use tabiya_chess::{Bitboard, Move, MoveKind, MoveList, Position, Role};

use crate::history::{Histories, PieceTo};
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

/// Gives the legal moves of a position in the order in which they are worth trying.
pub(crate) struct Picker<'a> {
    position: &'a Position,
    table_move: Option<Move>,
    threats: Bitboard,
    before: [Option<PieceTo>; 4],
    stage: Stage,
    /// A capture is good if it wins this much by exchanges.
    threshold: i32,
    only_tactical: bool,
    skip_quiets: bool,
    moves: MoveList,
    scores: [i32; 256],
    next: usize,
    bad: MoveList,
    next_bad: usize,
}

impl<'a> Picker<'a> {
    /// All moves.
    pub(crate) fn new(
        position: &'a Position,
        table_move: Option<Move>,
        threats: Bitboard,
        before: [Option<PieceTo>; 4],
    ) -> Picker<'a> {
        Picker {
            position,
            table_move: table_move.filter(|&m| position.is_legal(m)),
            threats,
            before,
            stage: Stage::Table,
            threshold: 0,
            only_tactical: false,
            skip_quiets: false,
            moves: MoveList::new(),
            scores: [0; 256],
            next: 0,
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    /// Captures and promotions that win at least `threshold` by exchanges, and no others.
    pub(crate) fn tactical(
        position: &'a Position,
        table_move: Option<Move>,
        threshold: i32,
    ) -> Picker<'a> {
        let table_move = table_move.filter(|&m| {
            is_tactical(position, m)
                && position.is_legal(m)
                && see::wins_at_least(position, m, threshold)
        });
        Picker {
            threshold,
            only_tactical: true,
            table_move,
            ..Picker::new(position, None, Bitboard::EMPTY, [None; 4])
        }
    }

    /// From now on no quiet moves, please.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    pub(crate) fn next(&mut self, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListTactical;
                    if let Some(m) = self.table_move {
                        return Some(m);
                    }
                }
                Stage::ListTactical => {
                    self.moves = self.position.tactical_moves();
                    self.next = 0;
                    for (score, &m) in self.scores.iter_mut().zip(self.moves.iter()) {
                        *score = tactical_score(self.position, histories, m);
                    }
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => match self.best_left() {
                    Some(m) if see::wins_at_least(self.position, m, self.threshold) => {
                        return Some(m);
                    }
                    Some(_) if self.only_tactical => {}
                    Some(m) => self.bad.push(m),
                    None if self.only_tactical => self.stage = Stage::Done,
                    None => self.stage = Stage::ListQuiet,
                },
                Stage::ListQuiet => {
                    if self.skip_quiets {
                        self.stage = Stage::BadTactical;
                        continue;
                    }
                    self.moves = self.position.quiet_moves();
                    self.next = 0;
                    for (score, &m) in self.scores.iter_mut().zip(self.moves.iter()) {
                        *score =
                            histories.quiet_score(self.position, self.threats, &self.before, m);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    let m = if self.skip_quiets { None } else { self.best_left() };
                    if m.is_some() {
                        return m;
                    }
                    self.stage = Stage::BadTactical;
                }
                Stage::BadTactical => match self.bad.get(self.next_bad) {
                    Some(&m) => {
                        self.next_bad += 1;
                        return Some(m);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The move with the highest score among those not yet given, leaving out the table's.
    fn best_left(&mut self) -> Option<Move> {
        while self.next < self.moves.len() {
            let mut best = self.next;
            for i in self.next + 1..self.moves.len() {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            let m = self.moves[self.next - 1];
            if Some(m) != self.table_move {
                return Some(m);
            }
        }
        None
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
fn tactical_score(position: &Position, histories: &Histories, m: Move) -> i32 {
    let captured = match m.kind() {
        MoveKind::EnPassant => see::value(Role::Pawn),
        _ => position.piece_at(m.to()).map_or(0, |piece| see::value(piece.role)),
    };
    let promoted = match m.promotes_to() {
        Some(Role::Queen) => see::value(Role::Queen),
        Some(_) => -10_000,
        None => 0,
    };
    16 * (captured + promoted) + histories.capture_score(position, m)
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
                let mut picker = Picker::new(&position, table_move, Bitboard::EMPTY, [None; 4]);
                let mut given: Vec<Move> = Vec::new();
                while let Some(m) = picker.next(&histories) {
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
        let mut picker = Picker::tactical(&position, None, 0);
        let mut count = 0;
        while let Some(m) = picker.next(&histories) {
            assert!(is_tactical(&position, m) && see::wins_at_least(&position, m, 0));
            count += 1;
        }
        assert!(0 < count && count < position.tactical_moves().len());
    }
}
