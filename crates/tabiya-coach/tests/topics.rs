//! What exercises are about, on known examples: those of puzzles, as the mistake that allows them.

use tabiya_chess::Position;
use tabiya_coach::{Exercise, Mistake, Topic};
use tabiya_tactics::Theme;

/// The topics of a mistake and the line that punishes it; `chances` are the player's before and after it.
fn topics(
    fen: &str,
    played: &str,
    refutation: &str,
    better: &str,
    chances: [f64; 2],
) -> Vec<Topic> {
    let before: Position = fen.parse().unwrap();
    let mistake = Mistake::read(&before, played, refutation, better).unwrap();
    let exercise = Exercise::new(mistake, &[], None, chances).unwrap();
    assert_eq!(exercise.to_string().parse::<Exercise>().as_ref(), Ok(&exercise));
    exercise.topics
}

#[test]
fn known_mistakes_have_their_topics() {
    let known = [
        ("q3k3/7p/8/1N6/8/8/8/4K3 b - - 0 40", "h7h6", "b5c7 e8d7 c7a8", "a8a1", Theme::Fork),
        ("4k3/p3n3/8/8/8/8/6B1/4R1K1 b - - 0 40", "a7a6", "g2c6", "e8f8", Theme::Pin),
        ("8/8/4k3/7r/8/8/8/R5K1 b - - 0 40", "e6e5", "a1a5 e5e4 a5h5", "e6e7", Theme::Skewer),
        (
            "3q2k1/7p/8/8/8/3B4/8/3Q2K1 b - - 0 40",
            "g8h8",
            "d3h7 h8h7 d1d8",
            "d8d7",
            Theme::DiscoveredAttack,
        ),
        (
            "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 31",
            "e7e2",
            "a1a8 e2e8 a8e8",
            "h7h6",
            Theme::BackRankMate,
        ),
        ("4k3/8/3r4/8/8/8/8/3Q2K1 b - - 0 40", "d6d5", "d1d5", "d6e6", Theme::HangingPiece),
        (
            "6k1/5ppp/8/4R3/8/1P6/P1P3PP/1bK5 b - - 0 30",
            "b1a2",
            "e5a5 h7h6 a5a2",
            "g8f8",
            Theme::TrappedPiece,
        ),
        (
            "6k1/5ppp/5n2/3b2B1/8/8/8/3R2K1 b - - 0 40",
            "h7h6",
            "g5f6 g7f6 d1d5",
            "d5e4",
            Theme::Deflection,
        ),
        (
            "3r2k1/5p1p/6p1/3B4/8/8/5PPP/R2R2K1 b - - 0 30",
            "d8d5",
            "a1a8 g8g7 d1d5",
            "d8d7",
            Theme::Zwischenzug,
        ),
        ("5r1k/6pp/7N/8/8/8/8/6K1 b - - 0 40", "f8g8", "h6f7", "g7h6", Theme::SmotheredMate),
        ("8/8/4k3/7r/8/8/8/R5K1 b - - 0 40", "e6e5", "a1a5", "e6e7", Theme::RookEndgame),
    ];
    for (fen, played, refutation, better, theme) in known {
        let found = topics(fen, played, refutation, better, [50.0, 45.0]);
        assert!(found.contains(&Topic::Theme(theme)), "{fen}: {theme:?} is not in {found:?}");
        assert!(!found.contains(&Topic::MissedWin) && !found.contains(&Topic::MissedDefence));
    }
}

#[test]
fn what_was_found_counts_beside_what_was_overlooked() {
    // Black had a fork himself, and played something else.
    let before: Position = "4k3/8/8/8/3n4/7P/8/R3K3 b - - 0 40".parse().unwrap();
    let earlier: Position = "4k3/8/8/8/3n4/8/7P/R3K3 w - - 0 40".parse().unwrap();
    let last = earlier.parse_uci("h2h3").unwrap();
    let mistake = Mistake::read(&before, "e8e7", "e1d2", "d4c2 e1d2 c2a1").unwrap();
    let exercise = Exercise::new(mistake, &[], Some((&earlier, last)), [90.0, 55.0]).unwrap();
    assert!(exercise.topics.contains(&Topic::Theme(Theme::Fork)), "{:?}", exercise.topics);
    assert!(exercise.topics.contains(&Topic::MissedWin));
}

#[test]
fn a_draw_that_is_given_away_is_a_missed_defence() {
    let fen = "8/8/4k3/7r/8/8/8/R5K1 b - - 0 40";
    assert!(topics(fen, "e6e5", "a1a5", "e6e7", [50.0, 5.0]).contains(&Topic::MissedDefence));
    assert!(!topics(fen, "e6e5", "a1a5", "e6e7", [20.0, 5.0]).contains(&Topic::MissedDefence));
}

#[test]
fn several_moves_are_accepted_and_the_mistake_never_is() {
    let before = Position::initial();
    let mistake = Mistake::read(&before, "f2f3", "e7e5", "e2e4").unwrap();
    let moves = ["d2d4", "f2f3", "e2e4"].map(|code| before.parse_uci(code).unwrap());
    let exercise = Exercise::new(mistake, &moves, None, [50.0, 40.0]).unwrap();
    assert_eq!(exercise.good, [moves[2], moves[0]]);
}
