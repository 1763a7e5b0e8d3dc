//! The rules of chess, case by case: where each piece may go, and what the board is like after.

use tabiya_chess::{Color, Move, MoveKind, Position, Role, Square, Wing, attacks};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Where the piece on a square may go, in the order a1, b1 … h8.
fn destinations(fen: &str, from: &str) -> String {
    let squares = position(fen).destinations(from.parse().unwrap());
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_destinations(cases: &[(&str, &str, &str)]) {
    for &(fen, from, expected) in cases {
        assert_eq!(destinations(fen, from), expected, "from {from} in {fen}");
    }
}

/// The legal move with these squares, as in `e2e4` or `a7a8q`; castling by the king's squares.
fn find(position: &Position, text: &str) -> Option<Move> {
    let (from, to): (Square, Square) = (text[..2].parse().unwrap(), text[2..4].parse().unwrap());
    let promotion = text[4..].chars().next().and_then(Role::from_letter);
    let fits = |m: &&Move| m.from() == from && m.to() == to && m.promotes_to() == promotion;
    position.legal_moves().iter().find(fits).copied()
}

/// The FEN after the moves.
fn after(fen: &str, moves: &str) -> String {
    let mut position = position(fen);
    for text in moves.split_whitespace() {
        let m = find(&position, text).unwrap_or_else(|| panic!("{text} in {position}"));
        position = position.play(m).unwrap();
    }
    position.fen()
}

#[track_caller]
fn check_after(cases: &[(&str, &str, &str)]) {
    for &(fen, moves, expected) in cases {
        assert_eq!(after(fen, moves), expected, "{moves} in {fen}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn twenty_first_moves() {
    let mut moves: Vec<String> =
        Position::initial().legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    let expected = [
        "a2 -> a3", "a2 -> a4", "b1 -> a3", "b1 -> c3", "b2 -> b3", "b2 -> b4", "c2 -> c3",
        "c2 -> c4", "d2 -> d3", "d2 -> d4", "e2 -> e3", "e2 -> e4", "f2 -> f3", "f2 -> f4",
        "g1 -> f3", "g1 -> h3", "g2 -> g3", "g2 -> g4", "h2 -> h3", "h2 -> h4",
    ];
    assert_eq!(moves, expected);
    let e4 = find(&Position::initial(), "e2e4").unwrap();
    assert_eq!(e4.coordinates(), "4 1 to 4 3");
}

#[test]
fn pawn_moves() {
    check_destinations(&[
        (START, "e2", "e3 e4"),
        ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "e3", ""),
        ("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", "e2", "e3"),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2", ""),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3", "e4"),
        ("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1", "e4", "d5 e5 f5"),
        ("4k3/8/8/3ppp2/4P3/8/8/4K3 w - - 0 1", "e4", "d5 f5"),
        ("4k3/8/8/3N1N2/4P3/8/8/4K3 w - - 0 1", "e4", "e5"),
        ("7k/4p3/3N1N2/8/8/8/8/4K3 b - - 0 1", "e7", "e5 d6 e6 f6"),
        // The board does not go round: a-pawns do not see the h-file.
        ("4k3/8/8/8/P6p/8/8/4K3 w - - 0 1", "a4", "a5"),
        ("4k3/8/p7/8/7P/8/8/4K3 w - - 0 1", "h4", "h5"),
        ("4k3/8/8/8/p6P/8/8/4K3 b - - 0 1", "a4", "a3"),
    ]);
}

#[test]
fn piece_moves() {
    check_destinations(&[
        ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "d4", "c2 e2 b3 f3 b5 f5 c6 e6"),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1", "c2 b3"),
        ("4k3/8/1p6/8/3B4/8/5P2/4K3 w - - 0 1", "d4", "a1 b2 c3 e3 c5 e5 b6 f6 g7 h8"),
        ("4k3/8/3p4/8/1P1R4/8/8/4K3 w - - 0 1", "d4", "d1 d2 d3 c4 e4 f4 g4 h4 d5 d6"),
        (
            "4k3/8/1p1p4/8/1P1Q4/8/5P2/4K3 w - - 0 1",
            "d4",
            "a1 d1 b2 d2 c3 d3 e3 c4 e4 f4 g4 h4 c5 d5 e5 b6 d6 f6 g7 h8",
        ),
        ("4k3/8/8/8/3K4/8/8/8 w - - 0 1", "d4", "c3 d3 e3 c4 e4 c5 d5 e5"),
        ("8/8/3k4/8/3K4/8/8/8 w - - 0 1", "d4", "c3 d3 e3 c4 e4"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1", "b1 a2 b2"),
        // An empty square and the opponent's piece have no moves.
        (START, "e4", ""),
        (START, "g8", ""),
    ]);
}

#[test]
fn naive_moves_and_legal_ones() {
    // The rook sees ten squares, but must keep the queen away from its king.
    let fen = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1";
    let board = *position(fen).board();
    let seen = attacks::rook(Square::E4, board.occupied()) - board.color(Color::White);
    assert_eq!(seen.len(), 10);
    check_destinations(&[(fen, "e4", "e2 e3 e5"), (fen, "e1", "f1 d2 f2")]);
}

#[test]
fn king_stays_out_of_attack() {
    check_destinations(&[
        ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "e1", "d1 f1"),
        // Not even along the line of the checking rook, behind itself.
        ("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "e1", "d1 f1 d2 f2"),
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1", "d2 e2 f2"),
        // A defended piece cannot be taken, an undefended one can.
        ("4k3/8/8/8/8/2n5/4q3/4K3 w - - 0 1", "e1", ""),
        ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1", "e2"),
        // A pinned piece still guards.
        ("3rk3/8/8/8/3n4/8/8/3RK3 w - - 0 1", "e1", "f1 d2 f2"),
    ]);
}

#[test]
fn answers_to_check() {
    let queen_on_the_back_rank = "2Q3k1/6pp/5r1q/6N1/1P5P/6P1/5P2/6K1 b - - 0 1";
    check_destinations(&[
        (queen_on_the_back_rank, "f6", "f8"),
        (queen_on_the_back_rank, "g8", ""),
        (queen_on_the_back_rank, "h6", ""),
        (queen_on_the_back_rank, "g7", ""),
    ]);
    assert_eq!(position(queen_on_the_back_rank).legal_moves().len(), 1);

    // The knight gives mate: the pawn that could take it is pinned, and blocking the queen does
    // not help.
    let smothered = "r1b1k2r/ppppqppp/2n5/8/1PP2B2/3n1N2/1P1NPPPP/R2QKB1R w KQkq - 1 9";
    check_destinations(&[(smothered, "f4", ""), (smothered, "f3", ""), (smothered, "d2", "")]);
    assert_eq!(position(smothered).legal_moves().len(), 0);

    // A checker may be taken, by pawn, queen or king.
    let before = "r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1";
    let checked = after(before, "e4d6");
    check_destinations(&[
        (&checked, "c7", "d6"),
        (&checked, "b4", "d6"),
        (&checked, "e8", "d7 e7 d8 f8"),
        (&checked, "a7", ""),
        (&checked, "h8", ""),
    ]);

    check_destinations(&[
        // Block, capture, or step aside.
        ("4k3/8/8/8/4r3/8/3B4/4K1N1 w - - 0 1", "d2", "e3"),
        ("4k3/8/8/8/4r3/8/3B4/4K1N1 w - - 0 1", "g1", "e2"),
        ("4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1", "c3", "e2 e4"),
        // A knight's check cannot be blocked.
        ("4k3/8/8/8/8/3n4/8/R2QK3 w Q - 0 1", "a1", ""),
        ("4k3/8/8/8/8/3n4/8/R2QK3 w Q - 0 1", "d1", "d3"),
        // In double check only the king moves.
        ("4k3/8/4r3/8/8/3n4/8/R2QK3 w - - 0 1", "d1", ""),
        ("4k3/8/4r3/8/8/3n4/8/R2QK3 w - - 0 1", "e1", "f1 d2"),
        // A pinned piece cannot answer the other check.
        ("4k3/8/8/8/1b2r3/8/3N4/4K3 w - - 0 1", "d2", ""),
    ]);
}

#[test]
fn pins_in_all_eight_directions() {
    let fen = "3r3k/b5q1/1Q1N4/4B3/q1PK1R1r/2N1P3/3Q4/b2r2b1 w - - 0 1";
    check_destinations(&[
        (fen, "d6", ""),
        (fen, "e5", "f6 g7"),
        (fen, "f4", "e4 g4 h4"),
        (fen, "e3", ""),
        (fen, "d2", "d1 d3"),
        (fen, "c3", ""),
        (fen, "c4", ""),
        (fen, "b6", "c5 a7"),
        // A pawn may step along a file pin and capture along a diagonal one.
        ("4k3/4r3/8/8/8/8/4P3/4K3 w - - 0 1", "e2", "e3 e4"),
        ("4k3/4r3/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2", "e3 e4"),
        ("4k3/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2", "g3"),
        ("4k3/8/8/8/7b/6p1/5P2/4K3 w - - 0 1", "f2", "f3 g3 f4"),
        // Two pieces between: no pin.
        ("4k3/4r3/8/4n3/8/8/4N3/4K3 w - - 0 1", "e2", "c1 g1 c3 g3 d4 f4"),
    ]);
}

#[test]
fn castling_moves() {
    let open = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check_destinations(&[
        (open, "e1", "c1 d1 f1 g1 d2 e2 f2"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8", "d7 e7 f7 c8 d8 f8 g8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "e1", "d1 f1 g1 d2 e2 f2"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1", "d1 f1 d2 e2 f2"),
        // Through an attacked square, out of check, into check.
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "c1 d1 d2 e2"),
        ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "d1 f1 d2 f2"),
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "c1 d1 f1 d2 e2 f2"),
        // The rook may pass an attacked square or be attacked itself.
        ("1r2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "c1 d1 f1 g1 d2 e2 f2"),
        ("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1", "c1 d1 f1 d2 e2 f2"),
        // Nothing may stand between.
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", "e1", "d1 f1 d2 e2 f2"),
        ("4k3/8/8/8/8/8/8/Rn2K2R w KQ - 0 1", "e1", "d1 f1 g1 e2 f2"),
    ]);
    check_after(&[
        (open, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        (open, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"),
        (open, "e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
        (open, "e1c1 e8g8", "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"),
    ]);
}

#[test]
fn castling_rights_are_lost() {
    let open = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check_after(&[
        // A rook's move spoils its own side only, and coming back does not help.
        (open, "a1b1", "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1"),
        (open, "h1g1", "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 1 1"),
        (open, "h1g1 a8b8 g1h1 b8a8", "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 4 3"),
        // The king's move spoils both.
        (open, "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1"),
        (open, "e1e2 e8e7 e2e1 e7e8", "r3k2r/8/8/8/8/8/8/R3K2R w - - 4 3"),
        // Taking a rook spoils the taker's side and the victim's.
        (open, "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"),
        (open, "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"),
        ("r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1", "g3h1", "r3k2r/8/8/8/8/8/8/R3K2n w Qkq - 0 2"),
        ("r3k2r/6P1/8/8/8/8/8/4K3 w kq - 0 1", "g7h8q", "r3k2Q/8/8/8/8/8/8/4K3 b q - 0 1"),
    ]);
}

#[test]
fn chess960_castling() {
    // King, rook, and where both stand after.
    let cases = [
        // King and rook change places.
        ("k7/8/8/8/8/8/8/5KR1 w G - 0 1", Wing::KingSide, "k7/8/8/8/8/8/8/5RK1 b - - 1 1"),
        // Only the rook moves, only the king moves.
        ("k7/8/8/8/8/8/8/6KR w H - 0 1", Wing::KingSide, "k7/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("7k/8/8/8/8/8/8/R1K5 w A - 0 1", Wing::QueenSide, "7k/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("7k/8/8/8/8/8/8/3RK3 w D - 0 1", Wing::QueenSide, "7k/8/8/8/8/8/8/2KR4 b - - 1 1"),
        // The king walks towards the rook, past it, and away from it.
        ("k7/8/8/8/8/8/8/1K5R w H - 0 1", Wing::KingSide, "k7/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("k7/8/8/8/8/8/8/1KR5 w C - 0 1", Wing::KingSide, "k7/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("7k/8/8/8/8/8/8/RK6 w A - 0 1", Wing::QueenSide, "7k/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("2rk4/8/8/8/8/8/8/7K b c - 0 1", Wing::QueenSide, "2kr4/8/8/8/8/8/8/7K w - - 1 2"),
    ];
    for (fen, wing, expected) in cases {
        let before = position(fen);
        let rook = before.castling_rook(before.turn(), wing).unwrap();
        let m = Move::castle(before.king(before.turn()), rook);
        assert_eq!(before.play(m).unwrap().fen(), expected, "{fen}");
    }
    // The rook on b1 shields its king from the queen on a1: it may not leave.
    let shielded = position("7k/8/8/8/8/8/8/qRK5 w B - 0 1");
    assert!(!shielded.is_legal(Move::castle(Square::C1, Square::B1)));
    // Something else stands where the rook must go.
    let blocked = position("7k/8/8/8/8/8/8/RK1N4 w A - 0 1");
    assert!(!blocked.is_legal(Move::castle(Square::B1, Square::A1)));
    // The way of the king is attacked.
    let attacked = position("k3r3/8/8/8/8/8/8/1K5R w H - 0 1");
    assert!(!attacked.is_legal(Move::castle(Square::B1, Square::H1)));
}

#[test]
fn en_passant() {
    check_after(&[
        // The pawn that has just passed is taken; a move later it is too late.
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 5 9", "d7d5 e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 10"),
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9", "e2e4 d4e3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 10"),
        // Only after a double step is there anything to take.
        ("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2"),
        // The square is written only if a pawn can take there.
        (START, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        (
            START,
            "e2e4 g8f6 e4e5 d7d5",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ),
    ]);
    check_destinations(&[
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6 e6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5", "e6"),
        // Both neighbours may.
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5", "c6 d6"),
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e5", "d6 e6"),
        // Only one at a time: the other pawn passed earlier.
        ("4k3/8/8/3pPp2/8/8/8/4K3 w - f6 0 1", "e5", "e6 f6"),
        // Both pawns would leave the rank and open it for the queen.
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "e4", "e3"),
        ("8/8/8/K2pP2q/8/8/8/3k4 w - d6 0 1", "e5", "e6"),
        // The capturing pawn is pinned; along the pin it may take.
        ("4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "e6"),
        ("1k6/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1", "e5", "d6"),
        // Taking en passant answers the check of the pawn that has passed.
        ("8/8/8/2k5/3Pp3/8/8/3K4 b - d3 0 1", "e4", "d3"),
        ("8/8/8/1Ppp3r/RK3p1k/8/4P1P1/8 w - c6 0 1", "b5", "c6"),
        // But not the check that its step has discovered, which must be blocked.
        ("2b1k3/8/8/3pP3/8/7K/8/8 w - d6 0 1", "e5", "e6"),
    ]);
    // In time, then late.
    let mut game = position(&after("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5"));
    assert!(find(&game, "e5d6").is_some());
    assert_eq!(find(&game, "e5d6").unwrap().kind(), MoveKind::EnPassant);
    game = position(&after(&game.fen(), "e1e2 e8e7"));
    assert!(find(&game, "e5d6").is_none());
}

#[test]
fn promotion() {
    check_after(&[
        ("8/P6k/8/8/8/8/8/K7 w - - 9 40", "a7a8q", "Q7/7k/8/8/8/8/8/K7 b - - 0 40"),
        ("8/P6k/8/8/8/8/8/K7 w - - 9 40", "a7a8r", "R7/7k/8/8/8/8/8/K7 b - - 0 40"),
        ("8/P6k/8/8/8/8/8/K7 w - - 9 40", "a7a8b", "B7/7k/8/8/8/8/8/K7 b - - 0 40"),
        ("8/P6k/8/8/8/8/8/K7 w - - 9 40", "a7a8n", "N7/7k/8/8/8/8/8/K7 b - - 0 40"),
        ("1n6/P6k/8/8/8/8/8/K7 w - - 9 40", "a7b8n", "1N6/7k/8/8/8/8/8/K7 b - - 0 40"),
        ("k7/8/8/8/8/8/p6K/8 b - - 9 40", "a2a1q", "k7/8/8/8/8/8/7K/q7 w - - 0 41"),
        ("k7/8/8/8/8/8/p6K/1R6 b - - 9 40", "a2b1r", "k7/8/8/8/8/8/7K/1r6 w - - 0 41"),
    ]);
    // There is no move to the last rank without a new piece, and no new king or pawn.
    let moves = position("1n6/P6k/8/8/8/8/8/K7 w - - 0 1").moves_from(Square::A7);
    assert_eq!(moves.len(), 8);
    assert!(moves.iter().all(|m| m.promotes_to().is_some()));
    // The new piece moves as what it is.
    let promoted = after("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n h7h6");
    assert_eq!(destinations(&promoted, "a8"), "b6 c7");
    let promoted = after("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8b h7h6");
    assert_eq!(destinations(&promoted, "a8"), "h1 g2 f3 e4 d5 c6 b7");
}

#[test]
fn clocks() {
    check_after(&[
        (START, "g1f3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"),
        (START, "g1f3 g8f6", "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"),
        // A pawn's move or a capture starts the clock again.
        (START, "g1f3 e7e6", "rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2"),
        ("4k3/8/8/3r4/4B3/8/8/4K3 w - - 37 60", "e4d5", "4k3/8/8/3B4/8/8/8/4K3 b - - 0 60"),
        ("4k3/8/8/3r4/4B3/8/8/4K3 b - - 37 60", "d5d8", "3rk3/8/8/8/4B3/8/8/4K3 w - - 38 61"),
    ]);
    let game = position(&after(START, "e2e4 e7e5 g1f3"));
    assert_eq!((game.ply(), game.turn()), (3, Color::Black));
}

#[test]
fn no_moves_left() {
    let mates = [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1",
        "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
    ];
    let stalemates = [
        "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
        "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
        // The pawns are blocked, the bishop is pinned.
        "kb5R/p7/P7/8/8/8/8/7K b - - 0 1",
        "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10",
    ];
    for (fens, check) in [(&mates, true), (&stalemates, false)] {
        for fen in fens {
            let position = position(fen);
            assert_eq!(position.legal_moves().len(), 0, "{fen}");
            assert!(!position.has_legal_moves(), "{fen}");
            assert_eq!(position.is_check(), check, "{fen}");
        }
    }
}

#[test]
fn number_of_moves_in_well_known_positions() {
    let cases = [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 44),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 46),
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
    ];
    for (fen, count) in cases {
        assert_eq!(position(fen).legal_moves().len(), count, "{fen}");
    }
}

#[test]
fn playing_leaves_the_original_alone() {
    let start = Position::initial();
    let m = find(&start, "e2e4").unwrap();
    let next = start.play(m).unwrap();
    assert_eq!(start, Position::initial());
    let mut in_place = start;
    in_place.play_unchecked(m);
    assert_eq!(in_place, next);
    assert_eq!((start.turn(), next.turn()), (Color::White, Color::Black));
    // Listing lazily and all at once.
    let listed: Vec<Move> = start.legal_moves().into_iter().collect();
    assert_eq!(listed, start.legal_moves().to_vec());
}

#[test]
fn illegal_moves_are_refused() {
    let start = Position::initial();
    let moves = [
        Move::normal(Square::E2, Square::E5),
        Move::normal(Square::E4, Square::E5),
        Move::normal(Square::E7, Square::E5),
        Move::normal(Square::A1, Square::A3),
        Move::castle(Square::E1, Square::H1),
        Move::en_passant(Square::E2, Square::D3),
        Move::promotion(Square::E2, Square::E3, Role::Queen).unwrap(),
    ];
    for m in moves {
        assert!(!start.is_legal(m), "{m:?}");
        assert!(start.play(m).is_err(), "{m:?}");
    }
}

#[test]
fn keys_of_opening_books() {
    // The examples of the Polyglot book format.
    let cases = [
        ("", 0x463b96181691fc9c),
        ("e2e4", 0x823c9b50fd114196),
        ("e2e4 d7d5", 0x0756b94461c50fb0),
        ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
    ];
    for (moves, key) in cases {
        assert_eq!(position(&after(START, moves)).key(), key, "after {moves:?}");
    }
}
