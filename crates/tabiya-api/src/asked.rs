//! What is asked of a game in progress: a move, or something besides moving.

use serde::Deserialize;
use tabiya_play::{Coord, MoveInput, Request};

use crate::Invalid;
use crate::game::role_named;

/// The longest move that is read.
const LONGEST: usize = 40;

/// A move: as it is written, or from where to where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveJson {
    text: Option<String>,
    from: Option<String>,
    to: Option<String>,
    promotion: Option<String>,
    /// How many half-moves the player had seen: so a move that is sent again is not played again.
    pub ply: Option<usize>,
}

impl MoveJson {
    /// The move as a session takes it.
    pub fn input(self) -> Result<MoveInput, Invalid> {
        match (self.text, self.from, self.to) {
            (Some(text), None, None) if text.len() <= LONGEST => Ok(MoveInput::Text(text)),
            (Some(_), None, None) => Err(Invalid::new("That is too long for a move.")),
            (None, Some(from), Some(to)) => {
                let promotion = match self.promotion {
                    Some(name) => Some(role_named(&name).ok_or_else(|| {
                        Invalid::new("A pawn becomes a queen, rook, bishop or knight.")
                    })?),
                    None => None,
                };
                Ok(MoveInput::Squares { from: place(&from)?, to: place(&to)?, promotion })
            }
            _ => Err(Invalid::new("A move is a text, or the squares from and to.")),
        }
    }
}

fn place(text: &str) -> Result<Coord, Invalid> {
    text.parse().map_err(|_| Invalid::new("A square is a letter and a number, like e4."))
}

/// What a session does for a player.
pub const REQUESTS: [(&str, Request); 14] = [
    ("take-back-one", Request::TakeBackOne),
    ("take-back", Request::TakeBack),
    ("accept-take-back", Request::AcceptTakeBack),
    ("decline-take-back", Request::DeclineTakeBack),
    ("redo", Request::Redo),
    ("resign", Request::Resign),
    ("abort", Request::Abort),
    ("offer-draw", Request::OfferDraw),
    ("accept-draw", Request::AcceptDraw),
    ("decline-draw", Request::DeclineDraw),
    ("claim-draw", Request::ClaimDraw),
    ("hint", Request::Hint),
    ("evaluate", Request::Evaluate),
    ("move-now", Request::MoveNow),
];

/// The request of a name, if a session knows it; `evaluate` may be about an earlier position, by the number of half-moves.
pub fn request(name: &str, ply: Option<usize>) -> Result<Option<Request>, Invalid> {
    let known = REQUESTS.iter().find(|(known, _)| *known == name);
    match (known.map(|(_, request)| request.clone()), ply) {
        (Some(Request::Evaluate), Some(ply)) => Ok(Some(Request::EvaluateAfter(ply))),
        (_, Some(_)) => Err(Invalid::new("Only evaluate is asked about a ply.")),
        (known, None) => Ok(known),
    }
}
