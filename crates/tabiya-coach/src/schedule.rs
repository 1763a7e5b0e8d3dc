//! When an exercise comes back: the Free Spaced Repetition Scheduler, version 6, by its published formulas and the
//! published default weights.

use core::fmt;
use core::str::FromStr;

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// The published default weights of FSRS-6.
const WEIGHTS: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835,
    0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// No memory is weaker than that, in days.
const LEAST_STABILITY: f64 = 0.001;
/// Nothing is put off longer than a hundred years, in days.
const LONGEST: f64 = 36_500.0;

/// How well something was known.
///
/// ```
/// use tabiya_coach::Grade;
///
/// assert_eq!("hard".parse(), Ok(Grade::Hard));
/// assert!(Grade::Again < Grade::Easy);
/// assert_eq!(Grade::Good.to_string(), "good");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// Not known.
    Again,
    /// Known, with trouble.
    Hard,
    /// Known.
    Good,
    /// Known at once.
    Easy,
}

impl Grade {
    /// All of them, the worst first.
    pub const ALL: [Grade; 4] = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy];

    /// Its name in addresses and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Again => "again",
            Grade::Hard => "hard",
            Grade::Good => "good",
            Grade::Easy => "easy",
        }
    }

    /// What somebody is offered to call an answer, by how it went: how many wrong moves were tried, how many steps of a hint
    /// were told, and whether the answer came at once. Whoever was told the move did not know it.
    ///
    /// ```
    /// # use tabiya_coach::Grade;
    /// assert_eq!(Grade::proposed(0, 0, false), Grade::Good);
    /// assert_eq!(Grade::proposed(1, 0, true), Grade::Hard);
    /// assert_eq!(Grade::proposed(0, 3, true), Grade::Again);
    /// ```
    pub const fn proposed(wrong: u32, steps: u32, at_once: bool) -> Grade {
        match (wrong, steps) {
            (3.., _) | (_, 3..) => Grade::Again,
            (1.., _) | (_, 1..) => Grade::Hard,
            _ if at_once => Grade::Easy,
            _ => Grade::Good,
        }
    }

    /// From 1 to 4, as the formulas count.
    const fn number(self) -> f64 {
        match self {
            Grade::Again => 1.0,
            Grade::Hard => 2.0,
            Grade::Good => 3.0,
            Grade::Easy => 4.0,
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What was read is not a grade.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownGrade;

impl fmt::Display for UnknownGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the grade is none of again, hard, good, easy")
    }
}

impl core::error::Error for UnknownGrade {}

impl FromStr for Grade {
    type Err = UnknownGrade;

    fn from_str(text: &str) -> Result<Grade, UnknownGrade> {
        Grade::ALL.into_iter().find(|grade| grade.name() == text).ok_or(UnknownGrade)
    }
}

/// How well an exercise sits. Times are milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Memory {
    /// After so many days it is still known nine times out of ten.
    pub stability: f64,
    /// From 1 to 10.
    pub difficulty: f64,
    /// The step of learning, or of learning again, on which it stands; none when it comes back after days.
    pub step: Option<u8>,
    /// Whether it was known once: it is learned again then, not for the first time.
    pub was_known: bool,
    /// When it was answered last.
    pub answered: i64,
    /// When it comes back.
    pub due: i64,
}

/// Decides when exercises come back.
///
/// ```
/// use tabiya_coach::{Grade, Scheduler};
///
/// let scheduler = Scheduler::default();
/// let known = scheduler.answer(None, Grade::Good, 0);
/// assert_eq!(known.due, 2 * 24 * 3_600_000); // in two days
/// let forgotten = scheduler.answer(Some(&known), Grade::Again, known.due);
/// assert_eq!(forgotten.due - known.due, 600_000); // in ten minutes
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Scheduler {
    weights: [f64; 21],
    /// How likely it should be that something is known when it comes back.
    retention: f64,
    /// The first steps of what is new, in milliseconds, and of what was forgotten.
    learning: Vec<i64>,
    learning_again: Vec<i64>,
}

impl Default for Scheduler {
    /// Nine of ten are known when they come back, and what was not known comes back after ten minutes.
    fn default() -> Scheduler {
        Scheduler {
            weights: WEIGHTS,
            retention: 0.9,
            learning: vec![10 * MINUTE],
            learning_again: vec![10 * MINUTE],
        }
    }
}

