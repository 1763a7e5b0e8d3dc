//! The library: sorted by anything, searched by words, counted, brought over from older files, nothing kept twice.

use std::path::Path;

use sqlx::{ConnectOptions as _, Connection as _};
use tabiya_play::{Change, Entry, GameKind, GameSetup, Start};
use tabiya_store::{GameFilter, GameId, GameSort, GameSummary, Store};

/// Names as they are written, and as they are sorted.
const NAMES: [(&str, &str); 8] = [
    ("Carlsen, Magnus", "carlsen, magnus"),
    ("Anand, Viswanathan", "anand, viswanathan"),
    ("Polgár, Judit", "polgar, judit"),
    ("Алехин", "алехин"),
    ("José Ferreira", "jose ferreira"),
    ("Łukasz Weiß", "lukasz weiss"),
    ("Ørsted", "orsted"),
    ("?", "human"),
];
const EVENTS: [(&str, &str); 4] = [
    ("?", ""),
    ("Linares", "linares"),
    ("Köln Open", "koln open"),
    ("WIJK AAN ZEE", "wijk aan zee"),
];
const MOVES: [&str; 4] = ["1. e4 c5 2. Nf3 d6", "1. d4 d5 2. c4 e6", "1. a3 h6", "1. e4 e5"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
const DATES: [&str; 5] = ["????.??.??", "1929.??.??", "1929.05.01", "2024.02.29", "1858.11.??"];

/// Numbers that look like chance, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

fn some_games(store: &Store, dice: &mut Dice, count: usize) {
    let game = |_| {
        let (white, black) = (dice.one(&NAMES).0, dice.one(&NAMES).0);
        let elo = ["", "2100", "2755", "800"];
        let (white_elo, black_elo) = (dice.one(&elo), dice.one(&elo));
        let (event, date, result) = (dice.one(&EVENTS).0, dice.one(&DATES), dice.one(&RESULTS));
        let moves = dice.one(&MOVES);
        format!(
            "[Event \"{event}\"]\n[Date \"{date}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
             [WhiteElo \"{white_elo}\"]\n[BlackElo \"{black_elo}\"]\n\n{moves} {result}\n\n"
        )
    };
    let pgn: String = (0..count).map(game).collect();
    store.import(pgn.as_bytes()).unwrap();
}

fn folded(name: &str) -> &'static str {
    let plain = name.strip_prefix("human:").unwrap_or("?");
    NAMES.iter().find(|(known, _)| *known == plain).unwrap().1
}

/// What a game is sorted by: a number, or a text; nothing is what is not known.
fn key(sort: GameSort, game: &GameSummary) -> (i64, String) {
    let number = |number: Option<u32>| (number.map_or(0, i64::from), String::new());
    let text = |text: &str| (0, text.to_owned());
    match sort {
        GameSort::Updated => (game.updated, String::new()),
        GameSort::Date => text(&game.date.as_deref().unwrap_or("").replace('?', "0")),
        GameSort::White => text(folded(&game.players[0])),
        GameSort::Black => text(folded(&game.players[1])),
        GameSort::WhiteElo => number(game.elo[0]),
        GameSort::BlackElo => number(game.elo[1]),
        GameSort::Event => {
            let event = game.event.as_deref().unwrap_or("?");
            text(EVENTS.iter().find(|(known, _)| *known == event).unwrap().1)
        }
        GameSort::Opening => {
            let name = |part: &Option<String>| part.as_deref().unwrap_or("").to_lowercase();
            text(format!("{} {}", name(&game.eco), name(&game.opening)).trim())
        }
        GameSort::Result => text(&game.result),
        GameSort::Plies => (i64::from(game.plies), String::new()),
        GameSort::Deleted => (game.deleted.unwrap_or(0), String::new()),
    }
}

fn is_unknown(sort: GameSort, key: &(i64, String)) -> bool {
    let can_be = !matches!(sort, GameSort::Updated | GameSort::Plies | GameSort::Deleted);
    can_be && *key == (0, String::new())
}

/// A list as one would write it down by hand.
fn by_hand(all: &[GameSummary], filter: &GameFilter) -> Vec<GameId> {
    let mut games: Vec<&GameSummary> = all.iter().filter(|game| meets(filter, game)).collect();
    games.sort_by(|one, other| {
        let (first, second) = (key(filter.sort, one), key(filter.sort, other));
        let known = is_unknown(filter.sort, &first).cmp(&is_unknown(filter.sort, &second));
        let order = (first, one.id).cmp(&(second, other.id));
        known.then(if filter.ascending { order } else { order.reverse() })
    });
    games.iter().map(|game| game.id).collect()
}

fn meets(filter: &GameFilter, game: &GameSummary) -> bool {
    let opening = key(GameSort::Opening, game).1;
    let texts = [
        folded(&game.players[0]),
        folded(&game.players[1]),
        &key(GameSort::Event, game).1,
        &opening,
    ];
    let year = game.date.as_deref().map_or("", |date| &date[..4]);
    let mut words =
        filter.search.as_deref().unwrap_or("").split([' ', ',']).filter(|word| !word.is_empty());
    words.all(|word| word == year || texts.iter().any(|text| text.contains(word)))
        && filter.result.as_ref().is_none_or(|result| *result == game.result)
        && filter.imported.is_none_or(|imported| imported == game.imported)
        && filter.deleted == game.deleted.is_some()
        && filter.since.as_deref().is_none_or(|since| {
            game.date.as_ref().is_some_and(|date| *date.replace('?', "9") >= *since)
        })
        && filter.until.as_deref().is_none_or(|until| {
            game.date.as_ref().is_some_and(|date| date.replace('?', "0")[..until.len()] <= *until)
        })
}

#[test]
fn every_order_of_every_list_goes_on_from_page_to_page() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut dice = Dice(20);
    some_games(&store, &mut dice, 400);
    for _ in 0..5 {
        store.create(&GameSetup::new(Start::standard())).unwrap();
    }
    let shown = store.list(&GameFilter::default()).unwrap();
    for game in shown.iter().step_by(7) {
        store.delete(game.id).unwrap();
    }
    let bin = GameFilter { deleted: true, ..GameFilter::default() };
    let all = [store.list(&GameFilter::default()).unwrap(), store.list(&bin).unwrap()].concat();
    assert_eq!(all.len(), shown.len());
    let mut found = 0;
    for _ in 0..300 {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let search = [
            "",
            "",
            "",
            "polgar",
            "carlsen anand",
            "anand, carlsen",
            "алехин",
            "weiss",
            "sicilian",
            "b50",
            "open jose",
            "1929",
            "1929 linares",
            "orsted queen",
            "zz",
            "o",
        ];
        let filter = GameFilter {
            search: some(dice.one(&search)),
            result: some(dice.one(&["", "", "1-0", "*"])),
            since: some(dice.one(&["", "", "1929.03.01"])),
            until: some(dice.one(&["", "", "1929", "2024.02"])),
            imported: dice.one(&[None, None, Some(true), Some(false)]),
            deleted: dice.below(4) == 0,
            sort: dice.one(&GameSort::ALL),
            ascending: dice.below(2) == 0,
            limit: Some(1 + dice.below(60) as u32),
            ..GameFilter::default()
        };
        let sort = match filter.sort {
            // Nothing else has ever come into the bin.
            GameSort::Deleted if !filter.deleted => GameSort::Updated,
            sort => sort,
        };
        let expected = by_hand(&all, &GameFilter { sort, ..filter.clone() });
        let mut pages = Vec::new();
        let mut after = None;
        loop {
            let page = store.page(&GameFilter { after, ..filter.clone() }).unwrap();
            assert!(page.games.len() <= filter.limit.unwrap() as usize);
            pages.extend(page.games.iter().map(|game| game.id));
            // What is read back from its text is the same place.
            after = page.next.map(|place| place.to_string().parse().unwrap());
            if after.is_none() {
                break;
            }
        }
        assert_eq!(pages, expected, "{filter:?}");
        let count = store.count(&filter).unwrap();
        assert_eq!((count.games, count.more), (expected.len() as u64, false), "{filter:?}");
        found += expected.len();
    }
    assert!(found > 5_000, "the questions find something: {found}");
}

