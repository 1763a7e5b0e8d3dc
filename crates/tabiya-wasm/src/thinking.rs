//! What takes time: the engine, reviews, the solver. They remember nothing; whoever wants an end to them ends the program
//! that they run in.

use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::study::ReportJson;
use tabiya_base::{Score, Stop};
use tabiya_chess::{Color, Game};
use tabiya_engine::{BENCH_DEPTH, Engine, Network, Settings, bench};
use tabiya_pgn::Game as Record;
use tabiya_play::{
    Executor, GameController as _, GameSetup, Past, Player, Session, SessionDeps, Start,
    compose_bishops,
};
use tabiya_review::{Review, ReviewSettings, deepen, fingerprint, review};
use tabiya_thinker::{Info, Limits, Lines, Timer};

use crate::backend::Listener;
use crate::games::Kept;
use crate::rules::{Place, uci};
use crate::studies::KeptStudy;

/// The most memory for what the engine remembers, in megabytes.
const MOST_HASH: usize = 256;

/// What can be asked of those who think.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ThinkingCall {
    /// The best lines of a position. Without a limit it goes on until somebody ends it.
    Analyse {
        #[serde(default)]
        at: Place,
        depth: Option<u32>,
        nodes: Option<u64>,
        /// Milliseconds.
        time: Option<f64>,
        lines: Option<usize>,
        /// Megabytes.
        hash: Option<usize>,
    },
    /// The move of a player: `tabiya:1200`.
    Move {
        #[serde(default)]
        at: Place,
        player: String,
        #[serde(default)]
        seed: u64,
    },
    /// The nodes of a fixed search, and the time it took.
    Bench { depth: Option<u32> },
    /// The best lines after a node of a study, until there is no more to find.
    Lines { study: KeptStudy, node: usize, lines: usize },
    /// By what a review of a record is known.
    ReviewKey { record: String },
    /// A review: the record with it.
    Review { record: String },
    /// A deeper look at a half-move of a record that has a review in it, or at all.
    Deepen { record: String, ply: Option<usize> },
    /// The review that is in a record; with another record of the same moves, that one annotated.
    ReadReview { record: String, beside: Option<String> },
    /// A position of the bishop-and-king game.
    Compose {
        size: u8,
        white_bishops: usize,
        black_bishops: usize,
        mate: Option<u32>,
        #[serde(default)]
        seed: u64,
    },
    /// Whether somebody mates in the bishop-and-king game.
    Verdict { game: Kept, moves: u32 },
}

impl ThinkingCall {
    pub(crate) const NAMES: [&str; 10] = [
        "analyse",
        "move",
        "bench",
        "lines",
        "review-key",
        "review",
        "deepen",
        "read-review",
        "compose",
        "verdict",
    ];
}

pub(crate) fn answer(call: ThinkingCall, listener: Listener<'_>) -> Result<Value, Invalid> {
    match call {
        ThinkingCall::Analyse { at, depth, nodes, time, lines, hash } => {
            let limits = Limits {
                depth,
                nodes,
                movetime: match time {
                    Some(time) => Some(milliseconds(time)?),
                    None => None,
                },
                multipv: Some(lines.unwrap_or(1).clamp(1, 256)),
                timer: Some(Timer::start()),
                ..Limits::default()
            };
            analyse(&at.game()?, limits, hash.unwrap_or(16).clamp(1, MOST_HASH), listener)
        }
        ThinkingCall::Move { at, player, seed } => played(&at, &player, seed),
        ThinkingCall::Bench { depth } => {
            let depth = depth.unwrap_or(BENCH_DEPTH);
            let done =
                bench(depth, Some(Network::built_in()), &Stop::default(), |number, nodes| {
                    listener(&json!({ "position": number, "nodes": nodes }).to_string());
                });
            Ok(json!({ "nodes": done.nodes, "time": done.time.as_secs_f64() * 1000.0 }))
        }
        ThinkingCall::Lines { study, node, lines } => {
            let question = study.study()?.question(node, lines).map_err(Invalid::new)?;
            let mut engine = Engine::new(Settings::default());
            question
                .ask(&mut engine, &Stop::default(), |report| {
                    // Plain structures with text keys: there is nothing in them that JSON cannot say.
                    let said = serde_json::to_string(&ReportJson::new(report));
                    listener(&said.unwrap_or_default());
                })
                .map_err(Invalid::new)?;
            Ok(Value::Null)
        }
        ThinkingCall::ReviewKey { record } => {
            Ok(json!(fingerprint(&reviewable(&record)?, &ReviewSettings::default())))
        }
        ThinkingCall::Review { record } => {
            let game = reviewable(&record)?;
            reviewed(game, listener, |game, tell| {
                review(game, &ReviewSettings::default(), tell, &Stop::default())
            })
        }
        ThinkingCall::Deepen { record, ply } => {
            let game = parse(&record)?;
            let known = Review::read(&game).ok_or_else(no_review)?;
            if ply.is_some_and(|ply| !(1..=known.moves.len()).contains(&ply)) {
                return Err(Invalid::new("there is no such move in the review"));
            }
            if !known.can_deepen(ply) {
                return Err(Invalid::new("this is as deep as a review goes"));
            }
            reviewed(game, listener, |game, tell| {
                deepen(game, ply, &ReviewSettings::default(), tell, &Stop::default())
            })
        }
        ThinkingCall::ReadReview { record, beside } => {
            let mut game = parse(&record)?;
            let review = Review::read(&game).ok_or_else(no_review)?;
            if let Some(beside) = beside {
                let latest = parse(&beside)?;
                let key = |game: &Record| fingerprint(game, &ReviewSettings::default());
                if key(&latest) == key(&game) {
                    game = latest;
                    review.annotate(&mut game);
                }
            }
            Ok(json!({ "review": review.json(), "record": game.to_string() }))
        }
        ThinkingCall::Compose { size, white_bishops, black_bishops, mate, seed } => {
            let stop = Stop::default();
            let board = compose_bishops(size, white_bishops, black_bishops, mate, seed, &stop);
            Ok(json!({ "position": board.map_err(Invalid::new)? }))
        }
        ThinkingCall::Verdict { game, moves } => {
            let session = game.session(quiet())?;
            let search = session.mate_search(moves).map_err(Invalid::new)?;
            let verdict = search.run(&Stop::default());
            Ok(match verdict.mate {
                Some(mate) => json!({
                    "mate": mate,
                    "first": verdict.first,
                    "line": verdict.line,
                    "text": verdict.text,
                }),
                None => json!({ "mate": null, "text": verdict.text }),
            })
        }
    }
}

