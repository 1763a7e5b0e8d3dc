use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tabiya_play::{Past, Refusal, Request, Session, SetupError, Side, Table as _, View};
use tokio::sync::watch;

use crate::json::{About, ViewJson};

/// A game that somebody looks at or plays. Its methods may wait for a disk: call them where that is fine.
pub(crate) struct Desk {
    pub(crate) id: u64,
    session: Mutex<Session>,
    /// What the page shows; the last one is all there is to know.
    shown: watch::Sender<Arc<Shown>>,
    /// Added to the session's sequence, so that numbers go on growing when the house starts again.
    base: u64,
    state: Mutex<State>,
}

/// What the house looks at without waiting for the session.
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    pub(crate) fn new(id: u64, session: Session) -> Desk {
        let base = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
        let base = u64::try_from(base).unwrap_or(0);
        let view = session.view();
        let state = state(&view, None);
        let shown = watch::Sender::new(Arc::new(shown(id, base, &session, &view)));
        Desk { id, session: Mutex::new(session), shown, base, state: Mutex::new(state) }
    }

    /// Plays a move for whoever has the right to; the answer is what happened, in words.
    pub(crate) fn play(
        &self,
        side: Side,
        play: impl FnOnce(&mut Session) -> Result<String, Refusal>,
    ) -> Result<String, Refusal> {
        let mut session = lock(&self.session);
        self.settle(&mut session);
        let view = session.view();
        if view.end.is_none() && view.turn != side {
            return Err(Refusal("It is not your turn.".to_owned()));
        }
        let said = play(&mut session)?;
        self.publish(&session);
        Ok(said)
    }

    pub(crate) fn request(&self, side: Side, request: &Request) -> Result<String, Refusal> {
        let mut session = lock(&self.session);
        self.settle(&mut session);
        let said = session.request_by(side, request)?;
        self.publish(&session);
        Ok(said)
    }

    /// Looks after clocks and computers.
    pub(crate) fn poll(&self) {
        self.settle(&mut lock(&self.session));
    }

    /// The view now, with the time on the clocks.
    pub(crate) fn json(&self) -> String {
        let mut session = lock(&self.session);
        self.settle(&mut session);
        lock(&self.state).touched = Instant::now();
        shown(self.id, self.base, &session, &session.view()).json
    }

    /// What the board showed after some half-moves: the rules are asked again, nothing is remembered.
    pub(crate) fn earlier(&self, ply: usize) -> Result<Option<String>, SetupError> {
        let (setup, mut past) = {
            let session = lock(&self.session);
            (session.setup().clone(), session.past())
        };
        if ply > past.entries.len() {
            return Ok(None);
        }
        past.entries.truncate(ply);
        let past = Past { entries: past.entries, end: None };
        // Nobody thinks about the past.
        let means =
            tabiya_play::Means { executor: tabiya_play::Executor::new(drop), ..Default::default() };
        let session = Session::restore(setup, &past, means)?;
        let view = View { reach: Vec::new(), ..session.view() };
        Ok(Some(shown(self.id, self.base, &session, &view).json))
    }

    /// Something of the session that is only read.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Session) -> T) -> T {
        read(&lock(&self.session))
    }

    /// Every view from now on; the first is there at once.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Shown>> {
        self.shown.subscribe()
    }

    pub(crate) fn has_ended(&self) -> bool {
        lock(&self.state).ended
    }

    pub(crate) fn is_ticking(&self) -> bool {
        lock(&self.state).ticking
    }

    /// Whether a computer has thought for longer than that.
    pub(crate) fn thinks_longer_than(&self, limit: Duration) -> bool {
        lock(&self.state).thinking_since.is_some_and(|since| since.elapsed() > limit)
    }

    /// Whether nobody would miss it if it were put back on the shelf.
    pub(crate) fn is_idle(&self, limit: Duration) -> bool {
        let state = *lock(&self.state);
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

    fn publish(&self, session: &Session) {
        let view = session.view();
        let mut known = lock(&self.state);
        *known = state(&view, known.thinking_since);
        drop(known);
        self.shown.send_replace(Arc::new(shown(self.id, self.base, session, &view)));
    }
}

fn state(view: &View, thinking_since: Option<Instant>) -> State {
    let now = Instant::now();
    let thinking = view.seats.iter().any(|seat| seat.thinking);
    State {
        ended: view.end.is_some(),
        ticking: view.seats.iter().any(|seat| seat.ticking),
        thinking_since: thinking.then(|| thinking_since.unwrap_or(now)),
        touched: now,
    }
}

fn shown(id: u64, base: u64, session: &Session, view: &View) -> Shown {
    let sequence = base + view.sequence;
    let position = session.position_text();
    let about = About { id, sequence, position: &position, take_backs: session.setup().take_backs };
    // Plain structures with text keys: there is nothing in them that JSON cannot say.
    let json = serde_json::to_string(&ViewJson::new(view, &about)).unwrap_or_default();
    Shown { sequence, json }
}
