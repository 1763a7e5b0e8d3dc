//! The plain format: what is accepted, what is refused, and with which words.

use tabiya_puzzle::{Board, BoardFileError};

/// The hand-out: a space after the last piece, and a blank fourth line.
const EXAMPLE: &str = "5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3 \n\n";

#[test]
fn one_board_in_many_spellings() {
    let board: Board = EXAMPLE.parse().unwrap();
    assert_eq!(board.pieces().count(), 7);
    for text in [
        "5\nBb5,Kc5,Be4,Bd1\nKb3,Bc3,Be3",
        "5\nBb5,Kc5,Be4,Bd1,\nKb3,Bc3,Be3,",
        "5\nBb5,Kc5,Be4,Bd1,   \nKb3,Bc3,Be3   ,   \n",
        "  5  \n  Bb5   ,Kc5,    Be4  , Bd1  \n Kb3 ,Bc3 ,Be3\n",
        "5\r\nBb5, Kc5, Be4, Bd1\r\nKb3, Bc3, Be3\r\n",
        "5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3\n\n   \n\r\n",
        "5\nBd1, Be4, Kc5, Bb5\nBe3, Bc3, Kb3",
    ] {
        assert_eq!(text.parse::<Board>(), Ok(board), "{text:?}");
    }
}

#[test]
fn boards_that_are_odd_and_valid() {
    for text in [
        "3\nKa1\nKc3",
        "3\nKa1\nKb2",
        "26\nKz26\nKa26",
        "5\nKa1, Bd4\nKe5",
        "4\nKa1,Bb1,Bc1,Bd1,Ba2,Bb2,Bc2,Bd2\nKa4,Bb4,Bc4,Bd4,Ba3,Bb3,Bc3,Bd3",
    ] {
        assert!(text.parse::<Board>().is_ok(), "{text:?}");
    }
}

#[test]
fn what_is_refused_and_why() {
    for (text, why) in [
        ("", "line 1: `` is not a size: sizes are 3 to 26"),
        ("\n", "line 1: `` is not a size: sizes are 3 to 26"),
        ("\n5\nKa1\nKe5", "line 1: `` is not a size: sizes are 3 to 26"),
        ("2\nKa1\nKb2", "line 1: `2` is not a size: sizes are 3 to 26"),
        ("27\nKa1\nKb3", "line 1: `27` is not a size: sizes are 3 to 26"),
        ("0\nKa1\nKb3", "line 1: `0` is not a size: sizes are 3 to 26"),
        ("-5\nKa1\nKb3", "line 1: `-5` is not a size: sizes are 3 to 26"),
        ("+5\nKa1\nKb3", "line 1: `+5` is not a size: sizes are 3 to 26"),
        ("05\nKa1\nKb3", "line 1: `05` is not a size: sizes are 3 to 26"),
        ("5.0\nKa1\nKb3", "line 1: `5.0` is not a size: sizes are 3 to 26"),
        ("5 5\nKa1\nKb3", "line 1: `5 5` is not a size: sizes are 3 to 26"),
        ("5,\nKa1\nKb3", "line 1: `5,` is not a size: sizes are 3 to 26"),
        ("five\nKa1\nKb3", "line 1: `five` is not a size: sizes are 3 to 26"),
        ("\u{feff}5\nKa1\nKb3", "line 1: `\u{feff}5` is not a size: sizes are 3 to 26"),
        ("٥\nKa1\nKb3", "line 1: `٥` is not a size: sizes are 3 to 26"),
        ("5", "line 2: the line with the pieces of White is missing"),
        ("5\n", "line 2: White has no pieces"),
        ("5\nKa1", "line 3: the line with the pieces of Black is missing"),
        ("5\nKa1\n", "line 3: Black has no pieces"),
        ("5\n\nKa1\nKe5", "line 2: White has no pieces"),
        ("5\n   \nKa1", "line 2: White has no pieces"),
        ("5\n,\nKa1", "line 2: White has no pieces"),
        ("5\nKa1,,Bb1\nKe5", "line 2: a piece is missing beside a comma"),
        ("5\nKa1, ,Bb1\nKe5", "line 2: a piece is missing beside a comma"),
        ("5\n,Ka1\nKe5", "line 2: a piece is missing beside a comma"),
        ("5\nKa1,,\nKe5", "line 2: a piece is missing beside a comma"),
        ("5\nKa1\nKe5, ,", "line 3: a piece is missing beside a comma"),
        ("5\nKa1, B b5\nKe5", "line 2: `B b5` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb 5\nKe5", "line 2: `Bb 5` is not a piece: pieces are written like Ke1 or Ba12"),
        (
            "5\nKa1 Bb5\nKe5",
            "line 2: `Ka1 Bb5` is not a piece: pieces are written like Ke1 or Ba12",
        ),
        (
            "5\nKa1; Bb5\nKe5",
            "line 2: `Ka1; Bb5` is not a piece: pieces are written like Ke1 or Ba12",
        ),
        ("5\nka1\nKe5", "line 2: `ka1` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, bb5\nKe5", "line 2: `bb5` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKA1\nKe5", "line 2: `KA1` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Qb2\nKe5", "line 2: `Qb2` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, a2\nKe5", "line 2: `a2` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, B\nKe5", "line 2: `B` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb\nKe5", "line 2: `Bb` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, B5\nKe5", "line 2: `B5` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb0\nKe5", "line 2: `Bb0` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb01\nKe5", "line 2: `Bb01` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb27\nKe5", "line 2: `Bb27` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb-1\nKe5", "line 2: `Bb-1` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bb5x\nKe5", "line 2: `Bb5x` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1,\tBb5\nKe5", "line 2: ` Bb5` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1\nKé5", "line 3: `Ké5` is not a piece: pieces are written like Ke1 or Ba12"),
        ("5\nKa1, Bz9\nKe5", "line 2: `Bz9` is outside a 5×5 board"),
        ("5\nKa1, Ba6\nKe5", "line 2: `Ba6` is outside a 5×5 board"),
        ("5\nKa1\nKf1", "line 3: `Kf1` is outside a 5×5 board"),
        ("5\nKa1, Ba1\nKe5", "line 2: `Ba1` is on the place of White's `Ka1`"),
        ("5\nKa1, Bb2\nKe5, Bb2", "line 3: `Bb2` is on the place of White's `Bb2`"),
        ("5\nKa1\nKa1", "line 3: `Ka1` is on the place of White's `Ka1`"),
        ("5\nBa1\nKe5", "line 2: White has no king"),
        ("5\nKa1\nBe5", "line 3: Black has no king"),
        ("5\nKa1, Kb1\nKe5", "line 2: `Kb1` is a second king of White"),
        ("5\nKa1\nKe5, Kc5", "line 3: `Kc5` is a second king of Black"),
        ("5\nKa1\nKe5\nx", "line 4: `x` after the pieces of Black"),
        ("5\nKa1\nKe5\n\n\nBa2", "line 6: `Ba2` after the pieces of Black"),
    ] {
        assert_eq!(text.parse::<Board>().unwrap_err().to_string(), why, "{text:?}");
    }
}

