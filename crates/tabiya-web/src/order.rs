use serde::Deserialize;
use tabiya_play::{Kind, Player, Setup, Start};

use crate::trouble::Trouble;

/// What a client wants to play.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Order {
    #[serde(default)]
    game: Game,
    /// A FEN, or a board of the bishop-and-king game.
    position: Option<String>,
    /// The number of a start position of Chess960.
    chess960: Option<u16>,
    #[serde(default = "human")]
    white: String,
    #[serde(default = "human")]
    black: String,
    /// Minutes and seconds a move, like "5+3".
    time: Option<String>,
    #[serde(default = "yes")]
    take_backs: bool,
    seed: Option<u64>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Game {
    #[default]
    Chess,
    Bishops,
}

fn human() -> String {
    "human".to_owned()
}

const fn yes() -> bool {
    true
}

/// The longest position that is read: a full board of 26×26 has about 3,500 characters.
const LONGEST: usize = 8000;
/// How far ahead a textbook player may look: it cannot be asked to hurry.
const FARTHEST: [(&str, u32); 2] = [("minimax:", 3), ("alphabeta:", 4)];

impl Order {
    /// The game, if it is one that may be played over the network.
    pub(crate) fn setup(&self) -> Result<Setup, Trouble> {
        let control = match &self.time {
            Some(text) => Some(text.parse().map_err(|error| Trouble::unclear(sentence(&error)))?),
            None => None,
        };
        let setup = Setup {
            start: self.start()?,
            players: [player(&self.white)?, player(&self.black)?],
            control,
            seed: self.seed.unwrap_or_else(random),
            take_backs: self.take_backs,
            date: None,
        };
        setup.check().map_err(|error| Trouble::unclear(sentence(&error)))?;
        Ok(setup)
    }

    fn start(&self) -> Result<Start, Trouble> {
        if self.position.as_ref().is_some_and(|text| text.len() > LONGEST) {
            return Err(Trouble::unclear("That position is too long."));
        }
        let start = match (self.game, &self.position, self.chess960) {
            (Game::Chess, None, None) => Ok(Start::standard()),
            (Game::Chess, None, Some(number)) => Start::chess960(number),
            (Game::Chess, Some(text), None) => Start::read(Kind::Chess, text),
            (Game::Bishops, Some(text), None) => Start::read(Kind::Bishops, text),
            (Game::Bishops, None, None) => {
                return Err(Trouble::unclear(
                    "The bishop-and-king game needs a position to start from.",
                ));
            }
            _ => {
                return Err(Trouble::unclear(
                    "A game has one start: a position or a Chess960 number.",
                ));
            }
        };
        start.map_err(|error| Trouble::unclear(sentence(&error)))
    }
}

/// A player who may be asked for over the network: no program of this machine is started for a stranger.
fn player(name: &str) -> Result<Player, Trouble> {
    let player: Player = name.parse().map_err(|error| Trouble::unclear(sentence(&error)))?;
    if matches!(player, Player::Uci(_)) {
        return Err(Trouble::unclear("Other programs are not started from the browser."));
    }
    for (kind, most) in FARTHEST {
        let depth = name.strip_prefix(kind).and_then(|depth| depth.parse::<u32>().ok());
        if depth.is_some_and(|depth| depth > most) {
            return Err(Trouble::unclear(format!("In the browser {kind}{most} is the most.")));
        }
    }
    Ok(player)
}

fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without randomness the game is the same each time; it can still be played.
    let _ = getrandom::fill(&mut bytes);
    // Numbers of browsers are exact to 53 bits.
    u64::from_le_bytes(bytes) >> 11
}

/// An error as a sentence.
pub(crate) fn sentence(error: &impl ToString) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map_or_else(String::new, |letter| letter.to_uppercase().collect());
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
