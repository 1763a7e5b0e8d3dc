//! A review for people to read in a terminal.

use std::fmt::Write as _;
use std::time::Duration;

use tabiya_chess::Color;
use tabiya_coach::{Reasons, Voice};
use tabiya_pgn::Game;
use tabiya_review::{Review, Reviewed};

/// How wide the drawing of winning chances is.
const WIDTH: usize = 64;

pub(super) fn summary(number: u64, games: usize, game: &Game, review: &Review) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(number, games, game, review, &mut text);
    text
}

fn write_all(
    number: u64,
    games: usize,
    game: &Game,
    review: &Review,
    text: &mut String,
) -> std::fmt::Result {
    let name = |tag| game.tag(tag).filter(|name| !matches!(*name, "" | "?"));
    let (white, black) = (name("White").unwrap_or("White"), name("Black").unwrap_or("Black"));
    let count = if games > 1 { format!("Game {number}: ") } else { String::new() };
    writeln!(text, "{count}{white} – {black}, {}", game.result())?;
    let moves = review.moves.len().div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    match &review.opening {
        Some(opening) => writeln!(text, "{} {}, {moves} move{plural}", opening.eco, opening.name)?,
        None => writeln!(text, "{moves} move{plural}")?,
    }
    if review.moves.is_empty() {
        return writeln!(text, "The position is worth {}.", review.start.worth);
    }
    let curve = curve(review);
    writeln!(text, "\n  {curve}\n")?;
    writeln!(text, "         accuracy   loss  ?!   ?  ??")?;
    for color in Color::ALL {
        let side = review.performance(color);
        let (Some(accuracy), Some(loss)) = (side.accuracy, side.average_loss) else { continue };
        let [inaccuracies, mistakes, blunders] = side.counts;
        writeln!(
            text,
            "  {:<6} {accuracy:>6.1} % {loss:>6} {inaccuracies:>3} {mistakes:>3} {blunders:>3}",
            color.name()
        )?;
    }
    let moves = review.moves.iter().enumerate();
    let judged: Vec<(usize, &Reviewed)> = moves.filter(|(_, m)| m.judgement.is_some()).collect();
    if !judged.is_empty() {
        writeln!(text)?;
    }
    for (index, reviewed) in judged {
        write_judged(reviewed, &review.reasons(index), text)?;
    }
    write_times(review, text)
}

fn write_judged(reviewed: &Reviewed, why: &Reasons, text: &mut String) -> std::fmt::Result {
    let symbol = reviewed.judgement.map_or("", |judgement| judgement.symbol());
    let played = format!("{}{symbol}", named(reviewed));
    writeln!(text, "  {played:<13} {}", reviewed.sentence().unwrap_or_default())?;
    for reason in [&why.wrong, &why.better].into_iter().flatten() {
        writeln!(text, "  {:<13} {}", "", reason.text(Voice::Nobody))?;
    }
    if why.is_empty() && !reviewed.refutation_san.is_empty() {
        writeln!(text, "  {:<13} It is answered by {}", "", reviewed.refutation_san.join(" "))?;
    }
    if reviewed.better_san.len() > 1 {
        writeln!(text, "  {:<13} {}", "", reviewed.better_san.join(" "))?;
    }
    Ok(())
}

/// `12. Nf3` or `12… Nf6`.
fn named(reviewed: &Reviewed) -> String {
    let dots = if reviewed.color == Color::White { "." } else { "…" };
    format!("{}{dots} {}", reviewed.number, reviewed.san)
}

/// White's winning chances as a row of bars.
fn curve(review: &Review) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let chances: Vec<f64> =
        review.evaluations().map(|evaluation| evaluation.worth.chances()).collect();
    let width = chances.len().min(WIDTH);
    (0..width)
        .map(|column| {
            let at = column * (chances.len() - 1) / (width - 1).max(1);
            let bar = (chances[at] / 100.0 * 7.0).round() as usize;
            BARS[bar.min(7)]
        })
        .collect()
}

fn write_times(review: &Review, text: &mut String) -> std::fmt::Result {
    let Some(times) = &review.times else { return Ok(()) };
    writeln!(text)?;
    for color in Color::ALL {
        let longest: Vec<String> = times
            .longest(color, 3)
            .into_iter()
            .filter_map(|ply| {
                let spent = times.spent.get(ply).copied().flatten()?;
                Some(format!("{} ({})", named(review.moves.get(ply)?), clock(spent)))
            })
            .collect();
        write!(text, "  {:<6} thought {}", color.name(), clock(times.total(color)))?;
        if !longest.is_empty() {
            write!(text, ", longest about {}", longest.join(", "))?;
        }
        if let Some(reviewed) = times.trouble(color).and_then(|ply| review.moves.get(ply)) {
            write!(text, "; short of time from {}", named(reviewed))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// `1:02:03` or `2:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
