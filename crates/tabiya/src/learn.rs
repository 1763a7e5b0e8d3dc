//! Learning from one's own games in the terminal: the same cards as on the page.

use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tabiya_base::{Stop, unix_milliseconds as now};
use tabiya_chess::drawing::{self, BoardStyle, DrawingOptions};
use tabiya_chess::{Bitboard, Color, Position};
use tabiya_coach::{Answer, Grade, HintStep, Reason, Scheduler, Topic, Voice, reasons};
use tabiya_learn::{LearnError, Lesson, Progress, csv, learn_from};
use tabiya_review::ReviewSettings;
use tabiya_store::{Card, CardAnswer, CardFilter, CardKind, GameId, Learner, Store, StoreError};

/// So quickly something is known at once.
const AT_ONCE: Duration = Duration::from_secs(8);
/// So many topics and openings are told of.
const TOLD: usize = 6;
/// So many games are asked for at a time.
const TOGETHER: u32 = 1;
/// The most cards in one file.
const MOST: u32 = 100_000;

/// Do your own mistakes better: they come back until they sit.
///
/// What you played and what was better, hints and reasons are those of the page in the browser, and so are the answers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya learn                          what is due today
  tabiya learn look --name 'Marta Kern' find the mistakes in your games, imported and played here
  tabiya learn report                   how it goes, in short
  tabiya learn export games > games.csv
  tabiya learn export exercises > exercises.pgn
While you are asked: a move in any notation, ? for a hint, = for the answer, q to end.")]
pub(crate) struct Args {
    /// The folder in which games are kept (else that of TABIYA_DATA, else the system's).
    #[arg(long, value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,

    /// So many cards are begun in one day.
    #[arg(long, value_name = "N", default_value_t = 10)]
    new: u32,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find the mistakes in your games. Each game is kept when it is done: after a break, it goes on with the next.
    Look {
        /// What you are called in your games; may be given several times, and is remembered.
        #[arg(long, value_name = "NAME")]
        name: Vec<String>,

        /// How many positions the engine looks at for each position of a game.
        #[arg(long, value_name = "N", default_value_t = 100_000,
              value_parser = clap::value_parser!(u64).range(ReviewSettings::LEAST_NODES..=10_000_000))]
        nodes: u64,
    },
    /// Tell how it goes.
    Report,
    /// Write your games and how they went as CSV, or your exercises as PGN.
    Export {
        /// What to write.
        what: What,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    Games,
    Exercises,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let store = Store::open(&tabiya_store::folder(args.data.as_deref())?)?;
    match &args.command {
        None => learn(&store, args.new),
        Some(Command::Look { name, nodes }) => look(&store, name, *nodes),
        Some(Command::Report) => report(&store),
        Some(Command::Export { what }) => export(&store, *what),
    }
}

impl Args {
    /// Whether Control-C ends it game by game.
    pub(crate) fn looks(&self) -> bool {
        matches!(self.command, Some(Command::Look { .. }))
    }
}

// --- Cards.

fn learn(store: &Store, new: u32) -> anyhow::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let (mut known, mut asked) = (0, 0);
    loop {
        let filter = CardFilter {
            kind: Some(CardKind::Exercise),
            limit: 1,
            new_a_day: new,
            ..CardFilter::default()
        };
        let queue = store.due_cards(&filter)?;
        let Some(card) = queue.cards.first() else {
            end(store, asked, known, queue.next)?;
            return Ok(());
        };
        let Ok(lesson) = Lesson::read(&card.content.payload) else {
            store.set_cards_aside(&[card.id], true)?;
            eprintln!("Exercise {} cannot be read, and was put aside.", card.id);
            continue;
        };
        println!("{} left\n", queue.due + queue.new);
        let Some(grade) = ask(store, card, &lesson, &mut lines)? else { return Ok(()) };
        asked += 1;
        known += u32::from(grade > Grade::Again);
    }
}

