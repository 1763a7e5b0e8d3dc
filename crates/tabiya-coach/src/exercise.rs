use core::fmt;
use core::str::FromStr;

use tabiya_chess::{Move, Position};
use tabiya_tactics::{Goal, LONGEST, Tactic, Theme, recognise};

use crate::Mistake;

/// From so many points in a hundred on a game is won among people; with fewer than [`HELD`] it is not held.
const WON: f64 = 75.0;
const HELD: f64 = 40.0;
/// A win or a draw that is given away leaves at most so many.
const NOT_WON: f64 = 65.0;
const LOST: f64 = 25.0;

/// What an exercise is about.
///
/// ```
/// use tabiya_coach::Topic;
/// use tabiya_tactics::Theme;
///
/// assert_eq!("fork".parse(), Ok(Topic::Theme(Theme::Fork)));
/// assert_eq!(Topic::MissedWin.label(), "Missed win");
/// assert!("forks".parse::<Topic>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// As with puzzles: in the better line, or in the one that punishes the mistake.
    Theme(Theme),
    /// A won game was no longer won.
    MissedWin,
    /// A game that was held was lost.
    MissedDefence,
}

impl Topic {
    /// Its name in addresses and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Topic::Theme(theme) => theme.name(),
            Topic::MissedWin => "missed-win",
            Topic::MissedDefence => "missed-defence",
        }
    }

    /// What people call it.
    pub const fn label(self) -> &'static str {
        match self {
            Topic::Theme(theme) => theme.label(),
            Topic::MissedWin => "Missed win",
            Topic::MissedDefence => "Missed defence",
        }
    }
}

/// What was read is not a topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownTopic;

impl fmt::Display for UnknownTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such topic")
    }
}

impl core::error::Error for UnknownTopic {}

impl FromStr for Topic {
    type Err = UnknownTopic;

    fn from_str(text: &str) -> Result<Topic, UnknownTopic> {
        let missed = [Topic::MissedWin, Topic::MissedDefence].into_iter();
        let topic = missed.chain(Theme::ALL.map(Topic::Theme)).find(|topic| topic.name() == text);
        topic.ok_or(UnknownTopic)
    }
}

/// A mistake that is to be done better. As text, six parts with bars between: FEN, the move played, the line that
/// punishes it, the better line, all moves that are accepted, and topics.
///
/// ```
/// use tabiya_coach::{Answer, Exercise};
///
/// let text = "4r1k1/5ppp/8/4N3/8/3Q4/5PPP/6K1 w - - 0 30 | d3b3 | e8e5 | d3g3 | d3g3 f2f4 | hanging-piece";
/// let exercise: Exercise = text.parse()?;
/// assert_eq!(exercise.to_string(), text);
/// assert_eq!(exercise.judge("f4")?, Answer::Good);
/// assert_eq!(exercise.judge("Qb3")?, Answer::AsPlayed);
/// assert_eq!(exercise.judge("h3")?, Answer::Wrong);
/// assert!(exercise.judge("Nz9").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Exercise {
    /// The mistake, with what was better.
    pub mistake: Mistake,
    /// All moves that are accepted, the best first.
    pub good: Vec<Move>,
    /// What it is about.
    pub topics: Vec<Topic>,
}

/// What is said to a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// One of those that are accepted.
    Good,
    /// The mistake again.
    AsPlayed,
    /// Another one that is not good enough.
    Wrong,
}

impl Exercise {
    /// An exercise from a mistake: the moves that are accepted beside the better one, the move before it if there was
    /// one, and the player's chances in a hundred before and after it. None where nothing better is known.
    pub fn new(
        mistake: Mistake,
        also_good: &[Move],
        previous: Option<(&Position, Move)>,
        chances: [f64; 2],
    ) -> Option<Exercise> {
        let best = *mistake.better.first()?;
        let mut good = vec![best];
        let others = also_good.iter().filter(|&&m| m != best && m != mistake.played);
        good.extend(others.filter(|&&m| mistake.before.is_legal(m)));
        let topics = topics(&mistake, previous, chances);
        Some(Exercise { mistake, good, topics })
    }

