use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::IntoResponse as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tabiya_play::{Coord, MoveInput, Request};

use super::{Answer, aside, live_game};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::SeatOwner;
use crate::json::role_named;

/// The longest move that is read.
const LONGEST: usize = 40;

/// A move: as it is written, or from where to where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveJson {
    text: Option<String>,
    from: Option<String>,
    to: Option<String>,
    promotion: Option<String>,
    /// How many half-moves the player had seen: so a move that is sent again is not played again.
    ply: Option<usize>,
}

impl MoveJson {
    fn input(self) -> Result<MoveInput, ApiError> {
        match (self.text, self.from, self.to) {
            (Some(text), None, None) if text.len() <= LONGEST => Ok(MoveInput::Text(text)),
            (Some(_), None, None) => Err(ApiError::invalid("That is too long for a move.")),
            (None, Some(from), Some(to)) => {
                let promotion = match self.promotion {
                    Some(name) => Some(role_named(&name).ok_or_else(|| {
                        ApiError::invalid("A pawn becomes a queen, rook, bishop or knight.")
                    })?),
                    None => None,
                };
                Ok(MoveInput::Squares { from: place(&from)?, to: place(&to)?, promotion })
            }
            _ => Err(ApiError::invalid("A move is a text, or the squares from and to.")),
        }
    }
}

fn place(text: &str) -> Result<Coord, ApiError> {
    text.parse().map_err(|_| ApiError::invalid("A square is a letter and a number, like e4."))
}

/// What happened, and what there is to show now.
#[derive(Serialize)]
struct Done {
    said: String,
    view: Box<RawValue>,
}

fn done(view: String, said: String) -> Answer {
    let view = RawValue::from_string(view);
    let view = view.map_err(ApiError::internal)?;
    Ok(Json(Done { said, view }).into_response())
}

/// Plays a move. The answer comes when the move is kept.
pub(super) async fn play(
    State(state): State<AppState>,
    SeatOwner { id, side }: SeatOwner,
    request: Result<Json<MoveJson>, JsonRejection>,
) -> Answer {
    let Json(request) = request?;
    let (ply, input) = (request.ply, request.input()?);
    let game = live_game(&state, id).await?;
    aside(move || {
        let (said, shown) = game.play(side, ply, &input)?;
        done(shown.json.clone(), said)
    })
    .await
}

/// What a player asks for besides moving.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestJson {
    request: String,
    /// Which position is to be evaluated, by the number of half-moves; the last if missing.
    ply: Option<usize>,
}

/// What a session does for a player.
const REQUESTS: [(&str, Request); 14] = [
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

/// What needs the server as well.
const REMATCH: &str = "rematch";
const DECLINE_REMATCH: &str = "decline-rematch";

pub(super) async fn request(
    State(state): State<AppState>,
    client: Client,
    SeatOwner { id, side }: SeatOwner,
    request: Result<Json<RequestJson>, JsonRejection>,
) -> Answer {
    let Json(RequestJson { request: name, ply }) = request?;
    let known = REQUESTS.iter().find(|(known, _)| *known == name);
    let known = match (known.map(|(_, request)| request.clone()), ply) {
        (Some(Request::Evaluate), Some(ply)) => Some(Request::EvaluateAfter(ply)),
        (_, Some(_)) => return Err(ApiError::invalid("Only evaluate is asked about a ply.")),
        (known, None) => known,
    };
    if known.is_none() && ![REMATCH, DECLINE_REMATCH].contains(&name.as_str()) {
        let names = REQUESTS.map(|(name, _)| name).join(", ");
        return Err(ApiError::invalid(format!(
            "Requests are: {names}, {REMATCH}, {DECLINE_REMATCH}."
        )));
    }
    let game = live_game(&state, id).await?;
    aside(move || {
        let said = match known {
            Some(request) => game.request(side, &request)?,
            None if name == DECLINE_REMATCH => {
                game.decline_rematch()?;
                String::new()
            }
            None => match game.offer_rematch(side)? {
                true => {
                    state.0.play_on(client, &game)?;
                    "Another game!".to_owned()
                }
                false => "You would like to play again.".to_owned(),
            },
        };
        done(game.json(), said)
    })
    .await
}