fn found(store: &Store, search: &str) -> usize {
    let filter = GameFilter { search: Some(search.to_owned()), ..GameFilter::default() };
    store.list(&filter).unwrap().len()
}

#[test]
fn a_game_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let game = |white: &str, date: &str, moves: &str| {
        format!(
            "[Date \"{date}\"]\n[White \"{white}\"]\n[Black \"Bo\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
        )
    };
    let first = game("Ada", "2020.01.01", "1. e4 e5");
    let file = [
        first.clone(),
        game("Ada", "2020.01.02", "1. e4 e5"),
        game("Zoe", "2020.01.01", "1. e4 e5"),
        game("Ada", "2020.01.01", "1. e4 e5 2. Nf3"),
        // The same with other words in it.
        game("ADA", "2020.01.01", "1. e4 {well} e5"),
        "[White \"Bad\"]\n\n1. e5 *\n".to_owned(),
    ]
    .concat();
    let imported = store.import(file.as_bytes()).unwrap();
    assert_eq!((imported.games, imported.known, imported.bad), (4, 1, 1));
    assert_eq!(imported.complaints[0].number, 6);
    let again = store.import(file.as_bytes()).unwrap();
    assert_eq!((again.games, again.known, again.bad), (0, 5, 1));
    assert_eq!(store.count(&GameFilter::default()).unwrap().games, 4);
    // From the bin it comes back, and one that was played on is another.
    store.delete(GameId(1)).unwrap();
    let back = store.import(first.as_bytes()).unwrap();
    assert_eq!((back.games, back.known, back.restored), (0, 0, 1));
    let added = vec![Entry { uci: "g1f3".to_owned(), clocks: None }];
    store.change(GameId(1), 2, &Change { stays: 2, added, end: None }).unwrap();
    assert_eq!(store.import(first.as_bytes()).unwrap().games, 1);
}

