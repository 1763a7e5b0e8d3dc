use core::fmt;

use tabiya_chess::{Color, Move, Position};

/// A bad move, and the two lines that show it.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// Where it was made.
    pub before: Position,
    /// The move.
    pub played: Move,
    /// How it is punished: the line that follows it.
    pub refutation: Vec<Move>,
    /// What was better: a line that begins in its place.
    pub better: Vec<Move>,
}

/// A line with a move that cannot be played: which one, and in what line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError(&'static str, String);

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be played in {}", self.1, self.0)
    }
}

impl core::error::Error for LineError {}

impl Mistake {
    /// A mistake whose moves are written as programs write them, with blanks between.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// use tabiya_coach::Mistake;
    ///
    /// let before = Position::initial();
    /// let mistake = Mistake::read(&before, "f2f3", "e7e5 g2g4 d8h4", "e2e4")?;
    /// assert_eq!(mistake.refutation.len(), 3);
    /// let error = Mistake::read(&before, "f2f3", "e7e5 e2e5", "e2e4").unwrap_err();
    /// assert_eq!(error.to_string(), "e2e5 cannot be played in the refutation");
    /// # Ok::<(), tabiya_coach::LineError>(())
    /// ```
    pub fn read(
        before: &Position,
        played: &str,
        refutation: &str,
        better: &str,
    ) -> Result<Mistake, LineError> {
        let wrong = || LineError("the game", played.to_owned());
        let played = before.parse_uci(played).map_err(|_| wrong())?;
        let mut after = *before;
        after.play_unchecked(played);
        Ok(Mistake {
            before: *before,
            played,
            refutation: line(&after, refutation, "the refutation")?,
            better: line(before, better, "the better line")?,
        })
    }

    /// Who made it.
    pub const fn loser(&self) -> Color {
        self.before.turn()
    }

    /// The move as people write it: `14.Rad1`.
    pub fn played_text(&self) -> String {
        written(&self.before, &[self.played])
    }

    /// How it is punished: `14...Qd8 15.Nd5`.
    pub fn refutation_text(&self) -> String {
        written(&self.after(), &self.refutation)
    }

    /// What was better, with how it goes on: `14.Nd5 Qf7`.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_coach::Mistake};
    /// let mistake = Mistake::read(&Position::initial(), "f2f3", "e7e5 g2g4 d8h4", "e2e4 e7e5")?;
    /// assert_eq!(mistake.played_text(), "1.f3");
    /// assert_eq!(mistake.refutation_text(), "1...e5 2.g4 Qh4#");
    /// assert_eq!(mistake.better_text(), "1.e4 e5");
    /// # Ok::<(), tabiya_coach::LineError>(())
    /// ```
    pub fn better_text(&self) -> String {
        written(&self.before, &self.better)
    }

    /// The position after it.
    pub(crate) fn after(&self) -> Position {
        played(&self.before, &[self.played])
    }
}

fn line(start: &Position, text: &str, what: &'static str) -> Result<Vec<Move>, LineError> {
    let mut position = *start;
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let m = position.parse_uci(word).map_err(|_| LineError(what, word.to_owned()))?;
        position.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}

/// The position after moves, as far as they can be played.
pub(crate) fn played(start: &Position, moves: &[Move]) -> Position {
    let mut position = *start;
    for &m in moves {
        let Ok(next) = position.play(m) else { break };
        position = next;
    }
    position
}

/// Moves as people write them: `14...Nd4 15.Qd1 Rxd1`.
pub(crate) fn written(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut text = String::new();
    for &m in moves {
        let number = position.fullmove_number();
        if position.turn() == Color::White {
            text += &format!("{}{number}.", if text.is_empty() { "" } else { " " });
        } else if text.is_empty() {
            text += &format!("{number}...");
        } else {
            text.push(' ');
        }
        text += &position.san(m);
        position.play_unchecked(m);
    }
    text
}
