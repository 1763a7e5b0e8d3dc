//! All that is different between the two databases.

/// Which database it is. Statements are the same but for a few words in braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// A statement in the words of the database.
    pub(crate) fn sql(self, text: &str) -> String {
        let words: [(&str, &str); 4] = match self {
            // SQLite's whole numbers have 64 bits by every name, but only this one makes an identity.
            Dialect::Sqlite => [
                ("{identity}", "INTEGER PRIMARY KEY AUTOINCREMENT"),
                ("{now}", "CAST(unixepoch('subsec') * 1000 AS INTEGER)"),
                // There is one who writes, and nobody to be passed over.
                ("{skip locked}", ""),
                ("{lock}", ""),
            ],
            Dialect::Postgres => [
                ("{identity}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
                ("{now}", "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"),
                ("{skip locked}", "FOR UPDATE OF tabiya_jobs SKIP LOCKED"),
                ("{lock}", "FOR UPDATE"),
            ],
        };
        words.iter().fold(text.to_owned(), |text, (name, word)| text.replace(name, word))
    }

    /// How a transaction that will write begins: in SQLite with the lock, so that it never has to be given up half-way.
    pub(crate) const fn begin(self) -> &'static str {
        match self {
            Dialect::Sqlite => "BEGIN IMMEDIATE",
            Dialect::Postgres => "BEGIN",
        }
    }
}

/// `$4, $5, $6`: places of so many arguments, from a number on.
pub(crate) fn places(first: usize, count: usize) -> String {
    (first..first + count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}
