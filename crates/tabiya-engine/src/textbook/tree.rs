use tabiya_base::Stop;
use tabiya_chess::{Game, IllegalMove, Move, Position};

use super::arena::{Arena, Halt, MemoryUse, ROOT, TooSmall};
use super::cache::{CacheHits, Caches};
use super::material::Verdict;
use super::order::ordered_moves;
use super::profile::{Work, measure};
use super::report::{NodeCounter, Stopped};
use super::{MaterialEvaluation, Points, SearchReport};

/// How a kept tree is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeOptions {
    /// What the tree and its caches may take.
    pub max_bytes: usize,
    /// How the tree is walked.
    pub boards: Boards,
    /// Whether moves and scores of positions met before are remembered.
    pub caches: bool,
    /// How positions at the end of a line are valued.
    pub material: MaterialEvaluation,
}

impl Default for TreeOptions {
    /// 256 MiB, a board for each node, no caches, no noise.
    fn default() -> TreeOptions {
        TreeOptions {
            max_bytes: 256 << 20,
            boards: Boards::CopyPerNode,
            caches: false,
            material: MaterialEvaluation::default(),
        }
    }
}

/// How a tree is walked. The tree is the same.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Boards, Tree, TreeOptions};
///
/// let search = |boards| {
///     let options = TreeOptions { boards, ..TreeOptions::default() };
///     Ok::<_, tabiya_engine::textbook::TooSmall>(Tree::new(Position::initial(), options)?.search(3))
/// };
/// assert_eq!(search(Boards::OneBoard)?, search(Boards::CopyPerNode)?);
/// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// On one board, moving back and forth.
    OneBoard,
    /// On a fresh copy for each node.
    CopyPerNode,
}

/// What a search in a kept tree has found.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Tree, TreeOptions};
///
/// let mut tree = Tree::new(Position::initial(), TreeOptions::default())?;
/// let first = tree.search(2);
/// assert_eq!((first.found.depth, first.created, first.reused), (2, 420, 0));
/// let deeper = tree.search(3);
/// assert_eq!((deeper.created, deeper.reused), (8902, 420));
/// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeReport {
    /// The move, its score and its line. The depth is less than asked for if there was no room for more, or
    /// the search was stopped.
    pub found: SearchReport,
    /// Whether growing ended because the memory was full.
    pub full: bool,
    /// Nodes made by this search.
    pub created: u64,
    /// Nodes of earlier searches that it used again.
    pub reused: u64,
    /// What the caches knew.
    pub hits: CacheHits,
}

/// A tree of moves that is kept from one search to the next.
///
/// When a move has been played, the part of the tree below it stays and grows on:
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Tree, TreeOptions};
///
/// let mut tree = Tree::new(Position::initial(), TreeOptions::default())?;
/// let best = tree.search(3).found.best.unwrap();
/// tree.play(best)?;
/// tree.play(tree.position().parse_san("e5")?)?;
///
/// let kept = tree.memory().nodes;
/// let again = tree.search(3);
/// let mut fresh = Tree::new(*tree.position(), TreeOptions::default())?;
/// let from_scratch = fresh.search(3);
/// assert_eq!(again.found, from_scratch.found);
/// assert_eq!(again.created + (kept as u64 - 1), from_scratch.created);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    root: Position,
    pub(super) arena: Arena,
    caches: Option<Caches>,
    options: TreeOptions,
}

impl Tree {
    /// A tree that has not grown yet.
    ///
    /// # Errors
    /// If the memory allowed is too little for any tree.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::{Tree, TreeOptions}};
    /// let tree = Tree::new(Position::initial(), TreeOptions::default())?;
    /// assert_eq!(tree.memory().nodes, 1);
    /// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
    /// ```
    pub fn new(position: Position, options: TreeOptions) -> Result<Tree, TooSmall> {
        let (needed, allowed) = (Arena::LEAST_BYTES, options.max_bytes);
        let tree = || Tree::with_room(position, options);
        if allowed < needed { Err(TooSmall { needed, allowed }) } else { Ok(tree()) }
    }