impl Scheduler {
    /// How well an exercise sits after an answer; nothing is remembered of a new one. An answer that comes before the
    /// last one, from a clock that was set back, counts as given with it.
    pub fn answer(&self, before: Option<&Memory>, grade: Grade, at: i64) -> Memory {
        let Some(before) = before else {
            let stability = self.first_stability(grade).max(LEAST_STABILITY);
            let difficulty = self.first_difficulty(grade).clamp(1.0, 10.0);
            return self.placed(stability, difficulty, Some(0), false, grade, at);
        };
        let at = at.max(before.answered);
        let days = (at - before.answered) / DAY;
        let stability = match days {
            0 => self.same_day(before.stability, grade),
            days => self.after_days(before, days as f64, grade),
        };
        let difficulty = self.next_difficulty(before.difficulty, grade);
        let forgot = before.step.is_none() && grade == Grade::Again;
        let step = if forgot { Some(0) } else { before.step };
        let was_known = before.was_known || before.step.is_none();
        self.placed(stability.max(LEAST_STABILITY), difficulty, step, was_known, grade, at)
    }

    /// How likely it is that an exercise is known now.
    pub fn recall(&self, memory: &Memory, now: i64) -> f64 {
        self.retrievability(((now - memory.answered) / DAY).max(0) as f64, memory.stability)
    }

    /// Where something stands after an answer: on a step, or days away.
    fn placed(
        &self,
        stability: f64,
        difficulty: f64,
        step: Option<u8>,
        was_known: bool,
        grade: Grade,
        at: i64,
    ) -> Memory {
        let steps = if was_known { &self.learning_again } else { &self.learning };
        let (step, wait) = match next_step(steps, step, grade) {
            Some((step, wait)) => (Some(step), wait),
            None => (None, self.interval(stability) * DAY),
        };
        let due = at.saturating_add(wait);
        Memory { stability, difficulty, step, was_known, answered: at, due }
    }

    fn decay(&self) -> f64 {
        -self.weights[20]
    }

    fn factor(&self) -> f64 {
        0.9_f64.powf(1.0 / self.decay()) - 1.0
    }

    fn retrievability(&self, days: f64, stability: f64) -> f64 {
        (1.0 + self.factor() * days / stability).powf(self.decay())
    }

    /// After how many whole days it is as likely to be known as is wanted.
    fn interval(&self, stability: f64) -> i64 {
        let days = stability / self.factor() * (self.retention.powf(1.0 / self.decay()) - 1.0);
        days.round_ties_even().clamp(1.0, LONGEST) as i64
    }

    fn first_stability(&self, grade: Grade) -> f64 {
        let [again, hard, good, easy, ..] = self.weights;
        match grade {
            Grade::Again => again,
            Grade::Hard => hard,
            Grade::Good => good,
            Grade::Easy => easy,
        }
    }

    fn first_difficulty(&self, grade: Grade) -> f64 {
        let w = &self.weights;
        w[4] - (w[5] * (grade.number() - 1.0)).exp() + 1.0
    }

    fn next_difficulty(&self, difficulty: f64, grade: Grade) -> f64 {
        let w = &self.weights;
        let change = -w[6] * (grade.number() - 3.0);
        let damped = difficulty + change * (10.0 - difficulty) / 9.0;
        let next = w[7] * self.first_difficulty(Grade::Easy) + (1.0 - w[7]) * damped;
        next.clamp(1.0, 10.0)
    }

    fn same_day(&self, stability: f64, grade: Grade) -> f64 {
        let w = &self.weights;
        let grows = (w[17] * (grade.number() - 3.0 + w[18])).exp() * stability.powf(-w[19]);
        stability * if grade >= Grade::Good { grows.max(1.0) } else { grows }
    }

    fn after_days(&self, before: &Memory, days: f64, grade: Grade) -> f64 {
        let w = &self.weights;
        let (s, d) = (before.stability, before.difficulty);
        let forgotten = 1.0 - self.retrievability(days, s);
        if grade == Grade::Again {
            let long =
                w[11] * d.powf(-w[12]) * ((s + 1.0).powf(w[13]) - 1.0) * (forgotten * w[14]).exp();
            return long.min(s / (w[17] * w[18]).exp());
        }
        let by_grade = match grade {
            Grade::Hard => w[15],
            Grade::Easy => w[16],
            _ => 1.0,
        };
        let growth = w[8].exp() * (11.0 - d) * s.powf(-w[9]) * ((forgotten * w[10]).exp() - 1.0);
        s * (1.0 + growth * by_grade)
    }
}

