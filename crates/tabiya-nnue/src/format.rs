//! The file of a network.
//!
//! Numbers are little-endian. The weights come as the machine needs them; nothing is packed.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TabiyaNN` |
//! | 2 | version of the format: 2 |
//! | 2, 2, 2 | features (768), width of an accumulator, output buckets (8) |
//! | 2, 2 | units of the second (16) and of the third layer (32) |
//! | 2 | scale: how many centipawns an output of 1.0 is, 1 to 4000 |
//! | 2 | length of the text that follows the checksum |
//! | 4 | CRC-32 of all other bytes |
//! | … | UTF-8 text: how the network was made |
//! | 2 × 768 × width | what each feature adds to the accumulator, see [`feature()`](crate::feature()) |
//! | 2 × width | the accumulator of an empty board |
//! | 8 × 16 × width | for each bucket and unit of the second layer its weights, those of the side to move first |
//! | 4 × 8 × 16 | their biases |
//! | 2 × 8 × 32 × 32 | for each bucket and unit of the third layer its weights: for values, then for squares |
//! | 4 × 8 × 32 | their biases |
//! | 2 × 8 × 32 | for each bucket the weights of the output |
//! | 4 × 8 | their biases |
//!
//! Weights and biases are held within limits, so that nothing ever overflows, whatever the position: those of the
//! features and the empty board within ±992, the later biases within ±2³⁰. A file that breaks them is refused.
//!
//! The evaluation is, with `>>` rounding down and `/` towards zero,
//!
//! ```text
//! c = clamp(accumulator, 0, 255)                  clipped ReLU, for both sides
//! product[i] = c[i] × c[i + width / 2] >> 9       pairwise multiplication, for both sides: 1.0 is 127
//! x = clamp(bias + Σ weight × product >> 5, ±1016)        of the second layer: 1.0 is 1016
//! y = clamp(bias + Σ weight × (max(x, 0), x² >> 10) >> 8, 0, 1016)        of the third layer
//! centipawns = (bias + Σ weight × y) × scale / (1016 × 256)
//! ```
//!
//! and at most 20,000 either way.

use thiserror::Error;

use crate::architecture::{
    BIAS_LIMIT, BUCKETS, FEATURE_WEIGHT_LIMIT, INPUTS, SECOND, THIRD, WIDTH,
};
use crate::kernel::Row;
use crate::network::Network;

const MAGIC: &[u8; 8] = b"TabiyaNN";
const VERSION: u16 = 2;
const HEADER: usize = 28;
const CHECKSUM_AT: usize = 24;
const MAX_SCALE: u16 = 4000;
const LAYERS: usize = SECOND * (WIDTH + 4) + THIRD * (4 * SECOND + 4) + 2 * THIRD + 4;
const PARAMETERS: usize = 2 * WIDTH * (INPUTS + 1) + BUCKETS * LAYERS;

/// What is wrong with the file of a network.
///
/// ```
/// use tabiya_nnue::Network;
///
/// let error = Network::from_bytes(b"Hello.").unwrap_err();
/// assert_eq!(error.to_string(), "this is not the file of a Tabiya network");
/// let file = Network::random(1).to_bytes();
/// let error = Network::from_bytes(&file[..1000]).unwrap_err();
/// assert!(error.to_string().starts_with("the network file has 1000 bytes instead of "));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It begins otherwise.
    #[error("this is not the file of a Tabiya network")]
    NotANetwork,
    /// Another version of the format.
    #[error("the network file has format {found}; this program reads format {VERSION}")]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// A network of another shape.
    #[error("the network has {what} {found}; this program is made for {expected}")]
    Architecture {
        /// Which number of the architecture.
        what: &'static str,
        /// The number in the file.
        found: u16,
        /// The number that it has to be.
        expected: u16,
    },
    /// It ends too early or too late.
    #[error("the network file has {found} bytes instead of {expected}")]
    Length {
        /// The bytes there are.
        found: usize,
        /// The bytes there should be.
        expected: usize,
    },
    /// A bit has changed.
    #[error("the network file is damaged: its checksum is wrong")]
    Checksum,
    /// The text is not UTF-8.
    #[error("the description in the network file is not text")]
    Description,
    /// The scale is 0 or too large.
    #[error("the scale of the network is {found}, not 1 to {MAX_SCALE}")]
    Scale {
        /// The scale in the file.
        found: u16,
    },
    /// A weight is beyond its limit.
    #[error("a weight {place} of the network is {found}, beyond ±{limit}")]
    Weight {
        /// Which weight.
        place: &'static str,
        /// The weight.
        found: i16,
        /// The largest allowed.
        limit: i16,
    },
    /// A bias is beyond its limit.
    #[error("a bias of the network is {found}, beyond ±{BIAS_LIMIT}")]
    Bias {
        /// The bias.
        found: i32,
    },
}

