//! Tables of our own against Syzygy's: those that are written here, and others where there are any, as files of that kind are not
//! part of Tabiya.

use std::path::{Path, PathBuf};

use tabiya_base::Stop;
use tabiya_chess::Color;
use tabiya_tables::{Fate, Maker, Material, TableError, Tables, write_syzygy};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::var_os(name);
    folder.unwrap_or_else(|| panic!("{name} names a folder with tables; see docs/tables.md")).into()
}

/// Results must be the same, and distances but for one ply less, where Syzygy's count moves.
#[test]
#[ignore = "needs both kinds of tables: TABIYA_TABLES=FOLDER SYZYGY=FOLDER, see docs/tables.md"]
fn our_tables_agree_with_syzygys() {
    let tables = Tables::open([folder("TABIYA_TABLES"), folder("SYZYGY")]);
    let step: usize = std::env::var("STEP").map_or(1, |step| step.parse().unwrap());
    let (all, one_less) = compare(&tables, step);
    eprintln!("{all} positions agree, {one_less} of them but for one ply less");
    assert!(all > 0);
}

/// Compares every so many positions of the endings that there are both tables of. Gives how many there are, and of how many
/// Syzygy's tables lose a ply.
fn compare(tables: &Tables, step: usize) -> (u64, u64) {
    let syzygy: Vec<_> = tables.syzygy().into_iter().map(|(material, _)| material).collect();
    let (mut all, mut one_less) = (0_u64, 0_u64);
    for table in tables.own() {
        if !syzygy.contains(&table.material()) {
            continue;
        }
        for turn in Color::ALL {
            for place in (turn as usize..table.places()).step_by(step) {
                let Some(position) = table.position(place, turn) else { continue };
                let ours = tables.probe(&position).unwrap();
                let theirs = tables.probe_syzygy(&position).unwrap();
                let fen = position.fen();
                assert_eq!(ours.fate, theirs.fate, "{fen}");
                all += 1;
                if ours.fate != Fate::Draw && ours.mate != Some(0) {
                    let [ours, theirs] = [ours, theirs].map(|entry| entry.zeroing.unwrap());
                    assert!(ours == theirs || ours == theirs + 1, "{fen}: {ours} or {theirs}");
                    one_less += u64::from(theirs != ours);
                }
            }
        }
    }
    (all, one_less)
}

/// Makes tables of an ending, and Syzygy's from them.
fn write(ending: &str, own: &Path, theirs: &Path) -> Result<bool, TableError> {
    let ending: Material = ending.parse().unwrap();
    let maker = Maker::new(own);
    maker.make(ending, &mut |_| {}).unwrap();
    let endings = ending.with_all_before();
    let write =
        |&ending: &Material| write_syzygy(own, ending, theirs, 2, &Stop::default(), &mut |_| {});
    endings.iter().map(write).try_fold(false, |any, written| Ok(any | written?))
}

#[test]
fn what_is_written_as_syzygys_is_what_our_tables_say() {
    let [own, theirs] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    // Pawns, three men that lead, and two kings that lead.
    for ending in ["KPK", "KBNK", "KRRK"] {
        assert!(write(ending, own.path(), theirs.path()).unwrap());
    }
    let tables = Tables::open([own.path(), theirs.path()]);
    assert!(tables.problems().is_empty());
    assert_eq!(tables.syzygy().len(), tables.own().len());
    let (all, one_less) = compare(&tables, 23);
    // Plies are exact where the fifty-move rule does not matter.
    assert!(all > 200_000 && one_less == 0, "{all}, {one_less}");

    // What is there is left alone, and what is lost is written as it was.
    assert!(!write("KPK", own.path(), theirs.path()).unwrap());
    let path = theirs.path().join("KPvK.rtbz");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.len() % 64, 16, "other readers refuse a file of another size");
    std::fs::remove_file(&path).unwrap();
    assert!(write("KPK", own.path(), theirs.path()).unwrap());
    assert!(std::fs::read(&path).unwrap() == bytes);

    let missing = write_syzygy(
        own.path(),
        "KQQK".parse().unwrap(),
        theirs.path(),
        1,
        &Stop::default(),
        &mut |_| {},
    );
    assert_eq!(missing.unwrap_err().to_string(), "there is no table of KQQvK");
}

