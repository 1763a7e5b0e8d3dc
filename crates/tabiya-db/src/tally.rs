//! What games sum up to.

use tabiya_pgn::GameResult;

use crate::bytes::{put, take};
use crate::heads::Head;
use crate::record::Day;

/// So many of the best games are kept.
pub const BEST: usize = 4;

/// What games sum up to: how they ended, how strong the players were, the newest and the best.
///
/// ```
/// use tabiya_db::Sums;
///
/// let mut tally = Sums::default();
/// (tally.games, tally.white, tally.draws, tally.black) = (10, 5, 4, 1);
/// assert_eq!(tally.score(), Some(0.7));
/// assert_eq!(tally.unfinished(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    /// How many games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// The sum of White's ratings, where they are known, and how many.
    pub white_elo: (u64, u64),
    /// The sum of Black's ratings, where they are known, and how many.
    pub black_elo: (u64, u64),
    /// When the last one was played.
    pub newest: Day,
    /// Numbers of the games with the strongest players, and the sums of their ratings, the best first.
    best: [(u32, u64); BEST],
    best_count: u8,
}

impl Sums {
    /// What so many games sum up to: White's wins, draws, Black's wins; the sums and numbers of either side's ratings;
    /// when the newest was played. The best ones are not among it.
    pub(crate) fn new(
        games: u64,
        [white, draws, black]: [u64; 3],
        [white_elo, black_elo]: [(u64, u64); 2],
        newest: Day,
    ) -> Sums {
        Sums { games, white, draws, black, white_elo, black_elo, newest, ..Sums::default() }
    }

    pub(crate) fn add(&mut self, game: u64, head: &Head) {
        self.games += 1;
        match head.result {
            GameResult::WhiteWins => self.white += 1,
            GameResult::BlackWins => self.black += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Unknown => {}
        }
        let rated = |elo: u16| (u64::from(elo), u64::from(elo > 0));
        let ((white, is_white), (black, is_black)) = (rated(head.white_elo), rated(head.black_elo));
        self.white_elo = (self.white_elo.0 + white, self.white_elo.1 + is_white);
        self.black_elo = (self.black_elo.0 + black, self.black_elo.1 + is_black);
        self.newest = self.newest.max(head.day);
        self.offer((white + black) as u32, game);
    }

    /// One of the games may be among the best.
    pub(crate) fn offer_game(&mut self, game: u64, head: &Head) {
        self.offer(u32::from(head.white_elo) + u32::from(head.black_elo), game);
    }

    fn offer(&mut self, elo: u32, game: u64) {
        let count = usize::from(self.best_count);
        // Of equally strong ones the first.
        let at = self.best[..count]
            .partition_point(|&(other, before)| other > elo || (other == elo && before < game));
        if at >= BEST {
            return;
        }
        let count = (count + 1).min(BEST);
        self.best[at..count].rotate_right(1);
        self.best[at] = (elo, game);
        self.best_count = count as u8;
    }

    /// Adds what other games sum up to, whose numbers begin later by `first`.
    pub(crate) fn join(&mut self, other: &Sums, first: u64) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        for (sum, more) in
            [(&mut self.white_elo, other.white_elo), (&mut self.black_elo, other.black_elo)]
        {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.newest = self.newest.max(other.newest);
        for &(elo, game) in &other.best[..usize::from(other.best_count)] {
            self.offer(elo, first + game);
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let ((white, whites), (black, blacks)) = (self.white_elo, self.black_elo);
        let newest = self.newest.0.into();
        for number in [self.white, self.black, self.draws, white, whites, black, blacks, newest] {
            put(number, out);
        }
        put(self.best_count.into(), out);
        for &(elo, game) in &self.best[..usize::from(self.best_count)] {
            put(elo.into(), out);
            put(game, out);
        }
    }

    pub(crate) fn read(games: u64, bytes: &mut &[u8]) -> Option<Sums> {
        let mut number = || take(bytes);
        let mut tally = Sums {
            games,
            white: number()?,
            black: number()?,
            draws: number()?,
            white_elo: (number()?, number()?),
            black_elo: (number()?, number()?),
            newest: Day(number()? as u32),
            ..Sums::default()
        };
        let count = number()?;
        for at in 0..count {
            *tally.best.get_mut(at as usize)? = (number()? as u32, number()?);
            tally.best_count += 1;
        }
        Some(tally)
    }

    /// The games of the strongest players, by number from 0.
    pub fn best(&self) -> impl Iterator<Item = u64> + '_ {
        self.best[..usize::from(self.best_count)].iter().map(|&(_, game)| game)
    }

    /// How many games have no result.
    pub fn unfinished(&self) -> u64 {
        self.games.saturating_sub(self.white + self.draws + self.black)
    }

    /// What White scored, between 0 and 1; none if no game has a result.
    pub fn score(&self) -> Option<f64> {
        let ended = self.white + self.draws + self.black;
        (ended > 0).then(|| (self.white as f64 + self.draws as f64 / 2.0) / ended as f64)
    }
}
