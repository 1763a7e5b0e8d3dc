use tabiya_base::Stop;
use tabiya_chess::Game;

use crate::{Found, Info, Limits, ThinkError};

/// Somebody who thinks about positions.
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_chess::Game;
/// use tabiya_thinker::{Found, Info, Limits, ThinkError, Thinker};
///
/// /// Plays the first move it finds.
/// struct Hasty;
///
/// impl Thinker for Hasty {
///     fn name(&self) -> &str {
///         "Hasty"
///     }
///     fn new_game(&mut self) -> Result<(), ThinkError> {
///         Ok(())
///     }
///     fn think(
///         &mut self,
///         game: &Game,
///         _: &Limits,
///         _: &Stop,
///         _: &mut dyn FnMut(&Info),
///     ) -> Result<Found, ThinkError> {
///         Ok(Found { best: game.position().legal_moves().first().copied(), ponder: None })
///     }
/// }
///
/// let found = Hasty.think(&Game::new(), &Limits::default(), &Stop::default(), &mut |_| {})?;
/// assert!(found.best.is_some());
/// # Ok::<(), ThinkError>(())
/// ```
pub trait Thinker: Send {
    /// What it calls itself.
    fn name(&self) -> &str;

    /// Forgets what it has learnt: what comes next is another game.
    fn new_game(&mut self) -> Result<(), ThinkError>;

    /// What it keeps in memory for the next move, in words; nothing if there is nothing to tell.
    fn memory(&self) -> Option<String> {
        None
    }

    /// Thinks about the last position of a game, whose earlier ones count for repetitions, and gives its move. `on_info`
    /// hears what it finds on the way. It waits for nobody but the stop: a thinker that may hang gives up by itself.
    ///
    /// Whether castling is that of Chess960 is told by the position in which the game began.
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError>;
}

impl<T: Thinker + ?Sized> Thinker for Box<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        (**self).new_game()
    }

    fn memory(&self) -> Option<String> {
        (**self).memory()
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        (**self).think(game, limits, stop, on_info)
    }
}
