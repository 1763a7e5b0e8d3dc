use std::mem::take;

use tabiya_chess::Position;

use crate::text::decode;
use crate::visitor::{Interest, Played, RawTag, Visitor};
use crate::{Comment, Game, GameResult, Nag, NodeId};

/// A visitor that builds a [`Game`]. Use it inside a visitor of your own to keep only the games you
/// want; [`Reader::games`](crate::Reader::games) keeps all.
///
/// ```
/// use tabiya_pgn::{GameBuilder, Reader};
///
/// let mut builder = GameBuilder::new();
/// let mut reader = Reader::new(&b"1. e4 {hello} *"[..]);
/// reader.visit(&mut builder)?;
/// assert_eq!(builder.finish().tree().len(), 1);
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBuilder {
    game: Game,
    /// The last move of the line that is read.
    here: NodeId,
    /// The last moves of the lines that wait.
    waiting: Vec<NodeId>,
    /// Whether the game or a variation has begun and has no move yet. What is said now belongs to
    /// what comes.
    at_start: bool,
    comments: Vec<Comment>,
    nags: Vec<Nag>,
}

impl GameBuilder {
    /// With an empty game.
    ///
    /// ```
    /// # use tabiya_pgn::{Game, GameBuilder};
    /// assert_eq!(GameBuilder::new().finish(), Game::new());
    /// ```
    pub fn new() -> GameBuilder {
        let game = Game::new();
        let here = game.tree.root();
        GameBuilder {
            game,
            here,
            waiting: Vec::new(),
            at_start: true,
            comments: Vec::new(),
            nags: Vec::new(),
        }
    }

    /// The game that was read last. The builder is empty then.
    ///
    /// ```
    /// # use tabiya_pgn::{GameBuilder, Visitor};
    /// let mut builder = GameBuilder::new();
    /// builder.begin_game();
    /// assert!(builder.finish().tree().is_empty());
    /// ```
    pub fn finish(&mut self) -> Game {
        take(self).game
    }
}

impl Default for GameBuilder {
    fn default() -> GameBuilder {
        GameBuilder::new()
    }
}

impl Visitor for GameBuilder {
    fn begin_game(&mut self) {
        *self = GameBuilder::new();
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        // A name that the reader accepts is at worst too long to keep.
        let _ = self.game.tags.set(&decode(tag.name), &tag.value());
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.game.begin_at(*start);
        self.here = self.game.tree.root();
        self.at_start = false;
        for comment in self.comments.drain(..) {
            self.game.tree.add_comment(self.here, comment);
        }
        Interest::Read
    }

    fn played(&mut self, played: &Played<'_>) {
        let tree = &mut self.game.tree;
        self.here = tree.push(self.here, played.played);
        if take(&mut self.at_start) {
            for comment in self.comments.drain(..) {
                tree.add_comment_before(self.here, comment);
            }
            for nag in self.nags.drain(..) {
                tree.add_nag(self.here, nag);
            }
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.at_start {
            self.nags.push(nag);
        } else {
            self.game.tree.add_nag(self.here, nag);
        }
    }

    fn comment(&mut self, text: &[u8]) {
        let comment = Comment::new(&decode(text));
        if self.at_start {
            self.comments.push(comment);
        } else {
            self.game.tree.add_comment(self.here, comment);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        self.waiting.push(self.here);
        self.here = self.game.tree.parent(self.here).unwrap_or(self.here);
        self.at_start = true;
        Interest::Read
    }

    fn end_variation(&mut self) {
        self.here = self.waiting.pop().unwrap_or(self.game.tree.root());
        // A variation without a move: what it says is about the line.
        self.at_start = false;
        self.nags.clear();
        for comment in self.comments.drain(..) {
            self.game.tree.add_comment(self.here, comment);
        }
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        // A star may mean that nobody filled it in: then the tag knows better.
        let tagged = self.game.result();
        self.game.set_result(match result {
            Some(result) if result != GameResult::Unknown => result,
            _ => tagged,
        });
    }
}
