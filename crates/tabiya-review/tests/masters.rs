//! Reviews are right: known blunders of public master games are found, and mates are seen.

use tabiya_base::{Score, Stop};
use tabiya_chess::{Color, Outcome};
use tabiya_pgn::Game;
use tabiya_review::{Assessment, Judgement, Review, ReviewSettings, Reviewed, review};

const OPERA: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6
    9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
    17. Rd8# 1-0";
const LEGAL: &str = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0";
const RETI: &str =
    "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4
    9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0";
const STEINITZ: &str = "1. e4 e5 2. f4 exf4 3. Nf3 Nf6 4. e5 Nh5 5. Be2 g6 6. d4 Bg7 7. O-O d6 8. Nc3 O-O
    9. Ne1 dxe5 10. Bxh5 gxh5 11. dxe5 Qxd1 12. Nxd1 Nc6 13. Bxf4 Bf5 14. Ne3 Be4 15. Nf3 Rfe8 16. Ng5 Bg6
    17. Nd5 Bxe5 18. Nxc7 Bxc7 19. Bxc7 Rac8 20. Bg3 Nd4 21. c3 Ne2+ 22. Kf2 h4 23. Bd6 Nd4 24. cxd4 Rc2+
    25. Kg1 Ree2 26. Rae1 Rxg2+ 27. Kh1 Kg7 28. Re8 f5 29. Ne6+ Kf6 30. Re7 Rge2 31. d5 Rcd2 32. Bb4 Rxh2+ 0-1";
const KARPOV: &str =
    "1. d4 Nf6 2. c4 e6 3. Nf3 b6 4. a3 Ba6 5. Qc2 Bb7 6. Nc3 c5 7. e4 cxd4 8. Nxd4 Nc6
    9. Nxc6 Bxc6 10. Bf4 Nh5 11. Be3 Bd6 12. Qd1 1-0";
const KRAMNIK: &str = "1. d4 d5 2. c4 dxc4 3. e4 b5 4. a4 c6 5. Nc3 b4 6. Na2 Nf6 7. e5 Nd5 8. Bxc4 e6 9. Nf3 a5
    10. Bg5 Qb6 11. Nc1 Ba6 12. Qe2 h6 13. Be3 Bxc4 14. Qxc4 Nd7 15. Nb3 Be7 16. Rc1 O-O 17. O-O Rfc8 18. Qe2 c5
    19. Nfd2 Qc6 20. Qh5 Qxa4 21. Nxc5 Nxc5 22. dxc5 Nxe3 23. fxe3 Bxc5 24. Qxf7+ Kh8 25. Qf3 Rf8 26. Qe4 Qd7
    27. Nb3 Bb6 28. Rfd1 Qf7 29. Rf1 Qa7 30. Rxf8+ Rxf8 31. Nd4 a4 32. Nxe6 Bxe3+ 33. Kh1 Bxc1 34. Nxf8 Qe3
    35. Qh7# 1-0";
const PETROSIAN: &str = "1. c4 Nf6 2. Nc3 g6 3. g3 Bg7 4. Bg2 O-O 5. Nf3 c5 6. O-O Nc6 7. d4 d6 8. dxc5 dxc5
    9. Be3 Nd7 10. Qc1 Nd4 11. Rd1 e5 12. Bh6 Qa5 13. Bxg7 Kxg7 14. Kh1 Rb8 15. Nd2 a6 16. e3 Ne6 17. a4 h5 18. h4 f5
    19. Nd5 Kh7 20. b3 Rf7 21. Nf3 Qd8 22. Qc3 Qh8 23. e4 fxe4 24. Nd2 Qg7 25. Nxe4 Kh8 26. Rd2 Rf8 27. a5 Nd4
    28. b4 cxb4 29. Qxb4 Nf5 30. Rad1 Nd4 31. Re1 Nc6 32. Qa3 Nd4 33. Rb2 Nc6 34. Reb1 Nd4 35. Qd6 Nf5 36. Ng5
    Nxd6 0-1";
fn look(text: &str, nodes: u64) -> Review {
    let game: Game = text.parse().unwrap();
    let settings = ReviewSettings { nodes, ..ReviewSettings::default() };
    review(&game, &settings, &mut |_, _| {}, &Stop::default()).unwrap()
}

/// The move with a number, `12.` of White or `12...` of Black.
fn find<'a>(review: &'a Review, name: &str) -> &'a Reviewed {
    let color = if name.ends_with("...") { Color::Black } else { Color::White };
    let number: u16 = name.trim_end_matches('.').parse().unwrap();
    let found = review.moves.iter().find(|m| (m.number, m.color) == (number, color));
    found.unwrap_or_else(|| panic!("there is no move {name}"))
}

