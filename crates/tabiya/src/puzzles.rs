mod make;
mod pack;
mod suites;

/// Puzzles: positions in which one move wins, mates or saves the game.
#[derive(clap::Args)]
#[command(subcommand_value_name = "COMMAND")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Make(make::Args),
    Pack(pack::Args),
    Suites(suites::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Make(args) => make::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Suites(args) => suites::run(args),
    }
}
