//! Whatever is asked, the database says what a slow and obvious count says.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_base::Random;
use tabiya_chess::{Color, Position};
use tabiya_db::{Database, Day, Filter, Importer, Men, Pattern, Query, StoredGame, incoming};
use tabiya_pgn::{GameResult, Reader};

/// Games by players who like to play the same moves, so that they meet again, and some from elsewhere.
fn some_games(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let names = ["Tal, Mikhail", "Botvinnik", "Kérès, Paul", "Smyslov", "?"];
    let mut games = Vec::new();
    while games.len() < count {
        let own_start = random.below(20) == 0;
        let fen = "4k3/P6P/8/3pP3/8/8/p6p/4K3 w - d6 0 40";
        let mut here: Position = if own_start { fen.parse().unwrap() } else { Position::initial() };
        let mut game = tabiya_chess::Game::from_position(here);
        let mut text = String::new();
        for _ in 0..random.below(60) {
            let moves = here.legal_moves();
            if moves.is_empty() {
                break;
            }
            let few = if random.below(4) == 0 { moves.len() } else { moves.len().min(2) };
            let m = moves[random.below(few)];
            text.push_str(&here.san(m));
            text.push(' ');
            game.play(m).unwrap();
            here = *game.position();
        }
        let result = random.pick(&["1-0", "0-1", "1/2-1/2", "*"]).unwrap();
        let mut tags = format!(
            "[Event \"Match {}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Date \"{}.0{}.??\"]\n[Result \"{result}\"]\n",
            random.below(3),
            random.pick(&names).unwrap(),
            random.pick(&names).unwrap(),
            1950 + random.below(20),
            1 + random.below(9),
        );
        if random.below(3) > 0 {
            tags.push_str(&format!("[WhiteElo \"{}\"]\n", 2000 + random.below(800)));
            tags.push_str(&format!("[BlackElo \"{}\"]\n", 2000 + random.below(800)));
        }
        if own_start {
            tags.push_str(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
        }
        games.push(format!("{tags}\n{text}{result}\n\n"));
    }
    games
}

/// The games that are in the database, by number, as trees of the ordinary reader.
struct Slow {
    games: Vec<StoredGame>,
    lines: Vec<Vec<(Position, Option<String>)>>,
}

impl Slow {
    fn of(database: &Database) -> Slow {
        let numbers: Vec<u64> = (1..=database.games()).collect();
        let games = database.records(&numbers).unwrap();
        let lines = games
            .iter()
            .map(|game| {
                let tree = Reader::new(game.pgn().as_bytes()).next_game().unwrap().unwrap();
                let tree = tree.tree();
                let mut positions = vec![*tree.start()];
                let mut moves = Vec::new();
                for node in tree.main_line() {
                    moves.push(Some(tree.san(node).to_string()));
                    positions.push(tree.position(node));
                }
                moves.push(None);
                positions.into_iter().zip(moves).collect()
            })
            .collect();
        Slow { games, lines }
    }

    /// For each move from a position the games, those that end there without one.
    fn explore(
        &self,
        key: u64,
        wants: &dyn Fn(&StoredGame) -> bool,
    ) -> BTreeMap<Option<String>, BTreeSet<usize>> {
        let mut moves = BTreeMap::<_, BTreeSet<usize>>::new();
        for (number, line) in self.lines.iter().enumerate() {
            for (position, san) in line {
                if position.repetition_key() == key && wants(&self.games[number]) {
                    moves.entry(san.clone()).or_default().insert(number);
                }
            }
        }
        moves
    }
}

fn import(folder: &std::path::Path, games: &[String]) -> tabiya_db::ImportCount {
    let mut importer = Importer::open(folder, || panic!("nobody else is there")).unwrap();
    for game in incoming(&games.concat()) {
        importer.add(game).unwrap();
    }
    importer.finish().unwrap()
}

#[test]
fn a_game_counts_once_where_its_positions_look_alike_in_the_index() {
    let mut random = Random::new(1);
    let mut positions = 0;
    for _ in 0..60 {
        // Long games, in which nothing is taken: in one of ten some positions have the same short key.
        let mut here = Position::initial();
        let mut text = String::new();
        for _ in 0..500 {
            let mut moves = here.legal_moves().to_vec();
            moves.retain(|&m| !here.san(m).contains(['x', '=']));
            let Some(m) = random.pick(&moves) else { break };
            text.push_str(&format!("{} ", here.san(m)));
            here = here.play(m).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        import(folder.path(), &[format!("{text}*\n\n")]);
        let database = Database::open(folder.path()).unwrap();
        let slow = Slow::of(&database);
        for (position, _) in &slow.lines[0] {
            let found = database.explore(position, &Filter::default()).unwrap().total.games;
            let wanted = slow.explore(position.repetition_key(), &|_| true).len();
            assert_eq!(found, wanted as u64, "{position}");
            positions += 1;
        }
    }
    assert!(positions > 10_000, "{positions}");
}

#[test]
fn exploring_counts_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games(600, 11);
    // In many pieces, so that there are several indexes, and some were made of others.
    for piece in games.chunks(67) {
        import(folder.path(), piece);
    }
    let database = Database::open(folder.path()).unwrap();
    let info = database.info();
    assert!(info.indexes > 1 && info.indexes < 10, "{info:?}");
    let slow = Slow::of(&database);
    let elite = Filter { elo: Some(2400..=9999), ..Filter::default() };
    let keres = Filter {
        player: vec!["KERES".to_owned()],
        color: Some(Color::Black),
        since: Some(Day(19_550_000)),
        ..Filter::default()
    };
    type Wants = fn(&StoredGame) -> bool;
    let filters: [(Filter, Wants); 4] = [
        (Filter::default(), |_| true),
        (elite, |game| game.white_elo >= 2400 && game.black_elo >= 2400),
        (keres, |game| game.black == "Kérès, Paul" && game.day.0 >= 19_550_000),
        (
            Filter {
                result: vec![GameResult::Draw],
                event: vec!["match 1".into()],
                ..Filter::default()
            },
            |game| game.result == GameResult::Draw && game.event == "Match 1",
        ),
    ];
    let mut seen = BTreeSet::new();
    for (position, _) in slow.lines.iter().step_by(7).flatten() {
        if !seen.insert(position.repetition_key()) {
            continue;
        }
        for (filter, wants) in &filters {
            let expected = slow.explore(position.repetition_key(), wants);
            let explored = database.explore(position, filter).unwrap();
            let of = |san: &Option<String>| match san {
                None => explored.ended,
                Some(san) => {
                    explored.moves.iter().find(|m| m.san == *san).map_or(0, |m| m.tally.games)
                }
            };
            let moves = explored.moves.len() + usize::from(explored.ended > 0);
            assert_eq!(moves, expected.len(), "{position:?}");
            for (san, games) in &expected {
                assert_eq!(of(san), games.len() as u64, "{position:?} {san:?}");
            }
            for m in &explored.moves {
                let games: Vec<&StoredGame> =
                    expected[&Some(m.san.clone())].iter().map(|&at| &slow.games[at]).collect();
                let count =
                    |result| games.iter().filter(|game| game.result == result).count() as u64;
                assert_eq!(m.tally.white, count(GameResult::WhiteWins));
                assert_eq!(m.tally.draws, count(GameResult::Draw));
                assert_eq!(m.tally.black, count(GameResult::BlackWins));
                assert_eq!(m.tally.newest, games.iter().map(|game| game.day).max().unwrap());
                let elos = |of: fn(&StoredGame) -> u16| {
                    let known: Vec<u64> =
                        games.iter().map(|game| of(game).into()).filter(|&elo| elo > 0).collect();
                    (known.iter().sum::<u64>(), known.len() as u64)
                };
                assert_eq!(m.tally.white_elo, elos(|game| game.white_elo));
                assert_eq!(m.tally.black_elo, elos(|game| game.black_elo));
                let mut best: Vec<(u32, std::cmp::Reverse<u64>)> = expected[&Some(m.san.clone())]
                    .iter()
                    .map(|&at| {
                        let game = &slow.games[at];
                        (
                            u32::from(game.white_elo) + u32::from(game.black_elo),
                            std::cmp::Reverse(at as u64),
                        )
                    })
                    .collect();
                best.sort_unstable_by(|one, other| other.cmp(one));
                best.truncate(tabiya_db::BEST);
                assert!(m.tally.best().eq(best.iter().map(|one| one.1.0)));
            }
            let all: BTreeSet<u64> =
                expected.values().flatten().map(|&number| number as u64 + 1).collect();
            let found = database.games_with(position, filter).unwrap();
            assert!(found.iter().copied().eq(all), "{position:?}");
        }
    }
    assert!(seen.len() > 500);
    // And a position that no game has.
    let nowhere: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
    assert_eq!(database.explore(&nowhere, &Filter::default()).unwrap().total.games, 0);
    assert!(database.check(true, |_| ()).unwrap().is_empty());
}

#[test]
fn patterns_and_material_are_found_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &some_games(300, 5));
    let database = Database::open(folder.path()).unwrap();
    let slow = Slow::of(&database);
    for text in [
        "*/*/*/*/*/P*/*/*",
        "r*/p*",
        "*/*/*/*/P2*",
        "*/*/*/*/*/*/*/RNBQK?NR",
        "Q*",
        "*/*/*/????P*/*/*/????1",
        "????k*/*/*/*/*/*/????1*",
    ] {
        let pattern: Pattern = text.parse().unwrap();
        let expected: Vec<(u64, u32)> = slow
            .lines
            .iter()
            .enumerate()
            .filter_map(|(number, line)| {
                let ply =
                    line.iter().position(|(position, _)| pattern.matches(position.board()))?;
                Some((number as u64 + 1, ply as u32))
            })
            .collect();
        let query = Query { pattern: Some(pattern), ..Query::default() };
        let found = database.find(&query).unwrap();
        assert!(found.iter().map(|hit| (hit.game, hit.ply)).eq(expected.iter().copied()), "{text}");
        assert!(!expected.is_empty(), "{text} is found nowhere");
    }
    for (text, lasting) in [
        ("KP2vKP2", 1),
        ("KQPvK", 1),
        ("KQ+P*vKP*", 2),
        ("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPP", 3),
        ("KP3vKP3", 2),
        ("KQR2B2N2P7+vKQR2B2N2P7+", 10),
    ] {
        let material: Men = text.parse().unwrap();
        let expected: Vec<u64> = slow
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| {
                line.windows(lasting)
                    .any(|some| some.iter().all(|(position, _)| material.matches(position.board())))
            })
            .map(|(number, _)| number as u64 + 1)
            .collect();
        let query = Query { material: Some((material, lasting as u32)), ..Query::default() };
        let found = database.find(&query).unwrap();
        assert!(found.iter().map(|hit| hit.game).eq(expected), "{text}");
        let last = |line: &Vec<(Position, _)>| material.matches(line[line.len() - 1].0.board());
        let expected =
            (1..).zip(&slow.lines).filter(|(_, line)| last(line)).map(|(number, _)| number);
        let found = database.find(&Query { ending: Some(material), ..Query::default() }).unwrap();
        assert!(found.iter().map(|hit| hit.game).eq(expected), "{text}");
    }
}

