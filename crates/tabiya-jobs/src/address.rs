use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

/// Where a queue is: in a file, or in a PostgreSQL database.
///
/// ```
/// use tabiya_jobs::Address;
///
/// let shared: Address = "postgres://chess:secret@db.example/analysis".parse()?;
/// assert_eq!(shared.to_string(), "postgres://chess@db.example/analysis", "passwords are not shown");
/// let own: Address = "games.queue".parse()?;
/// assert!(own.is_file() && "mysql://somewhere".parse::<Address>().is_err());
/// # Ok::<(), tabiya_jobs::ParseAddressError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(pub(crate) Place);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    File(PathBuf),
    /// The whole address.
    Postgres(String),
}

/// Why a text is no address of a queue.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseAddressError {
    /// Nothing, or nothing behind the scheme.
    #[error("the address of the queue is empty: it is a file, or postgres://…")]
    Empty,
    /// Another kind of database.
    #[error("queues are kept in a file or in PostgreSQL (postgres://…), not at {0}://")]
    Scheme(String),
}

impl Address {
    /// Whether it is a file of this machine.
    pub const fn is_file(&self) -> bool {
        matches!(self.0, Place::File(_))
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.0 {
            Place::File(path) => Some(path),
            Place::Postgres(_) => None,
        }
    }
}

impl From<PathBuf> for Address {
    fn from(path: PathBuf) -> Address {
        Address(Place::File(path))
    }
}

impl FromStr for Address {
    type Err = ParseAddressError;

    fn from_str(text: &str) -> Result<Address, ParseAddressError> {
        let (scheme, rest) = text.split_once("://").unwrap_or(("sqlite", text));
        if rest.is_empty() {
            return Err(ParseAddressError::Empty);
        }
        match scheme {
            "postgres" | "postgresql" => Ok(Address(Place::Postgres(text.to_owned()))),
            "sqlite" => Ok(Address(Place::File(rest.into()))),
            other => Err(ParseAddressError::Scheme(other.to_owned())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::File(path) => path.display().fmt(f),
            Place::Postgres(url) => f.write_str(&without_password(url)),
        }
    }
}

/// An address without the password, wherever it stands.
fn without_password(url: &str) -> String {
    let (head, query) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = head.split_once("://").unwrap_or(("", head));
    // A password may have an @ of its own: what counts is the last one.
    let shown = match rest.rsplit_once('@') {
        Some((who, place)) => {
            let name = who.split_once(':').map_or(who, |(name, _)| name);
            format!("{scheme}://{name}@{place}")
        }
        None => head.to_owned(),
    };
    let harmless: Vec<&str> = query
        .split('&')
        .filter(|part| !part.is_empty() && !part.starts_with("password="))
        .collect();
    if harmless.is_empty() { shown } else { format!("{shown}?{}", harmless.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_never_shown() {
        let shown = |text: &str| text.parse::<Address>().unwrap().to_string();
        assert_eq!(shown("postgres://me:a@b:c@host:5432/x"), "postgres://me@host:5432/x");
        assert_eq!(
            shown("postgres:///x?host=/tmp&password=p&user=me"),
            "postgres:///x?host=/tmp&user=me"
        );
        assert_eq!(shown("postgresql://host/x?password=p"), "postgresql://host/x");
        assert_eq!(shown("sqlite:///tmp/a b.queue"), "/tmp/a b.queue");
    }
}
