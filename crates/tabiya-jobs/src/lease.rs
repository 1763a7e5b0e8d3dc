//! Jobs are lent, not given: who has one says now and then that it lives, or loses it.

use std::time::Duration;

use sqlx::Row as _;

use crate::batch::{signed, unsigned};
use crate::dialect::places;
use crate::hints::Hint;
use crate::queue::{Session, Value};
use crate::{Queue, QueueError};

/// A job that comes back so often without a result is dead.
pub const ATTEMPTS: i64 = 5;
/// How long a job that has failed waits, after the first time; each time twice as long.
const REST: Duration = Duration::from_secs(1);

/// A job that was handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number in the queue.
    pub id: i64,
    /// The token of whoever has it: handed out again, it is another one.
    pub lease: i64,
    /// What a worker must be able to do.
    pub kind: String,
    /// What was entered.
    pub payload: String,
    /// How much work it is.
    pub cost: u64,
}

/// A job that somebody has, and how much of its work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The job.
    pub id: i64,
    /// The token with which it was handed out.
    pub lease: i64,
    /// How much of its cost is done.
    pub progress: u64,
}

/// What a worker says of itself with every sign of life.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// Its name, which no other worker has.
    pub name: String,
    /// What people want to know: machine, threads, version.
    pub about: String,
    /// How many jobs it has done.
    pub done: u64,
    /// How many have failed with it.
    pub failed: u64,
}

impl Queue {
    /// Hands out jobs of these kinds, at most so many: by priority, and the oldest first. Whoever has them has to say within
    /// the lease that it lives ([`Queue::beat`]), or others are given them.
    pub fn claim(
        &self,
        worker: &str,
        kinds: &[&str],
        most: usize,
        lease: Duration,
    ) -> Result<Vec<Job>, QueueError> {
        if kinds.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        let jobs = self.ask(async |session| pick(session, worker, kinds, most, lease).await)?;
        if !jobs.is_empty() || self.reap()? == 0 {
            return Ok(jobs);
        }
        self.ask(async |session| pick(session, worker, kinds, most, lease).await)
    }

