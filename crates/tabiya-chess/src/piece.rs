use core::fmt;
use core::str::FromStr;

use crate::{Color, Direction, Square};

/// What a piece is, whatever its colour.
///
/// ```
/// use tabiya_chess::Role;
///
/// assert_eq!(Role::Knight.letter(), 'N');
/// assert_eq!(Role::from_letter('q'), Some(Role::Queen));
/// assert!(Role::Bishop.slides() && !Role::King.slides());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All six, in the order pawn to king.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// assert_eq!(Role::ALL.len(), 6);
    /// ```
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// What a pawn may become, best first.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// assert_eq!(Role::PROMOTIONS[0], Role::Queen);
    /// ```
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The capital letter used in move notation.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// assert_eq!(Role::King.letter(), 'K');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'P',
            Role::Knight => 'N',
            Role::Bishop => 'B',
            Role::Rook => 'R',
            Role::Queen => 'Q',
            Role::King => 'K',
        }
    }

    /// The role for a letter of either case.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// assert_eq!(Role::from_letter('n'), Some(Role::Knight));
    /// assert_eq!(Role::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Role::Pawn,
            'N' => Role::Knight,
            'B' => Role::Bishop,
            'R' => Role::Rook,
            'Q' => Role::Queen,
            'K' => Role::King,
            _ => return None,
        })
    }

    /// The English name in lower case.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// assert_eq!(Role::Rook.name(), "rook");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        }
    }

    /// Whether the piece may go on in its direction until something stops it.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// let sliders: Vec<Role> = Role::ALL.into_iter().filter(|role| role.slides()).collect();
    /// assert_eq!(sliders, [Role::Bishop, Role::Rook, Role::Queen]);
    /// ```
    pub const fn slides(self) -> bool {
        matches!(self, Role::Bishop | Role::Rook | Role::Queen)
    }

    /// The steps the piece can take as (file, rank) offsets. A slider repeats them. For a pawn
    /// these are White's steps: forward, and the two captures.
    ///
    /// ```
    /// # use tabiya_chess::Role;
    /// assert_eq!(Role::Knight.offsets().len(), 8);
    /// assert_eq!(Role::Rook.offsets(), [(0, 1), (1, 0), (0, -1), (-1, 0)]);
    /// // A king is a queen that does not slide.
    /// assert_eq!(Role::King.offsets(), Role::Queen.offsets());
    /// ```
    pub const fn offsets(self) -> &'static [(i8, i8)] {
        const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        const ROYAL: [(i8, i8); 8] =
            [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        const LEAPS: [(i8, i8); 8] =
            [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        match self {
            Role::Pawn => &[(0, 1), (1, 1), (-1, 1)],
            Role::Knight => &LEAPS,
            Role::Bishop => &DIAGONAL,
            Role::Rook => &STRAIGHT,
            Role::Queen | Role::King => &ROYAL,
        }
    }

    /// Whether a slider of this role moves in the direction.
    ///
    /// ```
    /// # use tabiya_chess::{Direction, Role};
    /// assert!(Role::Queen.slides_along(Direction::NorthEast));
    /// assert!(!Role::Rook.slides_along(Direction::NorthEast));
    /// assert!(!Role::King.slides_along(Direction::North));
    /// ```
    pub const fn slides_along(self, direction: Direction) -> bool {
        match self {
            Role::Bishop => direction.is_diagonal(),
            Role::Rook => !direction.is_diagonal(),
            Role::Queen => true,
            Role::Pawn | Role::Knight | Role::King => false,
        }
    }

    /// The role of this piece with a colour.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Piece, Role};
    /// assert_eq!(Role::Queen.of(Color::Black), Piece { color: Color::Black, role: Role::Queen });
    /// ```
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece of a colour.
///
/// ```
/// use tabiya_chess::{Color, Piece, Role};
///
/// let knight = Piece::from_letter('n').unwrap();
/// assert_eq!(knight, Piece { color: Color::Black, role: Role::Knight });
/// assert_eq!(knight.symbol(), '♞');
/// assert_eq!(knight.to_string(), "black knight");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// All twelve: White's pawn to king, then Black's.
    ///
    /// ```
    /// # use tabiya_chess::Piece;
    /// let letters: String = Piece::ALL.iter().map(|piece| piece.letter()).collect();
    /// assert_eq!(letters, "PNBRQKpnbrqk");
    /// ```
    pub const ALL: [Piece; 12] = {
        let mut all = [Role::Pawn.of(Color::White); 12];
        let mut i = 0;
        while i < 6 {
            all[i] = Role::ALL[i].of(Color::White);
            all[i + 6] = Role::ALL[i].of(Color::Black);
            i += 1;
        }
        all
    };

    /// The FEN letter: a capital for White.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Role};
    /// assert_eq!(Role::King.of(Color::White).letter(), 'K');
    /// assert_eq!(Role::King.of(Color::Black).letter(), 'k');
    /// ```
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece a FEN letter stands for.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Piece, Role};
    /// assert_eq!(Piece::from_letter('P'), Some(Role::Pawn.of(Color::White)));
    /// assert_eq!(Piece::from_letter('?'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// The Unicode figure: outlined for White, filled for Black.
    ///
    /// ```
    /// # use tabiya_chess::Piece;
    /// let figures: String = Piece::ALL.iter().map(|piece| piece.symbol()).collect();
    /// assert_eq!(figures, "♙♘♗♖♕♔♟♞♝♜♛♚");
    /// ```
    pub const fn symbol(self) -> char {
        match (self.color, self.role) {
            (Color::White, Role::Pawn) => '♙',
            (Color::White, Role::Knight) => '♘',
            (Color::White, Role::Bishop) => '♗',
            (Color::White, Role::Rook) => '♖',
            (Color::White, Role::Queen) => '♕',
            (Color::White, Role::King) => '♔',
            (Color::Black, Role::Pawn) => '♟',
            (Color::Black, Role::Knight) => '♞',
            (Color::Black, Role::Bishop) => '♝',
            (Color::Black, Role::Rook) => '♜',
            (Color::Black, Role::Queen) => '♛',
            (Color::Black, Role::King) => '♚',
        }
    }

    /// The number of the piece in tables: White's pawn to king are 1 to 6, Black's 7 to 12.
    /// An empty square is 0, so `Option<Piece>` and 0..=12 say the same.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Piece, Role};
    /// assert_eq!(Role::Pawn.of(Color::White).id(), 1);
    /// assert_eq!(Role::King.of(Color::Black).id(), 12);
    /// assert_eq!(Piece::from_id(5), Some(Role::Queen.of(Color::White)));
    /// assert_eq!(Piece::from_id(0), None);
    /// ```
    pub const fn id(self) -> u8 {
        self.color as u8 * 6 + self.role as u8 + 1
    }

    /// The piece with the number, none for 0 and above 12. See [`Piece::id`].
    ///
    /// ```
    /// # use tabiya_chess::Piece;
    /// assert!(Piece::ALL.into_iter().all(|piece| Piece::from_id(piece.id()) == Some(piece)));
    /// ```
    pub const fn from_id(id: u8) -> Option<Piece> {
        match id {
            1..=12 => Some(Piece::ALL[id as usize - 1]),
            _ => None,
        }
    }

    /// The other numbering in use, with Black's pieces first: 1 to 6 black, 7 to 12 white.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Role};
    /// assert_eq!(Role::Pawn.of(Color::Black).black_first_id(), 1);
    /// assert_eq!(Role::King.of(Color::White).black_first_id(), 12);
    /// ```
    pub const fn black_first_id(self) -> u8 {
        Piece { color: self.color.other(), role: self.role }.id()
    }

    /// The piece with the number in the black-first numbering.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Piece, Role};
    /// assert_eq!(Piece::from_black_first_id(10), Some(Role::Rook.of(Color::White)));
    /// ```
    pub const fn from_black_first_id(id: u8) -> Option<Piece> {
        match Piece::from_id(id) {
            Some(piece) => Some(Piece { color: piece.color.other(), role: piece.role }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.role)
    }
}

