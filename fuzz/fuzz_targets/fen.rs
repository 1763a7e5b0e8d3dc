//! Any text as a FEN: it is refused with one line of explanation, or is a position in which all
//! invariants hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Position, Setup};
use tabiya_fuzz::{examine, one_line};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(error) = Setup::from_fen_prefix(text) {
        one_line(&error);
        assert!(Setup::from_fen(text).is_err());
    }
    match Position::from_fen(text) {
        Ok(position) => examine(&position),
        Err(error) => one_line(&error),
    }
});
