//! How long an evaluation takes with each kernel: `cargo run --release -p tabiya-nnue --example kernels`.
//!
//! Every move of every position two plies from a few middlegames is played, evaluated and taken back, as a
//! search would do.

use std::sync::Arc;
use std::time::Instant;

use tabiya_chess::Position;
use tabiya_nnue::{AccumulatorStack, Kernel, Network};

const POSITIONS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn main() {
    let network = Arc::new(Network::random(1));
    for kernel in Kernel::available() {
        let mut accumulators = AccumulatorStack::with_kernel(Arc::clone(&network), kernel);
        let mut best = f64::MAX;
        for _ in 0..5 {
            let (clock, mut evaluations, mut sum) = (Instant::now(), 0_u32, 0);
            for fen in POSITIONS {
                let Ok(position) = fen.parse::<Position>() else { continue };
                accumulators.reset(&position);
                visit(&position, 3, &mut accumulators, &mut evaluations, &mut sum);
            }
            std::hint::black_box(sum);
            best = best.min(clock.elapsed().as_nanos() as f64 / f64::from(evaluations));
        }
        println!("{:>7}: {best:.0} ns to play, evaluate and take back a move", kernel.name());
    }
}

fn visit(
    position: &Position,
    depth: u32,
    accumulators: &mut AccumulatorStack,
    evaluations: &mut u32,
    sum: &mut i32,
) {
    for &m in &position.legal_moves() {
        let mut next = *position;
        accumulators.play(&mut next, m);
        *sum += accumulators.evaluate(&next);
        *evaluations += 1;
        if depth > 1 {
            visit(&next, depth - 1, accumulators, evaluations, sum);
        }
        accumulators.undo();
    }
}
