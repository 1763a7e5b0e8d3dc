//! With those of ARM's NEON, which has types for what is in a vector where the others have bits.

use core::arch::aarch64::{
    int16x8_t as Vector, vaddq_s16 as add16, vaddq_s32, vcombine_u8, vdupq_n_s16 as fill16,
    vdupq_n_s32, vget_low_s8, vget_low_s16, vmaxq_s16 as max16, vmaxq_s32, vminq_s16 as min16,
    vminq_s32, vmlal_high_s8, vmull_high_s16, vmull_s8, vmull_s16, vmulq_s32, vorrq_s16 as or,
    vpadalq_s16, vpaddq_s32, vqdmulhq_s16, vqmovun_s16, vreinterpretq_s8_s16,
    vreinterpretq_s16_s32, vreinterpretq_s16_u8, vreinterpretq_s32_s16, vshlq_n_s16, vshlq_n_s32,
    vshrq_n_s32, vsubq_s16 as sub16,
};

use super::{
    Layers, ONE, PRODUCT_SHIFT, Row, SECOND, SECOND_SHIFT, SQUARE_SHIFT, THIRD, UNIT, WIDTH, last,
};

vector_loops!("neon");

/// An instruction for numbers of 32 bits, two vectors of which become one.
macro_rules! on_32_bits {
    ($($name:ident = $instruction:ident),*) => {$(
        #[inline]
        #[target_feature(enable = "neon")]
        fn $name(a: Vector, b: Vector) -> Vector {
            let (a, b) = (vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b));
            vreinterpretq_s16_s32($instruction(a, b))
        }
    )*};
}

on_32_bits!(add32 = vaddq_s32, max32 = vmaxq_s32, min32 = vminq_s32, mul32 = vmulq_s32);

#[inline]
#[target_feature(enable = "neon")]
fn shl32<const BITS: i32>(a: Vector) -> Vector {
    vreinterpretq_s16_s32(vshlq_n_s32::<BITS>(vreinterpretq_s32_s16(a)))
}

#[inline]
#[target_feature(enable = "neon")]
fn shr32<const BITS: i32>(a: Vector) -> Vector {
    vreinterpretq_s16_s32(vshrq_n_s32::<BITS>(vreinterpretq_s32_s16(a)))
}

#[inline]
#[target_feature(enable = "neon")]
fn fill32(number: i32) -> Vector {
    vreinterpretq_s16_s32(vdupq_n_s32(number))
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> Vector {
    fill16(0)
}

/// Sums of two neighbouring products each.
#[inline]
#[target_feature(enable = "neon")]
fn madd16(a: Vector, b: Vector) -> Vector {
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
    vreinterpretq_s16_s32(vpaddq_s32(low, vmull_high_s16(a, b)))
}

/// The upper halves of doubled products with the first number in the upper bits.
#[inline]
#[target_feature(enable = "neon")]
fn product16(a: Vector, b: Vector) -> Vector {
    const { assert!(PRODUCT_SHIFT == 9) };
    vqdmulhq_s16(vshlq_n_s16::<6>(a), b)
}

#[inline]
#[target_feature(enable = "neon")]
fn pack8(a: Vector, b: Vector) -> Vector {
    vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(a), vqmovun_s16(b)))
}

#[inline]
fn in_order(packed: Vector) -> Vector {
    packed
}

#[inline]
#[target_feature(enable = "neon")]
fn sums_of([a, b, c, d]: [Vector; 4]) -> [i32; 4] {
    let [a, b, c, d] = [
        vreinterpretq_s32_s16(a),
        vreinterpretq_s32_s16(b),
        vreinterpretq_s32_s16(c),
        vreinterpretq_s32_s16(d),
    ];
    let sums = vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
    // SAFETY: the same bytes, and any bits are a number.
    unsafe { core::mem::transmute(sums) }
}

/// No product of two is above 127, so that they have a sign, too; and two products of bytes fit into 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn add_products8(total: Vector, products: Vector, weights: Vector) -> Vector {
    let (a, b) = (vreinterpretq_s8_s16(products), vreinterpretq_s8_s16(weights));
    let both = vmlal_high_s8(vmull_s8(vget_low_s8(a), vget_low_s8(b)), a, b);
    vreinterpretq_s16_s32(vpadalq_s16(vreinterpretq_s32_s16(total), both))
}
