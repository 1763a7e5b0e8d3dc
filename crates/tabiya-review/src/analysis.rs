//! The engine at work: every position of the main line, one after the other.

use std::collections::BTreeMap;
use std::thread;

use tabiya_base::{Bound, Score, Stop};
use tabiya_chess::{Color, Game as Played, Move, Outcome};
use tabiya_engine::Engine;
use tabiya_pgn::{Game, GameResult};
use tabiya_thinker::{Limits, Thinker};
use thiserror::Error;

use crate::annotate::kept_thoughts;
use crate::{Assessment, Evaluation, Judgement, Review, ReviewSettings, Reviewed, mirror};

/// The table of the engine. It belongs to what a review depends on, so it is not a setting.
const HASH_MEGABYTES: usize = 16;
/// A second look is with so many times the nodes of the first.
const AGAIN: u64 = 10;
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
/// how many are done; there are more to do when mistakes are found, because these are looked at twice. The stop ends it
/// early from another thread.
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
    let thoughts = with_engine(settings, |engine| {
        let mut analyst = Analyst::new(game, engine, settings);
        let mut progress = Progress { done: 0, of: 0, tell: progress };
        let all = (0..analyst.positions()).map(|ply| (ply, settings.nodes)).collect();
        analyst.pass(&all, &mut progress, stop)?;
        let first = analyst.thoughts.clone();
        loop {
            let again = analyst.suspects(&first);
            if again.is_empty() {
                return Ok(analyst.thoughts);
            }
            analyst.pass(&again, &mut progress, stop)?;
        }
    })?;
    Ok(Review::new(game, settings.nodes, &thoughts))
}

/// Looks once more at a game that has a review in it: at the positions before and after a half-move (the first is 1), or
/// at all. Each is searched with ten times the nodes that it has had, up to [`ReviewSettings::DEEPEST`]. A game without a
/// review is reviewed.
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_review::{Review, ReviewSettings, deepen, review};
///
/// let mut game: tabiya_pgn::Game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// let settings = ReviewSettings { nodes: 1_000, ..ReviewSettings::default() };
/// review(&game, &settings, &mut |_, _| {}, &Stop::default())?.annotate(&mut game);
/// let deeper = deepen(&game, Some(1), &settings, &mut |_, _| {}, &Stop::default())?;
/// assert_eq!(deeper.start.nodes, 10_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deepen(
    game: &Game,
    half_move: Option<usize>,
    settings: &ReviewSettings,
    progress: &mut (dyn FnMut(usize, usize) + Send),
    stop: &Stop,
) -> Result<Review, Stopped> {
    let Some((nodes, thoughts)) = kept_thoughts(game) else {
        return review(game, settings, progress, stop);
    };
    let had: Vec<u64> = thoughts.iter().map(|thought| thought.evaluation.nodes).collect();
    let again = deeper(&had, half_move);
    let thoughts = with_engine(settings, |engine| {
        let mut analyst = Analyst::new(game, engine, settings);
        analyst.looks = thoughts.iter().cloned().map(|own| Look { own, other: None }).collect();
        analyst.thoughts = thoughts;
        analyst.pass(&again, &mut Progress { done: 0, of: 0, tell: progress }, stop)?;
        Ok(analyst.thoughts)
    })?;
    Ok(Review::new(game, nodes, &thoughts))
}

/// The positions that a deeper look is at, with the nodes for each, from those that each has had.
pub(crate) fn deeper(had: &[u64], half_move: Option<usize>) -> BTreeMap<usize, u64> {
    // No search can help where the rules have spoken.
    let open = had.iter().copied().enumerate().filter(|&(_, nodes)| nodes > 0);
    let deepest = ReviewSettings::DEEPEST;
    let again = |nodes: u64| nodes.saturating_mul(AGAIN).min(deepest);
    match half_move {
        Some(after) => open
            .filter(|&(ply, nodes)| (ply == after || ply + 1 == after) && nodes < deepest)
            .map(|(ply, nodes)| (ply, again(nodes)))
            .collect(),
        None => {
            // Those that were looked at twice already wait for the others.
            let wanted = again(open.clone().map(|(_, nodes)| nodes).min().unwrap_or(deepest));
            open.filter(|&(_, nodes)| nodes < wanted).map(|(ply, _)| (ply, wanted)).collect()
        }
    }
}

