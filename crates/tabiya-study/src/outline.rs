use std::time::Duration;

use tabiya_chess::Position;
use tabiya_pgn::{Comment, Nag, NodeId};
use tabiya_view::{Coord, Side};

use crate::Study;
use crate::drawing::drawings;
use tabiya_chess_view::{coord, side, uci};

/// A whole study as plain data: what is needed to show its moves, and no rules.
///
/// ```
/// use tabiya_study::Study;
///
/// let outline = Study::from_pgn("1. e4 (1. d4! {solid}) e5 *")?.outline();
/// let texts: Vec<&str> = outline.nodes.iter().map(|node| node.san.as_str()).collect();
/// assert_eq!(texts, ["", "e4", "e5", "d4"]);
/// assert_eq!(outline.nodes[3].parent, Some(0));
/// assert_eq!(outline.nodes[3].glyphs[0].symbol, "!");
/// # Ok::<(), tabiya_view::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Outline {
    /// What the study is called.
    pub title: String,
    /// How often it was edited.
    pub sequence: u64,
    /// The node one stands at.
    pub here: usize,
    /// The start, and all moves; each has its place in this list as its number.
    pub nodes: Vec<Node>,
    /// Whether the last edit can be undone.
    pub undoable: bool,
    /// How the game of the study ended: `1-0`, `*`.
    pub result: &'static str,
    /// What the record says of the game: names and values.
    pub tags: Vec<(String, String)>,
}

/// A move of a study and what is said about it.
///
/// ```
/// # use tabiya_study::Study;
/// let node = &Study::from_pgn("1. e4 {[%clk 0:05:00]} *").unwrap().outline().nodes[1];
/// assert_eq!((node.uci.as_str(), node.number), ("e2e4", 1));
/// assert_eq!(node.clock.unwrap().as_secs(), 300);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The node before; none for the start.
    pub parent: Option<usize>,
    /// The move as people write it: `Nf3`; empty for the start, `--` for a pass.
    pub san: String,
    /// As programs write it: `g1f3`; empty if there is no move.
    pub uci: String,
    /// The number of the move, as in a record.
    pub number: u32,
    /// Who made the move; at the start, who has made the last one.
    pub side: Side,
    /// From where to where it went.
    pub squares: Option<(Coord, Coord)>,
    /// The judgements on it.
    pub glyphs: Vec<Glyph>,
    /// What is said before the move, as the introduction of a variation.
    pub before: String,
    /// What is said about it.
    pub comment: String,
    /// Arrows and circles, as records write them: `Ge2e4`, `Rd5`.
    pub drawings: Vec<String>,
    /// What a program thinks of the position, from White's side: `0.35`, `#-3`.
    pub eval: Option<String>,
    /// What was left on the clock.
    pub clock: Option<Duration>,
}

/// A sign of judgement.
///
/// ```
/// # use tabiya_study::Glyph;
/// assert_eq!(Glyph::new(4), Glyph { number: 4, symbol: "??".to_owned() });
/// assert_eq!(Glyph::new(99).symbol, "$99");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// Its number.
    pub number: u8,
    /// As people write it: `!?`.
    pub symbol: String,
}

impl Glyph {
    /// The sign of a number.
    pub fn new(number: u8) -> Glyph {
        let symbol = Nag(number).symbol().map_or_else(|| Nag(number).to_string(), str::to_owned);
        Glyph { number, symbol }
    }
}

impl Study {
    /// Everything there is to show of the moves.
    pub fn outline(&self) -> Outline {
        let tags = self.game.tags().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Outline {
            title: self.title.clone(),
            sequence: self.sequence,
            here: self.here,
            nodes: self.nodes(),
            undoable: self.is_undoable(),
            result: self.game.result().notation(),
            tags: tags.collect(),
        }
    }

    fn nodes(&self) -> Vec<Node> {
        let tree = self.game.tree();
        // A line of nodes is unwound at its end: only the way to the node is kept.
        let mut way: Vec<(usize, NodeId, Position)> = vec![(0, tree.root(), *tree.start())];
        let mut nodes = vec![self.start()];
        for (number, &id) in self.order.iter().enumerate().skip(1) {
            let parent = tree.parent(id);
            while way.len() > 1 && way.last().map(|last| last.1) != parent {
                way.pop();
            }
            let Some(&(before, _, position)) = way.last() else { continue };
            let (node, after) = self.node(id, before, &position);
            nodes.push(node);
            way.push((number, id, after));
        }
        nodes
    }

    fn start(&self) -> Node {
        let tree = self.game.tree();
        let position = tree.start();
        let number = u32::from(position.fullmove_number());
        Node {
            parent: None,
            san: String::new(),
            uci: String::new(),
            number: number.saturating_sub(u32::from(position.turn() == tabiya_chess::Color::White)),
            side: side(!position.turn()),
            squares: None,
            glyphs: Vec::new(),
            before: String::new(),
            comment: said(tree.comments(tree.root())),
            drawings: drawings(tree.comments(tree.root())),
            eval: eval(tree.comments(tree.root())),
            clock: None,
        }
    }

    fn node(&self, id: NodeId, parent: usize, before: &Position) -> (Node, Position) {
        let tree = self.game.tree();
        let played = tree.played(id);
        let after = match played {
            Some(m) => {
                let mut after = *before;
                after.play_unchecked(m);
                after
            }
            None => before.null_move().unwrap_or(*before),
        };
        let comments = tree.comments(id);
        let node = Node {
            parent: Some(parent),
            san: played.map_or_else(|| "--".to_owned(), |m| before.san(m)),
            uci: played.map_or_else(String::new, |m| uci(before, m, self.chess960())),
            number: u32::from(before.fullmove_number()),
            side: side(before.turn()),
            squares: played.map(|m| (coord(m.from()), coord(m.to()))),
            glyphs: tree.nags(id).iter().map(|nag| Glyph::new(nag.0)).collect(),
            before: said(tree.comments_before(id)),
            comment: said(comments),
            drawings: drawings(comments),
            eval: eval(comments),
            clock: comments.iter().find_map(Comment::clock),
        };
        (node, after)
    }
}

fn said(comments: &[Comment]) -> String {
    let words: Vec<String> = comments.iter().map(Comment::words).collect();
    words.join(" ").trim().to_owned()
}

fn eval(comments: &[Comment]) -> Option<String> {
    let eval = comments.iter().find_map(Comment::eval)?;
    Some(tabiya_pgn::Eval { depth: None, ..eval }.to_string())
}
