//! Single games: how the arbiter ends them.

#[allow(dead_code, reason = "each test file plays with some of the toys")]
mod toys;

use std::time::Duration;

use tabiya_base::Stop;
use tabiya_chess::{Color, Game, Outcome};
use tabiya_lab::{Conditions, Contestant, DrawRule, GameRecord, Termination, WinRule, play_game};
use tabiya_thinker::{EngineLimit, Found, Info, Limits, ThinkError, ThinkErrorKind, Thinker};
use toys::{Dice, Failing, Failure, Greedy, Script};

const NO_CLOCK: EngineLimit = EngineLimit::Depth(1);

fn game(fen: &str) -> Game {
    Game::from_position(fen.parse().unwrap())
}

fn play<'a>(
    white: &'a mut dyn Thinker,
    black: &'a mut dyn Thinker,
    opening: Game,
    conditions: &Conditions,
) -> GameRecord {
    let sides = [white, black].map(|thinker| Contestant { thinker, limit: NO_CLOCK });
    play_game(sides, opening, conditions, None)
}

fn script(moves: &'static [&'static str], score: Option<i32>) -> Script {
    Script::new(moves, score)
}

const WHITE_SHUFFLE: &[&str] = &["g1f3", "f3g1"];
const BLACK_SHUFFLE: &[&str] = &["g8f6", "f6g8"];

fn shuffle(white: Option<i32>, black: Option<i32>, conditions: &Conditions) -> GameRecord {
    let (mut white, mut black) = (script(WHITE_SHUFFLE, white), script(BLACK_SHUFFLE, black));
    play(&mut white, &mut black, Game::new(), conditions)
}

#[test]
fn a_threefold_repetition_is_claimed() {
    let record = shuffle(None, None, &Conditions::default());
    assert_eq!(record.ending, Termination::Rules(Outcome::ThreefoldRepetition));
    assert_eq!((record.winner, record.game.moves().len()), (None, 8));
    assert_eq!(record.remarks.len(), 8);
}

