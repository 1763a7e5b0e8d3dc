//! What a queue promises, in a file and in PostgreSQL.

mod places;

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use places::on_both;
use tabiya_jobs::{
    ATTEMPTS, About, Address, Batch, Event, Handler, Held, Job, JobResult, NewJob, Queue,
    QueueError, Stop, Worker,
};

const HOUR: Duration = Duration::from_secs(3600);
const NOW: Duration = Duration::ZERO;

const fn batch(name: &str) -> Batch<'_> {
    Batch { name, title: "a test", kind: "square", priority: 0 }
}

fn numbers(count: u64) -> impl Iterator<Item = NewJob> {
    (0..count).map(|number| NewJob::of(number.to_string()))
}

fn payloads(jobs: &[Job]) -> Vec<&str> {
    jobs.iter().map(|job| job.payload.as_str()).collect()
}

#[test]
fn a_batch_is_entered_once_and_comes_out_in_its_order() {
    on_both(|queue, address| {
        assert_eq!(queue.counts("b").unwrap(), None);
        assert_eq!(queue.enter(&batch("b"), numbers(450)).unwrap(), 450);
        let other = Queue::open(address).unwrap();
        // Somebody else enters the same.
        assert_eq!(other.enter(&batch("b"), numbers(450)).unwrap(), 450);
        let jobs = queue.claim("me", &["square"], 1000, HOUR).unwrap();
        assert_eq!(jobs.len(), 450);
        assert!(jobs.is_sorted_by_key(|job| job.id));
        for job in jobs.iter().rev() {
            let number: u64 = job.payload.parse().unwrap();
            assert!(queue.finish(job.id, &(number * number).to_string()).unwrap());
        }
        let counts = other.counts("b").unwrap().unwrap();
        assert_eq!((counts.done, counts.all(), counts.worked, counts.cost), (450, 450, 450, 450));
        let mut seen: Vec<JobResult> = Vec::new();
        loop {
            let chunk = other.results("b", seen.last().map(|last| last.place), 100).unwrap();
            if chunk.is_empty() {
                break;
            }
            seen.extend(chunk);
        }
        for (outcome, place) in seen.iter().zip(0u64..) {
            assert_eq!((outcome.place, &outcome.result), (place, &Ok((place * place).to_string())));
        }
        assert_eq!(seen.len(), 450);
        assert!(queue.forget("b").unwrap() && !other.forget("b").unwrap());
        assert_eq!(other.counts("b").unwrap(), None);
        assert!(queue.claim("me", &["square"], 1, HOUR).unwrap().is_empty());
    });
}

#[test]
fn an_entry_that_was_broken_off_is_completed() {
    on_both(|queue, _| {
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let jobs = numbers(300).inspect(|job| assert!(job.payload != "250", "broken off"));
            queue.enter(&batch("b"), jobs)
        }));
        assert!(broken.is_err());
        let counts = queue.counts("b").unwrap().unwrap();
        assert_eq!(counts.all(), 200, "what was entered stays");
        // One is done already when the rest comes.
        let job = queue.claim("me", &["square"], 1, HOUR).unwrap().remove(0);
        queue.finish(job.id, "0").unwrap();
        assert_eq!(queue.enter(&batch("b"), numbers(300)).unwrap(), 300);
        let counts = queue.counts("b").unwrap().unwrap();
        assert_eq!((counts.all(), counts.done), (300, 1));
    });
}

#[test]
fn higher_priorities_come_first_and_kinds_are_kept_apart() {
    on_both(|queue, _| {
        queue.enter(&batch("many"), ["a", "b"].map(NewJob::of)).unwrap();
        let urgent = Batch { priority: 10, ..batch("urgent") };
        queue.enter(&urgent, ["c"].map(NewJob::of)).unwrap();
        let other = Batch { kind: "cube", priority: 99, ..batch("other") };
        queue.enter(&other, ["d"].map(NewJob::of)).unwrap();
        assert_eq!(payloads(&queue.claim("me", &["square"], 2, HOUR).unwrap()), ["c", "a"]);
        assert_eq!(payloads(&queue.claim("me", &["sphere"], 9, HOUR).unwrap()), [""; 0]);
        assert_eq!(payloads(&queue.claim("me", &["square", "cube"], 9, HOUR).unwrap()), ["d", "b"]);
        assert!(queue.claim("me", &[], 9, HOUR).unwrap().is_empty());
    });
}

