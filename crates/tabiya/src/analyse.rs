//! Analysis of games and positions by a queue of jobs.

mod input;
mod output;
pub(crate) mod worker;

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::ProgressBar;
use sha2::{Digest as _, Sha256};
use tabiya_analysis::{AnalysisSettings, Analyst, kind};
use tabiya_jobs::{Address, Batch, Event, JobCounts, NewJob, Queue, QueueError, Stop, Worker};
use tabiya_review::ReviewSettings;

use crate::print::count;
use input::{Input, Task};
use output::Output;

/// Analyse games and positions: thousands of them, on one machine or on many.
///
/// Games come from PGN files, packed ones too (.gz, .zst, .bz2), and from databases (`tabiya db`); positions from files
/// whose names end in .fen or .epd. A game is reviewed as by `tabiya review`; a position is searched, with --multipv for
/// several lines. The same input with the same settings always has the same results, to the byte: whoever works, and
/// whatever is interrupted.
///
/// The work is a queue of jobs: in a file beside the first output, which goes when all is done, or at --queue, where
/// other machines can help (`tabiya worker`). After a break, the same command goes on where it was.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya analyse games.pgn -o reviewed.pgn          [%eval], glyphs, comments and better lines
  tabiya analyse *.pgn -o games.jsonl -o evaluations.parquet
  tabiya analyse games.tdb --nodes 20000 -o evaluations.parquet
  tabiya analyse positions.epd --multipv 3 --depth 20 --nodes 10000000 -o -
  tabiya analyse games.pgn -o reviewed.pgn --queue postgres://chess@db/analysis
  tabiya worker --queue postgres://chess@db/analysis    on every machine that is to help
What is promised, and what it costs: docs/analysis.md")]
pub(crate) struct Args {
    /// PGN files (- for standard input), databases, files of positions.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// Where the results go: *.pgn, *.jsonl or *.parquet; - for JSON lines on standard output. May be given several times.
    #[arg(short, long, value_name = "OUT", required = true)]
    out: Vec<PathBuf>,

    /// How many positions the engine looks at for each position.
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(ReviewSettings::LEAST_NODES..=10_000_000_000))]
    nodes: u64,

    /// Look no deeper than so many plies.
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// How many lines to show for each position (not for games).
    #[arg(long, value_name = "L", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=50))]
    multipv: u8,

    /// How many jobs this command works on at a time (else as many as the machine has cores); 0 leaves all to workers.
    #[arg(long, value_name = "T")]
    threads: Option<usize>,

    /// Where the jobs are: a file, or postgres://….
    #[arg(long, value_name = "QUEUE")]
    queue: Option<Address>,

    /// Jobs of a higher priority come first.
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i64).range(-1000..=1000))]
    priority: i64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let stop = Stop::default();
    let theirs = stop.clone();
    ctrlc::set_handler(move || theirs.stop()).context("cannot listen for Ctrl-C")?;
    let outputs = args.out.iter().map(|out| Output::of(out)).collect::<anyhow::Result<Vec<_>>>()?;
    let settings = AnalysisSettings {
        nodes: args.nodes,
        depth: args.depth,
        multipv: usize::from(args.multipv),
    };
    let input = Input::open(&args.files, settings)?;
    let plan = Plan::of(&input, &stop)?;
    let own = own_queue(args)?;
    let address = args.queue.clone().unwrap_or_else(|| own.path().to_owned().into());
    let queue = Queue::open(&address)?;
    let batch = Batch {
        name: &plan.name,
        title: &title(&args.files),
        kind: kind(),
        priority: args.priority,
    };
    plan.enter(&queue, &batch, &input, &stop)?;
    let counts = work(args, &queue, &plan, &stop)?;
    if counts.open() > 0 {
        anyhow::bail!(
            "stopped: {} of {} are done and kept in {}; the same command goes on from there",
            crate::print::grouped(counts.done),
            count(counts.all(), "job"),
            queue.place()
        );
    }
    for output in &outputs {
        output.write(&input, &queue, &plan.name, &stop)?;
    }
    if counts.dead + counts.cancelled > 0 {
        anyhow::bail!(
            "{} of {} could not be done; `tabiya queue status --queue {}` tells why, and `tabiya queue retry` with this \
             command once more tries again",
            crate::print::grouped(counts.dead + counts.cancelled),
            count(counts.all(), "job"),
            queue.place()
        );
    }
    patiently(&stop, || queue.forget(&plan.name))?;
    queue.close();
    if args.queue.is_none() {
        own.remove()?;
    }
    match input.bad() {
        0 => Ok(()),
        1 => anyhow::bail!("1 entry cannot be read and is left out"),
        bad => {
            anyhow::bail!("{} entries cannot be read and are left out", crate::print::grouped(bad))
        }
    }
}

