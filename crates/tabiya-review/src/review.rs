use tabiya_base::Score;
use tabiya_chess::{Color, Move, Position};
use tabiya_coach::{Mistake, Reasons, reasons};
use tabiya_pgn::Game;

use crate::accuracy::{move_accuracy, of_side, weights};
use crate::analysis::{Thought, deeper};
use crate::{Assessment, Evaluation, Judgement, Opening, Phases, TimeUse};

/// What there is to say about a game.
///
/// ```
/// use tabiya_chess::Color;
/// use tabiya_base::Stop;
/// use tabiya_review::{ReviewSettings, review};
///
/// let game = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".parse()?;
/// let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
/// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
/// assert_eq!(review.performance(Color::Black).blunders(), 1);
/// assert!(review.performance(Color::White).accuracy > review.performance(Color::Black).accuracy);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// How many positions the engine looked at for each position of the game; each [`Evaluation`] tells if it was more.
    pub nodes: u64,
    /// Where the game begins.
    pub position: Position,
    /// What that is worth.
    pub start: Evaluation,
    /// The moves of the main line.
    pub moves: Vec<Reviewed>,
    /// White and Black.
    pub performances: [Performance; 2],
    /// The opening, if it has a name.
    pub opening: Option<Opening>,
    /// Where middlegame and endgame begin.
    pub phases: Phases,
    /// Where the time went, if the record tells.
    pub times: Option<TimeUse>,
}

/// A move, and what is to say about it.
///
/// ```
/// # use tabiya_base::Stop;
/// # use tabiya_review::{ReviewSettings, review};
/// # let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
/// let game = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".parse()?;
/// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
/// let king = &review.moves[3];
/// assert_eq!((king.number, king.san.as_str()), (2, "Ke7"));
/// assert!(king.sentence().unwrap().starts_with("Blunder, allows mate in 1: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Reviewed {
    /// The move.
    pub played: Move,
    /// The move in algebraic notation.
    pub san: String,
    /// The move as programs write it: `g1f3`.
    pub code: String,
    /// Its number.
    pub number: u16,
    /// Who made it.
    pub color: Color,
    /// What the position after it is worth.
    pub evaluation: Evaluation,
    /// The winning chances of the player before it and after it, in per cent.
    pub chances: [f64; 2],
    /// The points of winning chances that it gave away.
    pub loss: f64,
    /// The centipawns that it gave away.
    pub centipawns: u32,
    /// How accurate it was, in per cent.
    pub accuracy: f64,
    /// What is wrong with it.
    pub judgement: Option<Judgement>,
    /// What the engine would have played; for a judged move with the line that follows. Empty if it is this move.
    pub better: Vec<Move>,
    /// The same in algebraic notation.
    pub better_san: Vec<String>,
    /// The same as programs write it.
    pub better_codes: Vec<String>,
    /// For a judged move, how it is punished: the line that follows it. Empty if the game is over.
    pub refutation: Vec<Move>,
    /// The same in algebraic notation.
    pub refutation_san: Vec<String>,
    /// What was worth mentioning: a mate in so many moves that was missed (positive) or allowed (negative).
    mate: Option<i32>,
}

/// How well a side played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Performance {
    /// In per cent, rounded to tenths; none without moves.
    pub accuracy: Option<f64>,
    /// Centipawns given away by a move on average, rounded; none without moves.
    pub average_loss: Option<u32>,
    /// Inaccuracies, mistakes and blunders.
    pub counts: [u32; 3],
}

impl Performance {
    /// How many inaccuracies.
    pub const fn inaccuracies(&self) -> u32 {
        self.counts[0]
    }

    /// How many mistakes.
    pub const fn mistakes(&self) -> u32 {
        self.counts[1]
    }

    /// How many blunders.
    pub const fn blunders(&self) -> u32 {
        self.counts[2]
    }
}

