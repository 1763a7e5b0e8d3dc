mod parts;

use std::io::Write;

use serde::Serialize;
use tabiya_chess::drawing::{self, BoardStyle};
use tabiya_chess::{Bitboard, Board, Color, File, Piece, Position, Rank, Square, Wing};
use tabiya_engine::{Engine, Settings};

use self::parts::Parts;
use crate::tables::{TablesArg, told};

/// Draws the position and says whose move it is, who gives check, what is pinned, who may castle,
/// what each piece can do, and whether the game is over.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya show
  tabiya show '4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1' --moves
  tabiya show --heat --threats
  tabiya show --eval
  tabiya show --size 5x6
  tabiya show --style bitboards
  tabiya show --path e1 e8 '4r2k/8/8/8/8/8/8/4R2K w'
  tabiya show --table '8/8/8/4k3/8/8/1K2P3/8 w - - 0 1'
  tabiya show --json | jq .moves")]
pub(crate) struct Args {
    /// The position; the start of a game if not given.
    #[arg(value_name = "FEN")]
    fen: Vec<String>,

    /// How to draw the board.
    #[arg(long, value_enum)]
    style: Option<Style>,

    /// Compare what each piece could do with what it may do, and list the moves as squares.
    #[arg(long)]
    moves: bool,

    /// Draw the squares each side attacks.
    #[arg(long)]
    threats: bool,

    /// Draw how many pieces of each side attack each square.
    #[arg(long)]
    heat: bool,

    /// Draw what the engine thinks of the position at a glance, and what it would lose with each piece.
    #[arg(long)]
    eval: bool,

    /// Of threats and heat, only those of a colour.
    #[arg(long, value_name = "COLOUR")]
    of: Option<Color>,

    /// Tell what tables of endings know: how the game ends, and what each move leads to.
    #[arg(long)]
    table: bool,

    #[command(flatten)]
    tables: TablesArg,

    /// Print everything as JSON instead.
    #[arg(long, conflicts_with = "style")]
    json: bool,

    #[command(flatten)]
    parts: Parts,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Style {
    /// Letters in a grid.
    Grid,
    /// Figures in a grid.
    Unicode,
    /// Two letters a piece: |br|bn|.
    Pairs,
    /// Figures in a grid with the ranks numbered on the right.
    RanksRight,
    /// Piece numbers in columns.
    Ids,
    /// Ones and zeros for each kind of piece, the first rank on top.
    Bitboards,
}

impl Style {
    fn draw(self, board: &Board) -> String {
        board.draw(match self {
            Style::Grid => BoardStyle::Letters,
            Style::Unicode => BoardStyle::Figures,
            Style::Pairs => BoardStyle::Pairs,
            Style::RanksRight => BoardStyle::RanksRight,
            Style::Ids => BoardStyle::Ids,
            Style::Bitboards => return drawing::bitboards(board),
        })
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = crate::print::out();
    if args.parts.answer(&args.fen, args.style, &mut out)? {
        return Ok(());
    }
    let position = args.parts.position(&args.fen)?;
    let colors = || Color::ALL.into_iter().filter(|&color| args.of.is_none_or(|of| of == color));
    if args.json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &Report::of(&position))?;
        return Ok(writeln!(out)?);
    }
    let board = draw(&position, args.style);
    writeln!(out, "{}\n", board.trim_end_matches('\n'))?;
    explain(&position, &mut out)?;
    if args.moves {
        compare_moves(&position, &mut out)?;
    }
    if args.threats {
        for color in colors() {
            writeln!(out, "\nAttacked by {}:", color.name())?;
            write!(out, "{}", position.threat_map(color))?;
        }
    }
    if args.heat {
        for color in colors() {
            writeln!(out, "\nAttackers of {}:", color.name())?;
            write!(out, "{}", heat(&position, color))?;
        }
    }
    if args.eval {
        let engine = Engine::new(Settings { hash_megabytes: 1, ..Settings::default() });
        writeln!(out, "\n{}", tabiya_uci::network::draw_evaluation(&engine, &position))?;
    }
    if args.table {
        let (entry, moves) = args.tables.probe(&position)?;
        write!(out, "\n{}", told(&position, &entry, &moves))?;
    }
    out.flush()?;
    Ok(())
}

