//! Batches: jobs that belong together, and what came out of them.

use sqlx::Row as _;

use crate::dialect::places;
use crate::hints::Hint;
use crate::queue::{Session, Value};
use crate::{Queue, QueueError};

/// So many jobs are entered with one statement.
const CHUNK: usize = 200;

/// Jobs that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch<'a> {
    /// What tells it from others: a batch of the same name is the same batch, with the same jobs in the same order.
    pub name: &'a str,
    /// What people call it.
    pub title: &'a str,
    /// What a worker must be able to do. Only workers that say so are given the jobs.
    pub kind: &'a str,
    /// Jobs of a higher priority are handed out first.
    pub priority: i64,
}

/// A job to enter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewJob {
    /// Whatever the worker needs to know.
    pub payload: String,
    /// How much work it is, in a unit of your own.
    pub cost: u64,
}

impl NewJob {
    /// A job that is one unit of work.
    pub fn of(payload: impl Into<String>) -> NewJob {
        NewJob { payload: payload.into(), cost: 1 }
    }
}

/// How many jobs of a batch are where, and how much work they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JobCounts {
    /// Jobs that wait to be handed out.
    pub waiting: u64,
    /// Jobs that a worker has.
    pub leased: u64,
    /// Jobs with a result.
    pub done: u64,
    /// Jobs that have failed too often.
    pub dead: u64,
    /// Jobs that nobody wants any more.
    pub cancelled: u64,
    /// The work of all of them.
    pub cost: u64,
    /// The work that is done, also of jobs under way.
    pub worked: u64,
}

impl JobCounts {
    /// All of them.
    pub const fn all(&self) -> u64 {
        self.waiting + self.leased + self.done + self.dead + self.cancelled
    }

    /// Those that still have to be worked on.
    pub const fn open(&self) -> u64 {
        self.waiting + self.leased
    }

    pub(crate) fn add(&mut self, state: &str, jobs: u64, cost: u64, progress: u64) {
        let (count, worked) = match state {
            "waiting" => (&mut self.waiting, 0),
            "leased" => (&mut self.leased, progress.min(cost)),
            "done" => (&mut self.done, cost),
            "dead" => (&mut self.dead, cost),
            _ => (&mut self.cancelled, cost),
        };
        *count += jobs;
        self.cost += cost;
        self.worked += worked;
    }
}

/// What came out of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobResult {
    /// Its place in the batch; the first is 0.
    pub place: u64,
    /// The result, or why there is none.
    pub result: Result<String, String>,
}

pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Queue {
    /// Enters a batch with its jobs, and tells how many there are. A batch that is there already stays as it is; one that
    /// was being entered when everything ended is completed.
    pub fn enter(
        &self,
        batch: &Batch<'_>,
        jobs: impl IntoIterator<Item = NewJob>,
    ) -> Result<u64, QueueError> {
        self.try_enter(batch, jobs.into_iter().map(Ok::<NewJob, QueueError>))
    }

    /// As [`Queue::enter`], with jobs that may fail to come: then the batch stays incomplete, and the error is given.
    pub fn try_enter<E: From<QueueError>>(
        &self,
        batch: &Batch<'_>,
        jobs: impl IntoIterator<Item = Result<NewJob, E>>,
    ) -> Result<u64, E> {
        let (id, known) = self.ask(async |session| {
            let make =
                "INSERT INTO tabiya_batches (name, title, jobs, created) VALUES ($1, $2, -1, {now})
                        ON CONFLICT (name) DO NOTHING";
            session.run(make, &[batch.name.into(), batch.title.into()]).await?;
            let look = "SELECT id, jobs FROM tabiya_batches WHERE name = $1";
            let row =
                session.row(look, &[batch.name.into()]).await?.ok_or(sqlx::Error::RowNotFound)?;
            Ok((row.try_get::<i64, _>(0)?, row.try_get::<i64, _>(1)?))
        })?;
        if known >= 0 {
            return Ok(unsigned(known));
        }
        let mut jobs = jobs.into_iter();
        let mut count = 0;
        loop {
            let chunk: Vec<NewJob> = jobs.by_ref().take(CHUNK).collect::<Result<_, E>>()?;
            if chunk.is_empty() {
                break;
            }
            self.ask(async |session| insert(session, id, batch, count, &chunk).await)?;
            count += chunk.len() as u64;
            self.0.hints.give(Hint::Jobs);
        }
        self.ask(async |session| {
            let seal = "UPDATE tabiya_batches SET jobs = $1 WHERE id = $2";
            session.run(seal, &[signed(count).into(), id.into()]).await?;
            session.notify("NOTIFY tabiya_jobs").await
        })?;
        self.0.hints.give(Hint::Jobs);
        Ok(count)
    }

    /// How far a batch has come; nothing if nobody has entered it.
    pub fn counts(&self, batch: &str) -> Result<Option<JobCounts>, QueueError> {
        self.ask(async |session| {
            let ours = "SELECT id FROM tabiya_batches WHERE name = $1";
            let Some(row) = session.row(ours, &[batch.into()]).await? else { return Ok(None) };
            let id: i64 = row.try_get(0)?;
            let count =
                "SELECT state, count(*), CAST(sum(cost) AS BIGINT), CAST(sum(progress) AS BIGINT)
                         FROM tabiya_jobs WHERE batch = $1 GROUP BY state";
            let mut counts = JobCounts::default();
            for row in session.rows(count, &[id.into()]).await? {
                let number = |at: usize| row.try_get::<i64, _>(at).map(unsigned);
                let state: String = row.try_get(0)?;
                counts.add(&state, number(1)?, number(2)?, number(3)?);
            }
            Ok(Some(counts))
        })
    }

    /// Results of a batch in the order of its places: those behind a place, at most so many. Jobs that are not done are
    /// left out, but for those that are given up.
    pub fn results(
        &self,
        batch: &str,
        behind: Option<u64>,
        most: usize,
    ) -> Result<Vec<JobResult>, QueueError> {
        let behind = behind.map_or(-1, signed);
        let rows = self.ask(async |session| {
            let select = "SELECT job.place, job.state, job.result, job.error
                          FROM tabiya_jobs job JOIN tabiya_batches batch ON batch.id = job.batch
                          WHERE batch.name = $1 AND job.place > $2
                              AND job.state IN ('done', 'dead', 'cancelled')
                          ORDER BY job.place LIMIT $3";
            let most = signed(most as u64);
            let rows = session.rows(select, &[batch.into(), behind.into(), most.into()]).await?;
            rows.iter()
                .map(|row| {
                    let state: String = row.try_get(1)?;
                    let result = match state.as_str() {
                        "done" => Ok(row.try_get(2)?),
                        "dead" => Err(row.try_get(3)?),
                        _ => Err("it was called off".to_owned()),
                    };
                    Ok(JobResult { place: unsigned(row.try_get(0)?), result })
                })
                .collect()
        })?;
        Ok(rows)
    }

    /// Calls off what is not done of a batch; workers that are at it are told with their next sign of life. Tells how
    /// many jobs that were.
    pub fn cancel(&self, batch: &str) -> Result<u64, QueueError> {
        let cancelled = self.ask(async |session| {
            let cancel = "UPDATE tabiya_jobs SET state = 'cancelled'
                          WHERE state IN ('waiting', 'leased', 'dead')
                              AND batch IN (SELECT id FROM tabiya_batches WHERE name = $1)";
            session.run(cancel, &[batch.into()]).await
        })?;
        self.0.hints.give(Hint::Results);
        Ok(cancelled)
    }

    /// Takes a batch out of the queue with its jobs and results. Whether it was there.
    pub fn forget(&self, batch: &str) -> Result<bool, QueueError> {
        self.ask(async |session| {
            session.begin().await?;
            // Nobody enters jobs, or takes away the same batch, in the meantime.
            let look = "SELECT id FROM tabiya_batches WHERE name = $1 {lock}";
            let row = session.row(look, &[batch.into()]).await?;
            if let Some(row) = &row {
                let id: i64 = row.try_get(0)?;
                session.run("DELETE FROM tabiya_jobs WHERE batch = $1", &[id.into()]).await?;
                session.run("DELETE FROM tabiya_batches WHERE id = $1", &[id.into()]).await?;
            }
            session.commit().await?;
            Ok(row.is_some())
        })
    }

    /// Gives jobs that were given up another chance: those of a batch, or all. Tells how many there are.
    pub fn retry(&self, batch: Option<&str>) -> Result<u64, QueueError> {
        let again = self.ask(async |session| {
            let again = "UPDATE tabiya_jobs SET state = 'waiting', attempts = 0, due = 0, error = '', progress = 0
                         WHERE state = 'dead'";
            let again = match batch {
                Some(name) => {
                    let of = "AND batch IN (SELECT id FROM tabiya_batches WHERE name = $1)";
                    session.run(&format!("{again} {of}"), &[name.into()]).await?
                }
                None => session.run(again, &[]).await?,
            };
            session.notify("NOTIFY tabiya_jobs").await?;
            Ok(again)
        })?;
        self.0.hints.give(Hint::Jobs);
        Ok(again)
    }
}

/// Enters some jobs, the first of them at a place. Those that are there already stay.
async fn insert(
    session: &mut Session<'_>,
    id: i64,
    batch: &Batch<'_>,
    first: u64,
    jobs: &[NewJob],
) -> Result<(), sqlx::Error> {
    let mut values: Vec<Value<'_>> = vec![id.into(), batch.kind.into(), batch.priority.into()];
    let mut rows = Vec::with_capacity(jobs.len());
    for (job, place) in jobs.iter().zip(first..) {
        rows.push(format!("($1, $2, $3, {})", places(values.len() + 1, 3)));
        values.push(signed(place).into());
        values.push(job.payload.as_str().into());
        values.push(signed(job.cost).into());
    }
    let insert = format!(
        "INSERT INTO tabiya_jobs (batch, kind, priority, place, payload, cost) VALUES {}
         ON CONFLICT (batch, place) DO NOTHING",
        rows.join(", ")
    );
    session.run(&insert, &values).await.map(drop)
}
