//! Lists of many games: complete, in order, whatever is asked, and nobody who plays waits for them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabiya_play::{Change, Entry, GameKind, GameSetup, Player, Side, Start};
use tabiya_store::{GameFilter, GameId, GameSummary, Store};

/// More than are looked at for one page.
const GAMES: usize = 12_000;

/// Many games by many people. Those of the 1800s came first, so that whoever wants them has to go far back.
fn many(folder: &std::path::Path) -> Store {
    let store = Store::open(folder).unwrap();
    let pgn: String = (0..GAMES)
        .map(|number| {
            let year = if number < 1500 { 1800 + number % 100 } else { 2000 + number % 20 };
            let old = if number < 1500 { "Old " } else { "" };
            let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
            format!(
                "[White \"{old}Player {number}\"]\n[Black \"Smith, Jo\"]\n[Date \"{year}.01.01\"]\n\
                 [Result \"{result}\"]\n\n1. e4 {result}\n\n"
            )
        })
        .collect();
    assert_eq!(store.import(pgn.as_bytes()).unwrap().games, GAMES);
    let bishops = GameSetup::new(Start::bishops("3\nKa1\nKc3").unwrap());
    store.create(&bishops).unwrap();
    store.create(&GameSetup::new(Start::standard())).unwrap();
    store
}

/// What a filter means, said once more.
fn meets(filter: &GameFilter, game: &GameSummary) -> bool {
    let has = |text: &String| {
        let text = text.to_lowercase().replace('\0', " ");
        let opening = format!(
            "{} {}",
            game.eco.as_deref().unwrap_or(""),
            game.opening.as_deref().unwrap_or("")
        );
        let texts = [&game.players[0], &game.players[1], &opening].map(|text| text.to_lowercase());
        let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
        words.all(|word| {
            texts.iter().any(|text| text.replace("human:", "").contains(word))
                || game.date.as_ref().is_some_and(|date| date.len() >= 4 && date[..4] == *word)
        })
    };
    let day = game.date.as_deref();
    filter.search.as_ref().is_none_or(has)
        && filter.result.as_ref().is_none_or(|result| game.result == *result)
        && filter.kind.is_none_or(|kind| game.kind == kind)
        && filter.since.as_deref().is_none_or(|since| day.is_some_and(|day| day >= since))
        && filter.until.as_deref().is_none_or(|until| {
            day.is_some_and(|day| day.get(..until.len()).unwrap_or(day) <= until)
        })
        && (!filter.unfinished || game.result == "*")
}

#[test]
fn every_page_of_every_list_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let store = many(folder.path());
    let all = store.list(&GameFilter::default()).unwrap();
    assert_eq!(all.len(), GAMES + 2);
    assert!(all.is_sorted_by_key(|game| std::cmp::Reverse((game.updated, game.id))));
    let some = |text: &str| Some(text.to_owned());
    let filters = [
        GameFilter::default(),
        // Everybody, many, one, nobody.
        GameFilter { search: some("smith"), ..GameFilter::default() },
        GameFilter { search: some("old player"), ..GameFilter::default() },
        GameFilter { search: some("PLAYER 11999"), ..GameFilter::default() },
        GameFilter { search: some("zzzz"), ..GameFilter::default() },
        GameFilter { search: some("h,"), ..GameFilter::default() },
        GameFilter { search: some("q"), ..GameFilter::default() },
        GameFilter { search: some("\" OR name:*"), ..GameFilter::default() },
        GameFilter { search: some("a\0b"), ..GameFilter::default() },
        GameFilter { until: some("1899"), ..GameFilter::default() },
        GameFilter { since: some("1810"), until: some("1815.01"), ..GameFilter::default() },
        GameFilter { search: some("smith"), until: some("18"), ..GameFilter::default() },
        GameFilter { result: some("0-1"), ..GameFilter::default() },
        GameFilter { kind: Some(GameKind::Bishops), ..GameFilter::default() },
        GameFilter { unfinished: true, ..GameFilter::default() },
    ];
    for filter in filters {
        let expected: Vec<GameId> =
            all.iter().filter(|game| meets(&filter, game)).map(|game| game.id).collect();
        for limit in [Some(7_000), None] {
            let mut found = Vec::new();
            let mut after = None;
            loop {
                let page = GameFilter { limit, after, ..filter.clone() };
                let page = store.page(&page).unwrap();
                assert!(limit.is_none_or(|limit| page.games.len() <= limit as usize));
                found.extend(page.games.iter().map(|game| game.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected, "{filter:?}");
        }
        let first = store.list(&GameFilter { limit: Some(3), ..filter.clone() }).unwrap();
        let first: Vec<GameId> = first.iter().map(|game| game.id).collect();
        assert_eq!(first, expected[..expected.len().min(3)], "{filter:?}");
    }
}

#[test]
fn names_are_found_for_as_long_as_somebody_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let found = |text: &str| {
        let filter = GameFilter { search: Some(text.to_owned()), ..GameFilter::default() };
        store.list(&filter).unwrap().len()
    };
    let player = |name: &str| name.parse::<Player>().unwrap();
    let setup = GameSetup {
        remote: true,
        players: [player("human:Ada"), Player::HUMAN],
        ..GameSetup::new(Start::standard())
    };
    let first = store.invite(&setup, Side::Black).unwrap();
    let second = store.invite(&setup, Side::Black).unwrap();
    assert_eq!((found("ada"), found("bo")), (2, 0));
    store.join(first, Side::Black, &player("human:Bo"), "mark").unwrap();
    store.join(second, Side::Black, &player("human:Ada"), "mark").unwrap();
    assert_eq!((found("ada"), found("bo"), found("human")), (2, 1, 0));
    store.forget(first).unwrap();
    assert_eq!((found("ada"), found("bo")), (1, 0));
    store.forget(second).unwrap();
    assert_eq!(found("ada"), 0);
}

#[test]
fn a_move_does_not_wait_for_searches() {
    let folder = tempfile::tempdir().unwrap();
    let store = many(folder.path());
    let game = store.create(&GameSetup::new(Start::standard())).unwrap();
    let over = AtomicBool::new(false);
    let half = std::thread::scope(|scope| {
        for _ in 0..30 {
            scope.spawn(|| {
                // The most work there is: a name that many have, in games that are not there.
                let filter = GameFilter {
                    search: Some("player".to_owned()),
                    played_here: true,
                    ..GameFilter::default()
                };
                while !over.load(Ordering::Relaxed) {
                    assert!(store.page(&filter).unwrap().games.is_empty());
                }
            });
        }
        let mut times = Vec::new();
        for ply in 0..40 {
            let uci = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4].to_owned();
            let added = vec![Entry { uci, clocks: None }];
            let begun = Instant::now();
            store.change(game, ply, &Change { stays: ply, added, end: None }).unwrap();
            times.push(begun.elapsed());
        }
        over.store(true, Ordering::Relaxed);
        times.sort();
        times[times.len() / 2]
    });
    // A machine may be busy with other things; a queue of thirty searches would take much longer.
    assert!(half < Duration::from_millis(200), "half of the moves took {half:?}");
}
