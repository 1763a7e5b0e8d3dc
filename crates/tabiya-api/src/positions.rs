//! A position that somebody sets up, and lines that are played through.

use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_play::{PieceView, Refusal, Side};
use tabiya_study::{Sketch, Study};

use crate::Invalid;
use crate::game::{PieceJson, piece, place, role_named, side, square};
use crate::study::{BoardJson, LineMoveJson};

/// A position on trial: as a FEN, or piece by piece.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SketchJson {
    fen: Option<String>,
    #[serde(default)]
    pieces: Vec<PlacedPiece>,
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
struct PlacedPiece {
    at: String,
    side: String,
    role: String,
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
        if self.pieces.len() > MOST || self.castling.len() > 8 {
            return Err(Refusal("That is too much for a board.".to_owned()));
        }
        let at = |text: &str| place(text).map_err(|error| Refusal(error.to_owned()));
        let side = |name: &str| match name {
            "white" => Ok(Side::White),
            "black" => Ok(Side::Black),
            _ => Err(Refusal("The sides are white and black.".to_owned())),
        };
        let pieces = self.pieces.iter().map(|piece| {
            let role = role_named(&piece.role);
            let role = role.ok_or_else(|| Refusal("There is no such piece.".to_owned()))?;
            Ok(PieceView { square: at(&piece.at)?, side: side(&piece.side)?, role })
        });
        Ok(Sketch {
            pieces: pieces.collect::<Result<_, Refusal>>()?,
            turn: self.turn.as_deref().map_or(Ok(Side::White), side)?,
            castling: self.castling.clone(),
            en_passant: self.en_passant.as_deref().map(at).transpose()?,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        })
    }

    /// Says whether a position is possible, and if not, what is wrong with it.
    pub fn check(&self) -> Result<Value, Invalid> {
        let sketch = self.sketch().map_err(Invalid::new)?;
        let verdict = sketch.verdict();
        let pieces: Vec<PieceJson> = sketch.pieces.iter().map(piece).collect();
        Ok(json!({
            "fen": verdict.fen,
            "possible": verdict.trouble.is_none(),
            "problem": verdict.trouble,
            "pieces": pieces,
            "turn": side(sketch.turn),
            "castling": sketch.castling,
            "en_passant": sketch.en_passant.map(square),
            "halfmove_clock": sketch.halfmove_clock,
            "fullmove_number": sketch.fullmove_number,
            "en_passant_squares": verdict.passable.into_iter().map(square).collect::<Vec<_>>(),
            "possible_castling": verdict.castleable,
        }))
    }
}

/// Moves from a position, or from the start of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineJson {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

/// The longest line, in plies.
const PLIES: usize = 600;

impl LineJson {
    /// What the board shows after the moves.
    pub fn show(&self) -> Result<Value, Invalid> {
        let LineJson { fen, moves } = self;
        if moves.len() > PLIES || fen.as_ref().is_some_and(|fen| fen.len() > LONGEST) {
            return Err(Invalid::new("That is too long for a line."));
        }
        let (moves, board) = Study::after(fen.as_deref(), moves).map_err(Invalid::new)?;
        let moves: Vec<LineMoveJson<'_>> = moves.iter().map(LineMoveJson::from).collect();
        Ok(json!({ "board": BoardJson::new(&board), "moves": moves }))
    }
}
