//! What a level sees while it looks ahead: the search asks here, and never knows a level by name.

use tabiya_chess::{Bitboard, Color, Game, Move, Position, Role, Square};

use super::{Level, draw};

/// What is wrong with the eyes of a level, for one move of one game.
pub(crate) struct Handicap {
    /// Moves that do not come to mind, by colour and origin.
    unseen: [[Bitboard; 64]; 2],
    sees_recaptures: bool,
    sees_queen_captures: bool,
    noise: u32,
    seed: u64,
}

impl Handicap {
    /// The eyes of a level in a game, with the side to move looking.
    pub(crate) fn new(level: Level, seed: u64, game: &Game) -> Handicap {
        let dial = level.dial();
        let us = game.position().turn();
        let think = draw(seed, &[game.position().key()]);
        let unseen = Color::ALL.map(|color| {
            // What the opponent can do is overlooked more easily than what oneself can do.
            let blindness = if color == us { dial.blindness / 2 } else { dial.blindness };
            core::array::from_fn(|from| {
                let Some(from) = Square::from_index(from) else { return Bitboard::EMPTY };
                let missed = |&to: &Square| {
                    let number = draw(think, &[color as u64, from as u64, to as u64]);
                    number % 16_000 < u64::from(blindness * strangeness(color, from, to))
                };
                Bitboard::ALL.into_iter().filter(missed).collect()
            })
        });
        Handicap {
            unseen,
            sees_recaptures: draw(think, &[0]) % 1000 < level.sees_recaptures(),
            sees_queen_captures: draw(think, &[1]) % 1000 < level.sees_queen_captures(),
            noise: dial.noise,
            seed,
        }
    }

    /// Whether a move does not come to mind. `last` is where the move before it went.
    pub(crate) fn overlooks(&self, position: &Position, m: Move, last: Option<Square>) -> bool {
        let unseen = &self.unseen[position.turn() as usize][m.from().index()];
        if !unseen.contains(m.to()) || m.promotes_to().is_some() {
            return false;
        }
        match position.piece_at(m.to()) {
            Some(taken) if taken.role == Role::Queen => !self.sees_queen_captures,
            Some(_) if last == Some(m.to()) => !self.sees_recaptures,
            _ => true,
        }
    }

    /// By how much the side to move misjudges a position, in centipawns. Positions with the same pawns, or
    /// with the same pieces of one side, are in part misjudged alike: an opinion, not a die.
    pub(crate) fn misjudgement(&self, position: &Position) -> i32 {
        if self.noise == 0 {
            return 0;
        }
        let board = position.board();
        let set = |role: Role, color: Color| board.pieces(role.of(color)).0;
        let pawns = draw(self.seed, &Color::ALL.map(|color| set(Role::Pawn, color)));
        let [white, black] = Color::ALL.map(|color| {
            let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
            draw(self.seed ^ color as u64, &pieces.map(|role| set(role, color)))
        });
        // Three even spreads make a bell whose deviation is as wide as each of them reaches.
        let reach = i64::from(self.noise);
        let spread = |number: u64| (number % (2 * reach as u64 + 1)) as i64 - reach;
        let for_white = (spread(pawns) + spread(white) + spread(black)) as i32;
        if position.turn() == Color::White { for_white } else { -for_white }
    }
}

/// How easily a move is overlooked, in sixteenths: steps are noticed, long lines, knights and retreats
/// less.
fn strangeness(color: Color, from: Square, to: Square) -> u32 {
    let distance = from.distance(to);
    let is_line = from.direction_to(to).is_some();
    let base = match distance {
        1 => 8,
        _ if !is_line => 16,
        2 | 3 => 12,
        _ => 18,
    };
    let retreats = to.relative_to(color).rank() < from.relative_to(color).rank();
    if retreats { base + 5 } else { base }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handicap(elo: u16, seed: u64) -> Handicap {
        Handicap::new(Level::new(elo), seed, &Game::new())
    }

    fn unseen(elo: u16) -> u32 {
        let count = |handicap: Handicap| -> u32 {
            handicap.unseen.iter().flatten().map(|set| set.len()).sum()
        };
        (0..8).map(|seed| count(handicap(elo, seed))).sum()
    }

    #[test]
    fn the_stronger_the_more_is_seen() {
        assert!(unseen(400) > unseen(1000) && unseen(1000) > unseen(1800));
        assert_eq!(unseen(Level::TOP), 0);
    }

    #[test]
    fn retreats_and_long_lines_are_overlooked_first() {
        let of = |from: &str, to: &str| {
            strangeness(Color::White, from.parse().unwrap(), to.parse().unwrap())
        };
        assert!(of("e2", "e3") < of("e1", "e4"));
        assert!(of("a1", "d4") < of("a1", "h8"));
        assert!(of("a1", "h8") < of("h8", "a1"));
    }

    #[test]
    fn opinions_last_and_fade() {
        let position = Position::initial();
        assert_eq!(
            handicap(600, 3).misjudgement(&position),
            handicap(600, 3).misjudgement(&position)
        );
        let typical = |elo: u16| {
            let of = |seed| i64::from(handicap(elo, seed).misjudgement(&position));
            (0..100).map(|seed| of(seed) * of(seed)).sum::<i64>() / 100
        };
        assert!(typical(600) > typical(1400));
        assert_eq!(typical(Level::TOP), 0);
    }
}
