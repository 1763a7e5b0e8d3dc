use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tabiya_chess::{Color, Game};
use tabiya_engine::textbook::{Material, Textbook};
use tabiya_engine::{Clocks, Engine, Info, Level, Limits, Score, Settings, Timer};
use tabiya_uci_protocol::{Client, Go, PositionCommand, Program};

use crate::convert::uci;
use crate::rules::Task;
use tabiya_base::Stop;

use crate::thinking::{Purpose, Thought, Work};
use crate::{EvaluationView, Player, Strength};

/// Positions the engine looks at for a move without a clock, for a hint, and for an opinion: numbers, so
/// that the same game is played everywhere.
const MOVE_NODES: u64 = 400_000;
const HINT_NODES: u64 = 200_000;
const OPINION_NODES: u64 = 120_000;
/// Positions looked at to answer an offer of a draw at once.
const OFFER_NODES: u64 = 4_000;
/// How long another program thinks without a clock.
const UCI_TIME: Duration = Duration::from_secs(1);
/// A draw in so few moves of each side is declined unless things look grim.
const OPENING_MOVES: usize = 10;

/// Those who think: one for each side, and an adviser. They remember from move to move, and one question
/// waits for the other.
#[derive(Clone, Default)]
pub(super) struct Minds {
    sides: [Arc<Mutex<Mind>>; 2],
    adviser: Arc<Mutex<Mind>>,
}

/// Started when first asked.
#[derive(Default)]
struct Mind {
    engine: Option<Engine>,
    client: Option<Client>,
}

impl Minds {
    pub(super) fn think(&self, game: &Game, chess960: bool, task: &Task<'_>) -> Work {
        let game = game.clone();
        let turn = game.position().turn();
        let mind = match task.purpose {
            Purpose::Move => Arc::clone(&self.sides[turn as usize]),
            Purpose::Hint | Purpose::Evaluation => Arc::clone(&self.adviser),
        };
        let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        let (seed, clocks) = (task.seed, task.clocks);
        match (task.purpose, task.player) {
            (Purpose::Hint, _) => engine_work(mind, game, None, limits(HINT_NODES), chess960),
            (Purpose::Evaluation, _) => {
                engine_work(mind, game, None, limits(OPINION_NODES), chess960)
            }
            (Purpose::Move, Player::Textbook(textbook)) => {
                textbook_work(seeded(*textbook, seed), game, chess960)
            }
            (Purpose::Move, Player::Uci(program)) => {
                let program = program.clone();
                Box::new(move |stop| {
                    let mut mind = mind.lock().unwrap_or_else(PoisonError::into_inner);
                    ask_client(&mut mind, &program, &game, chess960, clocks.as_ref(), stop)
                })
            }
            (Purpose::Move, player) => {
                let level = match player {
                    Player::Tabiya(Strength::Elo(level)) => Some((*level, seed)),
                    _ => None,
                };
                let limits = match clocks {
                    Some((time, control)) if level.is_none() => Limits {
                        clocks: Some(Clocks {
                            time,
                            increment: [control.increment; 2],
                            moves_to_go: None,
                        }),
                        timer: Some(Timer::start()),
                        ..Limits::default()
                    },
                    _ => limits(MOVE_NODES),
                };
                engine_work(mind, game, level, limits, chess960)
            }
        }
    }
}

/// A random mover without a seed of its own takes that of the game.
const fn seeded(textbook: Textbook, seed: u64) -> Textbook {
    match textbook {
        Textbook::Random { seed: 0 } => Textbook::Random { seed },
        textbook => textbook,
    }
}

fn textbook_work(textbook: Textbook, game: Game, chess960: bool) -> Work {
    Box::new(move |_| {
        let uci = textbook.choose(&game).map(|m| uci(game.position(), m, chess960));
        Ok(Thought { uci, ..Thought::default() })
    })
}

