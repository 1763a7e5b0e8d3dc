//! Looking back: earlier positions of the game, and going on from them.

use tabiya_view::{Draw, GameView, PastPosition, Refusal};

use crate::app::{Action, App};
use crate::overlay::Overlay;

impl App {
    /// After how many half-moves the position on the screen is.
    pub(crate) fn ply(&self) -> usize {
        self.at.unwrap_or(self.live.moves.len())
    }

    /// Whether the screen shows an earlier position.
    pub(crate) fn is_back(&self) -> bool {
        self.at.is_some()
    }

    /// Goes so many half-moves forward or back.
    pub(crate) fn step(&mut self, by: isize) -> Action {
        let last = self.live.moves.len();
        self.look_at(self.ply().saturating_add_signed(by).min(last))
    }

    /// Shows the position after so many half-moves; the last is the game itself.
    pub(crate) fn look_at(&mut self, ply: usize) -> Action {
        if ply >= self.live.moves.len() {
            self.come_back();
            return Action::None;
        }
        if self.past.len() <= ply {
            return Action::Positions(ply);
        }
        self.at = Some(ply);
        (self.picked, self.drag, self.cursor, self.message) = (None, None, None, None);
        self.refresh();
        Action::None
    }

    /// Takes in all positions of the game, and shows the one after so many half-moves.
    pub fn remember(&mut self, past: Vec<PastPosition>, ply: usize) {
        if past.len() <= ply {
            self.told(Err(Refusal("This game cannot be looked back at.".into())));
            return;
        }
        self.past = past;
        self.look_at(ply);
    }

    /// Back to the game as it stands.
    pub(crate) fn come_back(&mut self) {
        if self.at.take().is_some() {
            self.message = None;
            self.refresh();
        }
    }

    /// Asks whether to play on from the position on the screen, perhaps with a move.
    pub(crate) fn ask_to_play_on(&mut self, text: String) -> Action {
        let with = if text.is_empty() { String::new() } else { format!(" with {text}") };
        self.overlay = Some(Overlay::Confirm {
            question: format!("A new game from here{with}?"),
            action: Action::PlayOn { ply: self.ply(), text },
            at: 0,
        });
        Action::None
    }

    /// Takes in the game as it stands now.
    pub(crate) fn take_in(&mut self, live: GameView) {
        let same = live.moves.iter().zip(&self.live.moves).take_while(|(a, b)| a.uci == b.uci);
        self.past.truncate(same.count() + 1);
        self.live = live;
        if self.at.is_some_and(|ply| ply >= self.live.moves.len() || ply >= self.past.len()) {
            self.at = None;
        }
        self.refresh();
    }

    /// Makes the view of what is to be shown: the game, or an earlier position of it.
    fn refresh(&mut self) {
        let live = &self.live;
        let Some((ply, past)) = self.at.and_then(|ply| Some((ply, self.past.get(ply)?))) else {
            self.view = live.clone();
            return;
        };
        let mut seats = live.seats.clone();
        for (seat, captured) in seats.iter_mut().zip(&past.captured) {
            seat.captured = captured.clone();
        }
        let before = ply.checked_sub(1).and_then(|index| live.moves.get(index));
        let status = match before {
            None => "The start of the game".to_owned(),
            Some(played) => {
                let dots = if played.side == tabiya_view::Side::White { "." } else { "..." };
                format!("After {}{dots}{}", played.number, played.san)
            }
        };
        self.view = GameView {
            pieces: past.pieces.clone(),
            check: past.check,
            destinations: Vec::new(),
            last: before.map(|played| (played.from, played.to)),
            turn: live.moves.get(ply).map_or(live.turn, |next| next.side),
            seats,
            hint: None,
            threats: Vec::new(),
            draw: Draw::default(),
            evaluation: None,
            end: None,
            status,
            ..live.clone()
        };
        if let Some((from, to)) = self.view.last {
            self.reveal(from);
            self.reveal(to);
        }
    }
}
