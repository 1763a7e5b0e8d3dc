//! Games that an engine plays against itself to learn from: playing, packing, keeping, and turning them
//! into what a trainer reads.
//!
//! ```
//! use tabiya_base::Score;
//! use tabiya_chess::Game;
//! use tabiya_lab::data::{RecordFilter, GameWriter, ScoredMove, SelfPlay, games_of};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("first.games");
//!
//! // An engine that takes the first move and finds everything equal.
//! let think = |game: &Game| {
//!     let m = *game.position().legal_moves().first()?;
//!     Some(ScoredMove { m, score: Score::Centipawns(0) })
//! };
//! let rules = SelfPlay::default();
//! let mut writer = GameWriter::open(&path, "an example")?;
//! for number in 0..5 {
//!     let Some(opening) = rules.opening(42, number) else { continue };
//!     if let Some(game) = rules.play(opening, number, None, think) {
//!         writer.append(&game)?;
//!     }
//! }
//! drop(writer);
//!
//! let mut records = 0;
//! for game in games_of(&path)? {
//!     records += RecordFilter::default().records(&game?).count();
//! }
//! assert!(records > 0, "there are positions to learn from");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | a game with its scores, packed | [`ScoredGame`], [`ScoredMove`], [`UnpackError`] |
//! | files of such games | [`GameWriter`], [`write_games`], [`games_of`], [`GameFileError`] |
//! | the rules of self-play | [`SelfPlay`] |
//! | positions for a trainer | [`Record`], [`RecordFilter`], [`Skipped`] |
//! | numbers about the data | [`DataSummary`] |

mod game_file;
mod record;
mod scored_game;
mod self_play;
mod summary;

pub use game_file::{GameFileError, GameReader, GameWriter, games_of, write_games};
pub use record::{Record, RecordFilter, Skipped};
pub use scored_game::{ScoredGame, ScoredMove, UnpackError};
pub use self_play::SelfPlay;
pub use summary::DataSummary;