/// What is said when nothing is due.
fn end(store: &Store, asked: u32, known: u32, next: Option<i64>) -> anyhow::Result<()> {
    let report = store.card_report(Some(CardKind::Exercise), now())?;
    if report.cards == 0 {
        println!("There are no exercises yet. Find the mistakes in your games: tabiya learn look");
        return Ok(());
    }
    match asked {
        0 => println!("Nothing is due."),
        _ => println!("Done for today: {known} of {asked} known."),
    }
    if let Some(next) = next.filter(|&next| next > now()) {
        println!("The next one comes back in {}.", span(next - now()));
    }
    if report.unseen > 0 {
        println!("{} more wait to be begun: tabiya learn --new N", report.unseen);
    }
    Ok(())
}

/// Asks one exercise, and keeps the answer; nothing if whoever is asked has gone.
fn ask(
    store: &Store,
    card: &Card,
    lesson: &Lesson,
    lines: &mut impl Iterator<Item = io::Result<String>>,
) -> anyhow::Result<Option<Grade>> {
    let exercise = &lesson.exercise;
    let before = &exercise.mistake.before;
    draw(before, lesson.side());
    let day = lesson.day.as_deref().map(|day| format!(", {}", day.replace('.', "-")));
    println!("Against {}{}", lesson.opponent(), day.unwrap_or_default());
    println!("{} {} to move.", exercise.task(), lesson.side().name());
    let begun = Instant::now();
    let (mut wrong, mut told, mut gave_up) = (0, 0, false);
    loop {
        let Some(line) = prompt("> ", lines)? else { return Ok(None) };
        match line.as_str() {
            "" => {}
            "q" | "quit" => return Ok(None),
            "?" => {
                let step = HintStep::ALL.get(told as usize).copied().unwrap_or(HintStep::Why);
                println!("{}", exercise.hint(step));
                told = (told + 1).min(HintStep::ALL.len() as u32);
            }
            "=" => {
                gave_up = true;
                break;
            }
            text => match exercise.judge(text) {
                Ok(Answer::Good) => {
                    let m = before.parse_move(text).ok();
                    println!("Right: {}", m.map(|m| before.san(m)).unwrap_or_default());
                    break;
                }
                Ok(Answer::AsPlayed) => {
                    wrong += 1;
                    println!("That is what you played. Look again.");
                }
                Ok(Answer::Wrong) => {
                    wrong += 1;
                    println!("Not that one. Look again.");
                }
                Err(sentence) => println!("{sentence}"),
            },
        }
    }
    let at_once = card.memory.is_some() && begun.elapsed() < AT_ONCE;
    let proposed = match gave_up {
        true => Grade::Again,
        false => Grade::proposed(wrong, told, at_once),
    };
    tell(lesson);
    // Kept before it is asked how it went: whoever leaves now has answered.
    let (name, at) = (format!("t{:016x}", tabiya_base::random_seed()), now());
    let hint = if told > 0 { format!(", {told} hints") } else { String::new() };
    let how = if gave_up { format!("given up{hint}") } else { format!("{wrong} wrong{hint}") };
    let keep = |grade: Grade| {
        let answer = CardAnswer { name: name.clone(), grade, at, how: how.clone() };
        store.answer_card(card.id, answer)
    };
    keep(proposed)?;
    let scheduler = Scheduler::default();
    let wait = |grade: Grade| span(scheduler.answer(card.memory.as_ref(), grade, at).due - at);
    let offers = Grade::ALL.map(|grade| format!("{grade} ({})", wait(grade)));
    println!("\n{}", offers.join(", "));
    let grade = loop {
        let Some(line) = prompt(&format!("How did it go? [{proposed}] "), lines)? else {
            return Ok(None);
        };
        let is_meant = |grade: &Grade| !line.is_empty() && grade.name().starts_with(&line);
        match Grade::ALL.into_iter().find(is_meant) {
            Some(grade) => break grade,
            None if line.is_empty() => break proposed,
            None => println!("Say again, hard, good or easy; a letter will do."),
        }
    };
    if grade != proposed {
        keep(grade)?;
    }
    println!();
    Ok(Some(grade))
}

