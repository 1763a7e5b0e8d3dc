use tabiya_chess::{IllegalMove, Move, Position};

use crate::{Comment, Nag};

/// A move in a [`GameTree`], or its root, the start of the game.
///
/// It stays the same move whatever is added, promoted or deleted elsewhere. In another tree it means
/// nothing in particular.
///
/// ```
/// use tabiya_pgn::GameTree;
///
/// let tree = GameTree::default();
/// assert_eq!(tree.parent(tree.root()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

const ROOT: NodeId = NodeId(0);

/// The moves of a game with all variations. The first child of a move is how the line goes on, other
/// children are variations.
///
/// Every move in it is legal. Positions are not kept but played out when asked for.
///
/// ```
/// use tabiya_pgn::Game;
///
/// let game: Game = "1. e4 e5 (1... c5 2. Nf3) 2. f4 *".parse()?;
/// let tree = game.tree();
/// let line = tree.main_line().map(|id| tree.san(id)).collect::<Vec<_>>();
/// assert_eq!(line, ["e4", "e5", "f4"]);
/// let e4 = tree.main_line().next().unwrap();
/// let answers = tree.children(e4).map(|id| tree.san(id)).collect::<Vec<_>>();
/// assert_eq!(answers, ["e5", "c5"]);
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    start: Position,
    /// The root first. What is deleted is only cut off, so that ids stay.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// None for the root and for a null move.
    played: Option<Move>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    /// Most moves have none.
    notes: Option<Box<Notes>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Notes {
    /// Said before the first move of a variation. Always empty for first children: what is said
    /// before those is said after the move before.
    before: Vec<Comment>,
    nags: Vec<Nag>,
    after: Vec<Comment>,
}

impl GameTree {
    /// A tree without moves.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_pgn::GameTree;
    /// assert_eq!(GameTree::new(Position::initial()).len(), 0);
    /// ```
    pub fn new(start: Position) -> GameTree {
        GameTree { start, nodes: vec![Node::default()] }
    }

    /// Where the game begins.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_pgn::GameTree;
    /// assert_eq!(*GameTree::default().start(), Position::initial());
    /// ```
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The node before the first move.
    ///
    /// ```
    /// # use tabiya_pgn::GameTree;
    /// let tree = GameTree::default();
    /// assert_eq!(tree.position(tree.root()), *tree.start());
    /// ```
    pub fn root(&self) -> NodeId {
        ROOT
    }

