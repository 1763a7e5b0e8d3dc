//! Case by case: how moves are written, what is asked about a position, and how a game goes on.

use tabiya_base::Random;
use tabiya_chess::{Bitboard, Color, Direction, Game, HeatMap, Outcome, Position, Square};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn squares(names: &str) -> Bitboard {
    names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
}

/// Plays moves in standard algebraic notation.
fn play(game: &mut Game, moves: &str) {
    for san in moves.split_whitespace() {
        let m = game.position().parse_san(san).unwrap_or_else(|error| panic!("{san}: {error}"));
        assert_eq!(game.position().san(m), san, "in {}", game.position());
        game.play(m).unwrap();
    }
}

#[test]
fn standard_algebraic_notation() {
    let cases = [
        (START, "g1f3", "Nf3"),
        (START, "e2e4", "e4"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", "b5c6", "Bxc6+"),
        ("3k4/8/2n5/1B6/8/8/8/4K3 w - - 0 1", "b5c6", "Bxc6"),
        // En passant is written as any capture by a pawn.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        // Promotion.
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8b", "a8=B"),
        ("r7/1P5k/8/8/8/8/8/K7 w - - 0 1", "b7a8n", "bxa8=N"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q+"),
        // Check and mate.
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
        // A discovered check and a double check.
        ("4k3/8/8/8/8/4N3/8/4RK2 w - - 0 1", "e3c4", "Nc4+"),
        ("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4d6", "Nd6+"),
        // Castling.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        // Which piece: by file, by rank, by both, or not at all if the other is pinned.
        ("4k3/8/8/8/8/8/3K4/R6R w - - 0 1", "a1e1", "Rae1+"),
        ("R7/8/8/7k/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"),
        ("6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "h4e1", "Qh4e1"),
        ("6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "e4e1", "Qee1"),
        ("6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "h1e1", "Q1e1"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
    ];
    for (fen, uci, san) in cases {
        let position = position(fen);
        let m = position.parse_uci(uci).unwrap();
        assert_eq!(position.san(m), san, "{uci} in {fen}");
        assert_eq!(position.parse_san(san), Ok(m), "{san} in {fen}");
        assert_eq!(position.uci(m), uci, "{fen}");
    }
}

#[test]
fn refusals() {
    let cases = [
        (START, "Ke2", "The king on e1 cannot go to e2: your own pawn stands there."),
        (
            "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1",
            "Nf4",
            "That knight is pinned by the bishop on b5: moving it would leave your king in check.",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "exd6",
            "En passant is possible only right after the pawn has moved two squares.",
        ),
        ("7k/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", "Nd2 could be Nbd2 or Nfd2."),
    ];
    for (fen, text, sentence) in cases {
        let error = position(fen).parse_san(text).unwrap_err().to_string();
        assert_eq!(error, sentence, "{text} in {fen}");
    }
}

#[test]
fn pseudo_legal_moves_and_legal_ones() {
    // The rook has ten moves if nobody minds the king, three if somebody does.
    let position = position("4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1");
    let mut naive: Vec<String> = position
        .pseudo_legal_moves_from(Square::E4)
        .iter()
        .map(|&m| position.san_bare(m))
        .collect();
    naive.sort();
    let ten = ["Ra4", "Rb4", "Rc4", "Rd4", "Re2", "Re3", "Rf4", "Rg4", "Rh4", "Rxe5"];
    assert_eq!(naive, ten);
    let mut legal: Vec<String> =
        position.moves_from(Square::E4).iter().map(|&m| position.san(m)).collect();
    legal.sort();
    assert_eq!(legal, ["Re2", "Re3", "Rxe5+"]);
}

#[test]
fn checkers_and_pins() {
    let cases = [
        (START, "", ""),
        ("2Q3k1/6pp/5r1q/6N1/1P5P/6P1/5P2/6K1 b - - 0 1", "c8", ""),
        ("r1b1k2r/ppppqppp/2n5/8/1PP2B2/3n1N2/1P1NPPPP/R2QKB1R w KQkq - 1 9", "d3", "e2"),
        ("4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1", "", "e4"),
        ("4k3/8/4r3/8/8/3n4/8/R2QK3 w - - 0 1", "d3 e6", ""),
        ("3r3k/b5q1/1Q1N4/4B3/q1PK1R1r/2N1P3/3Q4/b2r2b1 w - - 0 1", "", "d2 c3 e3 c4 f4 e5 b6 d6"),
    ];
    for (fen, checkers, pinned) in cases {
        let position = position(fen);
        assert_eq!(position.checkers(), squares(checkers), "{fen}");
        assert_eq!(position.is_check(), !checkers.is_empty(), "{fen}");
        let found: Bitboard = position.pins().map(|pin| pin.pinned).collect();
        assert_eq!(found, squares(pinned), "{fen}");
    }
    let pinned = position("4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1");
    let pin = pinned.pins().next().unwrap();
    assert_eq!((pin.king, pin.pinner), (Square::E1, Square::E5));
    assert_eq!((pin.direction, pin.line), (Direction::North, squares("e2 e3 e4 e5")));
}

#[test]
fn attacked_squares() {
    // Every square of the third rank is attacked by White at the start, and what stands before.
    let start = Position::initial();
    assert_eq!(
        start.threat_map(Color::White),
        squares("b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 d3 e3 f3 g3 h3")
    );
    let heat = start.heat_map();
    let counts: Vec<u8> = squares("a3 b3 c3 d3 e3 f3 g3 h3")
        .into_iter()
        .map(|s| heat.count(Color::White, s))
        .collect();
    assert_eq!(counts, [2, 2, 3, 2, 2, 3, 2, 2]);

    // A rook's line is cut when a piece steps into it and opens when it leaves.
    let mut position = position("4k3/8/8/8/8/2N5/8/R3K3 w - - 0 1");
    let mut heat = position.heat_map();
    let along = |heat: &HeatMap| {
        let line = squares("a2 a3 a4 a5 a6 a7 a8").into_iter();
        line.map(|square| heat.count(Color::White, square)).collect::<Vec<u8>>()
    };
    assert_eq!(along(&heat), [2, 1, 2, 1, 1, 1, 1]);
    for (san, expected) in [("Na4", [1, 1, 1, 0, 0, 0, 0]), ("Kd8", [1, 1, 1, 0, 0, 0, 0])] {
        let m = position.parse_san(san).unwrap();
        position.play_observed(m, &mut heat);
        assert_eq!(along(&heat), expected, "after {san}");
    }
    let m = position.parse_san("Nc5").unwrap();
    position.play_observed(m, &mut heat);
    assert_eq!(along(&heat), [1, 1, 2, 1, 2, 1, 1]);

    // A new queen has its own attacks at once.
    let mut position = self::position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    let mut heat = position.heat_map();
    assert_eq!(heat.count(Color::White, Square::H1), 0);
    position.play_observed(position.parse_san("a8=Q").unwrap(), &mut heat);
    assert_eq!(heat.count(Color::White, Square::H1), 1);
    assert_eq!(heat.count(Color::White, Square::A7), 1);
    assert_eq!(heat.count(Color::White, Square::B8), 1);
}

#[test]
fn check_mate_and_stalemate() {
    let mate = |winner| Some(Outcome::Checkmate { winner });
    let cases = [
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", None),
        ("R3k3/8/8/8/8/8/8/4K3 b - - 0 1", None),
        ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", mate(Color::White)),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", mate(Color::Black)),
        ("r1b1k2r/ppppqppp/2n5/8/1PP2B2/3n1N2/1P1NPPPP/R2QKB1R w KQkq - 1 9", mate(Color::Black)),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Some(Outcome::Stalemate)),
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", Some(Outcome::Stalemate)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(Outcome::InsufficientMaterial)),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Some(Outcome::InsufficientMaterial)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
    ];
    for (fen, outcome) in cases {
        assert_eq!(position(fen).outcome(), outcome, "{fen}");
    }
}

#[test]
fn undo_and_redo() {
    let mut game = Game::new();
    play(&mut game, "e4 d5 exd5 Qxd5 Nc3 Qa5 Nf3 Bg4 Be2 Nc6 O-O O-O-O");
    let fens: Vec<String> = game.positions().map(Position::fen).collect();
    assert_eq!(fens[0], START);
    assert_eq!(fens[3], "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    assert_eq!(fens[12], "2kr1bnr/ppp1pppp/2n5/q7/6b1/2N2N2/PPPPBPPP/R1BQ1RK1 w - - 8 7");
    for fen in fens.iter().rev().skip(1) {
        assert!(game.undo().is_some());
        assert_eq!(game.position().fen(), *fen);
    }
    assert_eq!(game.undo(), None);
    for fen in &fens[1..] {
        assert!(game.redo().is_some());
        assert_eq!(game.position().fen(), *fen);
    }
    assert_eq!(game.redo(), None);

    // Rights and en passant come back with the move that lost them.
    let mut game = Game::from_position(position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"));
    play(&mut game, "Kf2");
    assert_eq!(game.position().fen(), "r3k2r/8/8/3pP3/8/8/5K2/R6R b kq - 1 1");
    game.undo();
    assert_eq!(game.position().fen(), "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    // Another move makes the one taken back forgotten.
    play(&mut game, "exd6");
    assert_eq!(game.redo(), None);
}

#[test]
fn repetition_and_fifty_moves() {
    let mut game = Game::new();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!((game.repetitions(), game.claimable_draw()), (2, None));
    play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(game.repetitions(), 3);
    assert_eq!(game.claimable_draw(), Some(Outcome::ThreefoldRepetition));
    assert_eq!(game.outcome(), None);
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(game.outcome(), Some(Outcome::FivefoldRepetition));

    // The same pieces, but the right to castle is gone.
    let mut game = Game::from_position(position("4k2r/8/8/8/8/8/8/4K2R w K - 0 1"));
    play(&mut game, "Rg1 Rg8 Rh1 Rh8");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "Rg1 Rg8 Rh1 Rh8");
    assert_eq!(game.repetitions(), 2);

    let mut game = Game::from_position(position("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"));
    assert_eq!(game.claimable_draw(), None);
    play(&mut game, "Ra2");
    assert_eq!(game.claimable_draw(), Some(Outcome::FiftyMoves));
    let game = Game::from_position(position("4k3/8/8/8/8/8/8/R3K3 w - - 150 100"));
    assert_eq!(game.outcome(), Some(Outcome::SeventyFiveMoves));
}

#[test]
fn random_games_end() {
    // Two who choose at random play until one has no move, or the rules call it a draw.
    let mut random = Random::new(20);
    let mut mates = 0;
    for _ in 0..200 {
        let mut game = Game::new();
        while game.outcome().is_none() {
            let moves = game.position().legal_moves();
            let turn = game.position().turn();
            game.play(random.pick(&moves).unwrap()).unwrap();
            assert_eq!(game.position().turn(), !turn);
        }
        mates += usize::from(game.position().is_checkmate());
        assert!(game.moves().len() < 2_000);
    }
    assert!((10..100).contains(&mates), "{mates} of 200 games ended in mate");
}
