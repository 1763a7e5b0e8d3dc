//! How long the everyday operations take. `cargo bench -p tabiya-chess`
//!
//! For perft beside other libraries, see `bench/` at the top of the repository.

use divan::{Bencher, black_box};
use tabiya_chess::{Position, perft};

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn main() {
    divan::main();
}

fn middlegame() -> Position {
    MIDDLEGAME.parse().expect("a valid FEN")
}

#[divan::bench]
fn list_legal_moves(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    bencher.bench(|| black_box(&position).legal_moves());
}

#[divan::bench]
fn count_legal_moves(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    bencher.bench(|| black_box(&position).count_legal_moves());
}

#[divan::bench]
fn play_every_move(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    let moves = position.legal_moves();
    bencher.counter(moves.len()).bench(|| {
        for &m in black_box(&moves) {
            let mut next = position;
            next.play_unchecked(m);
            black_box(next);
        }
    });
}

#[divan::bench]
fn read_fen() -> Position {
    black_box(MIDDLEGAME).parse().expect("a valid FEN")
}

#[divan::bench]
fn write_fen(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    bencher.bench(|| black_box(&position).fen());
}

#[divan::bench]
fn read_san(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    bencher.bench(|| position.parse_san(black_box("Nxf7")));
}

#[divan::bench]
fn read_plain_san(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    bencher.bench(|| position.parse_plain_san(black_box(b"Nxf7")));
}

#[divan::bench]
fn write_san(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    let m = position.parse_uci("e5f7").expect("a legal move");
    bencher.bench(|| position.san(black_box(m)));
}

#[divan::bench]
fn perft_4(bencher: Bencher<'_, '_>) {
    let position = middlegame();
    bencher.counter(4_085_603_u64).bench(|| perft(black_box(&position), 4));
}
