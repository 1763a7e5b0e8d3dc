use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyQueryResult, AnyRow};
use sqlx::migrate::MigrateError;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection as _};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::address::Place;
use crate::dialect::Dialect;
use crate::error::{Kind, kind};
use crate::hints::Hints;
use crate::schema;
use crate::{Address, QueueError};

/// How long the database may take for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// So often the same is tried when somebody else was in the way.
const AGAIN: u32 = 20;
/// Connections of one program; a file has one writer anyway.
const CONNECTIONS: u32 = 4;

/// A queue of jobs, open. Clones are the same one; it may be used by any number of threads, and other programs may
/// have it open as well.
///
/// Every call waits for the database, so none is for asynchronous code. Every call may be repeated: whatever was done
/// the first time is not done twice.
///
/// ```
/// use std::time::Duration;
/// use tabiya_jobs::{Batch, NewJob, Queue};
///
/// # let folder = tempfile::tempdir()?;
/// let queue = Queue::open(&folder.path().join("some.queue").into())?;
/// let batch = Batch { name: "squares", title: "two squares", kind: "square", priority: 0 };
/// queue.enter(&batch, ["3", "4"].map(NewJob::of))?;
/// for job in queue.claim("me", &["square"], 10, Duration::from_secs(60))? {
///     let number: u32 = job.payload.parse()?;
///     queue.finish(job.id, &(number * number).to_string())?;
/// }
/// let results = queue.results("squares", None, 100)?;
/// assert_eq!(results.iter().map(|one| one.result.as_deref()).collect::<Vec<_>>(), [Ok("9"), Ok("16")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Queue(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) dialect: Dialect,
    place: String,
    pool: AnyPool,
    patience: Duration,
    pub(crate) hints: Arc<Hints>,
    /// Nothing only while it is closed.
    runtime: Option<Runtime>,
}

impl Queue {
    /// Opens a queue, and makes its tables if they are not there.
    pub fn open(address: &Address) -> Result<Queue, QueueError> {
        Queue::open_with(address, PATIENCE)
    }

    /// Opens a queue with another patience: an answer that takes longer counts as none.
    pub fn open_with(address: &Address, patience: Duration) -> Result<Queue, QueueError> {
        sqlx::any::install_default_drivers();
        let place = address.to_string();
        let other = |reason: String| QueueError::Database { place: place.clone(), reason };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("queue")
            .enable_all()
            .build()
            .map_err(|error| other(error.to_string()))?;
        let (dialect, url) = match &address.0 {
            Place::File(path) => (Dialect::Sqlite, file_url(path).map_err(&other)?),
            Place::Postgres(url) => (Dialect::Postgres, url.clone()),
        };
        let options: AnyConnectOptions =
            url.parse().map_err(|error: sqlx::Error| other(error.to_string()))?;
        let connections = if dialect == Dialect::Sqlite { 1 } else { CONNECTIONS };
        // The pool has tasks of its own, and they have to be somewhere.
        let entered = runtime.enter();
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(patience)
            .after_connect(move |connection, _| Box::pin(prepare(dialect, connection)))
            .connect_lazy_with(options.clone());
        drop(entered);
        let hints = Arc::new(Hints::default());
        runtime.block_on(begin(dialect, &options, &place, patience))?;
        if dialect == Dialect::Postgres {
            runtime.spawn(Arc::clone(&hints).listen(url));
        }
        let inner = Inner { dialect, place, pool, patience, hints, runtime: Some(runtime) };
        Ok(Queue(Arc::new(inner)))
    }

    /// Closes it for all who have this handle, and waits until that is done: a file is then one file.
    pub fn close(&self) {
        if let Some(runtime) = &self.0.runtime {
            // Whoever does not answer now has lost nothing.
            let _ = runtime.block_on(async { timeout(self.0.patience, self.0.pool.close()).await });
        }
    }

    /// Where it is, without a password.
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// Asks the database, once more if somebody else was in the way. A connection on which something went wrong is not
    /// used again.
    pub(crate) fn ask<T>(
        &self,
        work: impl AsyncFn(&mut Session<'_>) -> Result<T, sqlx::Error>,
    ) -> Result<T, QueueError> {
        let inner = &*self.0;
        let Some(runtime) = &inner.runtime else {
            return Err(inner.wrong(&sqlx::Error::PoolClosed));
        };
        runtime.block_on(async {
            let mut tries = 0;
            loop {
                let mut connection = inner.pool.acquire().await.map_err(|e| inner.wrong(&e))?;
                let mut session = Session { dialect: inner.dialect, connection: &mut connection };
                let error = match timeout(inner.patience, work(&mut session)).await {
                    Ok(Ok(answer)) => return Ok(answer),
                    Ok(Err(error)) => error,
                    Err(_) => sqlx::Error::PoolTimedOut,
                };
                drop(connection.detach());
                tries += 1;
                if kind(&error) != Kind::Again || tries == AGAIN {
                    return Err(inner.wrong(&error));
                }
                tokio::time::sleep(Duration::from_millis(5 * u64::from(tries))).await;
            }
        })
    }
}

impl Inner {
    fn wrong(&self, error: &sqlx::Error) -> QueueError {
        told(&self.place, error)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        // Who drops the last handle may be a task of another runtime, which must not wait.
        let pool = self.pool.clone();
        runtime.spawn(async move { pool.close().await });
        runtime.shutdown_background();
    }
}

/// A connection for one question.
pub(crate) struct Session<'a> {
    pub(crate) dialect: Dialect,
    connection: &'a mut AnyConnection,
}

