use core::fmt;
use std::sync::Arc;
use std::time::Duration;

use tabiya_chess::Move;

/// When a search ends. Without any limit it ends when it is stopped.
///
/// ```
/// use tabiya_thinker::Limits;
///
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// assert!(limits.nodes.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Look so many plies deep.
    pub depth: Option<u32>,
    /// Visit so many positions.
    pub nodes: Option<u64>,
    /// Begin no new depth after so many positions.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Think exactly so long.
    pub movetime: Option<Duration>,
    /// The clocks of the game, to be used wisely.
    pub clocks: Option<Clocks>,
    /// Go on until stopped, even when there is nothing more to find.
    pub infinite: bool,
    /// Think on the opponent's time: go on until stopped or until the opponent has made the expected
    /// move, then by the clocks.
    pub ponder: bool,
    /// Consider only these moves, if there are any.
    pub search_moves: Vec<Move>,
    /// Follow and report so many lines; as many as the thinker is set to if `None`.
    pub multipv: Option<usize>,
    /// The time since the search was asked for. Without it, limits of time cannot be kept.
    pub timer: Option<Timer>,
}

impl Limits {
    /// How long a thinker may take that has no time of its own, such as a number of nodes; then it hangs.
    pub const LONGEST_UNTIMED: Duration = Duration::from_secs(600);
}

/// The clocks of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// The time left to White and to Black.
    pub time: [Duration; 2],
    /// What each gets for a move.
    pub increment: [Duration; 2],
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// A stopwatch that the caller starts: the engine has no clock of its own.
///
/// ```
/// use std::time::Duration;
/// use tabiya_thinker::Timer;
///
/// // For programs:
/// let timer = Timer::start();
/// // For tests:
/// let frozen = Timer::new(|| Duration::from_millis(40));
/// assert_eq!(frozen.elapsed(), Duration::from_millis(40));
/// ```
#[derive(Clone)]
pub struct Timer(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Timer {
    /// A timer that asks a function.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Timer {
        Timer(Arc::new(elapsed))
    }

    /// The wall clock, from now on.
    pub fn start() -> Timer {
        let start = tabiya_base::Stopwatch::start();
        Timer::new(move || start.elapsed())
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timer({:?})", self.elapsed())
    }
}
