use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::str::FromStr;
use std::time::Duration;

use tabiya_chess::drawing::BoardStyle;
use tabiya_chess::{Color, Game, Move, Outcome, ParseMoveError, Role, Square};
use tabiya_engine::textbook::Textbook;
use tabiya_engine::{Engine, Level, Limits, Settings, Timer};
use tabiya_uci::{Line, LineReader};

/// A line at a time: type a move (e4, e2e4, e2 -> e4, O-O, e8=Q), a square to see where its piece may
/// go, or "help". Players are human, random, minimax:2, alphabeta:3 (any depth), tabiya:1200 (the engine
/// at a level, in Elo) and tabiya (as well as it can).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya play                                          you against a random mover
  tabiya play --black tabiya:1000                      you against the engine at a level
  tabiya play --black alphabeta:3                      you against a textbook
  tabiya play --black human                            two people at one keyboard
  tabiya play --white tabiya --black minimax:2         watch")]
pub(crate) struct Args {
    /// Who plays White.
    #[arg(long, default_value = "human", value_name = "WHO")]
    white: Player,

    /// Who plays Black.
    #[arg(long, default_value = "random", value_name = "WHO")]
    black: Player,

    /// The position to play from; the start of a game if not given.
    #[arg(long, value_name = "FEN", num_args = 1..=6)]
    fen: Vec<String>,

    /// Make random movers and levels play the same game again.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Player {
    /// Types moves.
    Human,
    /// The engine, perhaps at a level.
    Tabiya(Option<Level>),
    /// A simple player.
    Textbook(Textbook),
}

impl FromStr for Player {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Player> {
        Ok(match (text, text.strip_prefix("tabiya:")) {
            ("human", _) => Player::Human,
            ("tabiya", _) => Player::Tabiya(None),
            (_, Some(level)) => Player::Tabiya(Some(level.parse()?)),
            (textbook, None) => Player::Textbook(textbook.parse()?),
        })
    }
}

/// How long the engine thinks.
const THINKING: Duration = Duration::from_millis(500);

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya"));
    let seeded = |player| match player {
        Player::Textbook(Textbook::Random { seed: 0 }) => {
            Player::Textbook(Textbook::Random { seed })
        }
        player => player,
    };
    let mut table = Table {
        game: Game::from_position(crate::position(&args.fen)?),
        players: [seeded(args.white), seeded(args.black)],
        seed,
        engine: None,
        input: LineReader::new(std::io::stdin().lock()),
        out: std::io::stdout().lock(),
        prompts: std::io::stdin().is_terminal(),
    };
    table.play()
}

/// A game in progress between two players at one terminal.
struct Table<I, O> {
    game: Game,
    players: [Player; 2],
    /// What levels draw their game from.
    seed: u64,
    /// Made when it is first asked.
    engine: Option<Engine>,
    input: LineReader<I>,
    out: O,
    prompts: bool,
}

/// What a person typed.
enum Answer {
    Line(String),
    End,
}

