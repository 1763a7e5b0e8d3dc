//! Any bytes as a file of games: it is read to its end, bad games are told of in one line, and good ones
//! are the same after they were written and read again, with a tree between or without.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_pgn::{Form, Game, ReadError, Reader, Rewriter};

fuzz_target!(|data: &[u8]| {
    let mut reader = Reader::new(data);
    let mut skimmer = Reader::in_memory(data.to_vec());
    let mut rewriter = Rewriter::new(Form::default());
    loop {
        let skimmed = skimmer.visit(&mut rewriter).map_err(|error| error.to_string());
        match reader.next_game() {
            Ok(Some(game)) => {
                assert_eq!(skimmed, Ok(true));
                let text = game.to_string();
                let again: Game = text.parse().expect("what we write is good");
                assert!(again == game, "{text}");
                let mut text = Vec::new();
                rewriter.write(&mut text);
                let text = String::from_utf8(text).expect("what we write is UTF-8");
                let again: Game = text.parse().expect("what we write is good");
                assert!(again == game, "{text}");
            }
            Ok(None) => {
                assert_eq!(skimmed, Ok(false));
                break;
            }
            Err(ReadError::BadGame(bad)) => {
                one_line(&bad);
                assert_eq!(skimmed, Err(bad.to_string()));
            }
            Err(ReadError::Io(error)) => panic!("{error}"),
        }
    }
    assert_eq!(reader.bytes(), data.len() as u64);
});
