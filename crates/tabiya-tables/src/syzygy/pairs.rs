//! Bytes of Syzygy's tables: blocks of Huffman's codes for symbols, which stand for two symbols each until single values are left.

use std::ops::Range;

use super::table::{IS_CONSTANT, Kind};

type Damage = &'static str;

const SHORT: Damage = "the file ends too early";
const WRONG: Damage = "its packed bytes are wrong";
/// No symbol stands for more values in files that are sound.
const LONGEST_SYMBOL: u32 = 1 << 16;

/// Numbers from a place in a file.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The packed values of one table, or one value for all.
pub(super) struct Pairs {
    pub(super) flags: u8,
    constant: Option<u16>,
    packed: Packed,
}

#[derive(Default)]
struct Packed {
    block_bits: u32,
    span_bits: u32,
    blocks: usize,
    /// Blocks and those that are only counted.
    lengths: usize,
    shortest: u32,
    /// The lowest symbol of each length of code.
    lowest: Vec<u16>,
    /// The lowest code of each length, from the highest bit.
    codes: Vec<u64>,
    /// The two symbols of each, or a value.
    symbols: Vec<(u16, u16)>,
    /// One less than how many values each symbol stands for.
    values: Vec<u32>,
    index: Range<usize>,
    sizes: Range<usize>,
    data: Range<usize>,
}

/// A symbol that is a value.
pub(super) const LEAF: u16 = 0xfff;

impl Pairs {
    /// Reads the head of a table; gives where it ends.
    pub(super) fn read(bytes: &[u8], at: usize, kind: Kind) -> Result<(Pairs, usize), Damage> {
        let byte = |n: usize| bytes.get(at + n).copied().ok_or(SHORT);
        let flags = byte(0)?;
        if flags & IS_CONSTANT != 0 {
            let constant = Some(if kind == Kind::Results { byte(1)?.into() } else { 0 });
            return Ok((Pairs { flags, constant, packed: Packed::default() }, at + 2));
        }
        let (block_bits, span_bits) = (u32::from(byte(1)?), u32::from(byte(2)?));
        let blocks = u32_at(bytes, at + 4).ok_or(SHORT)? as usize;
        let lengths = blocks + usize::from(byte(3)?);
        let (longest, shortest) = (usize::from(byte(8)?), usize::from(byte(9)?));
        if block_bits > 24 || !(1..=24).contains(&span_bits) {
            return Err(WRONG);
        }
        if !(1..=32).contains(&shortest) || !(shortest..=32).contains(&longest) {
            return Err(WRONG);
        }
        let count = longest - shortest + 1;
        let lowest = (0..count).map(|n| u16_at(bytes, at + 10 + 2 * n).ok_or(SHORT));
        let lowest = lowest.collect::<Result<Vec<u16>, _>>()?;
        let mut codes = vec![0_u64; count];
        for n in (0..count - 1).rev() {
            let sum = (codes[n + 1] + u64::from(lowest[n])).checked_sub(lowest[n + 1].into());
            codes[n] = sum.ok_or(WRONG)? / 2;
        }
        for (n, code) in codes.iter_mut().enumerate() {
            let bits = (shortest + n) as u32;
            if *code >> bits != 0 {
                return Err(WRONG);
            }
            *code <<= 64 - bits;
        }
        let at = at + 10 + 2 * count;
        let total = usize::from(u16_at(bytes, at).ok_or(SHORT)?);
        let patterns = bytes.get(at + 2..at + 2 + 3 * total).ok_or(SHORT)?;
        let symbols: Vec<(u16, u16)> = patterns
            .chunks_exact(3)
            .map(|three| {
                let [a, b, c] = [three[0], three[1], three[2]].map(u16::from);
                ((b & 15) << 8 | a, c << 4 | b >> 4)
            })
            .collect();
        let values = count_values(&symbols)?;
        let packed = Packed {
            block_bits,
            span_bits,
            blocks,
            lengths,
            shortest: shortest as u32,
            lowest,
            codes,
            symbols,
            values,
            ..Packed::default()
        };
        Ok((Pairs { flags, constant: None, packed }, at + 2 + 3 * total + (total & 1)))
    }

    fn place(at: &mut usize, len: usize, bytes: &[u8]) -> Result<Range<usize>, Damage> {
        let end = at.checked_add(len).filter(|&end| end <= bytes.len()).ok_or(SHORT)?;
        let range = *at..end;
        *at = end;
        Ok(range)
    }

    /// Notes where the index is: for a table of so many positions.
    pub(super) fn place_index(
        &mut self,
        at: &mut usize,
        size: u64,
        bytes: &[u8],
    ) -> Result<(), Damage> {
        if self.constant.is_none() {
            let spans = size.div_ceil(1 << self.packed.span_bits);
            let len = usize::try_from(spans).ok().and_then(|spans| spans.checked_mul(6));
            self.packed.index = Pairs::place(at, len.ok_or(SHORT)?, bytes)?;
        }
        Ok(())
    }

