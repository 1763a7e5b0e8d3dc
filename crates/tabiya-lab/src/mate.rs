use std::collections::HashMap;

use tabiya_chess::{Move, MoveList, Position};

/// What looking at every line has shown: see [`shortest_mate`].
///
/// ```
/// use tabiya_lab::{MateProof, shortest_mate};
///
/// let start = tabiya_chess::Position::initial();
/// assert_eq!(shortest_mate(&start, 2, 1_000_000), MateProof::None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateProof {
    /// The side to move mates in so many moves, whatever the other side does, and not sooner. This move
    /// begins.
    Mate {
        /// How many moves it takes.
        moves: u32,
        /// The first of them; there may be others as good.
        first: Move,
    },
    /// There is no mate in as many moves as were asked for.
    None,
    /// There was not enough time to find out.
    Unknown,
}

/// Looks for the shortest mate by trying every move of both sides: a proof, not an opinion. It plays
/// at most so many moves in all.
///
/// Neither repetition nor the fifty-move rule is considered. The first cannot matter, as each move of a
/// shortest mate comes closer to it.
///
/// ```
/// use tabiya_lab::{MateProof, shortest_mate};
///
/// let position = "7k/8/8/8/8/8/R7/1R5K w - - 0 1".parse().unwrap();
/// assert!(matches!(shortest_mate(&position, 3, 1_000_000), MateProof::Mate { moves: 2, .. }));
/// ```
pub fn shortest_mate(position: &Position, most: u32, budget: u64) -> MateProof {
    let mut prover = Prover { budget, known: HashMap::new(), held: vec![None; most as usize] };
    for moves in 1..=most {
        match prover.mating_move(position, moves) {
            Ok(Some(first)) => return MateProof::Mate { moves, first },
            Ok(None) => {}
            Err(OutOfBudget) => return MateProof::Unknown,
        }
    }
    MateProof::None
}

struct OutOfBudget;

struct Prover {
    /// Moves that may still be played.
    budget: u64,
    /// For positions of the attacker: so many moves are not enough.
    known: HashMap<u64, u32>,
    /// The last answer that held, by the number of moves the attacker had left: it often holds again.
    held: Vec<Option<Move>>,
}

/// Remembers at most so many positions, about 100 MB.
const MOST_KNOWN: usize = 4_000_000;

impl Prover {
    /// A move of the attacker that mates in so many moves.
    fn mating_move(
        &mut self,
        position: &Position,
        moves: u32,
    ) -> Result<Option<Move>, OutOfBudget> {
        let key = position.repetition_key();
        if self.known.get(&key).is_some_and(|&not_in| not_in >= moves) {
            return Ok(None);
        }
        for (next, m) in self.attacks(position, moves)? {
            if self.is_lost(&next, moves - 1)? {
                return Ok(Some(m));
            }
        }
        if moves > 1 && self.known.len() < MOST_KNOWN {
            self.known.insert(key, moves);
        }
        Ok(None)
    }

    /// The attacker's moves, those that leave the fewest answers first. The last one has to be check.
    fn attacks(
        &mut self,
        position: &Position,
        moves: u32,
    ) -> Result<Vec<(Position, Move)>, OutOfBudget> {
        let list = position.legal_moves();
        self.pay(&list)?;
        let mut attacks = Vec::new();
        for &m in &list {
            let mut next = *position;
            next.play_unchecked(m);
            let check = next.is_check();
            if check || moves > 1 {
                let answers = if moves > 1 { next.count_legal_moves() } else { 0 };
                attacks.push((!check, answers, next, m));
            }
        }
        attacks.sort_by_key(|&(quiet, answers, ..)| (quiet, answers));
        Ok(attacks.into_iter().map(|(.., next, m)| (next, m)).collect())
    }

    /// Whether the defender is mated now, or in so many more moves of the attacker.
    fn is_lost(&mut self, position: &Position, moves: u32) -> Result<bool, OutOfBudget> {
        let mut answers = position.legal_moves();
        if answers.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 {
            return Ok(false);
        }
        self.pay(&answers)?;
        let held = self.held.get(moves as usize).copied().flatten();
        if let Some(place) = answers.iter().position(|&answer| Some(answer) == held) {
            answers.swap(0, place);
        }
        for &answer in &answers {
            let mut next = *position;
            next.play_unchecked(answer);
            if self.mating_move(&next, moves)?.is_none() {
                if let Some(held) = self.held.get_mut(moves as usize) {
                    *held = Some(answer);
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pay(&mut self, moves: &MoveList) -> Result<(), OutOfBudget> {
        self.budget = self.budget.checked_sub(moves.len() as u64).ok_or(OutOfBudget)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_to_mate(fen: &str, most: u32) -> Option<u32> {
        let position: Position = fen.parse().unwrap();
        match shortest_mate(&position, most, 50_000_000) {
            MateProof::Mate { moves, first } => {
                assert!(position.is_legal(first));
                Some(moves)
            }
            MateProof::None => None,
            MateProof::Unknown => panic!("{fen}: not enough time"),
        }
    }

    #[test]
    fn known_mates() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
            ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
            ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 3),
            ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ] {
            assert_eq!(moves_to_mate(fen, 4), Some(moves), "{fen}");
            assert_eq!(moves_to_mate(fen, moves - 1), None, "{fen}");
        }
    }

    #[test]
    fn no_mate_is_no_mate() {
        // Stalemate threatens everywhere; and a bare knight never mates.
        assert_eq!(moves_to_mate("7k/5K2/8/6Q1/8/8/8/8 b - - 0 1", 3), None);
        assert_eq!(moves_to_mate("7k/5K2/8/6N1/8/8/8/8 w - - 0 1", 3), None);
        // Mated already, there is nothing to move.
        assert_eq!(moves_to_mate("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 2), None);
    }

    #[test]
    fn a_small_budget_is_kept() {
        let position = Position::initial();
        assert_eq!(shortest_mate(&position, 4, 1000), MateProof::Unknown);
        assert_eq!(shortest_mate(&position, 0, 0), MateProof::None);
    }
}
