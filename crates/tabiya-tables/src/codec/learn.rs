//! The symbols of packed bytes: which pairs are worth one, and their codes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{BLOCK, Cursor, Damage, MOST_BITS, MOST_SYMBOLS};

/// Blocks that are looked at to learn pairs, evenly spread.
const SAMPLE: usize = 400;

/// Bytes, pairs of symbols, and a code for each.
pub(crate) struct Dictionary {
    /// Symbols from 0: the bytes that there are.
    literals: Vec<u8>,
    /// The symbols after that: two earlier symbols each.
    pairs: Vec<(u16, u16)>,
    /// How many bytes each symbol stands for.
    lengths: Vec<usize>,
    /// Bits of the code of each symbol.
    bits: Vec<u8>,
    codes: Vec<u16>,
    /// While packing: the pairs of each round, which are put together before those of the next.
    rounds: Vec<Round>,
}

type Round = HashMap<u32, u16, BuildHasherDefault<PairHasher>>;

/// Pairs are numbers already; they only have to be spread.
#[derive(Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

fn pair_number(a: u16, b: u16) -> u32 {
    u32::from(a) << 16 | u32::from(b)
}

impl Dictionary {
    pub(crate) fn learn(bytes: &[u8]) -> Dictionary {
        let mut is_there = [false; 256];
        bytes.iter().for_each(|&byte| is_there[usize::from(byte)] = true);
        let literals: Vec<u8> = (0..=255).filter(|&byte| is_there[usize::from(byte)]).collect();
        let mut dictionary = Dictionary {
            lengths: vec![1; literals.len()],
            literals,
            pairs: Vec::new(),
            bits: Vec::new(),
            codes: Vec::new(),
            rounds: Vec::new(),
        };
        let blocks = bytes.len().div_ceil(BLOCK);
        let step = blocks.div_ceil(SAMPLE).max(1);
        let mut sample: Vec<Vec<u16>> =
            bytes.chunks(BLOCK).step_by(step).map(|block| dictionary.symbols(block)).collect();
        while dictionary.len() < MOST_SYMBOLS && dictionary.learn_round(&sample) {
            if let Some(round) = dictionary.rounds.last() {
                sample.iter_mut().for_each(|block| join(block, round));
            }
        }
        let mut counts = vec![0_u64; dictionary.len()];
        sample.iter().flatten().for_each(|&symbol| counts[usize::from(symbol)] += 1);
        // Whatever comes up only beyond the sample has a code as well.
        counts.iter_mut().for_each(|count| *count = *count * 16 + 1);
        dictionary.bits = code_lengths(&counts);
        dictionary.codes = canonical_codes(&dictionary.bits).unwrap_or_default();
        dictionary
    }

    /// Finds the pairs that come up most, and makes symbols of them.
    fn learn_round(&mut self, sample: &[Vec<u16>]) -> bool {
        let mut counts: HashMap<u32, u32, BuildHasherDefault<PairHasher>> = HashMap::default();
        for block in sample {
            let mut last = None;
            for (place, pair) in block.windows(2).enumerate() {
                let pair = pair_number(pair[0], pair[1]);
                // Of three alike in a row only two make a pair.
                if last == Some((pair, place.wrapping_sub(1))) {
                    continue;
                }
                last = Some((pair, place));
                *counts.entry(pair).or_default() += 1;
            }
        }
        let least = 12.max(sample.len() as u32 / 16);
        let mut found: Vec<(u32, u32)> =
            counts.into_iter().filter(|&(_, count)| count >= least).collect();
        found.sort_unstable_by_key(|&(pair, count)| (u32::MAX - count, pair));
        let room = MOST_SYMBOLS - self.len();
        let wanted = (16 + self.len() / 6).min(room);
        let most = found.first().map_or(0, |&(_, count)| count);
        let mut round = Round::default();
        for (pair, count) in found {
            if round.len() >= wanted || count * 4 < most {
                break;
            }
            let (a, b) = ((pair >> 16) as u16, pair as u16);
            let length = self.length(a) + self.length(b);
            if length <= BLOCK {
                round.insert(pair, self.len() as u16);
                self.pairs.push((a, b));
                self.lengths.push(length);
            }
        }
        let any = !round.is_empty();
        self.rounds.push(round);
        any
    }

    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// How many bytes a symbol stands for.
    pub(crate) fn length(&self, symbol: u16) -> usize {
        self.lengths[usize::from(symbol)]
    }

    /// A symbol's code and how many bits it has.
    pub(crate) fn code(&self, symbol: u16) -> (u16, u32) {
        (self.codes[usize::from(symbol)], self.bits[usize::from(symbol)].into())
    }

    /// A block as symbols.
    pub(crate) fn symbols(&self, block: &[u8]) -> Vec<u16> {
        let literal = |byte: &u8| self.literals.binary_search(byte).unwrap_or_default() as u16;
        let mut symbols: Vec<u16> = block.iter().map(literal).collect();
        self.rounds.iter().for_each(|round| join(&mut symbols, round));
        symbols
    }

