use tabiya_chess::{Board, Color, File, Piece, Square};

/// The width of an accumulator: the outputs of the feature transformer for one perspective. It is set here
/// and in `train/network.py`; files of another width are refused.
pub const WIDTH: usize = 512;

/// The features of one perspective: own and enemy pieces of six roles on 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// The output buckets: the number of pieces on the board decides which set of later layers evaluates.
pub const BUCKETS: usize = 8;

/// No evaluation is larger than this, so that it is never taken for a mate.
pub const MAX_EVALUATION: i32 = 20_000;

/// 1.0 in an accumulator: the clipped ReLU ends there.
pub(crate) const ONE: i16 = 255;
/// Units of the second layer.
pub(crate) const SECOND: usize = 16;
/// Units of the third layer.
pub(crate) const THIRD: usize = 32;

/// Pairwise multiplication: from the product of two clipped values to a byte.
pub(crate) const PRODUCT_SHIFT: u32 = 9;
/// A product of 1.0.
pub(crate) const PRODUCT_ONE: i32 = (ONE as i32 * ONE as i32) >> PRODUCT_SHIFT;
/// A weight of the second layer of 1.0.
pub(crate) const SECOND_ONE: i32 = 256;
/// From the sums of the second layer to what the third one sees,
pub(crate) const SECOND_SHIFT: u32 = 5;
/// where 1.0 is this.
pub(crate) const UNIT: i32 = (PRODUCT_ONE * SECOND_ONE) >> SECOND_SHIFT;
/// From the squares of those to what the third layer sees.
pub(crate) const SQUARE_SHIFT: u32 = 10;
/// A weight of the third layer and of the output of 1.0.
pub(crate) const THIRD_ONE: i32 = 256;
/// From the sums of the third layer to what the output sees.
pub(crate) const THIRD_SHIFT: u32 = 8;

/// The largest weight or bias of the feature transformer: with 32 pieces and the bias, an accumulator stays
/// within an `i16`.
pub(crate) const FEATURE_WEIGHT_LIMIT: i16 = i16::MAX / 33;
/// The largest bias of the later layers; what the weights add stays below, so that a sum fits an `i32`.
pub(crate) const BIAS_LIMIT: i32 = 1 << 30;

// Two products and their weights stay within an `i16` together.
const _: () = assert!(2 * PRODUCT_ONE * -(i8::MIN as i32) <= i16::MAX as i32);
const _: () = assert!(WIDTH as i32 * PRODUCT_ONE * -(i8::MIN as i32) < BIAS_LIMIT);
const _: () = assert!(THIRD as i64 * UNIT as i64 * -(i16::MIN as i64) < BIAS_LIMIT as i64);
const _: () = assert!(2 * SECOND as i64 * UNIT as i64 * -(i16::MIN as i64) < BIAS_LIMIT as i64);
const _: () = assert!(WIDTH.is_multiple_of(128) && WIDTH > 0 && SECOND.is_multiple_of(16));

/// The output bucket of a board: the first for bare kings, the last for a full board.
#[inline]
pub fn bucket(board: &Board) -> usize {
    (board.occupied().len() as usize).saturating_sub(2).min(30) / 4
}

/// Whether a perspective is mirrored horizontally, so that its king stands on the left half.
#[inline]
pub fn is_mirrored(king: Square) -> bool {
    king.file() >= File::E
}

/// The index of the feature "this piece on this square" in the perspective of a side.
///
/// ```
/// use tabiya_chess::{Color, Role, Square};
/// use tabiya_nnue::feature;
///
/// // Both sides see their own pawn before their king's bishop alike.
/// let white = feature(Color::White, true, Role::Pawn.of(Color::White), Square::F2);
/// let black = feature(Color::Black, true, Role::Pawn.of(Color::Black), Square::F7);
/// assert_eq!(white, black);
/// // In the mirror f2 is c2: the tenth square.
/// assert_eq!(white, 10);
/// ```
#[inline]
pub fn feature(side: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let flips = (56 * side as usize) ^ (7 * usize::from(mirrored));
    let theirs = usize::from(piece.color != side);
    384 * theirs + 64 * piece.role as usize + (square.index() ^ flips)
}