#[test]
fn mate_stalemate_and_bare_kings_end_the_game() {
    let end = |fen: &str, moves: &'static [&'static str]| {
        let mut player = script(moves, None);
        play(&mut player, &mut script(moves, None), game(fen), &Conditions::default())
    };
    let mate = end("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &["a1a8"]);
    assert_eq!(mate.ending, Termination::Rules(Outcome::Checkmate { winner: Color::White }));
    assert_eq!(mate.result(), "1-0");
    let stalemate = end("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &["f1f7"]);
    assert_eq!(stalemate.ending, Termination::Rules(Outcome::Stalemate));
    // Stalemate before the first move: nobody is asked.
    let over = end("8/8/8/8/8/3k4/3p4/3K4 w - - 0 1", &["d1d2"]);
    assert_eq!((over.ending, over.remarks.len()), (Termination::Rules(Outcome::Stalemate), 0));
    let bare = end("8/8/8/8/4k3/8/3p4/3K4 w - - 0 1", &["d1d2"]);
    assert_eq!(bare.ending, Termination::Rules(Outcome::InsufficientMaterial));
    let fifty = end("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 90", &["a1a2"]);
    assert_eq!(fifty.ending, Termination::Rules(Outcome::FiftyMoves));
}

#[test]
fn every_failure_loses_and_is_named() {
    let fail = |how, after, limit: &str| {
        let conditions = Conditions { margin: Duration::from_millis(5), ..Conditions::default() };
        // Only the one who fails has a clock: on a busy machine anybody may be late.
        let white = Contestant { thinker: &mut Dice(5), limit: NO_CLOCK };
        let limit = limit.parse().unwrap();
        let black = Contestant { thinker: &mut Failing::new(how, after), limit };
        play_game([white, black], Game::new(), &conditions, None)
    };
    let nonsense = fail(Failure::PlaysNonsense, 2, "depth=1");
    let error = ThinkError::new(ThinkErrorKind::IllegalMove, "\"e2e8\" is not a legal move");
    assert_eq!(nonsense.ending, Termination::Forfeit { by: Color::Black, error });
    assert_eq!((nonsense.winner, nonsense.game.moves().len()), (Some(Color::White), 5));

    for control in ["movetime=0.02", "0.1+0.01"] {
        let late = fail(Failure::Sleeps, 1, control);
        assert_eq!(late.winner, Some(Color::White), "{control}");
        let Termination::Forfeit { by: Color::Black, error } = late.ending else {
            panic!("{control}")
        };
        assert_eq!(error.kind, ThinkErrorKind::Timeout, "{control}");
        assert!(error.to_string().starts_with("the time ran out, 0."), "{error}");
    }
    let gone = fail(Failure::Crashes, 0, "depth=1").ending;
    assert_eq!(gone.to_string(), "Black forfeits: Failing is gone");
    let begin = fail(Failure::CannotBegin, 0, "depth=1");
    assert_eq!(begin.ending.to_string(), "Black forfeits: Failing has no licence");
    assert!(begin.game.moves().is_empty());
}

#[test]
fn a_last_line_that_begins_otherwise_is_noted() {
    /// Plays any move, and tells of a line that it has not in mind.
    struct Absent;
    impl Thinker for Absent {
        fn name(&self) -> &str {
            "Absent"
        }
        fn new_game(&mut self) -> Result<(), ThinkError> {
            Ok(())
        }
        fn think(
            &mut self,
            game: &Game,
            _: &Limits,
            _: &Stop,
            on_info: &mut dyn FnMut(&Info),
        ) -> Result<Found, ThinkError> {
            let moves = game.position().legal_moves();
            on_info(&Info { multipv: 1, pv: vec![*moves.last().unwrap()], ..Info::default() });
            Ok(Found { best: moves.first().copied(), ponder: None })
        }
    }
    let conditions = Conditions { max_plies: Some(4), ..Conditions::default() };
    let record = play(&mut Absent, &mut Greedy(1), Game::new(), &conditions);
    let stray: Vec<bool> = record.remarks.iter().map(|remark| remark.is_stray).collect();
    assert_eq!(stray, [true, false, true, false]);
    let text = record.remarks[0].to_string();
    assert!(text.ends_with("s, its last line begins otherwise"), "{text}");
}

#[test]
fn time_cannot_be_lost_to_a_bare_king() {
    let opening = game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let mut late = Failing::new(Failure::GivesUp, 0);
    let record = play(&mut late, &mut Dice(1), opening.clone(), &Conditions::default());
    let error = ThinkError::new(ThinkErrorKind::Timeout, "does not answer").by("Failing");
    let ending = Termination::Forfeit { by: Color::White, error };
    assert_eq!((record.ending, record.winner), (ending, None));
    // A crash is another matter.
    let mut gone = Failing::new(Failure::Crashes, 0);
    let record = play(&mut gone, &mut Dice(1), opening, &Conditions::default());
    assert_eq!(record.winner, Some(Color::Black));
}

#[test]
fn a_draw_is_adjudicated_when_both_agree_long_enough() {
    let draw = Some(DrawRule { after_move: 2, moves: 2, score: 10 });
    let rule = Conditions { draw, ..Conditions::default() };
    let record = shuffle(Some(10), Some(-10), &rule);
    assert_eq!((record.ending, record.remarks.len()), (Termination::AdjudicatedDraw, 4));
    let later = Some(DrawRule { after_move: 3, moves: 2, score: 10 });
    let later = shuffle(Some(0), Some(0), &Conditions { draw: later, ..Conditions::default() });
    assert_eq!((later.ending, later.remarks.len()), (Termination::AdjudicatedDraw, 6));
    for (white, black) in [(Some(11), Some(0)), (Some(0), Some(-11)), (None, Some(0))] {
        let record = shuffle(white, black, &rule);
        assert_eq!(record.ending, Termination::Rules(Outcome::ThreefoldRepetition));
    }
}

#[test]
fn a_win_is_adjudicated_when_both_agree_long_enough() {
    let win = Some(WinRule { moves: 3, score: 500 });
    let rule = Conditions { win, ..Conditions::default() };
    let white = shuffle(Some(500), Some(-500), &rule);
    assert_eq!(white.ending, Termination::AdjudicatedWin { winner: Color::White });
    assert_eq!((white.winner, white.remarks.len()), (Some(Color::White), 6));
    let black = shuffle(Some(i32::MIN), Some(i32::MAX), &rule);
    assert_eq!(black.winner, Some(Color::Black));
    for (white, black) in [(500, -499), (499, -900), (900, 900), (-500, 0)] {
        let record = shuffle(Some(white), Some(black), &rule);
        assert_eq!(record.ending, Termination::Rules(Outcome::ThreefoldRepetition));
    }
}

#[test]
fn long_games_are_drawn() {
    let conditions = Conditions { max_plies: Some(5), ..Conditions::default() };
    let record = shuffle(None, None, &conditions);
    assert_eq!((record.ending, record.remarks.len()), (Termination::TooLong, 5));
}

#[test]
fn the_opening_is_part_of_the_game() {
    let mut opening = Game::new();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        opening.play(opening.position().parse_uci(text).unwrap()).unwrap();
    }
    let (mut white, mut black) = (script(WHITE_SHUFFLE, None), script(BLACK_SHUFFLE, None));
    let record = play(&mut white, &mut black, opening, &Conditions::default());
    // Four moves more make the third time.
    assert_eq!(record.ending, Termination::Rules(Outcome::ThreefoldRepetition));
    assert_eq!((record.game.moves().len(), record.remarks.len()), (8, 4));
}

#[test]
fn tables_end_games_that_they_know() {
    let folder = tempfile::tempdir().unwrap();
    let maker = tabiya_tables::Maker::new(folder.path());
    maker.make("KRK".parse().unwrap(), &mut |_| {}).unwrap();
    let tables = tabiya_tables::Tables::open([folder.path()]);
    let play = |fen: &str| {
        let (mut white, mut black) = (Dice(5), Dice(6));
        let sides = [&mut white, &mut black]
            .map(|thinker| Contestant { thinker: thinker as &mut dyn Thinker, limit: NO_CLOCK });
        let record = play_game(sides, game(fen), &Conditions::default(), Some(&tables));
        assert!(record.remarks.is_empty());
        (record.winner, record.ending.to_string())
    };
    let wins = (Some(Color::White), "Adjudicated by tables: White wins".to_owned());
    assert_eq!(play("8/8/4k3/8/8/8/8/K6R b - - 0 1"), wins);
    let draw = (None, "Adjudicated by tables: a draw".to_owned());
    assert_eq!(play("8/8/8/8/8/8/1k6/1r5K w - - 97 80"), draw);
    assert_eq!(play("8/8/8/8/8/8/6kR/K7 b - - 0 1"), draw);
}
