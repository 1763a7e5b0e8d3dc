//! Random edits: the tree stays valid, nothing is lost on the way to PGN and back, and everything can be undone.

use proptest::prelude::*;
use tabiya_chess::Position;
use tabiya_study::{MOST_TEXT, Study};

/// What somebody might do, with numbers that choose among what there is.
#[derive(Clone, Debug)]
enum Step {
    Play(usize, usize),
    Line(usize, Vec<usize>),
    Comment(usize, String),
    Judge(usize, u8),
    Promote(usize),
    Main(usize),
    Delete(usize),
    Undo,
}

fn step() -> impl Strategy<Value = Step> {
    let number = 0..1000_usize;
    prop_oneof![
        6 => (number.clone(), number.clone()).prop_map(|(node, pick)| Step::Play(node, pick)),
        2 => (number.clone(), prop::collection::vec(number.clone(), 0..6))
            .prop_map(|(node, picks)| Step::Line(node, picks)),
        2 => (number.clone(), "[ -~{}\\[%\\]é\n]{0,40}").prop_map(|(node, text)| Step::Comment(node, text)),
        2 => (number.clone(), any::<u8>()).prop_map(|(node, nag)| Step::Judge(node, nag)),
        1 => number.clone().prop_map(Step::Promote),
        1 => number.clone().prop_map(Step::Main),
        1 => number.prop_map(Step::Delete),
        2 => Just(Step::Undo),
    ]
}

/// A legal move after a node, by its uci.
fn uci(position: &Position, pick: usize) -> Option<String> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| position.uci(moves[pick % moves.len()]))
}

fn take(study: &mut Study, step: &Step) {
    let some = |pick: usize| pick % study.outline().nodes.len();
    let position = |node: usize| -> Position { study.board(node).unwrap().fen.parse().unwrap() };
    let done = match step {
        Step::Play(node, pick) => {
            let node = some(*node);
            let Some(uci) = uci(&position(node), *pick) else { return };
            study.play(node, &uci)
        }
        Step::Line(node, picks) => {
            let node = some(*node);
            let mut at = position(node);
            let mut codes = Vec::new();
            for &pick in picks {
                let Some(uci) = uci(&at, pick) else { break };
                at = at.play(at.parse_uci(&uci).unwrap()).unwrap();
                codes.push(uci);
            }
            study.add_line(node, &codes)
        }
        Step::Comment(node, text) => study.comment(some(*node), text),
        Step::Judge(node, nag) => study.judge(some(*node), *nag),
        Step::Promote(node) => study.promote(some(*node)),
        Step::Main(node) => study.promote_to_main(some(*node)),
        Step::Delete(node) => study.delete(some(*node)),
        Step::Undo => study.undo(),
    };
    if let Ok(node) = done {
        assert!(node < study.outline().nodes.len());
    }
}

/// Every node follows from its parent by a legal move, and knows its place.
fn check(study: &Study) {
    let outline = study.outline();
    assert!(outline.here < outline.nodes.len());
    for (number, node) in outline.nodes.iter().enumerate().skip(1) {
        let parent = node.parent.unwrap();
        assert!(parent < number);
        let before: Position = study.board(parent).unwrap().fen.parse().unwrap();
        let m = before.parse_uci(&node.uci).unwrap();
        assert_eq!(before.san(m), node.san);
        let after = before.play(m).unwrap().fen();
        assert_eq!(study.board(number).unwrap().fen, after);
    }
    let main = study.main_line();
    assert!(main.windows(2).all(|pair| outline.nodes[pair[1]].parent == Some(pair[0])));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn random_edits_keep_the_tree_and_the_record_alike(
        start in prop_oneof![
            Just(Study::new()),
            Just(Study::from_fen("r3k2r/P6p/8/3pP3/8/8/p6P/R3K2R w KQkq d6 0 9").unwrap()),
            Just(Study::from_pgn("{intro} 1. e4 e5 ({or} 1... c5 {[%clk 0:01:00]} 2. Nf3) 2. f4!? *").unwrap()),
        ],
        steps in prop::collection::vec(step(), 0..40),
    ) {
        let mut study = start;
        for step in &steps {
            let before = study.clone();
            take(&mut study, step);
            if study.sequence() == before.sequence() {
                prop_assert_eq!(study.pgn(), before.pgn(), "nothing was edited, so nothing has changed");
            } else if !matches!(step, Step::Undo) {
                let mut undone = study.clone();
                undone.undo().unwrap();
                prop_assert_eq!(undone.pgn(), before.pgn());
            }
        }
        check(&study);
        prop_assert!(study.pgn().len() <= MOST_TEXT);
        let kept = Study::restore(study.title(), &study.pgn(), study.here(), study.sequence()).unwrap();
        prop_assert_eq!(kept.game(), study.game());
        let (mut ours, theirs) = (study.outline(), kept.outline());
        ours.undoable = theirs.undoable;
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,200}", moves in "[a-h1-8NBRQKx+#=O().{}$0-9 \n\\[\\]\"%;-]{0,300}") {
        for text in [&text, &moves] {
            if let Ok(study) = Study::from_pgn(text) {
                check_passing(&study);
            }
            let _ = Study::from_fen(text);
            let _ = Study::new().play(0, text);
            if let Ok(sketch) = tabiya_study::Sketch::from_fen(text) {
                let _ = sketch.verdict();
            }
        }
    }
}

/// Records may pass (`--`), which has no uci.
fn check_passing(study: &Study) {
    let again = Study::from_pgn(&study.pgn()).unwrap();
    assert_eq!(again.outline(), study.outline());
    for node in 0..study.outline().nodes.len() {
        study.question(node, 1).unwrap();
        study.sight(node).unwrap();
    }
}

/// Something large to do, so that a study is soon full.
fn large_step() -> impl Strategy<Value = Step> {
    let number = 0..1000_usize;
    let letters = prop::sample::select(vec!["é", "x", "x ", "\\ ", "\"[%", "{ ", "] %", "♘ "]);
    prop_oneof![
        3 => (number.clone(), letters, 500..2000_usize)
            .prop_map(|(node, letters, times)| Step::Comment(node, letters.repeat(times))),
        1 => step(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_accepted_can_be_restored(
        tags in prop::collection::vec(
            (prop::sample::select(vec!["x", "\"", "\\\\", "é", " "]), 1000..9000_usize),
            0..30,
        ),
        steps in prop::collection::vec(large_step(), 1..60),
    ) {
        let tags = tags.iter().enumerate();
        let tags: String = tags
            .map(|(number, (letters, times))| format!("[Note{number} \"{}\"]\n", letters.repeat(*times)))
            .collect();
        let Ok(mut study) = Study::from_pgn(&format!("{tags}\n1. e4 e5 (1... c5) 2. Nf3 Nc6 *")) else {
            return Ok(());
        };
        for step in &steps {
            take(&mut study, step);
            let pgn = study.pgn();
            prop_assert!(pgn.len() <= MOST_TEXT);
            let kept = Study::restore(study.title(), &pgn, study.here(), study.sequence()).unwrap();
            prop_assert_eq!(kept.game(), study.game());
            prop_assert_eq!(kept.pgn(), pgn);
        }
    }
}
