use tabiya_base::{Random, mix};
use tabiya_chess::{Game, Position};
use tabiya_tables::Tables;

use super::{ScoredGame, ScoredMove};
use crate::adjudicator::{Adjudicator, known};
use crate::{DrawRule, WinRule};

/// The rules of self-play: where games begin and when they are called off.
///
/// ```
/// use tabiya_lab::data::SelfPlay;
///
/// let opening = SelfPlay::default().opening(1, 0).unwrap();
/// assert!((8..=9).contains(&opening.moves().len()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// Games begin with so many random plies, or one more.
    pub random_plies: usize,
    /// One game in so many begins from a start position of Chess960.
    pub chess960_every: u32,
    /// A game is thrown away if its first score is beyond so many centipawns.
    pub lost_opening: i32,
    /// When a game is won.
    pub win: WinRule,
    /// When a game is drawn.
    pub draw: DrawRule,
    /// A game of so many plies, the opening not counted, is drawn.
    pub max_plies: u32,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay {
            random_plies: 8,
            chess960_every: 8,
            lost_opening: 300,
            win: WinRule { moves: 3, score: 1000 },
            draw: DrawRule { after_move: 40, moves: 6, score: 8 },
            max_plies: 400,
        }
    }
}

impl SelfPlay {
    /// The random opening of a game of a run: always the same for the same seed and number. None if random
    /// moves have ended the game or given check; then the number is skipped.
    ///
    /// ```
    /// # use tabiya_lab::data::SelfPlay;
    /// let rules = SelfPlay::default();
    /// assert_eq!(rules.opening(7, 1), rules.opening(7, 1));
    /// assert_ne!(rules.opening(7, 1), rules.opening(8, 1));
    /// ```
    pub fn opening(&self, seed: u64, number: u32) -> Option<Game> {
        let mut random = Random::new(mix(mix(seed) ^ u64::from(number)));
        let start = match random.below(self.chess960_every as usize) {
            0 if self.chess960_every > 0 => Position::chess960(random.below(960) as u16)?,
            _ => Position::initial(),
        };
        let mut game = Game::from_position(start);
        for _ in 0..self.random_plies + random.below(2) {
            let moves = game.position().legal_moves();
            game.play_unchecked(random.pick(&moves)?);
        }
        let over = game.outcome().or_else(|| game.claimable_draw()).is_some();
        (!over && !game.position().is_check()).then_some(game)
    }

    /// Plays a game from an opening to its end. `think` gives the move and the score for the side to move; if
    /// it gives none, or a move that is not legal, there is no game. Nor is there if the opening is lost. Where `tables` know
    /// the result the game ends.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// # use tabiya_lab::data::{ScoredMove, SelfPlay};
    /// let rules = SelfPlay::default();
    /// let opening = rules.opening(1, 0).unwrap();
    /// let lost = rules.play(opening, 0, None, |game| {
    ///     let m = *game.position().legal_moves().first()?;
    ///     Some(ScoredMove { m, score: Score::Centipawns(-900) })
    /// });
    /// assert_eq!(lost, None);
    /// ```
    pub fn play(
        &self,
        opening: Game,
        number: u32,
        tables: Option<&Tables>,
        mut think: impl FnMut(&Game) -> Option<ScoredMove>,
    ) -> Option<ScoredGame> {
        let start = start_number(opening.start())?;
        let mut game = opening;
        let opening = game.moves().to_vec();
        let mut moves = Vec::new();
        let mut adjudicator =
            Adjudicator::new(Some(self.draw), Some(self.win), Some(self.max_plies));
        let winner = loop {
            if let Some(outcome) = game.outcome().or_else(|| game.claimable_draw()) {
                break outcome.winner();
            }
            let decision = known(tables, &game).or_else(|| adjudicator.decision());
            if let Some((winner, _)) = decision {
                break winner;
            }
            let chosen = think(&game)?;
            if moves.is_empty() && chosen.score.rank().abs() > self.lost_opening {
                return None;
            }
            adjudicator.hear(game.position().turn(), Some(chosen.score));
            game.play(chosen.m).ok()?;
            moves.push(chosen);
        };
        Some(ScoredGame { number, start, opening, moves, winner })
    }
}

/// The number of a start position in Chess960.
fn start_number(start: &Position) -> Option<u16> {
    if *start == Position::initial() {
        return Some(518);
    }
    (0..960).find(|&number| Position::chess960(number).as_ref() == Some(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tabiya_base::Score;
    use tabiya_chess::{Color, Move};

    fn first_move(game: &Game) -> Move {
        game.position().legal_moves()[0]
    }

    fn play(score: impl Fn(&Game) -> i32) -> ScoredGame {
        let rules = SelfPlay::default();
        let opening = (0..).find_map(|number| rules.opening(3, number)).unwrap();
        let think = |game: &Game| {
            Some(ScoredMove { m: first_move(game), score: Score::Centipawns(score(game)) })
        };
        rules.play(opening, 5, None, think).unwrap()
    }

    #[test]
    fn openings_are_different_and_some_are_of_chess960() {
        let rules = SelfPlay::default();
        let openings: Vec<Game> = (0..800).filter_map(|number| rules.opening(1, number)).collect();
        assert!(openings.len() > 700, "{}", openings.len());
        let keys: HashSet<u64> = openings.iter().map(|game| game.position().key()).collect();
        assert!(keys.len() > openings.len() - 3, "{}", keys.len());
        let usual = openings.iter().filter(|game| *game.start() == Position::initial()).count();
        let others = openings.len() - usual;
        assert!((50..150).contains(&others), "{others}");
        let nine = openings.iter().filter(|game| game.moves().len() == 9).count();
        assert!((300..500).contains(&nine), "{nine}");
    }

    #[test]
    fn games_are_called_off() {
        // White is winning from the third move of the engine on.
        let plies = 18;
        let game = play(|game| match (game.moves().len() < plies, game.position().turn()) {
            (true, _) => 20,
            (false, Color::White) => 1000,
            (false, Color::Black) => -1000,
        });
        assert_eq!(game.winner, Some(Color::White));
        assert_eq!(game.opening.len() + game.moves.len(), plies + 6);
        assert_eq!(game.number, 5);

        // A score that only one side believes decides nothing.
        let game = play(|game| if game.moves().len() < plies { 20 } else { 1000 });
        assert!(game.opening.len() + game.moves.len() > plies + 20);
    }

    #[test]
    fn equal_games_are_drawn_when_late_enough() {
        let game = play(|_| 8);
        assert_eq!(game.winner, None);
        assert!(game.moves.len() <= 92, "{}", game.moves.len());
    }

    #[test]
    fn a_player_that_does_not_know_the_rules_gives_no_game() {
        let rules = SelfPlay::default();
        let opening = (0..).find_map(|number| rules.opening(3, number)).unwrap();
        let always = ScoredMove { m: first_move(&opening), score: Score::Centipawns(0) };
        assert_eq!(rules.play(opening, 0, None, |_| Some(always)), None);
    }
}
