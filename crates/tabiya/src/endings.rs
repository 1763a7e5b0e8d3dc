//! The ladder of endings, a line at a time.

use std::collections::HashMap;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use tabiya_base::{Stop, random_seed, unix_milliseconds as now};
use tabiya_chess::drawing::{DrawingOptions, coloured};
use tabiya_chess::{BoardStyle, Position};
use tabiya_coach::Memory;
use tabiya_drill::{Ending, Guide, Help, Task, Trial, find, grade, ladder};
use tabiya_engine::{Engine, Settings};
use tabiya_store::{CardAnswer, CardKind, NewCard, Store};

use crate::tables::TablesArg;

/// Play endings out against perfect resistance: a ladder from two rooks to bishop and knight.
///
/// Tables play the other side and judge; where there are none, the engine does. What you have done is kept, and comes back until it
/// sits.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya endings                  the ladder, and what comes next
  tabiya endings next
  tabiya endings lucena-1 --help-level result
While you play: a move (Kd4), hint, back, quit
Tables of four men are made with: tabiya tables make 4")]
pub(crate) struct Args {
    /// The name of an ending, or "next"; the ladder is listed if not given.
    #[arg(value_name = "ENDING")]
    ending: Option<String>,

    /// How much is told while you play.
    #[arg(long, value_enum, default_value_t = Level::Moves, value_name = "LEVEL")]
    help_level: Level,