impl Network {
    /// The most bytes that the file of a network can have.
    pub const MOST_BYTES: usize = HEADER + u16::MAX as usize + PARAMETERS;

    /// Reads the file of a network.
    ///
    /// ```
    /// # use tabiya_nnue::{Network, NetworkError};
    /// let mut file = Network::random(1).to_bytes();
    /// *file.last_mut().unwrap() ^= 1;
    /// assert_eq!(Network::from_bytes(&file).unwrap_err(), NetworkError::Checksum);
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let mut header = Numbers(bytes.get(MAGIC.len()..HEADER).unwrap_or_default());
        let version = header.u16();
        if version != VERSION && bytes.len() >= HEADER {
            return Err(NetworkError::Version { found: version });
        }
        let shape = [
            ("inputs", INPUTS as u16),
            ("width", WIDTH as u16),
            ("output buckets", BUCKETS as u16),
            ("a second layer of", SECOND as u16),
            ("a third layer of", THIRD as u16),
        ];
        for (what, expected) in shape {
            let found = header.u16();
            if found != expected && bytes.len() >= HEADER {
                return Err(NetworkError::Architecture { what, found, expected });
            }
        }
        let (scale, text_length) = (header.u16(), usize::from(header.u16()));
        let expected = HEADER + text_length + PARAMETERS;
        if bytes.len() != expected {
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let (header, body) = bytes.split_at(HEADER);
        if header[CHECKSUM_AT..] != checksum(header, body).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Scale { found: scale });
        }
        let (text, parameters) = body.split_at(text_length);
        let text = core::str::from_utf8(text).map_err(|_| NetworkError::Description)?;
        let mut network = Network::zero();
        network.scale = scale;
        network.description = text.to_owned();
        network.read_parameters(Numbers(parameters))?;
        Ok(network)
    }

    fn read_parameters(&mut self, mut numbers: Numbers<'_>) -> Result<(), NetworkError> {
        for row in self.weights.iter_mut() {
            numbers.row(row, "of the inputs", FEATURE_WEIGHT_LIMIT)?;
        }
        numbers.row(&mut self.bias, "of the empty board", FEATURE_WEIGHT_LIMIT)?;
        let layers = self.layers.as_mut_slice();
        for set in layers.iter_mut() {
            let weights = set.weights2.as_flattened_mut();
            let bytes = numbers.bytes(weights.len());
            weights.iter_mut().zip(bytes).for_each(|(weight, &byte)| *weight = byte as i8);
        }
        for set in layers.iter_mut() {
            numbers.biases(&mut set.bias2)?;
        }
        for set in layers.iter_mut() {
            for unit in 0..THIRD {
                for value in 0..2 * SECOND {
                    set.weights3[value % SECOND][unit][value / SECOND] =
                        i16::from_le_bytes(numbers.take());
                }
            }
        }
        for set in layers.iter_mut() {
            numbers.biases(&mut set.bias3)?;
        }
        for set in layers.iter_mut() {
            set.weights4.fill_with(|| i16::from_le_bytes(numbers.take()));
        }
        for set in layers.iter_mut() {
            numbers.biases(core::slice::from_mut(&mut set.bias4))?;
        }
        Ok(())
    }

    /// Writes the network as a file. A description of more than 65,535 bytes is cut.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = &self.description[..self.description.floor_char_boundary(u16::MAX.into())];
        let mut body = Vec::with_capacity(text.len() + PARAMETERS);
        body.extend(text.as_bytes());
        for row in self.weights.iter().chain([&self.bias]) {
            body.extend(row.0.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        let layers = self.layers.as_slice();
        for set in layers {
            body.extend(set.weights2.as_flattened().iter().map(|&weight| weight as u8));
        }
        body.extend(layers.iter().flat_map(|set| set.bias2).flat_map(i32::to_le_bytes));
        for set in layers {
            for unit in 0..THIRD {
                for kind in 0..2 {
                    let weights = set.weights3.iter().map(|two| two[unit][kind]);
                    body.extend(weights.flat_map(i16::to_le_bytes));
                }
            }
        }
        body.extend(layers.iter().flat_map(|set| set.bias3).flat_map(i32::to_le_bytes));
        body.extend(layers.iter().flat_map(|set| set.weights4).flat_map(i16::to_le_bytes));
        body.extend(layers.iter().flat_map(|set| set.bias4.to_le_bytes()));

        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        let shape = [INPUTS, WIDTH, BUCKETS, SECOND, THIRD].map(|number| number as u16);
        let numbers = [VERSION].into_iter().chain(shape).chain([self.scale, text.len() as u16]);
        header.extend(numbers.flat_map(u16::to_le_bytes));
        header.extend(checksum(&header, &body).to_le_bytes());
        header.extend(body);
        header
    }
}

