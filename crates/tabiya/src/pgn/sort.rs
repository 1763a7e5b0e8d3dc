use std::ops::ControlFlow;

use tabiya_base::fold;
use tabiya_db::Day;
use tabiya_pgn::Played;

use super::cutter::{Cutter, Note};
use super::form::{FormArgs, Writer};
use super::mill::{self, Input, Item};
use super::output::{OutArg, report};
use super::select::{Criteria, Select};
use super::spool::Spool;

/// Games that are equal stay in the order of the files. What is not known comes first. The games wait in a file
/// for their turn, so that memory holds only what they are sorted by.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn sort --by date games.pgn
  tabiya pgn sort --by eco,-elo,white --out sorted.pgn a.pgn b.pgn")]
pub(super) struct Args {
    /// What to sort by, with commas between; - before it for the other way round.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', required = true, allow_hyphen_values = true, value_parser = field)]
    by: Vec<(Field, bool)>,

    #[command(flatten)]
    select: Select,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    out: OutArg,

    #[command(flatten)]
    input: Input,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Date,
    White,
    Black,
    Event,
    Site,
    Round,
    Eco,
    Result,
    /// The average of both players.
    Elo,
    Plies,
}

fn field(text: &str) -> Result<(Field, bool), String> {
    let (name, is_reversed) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text, false),
    };
    let field = <Field as clap::ValueEnum>::from_str(name, true).map_err(|_| {
        "sort by date, white, black, event, site, round, eco, result, elo or plies".to_owned()
    })?;
    Ok((field, is_reversed))
}

/// What a game can be sorted by.
#[derive(Default)]
struct Facts {
    plies: u32,
}

impl Note for Facts {
    type Value = [Vec<u8>; 10];

    fn begin_game(&mut self) {
        self.plies = 0;
    }

    fn played(&mut self, _played: &Played<'_>) {
        self.plies += 1;
    }

    fn value(&mut self, writer: &Writer<'_>) -> [Vec<u8>; 10] {
        let game = writer.game();
        let tag = |name| game.tag_value(name).unwrap_or_default();
        let name = |name| fold(tag(name)).into_bytes();
        let elo = |name| tag(name).trim().parse::<u32>().unwrap_or(0);
        let number = |number: u32| number.to_be_bytes().to_vec();
        [
            number(Day::of_tag(tag("Date")).0),
            name("White"),
            name("Black"),
            name("Event"),
            name("Site"),
            round(tag("Round")),
            name("ECO"),
            vec![game.result() as u8],
            number(elo("WhiteElo") + elo("BlackElo")),
            number(self.plies),
        ]
    }
}

/// `4.10` comes after `4.9`.
fn round(text: &str) -> Vec<u8> {
    text.split('.').flat_map(|part| part.trim().parse::<u32>().unwrap_or(0).to_be_bytes()).collect()
}

/// One text that sorts as the fields do.
fn key(fields: &[(Field, bool)], facts: &[Vec<u8>; 10]) -> Box<[u8]> {
    let mut key = Vec::new();
    for &(field, is_reversed) in fields {
        let start = key.len();
        let value = &facts[field as usize];
        match field {
            // All as long as each other.
            Field::Date | Field::Result | Field::Elo | Field::Plies => key.extend_from_slice(value),
            // What is shorter comes first: nothing is below every byte of it.
            _ => {
                key.extend(value.iter().map(|&byte| byte.saturating_add(1)));
                key.push(0);
            }
        }
        if is_reversed {
            key[start..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
    key.into_boxed_slice()
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let criteria = Criteria::new(&args.select)?;
    let network = args.form.network()?;
    let make = || Cutter::<Facts>::new(&criteria, &args.form, network.clone(), args.input.letters);
    let mut spool = Spool::new()?;
    let mut games: Vec<(Box<[u8]>, u64, u32)> = Vec::new();
    let totals = mill::run(&args.input, make, |item| {
        match item {
            Item::Bad(line) | Item::Remark(_, line) => eprintln!("{line}"),
            Item::Game { text, note, .. } => {
                games.push((key(&args.by, &note), spool.add(text)?, text.len() as u32));
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let mut spooled = spool.finish()?;
    games.sort_by(|one, other| one.0.cmp(&other.0));
    let written = args.out.write(&args.form, |out| {
        let mut written = 0;
        for (_, start, length) in &games {
            written += 1 - out.write(spooled.read(*start, *length)?)?;
        }
        Ok(written)
    })?;
    report(written, totals)
}
