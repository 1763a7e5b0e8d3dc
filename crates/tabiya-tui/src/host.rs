use tabiya_view::{GameController, Refusal};

/// Something to decide before a new game: who plays, how long, what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGameQuestion {
    /// What is asked: "White", "Clock".
    pub label: String,
    /// The answers to choose from; there is at least one.
    pub choices: Vec<String>,
    /// The answer to begin with.
    pub chosen: usize,
}

/// A game that was kept and can be taken up again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// What the host calls it.
    pub id: String,
    /// One line for a person: "You – Tabiya, level 1200, move 14, yesterday".
    pub text: String,
}

/// What an engine has found in a position so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnalysisView {
    /// Who looks, how deep, at how many positions: "Tabiya, depth 14, 1.2 million".
    pub title: String,
    /// The best lines, the best first: the score as people write it, and the moves.
    pub lines: Vec<(String, String)>,
}

/// What the program offers beside the game on the table: other games, and files.
///
/// Everything has an answer that says why not, so a program may offer as little as it likes.
///
/// ```
/// use tabiya_view::{Refusal, GameController};
/// use tabiya_tui::{Host, KeptGame, NewGameQuestion};
///
/// /// A host for a program that has one game only.
/// struct Bare;
///
/// impl Host for Bare {
///     fn questions(&mut self) -> Vec<NewGameQuestion> {
///         Vec::new()
///     }
///     fn begin(&mut self, _: &[usize]) -> Result<Box<dyn GameController>, Refusal> {
///         Err(Refusal("There is only this game.".into()))
///     }
///     fn kept(&mut self) -> Result<Vec<KeptGame>, Refusal> {
///         Ok(Vec::new())
///     }
///     fn open(&mut self, _: &str) -> Result<Box<dyn GameController>, Refusal> {
///         Err(Refusal("There is only this game.".into()))
///     }
///     fn file_name(&self, _: &dyn GameController) -> String {
///         "game.pgn".into()
///     }
///     fn save(&mut self, _: &str, _: &dyn GameController) -> Result<String, Refusal> {
///         Err(Refusal("Games cannot be saved here.".into()))
///     }
///     fn load(&mut self, _: &str) -> Result<Box<dyn GameController>, Refusal> {
///         Err(Refusal("Games cannot be loaded here.".into()))
///     }
/// }
///
/// let refusal = Bare.open("7").err().unwrap();
/// assert_eq!(refusal.to_string(), "There is only this game.");
/// ```
pub trait Host {
    /// What to decide before a new game; nothing if there is nothing to decide.
    fn questions(&mut self) -> Vec<NewGameQuestion>;

    /// Starts a new game; one answer for each question, as its place in the list of choices.
    fn begin(&mut self, answers: &[usize]) -> Result<Box<dyn GameController>, Refusal>;

    /// The games that can be taken up again, latest first.
    fn kept(&mut self) -> Result<Vec<KeptGame>, Refusal>;

    /// Takes up a game again.
    fn open(&mut self, id: &str) -> Result<Box<dyn GameController>, Refusal>;

    /// A good name for a file with this game.
    fn file_name(&self, table: &dyn GameController) -> String;

    /// Writes the game to a file; the text says what was done.
    fn save(&mut self, file: &str, table: &dyn GameController) -> Result<String, Refusal>;

    /// Starts from a file.
    fn load(&mut self, file: &str) -> Result<Box<dyn GameController>, Refusal>;

    /// Begins a new game from the position of this one after so many half-moves. This one stays as it is.
    fn play_on(&mut self, ply: usize) -> Result<Box<dyn GameController>, Refusal> {
        let _ = ply;
        Err(Refusal::new("games go on only from where they stand here"))
    }

    /// Has an engine look at the position after so many half-moves, until it is told to look at another, or at none.
    fn analyse(&mut self, ply: Option<usize>) -> Result<(), Refusal> {
        match ply {
            Some(_) => Err(Refusal::new("there is no engine here")),
            None => Ok(()),
        }
    }

    /// What the engine has found so far.
    fn found(&mut self) -> Option<AnalysisView> {
        None
    }
}
