use std::fmt::Write as _;

use tabiya_chess::{CastlingRights, Color, File, Rank, Setup, Square, Wing};
use tabiya_view::{Coord, PieceView, Refusal, Side};

use tabiya_chess_view::{color, coord, piece_view, role, side, square};

/// A position on trial, as somebody puts it together piece by piece. It may be impossible.
///
/// ```
/// use tabiya_study::Sketch;
///
/// let mut sketch = Sketch::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// assert_eq!(sketch.check().unwrap().fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// sketch.pieces.retain(|piece| piece.square.to_string() != "e8");
/// assert_eq!(sketch.check().unwrap_err().0, "Black has no king.");
/// # Ok::<(), tabiya_view::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// Whose turn it is.
    pub turn: Side,
    /// Who may still castle, as in a FEN: `KQkq`; empty if nobody may.
    pub castling: String,
    /// The square that a pawn has passed over with the move just made.
    pub en_passant: Option<Coord>,
    /// Moves of either side since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move.
    pub fullmove_number: u16,
}

/// What is to be said about a sketch.
///
/// ```
/// # use tabiya_study::Sketch;
/// let verdict = Sketch::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1").unwrap().verdict();
/// assert_eq!(verdict.trouble.as_deref(), Some("Black has no king."));
/// assert_eq!(verdict.fen, "8/8/8/8/8/8/8/4K3 w - - 0 1");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SketchVerdict {
    /// The sketch as a FEN, possible or not.
    pub fen: String,
    /// What is wrong with it, in a sentence; nothing if it is possible.
    pub trouble: Option<String>,
    /// The squares that a pawn may just have passed over.
    pub passable: Vec<Coord>,
    /// Who could castle, if nobody had moved: some of `KQkq`.
    pub castleable: String,
}

/// More pieces than any board has squares.
const MOST_PIECES: usize = 64;
const LONGEST_CASTLING: usize = 8;

impl Sketch {
    /// What a FEN says, be it possible or not; the end of it may be missing.
    ///
    /// ```
    /// # use tabiya_study::Sketch;
    /// assert_eq!(Sketch::from_fen("8/8/8/8/8/8/8/8 b").unwrap().pieces.len(), 0);
    /// assert!(Sketch::from_fen("nonsense").is_err());
    /// ```
    pub fn from_fen(fen: &str) -> Result<Sketch, Refusal> {
        let setup = Setup::from_fen_prefix(fen.trim()).map_err(Refusal::new)?;
        Ok(Sketch {
            pieces: setup.board.iter().map(piece_view).collect(),
            turn: side(setup.turn),
            castling: castling_text(&setup),
            en_passant: setup.ep_square.map(coord),
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        })
    }

    /// The position, or what is wrong with it.
    ///
    /// ```
    /// # use tabiya_study::Sketch;
    /// let pawn = Sketch::from_fen("4k3/8/8/8/8/8/8/P3K3 w - - 0 1").unwrap();
    /// assert_eq!(pawn.check().unwrap_err().0, "A pawn cannot stand on a1.");
    /// ```
    pub fn check(&self) -> Result<tabiya_chess::Position, Refusal> {
        self.setup()?.validate().map_err(Refusal::new)
    }

    /// What is to be said about it.
    ///
    /// ```
    /// # use tabiya_study::Sketch;
    /// let sketch = Sketch::from_fen("r3k3/8/8/4P3/4pP2/8/8/4K2R b - - 0 1").unwrap();
    /// let verdict = sketch.verdict();
    /// assert_eq!(verdict.trouble, None);
    /// assert_eq!(verdict.castleable, "Kq");
    /// assert_eq!(verdict.passable, ["f3".parse().unwrap()]);
    /// ```
    pub fn verdict(&self) -> SketchVerdict {
        let setup = match self.setup() {
            Ok(setup) => setup,
            Err(refusal) => {
                let (passable, castleable) = (Vec::new(), String::new());
                let fen = self.fen();
                return SketchVerdict { fen, trouble: Some(refusal.0), passable, castleable };
            }
        };
        let trouble = setup.validate().err().map(|error| Refusal::new(error).0);
        SketchVerdict {
            fen: self.fen(),
            trouble,
            passable: passable(&setup),
            castleable: castleable(&setup),
        }
    }

