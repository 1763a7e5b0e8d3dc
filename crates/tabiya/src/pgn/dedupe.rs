use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use tabiya_base::{digest, fold, mix};
use tabiya_pgn::Played;

use super::cutter::{Cutter, Note};
use super::form::{FormArgs, Writer};
use super::mill::{self, Input, Item, Totals};
use super::output::{GameSink, OutArg, report, write_file};
use super::select::{Criteria, Select};
use super::spool::Spool;
use crate::print::count;

/// Games with the same moves are written once. Games without moves are the same if players, date, round and
/// result are. The status is 1 if a game cannot be read: it is left out, and told of.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn dedupe a.pgn b.pgn --out all.pgn
  tabiya pgn dedupe --by moves-and-players --keep most-tags --duplicates twice.pgn games.pgn")]
pub(super) struct Args {
    /// What makes two games the same.
    #[arg(long, value_enum, default_value_t)]
    by: By,

    /// Which of them is written.
    #[arg(long, value_enum, default_value_t)]
    keep: Keep,

    /// Write the others to this file.
    #[arg(long, value_name = "FILE")]
    duplicates: Option<PathBuf>,

    #[command(flatten)]
    select: Select,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    out: OutArg,

    #[command(flatten)]
    input: Input,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
enum By {
    /// The same moves from the same start.
    #[default]
    Moves,
    /// The same moves, and players with the same family names.
    MovesAndPlayers,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Keep {
    /// The first in the order of the files.
    #[default]
    First,
    /// The one that says most: with the most tags, and the first of those. The games wait in a file until all are read.
    MostTags,
}

/// The moves of a game as one number.
#[derive(Default)]
struct Moves {
    hash: u64,
    plies: u32,
}

/// A game as two numbers, and how many tags it has.
struct Identity {
    moves: u64,
    players: u64,
    tags: u32,
}

impl Note for Moves {
    type Value = Identity;

    fn begin_game(&mut self) {
        *self = Moves::default();
    }

    fn played(&mut self, played: &Played<'_>) {
        if self.plies == 0 {
            self.hash = played.before.repetition_key();
        }
        self.plies += 1;
        let m = played.played.map_or(0xffff, |m| {
            let promotion = m.promotes_to().map_or(0, |role| 1 + role as u64);
            m.from().index() as u64 | (m.to().index() as u64) << 6 | promotion << 12
        });
        self.hash = (self.hash.rotate_left(9) ^ m).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn value(&mut self, writer: &Writer<'_>) -> Identity {
        let game = writer.game();
        let tag = |name| game.tag_value(name).unwrap_or_default();
        let family = |name: &str| {
            let folded = fold(name);
            let name = folded.split(',').next().unwrap_or_default().trim();
            bytes(name.as_bytes())
        };
        let players = mix(family(tag("White")) ^ family(tag("Black")).rotate_left(32));
        let mut moves = mix(self.hash ^ u64::from(self.plies));
        if self.plies == 0 {
            let rest = ["Date", "Round", "Event"].map(|name| bytes(tag(name).as_bytes()));
            moves = rest.into_iter().fold(players, |hash, one| mix(hash ^ one).rotate_left(1));
        }
        Identity {
            moves,
            players,
            tags: game
                .tags()
                .filter(|(_, value)| !value.trim_matches(['?', '.']).is_empty())
                .count() as u32,
        }
    }
}

fn bytes(text: &[u8]) -> u64 {
    digest(text.iter().copied())
}

/// Numbers that are mixed already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type MixedState = BuildHasherDefault<Mixed>;

/// How much a game says, and which it is, as one number: of those with the most tags the first has the greatest. A map
/// of them takes 17 bytes for each place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(u64);

impl Rank {
    const NUMBERS: u32 = 52;