    /// By what it is known: the same position is the same exercise.
    pub fn id(&self) -> i64 {
        self.mistake.before.repetition_key().cast_signed()
    }

    /// Judges a move in any notation; an error is a sentence about what cannot be played.
    pub fn judge(&self, text: &str) -> Result<Answer, String> {
        let m = self.mistake.before.parse_move(text).map_err(|error| error.to_string())?;
        Ok(match m {
            m if self.good.contains(&m) => Answer::Good,
            m if m == self.mistake.played => Answer::AsPlayed,
            _ => Answer::Wrong,
        })
    }
}

/// What a mistake is about: what would have been found, and what was overlooked.
fn topics(
    mistake: &Mistake,
    previous: Option<(&Position, Move)>,
    [before, after]: [f64; 2],
) -> Vec<Topic> {
    let solved = previous.map_or_else(Vec::new, |(position, m)| {
        themes(position, m, &mistake.better, if before < 60.0 { Goal::Save } else { Goal::Win })
    });
    let phases = [Theme::Opening, Theme::Middlegame];
    let overlooked = themes(&mistake.before, mistake.played, &mistake.refutation, Goal::Win);
    let mut all: Vec<Topic> = solved.into_iter().chain(overlooked).map(Topic::Theme).collect();
    all.retain(|topic| !phases.map(Topic::Theme).contains(topic));
    if before >= WON && after < NOT_WON {
        all.push(Topic::MissedWin);
    }
    if (HELD..WON).contains(&before) && after < LOST {
        all.push(Topic::MissedDefence);
    }
    all.sort();
    all.dedup();
    all
}

/// The themes of a line after a move, as far as a puzzle goes.
fn themes(before: &Position, m: Move, line: &[Move], goal: Goal) -> Vec<Theme> {
    let most = line.len().min(2 * LONGEST - 1);
    let odd = most - usize::from(most.is_multiple_of(2) && most > 0);
    let moves: Vec<Move> = core::iter::once(m).chain(line.iter().take(odd).copied()).collect();
    let tactic = [Goal::Mate, goal]
        .into_iter()
        .find_map(|goal| Tactic::new(*before, moves.clone(), goal, 0).ok());
    tactic.map_or_else(Vec::new, |tactic| recognise(&tactic).iter().collect())
}

impl fmt::Display for Exercise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake { before, played, refutation, better } = &self.mistake;
        let line = |start: &Position, moves: &[Move]| {
            let mut position = *start;
            let code = |&m: &Move| {
                let code = position.uci(m);
                position.play_unchecked(m);
                code
            };
            moves.iter().map(code).collect::<Vec<_>>().join(" ")
        };
        let good: Vec<String> = self.good.iter().map(|&m| before.uci(m)).collect();
        let topics: Vec<&str> = self.topics.iter().map(|topic| topic.name()).collect();
        write!(
            f,
            "{} | {} | {} | {} | {} | {}",
            before.fen(),
            before.uci(*played),
            line(&self.mistake.after(), refutation),
            line(before, better),
            good.join(" "),
            topics.join(" ")
        )
    }
}

impl FromStr for Exercise {
    type Err = String;

    fn from_str(text: &str) -> Result<Exercise, String> {
        let parts: Vec<&str> = text.split('|').map(str::trim).collect();
        let &[fen, played, refutation, better, good, topics] = parts.as_slice() else {
            return Err("an exercise has six parts with bars between".to_owned());
        };
        let before = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let mistake = Mistake::read(&before, played, refutation, better)
            .map_err(|error| error.to_string())?;
        let good = good.split_whitespace().map(|word| before.parse_uci(word));
        let good: Vec<Move> = good.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let topics = topics.split_whitespace().map(str::parse);
        let topics = topics.collect::<Result<_, UnknownTopic>>().map_err(|e| e.to_string())?;
        match good.is_empty() {
            true => Err("an exercise has a move that is accepted".to_owned()),
            false => Ok(Exercise { mistake, good, topics }),
        }
    }
}
