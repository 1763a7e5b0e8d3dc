use std::fmt::Write as _;

use serde_json::{Value, json};
use tabiya_chess::{Color, Position};
use tabiya_coach::{Exercise, Voice, reasons};
use tabiya_store::{CardKind, GameId, NewCard};

/// An exercise, and the game it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// What is asked.
    pub exercise: Exercise,
    /// The game, which may be gone.
    pub game: GameId,
    /// The half-move of the game that was the mistake, the first being 1.
    pub ply: u32,
    /// Who played White and Black.
    pub players: [String; 2],
    /// When: `2026.11.09`, if it is known.
    pub day: Option<String>,
    /// The move before the mistake, as programs write it.
    pub last: Option<String>,
    /// What the better move and the mistake are worth, as people read it: `+2.8`.
    pub worth: [String; 2],
}

impl Lesson {
    /// The card of the store for it. The same position is the same card, whatever game it comes from.
    pub fn card(&self) -> NewCard {
        let payload = json!({
            "exercise": self.exercise.to_string(),
            "game": self.game.0,
            "ply": self.ply,
            "players": self.players,
            "day": self.day,
            "last": self.last,
            "worth": self.worth,
        });
        NewCard {
            kind: CardKind::Exercise,
            key: key(&self.exercise.mistake.before),
            tags: self.exercise.topics.iter().map(|topic| topic.name().to_owned()).collect(),
            payload: payload.to_string(),
        }
    }

    /// Reads what a card of an exercise says; an error is a sentence.
    pub fn read(payload: &str) -> Result<Lesson, String> {
        let value: Value = serde_json::from_str(payload).map_err(|error| error.to_string())?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let pair = |name: &str| {
            let both = value.get(name)?.as_array()?;
            Some([text(both.first()?)?, text(both.get(1)?)?])
        };
        let lesson = || {
            Some(Lesson {
                exercise: value.get("exercise")?.as_str()?.parse().ok()?,
                game: GameId(value.get("game")?.as_i64()?),
                ply: value.get("ply")?.as_u64()?.try_into().ok()?,
                players: pair("players")?,
                day: value.get("day").and_then(text),
                last: value.get("last").and_then(text),
                worth: pair("worth")?,
            })
        };
        lesson().ok_or_else(|| "an exercise cannot be read".to_owned())
    }

    /// Whose mistake it is.
    pub fn side(&self) -> Color {
        self.exercise.mistake.loser()
    }

    /// Who played on the other side.
    pub fn opponent(&self) -> &str {
        let [white, black] = &self.players;
        if self.side() == Color::White { black } else { white }
    }

    /// The position with the better line, and what was played beside it, as a game record.
    pub fn pgn(&self) -> String {
        let mistake = &self.exercise.mistake;
        let clean = |text: &str| text.replace(['"', '\\', '\n', '{', '}'], "'");
        let [white, black] = self.players.each_ref().map(|name| clean(name));
        let mut text = format!(
            "[Event \"{}\"]\n[Date \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n",
            clean(&self.exercise.task()),
            clean(self.day.as_deref().unwrap_or("????.??.??")),
            mistake.before.fen(),
        );
        let told = reasons(mistake);
        let said = |reason: &Option<tabiya_coach::Reason>| {
            reason.as_ref().map(|one| format!(" {{{}}}", clean(&one.text(Voice::Nobody))))
        };
        let better = mistake.better_text();
        let (first, rest) = better.split_once(' ').unwrap_or((&better, ""));
        // What was played stands beside the first move, with how it is punished.
        let _ = write!(
            text,
            "{first}{} ({}{} {})",
            said(&told.better).unwrap_or_default(),
            mistake.played_text(),
            said(&told.wrong).unwrap_or_default(),
            mistake.refutation_text(),
        );
        // After a variation, Black's move has its number.
        if !rest.is_empty() && mistake.loser() == Color::White {
            let _ = write!(text, " {}...", mistake.before.fullmove_number());
        }
        let _ = writeln!(text, " {rest} *");
        text
    }
}

/// A position without what does not matter for it: the counts of moves.
fn key(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}
