//! An index over several databases, made by a slow and obvious program: it is read as it was written, and compared with what the
//! databases have.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use tabiya_base::Random;
use tabiya_chess::Position;
use tabiya_db::{
    Database, Filter, Importer, LayerPlan, StoredGame, add_layer, collect, incoming, plan_layer,
};
use tabiya_pgn::GameResult;

const SCHEMA: &str = "message position {
    optional int64 key; optional int32 move; optional int64 games;
    optional int64 white; optional int64 draws; optional int64 black;
    optional int64 white_elo; optional int64 white_rated;
    optional int64 black_elo; optional int64 black_rated; optional int32 newest;
    optional int64 best1; optional int64 best2; optional int64 best3; optional int64 best4;
}";
const BITS: u32 = 2;

/// A database of games of chance, most of them alike in the beginning.
fn database(folder: PathBuf, games: usize, seed: u64) -> PathBuf {
    let mut random = Random::new(seed);
    let mut importer = Importer::open(&folder, || ()).unwrap();
    for number in 0..games {
        let late = "4k3/P6P/8/3pP3/8/8/p6p/4K3 w - d6 0 40";
        let own_start = random.below(15) == 0;
        let mut here: Position =
            if own_start { late.parse().unwrap() } else { Position::initial() };
        let mut text = String::new();
        for tag in ["WhiteElo", "BlackElo"] {
            if random.below(3) > 0 {
                text += &format!("[{tag} \"{}\"]\n", 2000 + random.below(40));
            }
        }
        if own_start {
            text += &format!("[SetUp \"1\"]\n[FEN \"{late}\"]\n");
        }
        let result = random.pick(&["1-0", "0-1", "1/2-1/2", "*"]).unwrap();
        text += &format!("[White \"{number}\"]\n[Date \"{}\"]\n\n", 1990 + random.below(20));
        for _ in 0..random.below(40) {
            let moves = here.legal_moves();
            if moves.is_empty() {
                break;
            }
            let few = if random.below(5) == 0 { moves.len() } else { moves.len().min(2) };
            let m = moves[random.below(few)];
            text += &format!("{} ", here.san(m));
            here = here.play(m).unwrap();
        }
        for game in incoming(&format!("{text}{result}\n")) {
            importer.add(game).unwrap();
        }
    }
    importer.finish().unwrap();
    folder
}

/// The columns of a position and a move, by what the games are.
fn row(key: i64, code: u16, games: &[(u64, &StoredGame)]) -> [Option<i64>; 15] {
    let result = |wanted| games.iter().filter(|(_, game)| game.result == wanted).count() as i64;
    let elos = |of: fn(&StoredGame) -> u16| {
        let elos = games.iter().map(|(_, game)| i64::from(of(game))).filter(|&elo| elo > 0);
        (elos.clone().sum::<i64>(), elos.count() as i64)
    };
    let ((white, whites), (black, blacks)) =
        (elos(|game| game.white_elo), elos(|game| game.black_elo));
    let newest = games.iter().map(|(_, game)| i64::from(game.day.0)).max().unwrap();
    let mut best: Vec<(i64, u64)> = games
        .iter()
        .map(|(number, game)| (-i64::from(game.white_elo) - i64::from(game.black_elo), *number))
        .collect();
    best.sort_unstable();
    let best = |at: usize| best.get(at).map(|&(_, number)| number as i64);
    let sums = [
        result(GameResult::WhiteWins),
        result(GameResult::Draw),
        result(GameResult::BlackWins),
        white,
        whites,
        black,
        blacks,
        newest,
    ];
    let [a, b, c, d, e, f, g, h] = sums.map(|sum| Some(sum).filter(|_| games.len() > 1));
    let (key, code, count) = (Some(key), Some(i64::from(code)), Some(games.len() as i64));
    [key, code, count, a, b, c, d, e, f, g, h, best(0), best(1), best(2), best(3)]
}

