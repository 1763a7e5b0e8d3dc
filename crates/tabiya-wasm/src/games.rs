//! Games that are played: the sessions that the server has, without a server.
//!
//! A game is given as it was kept, and every answer that changes it has what is to be kept. Whoever asks keeps it before
//! anybody is shown the change; if that fails, the game is closed and opened again as it was.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::asked::{self, MoveJson};
use tabiya_api::game::{self, PastJson, PieceJson, piece};
use tabiya_api::new_game::NewGame;
use tabiya_pgn::{ReadError, Reader};
use tabiya_play::{
    Change, Entry, Executor, GameController as _, GameEnd, GameKind, GameSetup, Journal, Past,
    Player, Session, SessionDeps, Side, Start, ThinkingTask,
};
use tabiya_review::Opening;

/// Later moves do not change the name of an opening.
const OPENING: usize = 40;

/// What can be asked about games that are played.
#[derive(Deserialize)]
#[serde(tag = "call", deny_unknown_fields)]
pub(crate) enum GameCall {
    /// Begins a game under a number.
    #[serde(rename = "game-begin")]
    Begin { id: u64, base: u64, order: NewGame, random: u64, date: String },
    /// Takes up a game that was kept.
    #[serde(rename = "game-open")]
    Open { id: u64, base: u64, kept: Kept },
    /// Puts a game away.
    #[serde(rename = "game-close")]
    Close { id: u64 },
    /// What a page shows.
    #[serde(rename = "game-view")]
    View { id: u64 },
    /// What the board showed before the first move and after each.
    #[serde(rename = "game-positions")]
    Positions { id: u64 },
    /// The position as text.
    #[serde(rename = "game-position")]
    Position { id: u64 },
    /// What attacks a square.
    #[serde(rename = "game-attackers")]
    Attackers { id: u64, square: String },
    /// The game as a file.
    #[serde(rename = "game-record")]
    Record { id: u64 },
    /// A move of a person.
    #[serde(rename = "game-move")]
    Move { id: u64, side: String, played: MoveJson },
    /// What a person asks for besides moving.
    #[serde(rename = "game-request")]
    Request { id: u64, side: String, request: String, ply: Option<usize> },
    /// Has one computer think that waits for its turn; what was asked for is heard at the next poll.
    #[serde(rename = "game-work")]
    Work {},
    /// Looks after clocks, and takes in one move of a computer.
    #[serde(rename = "game-poll")]
    Poll { id: u64 },
    /// All games of a PGN text, to be kept.
    #[serde(rename = "game-import")]
    Import { text: String },
}

/// A game as it is kept between visits.
#[derive(Serialize, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    kind: String,
    start: String,
    players: [String; 2],
    time: Option<String>,
    seed: u64,
    take_backs: bool,
    draws: bool,
    date: Option<String>,
    moves: Vec<String>,
    /// What White and Black had left after each move, in milliseconds; nothing without clocks.
    clocks: Vec<Option<[u64; 2]>>,
    /// The result, and how it came about.
    end: Option<[String; 2]>,
    undone: Vec<String>,
    /// The record of a game from outside, as it came.
    record: Option<String>,
}

impl Kept {
    fn of(setup: &GameSetup, past: &Past, undone: Vec<String>, record: Option<String>) -> Kept {
        let clocks = past.entries.iter().map(|entry| entry.clocks.map(|both| both.map(millis)));
        Kept {
            kind: game::kind(setup.start.kind()).to_owned(),
            start: setup.start.text(),
            players: setup.players.each_ref().map(ToString::to_string),
            time: setup.control.map(|control| control.to_string()),
            seed: setup.seed,
            take_backs: setup.take_backs,
            draws: setup.draws,
            date: setup.date.clone(),
            moves: past.entries.iter().map(|entry| entry.uci.clone()).collect(),
            clocks: clocks.collect(),
            end: past.end.as_ref().map(|end| [end.result.to_owned(), end.text.clone()]),
            undone,
            record,
        }
    }

    fn setup(&self) -> Result<GameSetup, Invalid> {
        let kind = match self.kind.as_str() {
            "chess" => GameKind::Chess,
            "bishops" => GameKind::Bishops,
            _ => return Err(Invalid::new("the games are chess and bishops")),
        };
        let player = |name: &String| name.parse::<Player>().map_err(Invalid::new);
        let time = self.time.as_ref().map(|text| text.parse()).transpose();
        Ok(GameSetup {
            start: Start::read(kind, &self.start).map_err(Invalid::new)?,
            players: [player(&self.players[0])?, player(&self.players[1])?],
            control: time.map_err(Invalid::new)?,
            seed: self.seed,
            take_backs: self.take_backs,
            draws: self.draws,
            date: self.date.clone(),
            remote: false,
        })
    }

