//! How games are written.

use std::io::Write as _;
use std::sync::Arc;

use tabiya_chess::{Color, Position};
use tabiya_engine::Network;
use tabiya_pgn::{
    Form, GameResult, Interest, Nag, Notation, PieceLetters, Played, RawTag, Rewriter, Score,
    Visitor,
};
use tabiya_review::Opening;

use super::names::players;
use super::results::{conflict, on_board};

/// In which form games are written.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "How they are written")]
pub(super) struct FormArgs {
    /// The format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Leave out what is said in words.
    #[arg(long)]
    no_comments: bool,

    /// Leave out what programs say: [%clk], [%eval] and their kin.
    #[arg(long)]
    no_commands: bool,

    /// Leave out variations.
    #[arg(long)]
    no_variations: bool,

    /// Leave out judgements: ! and ?, $1.
    #[arg(long)]
    no_nags: bool,

    /// Of the tags beside the seven of the standard, only these, with commas between them; "" for none.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only_tags: Option<Vec<String>>,

    /// Without these tags, with commas between them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "only_tags")]
    without_tags: Vec<String>,

    /// Give a tag this value.
    #[arg(long, value_name = "NAME=TEXT", value_parser = name_and_value)]
    set_tag: Vec<(String, String)>,

    /// Name openings: the tags ECO and Opening, by the positions of the game.
    #[arg(long)]
    openings: bool,

    /// One result for tag and text: what mate or stalemate on the board says, else what stands behind the moves, else
    /// the tag. Without this both are written as they stand, and told of where they differ.
    #[arg(long)]
    fix_results: bool,

    /// The tag PlyCount: how many plies the game has.
    #[arg(long)]
    ply_count: bool,

    /// The tag TotalPlyCount: how many plies the game has with all its variations.
    #[arg(long)]
    total_ply_count: bool,

    /// Leave out the numbers of moves.
    #[arg(long)]
    no_move_numbers: bool,

    /// Leave out the result behind the moves.
    #[arg(long)]
    no_results: bool,

    /// Leave out the + and # of checks.
    #[arg(long)]
    no_checks: bool,

    /// How long a line is at most.
    #[arg(long, value_name = "COLUMNS", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..))]
    line_width: u16,

    /// Only so many plies of each game.
    #[arg(long, value_name = "N")]
    first_plies: Option<u64>,

    /// The position after each move as a comment.
    #[arg(long)]
    fens: bool,

    /// What the network thinks of the position after each move, without a search, as [%eval].
    #[arg(long)]
    evaluations: bool,

    /// Letters for the pieces: a language (de, fr, es, nl, …, figurines) or five of them, like KDTLS.
    #[arg(long, value_name = "LETTERS")]
    out_letters: Option<PieceLetters>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Format {
    /// Game records.
    #[default]
    Pgn,
    /// Game records with long moves: Ng1-f3.
    Lan,
    /// A line of moves for each game: g1f3.
    Uci,
    /// Every position of the game, a line each.
    Fen,
    /// Every position with the players and the move that was played.
    Epd,
    /// An object for each game, a line each.
    Json,
    /// A table with a line for each game.
    Csv,
    /// The same columns as in the files of a database, for programs that read Parquet.
    Parquet,
}

impl Format {
    /// How names of such files end.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Format::Pgn | Format::Lan => "pgn",
            Format::Uci => "uci",
            Format::Fen => "fen",
            Format::Epd => "epd",
            Format::Json => "jsonl",
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }
}

/// The columns of a table.
const COLUMNS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "Opening",
];

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value))
            if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !name.is_empty() =>
        {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(
            "write it like Annotator=Me: a name of letters, digits and underscores, and the value"
                .to_owned(),
        ),
    }
}

impl FormArgs {
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// What stands before all games.
    pub(super) fn head(&self) -> String {
        match self.format {
            Format::Csv => format!("{},Plies,Moves\n", COLUMNS.join(",")),
            _ => String::new(),
        }
    }

    /// The network, if it is asked.
    pub(super) fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        Ok(if self.evaluations { tabiya_uci::network::named("")? } else { None })
    }

    /// What games become first; a table is made of records as they are read.
    fn form(&self) -> Form {
        let form = Form {
            comments: !self.no_comments,
            commands: !self.no_commands,
            variations: !self.no_variations,
            nags: !self.no_nags,
            ..Form::default()
        };
        match self.format {
            Format::Parquet => form,
            format => Form {
                notation: if format == Format::Lan { Notation::Lan } else { Notation::San },
                letters: self.out_letters,
                move_numbers: !self.no_move_numbers,
                checks: !self.no_checks,
                results: !self.no_results,
                width: usize::from(self.line_width),
                ..form
            },
        }
    }
}

