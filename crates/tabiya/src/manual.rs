//! What shells and manuals know of the commands, made of the commands themselves.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints what a shell needs to complete commands, options and values.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish
  tabiya completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArgs {
    /// For which shell.
    shell: Shell,
}

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "tabiya", &mut text);
    Ok(std::io::stdout().lock().write_all(&text)?)
}

/// Writes a manual page for every command, to be read with man.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya man ~/.local/share/man/man1 && man tabiya-pgn-cut")]
pub(crate) struct ManArgs {
    /// The folder; made if there is none.
    folder: PathBuf,
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let place = || args.folder.display().to_string();
    std::fs::create_dir_all(&args.folder).with_context(place)?;
    clap_mangen::generate_to(crate::Cli::command(), &args.folder).with_context(place)
}