impl Reviewed {
    pub(crate) fn new(before: &Position, played: Move, thoughts: [&Thought; 2]) -> Reviewed {
        let color = before.turn();
        let [then, now] = thoughts.map(|thought| thought.evaluation.worth.seen_by(color));
        let [first, second] = [then, now].map(Assessment::chances);
        let best = thoughts[0].line.first().copied();
        // What the engine would have done is no fault, even if it has second thoughts a move later; and
        // nothing can go wrong in a game that is over.
        let differs = best.is_some_and(|best| best != played);
        let judgement = Judgement::of(then, now).filter(|_| differs);
        let loss = if differs { (first - second).max(0.0) } else { 0.0 };
        let centipawns = then.centipawns() - now.centipawns();
        let mut better = if differs { thoughts[0].line.clone() } else { Vec::new() };
        let mut refutation = Vec::new();
        match judgement {
            None => better.truncate(1),
            Some(_) => refutation.clone_from(&thoughts[1].line),
        }
        let mate = match (then, now) {
            (Assessment::Score(Score::Mate(missed @ 1..)), worth)
                if worth.chances() < 100.0 || !is_mate(worth) =>
            {
                Some(missed)
            }
            (worth, Assessment::Score(Score::Mate(allowed @ ..0)))
                if !matches!(worth, Assessment::Score(Score::Mate(..0))) =>
            {
                Some(allowed)
            }
            _ => None,
        };
        Reviewed {
            played,
            san: before.san(played),
            code: before.uci(played),
            number: before.fullmove_number(),
            color,
            evaluation: thoughts[1].evaluation,
            chances: [first, second],
            loss,
            centipawns: if differs { centipawns.max(0).unsigned_abs() } else { 0 },
            accuracy: move_accuracy(loss),
            judgement,
            better_san: written(before, &better, Position::san),
            better_codes: written(before, &better, Position::uci),
            better,
            refutation_san: before
                .play(played)
                .map(|after| written(&after, &refutation, Position::san))
                .unwrap_or_default(),
            refutation,
            mate,
        }
    }

    /// What is wrong with the move, as a sentence.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{ReviewSettings, review};
    /// # let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
    /// let game = "1. e4 e5 *".parse()?;
    /// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
    /// assert_eq!(review.moves[0].sentence(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sentence(&self) -> Option<String> {
        let word = match self.judgement? {
            Judgement::Inaccuracy => "Inaccuracy",
            Judgement::Mistake => "Mistake",
            Judgement::Blunder => "Blunder",
        };
        let best = self.better_san.first()?;
        let [before, after] = self.chances;
        let what = match self.mate {
            Some(moves @ 1..) => format!("misses mate in {moves}"),
            Some(moves) => format!("allows mate in {}", -moves),
            None => format!("{before:.0}% to {after:.0}%"),
        };
        Some(format!("{word}, {what}: {best} was better."))
    }
}

/// Whether a text is the sentence of a review.
pub(crate) fn is_sentence(text: &str) -> bool {
    let starts = ["Inaccuracy, ", "Mistake, ", "Blunder, "];
    starts.iter().any(|start| text.starts_with(start)) && text.ends_with(" was better.")
}

fn is_mate(worth: Assessment) -> bool {
    matches!(worth, Assessment::Score(Score::Mate(_)))
        || matches!(worth, Assessment::Over(outcome) if outcome.winner().is_some())
}

fn written(start: &Position, line: &[Move], write: fn(&Position, Move) -> String) -> Vec<String> {
    let mut position = *start;
    let mut texts = Vec::with_capacity(line.len());
    for &m in line {
        let Ok(next) = position.play(m) else { break };
        texts.push(write(&position, m));
        position = next;
    }
    texts
}