/// A piece on its square, named like `wn@e4`.
///
/// ```
/// use tabiya_chess::{PlacedPiece, Square};
///
/// let knight: PlacedPiece = "wn@e4".parse().unwrap();
/// assert_eq!(knight.square, Square::E4);
/// assert_eq!(knight.piece.to_string(), "white knight");
/// assert_eq!(knight.to_string(), "wn@e4");
/// assert_eq!(
///     "wx@e4".parse::<PlacedPiece>().unwrap_err().to_string(),
///     "\"wx@e4\" does not name a piece on a square (write it like wn@e4)"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlacedPiece {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = self.piece.role.letter().to_ascii_lowercase();
        write!(f, "{}{role}@{}", self.piece.color.letter(), self.square)
    }
}

/// The text does not name a piece on a square. See [`PlacedPiece`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePlacedPieceError(String);

impl fmt::Display for ParsePlacedPieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} does not name a piece on a square (write it like wn@e4)", self.0)
    }
}

impl core::error::Error for ParsePlacedPieceError {}

impl FromStr for PlacedPiece {
    type Err = ParsePlacedPieceError;

    fn from_str(text: &str) -> Result<PlacedPiece, ParsePlacedPieceError> {
        let parse = || {
            let (name, square) = text.split_once('@')?;
            let (color, role) = match name.as_bytes() {
                [b'w', role] => (Color::White, *role),
                [b'b', role] => (Color::Black, *role),
                _ => return None,
            };
            let role = Role::from_letter(role as char).filter(|_| role.is_ascii_lowercase())?;
            Some(PlacedPiece { piece: role.of(color), square: square.parse().ok()? })
        };
        parse().ok_or_else(|| ParsePlacedPieceError(text.chars().take(20).collect()))
    }
}
