//! A game in progress, for anything that shows boards: chess, or the bishop-and-king game.
//!
//! Whoever shows a game holds a [`Table`], asks it for a [`View`] and passes on what people do.

mod place;
mod table;
mod view;

pub use place::Place;
pub use table::{Refusal, Request, Table};
pub use view::{
    Captured, Draw, End, Kind, Man, Mark, Opinion, Played, Reach, Seat, Shape, Side, Target, View,
};
