//! A queue of idempotent jobs: whatever is done twice has the same result. It is an SQLite file of one machine, or a
//! PostgreSQL database of many, by the same statements.
//!
//! | you want | look at |
//! |---|---|
//! | to open a queue | [`Queue::open`], [`Address`] |
//! | to have something done, and the results | [`Queue::enter`], [`Batch`], [`NewJob`], [`Queue::counts`], [`Queue::results`], [`Queue::forget`] |
//! | to do it | [`Worker`], [`Handler`]; by hand [`Queue::claim`], [`Queue::beat`], [`Queue::finish`], [`Queue::fail`], [`Queue::release`] |
//! | to see to it | [`Queue::status`], [`Queue::retry`], [`Queue::drain`], [`Queue::cancel`] |
//! | keys for workers that do not see the database | [`Queue::make_key`], [`Queue::key_of`], [`Queue::revoke_key`] |
//!
//! # What is promised
//!
//! A job is handed out **at least once**. Whoever has it holds a lease, and says now and then that it lives
//! ([`Queue::beat`]); if it does not, others are given the job. So a job may be done twice: the first result stays, and
//! a second one must be equal, or it is refused and counted. A job that fails comes back after a rest; after
//! [`ATTEMPTS`] times, lost workers included, it is *dead*: nobody is given it until somebody says so
//! ([`Queue::retry`]), and it stops nobody else. Jobs of a higher priority come first, among equals the older ones.
//! A job goes only to workers that can do its kind.
//!
//! # Inside
//!
//! `schema.rs` has the tables, `dialect.rs` all that is different between the databases: a few words. A claim passes over
//! rows that somebody else is just claiming (`FOR UPDATE SKIP LOCKED`); in SQLite there is one who writes. Times are
//! the database's, so workers need no right clocks. Hints (`hints.rs`) come by `LISTEN` and `NOTIFY`; nobody relies on
//! them, everybody polls.
//!
//! What a job is about is its own business: a text goes in, a text comes out.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod address;
mod batch;
mod dialect;
mod error;
mod hints;
mod keys;
mod lease;
mod queue;
mod schema;
mod status;
mod worker;

pub use address::{Address, ParseAddressError};
pub use batch::{Batch, JobCounts, JobResult, NewJob};
pub use error::QueueError;
pub use keys::WorkerKey;
pub use lease::{ATTEMPTS, About, Held, Job};
pub use queue::Queue;
pub use status::{BatchStatus, DeadJob, QueueStatus, WorkerStatus};
pub use tabiya_base::Stop;
pub use worker::{Event, Handler, JobSource, Worker};
