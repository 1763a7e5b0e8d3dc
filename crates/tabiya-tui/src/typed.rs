//! What is being typed, as far as it can be understood without rules: enough to show it on the board.

use tabiya_view::{Coord, GameView, PieceRole};

use crate::pieces;

/// The two squares of a move like `e2e4`, `e2-e4`, `e2 -> e4`; nothing if there is more to it.
pub(crate) fn squares(text: &str) -> Option<(Coord, Coord)> {
    let (from, rest) = square(text)?;
    let rest = rest.trim_start_matches([' ', '-', '>', 'x']);
    let (to, rest) = square(rest)?;
    rest.trim().is_empty().then_some((from, to))
}

/// The square at the beginning of a text, and what comes after it.
fn square(text: &str) -> Option<(Coord, &str)> {
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (name, rest) = text.split_at(letter.len_utf8() + digits);
    Some((name.parse().ok()?, rest))
}

/// The pawn move to the last row that a text like `a8`, `bxa8` or `b7a8` names without saying what the pawn becomes.
pub(crate) fn promotion(view: &GameView, text: &str) -> Option<(Coord, Coord)> {
    let text = text.trim_end_matches(['+', '#']);
    let start = text.rfind(|c: char| c.is_ascii_lowercase() && c != 'x')?;
    let (to, rest) = square(&text[start..])?;
    let before = text[..start].trim_end_matches([' ', '-', '>', 'x', ':']);
    let mut column = before.chars();
    let column = match (column.next(), column.next()) {
        (None, _) => Some(to.column),
        (Some(letter @ 'a'..='z'), None) => Some(letter as u8 - b'a'),
        _ => None,
    }?;
    let pawns = view.destinations.iter().filter(|reach| {
        let promotes = |target: &&tabiya_view::Destination| {
            target.square == to && !target.promotions.is_empty()
        };
        reach.from.column == column && reach.to.iter().any(|target| promotes(&target))
    });
    let mut pawns = pawns.map(|reach| reach.from);
    pawns.next().filter(|_| rest.is_empty()).map(|from| (from, to))
}

/// The piece that is meant so far, if it is clear, and where it may go or is to go.
pub(crate) fn preview(view: &GameView, text: &str) -> (Option<Coord>, Vec<(Coord, bool)>) {
    let text = text.trim();
    if let Some((from, rest)) = square(text)
        && let Some(reach) = view.destinations.iter().find(|reach| reach.from == from)
    {
        let to = square(rest.trim_start_matches([' ', '-', '>', 'x'])).map(|(to, _)| to);
        let named = reach.to.iter().any(|target| Some(target.square) == to);
        let shown = |target: &&tabiya_view::Destination| !named || Some(target.square) == to;
        let targets = reach.to.iter().filter(shown).map(|target| (target.square, target.takes));
        return (Some(from), targets.collect());
    }
    algebraic(view, text)
}

/// The one piece that a text like `Nf3`, `N` or `exd5` may mean.
fn algebraic(view: &GameView, text: &str) -> (Option<Coord>, Vec<(Coord, bool)>) {
    let named = |letter: char| {
        [PieceRole::Knight, PieceRole::Bishop, PieceRole::Rook, PieceRole::Queen, PieceRole::King]
            .into_iter()
            .find(|&role| pieces::letter(role) == letter)
    };
    let first = text.chars().next();
    let role = first.and_then(named);
    // The target is the last square of the text; a pawn needs one, a piece may do without.
    let start = text.rfind(|c: char| c.is_ascii_lowercase() && c != 'x');
    let to = start.and_then(|start| square(&text[start..])).map(|(to, _)| to);
    if role.is_none() && to.is_none() {
        return Default::default();
    }
    let role = role.unwrap_or(PieceRole::Pawn);
    let meant: Vec<_> = view
        .destinations
        .iter()
        .filter(|reach| {
            view.pieces.iter().any(|piece| piece.square == reach.from && piece.role == role)
        })
        .filter(|reach| to.is_none_or(|to| reach.to.iter().any(|target| target.square == to)))
        .collect();
    match meant.as_slice() {
        [reach] => {
            let shown = reach.to.iter().filter(|target| to.is_none_or(|to| target.square == to));
            (Some(reach.from), shown.map(|target| (target.square, target.takes)).collect())
        }
        _ => Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bishops, chess, place};

    #[test]
    fn two_squares_in_all_spellings() {
        let e2e4 = Some((place("e2"), place("e4")));
        for text in ["e2e4", "e2-e4", "e2 -> e4", "e2xe4", "e2 e4 "] {
            assert_eq!(squares(text), e2e4, "{text}");
        }
        assert_eq!(squares("a1z26"), Some((place("a1"), place("z26"))));
        for text in ["", "e2", "e7e8q", "Nf3", "e2é4", "é", "O-O"] {
            assert_eq!(squares(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_typed_is_shown_as_soon_as_it_is_clear() {
        let view = chess();
        let shown = |text: &str| {
            let (from, to) = preview(&view, text);
            let to: Vec<String> = to.iter().map(|(place, _)| place.to_string()).collect();
            format!("{}:{}", from.map_or(String::new(), |from| from.to_string()), to.join(","))
        };
        assert_eq!(shown("e2"), "e2:e3,e4");
        assert_eq!(shown("e2e4"), "e2:e4");
        assert_eq!(shown("e4"), "e2:e4");
        assert_eq!(shown("Nf3"), "g1:f3");
        assert_eq!(shown("N"), ":");
        assert_eq!(shown("Qh5"), ":");
        assert_eq!(shown("xyz"), ":");
        assert_eq!(shown("é4"), ":");
    }

    #[test]
    fn large_boards_have_squares_of_three_characters() {
        let view = bishops(26);
        let from = view.destinations[0].from;
        let (picked, targets) = preview(&view, &from.to_string());
        assert_eq!(picked, Some(from));
        assert_eq!(targets.len(), view.destinations[0].to.len());
    }
}