fn assert_blunder(review: &Review, name: &str, san: &str, best: &[&str]) {
    let blunder = find(review, name);
    assert_eq!(blunder.san, san);
    assert_eq!(blunder.judgement, Some(Judgement::Blunder), "{name} {san}: {blunder:?}");
    let better = blunder.better_san[0].as_str();
    assert!(best.is_empty() || best.contains(&better), "{name} {san}: better is {better}");
    let judged = |m: &Reviewed| m.judgement == Some(Judgement::Blunder) && m.color == blunder.color;
    let blunders = review.moves.iter().filter(|m| judged(m)).count() as u32;
    assert_eq!(review.performance(blunder.color).blunders(), blunders);
}

#[test]
fn one_move_blunders_of_champions_are_found() {
    // Steinitz's opponent leaves h2 to the rooks, in a match for the championship.
    let steinitz = look(STEINITZ, 8_000);
    assert_blunder(&steinitz, "32.", "Bb4", &[]);
    assert_eq!(find(&steinitz, "32.").evaluation.worth, Assessment::Score(Score::Mate(-2)));
    assert!(find(&steinitz, "32.").sentence().unwrap().contains("allows mate in 2"));
    // Karpov forgets that a queen can go back: 12. Qd1 wins a piece for pawns. That takes the
    // nodes that a review has by default.
    let karpov = look(KARPOV, ReviewSettings::default().nodes);
    let slip = find(&karpov, "11...");
    assert!(slip.san == "Bd6" && slip.judgement >= Some(Judgement::Mistake), "{slip:?}");
    assert_eq!(karpov.performance(Color::White).blunders(), 0);
    // Kramnik overlooks a mate in one.
    let kramnik = look(KRAMNIK, 8_000);
    assert_blunder(&kramnik, "34...", "Qe3", &["Kg8"]);
    assert_eq!(find(&kramnik, "34...").evaluation.worth, Assessment::Score(Score::Mate(1)));
    // Petrosian leaves his queen to a knight.
    let petrosian = look(PETROSIAN, 8_000);
    assert_blunder(&petrosian, "36.", "Ng5", &[]);
    assert!(find(&petrosian, "36...").judgement.is_none());
}

#[test]
fn mates_are_seen() {
    let opera = look(OPERA, 5_000);
    assert_eq!(find(&opera, "15...").evaluation.worth, Assessment::Score(Score::Mate(2)));
    assert_eq!(find(&opera, "16.").evaluation.worth, Assessment::Score(Score::Mate(1)));
    let mate = Outcome::Checkmate { winner: Color::White };
    assert_eq!(find(&opera, "17.").evaluation.worth, Assessment::Over(mate));
    assert!(["16.", "17."].iter().all(|name| find(&opera, name).loss == 0.0));
    assert_eq!(opera.opening.unwrap().eco, "C41");
    let [white, black] = opera.performances.map(|side| side.accuracy.unwrap());
    assert!(white > black + 5.0, "{white} {black}");

    let legal = look(LEGAL, 5_000);
    assert_blunder(&legal, "5...", "Bxd1", &["dxe5", "Be6"]);
    assert_eq!(find(&legal, "5...").evaluation.worth, Assessment::Score(Score::Mate(2)));

    let reti = look(RETI, 5_000);
    assert_blunder(&reti, "8...", "Nxe4", &[]);
    assert_eq!(find(&reti, "8...").evaluation.worth, Assessment::Score(Score::Mate(3)));
    assert_eq!(find(&reti, "9.").judgement, None);
}

/// The blame is where it belongs: with the pawn that is thrown forward, not only with the last try.
#[test]
fn the_real_culprit_is_found() {
    // Only the part of the game around it: 9. … b5 lets the knight in.
    let game = format!(
        "[FEN \"rn2kb1r/pp2qppp/2p2n2/4p1B1/2B1P3/1QN5/PPP2PPP/R3K2R b KQkq - 1 9\"]\n{}",
        "9... b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 *"
    );
    let review = look(&game, 30_000);
    let pawn = find(&review, "9...");
    assert!(pawn.san == "b5" && pawn.judgement >= Some(Judgement::Mistake), "{pawn:?}");
    assert_eq!(pawn.evaluation.nodes, 300_000);
}

/// More nodes, more games: minutes rather than seconds.
#[test]
#[ignore = "takes a minute"]
fn deeper_looks_agree_with_the_books() {
    let opera = look(OPERA, ReviewSettings::default().nodes);
    assert!(find(&opera, "9...").judgement >= Some(Judgement::Mistake));
    for text in [OPERA, LEGAL, RETI, STEINITZ, KARPOV, KRAMNIK, PETROSIAN] {
        let review = look(text, 100_000);
        let game: Game = text.parse().unwrap();
        let winner = game.result().winner().unwrap();
        let loser = review.performance(!winner);
        assert!(loser.blunders() > 0 || loser.mistakes() > 0, "{text}");
        assert!(review.performance(winner).accuracy > loser.accuracy, "{text}");
    }
}
