//! The tables, and how older ones become newer ones.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, SqlSafeStr as _};

use crate::dialect::Dialect;

/// Each step leads from one version to the next. A step that has been released is never changed. Times are milliseconds
/// since 1970 by the clock of the database, so that workers need no right clocks.
const STEPS: &[(&str, &str)] = &[(
    "jobs, batches, workers, keys",
    "
-- One row: what holds for the whole queue.
CREATE TABLE tabiya_queue (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    draining BIGINT NOT NULL
);
INSERT INTO tabiya_queue VALUES (1, 0);
CREATE TABLE tabiya_batches (
    id {identity},
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    -- How many jobs it has; less than nothing until all are entered.
    jobs BIGINT NOT NULL,
    created BIGINT NOT NULL
);
CREATE TABLE tabiya_jobs (
    id {identity},
    batch BIGINT NOT NULL REFERENCES tabiya_batches (id),
    -- In the order of what is made of the results.
    place BIGINT NOT NULL,
    -- What a worker must be able to do.
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    -- How much work it is, in a unit of whoever enters it, and how much of it is done.
    cost BIGINT NOT NULL,
    progress BIGINT NOT NULL DEFAULT 0,
    priority BIGINT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'leased', 'done', 'dead', 'cancelled')),
    -- When it is to be handed out (waiting), or is lost (leased).
    due BIGINT NOT NULL DEFAULT 0,
    -- So often it was handed out; a token that belongs to whoever has it.
    lease BIGINT NOT NULL DEFAULT 0,
    -- So often it was handed out in vain.
    attempts BIGINT NOT NULL DEFAULT 0,
    worker TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    result TEXT NOT NULL DEFAULT '',
    finished BIGINT NOT NULL DEFAULT 0,
    -- So many other results were refused.
    refused BIGINT NOT NULL DEFAULT 0,
    UNIQUE (batch, place)
);
CREATE INDEX tabiya_jobs_waiting ON tabiya_jobs (priority DESC, id) WHERE state = 'waiting';
CREATE INDEX tabiya_jobs_leased ON tabiya_jobs (due) WHERE state = 'leased';
CREATE INDEX tabiya_jobs_dead ON tabiya_jobs (id) WHERE state = 'dead';
CREATE INDEX tabiya_jobs_finished ON tabiya_jobs (finished) WHERE state = 'done';
CREATE TABLE tabiya_workers (
    name TEXT PRIMARY KEY,
    -- What it says of itself.
    about TEXT NOT NULL,
    began BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    done BIGINT NOT NULL,
    failed BIGINT NOT NULL
);
CREATE TABLE tabiya_keys (
    id {identity},
    name TEXT NOT NULL UNIQUE,
    -- SHA-256 of the secret.
    digest TEXT NOT NULL UNIQUE,
    created BIGINT NOT NULL,
    revoked BIGINT NOT NULL DEFAULT 0
);
",
)];

/// Beside tables of others, in a database of others.
const TABLE: &str = "tabiya_queue_migrations";

pub(crate) async fn migrate(
    dialect: Dialect,
    connection: &mut AnyConnection,
) -> Result<(), MigrateError> {
    let steps = STEPS.iter().zip(1..).map(|(&(about, sql), version)| {
        let sql = AssertSqlSafe(dialect.sql(sql)).into_sql_str();
        Migration::new(version, about.into(), MigrationType::Simple, sql, false)
    });
    let mut migrator = Migrator::with_migrations(steps.collect());
    migrator.dangerous_set_table_name(TABLE);
    migrator.run_direct(None, connection, false).await
}
