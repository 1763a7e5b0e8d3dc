//! What the engine makes of tables of endings: the move itself where they know the way to mate, else the moves that
//! give nothing away, and in the search the score of a position that is reached by a capture or a pawn move.

use std::sync::Arc;

use tabiya_base::Score;
use tabiya_chess::{Move, Position};
use tabiya_tables::{Fate, TableEntry, Tables};

use crate::Settings;
use crate::search::{MATE, MAX_PLY};

/// A win by tables that do not tell the mate: more than any evaluation, less than any mate.
const WON: i32 = 20_000;

/// Tables, and how they are to be asked.
#[derive(Clone)]
pub(crate) struct Endgames {
    tables: Arc<Tables>,
    most_men: u32,
    fifty_move_rule: bool,
}

/// A line that tables know.
pub(crate) struct KnownLine {
    pub(crate) score: Score,
    pub(crate) pv: Vec<Move>,
}

/// What tables say of the position a search starts from.
pub(crate) enum AtRoot {
    /// The way to mate, of the best move and of the others after it.
    Known(Vec<KnownLine>),
    /// Moves that keep the result, and its score.
    Among(Vec<Move>, Score),
}

impl Endgames {
    /// None if there is nothing to ask.
    pub(crate) fn new(tables: Option<&Arc<Tables>>, settings: &Settings) -> Option<Endgames> {
        let tables = Arc::clone(tables?);
        let most_men = tables.most_men().min(settings.table_men) as u32;
        let fifty_move_rule = settings.fifty_move_rule;
        (most_men > 2).then_some(Endgames { tables, most_men, fifty_move_rule })
    }

    fn fate(&self, fate: Fate) -> Fate {
        if self.fifty_move_rule { fate } else { fate.without_rule() }
    }

    fn may_know(&self, position: &Position) -> bool {
        position.board().occupied().len() <= self.most_men
    }

    /// The score of a position of the search, for the side to move. Only after a capture or a pawn move: then the result does
    /// not depend on how many moves have been played without.
    #[inline]
    pub(crate) fn score(&self, position: &Position, ply: usize) -> Option<i32> {
        if position.halfmove_clock() != 0 || !self.may_know(position) {
            return None;
        }
        self.look_up(position, ply as i32)
    }

    #[cold]
    fn look_up(&self, position: &Position, ply: i32) -> Option<i32> {
        let (fate, mate) = self.tables.fate_and_mate(position).ok()?;
        let sign = match self.fate(fate) {
            Fate::Win => 1,
            Fate::Loss => -1,
            _ => return Some(0),
        };
        // A mate beyond the horizon of scores is only a win.
        let plies = mate.map(i32::from).filter(|plies| ply + plies < MAX_PLY as i32 - 1);
        let in_time = plies.filter(|&plies| plies <= 100 || !self.fifty_move_rule);
        Some(sign * in_time.map_or(WON - ply, |plies| MATE - ply - plies))
    }

    /// What is known of the root's moves. None if tables do not know all of them.
    pub(crate) fn at_root(
        &self,
        position: &Position,
        moves: &[Move],
        lines: usize,
    ) -> Option<AtRoot> {
        if !self.may_know(position) {
            return None;
        }
        let mut known = self.tables.moves(position).ok()?;
        known.retain(|(m, _)| moves.contains(m));
        known.sort_by_key(|(_, entry)| -self.fate(entry.fate).number());
        let &(_, best) = known.first()?;
        let fate = self.fate(best.fate);
        let keeps = |entry: &TableEntry| self.fate(entry.fate) == fate;
        let all = |keeps: &dyn Fn(&TableEntry) -> bool| -> Vec<Move> {
            known.iter().filter(|(_, entry)| keeps(entry)).map(|&(m, _)| m).collect()
        };
        Some(match fate {
            Fate::Win | Fate::Loss if best.mate.is_some() => {
                let shown = known.iter().take(lines.max(1));
                AtRoot::Known(shown.map(|&(m, entry)| self.line(position, m, &entry)).collect())
            }
            Fate::Win => {
                let soonest = |entry: &TableEntry| keeps(entry) && entry.zeroing == best.zeroing;
                AtRoot::Among(all(&soonest), Score::Centipawns(WON))
            }
            Fate::Loss => AtRoot::Among(all(&keeps), Score::Centipawns(-WON)),
            _ => AtRoot::Among(all(&keeps), Score::Centipawns(0)),
        })
    }

    /// The line after a move, as tables would play it.
    fn line(&self, position: &Position, m: Move, entry: &TableEntry) -> KnownLine {
        let score = match (self.fate(entry.fate), entry.mate_in()) {
            (Fate::Win | Fate::Loss, Some(moves)) => Score::Mate(moves),
            _ => Score::Centipawns(0),
        };
        let (mut position, mut pv) = (*position, vec![m]);
        position.play_unchecked(m);
        while matches!(score, Score::Mate(_)) && pv.len() < 2 * MAX_PLY {
            let Ok(moves) = self.tables.moves(&position) else { break };
            let Some(&(m, _)) = moves.first() else { break };
            pv.push(m);
            position.play_unchecked(m);
        }
        KnownLine { score, pv }
    }
}
