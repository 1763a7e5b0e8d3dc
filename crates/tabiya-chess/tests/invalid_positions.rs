//! Positions and FENs that are none, each with the reason given.

use tabiya_chess::{
    CastlingRights, Color, FenError, Position, Rank, Role, Setup, SetupError, Square,
};

fn refused(fen: &str) -> FenError {
    match fen.parse::<Position>() {
        Ok(_) => panic!("{fen} was accepted"),
        Err(error) => error,
    }
}

#[test]
fn badly_written_fens() {
    let bad = |field, found: &str| FenError::BadField { field, found: found.to_owned() };
    let cases = [
        ("", FenError::Empty, "the FEN is empty"),
        (" \t ", FenError::Empty, "the FEN is empty"),
        (
            "4k3/8/8/8/3x4/8/8/4K3 w - - 0 1",
            FenError::BadPlacement { rank: Rank::Fourth, found: 'x' },
            "rank 4 of the FEN has 'x' where a piece or 1 to 8 belongs",
        ),
        (
            "4k3/8/8/0/8/8/8/4K3 w - - 0 1",
            FenError::BadPlacement { rank: Rank::Fifth, found: '0' },
            "rank 5 of the FEN has '0' where a piece or 1 to 8 belongs",
        ),
        (
            "4k3/8/8/♔7/8/8/8/4K3 w - - 0 1",
            FenError::BadPlacement { rank: Rank::Fifth, found: '♔' },
            "rank 5 of the FEN has '♔' where a piece or 1 to 8 belongs",
        ),
        (
            "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
            FenError::BadRankLength(Rank::First),
            "rank 1 of the FEN does not have eight squares",
        ),
        (
            "4k3/pppppppp1/8/8/8/8/8/4K3 w - - 0 1",
            FenError::BadRankLength(Rank::Seventh),
            "rank 7 of the FEN does not have eight squares",
        ),
        (
            "4k3/8//8/8/8/8/4K3 w - - 0 1",
            FenError::BadRankLength(Rank::Sixth),
            "rank 6 of the FEN does not have eight squares",
        ),
        (
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
            FenError::BadRankCount(7),
            "the FEN has 7 ranks instead of eight",
        ),
        (
            "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
            FenError::BadRankCount(9),
            "the FEN has 9 ranks instead of eight",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3",
            FenError::MissingField("side to move"),
            "the FEN ends before the side to move",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w",
            FenError::MissingField("castling field"),
            "the FEN ends before the castling field",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w -",
            FenError::MissingField("en passant square"),
            "the FEN ends before the en passant square",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - -",
            FenError::MissingField("halfmove clock"),
            "the FEN ends before the halfmove clock",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0",
            FenError::MissingField("move number"),
            "the FEN ends before the move number",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 W - - 0 1",
            bad("side to move", "W"),
            "\"W\" is not a side to move for a FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w x - 0 1",
            bad("castling field", "x"),
            "\"x\" is not a castling field for a FEN",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
            bad("castling field", "KK"),
            "\"KK\" is not a castling field for a FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            bad("en passant square", "e9"),
            "\"e9\" is not an en passant square for a FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            bad("halfmove clock", "-1"),
            "\"-1\" is not a halfmove clock for a FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 65536 1",
            bad("halfmove clock", "65536"),
            "\"65536\" is not a halfmove clock for a FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 +1",
            bad("move number", "+1"),
            "\"+1\" is not a move number for a FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 e4",
            FenError::TooManyFields("e4".to_owned()),
            "the FEN goes on with \"e4\" after its last field",
        ),
    ];
    for (fen, error, text) in cases {
        assert_eq!(refused(fen), error, "{fen}");
        assert_eq!(error.to_string(), text, "{fen}");
    }
}

/// Positions that no game leads to, but that puzzles and test suites have: two knights or two bishops
/// giving check at once, a check that was there before the last double step.
#[test]
fn unreachable_positions_are_accepted() {
    for fen in [
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        "4k3/8/8/3pP3/8/8/4r3/4K3 w - d6 0 1",
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    ] {
        assert!(fen.parse::<tabiya_chess::Position>().is_ok(), "{fen}");
    }
}

