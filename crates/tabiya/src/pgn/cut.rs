use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};

use tabiya_base::Random;

use super::cutter::{Cutter, Nothing};
use super::form::FormArgs;
use super::mill::{self, Input, Item};
use super::output::{OutArg, report};
use super::select::{Criteria, Select, range};

/// Games come out in the form of the standard, with comments and variations, and in the order of the
/// files. The status is 1 if a game cannot be read: it is left out, and told of.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn cut --games 1-100 games.pgn > first.pgn
  tabiya pgn cut --white Tal --result 1-0 games.pgn
  tabiya pgn cut --eco B9 --years 1970-1979 --out najdorf.pgn games.pgn.zst
  tabiya pgn cut --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -' games.pgn
  tabiya pgn cut --pattern '*/*/*/*/*/*/*/?????RK?' --elo 2700- games.pgn
  tabiya pgn cut --material KRPvKR --lasting 10 --no-comments games.pgn
  tabiya pgn cut --tag Event=Candidates --player '!Carlsen' games.pgn")]
pub(super) struct Args {
    /// Games by their number, counted through all files: 7, 10-20, 100-.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    games: Option<RangeInclusive<u64>>,

    /// So many of them, chosen by chance.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// What decides by chance: the same number, the same games.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    seed: u64,

    #[command(flatten)]
    select: Select,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    out: OutArg,

    #[command(flatten)]
    input: Input,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let criteria = Criteria::new(&args.select)?;
    let network = args.form.network()?;
    let make =
        || Cutter::<Nothing>::new(&criteria, &args.form, network.clone(), args.input.letters);
    let in_range = |number: u64| args.games.as_ref().is_none_or(|games| games.contains(&number));
    let (written, totals) = args.out.write(&args.form, |out| {
        let mut written = 0;
        let mut sample = args.sample.map(|size| Sample::new(size, args.seed));
        let totals = mill::run(&args.input, make, |item| {
            match item {
                Item::Bad(line) => eprintln!("{line}"),
                Item::Remark(number, line) if in_range(number) => eprintln!("{line}"),
                Item::Remark(..) => {}
                Item::Game { number, .. }
                    if args.games.as_ref().is_some_and(|games| number > *games.end()) =>
                {
                    return Ok(ControlFlow::Break(()));
                }
                Item::Game { number, .. } if !in_range(number) => {}
                Item::Game { number, text, .. } => match &mut sample {
                    Some(sample) => sample.offer(number, text),
                    None => {
                        written += 1 - out.write(text)?;
                        if args.games.as_ref().is_some_and(|games| number == *games.end()) {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                },
            }
            Ok(ControlFlow::Continue(()))
        })?;
        for text in sample.iter().flat_map(|sample| sample.chosen.values()) {
            written += 1 - out.write(text)?;
        }
        Ok((written, totals))
    })?;
    report(written, totals)
}

/// Some of many, each with the same chance, however many there are.
struct Sample {
    size: usize,
    seen: u64,
    random: Random,
    /// By their number, with the place in `order` that says who goes.
    chosen: BTreeMap<u64, Vec<u8>>,
    order: Vec<u64>,
}

impl Sample {
    fn new(size: usize, seed: u64) -> Sample {
        Sample {
            size,
            seen: 0,
            random: Random::new(seed),
            chosen: BTreeMap::new(),
            order: Vec::new(),
        }
    }

    fn offer(&mut self, number: u64, text: &[u8]) {
        self.seen += 1;
        if self.order.len() < self.size {
            self.order.push(number);
            self.chosen.insert(number, text.to_vec());
            return;
        }
        let place = self.random.below(self.seen as usize);
        if let Some(old) = self.order.get_mut(place) {
            self.chosen.remove(old);
            *old = number;
            self.chosen.insert(number, text.to_vec());
        }
    }
}
