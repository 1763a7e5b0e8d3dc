use std::fmt;
use std::time::Duration;

use tabiya_base::Score;

use crate::MAX_TOKEN;

/// A comment on a move. It may carry what programs have to say as `[%name value]` commands: the clock
/// (`[%clk 0:03:07]`), an evaluation (`[%eval -0.31,22]`), arrows and coloured squares.
///
/// What a record cannot hold is not in it: runs of space are one space, braces are parentheses. So
/// whatever is a `Comment` can be written and read back.
///
/// ```
/// use std::time::Duration;
/// use tabiya_pgn::Comment;
///
/// let comment = Comment::new("a blunder\n  {why?} [%clk 1:02:03] [%eval #-4]");
/// assert_eq!(comment.text(), "a blunder (why?) [%clk 1:02:03] [%eval #-4]");
/// assert_eq!(comment.clock(), Some(Duration::from_secs(3723)));
/// assert_eq!(comment.eval().unwrap().to_string(), "#-4");
/// assert_eq!(comment.words(), "a blunder (why?)");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Comment(String);

impl Comment {
    /// A comment with this text, as far as a record can hold it.
    ///
    /// ```
    /// # use tabiya_pgn::Comment;
    /// assert_eq!(Comment::new(" two\r\nlines ").text(), "two lines");
    /// ```
    pub fn new(text: &str) -> Comment {
        let mut clean = String::with_capacity(text.len());
        for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
            if word.is_empty() {
                continue;
            }
            if !clean.is_empty() {
                clean.push(' ');
            }
            clean.extend(word.chars().map(|c| match c {
                '{' => '(',
                '}' => ')',
                c => c,
            }));
        }
        clean.truncate(clean.floor_char_boundary(MAX_TOKEN - 2));
        clean.truncate(clean.trim_end().len());
        Comment(clean)
    }

    /// All of it.
    ///
    /// ```
    /// # use tabiya_pgn::Comment;
    /// assert_eq!(Comment::new("[%clk 0:00:01] in trouble").text(), "[%clk 0:00:01] in trouble");
    /// ```
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    ///
    /// ```
    /// # use tabiya_pgn::Comment;
    /// assert!(Comment::new(" \n").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is said in words: the text without its commands.
    ///
    /// ```
    /// # use tabiya_pgn::Comment;
    /// assert_eq!(Comment::new("[%clk 0:00:01] in [%eval 0.3] trouble").words(), "in trouble");
    /// ```
    pub fn words(&self) -> String {
        let mut words = String::with_capacity(self.0.len());
        let mut rest = self.0.as_str();
        while let Some((before, _, after)) = split_command(rest) {
            words.push_str(before);
            rest = after;
        }
        words.push_str(rest);
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The commands, name and value: `[%clk 0:00:01]` is `("clk", "0:00:01")`.
    ///
    /// ```
    /// # use tabiya_pgn::Comment;
    /// let comment = Comment::new("[%csl Ge4,Rd5] look [%cal Ge2e4]");
    /// let commands: Vec<_> = comment.commands().collect();
    /// assert_eq!(commands, [("csl", "Ge4,Rd5"), ("cal", "Ge2e4")]);
    /// ```
    pub fn commands(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut rest = self.0.as_str();
        std::iter::from_fn(move || {
            let (_, command, after) = split_command(rest)?;
            rest = after;
            Some(command.split_once(' ').unwrap_or((command, "")))
        })
    }

    /// The value of the first command with the name.
    ///
    /// ```
    /// # use tabiya_pgn::Comment;
    /// assert_eq!(Comment::new("[%emt 0:00:05]").command("emt"), Some("0:00:05"));
    /// ```
    pub fn command(&self, name: &str) -> Option<&str> {
        self.commands().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The time left on the clock, from `[%clk 1:02:03]`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_pgn::Comment;
    /// assert_eq!(Comment::new("[%clk 0:00:07.5]").clock(), Some(Duration::from_millis(7500)));
    /// ```
    pub fn clock(&self) -> Option<Duration> {
        parse_time(self.command("clk")?)
    }

    /// The time spent on the move, from `[%emt 0:00:05]`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_pgn::Comment;
    /// assert_eq!(Comment::new("[%emt 0:01:05]").elapsed(), Some(Duration::from_secs(65)));
    /// ```
    pub fn elapsed(&self) -> Option<Duration> {
        parse_time(self.command("emt")?)
    }

    /// What a program thinks of the position, from `[%eval 0.25,22]`.
    ///
    /// ```
    /// # use tabiya_pgn::{Comment, Eval, Score};
    /// let eval = Comment::new("[%eval 0.25,22]").eval();
    /// assert_eq!(eval, Some(Eval { score: Score::Centipawns(25), depth: Some(22) }));
    /// ```
    pub fn eval(&self) -> Option<Eval> {
        Eval::from_text(self.command("eval")?)
    }

    /// The same with this time on the clock.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_pgn::Comment;
    /// let comment = Comment::new("hurry").with_clock(Duration::from_millis(62_300));
    /// assert_eq!(comment.text(), "hurry [%clk 0:01:02.3]");
    /// ```
    #[must_use]
    pub fn with_clock(&self, left: Duration) -> Comment {
        self.with_command("clk", &time_text(left))
    }

    /// The same with this time spent on the move.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_pgn::Comment;
    /// let comment = Comment::default().with_elapsed(Duration::from_secs(5));
    /// assert_eq!(comment.text(), "[%emt 0:00:05]");
    /// ```
    #[must_use]
    pub fn with_elapsed(&self, spent: Duration) -> Comment {
        self.with_command("emt", &time_text(spent))
    }

    /// The same with this evaluation.
    ///
    /// ```
    /// # use tabiya_pgn::{Comment, Eval, Score};
    /// let eval = Eval { score: Score::Centipawns(-131), depth: None };
    /// assert_eq!(Comment::new("[%eval 0.1]").with_eval(eval).text(), "[%eval -1.31]");
    /// ```
    #[must_use]
    pub fn with_eval(&self, eval: Eval) -> Comment {
        self.with_command("eval", &eval.to_string())
    }

    /// The same with a command of that name: changed where it is, else at the end.
    fn with_command(&self, name: &str, value: &str) -> Comment {
        let mut text = String::new();
        let mut rest = self.0.as_str();
        let mut placed = false;
        while let Some((before, command, after)) = split_command(rest) {
            text.push_str(before);
            if command.split(' ').next() != Some(name) {
                text.push_str(&format!("[%{command}]"));
            } else if !std::mem::replace(&mut placed, true) {
                text.push_str(&format!("[%{name} {value}]"));
            }
            rest = after;
        }
        text.push_str(rest);
        if !placed {
            text.push_str(&format!(" [%{name} {value}]"));
        }
        Comment::new(&text)
    }
}

impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The text before the first command, what is in the command, and the text after it.
fn split_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("[%")?;
    let (command, after) = rest.split_once(']')?;
    Some((before, command, after))
}