#[test]
fn games_that_nobody_wants_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &some_games(200, 6));
    let file = Database::open(folder.path()).unwrap().files().remove(0);
    let mut bytes = std::fs::read(&file).unwrap();
    let end = bytes.len() / 2;
    bytes[4..end].fill(0xff);
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, &bytes).unwrap();
    let database = Database::open(folder.path()).unwrap();
    let everywhere = Query { pattern: Some("*/Q*".parse().unwrap()), ..Query::default() };
    assert!(database.find(&everywhere).is_err());
    let filter = Filter { player: vec!["nobody".to_owned()], ..Filter::default() };
    assert_eq!(database.find(&Query { filter, ..everywhere }).unwrap(), []);
}

#[test]
fn no_game_comes_twice_and_none_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = some_games(200, 3);
    games.sort();
    games.dedup();
    let first = import(folder.path(), &games);
    let again = import(folder.path(), &games);
    assert_eq!((again.added, again.duplicates), (0, first.added + first.duplicates));
    let other = tempfile::tempdir().unwrap();
    import(other.path(), &some_games(50, 4));
    let (one, two) =
        (Database::open(folder.path()).unwrap(), Database::open(other.path()).unwrap());
    let mut importer = Importer::open(folder.path(), || ()).unwrap();
    two.each(|game| importer.add(game).map(|_| ())).unwrap();
    let merged = importer.finish().unwrap();
    assert_eq!(merged.added + merged.duplicates, two.games());
    // Who has it open sees what it was.
    assert!(one.is_outdated());
    assert_eq!(one.games(), first.added);
    let now = Database::open(folder.path()).unwrap();
    assert_eq!(now.games(), first.added + merged.added);
    // Every text comes out as it went in, moves, players and tags.
    let texts: BTreeSet<String> =
        (1..=now.games()).map(|game| now.game(game).unwrap().pgn()).collect();
    for game in incoming(&games.concat()) {
        assert!(texts.contains(&game.record.pgn()));
    }
}

