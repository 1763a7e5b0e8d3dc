//! The file of a network.
//!
//! Numbers are little-endian. The weights come as the machine needs them; nothing is packed.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TabiyaNN` |
//! | 2 | version of the format: 1 |
//! | 2, 2, 2 | inputs (768), width, outputs (8) |
//! | 2, 2 | what 1.0 is for a sum (255) and for a weight of an output (64) |
//! | 2 | scale: how many centipawns an output of 1.0 is, 1 to 4000 |
//! | 2 | length of the text that follows the checksum |
//! | 4 | CRC-32 of all other bytes |
//! | … | UTF-8 text: how the network was made |
//! | 2 × 768 × width | what each input adds to the sums, see [`feature()`](crate::feature()) |
//! | 2 × width | the sums of an empty board |
//! | 2 × 8 × 2 × width | for each output its weights, those of the side to move first |
//! | 4 × 8 | for each output its bias, where 1.0 is 255 × 64 |
//!
//! Weights are held within limits, so that no sum ever overflows, whatever the position: those of the sums
//! and the empty board within ±992; those of an output within ±127, and their sizes add up to no more than
//! 33,025. A file that breaks them is refused.
//!
//! The evaluation is, with all divisions towards zero,
//!
//! ```text
//! total = Σ weight × clamp(sum, 0, 255)²        over both sides
//! centipawns = (total / 255 + bias) × scale / (255 × 64)
//! ```
//!
//! and at most 20,000 either way.

use thiserror::Error;

use crate::architecture::{
    BUCKETS, INPUTS, ONE, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT, OUTPUT_WEIGHTS_LIMIT, SUM_WEIGHT_LIMIT,
    WIDTH,
};
use crate::kernel::Row;
use crate::network::{Network, Output};

const MAGIC: &[u8; 8] = b"TabiyaNN";
const VERSION: u16 = 1;
const HEADER: usize = 28;
const CHECKSUM_AT: usize = 24;
const MAX_SCALE: u16 = 4000;
const PARAMETERS: usize = 2 * WIDTH * (INPUTS + 1 + 2 * BUCKETS) + 4 * BUCKETS;

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
    /// The weights of an output are too large together.
    #[error(
        "the weights of output {output} of the network add up to {found}, more than {OUTPUT_WEIGHTS_LIMIT}"
    )]
    Output {
        /// Which output, counted from 0.
        output: usize,
        /// The sum of the sizes of its weights.
        found: i32,
    },
}

impl Network {
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
            ("outputs", BUCKETS as u16),
            ("a unit of sums of", ONE as u16),
            ("a unit of outputs of", OUTPUT_ONE as u16),
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
            numbers.row(row, "of the inputs", SUM_WEIGHT_LIMIT)?;
        }
        numbers.row(&mut self.bias, "of the empty board", SUM_WEIGHT_LIMIT)?;
        for (index, output) in self.outputs.iter_mut().enumerate() {
            for row in &mut output.weights {
                numbers.row(row, "of the outputs", OUTPUT_WEIGHT_LIMIT)?;
            }
            let found = sizes(output);
            if found > OUTPUT_WEIGHTS_LIMIT {
                return Err(NetworkError::Output { output: index, found });
            }
        }
        for output in self.outputs.iter_mut() {
            output.bias = numbers.i32();
        }
        Ok(())
    }

    /// Writes the network as a file. A description of more than 65,535 bytes is cut.
    ///
    /// ```
    /// # use tabiya_nnue::Network;
    /// assert!(Network::random(1).to_bytes().starts_with(b"TabiyaNN"));
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = &self.description[..self.description.floor_char_boundary(u16::MAX.into())];
        let mut body = Vec::with_capacity(text.len() + PARAMETERS);
        body.extend(text.as_bytes());
        let outputs = self.outputs.iter().flat_map(|output| &output.weights);
        for row in self.weights.iter().chain([&self.bias]).chain(outputs) {
            body.extend(row.0.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        body.extend(self.outputs.iter().flat_map(|output| output.bias.to_le_bytes()));

        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        let shape = [INPUTS as u16, WIDTH as u16, BUCKETS as u16, ONE as u16, OUTPUT_ONE as u16];
        let numbers = [VERSION].into_iter().chain(shape).chain([self.scale, text.len() as u16]);
        header.extend(numbers.flat_map(u16::to_le_bytes));
        header.extend(checksum(&header, &body).to_le_bytes());
        header.extend(body);
        header
    }
}

fn sizes(output: &Output) -> i32 {
    output.weights.iter().flat_map(|row| row.0).map(|weight| i32::from(weight).abs()).sum()
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

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn row(&mut self, row: &mut Row, place: &'static str, limit: i16) -> Result<(), NetworkError> {
        for weight in &mut row.0 {
            *weight = i16::from_le_bytes(self.take());
            if weight.unsigned_abs() > limit.unsigned_abs() {
                return Err(NetworkError::Weight { place, found: *weight, limit });
            }
        }
        Ok(())
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
        assert_eq!(
            (SUM_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT, OUTPUT_WEIGHTS_LIMIT),
            (992, 127, 33_025)
        );
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
        let outputs = weights + 2 * WIDTH * (INPUTS + 1);
        let error = |at, bytes: &[u8]| altered(at, bytes).unwrap_err().to_string();
        assert_eq!(error(0, b"t"), "this is not the file of a Tabiya network");
        assert_eq!(error(8, &[7]), "the network file has format 7; this program reads format 1");
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
            error(outputs, &i16::MIN.to_le_bytes()),
            "a weight of the outputs of the network is -32768, beyond ±127"
        );
        // All weights of the second output as large as one may be: for widths that allow too much.
        let large: Vec<u8> = 127i16.to_le_bytes().repeat(2 * WIDTH);
        let second = altered(outputs + 4 * WIDTH, &large);
        if 2 * WIDTH as i32 * 127 > OUTPUT_WEIGHTS_LIMIT {
            let found = 2 * WIDTH as i32 * 127;
            assert_eq!(second.unwrap_err(), NetworkError::Output { output: 1, found });
        } else {
            assert!(second.is_ok());
        }
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
