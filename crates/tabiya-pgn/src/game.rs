use std::str::FromStr;

use tabiya_base::excerpt;
use tabiya_chess::Position;

use crate::tags::Tags;
use crate::{GameResult, GameTree, ReadError, Reader, TagError};

/// A game as it is kept: tags, moves with all that is said about them, result.
///
/// Whatever is in it can be written and read back: `game.to_string().parse()` is the same game.
/// It is written as the standard asks, in lines of at most 80 characters.
///
/// ```
/// use tabiya_pgn::{Game, GameResult};
///
/// let mut game: Game = "[Site \"Paris\"]\n[ECO \"C41\"]\n\n1.e4 e5 2.Nf3 d6 1-0".parse()?;
/// game.set_tag("White", "Morphy, Paul")?;
/// assert_eq!(game.result(), GameResult::WhiteWins);
/// assert_eq!(
///     game.to_string(),
///     "[Event \"?\"]\n\
///      [Site \"Paris\"]\n\
///      [Date \"????.??.??\"]\n\
///      [Round \"?\"]\n\
///      [White \"Morphy, Paul\"]\n\
///      [Black \"?\"]\n\
///      [Result \"1-0\"]\n\
///      [ECO \"C41\"]\n\
///      \n\
///      1. e4 e5 2. Nf3 d6 1-0\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    pub(crate) tags: Tags,
    pub(crate) tree: GameTree,
}

impl Game {
    /// A game from the usual start, without moves.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// assert_eq!(Game::new().tag("Date"), Some("????.??.??"));
    /// ```
    pub fn new() -> Game {
        Game::from_position(Position::initial())
    }

    /// A game from any position. If it is not the usual one, the tags `SetUp` and `FEN` say so, and
    /// `Variant` if it takes Chess960 to castle.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_pgn::Game;
    /// let game = Game::from_position(Position::chess960(0).unwrap());
    /// assert_eq!(game.tag("SetUp"), Some("1"));
    /// assert_eq!(game.tag("Variant"), Some("Chess960"));
    /// ```
    pub fn from_position(start: Position) -> Game {
        let mut game = Game { tags: Tags::default(), tree: GameTree::default() };
        game.begin_at(start);
        game
    }

    /// Throws the moves away and begins at a position.
    pub(crate) fn begin_at(&mut self, start: Position) {
        // As the FEN tag has it, which does not tell of a double step that nobody can take.
        let start = start.fen().parse().unwrap_or(start);
        self.tree = GameTree::new(start);
        let set = |tags: &mut Tags, name, value: &str| {
            // These names are good.
            let _ = tags.set(name, value);
        };
        if start == Position::initial() {
            self.tags.remove("SetUp");
            self.tags.remove("FEN");
            return;
        }
        if !start.castles_as_in_standard_chess() && self.tag("Variant").is_none() {
            set(&mut self.tags, "Variant", "Chess960");
        }
        set(&mut self.tags, "SetUp", "1");
        set(&mut self.tags, "FEN", &start.fen());
    }