fn engine_work(
    mind: Arc<Mutex<Mind>>,
    game: Game,
    level: Option<(Level, u64)>,
    limits: Limits,
    chess960: bool,
) -> Work {
    Box::new(move |stop| {
        let settings = Settings {
            // A level brings a table of its own.
            hash_megabytes: if level.is_some() { 1 } else { Settings::default().hash_megabytes },
            level: level.map(|(level, _)| level),
            seed: level.map_or(0, |(_, seed)| seed),
            ..Settings::default()
        };
        // With a clock it remembers, to play better. Without, the move shall depend on the game alone, not on
        // what was asked before, and a house full of games shall not be full of memories.
        let mut mind = mind.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fresh = None;
        let engine = match limits.clocks {
            Some(_) => mind.engine.get_or_insert_with(|| Engine::new(settings)),
            None => fresh.insert(Engine::new(settings)),
        };
        let mut last = None;
        let found = engine.think_until(&game, limits, stop, |info| {
            if info.multipv == 1 {
                last = Some(evaluation(game.position().turn(), info));
            }
        });
        let uci = found.best.map(|m| uci(game.position(), m, chess960));
        Ok(Thought { uci, evaluation: last, name: None })
    })
}

/// As White sees it.
fn evaluation(turn: Color, info: &Info) -> EvaluationView {
    let score = info.score.for_white(turn == Color::White);
    EvaluationView { chances: f32::from(score.expectation()) / 1000.0, text: score.to_string() }
}

fn ask_client(
    mind: &mut Mind,
    program: &str,
    game: &Game,
    chess960: bool,
    clocks: Option<&([Duration; 2], crate::TimeControl)>,
    stop: &Stop,
) -> Result<Thought, String> {
    let client = match mind.client.take() {
        Some(client) => client,
        None => start(program, chess960)?,
    };
    let client = mind.client.insert(client);
    let turn = game.position().turn();
    let (go, limit) = match clocks {
        Some(&([white, black], control)) => (
            Go {
                wtime: Some(white),
                btime: Some(black),
                winc: Some(control.increment),
                binc: Some(control.increment),
                ..Go::default()
            },
            [white, black][turn as usize],
        ),
        None => (Go { movetime: Some(UCI_TIME), ..Go::default() }, UCI_TIME * 2),
    };
    let answer = client.go(&PositionCommand::from_game(game, chess960), &go, limit, stop, |_| {});
    let name = Some(client.name().to_owned());
    match answer {
        Ok(answer) => Ok(Thought { uci: answer.best_move.best, evaluation: None, name }),
        Err(error) => {
            // It is started afresh the next time.
            mind.client = None;
            Err(error.to_string())
        }
    }
}

/// A path, or a program and its arguments.
fn start(program: &str, chess960: bool) -> Result<Client, String> {
    let mut words = program.split_whitespace().map(ToOwned::to_owned);
    let program = match (Path::new(program).exists(), words.next()) {
        (false, Some(path)) => Program { args: words.collect(), ..Program::new(path) },
        _ => Program::new(program),
    };
    let mut client = program.start().map_err(|error| error.to_string())?;
    if chess960 {
        client.set_option("UCI_Chess960", Some("true")).map_err(|error| error.to_string())?;
    }
    client.new_game().map_err(|error| error.to_string())?;
    Ok(client)
}

/// Whether a computer would agree to a draw: when it is not better, in its own eyes.
pub(super) fn agrees_to_draw(
    game: &Game,
    side: Color,
    player: &Player,
) -> Result<(), &'static str> {
    let score = match player {
        // It has no opinion.
        Player::Textbook(Textbook::Random { .. }) => return Ok(()),
        Player::Textbook(_) => {
            let points = Material::default().evaluate(game.position());
            let white = (points.pawns() * 100.0) as i32;
            if side == Color::White { white } else { -white }
        }
        _ => {
            let small = Settings { hash_megabytes: 1, ..Settings::default() };
            let limits = Limits { nodes: Some(OFFER_NODES), ..Limits::default() };
            let mut score = Score::Centipawns(0);
            Engine::new(small).think(game, limits, |info| score = info.score);
            if game.position().turn() == side { score.rank() } else { -score.rank() }
        }
    };
    if score > 0 {
        Err("it likes its position")
    } else if game.moves().len() < 2 * OPENING_MOVES && score > -150 {
        Err("the game has only begun")
    } else {
        Ok(())
    }
}
