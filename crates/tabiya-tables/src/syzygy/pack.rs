//! Values packed as Syzygy's tables have them: what `pairs.rs` reads.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use super::pairs::LEAF;
use super::table::{IS_CONSTANT, Kind};
use crate::codec::{Dictionary, Limits, code_lengths};

/// Symbols have twelve bits, and the last number is not one. Other readers count the values of a symbol in a byte.
const LIMITS: Limits =
    Limits { length: 256, symbols: LEAF as usize, sample: 4 << 20, stretch: 1 << 12 };
/// No code is longer; readers take up to 32 bits.
const MOST_BITS: usize = 20;
/// Values that become symbols together.
const CHUNK: usize = 1 << 18;
/// Values between two entries of the index, in bits.
const SPAN_BITS: u32 = 15;
/// How many values a block may hold: what is left of a span beyond the last block must fit into two bytes with them.
const MOST_IN_BLOCK: usize = 1 << 15;

/// One packed table, in the parts that go to different places of the file.
#[derive(Default)]
pub(super) struct PackedPairs {
    pub(super) head: Vec<u8>,
    pub(super) index: Vec<u8>,
    pub(super) sizes: Vec<u8>,
    pub(super) data: Vec<u8>,
}

impl PackedPairs {
    pub(super) fn bytes(&self) -> usize {
        self.head.len() + self.index.len() + self.sizes.len() + self.data.len()
    }
}

/// Packs values. The result is the same for any number of threads.
pub(super) fn pack(values: &[u8], kind: Kind, flags: u8, threads: usize) -> PackedPairs {
    let first = values.first().copied().unwrap_or(0);
    // A single value is part of the head; a single distance can only be 0.
    if values.iter().all(|&value| value == first) && (kind == Kind::Results || first == 0) {
        return PackedPairs { head: vec![flags | IS_CONSTANT, first], ..PackedPairs::default() };
    }
    let (dictionary, _) = Dictionary::learn_pairs(values, LIMITS);
    let symbols = to_symbols(values, &dictionary, threads);
    let code = Code::new(&dictionary, &symbols);
    // Results are asked for much more often than distances: small blocks are read quicker.
    let block_bits = if kind == Kind::Results { 6 } else { 10 };
    let mut packed = PackedPairs::default();
    let starts = code.write(&symbols, &dictionary, 1 << block_bits, &mut packed);
    for middle in (1_usize << (SPAN_BITS - 1)..).step_by(1 << SPAN_BITS) {
        if middle - (1 << (SPAN_BITS - 1)) >= values.len() {
            break;
        }
        let block = starts.partition_point(|&start| start <= middle).saturating_sub(1);
        packed.index.extend((block as u32).to_le_bytes());
        packed.index.extend(((middle - starts[block]) as u16).to_le_bytes());
    }
    let head = &mut packed.head;
    head.extend([flags, block_bits, SPAN_BITS as u8, 0]);
    head.extend((starts.len() as u32).to_le_bytes());
    code.write_head(&dictionary, head);
    packed
}