#[test]
fn positions_that_are_none() {
    use Color::{Black, White};
    let cases = [
        ("8/8/8/8/8/8/8/8 w - - 0 1", SetupError::NoKing(White), "White has no king"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", SetupError::NoKing(Black), "Black has no king"),
        (
            "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
            SetupError::TooManyKings(White),
            "White has more than one king",
        ),
        (
            "k3k3/8/8/8/8/8/8/4K3 w - - 0 1",
            SetupError::TooManyKings(Black),
            "Black has more than one king",
        ),
        (
            "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1",
            SetupError::TooManyPieces(White),
            "White has more than 16 pieces",
        ),
        (
            "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
            SetupError::TooManyPawns(Black),
            "Black has more than eight pawns",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
            SetupError::TooManyPromoted(White),
            "White has more promoted pieces than missing pawns",
        ),
        // Two bishops on squares of one colour: one of them was a pawn.
        (
            "b1b1k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1",
            SetupError::TooManyPromoted(Black),
            "Black has more promoted pieces than missing pawns",
        ),
        (
            "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
            SetupError::PawnOnBackRank(Square::A8),
            "a pawn cannot stand on a8",
        ),
        (
            "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
            SetupError::PawnOnBackRank(Square::A1),
            "a pawn cannot stand on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            SetupError::OpponentInCheck(Black),
            "Black is in check, but it is White's move",
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 b - - 0 1",
            SetupError::OpponentInCheck(White),
            "White is in check, but it is Black's move",
        ),
        (
            "4k3/8/8/8/1b2r3/8/8/r3K3 w - - 0 1",
            SetupError::TooManyCheckers,
            "more than two pieces give check: no move can have led to that",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            SetupError::ImpossibleCastling(Square::H1),
            "castling with a rook on h1 is impossible here",
        ),
        (
            "4k3/8/8/8/8/8/4K3/R7 w Q - 0 1",
            SetupError::ImpossibleCastling(Square::A1),
            "castling with a rook on a1 is impossible here",
        ),
        (
            "r3k3/8/8/8/8/8/8/4K3 w h - 0 1",
            SetupError::ImpossibleCastling(Square::H8),
            "castling with a rook on h8 is impossible here",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            SetupError::ImpossibleEnPassant(Square::E6),
            "no pawn can just have passed over e6",
        ),
        // The wrong rank, the wrong side's pawn, a piece in the way.
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1",
            SetupError::ImpossibleEnPassant(Square::D5),
            "no pawn can just have passed over d5",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1",
            SetupError::ImpossibleEnPassant(Square::E4),
            "no pawn can just have passed over e4",
        ),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            SetupError::ImpossibleEnPassant(Square::D6),
            "no pawn can just have passed over d6",
        ),
    ];
    for (fen, error, text) in cases {
        assert_eq!(refused(fen), FenError::Invalid(error), "{fen}");
        assert_eq!(refused(fen).to_string(), text, "{fen}");
        assert_eq!(Setup::from_fen(fen).unwrap().validate(), Err(error), "{fen}");
    }
}

#[test]
fn two_rights_on_one_wing() {
    let mut setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K1RR w - - 0 1").unwrap();
    setup.castling = CastlingRights::NONE.with(Square::G1).with(Square::H1);
    assert_eq!(setup.validate(), Err(SetupError::ImpossibleCastling(Square::G1)));
    setup.castling = CastlingRights::NONE.with(Square::E4);
    setup.board.put(Square::E4, Role::Rook.of(Color::White));
    assert_eq!(setup.validate().unwrap_err(), SetupError::OpponentInCheck(Color::Black));
    setup.board.put(Square::E6, Role::Pawn.of(Color::Black));
    assert_eq!(setup.validate(), Err(SetupError::ImpossibleCastling(Square::E4)));
}

#[test]
fn unusual_but_fine() {
    let cases = [
        // Any space between the fields, and a move number counted from 0.
        ("4k3/8/8/8/8/8/8/4K3  w\t- -  0 0\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // Digits that could be one number.
        ("4k3/44/8/8/8/8/8/4K111 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // Rights in any order, and by the files of the rooks.
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        // An inner rook that may castle is named by its file.
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"),
        // Nine queens, and two checks that a discovery gives.
        ("4k3/8/8/8/8/QQQQQQQQ/8/Q3K3 b - - 0 1", "4k3/8/8/8/8/QQQQQQQQ/8/Q3K3 b - - 0 1"),
        ("4k3/8/4r3/8/8/3n4/8/4K3 w - - 0 1", "4k3/8/4r3/8/8/3n4/8/4K3 w - - 0 1"),
    ];
    for (fen, written) in cases {
        assert_eq!(fen.parse::<Position>().unwrap().fen(), written, "{fen}");
    }
}
