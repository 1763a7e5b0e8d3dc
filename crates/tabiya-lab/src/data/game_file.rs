use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tabiya_base::write_atomically;
use thiserror::Error;

use super::{ScoredGame, UnpackError};

const MAGIC: &[u8; 8] = b"TabiyaG1";

/// What can go wrong with a file of games.
///
/// ```
/// use tabiya_lab::data::games_of;
///
/// let error = games_of("no/such.games".as_ref()).unwrap_err();
/// assert!(error.to_string().starts_with("no/such.games: "));
/// ```
#[derive(Debug, Error)]
pub enum GameFileError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It begins otherwise.
    #[error("{}: this is not a file of packed games", path.display())]
    NotGames {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else is writing to it.
    #[error("{}: another program is adding games to this file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Its games were made in another way.
    #[error("{}: the games in it were made by {found:?}, not by {wanted:?}", path.display())]
    OtherMaker {
        /// The file.
        path: PathBuf,
        /// What the file says.
        found: String,
        /// What was to be added.
        wanted: String,
    },
    /// The last game was not written to its end. Those before are whole.
    #[error("{}: the last game, at byte {at}, is torn", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// Where the last whole game ends.
        at: u64,
    },
    /// A game is not what was written.
    #[error("{}: the game at byte {at} is damaged: its checksum is wrong", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the game begins.
        at: u64,
    },
    /// A game as it was written makes no sense.
    #[error("{}: the game at byte {at}: {error}", path.display())]
    BadGame {
        /// The file.
        path: PathBuf,
        /// Where the game begins.
        at: u64,
        /// What is wrong with it.
        error: UnpackError,
    },
    /// More than 64 kilobytes.
    #[error("{}: a game is too long to be kept", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
}

impl GameFileError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> GameFileError {
        let path = path.to_owned();
        move |error| GameFileError::Io { path, error }
    }
}

/// Adds games to a file, each with one write: a program that is killed loses none of those appended.
///
/// A file begins with `TabiyaG1`, the length of a text in two bytes, and the text, which says how the games
/// were made. Each game follows as the length of its packed bytes in two bytes, their CRC-32 in four, and the
/// bytes ([`ScoredGame`]). Numbers are little-endian.
///
/// ```
/// use tabiya_lab::data::{GameWriter, ScoredGame, games_of};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("1.games");
/// let game = ScoredGame { number: 3, start: 518, opening: vec![], moves: vec![], winner: None };
/// let mut writer = GameWriter::open(&path, "an example")?;
/// assert_eq!(writer.append(&game)?, 11);
/// drop(writer);
/// // Whoever opens it again goes on behind what is there.
/// assert_eq!(GameWriter::open(&path, "an example")?.next_number(), 4);
/// assert_eq!(games_of(&path)?.next().unwrap()?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameWriter {
    path: PathBuf,
    file: File,
    length: u64,
    next_number: u32,
}

impl GameWriter {
    /// Opens a file to add games, or begins it. A torn last game is cut off; anything else that is wrong with
    /// the file is an error, and it is left as it is. `maker` says how the games are made; a file has one maker.
    ///
    /// ```
    /// # use tabiya_lab::data::GameWriter;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("1.games");
    /// let writer = GameWriter::open(&path, "first maker")?;
    /// assert!(GameWriter::open(&path, "first maker").is_err(), "it is in use");
    /// drop(writer);
    /// assert!(GameWriter::open(&path, "second maker").is_err(), "it has a maker");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, maker: &str) -> Result<GameWriter, GameFileError> {
        let io_error = || GameFileError::io(path);
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = options.open(path).map_err(io_error())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(GameFileError::InUse { path: path.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(io_error()(error)),
        }
        let maker = &maker[..maker.floor_char_boundary(u16::MAX.into())];
        let header = header(maker);
        // A file cut off within its header has no games yet: begin it again.
        let length = file.metadata().map_err(io_error())?.len();
        let mut start = Vec::new();
        let most = header.len() as u64;
        (&file).take(most).read_to_end(&mut start).map_err(io_error())?;
        if length < most && header.starts_with(&start) {
            file.set_len(0).map_err(io_error())?;
            file.write_all(&header).map_err(io_error())?;
        }
        let mut writer = GameWriter { path: path.to_owned(), file, length: 0, next_number: 0 };
        writer.find_end(maker)?;
        Ok(writer)
    }

