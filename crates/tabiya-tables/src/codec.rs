//! Bytes of a table, packed: pairs of symbols that often follow each other become symbols of their own, again and again,
//! and what is left is written with Huffman's codes.
//!
//! Bytes are kept in blocks of [`BLOCK`], which are read on their own, and blocks in chunks with a checksum each, so that a
//! look-up reads little: half a block on average, in steps of whole symbols. Blocks are small, because that is what a look-up
//! costs; their index is a byte each, how long they are.

mod learn;

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

pub(crate) use learn::{Dictionary, Limits, code_lengths};

/// Bytes that are read together.
pub(crate) const BLOCK: usize = 128;
/// Blocks under one checksum.
const CHUNK: usize = 64;
/// No code is longer, so that a symbol is found with one look-up.
pub(crate) const MOST_BITS: usize = 12;
/// No dictionary has more symbols.
pub(crate) const MOST_SYMBOLS: usize = 1536;

// How long a packed block is fits into a byte.
const _: () = assert!(BLOCK * MOST_BITS <= 8 * u8::MAX as usize && BLOCK <= u8::MAX as usize);

/// Packs bytes. The result is the same for any number of threads.
pub(crate) fn pack(bytes: &[u8], threads: usize) -> Vec<u8> {
    let dictionary = Dictionary::learn(bytes);
    let chunks: Vec<&[u8]> = bytes.chunks(BLOCK * CHUNK).collect();
    let packed: Vec<Mutex<Vec<u8>>> = chunks.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, chunks.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    let (Some(chunk), Some(place)) = (chunks.get(number), packed.get(number))
                    else {
                        return;
                    };
                    *place.lock() = pack_chunk(&dictionary, chunk);
                }
            });
        }
    });
    let packed: Vec<Vec<u8>> = packed.into_iter().map(Mutex::into_inner).collect();
    let mut out = Vec::new();
    dictionary.write(&mut out);
    out.extend((bytes.len() as u64).to_le_bytes());
    let mut end = 0;
    for chunk in &packed {
        end += chunk.len() as u64;
        out.extend(end.to_le_bytes());
        out.extend(crc32fast::hash(chunk).to_le_bytes());
    }
    let checksum = crc32fast::hash(&out);
    out.extend(checksum.to_le_bytes());
    packed.iter().for_each(|chunk| out.extend(chunk));
    out
}

fn pack_chunk(dictionary: &Dictionary, bytes: &[u8]) -> Vec<u8> {
    let blocks: Vec<Vec<u8>> = bytes
        .chunks(BLOCK)
        .map(|block| write_bits(dictionary, &dictionary.symbols(block)))
        .collect();
    let mut out: Vec<u8> = blocks.iter().map(|block| block.len() as u8).collect();
    blocks.iter().for_each(|block| out.extend(block));
    out
}

fn write_bits(dictionary: &Dictionary, symbols: &[u16]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut held, mut bits) = (0_u64, 0);
    for &symbol in symbols {
        let (code, length) = dictionary.code(symbol);
        held = held << length | u64::from(code);
        bits += length;
        while bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
        }
    }
    if bits > 0 {
        out.push((held << (8 - bits)) as u8);
    }
    out
}

/// Reads numbers and stretches from the front of bytes.
pub(crate) struct Cursor<'a>(pub(crate) &'a [u8]);

impl<'a> Cursor<'a> {
    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.bytes(2)?.try_into().ok()?))
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }
}

/// Whether bytes have the checksum. While fuzzing they always have: else nothing beyond it would ever be tried.
pub(crate) fn is_right(checksum: u32, bytes: &[u8]) -> bool {
    cfg!(fuzzing) || checksum == crc32fast::hash(bytes)
}

/// What a code of at most [`MOST_BITS`] bits begins with.
#[derive(Clone, Copy, Default)]
struct Decoded {
    symbol: u16,
    /// How many bytes it stands for; 0 if there is no such code.
    bytes: u8,
    bits: u8,
}

/// Packed bytes, to be looked up. Whatever they are, nothing but an error comes of it.
pub(crate) struct Packed {
    dictionary: Dictionary,
    codes: Vec<Decoded>,
    len: usize,
    /// Where each chunk ends, counted from the end of the head, its checksum, and whether it has been seen to be right.
    chunks: Vec<(u64, u32, AtomicBool)>,
    head: usize,
}

/// What is wrong with packed bytes.
pub(crate) type Damage = &'static str;

