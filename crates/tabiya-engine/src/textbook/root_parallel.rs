use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tabiya_chess::Position;

use super::SearchReport;
use super::material::{MaterialEvaluation, Verdict};
use super::order::{after, ordered_moves};
use super::report::{Line, Stopped};

/// Does a piece of work for each item, in so many threads, and gives the results in the order of the
/// items: who did what, and when, cannot be told from them.
pub(super) fn share<T, R>(
    items: &[T],
    threads: NonZeroUsize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R>
where
    T: Copy + Sync,
    R: Send,
{
    let threads = threads.get().min(items.len());
    if threads <= 1 {
        return items.iter().copied().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    // Whoever is free takes the next item.
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for other in others {
            match other.join() {
                Ok(part) => done.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A move of the position searched from: the best line that begins with it, if there was time to find it,
/// and the positions visited for it.
pub(super) type Branch = (Result<Line, Stopped>, u64);

/// The first of the best branches of a position, given in the order of its moves. Those that were stopped do
/// not count; if all were, the pieces are counted after a single move.
pub(super) fn best_branch(
    position: &Position,
    depth: u32,
    material: MaterialEvaluation,
    branches: Vec<Branch>,
) -> SearchReport {
    let nodes = branches.iter().map(|(_, nodes)| nodes).sum();
    let lines = branches.into_iter().filter_map(|(line, _)| line.ok());
    if let Some(best) = first_best(position, lines) {
        return best.report(depth, nodes);
    }
    let moves = ordered_moves(position);
    let depth = if moves.is_empty() { depth } else { 1 };
    let leaves = moves
        .into_iter()
        .map(|m| Line::leaf(material.judge(&after(position, m)).at(1)).preceded_by(m));
    let best = first_best(position, leaves);
    best.unwrap_or_else(|| Line::leaf(Verdict::without_moves(position).at(0))).report(depth, nodes)
}

fn first_best(position: &Position, lines: impl Iterator<Item = Line>) -> Option<Line> {
    lines.reduce(
        |best, line| {
            if line.score.is_better(best.score, position.turn()) { line } else { best }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = items.iter().map(|n| n * n).collect();
        for threads in [1, 2, 3, 7, 1_000_000] {
            let threads = NonZeroUsize::new(threads).unwrap();
            assert_eq!(share(&items, threads, |n| n * n), squares);
        }
        assert_eq!(share(&[] as &[u64], NonZeroUsize::MIN, |n| n), []);
    }
}