    /// How many moves there are, those of variations included.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 (1. d4 d5) e5 *".parse()?;
    /// assert_eq!(game.tree().len(), 4);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.below(ROOT).count()
    }

    /// Whether there is no move.
    ///
    /// ```
    /// # use tabiya_pgn::GameTree;
    /// assert!(GameTree::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.next(ROOT).is_none()
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0 as usize)
    }

    /// The move; none for the root and for a null move.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 *".parse()?;
    /// let id = game.tree().main_line().next().unwrap();
    /// assert_eq!(game.tree().played(id).unwrap().to_string(), "e2 -> e4");
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn played(&self, id: NodeId) -> Option<Move> {
        self.node(id)?.played
    }

    /// The move before; none for the root.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 *".parse()?;
    /// let tree = game.tree();
    /// assert_eq!(tree.parent(tree.main_line().next().unwrap()), Some(tree.root()));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.parent
    }

    /// How the line goes on.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 (1. d4) *".parse()?;
    /// let tree = game.tree();
    /// assert_eq!(tree.next(tree.root()).map(|id| tree.san(id)).as_deref(), Some("e4"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.first_child
    }

    /// The next variation instead of this move.
    pub(crate) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.next_sibling
    }

    /// The moves that follow: first how the line goes on, then the variations.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 (1. d4) (1. c4) *".parse()?;
    /// assert_eq!(game.tree().children(game.tree().root()).count(), 3);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// The moves of the game itself.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 (1. d4) e5 *".parse()?;
    /// assert_eq!(game.tree().main_line().count(), 2);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(ROOT), |&id| self.next(id))
    }

    /// The moves that lead from the start to this one, this one last.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 e5 2. Nf3 *".parse()?;
    /// let tree = game.tree();
    /// let last = tree.main_line().last().unwrap();
    /// assert!(tree.main_line().eq(tree.line_to(last)));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = std::iter::successors(Some(id), |&id| self.parent(id))
            .take_while(|&id| id != ROOT)
            .collect();
        line.reverse();
        line
    }

    /// All moves below a node, each before its children.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 (1. d4 d5) e5 *".parse()?;
    /// let tree = game.tree();
    /// let all = tree.below(tree.root()).map(|id| tree.san(id)).collect::<Vec<_>>();
    /// assert_eq!(all, ["e4", "e5", "d4", "d5"]);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn below(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(id), move |&last| {
            if let Some(child) = self.next(last) {
                return Some(child);
            }
            let mut at = last;
            while at != id {
                if let Some(sibling) = self.next_sibling(at) {
                    return Some(sibling);
                }
                at = self.parent(at)?;
            }
            None
        })
    }

    /// The position after the move.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 e5 *".parse()?;
    /// let last = game.tree().main_line().last().unwrap();
    /// assert_eq!(game.tree().position(last).fullmove_number(), 2);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn position(&self, id: NodeId) -> Position {
        self.line_to(id).into_iter().fold(self.start, |position, id| self.after(id, &position))
    }

    /// The position after a node, given the one before it.
    pub(crate) fn after(&self, id: NodeId, before: &Position) -> Position {
        match self.node(id) {
            Some(Node { played: Some(m), .. }) => {
                let mut after = *before;
                after.play_unchecked(*m);
                after
            }
            Some(_) => before.null_move().unwrap_or(*before),
            None => *before,
        }
    }

    /// The move in algebraic notation, `--` for a null move, nothing for the root.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. g1f3 *".parse()?;
    /// let first = game.tree().main_line().next().unwrap();
    /// assert_eq!(game.tree().san(first), "Nf3");
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn san(&self, id: NodeId) -> String {
        match self.parent(id) {
            Some(parent) => self.san_in(id, &self.position(parent)),
            None => String::new(),
        }
    }

    pub(crate) fn san_in(&self, id: NodeId, before: &Position) -> String {
        self.played(id).map_or_else(|| "--".to_owned(), |m| before.san(m))
    }

    /// The judgements on the move.
    ///
    /// ```
    /// # use tabiya_pgn::{Game, Nag};
    /// let game: Game = "1. f3? e5 *".parse()?;
    /// let first = game.tree().main_line().next().unwrap();
    /// assert_eq!(game.tree().nags(first), [Nag::MISTAKE]);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn nags(&self, id: NodeId) -> &[Nag] {
        self.notes(id).map_or(&[], |notes| &notes.nags)
    }

    /// What is said after the move; for the root, before the game.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 {best by test} *".parse()?;
    /// let first = game.tree().main_line().next().unwrap();
    /// assert_eq!(game.tree().comments(first)[0].text(), "best by test");
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn comments(&self, id: NodeId) -> &[Comment] {
        self.notes(id).map_or(&[], |notes| &notes.after)
    }

    /// What is said before the first move of a variation.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 ({Or} 1. d4) *".parse()?;
    /// let d4 = game.tree().children(game.tree().root()).last().unwrap();
    /// assert_eq!(game.tree().comments_before(d4)[0].text(), "Or");
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn comments_before(&self, id: NodeId) -> &[Comment] {
        self.notes(id).map_or(&[], |notes| &notes.before)
    }

    fn notes(&self, id: NodeId) -> Option<&Notes> {
        self.node(id)?.notes.as_deref()
    }

    fn notes_mut(&mut self, id: NodeId) -> Option<&mut Notes> {
        Some(self.node_mut(id)?.notes.get_or_insert_default())
    }

    /// Adds a judgement, unless it is there.
    ///
    /// ```
    /// # use tabiya_pgn::{Game, Nag};
    /// let mut game: Game = "1. e4 *".parse()?;
    /// let first = game.tree().main_line().next().unwrap();
    /// game.tree_mut().add_nag(first, Nag::GOOD);
    /// assert!(game.to_string().contains("1. e4 $1 *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn add_nag(&mut self, id: NodeId, nag: Nag) {
        if let Some(notes) = self.notes_mut(id)
            && !notes.nags.contains(&nag)
        {
            notes.nags.push(nag);
        }
    }

    /// Adds a comment after the move, or before the game if it is the root. One without text is not
    /// kept.
    ///
    /// ```
    /// # use tabiya_pgn::{Comment, Game};
    /// let mut game: Game = "1. e4 *".parse()?;
    /// let root = game.tree().root();
    /// game.tree_mut().add_comment(root, Comment::new("A short game"));
    /// assert!(game.to_string().contains("\n{A short game} 1. e4 *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn add_comment(&mut self, id: NodeId, comment: Comment) {
        if !comment.is_empty()
            && let Some(notes) = self.notes_mut(id)
        {
            notes.after.push(comment);
        }
    }

    /// Adds a comment before a move. Unless a variation begins with the move, that is after the move
    /// before it.
    ///
    /// ```
    /// # use tabiya_pgn::{Comment, Game};
    /// let mut game: Game = "1. e4 (1. d4) *".parse()?;
    /// let d4 = game.tree().children(game.tree().root()).last().unwrap();
    /// game.tree_mut().add_comment_before(d4, Comment::new("Or"));
    /// assert!(game.to_string().contains("1. e4 ({Or} 1. d4) *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn add_comment_before(&mut self, id: NodeId, comment: Comment) {
        let Some(parent) = self.parent(id) else { return self.add_comment(id, comment) };
        if !comment.is_empty()
            && let Some(notes) = self.notes_mut(id)
        {
            notes.before.push(comment);
        }
        self.settle_first(parent);
    }

    /// Takes away all that is said about the move.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let mut game: Game = "1. e4! {yes} *".parse()?;
    /// let first = game.tree().main_line().next().unwrap();
    /// game.tree_mut().clear_notes(first);
    /// assert!(game.to_string().contains("1. e4 *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn clear_notes(&mut self, id: NodeId) {
        if let Some(node) = self.node_mut(id) {
            node.notes = None;
        }
    }

    /// Adds a move after a node, as a variation if the line goes on otherwise, and gives its id. If
    /// it is there already, that is all.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// # use tabiya_pgn::GameTree;
    /// let mut tree = GameTree::default();
    /// let e4 = tree.add(tree.root(), Move::normal(Square::E2, Square::E4)).unwrap();
    /// assert_eq!(tree.add(tree.root(), Move::normal(Square::E2, Square::E4)), Ok(e4));
    /// assert!(tree.add(e4, Move::normal(Square::E2, Square::E4)).is_err());
    /// ```
    pub fn add(&mut self, after: NodeId, m: Move) -> Result<NodeId, IllegalMove> {
        if let Some(known) = self.children(after).find(|&id| self.played(id) == Some(m)) {
            return Ok(known);
        }
        match self.position(after).explain(m) {
            Some(reason) => Err(reason),
            None => Ok(self.push(after, Some(m))),
        }
    }

    /// Adds moves one after the other and gives the id of the last, or of the node itself if there
    /// are none. If one is not legal, nothing is added.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// # use tabiya_pgn::GameTree;
    /// let mut tree = GameTree::default();
    /// let moves = [Move::normal(Square::E2, Square::E4), Move::normal(Square::E7, Square::E5)];
    /// tree.add_line(tree.root(), &moves).unwrap();
    /// assert_eq!(tree.main_line().count(), 2);
    /// ```
    pub fn add_line(&mut self, after: NodeId, moves: &[Move]) -> Result<NodeId, IllegalMove> {
        let mut position = self.position(after);
        for &m in moves {
            position = position.play(m)?;
        }
        let mut at = after;
        for &m in moves {
            let known = self.children(at).find(|&id| self.played(id) == Some(m));
            at = known.unwrap_or_else(|| self.push(at, Some(m)));
        }
        Ok(at)
    }

    /// Adds a null move, with which annotators show a threat. None if the side to move is in check.
    ///
    /// ```
    /// # use tabiya_pgn::GameTree;
    /// let mut tree = GameTree::default();
    /// let pass = tree.add_null(tree.root()).unwrap();
    /// assert_eq!(tree.san(pass), "--");
    /// ```
    pub fn add_null(&mut self, after: NodeId) -> Option<NodeId> {
        self.position(after).null_move()?;
        let known = self.children(after).find(|&id| self.played(id).is_none());
        Some(known.unwrap_or_else(|| self.push(after, None)))
    }

    /// Adds a node that is known to be legal, behind its siblings.
    pub(crate) fn push(&mut self, parent: NodeId, played: Option<Move>) -> NodeId {
        // No tree that fits into memory has more; one that did would end in a loop of its own.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { played, parent: Some(parent), ..Node::default() });
        let Some(node) = self.node_mut(parent) else { return id };
        match node.last_child.replace(id) {
            None => node.first_child = Some(id),
            Some(last) => {
                if let Some(last) = self.node_mut(last) {
                    last.next_sibling = Some(id);
                }
            }
        }
        id
    }

    /// Makes the variation with this move the line that is followed, from where it branches off.
    /// Lines further up stay as they are.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let mut game: Game = "1. e4 (1. d4 d5) e5 *".parse()?;
    /// let d4 = game.tree().children(game.tree().root()).last().unwrap();
    /// game.tree_mut().promote(d4);
    /// assert!(game.to_string().contains("1. d4 (1. e4 e5) 1... d5 *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn promote(&mut self, id: NodeId) {
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            if self.next(parent) != Some(at) {
                self.unlink(at);
                let first = self.next(parent);
                if let Some(node) = self.node_mut(at) {
                    node.next_sibling = first;
                }
                if let Some(node) = self.node_mut(parent) {
                    node.first_child = Some(at);
                    node.last_child = node.last_child.or(Some(at));
                }
                return self.settle_first(parent);
            }
            at = parent;
        }
    }

    /// Makes the line to this move the main line.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let mut game: Game = "1. e4 (1. d4 d5 (1... Nf6)) e5 *".parse()?;
    /// let tree = game.tree_mut();
    /// let knight = tree.below(tree.root()).find(|&id| tree.san(id) == "Nf6").unwrap();
    /// tree.promote_to_main(knight);
    /// assert!(game.to_string().contains("1. d4 (1. e4 e5) 1... Nf6 (1... d5) *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn promote_to_main(&mut self, id: NodeId) {
        for id in self.line_to(id) {
            if self.parent(id).is_some_and(|parent| self.next(parent) != Some(id)) {
                self.promote(id);
            }
        }
    }

    /// Deletes a move and all that follows it. The first variation, if there is one, becomes the line.
    /// Of the root, all moves are deleted.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let mut game: Game = "1. e4 (1. d4 d5) e5 *".parse()?;
    /// let e4 = game.tree().main_line().next().unwrap();
    /// game.tree_mut().delete(e4);
    /// assert!(game.to_string().contains("1. d4 d5 *"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn delete(&mut self, id: NodeId) {
        match self.parent(id) {
            Some(parent) => {
                self.unlink(id);
                self.settle_first(parent);
            }
            None => {
                if let Some(root) = self.nodes.first_mut() {
                    root.first_child = None;
                    root.last_child = None;
                }
            }
        }
    }

    /// Takes a node out of the list of its siblings.
    fn unlink(&mut self, id: NodeId) {
        let Some(parent) = self.parent(id) else { return };
        let next = self.next_sibling(id);
        let previous = self.children(parent).take_while(|&child| child != id).last();
        if !self.children(parent).any(|child| child == id) {
            return; // deleted before
        }
        match previous.and_then(|previous| self.node_mut(previous)) {
            Some(previous) => previous.next_sibling = next,
            None => {
                if let Some(parent) = self.node_mut(parent) {
                    parent.first_child = next;
                }
            }
        }
        if next.is_none()
            && let Some(parent) = self.node_mut(parent)
        {
            parent.last_child = previous;
        }
        if let Some(node) = self.node_mut(id) {
            node.next_sibling = None;
        }
    }

    /// What was said before a move that is no variation is said after the move before it.
    fn settle_first(&mut self, parent: NodeId) {
        let Some(first) = self.next(parent) else { return };
        let Some(notes) = self.node_mut(first).and_then(|node| node.notes.as_deref_mut()) else {
            return;
        };
        let before = std::mem::take(&mut notes.before);
        if !before.is_empty()
            && let Some(notes) = self.notes_mut(parent)
        {
            notes.after.extend(before);
        }
    }
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::new(Position::initial())
    }
}

