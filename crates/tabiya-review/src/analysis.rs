//! The engine at work: every position of the main line, one after the other.

use std::thread;

use tabiya_base::{Bound, Score, Stop};
use tabiya_chess::{Color, Game as Played, Move, Outcome};
use tabiya_engine::Engine;
use tabiya_pgn::{Game, GameResult};
use tabiya_thinker::{Limits, Thinker};
use thiserror::Error;

use crate::{Assessment, Evaluation, Judgement, Review, ReviewSettings, mirror};

/// The table of the engine. It belongs to what a review depends on, so it is not a setting.
const HASH_MEGABYTES: usize = 16;
/// What the engine needs.
const STACK: usize = 16 << 20;

/// A review was stopped before it was done.
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_review::{ReviewSettings, Stopped, review};
///
/// let stop = Stop::default();
/// stop.stop();
/// let game = "1. e4 e5 *".parse()?;
/// assert_eq!(review(&game, &ReviewSettings::default(), &mut |_, _| {}, &stop), Err(Stopped));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the review was stopped")]
pub struct Stopped;

/// What the engine thinks of a position.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    pub(crate) evaluation: Evaluation,
    /// How it would go on. Empty when the game is over.
    pub(crate) line: Vec<Move>,
}

/// Reviews the main line of a game, up to a null move if there is one. `progress` is told how many positions of
/// how many are done; the stop ends it early from another thread.
///
/// The same game with the same settings has the same review, whatever else the machine does.
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_review::{ReviewSettings, review};
///
/// let game = "1. e4 e5 2. Nf3 *".parse()?;
/// let settings = ReviewSettings { nodes: 1_000, ..ReviewSettings::default() };
/// let mut seen = Vec::new();
/// let review = review(&game, &settings, &mut |done, of| seen.push((done, of)), &Stop::default())?;
/// assert_eq!(review.moves.len(), 3);
/// assert_eq!(seen, [(1, 4), (2, 4), (3, 4), (4, 4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn review(
    game: &Game,
    settings: &ReviewSettings,
    progress: &mut (dyn FnMut(usize, usize) + Send),
    stop: &Stop,
) -> Result<Review, Stopped> {
    // The engine's lines are long, and who calls may have a small stack.
    let thoughts = thread::scope(|scope| {
        let work = || think(game, settings, progress, stop);
        let thread = thread::Builder::new().name("review".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or(Err(Stopped)),
            Err(_) => Err(Stopped),
        }
    })?;
    Ok(Review::new(game, settings.nodes, &thoughts))
}

fn think(
    game: &Game,
    settings: &ReviewSettings,
    progress: &mut (dyn FnMut(usize, usize) + Send),
    stop: &Stop,
) -> Result<Vec<Thought>, Stopped> {
    let mut played = game.to_play();
    let positions = played.moves().len() + 1;
    let engine_settings =
        tabiya_engine::Settings { hash_megabytes: HASH_MEGABYTES, ..Default::default() };
    let mut engine = Engine::new(engine_settings);
    engine.set_network(Some(settings.network.clone()));
    let mut analyst = Analyst::new(&played, &mut engine, settings);
    // From the end to the start: what is known of later positions helps with the earlier ones.
    let mut thoughts: Vec<Thought> = Vec::with_capacity(positions);
    let mut reply = None;
    for done in 1..=positions {
        if stop.is_stopped() {
            return Err(Stopped);
        }
        let thought = match by_rules(&played, done == 1, game.result()) {
            Some(outcome) => {
                let worth = Assessment::Over(outcome);
                Thought { evaluation: Evaluation { worth, depth: 0 }, line: Vec::new() }
            }
            None => analyst.think(reply.zip(thoughts.last()), stop),
        };
        if stop.is_stopped() {
            return Err(Stopped);
        }
        thoughts.push(thought);
        reply = played.undo();
        analyst.shown.undo();
        progress(done, positions);
    }
    thoughts.reverse();
    Ok(thoughts)
}