    fn past(&self) -> Past {
        let clocks = self.clocks.iter().copied().chain(std::iter::repeat(None));
        let entries = self.moves.iter().zip(clocks).map(|(uci, clocks)| Entry {
            uci: uci.clone(),
            clocks: clocks.map(|both| both.map(Duration::from_millis)),
        });
        let end = self.end.as_ref().and_then(|[result, text]| GameEnd::read(result, text));
        Past { entries: entries.collect(), end }
    }

    /// The game, to go on with.
    pub(crate) fn session(&self, deps: SessionDeps) -> Result<Session, Invalid> {
        let deps = SessionDeps { undone: self.undone.clone(), ..deps };
        Session::restore(self.setup()?, &self.past(), deps).map_err(Invalid::new)
    }

    /// What a list shows of it.
    fn card(&self) -> Value {
        let title = |name: &String| match name.parse::<Player>() {
            Ok(player) if player == Player::HUMAN => "Human".to_owned(),
            Ok(player) => player.title(),
            Err(_) => name.clone(),
        };
        let record: Option<tabiya_pgn::Game> = self.record.as_ref().and_then(|r| r.parse().ok());
        let tag = |name: &str| {
            let value = record.as_ref()?.tag(name)?;
            (!value.starts_with('?') && !value.is_empty()).then(|| value.to_owned())
        };
        let elo = |name: &str| tag(name).and_then(|text| text.parse::<u32>().ok());
        let codes = self.moves.iter().take(OPENING).map(String::as_str);
        let opening = match self.kind.as_str() {
            "chess" => Opening::of_codes(Some(&self.start), codes),
            _ => None,
        };
        let eco = opening.map(|opening| opening.eco.to_owned());
        let name = opening.map(|opening| opening.name.to_owned());
        json!({
            "kind": self.kind,
            "white": title(&self.players[0]),
            "black": title(&self.players[1]),
            "white_elo": elo("WhiteElo"),
            "black_elo": elo("BlackElo"),
            "date": self.date,
            "event": tag("Event"),
            "eco": tag("ECO").or(eco),
            "opening": tag("Opening").or(name),
            "plies": self.moves.len(),
            "result": self.end.as_ref().map_or("*", |end| end[0].as_str()),
            "end": self.end.as_ref().map(|end| end[1].as_str()),
            "source": if self.record.is_some() { "imported" } else { "mine" },
        })
    }