/// Asks for a line; nothing at the end.
fn prompt(
    text: &str,
    lines: &mut impl Iterator<Item = io::Result<String>>,
) -> anyhow::Result<Option<String>> {
    let mut out = crate::print::out();
    write!(out, "{text}")?;
    out.flush()?;
    drop(out);
    match lines.next() {
        Some(line) => Ok(Some(line.context("cannot read what is typed")?.trim().to_owned())),
        None => {
            println!();
            Ok(None)
        }
    }
}

/// What was better, and why.
fn tell(lesson: &Lesson) {
    let mistake = &lesson.exercise.mistake;
    let you = Voice::To(lesson.side());
    let told = reasons(mistake);
    let said = |reason: &Option<Reason>| {
        reason.as_ref().map(|one| format!("  {}", one.text(you))).unwrap_or_default()
    };
    let [better, worse] = &lesson.worth;
    println!("\n{better:>6}  {}{}", mistake.better_text(), said(&told.better));
    println!(
        "{worse:>6}  {} {}{}",
        mistake.played_text(),
        mistake.refutation_text(),
        said(&told.wrong)
    );
    let topics: Vec<&str> = lesson.exercise.topics.iter().map(|topic| topic.label()).collect();
    if !topics.is_empty() {
        println!("        {}", topics.join(", "));
    }
}

fn draw(position: &Position, side: Color) {
    let board = match crate::terminal::has_colours_and_figures() {
        true => {
            let check = match position.is_check() {
                true => position.king(position.turn()).bitboard(),
                false => Bitboard::EMPTY,
            };
            let flipped = side == Color::Black;
            drawing::coloured(
                position.board(),
                &DrawingOptions { check, flipped, ..Default::default() },
            )
        }
        false => position.board().draw(BoardStyle::Letters),
    };
    println!("{}\n", board.trim_end_matches('\n'));
}

/// How long it is until then.
fn span(milliseconds: i64) -> String {
    let some = |count: i64, one: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    };
    let minutes = (milliseconds + 30_000) / 60_000;
    let (hours, days) = ((minutes + 30) / 60, (minutes + 720) / 1440);
    match (minutes, hours, days) {
        (..60, ..) => format!("{} min", minutes.max(1)),
        (_, ..24, _) => some(hours, "hour"),
        (.., ..60) => some(days, "day"),
        _ => some(days * 10 / 304, "month"),
    }
}

// --- Games.