    /// Reads what is there, cuts a torn end off, and finds the next number.
    fn find_end(&mut self, maker: &str) -> Result<(), GameFileError> {
        let mut file = self.file.try_clone().map_err(GameFileError::io(&self.path))?;
        file.seek(SeekFrom::Start(0)).map_err(GameFileError::io(&self.path))?;
        let mut reader = GameReader::new(&self.path, file)?;
        if reader.maker() != maker {
            let (path, found) = (self.path.clone(), reader.maker().to_owned());
            return Err(GameFileError::OtherMaker { path, found, wanted: maker.to_owned() });
        }
        for game in reader.by_ref() {
            match game {
                Ok(game) => self.next_number = self.next_number.max(game.number.saturating_add(1)),
                Err(GameFileError::Torn { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.length = reader.bytes_read();
        self.file.set_len(self.length).map_err(GameFileError::io(&self.path))
    }

    /// A number greater than that of any game in the file.
    pub const fn next_number(&self) -> u32 {
        self.next_number
    }

    /// Adds a game and gives the number of bytes it took.
    pub fn append(&mut self, game: &ScoredGame) -> Result<usize, GameFileError> {
        let block = block(&self.path, game)?;
        if let Err(error) = self.file.write_all(&block) {
            // The disk may be full: leave no half of a game between whole ones.
            let _ = self.file.set_len(self.length);
            return Err(GameFileError::io(&self.path)(error));
        }
        self.length += block.len() as u64;
        self.next_number = self.next_number.max(game.number.saturating_add(1));
        Ok(block.len())
    }

    /// Waits until the disk has everything, so that even a power cut loses nothing.
    pub fn sync(&self) -> Result<(), GameFileError> {
        self.file.sync_all().map_err(GameFileError::io(&self.path))
    }
}

/// Writes a file of games that is there as a whole or not at all. `fill` is given what adds a game.
///
/// ```
/// use tabiya_lab::data::{ScoredGame, games_of, write_games};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("1.games");
/// let game = ScoredGame { number: 3, start: 518, opening: vec![], moves: vec![], winner: None };
/// write_games(&path, "an example", |add| add(&game))?;
/// assert_eq!(games_of(&path)?.next().unwrap()?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_games(
    path: &Path,
    maker: &str,
    fill: impl FnOnce(&mut dyn FnMut(&ScoredGame) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    write_atomically(path, |file| {
        file.write_all(&header(maker))?;
        fill(&mut |game| file.write_all(&block(path, game).map_err(io::Error::other)?))
    })
}

/// How a file begins.
fn header(maker: &str) -> Vec<u8> {
    let maker = &maker[..maker.floor_char_boundary(u16::MAX.into())];
    let mut header = MAGIC.to_vec();
    header.extend((maker.len() as u16).to_le_bytes());
    header.extend(maker.as_bytes());
    header
}

/// A game as it stands in a file.
fn block(path: &Path, game: &ScoredGame) -> Result<Vec<u8>, GameFileError> {
    let packed = game.pack();
    let too_long = |_| GameFileError::TooLong { path: path.to_owned() };
    let length = u16::try_from(packed.len()).map_err(too_long)?;
    let mut block = Vec::with_capacity(6 + packed.len());
    block.extend(length.to_le_bytes());
    block.extend(crc32fast::hash(&packed).to_le_bytes());
    block.extend(packed);
    Ok(block)
}

/// The games of a file, from the first to the last. Ends after the first error.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    reader: BufReader<File>,
    maker: String,
    at: u64,
    failed: bool,
}

/// Opens a file of games to read them.
///
/// ```
/// # use tabiya_lab::data::{GameWriter, games_of};
/// # let path = std::env::temp_dir().join(format!("tabiya-read-{}.games", std::process::id()));
/// GameWriter::open(&path, "nobody")?;
/// assert_eq!(games_of(&path)?.count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn games_of(path: &Path) -> Result<GameReader, GameFileError> {
    GameReader::new(path, File::open(path).map_err(GameFileError::io(path))?)
}

impl GameReader {
    fn new(path: &Path, file: File) -> Result<GameReader, GameFileError> {
        let not_games = || GameFileError::NotGames { path: path.to_owned() };
        let reader = BufReader::new(file);
        let (path, maker) = (path.to_owned(), String::new());
        let mut games = GameReader { path, reader, maker, at: 0, failed: false };
        let mut read = |most: usize| -> Result<Vec<u8>, GameFileError> {
            let mut bytes = Vec::new();
            games.read(&mut bytes, most as u64)?;
            if bytes.len() < most { Err(not_games()) } else { Ok(bytes) }
        };
        if read(MAGIC.len())? != MAGIC {
            return Err(not_games());
        }
        let length = read(2)?.into_iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(byte));
        let maker = String::from_utf8(read(length)?).map_err(|_| not_games())?;
        games.at = (MAGIC.len() + 2 + length) as u64;
        Ok(GameReader { maker, ..games })
    }

    /// How the games were made.
    ///
    /// ```
    /// # use tabiya_lab::data::{GameWriter, games_of};
    /// # let path = std::env::temp_dir().join(format!("tabiya-maker-{}.games", std::process::id()));
    /// GameWriter::open(&path, "Tabiya, 5000 nodes a move")?;
    /// assert_eq!(games_of(&path)?.maker(), "Tabiya, 5000 nodes a move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn maker(&self) -> &str {
        &self.maker
    }

