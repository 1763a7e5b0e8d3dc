//! Perft speed of Tabiya beside its peers: all in one run, one thread, no hash, round after round
//! in turn, the best round counts. Prints two tables.
//!
//! Usage: `cargo run --release --manifest-path bench/Cargo.toml [ROUNDS]` (3 if not given).
//! Stockfish is asked if a `stockfish` program is found.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// The six classic positions with the depth and the count that every generator must give.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

/// A way to count: from FEN and depth to nodes.
trait Contender {
    fn name(&self) -> &'static str;
    /// The nodes, and the seconds the counting took.
    fn perft(&mut self, fen: &str, depth: u32) -> (u64, f64);
}

/// A contender that is a function on its own kind of position.
struct InProcess<P> {
    name: &'static str,
    parse: fn(&str) -> P,
    count: fn(&P, u32) -> u64,
}

impl<P> Contender for InProcess<P> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn perft(&mut self, fen: &str, depth: u32) -> (u64, f64) {
        let position = (self.parse)(fen);
        let clock = Instant::now();
        let nodes = (self.count)(&position, depth);
        (nodes, clock.elapsed().as_secs_f64())
    }
}

/// What a user of the crate writes: list, play on a copy, count the last ply.
fn tabiya_library(position: &tabiya_chess::Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_legal_moves();
    }
    let mut nodes = 0;
    for &m in &position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(m);
        nodes += tabiya_library(&next, depth - 1);
    }
    nodes
}

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn shakmaty(position: &shakmaty::Chess, depth: u32) -> u64 {
    use shakmaty::Position;
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|m| {
            let mut next = position.clone();
            next.play_unchecked(*m);
            shakmaty(&next, depth - 1)
        })
        .sum()
}

fn parse_shakmaty(fen: &str) -> shakmaty::Chess {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    fen.into_position(shakmaty::CastlingMode::Standard).expect("a position")
}

fn chess(board: &chess::Board, depth: u32) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.map(|m| chess(&board.make_move_new(m), depth - 1)).sum()
}

/// A UCI program that knows `go perft`.
struct Stockfish {
    _process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start() -> Option<Stockfish> {
        let start = |program| {
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()
        };
        let mut process = start("stockfish").or_else(|| start("/usr/games/stockfish"))?;
        let input = process.stdin.take()?;
        let output = BufReader::new(process.stdout.take()?);
        Some(Stockfish { _process: process, input, output })
    }

    fn ask(&mut self, question: &str, answer: &str) -> String {
        writeln!(self.input, "{question}").expect("stockfish listens");
        let mut line = String::new();
        while self.output.read_line(&mut line).expect("stockfish answers") > 0 {
            if let Some(rest) = line.trim_end().strip_prefix(answer) {
                return rest.to_owned();
            }
            line.clear();
        }
        panic!("stockfish stopped");
    }
}

impl Contender for Stockfish {
    fn name(&self) -> &'static str {
        "stockfish"
    }

    fn perft(&mut self, fen: &str, depth: u32) -> (u64, f64) {
        self.ask(&format!("position fen {fen}\nisready"), "readyok");
        let clock = Instant::now();
        let nodes = self.ask(&format!("go perft {depth}"), "Nodes searched: ");
        (nodes.parse().expect("a number"), clock.elapsed().as_secs_f64())
    }
}

/// Millions of nodes a second for each contender on each position, best of the rounds.
fn race(contenders: &mut [Box<dyn Contender>], rounds: u32) -> Vec<[f64; 6]> {
    let mut best = vec![[0.0; 6]; contenders.len()];
    for round in 1..=rounds {
        for (p, (name, fen, depth, expected)) in POSITIONS.into_iter().enumerate() {
            eprint!("\rround {round} of {rounds}: {name:<12}");
            for (c, contender) in contenders.iter_mut().enumerate() {
                let (nodes, seconds) = contender.perft(fen, depth);
                assert_eq!(nodes, expected, "{} on {name}", contender.name());
                best[c][p] = f64::max(best[c][p], nodes as f64 / seconds / 1e6);
            }
        }
    }
    eprint!("\r{:40}\r", "");
    best
}

fn mean(speeds: &[f64; 6]) -> f64 {
    (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / 6.0).exp()
}

fn print_table(title: &str, contenders: &[(&str, [f64; 6])], against: &str) {
    println!("### {title}\n");
    let names = POSITIONS.map(|(name, _, depth, _)| format!("{name}, {depth}")).join(" | ");
    println!("| million nodes/s | {names} | mean | ratio to {against} |");
    println!("|---|{}", "---:|".repeat(POSITIONS.len() + 2));
    let base = contenders.iter().find(|(name, _)| *name == against).map(|(_, s)| mean(s));
    for (name, speeds) in contenders {
        let cells = speeds.map(|speed| format!("{speed:.0}")).join(" | ");
        let ratio = base.map_or("–".to_owned(), |base| format!("{:.2}", mean(speeds) / base));
        println!("| {name} | {cells} | {:.0} | {ratio} |", mean(speeds));
    }
    println!();
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name"));
    name.map_or("unknown".to_owned(), |name| name.trim_start_matches([' ', '\t', ':']).to_owned())
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(3, |rounds| rounds.parse().expect("a number"));
    let mut contenders: Vec<Box<dyn Contender>> = vec![
        Box::new(InProcess {
            name: "tabiya (perft command)",
            parse: |fen| fen.parse::<tabiya_chess::Position>().expect("a position"),
            count: tabiya_chess::perft,
        }),
        Box::new(InProcess {
            name: "tabiya (library)",
            parse: |fen| fen.parse::<tabiya_chess::Position>().expect("a position"),
            count: tabiya_library,
        }),
        Box::new(InProcess {
            name: "cozy-chess",
            parse: |fen| fen.parse::<cozy_chess::Board>().expect("a position"),
            count: cozy,
        }),
        Box::new(InProcess { name: "shakmaty", parse: parse_shakmaty, count: shakmaty }),
        Box::new(InProcess {
            name: "chess",
            parse: |fen| fen.parse::<chess::Board>().expect("a position"),
            count: chess,
        }),
    ];
    match Stockfish::start() {
        Some(stockfish) => contenders.push(Box::new(stockfish)),
        None => eprintln!("no stockfish program here: the second table is without it"),
    }
    let speeds = race(&mut contenders, rounds);
    let results: Vec<_> = contenders.iter().map(|c| c.name()).zip(speeds).collect();
    println!("Machine: {}; one thread, no hash, best of {rounds} rounds.\n", machine());
    let (library, command): (Vec<_>, Vec<_>) = results
        .into_iter()
        .partition(|(name, _)| !matches!(*name, "tabiya (perft command)" | "stockfish"));
    print_table("The library", &library, "cozy-chess");
    print_table("The perft command", &command, "stockfish");
}
