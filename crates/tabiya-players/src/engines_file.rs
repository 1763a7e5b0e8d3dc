//! The file in which whoever runs the server names other engines.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tabiya_uci_protocol::Program;

use crate::Engines;

/// Why a file of engines cannot be used.
///
/// ```
/// use std::path::Path;
/// use tabiya_players::Engines;
///
/// let twice = "[[engine]]\nname = \"a\"\npath = \"a\"\n[[engine]]\nname = \"a\"\npath = \"b\"\n";
/// let error = Engines::read(twice, Path::new("")).err().unwrap();
/// assert_eq!(error.to_string(), "two engines are called \"a\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnginesFileError(String);

impl fmt::Display for EnginesFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EnginesFileError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    path: PathBuf,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    /// Seconds.
    patience: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Number(i64),
    Text(String),
}

const LONGEST_FILE: usize = 64 << 10;
const MOST_ENGINES: usize = 20;
const LONGEST_NAME: usize = 40;
/// How long an engine may take to begin, to get ready and to stop, in seconds, and how long at most.
const PATIENCE: u64 = 8;
const MOST_PATIENCE: u64 = 60;

/// The engines of a file, by name. A path that has a folder in it is taken from the folder of the file.
pub(crate) fn read(text: &str, folder: &Path) -> Result<Vec<(String, Program)>, EnginesFileError> {
    if text.len() > LONGEST_FILE {
        return Err(EnginesFileError("the file of engines is too long".to_owned()));
    }
    let file: File = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        let line = line.map_or_else(String::new, |line| format!("line {line}: "));
        EnginesFileError(format!("{line}{}", error.message().trim()))
    })?;
    if file.engine.len() > MOST_ENGINES {
        return Err(EnginesFileError(format!("{MOST_ENGINES} engines are the most")));
    }
    let mut names = HashSet::new();
    let mut engines = Vec::new();
    for entry in file.engine {
        let name = entry.name.trim().to_owned();
        let good = !name.is_empty()
            && name.chars().count() <= LONGEST_NAME
            && !name.chars().any(char::is_control);
        if !good || name.eq_ignore_ascii_case(Engines::OURS) {
            return Err(EnginesFileError(format!("an engine cannot be called {name:.60?}")));
        }
        if !names.insert(name.clone()) {
            return Err(EnginesFileError(format!("two engines are called {name:?}")));
        }
        engines.push((name, program(entry, folder)));
    }
    Ok(engines)
}

fn program(entry: Entry, folder: &Path) -> Program {
    let has_folder = entry.path.components().count() > 1;
    let path = if has_folder { folder.join(&entry.path) } else { entry.path };
    let options = entry.options.into_iter().map(|(name, value)| {
        let value = match value {
            Value::Flag(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text,
        };
        (name, Some(value))
    });
    Program {
        args: entry.args,
        options: options.collect(),
        patience: Duration::from_secs(entry.patience.unwrap_or(PATIENCE).clamp(1, MOST_PATIENCE)),
        ..Program::new(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_engines_with_arguments_and_options() {
        let text = "
            [[engine]]
            name = \"Stockfish\"
            path = \"stockfish\"
            options = { Threads = 2, Ponder = false, SyzygyPath = \"/tb\" }
            [[engine]]
            name = \"Own\"
            path = \"bin/own\"
            args = [\"--uci\"]
        ";
        let engines = read(text, Path::new("/data")).unwrap();
        assert_eq!(engines[0].0, "Stockfish");
        assert_eq!(engines[0].1.path, Path::new("stockfish"));
        let options: Vec<(&str, &str)> = engines[0]
            .1
            .options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_deref().unwrap()))
            .collect();
        assert_eq!(options, [("Ponder", "false"), ("SyzygyPath", "/tb"), ("Threads", "2")]);
        assert_eq!(engines[1].1.path, Path::new("/data/bin/own"));
        assert_eq!(engines[1].1.args, ["--uci"]);
        assert_eq!(read("", Path::new("")).unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let many = "[[engine]]\nname = \"x\"\npath = \"x\"\n".repeat(MOST_ENGINES + 1);
        for (text, part) in [
            ("[[engine]]\nname = \"x\"\n", "path"),
            ("[[engine]]\nname = \"x\"\npath = \"x\"\ncolour = 1\n", "line 4"),
            ("[[engine]\n", "line 1"),
            ("[[engine]]\nname = \" Tabiya\"\npath = \"x\"\n", "cannot be called"),
            ("[[engine]]\nname = \"\"\npath = \"x\"\n", "cannot be called"),
            ("[[engine]]\nname = \"x\"\npath = \"x\"\noptions = { a = [1] }\n", "line 4"),
            (many.as_str(), "the most"),
            (&"#".repeat(LONGEST_FILE + 1), "too long"),
        ] {
            let error = read(text, Path::new("")).unwrap_err().to_string();
            assert!(error.contains(part), "{text:.40} gives {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