    /// The sketch as a FEN, possible or not.
    pub fn fen(&self) -> String {
        let mut fen = String::new();
        for row in (0..8).rev() {
            let mut empty = 0;
            for column in 0..8 {
                let at = Coord { column, row };
                let Some(piece) = self.pieces.iter().rev().find(|piece| piece.square == at) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    let _ = write!(fen, "{}", std::mem::take(&mut empty));
                }
                fen.push(role(piece.role).of(color(piece.side)).letter());
            }
            if empty > 0 {
                let _ = write!(fen, "{empty}");
            }
            if row > 0 {
                fen.push('/');
            }
        }
        let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let turn = color(self.turn).letter();
        let castling: String = self.castling.chars().take(LONGEST_CASTLING).collect();
        let passed = self.en_passant.map_or_else(String::new, |at| at.to_string());
        let (castling, passed) = (or_none(castling), or_none(passed));
        format!("{fen} {turn} {castling} {passed} {} {}", self.halfmove_clock, self.fullmove_number)
    }

    fn setup(&self) -> Result<Setup, Refusal> {
        if self.pieces.len() > MOST_PIECES {
            return Err(Refusal("There are more pieces than squares.".to_owned()));
        }
        let mut setup = Setup::empty();
        for piece in &self.pieces {
            let at = square(piece.square).ok_or_else(|| {
                Refusal(format!("There is no square {} on this board.", piece.square))
            })?;
            setup.board.put(at, role(piece.role).of(color(piece.side)));
        }
        // What is claimed of castling is read as in a FEN, where it can name any rook.
        let read = Setup::from_fen_prefix(&self.fen()).map_err(Refusal::new)?;
        Ok(Setup { board: setup.board, ..read })
    }
}

const WINGS: [(Color, Wing, char); 4] = [
    (Color::White, Wing::KingSide, 'K'),
    (Color::White, Wing::QueenSide, 'Q'),
    (Color::Black, Wing::KingSide, 'k'),
    (Color::Black, Wing::QueenSide, 'q'),
];

fn castling_text(setup: &Setup) -> String {
    let mut text = String::new();
    let back = |color: Color| match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    };
    for color in Color::ALL {
        let mut rooks: Vec<Square> =
            setup.castling.rooks().into_iter().filter(|rook| rook.rank() == back(color)).collect();
        rooks.reverse();
        for rook in rooks {
            let usual = WINGS.iter().find(|(owner, wing, _)| {
                *owner == color
                    && rook.file() == usual_file(*wing)
                    && setup.outer_rook(color, *wing).is_none_or(|outer| outer == rook)
            });
            let letter = usual.map_or_else(
                || rook.file().letter().to_ascii_uppercase(),
                |(_, _, letter)| letter.to_ascii_uppercase(),
            );
            text.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
        }
    }
    text
}

const fn usual_file(wing: Wing) -> File {
    match wing {
        Wing::KingSide => File::H,
        Wing::QueenSide => File::A,
    }
}

/// The rights that would be accepted, each by itself.
fn castleable(setup: &Setup) -> String {
    let may = |&(color, wing, _): &(Color, Wing, char)| {
        let Some(rook) = setup.outer_rook(color, wing) else { return false };
        let castling = CastlingRights::NONE.with(rook);
        let trial = Setup { castling, ep_square: None, ..setup.clone() };
        !matches!(trial.validate(), Err(tabiya_chess::SetupError::ImpossibleCastling(_)))
    };
    WINGS.iter().filter(|wing| may(wing)).map(|&(_, _, letter)| letter).collect()
}

/// The squares that would be accepted, for a pawn that could take there.
fn passable(setup: &Setup) -> Vec<Coord> {
    let rank = match setup.turn {
        Color::White => Rank::Sixth,
        Color::Black => Rank::Third,
    };
    let may = |square: &Square| {
        let trial = Setup {
            castling: CastlingRights::NONE,
            ep_square: Some(*square),
            halfmove_clock: 0,
            ..setup.clone()
        };
        trial.validate().is_ok_and(|position| position.legal_ep_square() == Some(*square))
    };
    Square::ALL.into_iter().filter(|square| square.rank() == rank).filter(may).map(coord).collect()
}
