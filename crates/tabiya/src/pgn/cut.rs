use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use tabiya_chess::Position;
use tabiya_pgn::{GameBuilder, GameResult, Interest, Nag, Played, RawTag, Visitor};

use super::{Desk, count, read_all};

/// A game is written if it has all that is asked for. Names and ECO codes are compared without regard
/// to capital letters. Games come out in the form of the standard, with comments and variations.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn cut --games 1-100 games.pgn > first.pgn
  tabiya pgn cut --white Tal --result 1-0 games.pgn
  tabiya pgn cut --eco B9 --years 1970-1979 --out najdorf.pgn games.pgn
  tabiya pgn cut --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -' games.pgn
  tabiya pgn cut --tag Event=Candidates games.pgn")]
pub(super) struct Args {
    /// Games by their number, counted through all files: 7, 10-20, 100-.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    games: Option<RangeInclusive<u64>>,

    /// Part of the name of a player.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Part of the name of White.
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Part of the name of Black.
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// The result: 1-0, 0-1, 1/2-1/2 or *.
    #[arg(long, value_parser = result, allow_hyphen_values = true)]
    result: Option<GameResult>,

    /// The beginning of the ECO code: B, B9, B97.
    #[arg(long, value_name = "CODE")]
    eco: Option<String>,

    /// Years: 1972, 1970-1979.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    years: Option<RangeInclusive<u64>>,

    /// A tag that has this text in its value.
    #[arg(long, value_name = "NAME=TEXT", value_parser = tag)]
    tag: Vec<(String, String)>,

    /// A position that the game itself goes through (clocks and move numbers do not
    /// count), as one argument.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The files; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"));
    let (first, last) = match text.split_once('-') {
        Some((first, "")) => (number(first)?, u64::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    if first > last {
        return Err(format!("{first} comes after {last}"));
    }
    Ok(first..=last)
}

fn result(text: &str) -> Result<GameResult, String> {
    GameResult::from_text(text).ok_or_else(|| "write 1-0, 0-1, 1/2-1/2 or *".to_owned())
}

fn tag(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, part)) => Ok((name.to_owned(), part.to_lowercase())),
        None => Err("write it like Event=Candidates".to_owned()),
    }
}

/// Something that a game must have, said in its tags.
struct Wish {
    /// One of these tags...
    names: &'static [&'static str],
    /// ...has this...
    part: String,
    /// ...and begins with it.
    at_start: bool,
}

struct Cutter<'a> {
    args: &'a Args,
    wishes: Vec<Wish>,
    /// The key of the position to go through.
    key: Option<u64>,
    builder: GameBuilder,
    out: Box<dyn Write>,
    number: u64,
    written: u64,
    // About the game that is read:
    granted: Vec<bool>,
    tags_granted: Vec<bool>,
    year: Option<u64>,
    tagged_result: Option<GameResult>,
    wanted: bool,
    reached: bool,
    depth: u32,
}

