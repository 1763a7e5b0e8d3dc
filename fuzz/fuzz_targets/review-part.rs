//! Any bytes as the side file of a review that was broken off, whole records among them: it is opened or refused in one
//! line, what is found in it can be had, and a game that is added is there the next time.
#![no_main]

use std::io::Write as _;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_review::SideFile;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    // In memory, if it can be.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a folder")
});

/// What a line `game 7` begins; the text up to the next such line is its record.
const RECORD: &[u8] = b"\ngame ";

fuzz_target!(|data: &[u8]| {
    let out = FOLDER.path().join("out.pgn");
    let part = FOLDER.path().join("out.pgn.part");
    std::fs::write(&part, file(data)).expect("it can be written");
    let mut side = match SideFile::open(&out, "abc") {
        Ok(side) => side,
        Err(error) => return one_line(&error),
    };
    side.append(u64::MAX, "last\n").expect("a game can be added");
    let before = side.len();
    drop(side);
    let mut side = SideFile::open(&out, "abc").expect("what we wrote is good");
    assert_eq!(side.len(), before);
    assert_eq!(side.get(u64::MAX).expect("a record").as_deref(), Some("last\n"));
    side.finish(&out).expect("the result can be written");
    assert!(std::fs::read_to_string(&out).expect("text").ends_with("last\n"));
});

/// The bytes as they are, or, behind `!`, with lengths and checksums put where games begin.
fn file(data: &[u8]) -> Vec<u8> {
    let Some((b'!', records)) = data.split_first() else { return data.to_vec() };
    let mut file = b"Tabiya review in progress abc\n".to_vec();
    let mut rest = records;
    while !rest.is_empty() {
        let found = rest.windows(RECORD.len()).position(|part| part == RECORD);
        let (record, next) = match found {
            Some(at) => (&rest[..=at], &rest[at + RECORD.len()..]),
            None => (rest, &[][..]),
        };
        let number = record.first().copied().unwrap_or_default();
        let sum = crc32fast::hash(record);
        write!(file, "game {number} {} {sum:08x}\n", record.len()).expect("memory");
        file.extend(record);
        rest = next;
    }
    file
}