#[test]
fn the_first_result_stays_and_another_must_be_equal() {
    on_both(|queue, _| {
        queue.enter(&batch("b"), numbers(1)).unwrap();
        let first = queue.claim("slow", &["square"], 1, NOW).unwrap().remove(0);
        thread::sleep(Duration::from_millis(5));
        let second = queue.claim("quick", &["square"], 1, HOUR).unwrap().remove(0);
        assert!(first.id == second.id && first.lease != second.lease);
        assert!(queue.finish(second.id, "0").unwrap());
        assert!(!queue.finish(first.id, "0").unwrap(), "the same once more");
        assert_eq!(queue.finish(first.id, "1"), Err(QueueError::Differs { job: first.id }));
        assert_eq!(queue.results("b", None, 9).unwrap()[0].result, Ok("0".to_owned()));
        assert_eq!(queue.status().unwrap().batches[0].refused, 1);
        // A failure after the result changes nothing, and so does a return.
        queue.fail(first.id, first.lease, "late").unwrap();
        queue.release(second.id, second.lease).unwrap();
        assert_eq!(queue.counts("b").unwrap().unwrap().done, 1);
        assert!(!queue.finish(987_654, "0").unwrap(), "a job that nobody knows any more");
    });
}

#[test]
fn a_lease_is_kept_by_signs_of_life_and_lost_without() {
    on_both(|queue, _| {
        queue.enter(&batch("b"), numbers(2)).unwrap();
        let lease = Duration::from_millis(400);
        let jobs = queue.claim("me", &["square"], 2, lease).unwrap();
        let held = |job: &Job| Held { id: job.id, lease: job.lease, progress: 1 };
        let about = About { name: "me".to_owned(), ..About::default() };
        let until = Instant::now() + Duration::from_millis(900);
        while Instant::now() < until {
            // A long lease, so that a busy machine is no reason to lose it.
            assert_eq!(queue.beat(&about, &[held(&jobs[0])], HOUR).unwrap(), [jobs[0].id]);
            thread::sleep(Duration::from_millis(50));
        }
        let others = queue.claim("you", &["square"], 2, HOUR).unwrap();
        assert_eq!(payloads(&others), ["1"], "only what nobody spoke for");
        let both = [held(&jobs[0]), held(&jobs[1])];
        assert_eq!(queue.beat(&about, &both, HOUR).unwrap(), [jobs[0].id], "the other is lost");
        assert_eq!(queue.counts("b").unwrap().unwrap().worked, 1);
        let status = queue.status().unwrap();
        assert_eq!((status.workers[0].name.as_str(), status.workers[0].leased), ("me", 1));
        queue.leave("me").unwrap();
        assert!(queue.status().unwrap().workers.is_empty());
        // What was called off is told to whoever has it.
        assert_eq!(queue.cancel("b").unwrap(), 2);
        assert!(queue.beat(&about, &both, HOUR).unwrap().is_empty());
        assert!(!queue.finish(jobs[0].id, "0").unwrap());
        assert_eq!(queue.counts("b").unwrap().unwrap().cancelled, 2);
    });
}

