//! Tables held to a solver that shares nothing with them (`brute`), and random positions held to the moves of `tabiya_chess`.

mod brute;

use std::path::Path;

use tabiya_base::{Random, Stop};
use tabiya_chess::{Color, Position, Role, Setup, Square};
use tabiya_tables::{Fate, Maker, Material, TableEntry, Tables};

use brute::{Brute, Count, Known, Man, Men};

/// The brute solver's ending of a table, White's men first.
fn men(ending: Material) -> Men {
    let mut men: Men = ending.pieces().map(|piece| (piece.role, piece.color)).collect();
    men.sort_by_key(|&(role, color)| (role != Role::King, role as u8, color as u8));
    men
}

/// Holds tables to the brute solver: how the game ends with the fifty-move rule, plies to mate, plies to zeroing.
fn compare(tables: &Tables, brute: &Brute, position: &Position) {
    let mut men: Vec<Man> = Vec::new();
    for square in position.board().occupied() {
        let piece = position.piece_at(square).unwrap();
        men.push((piece.role, piece.color, square as i8));
    }
    men.sort_by_key(|&(role, color, _)| (role != Role::King, role as u8, color as u8));
    let known = |count| brute.get(count, &men, position.turn());
    let (mate, zeroing) = (known(Count::ToMate), known(Count::ToZeroing));
    let fate = match zeroing {
        None => Fate::Draw,
        Some((true, ..=100)) => Fate::Win,
        Some((true, _)) => Fate::CursedWin,
        Some((false, ..=100)) => Fate::Loss,
        Some((false, _)) => Fate::BlessedLoss,
    };
    let plies = |known: Known| known.map(|(_, plies)| plies);
    let expected = TableEntry { fate, mate: plies(mate), zeroing: plies(zeroing) };
    assert_eq!(tables.probe(position).unwrap(), expected, "{}", position.fen());
    assert_eq!(tables.fate(position).unwrap(), fate, "{}", position.fen());
    let found = tables.fate_and_mate(position).unwrap();
    assert_eq!(found, (fate, expected.mate), "{}", position.fen());
}

/// A position with every man where it is wanted, if there is such a one.
fn position(men: &Men, squares: impl IntoIterator<Item = usize>, turn: Color) -> Option<Position> {
    let mut setup = Setup { turn, ..Setup::empty() };
    for (&(role, color), square) in men.iter().zip(squares) {
        if setup.board.put(Square::ALL[square], role.of(color)).is_some() {
            return None;
        }
    }
    setup.validate().ok()
}

#[test]
fn three_men_are_as_a_brute_solver_finds_them() {
    let folder = tempfile::tempdir().unwrap();
    let maker = Maker::new(folder.path());
    Material::all(3).for_each(|ending| maker.make(ending, &mut |_| {}).unwrap());
    let tables = Tables::open([folder.path()]);
    for ending in Material::all(3) {
        let name = format!("{ending}.tabiya-table");
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("three-men").join(&name);
        let [made, built_in] =
            [folder.path().join(&name), built_in].map(|path| std::fs::read(path).unwrap());
        assert!(made == built_in, "{ending}: tabiya tables make 3 makes another file");
    }
    let mut brute = Brute::default();
    for ending in Material::all(3) {
        let men = men(ending);
        brute.solve(&men);
        let mut seen = 0;
        for number in 0..1_usize << 18 {
            for turn in Color::ALL {
                let squares = [12, 6, 0].map(|shift| number >> shift & 63);
                if let Some(position) = position(&men, squares, turn) {
                    compare(&tables, &brute, &position);
                    seen += 1;
                }
            }
        }
        assert!(seen > 300_000, "{ending}: {seen}");
    }
}

