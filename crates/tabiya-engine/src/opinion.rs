//! The seam between the search and what evaluates: a network, or, without one, the evaluation made by
//! hand.

use std::sync::Arc;

use tabiya_chess::{Move, Position};
use tabiya_nnue::{Accumulators, Network};

use crate::ending;
use crate::evaluate::evaluate;

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
        // Nothing happens for long: the fifty-move rule comes nearer.
        score * (220 - i32::from(position.halfmove_clock().min(100))) / 220
    }
}