    /// One of the bytes that a symbol stands for.
    #[inline]
    pub(crate) fn byte(&self, mut symbol: u16, mut place: usize) -> u8 {
        loop {
            if let Some(&byte) = self.literals.get(usize::from(symbol)) {
                return byte;
            }
            let (a, b) = self.pairs[usize::from(symbol) - self.literals.len()];
            let first = self.length(a);
            if place < first {
                symbol = a;
            } else {
                place -= first;
                symbol = b;
            }
        }
    }

    /// Appends all bytes that a symbol stands for.
    pub(crate) fn expand(&self, symbol: u16, out: &mut Vec<u8>) {
        match self.literals.get(usize::from(symbol)) {
            Some(&byte) => out.push(byte),
            None => {
                let (a, b) = self.pairs[usize::from(symbol) - self.literals.len()];
                self.expand(a, out);
                self.expand(b, out);
            }
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.literals.len() as u16).to_le_bytes());
        out.extend((self.pairs.len() as u16).to_le_bytes());
        out.extend(&self.literals);
        for (a, b) in &self.pairs {
            out.extend(a.to_le_bytes());
            out.extend(b.to_le_bytes());
        }
        out.extend(&self.bits);
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Dictionary, Damage> {
        let short = "the file ends too early";
        let literals = usize::from(cursor.u16().ok_or(short)?);
        let pairs = usize::from(cursor.u16().ok_or(short)?);
        if literals > 256 || literals + pairs > MOST_SYMBOLS {
            return Err("it has too many symbols");
        }
        let mut dictionary = Dictionary {
            literals: cursor.bytes(literals).ok_or(short)?.to_vec(),
            pairs: Vec::with_capacity(pairs),
            lengths: vec![1; literals],
            bits: Vec::new(),
            codes: Vec::new(),
            rounds: Vec::new(),
        };
        for _ in 0..pairs {
            let (a, b) = (cursor.u16().ok_or(short)?, cursor.u16().ok_or(short)?);
            let length = |symbol: u16| dictionary.lengths.get(usize::from(symbol)).copied();
            // A pair is made of earlier symbols, so that there is an end to it.
            let length = length(a).zip(length(b)).map(|(a, b)| a + b);
            let length = length.filter(|&length| length <= BLOCK).ok_or("a symbol is wrong")?;
            dictionary.pairs.push((a, b));
            dictionary.lengths.push(length);
        }
        dictionary.bits = cursor.bytes(literals + pairs).ok_or(short)?.to_vec();
        dictionary.codes = canonical_codes(&dictionary.bits).ok_or("its codes are wrong")?;
        Ok(dictionary)
    }
}

/// Puts the pairs of a round together, from left to right.
fn join(symbols: &mut Vec<u16>, round: &Round) {
    let (mut from, mut to) = (0, 0);
    while from < symbols.len() {
        let pair = symbols.get(from + 1).map(|&next| pair_number(symbols[from], next));
        match pair.and_then(|pair| round.get(&pair)) {
            Some(&symbol) => {
                symbols[to] = symbol;
                from += 2;
            }
            None => {
                symbols[to] = symbols[from];
                from += 1;
            }
        }
        to += 1;
    }
    symbols.truncate(to);
}

/// Lengths of Huffman codes, none above [`MOST_BITS`]: the package-merge method.
fn code_lengths(counts: &[u64]) -> Vec<u8> {
    if counts.len() < 2 {
        return vec![1; counts.len()];
    }
    // A package is a weight and the symbols in it.
    let mut leaves: Vec<(u64, Vec<u16>)> =
        counts.iter().enumerate().map(|(symbol, &count)| (count, vec![symbol as u16])).collect();
    leaves.sort_by_key(|(weight, symbols)| (*weight, symbols[0]));
    let mut packages: Vec<(u64, Vec<u16>)> = Vec::new();
    for _ in 0..MOST_BITS {
        let paired = packages.chunks_exact(2).map(|pair| {
            (pair[0].0 + pair[1].0, [pair[0].1.as_slice(), pair[1].1.as_slice()].concat())
        });
        let mut merged: Vec<(u64, Vec<u16>)> = paired.collect();
        merged.extend(leaves.iter().cloned());
        merged.sort_by_key(|(weight, _)| *weight);
        packages = merged;
    }
    let mut bits = vec![0; counts.len()];
    for (_, symbols) in packages.iter().take(2 * counts.len() - 2) {
        symbols.iter().for_each(|&symbol| bits[usize::from(symbol)] += 1);
    }
    bits
}

/// The codes of given lengths: shorter ones first, then by symbol. None if there is no room for them all.
fn canonical_codes(bits: &[u8]) -> Option<Vec<u16>> {
    let mut order: Vec<usize> = (0..bits.len()).collect();
    order.sort_by_key(|&symbol| (bits[symbol], symbol));
    let mut codes = vec![0; bits.len()];
    let mut next = 0_u32; // with MOST_BITS bits
    for symbol in order {
        let length = usize::from(bits[symbol]);
        if !(1..=MOST_BITS).contains(&length) || next >= 1 << MOST_BITS {
            return None;
        }
        codes[symbol] = (next >> (MOST_BITS - length)) as u16;
        next += 1 << (MOST_BITS - length);
    }
    (next <= 1 << MOST_BITS).then_some(codes)
}
