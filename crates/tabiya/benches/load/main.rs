//! A full server: 1,000 games between people at a move a second, a reconnect storm, 5,000 spectators, and
//! 10,000 clients that never finish what they say; and, with a folder that `cargo run --release -p tabiya-store --example
//! many` has filled, people who play while others search. What takes longer than it may ends it with an error.
//!
//! `cargo bench -p tabiya --bench load [-- --games 1000 --seconds 60 --spectators 5000 --slow 10000]`
//! `cargo bench -p tabiya --bench load -- --games 0 --slow 0 --archive FOLDER --searchers 30`
//!
//! It starts the program as its users do, with the limits it always has; every person comes from an
//! address of their own (all of 127.0.0.0/8 is this machine, which Linux allows). At the end the server is
//! killed, and its games are compared with what it had confirmed.

mod moves;
mod person;
mod report;
mod searches;
mod server;
mod siege;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use moves::random_game;
use person::{Heard, Person, Watcher};
use report::Report;
use serde_json::{Value, json};
use server::Server;
use tokio::task::JoinSet;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[derive(Clone, Copy)]
struct Plan {
    games: usize,
    seconds: usize,
    spectators: usize,
    slow: usize,
    searchers: usize,
}

impl Plan {
    fn read() -> Outcome<Plan> {
        let arguments: Vec<String> = std::env::args().collect();
        let number = |name: &str, otherwise: usize| -> Outcome<usize> {
            let at = arguments.iter().position(|argument| argument == name);
            let text = at.map(|at| arguments.get(at + 1).ok_or(format!("{name} needs a number")));
            Ok(text.transpose()?.map_or(Ok(otherwise), |text| text.parse())?)
        };
        Ok(Plan {
            games: number("--games", 1000)?,
            seconds: number("--seconds", 60)?,
            spectators: number("--spectators", 5000)?,
            slow: number("--slow", 10_000)?,
            searchers: number("--searchers", 30)?,
        })
    }
}

fn main() -> Outcome<()> {
    let plan = Plan::read()?;
    let archive = std::env::args().skip_while(|word| word != "--archive").nth(1).map(PathBuf::from);
    // Every client is a file of ours, too.
    rlimit::increase_nofile_limit(u64::MAX)?;
    // One thread, so that the crowd takes no more of the machine than it must.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(visit(plan, archive.as_deref()))
}

/// Runs what people do on this thread, apart from the crowd.
fn alone<T>(doing: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(doing)
}

async fn visit(plan: Plan, archive: Option<&Path>) -> Outcome<()> {
    let mut report = Report::default();
    if plan.games > 0 {
        crowd(plan, &mut report).await?;
    }
    if plan.slow > 0 {
        siege::stand(plan.slow, &mut report).await?;
    }
    if let Some(folder) = archive {
        let time = Duration::from_secs(plan.seconds as u64);
        searches::stand(folder, plan.searchers, time, &mut report).await?;
    }
    report.print();
    report.verdict()
}

async fn crowd(plan: Plan, report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::open(folder.path())?;
    report.memory("empty", &server);

    let mut games = begin(&server, plan).await?;
    report.memory("everybody has sat down", &server);

    play(&mut games, plan, report).await?;
    report.memory("after the games", &server);

    storm(&mut games, report).await?;
    report.memory("after the storm", &server);

    for game in &games {
        game.pages.iter().for_each(Watcher::leave);
    }
    spectate(&server, plan, report).await?;
    report.memory("after the spectators", &server);

    server.kill();
    let server = Server::open(folder.path())?;
    report.lost(compare(&server, &games).await?);
    Ok(())
}

/// Two people at a table, each with a page open, and the moves they are going to play.
struct Game {
    path: String,
    people: [Person; 2],
    pages: [Watcher; 2],
    moves: Vec<String>,
    played: usize,
}

async fn begin(server: &Server, plan: Plan) -> Outcome<Vec<Game>> {
    let mut games = Vec::new();
    for number in 0..plan.games {
        games.push(Game::begin(server, number, plan.seconds + 1).await?);
    }
    Ok(games)
}

impl Game {
    /// A friend's game: one creates it, the other follows the link.
    async fn begin(server: &Server, number: usize, plies: usize) -> Outcome<Game> {
        let mut white = Person::new(server.address, 2 * number).await?;
        let mut black = Person::new(server.address, 2 * number + 1).await?;
        let order = json!({ "friend": true, "colour": "white", "time": "10+5" });
        let created = white.post("/games", &order).await?;
        let path = format!("/games/{}", created["id"]);
        white.token = text(&created["tokens"]["white"])?;
        let join = json!({ "invitation": created["invitation"], "mark": format!("{number:016}") });
        let joined = black.post(&format!("{path}/join"), &join).await?;
        black.token = text(&joined["tokens"]["black"])?;
        let pages = [white.watch(&path).await?, black.watch(&path).await?];
        let moves = random_game(number as u64, plies);
        Ok(Game { path, people: [white, black], pages, moves, played: 0 })
    }