/// Trees are equal if they hold the same moves, variations in the same order, and the same is said
/// about them.
///
/// ```
/// # use tabiya_pgn::Game;
/// let (a, b): (Game, Game) = ("1. e4! *".parse()?, "1.e2-e4 $1 *".parse()?);
/// assert_eq!(a.tree(), b.tree());
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        let none = Notes::default();
        let same = |a: NodeId, b: NodeId| {
            let notes = self.notes(a).unwrap_or(&none);
            self.played(a) == other.played(b)
                && *notes == *other.notes(b).unwrap_or(&none)
                && self.next(a).is_some() == other.next(b).is_some()
                && self.next_sibling(a).is_some() == other.next_sibling(b).is_some()
        };
        let mut mine = self.below(ROOT);
        let mut theirs = other.below(ROOT);
        self.start == other.start && same(ROOT, ROOT) && {
            loop {
                match (mine.next(), theirs.next()) {
                    (Some(a), Some(b)) if same(a, b) => {}
                    (None, None) => break true,
                    _ => break false,
                }
            }
        }
    }
}

impl Eq for GameTree {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    fn game(text: &str) -> Game {
        text.parse().unwrap()
    }

    fn moves(game: &Game) -> String {
        game.to_string().split("\n\n").nth(1).unwrap().trim_end().to_owned()
    }

