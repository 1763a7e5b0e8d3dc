//! FEN and SAN of boards on which anything may stand.

use crate::state::{
    BACK_RANKS, FILE_A, FILE_H, KING, PAWN, QUEEN, RANK_1, RANK_8, ROOK, Reversed, State, Step, bit,
};

const LETTERS: [char; 7] = ['?', 'p', 'n', 'b', 'r', 'q', 'k'];

/// The letter of a kind of piece, as Black has it.
pub(crate) fn letter(kind: u8) -> char {
    LETTERS.get(usize::from(kind)).copied().unwrap_or('?')
}

/// The kind of piece of a letter of either case.
pub(crate) fn kind_of_letter(letter: char) -> Option<u8> {
    let letter = letter.to_ascii_lowercase();
    (PAWN..=KING).find(|&kind| LETTERS[usize::from(kind)] == letter)
}

/// "e4".
pub(crate) fn square_name(square: u8) -> String {
    let mut text = String::with_capacity(2);
    push_square(&mut text, square);
    text
}

pub(crate) fn push_square(text: &mut String, square: u8) {
    text.push((b'a' + (square & 7)) as char);
    text.push((b'1' + (square >> 3)) as char);
}

/// The square of a name in lower case.
pub(crate) fn square_of(name: &str) -> Option<u8> {
    match name.as_bytes() {
        &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + file - b'a'),
        _ => None,
    }
}

/// "e2e4", "e7e8q", "N@f3", "0000".
pub(crate) fn uci(step: Step) -> String {
    let mut text = String::with_capacity(5);
    if step.drop != 0 {
        text.push(letter(step.drop).to_ascii_uppercase());
        text.push('@');
        push_square(&mut text, step.to);
    } else if step.is_null() {
        text.push_str("0000");
    } else {
        push_square(&mut text, step.from);
        push_square(&mut text, step.to);
        if step.promotion != 0 {
            text.push(letter(step.promotion));
        }
    }
    text
}

/// Reads what [`uci`] writes.
pub(crate) fn parse_uci(text: &str) -> Result<Step, String> {
    let wrong = || format!("expected a move like e2e4, e7e8q or 0000: {text:?}");
    if text == "0000" {
        return Ok(Step::NULL);
    }
    if !text.is_ascii() {
        return Err(wrong());
    }
    if text.len() == 4 && text.as_bytes()[1] == b'@' {
        let drop = text.chars().next().and_then(kind_of_letter).ok_or_else(wrong)?;
        let to = square_of(&text[2..]).ok_or_else(wrong)?;
        return Ok(Step { drop, ..Step::new(to, to) });
    }
    if text.len() != 4 && text.len() != 5 {
        return Err(wrong());
    }
    let from = square_of(&text[..2]).ok_or_else(wrong)?;
    let to = square_of(&text[2..4]).ok_or_else(wrong)?;
    let promotion = match text.as_bytes().get(4) {
        Some(&byte) if byte.is_ascii_lowercase() => {
            kind_of_letter(byte as char).ok_or_else(wrong)?
        }
        Some(_) => return Err(wrong()),
        None => 0,
    };
    if from == to {
        return Err(format!("a piece that stays where it is does not move: {text:?} (use 0000)"));
    }
    Ok(Step { promotion, ..Step::new(from, to) })
}

