//! A game between people at two machines: the seat that is kept free, and playing again.

use tabiya_play::{Player, Refusal, Side};
use tabiya_store::Friend;

use crate::json::{self, FriendJson};
use crate::live_game::LiveGame;

/// Two people at two machines.
#[derive(Clone, Copy)]
pub(crate) struct Friends {
    kept: Friend,
    /// Who would like to play again.
    rematch: Option<Side>,
}

impl Friends {
    pub(crate) const fn new(kept: Friend) -> Friends {
        Friends { kept, rematch: None }
    }

    pub(crate) fn json(self) -> FriendJson {
        FriendJson {
            open: self.kept.open().map(json::side),
            rematch: self.rematch.map(json::side),
            next: self.kept.next.and_then(|id| u64::try_from(id.0).ok()),
        }
    }
}

impl LiveGame {
    /// Nothing is played while a seat is free.
    pub(crate) fn must_be_complete(&self) -> Result<(), Refusal> {
        match self.friends.lock().is_some_and(|friends| friends.kept.open().is_some()) {
            true => Err(Refusal("Your friend has not come yet.".to_owned())),
            false => Ok(()),
        }
    }

    /// The seat that was kept free for somebody, whether it still is or not.
    pub(crate) fn guest_seat(&self) -> Option<Side> {
        self.friends.lock().and_then(|friends| friends.kept.seat)
    }

    /// Whether two people at two machines play.
    pub(crate) fn is_apart(&self) -> bool {
        self.friends.lock().is_some()
    }

    /// Whether somebody is waited for.
    pub(crate) fn is_waiting(&self) -> bool {
        self.must_be_complete().is_err()
    }

    /// The game in which the two play on.
    pub(crate) fn next(&self) -> Option<u64> {
        self.friends.lock().and_then(|friends| friends.json().next)
    }

    /// Changes how it stands between two people, and tells it.
    fn among_friends(&self, change: impl FnOnce(&mut Friends)) {
        let mut session = self.session.lock();
        if let Some(friends) = self.friends.lock().as_mut() {
            change(friends);
        }
        session.touch();
        self.publish(&session);
    }

    /// Somebody has taken the free seat. Nothing changes if that was known.
    pub(crate) fn welcome(&self, side: Side, player: &Player) {
        if self.is_waiting() {
            self.session.lock().welcome(side, player.clone());
            self.among_friends(|friends| friends.kept.taken = true);
        }
    }

    /// A player would like to play again; true if now both do.
    pub(crate) fn offer_rematch(&self, side: Side) -> Result<bool, Refusal> {
        self.poll();
        let refuse = |sentence: &str| Err(Refusal(sentence.to_owned()));
        let Some(friends) = *self.friends.lock() else {
            return refuse("This game is not played with somebody elsewhere.");
        };
        if !self.has_ended() {
            return refuse("This game goes on: finish it first.");
        }
        if friends.kept.open().is_some() {
            return refuse("Nobody has come to play.");
        }
        if friends.kept.next.is_some() {
            return Ok(true);
        }
        let mut agreed = false;
        self.among_friends(|friends| {
            agreed = friends.rematch == Some(side.other());
            if !agreed {
                friends.rematch = Some(side);
            }
        });
        Ok(agreed)
    }

    pub(crate) fn decline_rematch(&self) -> Result<(), Refusal> {
        if self.friends.lock().is_none_or(|friends| friends.rematch.is_none()) {
            return Err(Refusal("Nobody has asked for another game.".to_owned()));
        }
        self.among_friends(|friends| friends.rematch = None);
        Ok(())
    }

    /// The two play on in another game.
    pub(crate) fn play_on_in(&self, next: u64) {
        self.among_friends(|friends| {
            friends.kept.next = i64::try_from(next).ok().map(tabiya_store::GameId);
            friends.rematch = None;
        });
    }
}