#[test]
fn folders_and_files_that_are_not_there_or_wrong_are_no_tables() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    std::fs::write(folder.path().join("KQvK.rtbw"), b"not a table").unwrap();
    std::fs::write(folder.path().join("KRvK.rtbz"), b"").unwrap();
    std::fs::write(folder.path().join("notes.txt"), b"KQvK").unwrap();
    std::fs::create_dir(folder.path().join("KBvK.rtbw")).unwrap();
    let tables = Tables::open([&nowhere as &Path, folder.path()]);
    assert_eq!(tables.most_men(), 3);
    for (piece, error) in [
        ("Q", "KQvK.rtbw: this file is damaged: it is no Syzygy table of this kind"),
        ("R", "there is no table of KRvK"),
        ("B", "KBvK.rtbw: this file is damaged: it cannot be read"),
    ] {
        let fen = format!("8/8/8/4k3/8/8/8/K6{piece} w - - 0 1");
        let found = tables.probe(&fen.parse().unwrap()).unwrap_err().to_string();
        assert!(found.ends_with(error), "{found}");
    }
}

/// A million files with a few bytes changed, or cut short.
#[test]
#[ignore = "needs small Syzygy tables: SYZYGY=FOLDER, see docs/tables.md"]
fn damaged_files_are_refused_or_read_in_a_moment() {
    let folder = folder("SYZYGY");
    let all = Tables::open([&folder]);
    let mut files = Vec::new();
    for (material, _) in all.syzygy() {
        for ending in ["rtbw", "rtbz"] {
            let name = format!("{material}.{ending}");
            let bytes = std::fs::read(folder.join(&name)).unwrap();
            if bytes.len() < 20_000 {
                files.push((material, name, bytes));
            }
        }
    }
    let count: u64 = std::env::var("COUNT").map_or(1_000_000, |count| count.parse().unwrap());
    let mut random = tabiya_base::Random::new(5);
    let (mut refused, mut wrong, mut answers) = (0_u64, 0_u64, 0_u64);
    let mut longest = std::time::Duration::ZERO;
    for _ in 0..count {
        let (material, name, whole) = &files[random.below(files.len())];
        let mut bytes = whole.clone();
        if random.below(8) == 0 {
            bytes.truncate(random.below(bytes.len()));
        }
        for _ in 0..=random.below(4) {
            // Heads are small, and most can go wrong there.
            let reach = if random.below(2) == 0 { bytes.len().min(400) } else { bytes.len() };
            if let Some(byte) = bytes.get_mut(random.below(reach)) {
                *byte = random.next_u64() as u8;
            }
        }
        let start = std::time::Instant::now();
        let mut tables = Tables::default();
        let added = tables.add_bytes(name, bytes);
        if name.ends_with("rtbz") {
            let results = name.replace("rtbz", "rtbw");
            if let Ok(bytes) = std::fs::read(folder.join(&results)) {
                tables.add_bytes(&results, bytes).unwrap();
            }
        }
        match added {
            Err(_) => refused += 1,
            Ok(()) => {
                for _ in 0..3 {
                    let mut setup = tabiya_chess::Setup::empty();
                    setup.turn = Color::ALL[random.below(2)];
                    for piece in material.pieces() {
                        setup.board.put(tabiya_chess::Square::ALL[random.below(64)], piece);
                    }
                    let Ok(position) = setup.validate() else { continue };
                    match tables.probe_syzygy(&position) {
                        Ok(_) => answers += 1,
                        Err(_) => wrong += 1,
                    }
                }
            }
        }
        longest = longest.max(start.elapsed());
    }
    eprintln!(
        "{count} files: {refused} refused, {answers} answers, {wrong} errors, at most {longest:?}"
    );
    assert!(longest.as_secs() < 2);
}
