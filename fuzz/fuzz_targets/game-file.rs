//! Any bytes as a file of packed games, as they are and with their checksums mended: what can be read is read, what is wrong
//! is told of in one line, and whoever goes on with the file keeps all whole games and cuts off nothing but a torn end.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_lab::data::{GameFileError, GameWriter, ScoredGame, games_of};
use tempfile::TempDir;

fuzz_target!(|data: &[u8]| {
    thread_local!(static FOLDER: TempDir = {
        // In memory, if it can be.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        folder.expect("a folder")
    });
    FOLDER.with(|folder| {
        let path = folder.path().join("1.games");
        go_on(&path, data);
        go_on(&path, &mended(data));
    });
});

/// Reads a file, and adds a game to it.
fn go_on(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a file");
    let (maker, mut games, error) = read(path);
    let is_torn = matches!(error, Some(GameFileError::Torn { .. }));
    let mut writer = match GameWriter::open(path, &maker) {
        Ok(writer) => writer,
        Err(refused) => {
            one_line(&refused);
            assert!(error.is_some() && !is_torn, "{refused}");
            assert_eq!(fs::read(path).expect("the file"), bytes, "it is left as it is");
            return;
        }
    };
    // A file of which not even the beginning is whole is begun again.
    assert!(error.is_none() || is_torn || games.is_empty(), "{error:?}");
    let number = writer.next_number();
    assert!(games.iter().all(|game| game.number < number || number == u32::MAX));
    let game = ScoredGame { number, start: 518, opening: vec![], moves: vec![], winner: None };
    writer.append(&game).expect("a game more");
    drop(writer);
    games.push(game);
    let (_, again, error) = read(path);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(again, games);
}

/// Who made the games, those that can be read, and why there are no more.
fn read(path: &Path) -> (String, Vec<ScoredGame>, Option<GameFileError>) {
    let mut reader = match games_of(path) {
        Ok(reader) => reader,
        Err(error) => {
            one_line(&error);
            return ("a fuzzer".to_owned(), Vec::new(), Some(error));
        }
    };
    let (mut games, mut error) = (Vec::new(), None);
    for game in reader.by_ref() {
        match game {
            Ok(game) => games.push(game),
            Err(wrong) => {
                one_line(&wrong);
                error = Some(wrong);
            }
        }
    }
    (reader.maker().to_owned(), games, error)
}

/// The same with right checksums, which nobody finds by trying.
fn mended(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let length = |bytes: &[u8], at: usize| -> Option<usize> {
        Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]).into())
    };
    let mut at = length(&bytes, 8).map_or(bytes.len(), |maker| 10 + maker);
    while let Some(packed) = length(&bytes, at) {
        let (start, end) = (at + 6, at + 6 + packed);
        let Some(game) = bytes.get(start..end) else { break };
        let checksum = crc32fast::hash(game).to_le_bytes();
        bytes[at + 2..start].copy_from_slice(&checksum);
        at = end;
    }
    bytes
}
