//! The game on a whole screen, and what the program offers beside it: new games, kept games, files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Context;
use tabiya_db::Database;
use tabiya_play::{
    Coord, GameController, GameKind, GameSetup, GameView, NamedLevel, Past, PastPosition,
    PieceRole, Player, Refusal, Request, SessionDeps, Start,
};
use tabiya_store::{GameFilter, GameId};
use tabiya_tui::{AnalysisView, FirstSight, Host, KeptGame, NewGameQuestion, Options, ThemeName};

use super::analyst::Analyst;
use super::room::Room;
use crate::config::Config;

/// How the screen looks and listens.
#[derive(Clone, Copy, clap::Args)]
#[command(next_help_heading = "Screen")]
pub(crate) struct Look {
    /// Letters instead of figurines, and nothing else that is not ASCII.
    #[arg(long)]
    ascii: bool,

    #[arg(long, value_name = "NAME", help = theme_help())]
    theme: Option<ThemeName>,

    /// Leave the mouse to the terminal.
    #[arg(long)]
    no_mouse: bool,
}

fn theme_help() -> String {
    format!(
        "The look of the board, if it shall not be that of tabiya config: {}",
        ThemeName::names()
    )
}

impl Look {
    fn options(self, config: &Config, first: FirstSight) -> Options {
        let found = Options::from_env();
        Options {
            first,
            bell: config.sounds(),
            theme: self.theme.unwrap_or(config.theme()),
            ascii: self.ascii || found.ascii,
            mouse: !self.no_mouse,
            ..found
        }
    }
}

/// Shows the game until the person leaves.
pub(crate) fn show(
    room: Room,
    look: Look,
    delay: Duration,
    first: FirstSight,
) -> anyhow::Result<()> {
    let config = Config::read()?;
    let room = Rc::new(RefCell::new(room));
    let mut counter = Counter {
        room: room.clone(),
        delay,
        engine: config.engine(),
        database: config.database().map(Path::to_owned),
        analyst: None,
    };
    let seat = counter.seat();
    let left = tabiya_tui::run(seat, &look.options(&config, first), &mut counter)?;
    let interrupted = left.interrupted;
    drop((left, counter));
    let room = Rc::try_unwrap(room).ok().context("the game is still in use")?.into_inner();
    if interrupted {
        println!("{}", crate::interrupt::INTERRUPTED);
    }
    farewell(&room);
    room.leave()
}

/// Says how to go on, on the terminal as it was before.
fn farewell(room: &Room) {
    let view = room.session().view();
    match (&view.end, room.id()) {
        (Some(end), _) => println!("{}", end.text),
        (None, Some(id)) if !view.moves.is_empty() => {
            println!("The game is kept: tabiya play --resume {id} goes on.");
        }
        _ => {}
    }
}

/// The game as the screen holds it. Another may take its place.
struct Seat {
    room: Rc<RefCell<Room>>,
    /// How long to look at each move of a game between computers.
    delay: Duration,
    moved: Instant,
}

impl GameController for Seat {
    fn view(&self) -> GameView {
        self.room.borrow().session().view()
    }

    fn submit(&mut self, text: &str) -> Result<String, Refusal> {
        self.room.borrow_mut().controller().submit(text)
    }

    fn go(
        &mut self,
        from: Coord,
        to: Coord,
        promotion: Option<PieceRole>,
    ) -> Result<String, Refusal> {
        self.room.borrow_mut().controller().go(from, to, promotion)
    }

    fn request(&mut self, request: &Request) -> Result<String, Refusal> {
        self.room.borrow_mut().controller().request(request)
    }

    fn poll(&mut self) -> bool {
        if self.moved.elapsed() < self.delay {
            return false;
        }
        let changed = self.room.borrow_mut().controller().poll();
        if changed {
            self.moved = Instant::now();
        }
        changed
    }

    fn record(&self) -> String {
        self.room.borrow().session().record()
    }

    fn positions(&self) -> Vec<PastPosition> {
        self.room.borrow().session().positions()
    }
}

/// Where other games come from.
struct Counter {
    room: Rc<RefCell<Room>>,
    delay: Duration,
    /// Who analyses, which games tell what was played, and where it is done once it was asked for.
    engine: Player,
    database: Option<PathBuf>,
    analyst: Option<Analyst>,
}

