//! With those of WebAssembly, for browsers.

use core::arch::wasm32::{
    i8x16_narrow_i16x8, i16x8_add as add16, i16x8_extmul_high_i8x16, i16x8_extmul_low_i8x16,
    i16x8_max as max16, i16x8_min as min16, i16x8_mul, i16x8_splat as fill16, i16x8_sub as sub16,
    i32x4_add as add32, i32x4_dot_i16x8 as madd16, i32x4_extadd_pairwise_i16x8, i32x4_max as max32,
    i32x4_min as min32, i32x4_mul as mul32, i32x4_shl, i32x4_shr, i32x4_shuffle,
    i32x4_splat as fill32, u16x8_shr, v128 as Vector, v128_or as or,
};

use super::{
    Layers, ONE, PRODUCT_SHIFT, Row, SECOND, SECOND_SHIFT, SQUARE_SHIFT, THIRD, UNIT, WIDTH, last,
};

vector_loops!("simd128");

#[inline]
#[target_feature(enable = "simd128")]
fn zero() -> Vector {
    fill16(0)
}

#[inline]
#[target_feature(enable = "simd128")]
fn shl32<const BITS: u32>(a: Vector) -> Vector {
    i32x4_shl(a, BITS)
}

#[inline]
#[target_feature(enable = "simd128")]
fn shr32<const BITS: u32>(a: Vector) -> Vector {
    i32x4_shr(a, BITS)
}

/// A product of two numbers from 0 to `ONE` fits into 16 bits without a sign.
#[inline]
#[target_feature(enable = "simd128")]
fn product16(a: Vector, b: Vector) -> Vector {
    u16x8_shr(i16x8_mul(a, max16(b, zero())), PRODUCT_SHIFT)
}

/// None of the numbers is above 127.
#[inline]
#[target_feature(enable = "simd128")]
fn pack8(a: Vector, b: Vector) -> Vector {
    i8x16_narrow_i16x8(a, b)
}

#[inline]
fn in_order(packed: Vector) -> Vector {
    packed
}

#[inline]
#[target_feature(enable = "simd128")]
fn sums_of([a, b, c, d]: [Vector; 4]) -> [i32; 4] {
    let halves = |a, b| add32(i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b));
    // SAFETY: the same bytes, and any bits are a number.
    unsafe { core::mem::transmute(halves(halves(a, b), halves(c, d))) }
}

/// No product of two is above 127, so that they have a sign, too; and two products of bytes fit into 16 bits.
#[inline]
#[target_feature(enable = "simd128")]
fn add_products8(total: Vector, products: Vector, weights: Vector) -> Vector {
    let low = i16x8_extmul_low_i8x16(products, weights);
    let both = add16(low, i16x8_extmul_high_i8x16(products, weights));
    add32(total, i32x4_extadd_pairwise_i16x8(both))
}
