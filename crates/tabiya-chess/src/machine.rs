//! What the processor can do, for the loops that count and list moves.
//!
//! A build for one machine (`-C target-cpu=native`) knows when it is compiled: its one machine is [`Built`]. A portable
//! build for x86-64 has the same loops three times and asks when it runs; a test compares all of them.

use crate::board::Board;
use crate::count;
use crate::generate::{Black, Orthodox, Scope, Side, Visitor, White};
use crate::{Position, Square, sliders};

/// A processor, as a type. A value is the proof that this is such a processor: only [`on_this_machine`] and
/// tests make one, of those that [`detect`] has found.
pub(crate) trait Machine: Copy {
    /// Squares a rook on `square` reaches; the first blocker on each line is included.
    fn rook(self, square: usize, blockers: u64) -> u64;
    /// Squares a bishop on `square` reaches; the first blocker on each line is included.
    fn bishop(self, square: usize, blockers: u64) -> u64;

    /// [`Position::visit_on`], compiled for the processor; so are the next two.
    fn visit<W, V>(self, position: &Position, scope: W, visitor: &mut V)
    where
        W: Scope,
        V: Visitor<White> + Visitor<Black>;
    fn leaf<S: Side, const OWN: bool, const EP: bool>(
        self,
        board: &Board,
        castling: Orthodox,
        en_passant: Square,
    ) -> u64;
    fn descend<S: Side, const OWN: bool, const ENEMY: bool, const LAST: bool>(
        self,
        board: &Board,
        rights: u64,
        en_passant: Option<Square>,
        depth: u32,
    ) -> u64;
}

/// What the whole build is for.
#[derive(Clone, Copy)]
pub(crate) struct Built;

impl Machine for Built {
    #[inline(always)]
    fn rook(self, square: usize, blockers: u64) -> u64 {
        sliders::rook(square, blockers)
    }

    #[inline(always)]
    fn bishop(self, square: usize, blockers: u64) -> u64 {
        sliders::bishop(square, blockers)
    }

    #[inline(always)]
    fn visit<W, V>(self, position: &Position, scope: W, visitor: &mut V)
    where
        W: Scope,
        V: Visitor<White> + Visitor<Black>,
    {
        position.visit_on(self, scope, visitor);
    }

    #[inline(never)]
    fn leaf<S: Side, const OWN: bool, const EP: bool>(
        self,
        board: &Board,
        castling: Orthodox,
        en_passant: Square,
    ) -> u64 {
        count::leaf::<Built, S, OWN, EP>(self, board, castling, en_passant)
    }

    #[inline(never)]
    fn descend<S: Side, const OWN: bool, const ENEMY: bool, const LAST: bool>(
        self,
        board: &Board,
        rights: u64,
        en_passant: Option<Square>,
        depth: u32,
    ) -> u64 {
        count::descend::<Built, S, OWN, ENEMY, LAST>(self, board, rights, en_passant, depth)
    }
}

/// Evaluates an expression with a name for the machine on which the program runs.
macro_rules! on_this_machine {
    ($machine:ident => $result:expr) => {{
        #[cfg(not(all(
            target_arch = "x86_64",
            not(target_feature = "bmi2"),
            not(feature = "magic")
        )))]
        {
            let $machine = $crate::machine::Built;
            $result
        }
        #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2"), not(feature = "magic")))]
        match $crate::machine::detect() {
            $crate::machine::Detected::Plain => {
                let $machine = $crate::machine::Built;
                $result
            }
            $crate::machine::Detected::Haswell($machine) => $result,
            $crate::machine::Detected::Pext($machine) => $result,
        }
    }};
}
pub(crate) use on_this_machine;