/// The queue in a file of this command's own.
enum OwnQueue {
    Beside(PathBuf),
    /// When everything goes to standard output, there is nothing to go on with.
    Temporary(tempfile::TempDir),
}

impl OwnQueue {
    fn path(&self) -> PathBuf {
        match self {
            OwnQueue::Beside(path) => path.clone(),
            OwnQueue::Temporary(folder) => folder.path().join("analysis.queue"),
        }
    }

    fn remove(self) -> anyhow::Result<()> {
        let path = self.path();
        for ending in ["", "-wal", "-shm"] {
            let mut name = path.clone().into_os_string();
            name.push(ending);
            match std::fs::remove_file(&name) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove {}", path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn own_queue(args: &Args) -> anyhow::Result<OwnQueue> {
    let file = args.out.iter().find(|out| out.as_path() != Path::new("-"));
    Ok(match file {
        Some(out) => {
            let mut name = out.clone().into_os_string();
            name.push(".queue");
            OwnQueue::Beside(name.into())
        }
        None => OwnQueue::Temporary(tempfile::tempdir().context("no place for the queue")?),
    })
}

/// `games.pgn and 2 more`.
fn title(files: &[String]) -> String {
    match files {
        [] => String::new(),
        [one] => one.clone(),
        [first, more @ ..] => format!("{first} and {} more", more.len()),
    }
}

/// What there is to do.
struct Plan {
    /// What tells it from other work: the digest of all jobs.
    name: String,
    jobs: u64,
    /// In positions.
    cost: u64,
}

impl Plan {
    fn of(input: &Input, stop: &Stop) -> anyhow::Result<Plan> {
        let mut sum = Sum::default();
        input.tasks(true, stop, |task| {
            sum.add(&task);
            Ok(())
        })?;
        anyhow::ensure!(sum.jobs > 0, "there is nothing to analyse in {}", input.names());
        Ok(Plan { name: sum.name(), jobs: sum.jobs, cost: sum.cost })
    }

    /// Enters the jobs, unless they are there.
    fn enter(
        &self,
        queue: &Queue,
        batch: &Batch<'_>,
        input: &Input,
        stop: &Stop,
    ) -> anyhow::Result<()> {
        // The jobs are read on a thread of their own, a few in advance.
        let (sender, jobs) = std::sync::mpsc::sync_channel(1000);
        thread::scope(|scope| {
            let reading = scope.spawn(move || {
                let mut sum = Sum::default();
                let read = input.tasks(false, stop, |task| {
                    sum.add(&task);
                    let job = NewJob { payload: task.task.to_string(), cost: task.cost() };
                    // The batch may be there already, and then nobody wants more.
                    Ok(sender.send(Ok(job)).map_err(|_| Known)?)
                });
                let changed = || anyhow::anyhow!("{} has changed while it was read", input.names());
                let read = match read {
                    Ok(()) if sum.name() != self.name => Err(changed()),
                    read => read,
                };
                match read {
                    Err(error) if !error.is::<Known>() => {
                        // Nor does it then want to hear of this.
                        let _ = sender.send(Err(error));
                    }
                    _ => {}
                }
            });
            let entered = queue.try_enter(batch, jobs);
            // An error of the reader has come with the jobs.
            let _ = reading.join();
            entered.map(drop)
        })
    }
}

/// Nobody wants more jobs.
#[derive(Debug, thiserror::Error)]
#[error("the batch is known")]
struct Known;

/// All jobs in a number.
#[derive(Default)]
struct Sum {
    hash: Sha256,
    jobs: u64,
    cost: u64,
}

impl Sum {
    fn add(&mut self, task: &Task) {
        self.hash.update(task.task.to_string());
        self.hash.update([0]);
        self.jobs += 1;
        self.cost += task.cost();
    }

    fn name(&self) -> String {
        let hash = self.hash.clone().chain_update(kind()).finalize();
        hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Has the jobs done, and tells how far that has come when it ends.
fn work(args: &Args, queue: &Queue, plan: &Plan, stop: &Stop) -> anyhow::Result<JobCounts> {
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = NonZeroUsize::new(args.threads.unwrap_or_else(cores));
    let template = "{msg} {wide_bar} {human_pos} of {human_len} positions, {per_sec}, {eta} left";
    let bar = crate::terminal::bar(Some(plan.cost), template).with_message("analysing");
    // The workers end with the batch, or with everything.
    let end = Stop::default();
    thread::scope(|scope| {
        let working = threads.map(|threads| {
            let (end, bar) = (&end, &bar);
            scope.spawn(move || {
                let worker = Worker {
                    name: worker::name(),
                    about: worker::about(threads),
                    threads,
                    lease: Worker::LEASE,
                };
                let tell = |event| worker::tell(&event, bar);
                worker.run(queue, &Analyst::default(), end, &tell)
            })
        });
        let done = watch(queue, plan, &bar, stop, || {
            working.as_ref().is_some_and(|working| working.is_finished())
        });
        end.stop();
        let worked = working.map(|working| working.join());
        bar.finish_and_clear();
        match worked {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            Some(Ok(Err(error))) => Err(error.into()),
            _ => {
                let counts = done?;
                // What the workers have given back or finished at the end counts, too.
                Ok(queue.counts(&plan.name).ok().flatten().unwrap_or(counts))
            }
        }
    })
}

/// Shows how far it is, until everything is done, or stopped, or nobody works any more.
fn watch(
    queue: &Queue,
    plan: &Plan,
    bar: &ProgressBar,
    stop: &Stop,
    is_over: impl Fn() -> bool,
) -> anyhow::Result<JobCounts> {
    let mut last = JobCounts { waiting: plan.jobs, cost: plan.cost, ..JobCounts::default() };
    let mut begun = None;
    loop {
        let asked = Instant::now();
        match queue.counts(&plan.name) {
            Ok(Some(counts)) => last = counts,
            Ok(None) => anyhow::bail!(
                "the jobs are no longer in {}: the same command, somewhere else, has come to its end",
                queue.place()
            ),
            // Its workers say so.
            Err(error) if error.is_unreachable() => {}
            Err(error) => return Err(error.into()),
        }
        // What was done before tells nothing about how quick this is.
        if begun.replace(()).is_none() {
            bar.set_position(last.worked);
            bar.reset_eta();
        }
        bar.set_position(last.worked);
        if last.open() == 0 || stop.is_stopped() || is_over() {
            return Ok(last);
        }
        // To count many jobs takes a while, and should not be most of what the database does.
        let pause =
            (asked.elapsed() * 20).clamp(Duration::from_millis(100), Duration::from_secs(5));
        let until = Instant::now() + pause;
        while Instant::now() < until && !stop.is_stopped() && !is_over() {
            queue.wait_for_results(Duration::from_millis(100));
            if last.open() < 100 {
                break;
            }
        }
    }
}

/// Asks a queue that may be away for a while.
fn patiently<T>(stop: &Stop, ask: impl Fn() -> Result<T, QueueError>) -> Result<T, QueueError> {
    let mut told = false;
    loop {
        match ask() {
            Err(error) if error.is_unreachable() && !stop.is_stopped() => {
                if !std::mem::replace(&mut told, true) {
                    eprintln!("{}", away(&error));
                }
                stop.wait_for(Duration::from_secs(1));
            }
            answer => return answer,
        }
    }
}

/// Says something beside the bar.
pub(crate) fn say(bar: &ProgressBar, sentence: &str) {
    bar.suspend(|| {
        let _ = writeln!(std::io::stderr(), "{sentence}");
    });
}

/// An error of the queue that somebody will hear of, but not at once.
pub(crate) fn away(error: &QueueError) -> String {
    format!("{error}; trying again")
}

pub(crate) fn sentence(event: &Event) -> Option<String> {
    match event {
        Event::Done(_) => None,
        Event::Failed(job, why) => Some(format!("job {} has failed: {why}", job.id)),
        Event::Away(error) => Some(away(error)),
        Event::Back => Some("the queue can be reached again".to_owned()),
    }
}
