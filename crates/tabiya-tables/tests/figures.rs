//! Tables made anew, held to figures that others have published.

use std::collections::HashMap;

use tabiya_base::Stop;
use tabiya_chess::Color;
use tabiya_tables::{Counts, Fate, Maker, Material, Tables, check};
use tempfile::TempDir;

/// Makes tables of some endings, and all they need.
fn make(endings: &[Material]) -> (TempDir, Tables) {
    let folder = tempfile::tempdir().unwrap();
    let maker = Maker::new(folder.path());
    for &ending in endings {
        maker.make(ending, &mut |_| {}).unwrap();
    }
    let tables = Tables::open([folder.path()]);
    assert!(tables.problems().is_empty());
    (folder, tables)
}

/// The most moves to a mate with a side to move; White has the first men of the name.
fn longest(tables: &Tables, turn: Color) -> HashMap<String, u64> {
    let longest =
        |counts: &[Counts]| counts.get(turn as usize).map_or(0, |c| c.longest.div_ceil(2));
    tables.own().iter().map(|t| (t.material().to_string(), longest(t.counts()))).collect()
}

/// Every position against the positions after it.
fn check_all(folder: &TempDir, tables: &Tables) {
    for table in tables.own() {
        let material = table.material();
        let positions = check(folder.path(), material, 2, &Stop::default(), &mut |_| {}).unwrap();
        assert_eq!(positions, table.counts().iter().map(Counts::positions).sum::<u64>());
    }
}

#[test]
fn three_men_and_bishop_and_knight_are_as_published() {
    let (folder, tables) = make(&["KPK", "KBNK"].map(|ending| ending.parse().unwrap()));
    let longest = longest(&tables, Color::White);
    let published =
        [("KQvK", 10), ("KRvK", 16), ("KPvK", 28), ("KBvK", 0), ("KNvK", 0), ("KBNvK", 33)];
    for (ending, moves) in published {
        assert_eq!(longest[ending], moves, "{ending}");
    }
    let counts = |ending: &str, turn: Color| {
        let ending: Material = ending.parse().unwrap();
        let own = tables.own();
        let table = own.iter().find(|table| table.material() == ending).unwrap();
        table.counts()[turn as usize].fates
    };
    // King and rook against king, Black to move: 28,056 positions, 2,796 of them drawn.
    let krk = counts("KRK", Color::Black);
    assert_eq!((krk.iter().sum::<u64>(), krk[Fate::Draw as usize]), (28_056, 2796));
    // The same by the moves in which Black is mated, 0 to 16: the classes of a database that is often used in teaching machines
    // to learn.
    let by_moves =
        [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    let own = tables.own();
    let table = own.iter().find(|table| table.material().to_string() == "KRvK").unwrap();
    let mut found = [0; 17];
    for place in 0..table.places() {
        let Some(position) = table.position(place, Color::Black) else { continue };
        if let Some(plies) = tables.probe(&position).unwrap().mate {
            found[usize::from(plies / 2)] += 1;
        }
    }
    assert_eq!(found, by_moves);
    // King and pawn against king: with White to move 62,480 of 81,664 are won, with Black to move 48,802 of 84,012.
    let kpk = counts("KPK", Color::White);
    assert_eq!((kpk.iter().sum::<u64>(), kpk[Fate::Win as usize]), (81_664, 62_480));
    let kpk = counts("KPK", Color::Black);
    assert_eq!((kpk.iter().sum::<u64>(), kpk[Fate::Loss as usize]), (84_012, 48_802));
    check_all(&folder, &tables);
}

#[test]
#[ignore = "makes and checks all endings of four men: half an hour of two cores in a test build"]
fn four_men_are_as_published() {
    let all: Vec<Material> = Material::all(4).collect();
    let (folder, tables) = make(&all);
    // The side with the pawn to move.
    let of_pawns = longest(&tables, Color::Black);
    for (ending, moves) in [("KQvKP", 29), ("KRvKP", 43), ("KBvKP", 29), ("KNvKP", 29)] {
        assert_eq!(of_pawns[ending], moves, "{ending}");
    }
    let longest = longest(&tables, Color::White);
    let published = [
        ("KQQvK", 4),
        ("KQRvK", 6),
        ("KQBvK", 8),
        ("KQNvK", 9),
        ("KQPvK", 10),
        ("KRRvK", 7),
        ("KRBvK", 16),
        ("KRNvK", 16),
        ("KRPvK", 16),
        ("KBBvK", 19),
        ("KBNvK", 33),
        ("KBPvK", 31),
        ("KNNvK", 1),
        ("KNPvK", 27),
        ("KPPvK", 32),
        ("KQvKQ", 13),
        ("KQvKR", 35),
        ("KQvKB", 17),
        ("KQvKN", 21),
        ("KQvKP", 28),
        ("KRvKR", 19),
        ("KRvKB", 29),
        ("KRvKN", 40),
        ("KBvKB", 1),
        ("KBvKN", 1),
        ("KNvKN", 1),
        ("KPvKP", 33),
    ];
    for (ending, moves) in published {
        assert_eq!(longest[ending], moves, "{ending}");
    }
    check_all(&folder, &tables);
}
