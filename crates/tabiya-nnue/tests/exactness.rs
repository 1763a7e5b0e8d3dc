//! All ways to an evaluation give the same number: a reading of the file in the plainest arithmetic, each
//! kernel from scratch, and each kernel following a line there and back.

use std::sync::Arc;

use tabiya_chess::{Color, MoveKind, Position, Role};
use tabiya_nnue::{Accumulators, BUCKETS, INPUTS, Kernel, Network, WIDTH};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// The network as the description of the file format tells it, with room in every number.
struct Witness {
    parameters: Vec<i64>,
    biases: Vec<i64>,
    scale: i64,
}

impl Witness {
    fn of(network: &Network) -> Witness {
        let file = network.to_bytes();
        let u16_at = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
        let parameters = &file[28 + u16_at(22)..];
        let (words, biases) = parameters.split_at(parameters.len() - 4 * BUCKETS);
        let word = |b: &[u8]| i64::from(i16::from_le_bytes([b[0], b[1]]));
        let long = |b: &[u8]| i64::from(i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Witness {
            parameters: words.chunks(2).map(word).collect(),
            biases: biases.chunks(4).map(long).collect(),
            scale: u16_at(20) as i64,
        }
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let pieces: Vec<_> = position.board().iter().collect();
        let output = (pieces.len() - 2) / 4;
        let mut total = 0;
        for (place, side) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let king = pieces.iter().find(|p| p.piece == Role::King.of(side)).unwrap();
            let king_on_right = king.square.index() % 8 > 3;
            let mut sums: Vec<i64> = self.parameters[INPUTS * WIDTH..][..WIDTH].to_vec();
            for placed in &pieces {
                let (mut file, mut rank) = (placed.square.index() % 8, placed.square.index() / 8);
                if king_on_right {
                    file = 7 - file;
                }
                if side == Color::Black {
                    rank = 7 - rank;
                }
                let kind =
                    placed.piece.role as usize + if placed.piece.color == side { 0 } else { 6 };
                let input = 64 * kind + 8 * rank + file;
                let row = &self.parameters[input * WIDTH..][..WIDTH];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            assert!(sums.iter().all(|&sum| i16::try_from(sum).is_ok()), "sums fit");
            let weights = &self.parameters[(INPUTS + 1 + 2 * output + place) * WIDTH..][..WIDTH];
            total +=
                sums.iter().zip(weights).map(|(s, w)| w * s.clamp(&0, &255).pow(2)).sum::<i64>();
        }
        assert!(i32::try_from(total).is_ok(), "the total fits");
        let centipawns = (total / 255 + self.biases[output]) * self.scale / (255 * 64);
        centipawns.clamp(-20_000, 20_000) as i32
    }
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
    let mut random = Random(1);
    for seed in 0..4 {
        let network = Network::random(seed);
        let witness = Witness::of(&network);
        for position in positions(3000, &mut random) {
            let expected = witness.evaluate(&position);
            for kernel in Kernel::available() {
                let found = network.evaluate_with(kernel, position.board(), position.turn());
                assert_eq!(found, expected, "{} in {position}", kernel.name());
            }
        }
    }
}

/// A file whose weights are as large as they may be: every sum is clipped and no sign cancels.
#[test]
fn the_largest_weights_do_not_overflow() {
    let mut file = Network::random(0).to_bytes();
    let text = usize::from(u16::from_le_bytes([file[22], file[23]]));
    let parameters = 28 + text;
    let outputs = parameters + 2 * WIDTH * (INPUTS + 1);
    let mut write = |at: usize, value: i16| {
        file[at..at + 2].copy_from_slice(&value.to_le_bytes());
    };
    for i in 0..WIDTH * (INPUTS + 1) {
        write(parameters + 2 * i, 992);
    }
    for output in 0..BUCKETS {
        let mut left = 33_025;
        for i in 0..2 * WIDTH {
            let value = left.min(127);
            left -= value;
            let sign = if output % 2 == 0 { 1 } else { -1 };
            write(outputs + 2 * (2 * WIDTH * output + i), (sign * value) as i16);
        }
    }
    let mut checked = file[..24].to_vec();
    checked.extend(&file[28..]);
    file[24..28].copy_from_slice(&crc32fast::hash(&checked).to_le_bytes());
    let network = Network::from_bytes(&file).unwrap();
    let witness = Witness::of(&network);
    for position in positions(500, &mut Random(5)) {
        let expected = witness.evaluate(&position);
        for kernel in Kernel::available() {
            let found = network.evaluate_with(kernel, position.board(), position.turn());
            assert_eq!(found, expected, "{} in {position}", kernel.name());
        }
    }
}

#[derive(Default)]
struct Seen {
    evaluations: usize,
    castles: usize,
    promotions: usize,
    en_passants: usize,
    passes: usize,
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
    let mut accumulators = Accumulators::with_kernel(Arc::clone(network), kernel);
    accumulators.reset(&start);
    let mut line = vec![start];
    for _ in 0..steps {
        let position = *line.last().unwrap();
        let moves = position.legal_moves();
        match random.below(12) {
            0 if position.pass().is_some() => {
                accumulators.pass();
                line.push(position.pass().unwrap());
                seen.passes += 1;
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
    let mut random = Random(2);
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
        assert!(seen.passes > 100 && seen.crossings > 100);
    }
}
