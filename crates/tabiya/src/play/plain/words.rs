//! How the dialogue writes boards and moves.

use tabiya_chess::drawing;
use tabiya_play::{GameView, PieceRole, PlayedMove, Side};

pub(super) const HELP: &str = "\
Type a move: e4, Nf3, O-O, e2e4, e2 -> e4, e8=Q. Type a square to see where its piece may go.
  undo      take back your last move      redo      play it again
  undo one  take back one half-move       moves     all legal moves
  hint      a good move                   eval      who is better
  threats   what could be taken           board     draw the board
  history   the moves so far              notation  how they are written: san, uci, arrows
  draw      claim, accept or offer one    resign    give up
  save FILE, export FILE   write a record, or the position to a .fen
  load FILE                go on with that game
  export    show the record               fen       the position as text
  clock     the time left                 now       the computer moves at once
  quit      leave; the game is kept       help      this";

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    San,
    Uci,
    Arrows,
}

impl Notation {
    /// By its name; without one, the next.
    pub(super) fn named(name: &str, now: Notation) -> Option<Notation> {
        match (name, now) {
            ("san", _) | ("", Notation::Arrows) => Some(Notation::San),
            ("uci", _) | ("", Notation::San) => Some(Notation::Uci),
            ("arrows", _) | ("", Notation::Uci) => Some(Notation::Arrows),
            _ => None,
        }
    }

    pub(super) const fn example(self) -> &'static str {
        match self {
            Notation::San => "Nf3",
            Notation::Uci => "g1f3",
            Notation::Arrows => "g1 -> f3",
        }
    }

    pub(super) fn write(self, played: &PlayedMove) -> String {
        match self {
            Notation::San => played.san.clone(),
            Notation::Uci => played.uci.clone(),
            Notation::Arrows => moved(played),
        }
    }
}

/// `e2 -> e4`, `e7 -> e8=Q`.
fn moved(played: &PlayedMove) -> String {
    let promotion = played.san.find('=').and_then(|at| played.san.get(at..at + 2));
    format!("{} -> {}{}", played.from, played.to, promotion.unwrap_or_default())
}

/// The moves so far, a move of both sides a line.
pub(super) fn history(view: &GameView, notation: Notation) -> String {
    if view.moves.is_empty() {
        return "No moves yet.".to_owned();
    }
    let mut text = String::new();
    for (index, played) in view.moves.iter().enumerate() {
        let word = notation.write(played);
        match played.side {
            Side::White => text += &format!("{}. {word}", played.number),
            Side::Black if index == 0 => text += &format!("{}... {word}", played.number),
            Side::Black => text += &format!(" {word}"),
        }
        if played.side == Side::Black && index + 1 < view.moves.len() {
            text.push('\n');
        }
    }
    text
}

/// The time left to both sides.
pub(super) fn clocks(view: &GameView) -> String {
    let left = |side: Side| {
        let seconds = view.seats[side as usize].clock?.as_secs();
        Some(format!("{} {}:{:02}", side.name(), seconds / 60, seconds % 60))
    };
    match (left(Side::White), left(Side::Black)) {
        (Some(white), Some(black)) => format!("{white}, {black}"),
        _ => "This game has no clocks.".to_owned(),
    }
}

/// The board in letters, White's in capitals, and an empty line.
pub(super) fn grid(view: &GameView) -> String {
    drawing::grid(view.columns.into(), view.rows.into(), |x, y| {
        let here = |at: tabiya_play::Coord| (usize::from(at.column), usize::from(at.row)) == (x, y);
        view.pieces.iter().find(|piece| here(piece.square)).map_or(' ', |piece| {
            let letter = match piece.role {
                PieceRole::Pawn => 'p',
                PieceRole::Knight => 'n',
                PieceRole::Bishop => 'b',
                PieceRole::Rook => 'r',
                PieceRole::Queen => 'q',
                PieceRole::King => 'k',
            };
            if piece.side == Side::White { letter.to_ascii_uppercase() } else { letter }
        })
    })
}
