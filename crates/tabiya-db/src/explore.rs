//! What was played in a position, and how it went.

use std::collections::BTreeMap;

use serde::Serialize;
use tabiya_chess::{Color, Move, Position};

use crate::NextMove;
use crate::database::{Choice, Database, GameHead};
use crate::error::DbError;
use crate::filter::Filter;
use crate::layer::{Layer, Row};
use crate::positions::Found;
use crate::run::{Run, played_at};
use crate::segment::Columns;
use crate::tally::Sums;

/// What games sum up to, by the code of the move.
pub(crate) type Moves = BTreeMap<u16, Sums>;

/// What was played in a position. A game counts once for each different move that it had there.
#[derive(Clone, PartialEq, Debug)]
pub struct Explored {
    /// All games that came to the position.
    pub total: Sums,
    /// The moves, those of most games first.
    pub moves: Vec<ExploredMove>,
    /// How many games ended there.
    pub ended: u64,
}

/// A move, and what the games with it sum up to.
#[derive(Clone, PartialEq, Debug)]
pub struct ExploredMove {
    /// The move; none if the side to move passed.
    pub played: Option<Move>,
    /// As people write it.
    pub san: String,
    /// What the games sum up to.
    pub tally: Sums,
    /// Who made the move.
    pub by: Color,
}

impl ExploredMove {
    /// The average rating of those who made the move.
    pub fn average_rating(&self) -> Option<u64> {
        let (sum, count) = match self.by {
            Color::White => self.tally.white_elo,
            Color::Black => self.tally.black_elo,
        };
        sum.checked_div(count)
    }

    /// The rating that the result with this move stands for: that of the opponents, and as much more or less as
    /// the score is worth, 800 points at most.
    ///
    /// ```
    /// use tabiya_db::{ExploredMove, Sums};
    ///
    /// let mut tally = Sums::default();
    /// (tally.games, tally.white, tally.draws) = (2, 1, 1);
    /// tally.black_elo = (5000, 2);
    /// let san = "e4".to_owned();
    /// let e4 = ExploredMove { played: None, san, tally, by: tabiya_chess::Color::White };
    /// assert_eq!(e4.performance(), Some(2691));
    /// ```
    pub fn performance(&self) -> Option<u64> {
        let score = self.tally.score()?;
        let (score, (sum, count)) = match self.by {
            Color::White => (score, self.tally.black_elo),
            Color::Black => (1.0 - score, self.tally.white_elo),
        };
        let opponents = sum as f64 / Some(count).filter(|&count| count > 0)? as f64;
        let worth = (400.0 * (score / (1.0 - score)).log10()).clamp(-800.0, 800.0);
        Some((opponents + worth).round().max(0.0) as u64)
    }
}

/// What an explorer shows of a position, ready to be sent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplorerAnswer {
    /// The position.
    pub fen: String,
    /// How many games came to it.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Without result.
    pub unfinished: u64,
    /// How many games ended here.
    pub ended: u64,
    /// The moves, those of most games first.
    pub moves: Vec<ExplorerMove>,
    /// The games of the strongest players.
    pub top: Vec<GameHead>,
}

/// A move as an explorer shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplorerMove {
    /// As programs write it; none if the side to move passed.
    pub uci: Option<String>,
    /// As people write it.
    pub san: String,
    /// How many games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Without result.
    pub unfinished: u64,
    /// The average rating of those who made the move.
    pub average_rating: Option<u64>,
    /// The rating that their result stands for.
    pub performance: Option<u64>,
    /// When it was played last, as far as that is known: 1972.07.??
    pub last_played: String,
    /// The games of the strongest players with it.
    pub top: Vec<GameHead>,
}

impl Database {
    /// What an explorer shows of a position, in the games that are wanted.
    pub fn answer(&self, position: &Position, filter: &Filter) -> Result<ExplorerAnswer, DbError> {
        let explored = self.explore(position, filter)?;
        let heads = |sums: &Sums| {
            sums.best().map(|game| self.head(game + 1)).collect::<Result<Vec<_>, _>>()
        };
        let told = |m: &ExploredMove| -> Result<ExplorerMove, DbError> {
            Ok(ExplorerMove {
                uci: m.played.map(|played| position.uci(played)),
                san: m.san.clone(),
                games: m.tally.games,
                white: m.tally.white,
                draws: m.tally.draws,
                black: m.tally.black,
                unfinished: m.tally.unfinished(),
                average_rating: m.average_rating(),
                performance: m.performance(),
                last_played: m.tally.newest.to_string(),
                top: heads(&m.tally)?,
            })
        };
        let total = &explored.total;
        Ok(ExplorerAnswer {
            fen: position.fen(),
            games: total.games,
            white: total.white,
            draws: total.draws,
            black: total.black,
            unfinished: total.unfinished(),
            ended: explored.ended,
            moves: explored.moves.iter().map(told).collect::<Result<_, _>>()?,
            top: heads(total)?,
        })
    }

