use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabiya_base::write_atomically;

use crate::{Forfeits, PlayerResult, TournamentError};

/// What has been played so far, as it is kept on disk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    /// What the results depend on. A match goes on only under the same settings.
    pub(crate) settings: Value,
    /// One for each pairing.
    pub(crate) encounters: Vec<Played>,
    /// One for each player.
    pub(crate) forfeits: Vec<Forfeits>,
}

/// The games of a pairing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    first: String,
    second: String,
    /// Two letters for each opening, the first player as White and then as Black, as the first player
    /// sees it: `W`, `D`, `L`, or `.` if the game is not finished.
    games: String,
}

const UNFINISHED: char = '.';

const fn letter(result: PlayerResult) -> char {
    match result {
        PlayerResult::Win => 'W',
        PlayerResult::Draw => 'D',
        PlayerResult::Loss => 'L',
    }
}

const fn result(letter: u8) -> Option<PlayerResult> {
    match letter {
        b'W' => Some(PlayerResult::Win),
        b'D' => Some(PlayerResult::Draw),
        b'L' => Some(PlayerResult::Loss),
        _ => None,
    }
}

impl Played {
    pub(crate) fn none(first: &str, second: &str) -> Played {
        let (first, second) = (first.to_owned(), second.to_owned());
        Played { first, second, games: String::new() }
    }

    /// The games from a number on: twice the number of the opening, and one more if the first player
    /// has Black. None for a game that is not finished.
    pub(crate) fn results(&self, from: usize) -> Vec<Option<PlayerResult>> {
        self.games.bytes().skip(from).map(result).collect()
    }

    pub(crate) fn get(&self, index: usize) -> Option<PlayerResult> {
        self.games.as_bytes().get(index).copied().and_then(result)
    }

    pub(crate) fn set(&mut self, index: usize, result: PlayerResult) {
        let letters = self.games.chars().chain(std::iter::repeat(UNFINISHED));
        let before: String = letters.take(index).collect();
        let after = self.games.get(index + 1..).unwrap_or_default();
        self.games = format!("{before}{}{after}", letter(result));
    }
}

impl State {
    /// Reads what was played before, or begins anew if there is no such file.
    pub(crate) fn load(path: &Path, fresh: State, games: usize) -> Result<State, TournamentError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(fresh),
            Err(error) => return Err(TournamentError::file(path, error)),
        };
        let bad = |reason: String| TournamentError::BadState { path: path.to_owned(), reason };
        let state: State = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if let Some(difference) = difference(&state.settings, &fresh.settings) {
            let path = path.to_owned();
            return Err(TournamentError::OtherSettings { path, difference });
        }
        let names = |state: &State| -> Vec<(String, String)> {
            state.encounters.iter().map(|e| (e.first.clone(), e.second.clone())).collect()
        };
        if names(&state) != names(&fresh) || state.forfeits.len() != fresh.forfeits.len() {
            return Err(bad("the players are not those of the settings".to_owned()));
        }
        let is_result = |c| "WDL.".contains(c);
        let sound = |e: &Played| e.games.chars().all(is_result) && e.games.len() <= games;
        if !state.encounters.iter().all(sound) {
            return Err(bad("the games are not those of the settings".to_owned()));
        }
        Ok(state)
    }

    /// Writes everything down. Whatever happens meanwhile, the file is either the old or the new one.
    pub(crate) fn save(&self, path: &Path) -> Result<(), TournamentError> {
        let write = |file: &mut dyn io::Write| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        };
        write_atomically(path, write).map_err(|error| TournamentError::file(path, error))
    }
}

/// The first setting that is not the same, in words.
fn difference(old: &Value, new: &Value) -> Option<String> {
    // Written and read, as the old ones were: a number may lose its last digit on the way.
    let new: Value = serde_json::from_str(&new.to_string()).unwrap_or_default();
    let names = |value: &Value| -> Vec<String> {
        value.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default()
    };
    let mut all = names(&new);
    all.extend(names(old));
    let one = |value: &Value, name: &str| value.get(name).cloned().unwrap_or_default();
    let changed = |name: &String| one(old, name) != one(&new, name);
    let in_words =
        |name: String| format!("{name} was {} and is now {}", one(old, &name), one(&new, &name));
    all.into_iter().find(changed).map(in_words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn games_are_kept_by_their_number() {
        let mut played = Played::none("A", "B");
        played.set(3, PlayerResult::Loss);
        played.set(0, PlayerResult::Win);
        assert_eq!(played.games, "W..L");
        assert_eq!((played.get(0), played.get(1)), (Some(PlayerResult::Win), None));
        assert_eq!((played.get(3), played.get(9)), (Some(PlayerResult::Loss), None));
    }

    #[test]
    fn differences_are_named() {
        let old = json!({"pairs": 10, "elo": 0.1, "old": true});
        assert_eq!(difference(&old, &old), None);
        let other = json!({"pairs": 12, "elo": 0.1, "old": true});
        assert_eq!(difference(&old, &other).unwrap(), "pairs was 10 and is now 12");
        let less = json!({"pairs": 10, "elo": 0.1});
        assert_eq!(difference(&old, &less).unwrap(), "old was true and is now null");
    }
}
