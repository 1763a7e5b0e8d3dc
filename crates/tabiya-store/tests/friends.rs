//! Seats that are kept free, taken once, and remembered.

use tabiya_play::{Change, GameEnd, GameSetup, Player, Side, Start};
use tabiya_store::{GameFilter, Store, StoreError};

fn setup() -> GameSetup {
    GameSetup { remote: true, ..GameSetup::new(Start::standard()) }
}

fn player(name: &str) -> Player {
    name.parse().unwrap()
}

#[test]
fn of_all_who_come_at_once_one_has_the_seat_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let id = store.invite(&setup(), Side::White).unwrap();
    let guests: Vec<_> = (0..8)
        .map(|number| {
            let store = store.clone();
            std::thread::spawn(move || {
                let name = player(&format!("human:Guest {number}"));
                store.join(id, Side::White, &name, &number.to_string())
            })
        })
        .collect();
    let results: Vec<_> = guests.into_iter().map(|guest| guest.join().unwrap()).collect();
    let winner = results.iter().position(Result::is_ok).unwrap();
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let stored = store.load(id).unwrap();
    assert_eq!(stored.friend.unwrap().open(), None);
    assert_eq!(stored.setup.players[0], player(&format!("human:Guest {winner}")));
    // Whoever has it may ask again, nobody else.
    let again = player("human:Other");
    assert_eq!(store.join(id, Side::White, &again, &winner.to_string()), Ok(()));
    assert_eq!(store.join(id, Side::White, &again, "late"), Err(StoreError::Taken(id)));
    assert_eq!(store.load(id).unwrap().setup, stored.setup);
}

#[test]
fn other_games_have_no_open_seat() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let id = store.create(&GameSetup::new(Start::standard())).unwrap();
    assert_eq!(store.load(id).unwrap().friend, None);
    let join = store.join(id, Side::White, &Player::HUMAN, "x");
    assert_eq!(join, Err(StoreError::NoGame(id)));
    assert_eq!(store.follow(id, &setup()), Err(StoreError::NoGame(id)));
    let open = store.invite(&setup(), Side::Black).unwrap();
    let wrong = store.join(open, Side::White, &Player::HUMAN, "x");
    assert_eq!(wrong, Err(StoreError::Taken(open)));
    store.delete(open).unwrap();
    let gone = store.join(open, Side::Black, &Player::HUMAN, "x");
    assert_eq!(gone, Err(StoreError::NoGame(open)));
}

#[test]
fn a_game_that_was_broken_off_does_not_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let id = store.invite(&setup(), Side::White).unwrap();
    let end = Some(GameEnd::aborted("The game was aborted"));
    store.change(id, 0, &Change { stays: 0, added: Vec::new(), end: end.clone() }).unwrap();
    assert_eq!(store.load(id).unwrap().past.end, end);
    let unfinished = GameFilter { unfinished: true, ..GameFilter::default() };
    assert_eq!(store.list(&unfinished).unwrap(), []);
    // What two people play elsewhere is not for somebody at a terminal to go on with.
    let here = GameFilter { played_here: true, ..GameFilter::default() };
    assert_eq!(store.list(&here).unwrap(), []);
    assert_eq!(store.list(&GameFilter::default()).unwrap().len(), 1);
}
