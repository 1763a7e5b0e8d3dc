use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context as _, bail};
use tabiya_base::{Random, Score};
use tabiya_chess::{Game, Move};
use tabiya_engine::{Engine, Level, Limits, Settings};
use tabiya_lab::{Openings, TacticFinder};
use tabiya_pgn::{ReadError, Reader};
use tabiya_tactics::{Tactic, TacticId};

/// Makes puzzles out of games: of files (PGN), or of games that our levels play against each other, with the mistakes
/// of people of their strength.
///
/// Every position after a mistake is looked at. A puzzle is one in which a single move wins, mates or saves the game,
/// proved by a long search of the two best moves at every move of the solver. The levels try each puzzle: its rating is where half of them find it.
///
/// Puzzles are written one a line as they are found, and a line "game N" after each game: killed and begun again with
/// the same words, it goes on after the last game that is whole. The same games and nodes give the same puzzles.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya puzzles make --games 500 --out puzzles.txt
  tabiya puzzles make --games 500 --seed 501 --threads 4 --out more.txt
  tabiya puzzles make club.pgn league.pgn --out puzzles.txt
Then: tabiya puzzles pack puzzles.txt more.txt --out puzzles.bin")]
pub(super) struct Args {
    /// Files with games; without any, levels play.
    #[arg(value_name = "PGN", conflicts_with_all = ["games", "seed"])]
    files: Vec<PathBuf>,

    /// How many games the levels play.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,

    /// The number of the first game; every number is another one.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,

    /// How many nodes prove a puzzle, at every move of the solver.
    #[arg(long, value_name = "N", default_value_t = TacticFinder::default().proof, value_parser = clap::value_parser!(u64).range(10_000..))]
    nodes: u64,

    /// How many games to look at at a time.
    #[arg(long, value_name = "T", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,

    /// The file for the puzzles.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = Out::open(&args.out)?;
    let from_files = read_games(&args.files)?;
    let (first, end) = match args.files.is_empty() {
        true => (args.seed, args.seed.saturating_add(args.games)),
        false => (0, from_files.len() as u64),
    };
    let first = out.last_game.map_or(first, |last| first.max(last + 1));
    let finder = TacticFinder { proof: args.nodes, ..TacticFinder::default() };
    let number = AtomicU64::new(first);
    let failed = AtomicBool::new(false);
    let (sender, answers) = mpsc::sync_channel(args.threads.get());
    thread::scope(|scope| -> anyhow::Result<()> {
        for _ in 0..args.threads.get() {
            let (sender, number, failed, games) = (sender.clone(), &number, &failed, &from_files);
            let work = move || {
                let mut judge = Engine::new(Settings::default());
                let mut levels = Engine::new(Settings { hash_megabytes: 1, ..Settings::default() });
                while !failed.load(Ordering::Relaxed) {
                    let game = number.fetch_add(1, Ordering::Relaxed);
                    if game >= end {
                        break;
                    }
                    let played = games.get(game as usize).filter(|_| !games.is_empty());
                    let played = played.cloned().unwrap_or_else(|| play(game, &mut levels));
                    let mut solvers = |level, number, game: &Game| {
                        // Every try of every level has whims of its own.
                        let seed = 10_000 * number + u64::from(level);
                        Ok(level_move(&mut levels, level, seed, game).map(|(m, _)| m))
                    };
                    let tactics = finder.search_game(&played, &mut judge, &mut solvers);
                    if sender.send((game, tactics)).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work)?;
        }
        drop(sender);
        // In the order of the games, whoever is ready first.
        let mut waiting = BTreeMap::new();
        let mut next = first;
        for (game, tactics) in answers {
            waiting.insert(game, tactics);
            while let Some(tactics) = waiting.remove(&next) {
                let kept = tactics.map_err(Into::into).and_then(|tactics| out.keep(next, &tactics));
                if kept.is_err() {
                    failed.store(true, Ordering::Relaxed);
                }
                kept?;
                eprint!("\rgame {next}: {} puzzles", out.known.len());
                next += 1;
            }
        }
        Ok(())
    })?;
    eprintln!();
    Ok(())
}

/// All games of the files, as they were played. Bad ones are told of and left out.
fn read_games(files: &[PathBuf]) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    for path in files {
        let name = path.display();
        let mut reader = Reader::new(File::open(path).with_context(|| name.to_string())?);
        loop {
            match reader.next_game() {
                Ok(Some(game)) => games.push(game.to_play()),
                Ok(None) => break,
                Err(ReadError::BadGame(bad)) => eprintln!("{name}: {bad}"),
                Err(error) => return Err(error).with_context(|| name.to_string()),
            }
        }
    }
    Ok(games)
}

