//! What holds for every review: it is the same twice, colours do not matter, the rules come first.

use tabiya_base::{Score, Stop};
use tabiya_chess::{Color, Outcome, Position};
use tabiya_pgn::{Comment, Game, Nag};
use tabiya_review::{
    Assessment, Graph, Judgement, Review, ReviewSettings, Stopped, deepen, fingerprint, review,
};

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+
    7. Be2 Nf3# 0-1";

fn look(game: &Game) -> Review {
    look_with(game, 3_000)
}

fn look_with(game: &Game, nodes: u64) -> Review {
    let settings = ReviewSettings { nodes, ..ReviewSettings::default() };
    review(game, &settings, &mut |_, _| {}, &Stop::default()).unwrap()
}

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

/// The game with colours exchanged, by text alone.
fn mirrored(game: &Game) -> Game {
    let fen = game.tree().start().fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |text: &str| -> String {
        let swapped = |c: char| {
            if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(swapped).collect()
    };
    let flip = |text: &str| -> String {
        let flipped = |c: char| c.to_digit(10).map_or(c, |rank| char::from(b'0' + 9 - rank as u8));
        text.chars().map(flipped).collect()
    };
    fields[0] = swap(&fields[0]).split('/').rev().collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    fields[2] = swap(&fields[2]);
    fields[3] = flip(&fields[3]);
    let start: Position = fields.join(" ").parse().unwrap();
    let mut played = tabiya_chess::Game::from_position(start);
    let source = game.to_play();
    for (position, &m) in source.positions().zip(source.moves()) {
        let code = flip(&position.uci_chess960(m));
        let m = played.position().parse_uci(&code).unwrap();
        played.play(m).unwrap();
    }
    Game::from(&played)
}

#[test]
fn the_same_game_has_the_same_review() {
    let game = game(GAME);
    let first = look(&game);
    assert_eq!(look(&game), first);
    // On many threads at once, too.
    std::thread::scope(|scope| {
        let others = [(); 3].map(|()| scope.spawn(|| look(&game)));
        for other in others {
            assert_eq!(other.join().unwrap(), first);
        }
    });
}

#[test]
fn mistakes_are_looked_at_twice() {
    let game = game(GAME);
    let review = look(&game);
    let around: Vec<u64> = review.evaluations().map(|evaluation| evaluation.nodes).collect();
    let bad = |ply: usize| review.moves[ply].judgement >= Some(Judgement::Mistake);
    let mistakes: Vec<usize> = (0..review.moves.len()).filter(|&ply| bad(ply)).collect();
    assert!(!mistakes.is_empty());
    let positions: Vec<Assessment> = review.evaluations().map(|one| one.worth).collect();
    for ply in mistakes {
        for position in [ply, ply + 1] {
            let is_open = matches!(positions[position], Assessment::Score(Score::Centipawns(_)));
            assert!(!is_open || around[position] == 30_000, "position {position}: {around:?}");
        }
    }
    // Quiet moves are not.
    assert_eq!(around[0], 3_000);
    // Nor is a game without mistakes, and it takes no longer.
    let mut told = Vec::new();
    let quiet: Game = "1. e4 e5 2. Nf3 Nc6 *".parse().unwrap();
    let settings = ReviewSettings { nodes: 3_000, ..ReviewSettings::default() };
    tabiya_review::review(
        &quiet,
        &settings,
        &mut |done, of| told.push((done, of)),
        &Stop::default(),
    )
    .unwrap();
    assert_eq!(told, [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]);
}

#[test]
fn a_deeper_look_is_at_what_was_asked_for() {
    let settings = ReviewSettings { nodes: 300, ..ReviewSettings::default() };
    let mut game = game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *");
    look_with(&game, 300).annotate(&mut game);
    let nodes = |review: &Review| review.evaluations().map(|one| one.nodes).collect::<Vec<_>>();
    let again = |game: &Game, ply| deepen(game, ply, &settings, &mut |_, _| {}, &Stop::default());
    let one = again(&game, Some(3)).unwrap();
    assert_eq!(nodes(&one), [300, 300, 3_000, 3_000, 300, 300, 300]);
    assert_eq!(again(&game, Some(3)).unwrap(), one, "the same twice");
    // It is kept in the record, and goes on from there.
    one.annotate(&mut game);
    let text = game.to_string();
    assert!(text.contains("[%nodes 3000]"), "{text}");
    assert_eq!(Review::read(&text.parse().unwrap()), Some(one.clone()));
    assert_eq!(nodes(&again(&game, Some(3)).unwrap())[2..4], [30_000; 2]);
    // The whole game: what has been looked at so deeply is not looked at again.
    let mut told = Vec::new();
    let tell = &mut |done, of| told.push((done, of));
    let all = deepen(&game, None, &settings, tell, &Stop::default()).unwrap();
    assert_eq!(nodes(&all), [3_000; 7]);
    assert_eq!(told.last(), Some(&(5, 5)));
    // Stopped, it gives nothing.
    let stop = Stop::default();
    stop.stop();
    assert_eq!(deepen(&game, None, &settings, &mut |_, _| {}, &stop), Err(Stopped));
    // There is an end to it.
    assert!(all.can_deepen(None) && all.can_deepen(Some(6)));
    assert!(!all.can_deepen(Some(0)) && !all.can_deepen(Some(7)));
    let deepest = text.replace("[%review 300]", &format!("[%review {}]", ReviewSettings::DEEPEST));
    let deepest = Review::read(&deepest.replace("[%nodes 3000]", "").parse().unwrap()).unwrap();
    assert!(!deepest.can_deepen(None) && !deepest.can_deepen(Some(1)));
}

#[test]
fn colours_do_not_matter() {
    let castling =
        "[FEN \"r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1\"]\n
        1. O-O-O O-O 2. Bxc5 dxc5 3. Qg5 Nxe4 4. Qh5 g6 *";
    for text in [GAME, castling] {
        let game = game(text);
        let (here, there) = (look(&game), look(&mirrored(&game)));
        assert_eq!(here.moves.len(), there.moves.len());
        let mirror = |worth: Assessment| match worth {
            Assessment::Score(Score::Centipawns(centipawns)) => {
                Assessment::Score(Score::Centipawns(-centipawns))
            }
            Assessment::Score(Score::Mate(moves)) => Assessment::Score(Score::Mate(-moves)),
            Assessment::Over(Outcome::Checkmate { winner }) => {
                Assessment::Over(Outcome::Checkmate { winner: !winner })
            }
            Assessment::Over(outcome) => Assessment::Over(outcome),
        };
        assert_eq!(here.start.worth, mirror(there.start.worth));
        for (a, b) in here.moves.iter().zip(&there.moves) {
            assert_eq!(a.color, !b.color);
            assert_eq!(a.evaluation.worth, mirror(b.evaluation.worth), "{}. {}", a.number, a.san);
            assert_eq!((a.judgement, a.loss, a.chances), (b.judgement, b.loss, b.chances));
            assert_eq!(a.sentence().is_some(), b.sentence().is_some());
        }
        for color in Color::ALL {
            assert_eq!(here.performance(color), there.performance(!color));
        }
    }
}

#[test]
fn nothing_is_told_from_the_wrong_side() {
    // White is a queen up, then Black; whoever moves.
    for (fen, good) in [
        ("4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/PPPP4/3QK3 b - - 0 1", true),
        ("3qk3/pppp4/8/8/8/8/8/4K3 w - - 0 1", false),
        ("3qk3/pppp4/8/8/8/8/8/4K3 b - - 0 1", false),
    ] {
        let review = look(&Game::from_position(fen.parse().unwrap()));
        assert_eq!(review.start.worth.chances() > 95.0, good, "{fen}");
        assert_eq!(review.start.worth.chances() < 5.0, !good, "{fen}");
    }
}

#[test]
fn the_rules_come_before_the_engine() {
    // A queen up, and stalemate.
    let stalemate = look(&game("[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n1. Kf7 *"));
    assert_eq!(stalemate.moves[0].evaluation.worth, Assessment::Over(Outcome::Stalemate));
    assert_eq!(stalemate.moves[0].judgement, Some(Judgement::Blunder));
    let kings = look(&game("[FEN \"8/8/8/3k4/8/3K4/8/8 w - - 0 1\"]\n1. Ke3 *"));
    assert_eq!(kings.start.worth, Assessment::Over(Outcome::InsufficientMaterial));
    assert_eq!(kings.performance(Color::White).accuracy, Some(100.0));
    // Three times the same, and a queen up: a draw, unless it was won.
    let thrice =
        "[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 0 1\"]\n1. Qb2+ Kg8 2. Qb1 Kh8 3. Qb2+ Kg8 4. Qb1 Kh8";
    let drawn = look(&game(&format!("{thrice} 1/2-1/2")));
    let last = drawn.moves.last().unwrap().evaluation;
    assert_eq!((last.worth, last.depth), (Assessment::Over(Outcome::ThreefoldRepetition), 0));
    let won = look(&game(&format!("{thrice} 1-0")));
    assert!(won.moves.last().unwrap().evaluation.worth.chances() > 90.0);
}

#[test]
fn games_of_all_kinds() {
    let empty = look(&game("*"));
    assert!(empty.moves.is_empty() && empty.opening.is_none() && empty.times.is_none());
    assert_eq!(empty.performances.map(|side| side.accuracy), [None, None]);
    assert!(empty.graph(&Graph::default()).contains("</svg>"));

    let mut chess960 = tabiya_chess::Game::from_position(Position::chess960(0).unwrap());
    for _ in 0..6 {
        let m = *chess960.position().legal_moves().iter().last().unwrap();
        chess960.play(m).unwrap();
    }
    let record = Game::from(&chess960);
    let mut annotated = record.clone();
    let review = look(&record);
    review.annotate(&mut annotated);
    let read: Game = annotated.to_string().parse().unwrap();
    assert_eq!(Review::read(&read), Some(review));

    // A null move: what comes after it is not reviewed.
    assert_eq!(look(&game("1. e4 -- 2. d4 *")).moves.len(), 1);
    // Very few nodes, many moves to choose from.
    let crowded = game("[FEN \"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1\"]\n1. Rhg8 *");
    assert_eq!(look_with(&crowded, 1).moves.len(), 1);
}

#[test]
fn a_record_takes_the_review_in_and_gives_it_back() {
    let text = "[Event \"x\"]\n\n{Before} 1. e4 {[%clk 0:05:00] [%eval 9.99] fine} e5 2. Nf3 (2. f4 exf4 (2... d5) {old}) Nc6
        3. Bc4 Nd4?! {Mistake, I say: a6 was better.} {hm} 4. Nxe5! {[%csl Ge5]} Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";
    let plain = game(text);
    let review = look(&plain);
    let mut annotated = plain.clone();
    review.annotate(&mut annotated);
    let written = annotated.to_string();
    for part in [
        "{Before}",
        "[%clk 0:05:00] fine",
        "(2. f4 exf4 {old} (2... d5))",
        "{Mistake, I say: a6 was better.} {hm}",
        "[%csl Ge5]",
    ] {
        assert!(written.replace('\n', " ").contains(part), "{part} in {written}");
    }
    assert!(!written.contains("9.99"));
    assert_eq!(annotated.tag("ECO"), Some("C50"));
    // A person's glyphs stay alone; other judged moves have ours.
    let tree = annotated.tree();
    let line: Vec<_> = tree.main_line().collect();
    assert_eq!(tree.nags(line[5]), [Nag::DUBIOUS]);
    assert_eq!(tree.nags(line[6]), [Nag::GOOD]);
    let judged =
        review.moves.iter().position(|m| m.judgement == Some(Judgement::Blunder) && m.number > 4);
    let judged = judged.unwrap();
    assert_eq!(tree.nags(line[judged]), [Nag::BLUNDER]);
    let parent = tree.parent(line[judged]).unwrap();
    let better = tree.children(parent).nth(1).unwrap();
    assert_eq!(tree.san(better), review.moves[judged].better_san[0]);
    // Written, read, and the same again.
    let read = game(&written);
    assert_eq!(Review::read(&read).as_ref(), Some(&review));
    let mut again = read.clone();
    review.annotate(&mut again);
    assert_eq!(again.to_string(), written);
    // Another review takes the place of the first.
    let mut other = read.clone();
    look_with(&plain, 500).annotate(&mut other);
    let mut fresh = plain.clone();
    look_with(&plain, 500).annotate(&mut fresh);
    assert_eq!(other.tree(), fresh.tree());
    // A person's glyph stays even where ours is the same.
    let mut agreed = game(GAME);
    let blunder = agreed.tree().main_line().nth(judged).unwrap();
    agreed.tree_mut().add_nag(blunder, Nag::BLUNDER);
    let mut twice = agreed.clone();
    look(&agreed).annotate(&mut twice);
    look(&agreed).annotate(&mut twice);
    tabiya_review::clear(&mut twice);
    assert_eq!(twice.tree(), agreed.tree());
    // Without it, nothing of it is left but the names of the opening.
    let mut cleared = read;
    tabiya_review::clear(&mut cleared);
    let mut bare = plain;
    tabiya_review::clear(&mut bare);
    assert_eq!(cleared.tree(), bare.tree());
}

#[test]
fn missed_mates_are_shown_and_taken_out_again() {
    let fen = "[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\"]\n";
    let plain = game(&format!("{fen}1. Ra2 h6 2. Ra8+ Kh7 *"));
    let mut annotated = plain.clone();
    let review = look(&plain);
    review.annotate(&mut annotated);
    let text = annotated.to_string().replace('\n', " ");
    assert!(text.contains("misses mate in 1: Ra8# was better.}"), "{text}");
    assert!(text.contains("(1. Ra8# {[%eval #0,"), "{text}");
    assert_eq!(Review::read(&game(&text)), Some(review));
    tabiya_review::clear(&mut annotated);
    assert_eq!(annotated.tree(), plain.tree());
}

#[test]
fn a_part_of_a_review_is_none() {
    let mut annotated = game(GAME);
    let review = look(&annotated);
    review.annotate(&mut annotated);
    let tree = annotated.tree_mut();
    let last = tree.main_line().nth(4).unwrap();
    tree.clear_notes(last);
    assert_eq!(Review::read(&annotated), None);
    assert_eq!(Review::read(&game("1. e4 {[%eval 0.3,12]} *")), None);
    assert_eq!(Review::read(&game("{[%review x] [%eval 0.1]} 1. e4 {[%eval 0.3,12]} *")), None);
}

#[test]
fn a_review_can_be_stopped() {
    let stopper = Stop::default();
    let inside = stopper.clone();
    let mut progress = move |done: usize, _: usize| {
        if done == 3 {
            inside.stop();
        }
    };
    let settings = ReviewSettings { nodes: 500, ..ReviewSettings::default() };
    assert_eq!(review(&game(GAME), &settings, &mut progress, &stopper), Err(Stopped));
}

#[test]
fn fingerprints_tell_what_matters() {
    let settings = ReviewSettings::default();
    let key = |text: &str| fingerprint(&game(text), &settings);
    let mut keys = vec![
        key("1. e4 e5 *"),
        key("1. e4 *"),
        key("1. e4 e5 1-0"),
        key("1. e4 {[%clk 0:01:00]} e5 *"),
        key("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n*"),
        fingerprint(&game("1. e4 e5 *"), &ReviewSettings { nodes: 5, ..ReviewSettings::default() }),
    ];
    let mut annotated = game("1. e4 e5 *");
    let root = annotated.tree().root();
    annotated.tree_mut().add_comment(root, Comment::new("hello [%eval 1.0]"));
    assert_eq!(fingerprint(&annotated, &settings), keys[0]);
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 6);
    assert!(keys.iter().all(|key| key.len() == 32 && key.bytes().all(|b| b.is_ascii_hexdigit())));
}