    /// Where the last game that was read ends.
    ///
    /// ```no_run
    /// let reader = tabiya_lab::data::games_of("data/1.games".as_ref())?;
    /// assert!(reader.bytes_read() >= 10);
    /// # Ok::<(), tabiya_lab::data::GameFileError>(())
    /// ```
    pub const fn bytes_read(&self) -> u64 {
        self.at
    }

    fn next_game(&mut self) -> Result<Option<ScoredGame>, GameFileError> {
        let at = self.at;
        let mut block = Vec::new();
        self.read(&mut block, 6)?;
        if block.is_empty() {
            return Ok(None);
        }
        let torn = || GameFileError::Torn { path: self.path.clone(), at };
        let &[low, high, ref checksum @ ..] = block.as_slice() else { return Err(torn()) };
        let Ok(checksum) = <[u8; 4]>::try_from(checksum) else { return Err(torn()) };
        let length = u16::from_le_bytes([low, high]);
        let mut packed = Vec::new();
        self.read(&mut packed, length.into())?;
        if packed.len() < length.into() {
            return Err(GameFileError::Torn { path: self.path.clone(), at });
        }
        if crc32fast::hash(&packed) != u32::from_le_bytes(checksum) {
            // The end of a file may have its length before its bytes, after a power cut.
            let mut more = Vec::new();
            self.read(&mut more, 1)?;
            let path = self.path.clone();
            return Err(match more.is_empty() {
                true => GameFileError::Torn { path, at },
                false => GameFileError::Damaged { path, at },
            });
        }
        self.at = at + 6 + u64::from(length);
        let bad = |error| GameFileError::BadGame { path: self.path.clone(), at, error };
        ScoredGame::unpack(&packed).map(Some).map_err(bad)
    }

    /// So many bytes, or as many as there are.
    fn read(&mut self, bytes: &mut Vec<u8>, most: u64) -> Result<(), GameFileError> {
        let read = self.reader.by_ref().take(most).read_to_end(bytes);
        read.map(|_| ()).map_err(GameFileError::io(&self.path))
    }
}

impl Iterator for GameReader {
    type Item = Result<ScoredGame, GameFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self.next_game();
        self.failed = game.is_err();
        game.transpose()
    }
}