#[test]
fn what_is_said_about_moves_is_kept() {
    let text = "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Annotator \"me \\\"too\\\"\"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 $1 *\n";
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &[text.to_owned()]);
    let game = Database::open(folder.path()).unwrap().game(1).unwrap();
    assert!(game.pgn().contains("[Annotator \"me \\\"too\\\"\"]\n"), "{}", game.pgn());
    assert!(game.pgn().ends_with("\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 $1 *\n"));
    assert!(Database::open(folder.path()).unwrap().game(2).is_err());
}

#[test]
fn several_databases_are_asked_like_one() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games(300, 13);
    let folders: Vec<_> = (0..3).map(|at| folder.path().join(format!("{at}.tdb"))).collect();
    let (all, other) = (folder.path().join("all.tdc"), folder.path().join("other"));
    for (folder, games) in folders.iter().zip(games.chunks(100)) {
        import(folder, games);
    }
    assert_eq!(tabiya_db::collect(&all, &folders[..2], || ()).unwrap(), 2);
    assert_eq!(tabiya_db::collect(&all, &folders, || ()).unwrap(), 3);
    let database = Database::open(&all).unwrap();
    let parts: Vec<_> = folders.iter().map(|folder| Database::open(folder).unwrap()).collect();
    assert_eq!(database.info().databases, Some(3));
    assert_eq!(database.games(), parts.iter().map(Database::games).sum::<u64>());
    assert!(database.check(true, |_| ()).unwrap().is_empty());
    // Games keep the order of the databases.
    let numbered = parts.iter().flat_map(|part| (1..=part.games()).map(|game| part.game(game)));
    for (number, game) in (1..).zip(numbered) {
        assert_eq!(database.game(number).unwrap(), game.unwrap());
    }
    let strong = Filter { elo: Some(2400..=9999), ..Filter::default() };
    let slow = Slow::of(&database);
    for filter in [Filter::default(), strong] {
        let wants = |game: &StoredGame| {
            filter.is_empty() || game.white_elo >= 2400 && game.black_elo >= 2400
        };
        for (position, _) in slow.lines.iter().step_by(7).flatten() {
            let expected = slow.explore(position.repetition_key(), &wants);
            let told = database.explore(position, &filter).unwrap();
            let games = expected.values().map(|games| games.len() as u64);
            assert_eq!(told.total.games, games.sum::<u64>(), "{position:?}");
            assert_eq!(told.moves.len() + usize::from(told.ended > 0), expected.len());
        }
    }
    let query =
        Query { ending: Some("KQ*R*B*N*P+vKQ?R*B*N*P+".parse().unwrap()), ..Query::default() };
    let mut expected = Vec::new();
    let mut before = 0;
    for part in &parts {
        expected.extend(part.find(&query).unwrap().into_iter().map(|hit| hit.game + before));
        before += part.games();
    }
    let found: Vec<_> = database.find(&query).unwrap().into_iter().map(|hit| hit.game).collect();
    assert_eq!(found, expected);
    // It changes with each of them.
    assert!(!database.is_outdated());
    import(&folders[1], &some_games(3, 99));
    assert!(database.is_outdated());
    assert_eq!(Database::open(&all).unwrap().games(), before + 3);
    // What is no database is refused, and a folder of something else is left alone.
    assert!(tabiya_db::collect(&all, std::slice::from_ref(&all), || ()).is_err());
    assert!(tabiya_db::collect(&all, &[folder.path().to_owned()], || ()).is_err());
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("letter"), "dear").unwrap();
    assert!(tabiya_db::collect(&other, &folders, || ()).is_err());
    assert!(tabiya_db::plan_layer(&folders[0]).is_err());
    assert!(Importer::open(&all, || ()).is_err());
    assert_eq!(Database::open(&all).unwrap().info().databases, Some(3));
}

