//! A game as JSON. Squares are told by name, sides and shapes by words, times in milliseconds.

use serde::Serialize;
use tabiya_play::{Captured, Coord, GameView, Mark, PieceRole, PlayedMove, Seat, Side};

/// Everything there is to show of a game.
#[derive(Serialize)]
pub(crate) struct ViewJson<'a> {
    id: u64,
    sequence: u64,
    kind: &'static str,
    columns: u8,
    rows: u8,
    men: Vec<ManJson>,
    reach: Vec<ReachJson>,
    last: Option<[String; 2]>,
    check: Option<String>,
    turn: &'static str,
    seats: Vec<SeatJson<'a>>,
    moves: Vec<PlayedJson<'a>>,
    redoable: usize,
    bottom: &'static str,
    marks: Vec<MarkJson>,
    draw: DrawJson<'a>,
    take_back: Option<&'static str>,
    shows: ShowsJson,
    opinion: Option<OpinionJson<'a>>,
    end: Option<EndJson<'a>>,
    status: &'a str,
    /// The position as text: a FEN, or a plain board.
    position: &'a str,
    take_backs: bool,
    /// Nothing if both sides are at this machine.
    friend: Option<FriendJson>,
}

/// What a view does not know about its game.
pub(crate) struct About<'a> {
    pub(crate) id: u64,
    pub(crate) sequence: u64,
    pub(crate) position: &'a str,
    pub(crate) take_backs: bool,
    pub(crate) friend: Option<FriendJson>,
}

/// How it stands between two people at two machines.
#[derive(Serialize, Clone, Copy)]
pub(crate) struct FriendJson {
    /// The seat that is still free.
    pub(crate) open: Option<&'static str>,
    /// Who would like to play again.
    pub(crate) rematch: Option<&'static str>,
    /// The game in which they do.
    pub(crate) next: Option<u64>,
}

/// A piece on the board.
#[derive(Serialize)]
pub(crate) struct ManJson {
    pub(crate) at: String,
    pub(crate) side: &'static str,
    pub(crate) shape: &'static str,
}

#[derive(Serialize)]
pub(crate) struct ReachJson {
    from: String,
    to: Vec<TargetJson>,
}

#[derive(Serialize)]
struct TargetJson {
    at: String,
    takes: bool,
    becomes: Vec<&'static str>,
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

#[derive(Serialize)]
struct CapturedJson {
    shapes: Vec<&'static str>,
    lead: Option<u32>,
}

#[derive(Serialize)]
struct PlayedJson<'a> {
    side: &'static str,
    number: u32,
    text: &'a str,
    code: &'a str,
    from: String,
    to: String,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum MarkJson {
    Hint { from: String, to: String },
    Threat { at: String },
}

#[derive(Serialize)]
struct DrawJson<'a> {
    offered: Option<&'static str>,
    claim: Option<&'a str>,
}

#[derive(Serialize)]
struct ShowsJson {
    threats: bool,
    opinion: bool,
}

#[derive(Serialize)]
struct OpinionJson<'a> {
    chances: f32,
    text: &'a str,
}

#[derive(Serialize)]
struct EndJson<'a> {
    winner: Option<&'static str>,
    text: &'a str,
    result: &'a str,
}

impl<'a> ViewJson<'a> {
    pub(crate) fn new(view: &'a GameView, about: &About<'a>) -> ViewJson<'a> {
        ViewJson {
            id: about.id,
            sequence: about.sequence,
            kind: kind(view.kind),
            columns: view.columns,
            rows: view.rows,
            men: view.pieces.iter().map(man).collect(),
            reach: view.destinations.iter().map(reach).collect(),
            last: view.last.map(|(from, to)| [square(from), square(to)]),
            check: view.check.map(square),
            turn: side(view.turn),
            seats: view.seats.iter().map(seat).collect(),
            moves: view.moves.iter().map(played).collect(),
            redoable: view.redoable,
            bottom: side(view.bottom),
            marks: view.marks.iter().map(mark).collect(),
            draw: DrawJson {
                offered: view.draw.offered.map(side),
                claim: view.draw.claim.as_deref(),
            },
            take_back: view.take_back.map(side),
            shows: ShowsJson { threats: view.shows_threats, opinion: view.shows_evaluation },
            opinion: view
                .evaluation
                .as_ref()
                .map(|opinion| OpinionJson { chances: opinion.chances, text: &opinion.text }),
            end: view.end.as_ref().map(|end| EndJson {
                winner: end.winner.map(side),
                text: &end.text,
                result: end.result,
            }),
            status: &view.status,
            position: about.position,
            take_backs: about.take_backs,
            friend: about.friend,
        }
    }
}

pub(crate) fn square(place: Coord) -> String {
    place.to_string()
}

/// The square of a name.
pub(crate) fn place(text: &str) -> Result<Coord, &'static str> {
    text.parse().map_err(|_| "A square is a letter and a number, like e4.")
}

pub(crate) const fn kind(kind: tabiya_play::GameKind) -> &'static str {
    match kind {
        tabiya_play::GameKind::Chess => "chess",
        tabiya_play::GameKind::Bishops => "bishops",
    }
}

pub(crate) const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

const SHAPES: [(PieceRole, &str); 6] = [
    (PieceRole::Pawn, "pawn"),
    (PieceRole::Knight, "knight"),
    (PieceRole::Bishop, "bishop"),
    (PieceRole::Rook, "rook"),
    (PieceRole::Queen, "queen"),
    (PieceRole::King, "king"),
];

fn shape(shape: PieceRole) -> &'static str {
    SHAPES[shape as usize].1
}

/// The shape of a name.
pub(crate) fn shape_named(name: &str) -> Option<PieceRole> {
    SHAPES.iter().find(|(_, known)| *known == name).map(|&(shape, _)| shape)
}

pub(crate) fn man(man: &tabiya_play::PieceView) -> ManJson {
    ManJson { at: square(man.square), side: side(man.side), shape: shape(man.role) }
}

pub(crate) fn reach(reach: &tabiya_play::Destinations) -> ReachJson {
    let target = |target: &tabiya_play::Destination| TargetJson {
        at: square(target.square),
        takes: target.takes,
        becomes: target.promotions.iter().map(|&one| shape(one)).collect(),
    };
    ReachJson { from: square(reach.from), to: reach.to.iter().map(target).collect() }
}

fn seat(seat: &Seat) -> SeatJson<'_> {
    SeatJson {
        name: &seat.name,
        person: seat.person,
        clock_ms: seat.clock.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
        ticking: seat.ticking,
        thinking: seat.thinking,
        captured: captured(&seat.captured),
    }
}

fn captured(captured: &Captured) -> CapturedJson {
    let shapes = captured.roles.iter().map(|&one| shape(one)).collect();
    CapturedJson { shapes, lead: captured.lead }
}

fn played(played: &PlayedMove) -> PlayedJson<'_> {
    PlayedJson {
        side: side(played.side),
        number: played.number,
        text: &played.san,
        code: &played.uci,
        from: square(played.from),
        to: square(played.to),
    }
}

fn mark(mark: &Mark) -> MarkJson {
    match *mark {
        Mark::Hint { from, to } => MarkJson::Hint { from: square(from), to: square(to) },
        Mark::Threat(at) => MarkJson::Threat { at: square(at) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_named_in_their_order() {
        for (index, (shape, name)) in SHAPES.into_iter().enumerate() {
            assert_eq!(shape as usize, index);
            assert_eq!(shape_named(name), Some(shape));
        }
        assert_eq!(shape_named("archbishop"), None);
    }
}
