//! The parts of which a board is made, asked for one by one: sizes, tables of numbers, sets of squares, paths, steps.

use std::io::Write;

use anyhow::{Context, bail};
use tabiya_chess::drawing;
use tabiya_chess::{
    Bitboard, Board, CastlingRights, Color, Path, Piece, Position, Role, Setup, SetupError, Square,
    Step,
};

use super::Style;

/// Questions about parts of a position; each is answered alone.
#[derive(clap::Args)]
#[command(next_help_heading = "Parts of a board")]
pub(crate) struct Parts {
    /// A board of another size, empty or with the pieces of a placement like kq3/5/5/5/5/3QK.
    #[arg(long, value_name = "FILESxRANKS", value_parser = size)]
    size: Option<(usize, usize)>,

    /// The board of a table of 64 piece numbers, the eighth rank first; 0 is empty.
    #[arg(long, value_name = "NUMBERS", conflicts_with = "fen")]
    array: Option<String>,

    /// Put a piece on a square, replacing what stands there: wn@e4.
    #[arg(long, value_name = "PIECE@SQUARE")]
    put: Vec<tabiya_chess::PlacedPiece>,

    /// Take away what stands on a square, by the square or the piece: e2 or wp@e2.
    #[arg(long, value_name = "SQUARE")]
    remove: Vec<String>,

    /// Move a piece to another square without asking the rules.
    #[arg(long, value_names = ["FROM", "TO"], num_args = 2)]
    relocate: Vec<Square>,

    /// The numbers of the pieces: white pawn : 1.
    #[arg(long)]
    numbers: bool,

    /// How each kind of piece moves: its directions, and whether it goes on along them.
    #[arg(long)]
    movement: bool,

    /// A set of squares as a table and a list: pieces by letter, + for both, & for what is in both, ~ for all others.
    #[arg(long, value_name = "PIECES")]
    squares: Option<String>,

    /// The paths of the piece on a square, or only the one that leads to another.
    #[arg(long, value_names = ["FROM", "TO"], num_args = 1..=2)]
    path: Vec<Square>,

    /// The square so many files and ranks from another: d4 1,0.
    #[arg(long, value_names = ["SQUARE", "FILES,RANKS"], num_args = 2, allow_hyphen_values = true)]
    offset: Vec<String>,

    /// What a move does to the board, step by step, and the steps that take it back.
    #[arg(long, value_name = "MOVE")]
    steps: Option<String>,
}

/// `5x6`
fn size(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse().ok().filter(|size| (1..=26).contains(size));
    text.split_once(['x', '×'])
        .and_then(|(files, ranks)| Some((number(files)?, number(ranks)?)))
        .ok_or_else(|| "a size is files x ranks, 1 to 26 each, like 5x6".to_owned())
}

impl Parts {
    /// The position with the pieces that were put, taken and moved; or a reason why that is none.
    pub(super) fn position(&self, words: &[String]) -> anyhow::Result<Position> {
        if self.array.is_none()
            && self.put.is_empty()
            && self.remove.is_empty()
            && self.relocate.is_empty()
        {
            return crate::position(words);
        }
        let mut setup = match &self.array {
            Some(numbers) => Setup { board: from_numbers(numbers)?, ..Setup::empty() },
            None => crate::position(words)?.setup(),
        };
        for text in &self.remove {
            let name = text.rsplit('@').next().unwrap_or_default();
            let square: Square = name.parse()?;
            let gone = setup.board.remove(square);
            let known = gone.map(|piece| tabiya_chess::PlacedPiece { piece, square }.to_string());
            if text.contains('@') && known.as_ref() != Some(text) {
                bail!("{text} is not on the board");
            }
        }
        for placed in &self.put {
            setup.board.put(placed.square, placed.piece);
        }
        for pair in self.relocate.chunks_exact(2) {
            setup.board.move_piece(pair[0], pair[1], None)?;
        }
        // Nobody has just passed a square, and with king or rook gone there is no castling.
        setup.ep_square = None;
        if let Err(SetupError::ImpossibleCastling(_)) = setup.validate() {
            setup.castling = CastlingRights::NONE;
        }
        Ok(setup.validate()?)
    }

