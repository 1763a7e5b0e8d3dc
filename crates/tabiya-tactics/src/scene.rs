//! A puzzle as people see it, step by step.

use tabiya_chess::{Color, Move, Position};
use tabiya_chess_view::{check, coord, destinations, pieces, side};
use tabiya_view::{Coord, Destinations, PieceView, Side};

use crate::{Attempt, Tactic};

/// A position of a puzzle, as plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// Where the pieces of the side to move may go.
    pub destinations: Vec<Destinations>,
    /// From where to where the last move went.
    pub last: Option<(Coord, Coord)>,
    /// The king in check.
    pub check: Option<Coord>,
    /// Whose turn it is.
    pub turn: Side,
    /// The position as text.
    pub fen: String,
    /// The last move, as people write it, with its number: `12.Nf3` or `12...Nf6`.
    pub written: String,
}

impl Scene {
    /// The scenes of a line: where it begins, and after every move of it.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// use tabiya_tactics::Scene;
    ///
    /// let start = Position::initial();
    /// let scenes = Scene::line(&start, &[start.parse_uci("e2e4").unwrap()]);
    /// assert_eq!(scenes[1].written, "1.e4");
    /// assert_eq!((scenes.len(), scenes[0].destinations.len()), (2, 10));
    /// ```
    pub fn line(start: &Position, moves: &[Move]) -> Vec<Scene> {
        let mut position = *start;
        let mut scenes = vec![Scene::new(start, None)];
        for &m in moves {
            let Ok(next) = position.play(m) else { break };
            scenes.push(Scene::new(&next, Some((&position, m))));
            position = next;
        }
        scenes
    }

    /// A position, with the one before it and the move that led here.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// use tabiya_tactics::Scene;
    ///
    /// let start = Position::initial();
    /// let m = start.parse_move("e4")?;
    /// let scene = Scene::new(&start.play(m)?, Some((&start, m)));
    /// assert_eq!(scene.written, "1.e4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: &Position, before: Option<(&Position, Move)>) -> Scene {
        Scene {
            pieces: pieces(position),
            destinations: destinations(position, false),
            last: before.map(|(_, m)| (coord(m.from()), coord(m.to()))),
            check: check(position),
            turn: side(position.turn()),
            fen: position.fen(),
            written: before.map(|(earlier, m)| written(earlier, m)).unwrap_or_default(),
        }
    }
}

fn written(position: &Position, m: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}{}", position.fullmove_number(), position.san(m))
}

impl Tactic {
    /// The scenes of the whole puzzle: before the mistake, after it, and after every move of the line.
    ///
    /// ```
    /// use tabiya_tactics::Tactic;
    ///
    /// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 31 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
    /// let scenes = text.parse::<Tactic>().unwrap().scenes();
    /// let written: Vec<&str> = scenes.iter().map(|scene| scene.written.as_str()).collect();
    /// assert_eq!(written, ["", "31...Re2", "32.Ra8+", "32...Re8", "33.Rxe8#"]);
    /// ```
    pub fn scenes(&self) -> Vec<Scene> {
        Scene::line(&self.positions()[0], self.moves())
    }

    /// What is seen after moves of the solver: their last one, and the defender's answer. After a wrong move there is
    /// nothing to see.
    pub fn scenes_after(&self, moves: &[&str], attempt: Attempt) -> Vec<Scene> {
        let count = moves.len();
        let Some(last) = count.checked_sub(1).map(|before| 2 * before + 1) else {
            return Vec::new();
        };
        match attempt {
            Attempt::Wrong => Vec::new(),
            Attempt::Right { .. } => self.scenes().into_iter().skip(last + 1).take(2).collect(),
            Attempt::Solved => {
                // Another mate than that of the line may have been played.
                let before = self.position(last);
                let played = moves.last().and_then(|text| before.parse_move(text).ok());
                let end = |m| before.play(m).ok().map(|end| Scene::new(&end, Some((&before, m))));
                played.and_then(end).into_iter().collect()
            }
        }
    }

    /// The squares from and to of the next move, after so many moves of the solver.
    pub fn next_move(&self, solved: usize) -> Option<(Coord, Coord)> {
        self.line().get(2 * solved).map(|m| (coord(m.from()), coord(m.to())))
    }

    /// The moves that solve it, as UCI writes them.
    ///
    /// ```
    /// use tabiya_tactics::Tactic;
    ///
    /// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 31 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
    /// assert_eq!(text.parse::<Tactic>().unwrap().solution(), ["a1a8", "a8e8"]);
    /// ```
    pub fn solution(&self) -> Vec<String> {
        let steps = self.line().iter().enumerate().step_by(2);
        steps.map(|(i, &m)| self.position(i + 1).uci(m)).collect()
    }

    /// The side that solves, as people see it.
    pub fn solver_side(&self) -> Side {
        side(self.solver())
    }

    /// The mistake and the line as a game record, to be studied.
    ///
    /// ```
    /// use tabiya_tactics::Tactic;
    ///
    /// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 31 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
    /// let record = text.parse::<Tactic>().unwrap().pgn();
    /// assert!(record.ends_with("\n\n31...Re2 32.Ra8+ Re8 33.Rxe8# *\n"), "{record}");
    /// ```
    pub fn pgn(&self) -> String {
        let mut text = format!(
            "[Event \"Puzzle {}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n[Result \"*\"]\n\n",
            self.id(),
            self.before().fen(),
        );
        let mut position = *self.before();
        for (i, &m) in self.moves().iter().enumerate() {
            match position.turn() == Color::White || i == 0 {
                true => text += &written(&position, m),
                false => text += &position.san(m),
            }
            text.push(' ');
            position.play_unchecked(m);
        }
        text + "*\n"
    }
}
