//! Cards: each once, answers in any order and twice, a queue that is quick.

use std::time::{Duration, Instant};

use tabiya_coach::{Grade, Scheduler};
use tabiya_store::{
    Card, CardAnswer, CardDay, CardFilter, CardId, CardKind, NewCard, Store, StoreError,
};

const DAY: i64 = 24 * 3_600_000;

fn card(kind: CardKind, key: &str, tags: &[&str]) -> NewCard {
    let tags = tags.iter().map(ToString::to_string).collect();
    NewCard { kind, key: key.to_owned(), tags, payload: format!("all about {key}") }
}

fn answer(name: &str, grade: Grade, at: i64) -> CardAnswer {
    CardAnswer { name: name.to_owned(), grade, at, how: String::new() }
}

fn at(now: i64) -> CardFilter {
    CardFilter { now, ..CardFilter::default() }
}

fn keys(cards: &[Card]) -> Vec<&str> {
    cards.iter().map(|card| card.content.key.as_str()).collect()
}

#[test]
fn a_card_is_there_once_and_keeps_its_answers() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let first = card(CardKind::Exercise, "a", &["fork"]);
    let other = card(CardKind::Ending, "a", &[]);
    assert_eq!(store.add_cards(vec![first.clone(), other, first.clone()]), Ok(2));
    let id = store.find_card(CardKind::Exercise, "a").unwrap().unwrap().id;
    let now = CardFilter::default().now;
    let answered = store.answer_card(id, answer("x", Grade::Good, now)).unwrap();
    // It is told anew, and sits as before.
    let again = NewCard { payload: "more about a".into(), tags: vec![], ..first };
    assert_eq!(store.add_cards(vec![again.clone()]), Ok(0));
    let expected = Card { content: again, ..answered };
    assert_eq!(store.card(id).as_ref(), Ok(&expected));
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.card(id), Ok(expected));
    assert_eq!(store.list_cards(CardKind::Exercise, None, 9).unwrap().len(), 1);
    assert!(store.list_cards(CardKind::Exercise, Some(id), 9).unwrap().is_empty());
    let none = CardId(99);
    assert_eq!(store.card(none), Err(StoreError::NoCard(none)));
    let refused = store.answer_card(none, answer("x", Grade::Good, now));
    assert_eq!(refused, Err(StoreError::NoCard(none)));
    assert!(tabiya_store::check(folder.path()).unwrap().faults.is_empty());
}

#[test]
fn answers_count_once_and_in_the_order_of_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.add_cards(["a", "b", "c"].map(|key| card(CardKind::Opening, key, &[])).to_vec()).unwrap();
    let begin = CardFilter::default().now - 30 * DAY;
    let given = [
        answer("1", Grade::Again, begin),
        answer("2", Grade::Good, begin + DAY),
        answer("3", Grade::Easy, begin + 9 * DAY),
    ];
    let scheduler = Scheduler::default();
    let expected = given
        .iter()
        .fold(None, |memory, one| Some(scheduler.answer(memory.as_ref(), one.grade, one.at)));
    for (id, order) in [(1, [0, 1, 2]), (2, [2, 0, 1]), (3, [1, 2, 0])] {
        for index in order {
            store.answer_card(CardId(id), given[index].clone()).unwrap();
            store.answer_card(CardId(id), given[index].clone()).unwrap();
        }
        assert_eq!(store.card(CardId(id)).unwrap().memory, expected);
        assert_eq!(store.card_answers(CardId(id)).unwrap(), given);
    }
    // A correction takes the place of the first answer, and its time.
    let corrected = answer("3", Grade::Hard, begin + 20 * DAY);
    let card = store.answer_card(CardId(1), corrected).unwrap();
    assert_eq!(card.memory.unwrap().answered, begin + 9 * DAY);
    assert!(card.memory.unwrap().due < expected.unwrap().due);
    let answers = store.card_answers(CardId(1)).unwrap();
    assert_eq!(
        answers.iter().map(|one| one.grade).collect::<Vec<_>>()[1..],
        [Grade::Good, Grade::Hard]
    );
    // Nobody answers tomorrow's question.
    let early = answer("4", Grade::Good, CardFilter::default().now + 50 * DAY);
    let memory = store.answer_card(CardId(1), early).unwrap().memory.unwrap();
    assert!(memory.answered <= CardFilter::default().now);
}

