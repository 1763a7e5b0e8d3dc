//! All ways to an evaluation give the same number: a reading of the file in the plainest arithmetic, each
//! kernel from scratch, and each kernel following a line there and back.

use std::sync::Arc;

use tabiya_base::Random;
use tabiya_chess::{Color, MoveKind, Position, Role};
use tabiya_nnue::{AccumulatorStack, BUCKETS, INPUTS, Kernel, Network, WIDTH};

/// The network as the description of the file format tells it, with room in every number.
struct Witness {
    inputs: Vec<i64>,
    bias: Vec<i64>,
    weights2: Vec<i64>,
    bias2: Vec<i64>,
    weights3: Vec<i64>,
    bias3: Vec<i64>,
    weights4: Vec<i64>,
    bias4: Vec<i64>,
    scale: i64,
}

/// The units of the second and of the third layer.
const SECOND: usize = 16;
const THIRD: usize = 32;

impl Witness {
    fn of(network: &Network) -> Witness {
        let file = network.to_bytes();
        let u16_at = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
        let mut rest = &file[28 + u16_at(22)..];
        let mut take = |count: usize, bytes: usize| -> Vec<i64> {
            let (these, after) = rest.split_at(count * bytes);
            rest = after;
            let number = |bytes: &[u8]| match *bytes {
                [a] => i64::from(a as i8),
                [a, b] => i64::from(i16::from_le_bytes([a, b])),
                [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
                _ => unreachable!("no number has so many bytes"),
            };
            these.chunks(bytes).map(number).collect()
        };
        let witness = Witness {
            inputs: take(INPUTS * WIDTH, 2),
            bias: take(WIDTH, 2),
            weights2: take(BUCKETS * SECOND * WIDTH, 1),
            bias2: take(BUCKETS * SECOND, 4),
            weights3: take(BUCKETS * THIRD * 2 * SECOND, 2),
            bias3: take(BUCKETS * THIRD, 4),
            weights4: take(BUCKETS * THIRD, 2),
            bias4: take(BUCKETS, 4),
            scale: u16_at(20) as i64,
        };
        assert!(rest.is_empty(), "nothing is left");
        witness
    }

    fn accumulator(&self, position: &Position, side: Color) -> Vec<i64> {
        let pieces: Vec<_> = position.board().iter().collect();
        let king = pieces.iter().find(|p| p.piece == Role::King.of(side)).unwrap();
        let king_on_right = king.square.index() % 8 > 3;
        let mut values = self.bias.clone();
        for placed in &pieces {
            let (mut file, mut rank) = (placed.square.index() % 8, placed.square.index() / 8);
            if king_on_right {
                file = 7 - file;
            }
            if side == Color::Black {
                rank = 7 - rank;
            }
            let kind = placed.piece.role as usize + if placed.piece.color == side { 0 } else { 6 };
            let input = 64 * kind + 8 * rank + file;
            let row = &self.inputs[input * WIDTH..][..WIDTH];
            values.iter_mut().zip(row).for_each(|(value, weight)| *value += weight);
        }
        assert!(values.iter().all(|&value| i16::try_from(value).is_ok()), "it fits");
        values
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let set = (position.board().occupied().len() as usize - 2) / 4;
        let mut products = Vec::new();
        for side in [position.turn(), !position.turn()] {
            let values = self.accumulator(position, side);
            let clipped: Vec<i64> = values.iter().map(|&value| value.clamp(0, 255)).collect();
            let (first, other) = clipped.split_at(WIDTH / 2);
            products.extend(first.iter().zip(other).map(|(a, b)| (a * b) >> 9));
        }
        let second = layer(&self.weights2, &self.bias2, set * SECOND, SECOND, &products);
        let x: Vec<i64> = second.iter().map(|sum| (sum >> 5).clamp(-1016, 1016)).collect();
        let mut seen: Vec<i64> = x.iter().map(|&x| x.max(0)).collect();
        seen.extend(x.iter().map(|x| (x * x) >> 10));
        let third = layer(&self.weights3, &self.bias3, set * THIRD, THIRD, &seen);
        let y: Vec<i64> = third.iter().map(|sum| (sum >> 8).clamp(0, 1016)).collect();
        let output = layer(&self.weights4, &self.bias4, set, 1, &y)[0];
        let centipawns = output * self.scale / (1016 * 256);
        centipawns.clamp(-20_000, 20_000) as i32
    }
}

/// What some units of a layer make of their inputs.
fn layer(weights: &[i64], biases: &[i64], first: usize, count: usize, inputs: &[i64]) -> Vec<i64> {
    let unit = |unit: usize| {
        let weights = &weights[unit * inputs.len()..][..inputs.len()];
        let sum = biases[unit] + inputs.iter().zip(weights).map(|(i, w)| i * w).sum::<i64>();
        assert!(i32::try_from(sum).is_ok(), "{sum} fits");
        sum
    };
    (first..first + count).map(unit).collect()
}

/// Positions of random games, from the usual start and from Chess960.
fn positions(count: usize, random: &mut Random) -> Vec<Position> {
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::chess960(random.below(960) as u16).unwrap();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.below(moves.len())]);
            positions.push(position);
        }
    }
    positions.truncate(count);
    positions
}