    fn find(game: &Game, san: &str) -> NodeId {
        let tree = game.tree();
        tree.below(tree.root()).find(|&id| tree.san(id) == san).unwrap()
    }

    #[test]
    fn lines_are_promoted_step_by_step() {
        let mut game = game("1. e4 (1. d4) (1. c4 {c} 1... e5 (1... c5)) 1... e6 *");
        let c5 = find(&game, "c5");
        game.tree_mut().promote(c5);
        assert_eq!(moves(&game), "1. e4 (1. d4) (1. c4 {c} 1... c5 (1... e5)) 1... e6 *");
        game.tree_mut().promote(c5);
        assert_eq!(moves(&game), "1. c4 {c} (1. e4 e6) (1. d4) 1... c5 (1... e5) *");
        game.tree_mut().promote(c5);
        assert_eq!(moves(&game), "1. c4 {c} (1. e4 e6) (1. d4) 1... c5 (1... e5) *");
        let root = game.tree().root();
        game.tree_mut().promote(root);
        assert_eq!(game.tree().len(), 6);
    }

    #[test]
    fn deleting_any_child_leaves_the_others() {
        for (san, left) in [
            ("e4", "1. d4 (1. c4) *"),
            ("d4", "1. e4 (1. c4) 1... e5 *"),
            ("c4", "1. e4 (1. d4) 1... e5 *"),
            ("e5", "1. e4 (1. d4) (1. c4) *"),
        ] {
            let mut game = game("1. e4 (1. d4) (1. c4) 1... e5 *");
            let id = find(&game, san);
            game.tree_mut().delete(id);
            game.tree_mut().delete(id);
            assert_eq!(moves(&game), left);
            // The list of children still ends where it should.
            let tree = game.tree_mut();
            let m = tree.start().parse_san("b3").unwrap();
            let added = tree.add(tree.root(), m).unwrap();
            assert_eq!(tree.children(tree.root()).last(), Some(added));
        }
        let mut game = game("{start} 1. e4 (1. d4) *");
        let root = game.tree().root();
        game.tree_mut().delete(root);
        assert_eq!(moves(&game), "{start} *");
    }

