//! The one thread that touches the file.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender};

use sqlx::sqlite::SqliteConnection;
use tokio::runtime::Runtime;

use crate::write::{Write, Written};
use crate::{
    GameFilter, GameId, GameSummary, KeptStudy, StoreError, Stored, StudyId, StudySummary, read,
    reviews, schema, studies,
};

/// What the keeper is asked to do, and where the answer goes.
pub(crate) enum Command {
    Write(Write, Sender<Result<Written, StoreError>>),
    Load(GameId, Sender<Result<Stored, StoreError>>),
    List(GameFilter, Sender<Result<Vec<GameSummary>, StoreError>>),
    LoadStudy(StudyId, Sender<Result<KeptStudy, StoreError>>),
    LoadReview(String, Sender<Result<Option<String>, StoreError>>),
    ListStudies { limit: u32, skip: u32, sender: Sender<Result<Vec<StudySummary>, StoreError>> },
}

/// So many changes share one transaction at most.
const MOST: usize = 1000;

pub(crate) struct Keeper {
    runtime: Runtime,
    connection: SqliteConnection,
}

impl Keeper {
    pub(crate) fn open(path: &Path) -> Result<Keeper, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|error| StoreError::Database(error.to_string()))?;
        let connection = runtime.block_on(schema::open(path))?;
        Ok(Keeper { runtime, connection })
    }

    /// Works until nobody can ask any more. Whatever has come in while the disk was busy is written
    /// together: hundreds of games share the cost of one.
    pub(crate) fn work(mut self, commands: &Receiver<Command>) {
        while let Ok(first) = commands.recv() {
            let mut writes = Vec::new();
            let mut reads = Vec::new();
            let more = std::iter::from_fn(|| commands.try_recv().ok());
            for command in std::iter::once(first).chain(more).take(MOST) {
                match command {
                    Command::Write(write, answer) => writes.push((write, answer)),
                    read => reads.push(read),
                }
            }
            self.runtime.block_on(async {
                if !writes.is_empty() {
                    write_all(&mut self.connection, writes).await;
                }
                for read in reads {
                    answer(&mut self.connection, read).await;
                }
            });
        }
        let _ = self.runtime.block_on(sqlx::Connection::close(self.connection));
    }
}

async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), StoreError> {
    sqlx::raw_sql(sql).execute(connection).await?;
    Ok(())
}

/// Makes all changes in one transaction, and answers when it is on the disk. A change that fails leaves
/// the others alone.
async fn write_all(
    connection: &mut SqliteConnection,
    writes: Vec<(Write, Sender<Result<Written, StoreError>>)>,
) {
    let mut answers = Vec::new();
    let mut kept = execute(connection, "BEGIN IMMEDIATE").await;
    for (write, sender) in writes {
        let result = match &kept {
            Ok(()) => write_one(connection, &write).await,
            Err(error) => Err(error.clone()),
        };
        answers.push((sender, result));
    }
    if kept.is_ok() {
        kept = execute(connection, "COMMIT").await;
    }
    if kept.is_err() {
        // It may not have begun.
        let _ = execute(connection, "ROLLBACK").await;
    }
    for (sender, result) in answers {
        // Nobody may be waiting any more.
        let _ = sender.send(kept.clone().and(result));
    }
}

async fn write_one(
    connection: &mut SqliteConnection,
    write: &Write,
) -> Result<Written, StoreError> {
    execute(connection, "SAVEPOINT one").await?;
    let result = write.run(connection).await;
    if result.is_err() {
        execute(connection, "ROLLBACK TO one").await?;
    }
    execute(connection, "RELEASE one").await?;
    result
}

async fn answer(connection: &mut SqliteConnection, command: Command) {
    match command {
        Command::Load(id, sender) => {
            let _ = sender.send(read::load(connection, id).await);
        }
        Command::List(filter, sender) => {
            let _ = sender.send(read::list(connection, &filter).await);
        }
        Command::LoadStudy(id, sender) => {
            let _ = sender.send(studies::load(connection, id).await);
        }
        Command::ListStudies { limit, skip, sender } => {
            let _ = sender.send(studies::list(connection, limit, skip).await);
        }
        Command::LoadReview(key, sender) => {
            let _ = sender.send(reviews::load(connection, &key).await);
        }
        Command::Write(..) => {}
    }
}
