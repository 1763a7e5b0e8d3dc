//! Any text as a move a person might write, in positions of all kinds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::{one_line, position_and_text};

fuzz_target!(|data: &[u8]| {
    let Some((position, text)) = position_and_text(data) else { return };
    for read in [position.parse_san(text), position.parse_move(text)] {
        match read {
            Ok(m) => {
                assert!(position.is_legal(m), "{text:?} in {position}");
                assert_eq!(position.parse_san(&position.san(m)), Ok(m), "{text:?} in {position}");
            }
            Err(error) => one_line(&error),
        }
    }
});
