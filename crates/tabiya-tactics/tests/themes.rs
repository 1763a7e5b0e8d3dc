//! Themes are recognised in positions that are known for them, and not in others.

use tabiya_tactics::{Collection, Tactic, Theme, recognise};

/// A puzzle, what it is about, and what it is not about.
type Known = (&'static str, &'static [Theme], &'static [Theme]);

const KNOWN: &[Known] = &[
    (
        "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 31 | e7e2 a1a8 e2e8 a8e8 | mate | 620",
        &[Theme::MateIn2, Theme::BackRankMate, Theme::RookEndgame, Theme::Endgame],
        &[Theme::MateIn1, Theme::Sacrifice, Theme::SmotheredMate, Theme::Opening],
    ),
    (
        "5r1k/6pp/7N/8/8/8/8/6K1 b - - 0 40 | f8g8 h6f7 | mate | 900",
        &[Theme::MateIn1, Theme::SmotheredMate],
        &[Theme::BackRankMate, Theme::Fork],
    ),
    (
        "q3k3/7p/8/1N6/8/8/8/4K3 b - - 0 40 | h7h6 b5c7 e8d7 c7a8 | win | 800",
        &[Theme::Fork, Theme::Endgame],
        &[Theme::Skewer, Theme::Pin, Theme::HangingPiece, Theme::Sacrifice],
    ),
    (
        "4k3/p3n3/8/8/8/8/6B1/4R1K1 b - - 0 40 | a7a6 g2c6 | win | 900",
        &[Theme::Pin],
        &[Theme::Fork, Theme::DoubleCheck, Theme::QuietMove],
    ),
    (
        "8/8/4k3/7r/8/8/8/R5K1 b - - 0 40 | e6e5 a1a5 e5e4 a5h5 | win | 900",
        &[Theme::Skewer, Theme::RookEndgame],
        &[Theme::Pin, Theme::DiscoveredAttack],
    ),
    (
        "3q2k1/7p/8/8/8/3B4/8/3Q2K1 b - - 0 40 | g8h8 d3h7 h8h7 d1d8 | win | 900",
        &[Theme::DiscoveredAttack, Theme::Sacrifice],
        &[Theme::DoubleCheck, Theme::Skewer],
    ),
    (
        "4k3/p7/8/8/4N3/8/8/4R1K1 b - - 0 40 | a7a6 e4f6 | win | 900",
        &[Theme::DoubleCheck, Theme::DiscoveredAttack],
        &[Theme::Pin, Theme::QuietMove],
    ),
    (
        "4k3/8/3r4/8/8/8/8/3Q2K1 b - - 0 40 | d6d5 d1d5 | win | 500",
        &[Theme::HangingPiece],
        &[Theme::Fork, Theme::Sacrifice, Theme::QuietMove, Theme::Defence],
    ),
    (
        "1r4k1/5ppp/8/8/8/8/3Q1PPP/3R2K1 b - - 0 40 | b8a8 d2d8 a8d8 d1d8 | mate | 800",
        &[Theme::Sacrifice, Theme::BackRankMate, Theme::MateIn2],
        &[Theme::Promotion, Theme::QuietMove],
    ),
    (
        "8/P7/8/8/8/5k2/8/7K b - - 0 60 | f3e3 a7a8q | win | 500",
        &[Theme::Promotion, Theme::PawnEndgame],
        &[Theme::Underpromotion, Theme::RookEndgame, Theme::QueenEndgame],
    ),
    (
        "8/P7/8/8/8/5k2/8/7K b - - 0 60 | f3e3 a7a8n | win | 500",
        &[Theme::Promotion, Theme::Underpromotion],
        &[],
    ),
    (
        "1k6/7p/8/2K5/8/8/8/6Q1 b - - 0 60 | b8a8 c5b6 h7h6 g1g8 | mate | 900",
        &[Theme::QuietMove, Theme::QueenEndgame, Theme::MateIn2],
        &[Theme::BackRankMate, Theme::Fork],
    ),
    (
        "3r2k1/5p1p/6p1/3B4/8/8/5PPP/R2R2K1 b - - 0 30 | d8d5 a1a8 g8g7 d1d5 | win | 900",
        &[Theme::Zwischenzug],
        &[Theme::Skewer, Theme::Sacrifice],
    ),
    (
        "6k1/p4q2/8/8/8/1Q6/8/6KR b - - 0 40 | a7a6 h1h8 g8h8 b3f7 | win | 1200",
        &[Theme::Deflection, Theme::Sacrifice],
        &[Theme::Zwischenzug, Theme::TrappedPiece],
    ),
    (
        "6k1/5ppp/5n2/3b2B1/8/8/8/3R2K1 b - - 0 40 | h7h6 g5f6 g7f6 d1d5 | win | 1000",
        &[Theme::Deflection],
        &[Theme::Skewer, Theme::Fork, Theme::Sacrifice],
    ),
    (
        "6k1/5ppp/8/4R3/8/1P6/P1P3PP/1bK5 b - - 0 30 | b1a2 e5a5 h7h6 a5a2 | win | 1000",
        &[Theme::TrappedPiece],
        &[Theme::Deflection, Theme::Fork],
    ),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3 | g8f6 h5f7 | mate | 600",
        &[Theme::MateIn1, Theme::Opening],
        &[Theme::Middlegame, Theme::Endgame, Theme::BackRankMate],
    ),
];

#[test]
fn known_examples_have_their_themes() {
    for &(text, wanted, unwanted) in KNOWN {
        let tactic: Tactic = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let themes = recognise(&tactic);
        for &theme in wanted {
            assert!(themes.contains(theme), "{theme:?} is missing: {text}");
        }
        for &theme in unwanted {
            assert!(!themes.contains(theme), "{theme:?} is too much: {text}");
        }
    }
}

#[test]
fn a_draw_that_is_saved_is_defence() {
    let text = "8/8/8/8/8/1k6/1p6/3K4 b - - 0 60 | b3a3 d1c2 | save | 900";
    let themes = recognise(&text.parse::<Tactic>().unwrap());
    assert!(themes.contains(Theme::Defence) && themes.contains(Theme::PawnEndgame));
    assert!(!themes.contains(Theme::QuietMove));
}

#[test]
fn every_built_in_puzzle_has_one_phase_and_the_themes_of_its_goal() {
    let puzzles = Collection::built_in();
    assert!(puzzles.len() >= 40, "{}", puzzles.len());
    let phases = [Theme::Opening, Theme::Middlegame, Theme::Endgame];
    let mates = [Theme::MateIn1, Theme::MateIn2, Theme::MateIn3, Theme::LongMate];
    for one in puzzles.iter() {
        let count =
            |list: &[Theme]| list.iter().filter(|&&theme| one.themes.contains(theme)).count();
        assert_eq!(count(&phases), 1, "{}", one.tactic);
        let is_mate = one.tactic.goal() == tabiya_tactics::Goal::Mate;
        assert_eq!(count(&mates), usize::from(is_mate), "{}", one.tactic);
        let end = *one.tactic.positions().last().unwrap();
        assert_eq!(end.is_checkmate(), is_mate, "{}", one.tactic);
        assert!((100..=3000).contains(&one.tactic.rating()), "{}", one.tactic);
        assert_eq!(puzzles.get(one.tactic.id()), Some(one));
    }
}