    /// Puts back jobs whose workers have not been heard of in time, and gives up those that have been put back too often.
    /// Tells how many there are. Claiming does it when nothing else is to be had.
    pub fn reap(&self) -> Result<u64, QueueError> {
        self.ask(async |session| {
            let reap = format!(
                "WITH picked AS MATERIALIZED (
                     SELECT id FROM tabiya_jobs WHERE state = 'leased' AND due < {{now}} {{skip locked}})
                 UPDATE tabiya_jobs SET
                     state = CASE WHEN attempts >= {ATTEMPTS} THEN 'dead' ELSE 'waiting' END,
                     error = 'the worker ' || worker || ' was lost while it had the job', due = 0, progress = 0
                 FROM picked WHERE tabiya_jobs.id = picked.id"
            );
            session.run(&reap, &[]).await
        })
    }

    /// A sign of life: what this worker holds stays its own for another lease. Gives the jobs that it still has; what is
    /// missing was called off, or belongs to somebody else by now.
    pub fn beat(
        &self,
        about: &About,
        held: &[Held],
        lease: Duration,
    ) -> Result<Vec<i64>, QueueError> {
        self.ask(async |session| {
            let alive = "INSERT INTO tabiya_workers (name, about, began, seen, done, failed)
                         VALUES ($1, $2, {now}, {now}, $3, $4)
                         ON CONFLICT (name) DO UPDATE SET
                             about = excluded.about, seen = excluded.seen,
                             done = excluded.done, failed = excluded.failed";
            let values: [Value<'_>; 4] = [
                about.name.as_str().into(),
                about.about.as_str().into(),
                signed(about.done).into(),
                signed(about.failed).into(),
            ];
            session.run(alive, &values).await?;
            let mut still = Vec::new();
            for held in held {
                let extend = "UPDATE tabiya_jobs SET due = {now} + $1, progress = $2
                              WHERE id = $3 AND lease = $4 AND state = 'leased'";
                let millis = milliseconds(lease);
                let values: [Value<'_>; 4] = [
                    millis.into(),
                    signed(held.progress).into(),
                    held.id.into(),
                    held.lease.into(),
                ];
                if session.run(extend, &values).await? > 0 {
                    still.push(held.id);
                }
            }
            Ok(still)
        })
    }

    /// A worker that goes for good.
    pub fn leave(&self, worker: &str) -> Result<(), QueueError> {
        self.ask(async |session| {
            session
                .run("DELETE FROM tabiya_workers WHERE name = $1", &[worker.into()])
                .await
                .map(drop)
        })
    }

    /// Writes the result of a job, whoever has it by now: the first result stays, and another one must be equal. Whether
    /// it was the first. The result of a job that is called off or forgotten is nobody's, and no error.
    pub fn finish(&self, job: i64, result: &str) -> Result<bool, QueueError> {
        let tells = self.0.hints.tells();
        let first = self.ask(async |session| {
            let finish = "UPDATE tabiya_jobs SET state = 'done', result = $1, finished = {now}, error = '', due = 0,
                              progress = cost
                          WHERE id = $2 AND state IN ('waiting', 'leased', 'dead')";
            if session.run(finish, &[result.into(), job.into()]).await? > 0 {
                if tells {
                    session.notify("NOTIFY tabiya_results").await?;
                }
                return Ok(Some(true));
            }
            let other = "UPDATE tabiya_jobs SET refused = refused + 1
                         WHERE id = $1 AND state = 'done' AND result <> $2";
            let differs = session.run(other, &[job.into(), result.into()]).await? > 0;
            Ok((!differs).then_some(false))
        })?;
        if first == Some(true) {
            self.0.hints.give(Hint::Results);
        }
        first.ok_or(QueueError::Differs { job })
    }

    /// Says that a job has failed with whoever has it. It is tried again after a rest, but not for ever.
    pub fn fail(&self, id: i64, lease: i64, error: &str) -> Result<(), QueueError> {
        let rest = milliseconds(REST);
        self.ask(async |session| {
            let fail = format!(
                "UPDATE tabiya_jobs SET error = $1, progress = 0,
                     state = CASE WHEN attempts >= {ATTEMPTS} THEN 'dead' ELSE 'waiting' END,
                     due = {{now}} + {rest} * (1 << (CAST(attempts AS INTEGER) - 1))
                 WHERE id = $2 AND lease = $3 AND state = 'leased'"
            );
            session.run(&fail, &[error.into(), id.into(), lease.into()]).await.map(drop)
        })?;
        self.0.hints.give(Hint::Results);
        Ok(())
    }

    /// Gives a job back that was not worked on to the end, as if it had never been handed out.
    pub fn release(&self, id: i64, lease: i64) -> Result<(), QueueError> {
        self.ask(async |session| {
            let release = "UPDATE tabiya_jobs SET state = 'waiting', due = 0, progress = 0, attempts = attempts - 1
                           WHERE id = $1 AND lease = $2 AND state = 'leased'";
            session.run(release, &[id.into(), lease.into()]).await?;
            session.notify("NOTIFY tabiya_jobs").await
        })?;
        self.0.hints.give(Hint::Jobs);
        Ok(())
    }

    /// Waits until there may be something to claim, but no longer than this.
    pub fn wait_for_jobs(&self, longest: Duration) {
        self.0.hints.wait(Hint::Jobs, longest);
    }

    /// Waits until there may be new results, but no longer than this.
    pub fn wait_for_results(&self, longest: Duration) {
        self.0.hints.wait(Hint::Results, longest);
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

async fn pick(
    session: &mut Session<'_>,
    worker: &str,
    kinds: &[&str],
    most: usize,
    lease: Duration,
) -> Result<Vec<Job>, sqlx::Error> {
    let pick = format!(
        "WITH picked AS MATERIALIZED (
             SELECT id FROM tabiya_jobs
             WHERE state = 'waiting' AND due <= {{now}} AND kind IN ({})
                 AND NOT EXISTS (SELECT 1 FROM tabiya_queue WHERE draining <> 0)
             ORDER BY priority DESC, id LIMIT $3 {{skip locked}})
         UPDATE tabiya_jobs SET state = 'leased', worker = $1, due = {{now}} + $2, progress = 0,
             lease = lease + 1, attempts = attempts + 1
         FROM picked WHERE tabiya_jobs.id = picked.id
         RETURNING tabiya_jobs.id, lease, kind, payload, cost, priority",
        places(4, kinds.len())
    );
    let mut values: Vec<Value<'_>> =
        vec![worker.into(), milliseconds(lease).into(), signed(most as u64).into()];
    values.extend(kinds.iter().map(|&kind| Value::from(kind)));
    let mut jobs = Vec::new();
    for row in session.rows(&pick, &values).await? {
        let job = Job {
            id: row.try_get(0)?,
            lease: row.try_get(1)?,
            kind: row.try_get(2)?,
            payload: row.try_get(3)?,
            cost: unsigned(row.try_get(4)?),
        };
        jobs.push((-row.try_get::<i64, _>(5)?, job));
    }
    jobs.sort_by_key(|(rank, job)| (*rank, job.id));
    Ok(jobs.into_iter().map(|(_, job)| job).collect())
}
