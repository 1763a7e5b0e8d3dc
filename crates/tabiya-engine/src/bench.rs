use std::sync::Arc;
use std::time::Duration;

use tabiya_chess::{Game, Position};

use crate::{Engine, Limits, Network, Settings, Stop, Timer};

/// The depth of [`bench()`] unless another is asked for.
pub const BENCH_DEPTH: u32 = 13;

/// Openings, middlegames, endgames, mates: a bit of everything.
const POSITIONS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1",
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqk2r/pp2bppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/ppp1bppp/2np1n2/4p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 4 7",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/3P4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 12",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NP3/1BN1B3/PPPQ1PPP/2KR3R w - - 2 12",
    "3r1rk1/p4ppp/1pq1pn2/2p5/2P5/1P2PQ2/PB3PPP/3R1RK1 b - - 3 19",
    "6k1/pp3ppp/2p5/3r4/3P4/2P2P2/PP4PP/4R1K1 w - - 0 26",
    "8/pp2k1p1/2p1p2p/4Pp2/P1P2P2/1P2K2P/6P1/8 w - - 0 33",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 45",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/8/8/4k3/8/8/2BNK3/8 w - - 0 1",
    "4r1k1/5ppp/8/8/8/8/5PPP/1Q4K1 w - - 0 1",
    "r1b2rk1/2q1bppp/p2ppn2/1p4P1/3NPP2/2N5/PPPQ3P/1K1R1B1R b - - 0 13",
    "5rk1/1p1q1ppp/pb2p3/3pPb2/3P4/1PN2Q2/1P3PPP/2R3K1 w - - 2 20",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// What [`bench()`] has measured.
///
/// ```
/// let bench = tabiya_engine::bench(4, None, &Default::default(), |_, _| {});
/// assert!(bench.nodes_per_second() > 0.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// All nodes: a signature of the search. The same number means that nothing has changed in play.
    pub nodes: u64,
    /// The time spent searching, without making room for the next position.
    pub time: Duration,
}

impl Bench {
    /// The speed of the search.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_engine::Bench;
    /// let bench = Bench { nodes: 1_000, time: Duration::from_millis(1) };
    /// assert_eq!(bench.nodes_per_second(), 1e6);
    /// ```
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Searches fixed positions to a depth, each with a fresh engine of one thread, which evaluates with a
/// network or by hand. `on_position` is told the number of the position and the nodes it took. When it is stopped,
/// the result is of what was done until then.
///
/// ```
/// use tabiya_engine::{Network, Stop, bench};
///
/// let signature = || bench(1, Some(Network::built_in()), &Stop::default(), |_, _| {}).nodes;
/// assert_eq!(signature(), signature());
/// ```
pub fn bench(
    depth: u32,
    network: Option<Arc<Network>>,
    stop: &Stop,
    mut on_position: impl FnMut(usize, u64),
) -> Bench {
    let mut total = Bench { nodes: 0, time: Duration::ZERO };
    let mut engine = Engine::new(Settings::default());
    engine.set_network(network);
    for (number, fen) in POSITIONS.into_iter().enumerate() {
        let Ok(position) = fen.parse::<Position>() else { continue };
        if stop.is_stopped() {
            break;
        }
        engine.clear();
        let timer = Timer::start();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut nodes = 0;
        let game = Game::from_position(position);
        engine.think_until(&game, limits, stop, |info| nodes = info.nodes);
        total.time += timer.elapsed();
        on_position(number + 1, nodes);
        total.nodes += nodes;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_valid() {
        for fen in POSITIONS {
            assert!(fen.parse::<Position>().is_ok(), "{fen}");
        }
    }

    #[test]
    fn it_ends_when_it_is_told_to() {
        let stop = Stop::default();
        let mut seen = 0;
        bench(2, None, &stop, |number, _| {
            seen = number;
            stop.stop();
        });
        assert_eq!(seen, 1);
    }
}
