//! Any bytes as a packed game: what is understood is packed as it was, and its training records are of positions that
//! can be; what is not is told of in one line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_lab::data::{RecordFilter, ScoredGame};

fuzz_target!(|data: &[u8]| {
    let game = match ScoredGame::unpack(data) {
        Ok(game) => game,
        Err(error) => return one_line(&error),
    };
    let again = ScoredGame::unpack(&game.pack()).expect("what we pack is good");
    assert_eq!(again, game);
    assert_eq!(again.digest(), game.digest());
    assert_eq!(game.opening().moves().len(), game.opening.len());
    for record in RecordFilter::default().records(&game) {
        assert_eq!(record.to_bytes().len(), 32);
    }
});
