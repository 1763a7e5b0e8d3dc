use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use tabiya_base::mix;
use tabiya_pgn::Played;

use super::cutter::{Cutter, Note};
use super::form::{FormArgs, Writer};
use super::mill::{self, Input, Item};
use super::names::fold;
use super::output::{OutArg, report, write_file};
use super::select::{Criteria, Select};

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
    /// The one that says most: with the most tags, and the first of those. The files are read twice.
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
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
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

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.keep == Keep::MostTags && args.input.files.iter().any(|file| file == "-") {
        anyhow::bail!(
            "--keep most-tags reads the games twice, which standard input does not allow: give a file"
        );
    }
    let criteria = Criteria::new(&args.select)?;
    let network = args.form.network()?;
    let make = || Cutter::<Moves>::new(&criteria, &args.form, network.clone(), args.input.letters);
    let identity = |one: &Identity| match args.by {
        By::Moves => one.moves,
        By::MovesAndPlayers => mix(one.moves ^ one.players),
    };
    // Of each game the number of the one that is written, if that is not the first.
    let mut best: HashMap<u64, (u32, u64), MixedState> = HashMap::default();
    if args.keep == Keep::MostTags {
        mill::run(&args.input, make, |item| {
            if let Item::Game { number, note, .. } = item {
                let known = best.entry(identity(&note)).or_insert((note.tags, number));
                if note.tags > known.0 {
                    *known = (note.tags, number);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
    let mut seen: HashSet<u64, MixedState> = HashSet::default();
    let mut twice = 0_u64;
    let mut work = |out: &mut dyn Write, mut others: Option<&mut dyn Write>| {
        out.write_all(args.form.head().as_bytes())?;
        let mut written = 0;
        let totals = mill::run(&args.input, make, |item| {
            match item {
                Item::Bad(line) => eprintln!("{line}"),
                Item::Remark(_) => {}
                Item::Game { number, text, note } => {
                    let identity = identity(&note);
                    let is_wanted = match args.keep {
                        Keep::First => seen.insert(identity),
                        Keep::MostTags => best.get(&identity).is_some_and(|best| best.1 == number),
                    };
                    if is_wanted {
                        written += 1;
                        out.write_all(text)?;
                    } else {
                        twice += 1;
                        if let Some(others) = &mut others {
                            others.write_all(text)?;
                        }
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((written, totals))
    };
    let (written, totals) = match &args.duplicates {
        None => args.out.write(|out| work(out, None))?,
        Some(path) => write_file(path, |others| args.out.write(|out| work(out, Some(others))))?,
    };
    eprintln!("{} there already", super::count(twice, "game"));
    report(written, totals)
}