#[test]
fn all_kernels_agree_with_the_witness() {
    let mut random = Random::new(1);
    for seed in 0..4 {
        let network = Network::random(seed);
        let witness = Witness::of(&network);
        let mut different = std::collections::HashSet::new();
        for position in positions(3000, &mut random) {
            let expected = witness.evaluate(&position);
            different.insert(expected);
            for kernel in Kernel::available() {
                let found = network.evaluate_with(kernel, position.board(), position.turn());
                assert_eq!(found, expected, "{} in {position}", kernel.name());
            }
        }
        assert!(different.len() > 500, "the layers are not all clipped: {}", different.len());
    }
}

/// Files whose numbers are as large as they may be: every value is clipped and no sign cancels.
#[test]
fn the_largest_weights_do_not_overflow() {
    for sign in [1, -1] {
        let mut file = Network::random(0).to_bytes();
        let text = usize::from(u16::from_le_bytes([file[22], file[23]]));
        let mut at = 28 + text;
        let mut fill = |count: usize, bytes: &[u8]| {
            for _ in 0..count {
                file[at..at + bytes.len()].copy_from_slice(bytes);
                at += bytes.len();
            }
        };
        let extreme = |largest: i64| if sign > 0 { largest } else { -largest - 1 };
        let bias = (sign * (1_i32 << 30)).to_le_bytes();
        let word = (extreme(i16::MAX.into()) as i16).to_le_bytes();
        fill(WIDTH * (INPUTS + 1), &992_i16.to_le_bytes());
        fill(BUCKETS * SECOND * WIDTH, &[extreme(i8::MAX.into()) as u8]);
        fill(BUCKETS * SECOND, &bias);
        fill(BUCKETS * THIRD * 2 * SECOND, &word);
        fill(BUCKETS * THIRD, &bias);
        fill(BUCKETS * THIRD, &word);
        fill(BUCKETS, &bias);
        let mut checked = file[..24].to_vec();
        checked.extend(&file[28..]);
        file[24..28].copy_from_slice(&crc32fast::hash(&checked).to_le_bytes());
        let network = Network::from_bytes(&file).unwrap();
        let witness = Witness::of(&network);
        for position in positions(500, &mut Random::new(5)) {
            let expected = witness.evaluate(&position);
            for kernel in Kernel::available() {
                let found = network.evaluate_with(kernel, position.board(), position.turn());
                assert_eq!(found, expected, "{} in {position}", kernel.name());
            }
        }
    }
}

#[derive(Default)]
struct Seen {
    evaluations: usize,
    castles: usize,
    promotions: usize,
    en_passants: usize,
    null_moves: usize,
    undone: usize,
    crossings: usize,
}

/// Wanders through the game tree from a position, there and back, and asks for an evaluation now and then.
fn wander(
    start: Position,
    steps: usize,
    network: &Arc<Network>,
    kernel: Kernel,
    random: &mut Random,
    seen: &mut Seen,
) {
    let mut accumulators = AccumulatorStack::with_kernel(Arc::clone(network), kernel);
    accumulators.reset(&start);
    let mut line = vec![start];
    for _ in 0..steps {
        let position = *line.last().unwrap();
        let moves = position.legal_moves();
        match random.below(12) {
            0 if position.null_move().is_some() => {
                accumulators.null_move();
                line.push(position.null_move().unwrap());
                seen.null_moves += 1;
            }
            0..=7 if !moves.is_empty() && line.len() < 100 => {
                // Rare moves are wanted.
                let special = moves.iter().find(|m| m.kind() != MoveKind::Normal);
                let any = moves[random.below(moves.len())];
                let m = *special.filter(|_| random.below(3) > 0).unwrap_or(&any);
                match m.kind() {
                    MoveKind::Castle => seen.castles += 1,
                    MoveKind::Promotion => seen.promotions += 1,
                    MoveKind::EnPassant => seen.en_passants += 1,
                    MoveKind::Normal => {}
                }
                let mut next = position;
                accumulators.play(&mut next, m);
                let half = |p: &Position| Color::ALL.map(|c| p.king(c).index() % 8 > 3);
                seen.crossings += usize::from(half(&position) != half(&next));
                line.push(next);
            }
            _ if line.len() > 1 => {
                for _ in 0..1 + random.below(line.len().min(6) - 1) {
                    accumulators.undo();
                    line.pop();
                    seen.undone += 1;
                }
            }
            _ => {}
        }
        if random.below(3) > 0 {
            let position = line.last().unwrap();
            let fresh = network.evaluate_with(Kernel::SCALAR, position.board(), position.turn());
            assert_eq!(accumulators.evaluate(position), fresh, "{} in {position}", kernel.name());
            seen.evaluations += 1;
        }
    }
}

#[test]
fn following_the_board_is_as_good_as_looking_anew() {
    let network = Arc::new(Network::random(11));
    let mut random = Random::new(2);
    for kernel in Kernel::available() {
        let mut seen = Seen::default();
        let starts = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPP4k/8/2p5/1pPp4/8/4pppK/8 b - c3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1",
            "5rkr/pppppppp/8/8/8/8/PPPPPPPP/5RKR w HFhf - 0 1",
        ];
        let starts = starts.iter().map(|fen| fen.parse::<Position>().unwrap());
        let random_starts: Vec<Position> =
            (0..14).map(|_| Position::chess960(random.below(960) as u16).unwrap()).collect();
        for start in starts.chain(random_starts) {
            wander(start, 1000, &network, kernel, &mut random, &mut seen);
        }
        assert!(seen.evaluations > 10_000 && seen.undone > 1000, "{}", seen.evaluations);
        assert!(seen.castles > 20 && seen.promotions > 20 && seen.en_passants > 5);
        assert!(seen.null_moves > 100 && seen.crossings > 100);
    }
}