const GAMES: [(&str, Option<u8>); 7] = [
    ("chess", None),
    ("Chess960", None),
    ("bishops 5×5", Some(5)),
    ("bishops 8×8", Some(8)),
    ("bishops 10×10", Some(10)),
    ("bishops 16×16", Some(16)),
    ("bishops 26×26", Some(26)),
];
const SEATS: [&str; 4] = ["White", "Black", "both sides", "neither: watch"];
const CLOCKS: [&str; 7] = ["none", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];

/// The players of each named level: in the bishop-and-king game there are as many.
fn levels(kind: GameKind) -> Vec<String> {
    let named = NamedLevel::ALL.iter().enumerate();
    named
        .map(|(step, named)| match (kind, named.level) {
            (_, None) => "tabiya".to_owned(),
            (GameKind::Chess, Some(level)) => format!("tabiya:{}", level.elo()),
            (GameKind::Bishops, Some(_)) => format!("tabiya:{step}"),
        })
        .collect()
}

fn level_text(named: &NamedLevel) -> String {
    match named.level {
        Some(level) => format!("{} ({})", named.name.to_lowercase(), level.elo()),
        None => named.name.to_lowercase(),
    }
}

/// The sentence of an error and its causes.
fn refusal(error: anyhow::Error) -> Refusal {
    Refusal::new(crate::sentence(&error))
}

impl Counter {
    fn seat(&self) -> Box<dyn GameController> {
        Box::new(Seat { room: self.room.clone(), delay: self.delay, moved: Instant::now() })
    }

    /// Puts another game in its place; the former one stays kept.
    fn sit(&mut self, room: anyhow::Result<Room>) -> Result<Box<dyn GameController>, Refusal> {
        let room = room.map_err(refusal)?;
        self.delay = if room.has_person() { Duration::ZERO } else { super::WATCH };
        self.room.replace(room).leave().map_err(refusal)?;
        Ok(self.seat())
    }

    fn new_game(&self, answers: &[usize]) -> anyhow::Result<Room> {
        let &[game, seat, level, clock] = answers else { anyhow::bail!("four answers are needed") };
        let seed = tabiya_base::random_seed();
        let (name, size) = *GAMES.get(game).context("there is no such game")?;
        let start = match (size, name) {
            (Some(rows), _) => super::new_board(rows, seed)?,
            (None, "Chess960") => Start::chess960((seed % 960) as u16)?,
            (None, _) => Start::standard(),
        };
        let computer: Player =
            levels(start.kind()).get(level).context("there is no such level")?.parse()?;
        let players = match seat {
            0 => [Player::HUMAN, computer],
            1 => [computer, Player::HUMAN],
            2 => [Player::HUMAN, Player::HUMAN],
            _ => [computer.clone(), computer],
        };
        let control = match CLOCKS.get(clock) {
            None | Some(&"none") => None,
            Some(text) => Some(text.parse()?),
        };
        let take_backs = self.room.borrow().session().setup().take_backs;
        let setup = GameSetup { players, control, seed, take_backs, ..GameSetup::new(start) };
        setup.check()?;
        Room::begin(
            self.room.borrow().store().cloned(),
            setup,
            &Past::default(),
            SessionDeps::default(),
        )
    }
}

impl Host for Counter {
    fn questions(&mut self) -> Vec<NewGameQuestion> {
        let room = self.room.borrow();
        let setup = room.session().setup();
        let people = setup.players.each_ref().map(Player::is_person);
        let seat = match people {
            [true, false] => 0,
            [false, true] => 1,
            [true, true] => 2,
            [false, false] => 3,
        };
        let size = room.session().view().rows;
        let game = match setup.start.kind() {
            GameKind::Chess => 0,
            GameKind::Bishops => {
                GAMES.iter().position(|&(_, rows)| rows >= Some(size)).unwrap_or(GAMES.len() - 1)
            }
        };
        let computer = setup.players.iter().find(|player| !player.is_person());
        let known = computer.and_then(|player| {
            levels(setup.start.kind()).iter().position(|name| *name == player.to_string())
        });
        let clock = setup.control.map_or(0, |control| {
            let name = control.to_string();
            CLOCKS.iter().position(|&text| text == name).unwrap_or_default()
        });
        let question = |label: &str, choices: Vec<&str>, chosen| NewGameQuestion {
            label: label.to_owned(),
            choices: choices.into_iter().map(str::to_owned).collect(),
            chosen,
        };
        vec![
            question("Game", GAMES.iter().map(|&(name, _)| name).collect(), game),
            question("You play", SEATS.to_vec(), seat),
            NewGameQuestion {
                label: "Tabiya plays".to_owned(),
                choices: NamedLevel::ALL.iter().map(level_text).collect(),
                chosen: known.unwrap_or(2),
            },
            question("Clock", CLOCKS.to_vec(), clock),
        ]
    }

