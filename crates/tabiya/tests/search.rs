//! `tabiya search` as its users meet it.

use std::collections::HashMap;
use std::process::{Command, Output};

use tabiya_chess::Position;

const KNIGHT_CHECK: &str = "r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1";
const MATED: &str = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";

fn tabiya(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_tabiya");
    Command::new(program).arg("search").args(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = tabiya(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The values of the last line.
fn result(args: &[&str]) -> HashMap<String, String> {
    let text = stdout(args);
    let last = text.lines().last().unwrap().strip_prefix("result ").unwrap();
    let pair = |word: &str| word.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned()));
    last.split(' ').map(|word| pair(word).unwrap()).collect()
}

/// The text after a label at the start of a line.
fn row<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(label).map(str::trim))
}

#[test]
fn two_plies_of_minimax_are_420_positions() {
    let text = stdout(&["--method", "minimax", "--depth", "2"]);
    assert_eq!(row(&text, "nodes "), Some("420"));
    assert_eq!(row(&text, "score "), Some("0"));
    assert_eq!(row(&text, "memory "), Some("nothing is kept"));
    assert!(row(&text, "time ").unwrap().contains(" s, "));
    assert_eq!(result(&["--method", "minimax", "--depth", "2"])["nodes"], "420");
}

#[test]
fn all_methods_find_the_same() {
    let position: Position = KNIGHT_CHECK.parse().unwrap();
    for depth in ["1", "2", "3"] {
        let line = |method: &str| {
            let text = stdout(&["--method", method, "--depth", depth, "--fen", KNIGHT_CHECK]);
            row(&text, "optimal move with score ").unwrap().to_owned()
        };
        let minimax = line("minimax");
        assert_eq!(minimax, line("alphabeta"));
        assert_eq!(minimax, line("tree"));
        let args = ["--depth", depth, "--threads", "2", "--fen", KNIGHT_CHECK];
        assert!(position.parse_uci(&result(&args)["move"]).is_ok());
        assert_eq!(row(&stdout(&args), "optimal move with score "), Some(minimax.as_str()));
    }
}