#[test]
fn what_has_waited_longest_comes_first_and_new_cards_are_rationed() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let names: Vec<String> = (0..9).map(|number| format!("e{number}")).collect();
    let new = |name: &String| {
        card(CardKind::Exercise, name, &[if name.as_str() < "e5" { "pin" } else { "fork" }])
    };
    store.add_cards(names.iter().map(new).collect()).unwrap();
    store.add_cards(vec![card(CardKind::Ending, "lucena", &[])]).unwrap();
    let now = CardFilter::default().now;
    // Answered long ago, the third before the second; the first comes back only later.
    for (id, grade, days) in [(1, Grade::Easy, 5), (2, Grade::Good, 5), (3, Grade::Good, 6)] {
        store.answer_card(CardId(id), answer("x", grade, now - days * DAY)).unwrap();
    }
    let queue = store.due_cards(&CardFilter { new_a_day: 2, ..at(now) }).unwrap();
    assert_eq!((keys(&queue.cards), queue.due, queue.new), (vec!["e2", "e1", "e3", "e4"], 2, 2));
    let queue = store.due_cards(&CardFilter { limit: 1, ..at(now) }).unwrap();
    assert_eq!((keys(&queue.cards), queue.due, queue.new), (vec!["e2"], 2, 7));
    // One begun today is one less; one of another kind does not count.
    store.answer_card(CardId(4), answer("x", Grade::Easy, now)).unwrap();
    let two = CardFilter { new_a_day: 2, ..at(now) };
    assert_eq!(store.due_cards(&two).unwrap().new, 1);
    let endings = CardFilter { kind: Some(CardKind::Ending), ..two.clone() };
    assert_eq!(keys(&store.due_cards(&endings).unwrap().cards), ["lucena"]);
    let forks = CardFilter { tag: Some("fork".into()), ..at(now) };
    assert_eq!(keys(&store.due_cards(&forks).unwrap().cards), ["e5", "e6", "e7", "e8"]);
    // What was put aside does not come, what is forgotten is gone.
    store.set_cards_aside(&[CardId(3)], true).unwrap();
    store.forget_cards(&[CardId(2)]).unwrap();
    let none = CardFilter { new_a_day: 0, ..at(now) };
    let queue = store.due_cards(&none).unwrap();
    let next = store.card(CardId(1)).unwrap().memory.unwrap().due;
    assert_eq!((queue.cards.len(), queue.due, queue.next), (0, 0, Some(next)));
    store.set_cards_aside(&[CardId(3)], false).unwrap();
    assert_eq!(keys(&store.due_cards(&none).unwrap().cards), ["e2"]);
    assert!(store.set_cards_aside(&[CardId(3), CardId(2)], true).is_err());
    assert!(!store.card(CardId(3)).unwrap().aside);
}

#[test]
fn the_report_counts_days_and_topics() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store
        .add_cards(vec![
            card(CardKind::Exercise, "a", &["fork", "pin"]),
            card(CardKind::Exercise, "b", &["pin"]),
            card(CardKind::Exercise, "c", &["skewer"]),
        ])
        .unwrap();
    let now = CardFilter::default().now;
    let given = [
        (1, "1", Grade::Good, 9),
        (1, "2", Grade::Again, 8),
        (1, "3", Grade::Good, 7),
        (2, "1", Grade::Again, 1),
        (2, "2", Grade::Good, 0),
    ];
    for (id, name, grade, days) in given {
        store.answer_card(CardId(id), answer(name, grade, now - days * DAY)).unwrap();
    }
    // Corrected: it counts once.
    store.answer_card(CardId(2), answer("2", Grade::Easy, now)).unwrap();
    let report = store.card_report(None, now).unwrap();
    assert_eq!((report.cards, report.unseen, report.streak, report.best), (3, 1, 2, 3));
    assert_eq!(
        report.days.iter().map(|day| (day.cards, day.missed)).collect::<Vec<_>>(),
        [(1, 0), (1, 1), (1, 0), (1, 1), (1, 0)]
    );
    assert_eq!(report.forecast.len(), 30);
    assert_eq!(report.forecast[0].day, report.days[4].day);
    let due: Vec<i64> = [1, 2].map(|id| store.card(CardId(id)).unwrap().memory.unwrap().due).into();
    let ahead = |day: &CardDay| day.cards;
    let soon = due.iter().filter(|&&due| due < now + 20 * DAY).count() as u32;
    assert_eq!(report.forecast[..22].iter().map(ahead).sum::<u32>(), soon);
    let tags: Vec<_> = report
        .tags
        .iter()
        .map(|one| (one.tag.as_str(), one.cards, one.answers, one.missed))
        .collect();
    assert_eq!(tags, [("pin", 2, 5, 2), ("fork", 1, 3, 1), ("skewer", 1, 0, 0)]);
    let endings = store.card_report(Some(CardKind::Ending), now).unwrap();
    assert_eq!((endings.cards, endings.streak, endings.days.len()), (0, 0, 0));
}

#[test]
fn ten_thousand_cards_have_a_quick_queue() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let kinds = [CardKind::Exercise, CardKind::Exercise, CardKind::Ending, CardKind::Opening];
    let many = (0..10_000)
        .map(|number| NewCard {
            // As long as one of our exercises.
            payload: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ".repeat(8),
            ..card(kinds[number % 4], &number.to_string(), &["fork", "missed-win"])
        })
        .collect();
    assert_eq!(store.add_cards(many), Ok(10_000));
    let now = CardFilter::default().now;
    std::thread::scope(|scope| {
        // Answers that come together share the cost of the disk.
        for thread in 0..16 {
            let store = &store;
            scope.spawn(move || {
                for id in (thread..8000).step_by(16) {
                    let grade = Grade::ALL[id as usize % 4];
                    let days = id % 40 + 1;
                    store
                        .answer_card(CardId(id + 1), answer("x", grade, now - days * DAY))
                        .unwrap();
                }
            });
        }
    });
    let best = |filter: &CardFilter| {
        let once = |_| {
            let begun = Instant::now();
            let queue = store.due_cards(filter).unwrap();
            assert_eq!(queue.cards.len(), 20);
            assert!(queue.due > 1000);
            begun.elapsed()
        };
        (0..20).map(once).min().unwrap()
    };
    let all = best(&at(now));
    let one_kind = best(&CardFilter { kind: Some(CardKind::Exercise), ..at(now) });
    let one_tag = best(&CardFilter { tag: Some("fork".into()), ..at(now) });
    println!("{all:?} for all, {one_kind:?} for exercises, {one_tag:?} for a tag");
    assert!(all.max(one_kind).max(one_tag) < Duration::from_millis(10));
}
