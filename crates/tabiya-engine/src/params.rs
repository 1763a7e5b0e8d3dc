//! Every number of the search that could be tuned, in one place. Scores are centipawns, depths plies.

/// How far the aspiration window first reaches to each side of the last score.
pub(crate) const ASPIRATION_WINDOW: i32 = 18;
/// From this depth on the window is used.
pub(crate) const ASPIRATION_DEPTH: i32 = 5;

/// Sums of correction histories are divided by this.
pub(crate) const CORRECTION_GRAIN: i32 = 64;

/// Razoring: give up on positions so far below alpha that only captures could help.
pub(crate) const RAZOR_DEPTH: i32 = 4;
pub(crate) const RAZOR_BASE: i32 = 180;
pub(crate) const RAZOR_SLOPE: i32 = 220;

/// Reverse futility: believe an evaluation that is above beta by a margin.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 9;
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 75;

/// Null move: how much shallower the answer to passing is searched.
pub(crate) const NULL_DEPTH: i32 = 3;
pub(crate) const NULL_REDUCTION: i32 = 4;
pub(crate) const NULL_DEPTH_DIVISOR: i32 = 4;
pub(crate) const NULL_EVALUATION_DIVISOR: i32 = 200;
/// From this depth on a null move cut-off is verified by a search without null moves.
pub(crate) const NULL_VERIFICATION_DEPTH: i32 = 14;

/// ProbCut: a capture that beats beta by a margin at a shallow depth will beat beta.
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_MARGIN: i32 = 180;
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

/// Internal reduction: without a move from the table, look less deep.
pub(crate) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Late move pruning: quiet moves beyond `(BASE + depth²) / (2 - improving)` are skipped.
pub(crate) const LATE_MOVE_BASE: i32 = 3;

/// Futility: quiet moves that cannot raise the evaluation to alpha are skipped.
pub(crate) const FUTILITY_DEPTH: i32 = 9;
pub(crate) const FUTILITY_BASE: i32 = 110;
pub(crate) const FUTILITY_SLOPE: i32 = 90;

/// Quiet moves with a history as bad as this for each ply of depth are skipped.
pub(crate) const HISTORY_PRUNING_DEPTH: i32 = 4;
pub(crate) const HISTORY_PRUNING_SLOPE: i32 = -4_000;

/// Moves that lose as much by exchanges are skipped.
pub(crate) const SEE_QUIET_SLOPE: i32 = -25;
pub(crate) const SEE_CAPTURE_SLOPE: i32 = -95;

/// Singular extensions: a move much better than all others is looked at deeper.
pub(crate) const SINGULAR_DEPTH: i32 = 7;
pub(crate) const SINGULAR_TABLE_DEPTH: i32 = 3;
pub(crate) const SINGULAR_MARGIN: i32 = 1;
pub(crate) const DOUBLE_EXTENSION_MARGIN: i32 = 20;

/// Late move reductions: `BASE + ln(depth) * ln(move number) / DIVISOR`, the base in 1/1024 plies,
/// the divisor in thousandths.
pub(crate) const REDUCTION_BASE: i32 = 800;
pub(crate) const REDUCTION_DIVISOR: i64 = 2_200;
pub(crate) const REDUCTION_HISTORY_DIVISOR: i32 = 9_000;
pub(crate) const REDUCTION_DEPTH: i32 = 2;

/// History bonuses: `SLOPE * depth - OFFSET`, at most `MOST`.
pub(crate) const BONUS_SLOPE: i32 = 160;
pub(crate) const BONUS_OFFSET: i32 = 80;
pub(crate) const BONUS_MOST: i32 = 1_600;

/// Quiescence: captures that cannot raise the evaluation to alpha are skipped.
pub(crate) const QUIESCENCE_FUTILITY: i32 = 150;
