//! How fast a database answers:
//!
//!     cargo run --release -p tabiya-db --example figures -- DATABASE [POSITIONS]
//!     cargo run --release -p tabiya-db --example figures -- import DATABASE FILE…
//!
//! The second reads PGN files with one thread and writes with another; `tabiya db import` reads with all cores.
//! Positions are taken from its own games, at any ply. Told is the time on a clock, and after it processor time of all
//! threads: what others do on the machine changes only the first. With `cold` behind the number of positions, the system
//! forgets the files before each question, and the database is opened anew.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use tabiya_base::Random;
use tabiya_chess::Position;
use tabiya_db::{Collector, Database, Filter, Importer, Query, Reached};
use tabiya_pgn::{ReadError, Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut folder = arguments.next().ok_or("which database?")?;
    if folder == "import" {
        folder = arguments.next().ok_or("which database?")?;
        return import(Path::new(&folder), arguments);
    }
    let count: usize = arguments.next().map_or(Ok(5000), |count| count.parse())?;
    let is_cold = arguments.next().is_some_and(|word| word == "cold");
    let clock = Instant::now();
    let mut database = Database::open(Path::new(&folder))?;
    println!("{} games, opened in {:.1} ms", database.games(), ms(clock.elapsed()));
    let info = database.info();
    let each = |bytes: u64| bytes as f64 / info.games as f64;
    println!(
        "bytes a game: {:.1} games, {:.1} index; {} positions, {} of a single game, {} indexes",
        each(info.game_bytes),
        each(info.index_bytes),
        info.positions,
        info.single,
        info.indexes
    );

    let mut random = Random::new(1);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let game = database.game(1 + random.below(database.games() as usize) as u64)?;
        let all: Vec<Position> =
            game.steps().into_iter().flatten().map(|(position, _)| position).collect();
        positions.push(all[random.below(all.len())]);
    }
    let none = Filter::default();
    let some = Filter { elo: Some(2400..=u16::MAX), since: Some("2000".parse()?), ..none.clone() };
    let player = Filter { player: vec!["carlsen".to_owned()], ..none.clone() };
    for (name, filter) in [("all", &none), ("2400-, 2000-", &some), ("a player", &player)] {
        let (clock, busy) = (Instant::now(), of_thread());
        database.answer(&Position::initial(), filter)?;
        let first = (clock.elapsed(), of_thread() - busy);
        let (mut times, mut works) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for position in &positions {
            if is_cold {
                drop(database);
                forget(Path::new(&folder))?;
                database = Database::open(Path::new(&folder))?;
            }
            let (clock, busy) = (Instant::now(), of_thread());
            database.answer(position, filter)?;
            times.push(clock.elapsed());
            works.push(of_thread() - busy);
        }
        println!("explore, {name}: first at the start {:.2} | {:.2} ms", ms(first.0), ms(first.1));
        for (what, times) in [("clock", &mut times), ("work", &mut works)] {
            times.sort_unstable();
            let at = |part: f64| ms(times[((times.len() - 1) as f64 * part) as usize]);
            let (half, most) = (at(0.5), at(1.0));
            println!("  any ply, {what}: p50 {half:.3}, p99 {:.3}, most {most:.2} ms", at(0.99));
        }
        let mut here = Position::initial();
        let mut most = Duration::ZERO;
        for _ in 0..12 {
            let busy = of_thread();
            let explored = database.explore(&here, filter)?;
            most = most.max(of_thread() - busy);
            let Some(m) = explored.moves.first().and_then(|m| m.played) else { break };
            here = here.play(m)?;
        }
        println!("  the most played dozen of plies, work: {:.2} ms at most", ms(most));
    }
    let ask = |name: &str, query: &Query| -> Result<(), Box<dyn Error>> {
        let (clock, busy) = (Instant::now(), of_process());
        let found = database.find(query)?.len();
        let (time, work) = (clock.elapsed(), of_process().saturating_sub(busy));
        println!("{name}: {found} games in {:.1} | {:.0} ms", ms(time), ms(work));
        Ok(())
    };
    let by = |filter: Filter| Query { filter, ..Query::default() };
    let text = |text: &str| vec![text.to_owned()];
    ask(
        "header: player and years",
        &by(Filter { player: text("tal,"), until: Some("1970".parse()?), ..none.clone() }),
    )?;
    ask(
        "header: event, rating, ECO",
        &by(Filter {
            event: text("candidates"),
            elo: Some(2500..=3000),
            eco: text("B"),
            ..none.clone()
        }),
    )?;
    ask("position", &Query { position: Some(Position::initial()), ..Query::default() })?;
    for men in ["KRPvKR", "KQvKR", "KBNvK", "KRRP+vKRRP+"] {
        ask(
            &format!("material {men}"),
            &Query { material: Some((men.parse()?, 4)), ..Query::default() },
        )?;
    }
    ask("ending KRPvKR", &Query { ending: Some("KRPvKR".parse()?), ..Query::default() })?;
    for pattern in
        ["*/*/*/*/*/*/*/??KR*", "*/*/*/???pP*", "????N*/*/*/*/*/*/*/*", "*/*/*/*/Q?????q*"]
    {
        ask(
            &format!("pattern {pattern}"),
            &Query { pattern: Some(pattern.parse()?), ..Query::default() },
        )?;
    }
    Ok(())
}

fn import(folder: &Path, files: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let clock = Instant::now();
    let mut importer = Importer::open(folder, || eprintln!("waiting"))?;
    let mut collector = Collector::new(true);
    let mut bad = 0;
    for file in files {
        let mut reader = Reader::in_memory(std::fs::read(&file)?);
        loop {
            match reader.visit(&mut collector) {
                Ok(true) => {
                    importer.add(collector.take(reader.text()))?;
                }
                Ok(false) => break,
                Err(ReadError::BadGame(_)) => bad += 1,
                Err(error) => return Err(error.into()),
            }
        }
        importer.mark(&file, Reached::default(), true)?;
    }
    let read = clock.elapsed().as_secs_f64();
    let imported = importer.finish()?;
    let all = clock.elapsed().as_secs_f64();
    println!(
        "{} games added, {} twice, {bad} bad: read in {read:.1} s, indexed after {all:.1} s, {:.0} games a second",
        imported.added,
        imported.duplicates,
        (imported.added + imported.duplicates) as f64 / all
    );
    Ok(())
}

/// Processor time of this thread so far; none where nobody tells it.
fn of_thread() -> Duration {
    #[cfg(unix)]
    return spent(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    Duration::ZERO
}

/// Processor time of all threads so far.
fn of_process() -> Duration {
    #[cfg(unix)]
    return spent(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    Duration::ZERO
}

#[cfg(unix)]
fn spent(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Has the system forget what it has of the files in memory.
fn forget(folder: &Path) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let done = std::process::Command::new("dd")
            .arg(format!("if={}", path.display()))
            .args(["iflag=nocache", "count=0", "status=none"])
            .status()?;
        if !done.success() {
            return Err(format!("dd cannot have {} forgotten", path.display()).into());
        }
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
