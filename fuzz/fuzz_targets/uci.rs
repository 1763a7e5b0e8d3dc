//! Any text as a move a program might write, in positions of all kinds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::{one_line, position_and_text};

fuzz_target!(|data: &[u8]| {
    let Some((position, text)) = position_and_text(data) else { return };
    match position.parse_uci(text) {
        Ok(m) => {
            assert!(position.is_legal(m), "{text:?} in {position}");
            assert_eq!(position.parse_uci(&position.uci(m)), Ok(m), "{text:?} in {position}");
            let chess960 = position.uci_chess960(m);
            assert_eq!(position.parse_uci(&chess960), Ok(m), "{text:?} in {position}");
            // What programs write, people may write too.
            assert_eq!(position.parse_move(text), Ok(m), "{text:?} in {position}");
        }
        Err(error) => one_line(&error),
    }
});
