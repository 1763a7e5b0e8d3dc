//! Evaluation by hand, small: what a position is worth at a glance. It is the one seam through which
//! the search asks for an opinion.
//!
//! Every term is a count (White's minus Black's) times a weight, one for the middlegame and one for the
//! endgame, so the same function that plays also says which weights made a score: that is what
//! tuning reads.

use tabiya_chess::{Bitboard, Board, Color, File, Position, Rank, Role, Square, attacks};

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
}

/// Adds up weights, both phases in one number: the endgame in the upper half.
struct Sum(i32);

impl Terms for Sum {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.0 += WEIGHTS[term] * count;
    }
}

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
    if position.turn() == Color::Black {
        score = -score;
    }
    // Nothing happens for long: the fifty-move rule comes nearer.
    score * (220 - i32::from(position.halfmove_clock().min(100))) / 220
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
pub(crate) fn visit_terms(position: &Position, terms: &mut impl Terms) {
    let board = position.board();
    let views = Color::ALL.map(|color| View::of(board, color));
    for color in Color::ALL {
        let sign = if color == Color::White { 1 } else { -1 };
        side_terms(board, color, sign, &views[color as usize], &views[!color as usize], terms);
    }
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

#[inline(always)]
fn side_terms(
    board: &Board,
    color: Color,
    sign: i32,
    own: &View,
    enemy: &View,
    terms: &mut impl Terms,
) {
    let occupied = board.occupied();
    let own_all = board.color(color);
    let enemy_all = board.color(!color);
    let relative = |square: Square| square.relative_to(color);
    let place = |role: Role, square: Square| {
        let square = relative(square);
        let file = square.file().index();
        term::SQUARE + 32 * role as usize + 4 * square.rank().index() + file.min(7 - file)
    };

    // Pawns.
    for square in own.pawns {
        terms.add(term::MATERIAL, sign);
        terms.add(place(Role::Pawn, square), sign);
        let rank = relative(square).rank().index();
        let (ahead, neighbours) = (ahead(square, color), neighbours(square));
        let front = ahead & Bitboard::from(square.file());
        if (own.pawns & neighbours).is_empty() {
            terms.add(term::ISOLATED, sign);
        }
        if own.pawns.meets(front) {
            terms.add(term::DOUBLED, sign);
        } else if (enemy.pawns & ahead & (neighbours | Bitboard::from(square.file()))).is_empty() {
            terms.add(term::PASSED + rank, sign);
            if let Some(stop) = square.offset(0, if color == Color::White { 1 } else { -1 }) {
                if !occupied.contains(stop) {
                    terms.add(term::PASSED_FREE + rank, sign);
                }
                let weight = sign * rank as i32;
                terms.add(term::PASSED_OWN_KING, weight * i32::from(own.king.distance(stop)));
                terms.add(term::PASSED_ENEMY_KING, weight * i32::from(enemy.king.distance(stop)));
            }
        }
    }
    terms.add(term::SUPPORTED, sign * (own.pawns & own.pawn_attacks).len() as i32);

    // Pieces: where they stand, where they can go, whom they trouble.
    let safe = !(own_all & (own.pawns | own.king)) - enemy.pawn_attacks;
    let mut attackers = 0;
    let mut minor_attacks = Bitboard::EMPTY;
    let mobility = [
        (Role::Knight, term::KNIGHT_MOBILITY),
        (Role::Bishop, term::BISHOP_MOBILITY),
        (Role::Rook, term::ROOK_MOBILITY),
        (Role::Queen, term::QUEEN_MOBILITY),
    ];
    for (role, first) in mobility {
        for square in board.pieces(role.of(color)) {
            terms.add(term::MATERIAL + role as usize, sign);
            terms.add(place(role, square), sign);
            let reach = match role {
                Role::Knight => attacks::knight(square),
                Role::Bishop => attacks::bishop(square, occupied),
                Role::Rook => attacks::rook(square, occupied),
                _ => attacks::queen(square, occupied),
            };
            terms.add(first + (reach & safe).len() as usize, sign);
            let near_king = (reach & enemy.king_zone).len() as i32;
            if near_king > 0 {
                attackers += 1;
                terms.add(term::KING_ATTACK + role as usize - 1, sign * near_king);
            }
            if matches!(role, Role::Knight | Role::Bishop) {
                minor_attacks |= reach;
            }
        }
    }
    terms.add(term::KING_ATTACKERS + attackers.min(5), sign);
    if board.pieces(Role::Bishop.of(color)).has_more_than_one() {
        terms.add(term::BISHOP_PAIR, sign);
    }
    for square in board.pieces(Role::Rook.of(color)) {
        let file = Bitboard::from(square.file());
        if !own.pawns.meets(file) {
            let open = !enemy.pawns.meets(file);
            terms.add(if open { term::ROOK_OPEN_FILE } else { term::ROOK_HALF_OPEN_FILE }, sign);
        }
    }
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let targets = enemy_all & board.role(role);
        let by_pawns = (targets & own.pawn_attacks).len() as i32;
        terms.add(term::PAWN_THREAT + role as usize - 1, sign * by_pawns);
        let by_minors = (targets & minor_attacks).len() as i32;
        terms.add(term::MINOR_THREAT + role as usize - 1, sign * by_minors);
    }

    // The king.
    terms.add(place(Role::King, own.king), sign);
    let file = Bitboard::from(own.king.file());
    let shelter = own.pawns & ahead(own.king, color) & (neighbours(own.king) | file);
    terms.add(term::KING_SHELTER + (shelter.len() as usize).min(3), sign);
    if !own.pawns.meets(file) {
        terms.add(term::KING_OPEN_FILE, sign);
    }
}

/// All squares on the ranks before a square.
fn ahead(square: Square, color: Color) -> Bitboard {
    let rank = square.rank() as u32;
    match color {
        Color::White if square.rank() == Rank::Eighth => Bitboard::EMPTY,
        Color::White => Bitboard(u64::MAX << (8 * (rank + 1))),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}

/// The files beside a square.
fn neighbours(square: Square) -> Bitboard {
    let file = Bitboard::from(square.file());
    (file - File::A) >> 1 | (file - File::H) << 1
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