#[test]
fn a_move_is_shown_in_three_notations() {
    let text = stdout(&["--depth", "2", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"]);
    assert_eq!(row(&text, "move "), Some("Ra8# (0 0 to 0 7)"));
    assert_eq!(row(&text, "score "), Some("#1"));
    assert_eq!(row(&text, "path "), Some("Ra8#"));
    assert_eq!(row(&text, "optimal move "), Some("with score #1 and move path: ||Ra8"));
    assert!(text.lines().last().unwrap().contains(" move=a1a8 score=#1 "));
}

#[test]
fn the_tree_accounts_for_its_memory() {
    let text = stdout(&["--method", "tree", "--depth", "3", "--cache"]);
    let memory = row(&text, "memory ").unwrap();
    assert!(memory.starts_with("9,323 nodes of 12 bytes, "), "{memory}");
    assert!(row(&text, "cache ").unwrap().ends_with(" scores known"));
    assert_eq!(row(&text, "full "), None);
}

#[test]
fn the_tree_says_when_its_memory_is_full() {
    let args = ["--method", "tree", "--depth", "4", "--memory", "1"];
    let text = stdout(&args);
    assert_eq!(row(&text, "full "), Some("no room for depth 4: raise --memory"));
    let result = result(&args);
    assert_eq!(result["depth"], "3");
    assert!(result["bytes"].parse::<usize>().unwrap() <= 1 << 20);
}

#[test]
fn the_engine_reports_like_the_others() {
    let mate = ["--method", "engine", "--depth", "4", "--fen", "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1"];
    let text = stdout(&mate);
    assert_eq!(row(&text, "method "), Some("engine to depth 4"));
    assert_eq!(row(&text, "move "), Some("Ra1# (0 7 to 0 0)"));
    assert_eq!(row(&text, "optimal move "), Some("with score #-1 and move path: ||Ra1"));
    let args = ["--method", "engine", "--nodes", "5000", "--hash", "2", "--fen", KNIGHT_CHECK];
    let text = stdout(&args);
    assert!(row(&text, "memory ").unwrap().starts_with("a table of 2 MB, "));
    let result = result(&args);
    assert_eq!((result["method"].as_str(), result["bytes"].as_str()), ("engine", "2097152"));
    let nodes: u64 = result["nodes"].parse().unwrap();
    assert!((1..=5000).contains(&nodes));
    let position: Position = KNIGHT_CHECK.parse().unwrap();
    let best = position.parse_uci(&result["move"]).unwrap();
    assert_ne!(position.san(best), "Nd6+");
    // The score is White's, whoever is to move.
    let queen_up = "3qk3/8/8/8/8/8/8/4K3 b - - 0 1";
    let args = ["--method", "engine", "--depth", "6", "--fen", queen_up];
    assert!(self::result(&args)["score"].contains('-'));
}

#[test]
fn noise_comes_again_with_its_seed() {
    let steady = |text: String| {
        let keep = |line: &&str| !line.starts_with("time ") && !line.starts_with("result ");
        text.lines().filter(keep).collect::<Vec<_>>().join("\n")
    };
    let args = ["--depth", "2", "--noise", "--seed", "7"];
    assert_eq!(steady(stdout(&args)), steady(stdout(&args)));
    assert_eq!(row(&stdout(&args), "noise "), Some("seed 7"));
    let score: f64 = result(&args)["score"].parse().unwrap();
    assert!((0.0..0.1).contains(&score));

    // Without a seed it is told, so that the search can be repeated.
    let first = stdout(&["--depth", "2", "--noise"]);
    let seed = row(&first, "noise ").unwrap().strip_prefix("seed ").unwrap();
    let again = stdout(&["--depth", "2", "--noise", "--seed", seed]);
    assert_eq!(steady(first.clone()), steady(again));
}

#[test]
fn a_game_that_is_over_has_no_move() {
    for method in ["minimax", "alphabeta", "tree", "engine"] {
        let args = ["--method", method, "--depth", "2", "--fen", MATED];
        assert_eq!(row(&stdout(&args), "move "), Some("none: Checkmate: White wins"));
        assert_eq!(result(&args)["move"], "none");
    }
}

#[test]
fn nonsense_is_refused_in_a_sentence() {
    for (args, part) in [
        (&["--depth", "0"][..], "'0'"),
        (&[], "--depth"),
        (&["--depth", "2", "--seed", "1"], "--noise"),
        (&["--depth", "2", "--method", "oracle"], "'oracle'"),
        (&["--depth", "2", "--method", "tree", "--threads", "2"], "one thread"),
        (&["--depth", "2", "--method", "tree", "--memory", "0"], "'0'"),
        (&["--depth", "2", "--fen", "nonsense"], "FEN"),
        (&["--nodes", "5"], "--method engine only"),
        (&["--depth", "2", "--hash", "5"], "--method engine only"),
        (&["--depth", "2", "--method", "engine", "--noise"], "no noise"),
    ] {
        let output = tabiya(args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
        assert!(text.lines().count() == 1 && text.contains(part), "{args:?}: {text}");
    }
}

#[test]
fn a_profile_accounts_for_every_call() {
    let text = stdout(&["--method", "minimax", "--depth", "3", "--profile"]);
    let calls = |name: &str| -> u64 {
        let row = text.lines().find(|line| line.ends_with(name)).unwrap();
        row.split_whitespace().next().unwrap().replace(',', "").parse().unwrap()
    };
    // The position and its 20 and 400 successors have their moves generated and ordered, 8902 are evaluated.
    assert_eq!(calls("move generation"), 421, "{text}");
    assert_eq!(calls("ordering"), 421);
    assert_eq!(calls("evaluation"), 8902);
    assert_eq!(calls("making moves"), 9322);
    let cached = stdout(&["--method", "tree", "--depth", "3", "--cache", "--profile"]);
    assert!(cached.lines().any(|line| line.ends_with("table")), "{cached}");
}

#[test]
fn a_tree_shows_what_it_cuts_and_uses_again() {
    let text = stdout(&["--method", "tree", "--depth", "3", "--stats"]);
    assert!(text.contains("cut      9,323 nodes before the choice, 402 after\n"), "{text}");
    let reuse = row(&text, "reuse").unwrap();
    assert!(reuse.starts_with("20 nodes after "), "{reuse}");
    let number = |word: &str| {
        let before = reuse.split(word).next().unwrap();
        before.split_whitespace().last().unwrap().replace(',', "").parse::<u64>().unwrap()
    };
    // Fewer than from scratch, by those that were kept (the root is not made anew).
    assert_eq!(number(" more to depth") + 19, number(" from nothing"));
    for boards in ["one", "copy"] {
        let args = ["--method", "tree", "--depth", "3", "--boards", boards];
        assert!(stdout(&args).contains("memory   9,323 nodes"));
    }
}

#[test]
fn a_long_search_tells_how_far_it_is() {
    let output = tabiya(&["--depth", "5"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("depth 2: 59 positions, 0 a3 a5\n"), "{told}");
    assert!(told.contains("depth 4: 1,474 positions"), "{told}");
}
