//! A game as JSON. Squares are told by name, sides and roles by words, times in milliseconds.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tabiya_play::{
    Captured, Coord, EvaluationView, GameController as _, GameSetup, GameView, PastPosition,
    PieceRole, PlayedMove, Seat, Session, Side, Start,
};
use tabiya_review::Opening;

/// Everything there is to show of a game.
#[derive(Serialize)]
struct ViewJson<'a> {
    id: u64,
    sequence: u64,
    kind: &'static str,
    columns: u8,
    rows: u8,
    pieces: Vec<PieceJson>,
    destinations: Vec<DestinationsJson>,
    last: Option<[String; 2]>,
    check: Option<String>,
    turn: &'static str,
    seats: Vec<SeatJson<'a>>,
    moves: Vec<PlayedJson<'a>>,
    opening: Option<OpeningJson>,
    redoable: usize,
    hint: Option<[String; 2]>,
    threats: Vec<String>,
    draw: DrawJson<'a>,
    take_back: Option<&'static str>,
    take_back_declined: Option<&'static str>,
    evaluation: Option<EvaluationJson<'a>>,
    /// Those of all positions that the computer was asked about, by the number of half-moves.
    evaluations: BTreeMap<usize, EvaluationJson<'a>>,
    end: Option<EndJson<'a>>,
    status: &'a str,
    /// The position as text: a FEN, or a plain board.
    position: &'a str,
    take_backs: bool,
    /// Minutes and seconds a move, like "5+3".
    time: Option<String>,
    /// Nothing if both sides are at this machine.
    friend: Option<FriendJson>,
}

/// What a view does not know about its game.
struct About<'a> {
    id: u64,
    sequence: u64,
    position: &'a str,
    evaluations: BTreeMap<usize, EvaluationJson<'a>>,
    take_backs: bool,
    time: Option<String>,
    opening: Option<Opening>,
    friend: Option<FriendJson>,
}

/// Everything there is to show of a game, as text. `base` is added to the sequence of the session, so that numbers go on
/// growing when a session is made anew.
pub fn view(
    id: u64,
    base: u64,
    session: &Session,
    view: &GameView,
    friend: Option<FriendJson>,
) -> String {
    let sequence = base + view.sequence;
    let position = session.position_text();
    let setup = session.setup();
    let (take_backs, time) = (setup.take_backs, setup.control.map(|control| control.to_string()));
    let opening = openings(setup, view).into_iter().next_back().flatten();
    let evaluations =
        session.evaluations().map(|(ply, found)| (ply, EvaluationJson::new(found))).collect();
    let position = &position;
    let about = About { id, sequence, position, evaluations, take_backs, time, opening, friend };
    // Plain structures with text keys: there is nothing in them that JSON cannot say.
    serde_json::to_string(&ViewJson::new(view, about)).unwrap_or_default()
}

/// What the opening was called before the first move and after each, of a game that began as usual.
fn openings(setup: &GameSetup, view: &GameView) -> Vec<Option<Opening>> {
    let codes = view.moves.iter().map(|played| played.uci.as_str());
    match setup.start == Start::standard() {
        true => Opening::along(None, codes),
        false => Vec::new(),
    }
}

/// How it stands between two people at two machines.
#[derive(Serialize, Clone, Copy)]
pub struct FriendJson {
    /// The seat that is still free.
    pub open: Option<&'static str>,
    /// Who would like to play again.
    pub rematch: Option<&'static str>,
    /// The game in which they do.
    pub next: Option<u64>,
}

/// A piece on the board.
#[derive(Serialize)]
pub struct PieceJson {
    /// Where it stands: `e1`.
    pub at: String,
    /// `white` or `black`.
    pub side: &'static str,
    /// `king` and so on.
    pub role: &'static str,
}

/// Where a piece may go.
#[derive(Serialize)]
pub struct DestinationsJson {
    from: String,
    to: Vec<TargetJson>,
}

#[derive(Serialize)]
struct TargetJson {
    at: String,
    takes: bool,
    promotions: Vec<&'static str>,
}

