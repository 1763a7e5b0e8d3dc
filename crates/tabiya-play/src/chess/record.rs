use tabiya_chess::Game;
use tabiya_pgn::{Comment, GameResult};

use crate::rules::Header;
use crate::{Minutes, TimeControl};

/// The game as PGN, with the clocks if there are any.
pub(super) fn pgn(game: &Game, header: &Header<'_>) -> String {
    let mut record = tabiya_pgn::Game::from(game);
    let mut tag = |name: &str, value: &str| {
        // The names below are good.
        let _ = record.set_tag(name, value);
    };
    let [white, black] = &header.names;
    tag("Event", "Tabiya game");
    tag("White", white);
    tag("Black", black);
    if let Some(date) = &header.setup.date {
        tag("Date", date);
    }
    tag("Round", "-");
    let control = header.setup.control.map(|Minutes(TimeControl { time, increment, .. })| {
        format!("{}+{}", time.as_secs_f64(), increment.as_secs_f64())
    });
    tag("TimeControl", control.as_deref().unwrap_or("-"));
    if let Some(end) = header.end {
        tag("Termination", &end.text);
        record.set_result(GameResult::from_text(end.result).unwrap_or_default());
    }
    let tree = record.tree_mut();
    let nodes: Vec<_> = tree.main_line().collect();
    for ((index, id), clocks) in nodes.into_iter().enumerate().zip(header.clocks) {
        let turn = (index + game.start().turn() as usize) % 2;
        tree.add_comment(id, Comment::default().with_clock(clocks[turn]));
    }
    record.to_string()
}