/// Writes one game after the other.
pub(super) struct Writer<'a> {
    args: &'a FormArgs,
    rewriter: Rewriter,
    /// Where games usually begin.
    initial: Position,
    network: Option<Arc<Network>>,
    /// The moves or positions, where the format is not a game record.
    body: Vec<u8>,
    plies: u64,
    /// The same with those of variations.
    all_plies: u64,
    depth: u32,
    opening: Option<Opening>,
    /// What stands behind the moves.
    behind: Option<GameResult>,
    on_board: Option<GameResult>,
    is_setup: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(args: &'a FormArgs, network: Option<Arc<Network>>) -> Writer<'a> {
        Writer {
            args,
            rewriter: Rewriter::new(args.form()),
            initial: Position::initial(),
            network,
            body: Vec::new(),
            plies: 0,
            all_plies: 0,
            depth: 0,
            opening: None,
            behind: None,
            on_board: None,
            is_setup: false,
        }
    }

    fn is_record(&self) -> bool {
        matches!(self.args.format, Format::Pgn | Format::Lan | Format::Parquet)
    }

    /// Whether a move of the line that is read is too far from the start.
    fn is_beyond(&self) -> bool {
        self.args.first_plies.is_some_and(|most| self.plies >= most)
    }

    /// The tags and the result of the game.
    pub(super) fn game(&self) -> &Rewriter {
        &self.rewriter
    }

    /// Where tag and text say different things, and nobody mends it.
    pub(super) fn warning(&self) -> Option<String> {
        let args = self.args;
        if args.fix_results || args.set_tag.iter().any(|(name, _)| name == "Result") {
            return None;
        }
        let tag = |name| self.rewriter.tag_value(name);
        let conflict = conflict(tag("Result"), self.behind)?;
        let name = |name| tag(name).unwrap_or_default();
        Some(format!("warning: {conflict}{}", players(name("White"), name("Black"))))
    }

    fn finish(&mut self) {
        let args = self.args;
        if args.openings
            && let Some(opening) = self.opening
        {
            self.rewriter.set_tag("ECO", opening.eco);
            self.rewriter.set_tag("Opening", opening.name);
        }
        if let Some(only) = &args.only_tags {
            self.rewriter.retain_tags(|name| only.iter().any(|wanted| wanted == name));
        }
        if !args.without_tags.is_empty() {
            self.rewriter.retain_tags(|name| !args.without_tags.iter().any(|other| other == name));
        }
        for (is_wanted, name, plies) in [
            (args.ply_count, "PlyCount", self.plies),
            (args.total_ply_count, "TotalPlyCount", self.all_plies),
        ] {
            if is_wanted {
                self.rewriter.set_tag(name, &plies.to_string());
            }
        }
        for (name, value) in &args.set_tag {
            self.rewriter.set_tag(name, value);
            if name == "Result"
                && let Some(result) = GameResult::from_text(value)
            {
                self.rewriter.set_result(result);
            }
        }
        if args.fix_results {
            self.rewriter.set_result(self.on_board.unwrap_or(self.rewriter.result()));
        }
    }

    /// Adds the game that was read last.
    pub(super) fn write(&mut self, out: &mut Vec<u8>) {
        self.finish();
        match self.args.format {
            Format::Pgn | Format::Lan | Format::Parquet => {
                self.rewriter.write(out);
                out.push(b'\n');
            }
            Format::Uci => {
                if self.is_setup {
                    let fen = self.rewriter.tag_value("FEN").unwrap_or_default();
                    let _ = write!(out, "fen {fen} moves ");
                }
                out.extend_from_slice(&self.body);
                out.push(b'\n');
            }
            Format::Fen | Format::Epd => {
                out.extend_from_slice(&self.body);
                out.push(b'\n');
            }
            Format::Json => self.write_json(out),
            Format::Csv => self.write_csv(out),
        }
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        let mut tags = serde_json::Map::new();
        for (name, value) in self.rewriter.tags() {
            tags.insert(name.to_owned(), value.into());
        }
        let result = self.rewriter.result().notation();
        tags.entry("Result").or_insert(result.into());
        let body = String::from_utf8_lossy(&self.body);
        let moves: Vec<&str> = body.split_ascii_whitespace().collect();
        let game = serde_json::json!({
            "tags": tags, "result": result, "plies": self.plies, "moves": moves
        });
        let _ = writeln!(out, "{game}");
    }

    fn write_csv(&self, out: &mut Vec<u8>) {
        for column in COLUMNS {
            let value = match column {
                "Result" => self.rewriter.result().notation(),
                column => self.rewriter.tag_value(column).unwrap_or_default(),
            };
            cell(value, out);
            out.push(b',');
        }
        let _ = write!(out, "{},", self.plies);
        cell(&String::from_utf8_lossy(&self.body), out);
        out.push(b'\n');
    }

    fn position(&mut self, position: &Position) {
        let fen = position.fen();
        match self.args.format {
            Format::Fen => self.body.extend_from_slice(fen.as_bytes()),
            _ => {
                let fields = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
                self.body.extend_from_slice(fields.as_bytes());
            }
        }
    }

    /// The end of a position's line: who played, and what.
    fn end_position(&mut self, san: Option<&str>) {
        if self.args.format == Format::Epd {
            let name =
                |tag| self.rewriter.tag_value(tag).unwrap_or("?").replace(['"', ';', '\\'], "'");
            let (white, black) = (name("White"), name("Black"));
            let played = san.map(|san| format!(" sm {san};")).unwrap_or_default();
            let _ = write!(self.body, "{played} c0 \"{white} - {black}\";");
        }
        self.body.push(b'\n');
    }
}

