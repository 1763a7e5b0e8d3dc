use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use tabiya_chess::{Color, Position};
use tabiya_pgn::{GameResult, Interest, Played, RawTag, Visitor};

use super::form::on_board;
use super::mill::{self, Hand, Input, Item, Tray};
use super::{count, grouped};

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
    tagged: Option<GameResult>,
    /// A tag that ends in a backslash, which programs take for part of the quotation mark.
    backslash: Option<Vec<u8>>,
    warning: Option<String>,
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
            warning: None,
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
            b"Result" => self.tagged = GameResult::from_text(&tag.value()),
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
        let known = |result: &GameResult| *result != GameResult::Unknown;
        let (tagged, written) = (self.tagged.filter(known), result.filter(known));
        self.warning = match (tagged, written, self.on_board) {
            (Some(tagged), Some(written), _) if tagged != written => {
                Some(format!("the tag says {tagged}, behind the moves stands {written}"))
            }
            (tagged, written, Some(board)) => written
                .or(tagged)
                .filter(|result| *result != board)
                .map(|result| format!("the result is {result}, on the board it is {board}")),
            _ => None,
        };
    }
}

impl Hand for Checker {
    type Note = ();

    fn good(&mut self, _text: &[u8], tray: &mut Tray<()>) {
        let players = self.players();
        let warnings = [
            self.warning.take(),
            self.backslash.take().map(|name| {
                let name = String::from_utf8_lossy(&name).into_owned();
                format!("the tag {name} ends with a backslash")
            }),
        ];
        for warning in warnings.into_iter().flatten() {
            tray.remark(format!("warning: {warning}{players}"));
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
        let name = |raw: &[u8]| {
            let value = RawTag { name: b"White", raw_value: raw }.value().into_owned();
            if value.is_empty() { "?".to_owned() } else { tabiya_base::excerpt(&value) }
        };
        match (self.white.is_empty(), self.black.is_empty()) {
            (true, true) => String::new(),
            _ => format!(" ({} – {})", name(&self.white), name(&self.black)),
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut out = std::io::stdout().lock();
    let totals = mill::run(&args.input, Checker::new, |item| {
        match item {
            Item::Bad(line) | Item::Remark(line) => writeln!(out, "{line}")?,
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
