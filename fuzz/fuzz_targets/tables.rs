//! Any bytes as a table, Syzygy's or our own (whose checksums do not count while fuzzing): it is refused with one line of
//! explanation, or read, and what it says of positions is an answer or an error, in a moment.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Position;
use tabiya_fuzz::one_line;
use tabiya_tables::Tables;

/// The name of the file, and a position of that ending with each side to move.
const FILES: [(&str, [&str; 2]); 12] = [
    ("KQvK.rtbw", ["8/8/8/4k3/8/8/8/K6Q w - - 0 1", "8/8/8/4k3/8/8/8/K6Q b - - 0 1"]),
    ("KQvK.rtbz", ["8/8/8/4k3/8/8/8/K6Q w - - 0 1", "8/8/8/4k3/8/8/8/K6Q b - - 0 1"]),
    ("KBNvK.rtbw", ["8/8/8/4k3/8/8/8/KB5N w - - 0 1", "8/8/8/4k3/8/8/8/KB5N b - - 0 1"]),
    ("KRvKR.rtbw", ["8/8/1r6/4k3/8/8/8/K6R w - - 0 1", "8/8/1r6/4k3/8/8/8/K6R b - - 0 1"]),
    ("KRvKR.rtbz", ["8/8/1r6/4k3/8/8/8/K6R w - - 0 1", "8/8/1r6/4k3/8/8/8/K6R b - - 0 1"]),
    ("KPvK.rtbw", ["8/8/8/4k3/8/8/6P1/K7 w - - 0 1", "8/8/8/4k3/8/8/6P1/K7 b - - 0 1"]),
    ("KPvK.rtbz", ["8/8/8/4k3/8/8/6P1/K7 w - - 0 1", "8/8/8/4k3/8/8/6P1/K7 b - - 0 1"]),
    ("KPvKP.rtbw", ["8/2p5/8/4k3/8/8/6P1/K7 w - - 0 1", "8/8/8/4k3/2pP4/8/8/K7 b - d3 0 1"]),
    ("KPvKP.rtbz", ["8/2p5/8/4k3/8/8/6P1/K7 w - - 0 1", "8/8/8/4k3/2pP4/8/8/K7 b - d3 0 1"]),
    (
        "KPPPvKPP.rtbw",
        ["8/2pp4/8/4k3/8/8/4PPP1/K7 w - - 0 1", "8/2pp4/8/4k3/8/8/4PPP1/K7 b - - 0 1"],
    ),
    (
        "KQPPPvKR.rtbz",
        ["8/2r5/8/4k3/8/8/4PPP1/K6Q w - - 0 1", "8/2r5/8/4k3/8/8/4PPP1/K6Q b - - 0 1"],
    ),
    ("a.tabiya-table", ["8/8/8/4k3/8/8/8/K6B w - - 0 1", "8/8/8/4k3/8/8/6P1/K7 b - - 0 1"]),
];

fuzz_target!(|data: &[u8]| {
    let Some((&number, bytes)) = data.split_first() else { return };
    let (name, positions) = FILES[usize::from(number) % FILES.len()];
    let mut tables = Tables::default();
    if let Err(error) = tables.add_bytes(name, bytes.to_vec()) {
        one_line(&error);
        return;
    }
    for fen in positions {
        let position: Position = fen.parse().expect("the positions are good");
        for known in [tables.probe(&position), tables.probe_syzygy(&position)] {
            if let Err(error) = known {
                one_line(&error);
            }
        }
        let _ = tables.fate(&position);
    }
    for table in tables.own() {
        let _ = table.longest(tabiya_chess::Color::White);
    }
});
