//! The margins, depths and divisors of the search, all in one place. Scores are centipawns, depths plies.
//!
//! In an ordinary build they are constants. With the feature `tune` each can be set while the program runs, to
//! look for better ones: see docs/tuning.md.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                tune::value(tune::Name::$name as usize)
            }
        )*

        #[cfg(feature = "tune")]
        pub(crate) mod tune {
            use core::sync::atomic::{AtomicI32, Ordering};

            #[allow(non_camel_case_types, reason = "named as the functions are")]
            #[derive(Clone, Copy)]
            pub(super) enum Name {
                $($name),*
            }

            static VALUES: [AtomicI32; DEFAULTS.len()] = [$(AtomicI32::new($value)),*];
            const DEFAULTS: &[(&str, i32)] = &[$((stringify!($name), $value)),*];

            #[inline(always)]
            pub(super) fn value(index: usize) -> i32 {
                VALUES[index].load(Ordering::Relaxed)
            }

            pub(crate) fn defaults() -> &'static [(&'static str, i32)] {
                DEFAULTS
            }

            pub(crate) fn set(name: &str, value: i32) -> bool {
                let place = DEFAULTS.iter().position(|(known, _)| *known == name);
                place.map(|place| VALUES[place].store(value, Ordering::Relaxed)).is_some()
            }
        }
    };
}

params! {
    /// How far the aspiration window first reaches to each side of the last score.
    aspiration_window = 18;
    /// From this depth on the window is used.
    aspiration_depth = 5;
    /// A window wider than this is opened at once.
    aspiration_window_most = 700;
    /// Each fail high is searched again a ply less deep, down to so many.
    aspiration_reduction_most = 3;

    /// Entries of the transposition table cut off before this many half-moves without progress.
    table_clock_limit = 90;
    /// A deeper entry of the same search gives way to a bound only within so many plies.
    table_depth_margin = 4;
    /// How many plies of depth an entry loses with each search that it is old.
    table_age_weight = 4;

    /// The static evaluation is scaled by `(SCALE - half-moves without progress) / SCALE`.
    fifty_move_scale = 220;

    /// Sums of correction histories are divided by this.
    correction_grain = 64;

    /// Razoring: give up on positions so far below alpha that only captures could help.
    razor_depth = 4;
    razor_base = 180;
    razor_slope = 220;

    /// Reverse futility: believe an evaluation that is above beta by a margin.
    reverse_futility_depth = 9;
    reverse_futility_margin = 75;
    /// The share of what is above beta that is returned.
    reverse_futility_divisor = 3;

    /// Null move pruning: how much less deep the answer is searched.
    null_depth = 3;
    null_reduction = 4;
    null_depth_divisor = 4;
    null_evaluation_divisor = 200;
    null_evaluation_most = 3;
    /// From this depth on a null move cut-off is verified by a search without null moves.
    null_verification_depth = 14;
    /// There is no null move for this share of the verification's depth, in 1/128.
    null_verification_share = 96;

    /// ProbCut: a capture that beats beta by a margin at a shallow depth will beat beta.
    probcut_depth = 5;
    probcut_margin = 180;
    probcut_improving = 50;
    probcut_reduction = 4;

    /// Internal iterative reduction: without a move from the table, look less deep.
    internal_reduction_depth = 4;

    /// Late move pruning: quiet moves beyond `(BASE + depth²) / (2 - improving)` are skipped.
    late_move_base = 3;

    /// Futility: quiet moves that cannot raise the evaluation to alpha are skipped.
    futility_depth = 9;
    futility_base = 110;
    futility_slope = 90;
    futility_history_divisor = 128;

    /// Quiet moves with a history as bad as this for each ply of depth are skipped.
    history_pruning_depth = 4;
    history_pruning_slope = -4_000;

    /// Moves that lose as much by exchanges are skipped.
    see_quiet_slope = -25;
    see_capture_slope = -95;

    /// Singular extensions: a move much better than all others is looked at deeper.
    singular_depth = 7;
    singular_table_depth = 3;
    /// In sixteenths of a centipawn for each ply.
    singular_margin = 16;
    double_extension_margin = 20;

    /// Late move reductions: `BASE + ln(depth) * ln(move number) / DIVISOR`, all in 1/1024.
    reduction_base = 800;
    reduction_divisor = 2_253;
    reduction_history_divisor = 18_000;
    reduction_depth = 2;
    /// More or less, in 1/1024 plies.
    reduction_not_pv = 512;
    reduction_pv = 1024;
    reduction_cut_node = 1024;
    reduction_not_improving = 512;
    reduction_cutoffs = 512;
    /// More children with a beta cut-off than this count as many.
    many_cutoffs = 3;
    reduction_check = 768;
    reduction_tactical = 768;
    /// A reduced move that is better than the best so far by this is looked at one ply deeper.
    deeper_margin = 60;

    /// History bonuses: `SLOPE * depth - OFFSET`, at most `MOST`.
    bonus_slope = 160;
    bonus_offset = 80;
    bonus_most = 1_600;
    /// For moves that were tried in vain before the one that refuted, in 1/128.
    malus_share = 128;
    capture_malus_share = 128;
    /// For the move that nothing was found against, in 1/128.
    refutation_share = 100;
    /// For a move, by how much the evaluation has changed with it.
    gain_slope = 10;
    gain_most = 1_200;

    /// Quiescence: captures that cannot raise the evaluation to alpha are skipped.
    quiescence_futility = 150;
    /// Quiet evasions after so many moves are skipped.
    quiescence_evasions = 2;
}