#[test]
fn what_fails_rests_and_is_dead_in_the_end() {
    on_both(|queue, _| {
        queue.enter(&batch("b"), numbers(2)).unwrap();
        let job = queue.claim("me", &["square"], 1, HOUR).unwrap().remove(0);
        queue.fail(job.id, job.lease + 1, "of somebody else").unwrap();
        assert_eq!(queue.counts("b").unwrap().unwrap().leased, 1);
        queue.fail(job.id, job.lease, "too hard").unwrap();
        let next = queue.claim("me", &["square"], 9, HOUR).unwrap();
        assert_eq!(payloads(&next), ["1"], "the other one rests");
        // Given back, it was never handed out.
        for _ in 0..2 * ATTEMPTS {
            queue.release(next[0].id, next[0].lease).unwrap();
            let again = queue.claim("me", &["square"], 1, HOUR).unwrap();
            assert_eq!(payloads(&again), ["1"]);
            queue.release(again[0].id, again[0].lease).unwrap();
        }
        // Whoever takes it is lost with it.
        for _ in 0..ATTEMPTS {
            let taken = queue.claim("me", &["square"], 1, NOW).unwrap();
            assert_eq!(payloads(&taken), ["1"]);
            thread::sleep(Duration::from_millis(5));
            queue.reap().unwrap();
        }
        assert!(queue.claim("me", &["square"], 9, HOUR).unwrap().is_empty());
        let status = queue.status().unwrap();
        assert_eq!((status.dead.len(), status.dead[0].place), (1, 1));
        assert!(status.dead[0].error.contains("the worker me was lost"), "{:?}", status.dead);
        let results = queue.results("b", None, 9).unwrap();
        assert!(results.len() == 1 && results[0].result.is_err());
        assert_eq!((queue.retry(Some("other")).unwrap(), queue.retry(Some("b")).unwrap()), (0, 1));
        let again = queue.claim("me", &["square"], 1, HOUR).unwrap();
        assert_eq!(payloads(&again), ["1"]);
        queue.fail(again[0].id, again[0].lease, "once").unwrap();
        assert_eq!(queue.counts("b").unwrap().unwrap().dead, 0, "it has all its chances again");
    });
}

#[test]
fn a_drained_queue_hands_out_nothing() {
    on_both(|queue, address| {
        queue.enter(&batch("b"), numbers(2)).unwrap();
        let job = queue.claim("me", &["square"], 1, HOUR).unwrap().remove(0);
        Queue::open(address).unwrap().drain(true).unwrap();
        assert!(queue.claim("me", &["square"], 1, HOUR).unwrap().is_empty());
        assert!(queue.finish(job.id, "0").unwrap(), "what is out may be finished");
        assert!(queue.status().unwrap().is_draining);
        queue.drain(false).unwrap();
        assert_eq!(queue.claim("me", &["square"], 1, HOUR).unwrap().len(), 1);
    });
}

#[test]
fn nobody_is_handed_what_another_has() {
    on_both(|queue, address| {
        queue.enter(&batch("b"), numbers(600)).unwrap();
        let taken = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for name in ["a", "b", "c", "d"] {
                let taken = &taken;
                let own = Queue::open(address).unwrap();
                scope.spawn(move || {
                    loop {
                        let jobs = own.claim(name, &["square"], 7, HOUR).unwrap();
                        if jobs.is_empty() {
                            break;
                        }
                        taken.lock().unwrap().extend(jobs.iter().map(|job| job.id));
                    }
                });
            }
        });
        let taken = taken.into_inner().unwrap();
        assert_eq!(taken.len(), 600);
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 600);
    });
}

#[test]
fn keys_are_shown_once_and_can_be_revoked() {
    on_both(|queue, _| {
        let secret = queue.make_key("attic").unwrap();
        let other = queue.make_key("cellar").unwrap();
        assert_ne!(secret, other);
        assert_eq!(queue.make_key("attic"), Err(QueueError::KeyTaken("attic".to_owned())));
        assert_eq!(queue.key_of(&secret).unwrap().as_deref(), Some("attic"));
        assert_eq!(queue.key_of("tabiya-").unwrap(), None);
        assert!(queue.revoke_key("attic").unwrap() && !queue.revoke_key("attic").unwrap());
        assert_eq!(queue.key_of(&secret).unwrap(), None);
        assert_eq!(queue.key_of(&other).unwrap().as_deref(), Some("cellar"));
        let keys = queue.keys().unwrap();
        let told: Vec<_> = keys.iter().map(|key| (key.name.as_str(), key.is_revoked)).collect();
        assert_eq!(told, [("attic", true), ("cellar", false)]);
    });
}