    #[test]
    fn what_is_said_before_a_variation_is_kept_when_it_becomes_the_line() {
        let mut promoted = game("1. e4 e5 2. Nf3 ({Better is} 2. f4 {sharp}) 2... Nc6 *");
        let f4 = find(&promoted, "f4");
        promoted.tree_mut().promote(f4);
        assert_eq!(moves(&promoted), "1. e4 e5 {Better is} 2. f4 {sharp} (2. Nf3 Nc6) *");
        assert_eq!(promoted.to_string().parse::<Game>().unwrap(), promoted);

        let mut deleted = game("1. e4 e5 2. Nf3 ({Better is} 2. f4) 2... Nc6 *");
        let knight = find(&deleted, "Nf3");
        deleted.tree_mut().delete(knight);
        assert_eq!(moves(&deleted), "1. e4 e5 {Better is} 2. f4 *");

        let e4 = find(&deleted, "e4");
        deleted.tree_mut().add_comment_before(e4, Comment::new("First"));
        assert_eq!(moves(&deleted), "{First} 1. e4 e5 {Better is} 2. f4 *");
    }

    #[test]
    fn an_illegal_line_adds_nothing() {
        let mut tree = GameTree::default();
        let e4 = tree.start().parse_san("e4").unwrap();
        assert!(tree.add_line(tree.root(), &[e4, e4]).is_err());
        assert!(tree.is_empty());
        assert_eq!(tree.add_line(tree.root(), &[]), Ok(tree.root()));
    }

