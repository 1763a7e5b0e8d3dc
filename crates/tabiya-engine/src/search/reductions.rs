//! How much less deep late moves are looked at.

use crate::params;

/// How much less deep late moves are looked at, by depth and move number, in 1/1024 plies.
pub(super) fn reductions() -> Box<[[i32; 64]; 64]> {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, cell) in row.iter_mut().enumerate().skip(1) {
            let product = i64::from(logarithm(depth as u32)) * i64::from(logarithm(count as u32));
            *cell =
                params::REDUCTION_BASE + (product * 1000 / params::REDUCTION_DIVISOR / 1024) as i32;
        }
    }
    table
}

/// The natural logarithm in 1/1024, by whole numbers only: the same on every machine.
fn logarithm(n: u32) -> i32 {
    // log2 bit by bit: squaring doubles the logarithm.
    let whole = n.ilog2();
    let mut x = (u64::from(n) << 32) >> whole; // 1.0 ≤ x < 2.0 in 32.32
    let mut log2 = (whole as i32) << 10;
    for bit in (0..10).rev() {
        x = ((u128::from(x) * u128::from(x)) >> 32) as u64;
        if x >= 2 << 32 {
            x >>= 1;
            log2 += 1 << bit;
        }
    }
    // ln 2 = 0.693147
    (i64::from(log2) * 693_147 / 1_000_000) as i32
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
