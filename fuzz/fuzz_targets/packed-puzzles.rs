//! Any bytes as a packed file of puzzles: what is understood is packed and read again as it was, and every puzzle can be shown
//! and solved; what is not is told of in one line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_tactics::{Attempt, attempt, pack, recognise, unpack};

fuzz_target!(|data: &[u8]| {
    let tactics = match unpack(data) {
        Ok(tactics) => tactics,
        Err(error) => return one_line(&error),
    };
    let again = pack(&tactics).expect("what we read can be packed");
    assert_eq!(unpack(&again).as_ref(), Ok(&tactics));
    for tactic in tactics {
        let _ = recognise(&tactic);
        assert_eq!(tactic.scenes().len(), tactic.moves().len() + 1);
        let moves = tactic.solution();
        assert_eq!(attempt(&tactic, moves.iter().map(String::as_str)), Ok(Attempt::Solved));
    }
});
