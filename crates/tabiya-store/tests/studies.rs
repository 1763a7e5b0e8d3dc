//! Studies on the disk.

use tabiya_store::{ChapterChange, KeptStudy, MOST_CHAPTERS, Store, StoreError, StudyId};

fn study(title: &str) -> KeptStudy {
    KeptStudy { title: title.to_owned(), pgn: "1. e4 (1. d4) *".to_owned(), here: 2, sequence: 5 }
}

#[test]
fn studies_outlive_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let first = store.add_study(&study("first")).unwrap();
    let second = store.add_study(&study("second")).unwrap();
    let changed = KeptStudy { pgn: "1. c4 *".to_owned(), sequence: u64::MAX, ..study("first") };
    // A moment later: times are kept in milliseconds.
    std::thread::sleep(std::time::Duration::from_millis(5));
    store.keep_study(first, 5, &changed).unwrap();
    // Whoever has read it before that has an old one.
    assert_eq!(store.keep_study(first, 5, &study("mine")), Err(StoreError::StudyChanged(first)));
    store.delete_study(second).unwrap();
    drop(store);

    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.load_study(first).unwrap(), changed);
    assert_eq!(store.load_study(second), Err(StoreError::NoStudy(second)));
    assert_eq!(store.keep_study(second, 5, &changed), Err(StoreError::NoStudy(second)));
    assert_eq!(store.restore_study(StudyId(9)), Err(StoreError::NoStudy(StudyId(9))));
    store.restore_study(second).unwrap();
    let titles: Vec<String> =
        store.list_studies(9, None).unwrap().into_iter().map(|one| one.title).collect();
    assert_eq!(titles, ["first", "second"], "the one that was touched last comes first");
    let first = &store.list_studies(1, None).unwrap()[0];
    let rest = store.list_studies(9, Some(first.place())).unwrap();
    assert_eq!(rest.len(), titles.len() - 1);
    assert!(rest.iter().all(|study| study.id != first.id));
}

#[test]
fn chapters_keep_their_order_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let id = store.add_book("Three", &["a", "b", "c"].map(study)).unwrap();
    let titles = |store: &Store| -> Vec<String> {
        store.load_book(id).unwrap().chapters.into_iter().map(|one| one.title).collect()
    };
    let chapters = store.load_book(id).unwrap().chapters;
    let [a, b, c] = [0, 1, 2].map(|place: usize| chapters[place].id);
    assert_eq!(a, id, "the first gives the study its number");
    store.change_chapters(id, &ChapterChange::Move(c, 0)).unwrap();
    assert_eq!(titles(&store), ["c", "a", "b"]);
    // The one with the study's number can go; the study stays, and so do the others.
    store.change_chapters(b, &ChapterChange::Delete(a)).unwrap();
    assert_eq!(titles(&store), ["c", "b"]);
    assert_eq!(store.load_study(a), Err(StoreError::NoStudy(a)));
    assert_eq!(store.keep_study(a, 5, &study("late")), Err(StoreError::NoStudy(a)));
    let listed = &store.list_studies(9, None).unwrap()[..];
    assert_eq!((listed.len(), listed[0].chapters, listed[0].first), (1, 2, c));
    assert_eq!(listed[0].title, "Three");
    drop(store);

    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.change_chapters(id, &ChapterChange::Restore(a)), Ok(a));
    assert_eq!(titles(&store), ["c", "a", "b"]);
    store.change_chapters(id, &ChapterChange::Name("Four".to_owned())).unwrap();
    let new = store.change_chapters(id, &ChapterChange::Add(vec![study("d")])).unwrap();
    assert_eq!(store.load_book(new).unwrap().title, "Four");
    assert_eq!(titles(&store), ["c", "a", "b", "d"]);
    // Nothing of another study can be taken out or brought in, and there is an end to them.
    let other = store.add_study(&study("other")).unwrap();
    for change in [ChapterChange::Delete(other), ChapterChange::Restore(other)] {
        assert_eq!(store.change_chapters(id, &change), Err(StoreError::NoStudy(other)));
    }
    let last = ChapterChange::Delete(other);
    assert_eq!(store.change_chapters(other, &last), Err(StoreError::LastChapter));
    let many = ChapterChange::Add(vec![study("x"); MOST_CHAPTERS - 3]);
    assert_eq!(store.change_chapters(id, &many), Err(StoreError::TooManyChapters(MOST_CHAPTERS)));
    assert_eq!(titles(&store).len(), 4);
    // What is said in a chapter counts for the study; deleted, it takes them along, and brings them back.
    std::thread::sleep(std::time::Duration::from_millis(5));
    store.keep_study(b, 5, &KeptStudy { sequence: 6, ..study("b") }).unwrap();
    assert_eq!(store.list_studies(1, None).unwrap()[0].id, id);
    store.delete_study(id).unwrap();
    assert_eq!(store.load_study(b), Err(StoreError::NoStudy(b)));
    assert_eq!(store.load_book(b), Err(StoreError::NoStudy(b)));
    store.restore_study(id).unwrap();
    assert_eq!(store.load_study(b).unwrap().sequence, 6);
}
