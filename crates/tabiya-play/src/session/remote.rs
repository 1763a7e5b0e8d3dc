//! What is different when each of two people is at a board of their own.

use std::time::Duration;

use super::Session;
use crate::{GameEnd, MoveInput, Player, Refusal, Side};

type Answer = Result<String, Refusal>;

fn no(sentence: &str) -> Answer {
    Err(Refusal(sentence.to_owned()))
}

/// What one player wants of the other.
#[derive(Clone, Copy)]
pub(super) enum Offer {
    Draw,
    TakeBack,
}

impl Session {
    /// Plays a move for the person who has a side. `ply` is how many half-moves had been played when the person
    /// decided on it: a move that was sent twice is played once, and one that was meant for another position not at all.
    ///
    /// ```
    /// use tabiya_play::{Session, GameSetup, Side, Start, GameController, MoveInput};
    ///
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// let e4 = MoveInput::Text("e4".to_owned());
    /// session.move_by(Side::White, Some(0), &e4)?;
    /// session.move_by(Side::White, Some(0), &e4)?;
    /// assert_eq!(session.view().moves.len(), 1);
    /// assert!(session.move_by(Side::White, Some(2), &e4).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_by(&mut self, side: Side, ply: Option<usize>, input: &MoveInput) -> Answer {
        let played = self.game.moves().len();
        if let Some(ply) = ply.filter(|&ply| ply != played) {
            return match self.has_played(side, ply, input) {
                true => Ok(String::new()),
                false => {
                    no("The game has gone on since: that move was meant for another position.")
                }
            };
        }
        if self.end.is_none() && self.game.turn() != side {
            return no("It is not your turn.");
        }
        self.play_person(|game| input.play(game))
    }

    /// Whether a side has made that very move at that point of the game.
    fn has_played(&self, side: Side, ply: usize, input: &MoveInput) -> bool {
        let Some(played) = self.game.moves().get(ply).filter(|played| played.side == side) else {
            return false;
        };
        let mut then = self.game.boxed();
        while then.moves().len() > ply && then.undo() {}
        input.play(&mut *then).is_ok() && then.moves().last().is_some_and(|m| m.uci == played.uci)
    }

    /// Somebody takes a seat that was kept free for a person.
    ///
    /// ```
    /// use tabiya_play::{Player, Session, GameSetup, Side, Start, GameController};
    ///
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// session.welcome(Side::Black, "human:Ada".parse()?);
    /// assert_eq!(session.view().seats[1].name, "Ada");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn welcome(&mut self, side: Side, player: Player) {
        self.setup.players[side as usize] = player;
        self.changed();
    }

    /// Lets the view count as new: something that is shown with the game has changed around it.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start, GameController};
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// let before = session.view().sequence;
    /// session.touch();
    /// assert!(session.view().sequence > before);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn touch(&mut self) {
        self.changed();
    }

    /// Asks how far a player is away: the number goes to the player, who sends it back at once.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Side, Start};
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// session.ping(Side::White, 12345);
    /// assert!(session.pong(Side::White, 12345).is_some());
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn ping(&mut self, side: Side, nonce: u64) {
        let now = self.now();
        self.lags[side as usize].ask(nonce, now);
    }

    /// The answer to [`ping`](Session::ping): the time it took, by the clock of this table. A number that was
    /// not asked for, or has been answered, is nothing.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Side, Start};
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// assert_eq!(session.pong(Side::White, 12345), None);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn pong(&mut self, side: Side, nonce: u64) -> Option<Duration> {
        let now = self.now();
        self.lags[side as usize].answer(nonce, now)
    }

    /// What the side whose clock runs is given back if its move has come now.
    pub(super) fn spared(&self, now: Duration) -> Duration {
        let running = self.clocks.as_ref().and_then(|clocks| clocks.running_since(now));
        match running {
            Some((side, elapsed)) if self.setup.remote => {
                self.lags[side as usize].allowance(elapsed)
            }
            _ => Duration::ZERO,
        }
    }

    pub(super) fn abort(&mut self) -> Answer {
        self.must_go_on()?;
        if !self.setup.remote {
            return no("This game is not played with somebody elsewhere.");
        }
        if self.game.moves().len() >= 2 {
            return no("Both have moved: the game can be resigned, not aborted.");
        }
        let end = GameEnd::aborted("The game was aborted");
        self.finish(end)?;
        Ok("The game was aborted".to_owned())
    }

    /// Takes back, with the other's consent, what was played since a side was to move the last time.
    pub(super) fn offer_take_back(&mut self, side: Side) -> Answer {
        self.must_go_on()?;
        if !self.setup.take_backs {
            return no("Moves are not taken back in this game.");
        }
        if self.back == Some(side.other()) {
            return self.accept_take_back(side);
        }
        if !self.game.moves().iter().any(|played| played.side == side) {
            return no("There is no move to take back.");
        }
        if self.back == Some(side) {
            return no("You have asked already.");
        }
        self.may_offer(side, Offer::TakeBack)?;
        self.back = Some(side);
        self.changed();
        Ok(format!("{} asks to take a move back.", self.name(side)))
    }

    pub(super) fn accept_take_back(&mut self, side: Side) -> Answer {
        self.must_go_on()?;
        let Some(asker) = self.back.filter(|&asker| asker != side) else {
            return no("Nobody has asked to take a move back.");
        };
        let mut next = self.game.boxed();
        while next.undo() && next.turn() != asker {}
        self.adopt(next, None)?;
        self.offer = None;
        self.back = None;
        Ok("The move is taken back.".to_owned())
    }

    /// Says no; whoever has asked does not ask again before the next move.
    pub(super) fn decline(&mut self, side: Side, offer: Offer) -> Answer {
        self.must_go_on()?;
        let open = match offer {
            Offer::Draw => &mut self.offer,
            Offer::TakeBack => &mut self.back,
        };
        if *open != Some(side.other()) {
            return no("There is nothing to decline.");
        }
        *open = None;
        self.declined[offer as usize][side.other() as usize] = Some(self.game.moves().len());
        self.changed();
        Ok("Declined.".to_owned())
    }

    /// Whose offer was declined in this very position.
    pub(super) fn declined_now(&self, offer: Offer) -> Option<Side> {
        let here = Some(self.game.moves().len());
        Side::BOTH.into_iter().find(|&side| self.declined[offer as usize][side as usize] == here)
    }

    /// Whether a side may ask: not twice in the same position.
    pub(super) fn may_offer(&self, side: Side, offer: Offer) -> Result<(), Refusal> {
        let declined = self.declined[offer as usize][side as usize];
        match declined.is_some_and(|ply| self.game.moves().len() < ply + 2) {
            true => Err(Refusal("That was declined: play on before you ask again.".to_owned())),
            false => Ok(()),
        }
    }
}
