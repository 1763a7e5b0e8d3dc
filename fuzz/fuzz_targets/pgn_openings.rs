//! Any text as a PGN file with openings: it is refused with one line of explanation, or gives games that
//! can go on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_lab::Openings;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for plies in [None, Some(0), Some(3)] {
        match Openings::from_pgn(&text, plies) {
            Ok(openings) => {
                for game in (0..openings.len()).map(|index| openings.get(index)) {
                    assert!(plies.is_none_or(|plies| game.moves().len() <= plies));
                    assert!(game.position().has_legal_moves());
                    assert_eq!(game.position().key(), game.position().computed_key());
                }
            }
            Err(error) => one_line(&error),
        }
    }
});
