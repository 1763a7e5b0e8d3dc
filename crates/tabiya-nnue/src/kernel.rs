//! The inner loops, once in plain Rust and once for each set of vector instructions. The only `unsafe` code of
//! the network is here.
//!
//! On x86-64 the compiler makes less than half the possible speed of the plain loops (to play a move, evaluate and
//! take it back takes 460 ns with them, 210 with AVX2 and 190 with AVX-512; see `examples/kernels.rs`), so they are
//! written by hand; for ARM with NEON and for browsers with SIMD128 as well. Other machines have the plain loops.
//!
//! The loops over vectors stand here once; a file for each set of instructions gives them their words.

use crate::architecture::{
    ONE, PRODUCT_SHIFT, SECOND, SECOND_SHIFT, SQUARE_SHIFT, THIRD, THIRD_SHIFT, UNIT, WIDTH,
};
use crate::network::Layers;

/// One number for each unit of an accumulator, placed so that vectors can be loaded at once.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [i16; WIDTH]);

impl Row {
    pub(crate) const ZERO: Row = Row([0; WIDTH]);
}

/// The instructions that the network computes with. All give the same results, bit for bit.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_nnue::{Kernel, Network};
///
/// let network = Network::random(7);
/// let position = Position::initial();
/// let best = network.evaluate_with(Kernel::best(), position.board(), position.turn());
/// for kernel in Kernel::available() {
///     assert_eq!(network.evaluate_with(kernel, position.board(), position.turn()), best);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Instructions);

/// Those not of the machine are never made: see [`Kernel::available`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Kernel {
    /// Plain Rust, for every machine.
    pub const SCALAR: Kernel = Kernel(Instructions::Scalar);

    /// What this machine can do, from the simplest to the fastest.
    pub fn available() -> Vec<Kernel> {
        #[allow(unused_mut, reason = "there may be nothing to add")]
        let mut kernels = vec![Kernel::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Kernel(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                kernels.push(Kernel(Instructions::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            kernels.push(Kernel(Instructions::Neon));
        }
        // A browser cannot be asked: it loads a module with such instructions or it does not.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels.push(Kernel(Instructions::Simd128));
        kernels
    }

    /// The fastest of this machine; [`Kernel::SCALAR`] if the crate is built with the feature `scalar`.
    pub fn best() -> Kernel {
        if cfg!(feature = "scalar") {
            return Kernel::SCALAR;
        }
        Kernel::available().pop().unwrap_or(Kernel::SCALAR)
    }

    /// `scalar`, `avx2`, `avx512`, `neon` or `simd128`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => "simd128",
        }
    }

    /// `to` becomes `from`, plus some rows, minus others.
    #[inline]
    pub(crate) fn update(self, to: &mut Row, from: &Row, plus: &[&Row], minus: &[&Row]) {
        match self.0 {
            Instructions::Scalar => scalar::update(to, from, plus, minus),
            // SAFETY: this kernel exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::update(to, from, plus, minus) },
            // SAFETY: this kernel exists only where AVX-512 F, BW and VNNI were detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::update(to, from, plus, minus) },
            // SAFETY: this kernel exists only where NEON was detected.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::update(to, from, plus, minus) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => simd128::update(to, from, plus, minus),
        }
    }

    /// From the accumulators of the side to move and of its opponent through all layers to the output. The limits
    /// of the file format keep every number within its type.
    #[inline]
    pub(crate) fn output(self, layers: &Layers, accumulators: [&Row; 2]) -> i32 {
        match self.0 {
            Instructions::Scalar => scalar::output(layers, accumulators),
            // SAFETY: this kernel exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::output(layers, accumulators) },
            // SAFETY: this kernel exists only where AVX-512 F, BW and VNNI were detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::output(layers, accumulators) },
            // SAFETY: this kernel exists only where NEON was detected.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::output(layers, accumulators) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => simd128::output(layers, accumulators),
        }
    }
}

