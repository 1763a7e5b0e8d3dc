//! Looks for reasons.

use tabiya_chess::{Color, File, Move, Position, Role, Square, Wing, attacks};

use crate::fact::{Fact, Man, Voice};
use crate::mate;
use crate::material::{balance, cost, is_quiet};
use crate::mistake::{Mistake, played, written};
use crate::sight::{attackers, reach, role_at, stands, taken, worth};

/// So many facts tell how something comes about; one more says what it leads to.
const MOST_MEANS: usize = 2;

/// Why a move is good or bad: facts, the last of which says what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What is seen and proved.
    pub facts: Vec<Fact>,
}

impl Reason {
    /// As sentences. "After 14...Nd4" is said once.
    pub fn text(&self, voice: Voice) -> String {
        let mut said = String::new();
        let mut sentences = Vec::new();
        for fact in &self.facts {
            let text = fact.text(voice);
            let moves = fact.moves();
            let rest = text.strip_prefix("After ").and_then(|text| text.strip_prefix(moves));
            sentences.push(match rest {
                Some(rest) if said == moves => capital(rest.trim_start_matches([',', ' '])),
                _ => text,
            });
            moves.clone_into(&mut said);
        }
        sentences.join(" ")
    }
}

/// Why a move was a mistake, and why another one is better; nothing where nothing can be proved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reasons {
    /// What is wrong with the move.
    pub wrong: Option<Reason>,
    /// What is right about the better one.
    pub better: Option<Reason>,
}

impl Reasons {
    /// Whether nothing is known.
    pub const fn is_empty(&self) -> bool {
        self.wrong.is_none() && self.better.is_none()
    }
}

/// Looks for the reasons of a mistake.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_coach::{Mistake, Voice, reasons};
///
/// let before = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30".parse()?;
/// let mistake = Mistake::read(&before, "b1b7", "a2a1", "h2h3")?;
/// let wrong = reasons(&mistake).wrong.unwrap();
/// assert_eq!(
///     wrong.text(Voice::Nobody),
///     "After 30.Rb7, White's rook on b7 no longer guards a1. 30...Ra1+ forces mate in 2.",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reasons(mistake: &Mistake) -> Reasons {
    let (before, after, loser) = (&mistake.before, &mistake.after(), mistake.loser());
    let punished = Line::new(after, &mistake.refutation, before, !loser);
    let better = Line::new(before, &mistake.better, before, loser);
    // Where the better line loses as much, material is not the reason.
    let differs = match (punished.gain(), better.gain()) {
        (Some(punished), Some(better)) => better > -punished,
        _ => true,
    };
    let wrong = punished.reason(differs).map(|(mut means, ends)| {
        means.splice(0..0, weakened(mistake, after));
        means.truncate(MOST_MEANS);
        Reason { facts: means.into_iter().chain(ends).collect() }
    });
    let won = better.reason(differs).map(|(mut means, ends)| {
        means.truncate(MOST_MEANS);
        Reason { facts: means.into_iter().chain(ends).collect() }
    });
    let saved = || {
        let facts = saves(mistake, after);
        (wrong.is_some() && !facts.is_empty()).then_some(Reason { facts })
    };
    let better = won.or_else(saved);
    Reasons { wrong, better }
}

/// A line in which a side gets somewhere: it makes the first move.
struct Line<'a> {
    start: &'a Position,
    moves: &'a [Move],
    winner: Color,
    /// What the winner had more before the mistake.
    before: i32,
    /// How the mistake found the board.
    origin: &'a Position,
}