/// Works with a fresh engine. Its lines are long, and who calls may have a small stack; where there are no threads, that is
/// for whoever builds the program to see to.
pub(crate) fn with_engine<T: Send>(
    settings: &ReviewSettings,
    work: impl FnOnce(&mut Engine) -> Result<T, Stopped> + Send,
) -> Result<T, Stopped> {
    let work = || {
        let engine_settings =
            tabiya_engine::Settings { hash_megabytes: HASH_MEGABYTES, ..Default::default() };
        let mut engine = Engine::new(engine_settings);
        engine.set_network(Some(settings.network.clone()));
        engine.set_tables(settings.tables.clone());
        work(&mut engine)
    };
    if cfg!(target_family = "wasm") {
        return work();
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("review".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or(Err(Stopped)),
            Err(_) => Err(Stopped),
        }
    })
}

/// How far it has come.
struct Progress<'a> {
    done: usize,
    of: usize,
    tell: &'a mut (dyn FnMut(usize, usize) + Send),
}

/// How the game stands by the rules alone. A draw that could be claimed counts where the game ends, unless
/// somebody has won it nevertheless.
pub(crate) fn by_rules(played: &Played, is_last: bool, result: GameResult) -> Option<Outcome> {
    let claimed = || played.claimable_draw().filter(|_| is_last && result.winner().is_none());
    played.outcome().or_else(claimed)
}

/// What the engine has found in a position by itself.
#[derive(Clone)]
struct Look {
    own: Thought,
    /// What it has found when its own choice, which was played, turned out to be bad.
    other: Option<Thought>,
}

/// An engine, and the game as it sees it: with White to begin.
struct Analyst<'a> {
    engine: &'a mut dyn Thinker,
    settings: &'a ReviewSettings,
    game: &'a Game,
    played: Played,
    shown: Played,
    is_mirrored: bool,
    /// By position, as the thoughts; both are empty before the first pass.
    looks: Vec<Look>,
    thoughts: Vec<Thought>,
}

