use tabiya_chess::Position;
use tabiya_pgn::{Game, NodeId, ReadError, Reader};
use tabiya_view::Refusal;

/// So many moves a study has at most, variations included.
pub const MOST_NODES: usize = 4000;

/// So many bytes a study has at most, written as PGN.
pub const MOST_TEXT: usize = 400_000;

/// The longest title, in characters.
const LONGEST_TITLE: usize = 120;
/// So many steps can be undone, and all of them together have so many nodes.
const MOST_PAST: usize = 50;
const MOST_PAST_NODES: usize = 20 * MOST_NODES;

/// A game tree to work on, and where one stands in it.
///
/// ```
/// use tabiya_study::Study;
///
/// let mut study = Study::new();
/// let e4 = study.play(0, "e4")?;
/// assert!(study.play(e4, "e4").is_err());
/// let mate = study.add_line(0, &["f2f3", "e7e5", "g2g4", "d8h4"])?;
/// assert_eq!(study.board(mate)?.end.unwrap().text, "Checkmate: Black wins");
/// # Ok::<(), tabiya_view::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    pub(crate) title: String,
    pub(crate) game: Game,
    /// The nodes in their order, the start first.
    pub(crate) order: Vec<NodeId>,
    pub(crate) here: usize,
    pub(crate) sequence: u64,
    /// What was before each of the last edits, and where one stood.
    past: Vec<(Game, usize)>,
}

impl Study {
    /// The start of a game, and nothing else.
    pub fn new() -> Study {
        Study::of(Game::new())
    }

    /// A position to begin with.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let study = Study::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// assert_eq!(study.board(0)?.destinations.len(), 2);
    /// let refusal = Study::from_fen("8/8/8/8/8/8/8/4K2R w K - 0 1").unwrap_err();
    /// assert_eq!(refusal.0, "Black has no king.");
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Study, Refusal> {
        let position = Position::from_fen_prefix(fen.trim()).map_err(Refusal::new)?;
        Ok(Study::of(Game::from_position(position)))
    }

