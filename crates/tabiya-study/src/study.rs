use std::collections::VecDeque;
use std::sync::Arc;

use tabiya_chess::Position;
use tabiya_pgn::{Game, NodeId, ReadError, Reader};
use tabiya_view::Refusal;

/// So many moves a study has at most, variations included.
pub const MOST_NODES: usize = 4000;

/// So many bytes a study has at most, written as PGN.
pub const MOST_TEXT: usize = 400_000;

/// The longest title, in characters.
const LONGEST_TITLE: usize = 120;
/// So many steps can be undone, and what was before them has so many bytes in all.
const MOST_PAST: usize = 50;
const MOST_PAST_TEXT: usize = 10 * MOST_TEXT;
/// What a study is called of which nothing is known.
const UNNAMED: &str = "Study";
/// The tag that says from which side a board is seen.
const ORIENTATION: &str = "Orientation";
/// What a move takes in memory, beside its text.
const NODE: usize = 64;

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
    /// The game as it is written: what is kept is what is measured.
    text: Arc<str>,
    /// The nodes in their order, the start first.
    pub(crate) order: Vec<NodeId>,
    pub(crate) here: usize,
    pub(crate) sequence: u64,
    /// The records before each of the last edits, and where one stood.
    past: VecDeque<(Arc<str>, usize)>,
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
        let study = Study::of(read(text)?);
        match study.text.len() <= MOST_TEXT && study.order.len() <= MOST_NODES + 1 {
            true => Ok(study),
            false => Err(too_much()),
        }
    }

    /// All games of a record, each a chapter beside those that a study has already: none is left out. If one cannot be
    /// read or there are more than it may have, nothing is.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let pgn = "[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n1. d4 *";
    /// let titles: Vec<String> = Study::chapters(pgn, 0, 64)?.iter().map(|one| one.title().to_owned()).collect();
    /// assert_eq!(titles, ["Ada – Bob", "Chapter 2"]);
    /// assert!(Study::chapters(pgn, 63, 64).is_err());
    /// let refusal = Study::chapters("1. e4 *\n\n[Event \"x\"]\n\n1. e5 *", 0, 64).unwrap_err();
    /// assert!(refusal.0.starts_with("Game 2: "), "{refusal}");
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn chapters(text: &str, there: usize, most: usize) -> Result<Vec<Study>, Refusal> {
        if text.len() > MOST_TEXT {
            return Err(too_much());
        }
        let mut reader = Reader::new(text.as_bytes());
        let mut chapters: Vec<Study> = Vec::new();
        loop {
            let number = chapters.len() + 1;
            let game = match reader.next_game() {
                Ok(Some(game)) => game,
                Ok(None) => break,
                // Only one game: nobody needs to be told which.
                Err(ReadError::BadGame(bad)) if number > 1 => {
                    return Err(Refusal(format!("Game {number}: {bad}")));
                }
                Err(ReadError::BadGame(bad)) => return Err(Refusal::new(bad)),
                Err(error) => return Err(Refusal::new(error)),
            };
            if there + number > most {
                let sentence =
                    format!("A study has {most} chapters at most; this text has more games.");
                return Err(Refusal(sentence));
            }
            let mut study = Study::of(game);
            if study.text.len() > MOST_TEXT || study.order.len() > MOST_NODES + 1 {
                return Err(too_much());
            }
            if number > 1 && study.title == UNNAMED {
                study.title = format!("Chapter {number}");
            }
            chapters.push(study);
        }
        if chapters.is_empty() {
            return Err(nothing());
        }
        Ok(chapters)
    }

    /// Which side the board is seen from, if that is Black's.
    pub fn is_seen_by_black(&self) -> bool {
        self.game.tag(ORIENTATION).is_some_and(|side| side.eq_ignore_ascii_case("black"))
    }

    /// Has the board seen from a side; kept in the record as the tag `Orientation`.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 *")?;
    /// study.orient(true)?;
    /// assert!(study.pgn().contains("[Orientation \"black\"]") && study.is_seen_by_black());
    /// study.undo()?;
    /// assert!(!study.is_seen_by_black());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn orient(&mut self, black: bool) -> Result<usize, Refusal> {
        if self.is_seen_by_black() == black {
            return Ok(self.here);
        }
        let at = self.id(self.here)?;
        self.edit(|game| {
            let side = if black { "black" } else { "white" };
            game.set_tag(ORIENTATION, side).map_err(Refusal::new)?;
            Ok(at)
        })
    }

    /// A study that was kept: its title, its record, where one stood and how often it was edited. However large it is, it
    /// can be read; it can grow no larger than others may.
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
        let mut study = Study::of(read(pgn)?);
        study.title = title.to_owned();
        study.here = here.min(study.order.len() - 1);
        study.sequence = sequence;
        Ok(study)
    }

    fn of(game: Game) -> Study {
        let (order, text) = (order(&game), game.to_string().into());
        let past = VecDeque::new();
        Study { title: title(&game), game, text, order, here: 0, sequence: 0, past }
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Gives it another name. That counts as an edit, but cannot be undone.
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
        if self.title != title {
            self.title = title;
            self.sequence += 1;
        }
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
        self.text.as_ref().to_owned()
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
        let (nodes, text) = (order(&game), Arc::from(game.to_string()));
        // One that was kept when studies could be larger can still be made smaller.
        let most_nodes = self.order.len().max(MOST_NODES + 1);
        if nodes.len() > most_nodes || str::len(&text) > self.text.len().max(MOST_TEXT) {
            return Err(too_much());
        }
        let here = nodes.iter().position(|&id| id == at).unwrap_or(0);
        let before = std::mem::replace(&mut self.text, text);
        self.past.push_back((before, self.here));
        self.game = game;
        self.order = nodes;
        self.here = here;
        self.sequence += 1;
        self.forget();
        Ok(here)
    }

    /// Reads the tree afresh: one keeps the room of what was deleted.
    pub(crate) fn tidy(&mut self) {
        if let Ok(game) = read(&self.text)
            && game.tree() == self.game.tree()
        {
            self.order = order(&game);
            self.game = game;
        }
    }

    /// Forgets the oldest steps, if they are too many or too large.
    fn forget(&mut self) {
        while self.past.len() > MOST_PAST || self.past_bytes() > MOST_PAST_TEXT {
            self.past.pop_front();
        }
    }

    fn past_bytes(&self) -> usize {
        self.past.iter().map(|(text, _)| text.len()).sum()
    }

    /// About how much memory it takes, with what can be undone, in bytes.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// let before = study.bytes();
    /// study.comment(0, &"so ".repeat(1000))?;
    /// assert!(study.bytes() > before + 3000);
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn bytes(&self) -> usize {
        // The words are in the record and in the tree.
        2 * self.text.len() + NODE * self.order.len() + self.past_bytes()
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
        let (text, here) = self.past.back().cloned().ok_or_else(nothing)?;
        self.game = read(&text)?;
        self.past.pop_back();
        self.order = order(&self.game);
        self.text = text;
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

/// The first game of a text.
fn read(text: &str) -> Result<Game, Refusal> {
    match Reader::new(text.as_bytes()).next_game() {
        Ok(Some(game)) => Ok(game),
        Ok(None) => Err(nothing()),
        Err(ReadError::BadGame(bad)) => Err(Refusal::new(bad)),
        Err(error) => Err(Refusal::new(error)),
    }
}

fn nothing() -> Refusal {
    Refusal("There is no game in that text.".to_owned())
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
        _ => known("Event").unwrap_or_else(|| UNNAMED.to_owned()),
    };
    title.chars().take(LONGEST_TITLE).collect()
}
