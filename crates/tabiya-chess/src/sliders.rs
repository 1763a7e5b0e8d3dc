//! Where sliding pieces reach, for every arrangement of blockers, by table.
//!
//! The index into the table is the pattern of blockers on the lines of a square. It is pulled
//! together by the PEXT instruction where the build may use it, and by a multiplication with a
//! "magic" number everywhere else (or with the feature `magic`). Both give the same answers, from
//! tables of their own; a portable build for x86-64 has both (see `machine.rs`).

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The squares seen along the steps: up to the first blocker, or, with `relevant`, the squares
/// where a blocker would matter (all but the last before the edge).
const fn rays(square: usize, steps: &[(i8, i8); 4], blockers: u64, relevant: bool) -> u64 {
    let mut seen = 0;
    let mut i = 0;
    while i < 4 {
        let (file_step, rank_step) = steps[i];
        let (mut file, mut rank) = (square as i8 % 8, square as i8 / 8);
        loop {
            file += file_step;
            rank += rank_step;
            if file < 0 || file > 7 || rank < 0 || rank > 7 {
                break;
            }
            if relevant {
                let (next_file, next_rank) = (file + file_step, rank + rank_step);
                if next_file < 0 || next_file > 7 || next_rank < 0 || next_rank > 7 {
                    break;
                }
            }
            let bit = 1 << (rank * 8 + file);
            seen |= bit;
            if blockers & bit != 0 {
                break;
            }
        }
        i += 1;
    }
    seen
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// How to find the part of the table that belongs to a square, and the entry in it.
struct Lines {
    masks: [u64; 64],
    offsets: [usize; 64],
}

struct Tables {
    rooks: Lines,
    bishops: Lines,
    attacks: [u64; ROOK_ENTRIES + BISHOP_ENTRIES],
}

const fn tables(pext: bool) -> Tables {
    let mut tables = Tables {
        rooks: Lines { masks: [0; 64], offsets: [0; 64] },
        bishops: Lines { masks: [0; 64], offsets: [0; 64] },
        attacks: [0; ROOK_ENTRIES + BISHOP_ENTRIES],
    };
    let mut offset = 0;
    let mut kind = 0;
    while kind < 2 {
        let (steps, magics) =
            if kind == 0 { (&ROOK_STEPS, &ROOK_MAGICS) } else { (&BISHOP_STEPS, &BISHOP_MAGICS) };
        let mut square = 0;
        while square < 64 {
            let mask = rays(square, steps, 0, true);
            let lines = if kind == 0 { &mut tables.rooks } else { &mut tables.bishops };
            lines.masks[square] = mask;
            lines.offsets[square] = offset;
            // All subsets of the mask, in the order in which PEXT numbers them.
            let mut blockers = 0u64;
            let mut number = 0;
            loop {
                let place = if pext { number } else { by_magic(blockers, mask, magics[square]) };
                tables.attacks[offset + place] = rays(square, steps, blockers, false);
                number += 1;
                blockers = blockers.wrapping_sub(mask) & mask;
                if blockers == 0 {
                    break;
                }
            }
            offset += number;
            square += 1;
        }
        kind += 1;
    }
    tables
}

#[inline(always)]
const fn by_magic(blockers: u64, mask: u64, magic: u64) -> usize {
    ((blockers & mask).wrapping_mul(magic) >> (64 - mask.count_ones())) as usize
}

/// Squares a rook or a bishop on `square` reaches, in the way of the whole build; the first blocker on each line is
/// included.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", not(feature = "magic"))))]
pub(crate) use magic::{bishop, rook};

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(feature = "magic")))]
mod built {
    #[inline(always)]
    fn pext(blockers: u64, mask: u64) -> usize {
        // SAFETY: this is compiled only where the whole build may use BMI2.
        unsafe { core::arch::x86_64::_pext_u64(blockers, mask) as usize }
    }

    #[inline(always)]
    pub(crate) fn rook(square: usize, blockers: u64) -> u64 {
        super::by_pext::rook(square, blockers, pext)
    }

    #[inline(always)]
    pub(crate) fn bishop(square: usize, blockers: u64) -> u64 {
        super::by_pext::bishop(square, blockers, pext)
    }
}
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(feature = "magic")))]
pub(crate) use built::{bishop, rook};

/// With magic numbers.
#[cfg(any(test, feature = "magic", not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
pub(crate) mod magic {
    use super::{BISHOP_MAGICS, ROOK_MAGICS, Tables, by_magic, entry, tables};

    #[allow(long_running_const_eval)]
    static TABLES: Tables = tables(false);

    #[inline(always)]
    pub(crate) fn rook(square: usize, blockers: u64) -> u64 {
        let number = |blockers, mask| by_magic(blockers, mask, ROOK_MAGICS[square]);
        entry(&TABLES, &TABLES.rooks, square, blockers, number)
    }

    #[inline(always)]
    pub(crate) fn bishop(square: usize, blockers: u64) -> u64 {
        let number = |blockers, mask| by_magic(blockers, mask, BISHOP_MAGICS[square]);
        entry(&TABLES, &TABLES.bishops, square, blockers, number)
    }
}

