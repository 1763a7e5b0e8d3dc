use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tabiya_base::{Score, Stop};
use tabiya_chess::{Color, Game};
use tabiya_chess_view::uci;
use tabiya_engine::textbook::{MaterialEvaluation, Textbook};
use tabiya_engine::{Engine, Settings};
use tabiya_players::{Player, PlayerKind, Strength};
use tabiya_thinker::{Clocks, Info, Limits, ThinkError, Thinker, Timer};

use crate::EvaluationView;
use crate::rules::Task;
use crate::thinking::{Purpose, Thought, Work};

/// Positions the engine looks at for a move without a clock, for a hint, and for an evaluation: numbers, so
/// that the same game is played everywhere.
const MOVE_NODES: u64 = 400_000;
const HINT_NODES: u64 = 200_000;
const EVALUATION_NODES: u64 = 120_000;
/// Positions looked at to answer an offer of a draw at once.
const OFFER_NODES: u64 = 4_000;
/// How long another program thinks without a clock.
const UCI_TIME: Duration = Duration::from_secs(1);
/// A draw in so few moves of each side is declined unless things look grim.
const OPENING_MOVES: usize = 10;

/// Those who think: one for each side, and an adviser, each started when first asked. One question waits for the
/// other.
#[derive(Clone, Default)]
pub(super) struct Thinkers {
    sides: [Arc<Slot>; 2],
    adviser: Arc<Slot>,
}

type Slot = Mutex<Option<Box<dyn Thinker>>>;

impl Thinkers {
    pub(super) fn think(&self, game: &Game, chess960: bool, task: &Task<'_>) -> Work {
        let game = game.clone();
        let ours = Player::tabiya(Strength::Full);
        let (slot, player, nodes) = match task.purpose {
            Purpose::Move => {
                (&self.sides[game.position().turn() as usize], task.player.clone(), MOVE_NODES)
            }
            Purpose::Hint => (&self.adviser, ours, HINT_NODES),
            Purpose::Evaluation => (&self.adviser, ours, EVALUATION_NODES),
        };
        let limits = limits(&player, nodes, task);
        // With a clock our engine remembers, to play better. Without, the move shall depend on the game alone, not on
        // what was asked before, and a server full of games shall not be full of memories.
        let forgets = matches!(player.kind, PlayerKind::Tabiya(_)) && limits.clocks.is_none();
        let (slot, seed) = (Arc::clone(slot), task.seed);
        Box::new(move |stop| {
            let mut slot = slot.lock();
            let known = slot.take().filter(|_| !forgets);
            let mut thinker = match known {
                Some(thinker) => thinker,
                None => start(&player, seed).map_err(|error| error.to_string())?,
            };
            let name = match player.kind {
                PlayerKind::Uci(_) => Some(thinker.name().to_owned()),
                _ => None,
            };
            // One that has failed is started afresh the next time.
            let thought = ask(thinker.as_mut(), &game, &limits, chess960, stop)
                .map_err(|error| error.to_string())?;
            if !forgets {
                *slot = Some(thinker);
            }
            // Other programs do not tell what they think here.
            let evaluation = thought.evaluation.filter(|_| name.is_none());
            Ok(Thought { name, evaluation, ..thought })
        })
    }
}

fn limits(player: &Player, nodes: u64, task: &Task<'_>) -> Limits {
    let minds_the_clock = match (task.purpose, &player.kind) {
        // A level decides by itself how much it sees.
        (Purpose::Move, PlayerKind::Tabiya(strength)) => *strength == Strength::Full,
        (purpose, _) => purpose == Purpose::Move,
    };
    match (task.clocks.filter(|_| minds_the_clock), &player.kind) {
        (Some((time, control)), _) => Limits {
            clocks: Some(Clocks { time, increment: [control.increment; 2], moves_to_go: None }),
            timer: Some(Timer::start()),
            ..Limits::default()
        },
        (None, PlayerKind::Uci(_)) => Limits { movetime: Some(UCI_TIME), ..Limits::default() },
        (None, _) => Limits { nodes: Some(nodes), ..Limits::default() },
    }
}

fn start(player: &Player, seed: u64) -> Result<Box<dyn Thinker>, ThinkError> {
    let mut thinker = player.thinker_of_game(seed)?;
    thinker.new_game()?;
    Ok(thinker)
}

fn ask(
    thinker: &mut dyn Thinker,
    game: &Game,
    limits: &Limits,
    chess960: bool,
    stop: &Stop,
) -> Result<Thought, ThinkError> {
    let (mut evaluation, mut nodes) = (None, 0);
    let found = thinker.think(game, limits, stop, &mut |info: &Info| {
        nodes = info.nodes;
        if info.multipv == 1 {
            let score = info.score.for_white(game.position().turn() == Color::White);
            let chances = f32::from(score.expectation()) / 1000.0;
            evaluation = Some(EvaluationView { chances, text: score.to_string() });
        }
    })?;
    let uci = found.best.map(|m| uci(game.position(), m, chess960));
    Ok(Thought { uci, evaluation, name: None, nodes, memory: thinker.memory() })
}

/// Whether a computer would agree to a draw: when it is not better, in its own eyes.
pub(super) fn agrees_to_draw(
    game: &Game,
    side: Color,
    player: &Player,
) -> Result<(), &'static str> {
    let score = match player.kind {
        // It does not care.
        PlayerKind::Textbook(Textbook::Random { .. }) => return Ok(()),
        PlayerKind::Textbook(_) => {
            let points = MaterialEvaluation::default().evaluate(game.position());
            let white = (points.pawns() * 100.0) as i32;
            if side == Color::White { white } else { -white }
        }
        _ => {
            let limits = Limits { nodes: Some(OFFER_NODES), ..Limits::default() };
            let mut score = Score::Centipawns(0);
            let small = Settings { hash_megabytes: 1, ..Settings::default() };
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