/// In colour where somebody looks at it and the terminal can, unless a style is asked for.
fn draw(position: &Position, style: Option<Style>) -> String {
    match style {
        Some(style) => style.draw(position.board()),
        None if crate::terminal::has_colours_and_figures() => {
            let check = match position.is_check() {
                true => position.king(position.turn()).bitboard(),
                false => Bitboard::EMPTY,
            };
            drawing::coloured(
                position.board(),
                &drawing::DrawingOptions { check, ..Default::default() },
            )
        }
        None => position.board().draw(BoardStyle::Letters),
    }
}

fn explain(position: &Position, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "FEN       {}", position.fen())?;
    writeln!(out, "Key       {:016x}", position.key())?;
    writeln!(
        out,
        "To move   {}, move {}, fifty-move clock {} of 100",
        position.turn().name(),
        position.fullmove_number(),
        position.halfmove_clock()
    )?;
    if position.is_check() {
        writeln!(out, "Check     by the {}", names(position, position.checkers()))?;
    }
    for color in Color::ALL {
        for pin in position.pins_of(color) {
            let (pinned, pinner) = (pin.pinned.bitboard(), pin.pinner.bitboard());
            let (pinned, pinner) = (names(position, pinned), names(position, pinner));
            writeln!(out, "Pinned    {}'s {pinned} by the {pinner}", color.name())?;
        }
    }
    writeln!(out, "Castling  {}", castling(position))?;
    if let Some(square) = position.legal_ep_square() {
        writeln!(out, "En pass.  on {square}")?;
    }
    let kinds = Piece::ALL.into_iter().filter(|&piece| position.board().pieces(piece).any());
    let kinds: String = kinds.map(Piece::letter).collect();
    writeln!(out, "Kinds     {} on the board: {kinds}", kinds.len())?;
    match position.outcome() {
        Some(outcome) => writeln!(out, "Outcome   {outcome}")?,
        None => {
            writeln!(out, "Moves     {}", position.count_legal_moves())?;
            for (square, moves) in moves_by_piece(position) {
                let name = names(position, square.bitboard());
                writeln!(out, "  {name:<13} {}", moves.join(" "))?;
            }
        }
    }
    Ok(())
}

/// Each piece of the side to move that has a legal move, with its moves in SAN.
fn moves_by_piece(position: &Position) -> impl Iterator<Item = (Square, Vec<String>)> {
    position.board().color(position.turn()).into_iter().filter_map(|square| {
        let moves: Vec<String> =
            position.moves_from(square).iter().map(|&m| position.san(m)).collect();
        if moves.is_empty() { None } else { Some((square, moves)) }
    })
}

fn compare_moves(position: &Position, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "\nWhat the pieces could do, and what they may do:")?;
    for square in position.board().color(position.turn()) {
        let could = position.pseudo_legal_moves_from(square);
        if could.is_empty() {
            continue;
        }
        let may = position.moves_from(square);
        let could_text: Vec<String> = could.iter().map(|&m| position.san_bare(m)).collect();
        writeln!(out, "  {}: {}", names(position, square.bitboard()), could_text.join(" "))?;
        if may.len() < could.len() {
            let may: Vec<String> = may.iter().map(|&m| position.san_bare(m)).collect();
            let may = if may.is_empty() { "none".to_owned() } else { may.join(" ") };
            writeln!(out, "    legal: {may}")?;
        }
    }
    writeln!(out, "\nAs squares:")?;
    for m in &position.legal_moves() {
        writeln!(out, "{m}")?;
    }
    Ok(())
}

