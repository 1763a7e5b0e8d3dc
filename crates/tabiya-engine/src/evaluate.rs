//! The hand-crafted evaluation, small: what a position is worth at a glance, for when there is no network.
//!
//! Every term is a count (White's minus Black's) times a weight, one for the middlegame and one for the
//! endgame, so the same function that plays also says which weights made a score: that is what
//! tuning reads.

use tabiya_chess::{Bitboard, Board, Color, File, Position, Role, Square, attacks};

use crate::weights::WEIGHTS;

/// Where each group of weights begins.
pub(crate) mod term {
    pub(crate) const MATERIAL: usize = 0;
    /// By role and by square, files mirrored: 6 × 32.
    pub(crate) const SQUARE: usize = MATERIAL + 5;
    pub(crate) const KNIGHT_MOBILITY: usize = SQUARE + 6 * 32;
    pub(crate) const BISHOP_MOBILITY: usize = KNIGHT_MOBILITY + 9;
    pub(crate) const ROOK_MOBILITY: usize = BISHOP_MOBILITY + 14;
    pub(crate) const QUEEN_MOBILITY: usize = ROOK_MOBILITY + 15;
    /// By rank.
    pub(crate) const PASSED: usize = QUEEN_MOBILITY + 28;
    /// A passed pawn whose next square is empty, by rank.
    pub(crate) const PASSED_FREE: usize = PASSED + 8;
    /// How many king moves each king is from the square before a passed pawn.
    pub(crate) const PASSED_OWN_KING: usize = PASSED_FREE + 8;
    pub(crate) const PASSED_ENEMY_KING: usize = PASSED_OWN_KING + 1;
    pub(crate) const ISOLATED: usize = PASSED_ENEMY_KING + 1;
    pub(crate) const DOUBLED: usize = ISOLATED + 1;
    pub(crate) const SUPPORTED: usize = DOUBLED + 1;
    pub(crate) const BISHOP_PAIR: usize = SUPPORTED + 1;
    pub(crate) const ROOK_OPEN_FILE: usize = BISHOP_PAIR + 1;
    pub(crate) const ROOK_HALF_OPEN_FILE: usize = ROOK_OPEN_FILE + 1;
    /// Squares around the enemy king attacked, by role (knight to queen).
    pub(crate) const KING_ATTACK: usize = ROOK_HALF_OPEN_FILE + 1;
    /// The number of pieces that attack the enemy king's surroundings, 0 to 5.
    pub(crate) const KING_ATTACKERS: usize = KING_ATTACK + 4;
    /// Own pawns before the king, 0 to 3.
    pub(crate) const KING_SHELTER: usize = KING_ATTACKERS + 6;
    pub(crate) const KING_OPEN_FILE: usize = KING_SHELTER + 4;
    /// Enemy pieces attacked by pawns, and by minor pieces, by role attacked (knight to queen).
    pub(crate) const PAWN_THREAT: usize = KING_OPEN_FILE + 1;
    pub(crate) const MINOR_THREAT: usize = PAWN_THREAT + 4;
    pub(crate) const TEMPO: usize = MINOR_THREAT + 4;
    pub(crate) const COUNT: usize = TEMPO + 1;
}

/// Receives the terms of an evaluation.
pub(crate) trait Terms {
    fn add(&mut self, term: usize, count: i32);

    /// A piece on its square: its material and its place.
    fn piece(&mut self, role: Role, color: Color, square: Square) {
        let sign = if color == Color::White { 1 } else { -1 };
        if role != Role::King {
            self.add(term::MATERIAL + role as usize, sign);
        }
        self.add(place(role, color, square), sign);
    }
}

/// Adds up weights, both phases in one number: the endgame in the upper half.
struct Sum(i32);

impl Terms for Sum {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.0 += WEIGHTS[term] * count;
    }

    #[inline(always)]
    fn piece(&mut self, role: Role, color: Color, square: Square) {
        self.0 += PIECES[color as usize][role as usize][square.index()];
    }
}

/// Where the weight of a piece's place is.
const fn place(role: Role, color: Color, square: Square) -> usize {
    let square = square.relative_to(color) as usize;
    let (rank, file) = (square / 8, square % 8);
    let file = if file < 4 { file } else { 7 - file };
    term::SQUARE + 32 * role as usize + 4 * rank + file
}

/// MaterialEvaluation and place of every piece on every square, negative for Black.
static PIECES: [[[i32; 64]; 6]; 2] = {
    let mut table = [[[0; 64]; 6]; 2];
    let mut i = 0;
    while i < 6 * 64 {
        let (role, square) = (Role::ALL[i / 64], Square::ALL[i % 64]);
        let material = if i / 64 < 5 { WEIGHTS[term::MATERIAL + i / 64] } else { 0 };
        table[0][i / 64][i % 64] = material + WEIGHTS[place(role, Color::White, square)];
        table[1][i / 64][i % 64] = -material - WEIGHTS[place(role, Color::Black, square)];
        i += 1;
    }
    table
};

