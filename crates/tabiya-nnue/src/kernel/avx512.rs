//! With those of AVX-512 F, BW and VNNI.

use core::arch::x86_64::{
    __m512i as Vector, _mm256_add_epi32, _mm512_add_epi16 as add16, _mm512_add_epi32 as add32,
    _mm512_castsi512_si256, _mm512_dpbusd_epi32 as add_products8, _mm512_extracti64x4_epi64,
    _mm512_madd_epi16 as madd16, _mm512_max_epi16 as max16, _mm512_max_epi32 as max32,
    _mm512_min_epi16 as min16, _mm512_min_epi32 as min32, _mm512_mulhi_epi16,
    _mm512_mullo_epi32 as mul32, _mm512_or_si512 as or, _mm512_packus_epi16 as pack8,
    _mm512_permutexvar_epi64, _mm512_set1_epi16 as fill16, _mm512_set1_epi32 as fill32,
    _mm512_setr_epi64, _mm512_setzero_si512 as zero, _mm512_slli_epi16, _mm512_slli_epi32 as shl32,
    _mm512_srai_epi32 as shr32, _mm512_sub_epi16 as sub16,
};

use super::{
    Layers, ONE, PRODUCT_SHIFT, Row, SECOND, SECOND_SHIFT, SQUARE_SHIFT, THIRD, UNIT, WIDTH, last,
};

vector_loops!("avx512f,avx512bw,avx512vnni");

/// The upper halves of products with the first number in the upper bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn product16(a: Vector, b: Vector) -> Vector {
    const { assert!(PRODUCT_SHIFT == 9) };
    _mm512_mulhi_epi16(_mm512_slli_epi16::<7>(a), b)
}

/// Packing takes eight bytes from one vector and eight from the other by turns.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_order(packed: Vector) -> Vector {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sums_of(totals: [Vector; 4]) -> [i32; 4] {
    let fold = |total| {
        _mm256_add_epi32(_mm512_castsi512_si256(total), _mm512_extracti64x4_epi64::<1>(total))
    };
    let [a, b, c, d] = totals;
    super::avx2::sums_of([fold(a), fold(b), fold(c), fold(d)])
}
