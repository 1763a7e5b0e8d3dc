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

/// Whether the locale says that there are no other letters than those of ASCII. One that says nothing says nothing.
pub(crate) fn is_ascii() -> bool {
    let locale = env("LC_ALL").or_else(|| env("LC_CTYPE")).or_else(|| env("LANG"));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

/// Whether what is printed is better without colours and bold letters.
pub(crate) fn is_plain() -> bool {
    is_dumb() || env("NO_COLOR").is_some()
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

/// Whether somebody looks at standard error, where a line can be written over.
pub(crate) fn has_status_line() -> bool {
    std::io::stderr().is_terminal() && !is_dumb()
}

/// A bar on standard error for work of so many steps, if somebody looks at it.
pub(crate) fn bar(steps: Option<u64>, template: &str) -> ProgressBar {
    if !has_status_line() {
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