    /// The folder in which games and progress are kept.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    #[command(flatten)]
    tables: TablesArg,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Level {
    /// Every move is judged.
    Moves,
    /// Only whether it can still be done.
    Result,
    /// Nothing before the end.
    Nothing,
}

impl From<Level> for Help {
    fn from(level: Level) -> Help {
        match level {
            Level::Moves => Help::Moves,
            Level::Result => Help::Result,
            Level::Nothing => Help::Nothing,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let store = Store::open(&tabiya_store::folder(args.data.as_deref())?)?;
    let cards = store.list_cards(CardKind::Ending, None, u32::MAX)?;
    let known: HashMap<String, Memory> =
        cards.into_iter().filter_map(|card| Some((card.content.key, card.memory?))).collect();
    let done = match args.ending.as_deref() {
        None => list(&known),
        Some(name) => {
            let ending = if name == "next" { next(&known) } else { find(name) };
            let ending = ending.with_context(|| {
                format!("there is no ending {name:?}; tabiya endings lists them")
            })?;
            play(args, ending, &store)
        }
    };
    store.close();
    done
}

/// What comes back first; else the first that was never tried.
fn next(known: &HashMap<String, Memory>) -> Option<&'static Ending> {
    let all = || ladder().iter().flat_map(|rung| rung.endings);
    let due = all().filter_map(|one| Some((known.get(one.id)?.due, one)));
    let due = due.filter(|&(due, _)| due <= now()).min_by_key(|&(due, _)| due);
    due.map(|(_, one)| one).or_else(|| all().find(|one| !known.contains_key(one.id)))
}

fn list(known: &HashMap<String, Memory>) -> anyhow::Result<()> {
    let mut out = crate::print::out();
    let next = next(known);
    for (index, rung) in ladder().iter().enumerate() {
        let sign = |ending: &Ending| match known.get(ending.id) {
            _ if next == Some(ending) => '>',
            None => '.',
            Some(memory) if memory.due <= now() => '!',
            Some(memory) if memory.step.is_none() => '+',
            Some(_) => '-',
        };
        let signs: String = rung.endings.iter().map(sign).collect();
        let (number, title, name, last) = (index + 1, rung.title, rung.name, rung.endings.len());
        writeln!(out, "{number:3}  {title:42} {signs:12} {name}-1 to {last}")?;
    }
    writeln!(out, "\n+ done   - not done yet   ! comes back today   . not tried   > next")?;
    if let Some(ending) = next {
        writeln!(out, "tabiya endings next   begins {}", ending.id)?;
    }
    Ok(())
}

fn drawn(position: &Position, is_flipped: bool) -> String {
    let text = match crate::terminal::has_colours_and_figures() {
        true => {
            let options = DrawingOptions { flipped: is_flipped, ..Default::default() };
            coloured(position.board(), &options)
        }
        false => position.board().draw(BoardStyle::Letters),
    };
    text.trim_end_matches('\n').to_owned()
}

/// Plays an ending out, and keeps how it went.
fn play(args: &Args, ending: &'static Ending, store: &Store) -> anyhow::Result<()> {
    let tables = args.tables.open()?.with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    let help: Help = args.help_level.into();
    let flipped = ending.solver() == tabiya_chess::Color::Black;
    let mut trial = Trial::after(ending, &[""; 0]).map_err(anyhow::Error::msg)?;
    let rung = ending.rung();
    println!("{}: {}.", rung.map_or("", |rung| rung.title), ending.sentence());
    println!("{}", rung.map_or("", |rung| rung.idea));
    if !trial.is_known(&tables) {
        println!("No table of this ending is here: the engine plays the other side and judges.");
    }
    println!("\n{}", drawn(trial.game().position(), flipped));
    let (mut given_away, mut is_helped) = (None, false);
    let at_keyboard = std::io::stdin().is_terminal();
    let end = loop {
        if at_keyboard {
            eprint!("Your move: ");
        }
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(());
        }
        match line.trim() {
            "" => continue,
            "quit" | "exit" | "q" => return Ok(()),
            "?" | "help" => {
                println!("A move like Kd4 or e7e8q, hint, back, quit.");
                continue;
            }
            "hint" => {
                is_helped = true;
                if let Some((best, verdict)) = trial.hint(&mut guide)?.best {
                    println!("{} {verdict}.", best.san);
                }
                continue;
            }
            "back" => {
                let moves = trial.moves();
                let left = moves.len().saturating_sub(2);
                trial = Trial::after(ending, moves.get(..left).unwrap_or_default())
                    .map_err(anyhow::Error::msg)?;
                is_helped = true;
                given_away = given_away.filter(|&at| at <= trial.turns());
                println!("{}", drawn(trial.game().position(), flipped));
                continue;
            }
            text => {
                let step = match trial.step(text, &mut guide, help, given_away)? {
                    Ok(step) => step,
                    Err(sentence) => {
                        println!("{}", tabiya_play::Refusal::new(sentence).0);
                        continue;
                    }
                };
                let turn = &step.turn;
                if turn.gives_away {
                    given_away = Some(trial.turns());
                }
                match help {
                    Help::Moves => println!("{} {}.", turn.played.san, turn.verdict),
                    Help::Result if !turn.gives_away => println!(
                        "{}",
                        match ending.task {
                            Task::Win => "It is still won.",
                            Task::Draw => "It still holds.",
                        }
                    ),
                    _ => {}
                }
                if let Some(reply) = &step.reply {
                    println!("{}", reply.san);
                }
                println!("{}", drawn(trial.game().position(), flipped));
                if let (true, Some((best, verdict))) =
                    (turn.gives_away && help != Help::Nothing, &turn.best)
                {
                    println!("{} gives it away: {} {verdict}.", turn.played.san, best.san);
                }
                if let Some(end) = step.end {
                    break end;
                }
            }
        }
    };
    println!("{}", end.sentence());
    if !end.is_done()
        && let Some(at) = given_away
    {
        let before = trial.moves();
        let before = before.get(..2 * (at - 1)).unwrap_or_default();
        let there = Trial::after(ending, before).map_err(anyhow::Error::msg)?;
        let way = there.way(&mut guide)?;
        let written: Vec<String> =
            way.scenes(before.len()).into_iter().map(|scene| scene.written).collect();
        println!("The shortest way: {}", written.join(" "));
    }
    keep(store, ending, !end.is_done(), is_helped)
}

fn keep(
    store: &Store,
    ending: &Ending,
    is_given_away: bool,
    is_helped: bool,
) -> anyhow::Result<()> {
    store.add_cards(vec![NewCard {
        kind: CardKind::Ending,
        key: ending.id.to_owned(),
        tags: ending.rung().map(|rung| rung.name.to_owned()).into_iter().collect(),
        payload: ending.card(),
    }])?;
    let card = store.find_card(CardKind::Ending, ending.id)?.context("a card is not there")?;
    let answer = CardAnswer {
        name: format!("{:016x}", random_seed()),
        grade: grade(is_given_away, is_helped),
        at: now(),
        how: if is_helped { "helped" } else { "" }.to_owned(),
    };
    let kept = store.answer_card(card.id, answer)?;
    if let Some(memory) = kept.memory {
        let days = (memory.due - memory.answered) / (24 * 3_600_000);
        match days {
            0 => println!("It comes back today."),
            1 => println!("It comes back tomorrow."),
            days => println!("It comes back in {days} days."),
        }
    }
    Ok(())
}
