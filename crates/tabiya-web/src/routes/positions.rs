use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::json;
use tabiya_play::{PieceView, Refusal, Side};
use tabiya_study::Sketch;

use super::Answer;
use crate::error::ApiError;
use crate::json::{ManJson, man, place, shape_named, side, square};

/// A position on trial: as a FEN, or piece by piece.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SketchJson {
    fen: Option<String>,
    #[serde(default)]
    men: Vec<Piece>,
    #[serde(default)]
    turn: Option<String>,
    #[serde(default)]
    castling: String,
    en_passant: Option<String>,
    #[serde(default)]
    halfmove_clock: u16,
    #[serde(default = "one")]
    fullmove_number: u16,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    at: String,
    side: String,
    shape: String,
}

const fn one() -> u16 {
    1
}

/// The longest FEN, and the most pieces.
const LONGEST: usize = 200;
const MOST: usize = 64;

impl SketchJson {
    fn sketch(&self) -> Result<Sketch, Refusal> {
        if let Some(fen) = &self.fen {
            return match fen.len() <= LONGEST {
                true => Sketch::from_fen(fen),
                false => Err(Refusal("That is too long for a FEN.".to_owned())),
            };
        }
        if self.men.len() > MOST || self.castling.len() > 8 {
            return Err(Refusal("That is too much for a board.".to_owned()));
        }
        let at = |text: &str| place(text).map_err(|error| Refusal(error.to_owned()));
        let side = |name: &str| match name {
            "white" => Ok(Side::White),
            "black" => Ok(Side::Black),
            _ => Err(Refusal("The sides are white and black.".to_owned())),
        };
        let men = self.men.iter().map(|piece| {
            let shape = shape_named(&piece.shape);
            let shape = shape.ok_or_else(|| Refusal("There is no such piece.".to_owned()))?;
            Ok(PieceView { square: at(&piece.at)?, side: side(&piece.side)?, role: shape })
        });
        Ok(Sketch {
            pieces: men.collect::<Result<_, Refusal>>()?,
            turn: self.turn.as_deref().map_or(Ok(Side::White), side)?,
            castling: self.castling.clone(),
            en_passant: self.en_passant.as_deref().map(at).transpose()?,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        })
    }
}

/// Says whether a position is possible, and if not, what is wrong with it.
pub(super) async fn check(sketch: Result<Json<SketchJson>, JsonRejection>) -> Answer {
    let Json(asked) = sketch?;
    let sketch = asked.sketch().map_err(ApiError::invalid)?;
    let verdict = sketch.verdict();
    let men: Vec<ManJson> = sketch.pieces.iter().map(man).collect();
    Ok(Json(json!({
        "fen": verdict.fen,
        "possible": verdict.trouble.is_none(),
        "trouble": verdict.trouble,
        "men": men,
        "turn": side(sketch.turn),
        "castling": sketch.castling,
        "en_passant": sketch.en_passant.map(square),
        "halfmove_clock": sketch.halfmove_clock,
        "fullmove_number": sketch.fullmove_number,
        "passable": verdict.passable.into_iter().map(square).collect::<Vec<_>>(),
        "castleable": verdict.castleable,
    }))
    .into_response())
}