#[test]
fn damaged_and_foreign_files_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &some_games(100, 9));
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "lock" {
            continue;
        }
        let whole = std::fs::read(&path).unwrap();
        let mut random = Random::new(1);
        for _ in 0..40 {
            let mut bytes = whole.clone();
            match random.below(3) {
                0 => bytes.truncate(random.below(whole.len())),
                1 => {
                    let at = random.below(whole.len());
                    bytes[at] ^= 1 << random.below(8);
                }
                _ => bytes = b"something else".to_vec(),
            }
            // Another file in its place: a mapped one is never written to.
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, &bytes).unwrap();
            // A sentence that names the file, or all is as it was; never a panic.
            let told = match Database::open(folder.path()) {
                Err(error) => vec![error.to_string()],
                Ok(database) => {
                    let _ = database.explore(&Position::initial(), &Filter::default());
                    let _ = database.find(&Query {
                        pattern: Some("*/Q*".parse().unwrap()),
                        ..Query::default()
                    });
                    match database.check(false, |_| ()) {
                        Err(error) => vec![error.to_string()],
                        Ok(wrong) => wrong.iter().map(ToString::to_string).collect(),
                    }
                }
            };
            assert!(
                told.iter().all(|told| told.contains(folder.path().to_str().unwrap())),
                "{told:?}"
            );
            if name.starts_with("index") {
                assert!(!told.is_empty(), "{name}");
            }
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &whole).unwrap();
    }
    assert!(Database::open(folder.path()).unwrap().check(true, |_| ()).unwrap().is_empty());
    assert!(Database::open(std::path::Path::new("/nowhere/at/all")).is_err());
}