    /// By what a game from outside is known if it comes in once more: who played, when, what, and how it ended.
    fn fingerprint(&self) -> String {
        let end = self.end.as_ref().map_or("", |end| end[0].as_str());
        let [white, black] = self.players.each_ref().map(|name| tabiya_base::fold(name));
        let (date, moves) = (self.date.as_deref().unwrap_or_default(), self.moves.join(" "));
        let parts = [&white, &black, date, end, &self.start, &moves].join("\n");
        format!("{:016x}", tabiya_base::digest(parts.bytes()))
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What was taken back in a game, told by its session.
#[derive(Clone, Default)]
struct Undone(Arc<Mutex<Vec<String>>>);

impl Journal for Undone {
    fn keep(&mut self, _: &Change) -> Result<(), String> {
        // Whoever asked keeps it.
        Ok(())
    }

    fn keep_undone(&mut self, moves: Vec<String>) -> Result<(), String> {
        *self.0.lock() = moves;
        Ok(())
    }
}

/// A game that is open.
struct Table {
    id: u64,
    /// Added to the sequence of the session, so that numbers go on growing when it is opened again.
    base: u64,
    session: Session,
    undone: Undone,
    record: Option<String>,
}

/// The games that are open, and the thoughts that wait for their turn.
#[derive(Default)]
pub(crate) struct Games {
    open: HashMap<u64, Table>,
    jobs: Arc<Mutex<VecDeque<ThinkingTask>>>,
}

fn side(name: &str) -> Result<Side, Invalid> {
    match name {
        "white" => Ok(Side::White),
        "black" => Ok(Side::Black),
        _ => Err(Invalid::new("the sides are white and black")),
    }
}

fn raw(value: &impl Serialize) -> Result<Box<RawValue>, Invalid> {
    to_raw_value(value).map_err(Invalid::new)
}

/// A game as a page shows it, and as it is kept.
#[derive(Serialize)]
struct Shown {
    /// What happened, in words.
    said: String,
    view: Box<RawValue>,
    kept: Kept,
    card: Value,
    /// Whether something goes on without anybody moving: a clock runs, or a computer thinks.
    busy: bool,
}

impl Table {
    fn view(&self) -> Result<Box<RawValue>, Invalid> {
        let view = self.session.view();
        let text = game::view(self.id, self.base, &self.session, &view, None);
        RawValue::from_string(text).map_err(Invalid::new)
    }

    fn kept(&self) -> Kept {
        let undone = self.undone.0.lock().clone();
        Kept::of(self.session.setup(), &self.session.past(), undone, self.record.clone())
    }

    fn shown(&self, said: String) -> Result<Box<RawValue>, Invalid> {
        let kept = self.kept();
        let seats = self.session.view().seats;
        let busy = seats.iter().any(|seat| seat.ticking || seat.thinking);
        raw(&Shown { said, view: self.view()?, card: kept.card(), kept, busy })
    }
}

impl Games {
    pub(crate) fn answer(&mut self, call: GameCall) -> Result<Box<RawValue>, Invalid> {
        match call {
            GameCall::Begin { id, base, order, random, date } => {
                let mut setup = order.setup(random)?;
                if setup.remote {
                    return Err(Invalid::new("a friend at another machine needs a server"));
                }
                setup.date = Some(date);
                let kept = Kept::of(&setup, &Past::default(), Vec::new(), None);
                self.open(id, base, kept)?.shown(String::new())
            }
            GameCall::Open { id, base, kept } => self.open(id, base, kept)?.shown(String::new()),
            GameCall::Close { id } => {
                self.open.remove(&id);
                raw(&())
            }
            GameCall::View { id } => self.table(id)?.shown(String::new()),
            GameCall::Positions { id } => {
                let positions = PastJson::all(&self.table(id)?.session);
                raw(&json!({ "positions": raw(&positions)? }))
            }
            GameCall::Position { id } => raw(&self.table(id)?.session.position_text()),
            GameCall::Attackers { id, square } => {
                let place = game::place(&square).map_err(Invalid::new)?;
                let pieces = self.table(id)?.session.attackers(place);
                let told: Vec<PieceJson> = pieces.iter().map(piece).collect();
                raw(&game::attackers(place, told))
            }
            GameCall::Record { id } => {
                let table = self.table(id)?;
                raw(&table.record.clone().unwrap_or_else(|| table.session.record()))
            }
            GameCall::Move { id, side: name, played } => {
                let table = self.table(id)?;
                let (ply, input) = (played.ply, played.input()?);
                let said = table.session.move_by(side(&name)?, ply, &input);
                table.shown(said.map_err(Invalid::new)?)
            }
            GameCall::Request { id, side: name, request, ply } => {
                let table = self.table(id)?;
                let unknown = || Invalid::new("nobody can do that here");
                let request = asked::request(&request, ply)?.ok_or_else(unknown)?;
                let said = table.session.request_by(side(&name)?, &request);
                table.shown(said.map_err(Invalid::new)?)
            }
            GameCall::Work {} => {
                let job = self.jobs.lock().pop_front();
                if let Some(job) = job {
                    job();
                }
                raw(&self.jobs.lock().len())
            }
            GameCall::Poll { id } => {
                let table = self.table(id)?;
                match table.session.poll() {
                    true => table.shown(String::new()),
                    false => raw(&()),
                }
            }
            GameCall::Import { text } => import(&text),
        }
    }

    fn table(&mut self, id: u64) -> Result<&mut Table, Invalid> {
        self.open.get_mut(&id).ok_or_else(|| Invalid::new("there is no such game"))
    }

    fn open(&mut self, id: u64, base: u64, kept: Kept) -> Result<&mut Table, Invalid> {
        let jobs = Arc::clone(&self.jobs);
        let undone = Undone(Arc::new(Mutex::new(kept.undone.clone())));
        let deps = SessionDeps {
            executor: Executor::new(move |job| jobs.lock().push_back(job)),
            journal: Some(Box::new(undone.clone())),
            ..SessionDeps::default()
        };
        let session = kept.session(deps)?;
        let table = Table { id, base, session, undone, record: kept.record };
        self.open.insert(id, table);
        self.table(id)
    }
}

/// All games of a text, as they are kept, and what is wrong with those that cannot be read.
fn import(text: &str) -> Result<Box<RawValue>, Invalid> {
    let (mut games, mut problems) = (Vec::new(), Vec::new());
    for game in Reader::new(text.as_bytes()).games() {
        match game {
            Ok(game) => {
                let (setup, past) = GameSetup::of_record(&game);
                let kept = Kept::of(&setup, &past, Vec::new(), Some(game.to_string()));
                let (card, fingerprint) = (kept.card(), kept.fingerprint());
                games.push(json!({ "kept": kept, "card": card, "fingerprint": fingerprint }));
            }
            Err(ReadError::BadGame(bad)) => problems.push(json!({
                "game": bad.number,
                "line": bad.place.line,
                "column": bad.place.column,
                "text": Invalid::new(&bad.problem).0,
            })),
            Err(error) => return Err(Invalid::new(error)),
        }
    }
    raw(&json!({ "games": games, "problems": problems }))
}
