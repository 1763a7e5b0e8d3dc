//! What a queue has to do, and who is at it.

use std::time::Duration;

use sqlx::Row as _;

use crate::batch::{signed, unsigned};
use crate::queue::Session;
use crate::{JobCounts, Queue, QueueError};

/// Rates are over the last minute.
const MINUTE: Duration = Duration::from_secs(60);

/// A queue at a moment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct QueueStatus {
    /// Whether it hands out nothing for now.
    pub is_draining: bool,
    /// What it has to do, the oldest first.
    pub batches: Vec<BatchStatus>,
    /// Who works, by name. A worker that was not heard of for an hour is not told of.
    pub workers: Vec<WorkerStatus>,
    /// Jobs that have failed too often, the oldest first; at most twenty.
    pub dead: Vec<DeadJob>,
}

/// A batch at a moment.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchStatus {
    /// What tells it from others.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Whether all its jobs are entered.
    pub is_whole: bool,
    /// What workers must be able to do.
    pub kinds: Vec<String>,
    /// How far it has come.
    pub counts: JobCounts,
    /// The work that was done in the last minute.
    pub worked_lately: u64,
    /// Results that were refused, because they were different from the first ones.
    pub refused: u64,
}

/// A worker at a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    pub about: String,
    /// How long it has not been heard of.
    pub silent: Duration,
    /// How many jobs it has now.
    pub leased: u64,
    /// How many it has done.
    pub done: u64,
    /// How many have failed with it.
    pub failed: u64,
    /// The work that it has done in the last minute.
    pub worked_lately: u64,
}

/// A job that has failed too often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeadJob {
    /// Its number in the queue.
    pub id: i64,
    /// The title of its batch.
    pub batch: String,
    /// Its place in the batch; the first is 0.
    pub place: u64,
    /// Why it failed the last time.
    pub error: String,
}

impl Queue {
    /// From now on nothing is handed out, or it is again. What workers have, they may finish.
    pub fn drain(&self, drains: bool) -> Result<(), QueueError> {
        self.ask(async |session| {
            let set = "UPDATE tabiya_queue SET draining = $1";
            session.run(set, &[i64::from(drains).into()]).await?;
            session.notify("NOTIFY tabiya_jobs").await
        })
    }

    /// What there is to do, and who is at it.
    pub fn status(&self) -> Result<QueueStatus, QueueError> {
        self.reap()?;
        self.ask(async |session| {
            let draining = session.row("SELECT draining FROM tabiya_queue", &[]).await?;
            let is_draining = match draining {
                Some(row) => row.try_get::<i64, _>(0)? != 0,
                None => false,
            };
            let batches = batches(session).await?;
            let workers = workers(session).await?;
            let dead = dead(session).await?;
            Ok(QueueStatus { is_draining, batches, workers, dead })
        })
    }
}

async fn batches(session: &mut Session<'_>) -> Result<Vec<BatchStatus>, sqlx::Error> {
    let all = "SELECT id, name, title, jobs FROM tabiya_batches ORDER BY id";
    let mut batches = Vec::new();
    for row in session.rows(all, &[]).await? {
        let id: i64 = row.try_get(0)?;
        let mut batch = BatchStatus {
            name: row.try_get(1)?,
            title: row.try_get(2)?,
            is_whole: row.try_get::<i64, _>(3)? >= 0,
            kinds: Vec::new(),
            counts: JobCounts::default(),
            worked_lately: 0,
            refused: 0,
        };
        let count = "SELECT kind, state, count(*), CAST(sum(cost) AS BIGINT), CAST(sum(progress) AS BIGINT),
                         CAST(sum(refused) AS BIGINT),
                         CAST(sum(CASE WHEN state = 'done' AND finished > {now} - $2 THEN cost ELSE 0 END) AS BIGINT)
                     FROM tabiya_jobs WHERE batch = $1 GROUP BY kind, state ORDER BY kind, state";
        let minute = signed(MINUTE.as_millis() as u64);
        for row in session.rows(count, &[id.into(), minute.into()]).await? {
            let number = |at: usize| row.try_get::<i64, _>(at).map(unsigned);
            let (kind, state): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            if batch.kinds.last() != Some(&kind) {
                batch.kinds.push(kind);
            }
            batch.counts.add(&state, number(2)?, number(3)?, number(4)?);
            batch.refused += number(5)?;
            batch.worked_lately += number(6)?;
        }
        batches.push(batch);
    }
    Ok(batches)
}

async fn workers(session: &mut Session<'_>) -> Result<Vec<WorkerStatus>, sqlx::Error> {
    let hour = 60 * signed(MINUTE.as_millis() as u64);
    let all = "SELECT name, about, {now} - seen, done, failed,
                   (SELECT count(*) FROM tabiya_jobs job WHERE job.state = 'leased' AND job.worker = one.name),
                   (SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM tabiya_jobs job
                    WHERE job.state = 'done' AND job.finished > {now} - $1 AND job.worker = one.name)
               FROM tabiya_workers one WHERE seen > {now} - $2 ORDER BY name";
    let minute = signed(MINUTE.as_millis() as u64);
    let rows = session.rows(all, &[minute.into(), hour.into()]).await?;
    rows.iter()
        .map(|row| {
            let number = |at: usize| row.try_get::<i64, _>(at).map(unsigned);
            Ok(WorkerStatus {
                name: row.try_get(0)?,
                about: row.try_get(1)?,
                silent: Duration::from_millis(number(2)?),
                done: number(3)?,
                failed: number(4)?,
                leased: number(5)?,
                worked_lately: number(6)?,
            })
        })
        .collect()
}

async fn dead(session: &mut Session<'_>) -> Result<Vec<DeadJob>, sqlx::Error> {
    let all = "SELECT job.id, batch.title, job.place, job.error
               FROM tabiya_jobs job JOIN tabiya_batches batch ON batch.id = job.batch
               WHERE job.state = 'dead' ORDER BY job.id LIMIT 20";
    let rows = session.rows(all, &[]).await?;
    rows.iter()
        .map(|row| {
            Ok(DeadJob {
                id: row.try_get(0)?,
                batch: row.try_get(1)?,
                place: unsigned(row.try_get(2)?),
                error: row.try_get(3)?,
            })
        })
        .collect()
}