impl Packed {
    /// Reads the head.
    pub(crate) fn open(bytes: &[u8]) -> Result<Packed, Damage> {
        let short = "the file ends too early";
        let mut cursor = Cursor(bytes);
        let dictionary = Dictionary::read(&mut cursor)?;
        let len = usize::try_from(cursor.u64().ok_or(short)?).map_err(|_| "it is too large")?;
        let count = len.div_ceil(BLOCK * CHUNK);
        if count > bytes.len() / 12 {
            return Err(short);
        }
        let mut chunks = Vec::with_capacity(count);
        let mut before = 0;
        for _ in 0..count {
            let (end, checksum) = (cursor.u64().ok_or(short)?, cursor.u32().ok_or(short)?);
            if end < before {
                return Err("the index is out of order");
            }
            before = end;
            chunks.push((end, checksum, AtomicBool::new(false)));
        }
        let read = bytes.len() - cursor.0.len();
        let checksum = cursor.u32().ok_or(short)?;
        if !is_right(checksum, &bytes[..read]) {
            return Err("a checksum is wrong");
        }
        if cursor.0.len() as u64 != before {
            return Err("its length is wrong");
        }
        let mut codes = vec![Decoded::default(); 1 << MOST_BITS];
        for symbol in 0..dictionary.len() as u16 {
            let (code, bits) = dictionary.code(symbol);
            let from = usize::from(code) << (MOST_BITS - bits as usize);
            let entry =
                Decoded { symbol, bytes: dictionary.length(symbol) as u8, bits: bits as u8 };
            let place = codes.get_mut(from..from + (1 << (MOST_BITS - bits as usize)));
            place.ok_or("its codes are wrong")?.fill(entry);
        }
        Ok(Packed { dictionary, codes, len, chunks, head: read + 4 })
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The packed bytes of a block, and how many it holds.
    #[inline]
    fn block<'a>(&self, bytes: &'a [u8], number: usize) -> Result<(&'a [u8], usize), Damage> {
        let wrong = "the index is wrong";
        let (chunk, block) = (number / CHUNK, number % CHUNK);
        let (end, checksum, is_seen) = self.chunks.get(chunk).ok_or(wrong)?;
        let start = chunk.checked_sub(1).map_or(0, |before| self.chunks[before].0);
        let data = bytes
            .get(self.head + start as usize..self.head + *end as usize)
            .ok_or("the file ends too early")?;
        if !is_seen.load(Relaxed) {
            if !is_right(*checksum, data) {
                return Err("a checksum is wrong");
            }
            is_seen.store(true, Relaxed);
        }
        let first = chunk * CHUNK * BLOCK;
        let blocks = (self.len - first).div_ceil(BLOCK).min(CHUNK);
        let (lengths, data) = data.split_at_checked(blocks).ok_or(wrong)?;
        let (before, from) = lengths.split_at_checked(block).ok_or(wrong)?;
        let length = usize::from(*from.first().ok_or(wrong)?);
        let start: usize = before.iter().map(|&length| usize::from(length)).sum();
        let found = data.get(start..start + length).ok_or(wrong)?;
        Ok((found, BLOCK.min(self.len - number * BLOCK)))
    }

    /// The byte at a place.
    #[inline]
    pub(crate) fn get(&self, bytes: &[u8], place: usize) -> Result<u8, Damage> {
        if place >= self.len {
            return Err("the index is wrong");
        }
        let (block, _) = self.block(bytes, place / BLOCK)?;
        let mut left = place % BLOCK;
        let mut bits = Bits::new(block);
        loop {
            let decoded = self.codes[bits.peek()];
            let length = usize::from(decoded.bytes);
            if length == 0 {
                return Err("a code is wrong");
            }
            if left < length {
                return Ok(self.dictionary.bytes(decoded.symbol)[left]);
            }
            left -= length;
            bits.skip(decoded.bits)?;
        }
    }