/// With a function that does what the PEXT instruction does.
#[cfg(all(target_arch = "x86_64", not(feature = "magic")))]
pub(crate) mod by_pext {
    use super::{Tables, entry, tables};

    #[allow(long_running_const_eval)]
    static TABLES: Tables = tables(true);

    #[inline(always)]
    pub(crate) fn rook(square: usize, blockers: u64, pext: fn(u64, u64) -> usize) -> u64 {
        entry(&TABLES, &TABLES.rooks, square, blockers, pext)
    }

    #[inline(always)]
    pub(crate) fn bishop(square: usize, blockers: u64, pext: fn(u64, u64) -> usize) -> u64 {
        entry(&TABLES, &TABLES.bishops, square, blockers, pext)
    }
}

/// What stands in the table for the blockers; `number` is the place of their pattern in the part of a square.
#[inline(always)]
fn entry(
    tables: &'static Tables,
    lines: &'static Lines,
    square: usize,
    blockers: u64,
    number: impl FnOnce(u64, u64) -> usize,
) -> u64 {
    let index = lines.offsets[square] + number(blockers, lines.masks[square]);
    debug_assert!(index < tables.attacks.len());
    // SAFETY: a square's offset is the start of its own part of the table, which has one entry for
    // each of the 2^n patterns on its n masked squares; PEXT and the shifted product are below 2^n.
    unsafe { *tables.attacks.get_unchecked(index) }
}

// Found by trying random sparse numbers until no two patterns with different attacks collide.
#[rustfmt::skip]
static ROOK_MAGICS: [u64; 64] = [
    0x0680002188104000, 0x00C0002002300141, 0x0080082000300080, 0x1100100020046900,
    0x1A00020010A804A0, 0x04800C0006008001, 0x0080020008800100, 0x6100010001804062,
    0x00008004C0036082, 0x110080200A400080, 0x0001004210200500, 0x0402001A01214150,
    0x0801003005000801, 0x0006000600101408, 0x4201000421001200, 0x840080008000C100,
    0x0005808002400020, 0x8100818040002000, 0x2040820040220010, 0x0003010018201000,
    0x3001010018021004, 0x0208808002010400, 0x0442840088121110, 0x0208120002B14403,
    0x6009400880002080, 0x0490804200210210, 0x84200284801000A0, 0x0000408A00220010,
    0x0040080080040082, 0x04010017000C0008, 0x0020300400021841, 0x0000800680074100,
    0x0000400090800020, 0x0A10082001400040, 0x0058802001803008, 0x1801046009001000,
    0x0010800800800400, 0x0021940080800A00, 0x4100800100802200, 0x1041040062000481,
    0x00A0C01184218000, 0x0010006000404000, 0x0010040800202001, 0x0400082200120040,
    0x000A0120100A0004, 0x0002000409020010, 0x000108031004002A, 0x0080150180420004,
    0x1483008004416900, 0x2031400220100040, 0x0004100420028880, 0x1581080010008080,
    0x0001280011003500, 0x8200620080040080, 0x0146220110080C00, 0x00028000C9001480,
    0x0000800048110021, 0x0000C00014270081, 0xA0010020000C7041, 0x0000610014100009,
    0x4042003428211002, 0x0022000104081012, 0x0D7010C802011014, 0x08010400428110A2,
];
#[rustfmt::skip]
static BISHOP_MAGICS: [u64; 64] = [
    0x4204A03803010014, 0x0010120889020002, 0x8808122405280800, 0x4004040090041024,
    0x004110400009A020, 0x0080881440040003, 0x0104045A02106048, 0x12038204808C4000,
    0x028004040C2C0408, 0x2848202C0A820044, 0x24108C0840810080, 0x40900410C2009010,
    0x2004820610800201, 0x000C020104221000, 0xA800040402084510, 0x0000010422220E01,
    0x0040011010A602C0, 0x0020021082048100, 0x2084800811240080, 0x0108000402408924,
    0x0006100401040000, 0x0402400080602000, 0x040A014401410805, 0x8008800300881D04,
    0x00144020A0034C00, 0x0288140202100200, 0x00002204040C0400, 0x108C040008410200,
    0x1082840000802008, 0x2001020011004542, 0x102801001C808808, 0x2000404001040A00,
    0x084828140008E100, 0x24110910102004C0, 0x1002104810900080, 0x10B0200801430050,
    0x00141100D0140040, 0x0A00880200009201, 0x8006018402010402, 0x8802040024010284,
    0x0128845008444043, 0x0041040184122000, 0x0000840441002800, 0x0010284200800800,
    0x0104200414000040, 0x0820041284600A00, 0x0020041102000040, 0x4854090046000300,
    0x0289011012210008, 0x0000250808140080, 0x0020048208090050, 0x0010244020A80002,
    0x2810102006440000, 0x0004491030008208, 0x00C0041404404000, 0x8A02042102020400,
    0x4084C20814062200, 0x1000404202104208, 0x0408484842009010, 0x008880300020A800,
    0x0204401430202224, 0x2020C86C98100108, 0x039008105001C10C, 0x0028480320D40302,
];
