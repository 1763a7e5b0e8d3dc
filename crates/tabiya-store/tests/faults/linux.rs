use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tabiya_coach::Grade;
use tabiya_play::{Change, Entry, GameSetup, Start};
use tabiya_store::{
    CardAnswer, CardId, CardKind, GameFilter, KeptStudy, NewCard, Store, StoreError, StudySummary,
    check, check_copy, restore,
};

use crate::injection::{Fault, every_fault};

const MOVES: [&str; 3] = ["e2e4", "e7e5", "g1f3"];
/// A study at first, and after each step.
const STUDY: [&str; 3] = ["*", "1. e4 *", "1. e4 e5 *"];
const RECORDS: &str = "[White \"Ada\"]\n\n1. e4 e5 *\n\n[White \"Bob\"]\n\n1. d4 *\n";

pub(super) fn main() {
    match std::env::var("FAULT_TASK").as_deref() {
        Ok("play") => play(&folder()).unwrap_or_else(|error| println!("refused {error}")),
        Ok("study") => study(&folder()).unwrap_or_else(|error| println!("refused {error}")),
        Ok("copy") => copy(&folder()),
        _ => {
            println!("{} faults while a game is played", every_fault(a_game_survives));
            let met = every_fault(a_study_and_an_import_survive);
            println!("{met} faults while studies, imports and cards are worked on");
            println!("{} faults while copies are made and restored", every_fault(copies_survive));
        }
    }
}

fn folder() -> PathBuf {
    std::env::var_os("FAULT_FOLDER").unwrap().into()
}

/// What was refused once may be done then.
fn twice<T>(attempt: impl Fn() -> Result<T, StoreError>) -> Result<T, StoreError> {
    attempt().or_else(|error| {
        println!("refused {error}");
        attempt()
    })
}

/// Begins a study and makes its steps, brings games in, answers a card, and tells what is confirmed.
fn study(folder: &Path) -> Result<(), StoreError> {
    let store = Store::open(folder)?;
    let states: Vec<KeptStudy> = STUDY.into_iter().zip(0..).map(study_at).collect();
    let id = twice(|| store.add_study(&states[0]))?;
    println!("confirmed study");
    for state in &states[1..] {
        twice(|| store.keep_study(id, state.sequence - 1, state))?;
        println!("confirmed step");
    }
    let imported = twice(|| store.import(RECORDS.as_bytes()))?;
    assert_eq!((imported.games + imported.known, imported.bad), (2, 0));
    println!("confirmed import");
    let card =
        NewCard { kind: CardKind::Ending, key: "a".into(), tags: vec![], payload: "".into() };
    twice(|| store.add_cards(vec![card.clone()]))?;
    let answer = CardAnswer { name: "1".into(), grade: Grade::Good, at: 1, how: "".into() };
    twice(|| store.answer_card(CardId(1), answer.clone()))?;
    println!("confirmed answer");
    Ok(())
}

fn study_at((pgn, sequence): (&str, u64)) -> KeptStudy {
    KeptStudy { title: "Ends".into(), pgn: pgn.into(), here: sequence as u32, sequence }
}

/// Plays a game, and tells what is confirmed. Everything is tried twice.
fn play(folder: &Path) -> Result<(), StoreError> {
    let store = Store::open(folder)?;
    let setup = GameSetup::new(Start::standard());
    let id = twice(|| store.create(&setup))?;
    for (had, uci) in MOVES.iter().enumerate() {
        let added = vec![Entry { uci: (*uci).to_owned(), clocks: None }];
        let change = Change { stays: had, added, end: None };
        twice(|| store.change(id, had, &change))?;
        println!("confirmed {uci}");
    }
    store.load(id).map(drop)
}

/// Makes a copy, and restores another.
fn copy(folder: &Path) {
    let tell = |result: Result<(), StoreError>| match result {
        Ok(()) => println!("confirmed"),
        Err(error) => println!("refused {error}"),
    };
    tell(Store::open(folder).and_then(|store| store.backup(&folder.join("copy.db"))));
    let other = std::env::var_os("FAULT_OTHER").unwrap();
    tell(restore(folder, Path::new(&other)).map(drop));
}

/// Has a task done that meets the fault; whether it did, and what was said.
fn run(fault: &Fault<'_>, task: &str, folder: &Path, other: &Path) -> (bool, Vec<String>) {
    let mark = folder.with_extension("mark");
    let mut command = Command::new(std::env::current_exe().unwrap());
    fault.meet(&mut command, folder, &mark);
    command.env("FAULT_TASK", task).env("FAULT_OTHER", other);
    let Output { status, stdout, stderr } = command.output().unwrap();
    // Nothing ends by a signal or a panic, and every refusal is a sentence.
    let said = String::from_utf8(stderr).unwrap();
    assert!(status.success() && said.is_empty(), "{}: {status} {said}", fault.name());
    let lines: Vec<String> =
        String::from_utf8(stdout).unwrap().lines().map(ToOwned::to_owned).collect();
    for line in &lines {
        let sentence = line.strip_prefix("refused ").is_none_or(|why| why.contains(' '));
        assert!(sentence || line.starts_with("confirmed"), "{}: {line}", fault.name());
    }
    (mark.exists(), lines)
}

