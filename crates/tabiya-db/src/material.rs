//! What men each side has: `KRPvKR`, `KQ?vKQ`, `KRP+vKR`.

use std::str::FromStr;

use tabiya_base::excerpt;
use tabiya_chess::{Board, Color, Role};

use crate::error::ParseFilterError;
use crate::signature::{Signature, material};

/// How many men of each kind a side may have, without the king.
type Side = [(u32, u32); 5];

const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// Which men are on the board, on either side: a letter is a man, and behind it `+` is one or more, `*` any number,
/// `?` one or none, `2` two, `2+` two or more.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::Men;
///
/// let rooks: Men = "KRP+vKR".parse()?;
/// let lucena: Position = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1".parse()?;
/// assert!(rooks.matches(lucena.board()));
/// assert!(!rooks.matches(Position::initial().board()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men([Side; 2]);

impl FromStr for Men {
    type Err = ParseFilterError;

    fn from_str(text: &str) -> Result<Men, ParseFilterError> {
        let wrong = || ParseFilterError::Men(excerpt(text));
        let (one, other) = text.split_once(['v', 'V']).ok_or_else(wrong)?;
        Ok(Men([side(one).ok_or_else(wrong)?, side(other).ok_or_else(wrong)?]))
    }
}

fn side(text: &str) -> Option<Side> {
    let mut side = [(0, 0); 5];
    let text = text.trim().to_uppercase();
    let mut letters = text.strip_prefix('K').unwrap_or(&text).chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == ' ' {
            continue;
        }
        let role = ROLES
            .iter()
            .position(|role| role.letter() == letter || (*role == Role::Pawn && letter == 'P'))?;
        let mut digits = String::new();
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let count: u32 = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        let (least, most) = match letters.next_if(|c| "+*?".contains(*c)) {
            Some('+') => (count, 64),
            Some('*') => (0, 64),
            Some(_) => (0, count),
            None => (count, count),
        };
        let (low, high) = &mut side[role];
        *low += least;
        *high = (*high + most).min(64);
    }
    Some(side)
}

impl Men {
    /// Whether these men are on the board, whoever has which.
    pub fn matches(&self, board: &Board) -> bool {
        self.matches_packed(material(board))
    }

    /// The same for men as a [`Signature`] counts them.
    pub(crate) fn matches_packed(&self, men: u64) -> bool {
        let [one, other] = &self.0;
        let has = |color: Color, side: &Side| {
            side.iter().enumerate().all(|(at, (least, most))| {
                // There pawns come first, here queens.
                let shift = 20 * color as u32 + 4 * (4 - at as u32);
                let count = (men >> shift & 15) as u32;
                (least..=most).contains(&&count)
            })
        };
        (has(Color::White, one) && has(Color::Black, other))
            || (has(Color::Black, one) && has(Color::White, other))
    }

    /// Whether a game may have come to it: men only become fewer, unless a pawn becomes one.
    pub(crate) fn may_have_been(&self, signature: &Signature) -> bool {
        let [one, other] = &self.0;
        let left = |color: Color, side: &Side| {
            let mut men = signature.men(color);
            // There pawns come first, here queens.
            men.reverse();
            let most: u32 = side.iter().map(|(_, most)| most).sum();
            let pawns = men[4] <= side[4].1;
            let others = men.iter().zip(side).all(|(men, (_, most))| men <= most);
            pawns
                && men.iter().sum::<u32>() <= most
                && (others || signature.may_have_promoted(color))
        };
        (left(Color::White, one) && left(Color::Black, other))
            || (left(Color::Black, one) && left(Color::White, other))
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Position;

    use super::*;

    #[test]
    fn men_are_counted_on_either_side() {
        let rook_ending: Position = "4k3/4p3/8/8/8/8/PP6/R3K2r w - - 0 1".parse().unwrap();
        for (text, wanted) in [
            ("KRP2vKRP", true),
            ("KRPvKRPP", true),
            ("krpp V krp", true),
            ("KRP+vKRP+", true),
            ("KRP3?vKRP*", true),
            ("RPPvRP", true),
            ("KRPvKRP", false),
            ("KRPPvKR", false),
            ("KQ?RPPvKRP", true),
            ("KQRPPvKRP", false),
            ("KRP2+vKRP2+", false),
        ] {
            let material: Men = text.parse().unwrap();
            assert_eq!(material.matches(rook_ending.board()), wanted, "{text}");
        }
        for text in ["", "KR", "KXvK", "KR99999999999vK", "v+"] {
            assert!(text.parse::<Men>().is_err(), "{text}");
        }
    }
}
