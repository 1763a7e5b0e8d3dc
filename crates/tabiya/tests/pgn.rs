//! Files of games from the command line.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const GAMES: &str = r#"[Event "First"]
[White "Tal, Mikhail"]
[Black "Smith"]
[Date "1960.01.02"]
[Result "1-0"]
[ECO "B97"]

1. e4 {best} c5 (1... e5 2. f4) 2. Nf3 1-0

[Event "Second"]
[White "Smith"]
[Black "Tal, Mikhail"]
[Date "1975.??.??"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 0-1

[Event "Third"]

1. d4 d5 2. c5 1/2-1/2

[Event "Fourth"]
[White "Jones"]
[Date "????.??.??"]

1. Nf3 d5 2. d4 Nf6 *
"#;

fn pgn(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .arg("pgn")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The events of the games that are cut out.
fn cut(args: &[&str]) -> Vec<String> {
    let output = pgn(&[&["cut"], args, &["-"]].concat(), GAMES);
    // A game that cannot be read is left out, and told of.
    let told = text(&output.stderr);
    assert!(told.contains(" written\n"), "{told}");
    assert_eq!(output.status.success(), !told.contains("game 3"), "{told}");
    let events = text(&output.stdout);
    let events = events.lines().filter_map(|line| line.strip_prefix("[Event \""));
    events.map(|rest| rest.trim_end_matches("\"]").to_owned()).collect()
}

#[test]
fn check_tells_where_a_game_is_bad_and_goes_on() {
    let output = pgn(&["check", "-"], GAMES);
    assert_eq!(output.status.code(), Some(1));
    let expected = "-:20:13: game 3, move 2 of White: No pawn of yours can go to c5.\n4 games, 15 moves checked\n";
    assert_eq!(text(&output.stdout), expected);
    assert!(text(&output.stderr).contains("1 of 4 games cannot be read"));

    let output = pgn(&["check", "-"], "1. e4 e5 *\n");
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "1 game, 2 moves checked\n");
}

#[test]
fn a_file_that_is_not_there_is_a_sentence() {
    let output = pgn(&["check", "no-such-file.pgn"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("tabiya: cannot open no-such-file.pgn: "));
}

#[test]
fn cut_by_all_that_can_be_asked() {
    assert_eq!(cut(&[]), ["First", "Second", "Fourth"]);
    assert_eq!(cut(&["--games", "2-3"]), ["Second"]);
    assert_eq!(cut(&["--games", "4-"]), ["Fourth"]);
    assert_eq!(cut(&["--player", "tal"]), ["First", "Second"]);
    assert_eq!(cut(&["--white", "TAL"]), ["First"]);
    assert_eq!(cut(&["--black", "tal", "--result", "0-1"]), ["Second"]);
    assert_eq!(cut(&["--result", "*"]), ["Fourth"]);
    assert_eq!(cut(&["--eco", "b9"]), ["First"]);
    assert_eq!(cut(&["--eco", "9"]), [""; 0]);
    assert_eq!(cut(&["--years", "1961-1980"]), ["Second"]);
    assert_eq!(cut(&["--tag", "Event=o", "--tag", "White=j"]), ["Fourth"]);
    // Reached by another order of moves, and not in a variation.
    let queen_pawn = "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq -";
    assert_eq!(cut(&["--fen", queen_pawn]), ["Fourth"]);
    let kings_gambit = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq -";
    assert_eq!(cut(&["--fen", kings_gambit]), [""; 0]);
}

#[test]
fn what_is_cut_is_whole() {
    let output = pgn(&["cut", "--games", "1", "-"], GAMES);
    assert!(text(&output.stdout).ends_with("1. e4 {best} 1... c5 (1... e5 2. f4) 2. Nf3 1-0\n\n"));
    assert_eq!(text(&output.stderr), "1 of 1 game written\n");

    let path = std::env::temp_dir().join(format!("tabiya-cut-{}.pgn", std::process::id()));
    let name = path.to_str().unwrap();
    let output = pgn(&["cut", "--eco", "C", "--out", name, "-"], GAMES);
    assert!(output.status.success());
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(written.starts_with("[Event \"Second\"]\n"));
    assert!(!std::path::Path::new(&format!("{name}.unfinished")).exists());
}

#[test]
fn stats_count_what_there_is() {
    let output = pgn(&["stats", "-"], GAMES);
    assert!(output.status.success());
    assert_eq!(
        text(&output.stdout),
        "Games     3, and 1 that cannot be read
Plies     11, 1.8 moves a game, the longest 2 moves
  White wins            1  33.3 %
  Black wins            1  33.3 %
  Unknown               1  33.3 %
Years     1960 to 1975
  1960                  1  33.3 %
  1975                  1  33.3 %
Openings  3 different
             1  33.3 %  1. Nf3 d5 2. d4 Nf6
             1  33.3 %  B97
             1  33.3 %  C41
"
    );
}

#[test]
fn ranges_and_results_are_explained() {
    for (args, part) in [
        (["cut", "--games", "9-3", "-"], "9 comes after 3"),
        (["cut", "--games", "x", "-"], "\"x\" is not a number"),
        (["cut", "--result", "2-0", "-"], "write 1-0, 0-1, 1/2-1/2 or *"),
        (["cut", "--tag", "Event", "-"], "write it like Event=Candidates"),
    ] {
        let output = pgn(&args, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
}

const MORE: &str = r#"[Event "Mate"]
[White "Réti, Richard"]
[Black "Tartakower"]
[Date "1910.05.01"]
[WhiteElo "2500"]
[BlackElo "2400"]
[Result "0-1"]

1. e4 e5 2. Bc4 {calm [%clk 0:01:00]} Nc6 3. Qh5 $4 (3. Nf3 Nf6) 3... Nf6 4. Qxf7# 0-1

[Event "Shuffle"]
[White "Petrosian, Tigran"]
[Black "Polgár, Judit"]
[Date "1990.??.??"]
[WhiteElo "2600"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[Event "Ending"]
[White "Anand"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/r3K2R w K - 0 1"]

1. Kd2 Rxh1 2. e4 Rh2+ *

[Event "Mate"]
[White "Reti, R"]
[Black "Tartakower, S"]
[Date "1910.05.01"]
[Round "3"]
[ECO "C23"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"#;

/// The output of a command that reads [`MORE`].
fn more(args: &[&str]) -> String {
    let output = pgn(&[args, &["-"]].concat(), MORE);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The names of White in what a command writes.
fn whites(args: &[&str]) -> Vec<String> {
    let names = more(args);
    let names = names.lines().filter_map(|line| line.strip_prefix("[White \""));
    names.map(|rest| rest.trim_end_matches("\"]").to_owned()).collect()
}

#[test]
fn cut_by_ends_men_patterns_lines_and_ratings() {
    let cut = |args: &[&str]| whites(&[&["cut"], args].concat());
    let (reti, petrosian, anand, again) =
        ("Réti, Richard", "Petrosian, Tigran", "Anand", "Reti, R");
    assert_eq!(cut(&["--player", "reti"]), [reti, again]);
    assert_eq!(cut(&["--player", "POLGAR"]), [petrosian]);
    assert_eq!(cut(&["--player", "!tart"]), [petrosian, anand]);
    assert_eq!(cut(&["--player", "reti", "--player", "anand"]), [reti, anand, again]);
    assert_eq!(cut(&["--sounds-like", "Petrosjan"]), [petrosian]);
    assert_eq!(cut(&["--ends", "checkmate"]), [reti, again]);
    assert_eq!(cut(&["--ends", "repetition"]), [petrosian]);
    assert_eq!(cut(&["--ends", "fifty", "--ends", "stalemate"]), [""; 0]);
    assert_eq!(cut(&["--material", "KPvKR"]), [anand]);
    assert_eq!(cut(&["--material", "KRvKP", "--lasting", "3"]), [anand]);
    assert_eq!(cut(&["--material", "KRvKP", "--lasting", "4"]), [""; 0]);
    assert_eq!(
        cut(&["--pattern", "*/*/*/*/*/*/*/RNB1K1NR", "--pattern", "*/*/*/*/*/*/*/r*"]),
        [reti, anand, again]
    );
    assert_eq!(cut(&["--line", "1. e4 e5 2. Bc4"]), [reti, again]);
    assert_eq!(cut(&["--line", "Nf3 d5"]), [""; 0]);
    // However many lines there are, each counts.
    let many = [["--line", "Nf3 d5"]; 70].concat();
    assert_eq!(cut(&[&many[..], &["--line", "e4 e5 Bc4"]].concat()), [reti, again]);
    assert_eq!(cut(&["--underpromotion"]), [""; 0]);
    assert_eq!(cut(&["--elo", "2400-"]), [reti]);
    assert_eq!(cut(&["--one-elo", "2600-"]), [petrosian]);
    assert_eq!(cut(&["--plies", "8"]), [petrosian]);
    assert_eq!(cut(&["--setup"]), [anand]);
    assert_eq!(cut(&["--setup=no", "--ends", "checkmate", "--not"]), [petrosian, anand]);
    assert_eq!(cut(&["--since", "1910.05.01", "--until", "1910"]), [reti, again]);
    assert_eq!(cut(&["--since", "1990.06"]), [petrosian]);
    assert_eq!(cut(&["--eco", "B00-C30"]), [again]);
    assert_eq!(cut(&["--tag", "Round=3"]), [again]);
    let variation = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq -";
    assert_eq!(cut(&["--fen", variation]), [""; 0]);
    assert_eq!(cut(&["--fen", variation, "--in-variations"]), [reti]);
    // Chance decides the same way each time, and the order stays.
    let some = cut(&["--sample", "2", "--seed", "7"]);
    assert_eq!(some.len(), 2);
    assert_eq!(some, cut(&["--sample", "2", "--seed", "7"]));
    assert_eq!(cut(&["--sample", "9"]).len(), 4);
}

#[test]
fn games_are_written_as_one_likes() {
    let first = |args: &[&str]| {
        let written = more(&[&["cut", "--games", "1"], args].concat());
        let (tags, moves) = written.split_once("\n\n").unwrap();
        (tags.to_owned(), moves.trim_end().replace('\n', " "))
    };
    let moves = |args: &[&str]| first(args).1;
    let all = "1. e4 e5 2. Bc4 {calm [%clk 0:01:00]} 2... Nc6 3. Qh5 $4 (3. Nf3 Nf6) 3... Nf6 4. Qxf7# 0-1";
    assert_eq!(moves(&[]), all);
    assert_eq!(
        moves(&["--no-comments", "--no-commands", "--no-variations", "--no-nags"]),
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 0-1"
    );
    assert_eq!(
        moves(&["--no-commands", "--no-variations"]),
        "1. e4 e5 2. Bc4 {calm} 2... Nc6 3. Qh5 $4 Nf6 4. Qxf7# 0-1"
    );
    assert_eq!(moves(&["--no-comments", "--first-plies", "3"]), "1. e4 e5 2. Bc4 0-1");
    assert_eq!(
        moves(&["--first-plies", "2", "--fens"]),
        "1. e4 {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1} 1... e5 {rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2} 0-1"
    );
    assert!(moves(&["--first-plies", "1", "--evaluations"]).starts_with("1. e4 {[%eval "));
    // What was said is left out, and what is asked for is said.
    assert_eq!(
        moves(&["--first-plies", "1", "--fens", "--no-comments", "--no-commands"]),
        "1. e4 {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1} 0-1"
    );
    let evaluated = moves(&["--evaluations", "--no-commands"]);
    assert_eq!(evaluated.matches("[%eval ").count(), 7 + 2, "{evaluated}");
    assert!(moves(&["--fix-results"]).ends_with("4. Qxf7# 1-0"));
    assert!(first(&["--fix-results"]).0.contains("[Result \"1-0\"]"));
    assert!(moves(&["--format", "lan"]).ends_with("3... Ng8-f6 4. Qh5xf7# 0-1"));
    assert!(moves(&["--out-letters", "de"]).ends_with("3... Sf6 4. Dxf7# 0-1"));
    let (tags, _) = first(&["--openings", "--set-tag", "Annotator=me"]);
    assert!(
        tags.contains("[ECO \"C23\"]\n[Opening \"Bishop's Opening\"]\n[Annotator \"me\"]"),
        "{tags}"
    );
    let counts = first(&["--ply-count", "--total-ply-count"]).0;
    assert!(counts.ends_with("[PlyCount \"7\"]\n[TotalPlyCount \"9\"]"), "{counts}");
    let bare = ["--no-comments", "--no-commands", "--no-variations", "--no-nags"];
    let bare = |args: &[&str]| moves(&[&bare, args].concat());
    assert_eq!(bare(&["--no-move-numbers"]), "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7# 0-1");
    assert_eq!(bare(&["--no-results"]), "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#");
    assert_eq!(bare(&["--no-checks"]), "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7 0-1");
    let narrow = more(&["cut", "--games", "1", "--line-width", "20"]);
    let lines: Vec<&str> = narrow.split_once("\n\n").unwrap().1.lines().collect();
    assert!(lines.iter().all(|line| line.len() <= 20) && lines.len() > 5, "{narrow}");
    let endless = more(&["cut", "--games", "1", "--line-width", "1000"]);
    assert_eq!(endless.split_once("\n\n").unwrap().1.trim_end().lines().count(), 1);
    assert_eq!(first(&["--only-tags", "BlackElo"]).0.lines().count(), 8);
    assert_eq!(first(&["--only-tags", ""]).0.lines().count(), 7);
    assert!(!first(&["--without-tags", "WhiteElo"]).0.contains("WhiteElo"));
}

#[test]
fn games_in_other_formats() {
    assert_eq!(
        more(&["convert", "--format", "uci"]).lines().nth(2),
        Some("fen 4k3/8/8/8/8/8/4P3/r3K2R w K - 0 1 moves e1d2 a1h1 e2e4 h1h2")
    );
    let fens = more(&["convert", "--format", "fen"]);
    assert_eq!(fens.lines().count(), 8 + 9 + 5 + 8 + 4);
    assert!(fens.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"));
    let epd = more(&["cut", "--format", "epd", "--white", "anand"]);
    assert!(epd.starts_with("4k3/8/8/8/8/8/4P3/r3K2R w K - sm Kd2; c0 \"Anand - ?\";\n"), "{epd}");
    let json = more(&["convert", "--format", "json"]);
    let games: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (games.len(), &games[0]["moves"][3], &games[1]["plies"]),
        (4, &"Nc6".into(), &8.into())
    );
    assert_eq!(games[0]["tags"]["White"], "Réti, Richard");
    let csv = more(&["convert", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.starts_with("Event,Site,Date,Round,White,"));
    assert!(
        csv.contains("\n\"Mate\"")
            || csv.contains("\nMate,,1910.05.01,,\"Réti, Richard\",Tartakower,0-1,2500,2400,"),
        "{csv}"
    );
    let german = pgn(
        &["convert", "--letters", "de", "--format", "uci", "-"],
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 Dh4 *",
    );
    assert_eq!(text(&german.stdout), "e2e4 e7e5 g1f3 b8c6 f1b5 d8h4\n");
}

#[test]
fn sorted_split_and_each_once() {
    let (reti, petrosian, anand, again) =
        ("Réti, Richard", "Petrosian, Tigran", "Anand", "Reti, R");
    assert_eq!(whites(&["sort", "--by", "white"]), [anand, petrosian, again, reti]);
    assert_eq!(whites(&["sort", "--by", "-date,white"]), [petrosian, again, reti, anand]);
    assert_eq!(whites(&["sort", "--by", "-plies"]), [petrosian, reti, again, anand]);
    assert_eq!(whites(&["dedupe"]), [reti, petrosian, anand]);
    assert_eq!(whites(&["dedupe", "--by", "moves-and-players"]), [reti, petrosian, anand]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("more.pgn");
    std::fs::write(&file, MORE).unwrap();
    let duplicates = folder.path().join("twice.pgn");
    let output = pgn(
        &[
            "dedupe",
            "--keep",
            "most-tags",
            "--duplicates",
            duplicates.to_str().unwrap(),
            file.to_str().unwrap(),
        ],
        "",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    // Both have seven tags that say something: then it is the first.
    assert!(std::fs::read_to_string(&duplicates).unwrap().contains("Reti, R\""));
    // From standard input too, and the one that says more wins, wherever it stands.
    let more_said = MORE.replace("[Round \"3\"]", "[Round \"3\"]\n[Annotator \"me\"]");
    let output = pgn(&["dedupe", "--keep", "most-tags", "--format", "csv", "-"], &more_said);
    let written = text(&output.stdout);
    assert_eq!(written.lines().count(), 4, "{written}");
    assert!(written.contains("\"Reti, R\"") && !written.contains("Réti"), "{written}");

    let parts = folder.path().join("parts");
    more(&["split", "--per-file", "3", "--dir", parts.to_str().unwrap()]);
    assert!(
        parts.join("1.pgn").exists()
            && parts.join("2.pgn").exists()
            && !parts.join("3.pgn").exists()
    );
    let refused = pgn(&["split", "--per-file", "3", "--dir", parts.to_str().unwrap(), "-"], MORE);
    assert!(text(&refused.stderr).contains("cannot write"), "{}", text(&refused.stderr));
    let json = folder.path().join("json");
    more(&["split", "--per-file", "3", "--format", "json", "--dir", json.to_str().unwrap()]);
    assert!(json.join("1.jsonl").exists() && json.join("2.jsonl").exists());
    let years = folder.path().join("years");
    more(&["split", "--by", "year", "--dir", years.to_str().unwrap()]);
    let count =
        |name: &str| std::fs::read_to_string(years.join(name)).unwrap().matches("[Event ").count();
    assert_eq!((count("1910.pgn"), count("1990.pgn"), count("unknown.pgn")), (2, 1, 1));
}

/// The columns that are asked for, of all rows of a Parquet file.
fn rows(file: &std::path::Path, columns: &[&str]) -> Vec<Vec<String>> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let reader = SerializedFileReader::new(std::fs::File::open(file).unwrap()).unwrap();
    let row = |row: parquet::record::Row| {
        let value = |wanted: &&str| {
            let mut all = row.get_column_iter();
            all.find(|(name, _)| name == wanted).unwrap().1.to_string().replace('"', "")
        };
        columns.iter().map(value).collect()
    };
    reader.get_row_iter(None).unwrap().map(|one| row(one.unwrap())).collect()
}

#[test]
fn games_as_a_table_for_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let columns = ["white", "date", "white_elo", "result", "plies", "fen", "movetext"];
    let reti = ["Réti, Richard", "19100501", "2500", "0-1", "7", "null"];
    // To standard output, in the order that was asked for.
    let table = folder.path().join("sorted.parquet");
    let output = pgn(&["sort", "--by", "-date", "--format", "parquet", "-"], MORE);
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::write(&table, &output.stdout).unwrap();
    let sorted = rows(&table, &columns);
    assert_eq!(sorted.len(), 4);
    assert_eq!(sorted[1][..6], reti);
    assert!(sorted[1][6].contains("{calm [%clk 0:01:00]}"), "{sorted:?}");
    assert_eq!(sorted[3][4..], ["4", "4k3/8/8/8/8/8/4P3/r3K2R w K - 0 1", "null"]);
    // As other options have it, and into a file.
    let name = table.to_str().unwrap();
    let options = ["--fix-results", "--no-comments", "--no-commands", "--out-letters", "de"];
    more(&[&["cut", "--games", "1", "--format", "parquet", "--out", name], &options[..]].concat());
    let cut = rows(&table, &columns);
    assert_eq!((cut.len(), cut[0][3].as_str()), (1, "1-0"));
    assert!(cut[0][6].starts_with("1. e4 e5 2. Bc4 Nc6 3. Qh5 $4 (3. Nf3 Nf6)"), "{cut:?}");
    more(&["dedupe", "--format", "parquet", "--out", name]);
    assert_eq!(rows(&table, &["white"]).len(), 3);
    // Many files: what they are made of is gone afterwards, and nothing is overwritten.
    let years = folder.path().join("years");
    let split = ["split", "--by", "year", "--format", "parquet", "--dir", years.to_str().unwrap()];
    more(&split);
    let mut names: Vec<String> = std::fs::read_dir(&years)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["1910.parquet", "1990.parquet", "unknown.parquet"]);
    assert_eq!(rows(&years.join("1910.parquet"), &["white"]), [["Réti, Richard"], ["Reti, R"]]);
    let refused = pgn(&[&split[..], &["-"]].concat(), MORE);
    assert!(text(&refused.stderr).contains("cannot write"), "{}", text(&refused.stderr));
}

#[test]
fn a_table_has_a_row_group_for_32_768_games() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("many.parquet");
    let games = "1. e4 e5 *\n\n[Event \"x\"]\n\n1. d4 *\n\n".repeat(20_000);
    let output =
        pgn(&["convert", "--format", "parquet", "--out", table.to_str().unwrap(), "-"], &games);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let reader = SerializedFileReader::new(std::fs::File::open(&table).unwrap()).unwrap();
    let groups = reader.metadata().row_groups().iter().map(|group| group.num_rows());
    assert_eq!(groups.collect::<Vec<_>>(), [32_768, 40_000 - 32_768]);
}

#[test]
fn a_result_is_written_as_it_stands_or_mended() {
    let game = |tag: &str, behind: &str| {
        format!("[White \"Tal\"]\n[Black \"Smith\"]\n[Result \"{tag}\"]\n\n1. e4 {behind}\n\n")
    };
    // Tag, text; what check says; both as they are written, and as they are mended.
    let cases = [
        ("1-0", "0-1", "the tag says 1-0, behind the moves stands 0-1", ["1-0", "0-1"], "0-1"),
        ("1-0", "*", "the tag says 1-0, behind the moves stands *", ["1-0", "*"], "1-0"),
        ("*", "1-0", "the tag says *, behind the moves stands 1-0", ["*", "1-0"], "1-0"),
        ("2-0", "1-0", "the tag says 2-0, which is no result", ["2-0", "1-0"], "1-0"),
        ("1-0", "", "no result stands behind the moves", ["1-0", "1-0"], "1-0"),
        ("1/2", "1/2-1/2", "", ["1/2-1/2", "1/2-1/2"], "1/2-1/2"),
        ("?", "0-1", "", ["0-1", "0-1"], "0-1"),
    ];
    for (tag, behind, warning, [tag_then, behind_then], mended) in cases {
        let game = game(tag, behind);
        let checked = pgn(&["check", "-"], &game);
        let expected = match warning {
            "" => String::new(),
            warning => format!("-: game 1: warning: {warning} (Tal – Smith)\n"),
        };
        let expected = format!("{expected}1 game, 1 move checked\n");
        assert_eq!(text(&checked.stdout), expected);
        assert!(checked.status.success());
        for command in ["convert", "cut"] {
            let output = pgn(&[command, "-"], &game);
            let written = text(&output.stdout);
            let ending = format!("[Result \"{tag_then}\"]\n\n1. e4 {behind_then}\n\n");
            assert!(written.ends_with(&ending), "{written}");
            // What contradicts itself is told of; what is only missing is filled in.
            let is_told = text(&output.stderr).contains(warning);
            assert!(is_told != (warning.starts_with("no result")), "{}", text(&output.stderr));
            let output = pgn(&[command, "--fix-results", "-"], &game);
            let ending = format!("[Result \"{mended}\"]\n\n1. e4 {mended}\n\n");
            assert!(text(&output.stdout).ends_with(&ending), "{}", text(&output.stdout));
            assert_eq!(text(&output.stderr), "1 of 1 game written\n");
        }
    }
    // Of games that are not written nothing is told.
    let both = game("1-0", "0-1") + "[Event \"x\"]\n" + &game("0-1", "1-0");
    let told = text(&pgn(&["cut", "--games", "2", "-"], &both).stderr);
    assert!(!told.contains("game 1:") && told.contains("-: game 2: warning: "), "{told}");
}

#[test]
fn results_that_contradict_are_told_of() {
    let output = pgn(&["check", "-"], MORE);
    assert!(output.status.success());
    let warning = "-: game 1: warning: the result is 0-1, on the board it is 1-0 (Réti, Richard – Tartakower)\n";
    assert!(text(&output.stdout).starts_with(warning), "{}", text(&output.stdout));
    let output = pgn(&["check", "-"], "[Event \"Open \\\"]\n[Result \"1-0\"]\n\n1. e4 0-1\n");
    let told = text(&output.stdout);
    assert!(told.contains("the tag says 1-0, behind the moves stands 0-1"), "{told}");
    assert!(told.contains("the tag Event ends with a backslash"), "{told}");
    let output =
        pgn(&["check", "-"], "[White \"Tal\"]\n[Black \"Bronstein\"]\n\n1. e4 e5 2. Ke3 *\n");
    assert!(
        text(&output.stdout).starts_with("-:4:13: game 1 (Tal – Bronstein), move 2 of White: ")
    );
}

#[test]
fn nothing_depends_on_how_many_threads_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.pgn");
    let both = format!("{MORE}\n{GAMES}\n");
    std::fs::write(&file, both.repeat((5 << 19) / both.len())).unwrap();
    let name = file.to_str().unwrap();
    for args in [
        vec!["check"],
        vec!["cut", "--player", "tal", "--games", "100-9000"],
        vec!["sort", "--by", "date,-white"],
    ] {
        let run = |threads: &str| {
            let output = pgn(&[&args[..], &["--threads", threads, name]].concat(), "");
            let told = text(&output.stderr);
            let told =
                told.lines().filter(|line| !line.ends_with(" s")).collect::<Vec<_>>().join("\n");
            (output.stdout, told, output.status.code())
        };
        let one = run("1");
        assert!(!one.0.is_empty());
        assert!(run("3") == one, "{args:?}");
    }
}
