//! Random games, in which the library must agree with a slow reference at every position.
//!
//! The games are the same in every run. Special moves are chosen more often than chance would have
//! it, and each test counts what it has seen, so that none of it can go untested unnoticed.

mod questions;
mod reference;
mod words;

use questions::Follower;
use reference::{PlainMove, Reference};
use tabiya_base::Random;
use tabiya_chess::{
    Color, FenStyle, Move, MoveKind, MoveList, Position, Role, Setup, Square, Wing,
};

/// What the games consisted of.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    captures: usize,
    double_steps: usize,
    en_passant: usize,
    promotions: [usize; 6],
    castles: [usize; 2],
    checks: usize,
    double_checks: usize,
    pins: usize,
    mates: usize,
    stalemates: usize,
    repetitions: usize,
}

impl Seen {
    fn note_move(&mut self, position: &Position, m: Move) {
        self.captures += usize::from(position.piece_at(m.to()).is_some());
        match m.kind() {
            MoveKind::Normal => {
                let pawn = position.board().role(Role::Pawn).contains(m.from());
                self.double_steps += usize::from(pawn && m.from().distance(m.to()) == 2);
            }
            MoveKind::Promotion => self.promotions[m.promotes_to().unwrap() as usize] += 1,
            MoveKind::EnPassant => self.en_passant += 1,
            MoveKind::Castle => {
                let wing = Wing::of(m.from(), m.castling_rook().unwrap());
                self.castles[wing as usize] += 1;
            }
        }
    }

    /// Of a position that has been examined.
    fn note_position(&mut self, position: &Position, moves: usize) {
        self.positions += 1;
        let checkers = position.checkers().len();
        self.checks += usize::from(checkers > 0);
        self.double_checks += usize::from(checkers > 1);
        self.pins += position.pins().count();
        self.mates += usize::from(moves == 0 && checkers > 0);
        self.stalemates += usize::from(moves == 0 && checkers == 0);
    }

    /// Every kind of move was played at least so many times.
    #[track_caller]
    fn require(&self, positions: usize, each_kind: usize) {
        assert!(self.positions >= positions, "{self:?}");
        let promotions = Role::PROMOTIONS.map(|role| self.promotions[role as usize]);
        let kinds = [self.captures, self.double_steps, self.en_passant, self.checks, self.pins];
        let all = kinds.into_iter().chain(promotions).chain(self.castles);
        assert!(all.min() >= Some(each_kind), "{self:?}");
        assert!(self.double_checks > 0 && self.mates > 0, "{self:?}");
    }
}

/// Plays random games of some length from the starts and examines every position on the way.
fn play(seed: u64, positions: usize, plies: usize, start: impl Fn(usize) -> Position) -> Seen {
    let mut random = Random::new(seed);
    let mut seen = Seen::default();
    for game in 0.. {
        let mut position = start(game);
        let mut plain = Reference::read(&exact_fen(&position));
        let mut follower = Follower::new(&position, &plain);
        for _ in 0..plies {
            let moves = position.legal_moves();
            examine(&position, &plain, &moves);
            seen.note_position(&position, moves.len());
            if seen.positions.is_multiple_of(4) {
                words::same_as_reference(&position, &plain, &moves);
                words::as_people_write(&position, &moves);
            }
            if seen.positions.is_multiple_of(20) {
                questions::attacks(&position, &plain);
            }
            if seen.positions.is_multiple_of(400) {
                every_move_there_is(&position, &moves);
                words::between_squares(&position, &moves);
            }
            if moves.is_empty() {
                break;
            }
            let mut special = moves.clone();
            special.retain(|m| m.kind() != MoveKind::Normal);
            let among_special = !special.is_empty() && random.below(4) > 0;
            let m = random.pick(if among_special { &special[..] } else { &moves }).unwrap();
            seen.note_move(&position, m);
            plain = plain.play(plain_move(m));
            position = position.play(m).unwrap();
            same_position(&position, &plain);
            follower.play(m, &position, &plain);
        }
        seen.repetitions += follower.repeated;
        follower.back_and_forth();
        if seen.positions >= positions {
            break;
        }
    }
    seen
}