/// The pieces as a FEN has them; with `~` behind those that were promoted, if wanted.
pub(crate) fn board_fen(state: &State, promoted: bool) -> String {
    let mut text = String::with_capacity(72);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let square = rank * 8 + file;
            let kind = state.kind_at(square);
            if kind == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push((b'0' + empty) as char);
                empty = 0;
            }
            let white = state.color(true) & bit(square) != 0;
            let letter = letter(kind);
            text.push(if white { letter.to_ascii_uppercase() } else { letter });
            if promoted && state.promoted & bit(square) != 0 {
                text.push('~');
            }
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// Puts the pieces of a board FEN in place of those of `state`.
pub(crate) fn set_board_fen(state: &mut State, fen: &str) -> Result<(), String> {
    let wrong = |what: &str| format!("{what}: {fen:?}");
    if fen.contains(' ') {
        return Err(wrong("expected only the pieces of a FEN, but there is more behind a space"));
    }
    if fen.split('/').count() != 8 {
        return Err(wrong("a FEN has 8 ranks with / between them"));
    }
    let mut new = State::EMPTY;
    for (row, text) in fen.split('/').enumerate() {
        let base = 8 * (7 - row as u8);
        let (mut file, mut after_digit, mut last) = (0_u8, false, None);
        for c in text.chars() {
            match c {
                '1'..='8' => {
                    if after_digit {
                        return Err(wrong("two digits follow each other in a rank of a FEN"));
                    }
                    file += c as u8 - b'0';
                    (after_digit, last) = (true, None);
                }
                '~' => {
                    let square =
                        last.take().ok_or_else(|| wrong("~ stands behind no piece in a FEN"))?;
                    new.promoted |= bit(square);
                }
                _ => {
                    let kind = kind_of_letter(c)
                        .ok_or_else(|| wrong(&format!("{c:?} is no piece in a FEN")))?;
                    if file < 8 {
                        new.put(base + file, kind, c.is_ascii_uppercase(), false);
                        last = Some(base + file);
                    }
                    file += 1;
                    after_digit = false;
                }
            }
            if file > 8 {
                return Err(wrong("a rank of a FEN has more than 8 squares"));
            }
        }
        if file != 8 {
            return Err(wrong("a rank of a FEN has fewer than 8 squares"));
        }
    }
    (state.kinds, state.colors, state.promoted) = (new.kinds, new.colors, new.promoted);
    Ok(())
}

/// The rooks that a castling field like `KQkq` or `HAha` means.
pub(crate) fn castling_rights(state: &State, text: &str) -> Result<u64, String> {
    let wrong = || format!("castling rights are like KQkq, HAha or -, not {text:?}");
    if text.is_empty() || text == "-" {
        return Ok(0);
    }
    let white = text.chars().take_while(char::is_ascii_uppercase).count();
    if white > 2 || text.chars().count() - white > 2 {
        return Err(wrong());
    }
    let mut rights = 0;
    for (at, c) in text.chars().enumerate() {
        let is_white = c.is_ascii_uppercase();
        if is_white != (at < white) {
            return Err(wrong());
        }
        let back_rank = if is_white { RANK_1 } else { RANK_8 };
        let rooks = state.color(is_white) & state.kind(ROOK) & back_rank;
        let king = state.king(is_white);
        rights |= match c.to_ascii_lowercase() {
            'q' => match (king, rooks) {
                (Some(king), rooks) if rooks != 0 && (rooks.trailing_zeros() as u8) < king => {
                    rooks & rooks.wrapping_neg()
                }
                _ => FILE_A & back_rank,
            },
            'k' => match (king, Reversed(rooks).next()) {
                (Some(king), Some(rook)) if king < rook => bit(rook),
                _ => FILE_H & back_rank,
            },
            file @ 'a'..='h' => FILE_A << (file as u8 - b'a') & back_rank,
            _ => return Err(wrong()),
        };
    }
    Ok(rights)
}