    fn new(tags: u32, number: u64) -> Rank {
        let last = (1 << Rank::NUMBERS) - 1;
        Rank(u64::from(tags.min(0xfff)) << Rank::NUMBERS | (last - number.min(last)))
    }
}

/// Writes the games that are wanted, and the others to their own file.
struct Written<'a, 'b, 'c> {
    out: &'a mut GameSink<'b>,
    others: Option<&'c mut dyn Write>,
    written: u64,
    twice: u64,
}

impl Written<'_, '_, '_> {
    fn add(&mut self, text: &[u8], is_wanted: bool) -> anyhow::Result<()> {
        if is_wanted {
            self.written += 1 - self.out.write(text)?;
            return Ok(());
        }
        self.twice += 1;
        match &mut self.others {
            Some(others) => Ok(others.write_all(text)?),
            None => Ok(()),
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (written, twice, totals) = match &args.duplicates {
        None => args.out.write(&args.form, |out| dedupe(args, out, None))?,
        Some(path) => write_file(path, |others| {
            others.write_all(args.form.head().as_bytes())?;
            args.out.write(&args.form, |out| dedupe(args, out, Some(others)))
        })?,
    };
    eprintln!("{} there already", count(twice, "game"));
    report(written, totals)
}

/// Tells how many games were written, how many not, and how many there were.
fn dedupe(
    args: &Args,
    out: &mut GameSink<'_>,
    others: Option<&mut dyn Write>,
) -> anyhow::Result<(u64, u64, Totals)> {
    let mut written = Written { out, others, written: 0, twice: 0 };
    let totals = match args.keep {
        Keep::First => keep_first(args, &mut written)?,
        Keep::MostTags => keep_most_tags(args, &mut written)?,
    };
    Ok((written.written, written.twice, totals))
}

/// Hands on the games that are asked for, each with what it is.
fn read(
    args: &Args,
    mut take: impl FnMut(u64, &[u8], Identity) -> anyhow::Result<()>,
) -> anyhow::Result<Totals> {
    let criteria = Criteria::new(&args.select)?;
    let network = args.form.network()?;
    let make = || Cutter::<Moves>::new(&criteria, &args.form, network.clone(), args.input.letters);
    mill::run(&args.input, make, |item| {
        match item {
            Item::Bad(line) | Item::Remark(_, line) => eprintln!("{line}"),
            Item::Game { number, text, note } => take(number, text, note)?,
        }
        Ok(ControlFlow::Continue(()))
    })
}

impl Args {
    fn identity(&self, game: &Identity) -> u64 {
        match self.by {
            By::Moves => game.moves,
            By::MovesAndPlayers => mix(game.moves ^ game.players),
        }
    }
}

fn keep_first(args: &Args, written: &mut Written<'_, '_, '_>) -> anyhow::Result<Totals> {
    let mut seen: HashSet<u64, MixedState> = HashSet::default();
    read(args, |_, text, game| written.add(text, seen.insert(args.identity(&game))))
}

/// Which game says most is known when all are read: until then they wait in a file, each behind what it is.
fn keep_most_tags(args: &Args, written: &mut Written<'_, '_, '_>) -> anyhow::Result<Totals> {
    let mut best: HashMap<u64, Rank, MixedState> = HashMap::default();
    let mut spool = Spool::new()?;
    let totals = read(args, |number, text, game| {
        let identity = args.identity(&game);
        let rank = Rank::new(game.tags, number);
        let known = best.entry(identity).or_insert(rank);
        *known = rank.max(*known);
        spool.add(&identity.to_le_bytes())?;
        spool.add(&rank.0.to_le_bytes())?;
        spool.add(&(text.len() as u64).to_le_bytes())?;
        spool.add(text).map(drop)
    })?;
    let mut at = 0;
    let end = spool.end();
    let mut spooled = spool.finish()?;
    while at < end {
        let mut number = || -> anyhow::Result<u64> {
            let bytes = spooled.read(at, 8)?.try_into().context("a game that waited is gone")?;
            at += 8;
            Ok(u64::from_le_bytes(bytes))
        };
        let (identity, rank, length) = (number()?, Rank(number()?), number()?);
        written.add(spooled.read(at, length as u32)?, best.get(&identity) == Some(&rank))?;
        at += length;
    }
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_those_with_the_most_tags_ranks_highest() {
        assert!(Rank::new(8, 900) > Rank::new(7, 1));
        assert!(Rank::new(7, 1) > Rank::new(7, 2));
        // A map of games that doubles has three places for seven eighths of a game, a byte more for each.
        let place = std::mem::size_of::<(u64, Rank)>() + 1;
        assert!(3 * place * 8 / 7 < 64);
    }
}