/// The step on which something stands after an answer, and how long it stays there; none when the steps are over.
fn next_step(steps: &[i64], step: Option<u8>, grade: Grade) -> Option<(u8, i64)> {
    let step = step?;
    let here = *steps.get(usize::from(step))?;
    match grade {
        Grade::Again => steps.first().map(|&first| (0, first)),
        Grade::Hard => Some(match (step, steps) {
            (0, [first]) => (0, first * 3 / 2),
            (0, [first, second, ..]) => (0, (first + second) / 2),
            _ => (step, here),
        }),
        Grade::Good => steps.get(usize::from(step) + 1).map(|&next| (step + 1, next)),
        Grade::Easy => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// With the steps that the published examples have.
    fn published() -> Scheduler {
        Scheduler {
            learning: vec![MINUTE, 10 * MINUTE],
            learning_again: vec![10 * MINUTE],
            ..Scheduler::default()
        }
    }

    /// Answers a new exercise, each time so many days after the last answer.
    fn after(scheduler: &Scheduler, answers: &[(Grade, i64)]) -> Memory {
        let mut memory: Option<Memory> = None;
        let mut at = 0;
        for &(grade, days) in answers {
            at += days * DAY;
            memory = Some(scheduler.answer(memory.as_ref(), grade, at));
        }
        memory.unwrap()
    }

    #[test]
    fn the_published_history_of_intervals() {
        use Grade::{Again, Good};
        let mut memory: Option<Memory> = None;
        let mut at = 0;
        let mut days = Vec::new();
        let grades =
            [Good, Good, Good, Good, Good, Good, Again, Again, Good, Good, Good, Good, Good];
        for grade in grades {
            let next = published().answer(memory.as_ref(), grade, at);
            days.push((next.due - at) / DAY);
            at = next.due;
            memory = Some(next);
        }
        assert_eq!(days, [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]);
    }

    #[test]
    fn the_published_states_of_memory() {
        use Grade::{Again, Good};
        let history = [(Again, 0), (Good, 0), (Good, 1), (Good, 3), (Good, 8), (Good, 21)];
        let memory = after(&published(), &history);
        assert!((memory.stability - 53.62691).abs() < 1e-4, "{memory:?}");
        assert!((memory.difficulty - 6.3574867).abs() < 1e-4, "{memory:?}");
        // Without the formula for answers of the same day.
        let mut frozen = published();
        frozen.weights[17..20].fill(0.0);
        let memory = after(&frozen, &history);
        assert!((memory.stability - 53.335106).abs() < 1e-4, "{memory:?}");
        let first = [(0.212, 6.4133), (1.2931, 5.1121707), (2.3065, 2.118104), (8.2956, 1.0)];
        for (grade, (stability, difficulty)) in Grade::ALL.into_iter().zip(first) {
            let memory = after(&published(), &[(grade, 0)]);
            assert!((memory.stability - stability).abs() < 1e-6, "{memory:?}");
            assert!((memory.difficulty - difficulty).abs() < 1e-6, "{memory:?}");
        }
    }

    #[test]
    fn the_published_curve_of_forgetting() {
        let mut scheduler = published();
        scheduler.weights[20] = 0.2;
        for (days, known) in [(0.0, 1.0), (1.0, 0.9), (2.0, 0.84028935), (3.0, 0.7985001)] {
            assert!((scheduler.retrievability(days, 1.0) - known).abs() < 1e-6, "{days}");
        }
    }

    fn grade() -> impl Strategy<Value = Grade> {
        prop::sample::select(Grade::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn whatever_is_answered_stays_within_bounds(
            answers in prop::collection::vec((grade(), 0_i64..2000), 1..30)
        ) {
            let scheduler = Scheduler::default();
            let mut memory: Option<Memory> = None;
            let mut at = 0;
            for (grade, days) in answers {
                at += days * DAY;
                let next = scheduler.answer(memory.as_ref(), grade, at);
                prop_assert!(next.stability >= LEAST_STABILITY && next.stability.is_finite());
                prop_assert!((1.0..=10.0).contains(&next.difficulty));
                prop_assert!(next.due > at && next.due - at <= LONGEST as i64 * DAY);
                prop_assert!((0.0..=1.0).contains(&scheduler.recall(&next, at + days * DAY)));
                memory = Some(next);
            }
        }

        #[test]
        fn a_better_answer_never_comes_back_sooner(
            answers in prop::collection::vec((grade(), 0_i64..400), 0..12), days in 0_i64..400
        ) {
            let scheduler = Scheduler::default();
            let before = (!answers.is_empty()).then(|| after(&scheduler, &answers));
            let at = before.map_or(0, |memory| memory.answered) + days * DAY;
            let dues = Grade::ALL.map(|grade| scheduler.answer(before.as_ref(), grade, at).due);
            prop_assert!(dues.is_sorted(), "{dues:?}");
        }

        #[test]
        fn a_clock_that_is_set_back_does_no_harm(grade in grade(), back in 0_i64..10_000_000_000) {
            let scheduler = Scheduler::default();
            let known = scheduler.answer(None, Grade::Good, 0);
            let next = scheduler.answer(Some(&known), grade, -back);
            prop_assert_eq!(next, scheduler.answer(Some(&known), grade, 0));
        }
    }
}