/// `1:02:03.5`, `02:03` or `3`.
fn parse_time(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0_u64;
    for part in whole.split(':') {
        let part: u64 = digits(part)?.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    let milliseconds = match fraction {
        "" => 0,
        fraction => format!("{:0<3.3}", digits(fraction)?).parse().ok()?,
    };
    Some(Duration::from_secs(seconds) + Duration::from_millis(milliseconds))
}

fn digits(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let whole = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match time.subsec_millis() {
        0 => whole,
        fraction => format!("{whole}.{fraction:03}").trim_end_matches('0').to_owned(),
    }
}

/// What a program thinks of a position, from White's point of view.
///
/// ```
/// use tabiya_pgn::{Eval, Score};
///
/// assert_eq!(Eval::from_text("-1.5,20").unwrap().score, Score::Centipawns(-150));
/// assert_eq!(Eval { score: Score::Mate(3), depth: Some(9) }.to_string(), "#3,9");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Eval {
    /// How good the position is for White.
    pub score: Score,
    /// How deeply the program looked, if it says so.
    pub depth: Option<u32>,
}

impl Eval {
    /// Reads `0.25`, `-1.5,20`, `#3` or `#-3,12`.
    ///
    /// ```
    /// # use tabiya_pgn::Eval;
    /// assert_eq!(Eval::from_text("+0.3").unwrap().to_string(), "0.30");
    /// assert_eq!(Eval::from_text("good"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Eval> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        Some(Eval { score: Score::from_pgn(score)?, depth })
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.pgn().fmt(f)?;
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_all_lengths() {
        for (text, milliseconds) in [
            ("0:00:00", 0),
            ("1:00:00", 3_600_000),
            ("0:59:59.999", 3_599_999),
            ("5:07", 307_000),
            ("12", 12_000),
            ("0:00:01.05", 1_050),
            ("0:00:01.123456", 1_123),
        ] {
            assert_eq!(parse_time(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", ":", "1:", "-1", "1:+2", "a", "1.x", "99999999999999999999", "0:1e3"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
        assert_eq!(parse_time("9999999999999999:00:00:00"), None);
    }

    #[test]
    fn what_is_set_is_there_and_the_rest_stays() {
        let eval = Eval { score: Score::Mate(-2), depth: Some(7) };
        let time = Duration::from_millis(3_723_004);
        let comment = Comment::new("a [%csl Ra1] b").with_eval(eval).with_clock(time);
        assert_eq!(comment.text(), "a [%csl Ra1] b [%eval #-2,7] [%clk 1:02:03.004]");
        assert_eq!((comment.eval(), comment.clock()), (Some(eval), Some(time)));
        let later = comment.with_clock(Duration::ZERO);
        assert_eq!(later.text(), "a [%csl Ra1] b [%eval #-2,7] [%clk 0:00:00]");
    }

    #[test]
    fn every_score_reads_back() {
        for score in [0, 1, -1, 9, 10, -99, 100, 12_345, i32::MAX, -i32::MAX] {
            let eval = Eval { score: Score::Centipawns(score), depth: None };
            assert_eq!(Eval::from_text(&eval.to_string()), Some(eval));
        }
        for text in ["", "-", "#", "1.", "1.x", "--1", "1,", "1,-1", "99999999999", "0.5.5"] {
            assert_eq!(Eval::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn odd_commands_do_no_harm() {
        for text in ["[%", "[%]", "[%clk", "[%clk]", "[%clk ]", "[% clk 1]", "]][%[%"] {
            let comment = Comment::new(text);
            assert_eq!(comment.clock(), None);
            let timed = comment.with_clock(Duration::from_secs(1));
            assert_eq!(Comment::new(timed.text()), timed);
        }
    }
}