    /// All bytes from one place to another.
    pub(crate) fn unpack(&self, bytes: &[u8], from: usize, to: usize) -> Result<Vec<u8>, Damage> {
        if from > to || to > self.len {
            return Err("the index is wrong");
        }
        let mut out = Vec::with_capacity(to - from);
        for number in from / BLOCK..to.div_ceil(BLOCK) {
            let (block, count) = self.block(bytes, number)?;
            let mut whole = Vec::with_capacity(BLOCK);
            let mut bits = Bits::new(block);
            while whole.len() < count {
                let decoded = self.codes[bits.peek()];
                if decoded.bytes == 0 {
                    return Err("a code is wrong");
                }
                whole.extend_from_slice(self.dictionary.bytes(decoded.symbol));
                bits.skip(decoded.bits)?;
            }
            if whole.len() != count {
                return Err("a block is too long");
            }
            let first = number * BLOCK;
            out.extend_from_slice(&whole[from.saturating_sub(first)..count.min(to - first)]);
        }
        Ok(out)
    }
}

/// Codes from bytes, the first bit being the highest.
struct Bits<'a> {
    bytes: &'a [u8],
    held: u64,
    bits: u32,
    /// Bits that were taken beyond the end.
    beyond: u32,
}

impl Bits<'_> {
    #[inline]
    fn new(bytes: &[u8]) -> Bits<'_> {
        let mut bits = Bits { bytes, held: 0, bits: 0, beyond: 0 };
        bits.fill();
        bits
    }

    #[inline]
    fn fill(&mut self) {
        if let Some((word, rest)) = self.bytes.split_first_chunk::<4>() {
            self.held |= u64::from(u32::from_be_bytes(*word)) << (32 - self.bits);
            self.bits += 32;
            self.bytes = rest;
            return;
        }
        while self.bits <= 56 {
            let byte = match self.bytes.split_first() {
                Some((&byte, rest)) => {
                    self.bytes = rest;
                    byte
                }
                None => {
                    self.beyond += 8;
                    0
                }
            };
            self.held |= u64::from(byte) << (56 - self.bits);
            self.bits += 8;
        }
    }

    #[inline]
    fn peek(&self) -> usize {
        (self.held >> (64 - MOST_BITS)) as usize
    }

    #[inline]
    fn skip(&mut self, bits: u8) -> Result<(), Damage> {
        self.held <<= bits;
        self.bits -= u32::from(bits);
        if self.bits < MOST_BITS as u32 + 20 {
            self.fill();
        }
        if self.beyond > self.bits { Err("a block ends too early") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Random;

    use super::*;

    fn round_trip(bytes: &[u8]) -> usize {
        let packed = pack(bytes, 2);
        assert_eq!(packed, pack(bytes, 1));
        let opened = Packed::open(&packed).unwrap();
        assert_eq!(opened.len(), bytes.len());
        assert_eq!(opened.unpack(&packed, 0, bytes.len()).as_deref(), Ok(bytes));
        let mut random = Random::new(3);
        for _ in 0..1000.min(bytes.len()) {
            let place = random.below(bytes.len());
            assert_eq!(opened.get(&packed, place), Ok(bytes[place]));
            let to = place + random.below((bytes.len() - place).min(5000));
            let part = opened.unpack(&packed, place, to);
            assert_eq!(part.as_deref(), Ok(&bytes[place..to]));
        }
        packed.len()
    }

    #[test]
    fn what_is_packed_is_read_back() {
        let mut random = Random::new(1);
        round_trip(&[]);
        round_trip(&[7]);
        assert!(round_trip(&[3; 100_000]) < 2000);
        let noise: Vec<u8> = (0..70_000).map(|_| random.next_u64() as u8).collect();
        assert!(round_trip(&noise) < 80_000);
        let words: Vec<[u8; 5]> = (0..20).map(|n| [n, 2 * n, 0, 0, n % 3]).collect();
        let text: Vec<u8> = (0..60_000).flat_map(|_| random.pick(&words).unwrap()).collect();
        assert!(round_trip(&text) < text.len() / 4);
    }

    #[test]
    fn damaged_bytes_are_refused_or_read() {
        let mut random = Random::new(2);
        let bytes: Vec<u8> = (0..90_000).map(|n| (n / 7 % 13) as u8).collect();
        let packed = pack(&bytes, 1);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut damaged = packed.clone();
            match random.below(3) {
                0 => damaged.truncate(random.below(damaged.len())),
                _ => {
                    let place = random.below(damaged.len());
                    damaged[place] ^= 1 << random.below(8);
                }
            }
            let read =
                Packed::open(&damaged).and_then(|opened| opened.unpack(&damaged, 0, opened.len()));
            refused += usize::from(read.is_err());
            assert!(read.is_err() || read.as_deref() == Ok(&bytes));
        }
        assert_eq!(refused, 2000, "every bit is under a checksum");
    }
}