/// Castling rights as `KQkq`; by files where that would be ambiguous.
pub(crate) fn castling_xfen(state: &State, clean: u64) -> String {
    let mut text = String::new();
    for white in [true, false] {
        let Some(king) = state.king(white) else { continue };
        let back_rank = if white { RANK_1 } else { RANK_8 };
        for rook in Reversed(clean & back_rank) {
            let queen_side = rook & 7 < king & 7;
            let others = state.color(white) & state.kind(ROOK) & back_rank & !bit(rook);
            let ambiguous = Reversed(others).any(|other| (other & 7 < rook & 7) == queen_side);
            let c = if ambiguous {
                (b'a' + (rook & 7)) as char
            } else if queen_side {
                'q'
            } else {
                'k'
            };
            text.push(if white { c.to_ascii_uppercase() } else { c });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Castling rights as the files of the rooks.
pub(crate) fn castling_shredder(clean: u64) -> String {
    let white = Reversed(clean & RANK_1).map(|rook| (b'A' + (rook & 7)) as char);
    let black = Reversed(clean & RANK_8).map(|rook| (b'a' + (rook & 7)) as char);
    let text: String = white.chain(black).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Reads a FEN; fields at the end may be missing.
pub(crate) fn parse_fen(fen: &str) -> Result<State, String> {
    let mut fields = fen.split_whitespace();
    let mut state = State::EMPTY;
    let board = fields.next().ok_or("a FEN begins with the pieces, but this one is empty")?;
    set_board_fen(&mut state, board)?;
    state.turn = match fields.next() {
        None | Some("w") => true,
        Some("b") => false,
        Some(other) => return Err(format!("the side to move is w or b, not {other:?}: {fen:?}")),
    };
    let castling = fields.next().unwrap_or("-");
    state.castling =
        castling_rights(&state, castling).map_err(|text| format!("{text}: {fen:?}"))?;
    state.ep_square =
        match fields.next() {
            None | Some("-") => None,
            Some(name) => Some(square_of(name).ok_or_else(|| {
                format!("the en passant square is no square: {name:?} in {fen:?}")
            })?),
        };
    let mut number = |what: &str, missing: u32| match fields.next() {
        None => Ok(missing),
        Some(text) => {
            text.parse().map_err(|_| format!("the {what} is no number from 0: {text:?} in {fen:?}"))
        }
    };
    state.halfmove_clock = number("half-move clock", 0)?;
    state.fullmove_number = number("move number", 1)?.max(1);
    match fields.next() {
        None => Ok(state),
        Some(more) => Err(format!("a FEN has 6 fields, but there is {more:?} behind: {fen:?}")),
    }
}

/// A move in SAN (`Nf3`), or written at length (`Ng1-f3`). The move must be possible as pieces go.
pub(crate) fn san(
    state: &State,
    chess960: bool,
    castling: u64,
    step: Step,
    long: bool,
) -> Option<String> {
    let mut text = bare_san(state, chess960, castling, step, long)?;
    let mut after = *state;
    after.play(state.onto_rook(step), castling);
    if after.checkers() != 0 {
        let mate = !after.has_legal(chess960, after.clean_castling(chess960));
        text.push(if mate { '#' } else { '+' });
    }
    Some(text)
}

fn bare_san(
    state: &State,
    chess960: bool,
    castling: u64,
    step: Step,
    long: bool,
) -> Option<String> {
    let mut text = String::with_capacity(8);
    if step.is_null() {
        return Some("--".to_owned());
    }
    if step.drop != 0 {
        if step.drop != PAWN {
            text.push(letter(step.drop).to_ascii_uppercase());
        }
        text.push('@');
        push_square(&mut text, step.to);
        return Some(text);
    }
    if state.is_castling(step) {
        let queen_side = step.to & 7 < step.from & 7;
        return Some(if queen_side { "O-O-O" } else { "O-O" }.to_owned());
    }
    let kind = state.kind_at(step.from);
    if kind == 0 {
        return None;
    }
    let captures = is_capture(state, step);
    if kind != PAWN {
        text.push(letter(kind).to_ascii_uppercase());
    }
    if long {
        push_square(&mut text, step.from);
    } else if kind != PAWN {
        let others = state.kind(kind) & state.color(state.turn) & !bit(step.from);
        let (mut any, mut file, mut rank) = (false, false, false);
        if others != 0 {
            state.legal(chess960, castling, others, bit(step.to), &mut |other| {
                any = true;
                file |= other.from & 7 == step.from & 7;
                rank |= other.from >> 3 == step.from >> 3;
                true
            });
        }
        // The file tells them apart, or else the rank, or else both.
        if any && (!file || rank) {
            text.push((b'a' + (step.from & 7)) as char);
        }
        if file {
            text.push((b'1' + (step.from >> 3)) as char);
        }
    } else if captures {
        text.push((b'a' + (step.from & 7)) as char);
    }
    if captures {
        text.push('x');
    } else if long {
        text.push('-');
    }
    push_square(&mut text, step.to);
    if step.promotion != 0 {
        text.push('=');
        text.push(letter(step.promotion).to_ascii_uppercase());
    }
    Some(text)
}

pub(crate) fn is_capture(state: &State, step: Step) -> bool {
    let touched = bit(step.from) ^ bit(step.to);
    touched & state.color(!state.turn) != 0 || state.is_en_passant(step)
}

/// Why a move in SAN was not read.
pub(crate) enum SanError {
    Invalid,
    Illegal,
    Ambiguous,
}

/// Reads SAN, and moves written at length (`e2e4`, `Ng1-f3`).
pub(crate) fn parse_san(
    state: &State,
    chess960: bool,
    castling: u64,
    text: &str,
) -> Result<Step, SanError> {
    let bytes = text.as_bytes();
    let bytes = match bytes {
        [rest @ .., b'+' | b'#'] => rest,
        all => all,
    };
    match bytes {
        b"O-O" | b"0-0" | b"O-O-O" | b"0-0-0" => {
            let queen_side = bytes.len() == 5;
            let mut found = None;
            state.castling_moves(chess960, castling, !0, !0, &mut |step| {
                if (step.to & 7 < step.from & 7) == queen_side {
                    found = Some(step);
                }
                found.is_none()
            });
            return found.ok_or(SanError::Illegal);
        }
        b"--" | b"Z0" | b"0000" | b"@@@@" => return Ok(Step::NULL),
        _ => {}
    }
    let (kind, rest) = match bytes {
        [c @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] => {
            (kind_of_letter(*c as char).unwrap_or(0), rest)
        }
        all => (0, all),
    };
    let (promotion, rest) = match rest {
        [rest @ .., b'=', c] if c.is_ascii_alphabetic() => (promotion_of(*c)?, rest),
        [rest @ .., c] if c.is_ascii_alphabetic() => (promotion_of(*c)?, rest),
        all => (0, all),
    };
    let [origin @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = rest else {
        return Err(SanError::Invalid);
    };
    let to = (rank - b'1') * 8 + file - b'a';
    let origin = match origin {
        [rest @ .., b'-' | b'x'] => rest,
        all => all,
    };
    let (from_file, from_rank) = match origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return Err(SanError::Invalid),
    };
    let mut from_mask = state.color(state.turn);
    if let Some(file) = from_file {
        from_mask &= FILE_A << file;
    }
    if let Some(rank) = from_rank {
        from_mask &= RANK_1 << (8 * rank);
    }
    let mut to_mask = bit(to) & !state.color(state.turn);
    match (kind, from_file, from_rank) {
        // A move told by both squares may be of any piece.
        (0, Some(file), Some(rank)) => {
            let step = Step { promotion, ..Step::new(rank * 8 + file, to) };
            let step = state.as_written(chess960, state.onto_rook(step));
            let king = state.kind(KING) & bit(step.from) != 0;
            if king {
                to_mask = !0;
            } else if promotion == 0
                && state.kind(PAWN) & bit(step.from) != 0
                && bit(to) & BACK_RANKS != 0
            {
                return Err(SanError::Illegal);
            }
            let mut found = None;
            state.legal(chess960, castling, from_mask, to_mask, &mut |legal| {
                if legal == step {
                    found = Some(legal);
                }
                found.is_none()
            });
            return found.ok_or(SanError::Illegal);
        }
        (0, ..) => {
            from_mask &= state.kind(PAWN);
            if from_file.is_none() {
                from_mask &= FILE_A << (to & 7);
            }
        }
        _ => from_mask &= state.kind(kind),
    }
    if from_mask == 0 || to_mask == 0 {
        return Err(SanError::Illegal);
    }
    let (mut found, mut ambiguous) = (None, false);
    state.legal(chess960, castling, from_mask, to_mask, &mut |step| {
        if step.promotion == promotion {
            ambiguous |= found.is_some();
            found = Some(step);
        }
        !ambiguous
    });
    if ambiguous { Err(SanError::Ambiguous) } else { found.ok_or(SanError::Illegal) }
}

fn promotion_of(letter: u8) -> Result<u8, SanError> {
    match kind_of_letter(letter as char) {
        Some(kind @ 2..=QUEEN) => Ok(kind),
        Some(KING) => Ok(KING),
        _ => Err(SanError::Invalid),
    }
}