/// All rows of an index, in order.
fn rows(games: &[StoredGame]) -> Vec<[Option<i64>; 15]> {
    let mut positions = BTreeMap::<(u64, u16), BTreeSet<usize>>::new();
    for (number, game) in games.iter().enumerate() {
        for (position, step) in game.steps().unwrap() {
            let place = (position.repetition_key(), step.code(&position).unwrap());
            positions.entry(place).or_default().insert(number);
        }
    }
    let of = |numbers: BTreeSet<usize>| {
        numbers.into_iter().map(|number| (number as u64, &games[number])).collect::<Vec<_>>()
    };
    positions.into_iter().map(|((key, code), games)| row(key as i64, code, &of(games))).collect()
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[Option<i64>],
    as_is: impl Fn(i64) -> T::T,
) {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.iter().flatten().map(|&value| as_is(value)).collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(&values, Some(&levels), None).unwrap();
    column.close().unwrap();
}

/// Writes the shards of an index, in short row groups of short pages.
fn write(folder: &Path, rows: &[[Option<i64>; 15]]) {
    for shard in 0..1u64 << BITS {
        let here: Vec<_> =
            rows.iter().filter(|row| row[0].unwrap() as u64 >> (64 - BITS) == shard).collect();
        let folder = folder.join(format!("shard={shard}"));
        std::fs::create_dir_all(&folder).unwrap();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).unwrap()))
            .set_data_page_row_count_limit(16)
            .set_write_batch_size(16)
            .build();
        let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
        let file = File::create(folder.join("part.zstd.parquet")).unwrap();
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
        for rows in here.chunks(150) {
            let mut group = writer.next_row_group().unwrap();
            for at in 0..15 {
                let values: Vec<_> = rows.iter().map(|row| row[at]).collect();
                match at {
                    1 | 10 => column::<Int32Type>(&mut group, &values, |value| value as i32),
                    _ => column::<Int64Type>(&mut group, &values, |value| value),
                }
            }
            group.close().unwrap();
        }
        writer.close().unwrap();
        // As Spark does.
        std::fs::write(folder.join(".part.zstd.parquet.crc"), "").unwrap();
    }
}

fn games(plan: &LayerPlan, databases: &[PathBuf]) -> Vec<StoredGame> {
    let mut games = Vec::new();
    for (folder, &count) in databases.iter().zip(&plan.games) {
        let database = Database::open(folder).unwrap();
        assert_eq!(database.games(), count);
        games.extend((1..=count).map(|game| database.game(game).unwrap()));
    }
    games
}

#[test]
fn an_index_over_several_databases_says_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let databases = [
        database(place("a.tdb"), 200, 1),
        database(place("b.tdb"), 150, 2),
        database(place("c.tdb"), 30, 3),
    ];
    let (plain, indexed) = (place("plain.tdc"), place("indexed.tdc"));
    for collection in [&plain, &indexed] {
        assert_eq!(collect(collection, &databases, || ()).unwrap(), 3);
    }
    let first = plan_layer(&indexed).unwrap();
    assert_eq!(first.files[0].1, 0);
    let all = games(&first, &databases);
    let whole = rows(&all);
    assert!(whole.len() > 2000 && whole.iter().any(|row| row[2] > Some(64)));
    write(&first.folder, &whole);
    // What is not known yet is not asked.
    assert_eq!(Database::open(&indexed).unwrap().info().layers, 0);
    add_layer(&indexed, &first, BITS).unwrap();

    let (ours, theirs) = (Database::open(&indexed).unwrap(), Database::open(&plain).unwrap());
    assert_eq!(ours.info().layers, 1);
    let steps: i64 = whole.iter().filter_map(|row| row[2]).sum();
    assert_eq!(steps as u64, theirs.info().steps);
    assert!(ours.check(true, |_| ()).unwrap().is_empty());
    let none = Filter::default();
    for game in all.iter().step_by(3) {
        for (position, _) in game.steps().unwrap() {
            let answers = [&ours, &theirs].map(|one| one.answer(&position, &none).unwrap());
            assert_eq!(answers[0], answers[1]);
            assert!(answers[0].games > 0);
        }
    }
    let elsewhere: Position = "8/8/5k2/8/8/8/PPPPPPPP/4K2N w - - 0 1".parse().unwrap();
    assert_eq!(ours.answer(&elsewhere, &none).unwrap().games, 0);

    // A database more is asked for itself, until it has an index of its own.
    let later = [databases.as_slice(), &[database(place("d.tdb"), 60, 4)]].concat();
    for collection in [&plain, &indexed] {
        assert_eq!(collect(collection, &later, || ()).unwrap(), 4);
    }
    let second = plan_layer(&indexed).unwrap();
    assert_ne!(second.folder, first.folder);
    assert_eq!(second.games.len(), 1);
    let some: Vec<Position> = games(&second, &later[3..])
        .iter()
        .flat_map(|game| game.steps().unwrap().map(|(position, _)| position).collect::<Vec<_>>())
        .collect();
    let answers = |folder: &Path| -> Vec<_> {
        let database = Database::open(folder).unwrap();
        some.iter().map(|position| database.answer(position, &none).unwrap()).collect()
    };
    let expected = answers(&plain);
    assert_eq!(answers(&indexed), expected);
    write(&second.folder, &rows(&games(&second, &later[3..])));
    add_layer(&indexed, &second, BITS).unwrap();
    assert!(ours.is_outdated());
    assert_eq!(answers(&indexed), expected);
    assert!(Database::open(&indexed).unwrap().check(true, |_| ()).unwrap().is_empty());
    assert!(plan_layer(&indexed).unwrap().files.is_empty());
    // The same plan does not come twice.
    assert!(add_layer(&indexed, &second, BITS).is_err());
}

