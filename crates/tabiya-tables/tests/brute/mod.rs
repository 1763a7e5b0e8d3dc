//! Endings of a few men, solved in the plainest way: every square for every man, no symmetry, moves of their own on files and
//! ranks, and round after round what is won or lost in so many plies. Slow, and nothing of it is shared with the tables.
//!
//! Both sides may not have pawns, so that there is no en passant.

use std::collections::HashMap;

use tabiya_chess::{Color, Role};

/// A man and its square, 0 for a1 to 63 for h8.
pub(crate) type Man = (Role, Color, i8);
/// Who there is: the kings first.
pub(crate) type Men = Vec<(Role, Color)>;

/// Won or lost for the side to move, and in how many plies. None is a draw.
pub(crate) type Known = Option<(bool, u16)>;

/// What plies are counted to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    ToMate,
    /// To a capture, a pawn move or mate; beyond 100 the fifty-move rule makes a draw of it.
    ToZeroing,
}

const COUNTS: [Count; 2] = [Count::ToMate, Count::ToZeroing];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROUNDS: usize = 255;

/// A number that is no position.
const NONE: u16 = 0;
/// A position that is not known yet, and in the end a draw.
const OPEN: u16 = 1;

fn code(won: bool, plies: usize) -> u16 {
    2 + 2 * plies as u16 + u16::from(won)
}

fn known(code: u16) -> Known {
    (code > OPEN).then(|| (code & 1 == 1, (code - 2) / 2))
}

/// Everything that is solved so far.
#[derive(Default)]
pub(crate) struct Brute {
    solved: HashMap<Men, [Vec<u16>; 2]>,
}

/// A square so many files and ranks away.
fn step(from: i8, (file, rank): (i8, i8)) -> Option<i8> {
    let (file, rank) = (from % 8 + file, from / 8 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some(8 * rank + file)
}

fn bit(square: i8) -> u64 {
    1 << square
}

fn all_of(men: &[Man]) -> u64 {
    men.iter().fold(0, |all, man| all | bit(man.2))
}

/// The squares of a set.
fn each(mut set: u64, mut visit: impl FnMut(i8)) {
    while set != 0 {
        visit(set.trailing_zeros() as i8);
        set &= set - 1;
    }
}

/// Every square a man that is no pawn reaches, the first that is occupied in each direction included.
fn reach(role: Role, from: i8, occupied: u64) -> u64 {
    let (lists, slides): (&[&[(i8, i8)]], bool) = match role {
        Role::Knight => (&[&KNIGHT], false),
        Role::King => (&[&STRAIGHT, &DIAGONAL], false),
        Role::Bishop => (&[&DIAGONAL], true),
        Role::Rook => (&[&STRAIGHT], true),
        _ => (&[&STRAIGHT, &DIAGONAL], true),
    };
    let mut reached = 0;
    for &direction in lists.iter().copied().flatten() {
        let mut at = from;
        while let Some(to) = step(at, direction) {
            reached |= bit(to);
            if !slides || occupied & bit(to) != 0 {
                break;
            }
            at = to;
        }
    }
    reached
}

fn up(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

fn is_check(men: &[Man], of: Color) -> bool {
    let Some(&(.., king)) = men.iter().find(|man| (man.0, man.1) == (Role::King, of)) else {
        return false;
    };
    let occupied = all_of(men);
    men.iter().any(|&(role, color, from)| {
        let [files, ranks] = [king % 8 - from % 8, king / 8 - from / 8];
        let may_reach = match role {
            Role::Pawn => return color != of && files.abs() == 1 && ranks == up(color),
            Role::Knight => files.abs() * ranks.abs() == 2,
            Role::King => files.abs() < 2 && ranks.abs() < 2,
            Role::Rook => files == 0 || ranks == 0,
            Role::Bishop => files.abs() == ranks.abs(),
            Role::Queen => files == 0 || ranks == 0 || files.abs() == ranks.abs(),
        };
        color != of && may_reach && reach(role, from, occupied) & bit(king) != 0
    })
}

/// Calls `visit` with the men after every legal move, in their order but for one that is taken, and whether it is a capture or
/// a pawn move.
fn each_move(men: &[Man], turn: Color, mut visit: impl FnMut(&[Man], bool)) {
    let mut try_move = |moving: usize, to: i8, becomes: Role| {
        let taken = men.iter().position(|man| man.2 == to);
        if taken.is_some_and(|taken| men[taken].1 == turn || men[taken].0 == Role::King) {
            return;
        }
        let mut after = [(Role::King, turn, 0); 5];
        let mut count = 0;
        for (n, &man) in men.iter().enumerate() {
            if Some(n) != taken {
                after[count] = if n == moving { (becomes, turn, to) } else { man };
                count += 1;
            }
        }
        if !is_check(&after[..count], turn) {
            visit(&after[..count], taken.is_some() || men[moving].0 == Role::Pawn);
        }
    };
    let occupied = all_of(men);
    for (n, &(role, color, from)) in men.iter().enumerate() {
        if color != turn {
            continue;
        }
        if role != Role::Pawn {
            each(reach(role, from, occupied), |to| try_move(n, to, role));
            continue;
        }
        let mut targets = 0;
        let is_free = |at: &i8| occupied & bit(*at) == 0;
        if let Some(one) = step(from, (0, up(color))).filter(is_free) {
            targets |= bit(one);
            let home = if color == Color::White { 1 } else { 6 };
            if let Some(two) = step(one, (0, up(color))).filter(is_free)
                && from / 8 == home
            {
                targets |= bit(two);
            }
        }
        let sides = [-1, 1].into_iter().filter_map(|file| step(from, (file, up(color))));
        targets |= sides.fold(0, |all, to| all | bit(to)) & occupied;
        each(targets, |to| {
            if to / 8 == 0 || to / 8 == 7 {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    try_move(n, to, role);
                }
            } else {
                try_move(n, to, Role::Pawn);
            }
        });
    }
}

/// In the order in which endings are kept: kings first, then by role and colour.
fn in_order(men: &mut [Man]) {
    men.sort_by_key(|&(role, color, _)| (role != Role::King, role as u8, color as u8));
}

fn number(men: &[Man], turn: Color) -> usize {
    men.iter().fold(turn as usize, |number, man| number << 6 | man.2 as usize)
}

/// One ending being solved.
struct Solving<'a> {
    brute: &'a Brute,
    men: &'a Men,
    count: Count,
    values: Vec<u16>,
}

