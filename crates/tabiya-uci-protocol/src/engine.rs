use tabiya_base::Stop;
use tabiya_chess::{BoardStyle, Game};
use tabiya_thinker::Limits;

use crate::{OptionSpec, OptionValue, Output};

/// What [`serve`](crate::serve) needs of an engine.
///
/// The server keeps the protocol: at most one search at a time, checked options, legal games. All
/// calls come from the thread that called [`serve`](crate::serve).
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_thinker::Limits;
/// use tabiya_uci_protocol::{
///     BenchWork, BestMove, Identity, OptionKind, OptionSpec, OptionValue, Output, UciEngine, serve,
/// };
///
/// /// Plays the first legal move.
/// #[derive(Default)]
/// struct First {
///     search: Option<std::thread::JoinHandle<()>>,
/// }
///
/// impl UciEngine for First {
///     fn identity(&self) -> Identity {
///         Identity { name: "First 1.0".into(), author: "nobody".into() }
///     }
///     fn options(&self) -> Vec<OptionSpec> {
///         let kind = OptionKind::Check { default: false };
///         vec![OptionSpec { name: "UCI_Chess960".into(), kind }]
///     }
///     fn set_option(&mut self, _name: &str, _value: OptionValue) -> Result<(), String> {
///         Ok(())
///     }
///     fn new_game(&mut self) {}
///     fn go(&mut self, game: &Game, _limits: Limits, chess960: bool, output: Output) {
///         let position = *game.position();
///         self.search = Some(std::thread::spawn(move || {
///             let first = position.legal_moves().into_iter().next();
///             let text = first.map(|m| match chess960 {
///                 true => position.uci_chess960(m),
///                 false => position.uci(m),
///             });
///             output.best_move(BestMove { best: text, ponder: None });
///         }));
///     }
///     fn stop(&mut self) {}
///     fn ponder_hit(&mut self) {}
///     fn wait(&mut self) {
///         if let Some(search) = self.search.take() {
///             let _ = search.join();
///         }
///     }
///     fn eval(&self, _game: &Game) -> String {
///         "all positions are equal".into()
///     }
///     fn bench(&self, _depth: Option<u32>) -> BenchWork {
///         Box::new(|_stop| Some("0 nodes".into()))
///     }
/// }
///
/// let mut said = Vec::new();
/// serve("uci\ngo movetime 10\nquit\n".as_bytes(), &mut said, First::default())?;
/// let said = String::from_utf8(said).unwrap();
/// assert!(said.starts_with("id name First 1.0\nid author nobody\noption name UCI_Chess960 type"));
/// assert!(said.contains("uciok\nbestmove "));
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait UciEngine {
    /// Who this is.
    fn identity(&self) -> Identity;

    /// What can be set. An option `UCI_Chess960` is watched by the server too.
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets one of the options, named as in [`UciEngine::options`], to a value that it can have. If that
    /// cannot be done, or not quite, the error is shown to the user. Never during a search.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String>;

    /// What comes next is from another game. Never during a search.
    fn new_game(&mut self);

    /// Starts a search in the background and returns at once. News and the best move go to the
    /// output; moves are to be written with
    /// [`Position::uci_chess960`](tabiya_chess::Position::uci_chess960) if `chess960`. Never called
    /// before the last search has been waited for. The timer of the limits runs already.
    ///
    /// The search may end by itself even if it is infinite, or pondering: the output keeps the best
    /// move back.
    fn go(&mut self, game: &Game, limits: Limits, chess960: bool, output: Output);

    /// The search shall end soon. Harmless if it has ended.
    fn stop(&mut self);

    /// The opponent made the expected move: from now on, think by the clock. Harmless if the search
    /// has ended.
    fn ponder_hit(&mut self);

    /// Returns when the search has ended; at once if there is none.
    fn wait(&mut self);

    /// The board for `d`; as several lines, if you like.
    fn display(&self, game: &Game) -> String {
        let position = game.position();
        format!("{}\nFen: {position}\n", position.board().draw(BoardStyle::Letters))
    }

    /// The evaluation for `eval`; as several lines, if you like.
    fn eval(&self, game: &Game) -> String;

    /// The work of `bench`: searches a fixed set of positions, on a thread of its own. Never during a search.
    fn bench(&self, depth: Option<u32>) -> BenchWork;
}

/// The work of `bench`, which looks at the [`Stop`] now and then: the result, or none if it was stopped.
pub type BenchWork = Box<dyn FnOnce(&Stop) -> Option<String> + Send>;

/// Who an engine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Its name, with the version.
    pub name: String,
    /// Who made it.
    pub author: String,
}
