use tabiya_base::Stop;
use tabiya_chess::{Game, Position};
use tabiya_thinker::{Found, Info, Limits, ThinkError, Thinker};

use super::{
    AlphaBeta, MaterialEvaluation, Minimax, Points, RandomMover, SearchReport, Textbook, Tree,
    TreeOptions,
};

/// A [`Textbook`] player at work. It looks as deep as its name says, whatever the clock, unless it is stopped.
///
/// That of `tree:3` builds the game tree and keeps it from move to move; what the game has not come to is cut:
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_chess::Game;
/// use tabiya_engine::textbook::TextbookPlayer;
///
/// let mut player = TextbookPlayer::new("tree:3".parse()?);
/// let mut game = Game::new();
/// let report = player.choose(&game, &Stop::default());
/// assert_eq!((report.depth, report.nodes), (3, 20 + 400 + 8902));
/// assert_eq!(player.kept_nodes(), 1 + 20 + 400 + 8902);
///
/// for m in report.pv.into_iter().take(2) {
///     game.play(m)?;
/// }
/// let kept = game.position().count_legal_moves();
/// let created = player.choose(&game, &Stop::default()).nodes - kept;
/// assert_eq!(player.kept_nodes() as u64, 1 + kept + created);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextbookPlayer {
    textbook: Textbook,
    name: String,
    tree: Option<Tree>,
    /// How many nodes its tree had before it followed the game the last time, and after.
    followed: (usize, usize),
}

/// What the tree of a player may take.
const TREE_BYTES: usize = 64 << 20;

impl TextbookPlayer {
    /// A player by its name.
    pub fn new(textbook: Textbook) -> TextbookPlayer {
        TextbookPlayer { textbook, name: textbook.to_string(), tree: None, followed: (0, 0) }
    }

    /// Its move in a game, and what it expects; no move if there is no legal one. If it is stopped, the best
    /// so far.
    pub fn choose(&mut self, game: &Game, stop: &Stop) -> SearchReport {
        let position = game.position();
        match self.textbook {
            Textbook::Random { seed } => {
                let pv = RandomMover { seed }.choose(game).into_iter().collect();
                SearchReport::new(Points::ZERO, 0, pv, 0)
            }
            Textbook::Minimax { depth, noise } => {
                let material = MaterialEvaluation { noise };
                let minimax = Minimax { material, ..Minimax::to_depth(depth.max(1)) };
                minimax.search_until(position, stop)
            }
            Textbook::AlphaBeta { depth, noise } => {
                let material = MaterialEvaluation { noise };
                let alphabeta = AlphaBeta { material, ..AlphaBeta::to_depth(depth.max(1)) };
                alphabeta.search_until(position, stop)
            }
            Textbook::Tree { depth, noise } => {
                let tree = self.tree.get_or_insert_with(|| planted(*position, noise));
                let before = tree.memory().nodes;
                tree.follow(game);
                self.followed = (before, tree.memory().nodes);
                tree.search_until(depth.max(1), stop).found
            }
        }
    }

    /// How many nodes it keeps from move to move: those of its tree, if it has one.
    pub fn kept_nodes(&self) -> usize {
        self.tree.as_ref().map_or(0, |tree| tree.memory().nodes)
    }
}

fn planted(position: Position, noise: Option<u64>) -> Tree {
    let material = MaterialEvaluation { noise };
    let options = TreeOptions { max_bytes: TREE_BYTES, material, ..TreeOptions::default() };
    Tree::with_room(position, options)
}

impl Thinker for TextbookPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        self.tree = None;
        Ok(())
    }

    fn memory(&self) -> Option<String> {
        let now = self.tree.as_ref()?.memory();
        let (before, after) = self.followed;
        let cut = before.saturating_sub(after);
        Some(format!(
            "{} nodes in {} bytes; of {before} before, {cut} were cut",
            now.nodes, now.bytes
        ))
    }

    /// Heeds the stop and, if the game has it wait for one, waits; of the other limits it heeds none.
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        let report = self.choose(game, stop);
        let found = Found { best: report.best, ponder: report.pv.get(1).copied() };
        if !matches!(self.textbook, Textbook::Random { .. }) {
            on_info(&Info {
                depth: report.depth,
                seldepth: report.depth,
                score: report.score.for_side(game.position().turn()),
                nodes: report.nodes,
                time: limits.timer.as_ref().map_or(core::time::Duration::ZERO, |t| t.elapsed()),
                pv: report.pv,
                ..Info::default()
            });
        }
        stop.wait_while(|| limits.infinite);
        Ok(found)
    }
}
