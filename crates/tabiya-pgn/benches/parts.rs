//! Whether time grows with the text and no faster, whatever the text is made of. `cargo bench -p tabiya-pgn`
//!
//! Every part of a record is repeated to n, 2n and 4n bytes, read into trees, written and read again. A row shows how
//! long that took for n bytes, and how much longer for twice and four times as many: 2 and 4 where all is well.
//! A row far beyond that ends the program with an error.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tabiya_pgn::{MAX_DEPTH, Reader};

/// The smallest size, in bytes.
const SIZE: usize = 250_000;
/// How long each size is tried.
const PATIENCE: Duration = Duration::from_millis(200);
/// Beyond this, four times the text took far more than four times as long.
const MOST: f64 = 8.0;

/// A text of about so many bytes.
type Part = (&'static str, fn(usize) -> String);

fn main() {
    let mut slow = Vec::new();
    println!("{:<44} {:>9} {:>9} {:>6} {:>6}", "part", "n bytes", "time", "×2", "×4");
    for (name, make) in PARTS {
        let [once, twice, four] = [1, 2, 4].map(|times| time(&make(times * SIZE)));
        let ratio = |longer: Duration| longer.as_secs_f64() / once.as_secs_f64();
        println!(
            "{name:<44} {:>9} {:>6.1} ms {:>6.2} {:>6.2}",
            make(SIZE).len(),
            once.as_secs_f64() * 1000.0,
            ratio(twice),
            ratio(four)
        );
        if ratio(four) > MOST {
            slow.push(name);
        }
    }
    assert!(slow.is_empty(), "time grows faster than the text: {slow:?}");
}

/// The best of some times: reading, writing what was good, and reading that.
fn time(text: &str) -> Duration {
    let once = || {
        let begun = spent();
        let games = Reader::new(text.as_bytes()).games().flatten();
        let written: String = games.map(|game| game.to_string() + "\n").collect();
        assert!(Reader::new(written.as_bytes()).games().all(|game| black_box(game).is_ok()));
        spent() - begun
    };
    let begun = Instant::now();
    let mut best = once();
    while begun.elapsed() < PATIENCE {
        best = best.min(once());
    }
    best
}

/// The time that this thread has had a processor: what else runs on the machine does not matter.
fn spent() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// As many copies as fill the size.
fn fill(part: &str, size: usize) -> String {
    part.repeat(size / part.len())
}

/// As many different ones as fill the size.
fn numbered(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 100);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&part(number));
    }
    text
}

/// Knights that go out and back.
fn shuffle(size: usize) -> String {
    fill("Nf3 Nf6 Ng1 Ng8 ", size)
}

/// Variations inside each other, as deeply as there may be, in as many games as it takes.
fn nested(size: usize) -> String {
    let depth = MAX_DEPTH / 5;
    let mut game = String::from("1. Nf3 ");
    for level in 0..depth {
        let (shuttle, replaced) =
            (["Nc3", "Nc6", "Nb1", "Nb8"][level % 4], ["Nf6", "Nf3"][level % 2]);
        game.push_str(&format!("({shuttle} {replaced} "));
    }
    game.push_str(&")".repeat(depth));
    game.push_str(" *\n");
    game.repeat((size / game.len()).max(1))
}

