//! The mistakes of a game, to be done better.

use tabiya_base::Stop;
use tabiya_chess::{Color, Game as Played, Move, Position};
use tabiya_coach::{Exercise, Mistake};
use tabiya_pgn::Game;
use tabiya_thinker::{Limits, Lines, Thinker};

use crate::analysis::with_engine;
use crate::{Assessment, Judgement, Review, ReviewSettings, Reviewed, Stopped};

/// So many moves are compared with the best.
const COMPARED: usize = 5;
/// Moves are compared with so many times the nodes of a review.
const MORE: u64 = 5;

/// The mistakes and blunders of a side as exercises. Moves that the engine holds to be about as good as the best, five
/// points in a hundred of winning chances at most behind it, are accepted as well.
///
/// ```
/// use tabiya_review::{Color, ReviewSettings, Stop, exercises, review};
///
/// let game = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".parse()?;
/// let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
/// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
/// let found = exercises(&game, &review, Color::Black, &settings, &Stop::default())?;
/// assert_eq!(found.len(), 1);
/// let judged = found[0].judge("Nc6").unwrap();
/// assert_eq!(judged, tabiya_coach::Answer::Good);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exercises(
    game: &Game,
    review: &Review,
    color: Color,
    settings: &ReviewSettings,
    stop: &Stop,
) -> Result<Vec<Exercise>, Stopped> {
    let played = game.to_play();
    let positions: Vec<&Position> = played.positions().collect();
    let bad = |(_, reviewed): &(usize, &Reviewed)| {
        reviewed.color == color && reviewed.judgement >= Some(Judgement::Mistake)
    };
    let wanted: Vec<(usize, &Reviewed)> = review.moves.iter().enumerate().filter(bad).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    with_engine(settings, |engine| {
        let mut all = Vec::new();
        for (ply, reviewed) in wanted {
            let Some(&&before) = positions.get(ply) else { continue };
            let also = good_moves(engine, &before, settings, stop)?;
            let mistake = Mistake {
                before,
                played: reviewed.played,
                refutation: reviewed.refutation.clone(),
                better: reviewed.better.clone(),
            };
            let previous = ply.checked_sub(1).and_then(|earlier| {
                Some((*positions.get(earlier)?, review.moves.get(earlier)?.played))
            });
            all.extend(Exercise::new(mistake, &also, previous, reviewed.chances));
        }
        Ok(all)
    })
}

/// The moves that are about as good as the best, that first.
fn good_moves(
    engine: &mut dyn Thinker,
    position: &Position,
    settings: &ReviewSettings,
    stop: &Stop,
) -> Result<Vec<Move>, Stopped> {
    let nodes = settings.nodes.max(ReviewSettings::LEAST_NODES).saturating_mul(MORE);
    let limits = Limits { nodes: Some(nodes), multipv: Some(COMPARED), ..Limits::default() };
    let mut lines = Lines::new(COMPARED);
    // Our engine does not fail.
    let _ = engine.think(&Played::from_position(*position), &limits, stop, &mut |info| {
        lines.hear(info);
    });
    if stop.is_stopped() {
        return Err(Stopped);
    }
    let chances = |score| Assessment::of(score, Color::White).chances();
    let Some(best) = lines.best().map(|line| chances(line.score)) else { return Ok(Vec::new()) };
    let good = lines.all().filter(|line| Judgement::of_loss(best - chances(line.score)).is_none());
    Ok(good.filter_map(|line| line.pv.first().copied()).collect())
}
