//! The one thread that writes to the file.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender};

use sqlx::sqlite::SqliteConnection;
use tokio::runtime::Runtime;

use crate::write::{Write, Written};
use crate::{StoreError, schema};

/// A change, and where the answer goes.
pub(crate) type Command = (Write, Sender<Result<Written, StoreError>>);

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
            let more = std::iter::from_fn(|| commands.try_recv().ok());
            let writes = std::iter::once(first).chain(more).take(MOST).collect();
            self.runtime.block_on(write_all(&mut self.connection, writes));
        }
        self.runtime.block_on(async {
            // All into the one file, which can then be copied alone. Another program may be reading just now: then
            // it is done when that one ends.
            let _ = execute(&mut self.connection, "PRAGMA busy_timeout = 1000").await;
            let _ = execute(&mut self.connection, "PRAGMA wal_checkpoint(TRUNCATE)").await;
            let _ = sqlx::Connection::close(self.connection).await;
        });
    }
}

async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), StoreError> {
    sqlx::raw_sql(sql).execute(connection).await?;
    Ok(())
}

/// Makes all changes in one transaction, and answers when it is on the disk. A change that fails leaves
/// the others alone.
async fn write_all(connection: &mut SqliteConnection, writes: Vec<Command>) {
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