#[derive(Serialize)]
struct SeatJson<'a> {
    name: &'a str,
    person: bool,
    clock_ms: Option<u64>,
    ticking: bool,
    thinking: bool,
    captured: CapturedJson,
}

/// The opening of a game.
#[derive(Serialize)]
struct OpeningJson {
    eco: &'static str,
    name: &'static str,
}

impl OpeningJson {
    const fn new(Opening { eco, name, .. }: Opening) -> OpeningJson {
        OpeningJson { eco, name }
    }
}

#[derive(Serialize)]
struct CapturedJson {
    roles: Vec<&'static str>,
    lead: Option<u32>,
}

#[derive(Serialize)]
struct PlayedJson<'a> {
    side: &'static str,
    number: u32,
    san: &'a str,
    uci: &'a str,
    from: String,
    to: String,
    /// The time it took; missing without clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    spent_ms: Option<u64>,
}

#[derive(Serialize)]
struct DrawJson<'a> {
    offered: Option<&'static str>,
    claim: Option<&'a str>,
    declined: Option<&'static str>,
}

/// What the board showed after some half-moves: pieces like `Ke1 pa7`, White's in capitals.
#[derive(Serialize)]
pub struct PastJson {
    pieces: String,
    check: Option<String>,
    captured: [CapturedJson; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningJson>,
}

impl PastJson {
    /// What the board showed before the first move and after each.
    pub fn all(session: &Session) -> Vec<PastJson> {
        let openings = openings(session.setup(), &session.view());
        let last = openings.last().copied().flatten();
        let named = openings.into_iter().chain(std::iter::repeat(last));
        let positions = session.positions();
        positions.iter().zip(named).map(|(past, name)| PastJson::new(past, name)).collect()
    }

    /// One of them, and what the opening is called there.
    pub fn new(past: &PastPosition, opening: Option<Opening>) -> PastJson {
        let pieces = past.pieces.iter().map(|piece| {
            let letter = ["p", "n", "b", "r", "q", "k"][piece.role as usize];
            match piece.side {
                Side::White => format!("{}{}", letter.to_uppercase(), square(piece.square)),
                Side::Black => format!("{letter}{}", square(piece.square)),
            }
        });
        PastJson {
            pieces: pieces.collect::<Vec<_>>().join(" "),
            check: past.check.map(square),
            captured: past.captured.each_ref().map(captured),
            opening: opening.map(OpeningJson::new),
        }
    }
}

#[derive(Serialize, Clone)]
struct EvaluationJson<'a> {
    chances: f32,
    text: &'a str,
}

#[derive(Serialize)]
struct EndJson<'a> {
    winner: Option<&'static str>,
    text: &'a str,
    result: &'a str,
}

impl<'a> EvaluationJson<'a> {
    fn new(evaluation: &'a EvaluationView) -> EvaluationJson<'a> {
        EvaluationJson { chances: evaluation.chances, text: &evaluation.text }
    }
}

impl<'a> ViewJson<'a> {
    fn new(view: &'a GameView, about: About<'a>) -> ViewJson<'a> {
        ViewJson {
            id: about.id,
            sequence: about.sequence,
            kind: kind(view.kind),
            columns: view.columns,
            rows: view.rows,
            pieces: view.pieces.iter().map(piece).collect(),
            destinations: view.destinations.iter().map(destinations).collect(),
            last: view.last.map(|(from, to)| [square(from), square(to)]),
            check: view.check.map(square),
            turn: side(view.turn),
            seats: view.seats.iter().map(seat).collect(),
            moves: moves(view),
            opening: about.opening.map(OpeningJson::new),
            redoable: view.redoable,
            hint: view.hint.map(|(from, to)| [square(from), square(to)]),
            threats: view.threats.iter().copied().map(square).collect(),
            draw: DrawJson {
                offered: view.draw.offered.map(side),
                claim: view.draw.claim.as_deref(),
                declined: view.draw.declined.map(side),
            },
            take_back: view.take_back.map(side),
            take_back_declined: view.take_back_declined.map(side),
            evaluation: view.evaluation.as_ref().map(EvaluationJson::new),
            evaluations: about.evaluations,
            end: view.end.as_ref().map(|end| EndJson {
                winner: end.winner.map(side),
                text: &end.text,
                result: end.result,
            }),
            status: &view.status,
            position: about.position,
            take_backs: about.take_backs,
            time: about.time,
            friend: about.friend,
        }
    }
}

