//! A backend as the pages use it.

use serde_json::{Value, json};
use tabiya_wasm::Backend;

fn ask(backend: &mut Backend, question: &Value) -> Result<Value, String> {
    let answer = backend.answer(&question.to_string(), &mut |_| {});
    let mut answer: Value = serde_json::from_str(&answer).unwrap();
    match answer.get("error") {
        Some(sentence) => Err(sentence.as_str().unwrap().to_owned()),
        None => Ok(answer["ok"].take()),
    }
}

/// Has computers think until nothing is left to do.
fn settle(backend: &mut Backend, id: u64) -> Option<Value> {
    let mut last = None;
    loop {
        ask(backend, &json!({ "call": "game-work" })).unwrap();
        match ask(backend, &json!({ "call": "game-poll", "id": id })).unwrap() {
            Value::Null => return last,
            shown => last = Some(shown),
        }
    }
}

fn begin(backend: &mut Backend, order: &Value) -> Value {
    let begin = json!({
        "call": "game-begin", "id": 1, "base": 100, "order": order, "random": 7, "date": "2026.11.19",
    });
    ask(backend, &begin).unwrap()
}

#[test]
fn a_game_goes_on_where_it_was_left_in_another_backend() {
    let mut backend = Backend::default();
    let shown = begin(&mut backend, &json!({ "black": "tabiya:1200" }));
    assert_eq!(
        (shown["view"]["turn"].as_str(), shown["busy"].as_bool()),
        (Some("white"), Some(false))
    );
    let e4 = json!({ "call": "game-move", "id": 1, "side": "white", "played": { "text": "e4" } });
    assert_eq!(ask(&mut backend, &e4).unwrap()["busy"], true);
    let shown = settle(&mut backend, 1).unwrap();
    assert_eq!(shown["view"]["moves"].as_array().unwrap().len(), 2);

    // The same level, asked without a game, plays the same.
    let level = json!({
        "call": "move", "at": { "moves": ["e4"] }, "player": "tabiya:1200", "seed": 7,
    });
    assert_eq!(ask(&mut backend, &level).unwrap()["uci"], shown["kept"]["moves"][1]);

    let back = json!({ "call": "game-request", "id": 1, "side": "white", "request": "take-back" });
    let kept = ask(&mut backend, &back).unwrap()["kept"].take();
    assert_eq!(kept["undone"].as_array().unwrap().len(), 2);
    let mut other = Backend::default();
    let open = json!({ "call": "game-open", "id": 1, "base": 900, "kept": kept });
    let shown = ask(&mut other, &open).unwrap();
    assert_eq!((&shown["kept"], &shown["view"]["redoable"]), (&kept, &json!(2)));
    assert!(shown["view"]["sequence"].as_u64().unwrap() >= 900);
    let redo = json!({ "call": "game-request", "id": 1, "side": "white", "request": "redo" });
    assert_eq!(ask(&mut other, &redo).unwrap()["kept"]["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_refused_changes_nothing_and_is_a_sentence() {
    let mut backend = Backend::default();
    begin(&mut backend, &json!({}));
    for question in [
        json!({ "call": "game-move", "id": 1, "side": "black", "played": { "text": "e5" } }),
        json!({ "call": "game-move", "id": 1, "side": "white", "played": { "text": "e5" } }),
        json!({ "call": "game-move", "id": 1, "side": "green", "played": { "text": "e4" } }),
        json!({ "call": "game-move", "id": 2, "side": "white", "played": { "text": "e4" } }),
        json!({ "call": "game-request", "id": 1, "side": "white", "request": "rematch" }),
        json!({ "call": "game-begin", "id": 3, "base": 0, "order": { "friend": true }, "random": 1, "date": "" }),
        json!({ "call": "game-open", "id": 4, "base": 0, "kept": {} }),
        json!({ "call": "study-step", "id": 9, "step": { "step": "undo" } }),
        json!({ "call": "position", "at": { "fen": "\u{0}" } }),
        json!({ "call": "analyse", "depth": 1, "time": -1.0 }),
        json!({ "call": "review", "record": "*" }),
        json!({ "call": "compose", "size": 200, "white_bishops": 1, "black_bishops": 1 }),
        json!({ "call": "puzzle-one", "solver": null, "day": 1, "puzzle": "none" }),
        json!({ "call": "read-pgn" }),
        json!({ "call": "x".repeat(10_000) }),
        json!({}),
        json!(7),
    ] {
        let sentence = ask(&mut backend, &question).unwrap_err();
        assert!(
            sentence.ends_with(['.', '!', '?']) && sentence.len() < 300,
            "{question}: {sentence}"
        );
        assert!(sentence.starts_with(char::is_uppercase), "{question}: {sentence}");
    }
    let view = ask(&mut backend, &json!({ "call": "game-view", "id": 1 })).unwrap();
    assert_eq!(view["kept"]["moves"], json!([]));
    let broken = backend.answer("{", &mut |_| {});
    assert!(broken.starts_with(r#"{"error":"#), "{broken}");
}

#[test]
fn a_study_is_kept_step_by_step_and_undone() {
    let mut backend = Backend::default();
    let begin = json!({ "call": "study-begin", "order": { "pgn": "1. e4 e5 *" }, "record": null });
    let begun = ask(&mut backend, &begin).unwrap();
    let open = json!({ "call": "study-open", "id": 5, "kept": begun["chapters"][0] });
    let shown = ask(&mut backend, &open).unwrap();
    let step = |step: Value| json!({ "call": "study-step", "id": 5, "step": step });
    let played = step(
        json!({ "step": "play", "node": 1, "text": "c5", "sequence": shown["study"]["sequence"] }),
    );
    let shown = ask(&mut backend, &played).unwrap();
    assert!(
        shown["kept"]["pgn"].as_str().unwrap().contains("( 1... c5 )")
            || shown["kept"]["pgn"].as_str().unwrap().contains("(1... c5)")
    );
    // A step from an old view is refused, and nothing has changed.
    assert!(ask(&mut backend, &played).unwrap_err().contains("changed meanwhile"));
    let shown = ask(&mut backend, &step(json!({ "step": "undo" }))).unwrap();
    assert_eq!(shown["study"]["nodes"].as_array().unwrap().len(), 3);
    let mut said = Vec::new();
    let question = json!({ "call": "analyse", "at": { "moves": ["f3", "e5", "g4"] }, "depth": 3 });
    backend.answer(&question.to_string(), &mut |text| said.push(text.to_owned()));
    assert!(said.last().unwrap().contains(r#""mate":1"#), "{said:?}");
}

#[test]
fn games_from_outside_are_known_again() {
    let mut backend = Backend::default();
    let text = "[White \"Ada\"]\n[ECO \"C20\"]\n\n1. e4 e5 2. Ke2 1-0\n\n1. e4 e5 2. Ke3 *\n";
    let import = json!({ "call": "game-import", "text": text });
    let (once, again) = (ask(&mut backend, &import).unwrap(), ask(&mut backend, &import).unwrap());
    assert_eq!(once, again);
    let game = &once["games"][0];
    assert_eq!((&game["card"]["white"], &game["card"]["plies"]), (&json!("Ada"), &json!(3)));
    assert_eq!(once["problems"][0]["game"], 2);
    let open = json!({ "call": "game-open", "id": 1, "base": 0, "kept": game["kept"] });
    assert_eq!(ask(&mut backend, &open).unwrap()["view"]["end"]["result"], "1-0");
    let record = ask(&mut backend, &json!({ "call": "game-record", "id": 1 })).unwrap();
    assert!(record.as_str().unwrap().contains("2. Ke2 1-0"), "{record}");
}

#[test]
fn a_puzzle_counts_once() {
    let mut backend = Backend::default();
    let daily = json!({ "call": "puzzle-daily", "solver": null, "day": 20_776 });
    let id = ask(&mut backend, &daily).unwrap()["id"].take();
    let give_up = |solver: &Value| json!({ "call": "puzzle-solution", "solver": solver, "at": 1_795_046_400_000_i64, "puzzle": id });
    let first = ask(&mut backend, &give_up(&Value::Null)).unwrap();
    assert!(first["told"]["result"]["change"].as_f64().unwrap() < 0.0);
    let second = ask(&mut backend, &give_up(&first["kept"])).unwrap();
    assert_eq!((&second["told"]["result"], &second["kept"]), (&Value::Null, &first["kept"]));
}

#[test]
fn an_ending_is_played_out_judged_and_comes_back() {
    let mut backend = Backend::default();
    let ladder = |backend: &mut Backend, answers: Value| {
        let question = json!({ "call": "ending-ladder", "answers": answers, "making": { "running": false }, "now": 5 });
        ask(backend, &question).unwrap()
    };
    let fresh = ladder(&mut backend, json!({}));
    assert_eq!((fresh["rungs"].as_array().unwrap().len(), &fresh["due"]), (20, &json!(0)));
    assert_eq!(fresh["tables"], json!({ "running": false }));

    // The queen mates; tables of three men are part of the program, so every move is known.
    let mut moves: Vec<Value> = Vec::new();
    let end = loop {
        let asked = json!({ "moves": moves });
        let known = json!({ "call": "ending-known", "ending": "queen-1", "moves": asked });
        assert_eq!(ask(&mut backend, &known).unwrap(), true);
        let hint = json!({ "call": "ending-hint", "ending": "queen-1", "asked": asked });
        let hint = ask(&mut backend, &hint).unwrap();
        let best = &hint["best"]["move"]["uci"];
        let asked = json!({ "moves": moves, "move": best, "help": "moves", "given_away": null });
        let step = json!({ "call": "ending-step", "ending": "queen-1", "asked": asked });
        let step = ask(&mut backend, &step).unwrap();
        assert_eq!(step["turn"]["verdict"]["sure"], true);
        moves = step["moves"].as_array().unwrap().clone();
        if !step["end"].is_null() {
            break step["end"].clone();
        }
    };
    assert_eq!((end["done"].as_bool(), moves.len()), (Some(true), 7), "a mate in four");

    let asked = json!({ "moves": moves, "name": "first" });
    let done = json!({ "call": "ending-done", "ending": "queen-1", "asked": asked, "answers": [], "now": 1000 });
    let done = ask(&mut backend, &done).unwrap();
    assert_eq!(
        (&done["told"]["standing"], &done["told"]["grade"]),
        (&json!("done"), &json!("good"))
    );
    assert_eq!(done["answers"], json!([{ "name": "first", "grade": "good", "at": 1000 }]));
    // Told again under its name it counts once, with the better judgement.
    let asked = json!({ "moves": moves, "name": "first", "grade": "again" });
    let again = json!({ "call": "ending-done", "ending": "queen-1", "asked": asked, "answers": done["answers"], "now": 2000 });
    let again = ask(&mut backend, &again).unwrap();
    assert_eq!(again["answers"], json!([{ "name": "first", "grade": "again", "at": 1000 }]));
    let standing = ladder(&mut backend, json!({ "queen-1": again["answers"] }));
    let queen = &standing["rungs"][1]["endings"][0];
    assert_eq!((&queen["id"], &queen["standing"]), (&json!("queen-1"), &json!("begun")));

    let early = json!({ "call": "ending-done", "ending": "queen-1", "asked": { "name": "x" }, "answers": [], "now": 1 });
    assert_eq!(ask(&mut backend, &early).unwrap_err(), "This ending is not over yet.");
    let none = json!({ "call": "ending-one", "ending": "nothing", "answers": [], "now": 1 });
    assert_eq!(ask(&mut backend, &none).unwrap_err(), "There is no such ending.");
}