/// Whether slider attacks are read with the PEXT instruction here: a build for one machine does so where the
/// machine has it, a portable one where it is quick (not on AMD before Zen 3), and none with the feature `magic`.
///
/// ```
/// if tabiya_chess::uses_pext() {
///     assert!(cfg!(target_arch = "x86_64"));
/// }
/// ```
pub fn uses_pext() -> bool {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2"), not(feature = "magic")))]
    return matches!(detect(), Detected::Pext(_));
    #[cfg(not(all(
        target_arch = "x86_64",
        not(target_feature = "bmi2"),
        not(feature = "magic")
    )))]
    return cfg!(all(target_arch = "x86_64", not(feature = "magic")));
}

#[cfg(all(
    target_arch = "x86_64",
    not(feature = "magic"),
    any(test, not(target_feature = "bmi2"))
))]
mod detected {
    use core::arch::x86_64::{__cpuid, _pext_u64};
    use core::sync::atomic::{AtomicU8, Ordering};

    use super::{
        Black, Board, Machine, Orthodox, Position, Scope, Side, Square, Visitor, White, count,
        sliders,
    };

    /// What [`detect`] has found.
    #[derive(Clone, Copy)]
    #[cfg_attr(test, allow(dead_code, reason = "a build for one machine has it for its test"))]
    pub(crate) enum Detected {
        /// Nothing beyond what every x86-64 processor has.
        Plain,
        Haswell(Haswell),
        Pext(Pext),
    }

    /// The instructions that came with Haswell (2013), and with Zen at AMD, but magic numbers.
    #[derive(Clone, Copy)]
    pub(crate) struct Haswell(());

    /// The same with PEXT.
    #[derive(Clone, Copy)]
    pub(crate) struct Pext(());

    /// What this processor can do: asked once, remembered in a byte.
    #[inline(always)]
    pub(crate) fn detect() -> Detected {
        static FOUND: AtomicU8 = AtomicU8::new(0);
        let mut found = FOUND.load(Ordering::Relaxed);
        if found == 0 {
            found = find();
            FOUND.store(found, Ordering::Relaxed);
        }
        match found {
            3 => Detected::Pext(Pext(())),
            2 => Detected::Haswell(Haswell(())),
            _ => Detected::Plain,
        }
    }

    #[cold]
    fn find() -> u8 {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if !all {
            return 1;
        }
        let vendor = __cpuid(0);
        let signature = __cpuid(1).eax;
        let family = (signature >> 8 & 15) + (signature >> 20 & 255);
        if has_slow_pext([vendor.ebx, vendor.edx, vendor.ecx], family) { 2 } else { 3 }
    }

    /// AMD's processors before Zen 3 (family 25), and Hygon's like them, take PEXT apart bit by bit.
    fn has_slow_pext(vendor: [u32; 3], family: u32) -> bool {
        let mut name = [0; 12];
        for (bytes, word) in name.chunks_exact_mut(4).zip(vendor) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        matches!(&name, b"AuthenticAMD" | b"HygonGenuine") && family < 25
    }