fn checksum(header: &[u8], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..CHECKSUM_AT]);
    hasher.update(body);
    hasher.finalize()
}

/// Numbers one after the other; zeros after the end, as lengths are checked elsewhere.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *first
    }

    /// So many, or what there is.
    fn bytes(&mut self, count: usize) -> &[u8] {
        let (first, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        first
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn biases(&mut self, biases: &mut [i32]) -> Result<(), NetworkError> {
        for bias in biases {
            *bias = i32::from_le_bytes(self.take());
            if bias.unsigned_abs() > BIAS_LIMIT.unsigned_abs() {
                return Err(NetworkError::Bias { found: *bias });
            }
        }
        Ok(())
    }

    /// All at once: nearly all of a file are rows, and a program that starts waits for them.
    fn row(&mut self, row: &mut Row, place: &'static str, limit: i16) -> Result<(), NetworkError> {
        let (pairs, _) = self.bytes(2 * row.0.len()).as_chunks();
        for (weight, &pair) in row.0.iter_mut().zip(pairs) {
            *weight = i16::from_le_bytes(pair);
        }
        let is_beyond = |weight: &&i16| weight.unsigned_abs() > limit.unsigned_abs();
        let largest = row.0.iter().map(|weight| weight.unsigned_abs()).max();
        if largest <= Some(limit.unsigned_abs()) {
            return Ok(());
        }
        let found = row.0.iter().find(is_beyond).copied().unwrap_or_default();
        Err(NetworkError::Weight { place, found, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with some bytes changed and the checksum put right.
    fn altered(at: usize, bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut file = Network::random(9).to_bytes();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let (header, body) = file.split_at(HEADER);
        let sum = checksum(header, body).to_le_bytes();
        file[CHECKSUM_AT..HEADER].copy_from_slice(&sum);
        Network::from_bytes(&file)
    }

    #[test]
    fn the_documented_limits_are_those_in_force() {
        assert_eq!((FEATURE_WEIGHT_LIMIT, BIAS_LIMIT, SECOND, THIRD), (992, 1 << 30, 16, 32));
    }

    #[test]
    fn files_survive_the_way() {
        let network = Network::random(3);
        let file = network.to_bytes();
        let again = Network::from_bytes(&file).unwrap();
        assert_eq!(again.to_bytes(), file);
        assert_eq!(again.description(), network.description());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = Network::random(9).description().len();
        let weights = HEADER + text;
        let biases = weights + 2 * WIDTH * (INPUTS + 1) + BUCKETS * SECOND * WIDTH;
        let error = |at, bytes: &[u8]| altered(at, bytes).unwrap_err().to_string();
        assert_eq!(error(0, b"t"), "this is not the file of a Tabiya network");
        assert_eq!(error(8, &[7]), "the network file has format 7; this program reads format 2");
        assert_eq!(
            error(12, &[64, 0]),
            format!("the network has width 64; this program is made for {WIDTH}")
        );
        assert_eq!(error(20, &[0, 0]), "the scale of the network is 0, not 1 to 4000");
        assert_eq!(error(HEADER, &[0xFF]), "the description in the network file is not text");
        assert_eq!(
            error(weights, &993i16.to_le_bytes()),
            "a weight of the inputs of the network is 993, beyond ±992"
        );
        assert_eq!(
            error(biases, &i32::MIN.to_le_bytes()),
            "a bias of the network is -2147483648, beyond ±1073741824"
        );
        let last = Network::random(9).to_bytes().len() - 4;
        assert_eq!(
            error(last, &i32::MAX.to_le_bytes()),
            "a bias of the network is 2147483647, beyond ±1073741824"
        );
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let file = Network::random(4).to_bytes();
        for length in (0..file.len()).step_by(997).chain([8, 9, 27, 28, 29, file.len() - 1]) {
            assert!(Network::from_bytes(&file[..length]).is_err(), "{length}");
        }
        for at in (0..HEADER).chain((HEADER..file.len()).step_by(4999)) {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(Network::from_bytes(&damaged).is_err(), "{at}");
        }
        let mut longer = file;
        longer.push(0);
        assert!(matches!(Network::from_bytes(&longer), Err(NetworkError::Length { .. })));
    }
}
