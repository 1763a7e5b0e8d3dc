//! The terminal board: any game that [`tabiya_view`] shows, by mouse, by keys or by typing.
//!
//! The screen knows neither rules nor search. It draws a [`GameView`](tabiya_view::GameView), passes what people do on to a
//! [`GameController`](tabiya_view::GameController), and asks a [`Host`] for everything beside the game: new games, kept games, files.
//!
//! [`run`] takes over the terminal until the person leaves. What happens in between is decided by [`App`], which
//! needs no terminal: an [`Intent`] goes in, an [`Action`] comes out.
//!
//! | file | what |
//! |---|---|
//! | `screen.rs`, `signals.rs` | the terminal, taken over and given back; the loop |
//! | `input.rs`, `typing.rs`, `typed.rs`, `command.rs` | keys and mouse, the line that is typed, half-typed moves, what keys ask for |
//! | `app.rs`, `browse.rs`, `mouse.rs`, `dialogue.rs`, `overlay.rs` | what the screen knows, earlier positions; what lies over it |
//! | `layout.rs` | where everything goes |
//! | `board.rs`, `pieces.rs` | squares, pieces and marks |
//! | `panel.rs`, `bar.rs`, `words.rs`, `picker.rs`, `help.rs` | everything else there is to see |
//! | `theme.rs` | colours, down to none |
//!
//! # Inside
//!
//! `screen.rs` owns the terminal and the loop; everything else can be tried without one. An event becomes an
//! `Intent` (`input.rs`), the `App` makes an `Action` of it, and the loop tells the game or whoever has
//! opened the screen. `layout.rs` shares out the window: a square of *step* n is n cells wide and n half
//! lines high, so that it looks square at every size, and the largest step that leaves room for the rest
//! wins. `board.rs` draws on a canvas of half cells; from six on, pieces are quarters of cells, from eight
//! pixels, from ten with an outline; below, figurines or letters. Marks are shapes as well as colours, so
//! that `plain` loses nothing.
//!
//! **The terminal is asked nothing.** Colours and letters are chosen from the environment; no query is sent
//! whose answer might never come over a slow line. A thread listens for signals, because reading from a
//! terminal that is gone may never return.
//!
//! **Letters are moves first.** What can begin a move goes to the line that is typed; every other letter is
//! its command, and behind the space bar all of them are.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod app;
mod bar;
mod board;
mod browse;
mod command;
mod dialogue;
mod draw;
mod help;
mod host;
mod input;
mod layout;
mod mouse;
mod overlay;
mod panel;
mod picker;
mod pieces;
mod screen;
mod signals;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod testing;
mod theme;
mod typed;
mod typing;
mod words;

pub use app::{Action, App};
pub use command::KeyCommand;
pub use host::{AnalysisView, Host, KeptGame, NewGameQuestion};
pub use input::{Intent, intent};
pub use screen::{Farewell, FirstSight, Options, ScreenError, run};
pub use theme::{Depth, ParseThemeError, ThemeName, speaks_unicode};
pub use typing::Edit;