impl<'a> Line<'a> {
    fn new(
        start: &'a Position,
        moves: &'a [Move],
        origin: &'a Position,
        winner: Color,
    ) -> Line<'a> {
        Line { start, moves, winner, before: balance(origin, winner), origin }
    }

    fn position(&self, moves: usize) -> Position {
        played(self.start, self.moves.get(..moves).unwrap_or(self.moves))
    }

    fn written(&self, moves: usize) -> String {
        written(self.start, self.moves.get(..moves).unwrap_or(self.moves))
    }

    /// What the winner has got in the end, where it can be counted.
    fn gain(&self) -> Option<i32> {
        let quiet = (0..=self.moves.len()).rev().find(|&n| is_quiet(&self.position(n)))?;
        Some(balance(&self.position(quiet), self.winner) - self.before)
    }

    /// How the line comes about, and what it leads to.
    fn reason(&self, material: bool) -> Option<(Vec<Fact>, Vec<Fact>)> {
        self.moves.first()?;
        let first = self.position(1);
        let ends = self.mate(&first).or_else(|| {
            let lost = material.then(|| self.material(&first)).flatten();
            lost.or_else(|| self.threat(1).map(|fact| vec![fact]))
        });
        let ends = ends.or_else(|| self.promotion()).or_else(|| self.structure())?;
        let mut means = self.means(0);
        if means.is_empty() && self.moves.len() > 2 {
            means = self.means(2);
        }
        means.retain(|fact| !ends.contains(fact));
        Some((means, ends))
    }

    fn mate(&self, first: &Position) -> Option<Vec<Fact>> {
        let fact = match mate::forced(first) {
            Some(1) => Fact::Mate { moves: self.written(1) },
            Some(within) => Fact::ForcesMate { moves: self.written(1), within },
            None => {
                let mates = |&n: &usize| self.position(n).is_checkmate();
                let end = (1..=self.moves.len()).step_by(2).find(mates)?;
                Fact::Mate { moves: self.written(end) }
            }
        };
        Some(vec![fact])
    }

    /// What is lost whatever is answered, or in the line.
    fn material(&self, first: &Position) -> Option<Vec<Fact>> {
        let side = !self.winner;
        if first.is_stalemate() {
            return Some(vec![Fact::Stalemate { moves: self.written(1) }]);
        }
        let least = cost(first, self.before);
        let costs = least.map(|least| Fact::Costs { moves: self.written(1), side, least });
        let lost = self.lost().filter(|&(_, gain)| least.is_none_or(|least| gain > least));
        let facts: Vec<Fact> = costs.into_iter().chain(lost.map(|(fact, _)| fact)).collect();
        (!facts.is_empty()).then_some(facts)
    }

    /// What has been lost in the line: up to where the most that stays lost is lost first.
    fn lost(&self) -> Option<(Fact, i32)> {
        let gain = |n: usize| balance(&self.position(n), self.winner) - self.before;
        let quiet: Vec<usize> =
            (1..=self.moves.len()).filter(|&n| is_quiet(&self.position(n))).collect();
        let stays = gain(*quiet.last()?);
        let after_last = |&&n: &&usize| gain(n) >= stays;
        let n = *quiet.iter().rev().take_while(after_last).last()?;
        if stays < 1 || gain(n) < 1 {
            return None;
        }
        let end = self.position(n);
        let net = |color: Color| -> Vec<Role> {
            let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
            let gone = |role: Role, color: Color| {
                let count = |position: &Position| position.board().pieces(role.of(color)).len();
                count(self.origin) as i32 - count(&end) as i32
            };
            let times = |role| (gone(role, color) - gone(role, !color)).max(0) as usize;
            roles.into_iter().flat_map(|role| core::iter::repeat_n(role, times(role))).collect()
        };
        let promoted = self.moves.iter().take(n).any(|m| m.promotes_to().is_some());
        if promoted {
            return None;
        }
        let (lost, for_) = (net(!self.winner), net(self.winner));
        let moves = self.written(n);
        Some((Fact::Lost { moves, side: !self.winner, lost, for_ }, gain(n)))
    }

    fn threat(&self, moves: usize) -> Option<Fact> {
        let position = self.position(moves);
        let threat = mate::threat(&position)?;
        let mate = position.null_move()?.san(threat);
        Some(Fact::ThreatensMate { moves: self.written(moves), mate })
    }

    fn promotion(&self) -> Option<Vec<Fact>> {
        let at = self.moves.iter().step_by(2).position(|m| m.promotes_to().is_some())?;
        let role = self.moves.get(2 * at)?.promotes_to()?;
        Some(vec![Fact::Promotes { moves: self.written(2 * at + 1), role }])
    }

    /// What does not count in pawns but stays: a king that cannot castle, a passed pawn.
    fn structure(&self) -> Option<Vec<Fact>> {
        let side = !self.winner;
        let may = |position: &Position| {
            Wing::ALL.iter().any(|&wing| position.castling_rook(side, wing).is_some())
        };
        let castles = |m: &&Move| stands(**m).is_none();
        if may(self.origin) && may(self.start) {
            let n = (1..=self.moves.len()).find(|&n| !may(&self.position(n)));
            let n = n.filter(|&n| !self.moves.iter().take(n).any(|m| castles(&m)));
            if let Some(n) = n {
                return Some(vec![Fact::NoCastling { moves: self.written(n), side }]);
            }
        }
        let end = (1..=self.moves.len()).rev().find(|&n| is_quiet(&self.position(n)))?;
        let position = self.position(end);
        let passed = |position: &Position| -> Vec<Square> {
            let pawns = position.board().pieces(Role::Pawn.of(self.winner));
            pawns.into_iter().filter(|&square| is_passed(position, square, self.winner)).collect()
        };
        // One more than before, and one that was none.
        let (then, now) = (passed(self.origin), passed(&position));
        let files: Vec<File> = then.iter().map(|square| square.file()).collect();
        let new = now.iter().copied().find(|square| !files.contains(&square.file()))?;
        let man = Man::at(&position, new).filter(|_| now.len() > then.len())?;
        Some(vec![Fact::PassedPawn { moves: self.written(end), man }])
    }

    /// How the winner's move after so many others does it.
    fn means(&self, earlier: usize) -> Vec<Fact> {
        let Some(&m) = self.moves.get(earlier) else { return Vec::new() };
        let (before, after) = (&self.position(earlier), &self.position(earlier + 1));
        let moves = self.written(earlier + 1);
        let mut facts = Vec::new();
        facts.extend(self.takes(earlier, before, after, m));
        let Some(square) = stands(m) else { return facts };
        let men = self.targets(after, square);
        match men.as_slice() {
            [] => {}
            &[man] => {
                let lone = !after.is_attacked(man.square, man.color);
                if lone && man.role != Role::King && worth(man.role) >= 3 {
                    facts.push(Fact::AttacksUndefended { moves: moves.clone(), man });
                }
            }
            _ => facts.push(Fact::Attacks { moves: moves.clone(), men }),
        }
        facts.extend(self.behind(before, after, m, &moves));
        facts.extend(self.trapped(before, after, &moves));
        facts
    }

    /// Why the last move takes at a profit.
    fn takes(&self, earlier: usize, before: &Position, after: &Position, m: Move) -> Option<Fact> {
        let (square, piece) = taken(before, m)?;
        let man = Man::at(before, square)?;
        let by = Man::at(before, m.from())?;
        let moves = self.written(earlier + 1);
        let defenders = attackers(before, square, piece.color);
        let taken_back = after.legal_moves().iter().any(|back| back.to() == m.to());
        if !taken_back {
            if defenders.is_empty() {
                return Some(Fact::TakesUndefended { moves, man });
            }
            let pin = after.pins_of(piece.color).find(|pin| {
                reach(after, pin.pinned).contains(m.to()) && !pin.line.contains(m.to())
            });
            if let Some(pin) = pin {
                let (man, by) = (Man::at(after, pin.pinned)?, Man::at(after, pin.pinner)?);
                return Some(Fact::CannotTake { moves, man, square: m.to(), by });
            }
        }
        let earlier = match (earlier, self.start == self.origin) {
            (0, true) => return None,
            (0, false) => self.mistake_written(),
            (n, _) => Some(self.written(n)),
        }?;
        let moves = earlier;
        if by.role != Role::King && worth(by.role) < worth(man.role) {
            return Some(Fact::AttackedBy { moves, man, by });
        }
        let count = attackers(before, square, by.color).len();
        (count > defenders.len() && !defenders.is_empty() && m.to() == square).then_some(
            Fact::Outnumbered { moves, man, attackers: count, defenders: defenders.len() },
        )
    }

    /// The bad move, where this line begins after it.
    fn mistake_written(&self) -> Option<String> {
        let legal = self.origin.legal_moves();
        let m = legal.iter().find(|&&m| played(self.origin, &[m]) == *self.start)?;
        Some(written(self.origin, &[*m]))
    }

    /// What a piece attacks that is worth it: the king, what is worth more, what nobody defends.
    fn targets(&self, position: &Position, square: Square) -> Vec<Man> {
        let own = role_at(position, square).map_or(0, worth);
        let enemies = reach(position, square) & position.board().color(!self.winner);
        let men = enemies.into_iter().filter_map(|square| Man::at(position, square));
        let is_king = role_at(position, square) == Some(Role::King);
        men.filter(|man| {
            let lone = !position.is_attacked(man.square, man.color);
            man.role == Role::King
                || !is_king && worth(man.role) > own
                || lone && worth(man.role) >= 1
        })
        .collect()
    }

    /// Lines that are opened, pins and skewers.
    fn behind(&self, before: &Position, after: &Position, m: Move, moves: &str) -> Vec<Fact> {
        let mut facts = Vec::new();
        let Some(square) = stands(m) else { return facts };
        let (own, enemies) = (after.board().color(self.winner), after.board().color(!self.winner));
        for slider in own - square {
            if !role_at(after, slider).is_some_and(Role::slides) {
                continue;
            }
            for target in (reach(after, slider) - reach(before, slider)) & enemies {
                let (Some(slider), Some(target)) = (Man::at(after, slider), Man::at(after, target))
                else {
                    continue;
                };
                let opened = attacks::between(slider.square, target.square).contains(m.from());
                let lone = !after.is_attacked(target.square, target.color);
                let bigger = worth(target.role) > worth(slider.role);
                if opened
                    && (target.role == Role::King || bigger || lone && worth(target.role) >= 3)
                {
                    facts.push(Fact::Opens { moves: moves.to_owned(), slider, target });
                }
            }
        }
        if !role_at(after, square).is_some_and(Role::slides) {
            return facts;
        }
        let own_worth = role_at(after, square).map_or(0, worth);
        for front in reach(after, square) & enemies {
            let Some(man) = Man::at(after, front) else { continue };
            let way = square.direction_to(front);
            let next = way.and_then(|way| front.ray(way).find_map(|s| Man::at(after, s)));
            let Some(behind) = next.filter(|next| next.color == man.color) else { continue };
            let moves = moves.to_owned();
            let rank = |role: Role| if role == Role::King { 100 } else { worth(role) };
            let lone = !attackers(after, behind.square, behind.color)
                .iter()
                .any(|&from| from != man.square);
            if man.role != Role::Pawn && rank(behind.role) > rank(man.role).max(own_worth) {
                facts.push(Fact::Pins { moves, man, behind });
            } else if rank(man.role) > rank(behind.role)
                && rank(man.role) > own_worth
                && worth(behind.role) >= 3
                && (lone || worth(behind.role) > own_worth)
            {
                facts.push(Fact::Skewers { moves, man, behind });
            }
        }
        facts
    }

    /// A piece that is attacked and has nowhere to go, and was not before the move.
    fn trapped(&self, before: &Position, after: &Position, moves: &str) -> Option<Fact> {
        if after.is_check() {
            return None;
        }
        let side = after.board().color(!self.winner);
        let heavy = side - after.board().role(Role::Pawn) - after.board().role(Role::King);
        heavy.into_iter().find_map(|square| {
            let man = Man::at(after, square)?;
            let fresh = Man::at(before, square) == Some(man) && !hangs(before, square);
            let lost = |&m: &Move| {
                let next = played(after, &[m]);
                taken(after, m).is_none_or(|(_, piece)| worth(piece.role) < worth(man.role))
                    && hangs(&next, m.to())
            };
            let legal = after.moves_from(square);
            (fresh && hangs(after, square) && legal.iter().all(lost) && !legal.is_empty())
                .then(|| Fact::NoSafeMove { moves: moves.to_owned(), man })
        })
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether a piece is attacked by something smaller, or by anything while nobody defends it.
fn hangs(position: &Position, square: Square) -> bool {
    let Some(man) = Man::at(position, square) else { return false };
    let defended = position.is_attacked(square, man.color);
    attackers(position, square, !man.color).into_iter().any(|from| {
        let by = role_at(position, from).unwrap_or(Role::King);
        !defended || by != Role::King && worth(by) < worth(man.role)
    })
}

/// Whether no pawn of the other side stands before a pawn, on its file or beside it.
fn is_passed(position: &Position, square: Square, color: Color) -> bool {
    let pawns = position.board().pieces(Role::Pawn.of(!color));
    !pawns.into_iter().any(|other| {
        let ahead = match color {
            Color::White => other.rank() > square.rank(),
            Color::Black => other.rank() < square.rank(),
        };
        ahead && other.file().index().abs_diff(square.file().index()) <= 1
    })
}

/// What the move has given up: what it defended or guarded where the answer strikes.
fn weakened(mistake: &Mistake, after: &Position) -> Option<Fact> {
    let (m, &answer) = (mistake.played, mistake.refutation.first()?);
    let (before, square) = (&mistake.before, stands(m)?);
    let mover = Man::at(after, square)?;
    let moves = written(before, &[m]);
    let lost = |target: Square| {
        reach(before, m.from()).contains(target)
            && !reach(after, square).contains(target)
            && target != square
    };
    match taken(after, answer) {
        Some((target, _)) => {
            let man = Man::at(after, target)?;
            let same = Man::at(before, target) == Some(man);
            (same && lost(target)).then_some(Fact::NoLongerDefends { moves, mover, man })
        }
        None => {
            let target = stands(answer)?;
            lost(target).then_some(Fact::NoLongerGuards { moves, mover, square: target })
        }
    }
}

/// How the better move answers what punishes the bad one.
fn saves(mistake: &Mistake, after: &Position) -> Vec<Fact> {
    let all = || -> Option<Fact> {
        let (&best, &answer) = (mistake.better.first()?, mistake.refutation.first()?);
        let before = &mistake.before;
        let moves = written(before, &[best]);
        let saved = played(before, &[best]);
        if played(after, &[answer]).is_checkmate() {
            let still = saved.is_legal(answer) && played(&saved, &[answer]).is_checkmate();
            let same = Man::at(&saved, answer.from()) == Man::at(after, answer.from());
            let mate = written(after, &[answer]);
            return (same && !still).then_some(Fact::StopsMate { moves, mate });
        }
        let square = stands(best)?;
        let reaches = |target: Square| {
            reach(&saved, square).contains(target)
                && !reach(before, best.from()).contains(target)
                && target != square
        };
        match taken(after, answer) {
            Some((target, _)) => {
                let man = Man::at(before, target).filter(|man| man.color == mistake.loser())?;
                let by = Man::at(before, answer.from());
                if best.from() == target {
                    let by = by.filter(|by| by.color != man.color)?;
                    let was = reach(before, by.square).contains(target);
                    let is = Man::at(&saved, by.square) == Some(by)
                        && reach(&saved, by.square).contains(square);
                    return (was && !is).then_some(Fact::Escapes { moves, man, by });
                }
                (Man::at(&saved, target) == Some(man) && reaches(target))
                    .then_some(Fact::Defends { moves, man })
            }
            None => {
                let target = stands(answer)?;
                (role_at(&saved, target).is_none() && reaches(target))
                    .then_some(Fact::Guards { moves, square: target })
            }
        }
    };
    all().into_iter().collect()
}
