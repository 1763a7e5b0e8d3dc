//! What a person may ask for besides moving.

use super::Session;
use super::remote::Offer;
use crate::thinking::Purpose;
use crate::{GameEnd, Refusal, Request, Side};

type Answer = Result<String, Refusal>;

fn no(sentence: &str) -> Answer {
    Err(Refusal(sentence.to_owned()))
}

fn done() -> Answer {
    Ok(String::new())
}

impl Session {
    /// Does what the person who plays a side asked: as [`GameController::request`](crate::GameController::request), where
    /// it is known who asks.
    ///
    /// ```
    /// use tabiya_play::{Request, Session, GameSetup, Side, Start, GameController};
    ///
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// assert_eq!(session.request_by(Side::Black, &Request::Resign)?, "Black resigns: White wins");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request_by(&mut self, side: Side, request: &Request) -> Result<String, Refusal> {
        self.poll_quietly();
        self.must_be_played_here()?;
        match request {
            Request::TakeBackOne | Request::Redo if self.setup.remote => {
                no("Moves are taken back here if both agree.")
            }
            Request::Hint | Request::Evaluate | Request::EvaluateAfter(_) if self.setup.remote => {
                no("Two people play here: the computer keeps quiet.")
            }
            Request::TakeBack if self.setup.remote => self.offer_take_back(side),
            Request::AcceptTakeBack => self.accept_take_back(side),
            Request::DeclineTakeBack => self.decline(side, Offer::TakeBack),
            Request::DeclineDraw => self.decline(side, Offer::Draw),
            Request::Abort => self.abort(),
            Request::TakeBackOne => self.take_back(|_, _| true),
            Request::TakeBack => self.take_back(|session, turn| session.is_person(turn)),
            Request::Redo => self.redo(),
            Request::Resign => self.resign(side),
            Request::OfferDraw => self.offer_draw(side),
            Request::AcceptDraw => self.accept_draw(side),
            Request::ClaimDraw => self.claim_draw(side),
            Request::Hint => self.ask_hint(),
            Request::Evaluate => {
                self.must_go_on()?;
                self.evaluate(self.game.moves().len())
            }
            Request::EvaluateAfter(ply) => self.evaluate(*ply),
            Request::MoveNow => self.move_now(),
        }
    }

    fn poll_quietly(&mut self) {
        self.flag();
        self.hear();
    }

    pub(super) fn must_go_on(&self) -> Result<(), Refusal> {
        match &self.end {
            Some(end) => Err(Refusal(format!("The game is over. {}.", end.text))),
            None => self.must_be_played_here(),
        }
    }

    fn must_be_played_here(&self) -> Result<(), Refusal> {
        self.watched.clone().map_or(Ok(()), |sentence| Err(Refusal(sentence)))
    }

    /// Takes moves back until one side has the turn that will do; an end that was a word, not a move,
    /// goes first and alone.
    fn take_back(&mut self, will_do: impl Fn(&Session, Side) -> bool) -> Answer {
        if !self.setup.take_backs {
            return no("Moves are not taken back in this game.");
        }
        if !Side::BOTH.iter().any(|&side| self.is_person(side)) {
            return no("There is nobody at this table who could take a move back.");
        }
        let by_word = self.end.is_some() && self.game.outcome().is_none();
        let by_time = self.clocks.as_ref().is_some_and(|clocks| {
            Side::BOTH.iter().any(|&side| clocks.left(side, self.now()).is_zero())
        });
        if by_word && !by_time {
            self.adopt(self.game.boxed(), None)?;
            return Ok("The game goes on.".to_owned());
        }
        let mut next = self.game.boxed();
        let mut count = 0;
        while next.undo() {
            count += 1;
            if will_do(self, next.turn()) {
                break;
            }
        }
        if count == 0 || !will_do(self, next.turn()) {
            return no("There is no move to take back.");
        }
        self.offer = None;
        self.adopt(next, None)?;
        done()
    }

    fn redo(&mut self) -> Answer {
        self.must_go_on()?;
        let mut next = self.game.boxed();
        let mut count = 0;
        while next.redo() {
            count += 1;
            if self.is_person(next.turn()) {
                break;
            }
        }
        if count == 0 {
            return no("There is nothing to play again.");
        }
        let end = next.outcome();
        self.offer = None;
        self.adopt(next, end)?;
        done()
    }

    fn resign(&mut self, side: Side) -> Answer {
        self.must_go_on()?;
        if !self.is_person(side) {
            return no("There is nobody at this table who could resign.");
        }
        let end = GameEnd::won(side.other(), &format!("{} resigns", side.name()));
        let text = end.text.clone();
        self.finish(end)?;
        Ok(text)
    }

    fn offer_draw(&mut self, side: Side) -> Answer {
        self.must_go_on()?;
        if !self.is_person(side) {
            return no("There is nobody at this table who could offer a draw.");
        }
        if self.offer == Some(side.other()) {
            return self.accept_draw(side);
        }
        let other = side.other();
        if self.is_person(other) {
            if self.setup.remote {
                self.may_offer(side, Offer::Draw)?;
            }
            self.offer = Some(side);
            self.changed();
            return Ok(format!("{} offers a draw.", side.name()));
        }
        match self.game.agrees_to_draw(other, self.player(other)) {
            Ok(()) => {
                let name = self.name(other);
                self.finish(GameEnd::drawn("Draw by agreement"))?;
                Ok(format!("{name} accepts the draw."))
            }
            Err(why) => Ok(format!("{} declines the draw: {why}.", self.name(other))),
        }
    }

    fn accept_draw(&mut self, side: Side) -> Answer {
        self.must_go_on()?;
        match self.offer {
            None => return no("Nobody has offered a draw."),
            Some(offered) if offered == side => {
                return no("The other side has to accept the draw.");
            }
            Some(_) => {}
        }
        self.finish(GameEnd::drawn("Draw by agreement"))?;
        Ok("Draw by agreement".to_owned())
    }

    fn claim_draw(&mut self, side: Side) -> Answer {
        self.must_go_on()?;
        if !self.is_person(side) || self.game.turn() != side {
            return no("A draw is claimed when it is your turn.");
        }
        let Some((_, end)) = self.game.claim() else {
            return no(
                "There is no draw to claim: the position has not occurred three times, and there was a \
                 capture or a pawn move within the last fifty moves.",
            );
        };
        let text = end.text.clone();
        self.finish(end)?;
        Ok(text)
    }

    fn ask_hint(&mut self) -> Answer {
        self.must_go_on()?;
        if !self.is_person(self.game.turn()) {
            return no("A hint is given when it is your turn.");
        }
        self.hint = None;
        self.advise(Purpose::Hint, self.game.moves().len());
        self.changed();
        done()
    }

    /// Has the position after so many half-moves evaluated.
    fn evaluate(&mut self, ply: usize) -> Answer {
        if ply > self.game.moves().len() {
            return no("The game has not come so far.");
        }
        // Whoever looks asks again for every position: it is thought about once. A hint comes first, and tells as well;
        // of two positions the one that was asked for last is looked at.
        let is_known = self.evaluations.contains_key(&ply);
        if !is_known && self.adviser.as_ref().is_none_or(|running| running.gives_way_to(ply)) {
            self.advise(Purpose::Evaluation, ply);
        }
        done()
    }

    fn move_now(&mut self) -> Answer {
        self.must_go_on()?;
        if let Some(running) = &mut self.mover {
            running.hurry();
            return done();
        }
        if self.is_person(self.game.turn()) {
            return no("It is your turn, not the computer's.");
        }
        // After trouble it may try again.
        self.trouble = None;
        self.changed();
        self.wake();
        done()
    }
}
