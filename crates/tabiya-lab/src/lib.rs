//! Matches between players, measured.
//!
//! A [`Player`] is anything that chooses moves. A [`Tournament`] lets players meet: each opening
//! twice, with colours changed, several games at a time, kept in files so that it can be cut off and
//! resumed. What comes out are [`Standings`]: scores, Elo with error bars, and, where a [`Sprt`] was
//! asked for, a decision.
//!
//! ```
//! use std::ops::ControlFlow;
//! use tabiya_chess::{Game, Role};
//! use tabiya_lab::{
//!     Choice, ClockState, Entrant, Openings, Player, PlayerError, Settings, TimeControl, Tournament,
//! };
//!
//! /// Takes what it can, or plays the first move it finds.
//! struct Greedy {
//!     wants: Role,
//! }
//!
//! impl Player for Greedy {
//!     fn name(&self) -> &str {
//!         "Greedy"
//!     }
//!     fn new_game(&mut self) -> Result<(), PlayerError> {
//!         Ok(())
//!     }
//!     fn choose(&mut self, game: &Game, _: ClockState) -> Result<Choice, PlayerError> {
//!         let position = game.position();
//!         let moves = position.legal_moves();
//!         let taken = |to| position.piece_at(to).is_some_and(|piece| piece.role == self.wants);
//!         let best = moves.iter().find(|m| taken(m.to())).or(moves.first());
//!         let best = best.ok_or(PlayerError::Other("there is no move".to_owned()))?;
//!         Ok(Choice::new(position.uci(*best)))
//!     }
//! }
//!
//! let players = vec![
//!     Entrant::new("Queens", |_| Ok(Box::new(Greedy { wants: Role::Queen }))),
//!     Entrant::new("Pawns", |_| Ok(Box::new(Greedy { wants: Role::Pawn }))),
//! ];
//! let settings = Settings { pairs: 10, ..Settings::new(TimeControl::Depth(1)) };
//! let tournament = Tournament::new(settings, players, Openings::random(10, 6, 1)?)?;
//! let standings = tournament.run(2, |_| ControlFlow::Continue(()))?;
//! assert!(standings.to_string().starts_with("Score of Queens vs Pawns: "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way around
//!
//! | you want | look at |
//! |---|---|
//! | something that plays | [`Player`], [`Choice`], [`Score`], [`PlayerError`] |
//! | time | [`TimeControl`], [`ClockState`] |
//! | where games begin | [`Openings`], [`OpeningMaker`] |
//! | an opinion of moves | [`Judge`], [`Opinion`] |
//! | positions to solve | [`Suite`], [`Problem`], [`PuzzleFinder`], [`shortest_mate`] |
//! | one game | [`play_game`], [`Seat`], [`Conditions`], [`GameRecord`], [`Ending`] |
//! | games on paper | [`pgn()`], [`PgnFile`], [`PgnTags`] |
//! | a result in numbers | [`MatchScore`], [`Tally`], [`Pentanomial`], [`Estimate`] |
//! | to know when to stop | [`Sprt`], [`Decision`] |
//! | a match, gauntlet or round robin | [`Tournament`], [`Settings`], [`Entrant`], [`Format`] |
//! | how it stands | [`Snapshot`], [`Standings`], [`Forfeits`], [`TestStatus`] |
//! | ratings of many players | [`ratings()`], [`Encounter`], [`Anchor`] |
//! | games to learn from | [`data`] |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod arbiter;
mod clock;
pub mod data;
mod epd;
mod judge;
mod mate;
mod opening_maker;
mod openings;
mod pgn;
mod player;
mod puzzles;
mod random;
mod ratings;
mod record;
mod sprt;
mod standings;
mod state;
mod statistics;
mod suite;
mod time_control;
mod tournament;
mod workers;

pub use arbiter::{Conditions, DrawRule, Seat, WinRule, play_game};
pub use clock::ClockState;
pub use judge::{Judge, Opinion};
pub use mate::{MateProof, shortest_mate};
pub use opening_maker::{MadeOpening, OpeningMaker, OpeningMakerError};
pub use openings::{Openings, OpeningsError};
pub use pgn::{PgnFile, PgnTags, pgn};
pub use player::{Choice, Player, PlayerError};
pub use puzzles::{Puzzle, PuzzleFinder, PuzzleKind};
pub use ratings::{Anchor, Encounter, ratings};
pub use record::{Ending, GameRecord, Remark};
pub use sprt::{Decision, Sprt, SprtError};
pub use standings::{Forfeits, Standings, TestStatus};
pub use statistics::{
    Estimate, GameResult, MatchScore, Pentanomial, Tally, elo_of_score, score_of_elo,
};
pub use suite::{Problem, Suite, SuiteError};
pub use tabiya_base::Score;
pub use time_control::{TimeControl, TimeControlError};
pub use tournament::{Entrant, Factory, Format, Settings, Snapshot, Tournament, TournamentError};
