//! Any bytes as what another engine says: every line is read as something, what was understood is written so that it
//! is understood again, and its lines are legal in the game it was asked about.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Game;
use tabiya_fuzz::position;
use tabiya_uci_protocol::{InputLine, LineReader, Message};

fuzz_target!(|data: &[u8]| {
    let Some((&number, output)) = data.split_first() else { return };
    let game = Game::from_position(position(number));
    let mut lines = LineReader::with_limit(output, 1 << 12);
    while let Some(line) = lines.next_line().expect("nothing fails in memory") {
        let (InputLine::Text(text) | InputLine::TooLong { beginning: text }) = line;
        let message = Message::parse(&text);
        let written = message.to_string();
        assert!(!written.contains('\n'), "{written:?}");
        assert_eq!(Message::parse(&written), message, "{text:?}");
        match message {
            Message::Info(info) => {
                let Some(line) = info.line(&game, Duration::ZERO) else { continue };
                let mut game = game.clone();
                line.pv.iter().for_each(|&m| game.play(m).expect("a legal move"));
                assert!(line.hashfull <= 1000);
            }
            Message::Option(option) => {
                let _ = option.read(Some("17"));
                let _ = option.read(None);
            }
            _ => {}
        }
    }
});