fn cell(text: &str, out: &mut Vec<u8>) {
    if text.contains([',', '"', '\n', '\r']) {
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

impl Visitor for Writer<'_> {
    fn begin_game(&mut self) {
        self.rewriter.begin_game();
        self.body.clear();
        (self.plies, self.all_plies, self.depth) = (0, 0, 0);
        (self.opening, self.behind, self.on_board) = (None, None, None);
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        self.rewriter.tag(tag);
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.is_setup = *start != self.initial;
        if matches!(self.args.format, Format::Fen | Format::Epd) {
            self.position(start);
        }
        self.rewriter.begin_moves(start)
    }

    fn played(&mut self, played: &Played<'_>) {
        if self.depth == 0 {
            if self.args.fix_results {
                self.on_board = on_board(played.after);
            }
            if self.args.openings && self.plies < 40 {
                self.opening = Opening::at(played.after).or(self.opening);
            }
        }
        if self.is_beyond() {
            return;
        }
        if self.is_record() {
            self.rewriter.played(played);
            if self.args.fens {
                self.rewriter.remark(&played.after.fen());
            }
            if let Some(network) = &self.network {
                let score = network.evaluate(played.after);
                let score = if played.after.turn() == Color::White { score } else { -score };
                self.rewriter.remark(&format!("[%eval {}]", Score::Centipawns(score).pgn()));
            }
        } else if self.depth == 0 {
            let spelt = |notation: Notation| {
                let spell = |m| notation.spell(m, played.before, played.after);
                played.played.map_or_else(|| "--".to_owned(), spell)
            };
            match self.args.format {
                Format::Fen | Format::Epd => {
                    let san = spelt(Notation::San);
                    self.end_position(Some(&san));
                    self.position(played.after);
                }
                format => {
                    if !self.body.is_empty() {
                        self.body.push(b' ');
                    }
                    let notation =
                        if format == Format::Uci { Notation::Uci } else { Notation::San };
                    let word = spelt(notation);
                    let word = match self.args.no_checks {
                        true => word.trim_end_matches(['+', '#']),
                        false => &word,
                    };
                    self.body.extend_from_slice(word.as_bytes());
                }
            }
        }
        self.all_plies += 1;
        if self.depth == 0 {
            self.plies += 1;
        }
    }

    fn nag(&mut self, nag: Nag) {
        if !self.is_beyond() {
            self.rewriter.nag(nag);
        }
    }

    fn comment(&mut self, text: &[u8]) {
        if !self.is_beyond() {
            self.rewriter.comment(text);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        if self.is_beyond() || !self.is_record() || self.args.no_variations {
            return Interest::Skip;
        }
        self.depth += 1;
        self.rewriter.begin_variation()
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
        self.rewriter.end_variation();
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        if matches!(self.args.format, Format::Fen | Format::Epd) {
            self.end_position(None);
        }
        self.behind = result;
        self.rewriter.end_game(result);
    }
}