#[test]
fn a_hint_wakes_whoever_waits_elsewhere() {
    let address: Address = places::postgres().database().parse().unwrap();
    let (one, other) = (Queue::open(&address).unwrap(), Queue::open(&address).unwrap());
    // Who listens needs a moment to begin: until then there are hints in vain.
    let begun = Instant::now();
    let quick = (0..50).any(|round| {
        let waiting = {
            let other = other.clone();
            thread::spawn(move || {
                let begun = Instant::now();
                other.wait_for_jobs(Duration::from_secs(2));
                begun.elapsed() < Duration::from_secs(2)
            })
        };
        thread::sleep(Duration::from_millis(100));
        one.enter(&batch(&format!("b{round}")), numbers(1)).unwrap();
        waiting.join().unwrap()
    });
    assert!(quick, "no hint in {:?}", begun.elapsed());
}

/// Squares numbers, and has its difficulties with some.
struct Squares {
    panics: AtomicUsize,
}

impl Handler for Squares {
    fn kinds(&self) -> Vec<String> {
        vec!["square".to_owned()]
    }

    fn handle(
        &self,
        job: &Job,
        progress: &(dyn Fn(u64) + Sync),
        stop: &Stop,
    ) -> Option<Result<String, String>> {
        let number: u64 = job.payload.parse().unwrap();
        progress(1);
        if number == 13 {
            self.panics.fetch_add(1, Ordering::Relaxed);
            panic!("thirteen");
        }
        if number == 1_000_000 {
            // Until it is called off.
            stop.wait_for(HOUR);
            return None;
        }
        Some(Ok((number * number).to_string()))
    }
}

fn worker(name: &str, threads: usize) -> Worker {
    Worker {
        name: name.to_owned(),
        about: "in a test".to_owned(),
        threads: NonZeroUsize::new(threads).unwrap(),
        lease: Duration::from_secs(2),
    }
}

#[test]
fn one_poisoned_job_stops_nobody() {
    on_both(|queue, _| {
        queue.enter(&batch("b"), numbers(40)).unwrap();
        let (work, stop) = (Squares { panics: AtomicUsize::new(0) }, Stop::default());
        let failures = Mutex::new(Vec::new());
        thread::scope(|scope| {
            let tell = |event| {
                if let Event::Failed(job, why) = event {
                    failures.lock().unwrap().push((job.payload, why));
                }
            };
            let (work, own) = (&work, &stop);
            let working = scope.spawn(move || worker("one", 3).run(queue, work, own, &tell));
            loop {
                let counts = queue.counts("b").unwrap().unwrap();
                if counts.done == 39 && counts.waiting == 1 {
                    break;
                }
                queue.wait_for_results(Duration::from_millis(100));
            }
            stop.stop();
            working.join().unwrap().unwrap();
        });
        let failures = failures.into_inner().unwrap();
        assert_eq!(failures[0], ("13".to_owned(), "it panicked: thirteen".to_owned()));
        assert!(work.panics.into_inner() >= 1);
        assert!(queue.status().unwrap().workers.is_empty(), "who goes says so");
    });
}

#[test]
fn what_is_called_off_or_stopped_is_let_go() {
    on_both(|queue, _| {
        queue.enter(&batch("long"), [NewJob::of("1000000")]).unwrap();
        let (work, stop) = (Squares { panics: AtomicUsize::new(0) }, Stop::default());
        let lease = Duration::from_millis(300);
        thread::scope(|scope| {
            let (work, own) = (&work, &stop);
            let one = Worker { lease, ..worker("one", 1) };
            let working = scope.spawn(move || one.run(queue, work, own, &|_| {}));
            let until = |holds: &dyn Fn() -> bool| {
                let begun = Instant::now();
                while !holds() {
                    assert!(begun.elapsed() < Duration::from_secs(20), "never");
                    thread::sleep(Duration::from_millis(10));
                }
            };
            until(&|| queue.counts("long").unwrap().unwrap().leased == 1);
            queue.cancel("long").unwrap();
            // The thread is free for something else.
            queue.enter(&batch("short"), numbers(1)).unwrap();
            until(&|| queue.counts("short").unwrap().unwrap().done == 1);
            queue.enter(&batch("longer"), [NewJob::of("1000000")]).unwrap();
            until(&|| queue.counts("longer").unwrap().unwrap().leased == 1);
            stop.stop();
            working.join().unwrap().unwrap();
        });
        let counts = queue.counts("longer").unwrap().unwrap();
        assert_eq!((counts.waiting, counts.leased), (1, 0), "it was given back");
    });
}