    /// Plays the next move; how long until it was confirmed, and until the other saw it.
    async fn step(&mut self) -> Outcome<(Duration, Duration)> {
        let mover = self.played % 2;
        let asked = Instant::now();
        let body = json!({ "text": self.moves[self.played], "ply": self.played });
        let move_path = format!("{}/moves", self.path);
        let mut seen = self.pages[1 - mover].heard.clone();
        let plies = self.played + 1;
        let confirm = async {
            self.people[mover].post(&move_path, &body).await?;
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(asked.elapsed())
        };
        let see = async {
            let heard = seen.wait_for(|heard| heard.plies >= plies).await?;
            Ok(heard.at.saturating_duration_since(asked))
        };
        let (confirmed, seen) = tokio::try_join!(confirm, see)?;
        self.played += 1;
        Ok((confirmed, seen))
    }
}

/// Every game plays a move a second, each at its own moment of the second.
async fn play(games: &mut Vec<Game>, plan: Plan, report: &mut Report) -> Outcome<()> {
    let begin = Instant::now() + Duration::from_millis(200);
    let mut tasks = JoinSet::new();
    let count = games.len();
    for (index, mut game) in games.drain(..).enumerate() {
        let first = begin + Duration::from_secs(1).mul_f64(index as f64 / count as f64);
        tasks.spawn(async move {
            let mut times = Vec::new();
            for second in 0..plan.seconds {
                tokio::time::sleep_until((first + Duration::from_secs(second as u64)).into()).await;
                times.push(game.step().await?);
            }
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>((game, times))
        });
    }
    let times = gather(tasks, games).await?;
    report.moves(count, plan.seconds, begin.elapsed(), &times);
    Ok(())
}

/// Waits until all games are back, and gives the times that they took.
async fn gather<T>(
    mut tasks: JoinSet<Outcome<(Game, Vec<T>)>>,
    games: &mut Vec<Game>,
) -> Outcome<Vec<T>>
where
    T: 'static,
{
    let mut times = Vec::new();
    while let Some(done) = tasks.join_next().await {
        let (game, own) = done??;
        times.extend(own);
        games.push(game);
    }
    Ok(times)
}

/// Everybody loses the line, one move is made meanwhile, and all come back in the same moment.
async fn storm(games: &mut Vec<Game>, report: &mut Report) -> Outcome<()> {
    for game in games.iter_mut() {
        for page in &game.pages {
            page.leave();
        }
        let body = json!({ "text": game.moves[game.played] });
        let mover = game.played % 2;
        game.people[mover].post(&format!("{}/moves", game.path), &body).await?;
        game.played += 1;
    }
    let begin = Instant::now();
    let mut tasks = JoinSet::new();
    for mut game in games.drain(..) {
        tasks.spawn(async move {
            let (path, plies) = (&game.path, game.played);
            let [white, black] = &game.people;
            let come_back = async |person: &Person, last| -> Outcome<_> {
                let mut page = person.watch_from(path, last).await?;
                let heard = *page.heard.wait_for(|heard| heard.plies == plies).await?;
                Ok((page, heard.at.saturating_duration_since(begin)))
            };
            let ((first, one), (second, other)) = tokio::try_join!(
                come_back(white, game.pages[0].last()),
                come_back(black, game.pages[1].last())
            )?;
            game.pages = [first, second];
            let times = vec![one, other];
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>((game, times))
        });
    }
    let times = gather(tasks, games).await?;
    report.storm(&times);
    Ok(())
}

/// One more game, with a crowd around it.
async fn spectate(server: &Server, plan: Plan, report: &mut Report) -> Outcome<()> {
    let mut game = Game::begin(server, plan.games, 40).await?;
    let mut crowd = Vec::new();
    for number in 0..plan.spectators {
        let number = 2 * plan.games + 2 + number;
        crowd.push(Person::spectate(server, number, &game.path).await?);
    }
    let (mut confirmed, mut seen) = (Vec::new(), Vec::new());
    for _ in 0..30 {
        let asked = Instant::now();
        confirmed.push(game.step().await?.0);
        for page in &mut crowd {
            let plies = game.played;
            let heard: Heard = *page.heard.wait_for(|heard| heard.plies >= plies).await?;
            seen.push(heard.at.saturating_duration_since(asked));
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    report.spectators(plan.spectators, &confirmed, &seen);
    Ok(())
}

/// How many confirmed moves the server, opened again, does not have.
async fn compare(server: &Server, games: &[Game]) -> Outcome<usize> {
    let mut person = Person::new(server.address, 0).await?;
    let mut lost = 0;
    for (index, game) in games.iter().enumerate() {
        if index % 40 == 0 {
            // A person of this server asks no more than so often.
            person = Person::new(server.address, 20_000 + index).await?;
        }
        let view = person.get(&game.path).await?;
        let empty = Vec::new();
        let kept = view["moves"].as_array().unwrap_or(&empty);
        let same = |(kept, ours): (&Value, &String)| kept["uci"] == ours.as_str();
        let good = kept.iter().zip(&game.moves).take_while(|&pair| same(pair)).count();
        lost += game.played - good.min(game.played);
    }
    Ok(lost)
}

fn text(value: &Value) -> Outcome<String> {
    Ok(value.as_str().ok_or_else(|| format!("{value} is not a text"))?.to_owned())
}