    macro_rules! machine {
        ($machine:ident, $rook:expr, $bishop:expr) => {
            impl Machine for $machine {
                #[inline(always)]
                fn rook(self, square: usize, blockers: u64) -> u64 {
                    $rook(square, blockers)
                }

                #[inline(always)]
                fn bishop(self, square: usize, blockers: u64) -> u64 {
                    $bishop(square, blockers)
                }

                #[inline(always)]
                fn visit<W, V>(self, position: &Position, scope: W, visitor: &mut V)
                where
                    W: Scope,
                    V: Visitor<White> + Visitor<Black>,
                {
                    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                    fn compiled<W, V>(
                        machine: $machine,
                        position: &Position,
                        scope: W,
                        visitor: &mut V,
                    ) where
                        W: Scope,
                        V: Visitor<White> + Visitor<Black>,
                    {
                        position.visit_on(machine, scope, visitor);
                    }
                    // SAFETY: a machine of this type exists only where the instructions were detected.
                    unsafe { compiled(self, position, scope, visitor) }
                }

                #[inline(always)]
                fn leaf<S: Side, const OWN: bool, const EP: bool>(
                    self,
                    board: &Board,
                    castling: Orthodox,
                    en_passant: Square,
                ) -> u64 {
                    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                    #[inline(never)]
                    fn compiled<S: Side, const OWN: bool, const EP: bool>(
                        machine: $machine,
                        board: &Board,
                        castling: Orthodox,
                        en_passant: Square,
                    ) -> u64 {
                        count::leaf::<$machine, S, OWN, EP>(machine, board, castling, en_passant)
                    }
                    // SAFETY: a machine of this type exists only where the instructions were detected.
                    unsafe { compiled::<S, OWN, EP>(self, board, castling, en_passant) }
                }

                #[inline(always)]
                fn descend<S: Side, const OWN: bool, const ENEMY: bool, const LAST: bool>(
                    self,
                    board: &Board,
                    rights: u64,
                    en_passant: Option<Square>,
                    depth: u32,
                ) -> u64 {
                    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                    #[inline(never)]
                    fn compiled<S: Side, const OWN: bool, const ENEMY: bool, const LAST: bool>(
                        machine: $machine,
                        board: &Board,
                        rights: u64,
                        en_passant: Option<Square>,
                        depth: u32,
                    ) -> u64 {
                        count::descend::<$machine, S, OWN, ENEMY, LAST>(
                            machine, board, rights, en_passant, depth,
                        )
                    }
                    // SAFETY: a machine of this type exists only where the instructions were detected.
                    unsafe {
                        compiled::<S, OWN, ENEMY, LAST>(self, board, rights, en_passant, depth)
                    }
                }
            }
        };
    }

    /// The number of a pattern of blockers among those that matter to a square.
    #[inline(always)]
    fn pext(blockers: u64, mask: u64) -> usize {
        // SAFETY: only the machine `Pext` calls this, which exists only where BMI2 was detected.
        unsafe { _pext_u64(blockers, mask) as usize }
    }

    machine!(Haswell, sliders::magic::rook, sliders::magic::bishop);
    machine!(
        Pext,
        |square, blockers| sliders::by_pext::rook(square, blockers, pext),
        |square, blockers| sliders::by_pext::bishop(square, blockers, pext)
    );

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::machine::Built;

        /// All lines of a board with many sliders, castling, promotions and en passant, by every machine that this
        /// processor can be; the numbers are those of published perft suites.
        #[test]
        fn every_machine_counts_and_lists_the_same() {
            fn of<M: Machine>(machine: M, position: &Position, depth: u32) -> u64 {
                let counted = count::perft_on(machine, position, depth);
                let mut listed = 0;
                let mut visitor = position.each_move(|_, m| {
                    let mut next = *position;
                    next.play_unchecked(m);
                    listed += next.count_legal_moves();
                });
                machine.visit(position, crate::generate::Every, &mut visitor);
                assert_eq!(listed, crate::perft(position, 2));
                counted
            }
            for (fen, nodes) in [
                ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 197_281),
                ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4_085_603),
                ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 422_333),
            ] {
                let position: Position = fen.parse().unwrap();
                assert_eq!(of(Built, &position, 4), nodes);
                if !matches!(detect(), Detected::Plain) {
                    assert_eq!(of(Haswell(()), &position, 4), nodes);
                    assert_eq!(of(Pext(()), &position, 4), nodes);
                }
            }
        }

        #[test]
        fn pext_is_slow_on_early_zen_only() {
            let words = |name: &[u8; 12]| {
                [0, 4, 8].map(|at| u32::from_le_bytes(name[at..at + 4].try_into().unwrap()))
            };
            assert!(has_slow_pext(words(b"AuthenticAMD"), 23));
            assert!(!has_slow_pext(words(b"AuthenticAMD"), 25));
            assert!(has_slow_pext(words(b"HygonGenuine"), 24));
            assert!(!has_slow_pext(words(b"GenuineIntel"), 6));
        }
    }
}
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2"), not(feature = "magic")))]
pub(crate) use detected::{Detected, detect};