    /// The same for the position of a FEN.
    pub fn answer_fen(&self, fen: &str, filter: &Filter) -> Result<ExplorerAnswer, DbError> {
        let position = Position::from_fen_prefix(fen);
        let position = position.map_err(|error| DbError::Question(error.to_string()))?;
        self.answer(&position, filter)
    }

    /// What was played in a position, in the games that are wanted.
    pub fn explore(&self, position: &Position, filter: &Filter) -> Result<Explored, DbError> {
        let key = position.repetition_key();
        let mut moves = Moves::new();
        let mut covered = 0;
        if filter.is_empty() {
            for layer in &self.layers {
                for row in layer.find(key)? {
                    let tally = moves.entry(row.code()).or_default();
                    tally.join(&self.layered(layer, &row)?, 0);
                }
                covered = layer.runs.end;
            }
        }
        self.sum_up(key, covered..self.runs.len(), &self.choose(filter), &mut moves)?;
        moves.retain(|_, tally| tally.games > 0);
        Ok(explored(position, &moves))
    }

    /// What an index over several databases says of a position and a move.
    pub(crate) fn layered(&self, layer: &Layer, row: &Row) -> Result<Sums, DbError> {
        let mut sums = row.sums().unwrap_or_default();
        for game in row.best() {
            let number = layer.first + game;
            let (_, head) = self.seen(number).ok_or_else(|| {
                DbError::damaged(layer.folder(), format!("there is no game {}", number + 1))
            })?;
            match row.games() {
                1 => sums.add(number, &head),
                _ => sums.offer_game(number, &head),
            }
        }
        Ok(sums)
    }

    /// Adds what some runs have of a position, in the games that are chosen.
    pub(crate) fn sum_up(
        &self,
        key: u64,
        runs: std::ops::Range<usize>,
        choice: &Choice,
        moves: &mut Moves,
    ) -> Result<(), DbError> {
        for (run, chosen) in self.runs[runs.clone()].iter().zip(&choice[runs]) {
            match run.positions.find(key)? {
                Found::Moves(played) => {
                    for played in played {
                        let tally = moves.entry(played.code).or_default();
                        if let (Some(known), true) = (played.tally, chosen.is_all()) {
                            tally.join(&known, run.first);
                            continue;
                        }
                        for game in played.games.filter(|&game| chosen.has(game)) {
                            if let Some(head) = run.heads.get(game) {
                                tally.add(run.first + u64::from(game), &head);
                            }
                        }
                    }
                }
                Found::Perhaps(games) => {
                    for game in games.into_iter().filter(|&game| chosen.has(game)) {
                        let (played, head) = (self.played(run, game, key)?, run.heads.get(game));
                        if let Some((code, head)) = played.zip(head) {
                            let tally = moves.entry(code).or_default();
                            tally.add(run.first + u64::from(game), &head);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What was played in a position of a game, if it came about.
    fn played(&self, run: &Run, game: u32, key: u64) -> Result<Option<u16>, DbError> {
        let columns = match run.heads.get(game) {
            Some(head) if !head.own_start => Columns::PLAYED,
            _ => Columns::MOVES,
        };
        let record = self.pick(&[run.first + u64::from(game)], columns)?;
        Ok(record.first().and_then(|game| played_at(game, key)).map(|(_, code)| code))
    }

    /// The numbers of the games that came to a position, of those that are wanted.
    pub fn games_with(&self, position: &Position, filter: &Filter) -> Result<Vec<u64>, DbError> {
        let key = position.repetition_key();
        let choice: Choice = self.choose(filter);
        let mut numbers = Vec::new();
        for (run, chosen) in self.runs.iter().zip(choice.iter()) {
            let mut games: Vec<u32> = match run.positions.find(key)? {
                Found::Moves(played) => {
                    played.into_iter().flat_map(|played| played.games).collect()
                }
                Found::Perhaps(games) => {
                    let mut sure = Vec::new();
                    for game in games {
                        if self.played(run, game, key)?.is_some() {
                            sure.push(game);
                        }
                    }
                    sure
                }
            };
            games.retain(|&game| chosen.has(game));
            games.sort_unstable();
            games.dedup();
            numbers.extend(games.into_iter().map(|game| run.first + u64::from(game) + 1));
        }
        Ok(numbers)
    }
}

fn explored(position: &Position, moves: &Moves) -> Explored {
    let mut all = Explored { total: Sums::default(), moves: Vec::new(), ended: 0 };
    for (&code, tally) in moves {
        let (played, san) = match NextMove::from_code(code, position) {
            Some(NextMove::End) => {
                all.total.join(tally, 0);
                all.ended = tally.games;
                continue;
            }
            Some(NextMove::Null) => (None, "--".to_owned()),
            Some(NextMove::Move(m)) => (Some(m), position.san(m)),
            // What was written of a position can be played in it, unless two have the same key.
            None => continue,
        };
        all.total.join(tally, 0);
        let tally = *tally;
        all.moves.push(ExploredMove { played, san, tally, by: position.turn() });
    }
    all.moves.sort_by(|one, other| {
        other.tally.games.cmp(&one.tally.games).then_with(|| one.san.cmp(&other.san))
    });
    all
}