pub(crate) const fn pair(middlegame: i32, endgame: i32) -> i32 {
    (endgame << 16) + middlegame
}

pub(crate) const fn middlegame(pair: i32) -> i32 {
    pair as i16 as i32
}

pub(crate) const fn endgame(pair: i32) -> i32 {
    (pair + 0x8000) >> 16
}

/// 24 with all pieces on the board, 0 with none but pawns.
pub(crate) fn phase(board: &Board) -> i32 {
    let count = |role| board.role(role).len() as i32;
    let phase =
        count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    phase.min(24)
}

/// The worth of a position for the side to move, in centipawns.
pub(crate) fn evaluate(position: &Position) -> i32 {
    let board = position.board();
    let mut sum = Sum(0);
    visit_terms(position, &mut sum);
    let phase = phase(board);
    let mut score = (middlegame(sum.0) * phase + endgame(sum.0) * (24 - phase)) / 24;
    score = score * drawishness(board, score) / 16;
    if position.turn() == Color::Black { -score } else { score }
}

/// How much of an advantage is left to win with, in sixteenths: without pawns, a small one is none.
fn drawishness(board: &Board, score: i32) -> i32 {
    let stronger = if score > 0 { Color::White } else { Color::Black };
    if board.has(Role::Pawn.of(stronger)) {
        return 16;
    }
    let worth = |color: Color| {
        let count = |role: Role| board.pieces(role.of(color)).len() as i32;
        3 * (count(Role::Knight) + count(Role::Bishop))
            + 5 * count(Role::Rook)
            + 9 * count(Role::Queen)
    };
    match worth(stronger) - worth(!stronger) {
        ..=3 => 2,
        4 => 6,
        _ => 16,
    }
}

/// Tells every term of a position, White's minus Black's.
#[inline(always)]
pub(crate) fn visit_terms(position: &Position, terms: &mut impl Terms) {
    let board = position.board();
    let [white, black] = Color::ALL.map(|color| View::of(board, color));
    side_terms::<true>(board, &white, &black, terms);
    side_terms::<false>(board, &black, &white, terms);
    terms.add(term::TEMPO, if position.turn() == Color::White { 1 } else { -1 });
}

/// What is asked of a side more than once.
struct View {
    king: Square,
    pawns: Bitboard,
    pawn_attacks: Bitboard,
    /// The king's square and those around it.
    king_zone: Bitboard,
}

impl View {
    #[inline(always)]
    fn of(board: &Board, color: Color) -> View {
        let king = board.king(color).unwrap_or(Square::E1);
        let pawns = board.pieces(Role::Pawn.of(color));
        View {
            king,
            pawns,
            pawn_attacks: pawn_attacks(pawns, color),
            king_zone: attacks::king(king) | king,
        }
    }
}

/// The squares that pawns of a colour attack.
pub(crate) fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    let west = pawns - File::A;
    let east = pawns - File::H;
    match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    }
}

