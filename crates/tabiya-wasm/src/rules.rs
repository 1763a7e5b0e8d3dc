//! Positions and moves.

use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::game::{destinations, piece, role, side, square};
use tabiya_api::positions::{LineJson, SketchJson};
use tabiya_chess::{Color, Game, Move, Outcome, Position, perft};
use tabiya_chess_view as view;

/// The most moves that lead to a position.
const LONGEST: usize = 2000;
/// A perft that is deeper takes hours.
const DEEPEST: u32 = 9;

/// A position: where a game began, and the moves since then.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The usual start if it is missing.
    fen: Option<String>,
    /// In any notation.
    #[serde(default)]
    moves: Vec<String>,
}

impl Place {
    /// The game that leads there.
    pub(crate) fn game(&self) -> Result<Game, Invalid> {
        if self.moves.len() > LONGEST {
            return Err(Invalid::new("that is too long for a game"));
        }
        let start = match &self.fen {
            Some(fen) => Position::from_fen_prefix(fen).map_err(Invalid::new)?,
            None => Position::initial(),
        };
        let mut game = Game::from_position(start);
        for text in &self.moves {
            let m = game.position().parse_move(text).map_err(Invalid::new)?;
            game.play_unchecked(m);
        }
        Ok(game)
    }
}

/// What can be asked about positions.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum RulesCall {
    /// All about a position.
    Position {
        #[serde(default)]
        at: Place,
    },
    /// The start of a game of Chess960.
    Chess960 { number: u16 },
    /// A move, in any notation.
    Play {
        #[serde(default)]
        at: Place,
        r#move: String,
    },
    /// How many lines there are of so many moves.
    Perft {
        #[serde(default)]
        at: Place,
        depth: u32,
    },
    /// Whether a position that somebody sets up is possible.
    CheckPosition { sketch: SketchJson },
    /// What the board shows after some moves.
    ShowLine { line: LineJson },
    /// The levels that have names.
    Levels {},
}

impl RulesCall {
    pub(crate) const NAMES: [&str; 7] =
        ["position", "chess960", "play", "perft", "check-position", "show-line", "levels"];
}

pub(crate) fn answer(call: RulesCall) -> Result<Value, Invalid> {
    match call {
        RulesCall::Position { at } => Ok(position(&at.game()?)),
        RulesCall::Chess960 { number } => {
            let none = || Invalid::new("the positions of Chess960 are numbered 0 to 959");
            Ok(position(&Game::from_position(Position::chess960(number).ok_or_else(none)?)))
        }
        RulesCall::Play { at, r#move } => {
            let game = at.game()?;
            let before = game.position();
            let m = before.parse_move(&r#move).map_err(Invalid::new)?;
            let after = before.play(m).map_err(Invalid::new)?;
            let san = before.san(m);
            Ok(json!({ "fen": after.fen(), "uci": uci(&game, m), "san": san }))
        }
        RulesCall::Perft { at, depth } if depth <= DEEPEST => {
            Ok(json!(perft(at.game()?.position(), depth)))
        }
        RulesCall::CheckPosition { sketch } => sketch.check(),
        RulesCall::ShowLine { line } => line.show(),
        RulesCall::Levels {} => Ok(tabiya_api::levels()),
        RulesCall::Perft { .. } => Err(Invalid::new(format!("perft goes {DEEPEST} deep at most"))),
    }
}

fn is_chess960(game: &Game) -> bool {
    !game.start().castles_as_in_standard_chess()
}

/// A move of the last position, as programs write it.
pub(crate) fn uci(game: &Game, m: Move) -> String {
    view::uci(game.position(), m, is_chess960(game))
}

fn color(color: Color) -> &'static str {
    side(view::side(color))
}

fn position(game: &Game) -> Value {
    let position = game.position();
    let last = game.moves().last();
    let moves: Vec<Value> = position.legal_moves().into_iter().map(|m| told(game, m)).collect();
    json!({
        "fen": position.fen(),
        "turn": color(position.turn()),
        "check": view::check(position).map(square),
        "halfmove_clock": position.halfmove_clock(),
        "fullmove_number": position.fullmove_number(),
        "outcome": game.outcome().map(outcome),
        "claimable": game.claimable_draw().map(outcome),
        "moves": moves,
        "pieces": view::pieces(position).iter().map(piece).collect::<Vec<_>>(),
        "destinations": view::destinations(position, is_chess960(game))
            .iter()
            .map(destinations)
            .collect::<Vec<_>>(),
        "last": last.map(|m| [m.from().to_string(), m.to().to_string()]),
    })
}

fn told(game: &Game, m: Move) -> Value {
    let position = game.position();
    json!({
        "uci": uci(game, m),
        "san": position.san(m),
        "from": m.from().to_string(),
        "to": m.to().to_string(),
        "promotion": m.promotes_to().map(|one| role(view::piece_role(one))),
        "captures": view::captured_on(position, m).map(|at| at.to_string()),
    })
}

fn outcome(outcome: Outcome) -> Value {
    json!({
        "winner": outcome.winner().map(color),
        "result": outcome.result(),
        "text": outcome.to_string(),
    })
}
