//! Moves as text, in random games: what is written must be what the reference writes, and must be
//! read back as the same move.

use tabiya_chess::{Move, MoveList, Position, Role, Square};

use crate::plain_move;
use crate::reference::{PlainMove, Reference};

/// Every legal move can be written and read in each notation, and no two are written alike.
pub(crate) fn round_trips(position: &Position, moves: &MoveList) {
    let mut written: Vec<[String; 2]> = Vec::new();
    for &m in moves {
        let (san, uci) = (position.san(m), position.uci(m));
        let chess960 = position.uci_chess960(m);
        assert_eq!(position.parse_san(&san), Ok(m), "{san} in {position}");
        assert_eq!(position.parse_uci(&uci), Ok(m), "{uci} in {position}");
        assert_eq!(position.parse_uci(&chess960), Ok(m), "{chess960} in {position}");
        written.push([san, uci]);
    }
    for notation in 0..2 {
        written.sort_by(|a, b| a[notation].cmp(&b[notation]));
        assert!(written.windows(2).all(|two| two[0][notation] != two[1][notation]), "{written:?}");
    }
}

/// One reader takes every notation.
pub(crate) fn as_people_write(position: &Position, moves: &MoveList) {
    for &m in moves {
        let (san, uci) = (position.san(m), position.uci(m));
        assert_eq!(position.parse_move(&san), Ok(m), "{san} in {position}");
        assert_eq!(position.parse_move(&uci), Ok(m), "{uci} in {position}");
        if m.castling_rook().is_none() {
            assert_eq!(position.parse_move(&m.to_string()), Ok(m), "{m} in {position}");
        }
    }
}

/// The moves are written as the reference writes them.
pub(crate) fn same_as_reference(position: &Position, plain: &Reference, moves: &MoveList) {
    let plain_moves: Vec<PlainMove> = moves.iter().map(|&m| plain_move(m)).collect();
    for (&m, &plain_move) in moves.iter().zip(&plain_moves) {
        assert_eq!(position.san(m), san(plain, &plain_moves, plain_move), "{position}");
        let standard = position.castles_as_in_standard_chess();
        assert_eq!(position.uci(m), uci(plain_move, standard), "{position}");
    }
}

/// Standard algebraic notation as the PGN standard has it.
fn san(plain: &Reference, moves: &[PlainMove], m: PlainMove) -> String {
    let (from, to, promotion, rook) = m;
    let role = plain.piece_at(from).unwrap().role;
    let takes = plain.piece_at(to).is_some() || (role == Role::Pawn && plain.ep_square == Some(to));
    let mut text = String::new();
    if let Some(rook) = rook {
        text += if (rook as u8) < from as u8 { "O-O-O" } else { "O-O" };
    } else {
        let (file, rank) = (from.to_string()[..1].to_owned(), from.to_string()[1..].to_owned());
        if role == Role::Pawn {
            if takes && from.to_string()[..1] != to.to_string()[..1] {
                text += &file;
            }
        } else {
            text.push(letter(role));
            let rivals: Vec<String> = moves
                .iter()
                .filter(|other| other.1 == to && other.0 != from && other.3.is_none())
                .filter(|other| plain.piece_at(other.0).unwrap().role == role)
                .map(|other| other.0.to_string())
                .collect();
            if !rivals.is_empty() {
                if !rivals.iter().any(|rival| rival.starts_with(&file)) {
                    text += &file;
                } else if !rivals.iter().any(|rival| rival.ends_with(&rank)) {
                    text += &rank;
                } else {
                    text += &from.to_string();
                }
            }
        }
        if takes {
            text.push('x');
        }
        text += &to.to_string();
        if let Some(role) = promotion {
            text.push('=');
            text.push(letter(role));
        }
    }
    let next = plain.play(m);
    if next.in_check(next.turn) {
        text.push(if next.legal_moves().is_empty() { '#' } else { '+' });
    }
    text
}

fn uci((from, to, promotion, rook): PlainMove, standard: bool) -> String {
    let to = rook.filter(|_| !standard).unwrap_or(to);
    let promotion = promotion.map(|role| letter(role).to_ascii_lowercase().to_string());
    format!("{from}{to}{}", promotion.unwrap_or_default())
}

fn letter(role: Role) -> char {
    match role {
        Role::Pawn => 'P',
        Role::Knight => 'N',
        Role::Bishop => 'B',
        Role::Rook => 'R',
        Role::Queen => 'Q',
        Role::King => 'K',
    }
}

/// Two squares mean a move if and only if a legal one connects them.
pub(crate) fn between_squares(position: &Position, moves: &MoveList) {
    for from in Square::ALL {
        for to in Square::ALL {
            let goes = |m: &&Move| {
                m.from() == from && m.castling_rook().map_or(m.to() == to, |rook| rook == to)
            };
            let castles = |m: &&Move| {
                m.from() == from
                    && m.to() == to
                    && m.castling_rook().is_some()
                    && from.distance(to) > 1
            };
            let expected = moves.iter().find(goes).or_else(|| moves.iter().find(castles));
            let promotion = expected.and_then(|m| m.promotes_to());
            let found = position.move_between(from, to, promotion).ok();
            assert_eq!(found, expected.copied(), "{from} {to} in {position}");
        }
    }
}
