use std::io::{StdoutLock, Write};
use std::time::Instant;

use tabiya_pgn::{Played, Visitor};

use super::{Desk, count, read_all};

/// Each bad game is a line of standard output: file:line:column, the number of the game and what is
/// wrong. The status is 1 if there is one. All moves are played, those of variations too.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The files; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

struct Checker {
    out: StdoutLock<'static>,
    games: u64,
    moves: u64,
    bad: u64,
}

impl Visitor for Checker {
    fn played(&mut self, _played: &Played<'_>) {
        self.moves += 1;
    }
}

impl Desk for Checker {
    fn good(&mut self) -> anyhow::Result<()> {
        self.games += 1;
        Ok(())
    }

    fn bad(&mut self, line: &str) -> anyhow::Result<()> {
        self.bad += 1;
        Ok(writeln!(self.out, "{line}")?)
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut checker = Checker { out: std::io::stdout().lock(), games: 0, moves: 0, bad: 0 };
    read_all(&args.files, &mut checker)?;
    let Checker { mut out, games, moves, bad } = checker;
    writeln!(out, "{}, {} checked", count(games + bad, "game"), count(moves, "move"))?;
    out.flush()?;
    eprintln!("{:.3} s", clock.elapsed().as_secs_f64());
    match bad {
        0 => Ok(()),
        bad => anyhow::bail!("{} of {} cannot be read", bad, count(games + bad, "game")),
    }
}