/// What the third layer sees of each sum of the second: itself, clipped below, and its square in the upper half.
fn activate_second(sums: &[i32; SECOND]) -> [i32; SECOND] {
    let mut seen = [0; SECOND];
    for (seen, sum) in seen.iter_mut().zip(sums) {
        let x = (sum >> SECOND_SHIFT).clamp(-UNIT, UNIT);
        *seen = x.max(0) | ((x * x) >> SQUARE_SHIFT) << 16;
    }
    seen
}

/// From the sums of the third layer to the output.
#[inline(always)]
fn last(layers: &Layers, sums: &[i32; THIRD]) -> i32 {
    let product =
        |(sum, &weight): (&i32, &i16)| i32::from(weight) * (sum >> THIRD_SHIFT).clamp(0, UNIT);
    layers.bias4 + sums.iter().zip(&layers.weights4).map(product).sum::<i32>()
}

mod scalar {
    use super::{Layers, ONE, PRODUCT_SHIFT, Row, WIDTH, activate_second, last};

    pub(super) fn update(to: &mut Row, from: &Row, plus: &[&Row], minus: &[&Row]) {
        to.0 = from.0;
        for row in plus {
            to.0.iter_mut().zip(&row.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
        }
        for row in minus {
            to.0.iter_mut().zip(&row.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
        }
    }

    pub(super) fn output(layers: &Layers, accumulators: [&Row; 2]) -> i32 {
        let mut products = [0_u8; WIDTH];
        for (to, side) in products.chunks_exact_mut(WIDTH / 2).zip(accumulators) {
            let (first, other) = side.0.split_at(WIDTH / 2);
            for ((to, &a), &b) in to.iter_mut().zip(first).zip(other) {
                let (a, b) = (i32::from(a.clamp(0, ONE)), i32::from(b.clamp(0, ONE)));
                *to = ((a * b) >> PRODUCT_SHIFT) as u8;
            }
        }
        let mut second = layers.bias2;
        for (sum, weights) in second.iter_mut().zip(&layers.weights2) {
            for (&product, &weight) in products.iter().zip(weights) {
                *sum += i32::from(product) * i32::from(weight);
            }
        }
        let mut third = layers.bias3;
        for (two, weights) in activate_second(&second).iter().zip(&layers.weights3) {
            let (value, square) = (two & 0xFFFF, two >> 16);
            for (sum, weights) in third.iter_mut().zip(weights) {
                *sum += value * i32::from(weights[0]) + square * i32::from(weights[1]);
            }
        }
        last(layers, &third)
    }
}

/// The same loops with vectors, kept in registers from the first row to the last. Where it stands, the
/// instructions go by short names: a number is the bits of one of the numbers in a vector. `product16` is what two of
/// them multiply to, shifted right by `PRODUCT_SHIFT`, where the first is between zero and `ONE` and the other at most that;
/// `pack8` makes bytes of two vectors, from 0 up, which `in_order` puts as they were; `add_products8` adds to each total
/// the products of four bytes without and with a sign.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! vector_loops {
    ($features:literal) => {
        const LANES: usize = size_of::<Vector>() / size_of::<i16>();
        type Vectors = [Vector; WIDTH / LANES];
        /// So many registers hold a part of a row; there are 16 or 32.
        const PART: usize = if WIDTH / LANES % 8 == 0 { 8 } else { 1 };

        #[inline(always)]
        fn vectors(row: &Row) -> &Vectors {
            // SAFETY: the same bytes, any bits are a vector, and a row is aligned for the largest.
            unsafe { &*(&raw const row.0).cast::<Vectors>() }
        }

        #[inline(always)]
        fn vectors_mut(row: &mut Row) -> &mut Vectors {
            // SAFETY: as above, and the borrow is passed on.
            unsafe { &mut *(&raw mut row.0).cast::<Vectors>() }
        }

        #[target_feature(enable = $features)]
        pub(super) fn update(to: &mut Row, from: &Row, plus: &[&Row], minus: &[&Row]) {
            let (to, from) = (vectors_mut(to), vectors(from));
            for first in (0..WIDTH / LANES).step_by(PART) {
                let mut part: [Vector; PART] = core::array::from_fn(|i| from[first + i]);
                for row in plus {
                    let row = vectors(row);
                    for i in 0..PART {
                        part[i] = add16(part[i], row[first + i]);
                    }
                }
                for row in minus {
                    let row = vectors(row);
                    for i in 0..PART {
                        part[i] = sub16(part[i], row[first + i]);
                    }
                }
                to[first..first + PART].copy_from_slice(&part);
            }
        }

        /// So many vectors have one half of a side's accumulator, and so many the products of both sides.
        const HALF: usize = WIDTH / LANES / 2;

        /// Clipped ReLU and pairwise multiplication: the first half of each accumulator times the other.
        #[target_feature(enable = $features)]
        fn pairwise_products(accumulators: [&Row; 2]) -> [Vector; HALF] {
            let (none, one) = (zero(), fill16(ONE));
            let mut products = [none; HALF];
            let product = |a, b| {
                let (a, b) = (min16(max16(a, none), one), min16(b, one));
                // Products of a negative number are negative, and become zero when they are packed.
                product16(a, b)
            };
            for (side, row) in accumulators.into_iter().enumerate() {
                let row = vectors(row);
                for i in (0..HALF).step_by(2) {
                    let these = product(row[i], row[HALF + i]);
                    let next = product(row[i + 1], row[HALF + i + 1]);
                    products[(side * HALF + i) / 2] = in_order(pack8(these, next));
                }
            }
            products
        }

        #[target_feature(enable = $features)]
        pub(super) fn output(layers: &Layers, accumulators: [&Row; 2]) -> i32 {
            const THIRDS: usize = 4 * THIRD / size_of::<Vector>();
            // SAFETY: the same bytes, any bits are a vector, and the layers are aligned for the largest.
            let (weights2, weights3) = unsafe {
                (
                    &*(&raw const layers.weights2).cast::<[[[Vector; HALF]; 4]; SECOND / 4]>(),
                    &*(&raw const layers.weights3).cast::<[[Vector; THIRDS]; SECOND]>(),
                )
            };
            let products = pairwise_products(accumulators);
            let mut second = layers.bias2;
            // Four units at a time, so that no addition waits for the one before.
            for (second, weights) in second.chunks_exact_mut(4).zip(weights2) {
                let mut totals = [zero(); 4];
                for i in 0..HALF {
                    for unit in 0..4 {
                        totals[unit] = add_products8(totals[unit], products[i], weights[unit][i]);
                    }
                }
                second.iter_mut().zip(sums_of(totals)).for_each(|(to, sum)| *to += sum);
            }

            // As `activate_second`, which the compiler would leave to plain registers.
            const { assert!(SECOND_SHIFT == 5 && SQUARE_SHIFT == 10) };
            type Seconds = [Vector; 4 * SECOND / size_of::<Vector>()];
            // SAFETY: the same bytes, and any bits are a vector.
            let mut seen: Seconds = unsafe { core::mem::transmute(second) };
            for part in &mut seen {
                let x = min32(max32(shr32::<5>(*part), fill32(-UNIT)), fill32(UNIT));
                *part = or(max32(x, zero()), shl32::<16>(shr32::<10>(mul32(x, x))));
            }
            // SAFETY: the same bytes, and any bits are a number.
            let seen: [i32; SECOND] = unsafe { core::mem::transmute(seen) };
            // Every other value has a total of its own, for the same reason.
            let mut totals = [[zero(); THIRDS]; 2];
            for (seen, weights) in seen.chunks_exact(2).zip(weights3.chunks_exact(2)) {
                for ((total, &two), weights) in totals.iter_mut().zip(seen).zip(weights) {
                    let two = fill32(two);
                    for i in 0..THIRDS {
                        total[i] = add32(total[i], madd16(two, weights[i]));
                    }
                }
            }
            let mut both = totals[0];
            for i in 0..THIRDS {
                both[i] = add32(both[i], totals[1][i]);
            }
            // SAFETY: the same bytes, and any bits are a number.
            let mut third: [i32; THIRD] = unsafe { core::mem::transmute(both) };
            third.iter_mut().zip(&layers.bias3).for_each(|(sum, bias)| *sum += bias);
            last(layers, &third)
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
