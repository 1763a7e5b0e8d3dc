//! How much less deep late moves are looked at.

use crate::params;

/// How much less deep a late move is looked at, by depth and move number, in 1/1024 plies.
#[inline]
pub(super) fn reduction(depth: i32, count: usize) -> i32 {
    let product = LOGARITHMS[depth.clamp(1, 63) as usize] * LOGARITHMS[count.clamp(1, 63)];
    params::reduction_base() + product / params::reduction_divisor()
}

/// Natural logarithms in 1/1024.
static LOGARITHMS: [i32; 64] = {
    let mut table = [0; 64];
    let mut n = 1;
    while n < 64 {
        table[n as usize] = logarithm(n);
        n += 1;
    }
    table
};

/// The natural logarithm in 1/1024, by whole numbers only: the same on every machine.
const fn logarithm(n: u32) -> i32 {
    // log2 bit by bit: squaring doubles the logarithm.
    let whole = n.ilog2();
    let mut x = ((n as u64) << 32) >> whole; // 1.0 ≤ x < 2.0 in 32.32
    let mut log2 = (whole as i32) << 10;
    let mut bit = 10;
    while bit > 0 {
        bit -= 1;
        x = ((x as u128 * x as u128) >> 32) as u64;
        if x >= 2 << 32 {
            x >>= 1;
            log2 += 1 << bit;
        }
    }
    // ln 2 = 0.693147
    (log2 as i64 * 693_147 / 1_000_000) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for n in 1..64_u32 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(logarithm(n)) - exact).abs() < 3.0, "{n}");
        }
    }
}