const PARTS: &[Part] = &[
    ("tags, all different", |n| numbered(n, |i| format!("[a{i} \"\"]\n"))),
    ("tags, all the same", |n| fill("[White \"x\"]\n", n)),
    ("games with 256 tags", |n| {
        let tags: String = (0..256).map(|i| format!("[a{i} \"\"]\n")).collect();
        fill(&(tags + "\n1. e4 *\n\n"), n)
    }),
    ("games of one tag", |n| fill("[Event \"x\"]\n", n)),
    ("one long value", |n| format!("[White \"{}\"]\n*", fill("x", n))),
    ("values with quotation marks", |n| format!("[White \"{}\"]\n*", fill("\" ", n))),
    ("values with backslashes", |n| format!("[White \"{}\"]\n*", fill("\\\\\\\"", n))),
    ("FEN tags", |n| fill("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n", n)),
    ("FEN tags that are wrong", |n| fill("[Event \"x\"]\n[FEN \"8/8\"]\n*\n", n)),
    ("one long FEN tag", |n| format!("[FEN \"{}\"]\n*", fill("8/", n))),
    ("variant tags", |n| fill("[Event \"x\"]\n[Variant \"Atomic\"]\n*\n", n)),
    ("tags that do not end", |n| fill("[a \"", n)),
    ("a long list of moves", |n| format!("{} *", shuffle(n))),
    ("moves with numbers", |n| format!("{} *", fill("1. Nf3 1... Nf6 2. Ng1 2... Ng8 ", n))),
    ("moves from square to square", |n| format!("{} *", fill("g1f3 g8f6 f3g1 f6g8 ", n))),
    ("null moves", |n| format!("{} *", fill("-- ", n))),
    ("short games", |n| fill("1. e4 e5 2. Nf3 Nc6 1-0\n", n)),
    ("nested variations", nested),
    ("variations side by side", |n| format!("1. e4 {} *", fill("(1. d4)", n))),
    ("variations without moves", |n| format!("1. e4 {} *", fill("() ", n))),
    ("variations with comments before", |n| format!("1. e4 {} *", fill("({Or} 1. d4)", n))),
    ("variations that are not closed", |n| fill("1. e4 (1. d4 (1. c4 *\n[Event \"x\"]\n", n)),
    ("closed, but not opened", |n| fill("1. e4 )\n[Event \"x\"]\n", n)),
    ("one long comment", |n| format!("1. e4 {{{}}} *", fill("so ", n))),
    ("one long word in a comment", |n| format!("1. e4 {{{}}} *", fill("x", n))),
    ("many comments on one move", |n| format!("1. e4 {} *", fill("{so}", n))),
    ("comments on all moves", |n| format!("{} *", fill("Nf3 {a} Nf6 {b} Ng1 {c} Ng8 {d} ", n))),
    ("comments to the end of the line", |n| format!("1. e4 {} *", fill("; so\n", n))),
    ("comments before the game", |n| format!("{} 1. e4 *", fill("{so} ", n))),
    ("comments that are not closed", |n| fill("1. e4 {so\n[Event \"x\"]\n", n)),
    ("clocks and evaluations", |n| {
        format!("{} *", fill("Nf3 {[%clk 0:01:00] [%eval 0.3,20]} Nf6 Ng1 Ng8 ", n))
    }),
    ("commands in one comment", |n| format!("1. e4 {{{}}} *", fill("[%cal Ge2e4] ", n))),
    ("commands that are not closed", |n| format!("1. e4 {{{}}} *", fill("[%clk ", n))),
    ("judgements by number", |n| format!("1. e4 {} *", numbered(n, |i| format!("${} ", i % 256)))),
    ("judgements by sign", |n| format!("1. e4 {} *", fill("!? ", n))),
    ("one long sign", |n| format!("1. e4 {} *", fill("!", n))),
    ("escaped lines", |n| format!("1. e4 {} *", fill("\n% so", n))),
    ("results", |n| fill("1-0 0-1 1/2-1/2 * ", n)),
    ("results inside a variation", |n| format!("1. e4 (1. d4 {}) *", fill("1-0 ", n))),
    ("move numbers", |n| format!("{} *", fill("1. ", n))),
    ("Latin-1", |n| format!("1. e4 {{{}}} *", fill("é", n))),
    ("space", |n| fill(" \r\n\t", n)),
    ("byte order marks", |n| fill("\u{feff}", n)),
    ("brackets", |n| fill("[", n)),
    ("brackets and blanks", |n| fill(&format!("[{}\n", " ".repeat(1000)), n)),
    ("zeros", |n| fill("\0", n)),
    ("words that are no moves", |n| fill("hello\n", n)),
    ("one long word", |n| fill("x", n)),
];