/// How the game stands by the rules alone. A draw that could be claimed counts where the game ends, unless
/// somebody has won it nevertheless.
pub(crate) fn by_rules(played: &Played, is_last: bool, result: GameResult) -> Option<Outcome> {
    let claimed = || played.claimable_draw().filter(|_| is_last && result.winner().is_none());
    played.outcome().or_else(claimed)
}

/// An engine, and the game as it sees it: with White to begin.
struct Analyst<'a> {
    engine: &'a mut dyn Thinker,
    settings: &'a ReviewSettings,
    shown: Played,
    is_mirrored: bool,
}

impl Analyst<'_> {
    fn new<'a>(
        played: &Played,
        engine: &'a mut dyn Thinker,
        settings: &'a ReviewSettings,
    ) -> Analyst<'a> {
        let mirrored = match played.start().turn() {
            Color::White => None,
            Color::Black => mirror_game(played),
        };
        let is_mirrored = mirrored.is_some();
        let shown = mirrored.unwrap_or_else(|| played.clone());
        Analyst { engine, settings, shown, is_mirrored }
    }

    /// What the position is worth, in the light of the move that was played there and what it led to.
    ///
    /// A position is worth at least that: if the move turned out better than the engine had thought, it had
    /// underestimated it, and whoever allowed it is to blame. If it was the engine's own choice and turned out
    /// to be bad, the engine looks once more, at the other moves.
    fn think(&mut self, reply: Option<(Move, &Thought)>, stop: &Stop) -> Thought {
        let mut thought = self.search(None, stop);
        let Some((m, after)) = reply else { return thought };
        let turn = self.turn();
        let worth = after.evaluation.worth.a_move_before(turn);
        let chances = |worth: Assessment| worth.seen_by(turn).chances();
        let loss = chances(thought.evaluation.worth) - chances(worth);
        if thought.line.first() == Some(&m) && Judgement::of_loss(loss).is_some() {
            thought = self.search(Some(m), stop);
        }
        if worth.rank(turn) >= thought.evaluation.worth.rank(turn) {
            let line = std::iter::once(m).chain(after.line.iter().copied());
            let line = line.take(self.settings.line.max(1)).collect();
            let depth = after.evaluation.depth.max(1);
            thought = Thought { evaluation: Evaluation { worth, depth }, line };
        }
        thought
    }

    fn turn(&self) -> Color {
        let turn = self.shown.position().turn();
        if self.is_mirrored { !turn } else { turn }
    }

    /// What the engine finds, perhaps without one of the moves.
    fn search(&mut self, without: Option<Move>, stop: &Stop) -> Thought {
        let nodes = self.settings.nodes.max(ReviewSettings::LEAST_NODES);
        let mut limits = Limits { nodes: Some(nodes), ..Limits::default() };
        if let Some(m) = without {
            let m = if self.is_mirrored { mirror::play(m) } else { Some(m) };
            let moves = self.shown.position().legal_moves();
            limits.search_moves = moves.iter().copied().filter(|&other| Some(other) != m).collect();
        }
        let mut latest = None;
        // With very few nodes not even the first depth may be done.
        let first_depth = Limits { nodes: None, depth: Some(1), ..limits.clone() };
        for limits in [limits, first_depth] {
            // Our engine does not fail; whoever else might, has found nothing.
            let _ = self.engine.think(&self.shown, &limits, stop, &mut |info| {
                if info.bound == Bound::Exact {
                    latest = Some((info.score, info.depth, info.pv.clone()));
                }
            });
            if latest.is_some() {
                break;
            }
        }
        let (score, depth, line) = latest.unwrap_or((Score::Centipawns(0), 0, Vec::new()));
        let line: Vec<Move> = match self.is_mirrored {
            true => line.into_iter().map_while(mirror::play).collect(),
            false => line,
        };
        let line = line.into_iter().take(self.settings.line.max(1)).collect();
        Thought {
            evaluation: Evaluation { worth: Assessment::of(score, self.turn()), depth },
            line,
        }
    }
}

fn mirror_game(played: &Played) -> Option<Played> {
    let mut mirrored = Played::from_position(mirror::position(played.start())?);
    for &m in played.moves() {
        mirrored.play(mirror::play(m)?).ok()?;
    }
    Some(mirrored)
}
