//! What pages ask of a study, in any order and with any numbers and texts: nothing panics, a refusal is a sentence and
//! changes nothing, and whatever was accepted can be kept and read back.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use tabiya_study::{MOST_TEXT, Sketch, Study};
use tabiya_view::Refusal;

fuzz_target!(|data: &[u8]| {
    // What is left of the input makes no whole step: that is all.
    let _ = work(&mut Unstructured::new(data));
});

fn work(input: &mut Unstructured<'_>) -> Result<()> {
    let begun = match input.int_in_range(0..=2)? {
        0 => Ok(Study::new()),
        1 => {
            let fen = input.arbitrary()?;
            if let Ok(sketch) = Sketch::from_fen(fen) {
                let _ = (sketch.verdict(), sketch.fen());
            }
            Study::from_fen(fen)
        }
        _ => Study::from_pgn(input.arbitrary()?),
    };
    let Ok(mut study) = begun else { return Ok(()) };
    for _ in 0..24 {
        if input.is_empty() {
            break;
        }
        let before = (study.pgn(), study.sequence());
        match step(&mut study, input)? {
            Ok(()) => keep(&study),
            Err(refusal) => {
                assert!(refusal.0.ends_with(['.', '?', '!']), "{}", refusal.0);
                assert_eq!((study.pgn(), study.sequence()), before);
            }
        }
    }
    Ok(())
}

/// As the bodies of `POST /api/studies/{id}/steps`.
fn step(
    study: &mut Study,
    input: &mut Unstructured<'_>,
) -> Result<std::result::Result<(), Refusal>> {
    let (kind, node) = (input.int_in_range(0..=11)?, usize::from(input.arbitrary::<u8>()?));
    Ok(match kind {
        0 => study.play(node, input.arbitrary()?).map(drop),
        1 => {
            let moves = study.board(node).map(|board| board.fen);
            let Ok(fen) = moves else { return Ok(Ok(())) };
            let position: tabiya_chess::Position = fen.parse().expect("a position");
            let moves = position.legal_moves();
            let number = usize::from(input.arbitrary::<u8>()?) % moves.len().max(1);
            let Some(&m) = moves.get(number) else { return Ok(Ok(())) };
            study.play(node, &position.uci(m)).map(drop)
        }
        2 => {
            let (from, to) =
                (input.arbitrary::<&str>()?.parse(), input.arbitrary::<&str>()?.parse());
            let (Ok(from), Ok(to)) = (from, to) else { return Ok(Ok(())) };
            study.go(node, from, to, None).map(drop)
        }
        3 => study.add_line(node, &input.arbitrary::<Vec<&str>>()?).map(drop),
        4 => {
            let (text, times) = (input.arbitrary::<&str>()?, input.arbitrary::<u8>()?);
            study.comment(node, &text.repeat(times.into())).map(drop)
        }
        5 => study.judge(node, input.arbitrary()?).map(drop),
        6 => study.promote(node).map(drop),
        7 => study.promote_to_main(node).map(drop),
        8 => study.delete(node).map(drop),
        9 => study.rename(input.arbitrary()?),
        10 => study.undo().map(drop),
        _ => look(study, node),
    })
}

fn look(study: &mut Study, node: usize) -> std::result::Result<(), Refusal> {
    study.board(node)?;
    study.sight(node)?;
    study.question(node, 1)?;
    study.go_to(node)
}

fn keep(study: &Study) {
    let pgn = study.pgn();
    assert!(pgn.len() <= MOST_TEXT);
    assert!(study.here() < study.outline().nodes.len());
    let again = Study::restore(study.title(), &pgn, study.here(), study.sequence());
    let again = again.expect("what was accepted can be read back");
    assert!(again.game() == study.game(), "{pgn}");
    assert_eq!(again.here(), study.here());
}