#[test]
fn several_workers_share_what_there_is() {
    on_both(|queue, address| {
        queue.enter(&batch("b"), numbers(60).filter(|job| job.payload != "13")).unwrap();
        let (work, stop) = (Squares { panics: AtomicUsize::new(0) }, Stop::default());
        let done: Mutex<BTreeMap<String, usize>> = Mutex::default();
        thread::scope(|scope| {
            for name in ["one", "two"] {
                let own = Queue::open(address).unwrap();
                let (work, stop, done) = (&work, &stop, &done);
                scope.spawn(move || {
                    let tell = |event| {
                        if matches!(event, Event::Done(_)) {
                            *done.lock().unwrap().entry(name.to_owned()).or_default() += 1;
                        }
                    };
                    worker(name, 2).run(&own, work, stop, &tell).unwrap();
                });
            }
            while queue.counts("b").unwrap().unwrap().open() > 0 {
                queue.wait_for_results(Duration::from_millis(50));
            }
            stop.stop();
        });
        assert_eq!(done.into_inner().unwrap().values().sum::<usize>(), 59, "each once");
        let results = queue.results("b", None, 100).unwrap();
        assert_eq!(results[12].result.as_deref(), Ok("144"));
        assert_eq!(results[58].result.as_deref(), Ok("3481"));
    });
}

#[test]
fn what_cannot_be_used_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, "1. e4 e5 2. Nf3 Nc6 *\n").unwrap();
    let refused = |address: Address| Queue::open(&address).err().unwrap().to_string();
    let error = refused(file.clone().into());
    assert!(error.contains("games.pgn") && error.contains("not a queue"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "1. e4 e5 2. Nf3 Nc6 *\n");
    assert!(refused(folder.path().to_owned().into()).contains("folder"));
    assert!(refused(folder.path().join("none/x.queue").into()).contains("No such file"));
    let nobody = refused("postgres://me:secret@127.0.0.1:1/x".parse().unwrap());
    assert!(nobody.contains("cannot be reached") && !nobody.contains("secret"), "{nobody}");
    let port = places::postgres().port;
    let missing = refused(format!("postgres://postgres@127.0.0.1:{port}/nowhere").parse().unwrap());
    assert!(missing.contains("nowhere") && missing.contains("does not exist"), "{missing}");
}

/// Somebody else is always a moment earlier, with another result.
struct Late<'a>(&'a Queue);

impl Handler for Late<'_> {
    fn kinds(&self) -> Vec<String> {
        vec!["square".to_owned()]
    }

    fn handle(
        &self,
        job: &Job,
        _: &(dyn Fn(u64) + Sync),
        _: &Stop,
    ) -> Option<Result<String, String>> {
        assert!(self.0.finish(job.id, "first").unwrap());
        Some(Ok("second".to_owned()))
    }
}

#[test]
fn a_different_result_is_told_and_stops_nobody() {
    on_both(|queue, _| {
        queue.enter(&batch("b"), numbers(3)).unwrap();
        let stop = Stop::default();
        let told = Mutex::new(Vec::new());
        let tell = |event| {
            if let Event::Failed(_, why) = event {
                let mut told = told.lock().unwrap();
                told.push(why);
                if told.len() == 3 {
                    stop.stop();
                }
            }
        };
        worker("late", 1).run(queue, &Late(queue), &stop, &tell).unwrap();
        assert!(told.into_inner().unwrap().iter().all(|why| why.contains("this one is different")));
        let status = queue.status().unwrap();
        assert_eq!((status.batches[0].counts.done, status.batches[0].refused), (3, 3));
        assert_eq!(queue.results("b", None, 9).unwrap()[2].result.as_deref(), Ok("first"));
    });
}
