//! What can be asked about a position, in random games: checks, pins, attacks, outcome, history.

use tabiya_chess::{Color, Game, HeatMap, Move, MoveList, Outcome, Position, Square};

use crate::plain_moves;
use crate::reference::Reference;

fn sorted(squares: impl IntoIterator<Item = Square>) -> Vec<Square> {
    let mut squares: Vec<Square> = squares.into_iter().collect();
    squares.sort();
    squares
}

/// Who gives check and who is pinned.
pub(crate) fn checks_and_pins(position: &Position, plain: &Reference) {
    let us = plain.turn;
    let checkers = plain.attackers(plain.king(us), !us);
    assert_eq!(sorted(position.checkers()), checkers, "{position}");
    assert_eq!(position.is_check(), !checkers.is_empty(), "{position}");
    assert_eq!(position.is_check(), plain.in_check(us), "{position}");
    for color in Color::ALL {
        let pinned = sorted(position.pins_of(color).map(|pin| pin.pinned));
        assert_eq!(pinned, plain.pinned(color), "{position}");
    }
    assert!(position.pins().eq(position.pins_of(us)), "{position}");
    // A pinned piece stays on its line.
    for pin in position.pins() {
        for m in position.moves_from(pin.pinned) {
            assert!(pin.line.contains(m.to()), "{m} in {position}");
        }
    }
}

/// How often each square is attacked.
pub(crate) fn attacks(position: &Position, plain: &Reference) {
    let heat = position.heat_map();
    for color in Color::ALL {
        for square in Square::ALL {
            let attackers = plain.attackers(square, color);
            assert_eq!(sorted(position.attackers(square, color)), attackers, "{position}");
            assert_eq!(position.is_attacked(square, color), !attackers.is_empty(), "{position}");
            let threatened = position.threat_map(color).contains(square);
            assert_eq!(threatened, !attackers.is_empty(), "{square} in {position}");
            assert_eq!(usize::from(heat.count(color, square)), attackers.len(), "{position}");
        }
    }
}

/// The pseudo-legal moves that leave the king safe are the legal ones; the lazy list is the list.
pub(crate) fn move_lists(position: &Position, moves: &MoveList) {
    let mut pseudo_legal = position.pseudo_legal_moves();
    assert!(pseudo_legal.len() >= moves.len(), "{position}");
    pseudo_legal.retain(|m| position.leaves_king_safe(m));
    assert_eq!(plain_moves(&pseudo_legal), plain_moves(moves), "{position}");
    let mut lazy: Vec<Move> = position.iter_legal_moves().collect();
    let mut listed = moves.to_vec();
    lazy.sort_by_key(|m| m.bits());
    listed.sort_by_key(|m| m.bits());
    assert_eq!(lazy, listed, "{position}");
}

/// Mate and stalemate.
pub(crate) fn outcome(position: &Position, plain: &Reference, moves: &MoveList) {
    let check = plain.in_check(plain.turn);
    assert_eq!(position.is_checkmate(), moves.is_empty() && check, "{position}");
    assert_eq!(position.is_stalemate(), moves.is_empty() && !check, "{position}");
    let expected = match (moves.is_empty(), check) {
        (true, true) => Some(Outcome::Checkmate { winner: !plain.turn }),
        (true, false) => Some(Outcome::Stalemate),
        _ => position.outcome().filter(|outcome| outcome.is_draw()),
    };
    assert_eq!(position.outcome(), expected, "{position}");
}

/// A game that is followed by its history and by a heat map.
pub(crate) struct Follower {
    game: Game,
    heat: HeatMap,
    past: Vec<Reference>,
    /// How often a position has come again.
    pub(crate) repeated: usize,
}

impl Follower {
    pub(crate) fn new(start: &Position, plain: &Reference) -> Follower {
        let game = Game::from_position(*start);
        Follower { game, heat: start.heat_map(), past: vec![identity(plain)], repeated: 0 }
    }

    pub(crate) fn play(&mut self, m: Move, next: &Position, plain: &Reference) {
        let mut position = *self.game.position();
        position.play_observed(m, &mut self.heat);
        assert_eq!(self.heat, next.heat_map(), "{m} before {next}");

        self.game.play(m).unwrap();
        assert_eq!(self.game.position(), next);
        let identity = identity(plain);
        let earlier = self.past.iter().filter(|&past| *past == identity).count();
        assert_eq!(self.game.repetitions(), 1 + earlier, "{next}");
        self.repeated += usize::from(earlier > 0);
        self.past.push(identity);
    }

    /// Takes everything back and plays it again.
    pub(crate) fn back_and_forth(mut self) {
        let played = self.game.clone();
        let positions: Vec<Position> = played.positions().copied().collect();
        for (&m, before) in played.moves().iter().zip(&positions).rev() {
            assert_eq!(self.game.undo(), Some(m));
            assert_eq!(self.game.position(), before);
        }
        assert_eq!(self.game.undo(), None);
        assert_eq!(self.game.position(), played.start());
        assert_eq!(self.game.undone(), played.moves());
        for (&m, after) in played.moves().iter().zip(&positions[1..]) {
            assert_eq!(self.game.redo(), Some(m));
            assert_eq!(self.game.position(), after);
        }
        assert_eq!(self.game.redo(), None);
        assert_eq!(self.game, played);
    }
}

/// What makes a position the same when it comes again: pieces, turn, castling, and whether a pawn
/// can be taken en passant; not the clocks.
fn identity(plain: &Reference) -> Reference {
    let mut identity = plain.clone();
    let en_passant = |(from, to, ..): &(Square, Square, _, _)| {
        let pawn =
            plain.piece_at(*from).is_some_and(|piece| piece.role == tabiya_chess::Role::Pawn);
        pawn && plain.ep_square == Some(*to)
    };
    if plain.ep_square.is_some() && !plain.legal_moves().iter().any(en_passant) {
        identity.ep_square = None;
    }
    identity.castling.sort();
    identity.halfmove_clock = 0;
    identity.fullmove_number = 1;
    identity
}
