use tabiya_base::{Score, digest};
use tabiya_chess::{Color, Game, Move, Position};
use thiserror::Error;

/// A game of an engine against itself: the opening moves it was given, and those it chose, each with the
/// score that it saw.
///
/// Packed, a move takes about two and a half bytes: its number among the legal moves, and how much the
/// score has changed.
///
/// | bytes | what |
/// |---|---|
/// | 1–5 | number of the game in its run |
/// | 2 | number of the start position in Chess960, little-endian; 518 is the usual one |
/// | 1 | White's points in halves: 0, 1 or 2 |
/// | 1 | plies of the opening |
/// | 1 each | moves of the opening |
/// | 1 + 1–3 each | move and score, to the end |
///
/// A move is its place among the legal moves sorted by [`Move::bits`]. A score, for the side to move, is
/// in centipawns, mate in n moves as 32,000 − n; what is kept is its sum with the one before (of the other
/// side; 0 at first), in zigzag as a number of 7 bits a byte, lowest first. So is the number of the game.
///
/// ```
/// use tabiya_base::Score;
/// use tabiya_chess::Position;
/// use tabiya_lab::data::{ScoredGame, ScoredMove};
///
/// let e4 = Position::initial().parse_san("e4")?;
/// let chosen = ScoredMove { m: e4, score: Score::Centipawns(25) };
/// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![chosen], winner: None };
/// let packed = game.pack();
/// assert_eq!(packed.len(), 7);
/// assert_eq!(ScoredGame::unpack(&packed)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredGame {
    /// Its number in the run that it comes from.
    pub number: u32,
    /// The number of the start position in Chess960.
    pub start: u16,
    /// Moves nobody chose; at most 255.
    pub opening: Vec<Move>,
    /// Moves that the engine chose.
    pub moves: Vec<ScoredMove>,
    /// Who won; none for a draw.
    pub winner: Option<Color>,
}

/// A move and what its player thinks of the position before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub m: Move,
    /// The score, for the side that moves.
    pub score: Score,
}

/// Why packed bytes are not a game.
///
/// ```
/// use tabiya_lab::data::{ScoredGame, UnpackError};
///
/// // The first game from the usual start, a draw, without an opening; but White has only twenty moves.
/// let error = ScoredGame::unpack(&[0, 6, 2, 1, 0, 99, 0]).unwrap_err();
/// assert_eq!(error, UnpackError::NoSuchMove { ply: 0 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum UnpackError {
    /// The bytes end within a number or before the moves.
    #[error("the packed game ends too early")]
    TooShort,
    /// A number does not fit.
    #[error("a number in the packed game is too large")]
    TooLarge,
    /// There are only 960 start positions.
    #[error("the packed game begins from start position {0}; there are 960")]
    NoSuchStart(u16),
    /// Neither won, drawn nor lost.
    #[error("the packed game gives White {0} half points")]
    NoSuchResult(u8),
    /// Not so many legal moves.
    #[error("the move at ply {ply} of the packed game does not exist")]
    NoSuchMove {
        /// Plies played before it.
        ply: usize,
    },
}

const MATE: i32 = 32_000;
/// Beyond this a packed score is a mate.
const MAX_CENTIPAWNS: i32 = 30_000;

fn packed_score(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        Score::Mate(moves) if moves > 0 => MATE - moves.min(MATE - MAX_CENTIPAWNS - 1),
        Score::Mate(moves) => -MATE - moves.max(MAX_CENTIPAWNS + 1 - MATE),
    }
}

fn unpacked_score(packed: i32) -> Score {
    match packed {
        _ if packed.abs() <= MAX_CENTIPAWNS => Score::Centipawns(packed),
        1.. => Score::Mate(MATE - packed),
        _ => Score::Mate(-MATE - packed),
    }
}

