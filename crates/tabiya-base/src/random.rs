use std::hash::{BuildHasher as _, RandomState};

/// Random numbers that are the same everywhere for the same seed (SplitMix64).
///
/// ```
/// use tabiya_base::Random;
///
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert_eq!(one.below(1000), other.below(1000));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub const fn next_u64(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        number
    }

    /// A number below a bound; 0 if the bound is 0. Bounds are far too small for the unevenness of a remainder to
    /// show.
    ///
    /// ```
    /// # use tabiya_base::Random;
    /// assert_eq!(Random::new(1).below(0), 0);
    /// assert!((0..100).all(|seed| Random::new(seed).below(3) < 3));
    /// ```
    pub fn below(&mut self, bound: usize) -> usize {
        self.next_u64().checked_rem(bound as u64).unwrap_or(0) as usize
    }

    /// One of several things.
    ///
    /// ```
    /// # use tabiya_base::Random;
    /// assert_eq!(Random::new(1).pick(&['a']), Some('a'));
    /// assert_eq!(Random::new(1).pick::<char>(&[]), None);
    /// ```
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        things.get(self.below(things.len())).copied()
    }

    /// Puts things into any order.
    ///
    /// ```
    /// # use tabiya_base::Random;
    /// let mut numbers: Vec<u32> = (0..100).collect();
    /// Random::new(1).shuffle(&mut numbers);
    /// assert_ne!(numbers, (0..100).collect::<Vec<_>>());
    /// numbers.sort();
    /// assert_eq!(numbers, (0..100).collect::<Vec<_>>());
    /// ```
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Makes a number look random, always the same for the same: one step of SplitMix64.
pub const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A seed that nobody has chosen: another one each time.
///
/// ```
/// assert_ne!(tabiya_base::random_seed(), tabiya_base::random_seed());
/// ```
pub fn random_seed() -> u64 {
    RandomState::new().hash_one("tabiya")
}

/// A number that tells some bytes from others (FNV-1a), the same on every machine.
///
/// ```
/// // As its authors publish it.
/// assert_eq!(tabiya_base::digest("foobar".bytes()), 0x8594_4171_f739_67e8);
/// ```
pub fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        // From the reference implementation, seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }
}