    fn begin(&mut self, answers: &[usize]) -> Result<Box<dyn GameController>, Refusal> {
        let room = self.new_game(answers);
        self.sit(room)
    }

    fn kept(&mut self) -> Result<Vec<KeptGame>, Refusal> {
        let room = self.room.borrow();
        let Some(store) = room.store() else { return Ok(Vec::new()) };
        let filter = GameFilter { begun: true, limit: Some(500), ..GameFilter::default() };
        let games = store.list(&filter).map_err(Refusal::new)?;
        let title = |name: &String| name.parse::<Player>().map_or(name.clone(), |who| who.title());
        Ok(games
            .into_iter()
            .map(|game| {
                let [white, black] = game.players.each_ref().map(title);
                let state = match game.result.as_str() {
                    "*" => format!("move {}", game.plies / 2 + 1),
                    result => result.to_owned(),
                };
                let when = game.date.filter(|_| game.imported).unwrap_or(game.when);
                // The day is enough where there is little room.
                let day = when.split(' ').next().unwrap_or_default();
                let text = format!("{day:<10}  {white} - {black}, {state}");
                KeptGame { id: game.id.to_string(), text }
            })
            .collect())
    }

    fn open(&mut self, id: &str) -> Result<Box<dyn GameController>, Refusal> {
        let open = || {
            let id: GameId = id.parse()?;
            let room = self.room.borrow();
            let store = room.store().context("games are not kept here")?.clone();
            Ok(Room::Kept(Box::new(store.resume(id, SessionDeps::default())?), store))
        };
        let room = open();
        self.sit(room)
    }

    fn file_name(&self, table: &dyn GameController) -> String {
        match table.view().kind {
            GameKind::Chess => "game.pgn".to_owned(),
            GameKind::Bishops => "board.txt".to_owned(),
        }
    }

    fn save(&mut self, file: &str, _: &dyn GameController) -> Result<String, Refusal> {
        match self.room.borrow().save(Path::new(file)) {
            Ok(()) => Ok(format!("Saved to {file}.")),
            // The name of the file keeps its letters.
            Err(error) => {
                let why = crate::sentence(&error);
                Err(Refusal(format!("It could not be saved: {why}.")))
            }
        }
    }

    fn load(&mut self, file: &str) -> Result<Box<dyn GameController>, Refusal> {
        let room = self.room.borrow().load(Path::new(file), SessionDeps::default());
        let room = room.map_err(|error| {
            Refusal(format!("It could not be loaded: {}.", crate::sentence(&error)))
        })?;
        self.sit(Ok(room))
    }

    fn play_on(&mut self, ply: usize) -> Result<Box<dyn GameController>, Refusal> {
        let room = self.room.borrow().play_on(ply, SessionDeps::default());
        self.sit(room)
    }

    fn analyse(&mut self, ply: Option<usize>) -> Result<(), Refusal> {
        let Some(ply) = ply else {
            self.analyst = None;
            return Ok(());
        };
        let game = self.room.borrow().game_at(ply).map_err(refusal)?;
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            none => {
                let database = self.database.as_deref().map(Database::open).transpose();
                let database = database.map_err(Refusal::new)?;
                let analyst = Analyst::start(self.engine.clone(), database);
                none.insert(analyst.map_err(Refusal::new)?)
            }
        };
        analyst.ask(game);
        Ok(())
    }

    fn found(&mut self) -> Option<AnalysisView> {
        self.analyst.as_ref()?.found()
    }
}