fn to_symbols(values: &[u8], dictionary: &Dictionary, threads: usize) -> Vec<Vec<u16>> {
    let chunks: Vec<&[u8]> = values.chunks(CHUNK).collect();
    let symbols: Vec<Mutex<Vec<u16>>> = chunks.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            let (Some(chunk), Some(place)) = (chunks.get(number), symbols.get(number)) else {
                return;
            };
            let mut found = dictionary.symbols(chunk);
            found.shrink_to_fit();
            *place.lock() = found;
        }
    };
    thread::scope(|scope| (0..threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    symbols.into_iter().map(Mutex::into_inner).collect()
}

/// Huffman's codes in Syzygy's order: symbols with long codes have the lower numbers, and the lower codes.
struct Code {
    /// The symbols of the dictionary in their new order; those that only others are made of come last, without a code.
    order: Vec<u16>,
    /// The number of each symbol in that order.
    number: Vec<u16>,
    /// Bits of each symbol of the dictionary.
    bits: Vec<u8>,
    shortest: usize,
    longest: usize,
    /// The lowest symbol of each length, and its code.
    lowest: Vec<u16>,
    codes: Vec<u64>,
}

impl Code {
    fn new(dictionary: &Dictionary, symbols: &[Vec<u16>]) -> Code {
        let mut counts = vec![0_u64; dictionary.len()];
        symbols.iter().flatten().for_each(|&symbol| counts[usize::from(symbol)] += 1);
        let mut order: Vec<u16> = (0..dictionary.len() as u16).collect();
        let coded: Vec<u16> =
            order.iter().copied().filter(|&symbol| counts[usize::from(symbol)] > 0).collect();
        let used: Vec<u64> = coded.iter().map(|&symbol| counts[usize::from(symbol)]).collect();
        let mut bits = vec![0; dictionary.len()];
        for (&symbol, length) in coded.iter().zip(code_lengths(&used, MOST_BITS)) {
            bits[usize::from(symbol)] = length;
        }
        order.sort_by_key(|&symbol| (u8::MAX - bits[usize::from(symbol)], symbol));
        let mut number = vec![0; order.len()];
        for (new, &symbol) in order.iter().enumerate() {
            number[usize::from(symbol)] = new as u16;
        }
        let lengths = || coded.iter().map(|&symbol| usize::from(bits[usize::from(symbol)]));
        let shortest = lengths().min().unwrap_or(1);
        let longest = lengths().max().unwrap_or(1);
        let longer_than = |length| lengths().filter(|&other| other > length).count();
        let lowest: Vec<u16> =
            (shortest..=longest).map(|length| longer_than(length) as u16).collect();
        let mut codes = vec![0; lowest.len()];
        for n in (0..lowest.len() - 1).rev() {
            codes[n] = (codes[n + 1] + u64::from(lowest[n]) - u64::from(lowest[n + 1])) / 2;
        }
        Code { order, number, bits, shortest, longest, lowest, codes }
    }

    fn write_head(&self, dictionary: &Dictionary, out: &mut Vec<u8>) {
        out.extend([self.longest as u8, self.shortest as u8]);
        self.lowest.iter().for_each(|lowest| out.extend(lowest.to_le_bytes()));
        out.extend((self.order.len() as u16).to_le_bytes());
        for &symbol in &self.order {
            let [a, b] = match dictionary.parts(symbol) {
                Some((a, b)) => [a, b].map(|part| self.number[usize::from(part)]),
                None => [dictionary.bytes(symbol)[0].into(), LEAF],
            };
            out.extend([a as u8, (a >> 8 | b << 4) as u8, (b >> 4) as u8]);
        }
        if self.order.len() % 2 == 1 {
            out.push(0);
        }
    }

    /// Writes blocks of so many bytes, each with whole symbols, and their sizes; gives the first value of each.
    fn write(
        &self,
        symbols: &[Vec<u16>],
        dictionary: &Dictionary,
        block: usize,
        packed: &mut PackedPairs,
    ) -> Vec<usize> {
        let mut starts = vec![0];
        let (mut in_block, mut free) = (0, block * 8);
        let (mut held, mut bits) = (0_u64, 0);
        let data = &mut packed.data;
        for &symbol in symbols.iter().flatten() {
            let (length, values) =
                (usize::from(self.bits[usize::from(symbol)]), dictionary.length(symbol));
            if length > free || in_block + values > MOST_IN_BLOCK {
                if bits > 0 {
                    data.push((held << (8 - bits)) as u8);
                }
                (held, bits) = (0, 0);
                data.resize(starts.len() * block, 0);
                packed.sizes.extend(((in_block - 1) as u16).to_le_bytes());
                starts.push(starts[starts.len() - 1] + in_block);
                (in_block, free) = (0, block * 8);
            }
            let n = length - self.shortest;
            let above = self.number[usize::from(symbol)] - self.lowest[n];
            held = held << length | (self.codes[n] + u64::from(above));
            bits += length;
            while bits >= 8 {
                bits -= 8;
                data.push((held >> bits) as u8);
            }
            free -= length;
            in_block += values;
        }
        if bits > 0 {
            data.push((held << (8 - bits)) as u8);
        }
        data.resize(starts.len() * block, 0);
        packed.sizes.extend((in_block.saturating_sub(1) as u16).to_le_bytes());
        starts
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Random;

    use super::super::pairs::Pairs;
    use super::*;

    fn round_trip(values: &[u8], kind: Kind) -> usize {
        let packed = pack(values, kind, 0, 2);
        assert_eq!(packed.bytes(), pack(values, kind, 0, 1).bytes());
        let mut file = packed.head.clone();
        let head = file.len();
        for part in [&packed.index, &packed.sizes] {
            file.extend(part);
        }
        file.resize(file.len().next_multiple_of(64), 0);
        file.extend(&packed.data);
        let (mut pairs, mut at) = Pairs::read(&file, 0, kind).unwrap();
        assert_eq!(at, head);
        pairs.place_index(&mut at, values.len() as u64, &file).unwrap();
        pairs.place_sizes(&mut at, &file).unwrap();
        pairs.place_data(&mut at, &file).unwrap();
        assert!(packed.data.is_empty() || at == file.len());
        for (number, &value) in values.iter().enumerate() {
            assert_eq!(pairs.get(&file, number as u64), Ok(value.into()), "{number}");
        }
        packed.bytes()
    }

    #[test]
    fn what_is_packed_is_read_back() {
        let mut random = Random::new(4);
        for kind in [Kind::Results, Kind::Zeroing] {
            round_trip(&[3], kind);
            round_trip(&[0; 1000], kind);
            // As many as no block may hold.
            assert!(round_trip(&[7; 300_000], kind) < 12_000);
            for most in [2, 5, 250] {
                let noise: Vec<u8> = (0..70_000).map(|_| random.below(most) as u8).collect();
                round_trip(&noise, kind);
            }
            // Values that come up ever more seldom have long codes.
            let rare = |n: u64| (n.trailing_zeros() as u8).min(40);
            let values: Vec<u8> = (1..200_000).map(|_| rare(random.next_u64())).collect();
            round_trip(&values, kind);
            let runs: Vec<u8> = (0..150_000_u32).map(|n| (n / 917 % 5) as u8).collect();
            assert!(round_trip(&runs, kind) < 8000);
        }
    }
}
