//! How many jobs a queue takes in, hands out and takes back in a second: `cargo bench -p tabiya-jobs`. With a number of
//! jobs behind it (`-- 100000`), that many.

#[path = "../tests/places/mod.rs"]
mod places;

use std::thread;
use std::time::{Duration, Instant};

use tabiya_jobs::{Address, Batch, NewJob, Queue};

const LEASE: Duration = Duration::from_secs(600);
const THREADS: usize = 4;

fn main() {
    let jobs = std::env::args().filter_map(|word| word.parse().ok()).next_back().unwrap_or(20_000);
    let folder = tempfile::tempdir().unwrap();
    let file: Address = folder.path().join("rates.queue").into();
    let shared: Address = places::postgres().database().parse().unwrap();
    for (name, address) in [("SQLite", file), ("PostgreSQL", shared)] {
        println!("{name}, {jobs} jobs, {THREADS} connections");
        let queue = Queue::open(&address).unwrap();
        for (together, count) in [(100, jobs), (1, jobs / 20)] {
            let batch = format!("by {together}");
            let batch = Batch { name: &batch, title: "rates", kind: "rates", priority: 0 };
            let begun = Instant::now();
            // As long as the record of a game.
            queue.enter(&batch, (0..count).map(|_| NewJob::of("x".repeat(600)))).unwrap();
            tell("entered", count, begun);
            let begun = Instant::now();
            let taken = on_threads(&address, |queue| {
                let mut taken = Vec::new();
                loop {
                    let more = queue.claim("me", &["rates"], together, LEASE).unwrap();
                    if more.is_empty() {
                        return taken;
                    }
                    taken.extend(more.into_iter().map(|job| job.id));
                }
            });
            tell(&format!("claimed, {together} at a time"), count, begun);
            assert_eq!(taken.iter().map(Vec::len).sum::<usize>(), count);
            let some: Vec<Vec<i64>> =
                taken.into_iter().map(|ids| ids.into_iter().take(jobs / 20).collect()).collect();
            let count = some.iter().map(Vec::len).sum();
            let begun = Instant::now();
            thread::scope(|scope| {
                for ids in &some {
                    let queue = Queue::open(&address).unwrap();
                    scope.spawn(move || {
                        for &id in ids {
                            assert!(queue.finish(id, "a result").unwrap());
                        }
                    });
                }
            });
            tell("finished, one at a time", count, begun);
            queue.forget(batch.name).unwrap();
        }
    }
}

fn on_threads<T: Send>(address: &Address, work: impl Fn(&Queue) -> T + Sync) -> Vec<T> {
    let queues: Vec<Queue> = (0..THREADS).map(|_| Queue::open(address).unwrap()).collect();
    thread::scope(|scope| {
        let threads: Vec<_> = queues.iter().map(|queue| scope.spawn(|| work(queue))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn tell(what: &str, count: usize, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "  {what:<26} {:>9.0} a second, {:.3} ms each",
        count as f64 / seconds,
        1000.0 * seconds / count.max(1) as f64
    );
}
