//! What a queue of analysis has to do, and how it is seen to.

use std::time::Duration;

use serde_json::json;
use tabiya_jobs::{Address, Queue, QueueStatus, Stop};

use crate::print::{count, grouped};

/// See to a queue of analysis: what it has to do, who works, what has failed.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  tabiya queue status --queue postgres://chess@db/analysis
  tabiya queue retry --queue games.pgn.queue
  tabiya queue drain --queue postgres://chess@db/analysis
What is promised: docs/analysis.md"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Tell what there is to do, how quickly it is done, who works, and what has failed.
    Status {
        #[command(flatten)]
        place: Place,
        /// Answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Give jobs that have failed too often another chance.
    Retry {
        #[command(flatten)]
        place: Place,
        /// Only those of this batch, by its name in the status.
        #[arg(long, value_name = "NAME")]
        batch: Option<String>,
    },
    /// Hand out nothing any more, and wait until what is handed out has come back.
    Drain {
        #[command(flatten)]
        place: Place,
        /// Hand out jobs again.
        #[arg(long)]
        end: bool,
    },
    /// Call off a batch and take it out of the queue, with its results.
    Cancel {
        #[command(flatten)]
        place: Place,
        /// The batch, by its name in the status.
        #[arg(value_name = "NAME")]
        batch: String,
    },
}

#[derive(clap::Args)]
struct Place {
    /// Where the queue is: a file, or postgres://….
    #[arg(long, value_name = "QUEUE")]
    queue: Address,
}

impl Place {
    fn open(&self) -> anyhow::Result<Queue> {
        if let Some(file) = self.queue.file() {
            anyhow::ensure!(file.is_file(), "there is no queue {}", file.display());
        }
        Ok(Queue::open(&self.queue)?)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Status { place, json } => {
            let queue = place.open()?;
            let status = queue.status()?;
            match json {
                true => println!("{}", as_json(&status)),
                false => show(&queue, &status),
            }
            queue.close();
        }
        Command::Retry { place, batch } => {
            let queue = place.open()?;
            let again = queue.retry(batch.as_deref())?;
            println!("{} tried again", count(again, "job"));
            queue.close();
        }
        Command::Drain { place, end: true } => {
            let queue = place.open()?;
            queue.drain(false)?;
            println!("jobs are handed out again");
            queue.close();
        }
        Command::Drain { place, end: false } => drain(&place.open()?)?,
        Command::Cancel { place, batch } => {
            let queue = place.open()?;
            let cancelled = queue.cancel(batch)?;
            anyhow::ensure!(queue.forget(batch)?, "the queue has no batch {batch}");
            println!("{} called off", count(cancelled, "job"));
            queue.close();
        }
    }
    Ok(())
}

fn drain(queue: &Queue) -> anyhow::Result<()> {
    queue.drain(true)?;
    eprintln!("nothing is handed out any more, until `tabiya queue drain --end`");
    loop {
        let leased: u64 = queue.status()?.batches.iter().map(|batch| batch.counts.leased).sum();
        if leased == 0 {
            break;
        }
        Stop::default().wait_for(Duration::from_millis(500));
    }
    println!("nobody works");
    queue.close();
    Ok(())
}

fn show(queue: &Queue, status: &QueueStatus) {
    println!("{}", queue.place());
    if status.is_draining {
        println!("Nothing is handed out: `tabiya queue drain --end` takes that back.");
    }
    if status.batches.is_empty() {
        println!("There is nothing to do.");
    }
    for batch in &status.batches {
        let counts = &batch.counts;
        let percent = 100 * counts.worked / counts.cost.max(1);
        let entering = if batch.is_whole { "" } else { ", being entered" };
        println!("\n{}  {}{entering}", batch.name, batch.title);
        println!(
            "  {percent} %: {} done, {} under way, {} waiting, {} failed, {} called off",
            grouped(counts.done),
            grouped(counts.leased),
            grouped(counts.waiting),
            grouped(counts.dead),
            grouped(counts.cancelled)
        );
        println!("  {} positions in the last minute", grouped(batch.worked_lately));
        if batch.refused > 0 {
            println!(
                "  {} refused, because a result was there already and was another one",
                count(batch.refused, "result")
            );
        }
        for kind in &batch.kinds {
            println!("  {kind}");
        }
    }
    if !status.workers.is_empty() {
        println!("\nWorkers");
    }
    for worker in &status.workers {
        let silent = match worker.silent.as_secs() {
            0..30 => String::new(),
            seconds => format!(", not heard of for {seconds} s"),
        };
        println!(
            "  {} ({}): {}, {} now, {} positions in the last minute{silent}",
            worker.name,
            worker.about,
            count(worker.done, "job"),
            worker.leased,
            grouped(worker.worked_lately)
        );
    }
    if !status.dead.is_empty() {
        println!("\nFailed");
    }
    for job in &status.dead {
        println!("  job {} of {}: {}", job.place + 1, job.batch, job.error);
    }
}

fn as_json(status: &QueueStatus) -> serde_json::Value {
    json!({
        "draining": status.is_draining,
        "batches": status.batches.iter().map(|batch| json!({
            "name": batch.name,
            "title": batch.title,
            "whole": batch.is_whole,
            "kinds": batch.kinds,
            "waiting": batch.counts.waiting,
            "leased": batch.counts.leased,
            "done": batch.counts.done,
            "dead": batch.counts.dead,
            "cancelled": batch.counts.cancelled,
            "positions": batch.counts.cost,
            "positions_done": batch.counts.worked,
            "positions_last_minute": batch.worked_lately,
            "refused": batch.refused,
        })).collect::<Vec<_>>(),
        "workers": status.workers.iter().map(|worker| json!({
            "name": worker.name,
            "about": worker.about,
            "silent_seconds": worker.silent.as_secs(),
            "leased": worker.leased,
            "done": worker.done,
            "failed": worker.failed,
            "positions_last_minute": worker.worked_lately,
        })).collect::<Vec<_>>(),
        "dead": status.dead.iter().map(|job| json!({
            "id": job.id,
            "batch": job.batch,
            "place": job.place,
            "error": job.error,
        })).collect::<Vec<_>>(),
    })
}