#[test]
#[ignore = "minutes, and needs the tables of four men: TABIYA_TABLES=FOLDER, see docs/tables.md"]
fn four_men_are_as_a_brute_solver_finds_them() {
    let folder = std::env::var_os("TABIYA_TABLES").expect("TABIYA_TABLES names a folder");
    let tables = Tables::open([Path::new(&folder)]);
    let mut brute = Brute::default();
    for ending in ["KBNK", "KRKN", "KPKN"] {
        brute.solve(&men(ending.parse().unwrap()));
        eprintln!("{ending} is solved");
    }
    let endings: Vec<Men> = brute.endings().into_iter().filter(|men| men.len() == 4).collect();
    let mut random = Random::new(24);
    let (mut seen, mut decided) = (0, 0);
    while seen < 100_000 {
        let men = &endings[seen % endings.len()];
        let squares = std::array::from_fn::<_, 4, _>(|_| random.below(64));
        if let Some(position) = position(men, squares, Color::ALL[random.below(2)]) {
            compare(&tables, &brute, &position);
            seen += 1;
            decided += usize::from(tables.fate(&position).unwrap() != Fate::Draw);
        }
    }
    eprintln!("{seen} positions of {} endings, {decided} won or lost", endings.len());
    assert!(decided > 10_000);
}

fn after(position: &Position) -> Vec<Position> {
    let moves = position.legal_moves();
    moves.iter().map(|&m| position.play(m).unwrap()).collect()
}

/// What follows from the positions after it: the result and plies to mate and to zeroing.
fn by_moves(tables: &Tables, position: &Position) -> TableEntry {
    let mut best: Option<(i32, TableEntry)> = None;
    let mut soonest: Option<(i32, Fate, Option<u16>)> = None;
    for next in after(position) {
        let entry = tables.probe(&next).unwrap();
        let is_zeroing = next.halfmove_clock() == 0;
        let mate = entry.mate.map(|plies| plies + 1);
        let zeroing = entry.zeroing.map(|plies| match (is_zeroing, plies > 100) {
            (true, false) => 1,
            (true, true) => 101,
            (false, _) => plies + 1,
        });
        let sign = -entry.fate.number().signum();
        let rank = |plies: Option<u16>| sign * (1000 - i32::from(plies.unwrap_or(0)));
        if best.is_none_or(|(known, _)| rank(mate) > known) {
            best = Some((rank(mate), TableEntry { mate, ..entry }));
        }
        let fate = match (sign, zeroing.unwrap_or(0) > 100) {
            (1, false) => Fate::Win,
            (1, true) => Fate::CursedWin,
            (-1, false) => Fate::Loss,
            (-1, true) => Fate::BlessedLoss,
            _ => Fate::Draw,
        };
        if soonest.is_none_or(|(known, ..)| rank(zeroing) > known) {
            soonest = Some((rank(zeroing), fate, zeroing));
        }
    }
    match (best, soonest) {
        (Some((_, best)), Some((_, fate, zeroing))) => {
            TableEntry { fate, mate: best.mate, zeroing }
        }
        _ if position.is_check() => {
            TableEntry { fate: Fate::Loss, mate: Some(0), zeroing: Some(0) }
        }
        _ => TableEntry { fate: Fate::Draw, mate: None, zeroing: None },
    }
}

/// Random positions of an ending with either colour, with en passant where it can be.
fn random_positions(ending: Material, count: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let swap = random.below(2) == 1;
        let mut setup = Setup { turn: Color::ALL[random.below(2)], ..Setup::empty() };
        let mut overlap = false;
        for piece in ending.pieces() {
            let color = if swap { !piece.color } else { piece.color };
            let square = Square::ALL[random.below(64)];
            overlap |= setup.board.put(square, piece.role.of(color)).is_some();
        }
        if overlap {
            continue;
        }
        let Ok(without) = setup.validate() else { continue };
        let ranks = if setup.turn == Color::White { 40..48 } else { 16..24 };
        let en_passant = Square::ALL[ranks].iter().find_map(|&square| {
            let with = Setup { ep_square: Some(square), ..setup.clone() }.validate().ok()?;
            with.legal_ep_square().map(|_| with)
        });
        found.push(en_passant.unwrap_or(without));
    }
    found
}

#[test]
#[ignore = "needs the tables of four men: TABIYA_TABLES=FOLDER, see docs/tables.md"]
fn random_positions_follow_from_their_moves() {
    let folder =
        std::env::var_os("TABIYA_TABLES").expect("TABIYA_TABLES names a folder with tables");
    let tables = Tables::open([Path::new(&folder)]);
    let mut random = Random::new(20);
    let (mut seen, mut en_passant) = (0, 0);
    let endings: Vec<Material> = tables.own().iter().map(|table| table.material()).collect();
    let each = 100_000_usize.div_ceil(endings.len());
    for ending in endings {
        let count = if ending.to_string() == "KPvKP" { 20 * each } else { each };
        for position in random_positions(ending, count, &mut random) {
            let expected = by_moves(&tables, &position);
            assert_eq!(tables.probe(&position).unwrap(), expected, "{}", position.fen());
            assert_eq!(tables.fate(&position).unwrap(), expected.fate, "{}", position.fen());
            seen += 1;
            en_passant += usize::from(position.legal_ep_square().is_some());
        }
    }
    eprintln!("{seen} positions, {en_passant} with en passant");
    assert!(seen >= 100_000);
}