#[test]
fn openings_are_named_by_their_tags_or_by_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let pgn = "[White \"A\"]\n[ECO \"B90\"]\n[Opening \"Najdorf\"]\n[WhiteElo \"2800\"]\n\n1. e4 c5 *\n\n\
               [White \"B\"]\n[ECO \"?\"]\n[WhiteElo \"many\"]\n\n1. e4 c5 *\n";
    store.import(pgn.as_bytes()).unwrap();
    let id = store.create(&GameSetup::new(Start::standard())).unwrap();
    let of = |id| {
        let game = store.load(id).unwrap().summary;
        (game.eco.unwrap_or_default(), game.opening.unwrap_or_default(), game.elo[0])
    };
    let name = |eco: &str, name: &str, elo| (eco.to_owned(), name.to_owned(), elo);
    assert_eq!(of(GameId(1)), name("B90", "Najdorf", Some(2800)));
    assert_eq!(of(GameId(2)), name("B20", "Sicilian Defence", None));
    assert_eq!(of(id), name("", "", None));
    // While it is played, and when moves are taken back.
    let add = |stays, codes: &[&str]| {
        let had = store.load(id).unwrap().past.entries.len();
        let added =
            codes.iter().map(|uci| Entry { uci: (*uci).to_owned(), clocks: None }).collect();
        store.change(id, had, &Change { stays, added, end: None }).unwrap();
        of(id).1
    };
    assert_eq!(add(0, &["e2e4", "c7c5"]), "Sicilian Defence");
    assert_eq!(found(&store, "sicilian"), 3 - 1);
    assert_eq!(add(1, &["d7d5"]), "Scandinavian Defence");
    assert_eq!((found(&store, "sicilian"), found(&store, "scandinavian b01")), (1, 1));
    assert_eq!((found(&store, "najdorf"), found(&store, "b90 a")), (1, 1));
}

