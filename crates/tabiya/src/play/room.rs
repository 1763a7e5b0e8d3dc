//! A game, and where it is kept.

use std::path::Path;

use anyhow::Context;
use tabiya_chess::{Game, Position};
use tabiya_chess_view::uci;
use tabiya_play::{Entry, GameController, GameKind, GameSetup, Past, Session, SessionDeps, Start};
use tabiya_store::{GameId, Kept, Store};

use super::{name_of, text_of};

/// A game that is played.
pub(crate) enum Room {
    /// It is kept.
    Kept(Box<Kept>, Store),
    /// It is not.
    Loose(Box<Session>),
}

impl Room {
    /// Begins a game, perhaps with moves that were played elsewhere.
    pub(crate) fn begin(
        store: Option<Store>,
        setup: GameSetup,
        past: &Past,
        deps: SessionDeps,
    ) -> anyhow::Result<Room> {
        Ok(match store {
            Some(store) => {
                let id = store.create_with(&setup, past)?;
                Room::Kept(Box::new(store.resume(id, deps)?), store)
            }
            None => Room::Loose(Box::new(Session::restore(setup, past, deps)?)),
        })
    }

    pub(crate) fn session(&self) -> &Session {
        match self {
            Room::Kept(kept, _) => kept.session(),
            Room::Loose(session) => session,
        }
    }

    pub(crate) fn controller(&mut self) -> &mut dyn GameController {
        match self {
            Room::Kept(kept, _) => &mut **kept,
            Room::Loose(session) => &mut **session,
        }
    }

    pub(crate) fn id(&self) -> Option<GameId> {
        match self {
            Room::Kept(kept, _) => Some(kept.id()),
            Room::Loose(_) => None,
        }
    }

    pub(crate) fn store(&self) -> Option<&Store> {
        match self {
            Room::Kept(_, store) => Some(store),
            Room::Loose(_) => None,
        }
    }

    pub(crate) fn has_person(&self) -> bool {
        self.session().setup().players.iter().any(tabiya_play::Player::is_person)
    }

    /// The game of a file instead of this one, between the same players. This one stays kept.
    pub(crate) fn load(&self, file: &Path, deps: SessionDeps) -> anyhow::Result<Room> {
        let now = self.session().setup();
        let (start, past) = read(file, now.start.kind())?;
        let setup = GameSetup { start, date: None, ..now.clone() };
        setup.check()?;
        Room::begin(self.store().cloned(), setup, &past, deps)
    }

    /// Another game between the same players, from the position of this one after so many half-moves.
    pub(crate) fn play_on(&self, ply: usize, deps: SessionDeps) -> anyhow::Result<Room> {
        let session = self.session();
        let mut entries = session.past().entries;
        entries.truncate(ply);
        let setup = GameSetup { date: None, ..session.setup().clone() };
        Room::begin(self.store().cloned(), setup, &Past { entries, end: None }, deps)
    }

    /// The game of chess after so many half-moves.
    pub(crate) fn game_at(&self, ply: usize) -> anyhow::Result<Game> {
        let session = self.session();
        let Start::Chess(start) = &session.setup().start else {
            anyhow::bail!("the engine knows chess only");
        };
        let mut game = Game::from_position(*start);
        for entry in session.past().entries.iter().take(ply) {
            game.play_unchecked(game.position().parse_uci(&entry.uci)?);
        }
        Ok(game)
    }

    /// Writes the game to a file: its record, or its position if the file is called .fen.
    pub(crate) fn save(&self, file: &Path) -> anyhow::Result<()> {
        let is_fen = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("fen"));
        let session = self.session();
        let text = match is_fen {
            true => format!("{}\n", session.position_text().trim_end()),
            false => session.record(),
        };
        tabiya_base::write_atomically(file, |out| out.write_all(text.as_bytes()))
            .with_context(|| name_of(file))
    }

    /// Leaves. A game that nobody began is not worth keeping.
    pub(crate) fn leave(self) -> anyhow::Result<()> {
        let past = self.session().past();
        if let Room::Kept(kept, store) = self
            && past.entries.is_empty()
            && past.end.is_none()
        {
            let id = kept.id();
            drop(kept);
            store.forget(id)?;
        }
        Ok(())
    }
}

/// The game of a file: the first of a PGN file, the position of a FEN, or a board.
pub(crate) fn read(file: &Path, kind: GameKind) -> anyhow::Result<(Start, Past)> {
    let text = text_of(file)?;
    if kind == GameKind::Bishops {
        return Ok((Start::bishops(&text).with_context(|| name_of(file))?, Past::default()));
    }
    if let Ok(position) = Position::from_fen_prefix(text.trim()) {
        return Ok((Start::Chess(position), Past::default()));
    }
    let bytes = std::fs::read(file).with_context(|| name_of(file))?;
    let game = tabiya_pgn::Reader::new(bytes.as_slice()).next_game();
    let game = game.with_context(|| name_of(file))?;
    let game = game.with_context(|| format!("{}: there is no game in it", name_of(file)))?;
    let mut position = *game.tree().start();
    let start = Start::Chess(position);
    let chess960 = !position.castles_as_in_standard_chess();
    let mut entries = Vec::new();
    for &m in game.to_play().moves() {
        entries.push(Entry { uci: uci(&position, m, chess960), clocks: None });
        position.play_unchecked(m);
    }
    Ok((start, Past { entries, end: None }))
}
