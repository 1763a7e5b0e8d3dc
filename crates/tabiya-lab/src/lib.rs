//! Matches between players, measured.
//!
//! A [`Tournament`] lets thinkers ([`Thinker`](tabiya_thinker::Thinker)) meet: each opening twice, with colours
//! changed, several games at a time, kept in files so that it can be cut off and resumed. What comes out are
//! [`Standings`]: scores, Elo with error bars, and, where a [`Sprt`] was asked for, a decision.
//!
//! ```
//! use std::ops::ControlFlow;
//! use tabiya_base::Stop;
//! use tabiya_chess::{Game, Role};
//! use tabiya_lab::{Entrant, Openings, Tournament, TournamentSettings};
//! use tabiya_thinker::{EngineLimit, Found, Info, Limits, ThinkError, Thinker};
//!
//! /// Takes what it can, or plays the first move it finds.
//! struct Greedy {
//!     wants: Role,
//! }
//!
//! impl Thinker for Greedy {
//!     fn name(&self) -> &str {
//!         "Greedy"
//!     }
//!     fn new_game(&mut self) -> Result<(), ThinkError> {
//!         Ok(())
//!     }
//!     fn think(
//!         &mut self,
//!         game: &Game,
//!         _: &Limits,
//!         _: &Stop,
//!         _: &mut dyn FnMut(&Info),
//!     ) -> Result<Found, ThinkError> {
//!         let position = game.position();
//!         let moves = position.legal_moves();
//!         let taken = |to| position.piece_at(to).is_some_and(|piece| piece.role == self.wants);
//!         let best = moves.iter().find(|m| taken(m.to())).or(moves.first());
//!         Ok(Found { best: best.copied(), ponder: None })
//!     }
//! }
//!
//! let players = vec![
//!     Entrant::new("Queens", |_| Ok(Box::new(Greedy { wants: Role::Queen }))),
//!     Entrant::new("Pawns", |_| Ok(Box::new(Greedy { wants: Role::Pawn }))),
//! ];
//! let settings = TournamentSettings { pairs: 10, ..TournamentSettings::new(EngineLimit::Depth(1)) };
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
//! | where games begin | [`Openings`], [`OpeningMaker`] |
//! | what moves are worth | [`judge()`] |
//! | positions to solve | [`Suite`], [`TestPosition`], [`PuzzleFinder`], [`shortest_mate`] |
//! | one game | [`play_game`], [`Contestant`], [`Conditions`], [`GameRecord`], [`Termination`] |
//! | games on paper | [`pgn()`], [`PgnFile`], [`PgnTags`] |
//! | a result in numbers | [`MatchScore`], [`Tally`], [`Pentanomial`], [`Estimate`] |
//! | to know when to stop | [`Sprt`], [`Decision`] |
//! | a match, gauntlet or round robin | [`Tournament`], [`TournamentSettings`], [`Entrant`], [`Format`] |
//! | how it stands | [`Snapshot`], [`Standings`], [`Forfeits`], [`TestStatus`] |
//! | ratings of many players | [`ratings()`], [`Encounter`], [`Anchor`] |
//! | games to learn from | [`data`] |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod adjudicator;
mod arbiter;
mod clock;
pub mod data;
mod epd;
mod judge;
mod mate;
mod mating_line;
mod opening_maker;
mod openings;
mod pgn;
mod puzzles;
mod ratings;
mod record;
mod sprt;
mod standings;
mod state;
mod statistics;
mod suite;
mod tactic_finder;
mod tournament;
mod workers;

pub use adjudicator::{DrawRule, WinRule};
pub use arbiter::{Conditions, Contestant, play_game};
pub use epd::read_epd;
pub use judge::judge;
pub use mate::{MateProof, shortest_mate};
pub use mating_line::mating_line;
pub use opening_maker::{MadeOpening, OpeningMaker, OpeningMakerError};
pub use openings::{Openings, OpeningsError};
pub use pgn::{PgnFile, PgnTags, pgn};
pub use puzzles::{Puzzle, PuzzleFinder, PuzzleKind};
pub use ratings::{Anchor, Encounter, ratings};
pub use record::{GameRecord, Remark, Termination};
pub use sprt::{Decision, Sprt, SprtError};
pub use standings::{Forfeits, Standings, TestStatus};
pub use statistics::{
    Estimate, MatchScore, Pentanomial, PlayerResult, Tally, elo_of_score, score_of_elo,
};
pub use suite::{Suite, SuiteError, TestPosition};
pub use tactic_finder::{Solvers, TacticFinder, only_move};
pub use tournament::{
    Entrant, Factory, Format, Snapshot, Tournament, TournamentError, TournamentSettings,
};