#[test]
fn errors_stay_short() {
    let long = format!("5\nKa1, {}\nKe5", "x".repeat(100_000));
    let words = long.parse::<Board>().unwrap_err().to_string();
    assert!(words.chars().count() < 120 && words.contains('…'), "{words}");
}

#[test]
fn files_that_are_no_boards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    assert!(matches!(Board::read(&path), Err(BoardFileError::Io { .. })));
    assert!(matches!(Board::read(folder.path()), Err(BoardFileError::Io { .. })));
    assert!(matches!(Board::read("a\0b"), Err(BoardFileError::Io { .. })));
    std::fs::write(&path, b"5\nKa1\nKe5\xff").unwrap();
    assert!(matches!(Board::read(&path), Err(BoardFileError::NotText { .. })));
    std::fs::write(&path, " ".repeat(2 << 20)).unwrap();
    assert!(matches!(Board::read(&path), Err(BoardFileError::TooLong { .. })));
    std::fs::write(&path, "5\nKa1\n").unwrap();
    assert!(matches!(Board::read(&path), Err(BoardFileError::Plain { .. })));
    std::fs::write(&path, format!("5{}\nKa1\nKe5", " ".repeat(100_000))).unwrap();
    assert!(Board::read(&path).is_ok());
}

#[test]
fn saving_replaces_files_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let board: Board = EXAMPLE.parse().unwrap();
    std::fs::write(&path, "something else, and longer than a board would be").unwrap();
    board.save(&path).unwrap();
    assert_eq!(Board::read(&path).unwrap(), board);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "5\nKc5, Bd1, Be4, Bb5\nKb3, Bc3, Be3\n");
    assert!(board.save(folder.path()).is_err());
    assert!(board.save("").is_err());
    assert!(board.save(folder.path().join("none/file")).is_err());
    assert!(board.save(path.join("below")).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay_and_devices_are_left_alone() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("file"), folder.path().join("link"));
    let board: Board = EXAMPLE.parse().unwrap();
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    board.save(&link).unwrap();
    assert!(link.is_symlink());
    assert_eq!(Board::read(&path).unwrap(), board);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    let error = board.save("/dev/null").unwrap_err();
    assert_eq!(error.to_string(), "/dev/null: not a regular file");
}