fn look(store: &Store, names: &[String], nodes: u64) -> anyhow::Result<()> {
    let before = store.learner()?;
    let names = match names {
        [] => before.names.clone(),
        names => names.to_vec(),
    };
    if names != before.names {
        store.keep_learner(&Learner { names: names.clone(), ..before })?;
    }
    if names.is_empty() {
        offer(store)?;
    }
    let settings = ReviewSettings { nodes, ..ReviewSettings::default() };
    let stop = Stop::default();
    let theirs = stop.clone();
    ctrlc::set_handler(move || theirs.stop()).context("cannot listen for Ctrl-C")?;
    let (_, all) = store.games_to_learn(0)?;
    let bar =
        crate::terminal::bar(Some(all.into()), "{msg} {wide_bar} {pos} of {len} games, {eta} left");
    bar.set_message("looking for mistakes");
    let (mut done, mut ours, mut new) = (0_u32, 0, 0);
    while !stop.is_stopped() {
        let (games, _) = store.games_to_learn(TOGETHER)?;
        let Some(&game) = games.first() else { break };
        match learn_from(store, game, &names, &settings, &mut |_, _| {}, &stop) {
            Ok(learned) => {
                ours += u32::from(learned.side.is_some());
                new += learned.new;
            }
            Err(LearnError::Stopped(_)) => break,
            Err(LearnError::Store(error)) => skip(store, game, error)?,
        }
        done += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let exercises = if new == 1 { "1 new exercise" } else { &format!("{new} new exercises") };
    let games = if ours == 1 { "1 game of yours" } else { &format!("{ours} games of yours") };
    println!("{games}, {exercises}.");
    if stop.is_stopped() {
        bail!("stopped: {done} of {all} games are done; the same command goes on from there");
    }
    Ok(())
}

/// A game that cannot be read holds up no other.
fn skip(store: &Store, game: GameId, error: StoreError) -> anyhow::Result<()> {
    match error {
        StoreError::BadGame { .. } => {
            eprintln!("{error}");
            Ok(store.pass_over(game)?)
        }
        error => Err(error.into()),
    }
}

/// Names that are likely.
fn offer(store: &Store) -> anyhow::Result<()> {
    let names = store.names_in_games(5)?;
    let told: Vec<String> =
        names.iter().map(|one| format!("{} ({})", one.name, one.games)).collect();
    if !told.is_empty() {
        eprintln!(
            "Only games played here are yours as yet. Who are you in the others? {}",
            told.join(", ")
        );
        eprintln!("Say so once: tabiya learn look --name NAME");
    }
    Ok(())
}

// --- How it goes.

fn report(store: &Store) -> anyhow::Result<()> {
    let cards = store.card_report(Some(CardKind::Exercise), now())?;
    let progress = Progress::of(&store.learned_games()?);
    let due =
        store.due_cards(&CardFilter { kind: Some(CardKind::Exercise), ..CardFilter::default() })?;
    println!(
        "Exercises   {} of {} begun, {} due, {} new today",
        cards.cards - cards.unseen,
        cards.cards,
        due.due,
        due.new
    );
    let streak = crate::print::count(cards.streak.into(), "day");
    println!("In a row    {streak}, {} at most", cards.best);
    let week: Vec<String> =
        cards.forecast.iter().take(7).map(|day| day.cards.to_string()).collect();
    println!("Next days   {}", week.join(" "));
    let accuracies = progress.games.iter().rev().filter_map(|one| one.game.findings.accuracy);
    let latest: Vec<f64> = accuracies.take(10).collect();
    if !latest.is_empty() {
        let mean = latest.iter().sum::<f64>() / latest.len() as f64;
        println!("Accuracy    {mean:.0} % in the last {} games", latest.len());
    }
    if let Some(strength) = progress.games.iter().rev().find_map(|one| one.performance) {
        println!("Strength    {strength} by results, the last 20 games");
    }
    let missed = cards.tags.iter().filter(|one| one.missed > 0).take(TOLD);
    for (index, one) in missed.enumerate() {
        let label = one.tag.parse().map_or(one.tag.as_str(), |topic: Topic| topic.label());
        let title = if index == 0 { "Missed" } else { "" };
        println!("{title:<11} {label}: {} of {}", one.missed, one.answers);
    }
    for (index, one) in progress.openings.iter().take(TOLD).enumerate() {
        let title = if index == 0 { "Openings" } else { "" };
        let side = if one.side == tabiya_play::Side::White { "White" } else { "Black" };
        println!("{title:<11} {}, {side}: {} of {}", one.name, one.points, one.games);
    }
    Ok(())
}

fn export(store: &Store, what: What) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match what {
        What::Games => write!(out, "{}", csv(&Progress::of(&store.learned_games()?)))?,
        What::Exercises => {
            let cards = store.list_cards(CardKind::Exercise, None, MOST)?;
            let lessons = cards.iter().filter_map(|card| Lesson::read(&card.content.payload).ok());
            for (index, lesson) in lessons.enumerate() {
                write!(out, "{}{}", if index == 0 { "" } else { "\n" }, lesson.pgn())?;
            }
        }
    }
    Ok(out.flush()?)
}
