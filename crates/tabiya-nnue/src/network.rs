use core::fmt;
use std::sync::{Arc, LazyLock};

use tabiya_base::Random;
use tabiya_chess::{Board, Color, Position, Square};

use crate::architecture::{
    BUCKETS, FEATURE_WEIGHT_LIMIT, INPUTS, MAX_EVALUATION, SECOND, THIRD, THIRD_ONE, UNIT, WIDTH,
    bucket, feature, is_mirrored,
};
use crate::kernel::{Kernel, Row};

/// A neural network that evaluates positions.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_nnue::Network;
///
/// let network = Network::random(1);
/// let copy = Network::from_bytes(&network.to_bytes())?;
/// let position = Position::initial();
/// assert_eq!(copy.evaluate(&position), network.evaluate(&position));
/// # Ok::<(), tabiya_nnue::NetworkError>(())
/// ```
#[derive(Clone)]
pub struct Network {
    /// The feature transformer: for each feature what it adds to the accumulator.
    pub(crate) weights: Box<[Row; INPUTS]>,
    /// The accumulator of an empty board.
    pub(crate) bias: Row,
    pub(crate) layers: Box<[Layers; BUCKETS]>,
    /// How many centipawns an output of 1.0 is.
    pub(crate) scale: u16,
    /// How it was made.
    pub(crate) description: String,
}

/// The layers after the accumulators, for one output bucket. The weights lie as the vectors want them.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Layers {
    /// For each unit of the second layer what each product adds.
    pub(crate) weights2: [[i8; WIDTH]; SECOND],
    /// For each unit of the second layer what its value and its square add to each unit of the third.
    pub(crate) weights3: [[[i16; 2]; THIRD]; SECOND],
    pub(crate) bias2: [i32; SECOND],
    pub(crate) bias3: [i32; THIRD],
    pub(crate) weights4: [i16; THIRD],
    pub(crate) bias4: i32,
}

impl Layers {
    const ZERO: Layers = Layers {
        weights2: [[0; WIDTH]; SECOND],
        weights3: [[[0; 2]; THIRD]; SECOND],
        bias2: [0; SECOND],
        bias3: [0; THIRD],
        weights4: [0; THIRD],
        bias4: 0,
    };
}

/// The network that Tabiya plays with, as [`format`](mod@crate::format) writes it.
static BUILT_IN: &[u8] = include_bytes!("../network.nnue");

impl Network {
    /// The network that Tabiya plays with, trained from its own games.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::Network;
    /// let queen_up: Position = "4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1".parse().unwrap();
    /// assert!(Network::built_in().evaluate(&queen_up) > 300);
    /// ```
    pub fn built_in() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| match Network::from_bytes(BUILT_IN) {
                Ok(network) => Arc::new(network),
                Err(error) => unreachable!("the network of this program: {error}"),
            });
        Arc::clone(&NETWORK)
    }

    /// A network without knowledge, for tests and measurements: the same for the same seed.
    pub fn random(seed: u64) -> Network {
        let mut random = Random::new(seed);
        // From minus a bound to the bound.
        let mut within = move |bound: i16| random.below(2 * bound as usize + 1) as i16 - bound;
        let mut network = Network::zero();
        network.scale = 400;
        network.description = format!("random weights, seed {seed}");
        for row in network.weights.iter_mut().chain([&mut network.bias]) {
            row.0.fill_with(|| within(FEATURE_WEIGHT_LIMIT.min(100)));
        }
        for layers in network.layers.iter_mut() {
            layers.weights2.as_flattened_mut().fill_with(|| within(100) as i8);
            let weights3 = layers.weights3.as_flattened_mut().as_flattened_mut();
            weights3.fill_with(|| within(300));
            layers.bias2.fill_with(|| i32::from(within(4000)));
            layers.bias3.fill_with(|| 16 * i32::from(within(10_000)));
            layers.weights4.fill_with(|| within(300));
            layers.bias4 = i32::from(within(10_000));
        }
        network
    }

    pub(crate) fn zero() -> Network {
        // By way of the heap: a network is too large for a stack.
        let weights: Box<[Row]> = vec![Row::ZERO; INPUTS].into();
        let layers: Box<[Layers]> = vec![Layers::ZERO; BUCKETS].into();
        let (Ok(weights), Ok(layers)) = (weights.try_into(), layers.try_into()) else {
            unreachable!("made of this length");
        };
        Network { weights, bias: Row::ZERO, layers, scale: 0, description: String::new() }
    }

    /// How the network was made, in the words of its maker.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What a position is worth for the side to move, in centipawns. An
    /// [`AccumulatorStack`](crate::AccumulatorStack) says the same faster when one position comes after another.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::Network;
    /// // Both sides are seen alike.
    /// let white: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    /// let black: Position = "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
    /// let network = Network::random(2);
    /// assert_eq!(network.evaluate(&white), network.evaluate(&black));
    /// ```
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_board(position.board(), position.turn())
    }

    /// As [`Network::evaluate`], of any board: one may ask what a piece is worth by taking it away.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Square};
    /// # use tabiya_nnue::Network;
    /// let network = Network::built_in();
    /// let mut board = Board::initial();
    /// let with_queen = network.evaluate_board(&board, Color::White);
    /// board.remove(Square::D1);
    /// assert!(with_queen - network.evaluate_board(&board, Color::White) > 500);
    /// ```
    pub fn evaluate_board(&self, board: &Board, turn: Color) -> i32 {
        self.evaluate_with(Kernel::best(), board, turn)
    }

    /// As [`Network::evaluate_board`], with chosen instructions.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color};
    /// # use tabiya_nnue::{Kernel, Network};
    /// let network = Network::random(2);
    /// let plain = network.evaluate_with(Kernel::SCALAR, &Board::initial(), Color::White);
    /// assert_eq!(plain, network.evaluate_board(&Board::initial(), Color::White));
    /// ```
    pub fn evaluate_with(&self, kernel: Kernel, board: &Board, turn: Color) -> i32 {
        let values = [turn, !turn].map(|side| {
            let mirrored = is_mirrored(board.king(side).unwrap_or(Square::A1));
            let rows: Vec<&Row> = board
                .iter()
                .map(|placed| self.row(side, mirrored, placed.piece, placed.square))
                .collect();
            let mut values = Row::ZERO;
            kernel.update(&mut values, &self.bias, &rows, &[]);
            values
        });
        self.output(kernel, [&values[0], &values[1]], bucket(board))
    }

    /// What a piece on a square adds to the accumulator of a side.
    #[inline]
    pub(crate) fn row(
        &self,
        side: Color,
        mirrored: bool,
        piece: tabiya_chess::Piece,
        square: Square,
    ) -> &Row {
        &self.weights[feature(side, mirrored, piece, square)]
    }

    /// From the accumulators of the side to move and of its opponent to centipawns.
    #[inline]
    pub(crate) fn output(&self, kernel: Kernel, values: [&Row; 2], bucket: usize) -> i32 {
        let output = i64::from(kernel.output(&self.layers[bucket], values));
        let centipawns = output * i64::from(self.scale) / i64::from(UNIT * THIRD_ONE);
        centipawns.clamp(-i64::from(MAX_EVALUATION), i64::from(MAX_EVALUATION)) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("description", &self.description).finish_non_exhaustive()
    }
}