impl Solving<'_> {
    fn squares(&self, mut number: usize) -> ([Man; 5], Color) {
        let mut men = [(Role::King, Color::White, 0); 5];
        for (n, &(role, color)) in self.men.iter().enumerate().rev() {
            men[n] = (role, color, (number & 63) as i8);
            number >>= 6;
        }
        (men, Color::ALL[number])
    }

    /// What a move out of the pass is worth for who makes it.
    fn beyond(&self, after: &[Man], turn: Color) -> Known {
        let mut men = after.to_vec();
        in_order(&mut men);
        let names: Men = men.iter().map(|man| (man.0, man.1)).collect();
        let there = match names == *self.men {
            true => known(self.values[number(&men, turn)]),
            false => self.brute.get(self.count, &men, turn),
        };
        there.map(|(won, plies)| match self.count {
            Count::ToMate => (!won, plies + 1),
            Count::ToZeroing => (!won, if plies <= 100 { 1 } else { 101 }),
        })
    }

    /// Whether every move is known to lose in so many plies or fewer.
    fn is_lost(&self, men: &[Man], turn: Color, plies: u16) -> bool {
        let (mut any, mut all) = (false, true);
        each_move(men, turn, |after, zeroes| {
            any = true;
            if !all {
                return;
            }
            let value = match zeroes {
                true => self.beyond(after, !turn),
                false => known(self.values[number(after, !turn)]).map(|(won, n)| (!won, n + 1)),
            };
            all = value.is_some_and(|(won, n)| !won && n <= plies);
        });
        all && (any || is_check(men, turn))
    }

    /// Positions from which a move of a piece leads here.
    fn each_before(&self, at: usize, mut visit: impl FnMut(usize)) {
        let (mut men, turn) = self.squares(at);
        let men = &mut men[..self.men.len()];
        for n in 0..men.len() {
            let (role, color, to) = men[n];
            if color == turn || role == Role::Pawn {
                continue;
            }
            let occupied = all_of(men);
            each(reach(role, to, occupied) & !occupied, |from| {
                men[n].2 = from;
                visit(number(men, color));
            });
            men[n].2 = to;
        }
    }

    /// Solves the positions of one pass, which only moves of pieces lead to and fro.
    fn pass(&mut self, is_in_pass: impl Fn(&[Man]) -> bool) {
        let mut wins: Vec<Vec<u32>> = vec![Vec::new(); ROUNDS + 1];
        let mut perhaps_lost: Vec<Vec<u32>> = vec![Vec::new(); ROUNDS + 1];
        for at in 0..self.values.len() {
            let (men, turn) = self.squares(at);
            let men = &men[..self.men.len()];
            let overlap = (1..men.len()).any(|n| men[..n].iter().any(|man| man.2 == men[n].2));
            if overlap || !is_in_pass(men) || is_check(men, !turn) {
                continue;
            }
            self.values[at] = OPEN;
            let (mut any, mut best_win, mut worst_loss) = (false, None::<u16>, None::<u16>);
            each_move(men, turn, |after, zeroes| {
                any = true;
                match zeroes.then(|| self.beyond(after, !turn)).flatten() {
                    Some((true, n)) => best_win = Some(best_win.map_or(n, |best| best.min(n))),
                    Some((false, n)) => worst_loss = worst_loss.max(Some(n)),
                    None => {}
                }
            });
            if !any && is_check(men, turn) {
                worst_loss = Some(0);
            }
            if let Some(n) = best_win {
                wins[usize::from(n)].push(at as u32);
            }
            if let Some(n) = worst_loss {
                perhaps_lost[usize::from(n)].push(at as u32);
            }
        }
        let (mut won, mut lost): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            let mut now_won = std::mem::take(&mut wins[round]);
            let mut candidates = std::mem::take(&mut perhaps_lost[round]);
            lost.iter().for_each(|&at| self.each_before(at as usize, |n| now_won.push(n as u32)));
            won.iter().for_each(|&at| self.each_before(at as usize, |n| candidates.push(n as u32)));
            now_won.retain(|&at| {
                let is_new = self.values[at as usize] == OPEN;
                if is_new {
                    self.values[at as usize] = code(true, round);
                }
                is_new
            });
            let mut now_lost = Vec::new();
            for at in candidates {
                if self.values[at as usize] == OPEN {
                    let (men, turn) = self.squares(at as usize);
                    if self.is_lost(&men[..self.men.len()], turn, round as u16) {
                        self.values[at as usize] = code(false, round);
                        now_lost.push(at);
                    }
                }
            }
            (won, lost) = (now_won, now_lost);
        }
    }
}