#[test]
fn any_number_of_threads_and_any_break_give_the_same_files() {
    let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let endings: [Material; 2] = ["KPK", "KRBK"].map(|ending| ending.parse().unwrap());
    for ending in endings {
        Maker { threads: 1, ..Maker::new(one.path()) }.make(ending, &mut |_| {}).unwrap();
        let mut breaks = 0;
        loop {
            let stop = Stop::default();
            let maker = Maker { threads: 3, stop: stop.clone(), ..Maker::new(other.path()) };
            let mut slices = 0;
            let made = maker.make(ending, &mut |_| {
                slices += 1;
                if slices > 7 {
                    stop.stop();
                }
            });
            match made {
                Ok(()) => break,
                Err(error) => assert!(error.to_string().starts_with("stopped"), "{error}"),
            }
            breaks += 1;
            // As if the machine had been switched off while the last slice was written.
            let unfinished = other.path().join("KPvK.unfinished");
            if let Ok(bytes) = std::fs::read(&unfinished) {
                std::fs::write(&unfinished, &bytes[..bytes.len() - bytes.len() / 9]).unwrap();
            }
        }
        assert!(breaks > 2 || ending.men() == 4, "{breaks}");
    }
    for ending in ["KPvK", "KQvK", "KRvK", "KRBvK"] {
        let file = format!("{ending}.tabiya-table");
        let [one, other] =
            [&one, &other].map(|folder| std::fs::read(folder.path().join(&file)).unwrap());
        assert!(one == other, "{ending}");
    }
    assert!(!other.path().join("KPvK.unfinished").exists());
}

#[test]
fn a_table_of_another_version_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let maker = Maker::new(folder.path());
    maker.make("KRK".parse().unwrap(), &mut |_| {}).unwrap();
    let path = folder.path().join("KRvK.tabiya-table");
    let bytes = std::fs::read(&path).unwrap();
    let mut old = bytes.clone();
    old[8] = 1;
    std::fs::write(&path, &old).unwrap();
    let tables = Tables::open([folder.path()]);
    assert!(tables.own().is_empty());
    let problem = tables.problems()[0].to_string();
    let expected = "KRvK.tabiya-table: this table is of version 1, and only version 2 can be read: \
                    `tabiya tables make` with the name of the ending makes it anew";
    assert!(problem.ends_with(expected), "{problem}");
    maker.make("KRK".parse().unwrap(), &mut |_| {}).unwrap();
    assert!(std::fs::read(&path).unwrap() == bytes);
}

#[test]
fn what_another_version_has_left_unfinished_is_begun_again() {
    let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let ending: Material = "KPK".parse().unwrap();
    for folder in [&one, &other] {
        let stop = Stop::default();
        let maker = Maker { stop: stop.clone(), ..Maker::new(folder.path()) };
        let stopped = maker.make(ending, &mut |progress| {
            if progress.material == ending && progress.slices == 5 {
                stop.stop();
            }
        });
        assert!(stopped.is_err());
    }
    let path = other.path().join("KPvK.unfinished");
    let mut bytes = std::fs::read(&path).unwrap();
    let record = bytes.len() / 5;
    // Records as they were before versions counted: the checksum is of the bytes alone.
    for record in bytes.chunks_mut(record) {
        let (data, checksum) = record.split_at_mut(record.len() - 4);
        data[7] ^= 1;
        checksum.copy_from_slice(&crc32fast::hash(data).to_le_bytes());
    }
    std::fs::write(&path, &bytes).unwrap();
    for folder in [&one, &other] {
        Maker::new(folder.path()).make(ending, &mut |_| {}).unwrap();
    }
    let [one, other] =
        [one, other].map(|folder| std::fs::read(folder.path().join("KPvK.tabiya-table")).unwrap());
    assert!(one == other);
}
