use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabiya_base::unix_milliseconds;
use tabiya_play::{GameController as _, GameView, MoveInput, Refusal, Request, Session, Side};
use tabiya_store::Friend;
use tokio::sync::watch;

use crate::json::{self, FriendJson, PastJson};
use crate::presence::Presence;
use crate::rematch::Friends;

/// A game that somebody looks at or plays. Its methods may wait for a disk: call them where that is fine.
pub(crate) struct LiveGame {
    pub(crate) id: u64,
    pub(crate) session: Mutex<Session>,
    /// What the page shows; the last one is all there is to know.
    shown: watch::Sender<Arc<Shown>>,
    /// Added to the session's sequence, so that numbers go on growing when the server starts again.
    base: u64,
    state: Mutex<State>,
    /// How it stands between two people at two machines.
    pub(crate) friends: Mutex<Option<Friends>>,
    /// Who is there.
    pub(crate) presence: Presence,
}

/// What the server looks at without waiting for the session.
#[derive(Clone, Copy)]
struct State {
    ended: bool,
    ticking: bool,
    thinking_since: Option<Instant>,
    touched: Instant,
}

/// A view, ready to be sent.
pub(crate) struct Shown {
    pub(crate) sequence: u64,
    pub(crate) json: String,
}

impl LiveGame {
    pub(crate) fn new(id: u64, session: Session, friend: Option<Friend>) -> LiveGame {
        let base = unix_milliseconds().unsigned_abs();
        let view = session.view();
        let state = state(&view, None);
        let friends = friend.map(Friends::new);
        let shown = shown(id, base, &session, &view, friends.map(Friends::json));
        LiveGame {
            id,
            session: Mutex::new(session),
            shown: watch::Sender::new(Arc::new(shown)),
            base,
            state: Mutex::new(state),
            friends: Mutex::new(friends),
            presence: Presence::new(),
        }
    }

    /// Plays a move for whoever has the right to; the answer is what happened, in words and as a view. `ply` is how many
    /// half-moves the player had seen.
    pub(crate) fn play(
        &self,
        side: Side,
        ply: Option<usize>,
        input: &MoveInput,
    ) -> Result<(String, Arc<Shown>), Refusal> {
        let mut session = self.session.lock();
        self.settle(&mut session);
        self.must_be_complete()?;
        let before = session.sequence();
        let said = session.move_by(side, ply, input)?;
        // A move that came twice is no news.
        let news = session.sequence() != before;
        if news {
            self.publish(&session);
        }
        let shown = match news {
            true => Arc::clone(&self.shown.borrow()),
            false => Arc::new(self.shown_of(&session, &session.view())),
        };
        Ok((said, shown))
    }

    pub(crate) fn request(&self, side: Side, request: &Request) -> Result<String, Refusal> {
        let mut session = self.session.lock();
        self.settle(&mut session);
        if *request != Request::Abort {
            self.must_be_complete()?;
        }
        let said = session.request_by(side, request)?;
        self.publish(&session);
        Ok(said)
    }

    /// Asks a player's page how far away it is.
    pub(crate) fn ping(&self, side: Side, nonce: u64) {
        self.presence.ask(side);
        self.session.lock().ping(side, nonce);
    }

    /// The page has answered; false if it was not asked.
    pub(crate) fn pong(&self, side: Side, nonce: u64) -> bool {
        let answered = self.session.lock().pong(side, nonce).is_some();
        if answered {
            self.presence.hear(side);
        }
        answered
    }

    /// Looks after clocks and computers.
    pub(crate) fn poll(&self) {
        self.settle(&mut self.session.lock());
    }

    /// The same, unless somebody is at the game: they look after it themselves, and may wait for a disk.
    pub(crate) fn glance(&self) {
        if let Some(mut session) = self.session.try_lock() {
            self.settle(&mut session);
        }
    }

    /// The view now, with the time on the clocks.
    pub(crate) fn json(&self) -> String {
        let mut session = self.session.lock();
        self.settle(&mut session);
        self.state.lock().touched = Instant::now();
        self.shown_of(&session, &session.view()).json
    }

    /// What the board showed before the first move and after each.
    pub(crate) fn past(&self) -> Vec<PastJson> {
        PastJson::all(&self.session.lock())
    }

    /// Something of the session that is only read.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Session) -> T) -> T {
        read(&self.session.lock())
    }

    /// Every view from now on; the first is there at once.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Shown>> {
        self.shown.subscribe()
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.state.lock().ended
    }

    pub(crate) fn is_ticking(&self) -> bool {
        self.state.lock().ticking
    }

    /// Whether a computer has thought for longer than that.
    pub(crate) fn thinks_longer_than(&self, limit: Duration) -> bool {
        self.state.lock().thinking_since.is_some_and(|since| since.elapsed() > limit)
    }

    /// Whether nobody would miss it if it were dropped from memory.
    pub(crate) fn is_idle(&self, limit: Duration) -> bool {
        let state = *self.state.lock();
        self.shown.receiver_count() == 0
            && !state.ticking
            && state.thinking_since.is_none()
            && state.touched.elapsed() > limit
    }

    /// Takes in what computers have answered, and shows each step.
    fn settle(&self, session: &mut Session) {
        while session.poll() {
            self.publish(session);
        }
    }

    pub(crate) fn publish(&self, session: &Session) {
        let view = session.view();
        let mut known = self.state.lock();
        *known = state(&view, known.thinking_since);
        drop(known);
        self.shown.send_replace(Arc::new(self.shown_of(session, &view)));
    }

    fn shown_of(&self, session: &Session, view: &GameView) -> Shown {
        let friend = self.friends.lock().map(Friends::json);
        shown(self.id, self.base, session, view, friend)
    }
}

fn state(view: &GameView, thinking_since: Option<Instant>) -> State {
    let now = Instant::now();
    let thinking = view.seats.iter().any(|seat| seat.thinking);
    State {
        ended: view.end.is_some(),
        ticking: view.seats.iter().any(|seat| seat.ticking),
        thinking_since: thinking.then(|| thinking_since.unwrap_or(now)),
        touched: now,
    }
}

fn shown(
    id: u64,
    base: u64,
    session: &Session,
    view: &GameView,
    friend: Option<FriendJson>,
) -> Shown {
    Shown { sequence: base + view.sequence, json: json::view(id, base, session, view, friend) }
}
