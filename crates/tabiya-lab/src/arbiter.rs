use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use tabiya_base::Stop;
use tabiya_chess::{Color, Game, Move};
use tabiya_tables::Tables;
use tabiya_thinker::{
    EngineLimit, Found, Info, Limits, ThinkError, ThinkErrorKind, Thinker, Timer,
};

use crate::adjudicator::{Adjudicator, known};
use crate::clock::Clock;
use crate::{DrawRule, GameRecord, Remark, Termination, WinRule};

/// What the arbiter goes by, beside the rules of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Conditions {
    /// How much a player may overstep its time, as messages and threads have delays of their own.
    pub margin: Duration,
    /// When the players' scores make it a draw.
    pub draw: Option<DrawRule>,
    /// When the players' scores decide the game.
    pub win: Option<WinRule>,
    /// Games with so many moves of both sides together, the opening not counted, are drawn.
    pub max_plies: Option<u32>,
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions { margin: Duration::from_millis(50), draw: None, win: None, max_plies: None }
    }
}

/// Who plays one side of a game, and how long it may think.
pub struct Contestant<'a> {
    /// The player.
    pub thinker: &'a mut dyn Thinker,
    /// Its time.
    pub limit: EngineLimit,
}

/// Plays one game to its end, or until `tables` know how it ends.
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_chess::{Color, Game, Move, Square};
/// use tabiya_lab::{Conditions, Contestant, play_game};
/// use tabiya_thinker::{EngineLimit, Found, Info, Limits, ThinkError, Thinker};
///
/// /// Knows one move by heart.
/// struct OneMove(Move);
///
/// impl Thinker for OneMove {
///     fn name(&self) -> &str {
///         "One move"
///     }
///     fn new_game(&mut self) -> Result<(), ThinkError> {
///         Ok(())
///     }
///     fn think(
///         &mut self,
///         _: &Game,
///         _: &Limits,
///         _: &Stop,
///         _: &mut dyn FnMut(&Info),
///     ) -> Result<Found, ThinkError> {
///         Ok(Found { best: Some(self.0), ponder: None })
///     }
/// }
///
/// let (e4, limit) = (Move::normal(Square::E2, Square::E4), EngineLimit::Depth(1));
/// let white = Contestant { thinker: &mut OneMove(e4), limit };
/// let black = Contestant { thinker: &mut OneMove(e4), limit };
/// let record = play_game([white, black], Game::new(), &Conditions::default(), None);
/// assert_eq!(record.winner, Some(Color::White));
/// assert_eq!(record.ending.to_string(), "Black forfeits: \"e2e4\" is not a legal move");
/// ```
pub fn play_game(
    sides: [Contestant<'_>; 2],
    opening: Game,
    conditions: &Conditions,
    tables: Option<&Tables>,
) -> GameRecord {
    let Conditions { draw, win, max_plies, margin } = *conditions;
    let [white, black] = sides;
    let limits = [white.limit, black.limit];
    let names = [white.thinker.name().to_owned(), black.thinker.name().to_owned()];
    let mut playing = Playing {
        thinkers: [white.thinker, black.thinker],
        clocks: limits.map(Clock::new),
        adjudicator: Adjudicator::new(draw, win, max_plies),
        game: opening,
        remarks: Vec::new(),
        margin,
        tables,
    };
    let (winner, ending) = playing.play();
    let [white, black] = names;
    let (game, remarks) = (playing.game, playing.remarks);
    GameRecord { white, black, limits, game, remarks, winner, ending }
}

/// A game in progress.
struct Playing<'a> {
    thinkers: [&'a mut dyn Thinker; 2],
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    game: Game,
    remarks: Vec<Remark>,
    margin: Duration,
    tables: Option<&'a Tables>,
}

impl Playing<'_> {
    fn play(&mut self) -> (Option<Color>, Termination) {
        for color in Color::ALL {
            let thinker = of(&mut self.thinkers, color);
            if let Err(error) = thinker.new_game() {
                let error = named(error, &**thinker);
                return self.forfeit(color, error);
            }
        }
        loop {
            let by_rules = self.game.outcome().or_else(|| self.game.claimable_draw());
            if let Some(outcome) = by_rules {
                return (outcome.winner(), Termination::Rules(outcome));
            }
            let decision = known(self.tables, &self.game).or_else(|| self.adjudicator.decision());
            if let Some(decision) = decision {
                return decision;
            }
            let turn = self.game.position().turn();
            match self.next_move(turn) {
                Ok(m) => self.game.play_unchecked(m),
                Err(error) => return self.forfeit(turn, error),
            }
        }
    }

    /// Asks a player for its move, with the clock running.
    fn next_move(&mut self, turn: Color) -> Result<Move, ThinkError> {
        let (mut score, mut depth, mut nodes, mut line) = (None, None, None, None);
        let timer = Timer::start();
        let limits = Limits { timer: Some(timer.clone()), ..Clock::limits(&self.clocks, turn) };
        let thinker = &mut **of(&mut self.thinkers, turn);
        let found = think(thinker, &self.game, &limits, &mut |info| {
            if info.multipv == 1 {
                (score, depth, nodes) = (Some(info.score), Some(info.depth), Some(info.nodes));
                line = info.pv.first().copied();
            }
        });
        let time = timer.elapsed();
        let best = found.and_then(|found| found.best.ok_or_else(ThinkError::no_move));
        let m = best.map_err(|error| named(error, thinker))?;
        let clock = of(&mut self.clocks, turn);
        let left = clock.left();
        if !clock.press(time, self.margin) {
            let [used, left] = [time, left].map(|time| time.as_secs_f64());
            let message = format!("the time ran out, {used:.3} s used of {left:.3} s");
            return Err(ThinkError::new(ThinkErrorKind::Timeout, message));
        }
        if !self.game.position().is_legal(m) {
            let message = format!("\"{}\" is not a legal move", self.game.position().uci(m));
            return Err(ThinkError::new(ThinkErrorKind::IllegalMove, message));
        }
        let is_stray = line.is_some_and(|first| first != m);
        self.remarks.push(Remark { score, depth, nodes, time, is_stray });
        self.adjudicator.hear(turn, score);
        Ok(m)
    }

    /// The opponent wins, unless it is time that ran out and the opponent could never give mate.
    fn forfeit(&self, by: Color, error: ThinkError) -> (Option<Color>, Termination) {
        let draws = error.kind == ThinkErrorKind::Timeout
            && self.game.position().has_insufficient_material(!by);
        ((!draws).then_some(!by), Termination::Forfeit { by, error })
    }
}

/// A failure with the name of who failed.
fn named(error: ThinkError, thinker: &dyn Thinker) -> ThinkError {
    if error.thinker.is_empty() { error.by(thinker.name()) } else { error }
}

/// Has a player think. One that has no clock and hangs is told to stop.
fn think(
    thinker: &mut dyn Thinker,
    game: &Game,
    limits: &Limits,
    on_info: &mut dyn FnMut(&Info),
) -> Result<Found, ThinkError> {
    let stop = Stop::default();
    if limits.clocks.is_some() || limits.movetime.is_some() {
        return thinker.think(game, limits, &stop, on_info);
    }
    let (answered, waits) = channel::<()>();
    let signal = stop.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waits.recv_timeout(Limits::LONGEST_UNTIMED) == Err(RecvTimeoutError::Timeout) {
                signal.stop();
            }
        });
        let found = thinker.think(game, limits, &stop, on_info);
        drop(answered);
        found
    })
}

/// The one of White's and Black's.
fn of<T>(both: &mut [T; 2], color: Color) -> &mut T {
    let [white, black] = both;
    if color == Color::White { white } else { black }
}
