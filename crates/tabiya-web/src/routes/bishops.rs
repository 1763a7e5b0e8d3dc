use std::net::IpAddr;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_play::{GameController as _, GameKind, Side};
use tabiya_puzzle::{Move, Position, Recipe, Size, Solver, Verdict};
use tokio::sync::oneshot;

use super::{Answer, live_game};
use crate::AppState;
use crate::error::ApiError;
use crate::extract::{Client, Id, Local};

/// Positions the solver looks at before it gives up: some seconds.
const BUDGET: u64 = 20_000_000;
/// The longest mate that is looked for.
const LONGEST: u32 = 9;

/// What a new position should have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecipeJson {
    size: u8,
    white_bishops: usize,
    black_bishops: usize,
    mate: Option<u32>,
    #[serde(default)]
    seed: u64,
}

/// Has the pool work something out when the turn of this asker comes.
async fn ponder<T: Send + 'static>(
    state: &AppState,
    turn: u64,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let (sender, answer) = oneshot::channel();
    // The asker may have gone.
    state.0.pool.submit(turn, Box::new(move || drop(sender.send(work()))));
    answer.await.map_err(|_| ApiError::internal("a thought was lost"))
}

/// The machine belongs to those who sit at it; others may ask now and then.
fn may_think(state: &AppState, client: IpAddr, local: bool) -> Result<(), ApiError> {
    match local || state.0.rates.may_think(client) {
        true => Ok(()),
        false => Err(ApiError::too_many("That is much to think about: wait a moment.")),
    }
}

/// Makes a position for the bishop-and-king game.
pub(super) async fn compose(
    State(state): State<AppState>,
    Client(client): Client,
    Local(local): Local,
    recipe: Result<Json<RecipeJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = recipe?;
    may_think(&state, client, local)?;
    let size = Size::new(asked.size).ok_or_else(|| ApiError::invalid("Sizes are 3 to 26."))?;
    if asked.mate.is_some_and(|moves| !(1..=4).contains(&moves)) {
        return Err(ApiError::invalid("Mates are made in 1 to 4 moves."));
    }
    let recipe = Recipe {
        size,
        white_bishops: asked.white_bishops,
        black_bishops: asked.black_bishops,
        mate: asked.mate,
        seed: asked.seed,
    };
    let board = ponder(&state, 0, move || recipe.compose()).await?;
    let board = board.map_err(ApiError::invalid)?;
    Ok(Json(json!({ "position": board.plain() })).into_response())
}

/// How far the solver looks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Depth {
    moves: Option<u32>,
}

/// The solver's word on a game of bishops: does the side to move mate, and how?
pub(super) async fn verdict(
    State(state): State<AppState>,
    Id(id): Id,
    Client(client): Client,
    Local(local): Local,
    depth: Result<Query<Depth>, QueryRejection>,
) -> Answer {
    let Query(Depth { moves }) = depth?;
    may_think(&state, client, local)?;
    let moves = moves.unwrap_or(3);
    if !(1..=LONGEST).contains(&moves) {
        return Err(ApiError::invalid(format!(
            "The solver looks for mates in 1 to {LONGEST} moves."
        )));
    }
    let game = live_game(&state, id).await?;
    let (kind, text, turn) = super::aside(move || {
        Ok(game.read(|session| {
            (session.setup().start.kind(), session.position_text(), session.view().turn)
        }))
    })
    .await?;
    if kind != GameKind::Bishops {
        return Err(ApiError::invalid("The solver knows the bishop-and-king game only."));
    }
    let side = match turn {
        Side::White => tabiya_puzzle::Side::White,
        Side::Black => tabiya_puzzle::Side::Black,
    };
    let board = text.parse().map_err(ApiError::invalid)?;
    let position = Position::new(board, side).map_err(ApiError::invalid)?;
    let solve = move || Solver::with_budget(BUDGET).solve(&position, moves);
    let verdict = ponder(&state, id, solve).await?;
    Ok(Json(told(&verdict, turn.name())).into_response())
}

fn told(verdict: &Verdict, side: &str) -> Value {
    let words = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let plural = |moves: u32| if moves == 1 { "" } else { "s" };
    match verdict {
        Verdict::Mate(solution) => json!({
            "mate": solution.moves,
            "line": words(&solution.line),
            "first": words(&solution.keys),
            "text": format!("{side} mates in {} move{}.", solution.moves, plural(solution.moves)),
        }),
        Verdict::NoMate { within } => json!({
            "mate": null,
            "text": format!("{side} has no mate within {within} move{}.", plural(*within)),
        }),
        Verdict::Unfinished { no_mate_within } => json!({
            "mate": null,
            "text": format!(
                "{side} has no mate within {no_mate_within} move{}; to look further takes too long.",
                plural(*no_mate_within)
            ),
        }),
    }
}