impl<I: BufRead, O: Write> Table<I, O> {
    fn play(&mut self) -> anyhow::Result<()> {
        if self.players[self.game.position().turn() as usize] == Player::Human {
            self.draw()?;
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok(self.finish(outcome)?);
            }
            let turn = self.game.position().turn();
            let chosen = match self.players[turn as usize] {
                Player::Human => {
                    if self.ask(turn)?.is_break() {
                        return Ok(());
                    }
                    continue;
                }
                Player::Tabiya(level) => self.think(level),
                Player::Textbook(textbook) => textbook.choose(&self.game),
            };
            match chosen {
                Some(m) => self.make(m)?,
                None => anyhow::bail!("{turn} found no move"),
            }
        }
    }

    fn think(&mut self, level: Option<Level>) -> Option<Move> {
        let engine = self.engine.get_or_insert_with(|| Engine::new(Settings::default()));
        engine.set(Settings { level, seed: self.seed, ..Settings::default() });
        let limits =
            Limits { movetime: Some(THINKING), timer: Some(Timer::start()), ..Limits::default() };
        engine.go(&self.game, limits, |_| {}).wait().best
    }

    fn draw(&mut self) -> std::io::Result<()> {
        writeln!(self.out, "{}", self.game.position().board().draw(BoardStyle::Letters))
    }

    fn make(&mut self, m: Move) -> std::io::Result<()> {
        let turn = self.game.position().turn();
        self.game.play_unchecked(m);
        writeln!(self.out, "{turn} moves: {m}")?;
        self.draw()
    }

    fn finish(&mut self, outcome: Outcome) -> std::io::Result<()> {
        let turn = self.game.position().turn();
        match outcome {
            Outcome::Checkmate { .. } | Outcome::Stalemate => {
                writeln!(self.out, "{outcome}.")?;
                writeln!(self.out, "No legal moves left for {turn}. Game over!")
            }
            _ => writeln!(self.out, "{outcome}. Game over!"),
        }
    }

    fn read(&mut self, question: &str) -> std::io::Result<Answer> {
        if self.prompts {
            write!(self.out, "{question}")?;
            self.out.flush()?;
        }
        Ok(match self.input.next_line()? {
            Some(Line::Text(text) | Line::TooLong { beginning: text }) => {
                Answer::Line(text.trim().to_owned())
            }
            None => Answer::End,
        })
    }

    fn ask(&mut self, turn: Color) -> std::io::Result<ControlFlow<()>> {
        let check = if self.game.position().is_check() { " (check)" } else { "" };
        let Answer::Line(line) = self.read(&format!("{}{check}: ", turn.name()))? else {
            writeln!(self.out)?;
            return Ok(ControlFlow::Break(()));
        };
        match line.as_str() {
            "" => {}
            "quit" => return Ok(ControlFlow::Break(())),
            "help" => writeln!(self.out, "{HELP}")?,
            "fen" => writeln!(self.out, "{}", self.game.position().fen())?,
            "moves" => {
                let position = self.game.position();
                let moves: Vec<String> =
                    position.legal_moves().iter().map(|&m| position.san(m)).collect();
                writeln!(self.out, "{}", moves.join(" "))?;
            }
            "undo" => self.undo()?,
            "redo" => match self.game.redo() {
                Some(_) => self.draw()?,
                None => writeln!(self.out, "There is nothing to play again.")?,
            },
            text => self.submit(text)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes back the last move; against a player who answers at once, the answer as well.
    fn undo(&mut self) -> std::io::Result<()> {
        if self.game.undo().is_none() {
            return writeln!(self.out, "There is no move to take back.");
        }
        let turn = self.game.position().turn();
        if self.players[turn as usize] != Player::Human && self.game.undo().is_none() {
            self.game.redo();
        }
        self.draw()
    }

    fn submit(&mut self, text: &str) -> std::io::Result<()> {
        let position = self.game.position();
        if let Ok(square) = text.parse::<Square>()
            && position.board().color(position.turn()).contains(square)
        {
            return self.list(square);
        }
        match self.game.position().parse_move(text) {
            Ok(m) => self.make(m),
            Err(ParseMoveError::PromotionMissing { .. }) => self.promote(text),
            Err(error) => writeln!(self.out, "{error}"),
        }
    }

    fn list(&mut self, square: Square) -> std::io::Result<()> {
        let position = self.game.position();
        let targets: Vec<String> =
            position.destinations(square).into_iter().map(|to| to.to_string()).collect();
        match targets.as_slice() {
            [] => writeln!(self.out, "The piece on {square} has no legal move."),
            _ => writeln!(self.out, "{square} may go to {}", targets.join(" ")),
        }
    }

    fn promote(&mut self, text: &str) -> std::io::Result<()> {
        let question = "Promote to queen, rook, bishop or knight? ";
        if !self.prompts {
            writeln!(self.out, "{}", question.trim_end())?;
        }
        let Answer::Line(answer) = self.read(question)? else { return Ok(()) };
        let role = Role::PROMOTIONS.into_iter().find(|role| {
            answer.eq_ignore_ascii_case(role.name())
                || answer.eq_ignore_ascii_case(&role.letter().to_string())
        });
        let Some(role) = role else {
            return writeln!(self.out, "A pawn becomes a queen, a rook, a bishop or a knight.");
        };
        match self.game.position().parse_move(&format!("{text}={}", role.letter())) {
            Ok(m) => self.make(m),
            Err(error) => writeln!(self.out, "{error}"),
        }
    }
}

const HELP: &str = "\
Type a move: e4, Nf3, O-O, e2e4, e2 -> e4, e8=Q. Type a square to see where its piece may go.
  moves   all legal moves        fen    the position as text
  undo    take back              redo   play it again
  quit    leave the game         help   this";
