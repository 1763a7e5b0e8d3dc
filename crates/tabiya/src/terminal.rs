//! What the terminal can show, by what the environment says: `TERM`, `NO_COLOR`, the locale.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use tabiya_tui::Depth;

fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether it is one that only prints a line after another.
fn is_dumb() -> bool {
    env("TERM").is_some_and(|term| term == "dumb")
}

/// Whether somebody sits before a terminal that can be drawn on.
pub(crate) fn has_screen() -> bool {
    std::io::stdout().is_terminal() && std::io::stdin().is_terminal() && !is_dumb()
}

/// Whether what is printed may have 256 colours, and figures.
pub(crate) fn has_colours_and_figures() -> bool {
    let colours = matches!(Depth::detect(env), Depth::Indexed | Depth::True);
    std::io::stdout().is_terminal() && colours && tabiya_tui::speaks_unicode(env)
}

/// A bar on standard error for work of so many steps, if somebody looks at it.
pub(crate) fn bar(steps: Option<u64>, template: &str) -> ProgressBar {
    if is_dumb() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = steps.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        let signs = if tabiya_tui::speaks_unicode(env) { "━━─" } else { "=>-" };
        bar.set_style(style.progress_chars(signs));
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(250));
    bar
}
