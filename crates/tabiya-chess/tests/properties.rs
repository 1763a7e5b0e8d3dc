//! Any text at all: the readers never panic, refuse in one line, and what they accept is right.

use proptest::prelude::*;
use tabiya_chess::{Color, Piece, PlacedPiece, Position, Role, Setup, Square};

const FENS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 98 65535",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "1r1q1k1r/p5p1/3nb3/1p2pBbp/Q2p1P2/P1P1P3/1NPP2PP/1R3KBR b HBhb - 2 22",
    "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w GEge - 0 1",
    "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
];

fn positions() -> impl Strategy<Value = Position> {
    prop::sample::select(FENS.to_vec()).prop_map(|fen| fen.parse().unwrap())
}

/// One change to a text: a character flipped, taken out, put in, or doubled.
#[derive(Clone, Debug)]
enum Mutation {
    Flip(prop::sample::Index, char),
    Delete(prop::sample::Index),
    Insert(prop::sample::Index, char),
    Double(prop::sample::Index),
    Cut(prop::sample::Index),
}

/// A character that belongs into a FEN, or once in a while any other.
fn fen_character() -> impl Strategy<Value = char> {
    let usual = "pnbrqkPNBRQK12345678/ wb-KQkqabcdefghABCDEFGH0123456789";
    prop_oneof![
        8 => prop::sample::select(usual.chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        4 => (place(), fen_character()).prop_map(|(at, new)| Mutation::Flip(at, new)),
        2 => place().prop_map(Mutation::Delete),
        2 => (place(), fen_character()).prop_map(|(at, new)| Mutation::Insert(at, new)),
        1 => place().prop_map(Mutation::Double),
        1 => place().prop_map(Mutation::Cut),
    ]
}

fn mutate(text: &str, mutations: &[Mutation]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for mutation in mutations {
        if characters.is_empty() {
            break;
        }
        let len = characters.len();
        match mutation {
            Mutation::Flip(at, new) => characters[at.index(len)] = *new,
            Mutation::Delete(at) => _ = characters.remove(at.index(len)),
            Mutation::Insert(at, new) => characters.insert(at.index(len), *new),
            Mutation::Double(at) => characters.insert(at.index(len), characters[at.index(len)]),
            Mutation::Cut(at) => characters.truncate(at.index(len)),
        }
    }
    characters.into_iter().collect()
}

fn is_one_line(error: &dyn std::error::Error) -> Result<(), TestCaseError> {
    let text = error.to_string();
    prop_assert!(!text.is_empty() && !text.contains(['\n', '\r']), "{text:?}");
    prop_assert!(text.chars().count() < 400, "{text:?}");
    Ok(())
}

/// The text is refused in one line, or is a position in order.
fn read_fen(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Position>() {
        Err(error) => is_one_line(&error),
        Ok(position) => {
            prop_assert_eq!(position.setup().validate(), Ok(position));
            let moves = position.legal_moves();
            prop_assert!(moves.len() < 219, "{}", position);
            prop_assert_eq!(moves.len() as u64, position.count_legal_moves());
            let again: Position = position.fen().parse().unwrap();
            prop_assert_eq!(again.fen(), position.fen());
            prop_assert_eq!(position.key(), position.computed_key());
            Ok(())
        }
    }
}

/// The text is refused in one line, or is a legal move.
fn read_move(position: &Position, text: &str) -> Result<(), TestCaseError> {
    let readers = [Position::parse_san, Position::parse_uci, Position::parse_move];
    for read in readers {
        match read(position, text) {
            Err(error) => is_one_line(&error)?,
            Ok(m) => {
                prop_assert!(position.is_legal(m), "{:?} in {}", text, position);
                prop_assert_eq!(position.parse_san(&position.san(m)), Ok(m));
            }
        }
    }
    Ok(())
}

/// Something like a move, and often one.
fn moveish() -> impl Strategy<Value = String> {
    prop_oneof![
        "[KQRBNPkqrbnp♔♘]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[QRBNqrbn])?[+#!?]{0,3}",
        "[a-h][1-8][a-h][1-8][qrbnk]?",
        "[1-9]{0,3}\\.{0,3} ?[Oo0](-[Oo0]){1,3}[+#]?",
        "[a-h][1-8] ?(->|to|→)? ?[a-h][1-8](=Q)?",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_as_fen(text in "\\PC{0,120}|.{0,40}|[\\x00-\\x7f]{0,100}") {
        read_fen(&text)?;
        if let Err(error) = Setup::from_fen_prefix(&text) {
            is_one_line(&error)?;
        }
    }

    #[test]
    fn any_placement_as_fen(text in "[pnbrqkPNBRQK1-8]{1,8}(/[pnbrqkPNBRQK1-8]{1,8}){7} [wb] (-|[KQkq]{1,4}) (-|[a-h][36]) [0-9]{1,6} [0-9]{1,6}") {
        read_fen(&text)?;
    }

    #[test]
    fn changed_fens(fen in prop::sample::select(FENS.to_vec()), changes in prop::collection::vec(mutation(), 1..4)) {
        read_fen(&mutate(fen, &changes))?;
    }

    #[test]
    fn any_text_as_move(position in positions(), text in "\\PC{0,80}|.{0,20}|[\\x00-\\x7f]{0,20}") {
        read_move(&position, &text)?;
    }

    #[test]
    fn anything_like_a_move(position in positions(), text in moveish()) {
        read_move(&position, &text)?;
    }

    #[test]
    fn changed_moves(
        position in positions(),
        choice in any::<prop::sample::Index>(),
        changes in prop::collection::vec(mutation(), 1..3),
    ) {
        let m = position.legal_moves()[choice.index(position.legal_moves().len())];
        read_move(&position, &mutate(&position.san(m), &changes))?;
        read_move(&position, &mutate(&position.uci(m), &changes))?;
    }

    #[test]
    fn any_text_as_name(text in "\\PC{0,40}|[wb]?[pnbrqkPNBRQK]?@?[a-i]?[0-9]?") {
        if let Ok(square) = text.parse::<Square>() {
            prop_assert_eq!(square.to_string(), text.clone());
        }
        match text.parse::<PlacedPiece>() {
            Ok(placed) => prop_assert_eq!(placed.to_string(), text.clone()),
            Err(error) => is_one_line(&error)?,
        }
        if let Ok(color) = text.parse::<Color>() {
            prop_assert_eq!(color.to_string(), text.clone());
        }
        for letter in text.chars() {
            let piece = Piece::from_letter(letter);
            prop_assert_eq!(piece.map(Piece::letter), piece.map(|_| letter));
            prop_assert_eq!(piece.is_some(), Role::from_letter(letter).is_some());
        }
    }
}

/// Long texts take time in proportion to their length: a million characters are refused at once.
#[test]
fn very_long_texts() {
    let start = Position::initial();
    for unit in ["8/", "k", "1", "♔", "e2e4 ", "O-O-", " ", "\u{301}", "9", "w - "] {
        let text = unit.repeat(1_000_000 / unit.len());
        assert!(text.parse::<Position>().is_err(), "{unit:?}");
        assert!(start.parse_san(&text).is_err(), "{unit:?}");
        assert!(start.parse_uci(&text).is_err(), "{unit:?}");
        assert!(start.parse_move(&text).is_err(), "{unit:?}");
        assert!(text.parse::<PlacedPiece>().is_err(), "{unit:?}");
    }
}
