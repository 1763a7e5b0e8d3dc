//! How many mistakes get a reason. A line of the file is a mistake as `examples/mistakes.rs` of `tabiya-review` prints it.
//!
//! ```text
//! cargo run --release -p tabiya-coach --example reasons -- mistakes.txt
//! ```

use std::time::Instant;

use tabiya_chess::Position;
use tabiya_coach::{Mistake, Voice, reasons};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file of mistakes?")?;
    let verbose = std::env::args().nth(2).is_some();
    let text = std::fs::read_to_string(path)?;
    let (mut all, mut wrong, mut better, mut some) = (0, 0, 0, 0);
    let begun = Instant::now();
    for line in text.lines() {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[fen, played, refutation, best] = parts.as_slice() else { continue };
        let before: Position = fen.parse()?;
        let found = reasons(&Mistake::read(&before, played, refutation, best)?);
        all += 1;
        wrong += u32::from(found.wrong.is_some());
        better += u32::from(found.better.is_some());
        some += u32::from(!found.is_empty());
        if verbose {
            println!("{line}");
            for reason in [&found.wrong, &found.better] {
                println!(
                    "    {}",
                    reason.as_ref().map_or("-".into(), |one| one.text(Voice::Nobody))
                );
            }
        }
    }
    println!(
        "{all} mistakes: {some} have a reason, {wrong} for the move, {better} for the better one; {:.1} ms each",
        begun.elapsed().as_secs_f64() * 1000.0 / f64::from(all.max(1))
    );
    Ok(())
}