impl Visitor for Cutter<'_> {
    fn begin_game(&mut self) {
        self.number += 1;
        self.granted = vec![false; self.wishes.len()];
        self.tags_granted = vec![false; self.args.tag.len()];
        self.year = None;
        self.tagged_result = None;
        self.depth = 0;
        self.builder.begin_game();
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        self.builder.tag(tag);
        let value = tag.value();
        match tag.name {
            b"Date" => self.year = year(&value),
            b"Result" => self.tagged_result = GameResult::from_text(&value),
            _ => {}
        }
        let value = value.to_lowercase();
        for (wish, granted) in self.wishes.iter().zip(&mut self.granted) {
            let named = wish.names.iter().any(|name| name.as_bytes() == tag.name);
            let has = if wish.at_start {
                value.starts_with(&wish.part)
            } else {
                value.contains(&wish.part)
            };
            *granted |= named && has;
        }
        for ((name, part), granted) in self.args.tag.iter().zip(&mut self.tags_granted) {
            *granted |= name.as_bytes() == tag.name && value.contains(part);
        }
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        let in_years = |years: &RangeInclusive<u64>| self.year.is_some_and(|y| years.contains(&y));
        self.wanted = self.args.games.as_ref().is_none_or(|games| games.contains(&self.number))
            && self.args.years.as_ref().is_none_or(in_years)
            && self.granted.iter().chain(&self.tags_granted).all(|&granted| granted);
        self.reached = self.key.is_none_or(|key| key == start.repetition_key());
        if self.wanted { self.builder.begin_moves(start) } else { Interest::Skip }
    }

    fn played(&mut self, played: &Played<'_>) {
        self.builder.played(played);
        if let Some(key) = self.key
            && self.depth == 0
        {
            self.reached |= played.after.repetition_key() == key;
        }
    }

    fn nag(&mut self, nag: Nag) {
        self.builder.nag(nag);
    }

    fn comment(&mut self, text: &[u8]) {
        self.builder.comment(text);
    }

    fn begin_variation(&mut self) -> Interest {
        self.depth += 1;
        self.builder.begin_variation()
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
        self.builder.end_variation();
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        if let Some(asked) = self.args.result {
            // As the builder sees it: the tag knows better than a star.
            let known = result.filter(|&result| result != GameResult::Unknown);
            let result = known.or(self.tagged_result).unwrap_or_default();
            self.wanted &= result == asked;
        }
        self.wanted &= self.reached;
        self.builder.end_game(result);
    }
}

impl Desk for Cutter<'_> {
    fn good(&mut self) -> anyhow::Result<()> {
        if self.wanted {
            self.written += 1;
            writeln!(self.out, "{}", self.builder.finish())?;
        }
        Ok(())
    }

    fn bad(&mut self, line: &str) -> anyhow::Result<()> {
        eprintln!("{line}");
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.args.games.as_ref().is_some_and(|games| self.number >= *games.end())
    }
}

/// The year of a date tag like `1972.07.11`, if it is known.
pub(super) fn year(date: &str) -> Option<u64> {
    date.split(['.', '-', '/']).next()?.parse().ok().filter(|&year| year > 0)
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let wish = |names, part: &Option<String>, at_start| {
        part.as_ref().map(|part| Wish { names, part: part.to_lowercase(), at_start })
    };
    let wishes = [
        wish(&["White", "Black"], &args.player, false),
        wish(&["White"], &args.white, false),
        wish(&["Black"], &args.black, false),
        wish(&["ECO"], &args.eco, true),
    ];
    let key = match &args.fen {
        Some(fen) => Some(Position::from_fen_prefix(fen)?.repetition_key()),
        None => None,
    };
    // A file is written beside its place and put there when it is whole.
    let unfinished = args.out.as_ref().map(|path| {
        let mut name = path.clone().into_os_string();
        name.push(".unfinished");
        PathBuf::from(name)
    });
    let cannot_write = |path: &PathBuf| format!("cannot write {}", path.display());
    let file = match &unfinished {
        Some(path) => Some(std::fs::File::create(path).with_context(|| cannot_write(path))?),
        None => None,
    };
    let out: Box<dyn Write> = match &file {
        Some(file) => Box::new(BufWriter::new(file.try_clone()?)),
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    let mut cutter = Cutter {
        args,
        wishes: wishes.into_iter().flatten().collect(),
        key,
        builder: GameBuilder::new(),
        out,
        number: 0,
        written: 0,
        granted: Vec::new(),
        tags_granted: Vec::new(),
        year: None,
        tagged_result: None,
        wanted: false,
        reached: false,
        depth: 0,
    };
    let outcome = read_all(&args.files, &mut cutter).and_then(|()| Ok(cutter.out.flush()?));
    if let (Some(file), Some(from), Some(to)) = (file, unfinished, &args.out) {
        let kept = outcome.and_then(|()| {
            file.sync_all()?;
            std::fs::rename(&from, to).with_context(|| cannot_write(to))
        });
        if let Err(error) = kept {
            let _ = std::fs::remove_file(&from);
            return Err(error);
        }
    } else {
        outcome?;
    }
    eprintln!("{} of {} written", cutter.written, count(cutter.number, "game"));
    Ok(())
}
