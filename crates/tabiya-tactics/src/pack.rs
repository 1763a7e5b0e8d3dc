//! Thousands of puzzles in one small file: about 30 bytes each. docs/puzzles.md tells of the format.

use tabiya_chess::{
    Bitboard, CastlingRights, Color, Move, Piece, Position, Rank, Role, Setup, SetupError, Square,
};

use crate::{Goal, Tactic, TacticError, TacticId};

/// How a file begins.
const MAGIC: &[u8; 8] = b"TABIYAP1";
/// A rook that may castle, of White and of Black, and a pawn that may be taken en passant, beside the numbers of pieces.
const CASTLING_ROOKS: [u8; 2] = [13, 14];
const EN_PASSANT_PAWN: u8 = 15;

/// What is wrong with a packed file, or cannot be packed. Puzzles are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackError {
    /// It begins otherwise.
    #[error("this is not a file of puzzles")]
    NotPuzzles,
    /// It ends too early.
    #[error("the file ends within puzzle {0}")]
    Torn(usize),
    /// It goes on after the last puzzle.
    #[error("there is more in the file than its {0} puzzles")]
    TooLong(usize),
    /// A number stands for nothing.
    #[error("puzzle {0}: {1} is unknown")]
    Unknown(usize, &'static str),
    /// No position of chess.
    #[error("puzzle {0}: {1}")]
    Position(usize, SetupError),
    /// No puzzle.
    #[error("puzzle {0}: {1}")]
    Tactic(usize, TacticError),
    /// The same position twice.
    #[error("puzzle {0} is there already")]
    Twice(usize),
    /// What the format has no place for.
    #[error("puzzle {0} castles as in Chess960")]
    Chess960(usize),
}

/// Packs puzzles. Halfmove clocks are not kept.
///
/// ```
/// use tabiya_tactics::{pack, unpack};
///
/// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 1 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
/// let puzzles = vec![text.parse().unwrap()];
/// let packed = pack(&puzzles).unwrap();
/// assert_eq!(packed.len(), 8 + 4 + 25);
/// assert_eq!(unpack(&packed).unwrap(), puzzles);
/// ```
pub fn pack(tactics: &[Tactic]) -> Result<Vec<u8>, PackError> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((tactics.len() as u32).to_le_bytes());
    for (number, tactic) in (1..).zip(tactics) {
        let position = tactic.before();
        if !position.castles_as_in_standard_chess() {
            return Err(PackError::Chess960(number));
        }
        let occupied = position.board().occupied();
        bytes.extend(occupied.0.to_le_bytes());
        let codes: Vec<u8> = occupied.into_iter().map(|square| code(position, square)).collect();
        bytes.extend(codes.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 4)));
        let goal = Goal::ALL.iter().position(|&goal| goal == tactic.goal()).unwrap_or(0) as u8;
        bytes.push(position.turn() as u8 | goal << 1 | (tactic.length() as u8) << 3);
        bytes.push(u8::try_from(position.fullmove_number()).unwrap_or(u8::MAX));
        bytes.extend(tactic.rating().to_le_bytes());
        bytes.extend(tactic.moves().iter().flat_map(|m| m.bits().to_le_bytes()));
    }
    Ok(bytes)
}

fn code(position: &Position, square: Square) -> u8 {
    let Some(piece) = position.piece_at(square) else { return 0 };
    if position.castling_rights().contains(square) {
        return CASTLING_ROOKS[piece.color as usize];
    }
    if piece.role == Role::Pawn && position.ep_square().and_then(passed_by) == Some(square) {
        return EN_PASSANT_PAWN;
    }
    piece.id()
}

/// Where the pawn stands that has passed over a square.
fn passed_by(ep_square: Square) -> Option<Square> {
    ep_square.offset(0, if ep_square.rank() == Rank::Third { 1 } else { -1 })
}

