use tabiya_base::{Bound, Stop};
use tabiya_chess::Game;
use tabiya_thinker::{Info, Limits, ThinkError, Thinker};

use crate::data::ScoredMove;

/// What a thinker says the best moves of a position are worth: the lines of the last depth that it finished, the best
/// first, as many as asked for or as there are. It begins with nothing in memory, so that answers repeat.
pub fn judge(
    thinker: &mut dyn Thinker,
    game: &Game,
    multipv: usize,
    limits: &Limits,
) -> Result<Vec<ScoredMove>, ThinkError> {
    let limits = Limits { multipv: Some(multipv), ..limits.clone() };
    let (has_move, mut lines) = ask(thinker, game, &limits)?;
    if has_move && lines.is_empty() {
        // So few nodes that no line was finished.
        let shallow = Limits { depth: Some(1), multipv: Some(multipv), ..Limits::default() };
        lines = ask(thinker, game, &shallow)?.1;
    }
    lines.truncate(multipv.max(1));
    Ok(lines)
}

fn ask(
    thinker: &mut dyn Thinker,
    game: &Game,
    limits: &Limits,
) -> Result<(bool, Vec<ScoredMove>), ThinkError> {
    thinker.new_game()?;
    let mut depths = Depths::default();
    let found = thinker.think(game, limits, &Stop::default(), &mut |info| depths.hear(info))?;
    Ok((found.best.is_some(), depths.last))
}

/// What a thinker says of its lines while it looks deeper and deeper.
#[derive(Default)]
struct Depths {
    depth: u32,
    /// The lines of this depth so far, and those of the last depth that was finished.
    now: Vec<ScoredMove>,
    last: Vec<ScoredMove>,
}

impl Depths {
    fn hear(&mut self, info: &Info) {
        let (Some(&m), Bound::Exact) = (info.pv.first(), info.bound) else { return };
        if info.depth != self.depth {
            self.depth = info.depth;
            self.now.clear();
        }
        // A line may be told again, better.
        self.now.truncate(info.multipv.saturating_sub(1) as usize);
        self.now.push(ScoredMove { m, score: info.score });
        if self.now.len() >= self.last.len() {
            self.last = self.now.clone();
        }
    }
}

/// Thinkers for tests: a function that says what the best moves are worth.
#[cfg(test)]
pub(crate) mod toy {
    use tabiya_thinker::Found;

    use super::*;

    pub(crate) struct Toy<F>(pub(crate) F);

    impl<F: FnMut(&Game, &Limits) -> Vec<ScoredMove> + Send> Thinker for Toy<F> {
        fn name(&self) -> &str {
            "Toy"
        }

        fn new_game(&mut self) -> Result<(), ThinkError> {
            Ok(())
        }

        fn think(
            &mut self,
            game: &Game,
            limits: &Limits,
            _: &Stop,
            on_info: &mut dyn FnMut(&Info),
        ) -> Result<Found, ThinkError> {
            let lines = (self.0)(game, limits);
            for (multipv, line) in (1..).zip(&lines).take(limits.multipv.unwrap_or(1)) {
                on_info(&Info { multipv, score: line.score, pv: vec![line.m], ..Info::default() });
            }
            let best = game.position().legal_moves().first().copied();
            Ok(Found { best: lines.first().map(|line| line.m).or(best), ponder: None })
        }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Score;
    use tabiya_chess::Move;

    use super::toy::Toy;
    use super::*;

    fn line(depth: u32, multipv: u32, m: Move, score: i32) -> Info {
        let score = Score::Centipawns(score);
        Info { depth, multipv, score, pv: vec![m], ..Info::default() }
    }

    #[test]
    fn only_depths_that_are_finished_count() {
        let moves = Game::new().position().legal_moves();
        let mut depths = Depths::default();
        let (a, b, c) = (moves[0], moves[1], moves[2]);
        for info in [line(1, 1, a, 10), line(1, 2, b, 5), line(2, 1, c, 30)] {
            depths.hear(&info);
        }
        depths.hear(&Info { bound: Bound::Lower, ..line(2, 2, a, 90) });
        let told = |m, score| ScoredMove { m, score: Score::Centipawns(score) };
        assert_eq!(depths.last, [told(a, 10), told(b, 5)]);
        // Told again, better; then the depth is finished.
        for info in [line(2, 1, c, 20), line(2, 2, a, 15)] {
            depths.hear(&info);
        }
        assert_eq!(depths.last, [told(c, 20), told(a, 15)]);
    }

    #[test]
    fn who_has_no_line_yet_is_asked_to_look_one_ply_deep() {
        let mut asked = Vec::new();
        let mut hasty = Toy(|game: &Game, limits: &Limits| {
            asked.push((limits.nodes, limits.depth));
            let m = game.position().legal_moves()[0];
            let line = ScoredMove { m, score: Score::Centipawns(7) };
            if limits.depth == Some(1) { vec![line] } else { Vec::new() }
        });
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        assert_eq!(judge(&mut hasty, &Game::new(), 2, &limits).unwrap().len(), 1);
        assert_eq!(asked, [(Some(1), None), (None, Some(1))]);
    }
}
