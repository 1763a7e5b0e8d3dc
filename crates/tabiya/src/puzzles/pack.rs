use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::Context as _;
use tabiya_base::write_atomically;
use tabiya_tactics::{Collection, Tactic, Theme, pack};

/// Packs files of puzzles into one, which is about a quarter as long. Positions that come more than once are kept once.
///
/// docs/puzzles.md tells what a packed file looks like.
#[derive(clap::Args)]
#[command(after_help = "Example:
  tabiya puzzles pack puzzles.txt more.txt --out puzzles.bin")]
pub(super) struct Args {
    /// Files that `tabiya puzzles make` wrote.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The packed file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (mut tactics, mut known): (Vec<Tactic>, _) = (Vec::new(), HashSet::new());
    for path in &args.files {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| name.to_string())?;
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with("game ") || line.trim().is_empty() {
                continue;
            }
            let tactic =
                line.parse::<Tactic>().with_context(|| format!("{name}, line {number}"))?;
            if tactic.before().castles_as_in_standard_chess() && known.insert(tactic.id()) {
                tactics.push(tactic);
            }
        }
    }
    let bytes = pack(&tactics)?;
    write_atomically(&args.out, |file| file.write_all(&bytes))
        .with_context(|| args.out.display().to_string())?;
    println!("{} puzzles, {} bytes", tactics.len(), bytes.len());
    let collection = Collection::new(tactics);
    for theme in Theme::ALL {
        println!("{:>6}  {}", collection.count(theme), theme.label());
    }
    Ok(())
}
