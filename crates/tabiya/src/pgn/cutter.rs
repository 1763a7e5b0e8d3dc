//! Picks the games that are wanted, and writes them.

use std::sync::Arc;

use tabiya_chess::Position;
use tabiya_engine::Network;
use tabiya_pgn::{GameResult, Interest, Nag, PieceLetters, Played, RawTag, Reader, Visitor};

use super::form::{FormArgs, Writer};
use super::mill::{BlockResult, Worker};
use super::select::{Criteria, Filter};

/// What is noted of a game that is wanted, when it is known whole.
pub(super) trait Note: Default {
    type Value: Send;

    fn begin_game(&mut self) {}

    fn played(&mut self, _played: &Played<'_>) {}

    fn value(&mut self, writer: &Writer<'_>) -> Self::Value;
}

/// Notes nothing.
#[derive(Default)]
pub(super) struct Nothing;

impl Note for Nothing {
    type Value = ();

    fn value(&mut self, _writer: &Writer<'_>) {}
}

/// Looks at each game; those that are wanted it reads once more, and writes them. If nothing is asked for, it writes
/// while it reads.
pub(super) struct Cutter<'a, N> {
    criteria: &'a Criteria,
    filter: Filter<'a>,
    scribe: Scribe<'a, N>,
    letters: Option<PieceLetters>,
}

/// Writes a game and notes something about it.
struct Scribe<'a, N> {
    writer: Writer<'a>,
    note: N,
    depth: u32,
}

impl<'a, N: Note> Cutter<'a, N> {
    pub(super) fn new(
        criteria: &'a Criteria,
        form: &'a FormArgs,
        network: Option<Arc<Network>>,
        letters: Option<PieceLetters>,
    ) -> Cutter<'a, N> {
        let scribe = Scribe { writer: Writer::new(form, network), note: N::default(), depth: 0 };
        Cutter { criteria, filter: Filter::new(criteria), scribe, letters }
    }
}

impl<N: Note> Visitor for Scribe<'_, N> {
    fn begin_game(&mut self) {
        self.depth = 0;
        self.writer.begin_game();
        self.note.begin_game();
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        self.writer.tag(tag);
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.writer.begin_moves(start)
    }

    fn played(&mut self, played: &Played<'_>) {
        self.writer.played(played);
        if self.depth == 0 {
            self.note.played(played);
        }
    }

    fn nag(&mut self, nag: Nag) {
        self.writer.nag(nag);
    }

    fn comment(&mut self, text: &[u8]) {
        self.writer.comment(text);
    }

    fn begin_variation(&mut self) -> Interest {
        let interest = self.writer.begin_variation();
        self.depth += u32::from(interest == Interest::Read);
        interest
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
        self.writer.end_variation();
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.writer.end_game(result);
    }
}

impl<N: Note> Visitor for Cutter<'_, N> {
    fn begin_game(&mut self) {
        match self.criteria.asks_nothing() {
            true => self.scribe.begin_game(),
            false => self.filter.begin_game(),
        }
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        match self.criteria.asks_nothing() {
            true => self.scribe.tag(tag),
            false => self.filter.tag(tag),
        }
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        match self.criteria.asks_nothing() {
            true => self.scribe.begin_moves(start),
            false => self.filter.begin_moves(start),
        }
    }

    fn played(&mut self, played: &Played<'_>) {
        match self.criteria.asks_nothing() {
            true => self.scribe.played(played),
            false => self.filter.played(played),
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.criteria.asks_nothing() {
            self.scribe.nag(nag);
        }
    }

    fn comment(&mut self, text: &[u8]) {
        if self.criteria.asks_nothing() {
            self.scribe.comment(text);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        match self.criteria.asks_nothing() {
            true => self.scribe.begin_variation(),
            // Its moves are checked, whether they count or not.
            false => self.filter.begin_variation(),
        }
    }

    fn end_variation(&mut self) {
        match self.criteria.asks_nothing() {
            true => self.scribe.end_variation(),
            false => self.filter.end_variation(),
        }
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        match self.criteria.asks_nothing() {
            true => self.scribe.end_game(result),
            false => self.filter.end_game(result),
        }
    }
}

impl<N: Note> Worker for Cutter<'_, N> {
    type Note = N::Value;

    fn good(&mut self, text: &[u8], result: &mut BlockResult<N::Value>) {
        if !self.criteria.asks_nothing() {
            if !self.filter.wants() {
                return;
            }
            let mut reader = Reader::in_memory(text.to_vec());
            if let Some(letters) = self.letters {
                reader = reader.with_letters(letters);
            }
            // It was good a moment ago.
            if !reader.visit(&mut self.scribe).is_ok_and(|is_there| is_there) {
                return;
            }
        }
        let note = self.scribe.note.value(&self.scribe.writer);
        let writer = &mut self.scribe.writer;
        if let Some(warning) = writer.warning() {
            result.remark(warning);
        }
        result.keep(note, |out| writer.write(out));
    }
}
