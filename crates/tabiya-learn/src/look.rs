use tabiya_base::fold;
use tabiya_chess::Color;
use tabiya_pgn::Game;
use tabiya_play::{GameKind, Player, PlayerKind, Side};
use tabiya_review::{Review, ReviewSettings, Stop, Stopped, exercises, fingerprint, review};
use tabiya_store::{Findings, GameId, Store, StoreError, Stored};
use thiserror::Error;

use crate::Lesson;

/// Longer games are no games of people; in half-moves.
const LONGEST: usize = 600;

/// Why a game was not looked through.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LearnError {
    /// It was stopped, and can be done again.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The disk says no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What came of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Learned {
    /// The learner's side; none if they did not play in it.
    pub side: Option<Side>,
    /// How many exercises it gave.
    pub exercises: usize,
    /// How many of them are new.
    pub new: usize,
}

/// The side of somebody with these names in a game: the one that bears a name, or the only person without a name.
///
/// ```
/// use tabiya_learn::side_of;
/// use tabiya_play::Side;
///
/// let players = ["human:Márta", "tabiya:1400"].map(|text| text.parse().unwrap());
/// assert_eq!(side_of(&players, None, &["marta".to_owned()]), Some(Side::White));
/// assert_eq!(side_of(&players, None, &[]), None);
/// let players = ["tabiya:1400", "human"].map(|text| text.parse().unwrap());
/// assert_eq!(side_of(&players, None, &[]), Some(Side::Black));
/// ```
pub fn side_of(players: &[Player; 2], guest: Option<Side>, names: &[String]) -> Option<Side> {
    let known = |side: Side| {
        let PlayerKind::Human(Some(name)) = &player(players, side).kind else { return false };
        names.iter().any(|one| fold(one) == fold(name))
    };
    let nameless = |side: Side| *player(players, side) == Player::HUMAN;
    let named = Side::BOTH.into_iter().find(|&side| known(side));
    named.or_else(|| match guest {
        // Whoever has invited somebody sits on the other side.
        Some(guest) => Some(other(guest)).filter(|&side| nameless(side)),
        None => {
            let mut nameless = Side::BOTH.into_iter().filter(|&side| nameless(side));
            nameless.next().filter(|_| nameless.next().is_none())
        }
    })
}

fn player(players: &[Player; 2], side: Side) -> &Player {
    let [white, black] = players;
    if side == Side::White { white } else { black }
}

const fn other(side: Side) -> Side {
    match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
    }
}

/// Looks through a game of somebody with these names. Its review is taken from the store, or made and kept there; every
/// mistake becomes a card, unless the same position has one from another game. Whether or not it gave anything, the game
/// counts as looked through. `progress` and `stop` are those of a review.
pub fn learn_from(
    store: &Store,
    id: GameId,
    names: &[String],
    settings: &ReviewSettings,
    progress: &mut (dyn FnMut(usize, usize) + Send),
    stop: &Stop,
) -> Result<Learned, LearnError> {
    let stored = store.load(id)?;
    let plies = stored.summary.plies;
    let Some((side, mut game)) = ours(store, &stored, names)? else {
        store.pass_over(id)?;
        return Ok(Learned::default());
    };
    let key = fingerprint(&game, settings);
    let kept = store.load_review(&key)?.and_then(|record| record.parse().ok());
    let read = kept.as_ref().and_then(Review::read);
    let review = match read {
        Some(review) => review,
        None => {
            let made = review(&game, settings, progress, stop)?;
            made.annotate(&mut game);
            store.keep_review(&key, &game.to_string())?;
            made
        }
    };
    let color = if side == Side::White { Color::White } else { Color::Black };
    let found = exercises(&game, &review, color, settings, stop)?;
    let exercises = found.len();
    let mut cards = Vec::new();
    for lesson in lessons(&stored, &game, &review, found) {
        let card = lesson.card();
        let known = store.find_card(card.kind, &card.key)?;
        let elsewhere = known.is_some_and(|known| {
            Lesson::read(&known.content.payload).is_ok_and(|known| known.game != id)
        });
        if !elsewhere {
            cards.push(card);
        }
    }
    let performance = review.performance(color);
    let moves = review.moves.iter().filter(|one| one.color == color).count() as u32;
    let accuracy = performance.accuracy;
    let findings =
        Findings { plies, side: Some(side), accuracy, moves, counts: performance.counts };
    let new = store.keep_findings(id, findings, cards)?;
    Ok(Learned { side: Some(side), exercises, new })
}

/// The side of the learner, and the game.
fn ours(
    store: &Store,
    stored: &Stored,
    names: &[String],
) -> Result<Option<(Side, Game)>, StoreError> {
    if stored.summary.kind != GameKind::Chess {
        return Ok(None);
    }
    let guest = stored.friend.and_then(|friend| friend.seat);
    let Some(side) = side_of(&stored.setup.players, guest, names) else { return Ok(None) };
    let game: Option<Game> = store.export(stored.summary.id)?.parse().ok();
    let is_readable = |game: &Game| (1..=LONGEST).contains(&game.tree().main_line().count());
    Ok(game.filter(is_readable).map(|game| (side, game)))
}

/// Exercises with the places they come from.
fn lessons(
    stored: &Stored,
    game: &Game,
    review: &Review,
    found: Vec<tabiya_coach::Exercise>,
) -> Vec<Lesson> {
    let played = game.to_play();
    let positions: Vec<_> = played.positions().collect();
    let name = |side: Side| player(&stored.setup.players, side).title();
    let make = |exercise: tabiya_coach::Exercise| {
        let before = &exercise.mistake.before;
        let here = |index: &usize| {
            let same = positions.get(*index).is_some_and(|position| *position == before);
            let reviewed = review.moves.get(*index);
            same && reviewed.is_some_and(|one| one.played == exercise.mistake.played)
        };
        let index = (0..review.moves.len()).find(here)?;
        let worth: Vec<String> = review
            .evaluations()
            .skip(index)
            .take(2)
            .map(|evaluation| evaluation.worth.to_string())
            .collect();
        let last = index.checked_sub(1).and_then(|earlier| review.moves.get(earlier));
        Some(Lesson {
            game: stored.summary.id,
            ply: index as u32 + 1,
            players: Side::BOTH.map(name),
            day: stored.summary.date.clone(),
            last: last.map(|one| one.code.clone()),
            worth: worth.try_into().ok()?,
            exercise,
        })
    };
    found.into_iter().filter_map(make).collect()
}
