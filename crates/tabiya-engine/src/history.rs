//! What has worked before: tables that order moves and correct the evaluation, filled by the search.

use tabiya_chess::{Bitboard, Color, Move, Position, Role, Square};

use crate::params;

/// A number that is pulled towards ±`LIMIT` by each bonus, less the closer it is.
#[inline]
fn reinforce<const LIMIT: i32>(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

const LIMIT: i32 = 16_384;

/// A piece and where it has gone: the index of continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) const COUNT: usize = 12 * 64;

    /// A move of the side whose turn it is.
    #[inline]
    pub(crate) fn of(position: &Position, m: Move) -> PieceTo {
        let role = position.piece_at(m.from()).map_or(Role::Pawn, |piece| piece.role);
        PieceTo::new(position.turn(), role, m)
    }

    #[inline]
    pub(crate) fn new(color: Color, role: Role, m: Move) -> PieceTo {
        PieceTo((color as u16 * 6 + role as u16) * 64 + m.to() as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The role of the piece, as an index.
    #[inline]
    pub(crate) fn role(self) -> usize {
        self.index() / 64 % 6
    }

    #[inline]
    pub(crate) fn square(self) -> Square {
        Square::ALL[self.index() % 64]
    }
}

type ByPieceTo = [i16; PieceTo::COUNT];

/// All histories of one thread.
pub(crate) struct Histories {
    /// Quiet moves by side, by whether origin and target are attacked, and by squares.
    quiet: Box<[[[i16; 64 * 64]; 4]; 2]>,
    /// Captures by piece, target and captured role.
    capture: Box<[[i16; 6]; PieceTo::COUNT]>,
    /// Quiet moves after a move of one's own or the opponent's.
    continuation: Box<[ByPieceTo; PieceTo::COUNT]>,
    /// How far the evaluation was off, by pawn structure and by each side's pieces.
    pawn_correction: Box<[[i16; CORRECTIONS]; 2]>,
    piece_correction: Box<[[[i16; CORRECTIONS]; 2]; 2]>,
    continuation_correction: Box<ByPieceTo>,
}

const CORRECTIONS: usize = 16_384;

fn zeroed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice has N elements"),
    }
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            quiet: zeroed([[0; 64 * 64]; 4]),
            capture: zeroed([0; 6]),
            continuation: zeroed([0; PieceTo::COUNT]),
            pawn_correction: zeroed([0; CORRECTIONS]),
            piece_correction: zeroed([[0; CORRECTIONS]; 2]),
            continuation_correction: zeroed(0),
        }
    }

    /// How promising the quiet moves of a position are, given the moves before it.
    #[inline]
    pub(crate) fn quiet_scores<'a>(
        &'a self,
        position: &'a Position,
        threats: Bitboard,
        before: &[Option<PieceTo>; 4],
    ) -> QuietScores<'a> {
        QuietScores {
            threats,
            quiet: &self.quiet[position.turn() as usize],
            after: before.map(|previous| match previous {
                Some(previous) => &self.continuation[previous.index()],
                None => &NOTHING,
            }),
        }
    }

    #[inline]
    pub(crate) fn capture_score(&self, piece_to: PieceTo, captured: Role) -> i32 {
        i32::from(self.capture[piece_to.index()][captured as usize])
    }

    pub(crate) fn update_quiet(
        &mut self,
        position: &Position,
        threats: Bitboard,
        before: &[Option<PieceTo>; 4],
        m: Move,
        bonus: i32,
    ) {
        self.update_main(position.turn(), threats, m, bonus);
        self.update_continuation(before, PieceTo::of(position, m), bonus);
    }

    /// What is known of a quiet move wherever it is played.
    pub(crate) fn update_main(&mut self, color: Color, threats: Bitboard, m: Move, bonus: i32) {
        let (danger, squares) = quiet_place(threats, m);
        reinforce::<LIMIT>(&mut self.quiet[color as usize][danger][squares], bonus);
    }

    /// What is known of a quiet move after the moves before it.
    pub(crate) fn update_continuation(
        &mut self,
        before: &[Option<PieceTo>; 4],
        piece_to: PieceTo,
        bonus: i32,
    ) {
        for previous in before.iter().flatten() {
            let entry = &mut self.continuation[previous.index()][piece_to.index()];
            reinforce::<LIMIT>(entry, bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let entry =
            &mut self.capture[PieceTo::of(position, m).index()][captured(position, m) as usize];
        reinforce::<LIMIT>(entry, bonus);
    }

    /// How much the search has so far differed from the evaluation in positions like this one.
    pub(crate) fn correction(&self, position: &Position, previous: Option<PieceTo>) -> i32 {
        let us = position.turn() as usize;
        let keys = StructureKeys::of(position);
        let continuation =
            previous.map_or(0, |p| i32::from(self.continuation_correction[p.index()]));
        let sum = i32::from(self.pawn_correction[us][keys.pawns])
            + i32::from(self.piece_correction[us][0][keys.pieces[0]])
            + i32::from(self.piece_correction[us][1][keys.pieces[1]])
            + continuation;
        sum / params::correction_grain()
    }

    pub(crate) fn update_correction(
        &mut self,
        position: &Position,
        previous: Option<PieceTo>,
        difference: i32,
        depth: i32,
    ) {
        let us = position.turn() as usize;
        let keys = StructureKeys::of(position);
        let bonus = (difference * depth / 8).clamp(-256, 256);
        let update = |entry: &mut i16| reinforce::<1024>(entry, bonus);
        update(&mut self.pawn_correction[us][keys.pawns]);
        update(&mut self.piece_correction[us][0][keys.pieces[0]]);
        update(&mut self.piece_correction[us][1][keys.pieces[1]]);
        if let Some(previous) = previous {
            update(&mut self.continuation_correction[previous.index()]);
        }
    }
}

/// Stands for the continuations of no move.
static NOTHING: ByPieceTo = [0; PieceTo::COUNT];

/// The tables that know about the quiet moves of a position.
pub(crate) struct QuietScores<'a> {
    threats: Bitboard,
    quiet: &'a [[i16; 64 * 64]; 4],
    after: [&'a ByPieceTo; 4],
}

impl QuietScores<'_> {
    #[inline]
    pub(crate) fn of(&self, piece_to: PieceTo, m: Move) -> i32 {
        let (danger, squares) = quiet_place(self.threats, m);
        let piece_to = piece_to.index();
        let [last, own, third, fourth] = self.after.map(|table| i32::from(table[piece_to]));
        i32::from(self.quiet[danger][squares]) + last + own + (third + fourth) / 2
    }
}