    /// Answers the question that was asked, if any was.
    pub(super) fn answer(
        &self,
        words: &[String],
        style: Option<Style>,
        out: &mut impl Write,
    ) -> anyhow::Result<bool> {
        if let Some((files, ranks)) = self.size {
            write!(out, "{}", sized(files, ranks, words.first(), style)?)?;
        } else if self.numbers {
            for color in Color::ALL {
                write!(out, "{}", drawing::id_list(color))?;
            }
        } else if self.movement {
            movement(out)?;
        } else if let Some(text) = &self.squares {
            let set = set(self.position(words)?.board(), text)?;
            let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
            writeln!(out, "{}\n{}: {}", set.matrix(), set.len(), names.join(" "))?;
        } else if let [from, to @ ..] = self.path.as_slice() {
            paths(&self.position(words)?, *from, to.first().copied(), out)?;
        } else if let [square, by] = self.offset.as_slice() {
            let from: Square = square.parse()?;
            let (files, ranks) = by
                .split_once(',')
                .and_then(|(files, ranks)| Some((files.parse().ok()?, ranks.parse().ok()?)))
                .with_context(|| format!("{by:?} is not files,ranks like 1,0"))?;
            match from.offset(files, ranks) {
                Some(to) => writeln!(out, "{to}")?,
                None => writeln!(out, "none: {by} from {from} is off the board")?,
            }
        } else if let Some(text) = &self.steps {
            steps(&self.position(words)?, text, out)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// The board of 64 numbers, however they are separated.
fn from_numbers(text: &str) -> anyhow::Result<Board> {
    let numbers: Vec<u8> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok().filter(|&id| id <= 12))
        .collect::<Option<_>>()
        .context("piece numbers are 0 to 12")?;
    let ranks: Vec<[u8; 8]> = numbers.chunks(8).filter_map(|rank| rank.try_into().ok()).collect();
    let ranks: Option<[[u8; 8]; 8]> = ranks.try_into().ok();
    ranks
        .filter(|_| numbers.len() == 64)
        .and_then(|ranks| Board::from_ids(&ranks))
        .with_context(|| format!("a board has 64 numbers, not {}", numbers.len()))
}

/// A board of any size, with the pieces of a placement like that of a FEN, whose numbers may have two digits.
fn sized(
    files: usize,
    ranks: usize,
    placement: Option<&String>,
    style: Option<Style>,
) -> anyhow::Result<String> {
    let mut cells = vec![vec![None; files]; ranks];
    if let Some(text) = placement {
        let rows: Vec<&str> = text.split('/').collect();
        anyhow::ensure!(
            rows.len() == ranks,
            "the placement has {} ranks, the board {ranks}",
            rows.len()
        );
        for (row, cells) in rows.iter().rev().zip(&mut cells) {
            let pieces = row_of(row)?;
            anyhow::ensure!(
                pieces.len() == files,
                "{row:?} is {} squares long, the board {files}",
                pieces.len()
            );
            *cells = pieces;
        }
    }
    let at = |x: usize, y: usize| cells.get(y).and_then(|row| *row.get(x)?);
    let letter = |x, y| at(x, y).map_or(' ', Piece::letter);
    let figure = |x, y| at(x, y).map_or(' ', Piece::symbol);
    Ok(match style {
        None | Some(Style::Grid) => drawing::grid(files, ranks, letter),
        Some(Style::Unicode) => drawing::grid(files, ranks, figure),
        Some(Style::RanksRight) => drawing::grid_ranks_right(files, ranks, figure),
        Some(_) => bail!("boards of other sizes are drawn as grid, unicode or ranks-right"),
    })
}

fn row_of(row: &str) -> anyhow::Result<Vec<Option<Piece>>> {
    let mut pieces = Vec::new();
    let mut gap = 0;
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            gap = (10 * gap + digit as usize).min(99);
            continue;
        }
        pieces.extend(std::iter::repeat_n(None, std::mem::take(&mut gap)));
        let piece = Piece::from_letter(letter);
        pieces.push(Some(piece.with_context(|| format!("{letter:?} is no piece"))?));
    }
    pieces.extend(std::iter::repeat_n(None, gap));
    Ok(pieces)
}

