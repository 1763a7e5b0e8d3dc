use std::time::Duration;

use crate::Coord;

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameKind {
    /// Chess, Chess960 included.
    Chess,
    /// The bishop-and-king game.
    Bishops,
}

/// Who has the move, a piece, the win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceRole {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceView {
    /// Where it stands.
    pub square: Coord,
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub role: PieceRole,
}

/// Where one piece may go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destinations {
    /// Where the piece stands.
    pub from: Coord,
    /// Where it may go. Castling is there twice: the king's step of two, and the king onto its own
    /// rook (in Chess960 only the latter).
    pub to: Vec<Destination>,
}

/// A square a piece may go to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The square.
    pub square: Coord,
    /// Whether something is taken there (or on the way, by en passant).
    pub takes: bool,
    /// What a pawn may become there, best first; empty if nothing is to be chosen.
    pub promotions: Vec<PieceRole>,
}

/// One side of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Who sits there: "You", "Tabiya, level 1200", "random", "Stockfish 15.1".
    pub name: String,
    /// Whether moves come from a person at this table.
    pub person: bool,
    /// The time left, now; nothing if the game has no clocks.
    pub clock: Option<Duration>,
    /// Whether the clock is running.
    pub ticking: bool,
    /// Whether the computer is thinking here.
    pub thinking: bool,
    /// What this side has taken.
    pub captured: Captured,
}

/// What a side has taken from the other.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Captured {
    /// The pieces, most valuable first.
    pub roles: Vec<PieceRole>,
    /// How many pawns' worth this side is ahead, if it is.
    pub lead: Option<u32>,
}

/// A move that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// Whose move it was.
    pub side: Side,
    /// The number of the move, as in a record.
    pub number: u32,
    /// As people write it: `Nf3`, or `a1b2` in the bishop-and-king game.
    pub san: String,
    /// As programs write it: `g1f3`.
    pub uci: String,
    /// From where.
    pub from: Coord,
    /// To where (the king's square after castling).
    pub to: Coord,
}

/// What is to be said about a draw.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Draw {
    /// Who has offered one that is not yet answered.
    pub offered: Option<Side>,
    /// Why the side to move may claim one: "threefold repetition", "fifty moves".
    pub claim: Option<String>,
    /// Whose offer was declined, until the next move.
    pub declined: Option<Side>,
}

/// What the board showed after some half-moves of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastPosition {
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// The king in check.
    pub check: Option<Coord>,
    /// What White and Black had taken.
    pub captured: [Captured; 2],
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// Who won; nobody if it is drawn.
    pub winner: Option<Side>,
    /// A sentence: "Checkmate: White wins", "Draw by stalemate", "Black resigns: White wins".
    pub text: String,
    /// As records write it: `1-0`, `0-1`, `1/2-1/2`, or `*` if the game was broken off.
    pub result: &'static str,
}

/// What the computer thinks of the position, from White's side.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationView {
    /// White's expected score, 0 to 1, for a bar.
    pub chances: f32,
    /// As people write it: `+0.35`, `-#3`.
    pub text: String,
}

/// Everything there is to show of a game, as plain data: no rules are needed to draw it.
#[derive(Clone, PartialEq, Debug)]
pub struct GameView {
    /// Grows with everything that happens to the game.
    pub sequence: u64,
    /// Which game it is.
    pub kind: GameKind,
    /// How many columns.
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// Where the pieces of the side to move may go; empty when it is not a person's turn.
    pub destinations: Vec<Destinations>,
    /// From where to where the last move went.
    pub last: Option<(Coord, Coord)>,
    /// The king in check.
    pub check: Option<Coord>,
    /// Whose turn it is.
    pub turn: Side,
    /// The two sides, White first.
    pub seats: [Seat; 2],
    /// The moves so far.
    pub moves: Vec<PlayedMove>,
    /// The time that each of them took; empty without clocks.
    pub spent: Vec<Duration>,
    /// How many moves could be redone after take-backs.
    pub redoable: usize,
    /// The move that the computer suggests, if a hint was asked for.
    pub hint: Option<(Coord, Coord)>,
    /// The pieces of either side that could be taken with profit; none where the computer keeps quiet.
    pub threats: Vec<Coord>,
    /// Draw offers and claims.
    pub draw: Draw,
    /// Who asks to take a move back, where the other side has to agree.
    pub take_back: Option<Side>,
    /// Whose wish to take a move back was declined, until the next move.
    pub take_back_declined: Option<Side>,
    /// What the computer thinks of the position, if that was asked for and is known.
    pub evaluation: Option<EvaluationView>,
    /// How the game ended, if it did.
    pub end: Option<GameEnd>,
    /// One sentence on where the game stands: "Your move", "Check", "Checkmate: White wins".
    pub status: String,
}

impl GameView {
    /// The only person at the board, if there is exactly one.
    pub fn only_person(&self) -> Option<Side> {
        match self.seats.each_ref().map(|seat| seat.person) {
            [true, false] => Some(Side::White),
            [false, true] => Some(Side::Black),
            _ => None,
        }
    }
}
