//! What once was wrong, so that it stays right.

use tabiya_chess::{Move, Position, Square};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Castling in Chess960 where the king already stands on its new square was not among the moves.
#[test]
fn castling_without_moving_the_king() {
    let cases = [
        ("Q2nr1kr/1p1pppp1/3n4/p3q2p/1P3PPP/3P4/PBP1P3/1B1NNRKR b HFh - 2 11", 37, "g8h8"),
        ("rqknr2b/ppp3p1/3pb3/4p2p/1PP2pNP/PQ1PP1n1/5PPB/R1K1RN1B w EAea - 2 13", 32, "c1a1"),
    ];
    for (fen, count, castles) in cases {
        let position = position(fen);
        assert_eq!(position.legal_moves().len(), count, "{fen}");
        assert_eq!(position.count_legal_moves(), count as u64, "{fen}");
        let squares: Vec<Square> =
            [&castles[..2], &castles[2..]].iter().map(|name| name.parse().unwrap()).collect();
        assert!(position.is_legal(Move::castle(squares[0], squares[1])), "{fen}");
    }
}

/// The steps of castling lost a rook whose square the king goes to.
#[test]
fn steps_of_castling_onto_the_rook() {
    let cases = [
        ("qnbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/QNBNRKRB w GEge - 0 1", Square::F1, Square::G1),
        ("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", Square::B1, Square::C1),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", Square::D1, Square::C1),
    ];
    for (fen, king, rook) in cases {
        let before = position(fen);
        let castle = Move::castle(king, rook);
        let steps = before.steps(castle);
        let mut board = *before.board();
        steps.iter().for_each(|step| step.apply(&mut board));
        assert_eq!(board, *before.play(castle).unwrap().board(), "{fen}");
        steps.iter().rev().for_each(|step| step.inverse().apply(&mut board));
        assert_eq!(board, *before.board(), "{fen}");
    }
}

/// Two pieces that do not slide give check at once: taking one of them is no answer.
#[test]
fn a_check_by_two_leapers_is_a_double_check() {
    for (fen, count) in [
        ("7k/8/8/8/8/3n1n2/4Q3/4K3 w - - 0 1", 2),
        ("r6R/3Q4/1Q4Q1/7Q/2Q4Q/Q4Q2/np1Q4/knK1NBB1 w - - 0 1", 2),
        ("4k3/8/8/8/8/2B2n2/3p4/4K2R w - - 0 1", 4),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.legal_moves().len(), count, "{fen}");
        assert_eq!(position.count_legal_moves(), count as u64, "{fen}");
    }
}
