use crate::Info;
use tabiya_base::Bound;

/// The lines of a search as they stand: the last word on each.
///
/// ```
/// use tabiya_base::{Bound, Score};
/// use tabiya_chess::{Move, Square};
/// use tabiya_thinker::{Info, Lines};
///
/// let pv = vec![Move::normal(Square::E2, Square::E4)];
/// let mut lines = Lines::new(2);
/// lines.hear(&Info { score: Score::Centipawns(20), pv: pv.clone(), ..Info::default() });
/// lines.hear(&Info { score: Score::Centipawns(90), bound: Bound::Lower, pv, ..Info::default() });
/// assert_eq!(lines.best().map(|line| line.score), Some(Score::Centipawns(20)));
/// assert_eq!(lines.all().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Lines {
    lines: Vec<Option<Info>>,
}

impl Lines {
    /// None heard yet, of so many at most.
    pub fn new(multipv: usize) -> Lines {
        Lines { lines: vec![None; multipv.max(1)] }
    }

    /// Takes in what a thinker says; true if it is about one of the lines. A score that is only a bound does not
    /// replace one that is known.
    pub fn hear(&mut self, info: &Info) -> bool {
        let index = (info.multipv as usize).saturating_sub(1);
        match self.lines.get_mut(index) {
            Some(line) if !info.pv.is_empty() => {
                if info.bound == Bound::Exact || line.is_none() {
                    *line = Some(info.clone());
                }
                true
            }
            _ => false,
        }
    }

    /// The lines, the best first, as far as there is no gap.
    pub fn all(&self) -> impl Iterator<Item = &Info> {
        self.lines.iter().map_while(Option::as_ref)
    }

    /// The best line.
    pub fn best(&self) -> Option<&Info> {
        self.all().next()
    }
}
