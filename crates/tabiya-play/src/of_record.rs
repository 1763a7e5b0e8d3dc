use tabiya_pgn::GameResult;

use crate::{Entry, GameEnd, GameSetup, Past, Player, Start};

impl GameSetup {
    /// A recorded game as if it had been played here: who sat there, and what they played.
    ///
    /// ```
    /// use tabiya_play::GameSetup;
    ///
    /// let game = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 1-0".parse()?;
    /// let (setup, past) = GameSetup::of_record(&game);
    /// assert_eq!(setup.players[0].title(), "Anderssen");
    /// assert_eq!((past.entries.len(), past.end.unwrap().result), (3, "1-0"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn of_record(game: &tabiya_pgn::Game) -> (GameSetup, Past) {
        let known = |name: &str| {
            game.tag(name).filter(|value| !value.starts_with('?') && !value.is_empty())
        };
        let person = |name: &str| {
            let name: String = known(name)?.trim().chars().take(40).collect();
            format!("human:{name}").parse::<Player>().ok()
        };
        let mut added = Vec::new();
        let mut position = *game.tree().start();
        let chess960 = !position.castles_as_in_standard_chess();
        for m in game.to_play().moves() {
            let uci = if chess960 { position.uci_chess960(*m) } else { position.uci(*m) };
            added.push(Entry { uci, clocks: None });
            position.play_unchecked(*m);
        }
        let words = match game.result() {
            GameResult::WhiteWins => "White wins",
            GameResult::BlackWins => "Black wins",
            GameResult::Draw | GameResult::Unknown => "Draw",
        };
        let ending = known("Termination").unwrap_or(words);
        let end = game.to_play().outcome().map(|outcome| outcome.to_string());
        let ending = end.unwrap_or_else(|| ending.to_owned());
        let setup = GameSetup {
            players: ["White", "Black"].map(|name| person(name).unwrap_or(Player::HUMAN)),
            date: known("Date").map(ToOwned::to_owned),
            ..GameSetup::new(Start::Chess(*game.tree().start()))
        };
        let end = GameEnd::read(game.result().notation(), &ending);
        (setup, Past { entries: added, end })
    }
}
