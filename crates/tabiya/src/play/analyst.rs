//! An engine that looks at the position on the screen, and a database of games that tells what was played there.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use parking_lot::Mutex;
use tabiya_chess::{Color, Game, Position};
use tabiya_db::{Database, Filter, Sums};
use tabiya_engine::Stop;
use tabiya_players::{Player, PlayerKind};
use tabiya_thinker::{Info, Limits, Lines, ThinkError, Thinker, Timer};
use tabiya_tui::AnalysisView;

use crate::print::count;

/// How many lines it finds.
const LINES: usize = 3;
/// How many moves of the database are told.
const PLAYED: usize = 3;
/// An engine's search needs a deep stack.
const STACK: usize = 16 << 20;

/// Thinks on a thread of its own about whatever it was asked last; dropped, it stops.
pub(super) struct Analyst {
    questions: Sender<(Game, Stop)>,
    stop: Stop,
    found: Arc<Mutex<Option<AnalysisView>>>,
}

impl Analyst {
    pub(super) fn start(player: Player, database: Option<Database>) -> std::io::Result<Analyst> {
        let (questions, asked) = mpsc::channel();
        let found = Arc::default();
        let shared = Arc::clone(&found);
        let thread = thread::Builder::new().name("analysis".into()).stack_size(STACK);
        thread.spawn(move || answer(&player, database.as_ref(), &asked, &shared))?;
        Ok(Analyst { questions, stop: Stop::default(), found })
    }

    /// Has it look at the last position of a game, and forget the one before.
    pub(super) fn ask(&mut self, game: Game) {
        self.stop.stop();
        self.stop = Stop::default();
        *self.found.lock() = None;
        let _ = self.questions.send((game, self.stop.clone()));
    }

    pub(super) fn found(&self) -> Option<AnalysisView> {
        self.found.lock().clone()
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn answer(
    player: &Player,
    database: Option<&Database>,
    asked: &Receiver<(Game, Stop)>,
    found: &Mutex<Option<AnalysisView>>,
) {
    let mut thinker = None;
    while let Ok((game, stop)) = asked.recv() {
        let known = database.map(|database| played(database, game.position())).unwrap_or_default();
        let tell = |mut view: AnalysisView| {
            view.lines.extend(known.iter().cloned());
            let mut found = found.lock();
            if !stop.is_stopped() {
                *found = Some(view);
            }
        };
        if let Err(error) = think(&mut thinker, player, &game, &stop, &tell) {
            // One that has failed is started afresh the next time.
            thinker = None;
            tell(AnalysisView { title: error.to_string(), lines: Vec::new() });
        }
    }
}

fn think(
    thinker: &mut Option<Box<dyn Thinker>>,
    player: &Player,
    game: &Game,
    stop: &Stop,
    tell: &dyn Fn(AnalysisView),
) -> Result<(), ThinkError> {
    if stop.is_stopped() {
        return Ok(());
    }
    if let Some(outcome) = game.position().outcome() {
        tell(AnalysisView { title: outcome.to_string(), lines: Vec::new() });
        return Ok(());
    }
    let thinker = match thinker {
        Some(thinker) => thinker,
        None => thinker.insert(player.thinker()?),
    };
    let name = match player.kind {
        PlayerKind::Uci(_) => thinker.name().to_owned(),
        _ => player.title(),
    };
    let mut lines = Lines::new(LINES);
    let limits = Limits { multipv: Some(LINES), timer: Some(Timer::start()), ..Limits::default() };
    thinker.think(game, &limits, stop, &mut |info: &Info| {
        if lines.hear(info) {
            let nodes = short(info.nodes);
            tell(AnalysisView {
                title: format!("{name}, depth {}, {nodes}", info.depth),
                lines: lines.all().map(|info| spell(game, info)).collect(),
            });
        }
    })?;
    Ok(())
}

/// What was played most: the move, in how many games, and how many of a hundred White won, were drawn and Black won.
fn played(database: &Database, position: &Position) -> Vec<(String, String)> {
    let explored = match database.explore(position, &Filter::default()) {
        Ok(explored) => explored,
        Err(error) => return vec![("!".to_owned(), error.to_string())],
    };
    let told = explored.moves.into_iter().take(PLAYED).map(|m| {
        let Sums { white, draws, black, .. } = m.tally;
        let all = (white + draws + black).max(1);
        let [white, draws, black] = [white, draws, black].map(|part| (100 * part + all / 2) / all);
        let games = count(m.tally.games, "game");
        (m.san, format!("{games}, {white}-{draws}-{black} %"))
    });
    told.collect()
}

/// The score as people write it, White's being positive, and the moves.
fn spell(game: &Game, info: &Info) -> (String, String) {
    let mut position = *game.position();
    let score = info.score.for_white(position.turn() == Color::White);
    let mut words = Vec::new();
    for &m in &info.pv {
        words.push(position.san(m));
        position.play_unchecked(m);
    }
    (score.to_string(), words.join(" "))
}

/// `850`, `12 k`, `3.4 M`.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} k", number / 1000),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use tabiya_db::{Importer, incoming};
    use tabiya_players::Strength;

    use super::*;

    #[test]
    fn what_was_played_stands_below_what_the_engine_thinks() {
        let folder = tempfile::tempdir().unwrap();
        let mut importer = Importer::open(folder.path(), || ()).unwrap();
        for game in incoming("1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n") {
            importer.add(game).unwrap();
        }
        importer.finish().unwrap();
        let database = Database::open(folder.path()).unwrap();
        let mut analyst = Analyst::start(Player::tabiya(Strength::Full), Some(database)).unwrap();
        analyst.ask(Game::new());
        let since = Instant::now();
        let found = loop {
            match analyst.found().filter(|found| found.lines.len() > 2) {
                Some(found) => break found,
                None => assert!(since.elapsed() < Duration::from_secs(120), "nothing is found"),
            }
            thread::sleep(Duration::from_millis(20));
        };
        let told = &found.lines[found.lines.len() - 2..];
        assert_eq!(told[0].0, "e4");
        assert_eq!(told[0].1, "2 games, 50-50-0 %");
        assert_eq!(told[1].1, "1 game, 0-0-100 %");
        assert!(found.lines[0].0.contains('.'), "{:?}", found.lines[0]);
    }
}
