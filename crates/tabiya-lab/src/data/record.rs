use tabiya_base::Score;
use tabiya_chess::{Board, Color, MoveKind, PlacedPiece, Position};

use super::{ScoredGame, ScoredMove};

/// A position for a trainer, in 32 bytes, seen by the side to move: if it is Black, the board is turned over
/// and the colours change places.
///
/// | bytes | what |
/// |---|---|
/// | 8 | occupied squares, bit 0 is a1 |
/// | 16 | pieces on them from a1 to h8, four bits each, the lower half of a byte first: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, and 8 more for the opponent's |
/// | 2 | score in centipawns, signed |
/// | 1 | result in half points: 0 lost, 1 drawn, 2 won |
/// | 1 | moves since the last capture or pawn move |
/// | 2 | plies since the start of the game |
/// | 2 | zero |
///
/// Numbers are little-endian.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_lab::data::Record;
///
/// let position: Position = "4k3/4p3/8/8/8/8/8/4K3 b - - 3 10".parse().unwrap();
/// let record = Record { score: 120, points: 2, ..Record::of(&position) };
/// let bytes = record.to_bytes();
/// // Black to move sees its king on e1 and its pawn on e2.
/// assert_eq!(bytes[0..8], [0x10, 0x10, 0, 0, 0, 0, 0, 0x10]);
/// assert_eq!(bytes[8..10], [5, 13]);
/// assert_eq!(bytes[24..30], [120, 0, 2, 3, 19, 0]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The pieces as the side to move sees them: its own are White's.
    pub board: Board,
    /// What the engine thought of the position.
    pub score: i16,
    /// What the side to move got in the end, in half points.
    pub points: u8,
    /// Moves since the last capture or pawn move.
    pub halfmove_clock: u8,
    /// Plies since the start of the game.
    pub ply: u16,
}

impl Record {
    /// A position, with score and result still to be told: 0 and a draw.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Position};
    /// # use tabiya_lab::data::Record;
    /// let record = Record::of(&Position::initial());
    /// assert_eq!(record.board, Board::initial());
    /// assert_eq!((record.score, record.points), (0, 1));
    /// ```
    pub fn of(position: &Position) -> Record {
        let turn = position.turn();
        let mut board = Board::empty();
        for PlacedPiece { piece, square } in position.board().iter() {
            let color = if piece.color == turn { Color::White } else { Color::Black };
            board.put(square.relative_to(turn), piece.role.of(color));
        }
        Record {
            board,
            score: 0,
            points: 1,
            halfmove_clock: position.halfmove_clock().min(255) as u8,
            ply: position.ply().min(u16::MAX.into()) as u16,
        }
    }

    /// The record as bytes. Of more than 32 pieces only the first are kept; a position has no more.
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut pieces = 0_u128;
        for (index, PlacedPiece { piece, .. }) in self.board.iter().take(32).enumerate() {
            let code = piece.role as u8 | (piece.color as u8) << 3;
            pieces |= u128::from(code) << (4 * index);
        }
        let mut bytes = [0; 32];
        let parts: [&[u8]; 6] = [
            &self.board.occupied().0.to_le_bytes(),
            &pieces.to_le_bytes(),
            &self.score.to_le_bytes(),
            &[self.points],
            &[self.halfmove_clock],
            &self.ply.to_le_bytes(),
        ];
        for (byte, value) in bytes.iter_mut().zip(parts.concat()) {
            *byte = value;
        }
        bytes
    }
}

/// Why a position is not for learning: its score says little about the board as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Skipped {
    /// The random moves are too near.
    Early,
    /// The side to move is in check.
    Check,
    /// The best move takes or promotes: a search sees it, an evaluation should not have to.
    Tactical,
    /// A mate, or as good as one, has been found.
    Mate,
}

impl Skipped {
    /// All reasons, in the order in which they are looked for.
    pub const ALL: [Skipped; 4] =
        [Skipped::Early, Skipped::Check, Skipped::Tactical, Skipped::Mate];
}

/// Which positions of a game are for learning.
///
/// ```
/// use tabiya_lab::data::RecordFilter;
///
/// assert_eq!(RecordFilter::default().first_ply, 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordFilter {
    /// Skip positions before this ply, the opening counted.
    pub first_ply: usize,
    /// Skip scores beyond so many centipawns.
    pub max_score: i32,
}

impl Default for RecordFilter {
    fn default() -> RecordFilter {
        RecordFilter { first_ply: 16, max_score: 5000 }
    }
}

impl RecordFilter {
    /// Every position in which the engine chose a move: a record, or why there is none. Ends early at a
    /// move that is not legal; a game that was unpacked has none.
    ///
    /// ```
    /// # use tabiya_lab::data::{RecordFilter, ScoredGame};
    /// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
    /// assert_eq!(RecordFilter::default().judge(&game).count(), 0);
    /// ```
    pub fn judge(
        self,
        game: &ScoredGame,
    ) -> impl Iterator<Item = Result<Record, Skipped>> + use<'_> {
        let mut position = *game.opening().position();
        let winner = game.winner;
        game.moves.iter().enumerate().map_while(move |(index, chosen)| {
            if !position.is_legal(chosen.m) {
                return None;
            }
            let judged = self.one(&position, chosen, game.opening.len() + index, winner);
            position.play_unchecked(chosen.m);
            Some(judged)
        })
    }

    /// The records of a game.
    ///
    /// ```
    /// # use tabiya_lab::data::{RecordFilter, ScoredGame};
    /// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
    /// assert!(RecordFilter::default().records(&game).next().is_none());
    /// ```
    pub fn records(self, game: &ScoredGame) -> impl Iterator<Item = Record> + use<'_> {
        self.judge(game).filter_map(Result::ok)
    }

    fn one(
        self,
        position: &Position,
        chosen: &ScoredMove,
        ply: usize,
        winner: Option<Color>,
    ) -> Result<Record, Skipped> {
        let m = chosen.m;
        let takes = match m.kind() {
            MoveKind::Normal => position.piece_at(m.to()).is_some(),
            MoveKind::Promotion | MoveKind::EnPassant => true,
            MoveKind::Castle => false,
        };
        if ply < self.first_ply {
            return Err(Skipped::Early);
        }
        if position.is_check() {
            return Err(Skipped::Check);
        }
        if takes {
            return Err(Skipped::Tactical);
        }
        let Score::Centipawns(score) = chosen.score else { return Err(Skipped::Mate) };
        if score.abs() > self.max_score {
            return Err(Skipped::Mate);
        }
        let points = match winner {
            None => 1,
            Some(color) if color == position.turn() => 2,
            Some(_) => 0,
        };
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Ok(Record { score, points, ply: ply.min(u16::MAX.into()) as u16, ..Record::of(position) })
    }
}

impl ScoredGame {
    /// Whether the game is one of the hundredth part that is kept from the trainer, to measure what it has
    /// learnt. It depends on the moves alone.
    ///
    /// ```
    /// # use tabiya_lab::data::ScoredGame;
    /// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
    /// assert!(!game.is_held_out());
    /// ```
    pub fn is_held_out(&self) -> bool {
        // The upper bits of the product are well mixed.
        (self.digest() >> 32).is_multiple_of(100)
    }
}
