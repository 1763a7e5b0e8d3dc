use tabiya_chess::{Color, Position, Role, Square};
use tabiya_view::{Coord, PieceRole, PieceView, Refusal};

use crate::Study;
use tabiya_chess_view::{coord, piece_view};

/// Who looks at what, for those who learn to see it.
///
/// ```
/// use tabiya_study::Study;
///
/// let study = Study::from_fen("4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1")?;
/// let sight = study.sight(0)?;
/// assert_eq!(sight.pins.len(), 2);
/// assert_eq!(sight.pins[0].text, "The white rook on e4 is pinned to its king by the black queen on e5.");
/// let e4 = sight.squares.iter().find(|one| one.at.to_string() == "e4").unwrap();
/// assert_eq!((e4.white.len(), e4.black.len()), (0, 2));
/// # Ok::<(), tabiya_view::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// Every square, a1 first.
    pub squares: Vec<Watched>,
    /// The pieces that must not leave their line, White's first.
    pub pins: Vec<Pinned>,
    /// What either side could take with profit, if it had the move.
    pub threats: Vec<Coord>,
}

/// A square, and who attacks or defends it: the pieces that could take there, the least valuable first.
///
/// ```
/// # use tabiya_study::Study;
/// let sight = Study::new().sight(0).unwrap();
/// let f3 = sight.squares.iter().find(|one| one.at.to_string() == "f3").unwrap();
/// assert_eq!(
///     f3.text,
///     "f3 is controlled by White's pawns on e2 and g2 and knight on g1; Black does not reach it."
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// The square.
    pub at: Coord,
    /// White's pieces that look at it.
    pub white: Vec<PieceView>,
    /// Black's.
    pub black: Vec<PieceView>,
    /// A sentence about it.
    pub text: String,
}

/// A piece that shields its king.
///
/// ```
/// # use tabiya_study::Study;
/// let pins = Study::from_fen("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1").unwrap().sight(0).unwrap().pins;
/// assert_eq!((pins[0].at.to_string(), pins[0].by.to_string()), ("d2".to_owned(), "b4".to_owned()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pinned {
    /// Where it stands.
    pub at: Coord,
    /// The piece that pins it.
    pub by: Coord,
    /// The king behind it.
    pub king: Coord,
    /// A sentence about it.
    pub text: String,
}

impl Study {
    /// Who attacks what in the position after a node.
    pub fn sight(&self, node: usize) -> Result<Sight, Refusal> {
        let position = self.game.tree().position(self.id(node)?);
        let squares = Square::ALL.into_iter().map(|square| watched(&position, square));
        let pins = Color::ALL.into_iter().flat_map(|color| position.pins_of(color));
        let pins = pins.map(|pin| Pinned {
            at: coord(pin.pinned),
            by: coord(pin.pinner),
            king: coord(pin.king),
            text: format!(
                "The {} is pinned to its king by the {}.",
                name(&position, pin.pinned),
                name(&position, pin.pinner)
            ),
        });
        let threats = tabiya_chess_view::threats(&position);
        Ok(Sight { squares: squares.collect(), pins: pins.collect(), threats })
    }
}

fn name(position: &Position, square: Square) -> String {
    match position.piece_at(square) {
        Some(piece) => {
            let side = piece.color.name().to_lowercase();
            format!("{side} {} on {square}", piece.role.name())
        }
        None => square.to_string(),
    }
}

fn watched(position: &Position, square: Square) -> Watched {
    let looking = |color: Color| {
        let attackers = position.attackers(square, color);
        let placed = position.board().iter().filter(|placed| attackers.contains(placed.square));
        let mut pieces: Vec<PieceView> = placed.map(piece_view).collect();
        pieces.sort_by_key(|piece| (worth(piece.role), piece.square));
        pieces
    };
    let (white, black) = (looking(Color::White), looking(Color::Black));
    let text = text(position, square, &white, &black);
    Watched { at: coord(square), white, black, text }
}

const fn worth(role: PieceRole) -> u32 {
    match role {
        PieceRole::Pawn => 1,
        PieceRole::Knight => 3,
        PieceRole::Bishop => 4,
        PieceRole::Rook => 5,
        PieceRole::Queen => 9,
        PieceRole::King => 10,
    }
}

fn text(position: &Position, square: Square, white: &[PieceView], black: &[PieceView]) -> String {
    let Some(piece) = position.piece_at(square) else {
        return match (white.is_empty(), black.is_empty()) {
            (true, true) => format!("Nobody reaches {square}."),
            (false, true) => {
                format!(
                    "{square} is controlled by White's {}; Black does not reach it.",
                    list(white)
                )
            }
            (true, false) => {
                format!(
                    "{square} is controlled by Black's {}; White does not reach it.",
                    list(black)
                )
            }
            (false, false) => format!(
                "{square} is controlled by White's {} and by Black's {}.",
                list(white),
                list(black)
            ),
        };
    };
    let (own, other) = match piece.color {
        Color::White => (white, black),
        Color::Black => (black, white),
    };
    let subject = format!("The {}", name(position, square));
    match (other.is_empty(), own.is_empty()) {
        (true, true) => format!("{subject} is neither attacked nor defended."),
        (true, false) => format!("{subject} is not attacked; it is defended by the {}.", list(own)),
        // A king cannot be defended.
        (false, _) if piece.role == Role::King => {
            format!("{subject} is in check from the {}.", list(other))
        }
        (false, true) => format!("{subject} is attacked by the {} and not defended.", list(other)),
        (false, false) => {
            format!(
                "{subject} is attacked by the {} and defended by the {}.",
                list(other),
                list(own)
            )
        }
    }
}

/// "pawns on e2 and g2 and knight on g1".
fn list(pieces: &[PieceView]) -> String {
    let kinds = pieces.chunk_by(|a, b| a.role == b.role).map(|kind| {
        let name = match kind.first().map(|piece| piece.role) {
            Some(PieceRole::Pawn) => "pawn",
            Some(PieceRole::Knight) => "knight",
            Some(PieceRole::Bishop) => "bishop",
            Some(PieceRole::Rook) => "rook",
            Some(PieceRole::Queen) => "queen",
            _ => "king",
        };
        let plural = if kind.len() > 1 { "s" } else { "" };
        let at: Vec<String> = kind.iter().map(|piece| piece.square.to_string()).collect();
        format!("{name}{plural} on {}", join(&at))
    });
    join(&kinds.collect::<Vec<_>>())
}

/// "a, b and c".
fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