/// A game between two levels that are not far apart, which depends only on its number. It ends early when it is decided.
fn play(number: u64, engine: &mut Engine) -> Game {
    const LONGEST: usize = 160;
    const DECIDED: i32 = 1200;
    const SURE: usize = 16;
    let mut random = Random::new(number);
    let white = 600 + random.below(1201) as u16;
    let black = (white + random.below(401) as u16).saturating_sub(200).clamp(600, 1800);
    let plies = random.below(5);
    let mut game =
        Openings::random(1, plies, number).map_or_else(|_| Game::new(), |one| one.get(0));
    let mut decided = 0;
    while game.outcome().or_else(|| game.claimable_draw()).is_none()
        && game.moves().len() < LONGEST
        && decided < SURE
    {
        let elo = if game.moves().len().is_multiple_of(2) { white } else { black };
        let Some((m, score)) = level_move(engine, elo, number, &game) else { break };
        decided = if score.rank().abs() >= DECIDED { decided + 1 } else { 0 };
        game.play_unchecked(m);
    }
    game
}

/// What a level plays, and what it thinks of it.
fn level_move(engine: &mut Engine, elo: u16, seed: u64, game: &Game) -> Option<(Move, Score)> {
    let whole = *engine.settings();
    engine.set(Settings { level: Some(Level::new(elo)), seed, ..whole });
    let mut score = Score::Centipawns(0);
    let found = engine.think(game, Limits::default(), |info| {
        if info.multipv == 1 {
            score = info.score;
        }
    });
    engine.set(whole);
    found.best.map(|m| (m, score))
}

/// The file that is made.
struct Out {
    file: File,
    known: HashSet<TacticId>,
    last_game: Option<u64>,
}

impl Out {
    /// Opens a file, or makes it; forgets what came after the last whole game.
    fn open(path: &Path) -> anyhow::Result<Out> {
        let name = || path.display().to_string();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).with_context(name)?;
        let mut reader = BufReader::new(&file);
        let (mut known, mut pending) = (HashSet::new(), Vec::new());
        let (mut last_game, mut place, mut whole, mut line) = (None, 0, 0, String::new());
        while reader.read_line(&mut line).with_context(name)? > 0 {
            place += line.len() as u64;
            if !line.ends_with('\n') {
                break;
            }
            if let Some(number) = line.strip_prefix("game ") {
                let number = number.trim().parse();
                last_game = Some(number.with_context(|| format!("{}: {line}", name()))?);
                known.extend(pending.drain(..));
                whole = place;
            } else {
                let tactic: Result<Tactic, _> = line.parse();
                pending.push(tactic.with_context(|| format!("{}: {line}", name()))?.id());
            }
            line.clear();
        }
        file.set_len(whole).with_context(name)?;
        file.seek(std::io::SeekFrom::End(0)).with_context(name)?;
        Ok(Out { file, known, last_game })
    }

    /// Writes the new puzzles of a game.
    fn keep(&mut self, game: u64, tactics: &[Tactic]) -> anyhow::Result<()> {
        let mut text = String::new();
        for tactic in tactics.iter().filter(|tactic| self.known.insert(tactic.id())) {
            text += &format!("{tactic}\n");
        }
        text += &format!("game {game}\n");
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            bail!("cannot write the puzzles: {error}");
        }
        Ok(())
    }
}
