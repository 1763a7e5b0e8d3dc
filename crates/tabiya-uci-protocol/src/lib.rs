//! The UCI protocol as typed messages both ways.
//!
//! UCI is how chess programs talk: lines of words between a GUI and an engine. Here each line is a
//! value. Nothing that comes from the other side can make this crate panic, hang or eat the memory.
//!
//! ```
//! use std::time::Duration;
//! use tabiya_uci_protocol::{Command, Message};
//!
//! let (command, complaints) = Command::parse("go wtime 60000 btime soon winc 1000");
//! let Command::Go(go) = command else { panic!() };
//! assert_eq!(go.wtime, Some(Duration::from_secs(60)));
//! assert_eq!(go.btime, None);
//! assert_eq!(complaints[0].to_string(), "go: btime needs a number, not \"soon\"");
//!
//! let Message::Info(info) = Message::parse("info depth 9 score cp 31 pv e2e4 e7e5") else { panic!() };
//! assert_eq!(info.pv, ["e2e4", "e7e5"]);
//! assert_eq!(info.to_string(), "depth 9 score cp 31 pv e2e4 e7e5");
//! ```
//!
//! # The way around
//!
//! | you want | look at |
//! |---|---|
//! | what a GUI says | [`Command`], [`Go`], [`PositionCommand`], [`Complaint`] |
//! | what an engine says | [`Message`], [`InfoMessage`], [`BestMove`], [`OptionSpec`] |
//! | to be an engine | [`UciEngine`], [`Output`], [`serve`] |
//! | to use an engine | [`Program`], [`Client`], [`EngineError`] |
//! | lines of bounded length | [`LineReader`] |
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod client;
mod command;
mod engine;
mod engine_error;
mod go;
mod info;
mod job;
mod lines;
mod message;
mod option;
mod output;
mod pipes;
mod position_command;
mod program;
mod server;
mod thinker;
mod words;

pub use client::{Client, EngineAnswer};
pub use command::{Command, Complaint};
pub use engine::{BenchWork, Identity, UciEngine};
pub use engine_error::{EngineError, EngineTask};
pub use go::Go;
pub use info::{CurrentLine, InfoMessage};
pub use lines::{InputLine, LineReader};
pub use message::{BestMove, Check, Message};
pub use option::{OptionError, OptionKind, OptionSpec, OptionValue};
pub use output::Output;
pub use position_command::{PositionCommand, PositionError, StartPosition};
pub use program::Program;
pub use server::serve;
pub use tabiya_base::{Bound, Score, Stop, Wdl};
