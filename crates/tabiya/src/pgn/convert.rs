use std::ops::ControlFlow;

use super::cutter::{Cutter, Nothing};
use super::form::FormArgs;
use super::mill::{self, Input, Item};
use super::output::{OutArg, report};
use super::select::{Criteria, Select};

/// All games are written, in the order of the files. The status is 1 if one cannot be read: it is left out,
/// and told of.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn convert games.pgn.bz2 --out clean.pgn
  tabiya pgn convert --no-comments --no-variations --openings games.pgn
  tabiya pgn convert --format csv games.pgn > games.csv
  tabiya pgn convert --format parquet --out games.parquet games.pgn
  tabiya pgn convert --letters de --format uci alt.pgn
  tabiya pgn convert --set-tag 'Event=Club championship' --only-tags WhiteElo,BlackElo games.pgn")]
pub(super) struct Args {
    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    out: OutArg,

    #[command(flatten)]
    input: Input,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let criteria = Criteria::new(&Select::default())?;
    let network = args.form.network()?;
    let make =
        || Cutter::<Nothing>::new(&criteria, &args.form, network.clone(), args.input.letters);
    let (written, totals) = args.out.write(&args.form, |out| {
        let mut written = 0;
        let totals = mill::run(&args.input, make, |item| {
            match item {
                Item::Bad(line) => eprintln!("{line}"),
                Item::Remark(_, line) => eprintln!("{line}"),
                Item::Game { text, .. } => {
                    written += 1 - out.write(text)?;
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((written, totals))
    })?;
    report(written, totals)
}