/// An argument of a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Number(i64),
    Text(&'a str),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(text)
    }
}

type Query = sqlx::query::Query<'static, sqlx::Any, sqlx::any::AnyArguments>;

impl Session<'_> {
    fn query(&self, sql: &str, values: &[Value<'_>]) -> Query {
        let query = sqlx::query(AssertSqlSafe(self.dialect.sql(sql)));
        values.iter().fold(query, |query, value| match *value {
            Value::Number(number) => query.bind(number),
            Value::Text(text) => query.bind(text.to_owned()),
        })
    }

    /// Changes something, and tells how many rows were concerned.
    pub(crate) async fn run(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<u64, sqlx::Error> {
        let done: AnyQueryResult = self.query(sql, values).execute(&mut *self.connection).await?;
        Ok(done.rows_affected())
    }

    pub(crate) async fn rows(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<AnyRow>, sqlx::Error> {
        self.query(sql, values).fetch_all(&mut *self.connection).await
    }

    pub(crate) async fn row(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Option<AnyRow>, sqlx::Error> {
        self.query(sql, values).fetch_optional(&mut *self.connection).await
    }

    /// A statement without arguments.
    pub(crate) async fn plain(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        let sql = AssertSqlSafe(self.dialect.sql(sql));
        sqlx::raw_sql(sql).execute(&mut *self.connection).await.map(drop)
    }

    /// Begins a transaction. If what follows fails, the connection is given up, and the transaction with it.
    pub(crate) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        self.plain(self.dialect.begin()).await
    }

    pub(crate) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        self.plain("COMMIT").await
    }

    /// Tells other programs that something has changed, where there is a way.
    pub(crate) async fn notify(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        match self.dialect {
            Dialect::Postgres => self.plain(sql).await,
            Dialect::Sqlite => Ok(()),
        }
    }
}

fn told(place: &str, error: &sqlx::Error) -> QueueError {
    let place = place.to_owned();
    let reason = match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        sqlx::Error::PoolTimedOut => "it does not answer".to_owned(),
        sqlx::Error::PoolClosed => "it is closed".to_owned(),
        other => other.to_string(),
    };
    let code = error.as_database_error().and_then(|error| error.code());
    match kind(error) {
        Kind::Away => QueueError::Unreachable { place, reason },
        // SQLite's "file is not a database".
        _ if code.as_deref() == Some("26") => QueueError::NotOurs { place, reason },
        _ => QueueError::Database { place, reason },
    }
}

/// The first connection: it says at once what is wrong, and sees to the tables.
async fn begin(
    dialect: Dialect,
    options: &AnyConnectOptions,
    place: &str,
    patience: Duration,
) -> Result<(), QueueError> {
    let late = |_| told(place, &sqlx::Error::PoolTimedOut);
    let mut tries = 0;
    loop {
        tries += 1;
        let connect =
            timeout(patience, AnyConnection::connect_with(options)).await.map_err(late)?;
        let mut connection = connect.map_err(|error| told(place, &error))?;
        let work = async {
            prepare(dialect, &mut connection).await?;
            schema::migrate(dialect, &mut connection).await
        };
        let done = timeout(patience, work).await.map_err(late)?;
        let error = match done {
            Ok(()) => {
                // Nothing is lost if it cannot say good-bye.
                let _ = timeout(patience, connection.close()).await;
                return Ok(());
            }
            Err(error) => error,
        };
        drop(connection);
        match error {
            MigrateError::VersionMissing(found) => {
                let reason = format!("format {found}, which is newer");
                return Err(QueueError::Version { place: place.to_owned(), reason });
            }
            MigrateError::VersionMismatch(found) | MigrateError::Dirty(found) => {
                let reason = format!("format {found} is not the one known here");
                return Err(QueueError::Version { place: place.to_owned(), reason });
            }
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                // Two programs that begin a file at the same time: the second one finds it made.
                if dialect == Dialect::Postgres || tries == 5 {
                    return Err(told(place, &error));
                }
            }
            other => {
                let reason = other.to_string();
                return Err(QueueError::Database { place: place.to_owned(), reason });
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// What every connection is told before it is used.
async fn prepare(dialect: Dialect, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if dialect == Dialect::Postgres {
        return Ok(());
    }
    // A power cut may take the last changes, but never leaves half of one: jobs are then done once more.
    let sql = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
               PRAGMA foreign_keys = ON";
    sqlx::raw_sql(sql).execute(connection).await.map(drop)
}

/// The address of a file as SQLite's driver reads it.
fn file_url(path: &Path) -> Result<String, String> {
    let is_empty = match fs::metadata(path) {
        Ok(about) if about.is_dir() => return Err("it is a folder".to_owned()),
        Ok(about) => about.len() == 0,
        Err(_) => true,
    };
    if !is_empty {
        let mut magic = [0; 16];
        let read = fs::File::open(path)
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut magic));
        match read {
            Ok(()) if &magic == b"SQLite format 3\0" => {}
            Ok(()) => return Err("the file is not a queue".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
    }
    // What is an address has no ".." and no names that begin somewhere.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder =
        folder.unwrap_or(Path::new(".")).canonicalize().map_err(|error| error.to_string())?;
    let path = folder.join(path.file_name().ok_or("it has no name")?);
    let name = path.to_str().ok_or("the name of the file is not Unicode")?;
    let encoded: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect();
    Ok(format!("sqlite://{encoded}?mode=rwc"))
}
