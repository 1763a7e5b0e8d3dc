use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use tabiya_chess::{Color, Position};
use tabiya_db::Day;
use tabiya_pgn::{GameResult, Interest, Played, RawTag, Visitor};

use super::mill::{self, BlockResult, Input, Item, Worker};
use crate::print::{count, grouped};

/// Variations are passed over. An opening is what the tag Opening says, else ECO, else the first four
/// moves of the game.
#[derive(clap::Args)]
pub(super) struct Args {
    /// How many openings to list.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    #[command(flatten)]
    input: Input,
}

/// Half-moves that name an opening which has no other name.
const OPENING_PLIES: usize = 4;
/// So many different openings are told apart; a file with more has no openings but noise.
const MOST_OPENINGS: usize = 100_000;

#[derive(Default)]
struct Counts {
    bad: u64,
    games: u64,
    plies: u64,
    longest: u64,
    /// By their place in [`GameResult::ALL`].
    results: [u64; 4],
    years: HashMap<u32, u64>,
    openings: HashMap<String, u64>,
}

#[derive(Default)]
struct Game {
    plies: u64,
    moves: String,
    opening: String,
    eco: String,
    year: Option<u32>,
    tagged_result: Option<GameResult>,
    result: GameResult,
}

impl Visitor for Game {
    fn begin_game(&mut self) {
        *self = Game::default();
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        let game = self;
        match tag.name {
            b"Date" => {
                game.year = Some(Day::of_tag(&tag.value()).0 / 10_000).filter(|year| *year > 0)
            }
            b"Opening" => game.opening = known(&tag.value()),
            b"ECO" => game.eco = known(&tag.value()),
            b"Result" => game.tagged_result = GameResult::from_text(&tag.value()),
            _ => {}
        }
    }

    fn begin_moves(&mut self, _start: &Position) -> Interest {
        Interest::Read
    }

    fn played(&mut self, played: &Played<'_>) {
        let game = self;
        if game.plies < OPENING_PLIES as u64 && game.opening.is_empty() && game.eco.is_empty() {
            if !game.moves.is_empty() {
                game.moves.push(' ');
            }
            if played.before.turn() == Color::White {
                game.moves.push_str(&format!("{}. ", played.before.fullmove_number()));
            }
            let san = played.played.map(|m| played.before.san(m));
            game.moves.push_str(san.as_deref().unwrap_or("--"));
        }
        game.plies += 1;
    }

    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        let known = result.filter(|&result| result != GameResult::Unknown);
        self.result = known.or(self.tagged_result).unwrap_or_default();
    }
}

/// What a tag says, or nothing if it only says that it does not know.
fn known(value: &str) -> String {
    let value = value.trim();
    if value == "?" { String::new() } else { value.chars().take(60).collect() }
}

impl Worker for Game {
    type Note = Game;

    fn good(&mut self, _text: &[u8], result: &mut BlockResult<Game>) {
        result.keep(std::mem::take(self), |_| {});
    }
}

impl Counts {
    fn add(&mut self, game: Game) {
        self.games += 1;
        self.plies += game.plies;
        self.longest = self.longest.max(game.plies);
        self.results[game.result as usize] += 1;
        if let Some(year) = game.year {
            *self.years.entry(year).or_default() += 1;
        }
        let opening =
            [game.opening, game.eco, game.moves].into_iter().find(|name| !name.is_empty());
        if let Some(opening) = opening
            && (self.openings.len() < MOST_OPENINGS || self.openings.contains_key(&opening))
        {
            *self.openings.entry(opening).or_default() += 1;
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    mill::run(&args.input, Game::default, |item| {
        match item {
            Item::Bad(line) => {
                counts.bad += 1;
                eprintln!("{line}");
            }
            Item::Remark(_, line) => eprintln!("{line}"),
            Item::Game { note, .. } => counts.add(note),
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let mut out = crate::print::out();
    report(&counts, args.top, &mut out)?;
    Ok(out.flush()?)
}

fn report(counts: &Counts, top: usize, out: &mut impl Write) -> std::io::Result<()> {
    let games = counts.games;
    let share = |part: u64| 100.0 * part as f64 / games.max(1) as f64;
    write!(out, "Games     {}", grouped(games))?;
    match counts.bad {
        0 => writeln!(out)?,
        bad => writeln!(out, ", and {bad} that cannot be read")?,
    }
    let average = counts.plies as f64 / 2.0 / games.max(1) as f64;
    let longest = count(counts.longest.div_ceil(2), "move");
    let plies = grouped(counts.plies);
    writeln!(out, "Plies     {plies}, {average:.1} moves a game, the longest {longest}")?;
    let titles = ["White wins", "Black wins", "Draws", "Unknown"];
    for (title, part) in titles.into_iter().zip(counts.results).filter(|(_, part)| *part > 0) {
        writeln!(out, "  {title:<10} {:>12} {:>5.1} %", grouped(part), share(part))?;
    }
    let mut years: Vec<(u32, u64)> = counts.years.iter().map(|(&y, &n)| (y, n)).collect();
    years.sort_unstable();
    if let (Some((first, _)), Some((last, _))) = (years.first(), years.last()) {
        writeln!(out, "Years     {first} to {last}")?;
        let by_decade = years.len() > 20;
        if by_decade {
            for year in &mut years {
                year.0 = year.0 / 10 * 10;
            }
            years.dedup_by(|next, sum| {
                next.0 == sum.0 && {
                    sum.1 += next.1;
                    true
                }
            });
        }
        for (year, number) in years {
            let title = format!("{year}{}", if by_decade { "s" } else { "" });
            writeln!(out, "  {title:<10} {:>12} {:>5.1} %", grouped(number), share(number))?;
        }
    }
    let mut openings: Vec<(&str, u64)> =
        counts.openings.iter().map(|(name, &number)| (name.as_str(), number)).collect();
    openings.sort_unstable_by_key(|&(name, number)| (std::cmp::Reverse(number), name));
    if !openings.is_empty() && top > 0 {
        writeln!(out, "Openings  {} different", grouped(openings.len() as u64))?;
    }
    for (name, number) in openings.into_iter().take(top) {
        writeln!(out, "  {:>12} {:>5.1} %  {name}", grouped(number), share(number))?;
    }
    Ok(())
}