fn movement(out: &mut impl Write) -> std::io::Result<()> {
    for role in Role::ALL {
        let offsets = role.offsets();
        let list: Vec<String> =
            offsets.iter().map(|(files, ranks)| format!("{files:+},{ranks:+}")).collect();
        let reach = match role {
            Role::Pawn => "forward once, twice from home; the others only to take",
            _ if role.slides() => "as far as the way is free",
            _ => "once",
        };
        writeln!(out, "{role:<7} {} ways, {reach}: {}", offsets.len(), list.join(" "))?;
    }
    Ok(())
}

/// The squares that an expression names: `P+n`, `~P`, `R&~r`; `white`, `black` and `all` are sets, too.
fn set(board: &Board, text: &str) -> anyhow::Result<Bitboard> {
    let term = |word: &str| -> anyhow::Result<Bitboard> {
        let (name, other) = word.strip_prefix('~').map_or((word, false), |name| (name, true));
        let mut letters = name.chars();
        let set = match (name, letters.next(), letters.next()) {
            ("white", ..) => board.color(Color::White),
            ("black", ..) => board.color(Color::Black),
            ("all", ..) => board.occupied(),
            (_, Some(letter), None) => {
                let piece = Piece::from_letter(letter);
                board.pieces(piece.with_context(|| format!("{letter:?} is no piece"))?)
            }
            _ => bail!("{name:?} is no piece: give letters of a FEN, white, black or all"),
        };
        Ok(if other { !set } else { set })
    };
    let mut union = Bitboard::EMPTY;
    for part in text.split('+') {
        let mut both = !Bitboard::EMPTY;
        for word in part.split('&') {
            both &= term(word.trim())?;
        }
        union |= both;
    }
    Ok(union)
}

/// The paths of a piece, a line each, and what all of them give.
fn paths(
    position: &Position,
    from: Square,
    to: Option<Square>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let piece = position.piece_at(from).with_context(|| format!("no piece stands on {from}"))?;
    let all: Vec<Path> = position.paths(from).collect();
    let shown: Vec<&Path> =
        all.iter().filter(|path| to.is_none_or(|to| path.squares().any(|at| at == to))).collect();
    if let (Some(to), []) = (to, shown.as_slice()) {
        bail!("no path of the {piece} on {from} leads to {to}");
    }
    let list = |squares: &mut dyn Iterator<Item = Square>| {
        let names: Vec<String> = squares.map(|square| square.to_string()).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(" ") }
    };
    for path in &shown {
        let (files, ranks) = path.offset();
        let mut says = Vec::new();
        if path.is_obstructed() {
            says.push("obstructed".to_owned());
        }
        if let Some(square) = path.capture() {
            says.push(format!("takes on {square}"));
        }
        says.push(if path.is_dead() { "dead" } else { "valid" }.to_owned());
        writeln!(
            out,
            "{files:+},{ranks:+} in {} step{}: {}; reaches {}; {}",
            path.steps(),
            if path.steps() == 1 { "" } else { "s" },
            list(&mut path.squares()),
            list(&mut path.reachable()),
            says.join(", ")
        )?;
    }
    if to.is_none() {
        let valid = all.iter().filter(|path| !path.is_dead()).count();
        let moves = position.moves_from(from).len();
        writeln!(
            out,
            "{piece} on {from}: {} paths, {valid} valid, {moves} legal moves",
            all.len()
        )?;
    }
    Ok(())
}

fn steps(position: &Position, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let m = position.parse_move(text)?;
    let steps = position.steps(m);
    let tell = |step: &Step| match step {
        Step::Remove(placed) => format!("remove {placed}"),
        Step::Add(placed) => format!("add {placed}"),
        Step::Relocate(placed, to) => format!("relocate {placed} to {to}"),
    };
    let mut board = *position.board();
    for step in &steps {
        writeln!(out, "{}", tell(step))?;
        step.apply(&mut board);
    }
    writeln!(out, "{board}")?;
    writeln!(out, "and back:")?;
    for step in steps.iter().rev().map(|step| step.inverse()) {
        writeln!(out, "{}", tell(&step))?;
        step.apply(&mut board);
    }
    Ok(writeln!(out, "{board}")?)
}