#[test]
fn a_wrong_index_over_several_databases_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let databases = [database(folder.path().join("a.tdb"), 80, 5)];
    let all = folder.path().join("all.tdc");
    collect(&all, &databases, || ()).unwrap();
    let plan = plan_layer(&all).unwrap();
    let right = rows(&games(&plan, &databases));
    let many = right.iter().position(|row| row[2] > Some(1)).unwrap();
    write(&plan.folder, &right);
    add_layer(&all, &plan, BITS).unwrap();
    let check = |rows: &[[Option<i64>; 15]]| {
        std::fs::remove_dir_all(&plan.folder).unwrap();
        write(&plan.folder, rows);
        let database = Database::open(&all).unwrap();
        let wrong = database.check(true, |_| ()).unwrap();
        wrong.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(check(&right), [""; 0]);
    let place = plan.folder.to_str().unwrap();
    for column in 1..15 {
        let mut wrong = right.clone();
        wrong[many][column] = wrong[many][column].map(|number| number ^ 1).or(Some(0));
        let told = check(&wrong);
        assert!(told.len() == 1 && told[0].contains(place), "{column}: {told:?}");
    }
    let mut missing = right.clone();
    missing.remove(many);
    assert!(check(&missing)[0].contains(place));
    let mut last = right.clone();
    last.pop();
    assert!(check(&last)[0].contains(place));
    let mut twice = right.clone();
    twice.insert(many, right[many]);
    assert!(check(&twice)[0].contains("is not where it belongs"));
    assert_eq!(check(&right), [""; 0]);

    // Files that are damaged, or something else.
    let file = plan.folder.join("shard=1/part.zstd.parquet");
    let whole = std::fs::read(&file).unwrap();
    let mut random = Random::new(1);
    for _ in 0..40 {
        let mut bytes = whole.clone();
        match random.below(2) {
            0 => bytes.truncate(random.below(whole.len())),
            _ => bytes[random.below(whole.len())] ^= 1 << random.below(8),
        }
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, &bytes).unwrap();
        let database = Database::open(&all).unwrap();
        // A sentence that names the file, or what it tells is still right; never a panic.
        for wrong in database.check(true, |_| ()).unwrap() {
            assert!(wrong.to_string().contains(place), "{wrong}");
        }
    }
    // Games that have become more.
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, &whole).unwrap();
    database(databases[0].clone(), 3, 6);
    let error = Database::open(&all).err().unwrap().to_string();
    assert!(error.contains("was made of"), "{error}");
}