    /// A tree whose options allow it enough memory.
    pub(super) fn with_room(position: Position, options: TreeOptions) -> Tree {
        // An eighth for the caches, as long as the tree has what it needs.
        let spare = options.max_bytes.saturating_sub(Arena::LEAST_BYTES);
        let caches = options.caches.then(|| Caches::new(spare.min(options.max_bytes / 8)));
        let left = options.max_bytes - caches.as_ref().map_or(0, Caches::bytes);
        Tree { root: position, arena: Arena::new(left), caches, options }
    }

    /// The position at the root.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::{Tree, TreeOptions}};
    /// let tree = Tree::new(Position::initial(), TreeOptions::default())?;
    /// assert_eq!(*tree.position(), Position::initial());
    /// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
    /// ```
    pub const fn position(&self) -> &Position {
        &self.root
    }

    /// What the tree takes now.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::{Tree, TreeOptions}};
    /// let options = TreeOptions { max_bytes: 50_000, ..TreeOptions::default() };
    /// let mut tree = Tree::new(Position::initial(), options)?;
    /// // Three plies would take 9,323 nodes: there is room for two.
    /// let report = tree.search(3);
    /// assert_eq!((report.found.depth, report.full), (2, true));
    /// assert!(tree.memory().bytes <= 50_000);
    /// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
    /// ```
    pub fn memory(&self) -> MemoryUse {
        MemoryUse {
            nodes: self.arena.len() as usize,
            bytes_per_node: size_of::<super::arena::Node>(),
            bytes: self.arena.bytes() + self.caches.as_ref().map_or(0, Caches::bytes),
            max_bytes: self.options.max_bytes,
        }
    }