fn plain_move(m: Move) -> PlainMove {
    (m.from(), m.to(), m.promotes_to(), m.castling_rook())
}

fn plain_moves(moves: &MoveList) -> Vec<PlainMove> {
    let mut plain: Vec<PlainMove> = moves.iter().map(|&m| plain_move(m)).collect();
    plain.sort();
    plain
}

fn exact_fen(position: &Position) -> String {
    position.fen_with(FenStyle { every_ep_square: true, castling_files: true })
}

/// Both think they are in the same position.
fn same_position(position: &Position, plain: &Reference) {
    for square in Square::ALL {
        assert_eq!(position.piece_at(square), plain.piece_at(square), "{square} in {position}");
    }
    let mut castling = plain.castling.clone();
    castling.sort();
    let rooks: Vec<Square> = position.castling_rights().rooks().into_iter().collect();
    assert_eq!(rooks, castling, "{position}");
    assert_eq!(position.turn(), plain.turn, "{position}");
    assert_eq!(position.ep_square(), plain.ep_square, "{position}");
    assert_eq!(position.halfmove_clock(), plain.halfmove_clock, "{position}");
    assert_eq!(position.fullmove_number(), plain.fullmove_number, "{position}");
    for color in Color::ALL {
        assert_eq!(position.king(color), plain.king(color), "{position}");
    }
}

/// Everything that must hold in any position.
fn examine(position: &Position, plain: &Reference, moves: &MoveList) {
    move_lists(position, plain, moves);
    questions::move_lists(position, moves);
    questions::checks_and_pins(position, plain);
    questions::outcome(position, plain, moves);
    words::round_trips(position, moves);
    keys(position);
    texts(position);
    for &m in moves {
        steps(position, m);
    }
}

fn move_lists(position: &Position, plain: &Reference, moves: &MoveList) {
    let all = plain_moves(moves);
    assert_eq!(all, plain.legal_moves(), "{position}");
    assert_eq!(position.count_legal_moves(), all.len() as u64, "{position}");
    assert_eq!(position.has_legal_moves(), !all.is_empty(), "{position}");

    let takes_or_promotes = |m: &PlainMove| {
        let en_passant = plain.ep_square == Some(m.1)
            && plain.piece_at(m.0).is_some_and(|piece| piece.role == Role::Pawn);
        let takes = plain.piece_at(m.1).is_some() && m.3.is_none();
        takes || en_passant || m.2.is_some()
    };
    let (tactical, quiet): (Vec<_>, Vec<_>) = all.iter().partition(|m| takes_or_promotes(m));
    assert_eq!(plain_moves(&position.tactical_moves()), tactical, "{position}");
    assert_eq!(plain_moves(&position.quiet_moves()), quiet, "{position}");

    let by_piece: Vec<PlainMove> = Square::ALL
        .into_iter()
        .flat_map(|square| {
            let moves = plain_moves(&position.moves_from(square));
            assert!(moves.iter().all(|m| m.0 == square), "{square} in {position}");
            moves
        })
        .collect();
    assert_eq!(by_piece, all, "{position}");

    let standard = position.castles_as_in_standard_chess();
    let mut reached = vec![Vec::new(); 64];
    for m in &all {
        reached[m.0 as usize].push(m.3.filter(|_| !standard).unwrap_or(m.1));
    }
    for (from, mut targets) in Square::ALL.into_iter().zip(reached) {
        targets.sort();
        targets.dedup();
        let destinations: Vec<Square> = position.destinations(from).into_iter().collect();
        assert_eq!(destinations, targets, "from {from} in {position}");
    }
}

