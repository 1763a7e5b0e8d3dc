//! A game as plain data: whatever shows one, on a terminal, on a page or in a study, needs neither rules nor
//! search.
//!
//! Whoever shows a game holds a [`GameController`], asks it for a [`GameView`] and passes on what people do.
//! Boards are of any size up to 26×26, so that chess and the bishop-and-king game look the same from here.

mod controller;
mod coord;
mod end;
mod view;

pub use controller::{GameController, Refusal, Request};
pub use coord::{Coord, ParseCoordError};
pub use view::{
    Captured, Destination, Destinations, Draw, EvaluationView, GameEnd, GameKind, GameView,
    PastPosition, PieceRole, PieceView, PlayedMove, Seat, Side,
};