    /// The first game of a record, with its variations, comments and judgements.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let study = Study::from_pgn("[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4! {best} (1. d4) e5 *")?;
    /// assert_eq!(study.title(), "Ada – Bob");
    /// assert!(Study::from_pgn("1. e5").is_err());
    /// assert!(Study::from_pgn("  ").is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn from_pgn(text: &str) -> Result<Study, Refusal> {
        if text.len() > MOST_TEXT {
            return Err(too_much());
        }
        match Reader::new(text.as_bytes()).next_game() {
            Ok(Some(game)) => Study::of(game).checked(),
            Ok(None) => Err(Refusal("There is no game in that text.".to_owned())),
            Err(ReadError::BadGame(bad)) => Err(Refusal::new(bad)),
            Err(error) => Err(Refusal::new(error)),
        }
    }

    /// A study that was kept: its title, its record, where one stood and how often it was edited.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// study.play(0, "e4")?;
    /// let kept = Study::restore(study.title(), &study.pgn(), study.here(), study.sequence())?;
    /// assert_eq!(kept.outline().nodes, study.outline().nodes);
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn restore(title: &str, pgn: &str, here: usize, sequence: u64) -> Result<Study, Refusal> {
        let mut study = Study::from_pgn(pgn)?;
        study.title = title.to_owned();
        study.here = here.min(study.order.len() - 1);
        study.sequence = sequence;
        Ok(study)
    }

    fn of(game: Game) -> Study {
        let order = order(&game);
        Study { title: title(&game), game, order, here: 0, sequence: 0, past: Vec::new() }
    }

    fn checked(self) -> Result<Study, Refusal> {
        match fits(&self.game, &self.order) {
            true => Ok(self),
            false => Err(too_much()),
        }
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Gives it another name. That is not an edit of the tree, and cannot be undone.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// study.rename("  Rook endings ")?;
    /// assert_eq!(study.title(), "Rook endings");
    /// assert!(study.rename(" ").is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn rename(&mut self, title: &str) -> Result<(), Refusal> {
        let words: Vec<&str> = title.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let title: String = words.join(" ").chars().take(LONGEST_TITLE).collect();
        if title.is_empty() {
            return Err(Refusal("A study needs a name.".to_owned()));
        }
        self.title = title;
        Ok(())
    }

    /// How often it was edited: numbers of nodes hold until this one changes.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// study.play(0, "e4")?;
    /// assert_eq!(study.sequence(), 1);
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The node one stands at.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// study.play(0, "e4")?;
    /// assert_eq!(study.here(), 1);
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub const fn here(&self) -> usize {
        self.here
    }

    /// Goes to a node.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 e5 *")?;
    /// study.go_to(2)?;
    /// assert!(study.go_to(3).is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn go_to(&mut self, node: usize) -> Result<(), Refusal> {
        self.id(node)?;
        self.here = node;
        Ok(())
    }

    /// The whole study as a record.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let study = Study::from_pgn("1. e4 (1. d4 $1) e5 *")?;
    /// assert!(study.pgn().contains("1. e4 (1. d4 $1) 1... e5 *"));
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn pgn(&self) -> String {
        self.game.to_string()
    }

    /// The game tree itself, for those who review it.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The nodes of the main line, the start first: one for each half-move.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let study = Study::from_pgn("1. e4 (1. d4) e5 *")?;
    /// assert_eq!(study.main_line(), [0, 1, 2]);
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn main_line(&self) -> Vec<usize> {
        // A record tells it first.
        (0..=self.game.tree().main_line().count()).collect()
    }

    pub(crate) fn id(&self, node: usize) -> Result<NodeId, Refusal> {
        let gone = || Refusal("That move is not in the study.".to_owned());
        self.order.get(node).copied().ok_or_else(gone)
    }

    /// Whether castling is written as the king taking its rook.
    pub(crate) fn chess960(&self) -> bool {
        !self.game.tree().start().castles_as_in_standard_chess()
    }

    /// Edits a copy, and takes it if it is not too large. The edit gives the node to stand at.
    pub(crate) fn edit(
        &mut self,
        change: impl FnOnce(&mut Game) -> Result<NodeId, Refusal>,
    ) -> Result<usize, Refusal> {
        let mut game = self.game.clone();
        let at = change(&mut game)?;
        let nodes = order(&game);
        if !fits(&game, &nodes) {
            return Err(too_much());
        }
        let here = nodes.iter().position(|&id| id == at).unwrap_or(0);
        let before = std::mem::replace(&mut self.game, game);
        self.past.push((before, self.here));
        self.order = nodes;
        self.here = here;
        self.sequence += 1;
        self.forget();
        Ok(here)
    }

    /// Forgets the oldest steps, if they are too many or too large.
    fn forget(&mut self) {
        let mut nodes = 0;
        let kept = self.past.iter().rev().take(MOST_PAST).take_while(|(game, _)| {
            nodes += game.tree().len();
            nodes <= MOST_PAST_NODES
        });
        let kept = kept.count();
        self.past.drain(..self.past.len() - kept);
    }

    /// Whether there is something to undo.
    pub fn is_undoable(&self) -> bool {
        !self.past.is_empty()
    }

    /// Undoes the last edit, and gives the node where one stood.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 e5 *")?;
    /// study.delete(1)?;
    /// assert!(study.game().tree().is_empty());
    /// study.undo()?;
    /// assert!(study.pgn().contains("1. e4 e5 *"));
    /// assert_eq!(study.undo().unwrap_err().0, "There is nothing to undo.");
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn undo(&mut self) -> Result<usize, Refusal> {
        let nothing = || Refusal("There is nothing to undo.".to_owned());
        let (game, here) = self.past.pop().ok_or_else(nothing)?;
        self.order = order(&game);
        self.game = game;
        self.here = here.min(self.order.len() - 1);
        self.sequence += 1;
        Ok(self.here)
    }
}

impl Default for Study {
    fn default() -> Study {
        Study::new()
    }
}

fn order(game: &Game) -> Vec<NodeId> {
    let tree = game.tree();
    std::iter::once(tree.root()).chain(tree.below(tree.root())).collect()
}

fn fits(game: &Game, order: &[NodeId]) -> bool {
    let tree = game.tree();
    let words = |&id: &NodeId| -> usize {
        let comments = tree.comments(id).iter().chain(tree.comments_before(id));
        comments.map(|comment| comment.text().len() + 3).sum()
    };
    // A move with its number and judgements has about twenty letters at most.
    order.len() <= MOST_NODES + 1
        && order.iter().map(words).sum::<usize>() <= MOST_TEXT - 20 * MOST_NODES
}

fn too_much() -> Refusal {
    Refusal(format!(
        "That is too much for one study: it holds {MOST_NODES} moves and {} kilobytes of text.",
        MOST_TEXT / 1000
    ))
}

fn title(game: &Game) -> String {
    let known = |name: &str| {
        let value = game.tag(name).unwrap_or_default().trim();
        (!value.is_empty() && !value.starts_with('?')).then(|| value.to_owned())
    };
    let title = match (known("White"), known("Black")) {
        (Some(white), Some(black)) => format!("{white} – {black}"),
        _ => known("Event").unwrap_or_else(|| "Study".to_owned()),
    };
    title.chars().take(LONGEST_TITLE).collect()
}