impl ScoredGame {
    /// Packs the game. Scores beyond 300 pawns are cut to that; a move that is not legal ends the game.
    ///
    /// ```
    /// # use tabiya_lab::data::ScoredGame;
    /// let nothing = ScoredGame { number: 7, start: 0, opening: vec![], moves: vec![], winner: None };
    /// assert_eq!(nothing.pack(), [7, 0, 0, 1, 0]);
    /// ```
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16 + 3 * self.moves.len());
        write_number(&mut bytes, self.number);
        bytes.extend(self.start.to_le_bytes());
        bytes.push(match self.winner {
            Some(Color::White) => 2,
            None => 1,
            Some(Color::Black) => 0,
        });
        let opening = self.opening.get(..255).unwrap_or(&self.opening);
        bytes.push(opening.len() as u8);
        let mut position = Position::chess960(self.start).unwrap_or_default();
        for &m in opening {
            let Some(place) = place_of(&position, m) else { return bytes };
            bytes.push(place);
            position.play_unchecked(m);
        }
        let mut before = 0;
        for chosen in &self.moves {
            let Some(place) = place_of(&position, chosen.m) else { break };
            bytes.push(place);
            let score = packed_score(chosen.score);
            let change = score + before;
            write_number(&mut bytes, ((change << 1) ^ (change >> 31)) as u32);
            before = score;
            position.play_unchecked(chosen.m);
        }
        bytes
    }

    /// Reads a packed game.
    ///
    /// ```
    /// # use tabiya_lab::data::ScoredGame;
    /// let game = ScoredGame::unpack(&[0, 6, 2, 2, 0]).unwrap();
    /// assert_eq!(game.winner, Some(tabiya_chess::Color::White));
    /// assert!(ScoredGame::unpack(&[]).is_err());
    /// ```
    pub fn unpack(bytes: &[u8]) -> Result<ScoredGame, UnpackError> {
        let mut bytes = bytes.iter().copied();
        let number = read_number(&mut bytes)?;
        let mut byte = || bytes.next().ok_or(UnpackError::TooShort);
        let start = u16::from_le_bytes([byte()?, byte()?]);
        let mut position = Position::chess960(start).ok_or(UnpackError::NoSuchStart(start))?;
        let winner = match byte()? {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            other => return Err(UnpackError::NoSuchResult(other)),
        };
        let plies = usize::from(byte()?);
        let mut opening = Vec::with_capacity(plies);
        for ply in 0..plies {
            let m = nth_move(&position, byte()?).ok_or(UnpackError::NoSuchMove { ply })?;
            position.play_unchecked(m);
            opening.push(m);
        }
        let mut moves = Vec::with_capacity(bytes.len() / 2);
        let mut before = 0;
        while let Some(place) = bytes.next() {
            let ply = opening.len() + moves.len();
            let m = nth_move(&position, place).ok_or(UnpackError::NoSuchMove { ply })?;
            let zigzag = read_number(&mut bytes)?;
            let change = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
            let score = change.checked_sub(before).filter(|score| (-MATE..=MATE).contains(score));
            let score = score.ok_or(UnpackError::TooLarge)?;
            before = score;
            position.play_unchecked(m);
            moves.push(ScoredMove { m, score: unpacked_score(score) });
        }
        Ok(ScoredGame { number, start, opening, moves, winner })
    }

    /// The position that the game begins from.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_lab::data::ScoredGame;
    /// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
    /// assert_eq!(game.start_position(), Position::initial());
    /// ```
    pub fn start_position(&self) -> Position {
        Position::chess960(self.start).unwrap_or_default()
    }

    /// The moves of the opening, and the positions they lead to.
    ///
    /// ```
    /// # use tabiya_lab::data::ScoredGame;
    /// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
    /// assert!(game.opening().moves().is_empty());
    /// ```
    pub fn opening(&self) -> Game {
        let mut game = Game::from_position(self.start_position());
        for &m in &self.opening {
            if game.play(m).is_err() {
                break;
            }
        }
        game
    }

    /// A number that depends on the moves alone: the same game has it in every run and file.
    ///
    /// ```
    /// # use tabiya_lab::data::ScoredGame;
    /// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
    /// assert_eq!(game.digest(), ScoredGame { number: 9, ..game.clone() }.digest());
    /// assert_ne!(game.digest(), ScoredGame { start: 0, ..game }.digest());
    /// ```
    pub fn digest(&self) -> u64 {
        let moves = self.moves.iter().map(|chosen| chosen.m);
        let words = self.opening.iter().copied().chain(moves).map(Move::bits);
        digest([self.start].into_iter().chain(words).flat_map(u16::to_le_bytes))
    }
}