#[test]
fn many_games_go_and_come_together() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    some_games(&store, &mut Dice(3), 30);
    let ids: Vec<GameId> =
        store.list(&GameFilter::default()).unwrap().iter().map(|game| game.id).collect();
    let count = |deleted| {
        store.count(&GameFilter { deleted, ..GameFilter::default() }).unwrap().games as usize
    };
    let unknown = [ids.as_slice(), &[GameId(999)]].concat();
    assert!(store.delete_all(&unknown).is_err());
    assert_eq!((count(false), count(true)), (ids.len(), 0), "all or none");
    store.delete_all(&ids).unwrap();
    assert_eq!((count(false), count(true)), (0, ids.len()));
    store.restore_all(&ids[5..]).unwrap();
    assert!(store.empty_bin(&ids[..6]).is_err());
    store.empty_bin(&ids[..5]).unwrap();
    assert_eq!((count(false), count(true)), (ids.len() - 5, 0));
    for &id in &ids[5..] {
        store.forget(id).unwrap();
    }
    assert_eq!((count(false), found(&store, "carlsen")), (0, 0));
}

/// A file of the fourth format with many games.
fn write_old(folder: &Path, games: usize) {
    let more = format!(
        "DELETE FROM games; DELETE FROM moves;
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {games})
         INSERT INTO games (id, kind, start, white, black, seed, take_backs, date, result, ending, event, record, created, updated)
         SELECT n, 'chess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'human:Player ' || n, 'human:Zoé', 0, 1,
                '1999.01.01', '1-0', 'Over', 'Köln', '[WhiteElo \"2000\"]' || char(10, 10) || '1. e4 e5 1-0', 1, n
         FROM numbers;
         INSERT INTO moves (game, ply, code) SELECT id, 1, 'e2e4' FROM games UNION ALL SELECT id, 2, 'e7e5' FROM games;"
    );
    let path = folder.join("games.db");
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).foreign_keys(false);
        let mut file = options.create_if_missing(true).connect().await.unwrap();
        sqlx::raw_sql(include_str!("data/format-4.sql")).execute(&mut file).await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(more)).execute(&mut file).await.unwrap();
        file.close().await.unwrap();
    });
}

#[test]
fn an_older_file_is_brought_over_piece_by_piece() {
    const GAMES: usize = 3000;
    let folder = tempfile::tempdir().unwrap();
    write_old(folder.path(), GAMES);
    // Ended again and again before it is done, it goes on where it was.
    let mut left = u64::MAX;
    while left > 0 {
        let store = Store::open(folder.path()).unwrap();
        let count = store.count(&GameFilter::default()).unwrap();
        assert!(count.uncatalogued == 0 || count.uncatalogued < left, "it goes on");
        left = count.uncatalogued;
        store.close();
    }
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.count(&GameFilter::default()).unwrap().games as usize, GAMES);
    let by_name = GameFilter {
        search: Some("zoe koln 1999 c20".to_owned()),
        sort: GameSort::White,
        ascending: true,
        ..GameFilter::default()
    };
    let games = store.list(&by_name).unwrap();
    assert_eq!((games.len(), games[0].elo[0], games[0].imported), (GAMES, Some(2000), true));
    assert_eq!(games[0].kind, GameKind::Chess);
    // And what came in then is known again now.
    let same = "[Date \"1999.01.01\"]\n[White \"Player 7\"]\n[Black \"Zoe\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    assert_eq!(store.import(same.as_bytes()).unwrap().known, 1);
}

#[test]
fn a_list_of_an_older_file_is_whole_from_the_start() {
    let folder = tempfile::tempdir().unwrap();
    write_old(folder.path(), 3000);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.list(&GameFilter::default()).unwrap().len(), 3000);
}
