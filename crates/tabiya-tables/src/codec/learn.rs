//! The symbols of packed bytes: which pairs are worth one, and their codes.

use super::{BLOCK, Cursor, Damage, MOST_BITS, MOST_SYMBOLS};
use crate::hashing::NumberMap;

/// How large a dictionary may be.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Bytes that a symbol may stand for.
    pub(crate) length: usize,
    pub(crate) symbols: usize,
    /// Bytes that are looked at to learn pairs: stretches of `stretch`, evenly spread.
    pub(crate) sample: usize,
    pub(crate) stretch: usize,
}

/// The limits of our own files.
pub(super) const OWN: Limits =
    Limits { length: BLOCK, symbols: MOST_SYMBOLS, sample: 400 << 10, stretch: BLOCK };

/// Bytes, pairs of symbols, and a code for each.
pub(crate) struct Dictionary {
    /// Symbols from 0: the bytes that there are.
    literals: Vec<u8>,
    /// The symbols after that: two earlier symbols each.
    pairs: Vec<(u16, u16)>,
    /// What all symbols stand for, one after the other.
    bytes: Vec<u8>,
    /// Where that begins and ends for each symbol.
    places: Vec<(u32, u32)>,
    /// Bits of the code of each symbol.
    bits: Vec<u8>,
    codes: Vec<u16>,
    /// While packing: the pairs of each round, which are put together before those of the next.
    rounds: Vec<Round>,
    limits: Limits,
}

type Round = NumberMap<u32, u16>;

fn pair_number(a: u16, b: u16) -> u32 {
    u32::from(a) << 16 | u32::from(b)
}

impl Dictionary {
    fn of_literals(literals: Vec<u8>, limits: Limits) -> Dictionary {
        Dictionary {
            bytes: literals.clone(),
            places: (0..literals.len() as u32).map(|at| (at, at + 1)).collect(),
            literals,
            pairs: Vec::new(),
            bits: Vec::new(),
            codes: Vec::new(),
            rounds: Vec::new(),
            limits,
        }
    }

    /// Adds a symbol for two that are known, if it does not stand for more than it may.
    fn add(&mut self, (a, b): (u16, u16)) -> bool {
        if self.length(a) + self.length(b) > self.limits.length {
            return false;
        }
        let start = self.bytes.len() as u32;
        for symbol in [a, b] {
            let (from, to) = self.places[usize::from(symbol)];
            self.bytes.extend_from_within(from as usize..to as usize);
        }
        self.pairs.push((a, b));
        self.places.push((start, self.bytes.len() as u32));
        true
    }

    /// The pairs of some bytes, and codes for our own files.
    pub(super) fn learn(bytes: &[u8]) -> Dictionary {
        let (mut dictionary, sample) = Dictionary::learn_pairs(bytes, OWN);
        let mut counts = vec![0_u64; dictionary.len()];
        sample.iter().flatten().for_each(|&symbol| counts[usize::from(symbol)] += 1);
        // Whatever comes up only beyond the sample has a code as well.
        counts.iter_mut().for_each(|count| *count = *count * 16 + 1);
        dictionary.bits = code_lengths(&counts, MOST_BITS);
        dictionary.codes = canonical_codes(&dictionary.bits).unwrap_or_default();
        dictionary
    }

    /// The pairs of some bytes without codes, and the sample they were learned from.
    pub(crate) fn learn_pairs(bytes: &[u8], limits: Limits) -> (Dictionary, Vec<Vec<u16>>) {
        let mut is_there = [false; 256];
        bytes.iter().for_each(|&byte| is_there[usize::from(byte)] = true);
        let literals: Vec<u8> = (0..=255).filter(|&byte| is_there[usize::from(byte)]).collect();
        let mut dictionary = Dictionary::of_literals(literals, limits);
        let step = bytes.len().div_ceil(limits.sample).max(1);
        let stretches = bytes.chunks(limits.stretch).step_by(step);
        let mut sample: Vec<Vec<u16>> =
            stretches.map(|stretch| dictionary.symbols(stretch)).collect();
        while dictionary.len() < limits.symbols && dictionary.learn_round(&sample) {
            if let Some(round) = dictionary.rounds.last() {
                sample.iter_mut().for_each(|block| join(block, round));
            }
        }
        (dictionary, sample)
    }

    /// Finds the pairs that come up most, and makes symbols of them.
    fn learn_round(&mut self, sample: &[Vec<u16>]) -> bool {
        let mut counts: NumberMap<u32, u32> = NumberMap::default();
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
        let least = 12.max((sample.len() * self.limits.stretch / (16 << 10)) as u32);
        let mut found: Vec<(u32, u32)> =
            counts.into_iter().filter(|&(_, count)| count >= least).collect();
        found.sort_unstable_by_key(|&(pair, count)| (u32::MAX - count, pair));
        let room = self.limits.symbols - self.len();
        let wanted = (16 + self.len() / 6).min(room);
        let most = found.first().map_or(0, |&(_, count)| count);
        let mut round = Round::default();
        for (pair, count) in found {
            if round.len() >= wanted || count * 4 < most {
                break;
            }
            let symbol = self.len() as u16;
            if self.add(((pair >> 16) as u16, pair as u16)) {
                round.insert(pair, symbol);
            }
        }
        let any = !round.is_empty();
        self.rounds.push(round);
        any
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many bytes a symbol stands for.
    pub(crate) fn length(&self, symbol: u16) -> usize {
        let (from, to) = self.places[usize::from(symbol)];
        (to - from) as usize
    }

    /// The bytes that a symbol stands for.
    #[inline]
    pub(crate) fn bytes(&self, symbol: u16) -> &[u8] {
        let (from, to) = self.places[usize::from(symbol)];
        &self.bytes[from as usize..to as usize]
    }

    /// The two symbols that a symbol was made of; none if it is a byte.
    pub(crate) fn parts(&self, symbol: u16) -> Option<(u16, u16)> {
        self.pairs.get(usize::from(symbol).checked_sub(self.literals.len())?).copied()
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
        let own = cursor.bytes(literals).ok_or(short)?;
        let mut dictionary = Dictionary::of_literals(own.to_vec(), OWN);
        for _ in 0..pairs {
            let pair = (cursor.u16().ok_or(short)?, cursor.u16().ok_or(short)?);
            // A pair is made of earlier symbols, so that there is an end to it.
            let is_known = |symbol: u16| usize::from(symbol) < dictionary.len();
            if !is_known(pair.0) || !is_known(pair.1) || !dictionary.add(pair) {
                return Err("a symbol is wrong");
            }
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

/// Lengths of Huffman codes, none above `most`: the package-merge method.
pub(crate) fn code_lengths(counts: &[u64], most: usize) -> Vec<u8> {
    if counts.len() < 2 {
        return vec![1; counts.len()];
    }
    // A package is a weight and the symbols in it.
    let mut leaves: Vec<(u64, Vec<u16>)> =
        counts.iter().enumerate().map(|(symbol, &count)| (count, vec![symbol as u16])).collect();
    leaves.sort_by_key(|(weight, symbols)| (*weight, symbols[0]));
    let mut packages: Vec<(u64, Vec<u16>)> = Vec::new();
    for _ in 0..most {
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
