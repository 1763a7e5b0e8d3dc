//! What an engine says, as people read it.

use tabiya_base::{Score, Stop};
use tabiya_chess::Game;
use tabiya_study::{Question, Report, Study};
use tabiya_thinker::{Found, Info, Limits, ThinkError, Thinker};

/// Says two lines, a good and a bad one, and the good one again, only that it is at least as good.
struct Toy;

impl Thinker for Toy {
    fn name(&self) -> &str {
        "Toy"
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        assert_eq!(limits.multipv, Some(2));
        let read = |text: &str| game.position().parse_san(text).unwrap();
        let [good, bad] = ["d5", "e5"].map(read);
        let info = Info { depth: 5, nodes: 100, ..Info::default() };
        on_info(&Info { score: Score::Centipawns(20), pv: vec![good], ..info.clone() });
        on_info(&Info { score: Score::Mate(-3), multipv: 2, pv: vec![bad, good], ..info.clone() });
        let bound = tabiya_base::Bound::Lower;
        on_info(&Info { score: Score::Centipawns(90), bound, pv: vec![good], ..info });
        Ok(Found { best: Some(good), ponder: None })
    }
}

fn ask(question: &Question) -> Result<Report, ThinkError> {
    let mut last = Report::default();
    question.ask(&mut Toy, &Stop::default(), |report| last = report.clone())?;
    Ok(last)
}

#[test]
fn lines_come_as_people_write_them_from_whites_side() {
    let study = Study::from_pgn("1. e4 *").unwrap();
    let report = ask(&study.question(1, 2).unwrap()).unwrap();
    assert_eq!((report.engine.as_str(), report.depth, report.nodes), ("Toy", 5, 100));
    let lines: Vec<(&str, Vec<&str>)> = report
        .lines
        .iter()
        .map(|line| (line.score.as_str(), line.moves.iter().map(|m| m.text.as_str()).collect()))
        .collect();
    // The end of the second line makes no sense, so it is not told.
    assert_eq!(lines, [("-0.20", vec!["d5"]), ("#3", vec!["e5"])]);
    assert_eq!((report.lines[0].expectation, report.lines[1].expectation), (0.482, 1.0));
    assert_eq!(report.lines[0].moves[0].number, 1);
}

#[test]
fn nothing_is_thought_about_when_the_game_is_over_or_nobody_wants_to_know() {
    let mate = Study::from_pgn("1. f3 e5 2. g4 Qh4# *").unwrap();
    let refusal = ask(&mate.question(4, 2).unwrap()).unwrap_err();
    assert_eq!(refusal.to_string(), "Checkmate: Black wins");
    let stop = Stop::default();
    stop.stop();
    let question = Study::from_pgn("1. e4 *").unwrap().question(1, 2).unwrap();
    question.ask(&mut Toy, &stop, |_| panic!()).unwrap();
}

#[test]
fn a_pass_in_the_record_is_a_new_beginning() {
    let study = Study::from_pgn("1. e4 -- 2. d4 *").unwrap();
    let report = ask(&study.question(3, 2).unwrap()).unwrap();
    assert_eq!(report.lines[0].moves[0].side, tabiya_view::Side::Black);
}
