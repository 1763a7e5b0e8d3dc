//! The seam between the search and its evaluation function: the network, or the hand-crafted evaluation.

use std::sync::Arc;

use tabiya_chess::{Move, Position};
use tabiya_nnue::{AccumulatorStack, Network};

use crate::ending;
use crate::evaluate::evaluate;
use crate::params;

/// One thread's evaluation function. It is told of every move of the line that is searched.
pub(crate) enum Evaluator {
    HandCrafted,
    Network(Box<AccumulatorStack>),
}

impl Evaluator {
    pub(crate) fn new(network: Option<&Arc<Network>>) -> Evaluator {
        network.map_or(Evaluator::HandCrafted, |network| {
            Evaluator::Network(Box::new(AccumulatorStack::new(Arc::clone(network))))
        })
    }

    /// A new line begins.
    pub(crate) fn reset(&mut self, root: &Position) {
        if let Evaluator::Network(accumulators) = self {
            accumulators.reset(root);
        }
    }

    #[inline]
    pub(crate) fn play(&mut self, position: &mut Position, m: Move) {
        match self {
            Evaluator::HandCrafted => position.play_unchecked(m),
            Evaluator::Network(accumulators) => accumulators.play(position, m),
        }
    }

    #[inline]
    pub(crate) fn null_move(&mut self) {
        if let Evaluator::Network(accumulators) = self {
            accumulators.null_move();
        }
    }

    #[inline]
    pub(crate) fn undo(&mut self) {
        if let Evaluator::Network(accumulators) = self {
            accumulators.undo();
        }
    }

    /// The static evaluation of the position at the end of the line for the side to move, in centipawns.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> i32 {
        if let Some(score) = ending::known(position) {
            return score;
        }
        let score = match self {
            Evaluator::HandCrafted => evaluate(position),
            Evaluator::Network(accumulators) => accumulators.evaluate(position),
        };
        // Nothing happens for long: the fifty-move rule comes nearer.
        let scale = params::fifty_move_scale();
        score * (scale - i32::from(position.halfmove_clock().min(100))) / scale
    }
}
