use std::io::{BufRead as _, BufWriter, Write as _};

use tabiya_chess::Position;
use tabiya_db::{Database, ExplorerAnswer, Filter};
use tabiya_review::Opening;

use super::filter::FilterArgs;
use crate::print::{count, grouped};

/// Bars are won games of White, drawn ones, won games of Black. "Rating" is the average of those who made the move,
/// "perf" the rating that their result stands for.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    folder: super::Folder,

    /// A FEN, or moves from the start: e4 c5 Nf3. Without, the start of the game.
    #[arg(value_name = "FEN|MOVES")]
    position: Vec<String>,

    /// Read FENs from standard input, and answer each with a line of JSON.
    #[arg(long, conflicts_with = "position")]
    lines: bool,

    #[command(flatten)]
    filter: FilterArgs,
}

pub(super) fn run(args: &Args, as_json: bool) -> anyhow::Result<()> {
    let database = args.folder.open()?;
    if args.lines {
        return answer_lines(&database, &args.filter.filter());
    }
    let position = super::position(&args.position)?;
    let answer = database.answer(&position, &args.filter.filter())?;
    if as_json {
        return super::print_json(&answer);
    }
    print(&database, &answer);
    Ok(())
}

fn answer_lines(database: &Database, filter: &Filter) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let answer = database.answer(&Position::from_fen_prefix(&line?)?, filter)?;
        serde_json::to_writer(&mut out, &answer)?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

fn print(database: &Database, answer: &ExplorerAnswer) {
    if let Ok(position) = answer.fen.parse::<Position>()
        && let Some(opening) = Opening::at(&position)
    {
        println!("{opening}");
    }
    let all = count(database.games(), "game");
    println!("{} of {all}", grouped(answer.games));
    if answer.games == 0 {
        return;
    }
    println!();
    println!(
        "{:8}{:>12}  {:30} {:>6} {:>6}  last played",
        "move", "games", "White/draw/Black", "rating", "perf"
    );
    for m in &answer.moves {
        let rating =
            |rating: Option<u64>| rating.map_or("–".to_owned(), |rating| rating.to_string());
        println!(
            "{:8}{:>12}  {:30} {:>6} {:>6}  {}",
            m.san,
            grouped(m.games),
            bar(m.white, m.draws, m.black),
            rating(m.average_rating),
            rating(m.performance),
            m.last_played
        );
    }
    if answer.ended > 0 {
        println!("{:8}{:>12}", "(end)", grouped(answer.ended));
    }
    println!();
    for game in &answer.top {
        let elo = |elo: Option<u16>| elo.map_or(String::new(), |elo| format!(" ({elo})"));
        println!(
            "{:>9}  {}{} – {}{}  {}  {}  {}",
            game.game,
            game.white,
            elo(game.white_elo),
            game.black,
            elo(game.black_elo),
            game.result,
            game.date,
            game.event
        );
    }
}

/// `████▒▒▒░░░ 42 31 27`: parts of ten, and per cent.
fn bar(white: u64, draws: u64, black: u64) -> String {
    let all = white + draws + black;
    if all == 0 {
        return String::new();
    }
    let share = |part: u64, of: u64| (part * of + all / 2) / all;
    let (light, dark) = (share(white, 10), share(black, 10));
    let middle = 10u64.saturating_sub(light + dark);
    let repeat = |text: &str, count: u64| text.repeat(count as usize);
    format!(
        "{}{}{} {:>3} {:>3} {:>3}",
        repeat("█", light),
        repeat("▒", middle),
        repeat("░", dark),
        share(white, 100),
        share(draws, 100),
        share(black, 100)
    )
}