impl Analyst<'_> {
    fn new<'a>(
        game: &'a Game,
        engine: &'a mut dyn Thinker,
        settings: &'a ReviewSettings,
    ) -> Analyst<'a> {
        let played = game.to_play();
        let mirrored = match played.start().turn() {
            Color::White => None,
            Color::Black => mirror_game(&played),
        };
        let is_mirrored = mirrored.is_some();
        let shown = mirrored.unwrap_or_else(|| played.clone());
        let nothing = Evaluation { worth: Assessment::EVEN, depth: 0, nodes: 0 };
        let own = Thought { evaluation: nothing, line: Vec::new() };
        let positions = played.moves().len() + 1;
        let looks = vec![Look { own: own.clone(), other: None }; positions];
        let thoughts = vec![own; positions];
        Analyst { engine, settings, game, played, shown, is_mirrored, looks, thoughts }
    }

    fn positions(&self) -> usize {
        self.played.moves().len() + 1
    }

    /// Looks at positions with so many nodes each, and thinks again about all. From the end to the start: what is
    /// known of later positions helps with the earlier ones.
    fn pass(
        &mut self,
        which: &BTreeMap<usize, u64>,
        progress: &mut Progress<'_>,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        progress.of += which.len();
        let whole = (self.played.clone(), self.shown.clone());
        let mut after: Option<(Move, Thought)> = None;
        for ply in (0..self.positions()).rev() {
            if stop.is_stopped() {
                return Err(Stopped);
            }
            let is_last = after.is_none();
            let thought = match by_rules(&self.played, is_last, self.game.result()) {
                Some(outcome) => {
                    let worth = Assessment::Over(outcome);
                    let evaluation = Evaluation { worth, depth: 0, nodes: 0 };
                    Thought { evaluation, line: Vec::new() }
                }
                None => {
                    let wanted = which.get(&ply).copied();
                    self.think(ply, wanted, after.as_ref(), stop)
                }
            };
            if stop.is_stopped() {
                return Err(Stopped);
            }
            if let Some(kept) = self.thoughts.get_mut(ply) {
                *kept = thought.clone();
            }
            after = self.played.undo().map(|m| (m, thought));
            self.shown.undo();
            if which.contains_key(&ply) {
                progress.done += 1;
                (progress.tell)(progress.done, progress.of);
            }
        }
        (self.played, self.shown) = whole;
        Ok(())
    }

    /// The positions that are looked at again before a mistake or a blunder is written: those before and after it, and
    /// that before the move which allowed it. Where a second look tells something else than the first, the blame may lie
    /// further back: the position before is looked at again, too. Mates that are seen need no second look.
    fn suspects(&self, first: &[Thought]) -> BTreeMap<usize, u64> {
        let pairs = self.thoughts.iter().zip(self.thoughts.iter().skip(1));
        let moves = self.played.positions().zip(self.played.moves()).zip(pairs).enumerate();
        let bad = moves.filter(|(_, ((before, m), (then, now)))| {
            let reviewed = Reviewed::new(before, **m, [then, now]);
            reviewed.judgement >= Some(Judgement::Mistake)
        });
        let around = bad.flat_map(|(ply, _)| ply.saturating_sub(1)..=ply + 1);
        let looks = self.thoughts.iter().zip(first).enumerate();
        let changed = looks.filter(|(_, (now, then))| {
            let chances = |thought: &Thought| thought.evaluation.worth.chances();
            Judgement::of_loss((chances(now) - chances(then)).abs()).is_some()
        });
        let before = changed.map(|(ply, _)| ply.saturating_sub(1));
        let places: Vec<usize> = around.chain(before).collect();
        let nodes = self.settings.nodes.saturating_mul(AGAIN);
        let is_open = |ply: &usize| {
            self.thoughts.get(*ply).is_some_and(|Thought { evaluation, .. }| {
                let is_seen = matches!(evaluation.worth, Assessment::Score(Score::Mate(_)));
                (1..nodes).contains(&evaluation.nodes) && !is_seen
            })
        };
        places.into_iter().filter(is_open).map(|ply| (ply, nodes)).collect()
    }

    /// What the position is worth, in the light of the move that was played there and what it led to.
    ///
    /// A position is worth at least that: if the move turned out better than the engine had thought, it had
    /// underestimated it, and whoever allowed it is to blame. If it was the engine's own choice and turned out
    /// to be bad, the engine looks once more, at the other moves.
    fn think(
        &mut self,
        ply: usize,
        wanted: Option<u64>,
        reply: Option<&(Move, Thought)>,
        stop: &Stop,
    ) -> Thought {
        if let Some(nodes) = wanted {
            let look = Look { own: self.search(nodes, None, stop), other: None };
            if let Some(kept) = self.looks.get_mut(ply) {
                *kept = look;
            }
        }
        let Some(Look { own, other }) = self.looks.get(ply).cloned() else {
            return self.search(self.settings.nodes, None, stop);
        };
        let Some((m, after)) = reply else { return own };
        let turn = self.turn();
        let worth = after.evaluation.worth.a_move_before(turn);
        let chances = |worth: Assessment| worth.seen_by(turn).chances();
        let loss = chances(own.evaluation.worth) - chances(worth);
        let nodes = own.evaluation.nodes;
        let mut thought = own;
        if thought.line.first() == Some(m) && Judgement::of_loss(loss).is_some() {
            thought = other.unwrap_or_else(|| self.search(nodes, Some(*m), stop));
            if let Some(kept) = self.looks.get_mut(ply) {
                kept.other = Some(thought.clone());
            }
        }
        if worth.rank(turn) >= thought.evaluation.worth.rank(turn) {
            let line = std::iter::once(*m).chain(after.line.iter().copied());
            let line = line.take(self.settings.line.max(1)).collect();
            let depth = after.evaluation.depth.max(1);
            thought = Thought { evaluation: Evaluation { worth, depth, nodes }, line };
        }
        thought
    }

    fn turn(&self) -> Color {
        let turn = self.shown.position().turn();
        if self.is_mirrored { !turn } else { turn }
    }

    /// What the engine finds, perhaps without one of the moves.
    fn search(&mut self, nodes: u64, without: Option<Move>, stop: &Stop) -> Thought {
        let nodes = nodes.max(ReviewSettings::LEAST_NODES);
        let mut limits =
            Limits { nodes: Some(nodes), depth: self.settings.depth, ..Limits::default() };
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
        let worth = Assessment::of(score, self.turn());
        Thought { evaluation: Evaluation { worth, depth, nodes }, line }
    }
}

fn mirror_game(played: &Played) -> Option<Played> {
    let mut mirrored = Played::from_position(mirror::position(played.start())?);
    for &m in played.moves() {
        mirrored.play(mirror::play(m)?).ok()?;
    }
    Some(mirrored)
}
