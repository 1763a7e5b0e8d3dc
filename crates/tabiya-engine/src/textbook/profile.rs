use core::cell::Cell;
use core::fmt;
use std::time::{Duration, Instant};

/// What the searches of the textbook spend their time on.
///
/// ```
/// use tabiya_engine::textbook::Work;
///
/// assert_eq!(Work::ALL.map(|work| work.to_string())[0], "move generation");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Finding the legal moves.
    Moves,
    /// Putting them in order.
    Ordering,
    /// Making them on a board.
    Playing,
    /// Counting the pieces, or seeing that the game is over.
    Evaluation,
    /// Looking into what is known of positions met before.
    Table,
}

impl Work {
    /// All kinds.
    pub const ALL: [Work; 5] =
        [Work::Moves, Work::Ordering, Work::Playing, Work::Evaluation, Work::Table];
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Work::Moves => "move generation",
            Work::Ordering => "ordering",
            Work::Playing => "making moves",
            Work::Evaluation => "evaluation",
            Work::Table => "table",
        })
    }
}

/// How often each kind of work was done, and how long it took.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Minimax, Profile, Work};
///
/// let (report, profile) = Profile::of(|| Minimax::to_depth(2).search(&Position::initial()));
/// assert_eq!(report.nodes, 420);
/// // The moves of the start and of the twenty positions after it; a score for each of four hundred.
/// assert_eq!(profile.calls(Work::Moves), 1 + 20);
/// assert_eq!(profile.calls(Work::Evaluation), 400);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    calls: [u64; 5],
    time: [Duration; 5],
    /// All of it, with what belongs to no kind.
    pub total: Duration,
}

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    static SO_FAR: Cell<Profile> = const { Cell::new(Profile::NONE) };
}

impl Profile {
    const NONE: Profile =
        Profile { calls: [0; 5], time: [Duration::ZERO; 5], total: Duration::ZERO };

    /// Does something and tells what the searches in it spent their time on, as far as they run on this thread. What
    /// the measuring itself takes is measured before, and left out.
    pub fn of<R>(work: impl FnOnce() -> R) -> (R, Profile) {
        RUNNING.set(true);
        // One look at the clock costs as much as a short piece of work.
        const TRIALS: u32 = 20_000;
        SO_FAR.set(Profile::NONE);
        for _ in 0..TRIALS {
            measure(Work::Table, || ());
        }
        let overhead = SO_FAR.replace(Profile::NONE).time[Work::Table as usize] / TRIALS;
        let clock = Instant::now();
        let result = work();
        let total = clock.elapsed();
        RUNNING.set(false);
        let mut profile = SO_FAR.replace(Profile::NONE);
        let mut looks = 0;
        for (time, calls) in profile.time.iter_mut().zip(profile.calls) {
            *time = time
                .saturating_sub(overhead.saturating_mul(u32::try_from(calls).unwrap_or(u32::MAX)));
            looks += calls;
        }
        // As much again is outside of what is measured.
        let looks = u32::try_from(2 * looks).unwrap_or(u32::MAX);
        profile.total = total.saturating_sub(overhead.saturating_mul(looks));
        (result, profile)
    }

    /// How often it was done.
    pub const fn calls(&self, work: Work) -> u64 {
        self.calls[work as usize]
    }

    /// How long it took in all.
    pub const fn time(&self, work: Work) -> Duration {
        self.time[work as usize]
    }
}

/// Does a piece of work, and takes its time if anybody wants to know.
#[inline]
pub(super) fn measure<R>(work: Work, piece: impl FnOnce() -> R) -> R {
    if !RUNNING.get() {
        return piece();
    }
    let clock = Instant::now();
    let result = piece();
    let time = clock.elapsed();
    let mut profile = SO_FAR.get();
    profile.calls[work as usize] += 1;
    profile.time[work as usize] += time;
    SO_FAR.set(profile);
    result
}