    /// Notes where the sizes of blocks are.
    pub(super) fn place_sizes(&mut self, at: &mut usize, bytes: &[u8]) -> Result<(), Damage> {
        if self.constant.is_none() {
            self.packed.sizes = Pairs::place(at, self.packed.lengths * 2, bytes)?;
        }
        Ok(())
    }

    /// Notes where the blocks are.
    pub(super) fn place_data(&mut self, at: &mut usize, bytes: &[u8]) -> Result<(), Damage> {
        if self.constant.is_none() {
            *at = at.next_multiple_of(64);
            let len = self.packed.blocks.checked_mul(1 << self.packed.block_bits);
            self.packed.data = Pairs::place(at, len.ok_or(SHORT)?, bytes)?;
        }
        Ok(())
    }

    /// The value of a number.
    pub(super) fn get(&self, bytes: &[u8], number: u64) -> Result<u16, Damage> {
        match self.constant {
            Some(value) => Ok(value),
            None => self.packed.get(bytes, number).ok_or(WRONG),
        }
    }
}

/// How many values, less one, each symbol stands for.
fn count_values(symbols: &[(u16, u16)]) -> Result<Vec<u32>, Damage> {
    const UNKNOWN: u32 = u32::MAX;
    const UNDER_WAY: u32 = u32::MAX - 1;
    let mut values = vec![UNKNOWN; symbols.len()];
    let mut path = Vec::new();
    for symbol in 0..symbols.len() {
        path.push(symbol);
        while let Some(&symbol) = path.last() {
            let (a, b) = symbols[symbol];
            let [a, b] = [a, b].map(usize::from);
            if values[symbol] < UNDER_WAY {
                path.pop();
                continue;
            }
            if b == usize::from(LEAF) {
                values[symbol] = 0;
                continue;
            }
            let of = |symbol: usize| values.get(symbol).copied().ok_or(WRONG);
            let (of_a, of_b) = (of(a)?, of(b)?);
            // What is made of itself has no end.
            if of_a == UNDER_WAY || of_b == UNDER_WAY {
                return Err(WRONG);
            }
            if of_a == UNKNOWN || of_b == UNKNOWN {
                values[symbol] = UNDER_WAY;
                path.push(if of_a == UNKNOWN { a } else { b });
                continue;
            }
            values[symbol] = of_a + of_b + 1;
            if values[symbol] >= LONGEST_SYMBOL {
                return Err(WRONG);
            }
        }
    }
    Ok(values)
}

impl Packed {
    fn get(&self, bytes: &[u8], number: u64) -> Option<u16> {
        let index = bytes.get(self.index.clone())?;
        let sizes = bytes.get(self.sizes.clone())?;
        let size = |block: usize| Some(i64::from(u16_at(sizes, block.checked_mul(2)?)?) + 1);
        let span = usize::try_from(number >> self.span_bits).ok()?.checked_mul(6)?;
        let mut block = u32_at(index, span)? as usize;
        let mask = (1_u64 << self.span_bits) - 1;
        let mut left = (number & mask) as i64 - (1_i64 << (self.span_bits - 1));
        left += i64::from(u16_at(index, span + 4)?);
        while left < 0 {
            block = block.checked_sub(1)?;
            left += size(block)?;
        }
        while left >= size(block)? {
            left -= size(block)?;
            block += 1;
        }
        let start = block.checked_mul(1 << self.block_bits)?;
        let data = bytes.get(self.data.clone())?.get(start..)?;
        self.decode(&data[..data.len().min(1 << self.block_bits)], left as u32)
    }

    /// The value at a place of a block.
    fn decode(&self, mut data: &[u8], mut left: u32) -> Option<u16> {
        let mut next = || -> u64 {
            // Beyond the end of a block there are zeros: sound files do not ask for them.
            let mut four = [0; 4];
            let len = data.len().min(4);
            four[..len].copy_from_slice(&data[..len]);
            data = &data[len..];
            u32::from_be_bytes(four).into()
        };
        let mut code = next() << 32 | next();
        let mut free = 0;
        let mut symbol = loop {
            let n = self.codes.iter().position(|&lowest| code >= lowest)?;
            let bits = self.shortest + n as u32;
            let above = (code - self.codes[n]) >> (64 - bits);
            let symbol = usize::try_from(above).ok()?.checked_add(self.lowest[n].into())?;
            let values = *self.values.get(symbol)? + 1;
            if left < values {
                break symbol;
            }
            left -= values;
            code = code.checked_shl(bits).unwrap_or(0);
            free += bits;
            if free >= 32 {
                free -= 32;
                code |= next() << free;
            }
        };
        // Symbols are made of earlier known ones, so that this comes to an end.
        while self.values[symbol] > 0 {
            let (a, b) = self.symbols[symbol];
            let of_a = self.values.get(usize::from(a))? + 1;
            if left < of_a {
                symbol = a.into();
            } else {
                left -= of_a;
                symbol = b.into();
            }
        }
        Some(self.symbols[symbol].0)
    }
}
