//! Named cases of what people do with a study.

use tabiya_study::{MOST_NODES, MOST_TEXT, Sketch, Study};
use tabiya_view::{PieceRole, PieceView, Side};

#[test]
fn a_study_is_bounded() {
    let mut study = Study::new();
    let long = "x".repeat(4001);
    assert_eq!(study.comment(0, &long).unwrap_err().0, "A comment has 4000 letters at most.");
    let wide = "é".repeat(4000);
    let mut said = 0;
    let refusal = loop {
        let node =
            study.add_line(study.here(), &[["g1f3", "g8f6", "f3g1", "f6g8"][said % 4]]).unwrap();
        match study.comment(node, &wide) {
            Ok(_) => said += 1,
            Err(refusal) => break refusal,
        }
    };
    assert!(refusal.0.starts_with("That is too much for one study"), "{}", refusal.0);
    assert!(said > 20);
    assert!(study.pgn().len() <= MOST_TEXT);

    let mut study = Study::new();
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(50);
    for _ in 0..MOST_NODES / round.len() {
        study.add_line(study.here(), &round).unwrap();
    }
    assert_eq!(study.outline().nodes.len(), MOST_NODES + 1);
    assert!(study.play(study.here(), "e4").is_err());
    assert_eq!(study.outline().nodes.len(), MOST_NODES + 1);
    assert!(Study::from_pgn(&" ".repeat(MOST_TEXT + 1)).is_err());
    assert!(study.add_line(0, &["e2e4"; 201]).is_err());
}

/// A study of a record with so many tags of sixteen thousand letters.
fn with_tags(count: usize) -> Study {
    let tags: String =
        (0..count).map(|number| format!("[Note{number} \"{}\"]\n", "x".repeat(16_000))).collect();
    Study::from_pgn(&format!("{tags}\n1. e4 e5 *")).unwrap()
}

#[test]
fn what_was_accepted_can_be_read_back_however_it_is_filled() {
    let restored = |study: &Study| {
        let again = Study::restore(study.title(), &study.pgn(), study.here(), study.sequence());
        assert_eq!(again.unwrap().game(), study.game());
    };
    // Tags count, so that little is left for words.
    let mut study = with_tags(22);
    let mut steps = 0;
    let refusal = loop {
        let node = study.play(study.here(), ["Nf3", "Nf6", "Ng1", "Ng8"][steps % 4]);
        match node.and_then(|node| study.comment(node, &"é ".repeat(1999))) {
            Ok(_) => steps += 1,
            Err(refusal) => break refusal,
        }
        restored(&study);
    };
    assert!(refusal.0.starts_with("That is too much for one study"), "{}", refusal.0);
    assert!((5..10).contains(&steps), "{steps} steps");
    assert!(study.pgn().len() <= MOST_TEXT);
    restored(&study);
    // So do judgements.
    let mut study = Study::new();
    study.play(0, "e4").unwrap();
    for nag in 20..=255 {
        study.judge(1, nag).unwrap();
    }
    restored(&study);
    let text = study.pgn();
    assert!(Study::from_pgn(&with_tags(24).pgn()).is_ok() && text.contains("$255"));
    assert!(
        Study::from_pgn(&format!("{}{{{}}}", with_tags(24).pgn(), "x".repeat(16_000))).is_err()
    );
}

#[test]
fn a_study_that_is_larger_than_it_may_be_can_be_read_and_made_smaller() {
    let tags: String =
        (0..30).map(|number| format!("[Note{number} \"{}\"]\n", "x".repeat(16_000))).collect();
    let text = format!("{tags}\n1. e4 {{so}} e5 *");
    assert!(Study::from_pgn(&text).is_err());
    let mut study = Study::restore("Large", &text, 2, 7).unwrap();
    assert_eq!((study.here(), study.sequence()), (2, 7));
    assert!(study.play(2, "Nf3").is_err());
    study.comment(1, "").unwrap();
    study.delete(2).unwrap();
    assert!(study.pgn().contains("1. e4 *"));
}

#[test]
fn what_can_be_undone_is_bounded_in_bytes() {
    let mut study = with_tags(20);
    for step in 0..60 {
        study.judge(1 + step % 2, 1).unwrap();
    }
    // Ten of the largest studies, and the study itself.
    assert!(study.bytes() <= 12 * MOST_TEXT + 10_000, "{} bytes", study.bytes());
    let mut undone = 0;
    while study.undo().is_ok() {
        undone += 1;
    }
    assert!((10..=13).contains(&undone), "{undone} steps could be undone");
    // Of a small one as many as ever.
    let mut study = Study::from_pgn("1. e4 e5 *").unwrap();
    for _ in 0..60 {
        study.judge(1, 1).unwrap();
    }
    assert_eq!(std::iter::from_fn(|| study.undo().ok()).count(), 50);
}