    /// The value of a tag. The seven of the [`ROSTER`](crate::ROSTER) always have one, `?` if they are
    /// not known.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// assert_eq!(Game::new().tag("White"), Some("?"));
    /// assert_eq!(Game::new().tag("WhiteElo"), None);
    /// ```
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// All tags, name and value, in the order in which they are written.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// assert_eq!(Game::new().tags().next(), Some(("Event", "?")));
    /// ```
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter()
    }

    /// Sets a tag.
    ///
    /// ```
    /// # use tabiya_pgn::{Game, TagError};
    /// let mut game = Game::new();
    /// game.set_tag("White", "Tal \"the magician\"")?;
    /// assert!(game.to_string().contains(r#"[White "Tal \"the magician\""]"#));
    /// assert_eq!(game.set_tag("FEN", ""), Err(TagError::Start("FEN")));
    /// # Ok::<(), TagError>(())
    /// ```
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        match name {
            "FEN" => Err(TagError::Start("FEN")),
            "SetUp" => Err(TagError::Start("SetUp")),
            "Variant" => Err(TagError::Start("Variant")),
            "Result" => match GameResult::from_text(value) {
                Some(result) => {
                    self.set_result(result);
                    Ok(())
                }
                None => Err(TagError::Result(excerpt(value))),
            },
            _ => self.tags.set(name, value),
        }
    }

    /// Removes a tag that is not one of the seven and does not belong to the start position.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let mut game: Game = "[ECO \"C41\"]\n1. e4 *".parse()?;
    /// game.remove_tag("ECO");
    /// assert_eq!(game.tag("ECO"), None);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn remove_tag(&mut self, name: &str) {
        if !matches!(name, "FEN" | "SetUp" | "Variant") {
            self.tags.remove(name);
        }
    }

    /// The result.
    ///
    /// ```
    /// # use tabiya_pgn::{Game, GameResult};
    /// assert_eq!(Game::new().result(), GameResult::Unknown);
    /// ```
    pub fn result(&self) -> GameResult {
        self.tag("Result").and_then(GameResult::from_text).unwrap_or_default()
    }

    /// Sets the result.
    ///
    /// ```
    /// # use tabiya_pgn::{Game, GameResult};
    /// let mut game = Game::new();
    /// game.set_result(GameResult::Draw);
    /// assert_eq!(game.tag("Result"), Some("1/2-1/2"));
    /// ```
    pub fn set_result(&mut self, result: GameResult) {
        // The name is good.
        let _ = self.tags.set("Result", result.notation());
    }

    /// The moves.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// assert!(Game::new().tree().is_empty());
    /// ```
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The moves, to edit them.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// # use tabiya_pgn::Game;
    /// let mut game = Game::new();
    /// let tree = game.tree_mut();
    /// tree.add(tree.root(), Move::normal(Square::E2, Square::E4)).unwrap();
    /// assert!(game.to_string().ends_with("\n1. e4 *\n"));
    /// ```
    pub fn tree_mut(&mut self) -> &mut GameTree {
        &mut self.tree
    }

    /// The main line as a game to go on with: up to the first null move, if there is one.
    ///
    /// ```
    /// # use tabiya_pgn::Game;
    /// let game: Game = "1. e4 e5 (1... c5) *".parse()?;
    /// assert_eq!(game.to_play().moves().len(), 2);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn to_play(&self) -> tabiya_chess::Game {
        let mut game = tabiya_chess::Game::from_position(*self.tree.start());
        for m in self.tree.main_line().map_while(|id| self.tree.played(id)) {
            game.play_unchecked(m);
        }
        game
    }
}

/// The moves played become the main line; the result is that of the rules, if they have ended the
/// game.
///
/// ```
/// let mut game = tabiya_chess::Game::new();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     game.play(game.position().parse_san(text).unwrap()).unwrap();
/// }
/// let record = tabiya_pgn::Game::from(&game);
/// assert!(record.to_string().ends_with("\n1. f3 e5 2. g4 Qh4# 0-1\n"));
/// ```
impl From<&tabiya_chess::Game> for Game {
    fn from(played: &tabiya_chess::Game) -> Game {
        let mut game = Game::from_position(*played.start());
        let mut at = game.tree.root();
        for &m in played.moves() {
            at = game.tree.push(at, Some(m));
        }
        if let Some(outcome) = played.outcome() {
            game.set_result(outcome.into());
        }
        game
    }
}

/// Reads the first game of a text; an empty text is a game without moves.
///
/// ```
/// # use tabiya_pgn::Game;
/// assert!("1. e5 *".parse::<Game>().is_err());
/// ```
impl FromStr for Game {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Game, ReadError> {
        Ok(Reader::new(text.as_bytes()).next_game()?.unwrap_or_else(Game::new))
    }
}
