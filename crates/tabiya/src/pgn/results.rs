//! What a record says about its result, in three places.

use tabiya_chess::{Color, Position};
use tabiya_pgn::GameResult;

/// What is wrong with the tag, beside what stands behind the moves. A tag that nobody has filled in says nothing.
pub(super) fn conflict(tag: Option<&str>, behind: Option<GameResult>) -> Option<String> {
    let tag = tag.filter(|tag| !matches!(*tag, "" | "?"))?;
    let Some(tagged) = GameResult::from_text(tag) else {
        return Some(format!("the tag says {}, which is no result", tabiya_base::excerpt(tag)));
    };
    let behind = behind.filter(|&behind| behind != tagged)?;
    Some(format!("the tag says {tagged}, behind the moves stands {behind}"))
}

/// The result that a position says by itself.
pub(super) fn on_board(position: &Position) -> Option<GameResult> {
    if position.is_check() {
        return position.is_checkmate().then(|| match position.turn() {
            Color::White => GameResult::BlackWins,
            Color::Black => GameResult::WhiteWins,
        });
    }
    position.is_stalemate().then_some(GameResult::Draw)
}