/// A side's terms. Told at compile time which: the signs become additions and subtractions.
#[inline(always)]
fn side_terms<const WHITE: bool>(board: &Board, own: &View, enemy: &View, terms: &mut impl Terms) {
    let (color, sign) = if WHITE { (Color::White, 1) } else { (Color::Black, -1) };
    let occupied = board.occupied();

    // Pawns, all at once.
    for square in own.pawns {
        terms.piece(Role::Pawn, color, square);
    }
    let files = all_ranks(own.pawns);
    let isolated = own.pawns - beside(files);
    terms.add(term::ISOLATED, sign * isolated.len() as i32);
    let doubled = own.pawns & ahead(own.pawns, !color);
    terms.add(term::DOUBLED, sign * doubled.len() as i32);
    terms.add(term::SUPPORTED, sign * (own.pawns & own.pawn_attacks).len() as i32);
    let stopped = ahead(enemy.pawns, !color);
    for square in own.pawns - doubled - (stopped | beside(stopped)) {
        let rank = square.relative_to(color).rank().index();
        terms.add(term::PASSED + rank, sign);
        let Some(stop) = square.offset(0, sign as i8) else { continue };
        if !occupied.contains(stop) {
            terms.add(term::PASSED_FREE + rank, sign);
        }
        let weight = sign * rank as i32;
        terms.add(term::PASSED_OWN_KING, weight * i32::from(own.king.distance(stop)));
        terms.add(term::PASSED_ENEMY_KING, weight * i32::from(enemy.king.distance(stop)));
    }

    // Pieces: where they stand, where they can go, whom they trouble.
    let safe = !(own.pawns | own.king) - enemy.pawn_attacks;
    let mut attackers = 0;
    let mut visit = |role: Role, first: usize, square: Square, reach: Bitboard| {
        terms.piece(role, color, square);
        terms.add(first + (reach & safe).len() as usize, sign);
        let near_king = (reach & enemy.king_zone).len() as i32;
        attackers += usize::from(near_king > 0);
        terms.add(term::KING_ATTACK + role as usize - 1, sign * near_king);
    };
    let mut minor_attacks = Bitboard::EMPTY;
    for square in board.pieces(Role::Knight.of(color)) {
        let reach = attacks::knight(square);
        minor_attacks |= reach;
        visit(Role::Knight, term::KNIGHT_MOBILITY, square, reach);
    }
    let bishops = board.pieces(Role::Bishop.of(color));
    for square in bishops {
        let reach = attacks::bishop(square, occupied);
        minor_attacks |= reach;
        visit(Role::Bishop, term::BISHOP_MOBILITY, square, reach);
    }
    let rooks = board.pieces(Role::Rook.of(color));
    for square in rooks {
        visit(Role::Rook, term::ROOK_MOBILITY, square, attacks::rook(square, occupied));
    }
    for square in board.pieces(Role::Queen.of(color)) {
        visit(Role::Queen, term::QUEEN_MOBILITY, square, attacks::queen(square, occupied));
    }
    terms.add(term::KING_ATTACKERS + attackers.min(5), sign);
    if bishops.has_more_than_one() {
        terms.add(term::BISHOP_PAIR, sign);
    }
    let half_open = rooks - files;
    let open = half_open - all_ranks(enemy.pawns);
    terms.add(term::ROOK_OPEN_FILE, sign * open.len() as i32);
    terms.add(term::ROOK_HALF_OPEN_FILE, sign * (half_open - open).len() as i32);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let targets = board.pieces(role.of(!color));
        let by_pawns = (targets & own.pawn_attacks).len() as i32;
        terms.add(term::PAWN_THREAT + role as usize - 1, sign * by_pawns);
        let by_minors = (targets & minor_attacks).len() as i32;
        terms.add(term::MINOR_THREAT + role as usize - 1, sign * by_minors);
    }

    // The king.
    terms.piece(Role::King, color, own.king);
    let king = own.king.bitboard();
    let before = ahead(king | beside(king), color);
    let shelter = (own.pawns & before).len() as usize;
    terms.add(term::KING_SHELTER + shelter.min(3), sign);
    if !files.contains(own.king) {
        terms.add(term::KING_OPEN_FILE, sign);
    }
}

/// All squares of the files of a set.
#[inline(always)]
fn all_ranks(set: Bitboard) -> Bitboard {
    set | ahead(set, Color::White) | ahead(set, Color::Black)
}

/// All squares before those of a set, as the colour looks at the board.
#[inline(always)]
fn ahead(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => {
            let mut ahead = set << 8;
            ahead |= ahead << 8;
            ahead |= ahead << 16;
            ahead | ahead << 32
        }
        Color::Black => {
            let mut ahead = set >> 8;
            ahead |= ahead >> 8;
            ahead |= ahead >> 16;
            ahead | ahead >> 32
        }
    }
}

/// The squares to the left and right.
#[inline(always)]
fn beside(set: Bitboard) -> Bitboard {
    (set - File::A) >> 1 | (set - File::H) << 1
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_seen_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "8/5k2/8/3P4/8/8/5K2/8 w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let mut mirrored = position.setup();
            mirrored.board = Board::empty();
            for placed in position.board().iter() {
                let piece = placed.piece.role.of(!placed.piece.color);
                mirrored.board.put(placed.square.relative_to(Color::Black), piece);
            }
            mirrored.turn = Color::Black;
            mirrored.castling = tabiya_chess::CastlingRights::NONE;
            let mirrored = mirrored.validate().unwrap();
            assert_eq!(evaluate(&position), evaluate(&mirrored), "{fen}");
        }
    }

    #[test]
    fn a_queen_more_is_winning_and_a_bare_minor_is_not() {
        let worth = |fen: &str| evaluate(&fen.parse::<Position>().unwrap());
        assert!(worth("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1") > 500);
        assert!(worth("4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1") < -500);
        assert!(worth("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1").abs() < 100);
        assert!(worth("r3k3/8/8/8/8/8/8/R1B1K3 w - - 0 1").abs() < 100);
    }

    #[test]
    fn pairs_keep_both_halves() {
        for (mg, eg) in [(0, 0), (100, -50), (-1, 1), (-300, -400), (3000, 12)] {
            let value = pair(mg, eg);
            assert_eq!((middlegame(value), endgame(value)), (mg, eg));
        }
        assert_eq!(middlegame(pair(5, -3) + pair(-9, 2)), -4);
    }
}
