//! The two inner loops, once in plain Rust and once for each set of vector instructions. The only `unsafe`
//! code of the network is here.
//!
//! On x86-64 the compiler makes half the possible speed of the plain loops (it takes 106 ns for the dot product
//! of 512 where AVX2 takes 50 and AVX-512 27), so they are written by hand. On other machines, such as those
//! with NEON, the plain loops are used and left to the compiler.

use crate::architecture::{ONE, WIDTH};

/// One number for each unit of the hidden layer, placed so that vectors can be loaded at once.
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
///     println!("{}", kernel.name());
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
}

impl Kernel {
    /// Plain Rust, for every machine.
    ///
    /// ```
    /// assert_eq!(tabiya_nnue::Kernel::SCALAR.name(), "scalar");
    /// ```
    pub const SCALAR: Kernel = Kernel(Instructions::Scalar);

    /// What this machine can do, from the simplest to the fastest.
    ///
    /// ```
    /// # use tabiya_nnue::Kernel;
    /// assert_eq!(Kernel::available()[0], Kernel::SCALAR);
    /// ```
    pub fn available() -> Vec<Kernel> {
        #[allow(unused_mut, reason = "there may be nothing to add")]
        let mut kernels = vec![Kernel::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Kernel(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kernels.push(Kernel(Instructions::Avx512));
            }
        }
        kernels
    }

    /// The fastest of this machine; [`Kernel::SCALAR`] if the crate is built with the feature `scalar`.
    ///
    /// ```
    /// # use tabiya_nnue::Kernel;
    /// assert!(Kernel::available().contains(&Kernel::best()));
    /// ```
    pub fn best() -> Kernel {
        if cfg!(feature = "scalar") {
            return Kernel::SCALAR;
        }
        Kernel::available().pop().unwrap_or(Kernel::SCALAR)
    }

    /// `scalar`, `avx2` or `avx512`.
    ///
    /// ```
    /// # use tabiya_nnue::Kernel;
    /// println!("the network uses {}", Kernel::best().name());
    /// ```
    pub const fn name(self) -> &'static str {
        match self.0 {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
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
            // SAFETY: this kernel exists only where AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::update(to, from, plus, minus) },
        }
    }

    /// The sum of weight times the square of the clipped sum. The limits of the file format keep it within
    /// an `i32`, and weight times clipped sum within an `i16`.
    #[inline]
    pub(crate) fn activate(self, sums: &Row, weights: &Row) -> i32 {
        match self.0 {
            Instructions::Scalar => scalar::activate(sums, weights),
            // SAFETY: this kernel exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::activate(sums, weights) },
            // SAFETY: this kernel exists only where AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::activate(sums, weights) },
        }
    }
}

mod scalar {
    use super::{ONE, Row};

    pub(super) fn update(to: &mut Row, from: &Row, plus: &[&Row], minus: &[&Row]) {
        to.0 = from.0;
        for row in plus {
            to.0.iter_mut().zip(&row.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
        }
        for row in minus {
            to.0.iter_mut().zip(&row.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
        }
    }

    pub(super) fn activate(sums: &Row, weights: &Row) -> i32 {
        let product = |(&sum, &weight): (&i16, &i16)| {
            let clipped = i32::from(sum.clamp(0, ONE));
            clipped * i32::from(weight) * clipped
        };
        sums.0.iter().zip(&weights.0).map(product).sum()
    }
}

/// The same loops with vectors, kept in registers from the first row to the last.
#[cfg(target_arch = "x86_64")]
macro_rules! vector_kernel {
    ($name:ident, $features:literal, $Vector:ident, $zero:ident, $fill:ident, $add16:ident, $sub16:ident,
     $min16:ident, $max16:ident, $mul16:ident, $madd16:ident, $add32:ident) => {
        mod $name {
            use core::arch::x86_64::{
                $Vector, $add16, $add32, $fill, $madd16, $max16, $min16, $mul16, $sub16, $zero,
            };

            use super::{ONE, Row, WIDTH};

            const LANES: usize = size_of::<$Vector>() / size_of::<i16>();
            type Vectors = [$Vector; WIDTH / LANES];
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
                    let mut part: [$Vector; PART] = core::array::from_fn(|i| from[first + i]);
                    for row in plus {
                        let row = vectors(row);
                        for i in 0..PART {
                            part[i] = $add16(part[i], row[first + i]);
                        }
                    }
                    for row in minus {
                        let row = vectors(row);
                        for i in 0..PART {
                            part[i] = $sub16(part[i], row[first + i]);
                        }
                    }
                    to[first..first + PART].copy_from_slice(&part);
                }
            }

            #[target_feature(enable = $features)]
            pub(super) fn activate(sums: &Row, weights: &Row) -> i32 {
                let (sums, weights) = (vectors(sums), vectors(weights));
                let (zero, one) = ($zero(), $fill(ONE));
                // Several running totals, so that no addition waits for the one before.
                let mut totals = [zero; PART];
                for first in (0..WIDTH / LANES).step_by(PART) {
                    for i in 0..PART {
                        let clipped = $min16($max16(sums[first + i], zero), one);
                        let weighted = $mul16(clipped, weights[first + i]);
                        totals[i] = $add32(totals[i], $madd16(weighted, clipped));
                    }
                }
                let total = totals.into_iter().fold(zero, |sum, part| $add32(sum, part));
                // SAFETY: the same bytes, and any bits are a number.
                let numbers: [i32; LANES / 2] = unsafe { core::mem::transmute(total) };
                numbers.into_iter().sum()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
vector_kernel!(
    avx2,
    "avx2",
    __m256i,
    _mm256_setzero_si256,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_mullo_epi16,
    _mm256_madd_epi16,
    _mm256_add_epi32
);

#[cfg(target_arch = "x86_64")]
vector_kernel!(
    avx512,
    "avx512f,avx512bw",
    __m512i,
    _mm512_setzero_si512,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_mullo_epi16,
    _mm512_madd_epi16,
    _mm512_add_epi32
);
