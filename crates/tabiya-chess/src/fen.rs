use core::fmt;

use crate::move_text::shorten;
use crate::setup::outer_rook;
use crate::{
    Board, CastlingRights, Color, File, Piece, Position, Rank, Setup, SetupError, Square, Wing,
};

/// What is wrong with a FEN.
///
/// ```
/// use tabiya_chess::Position;
///
/// let error = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse::<Position>();
/// assert_eq!(error.unwrap_err().to_string(), "rank 6 of the FEN has '9' where a piece or 1 to 8 belongs");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// There is nothing there.
    Empty,
    /// A character of the placement is neither a piece nor a number of empty squares.
    BadPlacement {
        /// The rank it is on.
        rank: Rank,
        /// The character.
        found: char,
    },
    /// A rank does not have eight squares.
    BadRankLength(Rank),
    /// There are not eight ranks.
    BadRankCount(usize),
    /// A field that must be there is not.
    MissingField(&'static str),
    /// A field does not say what it should.
    BadField {
        /// The field.
        field: &'static str,
        /// What it says (cut short if long).
        found: String,
    },
    /// There is more text after the last field.
    TooManyFields(String),
    /// The FEN is well written, but no position of chess.
    Invalid(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("the FEN is empty"),
            FenError::BadPlacement { rank, found } => {
                let rank = rank.digit();
                write!(f, "rank {rank} of the FEN has {found:?} where a piece or 1 to 8 belongs")
            }
            FenError::BadRankLength(rank) => {
                write!(f, "rank {} of the FEN does not have eight squares", rank.digit())
            }
            FenError::BadRankCount(1) => f.write_str("the FEN has one rank instead of eight"),
            FenError::BadRankCount(count) => {
                write!(f, "the FEN has {count} ranks instead of eight")
            }
            FenError::MissingField(field) => write!(f, "the FEN ends before the {field}"),
            FenError::BadField { field, found } => {
                let article = if field.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                write!(f, "{found:?} is not {article} {field} for a FEN")
            }
            FenError::TooManyFields(found) => {
                write!(f, "the FEN goes on with {found:?} after its last field")
            }
            FenError::Invalid(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FenError {}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> FenError {
        FenError::Invalid(error)
    }
}

/// How a FEN is written. See [`Position::fen_with`].
///
/// ```
/// use tabiya_chess::{FenStyle, Position};
///
/// let start = Position::initial();
/// let next = start.play(start.parse_san("e4").unwrap()).unwrap();
/// let style = FenStyle { every_ep_square: true, castling_files: true };
/// assert_eq!(
///     next.fen_with(style),
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 1"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FenStyle {
    /// Write the en passant square after every double step, not only when a capture is legal.
    pub every_ep_square: bool,
    /// Write castling rights as the files of the rooks (Shredder-FEN), not as `KQkq`.
    pub castling_files: bool,
}

impl Setup {
    /// Reads a FEN with all six fields. The result need not be a valid position yet.
    ///
    /// ```
    /// # use tabiya_chess::Setup;
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(Setup::from_fen(fen), Ok(Setup::initial()));
    /// assert!(Setup::from_fen("8/8/8/8/8/8/8/8").is_err());
    /// ```
    pub fn from_fen(fen: &str) -> Result<Setup, FenError> {
        parse(fen, false)
    }

    /// Reads a FEN whose last fields may be missing: White to move, no castling, no en passant,
    /// clock 0, move 1.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Setup};
    /// let setup = Setup::from_fen_prefix("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").unwrap();
    /// assert_eq!(setup.board, Board::initial());
    /// ```
    pub fn from_fen_prefix(fen: &str) -> Result<Setup, FenError> {
        parse(fen, true)
    }
}

impl Position {
    /// Reads a FEN with all six fields; castling as `KQkq` or by rook files, for Chess960 too.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// assert_eq!(Position::from_fen(fen).unwrap().fen(), fen);
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Setup::from_fen(fen)?.validate()?)
    }

    /// Reads a FEN whose last fields may be missing. See [`Setup::from_fen_prefix`].
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let position = Position::from_fen_prefix("4k3/8/8/8/8/8/8/4K3 b").unwrap();
    /// assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    /// ```
    pub fn from_fen_prefix(fen: &str) -> Result<Position, FenError> {
        Ok(Setup::from_fen_prefix(fen)?.validate()?)
    }

    /// The FEN. The en passant square is written only if a capture there is legal; castling rights
    /// as `KQkq`, or by the rook's file where that would be ambiguous (X-FEN).
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let start = Position::initial();
    /// assert_eq!(start.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn fen(&self) -> String {
        self.fen_with(FenStyle::default())
    }

    /// The FEN in another style. See [`FenStyle`].
    ///
    /// ```
    /// # use tabiya_chess::{FenStyle, Position};
    /// let style = FenStyle { castling_files: true, ..FenStyle::default() };
    /// assert!(Position::initial().fen_with(style).contains(" HAha "));
    /// ```
    pub fn fen_with(&self, style: FenStyle) -> String {
        let square = if style.every_ep_square { self.ep_square } else { self.legal_ep_square() };
        let square = square.map_or("-".to_owned(), |square| square.to_string());
        format!(
            "{} {} {} {} {} {}",
            self.board,
            self.turn.letter(),
            self.castling_field(style.castling_files),
            square,
            self.halfmove_clock,
            self.fullmove_number
        )
    }

    fn castling_field(&self, files: bool) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            for wing in Wing::ALL {
                let Some(rook) = self.castling_rook(color, wing) else { continue };
                let outer = outer_rook(&self.board, color, wing) == Some(rook);
                let letter = match wing {
                    _ if files || !outer => rook.file().letter(),
                    Wing::KingSide => 'k',
                    Wing::QueenSide => 'q',
                };
                field.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }
}

