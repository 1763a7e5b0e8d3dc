//! The seam between the search and what evaluates: a network, or, without one, the evaluation made by
//! hand.

use std::sync::Arc;

use tabiya_chess::{Move, Position, Role};
use tabiya_nnue::{Accumulators, Network};

use crate::ending;
use crate::evaluate::evaluate;
use crate::params;

/// One thread's source of opinions. It is told of every move of the line that is looked at.
pub(crate) enum Opinion {
    ByHand,
    Network(Box<Accumulators>),
}

impl Opinion {
    pub(crate) fn new(network: Option<&Arc<Network>>) -> Opinion {
        network.map_or(Opinion::ByHand, |network| {
            Opinion::Network(Box::new(Accumulators::new(Arc::clone(network))))
        })
    }

    /// A new line begins.
    pub(crate) fn begin(&mut self, root: &Position) {
        if let Opinion::Network(accumulators) = self {
            accumulators.reset(root);
        }
    }

    #[inline]
    pub(crate) fn play(&mut self, position: &mut Position, m: Move) {
        match self {
            Opinion::ByHand => position.play_unchecked(m),
            Opinion::Network(accumulators) => accumulators.play(position, m),
        }
    }

    #[inline]
    pub(crate) fn pass(&mut self) {
        if let Opinion::Network(accumulators) = self {
            accumulators.pass();
        }
    }

    #[inline]
    pub(crate) fn undo(&mut self) {
        if let Opinion::Network(accumulators) = self {
            accumulators.undo();
        }
    }

    /// The worth of the position at the end of the line for the side to move, in centipawns.
    #[inline]
    pub(crate) fn of(&mut self, position: &Position) -> i32 {
        if let Some(score) = ending::known(position) {
            return score;
        }
        let score = match self {
            Opinion::ByHand => evaluate(position),
            Opinion::Network(accumulators) => accumulators.evaluate(position),
        };
        // An advantage is worth more while there are pieces to use it with.
        let material = 1024 + params::material_share() * (pieces(position) - 40) / 40;
        // Nothing happens for long: the fifty-move rule comes nearer.
        let patience = 220 - i32::from(position.halfmove_clock().min(100));
        score * material / 1024 * patience / 220
    }
}

/// What stands on the board beside kings and pawns, in pawns: 62 at the start of a game.
fn pieces(position: &Position) -> i32 {
    let count = |role| position.board().role(role).len() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_counts_more_with_pieces_on_the_board() {
        let opinion = |fen: &str| {
            let position: Position = fen.parse().unwrap();
            (Opinion::ByHand.of(&position), evaluate(&position))
        };
        assert_eq!(pieces(&Position::initial()), 62);
        let (full, by_hand) = opinion("rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR b KQkq - 0 1");
        assert!(full.abs() > by_hand.abs(), "{full} {by_hand}");
        let (bare, by_hand) = opinion("4k3/pppppppp/8/8/8/8/1PPPPPPP/4K3 b - - 0 1");
        assert!(bare.abs() < by_hand.abs(), "{bare} {by_hand}");
    }
}
