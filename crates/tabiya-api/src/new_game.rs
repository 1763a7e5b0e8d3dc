//! A game that is to begin, as a page asks for it.

use serde::Deserialize;
use tabiya_play::{GameKind, GameSetup, Player, PlayerKind, Side, Start};
use tabiya_players::PlayerOptions;

use crate::Invalid;

/// What a client wants to play.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
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
    /// Whether the other side is for somebody at another machine, who is invited.
    #[serde(default)]
    friend: bool,
    /// The side of the one who invites.
    #[serde(default)]
    colour: Colour,
    /// How they are called.
    name: Option<String>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Colour {
    White,
    Black,
    #[default]
    Random,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Game {
    #[default]
    Chess,
    Bishops,
}

fn human() -> String {
    HUMAN.to_owned()
}

const HUMAN: &str = "human";

const fn yes() -> bool {
    true
}

/// The longest position that is read: a full board of 26×26 has about 3,500 characters.
const LONGEST: usize = 8000;
/// How far ahead a textbook player may look.
const FARTHEST: [(&str, u32); 3] = [("minimax", 3), ("alphabeta", 4), ("tree", 3)];

impl NewGame {
    /// The game, if it is one that may be played from a page. Its seed is `random` unless one is asked for.
    pub fn setup(&self, random: u64) -> Result<GameSetup, Invalid> {
        let control = match &self.time {
            Some(text) => Some(text.parse().map_err(Invalid::new)?),
            None => None,
        };
        if self.friend && [&self.white, &self.black].iter().any(|player| *player != HUMAN) {
            return Err(Invalid::new("A game with a friend is between two people."));
        }
        if !self.friend && self.name.is_some() {
            return Err(Invalid::new("A name is for a game with a friend."));
        }
        let setup = GameSetup {
            start: self.start()?,
            players: [player(&self.white)?, player(&self.black)?],
            control,
            seed: self.seed.unwrap_or(random),
            take_backs: self.take_backs,
            date: None,
            draws: true,
            remote: self.friend,
        };
        setup.check().map_err(Invalid::new)?;
        Ok(setup)
    }

    /// The game with a friend, and the seat that is kept free: the one who invites has the other.
    pub fn invite(&self, random: u64) -> Result<(GameSetup, Option<Side>), Invalid> {
        let mut setup = self.setup(random)?;
        if !self.friend {
            return Ok((setup, None));
        }
        let side = match self.colour {
            Colour::White => Side::White,
            Colour::Black => Side::Black,
            Colour::Random => Side::BOTH[(random >> 20 & 1) as usize],
        };
        setup.players[side as usize] = person(self.name.as_deref())?;
        Ok((setup, Some(side.other())))
    }

    fn start(&self) -> Result<Start, Invalid> {
        if self.position.as_ref().is_some_and(|text| text.len() > LONGEST) {
            return Err(Invalid::new("That position is too long."));
        }
        let start = match (self.game, &self.position, self.chess960) {
            (Game::Chess, None, None) => Ok(Start::standard()),
            (Game::Chess, None, Some(number)) => Start::chess960(number),
            (Game::Chess, Some(text), None) => Start::read(GameKind::Chess, text),
            (Game::Bishops, Some(text), None) => Start::read(GameKind::Bishops, text),
            (Game::Bishops, None, None) => {
                return Err(Invalid::new(
                    "The bishop-and-king game needs a position to start from.",
                ));
            }
            _ => {
                return Err(Invalid::new("A game has one start: a position or a Chess960 number."));
            }
        };
        start.map_err(Invalid::new)
    }
}

/// The longest name that is shown.
const LONGEST_NAME: usize = 24;

/// A person as they call themselves.
pub fn person(name: Option<&str>) -> Result<Player, Invalid> {
    let words: Vec<&str> = name.unwrap_or_default().split_whitespace().collect();
    if words.is_empty() {
        return Ok(Player::HUMAN);
    }
    let name = words.join(" ");
    let player = format!("human:{name}").parse().ok();
    player.filter(|_| name.chars().count() <= LONGEST_NAME).ok_or_else(|| {
        let sentence = format!("A name has at most {LONGEST_NAME} characters that can be seen.");
        Invalid::new(sentence)
    })
}

/// A player who may be asked for over the network: no program of this machine is started for a stranger.
fn player(name: &str) -> Result<Player, Invalid> {
    if let Some(name) = name.strip_prefix("human:") {
        return person(Some(name));
    }
    let player: Player = name.parse().map_err(Invalid::new)?;
    if matches!(player.kind, PlayerKind::Uci(_)) {
        return Err(Invalid::new("Other programs are not started from the browser."));
    }
    // Memory and threads of this machine are not a stranger's to give away; how soon it answers is.
    let pace = player.options.pace;
    if player.options != (PlayerOptions { pace, ..PlayerOptions::default() }) {
        return Err(Invalid::new("Players have no options in the browser but their pace."));
    }
    for (kind, most) in FARTHEST.iter().filter(|(kind, _)| name.starts_with(kind)) {
        if player.depth().is_some_and(|depth| depth > *most) {
            return Err(Invalid::new(format!("In the browser {kind}:{most} is the most.")));
        }
    }
    Ok(player)
}
