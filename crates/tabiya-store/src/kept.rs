use tabiya_play::{
    Coord, GameController, GameView, PastPosition, PieceRole, Refusal, Request, Session, Side,
};

use crate::GameId;

/// A game in progress that is kept: everything is on the disk before it is confirmed or shown.
///
/// ```
/// use tabiya_play::{SessionDeps, Request, GameSetup, Start, GameController};
/// # use tabiya_store::Store;
/// # let folder = tempfile::tempdir().unwrap();
/// # let store = Store::open(folder.path())?;
///
/// let mut game = store.begin(GameSetup::new(Start::standard()), SessionDeps::default())?;
/// game.submit("e4").unwrap();
/// game.request(&Request::TakeBack).unwrap();
/// assert!(store.load(game.id())?.past.entries.is_empty());
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
pub struct Kept {
    id: GameId,
    session: Session,
}

impl Kept {
    pub(crate) const fn new(id: GameId, session: Session) -> Kept {
        Kept { id, session }
    }

    /// Its number.
    ///
    /// ```
    /// # use {tabiya_play::{SessionDeps, GameSetup, Start}, tabiya_store::{GameId, Store}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let game = store.begin(GameSetup::new(Start::standard()), SessionDeps::default())?;
    /// assert_eq!(game.id(), GameId(1));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub const fn id(&self) -> GameId {
        self.id
    }

    /// The session itself.
    ///
    /// ```
    /// # use {tabiya_play::{SessionDeps, GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let game = store.begin(GameSetup::new(Start::standard()), SessionDeps::default())?;
    /// assert!(game.session().setup().date.is_some());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Does what the person who plays a side asked, as [`Session::request_by`].
    ///
    /// ```
    /// # use {tabiya_play::{SessionDeps, Request, GameSetup, Side, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let mut game = store.begin(GameSetup::new(Start::standard()), SessionDeps::default())?;
    /// game.request_by(Side::Black, &Request::Resign).unwrap();
    /// assert_eq!(store.load(game.id())?.summary.result, "1-0");
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn request_by(&mut self, side: Side, request: &Request) -> Result<String, Refusal> {
        self.session.request_by(side, request)
    }
}

impl GameController for Kept {
    fn view(&self) -> GameView {
        self.session.view()
    }

    fn submit(&mut self, text: &str) -> Result<String, Refusal> {
        self.session.submit(text)
    }

    fn go(
        &mut self,
        from: Coord,
        to: Coord,
        becomes: Option<PieceRole>,
    ) -> Result<String, Refusal> {
        self.session.go(from, to, becomes)
    }

    fn request(&mut self, request: &Request) -> Result<String, Refusal> {
        self.session.request(request)
    }

    fn poll(&mut self) -> bool {
        self.session.poll()
    }

    fn record(&self) -> String {
        self.session.record()
    }

    fn positions(&self) -> Vec<PastPosition> {
        self.session.positions()
    }
}
