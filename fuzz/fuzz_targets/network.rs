//! Any bytes as the file of a network, and any change of a good one: it is refused with one line of explanation, or is
//! a network that is written as it was read and evaluates within its limits.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Position;
use tabiya_fuzz::one_line;
use tabiya_nnue::Network;

/// Where the checksum is; see `format.rs`.
const CHECKSUM_AT: usize = 24;
const HEADER: usize = 28;

fuzz_target!(|data: &[u8]| {
    if let Err(error) = Network::from_bytes(data) {
        one_line(&error);
    }
    // A copy for every input would take longer than to read it: the changes are undone afterwards.
    thread_local!(static FILE: RefCell<Vec<u8>> = RefCell::new(Network::random(1).to_bytes()));
    let Some((&repair, changes)) = data.split_first() else { return };
    FILE.with_borrow_mut(|file| {
        let changed = change(file, repair, changes);
        examine(file);
        changed.into_iter().rev().for_each(|(at, byte)| file[at] = byte);
    });
});

/// Changes single bytes, in the header as often as behind it; which, and what they were. To read all of a network takes
/// long, so the checksum is made right again in one of eight.
fn change(file: &mut [u8], repair: u8, changes: &[u8]) -> Vec<(usize, u8)> {
    let mut changed: Vec<(usize, u8)> = (CHECKSUM_AT..HEADER).map(|at| (at, file[at])).collect();
    for change in changes.chunks_exact(4) {
        let number =
            usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
        let reach = if number % 2 == 0 { 2 * HEADER } else { file.len() };
        let at = number / 2 % reach;
        changed.push((at, std::mem::replace(&mut file[at], change[3])));
    }
    if repair % 8 == 0 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&file[..CHECKSUM_AT]);
        hasher.update(&file[HEADER..]);
        file[CHECKSUM_AT..HEADER].copy_from_slice(&hasher.finalize().to_le_bytes());
    }
    changed
}

fn examine(file: &[u8]) {
    match Network::from_bytes(file) {
        Ok(network) => {
            assert!(network.to_bytes() == file);
            let middlegame = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
            for position in [Position::initial(), middlegame.parse().expect("a good position")] {
                assert!(network.evaluate(&position).abs() <= 20_000);
            }
        }
        Err(error) => one_line(&error),
    }
}