/// Where a quiet move is kept: whether its squares are attacked, and which they are.
fn quiet_place(threats: Bitboard, m: Move) -> (usize, usize) {
    let (from, to) = (m.from(), m.to());
    let danger = usize::from(threats.contains(from)) * 2 + usize::from(threats.contains(to));
    (danger, from.index() * 64 + to.index())
}

/// The role a move captures; a pawn if it only promotes, or captures en passant.
#[inline]
pub(crate) fn captured(position: &Position, m: Move) -> Role {
    position.piece_at(m.to()).map_or(Role::Pawn, |piece| piece.role)
}

/// Where corrections are kept for a position.
struct StructureKeys {
    pawns: usize,
    pieces: [usize; 2],
}

impl StructureKeys {
    fn of(position: &Position) -> StructureKeys {
        let board = position.board();
        let mix = |sets: [u64; 3]| {
            let mut hash = 0u64;
            for set in sets {
                hash = (hash ^ set).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                hash ^= hash >> 32;
            }
            hash as usize % CORRECTIONS
        };
        let pawns = |color| board.pieces(Role::Pawn.of(color)).0;
        let pieces = |color| {
            let of = |role: Role| board.pieces(role.of(color)).0;
            mix([
                of(Role::Knight) ^ of(Role::King).rotate_left(7),
                of(Role::Bishop) ^ of(Role::Queen).rotate_left(17),
                of(Role::Rook),
            ])
        };
        StructureKeys {
            pawns: mix([pawns(Color::White), pawns(Color::Black), 0]),
            pieces: [pieces(Color::White), pieces(Color::Black)],
        }
    }
}