    #[test]
    fn trees_differ_by_what_they_hold() {
        let texts = [
            "*",
            "1. e4 *",
            "1. e4! *",
            "1. e4 {x} *",
            "{x} 1. e4 *",
            "1. e4 e5 *",
            "1. e4 (1. d4) *",
            "1. d4 (1. e4) *",
            "1. e4 (1. e4) *",
            "1. e4 (1. d4) e5 *",
            "1. e4 (1. d4 d5) *",
            "1. e4 (1. d4) (1. d4) *",
            "1. e4 ({x} 1. d4) *",
            "1. e4 (1. d4 {x}) *",
            "1. -- *",
            "1. e4 e5 2. f4 (2. d4) (2. c4) *",
            "1. e4 e5 2. f4 (2. d4 d5 (2... d6)) *",
        ];
        for a in texts {
            for b in texts {
                assert_eq!(game(a).tree() == game(b).tree(), a == b, "{a} and {b}");
            }
        }
        // A variation on the first move of a variation is one more choice at the same place.
        assert_eq!(game("1. e4 (1. d4 (1. c4)) *"), game("1. e4 (1. d4) (1. c4) *"));
    }

    #[test]
    fn ids_of_other_trees_do_no_harm() {
        let stranger = find(&game("1. e4 e5 2. Nf3 *"), "Nf3");
        let mut tree = GameTree::default();
        assert_eq!(tree.position(stranger), *tree.start());
        tree.promote(stranger);
        tree.promote_to_main(stranger);
        tree.delete(stranger);
        tree.add_comment(stranger, Comment::new("lost"));
        let _ = tree.add_null(stranger);
        assert_eq!(tree.len(), 0);
        assert_eq!(tree.san(stranger), "");
    }
}