fn parse(fen: &str, may_end_early: bool) -> Result<Setup, FenError> {
    let mut fields = fen.split_ascii_whitespace();
    let mut setup = Setup::empty();
    setup.board = placement(fields.next().ok_or(FenError::Empty)?)?;

    let mut field = |name: &'static str| match fields.next() {
        None if may_end_early => Ok(None),
        None => Err(FenError::MissingField(name)),
        text => Ok(text),
    };
    if let Some(text) = field(SIDE)? {
        setup.turn = match text {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(bad(SIDE, text)),
        };
    }
    if let Some(text) = field(CASTLING)? {
        setup.castling = castling(text, &setup)?;
    }
    if let Some(text) = field(EN_PASSANT)? {
        setup.ep_square = match text {
            "-" => None,
            _ => Some(text.parse().map_err(|_| bad(EN_PASSANT, text))?),
        };
    }
    if let Some(text) = field(HALFMOVES)? {
        setup.halfmove_clock = number(HALFMOVES, text)?;
    }
    if let Some(text) = field(FULLMOVES)? {
        // Some programs count from 0.
        setup.fullmove_number = number(FULLMOVES, text)?.max(1);
    }
    match fields.next() {
        Some(text) => Err(FenError::TooManyFields(shorten(text))),
        None => Ok(setup),
    }
}

const SIDE: &str = "side to move";
const CASTLING: &str = "castling field";
const EN_PASSANT: &str = "en passant square";
const HALFMOVES: &str = "halfmove clock";
const FULLMOVES: &str = "move number";

fn bad(field: &'static str, found: &str) -> FenError {
    FenError::BadField { field, found: shorten(found) }
}

fn number(field: &'static str, text: &str) -> Result<u16, FenError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| bad(field, text))
}

fn placement(text: &str) -> Result<Board, FenError> {
    let count = text.split('/').count();
    if count != 8 {
        return Err(FenError::BadRankCount(count));
    }
    let mut board = Board::empty();
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut x = 0;
        for found in row.chars() {
            if let '1'..='8' = found {
                x += found as usize - '0' as usize;
                continue;
            }
            let Some(piece) = Piece::from_letter(found) else {
                return Err(FenError::BadPlacement { rank, found });
            };
            let file = File::from_index(x).ok_or(FenError::BadRankLength(rank))?;
            board.put(Square::new(file, rank), piece);
            x += 1;
        }
        if x != 8 {
            return Err(FenError::BadRankLength(rank));
        }
    }
    Ok(board)
}

fn castling(text: &str, setup: &Setup) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let rook = match letter.to_ascii_lowercase() {
            'k' => default_rook(setup, color, Wing::KingSide),
            'q' => default_rook(setup, color, Wing::QueenSide),
            file @ 'a'..='h' => File::from_letter(file).map(|file| Square::new(file, rank)),
            _ => None,
        };
        let rook = rook.filter(|&rook| !rights.contains(rook));
        rights = rights.with(rook.ok_or_else(|| bad(CASTLING, text))?);
    }
    Ok(rights)
}

/// The rook meant by `K` or `Q`: the outermost one, or, if there is none, the corner where standard
/// chess has it, for validation to complain about.
fn default_rook(setup: &Setup, color: Color, wing: Wing) -> Option<Square> {
    let corner = match wing {
        Wing::KingSide => Square::H1,
        Wing::QueenSide => Square::A1,
    };
    setup.outer_rook(color, wing).or(Some(corner.relative_to(color)))
}