fn keys(position: &Position) {
    assert_eq!(position.key(), position.computed_key(), "{position}");
    let only_legal = Setup { ep_square: position.legal_ep_square(), ..position.setup() };
    let only_legal = only_legal.validate().unwrap();
    assert_eq!(position.repetition_key(), only_legal.key(), "{position}");
    if let Some(next) = position.null_move() {
        assert_eq!(next.key(), next.computed_key(), "{position}");
        assert_eq!(next.setup().validate(), Ok(next), "{position}");
    }
}

fn texts(position: &Position) {
    assert_eq!(position.setup().validate().as_ref(), Ok(position));
    for castling_files in [false, true] {
        let style = FenStyle { every_ep_square: true, castling_files };
        let fen = position.fen_with(style);
        assert_eq!(fen.parse::<Position>().as_ref(), Ok(position), "{fen}");
        let style = FenStyle { every_ep_square: false, castling_files };
        let fen = position.fen_with(style);
        let only_legal = Setup { ep_square: position.legal_ep_square(), ..position.setup() };
        assert_eq!(fen.parse::<Position>(), Ok(only_legal.validate().unwrap()), "{fen}");
    }
}

/// The steps of a move make the board after it; taken back, the board before.
fn steps(position: &Position, m: Move) {
    let steps = position.steps(m);
    let mut board = *position.board();
    steps.iter().for_each(|step| step.apply(&mut board));
    let after = position.play(m).unwrap();
    assert_eq!(board, *after.board(), "{m} in {position}");
    steps.iter().rev().for_each(|step| step.inverse().apply(&mut board));
    assert_eq!(board, *position.board(), "{m} taken back in {position}");

    let mut in_place = *position;
    in_place.play_unchecked(m);
    assert_eq!(in_place, after, "{m} in {position}");
    assert_eq!(after.key(), after.computed_key(), "{m} in {position}");
}

/// Of all moves that can be written down, those on the list are legal and no others.
fn every_move_there_is(position: &Position, moves: &MoveList) {
    let legal = (1..=u16::MAX).filter_map(Move::from_bits).filter(|&m| position.is_legal(m));
    let mut listed: Vec<Move> = moves.iter().copied().collect();
    listed.sort_by_key(|m| m.bits());
    assert_eq!(legal.collect::<Vec<_>>(), listed, "{position}");
    for m in (1..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(position.explain(m).is_none(), position.is_legal(m), "{m:?} in {position}");
    }
}

/// Endings, pawn races and open castling positions, from which games are full of what is rare.
const TRICKY: [&str; 14] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "4k3/pppp4/8/4PPPP/pppp4/8/4PPPP/4K3 w - - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "r3k2r/pppppppp/8/PPPPPPPP/8/8/8/R3K2R b KQkq - 0 1",
    "3r3k/b5q1/1Q1N4/4B3/q1PK1R1r/2N1P3/3Q4/b2r2b1 w - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/1k2p1p1/8/3P1P1P/p1p1p3/8/1P1P3K/8 w - - 0 1",
    "8/6k1/8/8/8/8/1q3Q2/6K1 w - - 0 1",
    "4k3/8/8/8/8/8/8/BNNK1RRB w - - 60 90",
    "1r1k2r1/p6p/8/1P4P1/1p4p1/8/P6P/1R1K2R1 w GBgb - 0 1",
];

#[test]
fn standard_games() {
    play(0x5EED_0001, 45_000, 150, |_| Position::initial()).require(45_000, 45);
}

#[test]
fn more_standard_games() {
    play(0x5EED_0002, 45_000, 150, |_| Position::initial()).require(45_000, 45);
}

#[test]
fn chess960_games() {
    let start = |game: usize| Position::chess960((game * 7 % 960) as u16).unwrap();
    play(0x5EED_0960, 45_000, 150, start).require(45_000, 45);
}

#[test]
fn games_from_tricky_positions() {
    let start = |game: usize| TRICKY[game % TRICKY.len()].parse().unwrap();
    let seen = play(0x5EED_0014, 50_000, 40, start);
    seen.require(50_000, 250);
    assert!(seen.stalemates > 0 && seen.repetitions > 0, "{seen:?}");
}