/// Reads a packed file: every position is valid, every move legal, no puzzle there twice.
pub fn unpack(bytes: &[u8]) -> Result<Vec<Tactic>, PackError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(PackError::NotPuzzles)?;
    let mut reader = Reader { rest, number: 0 };
    let count = u32::from_le_bytes(reader.take()?) as usize;
    let mut tactics = Vec::new();
    let mut known: std::collections::HashSet<TacticId> = std::collections::HashSet::new();
    for number in 1..=count {
        reader.number = number;
        let tactic = reader.tactic()?;
        if !known.insert(tactic.id()) {
            return Err(PackError::Twice(number));
        }
        tactics.push(tactic);
    }
    match reader.rest.is_empty() {
        true => Ok(tactics),
        false => Err(PackError::TooLong(count)),
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    number: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], PackError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(PackError::Torn(self.number))?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn tactic(&mut self) -> Result<Tactic, PackError> {
        let number = self.number;
        let mut setup = Setup::empty();
        let occupied = Bitboard(u64::from_le_bytes(self.take()?));
        let mut pair = 0;
        let mut passed = None;
        for (i, square) in occupied.into_iter().enumerate() {
            if i % 2 == 0 {
                [pair] = self.take()?;
            }
            let code = if i % 2 == 0 { pair & 15 } else { pair >> 4 };
            let piece = match code {
                EN_PASSANT_PAWN => {
                    let white = square.rank() == Rank::Fourth;
                    passed = square.offset(0, if white { -1 } else { 1 });
                    Role::Pawn.of(if white { Color::White } else { Color::Black })
                }
                code if CASTLING_ROOKS.contains(&code) => {
                    setup.castling = setup.castling.with(square);
                    let white = code == CASTLING_ROOKS[0];
                    Role::Rook.of(if white { Color::White } else { Color::Black })
                }
                code => Piece::from_id(code).ok_or(PackError::Unknown(number, "a piece"))?,
            };
            setup.board.put(square, piece);
        }
        if setup.castling.rooks().0 & !CastlingRights::STANDARD.rooks().0 != 0 {
            return Err(PackError::Chess960(number));
        }
        let [kind, fullmove] = self.take()?;
        setup.turn = if kind & 1 == 0 { Color::White } else { Color::Black };
        setup.ep_square = passed;
        setup.fullmove_number = u16::from(fullmove);
        let goal = Goal::ALL.get(usize::from(kind >> 1 & 3)).copied();
        let goal = goal.ok_or(PackError::Unknown(number, "the goal"))?;
        let rating = u16::from_le_bytes(self.take()?);
        let mut moves = Vec::new();
        for _ in 0..2 * (kind >> 3) {
            let bits = u16::from_le_bytes(self.take()?);
            moves.push(Move::from_bits(bits).ok_or(PackError::Unknown(number, "a move"))?);
        }
        let position = setup.validate().map_err(|error| PackError::Position(number, error))?;
        if !position.castles_as_in_standard_chess() {
            return Err(PackError::Chess960(number));
        }
        Tactic::new(position, moves, goal, rating).map_err(|error| PackError::Tactic(number, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 3] = [
        "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 31 | e7e2 a1a8 e2e8 a8e8 | mate | 620",
        "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 12 | e8c8 e1g1 | win | 1500",
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 3 | a7a6 f3f7 | mate | 400",
    ];

    fn tactics() -> Vec<Tactic> {
        TEXTS.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn everything_that_matters_comes_back() {
        let packed = pack(&tactics()).unwrap();
        let read = unpack(&packed).unwrap();
        let texts: Vec<String> = read.iter().map(Tactic::to_string).collect();
        assert_eq!(texts, TEXTS);
        assert_eq!(pack(&read).unwrap(), packed);
    }

    #[test]
    fn what_is_torn_or_changed_is_told() {
        let packed = pack(&tactics()).unwrap();
        assert_eq!(unpack(b"PGN").unwrap_err(), PackError::NotPuzzles);
        for length in 8..packed.len() {
            assert!(matches!(unpack(&packed[..length]), Err(PackError::Torn(_))), "{length}");
        }
        let longer = [packed.as_slice(), &[0]].concat();
        assert_eq!(unpack(&longer).unwrap_err(), PackError::TooLong(3));
        let twice: Vec<Tactic> = [tactics(), tactics()].concat();
        assert_eq!(unpack(&pack(&twice).unwrap()).unwrap_err(), PackError::Twice(4));
        // Whatever byte is another one: a sentence, or another puzzle, but no panic.
        for place in 8..packed.len() {
            for bit in 0..8 {
                let mut changed = packed.clone();
                changed[place] ^= 1 << bit;
                if let Err(error) = unpack(&changed) {
                    assert!(!error.to_string().contains('\n'));
                }
            }
        }
    }
}