/// Games of every sort, played at random: what is written is read back as it was, and a picture can be drawn.
#[test]
fn whatever_was_played_is_read_back() {
    let mut seed = 11_u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for round in 0..24 {
        let start = Position::chess960(draw(960) as u16).unwrap();
        let mut played = tabiya_chess::Game::from_position(start);
        for _ in 0..(8 * round) {
            let moves = played.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            played.play(moves[draw(moves.len())]).unwrap();
        }
        let plain = Game::from(&played);
        let review = look_with(&plain, 100);
        assert_eq!(review.moves.len(), played.moves().len());
        let mut annotated = plain.clone();
        review.annotate(&mut annotated);
        let text = annotated.to_string();
        let read = game(&text);
        assert_eq!(Review::read(&read).as_ref(), Some(&review), "{text}");
        let mut again = read;
        review.annotate(&mut again);
        assert_eq!(again.to_string(), text);
        assert!(review.graph(&Graph::default()).ends_with("</svg>\n"));
        for side in review.performances {
            assert!(side.accuracy.is_none_or(|accuracy| (0.0..=100.0).contains(&accuracy)));
        }
    }
}

#[test]
fn a_bad_move_comes_with_what_punishes_it_and_why() {
    let mut game = game(GAME);
    let review = look(&game);
    let bad = &review.moves[8]; // 5. Nxf7 Qxg2
    assert!(bad.judgement.is_some() && bad.refutation_san[0] == "Qxg2", "{bad:?}");
    let wrong = review.reasons(8).wrong.unwrap().text(tabiya_coach::Voice::Nobody);
    assert!(wrong.contains("5...Qxg2"), "{wrong}");
    let good = review.moves.iter().filter(|one| one.judgement.is_none());
    assert!(good.map(|one| &one.refutation).all(Vec::is_empty));
    assert!(review.reasons(0).is_empty() && review.reasons(99).is_empty());
    // A record keeps the line, where the game went another way, too.
    review.annotate(&mut game);
    assert!(game.to_string().contains("[%refutation Qxg2"), "{game}");
    assert_eq!(Review::read(&game), Some(review));
    tabiya_review::clear(&mut game);
    assert!(!game.to_string().contains("refutation"), "{game}");
}
