//! With the instructions of AVX2.

use core::arch::x86_64::{
    __m256i as Vector, _mm_add_epi32, _mm256_add_epi16 as add16, _mm256_add_epi32 as add32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_hadd_epi32 as hadd32,
    _mm256_madd_epi16 as madd16, _mm256_maddubs_epi16 as madd8, _mm256_max_epi16 as max16,
    _mm256_max_epi32 as max32, _mm256_min_epi16 as min16, _mm256_min_epi32 as min32,
    _mm256_mulhi_epi16, _mm256_mullo_epi32 as mul32, _mm256_or_si256 as or,
    _mm256_packus_epi16 as pack8, _mm256_permute4x64_epi64, _mm256_set1_epi16 as fill16,
    _mm256_set1_epi32 as fill32, _mm256_setzero_si256 as zero, _mm256_slli_epi16,
    _mm256_slli_epi32 as shl32, _mm256_srai_epi32 as shr32, _mm256_sub_epi16 as sub16,
};

use super::{
    Layers, ONE, PRODUCT_SHIFT, Row, SECOND, SECOND_SHIFT, SQUARE_SHIFT, THIRD, UNIT, WIDTH, last,
};

vector_loops!("avx2");

/// The upper halves of products with the first number in the upper bits.
#[inline]
#[target_feature(enable = "avx2")]
fn product16(a: Vector, b: Vector) -> Vector {
    const { assert!(PRODUCT_SHIFT == 9) };
    _mm256_mulhi_epi16(_mm256_slli_epi16::<7>(a), b)
}

/// Packing takes eight bytes from one vector and eight from the other by turns.
#[inline]
#[target_feature(enable = "avx2")]
fn in_order(packed: Vector) -> Vector {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn sums_of([a, b, c, d]: [Vector; 4]) -> [i32; 4] {
    let both = hadd32(hadd32(a, b), hadd32(c, d));
    let sums = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
    // SAFETY: the same bytes, and any bits are a number.
    unsafe { core::mem::transmute(sums) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_products8(total: Vector, products: Vector, weights: Vector) -> Vector {
    add32(total, madd16(madd8(products, weights), fill16(1)))
}
