//! Two people at two machines: inviting, joining, playing on, a phrase now and then.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tabiya_play::{GameKind, Side};

use super::{Answer, aside, live_game};
use crate::AppState;
use crate::error::ApiError;
use crate::extract::{Id, SeatOwner, Visitor};
use crate::invitation::{Invitation, Qr};
use crate::presence::{LONGEST_WORDS, PHRASES};
use tabiya_api::new_game::person;

/// Where the browser of the one who invites has found the server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct From {
    origin: Option<String>,
}

/// The link to send, for the one who waits. While a seat is free, no one else has a token of the game.
pub(super) async fn invitation(
    State(state): State<AppState>,
    SeatOwner { id, .. }: SeatOwner,
    headers: HeaderMap,
    from: Result<Query<From>, QueryRejection>,
) -> Answer {
    let Query(From { origin }) = from?;
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let origin = origin.unwrap_or_else(|| format!("http://{host}"));
    let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if !named.is_some_and(|name| !name.contains('/') && state.0.access.answers_to(name)) {
        return Err(ApiError::invalid("That is no address of this server."));
    }
    let game = live_game(&state, id).await?;
    if !game.is_waiting() {
        return Err(ApiError::conflict("There is no free seat in that game."));
    }
    let kind = aside(move || Ok(game.read(|session| session.setup().start.kind()))).await?;
    let page = match kind {
        GameKind::Chess => "",
        GameKind::Bishops => "bishops",
    };
    let (origin, advice) = state.0.access.reach(&origin);
    // What comes after # stays in the browser: it is in no log and in no referrer.
    let link = format!("{origin}/{page}?game={id}#join={}", state.0.key.invitation(id));
    // A picture is for another machine.
    let qr = Qr::of(&link).filter(|_| advice.is_none());
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((headers, Json(Invitation { link, advice, qr })).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JoinJson {
    invitation: String,
    name: Option<String>,
    /// Something only this guest knows, to be known again if the answer is lost.
    mark: String,
}

#[derive(Serialize)]
struct Joined {
    id: u64,
    tokens: Value,
    view: Box<RawValue>,
}

fn tokens(state: &AppState, id: u64, side: Option<Side>) -> Value {
    let token = |one| (side == Some(one)).then(|| state.0.key.token(id, one));
    json!({ "white": token(Side::White), "black": token(Side::Black) })
}

/// Takes the free seat. The answer comes when it is kept whose it is.
pub(super) async fn join(
    State(state): State<AppState>,
    Id(id): Id,
    asked: Result<Json<JoinJson>, JsonRejection>,
) -> Answer {
    let Json(JoinJson { invitation, name, mark }) = asked?;
    if !state.0.key.is_invitation(id, &invitation) {
        let sentence = "That is no invitation to this game.";
        return Err(ApiError::forbidden(sentence));
    }
    if !(16..=64).contains(&mark.len()) {
        return Err(ApiError::invalid("A mark has 16 to 64 characters."));
    }
    let player = person(name.as_deref())?;
    let game = live_game(&state, id).await?;
    // What is kept tells nobody the mark.
    let mark = state.0.key.seal("mark", &[mark.as_bytes()]);
    aside(move || {
        let side = state.0.join(&game, &player, &mark)?;
        let view = RawValue::from_string(game.json());
        let view = view.map_err(ApiError::internal)?;
        Ok(Json(Joined { id, tokens: tokens(&state, id, Some(side)), view }).into_response())
    })
    .await
}

/// The game in which two people play on: with a seat for those who had one, colours changed.
pub(super) async fn next(
    State(state): State<AppState>,
    Visitor { id, side }: Visitor,
    headers: HeaderMap,
) -> Answer {
    let game = live_game(&state, id).await?;
    let next = game.next().ok_or_else(|| ApiError::conflict("There is no other game yet."))?;
    let tokens = tokens(&state, next, side.map(Side::other));
    let mut response = Json(json!({ "id": next, "tokens": tokens })).into_response();
    // Who was let into this game alone is let into the next.
    if state.0.access.has_password()
        && let Some(cookie) = state.game_cookie(&headers, next)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// What players may say: the phrases, and how much in their own words, if the owner of the server allows that.
pub(super) async fn phrases(State(state): State<AppState>) -> Answer {
    let own_words = state.0.own_words.then_some(LONGEST_WORDS);
    Ok(Json(json!({ "phrases": PHRASES, "own_words": own_words })).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhraseJson {
    phrase: Option<usize>,
    text: Option<String>,
}

/// A player says something: by number, or in their own words.
pub(super) async fn say(
    State(state): State<AppState>,
    SeatOwner { id, side }: SeatOwner,
    said: Result<Json<PhraseJson>, JsonRejection>,
) -> Answer {
    let Json(said) = said?;
    let game = live_game(&state, id).await?;
    if !game.is_apart() {
        return Err(ApiError::conflict("This game is not played with somebody elsewhere."));
    }
    match (said.phrase, said.text) {
        (Some(number), None) => {
            let phrase = PHRASES.get(number).ok_or_else(|| {
                ApiError::invalid(format!("Phrases are numbered 0 to {}.", PHRASES.len() - 1))
            })?;
            game.presence.say(side, phrase)?;
        }
        (None, Some(text)) if state.0.own_words => {
            game.presence.say_freely(side, text.parse().map_err(ApiError::invalid)?)?;
        }
        (None, Some(_)) => {
            let sentence = "Here only the set phrases are said: the owner of the server may allow \
                            words of one's own with --own-words.";
            return Err(ApiError::forbidden(sentence));
        }
        _ => return Err(ApiError::invalid("What is said is a phrase or a text.")),
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PongJson {
    nonce: String,
}

/// A page answers a ping.
pub(super) async fn pong(
    State(state): State<AppState>,
    SeatOwner { id, side }: SeatOwner,
    answer: Result<Json<PongJson>, JsonRejection>,
) -> Answer {
    let Json(PongJson { nonce }) = answer?;
    let nonce = nonce.parse().map_err(|_| ApiError::invalid("A nonce is a number."))?;
    let game = live_game(&state, id).await?;
    match aside(move || Ok(game.pong(side, nonce))).await? {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(ApiError::conflict("Nobody has asked that.")),
    }
}