    /// Plays a move: what stands below it becomes the tree, the rest is forgotten.
    ///
    /// # Errors
    /// If the move is not legal; the tree is unchanged.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::{Tree, TreeOptions}};
    /// let mut tree = Tree::new(Position::initial(), TreeOptions::default())?;
    /// tree.search(2);
    /// tree.play(tree.position().parse_san("e4")?)?;
    /// assert_eq!(tree.memory().nodes, 1 + 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        self.root = self.root.play(m)?;
        self.forget_nodes();
        match self.child(m) {
            Some(child) => self.arena.keep_below(child),
            None => self.arena.clear(),
        }
        Ok(())
    }

    /// Cuts the other moves after the choice: what was rejected will not be played. A later search from
    /// this position looks only at this move. If the tree does not know the move, nothing happens.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::{Tree, TreeOptions}};
    /// let mut tree = Tree::new(Position::initial(), TreeOptions::default())?;
    /// let best = tree.search(2).found.best.unwrap();
    /// tree.cut_all_but(best);
    /// assert_eq!(tree.memory().nodes, 1 + 1 + 20);
    /// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
    /// ```
    pub fn cut_all_but(&mut self, m: Move) {
        if let Some(child) = self.child(m) {
            self.forget_nodes();
            self.arena.keep_child(ROOT, child);
        }
    }

    /// Follows a game to the position on the board: by the moves played since the root, or from nothing
    /// if the game has never been there.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::textbook::{Tree, TreeOptions};
    /// let mut game = Game::new();
    /// let mut tree = Tree::new(*game.position(), TreeOptions::default())?;
    /// tree.search(3);
    /// for text in ["d4", "d5"] {
    ///     game.play(game.position().parse_san(text)?)?;
    /// }
    /// tree.follow(&game);
    /// assert_eq!(tree.position(), game.position());
    /// // 27 answers of White were already known.
    /// assert_eq!(tree.memory().nodes, 1 + 27);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&mut self, game: &Game) {
        let back = game.positions().rev().position(|position| *position == self.root);
        let since = back.and_then(|back| game.moves().len().checked_sub(back));
        let known = since.and_then(|since| game.moves().get(since..)).unwrap_or_default();
        for &m in known {
            if self.play(m).is_err() {
                break;
            }
        }
        if self.root != *game.position() {
            self.forget_nodes();
            self.arena.clear();
            self.root = *game.position();
        }
    }

    /// Lets the tree grow to a depth in plies and scores it. It grows by a ply at a time: if the memory is
    /// full, the result is that of the last ply that was complete.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::{Tree, TreeOptions}};
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    /// let report = Tree::new(position, TreeOptions::default())?.search(3);
    /// assert_eq!(report.found.score.to_string(), "#1");
    /// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
    /// ```
    pub fn search(&mut self, depth: u32) -> TreeReport {
        self.search_until(depth, &Stop::default())
    }

    /// As [`Tree::search`], until it is told to stop: then the result is that of the last ply that was
    /// complete. What has grown stays.
    pub fn search_until(&mut self, depth: u32, stop: &Stop) -> TreeReport {
        match self.options.boards {
            Boards::OneBoard => {
                self.search_with(depth, stop, OneBoard(Game::from_position(self.root)))
            }
            Boards::CopyPerNode => self.search_with(depth, stop, CopyPerNode(self.root)),
        }
    }

    fn search_with(&mut self, depth: u32, stop: &Stop, mut board: impl Walk) -> TreeReport {
        let before = self.arena.len();
        let hits_before = self.hits();
        let (mut reached, mut halt) = (0, None);
        let mut opened = NodeCounter::new(stop);
        while reached < depth && halt.is_none() {
            match self.grow(ROOT, &mut board, reached + 1, &mut opened) {
                Ok(()) => reached += 1,
                Err(why) => halt = Some(why),
            }
        }
        // A ply less than what took too long is there in a moment, whatever the hurry.
        let patience = Stop::default();
        let stop = if halt == Some(Halt::Stopped) { &patience } else { stop };
        let mut visits = Visits::new(before, stop);
        let mut score = self.score(ROOT, &mut board, reached, 0, &mut visits);
        if score.is_err() {
            reached -= 1;
            visits = Visits::new(before, &patience);
            score = self.score(ROOT, &mut board, reached, 0, &mut visits);
        }
        let score = score.unwrap_or(Points::ZERO);
        let hits = self.hits();
        TreeReport {
            found: SearchReport::new(score, reached, self.pv(reached), visits.counter.nodes),
            full: halt == Some(Halt::Full),
            created: u64::from(self.arena.len() - before),
            reused: visits.reused,
            hits: CacheHits {
                moves: hits.moves - hits_before.moves,
                scores: hits.scores - hits_before.scores,
            },
        }
    }

    /// Opens the nodes down to so many plies below a node.
    fn grow(
        &mut self,
        node: u32,
        board: &mut impl Walk,
        plies: u32,
        opened: &mut NodeCounter<'_>,
    ) -> Result<(), Halt> {
        if plies == 0 {
            return Ok(());
        }
        opened.count().map_err(|Stopped| Halt::Stopped)?;
        if !self.arena[node].is_open() {
            self.open(node, board.position())?;
        }
        if plies == 1 {
            return Ok(());
        }
        for child in self.arena[node].children() {
            if let Some(m) = self.arena[child].last_move {
                board.visit(m, |board| self.grow(child, board, plies - 1, opened))?;
            }
        }
        Ok(())
    }

    /// Gives a node its children, from the cache if the position has been met before.
    fn open(&mut self, node: u32, position: &Position) -> Result<(), Halt> {
        let Some(caches) = &mut self.caches else {
            return self.arena.open(node, &ordered_moves(position));
        };
        if let Some(twin) = caches.moves.get(position.key()) {
            let siblings = self.arena[twin].children();
            let moves: Vec<Move> = siblings.filter_map(|n| self.arena[n].last_move).collect();
            self.arena.open(node, &moves)
        } else {
            self.arena.open(node, &ordered_moves(position))?;
            caches.moves.put(position.key(), node);
            Ok(())
        }
    }

    /// Scores a node from what is so many plies below it, and all nodes between.
    fn score(
        &mut self,
        node: u32,
        board: &mut impl Walk,
        plies: u32,
        ply: u32,
        visits: &mut Visits<'_>,
    ) -> Result<Points, Stopped> {
        let turn = board.position().turn();
        let mut best: Option<Points> = None;
        if plies > 0 {
            for child in self.arena[node].children() {
                let Some(m) = self.arena[child].last_move else { continue };
                visits.count(child)?;
                let score =
                    board.visit(m, |board| self.score(child, board, plies - 1, ply + 1, visits))?;
                if best.is_none_or(|best| score.is_better(best, turn)) {
                    best = Some(score);
                }
            }
        }
        // The end of the line, or of the game.
        let score = best.unwrap_or_else(|| self.judge(board.position()).at(ply));
        self.arena[node].score = score;
        Ok(score)
    }

    fn judge(&mut self, position: &Position) -> Verdict {
        let material = self.options.material;
        let Some(caches) = &mut self.caches else { return material.judge(position) };
        let key = position.key();
        caches.scores.get(key).unwrap_or_else(|| {
            let verdict = material.judge(position);
            caches.scores.put(key, verdict);
            verdict
        })
    }

    /// The best moves of both sides: each time the first child that has its parent's score.
    fn pv(&self, plies: u32) -> Vec<Move> {
        let mut node = self.arena[ROOT];
        let mut pv = Vec::new();
        for _ in 0..plies {
            let mut children = node.children().map(|child| self.arena[child]);
            let Some(next) = children.find(|child| child.score == node.score) else { break };
            pv.extend(next.last_move);
            node = next;
        }
        pv
    }

    fn child(&self, m: Move) -> Option<u32> {
        self.arena[ROOT].children().find(|&child| self.arena[child].last_move == Some(m))
    }

    /// Nodes are about to get other numbers, or to lose children.
    fn forget_nodes(&mut self) {
        if let Some(caches) = &mut self.caches {
            caches.moves.clear();
        }
    }

    fn hits(&self) -> CacheHits {
        self.caches.as_ref().map_or(CacheHits::default(), |caches| CacheHits {
            moves: caches.moves.hits,
            scores: caches.scores.hits,
        })
    }
}