#[test]
fn refused_steps_change_nothing() {
    let mut study = Study::from_pgn("1. e4 e5 *").unwrap();
    let before = (study.pgn(), study.sequence(), study.here());
    for refusal in [
        study.play(9, "e4").unwrap_err(),
        study.play(0, "e5").unwrap_err(),
        study.play(0, "").unwrap_err(),
        study.go(0, "e2".parse().unwrap(), "z26".parse().unwrap(), None).unwrap_err(),
        study.judge(0, 1).unwrap_err(),
        study.judge(1, 0).unwrap_err(),
        study.promote(2).unwrap_err(),
        study.delete(9).unwrap_err(),
        study.undo().unwrap_err(),
    ] {
        assert!(refusal.0.ends_with('.'), "{}", refusal.0);
    }
    assert_eq!((study.pgn(), study.sequence(), study.here()), before);
}

#[test]
fn steps_are_undone_one_after_the_other() {
    let mut study = Study::from_pgn("1. e4 e5 2. Nf3 *").unwrap();
    let mut records = vec![study.pgn()];
    study.delete(2).unwrap();
    records.push(study.pgn());
    study.play(1, "c5").unwrap();
    records.push(study.pgn());
    study.judge(2, 1).unwrap();
    for record in records.iter().rev() {
        study.undo().unwrap();
        assert_eq!(study.pgn(), *record);
    }
    assert!(!study.is_undoable());
    assert_eq!(study.sequence(), 6);
}

#[test]
fn words_for_people_are_not_read_as_commands() {
    let mut study = Study::from_pgn("1. e4 {[%eval 0.3]} *").unwrap();
    study.comment(1, "look [%eval -9.0] [[%%clk 1:00:00]").unwrap();
    let node = &study.outline().nodes[1];
    assert_eq!(node.eval.as_deref(), Some("0.30"));
    assert_eq!(node.clock, None);
    study.comment(1, "").unwrap();
    assert_eq!(study.outline().nodes[1].comment, "");
    assert_eq!(study.outline().nodes[1].eval.as_deref(), Some("0.30"));
}

#[test]
fn black_may_begin_and_chess960_castles_onto_the_rook() {
    let mut study = Study::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 3 20").unwrap();
    let node = study.play(0, "Kd7").unwrap();
    let outline = study.outline();
    assert_eq!((outline.nodes[node].number, outline.nodes[node].side), (20, Side::Black));
    let mut castle =
        Study::from_fen("1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1").unwrap();
    let node = castle.play(0, "O-O").unwrap();
    assert_eq!(castle.outline().nodes[node].uci, "f1g1");
    assert_eq!(castle.add_line(0, &["f1g1"]).unwrap(), node);
}

#[test]
fn sketches_say_what_is_wrong() {
    for (fen, trouble) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king."),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "A pawn cannot stand on a1."),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "Black is in check, but it is White's move."),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "Castling with a rook on h1 is impossible here."),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "No pawn can just have passed over e6."),
    ] {
        let sketch = Sketch::from_fen(fen).unwrap();
        assert_eq!(sketch.verdict().trouble.as_deref(), Some(trouble), "{fen}");
        assert_eq!(sketch.fen(), fen);
        assert!(sketch.check().is_err());
    }
    let start =
        Sketch::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    assert_eq!(start.castling, "KQkq");
    assert_eq!(start.verdict().castleable, "KQkq");
    let off = PieceView { square: "j1".parse().unwrap(), side: Side::White, role: PieceRole::Rook };
    let sketch = Sketch { pieces: vec![off], ..start.clone() };
    assert_eq!(sketch.verdict().trouble.as_deref(), Some("There is no square j1 on this board."));
    let sketch = Sketch { castling: "xyz".repeat(100), ..start };
    assert!(sketch.verdict().trouble.is_some());
}

#[test]
fn kings_in_check_and_lonely_pieces_are_told_in_words() {
    let sight = Study::from_fen("4k3/8/8/8/8/8/3r4/4K2N w - - 0 1").unwrap().sight(0).unwrap();
    let about =
        |at: &str| sight.squares.iter().find(|one| one.at.to_string() == at).unwrap().text.clone();
    assert_eq!(about("d2"), "The black rook on d2 is attacked by the king on e1 and not defended.");
    assert_eq!(about("h1"), "The white knight on h1 is neither attacked nor defended.");
    assert_eq!(about("h5"), "Nobody reaches h5.");
    let check = Study::from_fen("4k3/8/8/8/8/8/8/r3K3 w - - 0 1").unwrap().sight(0).unwrap();
    let king = check.squares.iter().find(|one| one.at.to_string() == "e1").unwrap();
    assert_eq!(king.text, "The white king on e1 is in check from the rook on a1.");
}