impl Brute {
    /// Solves an ending, and before it all that its captures and promotions lead to.
    pub(crate) fn solve(&mut self, men: &Men) {
        if men.len() < 3 || self.solved.contains_key(men) {
            return;
        }
        for n in 2..men.len() {
            let without: Men = [&men[..n], &men[n + 1..]].concat();
            self.solve(&without);
            if men[n].0 == Role::Pawn {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    let mut promoted: Vec<Man> = men.iter().map(|&(r, c)| (r, c, 0)).collect();
                    promoted[n].0 = role;
                    in_order(&mut promoted);
                    self.solve(&promoted.iter().map(|man| (man.0, man.1)).collect());
                    // A promotion may take a man with it.
                    for m in 2..men.len() {
                        let mut left = promoted.clone();
                        left.remove(m);
                        self.solve(&left.iter().map(|man| (man.0, man.1)).collect());
                    }
                }
            }
        }
        let both = COUNTS.map(|count| {
            let values = vec![NONE; 2 << (6 * men.len())];
            let mut solving = Solving { brute: self, men, count, values };
            // Pawns that are far advanced first: their moves lead to what is known.
            let advance = |men: &[Man]| -> i8 {
                let pawns = men.iter().filter(|man| man.0 == Role::Pawn);
                let ranks = pawns.map(|&(_, color, square)| match color {
                    Color::White => square / 8,
                    Color::Black => 7 - square / 8,
                });
                ranks.map(|rank| if (1..7).contains(&rank) { rank } else { 100 }).sum()
            };
            for pass in (0..=12).rev() {
                if men.iter().any(|man| man.0 == Role::Pawn) || pass == 0 {
                    solving.pass(|men| advance(men) == pass);
                }
            }
            solving.values
        });
        self.solved.insert(men.clone(), both);
    }

    /// What is known of a position; two kings are a draw.
    pub(crate) fn get(&self, count: Count, men: &[Man], turn: Color) -> Known {
        let names: Men = men.iter().map(|man| (man.0, man.1)).collect();
        let values = self.solved.get(&names).map(|both| &both[count as usize])?;
        known(values[number(men, turn)])
    }

    /// The endings that are solved.
    pub(crate) fn endings(&self) -> Vec<Men> {
        self.solved.keys().cloned().collect()
    }
}