/// The name of a square.
pub fn square(place: Coord) -> String {
    place.to_string()
}

/// The square of a name.
pub fn place(text: &str) -> Result<Coord, &'static str> {
    text.parse().map_err(|_| "A square is a letter and a number, like e4.")
}

/// The word for a game.
pub const fn kind(kind: tabiya_play::GameKind) -> &'static str {
    match kind {
        tabiya_play::GameKind::Chess => "chess",
        tabiya_play::GameKind::Bishops => "bishops",
    }
}

/// The word for a side.
pub const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

const ROLES: [(PieceRole, &str); 6] = [
    (PieceRole::Pawn, "pawn"),
    (PieceRole::Knight, "knight"),
    (PieceRole::Bishop, "bishop"),
    (PieceRole::Rook, "rook"),
    (PieceRole::Queen, "queen"),
    (PieceRole::King, "king"),
];

/// The word for a piece.
pub fn role(role: PieceRole) -> &'static str {
    ROLES[role as usize].1
}

/// The role of a name.
pub fn role_named(name: &str) -> Option<PieceRole> {
    ROLES.iter().find(|(_, known)| *known == name).map(|&(role, _)| role)
}

/// A piece on the board.
pub fn piece(piece: &tabiya_play::PieceView) -> PieceJson {
    PieceJson { at: square(piece.square), side: side(piece.side), role: role(piece.role) }
}

/// Where a piece may go.
pub fn destinations(destinations: &tabiya_play::Destinations) -> DestinationsJson {
    let target = |target: &tabiya_play::Destination| TargetJson {
        at: square(target.square),
        takes: target.takes,
        promotions: target.promotions.iter().map(|&one| role(one)).collect(),
    };
    DestinationsJson {
        from: square(destinations.from),
        to: destinations.to.iter().map(target).collect(),
    }
}

/// What attacks a square, of either side, and the same as a sentence.
pub fn attackers(place: Coord, pieces: Vec<PieceJson>) -> Value {
    let named = |piece: &PieceJson| format!("{} {} {}", piece.side, piece.role, piece.at);
    let text = match pieces.is_empty() {
        true => format!("Nothing attacks {place}."),
        false => {
            let names = pieces.iter().map(named).collect::<Vec<_>>().join(", ");
            format!("{place} is attacked by {names}.")
        }
    };
    json!({ "pieces": pieces, "text": text })
}

fn seat(seat: &Seat) -> SeatJson<'_> {
    SeatJson {
        name: &seat.name,
        person: seat.person,
        clock_ms: seat.clock.map(milliseconds),
        ticking: seat.ticking,
        thinking: seat.thinking,
        captured: captured(&seat.captured),
    }
}

fn captured(captured: &Captured) -> CapturedJson {
    let roles = captured.roles.iter().map(|&one| role(one)).collect();
    CapturedJson { roles, lead: captured.lead }
}

fn moves(view: &GameView) -> Vec<PlayedJson<'_>> {
    let times = view.spent.iter().map(|&spent| Some(spent)).chain(std::iter::repeat(None));
    view.moves.iter().zip(times).map(|(one, spent)| played(one, spent)).collect()
}

fn played(played: &PlayedMove, spent: Option<Duration>) -> PlayedJson<'_> {
    PlayedJson {
        side: side(played.side),
        number: played.number,
        san: &played.san,
        uci: &played.uci,
        from: square(played.from),
        to: square(played.to),
        spent_ms: spent.map(milliseconds),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_named_in_their_order() {
        for (index, (role, name)) in ROLES.into_iter().enumerate() {
            assert_eq!(role as usize, index);
            assert_eq!(role_named(name), Some(role));
        }
        assert_eq!(role_named("archbishop"), None);
    }
}
