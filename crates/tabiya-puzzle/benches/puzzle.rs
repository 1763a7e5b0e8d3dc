//! How long things take as boards and armies grow. `cargo bench -p tabiya-puzzle`
//!
//! For a comparison with the plainest program in Python, see `bench/puzzle`.

use divan::{Bencher, black_box};
use tabiya_puzzle::{Board, Limits, Position, Recipe, Search, Side, Size};

fn main() {
    divan::main();
}

/// Rows, and bishops a side: the same share of the board first, then more and more on the largest.
const BOARDS: [(u8, usize); 9] =
    [(5, 3), (8, 7), (16, 29), (26, 1), (26, 10), (26, 38), (26, 75), (26, 150), (26, 300)];

fn position((rows, bishops): (u8, usize)) -> Position {
    let size = Size::new(rows).expect("a size");
    let recipe =
        Recipe { size, white_bishops: bishops, black_bishops: bishops, mate: None, seed: 1 };
    Position::new(recipe.compose().expect("a position"), Side::White).expect("two kings")
}

#[divan::bench(args = BOARDS)]
fn list_legal_moves(bencher: Bencher<'_, '_>, board: (u8, usize)) {
    let position = position(board);
    bencher.counter(position.legal_moves().len()).bench(|| black_box(&position).legal_moves());
}

#[divan::bench(args = BOARDS)]
fn check_and_mate(bencher: Bencher<'_, '_>, board: (u8, usize)) {
    let position = position(board);
    bencher.bench(|| black_box(&position).status());
}

#[divan::bench(args = BOARDS, sample_count = 10)]
fn search_nodes(bencher: Bencher<'_, '_>, board: (u8, usize)) {
    let position = position(board);
    let limits = Limits { nodes: 10_000, ..Limits::default() };
    let nodes = Search::new().think(&position, &[], limits).expect("a move").nodes;
    bencher
        .counter(nodes)
        .with_inputs(Search::new)
        .bench_local_refs(|search| search.think(black_box(&position), &[], limits));
}

#[divan::bench(args = BOARDS)]
fn read_file(bencher: Bencher<'_, '_>, board: (u8, usize)) {
    let plain = position(board).board().plain();
    bencher.bench(|| black_box(&plain).parse::<Board>());
}

#[divan::bench(args = BOARDS)]
fn draw(bencher: Bencher<'_, '_>, board: (u8, usize)) {
    let position = position(board);
    bencher.bench(|| black_box(position.board()).draw());
}