impl Review {
    /// The review of a game from what the engine thought of its positions, one more than there are moves.
    pub(crate) fn new(game: &Game, nodes: u64, thoughts: &[Thought]) -> Review {
        let played = game.to_play();
        let pairs = thoughts.iter().zip(thoughts.iter().skip(1));
        let moves: Vec<Reviewed> = played
            .positions()
            .zip(played.moves())
            .zip(pairs)
            .map(|((before, &m), (then, now))| Reviewed::new(before, m, [then, now]))
            .collect();
        let even = Evaluation { worth: Assessment::EVEN, depth: 0, nodes: 0 };
        let start = thoughts.first().map_or(even, |first| first.evaluation);
        let chances: Vec<f64> =
            thoughts.iter().map(|thought| thought.evaluation.worth.chances()).collect();
        let weights = weights(&chances);
        Review {
            nodes,
            position: *played.start(),
            start,
            performances: Color::ALL.map(|color| performance(color, &moves, &weights)),
            moves,
            opening: Opening::of(&played),
            phases: Phases::of(&played),
            times: TimeUse::of(game),
        }
    }

    /// How well a side played.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{ReviewSettings, review};
    /// # let settings = ReviewSettings { nodes: 1_000, ..ReviewSettings::default() };
    /// let review = review(&"1. e4 *".parse()?, &settings, &mut |_, _| {}, &Stop::default())?;
    /// assert!(review.performance(Color::White).accuracy.is_some());
    /// assert!(review.performance(Color::Black).accuracy.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn performance(&self, color: Color) -> &Performance {
        let [white, black] = &self.performances;
        match color {
            Color::White => white,
            Color::Black => black,
        }
    }

    /// Why a judged move was bad, and why the better one is better, as far as that can be proved; the first move is 0. Takes
    /// some milliseconds.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{ReviewSettings, review};
    /// # let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
    /// let game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
    /// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
    /// let wrong = review.reasons(2).wrong.unwrap();
    /// assert_eq!(wrong.text(tabiya_coach::Voice::Nobody), "2...Qh4# is mate.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reasons(&self, index: usize) -> Reasons {
        let Some(reviewed) = self.moves.get(index).filter(|one| one.judgement.is_some()) else {
            return Reasons::default();
        };
        let mut before = self.position;
        for earlier in self.moves.iter().take(index) {
            before.play_unchecked(earlier.played);
        }
        reasons(&Mistake {
            before,
            played: reviewed.played,
            refutation: reviewed.refutation.clone(),
            better: reviewed.better.clone(),
        })
    }

    /// Whether a deeper look is to be had: at the positions before and after a half-move (the first is 1), or at all.
    pub fn can_deepen(&self, half_move: Option<usize>) -> bool {
        let had: Vec<u64> = self.evaluations().map(|evaluation| evaluation.nodes).collect();
        half_move.is_none_or(|ply| (1..had.len()).contains(&ply))
            && !deeper(&had, half_move).is_empty()
    }

    /// What all positions are worth, the start first.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{ReviewSettings, review};
    /// # let settings = ReviewSettings { nodes: 1_000, ..ReviewSettings::default() };
    /// let review = review(&"1. e4 *".parse()?, &settings, &mut |_, _| {}, &Stop::default())?;
    /// assert_eq!(review.evaluations().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluations(&self) -> impl Iterator<Item = Evaluation> + '_ {
        std::iter::once(self.start).chain(self.moves.iter().map(|reviewed| reviewed.evaluation))
    }
}

fn performance(color: Color, moves: &[Reviewed], weights: &[f64]) -> Performance {
    let own = || moves.iter().zip(weights).filter(|(reviewed, _)| reviewed.color == color);
    let accuracies: Vec<(f64, f64)> =
        own().map(|(reviewed, &weight)| (reviewed.accuracy, weight)).collect();
    let lost: u32 = own().map(|(reviewed, _)| reviewed.centipawns).sum();
    let count = accuracies.len() as u32;
    Performance {
        accuracy: of_side(&accuracies),
        average_loss: (count > 0).then(|| (lost + count / 2) / count.max(1)),
        counts: Judgement::ALL.map(|judgement| {
            own().filter(|(reviewed, _)| reviewed.judgement == Some(judgement)).count() as u32
        }),
    }
}