/// Counts the nodes that are scored.
struct Visits<'a> {
    counter: NodeCounter<'a>,
    reused: u64,
    /// How many nodes there were before the search.
    before: u32,
}

impl Visits<'_> {
    const fn new(before: u32, stop: &Stop) -> Visits<'_> {
        Visits { counter: NodeCounter::new(stop), reused: 0, before }
    }

    fn count(&mut self, node: u32) -> Result<(), Stopped> {
        self.reused += u64::from(node < self.before);
        self.counter.count()
    }
}

/// A way to walk the tree: to make a move, do something there, and be back.
trait Walk: Sized {
    fn position(&self) -> &Position;
    fn visit<R>(&mut self, m: Move, there: impl FnOnce(&mut Self) -> R) -> R;
}

struct OneBoard(Game);

impl Walk for OneBoard {
    fn position(&self) -> &Position {
        self.0.position()
    }

    fn visit<R>(&mut self, m: Move, there: impl FnOnce(&mut OneBoard) -> R) -> R {
        measure(Work::Playing, || self.0.play_unchecked(m));
        let result = there(self);
        measure(Work::Playing, || self.0.undo());
        result
    }
}

struct CopyPerNode(Position);

impl Walk for CopyPerNode {
    fn position(&self) -> &Position {
        &self.0
    }

    fn visit<R>(&mut self, m: Move, there: impl FnOnce(&mut CopyPerNode) -> R) -> R {
        there(&mut CopyPerNode(super::order::after(&self.0, m)))
    }
}
