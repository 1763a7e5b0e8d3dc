use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

use tabiya_chess::{Color, Position};
use tabiya_pgn::{GameResult, Interest, Played, RawTag, Visitor};

use super::mill::{self, BlockResult, Input, Item, Worker};
use super::names::players;
use super::results::{conflict, on_board};
use crate::print::{count, grouped};

/// Each bad game is a line of standard output: file:line:column, the number of the game, who plays, how far it
/// had come, and what is wrong. The status is 1 if there is one. All moves are played, those of variations
/// too. What can be read but contradicts itself is told as a warning.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
}

struct Checker {
    moves: u64,
    white: Vec<u8>,
    black: Vec<u8>,
    /// The tag Result, if there is one.
    tagged: Option<Vec<u8>>,
    /// A tag that ends in a backslash, which programs take for part of the quotation mark.
    backslash: Option<Vec<u8>>,
    warnings: Vec<String>,
    /// Number and side of the next move.
    next: (u16, Color),
    on_board: Option<GameResult>,
    depth: u32,
}

impl Checker {
    fn new() -> Checker {
        Checker {
            moves: 0,
            white: Vec::new(),
            black: Vec::new(),
            tagged: None,
            backslash: None,
            warnings: Vec::new(),
            next: (1, Color::White),
            on_board: None,
            depth: 0,
        }
    }
}

impl Visitor for Checker {
    fn begin_game(&mut self) {
        self.white.clear();
        self.black.clear();
        let (white, black) = (std::mem::take(&mut self.white), std::mem::take(&mut self.black));
        *self = Checker { white, black, moves: self.moves, ..Checker::new() };
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        match tag.name {
            b"White" => self.white.extend_from_slice(tag.raw_value),
            b"Black" => self.black.extend_from_slice(tag.raw_value),
            b"Result" => self.tagged = Some(tag.raw_value.to_vec()),
            _ => {}
        }
        let backslashes = tag.raw_value.iter().rev().take_while(|&&byte| byte == b'\\').count();
        if backslashes % 2 == 1 {
            self.backslash = Some(tag.name.to_vec());
        }
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.next = (start.fullmove_number(), start.turn());
        Interest::Read
    }

    #[inline]
    fn played(&mut self, played: &Played<'_>) {
        self.moves += 1;
        self.next = (played.after.fullmove_number(), played.after.turn());
        if self.depth == 0 && played.after.is_check() {
            self.on_board = on_board(played.after);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        self.depth += 1;
        Interest::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        let tag =
            self.tagged.as_ref().map(|raw| RawTag { name: b"Result", raw_value: raw }.value());
        self.warnings.extend(conflict(tag.as_deref(), result));
        if result.is_none() {
            self.warnings.push("no result stands behind the moves".to_owned());
        }
        let said = result.or_else(|| GameResult::from_text(tag.as_deref()?));
        let said = said.filter(|&said| said != GameResult::Unknown);
        if let (Some(said), Some(board)) = (said, self.on_board)
            && said != board
        {
            self.warnings.push(format!("the result is {said}, on the board it is {board}"));
        }
        if let Some(name) = self.backslash.take() {
            let name = String::from_utf8_lossy(&name);
            self.warnings.push(format!("the tag {name} ends with a backslash"));
        }
    }
}

impl Worker for Checker {
    type Note = ();

    fn good(&mut self, _text: &[u8], result: &mut BlockResult<()>) {
        if !self.warnings.is_empty() {
            let players = self.players();
            for warning in self.warnings.drain(..) {
                result.remark(format!("warning: {warning}{players}"));
            }
        }
    }

    fn whereabouts(&self) -> Option<String> {
        let (number, color) = self.next;
        let side = if color == Color::White { "White" } else { "Black" };
        Some(format!("{}, move {number} of {side}", self.players()))
    }

    fn moves(&self) -> u64 {
        self.moves
    }
}

impl Checker {
    fn players(&self) -> String {
        let name = |raw| RawTag { name: b"White", raw_value: raw }.value();
        players(&name(&self.white), &name(&self.black))
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut out = crate::print::out();
    let totals = mill::run(&args.input, Checker::new, |item| {
        match item {
            Item::Bad(line) | Item::Remark(_, line) => writeln!(out, "{line}")?,
            Item::Game { .. } => {}
        }
        Ok(ControlFlow::Continue(()))
    })?;
    writeln!(out, "{}, {} checked", count(totals.games, "game"), count(totals.moves, "move"))?;
    out.flush()?;
    eprintln!("{:.3} s", clock.elapsed().as_secs_f64());
    match totals.bad {
        0 => Ok(()),
        bad => anyhow::bail!("{} of {} cannot be read", grouped(bad), count(totals.games, "game")),
    }
}
