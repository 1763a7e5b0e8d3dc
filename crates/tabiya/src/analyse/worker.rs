//! `tabiya worker`: works off the jobs of a queue.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::ProgressBar;
use tabiya_analysis::Analyst;
use tabiya_jobs::{Address, Event, Queue, QueueError, Stop, Worker};

use crate::print::{count, grouped};

/// Help a queue: work off its jobs until Ctrl-C.
///
/// Any number of workers may join, on any number of machines, and leave or be lost at any time: what they had is given to
/// others. All have to be the same build of Tabiya; others find no jobs that they can do.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya worker --queue postgres://chess@db/analysis
  tabiya worker --queue games.queue --threads 2
What is promised: docs/analysis.md")]
pub(crate) struct Args {
    /// Where the jobs are: a file, or postgres://….
    #[arg(long, value_name = "QUEUE")]
    queue: Address,

    /// How many jobs at a time (else as many as the machine has cores).
    #[arg(long, value_name = "T")]
    threads: Option<NonZeroUsize>,

    /// What it is called in `tabiya queue status` (else machine and process).
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Others are given its jobs when it has not been heard of for so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = Worker::LEASE.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    lease: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let stop = Stop::default();
    let theirs = stop.clone();
    ctrlc::set_handler(move || theirs.stop()).context("cannot listen for Ctrl-C")?;
    let queue = open(args, &stop)?;
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or_else(cores);
    let worker = Worker {
        name: args.name.clone().unwrap_or_else(name),
        about: about(threads),
        threads,
        lease: Duration::from_secs(args.lease),
    };
    eprintln!(
        "{} works for {} with {}",
        worker.name,
        queue.place(),
        count(threads.get() as u64, "thread")
    );
    let bar = crate::terminal::bar(None, "{spinner} {pos} jobs done, {per_sec}");
    let (done, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    let tell = |event: Event| {
        match event {
            Event::Done(_) => {
                done.fetch_add(1, Ordering::Relaxed);
                bar.inc(1);
            }
            Event::Failed(..) => {
                failed.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
        self::tell(&event, &bar);
    };
    let worked = worker.run(&queue, &Analyst::default(), &stop, &tell);
    bar.finish_and_clear();
    worked?;
    queue.close();
    let (done, failed) = (done.into_inner(), failed.into_inner());
    let failures = if failed > 0 { format!(", {} failed", grouped(failed)) } else { String::new() };
    eprintln!("{} done{failures} in {:.0} s", count(done, "job"), begun.elapsed().as_secs_f64());
    Ok(())
}

/// Waits for a queue that is not there yet.
fn open(args: &Args, stop: &Stop) -> anyhow::Result<Queue> {
    if let Some(file) = args.queue.file() {
        anyhow::ensure!(file.is_file(), "there is no queue {}", file.display());
    }
    let mut told = false;
    loop {
        match Queue::open(&args.queue) {
            Err(error @ QueueError::Unreachable { .. }) if !stop.is_stopped() => {
                if !std::mem::replace(&mut told, true) {
                    eprintln!("{}", super::away(&error));
                }
                stop.wait_for(Duration::from_secs(1));
                anyhow::ensure!(!stop.is_stopped(), "stopped before the queue could be reached");
            }
            opened => return Ok(opened?),
        }
    }
}

/// Machine and process: no other worker has that name.
pub(super) fn name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| std::env::var("HOSTNAME").ok());
    let host = host.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let host = host.trim();
    let host = if host.is_empty() { "worker" } else { host };
    format!("{host}-{}-{:04x}", std::process::id(), tabiya_base::random_seed() & 0xffff)
}

pub(super) fn about(threads: NonZeroUsize) -> String {
    format!("tabiya {}, {}", env!("CARGO_PKG_VERSION"), count(threads.get() as u64, "thread"))
}

/// Says what went wrong.
pub(super) fn tell(event: &Event, bar: &ProgressBar) {
    if let Some(sentence) = super::sentence(event) {
        super::say(bar, &sentence);
    }
}
