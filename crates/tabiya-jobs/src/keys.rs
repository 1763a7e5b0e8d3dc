//! Keys of workers that do not see the database. Only a digest of each is kept.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use crate::batch::unsigned;
use crate::{Queue, QueueError};

/// A key, without the secret that belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerKey {
    /// Who has it.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created: u64,
    /// Whether it still opens anything.
    pub is_revoked: bool,
}

impl Queue {
    /// Makes a key, and gives the secret, which is shown this once.
    pub fn make_key(&self, name: &str) -> Result<String, QueueError> {
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes).map_err(|error| QueueError::Database {
            place: self.place().to_owned(),
            reason: format!("the system has no random numbers ({error})"),
        })?;
        let secret = format!("tabiya-{}", hexadecimal(&bytes));
        let digest = digest(&secret);
        let made = self.ask(async |session| {
            let make = "INSERT INTO tabiya_keys (name, digest, created) VALUES ($1, $2, {now})
                        ON CONFLICT DO NOTHING";
            session.run(make, &[name.into(), digest.as_str().into()]).await
        })?;
        if made == 0 { Err(QueueError::KeyTaken(name.to_owned())) } else { Ok(secret) }
    }

    /// Whose secret that is; nobody's if the key was revoked.
    pub fn key_of(&self, secret: &str) -> Result<Option<String>, QueueError> {
        let digest = digest(secret);
        self.ask(async |session| {
            let find = "SELECT name FROM tabiya_keys WHERE digest = $1 AND revoked = 0";
            session
                .row(find, &[digest.as_str().into()])
                .await?
                .map(|row| row.try_get(0))
                .transpose()
        })
    }

    /// From now on the key opens nothing. Whether it did before.
    pub fn revoke_key(&self, name: &str) -> Result<bool, QueueError> {
        self.ask(async |session| {
            let revoke = "UPDATE tabiya_keys SET revoked = {now} WHERE name = $1 AND revoked = 0";
            Ok(session.run(revoke, &[name.into()]).await? > 0)
        })
    }

    /// All keys there ever were.
    pub fn keys(&self) -> Result<Vec<WorkerKey>, QueueError> {
        self.ask(async |session| {
            let all = "SELECT name, created, revoked FROM tabiya_keys ORDER BY id";
            let rows = session.rows(all, &[]).await?;
            rows.iter()
                .map(|row| {
                    Ok(WorkerKey {
                        name: row.try_get(0)?,
                        created: unsigned(row.try_get(1)?),
                        is_revoked: row.try_get::<i64, _>(2)? > 0,
                    })
                })
                .collect()
        })
    }
}

fn digest(secret: &str) -> String {
    hexadecimal(&Sha256::digest(secret))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
