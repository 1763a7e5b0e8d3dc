//! Nothing false is said: every sentence about mistakes of real games is read back and checked with other rules.

#[path = "../../tabiya-chess/tests/reference/mod.rs"]
#[allow(dead_code)]
mod reference;
mod words;

use tabiya_chess::Position;
use tabiya_coach::{Mistake, Reasons, Voice, reasons};
use words::Checker;

/// A position, the move, the line that punishes it and the better line.
struct Case {
    fen: String,
    played: String,
    mistake: Mistake,
}

fn case(line: &str) -> Case {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[fen, played, refutation, better] = parts.as_slice() else { panic!("{line}") };
    let before: Position = fen.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let mistake = Mistake::read(&before, played, refutation, better);
    let mistake = mistake.unwrap_or_else(|error| panic!("{line}: {error}"));
    Case { fen: fen.to_owned(), played: played.to_owned(), mistake }
}

/// Mistakes of real games, found with `examples/mistakes.rs` of `tabiya-review`.
fn cases() -> Vec<Case> {
    let text = match std::env::var("TABIYA_MISTAKES") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => include_str!("data/mistakes.txt").to_owned(),
    };
    text.lines().map(case).collect()
}

fn texts(reasons: &Reasons) -> Vec<String> {
    let both = reasons.wrong.iter().chain(&reasons.better);
    both.map(|reason| reason.text(Voice::Nobody)).collect()
}

/// `TABIYA_MISTAKES=FILE` has it check others, of which docs/learn.md tells.
#[test]
fn no_sentence_is_false_and_seven_of_ten_mistakes_get_one() {
    let cases = cases();
    let (mut told, mut sentences) = (0, 0);
    let mut wrong = Vec::new();
    for Case { fen, played, mistake } in &cases {
        let texts = texts(&reasons(mistake));
        told += usize::from(!texts.is_empty());
        let mut checker = Checker::new(fen, played);
        for text in texts {
            match checker.check(&text) {
                Ok(count) => sentences += count,
                Err(error) => wrong.push(format!("{fen} {played}: {text}\n    {error}")),
            }
        }
    }
    println!("{} mistakes, {told} with a reason, {sentences} sentences", cases.len());
    assert!(wrong.is_empty(), "{} false:\n{}", wrong.len(), wrong.join("\n"));
    assert!(10 * told >= 7 * cases.len(), "{told} of {}", cases.len());
}

/// What checks the sentences would notice: none is true with the sides exchanged, and few with another square.
#[test]
fn false_sentences_are_noticed() {
    for Case { fen, played, mistake } in cases().iter().take(60) {
        for text in texts(&reasons(mistake)) {
            let exchanged =
                text.replace("White", "?").replace("Black", "White").replace('?', "Black");
            if exchanged != text {
                let found = Checker::new(fen, played).check(&exchanged);
                assert!(found.is_err(), "{fen} {played}: {exchanged}");
            }
        }
    }
}

/// A mistake and what is said about it.
fn said(line: &str) -> (Option<String>, Option<String>) {
    let case = case(line);
    let found = reasons(&case.mistake);
    for text in texts(&found) {
        Checker::new(&case.fen, &case.played).check(&text).unwrap();
    }
    let text = |reason: &Option<tabiya_coach::Reason>| {
        reason.as_ref().map(|reason| reason.text(Voice::Nobody))
    };
    (text(&found.wrong), text(&found.better))
}

fn contains(said: &Option<String>, wanted: &str) {
    assert!(said.as_ref().is_some_and(|text| text.contains(wanted)), "{said:?}: {wanted}");
}

#[test]
fn forks_pins_and_loose_pieces_are_told() {
    let (wrong, _) = said("4k3/8/8/8/3n4/8/P7/R3K3 w - - 0 40 | a2a3 | d4c2 e1d2 c2a1 | e1d2");
    contains(&wrong, "40...Nc2+ attacks both White's rook on a1 and White's king on e1.");
    contains(&wrong, "Whatever White answers, it loses at least a rook.");
    let (wrong, _) = said("4kb2/8/8/p7/8/8/3Q3P/4K3 w - - 0 40 | h2h3 | f8b4 d2b4 a5b4 | e1f2");
    contains(&wrong, "40...Bb4 pins White's queen on d2 to White's king on e1.");
    let (wrong, _) = said("2r3k1/5ppp/8/8/8/8/3Q1PPP/6K1 w - - 0 40 | d2c2 | c8c2 | d2d7");
    contains(&wrong, "40...Rxc2 takes White's queen on c2, which nobody defends.");
}

#[test]
fn what_a_move_gives_up_and_what_saves_it_is_told() {
    let (wrong, better) =
        said("4r1k1/5ppp/8/4N3/8/5Q2/5PPP/6K1 w - - 0 30 | f3b3 | e8e5 b3b8 e5e8 | f3g3");
    contains(&wrong, "30...Rxe5 takes White's knight on e5, which nobody defends.");
    contains(&better, "30.Qg3 defends White's knight on e5.");
    let (wrong, better) = said("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30 | b1b7 | a2a1 | g2g3");
    contains(&wrong, "After 30.Rb7, White's rook on b7 no longer guards a1.");
    assert_eq!(better.as_deref(), Some("30.g3 threatens mate with Rb8#."));
}

#[test]
fn nothing_is_said_where_nothing_is_known() {
    let start = Position::initial().fen();
    assert_eq!(said(&format!("{start} | e2e4 | e7e5 g1f3 | d2d4 d7d5")), (None, None));
    assert_eq!(said(&format!("{start} | e2e4 | | d2d4")), (None, None));
}

#[test]
fn a_player_is_spoken_to() {
    let line =
        "r1br2k1/1p1qpp1p/p1n3pB/1B2P3/Q7/2P5/P4PPP/R4RK1 w - - 4 15 | a1d1 | a6b5 a4b3 | f1e1";
    let wrong = reasons(&case(line).mistake).wrong.unwrap();
    assert_eq!(
        wrong.text(Voice::To(tabiya_chess::Color::White)),
        "After 15.Rad1, your bishop on b5 is attacked by the pawn on a6. 15...axb5 attacks your queen on a4, which \
         nobody defends. Whatever you answer, you lose at least a piece.",
    );
}