/// Means of a game in which nobody thinks.
fn quiet() -> SessionDeps {
    SessionDeps { executor: Executor::new(drop), ..SessionDeps::default() }
}

fn milliseconds(time: f64) -> Result<std::time::Duration, Invalid> {
    std::time::Duration::try_from_secs_f64(time / 1000.0)
        .map_err(|_| Invalid::new("a time is a number of milliseconds"))
}

fn parse(record: &str) -> Result<Record, Invalid> {
    record.parse().map_err(|error: tabiya_pgn::ReadError| Invalid::new(error))
}

fn no_review() -> Invalid {
    Invalid::new("there is no review in that record")
}

/// A game that can be reviewed.
fn reviewable(record: &str) -> Result<Record, Invalid> {
    let game = parse(record)?;
    if game.tree().is_empty() {
        return Err(Invalid::new("there are no moves to review yet"));
    }
    tabiya_api::reviewable(game.tree().main_line().count())?;
    Ok(game)
}

/// Makes a review and puts it into the record.
fn reviewed(
    mut game: Record,
    listener: Listener<'_>,
    make: impl FnOnce(
        &Record,
        &mut (dyn FnMut(usize, usize) + Send),
    ) -> Result<Review, tabiya_review::Stopped>,
) -> Result<Value, Invalid> {
    let mut tell = |done: usize, of: usize| {
        listener(&json!({ "done": done, "of": of }).to_string());
    };
    let review = make(&game, &mut tell).map_err(Invalid::new)?;
    review.annotate(&mut game);
    Ok(json!({ "record": game.to_string(), "review": review.json() }))
}

/// The move that a player would play in a game, as programs write it: the same that it plays anywhere.
fn played(at: &Place, player: &str, seed: u64) -> Result<Value, Invalid> {
    let game = at.game()?;
    let player: Player = player.parse().map_err(Invalid::new)?;
    if player.is_person() {
        return Err(Invalid::new("a person cannot be asked here"));
    }
    let mut entries = Vec::new();
    let mut line = Game::from_position(*game.start());
    for &m in game.moves() {
        entries.push(tabiya_play::Entry { uci: uci(&line, m), clocks: None });
        line.play_unchecked(m);
    }
    let setup = GameSetup {
        players: [player.clone(), player],
        seed,
        ..GameSetup::new(Start::Chess(*game.start()))
    };
    let deps = SessionDeps { executor: Executor::here(), ..SessionDeps::default() };
    let before = entries.len();
    let mut session =
        Session::restore(setup, &Past { entries, end: None }, deps).map_err(Invalid::new)?;
    session.poll();
    let view = session.view();
    match view.moves.get(before) {
        Some(played) => Ok(json!({ "uci": played.uci, "san": played.san })),
        None => Err(Invalid::new(view.status)),
    }
}

fn analyse(
    game: &Game,
    limits: Limits,
    hash_megabytes: usize,
    listener: Listener<'_>,
) -> Result<Value, Invalid> {
    let mut engine = Engine::new(Settings { hash_megabytes, ..Settings::default() });
    let mut lines = Lines::new(limits.multipv.unwrap_or(1));
    let found = engine.think(game, limits, |info| {
        if lines.hear(info) {
            listener(&told(game, &lines).to_string());
        }
    });
    let mut told = told(game, &lines);
    told["best"] = json!(found.best.map(|m| uci(game, m)));
    let next = found.best.and_then(|best| {
        let mut game = game.clone();
        game.play(best).ok()?;
        Some(uci(&game, found.ponder?))
    });
    told["ponder"] = json!(next);
    Ok(told)
}

/// The lines as they stand.
fn told(game: &Game, lines: &Lines) -> Value {
    let line = |info: &Info| {
        let white = game.position().turn() == Color::White;
        let (centipawns, mate) = match info.score {
            Score::Centipawns(centipawns) => (Some(centipawns), None),
            Score::Mate(moves) => (None, Some(moves)),
        };
        let mut after = game.clone();
        let (mut codes, mut texts) = (Vec::new(), Vec::new());
        for &m in &info.pv {
            codes.push(uci(&after, m));
            texts.push(after.position().san(m));
            after.play_unchecked(m);
        }
        json!({
            "depth": info.depth,
            "centipawns": centipawns,
            "mate": mate,
            // As White sees it, as people write it.
            "score": info.score.for_white(white).to_string(),
            "uci": codes,
            "san": texts,
        })
    };
    let best = lines.best();
    json!({
        "depth": best.map_or(0, |info| info.depth),
        "nodes": best.map_or(0, |info| info.nodes),
        "nodes_per_second": best.map_or(0, Info::nodes_per_second),
        "lines": lines.all().map(line).collect::<Vec<_>>(),
    })
}