/// The moves of the only game that is kept, if there is one; all that is kept is sound.
fn kept(folder: &Path, fault: &Fault<'_>) -> Vec<String> {
    let checked = check(folder).unwrap_or_else(|error| panic!("{}: {error}", fault.name()));
    assert!(checked.faults.is_empty(), "{}: {:?}", fault.name(), checked.faults);
    let store = Store::open(folder).unwrap();
    let games = store.list(&GameFilter::default()).unwrap();
    let moves = |id| store.load(id).unwrap().past.entries.into_iter().map(|entry| entry.uci);
    games.first().map(|game| moves(game.id).collect()).unwrap_or_default()
}

fn a_game_survives(fault: &Fault<'_>) -> bool {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("games");
    let (met, said) = run(fault, "play", &folder, &folder);
    let confirmed: Vec<&str> =
        said.iter().filter_map(|line| line.strip_prefix("confirmed ")).collect();
    let kept = kept(&folder, fault);
    assert!(kept.starts_with(&confirmed.iter().map(ToString::to_string).collect::<Vec<_>>()));
    // If the disk fails while it says that a move is there, the move may be there though it was refused.
    assert!(kept.len() <= confirmed.len() + 1, "{}: {kept:?} after {said:?}", fault.name());
    let refused = said.iter().any(|line| line.starts_with("refused"));
    assert!(confirmed.len() == MOVES.len() || refused, "{}: {said:?}", fault.name());
    assert!(fault.is_lasting() || met || kept.len() == MOVES.len(), "{}", fault.name());
    met
}

fn a_study_and_an_import_survive(fault: &Fault<'_>) -> bool {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("games");
    let (met, said) = run(fault, "study", &folder, &folder);
    let is = |what: &&String, word: &str| what.strip_prefix("confirmed ") == Some(word);
    let confirmed = said.iter().filter(|line| is(line, "study") || is(line, "step")).count();
    let checked = check(&folder).unwrap_or_else(|error| panic!("{}: {error}", fault.name()));
    assert!(checked.faults.is_empty(), "{}: {:?}", fault.name(), checked.faults);
    let store = Store::open(&folder).unwrap();
    let studies = store.list_studies(9, None).unwrap();
    let load = |one: &StudySummary| store.load_study(one.id).unwrap();
    let furthest = studies.iter().map(load).max_by_key(|study| study.sequence);
    let steps = furthest.as_ref().map_or(0, |study| study.sequence as usize + 1);
    // As with moves, the disk may fail while it says that a step is there.
    assert!((confirmed..=confirmed + 1).contains(&steps), "{}: {steps} {said:?}", fault.name());
    if let Some(study) = furthest {
        assert_eq!(study, study_at((STUDY[steps - 1], study.sequence)), "{}", fault.name());
    }
    // Games of one text come in together.
    let games = store.list(&GameFilter::default()).unwrap().len();
    let imported = said.iter().any(|line| line == "confirmed import");
    assert!(games == 2 || games == 0 && !imported, "{}: {games} {said:?}", fault.name());
    let answered = said.iter().any(|line| line == "confirmed answer");
    let answers = store.card_answers(CardId(1)).unwrap().len();
    assert!(answers == 1 || answers == 0 && !answered, "{}: {said:?}", fault.name());
    let known = store.card(CardId(1)).is_ok_and(|card| card.memory.is_some());
    assert_eq!(known, answers == 1, "{}", fault.name());
    let done = confirmed == STUDY.len() && imported && answered;
    assert!(done || said.iter().any(|line| line.starts_with("refused")), "{}", fault.name());
    assert!(done || met || fault.is_lasting(), "{}: {said:?}", fault.name());
    met
}

fn copies_survive(fault: &Fault<'_>) -> bool {
    let home = tempfile::tempdir().unwrap();
    let (ours, theirs) = (home.path().join("ours"), home.path().join("theirs"));
    for (folder, record) in [(&ours, "1. e4 *"), (&theirs, "1. d4 d5 *")] {
        Store::open(folder).unwrap().import(record.as_bytes()).unwrap();
    }
    let (met, said) = run(fault, "copy", &ours, &theirs.join("games.db"));
    let [backup, restored] = said.as_slice() else { panic!("{}: {said:?}", fault.name()) };
    // A copy is there as a whole or not at all.
    let copy = ours.join("copy.db");
    if copy.exists() {
        assert_eq!(check_copy(&copy).unwrap().moves, 1, "{}", fault.name());
    }
    assert!(copy.exists() || backup != "confirmed", "{}", fault.name());
    // The games are those from before, or the others.
    let kept = kept(&ours, fault);
    assert!(kept == ["e2e4"] || kept == ["d2d4", "d7d5"], "{}: {kept:?}", fault.name());
    assert!(kept.len() == 2 || restored != "confirmed", "{}: {kept:?}", fault.name());
    let aside = ours.join("games-before-1.db");
    assert!(kept.len() == 1 || check_copy(&aside).unwrap().moves == 1, "{}", fault.name());
    met
}
