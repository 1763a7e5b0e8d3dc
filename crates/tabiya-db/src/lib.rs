//! Millions of games in Parquet files, with an index of every position.
//!
//! A database is a folder. What is true stands in Parquet files, one row a game ([`StoredGame`]), which any program
//! that reads Parquet can read; the rest is derived from them and can be made anew. `docs/database.md` describes the
//! files and the columns, and has the measurements.
//!
//! | you want | look at |
//! |---|---|
//! | to add games | [`Importer`], [`Collector`], [`incoming`] |
//! | to ask | [`Database`]: [`Database::explore`], [`Database::find`], [`Database::game`], [`Database::check`] |
//! | to say which games | [`Filter`], [`Query`], [`Pattern`], [`Men`] |
//! | to ask several databases as one | [`collect`], [`plan_layer`], [`add_layer`] |
//! | what comes out | [`Explored`], [`Sums`], [`GameHead`], [`Hit`] |
//! | a file of games without a database | [`GamesWriter`] |
//! | packed moves | [`unpack`], [`NextMove`], [`move_number`], [`numbered_move`] |
//!
//! # Inside
//!
//! `collect.rs` makes a [`StoredGame`] of what the PGN reader tells, with moves numbered as `order.rs` says and packed as
//! `packed.rs` does. `importer.rs` collects games until they are a file, sorts them by date, has `segment.rs` write
//! them, and deals their positions out to `spill.rs`, an external sort in bounded memory. `positions.rs` makes the index
//! of positions of it: for every position and move the list of games, with sums where there are many. Sums of fewer
//! games and all filtered ones are made of the lists and of `heads.rs`, 24 bytes a game. `run.rs` puts the
//! files of an index together. `manifest.rs` is the one file that changes, as a whole: who reads sees a whole state.
//!
//! `collection.rs` makes one database of several, which may be too many for one machine: then `layer.rs` asks an index over
//! all of them, which another program has made.
//!
//! `find.rs` looks at games by what they have left behind (`signature.rs`), and plays those that are left on a bare board
//! (`replay.rs`).
//!
//! An index is never changed. New games get an index of their own; four of a size become one (`Importer::finish`),
//! so that there are never many to ask.

mod bare;
mod bytes;
mod check;
mod collect;
mod collection;
mod database;
mod error;
mod explore;
mod filter;
mod find;
mod games_writer;
mod heads;
mod importer;
mod layer;
mod manifest;
mod material;
mod order;
mod packed;
mod pattern;
mod positions;
mod record;
mod replay;
mod run;
mod segment;
mod signature;
mod spill;
mod tally;

pub use collect::{Collector, Incoming, incoming, records};
pub use collection::{LayerPlan, add_layer, collect, plan_layer};
pub use database::{Database, DatabaseInfo, GameHead};
pub use error::{DbError, ParseFilterError};
pub use explore::{Explored, ExploredMove, ExplorerAnswer, ExplorerMove};
pub use filter::{Filter, is_eco};
pub use find::{Hit, Query};
pub use games_writer::GamesWriter;
pub use importer::{ImportCount, Importer, Reached, SourceProgress};
pub use manifest::{ImportedFile, VERSION};
pub use material::Men;
pub use order::{move_number, numbered_move};
pub use packed::{NextMove, Unpack, unpack};
pub use pattern::Pattern;
pub use record::{Day, Speed, StoredGame};
pub use signature::Signature;
pub use tally::{BEST, Sums};
