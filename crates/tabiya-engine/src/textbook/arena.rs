use core::fmt;
use core::ops::{Index, IndexMut, Range};

use tabiya_chess::Move;

use super::Points;

/// A node of the kept tree: twelve bytes. Its position is not kept, as the moves lead there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// The number of its first child; the others follow.
    first_child: u32,
    /// Its score in the last search.
    pub(super) score: Points,
    /// The move that leads here; none for the root.
    pub(super) last_move: Option<Move>,
    /// How many children it has: no position has more than 218 moves.
    children: u8,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Its moves are not known yet.
    Closed,
    /// Its children are its legal moves, or those of them that were not cut.
    Open,
    /// On the way to be kept when the rest is cut.
    KeptClosed,
    /// The same for an open one.
    KeptOpen,
}

const _: () = assert!(size_of::<Node>() == 12);

impl Node {
    const fn new(last_move: Option<Move>) -> Node {
        Node { first_child: 0, score: Points::ZERO, last_move, children: 0, state: State::Closed }
    }

    pub(super) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// The numbers of its children; empty if it has none, or they are not known yet.
    pub(super) fn children(&self) -> Range<u32> {
        self.first_child..self.first_child + u32::from(self.children)
    }
}

/// The root is always the first node.
pub(super) const ROOT: u32 = 0;

const CHUNK_NODES: usize = 4096;

/// What a chunk takes: its nodes, and its place in the list of chunks, which is at most twice too long.
const CHUNK_BYTES: usize = CHUNK_NODES * size_of::<Node>() + 2 * size_of::<Vec<Node>>();

/// All nodes of a tree. They come in chunks that never move, so that memory grows by a chunk at a time
/// and the limit is kept to the byte. Children have higher numbers than their parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arena {
    chunks: Vec<Vec<Node>>,
    len: u32,
    max_bytes: usize,
}

/// Why a tree grows no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// There is no room for more nodes.
    Full,
    /// The search was told to stop.
    Stopped,
}

/// A memory limit under which not even one move could be looked at.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Tree, TreeOptions};
///
/// let options = TreeOptions { max_bytes: 1000, ..TreeOptions::default() };
/// assert_eq!(
///     Tree::new(Position::initial(), options).unwrap_err().to_string(),
///     "A kept tree needs at least 49200 bytes; it may use only 1000."
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooSmall {
    /// The least that would do, in bytes.
    pub needed: usize,
    /// What was allowed.
    pub allowed: usize,
}

impl fmt::Display for TooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooSmall { needed, allowed } = self;
        write!(f, "A kept tree needs at least {needed} bytes; it may use only {allowed}.")
    }
}

impl core::error::Error for TooSmall {}

/// What a kept tree takes.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Tree, TreeOptions};
///
/// let mut tree = Tree::new(Position::initial(), TreeOptions::default())?;
/// tree.search(2);
/// let memory = tree.memory();
/// assert_eq!((memory.nodes, memory.bytes_per_node), (1 + 20 + 400, 12));
/// assert!(memory.bytes <= memory.max_bytes);
/// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// Nodes kept, with the root.
    pub nodes: usize,
    /// What each of them takes.
    pub bytes_per_node: usize,
    /// What the tree takes, with room for nodes to come and with its caches.
    pub bytes: usize,
    /// What it may take.
    pub max_bytes: usize,
}

impl Arena {
    /// Room for the root and for all its moves.
    pub(super) const LEAST_BYTES: usize = CHUNK_BYTES;

    /// A root and nothing else.
    pub(super) fn new(max_bytes: usize) -> Arena {
        let mut arena = Arena { chunks: Vec::new(), len: 0, max_bytes };
        arena.push(Node::new(None));
        arena
    }

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK_BYTES
    }

    /// Gives a node a child for each move.
    pub(super) fn open(&mut self, node: u32, moves: &[Move]) -> Result<(), Halt> {
        let children = u8::try_from(moves.len()).map_err(|_| Halt::Full)?;
        let len = self.len.checked_add(u32::from(children)).ok_or(Halt::Full)?;
        if (len as usize).div_ceil(CHUNK_NODES) > self.max_bytes / CHUNK_BYTES {
            return Err(Halt::Full);
        }
        let first_child = self.len;
        for &m in moves {
            self.push(Node::new(Some(m)));
        }
        self[node] = Node { first_child, children, state: State::Open, ..self[node] };
        Ok(())
    }

    fn push(&mut self, node: Node) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK_NODES => chunk.push(node),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK_NODES);
                chunk.push(node);
                self.chunks.push(chunk);
            }
        }
        self.len += 1;
    }

    /// Forgets all children of a node but one.
    pub(super) fn keep_child(&mut self, node: u32, child: u32) {
        self[node] = Node { first_child: child, children: 1, ..self[node] };
        self.keep_below(node);
    }

    /// Makes a node the root and forgets all that is not below it. Scores are forgotten as well: every
    /// search works them out anew.
    ///
    /// It is done in place, as a tree that is as large as it may be has no room for a copy.
    pub(super) fn keep_below(&mut self, root: u32) {
        self.mark_below(root);
        // Kept nodes move together in their order. Where each goes is noted in the score's place.
        let mut kept = 0;
        for number in root..self.len {
            if self[number].is_kept() {
                self[number].score = Points::from_number(kept);
                kept += 1;
            }
        }
        for number in root..self.len {
            let mut node = self[number];
            if node.is_kept() {
                let goes_to = node.score.number();
                if node.children > 0 {
                    // A child has not moved yet: it stands behind its parent.
                    node.first_child = self[node.first_child].score.number();
                }
                node.state = match node.state {
                    State::KeptOpen => State::Open,
                    _ => State::Closed,
                };
                node.score = Points::ZERO;
                self[goes_to] = node;
            }
        }
        self[ROOT].last_move = None;
        self.truncate(kept);
    }

    fn mark_below(&mut self, root: u32) {
        self[root].keep();
        for number in root..self.len {
            if self[number].is_kept() {
                for child in self[number].children() {
                    self[child].keep();
                }
            }
        }
    }

    /// Forgets everything: a root without children is left.
    pub(super) fn clear(&mut self) {
        self.truncate(1);
        self[ROOT] = Node::new(None);
    }

    fn truncate(&mut self, len: u32) {
        self.len = len;
        self.chunks.truncate((len as usize).div_ceil(CHUNK_NODES));
        if let Some(last) = self.chunks.last_mut() {
            last.truncate((len as usize - 1) % CHUNK_NODES + 1);
        }
    }
}

impl Node {
    fn keep(&mut self) {
        self.state = match self.state {
            State::Open | State::KeptOpen => State::KeptOpen,
            State::Closed | State::KeptClosed => State::KeptClosed,
        };
    }

    fn is_kept(&self) -> bool {
        matches!(self.state, State::KeptOpen | State::KeptClosed)
    }
}

impl Index<u32> for Arena {
    type Output = Node;
    fn index(&self, number: u32) -> &Node {
        let number = number as usize;
        &self.chunks[number / CHUNK_NODES][number % CHUNK_NODES]
    }
}

impl IndexMut<u32> for Arena {
    fn index_mut(&mut self, number: u32) -> &mut Node {
        let number = number as usize;
        &mut self.chunks[number / CHUNK_NODES][number % CHUNK_NODES]
    }
}
