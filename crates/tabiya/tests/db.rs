//! The command `tabiya db` as people use it, and as it is killed.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tabiya_base::Random;
use tabiya_chess::Position;

fn tabiya(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.arg("db").args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    tabiya(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = run(&[&["--json"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A file of games of chance.
fn games(path: &Path, count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for game in 0..count {
        let result = random.pick(&["1-0", "0-1", "1/2-1/2"]).unwrap();
        let (white, black) = (random.below(40), random.below(40));
        let year = 1950 + random.below(70);
        write!(
            text,
            "[Event \"Round {seed}.{game}\"]\n[White \"Player {white}\"]\n[Black \"Player {black}\"]\n[Date \"{year}.??.??\"]\n[Result \"{result}\"]\n\n"
        )
        .unwrap();
        let mut here = Position::initial();
        for _ in 0..30 + random.below(60) {
            let moves = here.legal_moves();
            let Some(m) = random.pick(&moves) else { break };
            write!(text, "{} ", here.san(m)).unwrap();
            here = here.play(m).unwrap();
        }
        write!(text, "{result}\n\n").unwrap();
    }
    std::fs::write(path, text).unwrap();
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn games_are_imported_explored_found_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (file, database) = (folder.path().join("some.pgn"), folder.path().join("games.tdb"));
    let text = "[Event \"Match\"]\n[White \"Tal, M\"]\n[Black \"Botvinnik\"]\n[Date \"1960.03.15\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2720\"]\n[ECO \"C00\"]\n\n1. e4 e6 2. d4 d5 1-0\n\n\
        [White \"Bad\"]\n\n1. e4 e5 2. Ke3 *\n\n\
        [White \"Botvinnik\"]\n[Black \"Tal, M\"]\n[Date \"1961\"]\n\n1. d4 d5 {closed} 0-1\n";
    std::fs::write(&file, text).unwrap();
    let (file, database) = (name(&file), name(&database));
    let imported = json(&["import", database, file]);
    assert_eq!(
        (imported["added"].as_u64(), imported["bad"].as_u64()),
        (Some(2), Some(1)),
        "{imported}"
    );
    let told = imported["told"][0].as_str().unwrap();
    assert!(told.starts_with(&format!("{file}:13:13: game 2")), "{told}");
    // The same file again is not even read.
    assert_eq!(json(&["import", database, file])["known_files"], 1);
    assert_eq!(json(&["info", database])["games"], 2);

    let explored = json(&["explore", database]);
    assert_eq!(explored["moves"][0]["uci"], "d2d4");
    assert_eq!(explored["moves"][1]["average_rating"], 2700);
    let black = json(&["explore", database, "--player", "tal", "--color", "black"]);
    assert_eq!((&black["games"], &black["black"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(json(&["explore", database, "e4", "e6"])["moves"][0]["san"], "d4");
    let found = json(&["find", database, "--line", "d4 d5"]);
    assert_eq!(
        (&found["found"], &found["games"][0]["head"]["date"]),
        (&Value::from(1), &Value::from("1961.??.??"))
    );
    assert_eq!(json(&["find", database, "--pattern", "*/*/*/*/???PP*"])["found"], 1);
    assert_eq!(json(&["games", "list", database, "--since", "1961"])["found"], 1);
    let export = run(&["games", "export", database]);
    let export = String::from_utf8(export.stdout).unwrap();
    assert!(
        export.contains("1. d4 d5 {closed} 0-1\n") && export.contains("1. e4 e6 2. d4 d5 1-0\n")
    );
    assert!(run(&["check", database, "--rebuild"]).status.success());

    let nothing = run(&["info", name(folder.path())]);
    let sentence = String::from_utf8(nothing.stderr).unwrap();
    assert!(sentence.starts_with("tabiya: there is no database of games in "), "{sentence}");
    let elsewhere = run(&["import", name(folder.path()), file]);
    assert!(
        String::from_utf8(elsewhere.stderr).unwrap().contains("is neither empty nor a database")
    );
    // A folder of others is left as it was.
    assert!(!folder.path().join("lock").exists());
}

#[test]
fn an_import_that_was_killed_before_there_was_a_list_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let (file, database) = (folder.path().join("a.pgn"), folder.path().join("games.tdb"));
    games(&file, 3, 1);
    std::fs::create_dir(&database).unwrap();
    std::fs::write(database.join("lock"), "").unwrap();
    std::fs::write(database.join(".tabiya-1-0"), "{\"format\": \"tab").unwrap();
    assert_eq!(json(&["import", name(&database), name(&file)])["added"], 3);
    assert!(!database.join(".tabiya-1-0").exists());
}

#[test]
fn an_import_that_is_killed_again_and_again_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = (0..6).map(|at| folder.path().join(format!("{at}.pgn"))).collect();
    for (at, file) in files.iter().enumerate() {
        games(file, 1500, at as u64);
    }
    let whole = folder.path().join("whole.tdb");
    let all: Vec<&str> = files.iter().map(|file| name(file)).collect();
    json(&[&["import", name(&whole), "--batch", "500"], all.as_slice()].concat());
    let killed = folder.path().join("killed.tdb");
    let arguments = [&["import", name(&killed), "--batch", "500"], all.as_slice()].concat();
    let (mut random, mut kills, mut known) = (Random::new(1), 0, 0);
    // Each file for itself, then all: so that indexes are merged as well.
    for round in 0.. {
        let wanted = match round / 17 {
            file @ 0..6 => vec![arguments[0], arguments[1], arguments[2], arguments[3], all[file]],
            _ => arguments.clone(),
        };
        let mut import =
            tabiya(&wanted).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
        import.kill().unwrap();
        import.wait().unwrap();
        kills += 1;
        if killed.join("manifest.json").exists() {
            let games = json(&["info", name(&killed)])["games"].as_u64().unwrap();
            assert!(games >= known, "{known} games became {games}");
            known = games;
        }
        if kills == 100 {
            break;
        }
    }
    json(&arguments);
    assert!(run(&["check", name(&killed), "--rebuild"]).status.success());
    let of = |database: &Path| {
        let mut games: Vec<String> =
            serde_json::from_value(json(&["games", "export", name(database)])).unwrap();
        games.sort();
        games
    };
    assert_eq!(of(&killed), of(&whole));
}

#[test]
fn of_two_imports_at_once_one_waits() {
    let folder = tempfile::tempdir().unwrap();
    let files = [folder.path().join("a.pgn"), folder.path().join("b.pgn")];
    games(&files[0], 3000, 1);
    games(&files[1], 3000, 2);
    let database = folder.path().join("games.tdb");
    let imports: Vec<_> = files
        .iter()
        .map(|file| tabiya(&["import", name(&database), name(file)]).stdout(Stdio::null()).spawn())
        .collect();
    for import in imports {
        assert!(import.unwrap().wait().unwrap().success());
    }
    assert_eq!(json(&["info", name(&database)])["games"], 6000);
    assert!(run(&["check", name(&database), "--rebuild"]).status.success());
}

#[test]
fn several_databases_are_one_collection() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let (first, second, all) = (place("a.tdb"), place("b.tdb"), place("all.tdc"));
    for (database, seed) in [(&first, 1), (&second, 2)] {
        let file = database.with_extension("pgn");
        games(&file, 40, seed);
        json(&["import", name(database), name(&file)]);
    }
    let both = json(&["collect", name(&all), name(&first), name(&second)]);
    let count = |database: &Path| json(&["info", name(database)])["games"].as_u64().unwrap();
    assert_eq!(both["databases"], 2);
    assert_eq!(count(&all), count(&first) + count(&second));
    let explored = |database: &Path| json(&["explore", name(database)])["games"].as_u64().unwrap();
    assert_eq!(explored(&all), explored(&first) + explored(&second));
    assert!(run(&["check", name(&all), "--rebuild"]).status.success());
    // Its page is the one that is opened; what is no database is told of before.
    let wrong = run(&["serve", name(folder.path()), "--no-open", "--addr", "127.0.0.1:0"]);
    let sentence = String::from_utf8(wrong.stderr).unwrap();
    assert!(sentence.starts_with("tabiya: there is no database of games in "), "{sentence}");
    let data = place("data");
    let arguments =
        ["serve", name(&all), "--no-open", "--addr", "127.0.0.1:0", "--data", name(&data)];
    let mut server = tabiya(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let place = line.split(['/', ' ']).find(|word| word.starts_with("127.0.0.1:")).unwrap();
    let mut stream = TcpStream::connect(place).unwrap();
    write!(stream, "GET /api/explorer HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(
        line.starts_with("Tabiya is at http://127.0.0.1:") && line.contains("/explorer "),
        "{line}"
    );
    assert!(answer.contains("\"all\""), "{answer}");
}