/// "knight g1", "rook a1, king e1".
fn names(position: &Position, squares: Bitboard) -> String {
    let names: Vec<String> = squares
        .into_iter()
        .filter_map(|square| Some(format!("{} {square}", position.piece_at(square)?.role)))
        .collect();
    names.join(", ")
}

fn castling(position: &Position) -> String {
    let mut parts = Vec::new();
    for color in Color::ALL {
        let wings: Vec<String> = Wing::ALL
            .into_iter()
            .filter(|&wing| position.castling_rook(color, wing).is_some())
            .map(|wing| wing.to_string())
            .collect();
        if !wings.is_empty() {
            parts.push(format!("{} {}", color.name(), wings.join(" and ")));
        }
    }
    if parts.is_empty() { "nobody may castle any more".to_owned() } else { parts.join("; ") }
}

fn heat(position: &Position, color: Color) -> String {
    let heat = position.heat_map();
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let cells = File::ALL.map(|file| match heat.count(color, Square::new(file, rank)) {
            0 => ".".to_owned(),
            count => count.to_string(),
        });
        text.push_str(&cells.join(" "));
        text.push('\n');
    }
    text
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    fen: String,
    key: String,
    turn: String,
    fullmove_number: u16,
    halfmove_clock: u16,
    check: bool,
    checkers: Vec<String>,
    pins: Vec<PinReport>,
    castling: Vec<CastlingReport>,
    en_passant: Option<String>,
    outcome: Option<String>,
    moves: Vec<MoveReport>,
    threats: ByColor<Vec<String>>,
    heat: ByColor<Vec<Vec<u8>>>,
}

#[derive(Serialize)]
struct ByColor<T> {
    white: T,
    black: T,
}

#[derive(Serialize)]
struct PinReport {
    color: String,
    pinned: String,
    pinner: String,
    line: Vec<String>,
}

#[derive(Serialize)]
struct CastlingReport {
    color: String,
    wing: String,
    rook: String,
}

#[derive(Serialize)]
struct MoveReport {
    from: String,
    to: String,
    uci: String,
    san: String,
}

impl Report {
    fn of(position: &Position) -> Report {
        let heat = position.heat_map();
        let heat_of = |color| {
            let row =
                |rank| File::ALL.map(|file| heat.count(color, Square::new(file, rank))).to_vec();
            Rank::ALL.into_iter().rev().map(row).collect()
        };
        let mut castling = Vec::new();
        for color in Color::ALL {
            for wing in Wing::ALL {
                if let Some(rook) = position.castling_rook(color, wing) {
                    castling.push(CastlingReport {
                        color: color.to_string(),
                        wing: wing.to_string(),
                        rook: rook.to_string(),
                    });
                }
            }
        }
        let mut pins = Vec::new();
        for color in Color::ALL {
            pins.extend(position.pins_of(color).map(|pin| PinReport {
                color: color.to_string(),
                pinned: pin.pinned.to_string(),
                pinner: pin.pinner.to_string(),
                line: squares(pin.line),
            }));
        }
        Report {
            fen: position.fen(),
            key: format!("{:016x}", position.key()),
            turn: position.turn().to_string(),
            fullmove_number: position.fullmove_number(),
            halfmove_clock: position.halfmove_clock(),
            check: position.is_check(),
            checkers: squares(position.checkers()),
            pins,
            castling,
            en_passant: position.legal_ep_square().map(|square| square.to_string()),
            outcome: position.outcome().map(|outcome| outcome.to_string()),
            moves: position
                .legal_moves()
                .iter()
                .map(|&m| MoveReport {
                    from: m.from().to_string(),
                    to: m.to().to_string(),
                    uci: position.uci(m),
                    san: position.san(m),
                })
                .collect(),
            threats: ByColor {
                white: squares(position.threat_map(Color::White)),
                black: squares(position.threat_map(Color::Black)),
            },
            heat: ByColor { white: heat_of(Color::White), black: heat_of(Color::Black) },
        }
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}
