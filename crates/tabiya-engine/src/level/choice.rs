//! How a level chooses: which moves it thinks about, and which of the lines it takes.

use tabiya_chess::{Game, Move, MoveList, Position, Role, Square};

use super::{Dial, Handicap, Level, draw};
use crate::search::{MATE_IN_MAX, RootMove, Worker};
use crate::see;

/// The choice of one move of a game.
pub(crate) struct Chooser<'a> {
    level: Level,
    dial: Dial,
    seed: u64,
    game: &'a Game,
    /// Where the opponent has just taken something.
    taken_on: Option<Square>,
    takes_back_at_once: bool,
}

/// What draws are about, so that each is its own.
const MATE_IN_ONE: u64 = 1;
const TAKING_BACK: u64 = 2;

impl<'a> Chooser<'a> {
    pub(crate) fn new(level: Level, seed: u64, game: &'a Game) -> Chooser<'a> {
        let before = game.positions().rev().nth(1);
        let taken_on = game.moves().last().zip(before).and_then(|(m, before)| {
            let pieces = |position: &Position| position.board().occupied().len();
            (pieces(game.position()) < pieces(before)).then_some(m.to())
        });
        let position = game.position();
        let number = draw(seed, &[position.key(), TAKING_BACK]) % 1000;
        Chooser {
            level,
            dial: level.dial(),
            seed,
            game,
            taken_on,
            takes_back_at_once: number < level.sees_recaptures(),
        }
    }

    /// The moves that come to mind; a mate in one, if it is seen, alone. Never none, if there are any.
    pub(crate) fn candidates(&self, moves: &[Move], eyes: &Handicap) -> MoveList {
        let (mut mates, mut others) = (MoveList::new(), MoveList::new());
        let only_odd = moves.iter().all(|&m| is_odd_promotion(self.game.position(), m));
        for &m in moves.iter().filter(|&&m| only_odd || !is_odd_promotion(self.game.position(), m))
        {
            if after(self.game.position(), m).is_checkmate() {
                mates.push(m)
            } else {
                others.push(m)
            }
        }
        let number = draw(self.seed, &[self.game.position().key(), MATE_IN_ONE]) % 1000;
        if !mates.is_empty() && (number < self.level.sees_mate() || others.is_empty()) {
            return mates;
        }
        let mut seen = others.clone();
        if !self.game.position().is_check() {
            seen.retain(|m| !eyes.overlooks(self.game.position(), m, self.taken_on));
        }
        if seen.is_empty() { others } else { seen }
    }

    /// The line it takes, among those it has looked at.
    pub(crate) fn choose<'b>(&self, lines: &'b [RootMove]) -> Option<&'b RootMove> {
        let best = lines.iter().max_by_key(|line| line.score)?;
        // A mate that is seen is played, one that cannot be helped is put off.
        if best.score.abs() >= MATE_IN_MAX {
            return Some(best);
        }
        // Taking back and making a queen need no thought, unless something else is better beyond all doubt.
        let doubt = 100 + 3 * self.dial.noise as i32;
        let plain = lines.iter().filter(|line| self.takes_back(line) || self.makes_a_queen(line));
        let plain = plain.max_by_key(|line| line.score);
        if let Some(plain) = plain.filter(|line| best.score - line.score <= doubt) {
            return Some(plain);
        }
        let sensible = lines.iter().filter(|line| !self.would_be_absurd(line, best.score));
        let cost = |line: &&RootMove| lost(best.score, line.score) - self.oversight(line);
        sensible.min_by_key(cost).or(Some(best))
    }

    /// Winning chances that go unnoticed, the same whenever the same position arises. No more than twice what
    /// is typical, so that no level knowingly gives away a piece.
    fn oversight(&self, line: &RootMove) -> i32 {
        let Some(m) = line.first() else { return 0 };
        let next = after(self.game.position(), m);
        let number = draw(self.seed, &[next.key()]);
        let reach = u64::from(self.dial.carelessness) + 1;
        (number % reach + (number >> 32) % reach) as i32
    }

    /// Takes back what has just been taken, and wins by it.
    fn takes_back(&self, line: &RootMove) -> bool {
        self.takes_back_at_once
            && line.first().is_some_and(|m| {
                Some(m.to()) == self.taken_on && see::wins_at_least(self.game.position(), m, 1)
            })
    }

    /// Makes a queen that cannot be taken at once.
    fn makes_a_queen(&self, line: &RootMove) -> bool {
        line.first().is_some_and(|m| {
            m.promotes_to() == Some(Role::Queen) && see::wins_at_least(self.game.position(), m, 1)
        })
    }

    /// Hangs the queen, or stalemates, when there is something much better; or goes round in circles in a won
    /// game, as the same position would be judged the same again and again.
    fn would_be_absurd(&self, line: &RootMove, best: i32) -> bool {
        let Some(m) = line.first() else { return true };
        let next = after(self.game.position(), m);
        if best >= 300 && self.game.positions().any(|past| past.key() == next.key()) {
            return true;
        }
        self.level.guards_its_queen()
            && best - line.score >= 150
            && (hangs_queen(self.game.position(), m) || next.is_stalemate())
    }
}

/// The position after a legal move.
fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play_unchecked(m);
    next
}

/// Whether a pawn becomes something that nobody makes of it without a reason: people take the queen, unless a
/// knight gives check or a queen is stalemate.
fn is_odd_promotion(position: &Position, m: Move) -> bool {
    match m.promotes_to() {
        None | Some(Role::Queen) => false,
        Some(Role::Knight) => !after(position, m).is_check(),
        Some(_) => Move::promotion(m.from(), m.to(), Role::Queen)
            .is_none_or(|queen| !after(position, queen).is_stalemate()),
    }
}

/// Whether after a move the queen can be taken for clearly more than the move has won.
fn hangs_queen(position: &Position, m: Move) -> bool {
    let won = position.piece_at(m.to()).map_or(0, |piece| see::value(piece.role));
    let next = after(position, m);
    let queens = next.board().pieces(Role::Queen.of(position.turn()));
    next.tactical_moves()
        .iter()
        .any(|&taking| queens.contains(taking.to()) && see::wins_at_least(&next, taking, won + 200))
}

/// What a worse line gives away, in thousandths: winning chances, and material where chances no longer tell
/// lines apart. The losing side counts its pieces twice: it resists.
fn lost(best: i32, score: i32) -> i32 {
    let expected = |score: i32| {
        // What engines score: a level knows what its opponents can make of an advantage.
        let wdl = Worker::score_of(score).wdl();
        i32::from(wdl.win) + i32::from(wdl.draw) / 2
    };
    let material = (best - score).min(1_000);
    let material = if best < -300 { material } else { material / 2 };
    (expected(best) - expected(score)).max(material)
}
