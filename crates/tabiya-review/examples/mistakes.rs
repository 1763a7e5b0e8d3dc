//! The mistakes and blunders of many games, one a line: the position, the move, the line that punishes it and the better line, with
//! bars between. What reasons are measured on is made of these.
//!
//! ```text
//! cargo run --release -p tabiya-review --example mistakes -- games.pgn 20000 2000 > mistakes.txt
//! ```

use std::fs::File;

use tabiya_base::Stop;
use tabiya_chess::{Move, Position};
use tabiya_pgn::Reader;
use tabiya_review::{Judgement, ReviewSettings, Reviewed, review};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file of games?")?;
    let nodes = arguments.next().ok_or("how many nodes for each position?")?.parse()?;
    let wanted: usize = arguments.next().ok_or("how many mistakes?")?.parse()?;
    let settings = ReviewSettings { nodes, ..ReviewSettings::default() };
    let mut found = 0;
    for game in Reader::new(File::open(path)?).games().flatten() {
        let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
        let played = game.to_play();
        for (before, reviewed) in played.positions().zip(&review.moves) {
            if reviewed.judgement >= Some(Judgement::Mistake) && found < wanted {
                println!("{}", line(before, reviewed));
                found += 1;
            }
        }
        if found >= wanted {
            break;
        }
    }
    Ok(())
}

fn line(before: &Position, reviewed: &Reviewed) -> String {
    let after = before.play(reviewed.played).unwrap_or(*before);
    format!(
        "{} | {} | {} | {}",
        before.fen(),
        reviewed.code,
        codes(&after, &reviewed.refutation),
        codes(before, &reviewed.better)
    )
}

fn codes(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let code = |&m: &Move| {
        let code = position.uci(m);
        position.play_unchecked(m);
        code
    };
    line.iter().map(code).collect::<Vec<_>>().join(" ")
}