/// The place of a move among the legal ones; none if it is not legal.
fn place_of(position: &Position, m: Move) -> Option<u8> {
    let moves = position.legal_moves();
    let before = moves.iter().filter(|other| other.bits() < m.bits()).count();
    moves.contains(&m).then(|| u8::try_from(before).ok())?
}

fn nth_move(position: &Position, place: u8) -> Option<Move> {
    let mut moves = position.legal_moves();
    if usize::from(place) >= moves.len() {
        return None;
    }
    let (_, m, _) = moves.select_nth_unstable_by_key(place.into(), |m| m.bits());
    Some(*m)
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut impl Iterator<Item = u8>) -> Result<u32, UnpackError> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let byte = bytes.next().ok_or(UnpackError::TooShort)?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(number).map_err(|_| UnpackError::TooLarge);
        }
    }
    Err(UnpackError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_base::Random;

    /// A random game with random scores, some of them mates.
    pub(crate) fn random_game(random: &mut Random, plies: usize) -> ScoredGame {
        let start = random.below(960) as u16;
        let mut position = Position::chess960(start).unwrap();
        let (mut opening, mut moves) = (Vec::new(), Vec::new());
        for ply in 0..plies {
            let legal = position.legal_moves();
            let Some(m) = random.pick(&legal) else { break };
            position.play_unchecked(m);
            let score = match random.below(10) {
                0 => Score::Mate(random.below(200) as i32 - 100),
                1 => Score::Centipawns(random.below(60_001) as i32 - 30_000),
                _ => Score::Centipawns(random.below(201) as i32 - 100),
            };
            if ply < 8 {
                opening.push(m);
            } else {
                moves.push(ScoredMove { m, score });
            }
        }
        let winner = [None, Some(Color::White), Some(Color::Black)][random.below(3)];
        ScoredGame { number: random.next_u64() as u32, start, opening, moves, winner }
    }

    #[test]
    fn games_survive_the_way() {
        let mut random = Random::new(1);
        for plies in 0..300 {
            let game = random_game(&mut random, plies);
            assert_eq!(ScoredGame::unpack(&game.pack()), Ok(game));
        }
    }

    #[test]
    fn scores_survive_the_way() {
        let mates = (-1000..=1000).map(Score::Mate);
        let scores = (-30_000..=30_000).step_by(7).map(Score::Centipawns);
        for score in mates.chain(scores) {
            assert_eq!(unpacked_score(packed_score(score)), score);
        }
        let far = packed_score(Score::Centipawns(99_999));
        assert_eq!(unpacked_score(far), Score::Centipawns(30_000));
        assert_eq!(unpacked_score(packed_score(Score::Mate(9999))), Score::Mate(1999));
        assert_eq!(unpacked_score(packed_score(Score::Mate(-9999))), Score::Mate(-1999));
    }

    #[test]
    fn nonsense_is_refused_and_never_a_crash() {
        let mut random = Random::new(2);
        for _ in 0..2000 {
            let mut packed = random_game(&mut random, 60).pack();
            match random.below(3) {
                0 => packed.truncate(random.below(packed.len())),
                1 => {
                    let at = random.below(packed.len());
                    packed[at] = random.next_u64() as u8;
                }
                _ => packed.iter_mut().for_each(|byte| *byte = random.next_u64() as u8),
            }
            if let Ok(game) = ScoredGame::unpack(&packed) {
                assert_eq!(ScoredGame::unpack(&game.pack()), Ok(game));
            }
        }
        assert_eq!(ScoredGame::unpack(&[0, 0xC0, 3, 1, 0]), Err(UnpackError::NoSuchStart(960)));
        assert_eq!(ScoredGame::unpack(&[0, 6, 2, 3, 0]), Err(UnpackError::NoSuchResult(3)));
        assert_eq!(ScoredGame::unpack(&[0, 6, 2, 1, 1]), Err(UnpackError::TooShort));
        assert_eq!(ScoredGame::unpack(&[0xFF; 9]), Err(UnpackError::TooLarge));
        // The least of all numbers has no opposite.
        let least = [0, 6, 2, 1, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
        assert_eq!(ScoredGame::unpack(&least), Err(UnpackError::TooLarge));
    }
}
