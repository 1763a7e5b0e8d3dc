//! Any line as a command of a GUI: it is read as something, complaints are short, and what was
//! understood is written so that it is understood again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_uci_protocol::Command;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    let (command, complaints) = Command::parse(line);
    complaints.iter().for_each(|complaint| one_line(complaint));
    if let Command::Position(position) = &command
        && let Err(error) = position.resolve()
    {
        one_line(&error);
    }
    // What was not understood is cut short.
    if !matches!(command, Command::Unknown(_)) {
        let written = command.to_string();
        assert!(!written.contains('\n'), "{written:?}");
        assert_eq!(Command::parse(&written).0, command, "{line:?}");
    }
});
