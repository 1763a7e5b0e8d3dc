//! Games between people at two machines: who is expected, who has come, where they play on.

use sqlx::sqlite::SqliteConnection;
use sqlx::{Row, query};
use tabiya_play::{Change, GameSetup, Player, Side};

use crate::write::{New, Write, create};
use crate::{Friend, GameId, Store, StoreError, catalogue};

/// Somebody who wants the seat that is open.
pub(crate) struct Guest {
    side: Side,
    player: Player,
    /// By what they are known again.
    mark: String,
}

impl Friend {
    /// The seat that nobody has taken yet.
    ///
    /// ```
    /// use {tabiya_play::Side, tabiya_store::Friend};
    ///
    /// let waiting = Friend { seat: Some(Side::Black), ..Friend::default() };
    /// assert_eq!(waiting.open(), Some(Side::Black));
    /// assert_eq!(Friend { taken: true, ..waiting }.open(), None);
    /// ```
    pub fn open(&self) -> Option<Side> {
        self.seat.filter(|_| !self.taken)
    }
}

impl Store {
    /// Begins a game in which a seat is kept free for somebody who has still to come.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Side, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let setup = GameSetup { remote: true, ..GameSetup::new(Start::standard()) };
    /// let id = store.invite(&setup, Side::Black)?;
    /// assert_eq!(store.load(id)?.friend.unwrap().open(), Some(Side::Black));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn invite(&self, setup: &GameSetup, open: Side) -> Result<GameId, StoreError> {
        self.write_game(Write::Create(Box::new(new(setup, Some(open)))))
    }

    /// Gives the open seat to the first who comes. `mark` is something only that person knows: should the answer
    /// be lost, they may ask again and still have the seat; for everybody else it is taken.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Side, Start}, tabiya_store::{Store, StoreError}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let setup = GameSetup { remote: true, ..GameSetup::new(Start::standard()) };
    /// let id = store.invite(&setup, Side::Black)?;
    /// let ada = "human:Ada".parse().unwrap();
    /// store.join(id, Side::Black, &ada, "ada's secret")?;
    /// store.join(id, Side::Black, &ada, "ada's secret")?;
    /// assert_eq!(store.join(id, Side::Black, &ada, "another"), Err(StoreError::Taken(id)));
    /// # Ok::<(), StoreError>(())
    /// ```
    pub fn join(
        &self,
        id: GameId,
        side: Side,
        player: &Player,
        mark: &str,
    ) -> Result<(), StoreError> {
        let guest = Guest { side, player: player.clone(), mark: mark.to_owned() };
        self.write(Write::Join { id, guest }).map(drop)
    }

    /// The game in which two people play on after another: begun now, or earlier if both asked at once.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Side, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let setup = GameSetup { remote: true, ..GameSetup::new(Start::standard()) };
    /// let first = store.create(&setup)?;
    /// let next = store.follow(first, &setup)?;
    /// assert_eq!(store.follow(first, &setup)?, next);
    /// assert_eq!(store.load(first)?.friend.unwrap().next, Some(next));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn follow(&self, id: GameId, setup: &GameSetup) -> Result<GameId, StoreError> {
        self.write_game(Write::Follow { id, new: Box::new(new(setup, None)) })
    }
}

fn new(setup: &GameSetup, open: Option<Side>) -> New {
    let change = Change { stays: 0, added: Vec::new(), end: None };
    New { open, ..New::played(setup.clone(), change) }
}

const fn side_text(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

pub(crate) fn side(text: Option<&str>) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| text == Some(side_text(side)))
}

pub(crate) async fn invite(
    connection: &mut SqliteConnection,
    id: GameId,
    open: Option<Side>,
) -> Result<(), StoreError> {
    query("INSERT INTO friends (game, seat) VALUES (?1, ?2)")
        .bind(id.0)
        .bind(open.map(side_text))
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn join(
    connection: &mut SqliteConnection,
    id: GameId,
    guest: &Guest,
) -> Result<(), StoreError> {
    let row = query(
        "SELECT seat, guest FROM friends JOIN games ON id = game WHERE game = ?1 AND deleted IS NULL",
    )
    .bind(id.0)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or(StoreError::NoGame(id))?;
    if side(row.try_get("seat")?) != Some(guest.side) {
        return Err(StoreError::Taken(id));
    }
    match row.try_get::<Option<&str>, _>("guest")? {
        Some(mark) if mark == guest.mark => return Ok(()),
        Some(_) => return Err(StoreError::Taken(id)),
        None => {}
    }
    query("UPDATE friends SET guest = ?2 WHERE game = ?1")
        .bind(id.0)
        .bind(&guest.mark)
        .execute(&mut *connection)
        .await?;
    let name = match guest.side {
        Side::White => "UPDATE games SET white = ?2 WHERE id = ?1",
        Side::Black => "UPDATE games SET black = ?2 WHERE id = ?1",
    };
    query(name).bind(id.0).bind(guest.player.to_string()).execute(&mut *connection).await?;
    catalogue::rename(connection, id, guest.side, &guest.player).await
}

pub(crate) async fn follow(
    connection: &mut SqliteConnection,
    id: GameId,
    new: &New,
) -> Result<GameId, StoreError> {
    let row = query("SELECT next FROM friends WHERE game = ?1")
        .bind(id.0)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or(StoreError::NoGame(id))?;
    if let Some(next) = row.try_get::<Option<i64>, _>("next")? {
        return Ok(GameId(next));
    }
    let next = create(connection, new).await?;
    query("UPDATE friends SET next = ?2 WHERE game = ?1")
        .bind(id.0)
        .bind(next.0)
        .execute(connection)
        .await?;
    Ok(next)
}
