use std::fs::File;
use std::io::{self, Read as _, Seek as _};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use tabiya_pgn::{BadGame, Interest, Played, ReadError, Reader, Visitor};
use tabiya_review::ReviewSettings;

/// A file of games, looked over before the work begins.
pub(super) struct Input {
    name: String,
    file: File,
    digest: String,
    /// How many positions the main lines have of the games that can be read.
    pub(super) games: Vec<u64>,
    /// Those that cannot.
    pub(super) complaints: Vec<BadGame>,
}

impl Input {
    pub(super) fn open(name: &str) -> anyhow::Result<Input> {
        let cannot = || format!("cannot read {name}");
        let file = if name == "-" {
            // It is read twice, so it has to lie somewhere.
            let mut copy = tempfile::tempfile().context("cannot keep what comes in")?;
            io::copy(&mut io::stdin().lock(), &mut copy).with_context(cannot)?;
            copy
        } else {
            File::open(name).with_context(|| format!("cannot open {name}"))?
        };
        let mut input = Input {
            name: name.to_owned(),
            file,
            digest: String::new(),
            games: Vec::new(),
            complaints: Vec::new(),
        };
        input.digest = input.hash().with_context(cannot)?;
        input.scan()?;
        Ok(input)
    }

    fn hash(&mut self) -> io::Result<String> {
        self.file.rewind()?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.file.read(&mut buffer)? {
                0 => break,
                read => hash.update(&buffer[..read]),
            }
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn scan(&mut self) -> anyhow::Result<()> {
        let mut reader = self.reader()?;
        let mut counter = Counter::default();
        loop {
            match reader.visit(&mut counter) {
                Ok(true) => self.games.push(counter.plies + 1),
                Ok(false) => return Ok(()),
                Err(ReadError::BadGame(bad)) => self.complaints.push(bad),
                Err(ReadError::Io(error)) => {
                    return Err(error).with_context(|| format!("cannot read {}", self.name));
                }
            }
        }
    }

    /// All games from the start.
    pub(super) fn reader(&mut self) -> anyhow::Result<Reader<File>> {
        self.file.rewind().with_context(|| format!("cannot read {}", self.name))?;
        Ok(Reader::new(self.file.try_clone()?))
    }

    pub(super) fn positions(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The same games with the same settings have the same.
    pub(super) fn fingerprint(&self, settings: &ReviewSettings) -> String {
        let hash = Sha256::digest(format!("{} {}", self.digest, settings.words()));
        hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Counts the moves of the main line, up to a null move.
#[derive(Default)]
struct Counter {
    plies: u64,
    passed: bool,
}

impl Visitor for Counter {
    fn begin_game(&mut self) {
        *self = Counter::default();
    }

    fn played(&mut self, played: &Played<'_>) {
        self.passed |= played.played.is_none();
        self.plies += u64::from(!self.passed);
    }

    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }
}
