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

/// In which form games are written.
#[derive(clap::Args, Clone, Debug, Default)]
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

    /// Where mate or stalemate is on the board, the result is what it says there.
    #[arg(long)]
    fix_results: bool,

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
    /// What stands before all games.
    pub(super) fn head(&self) -> String {
        match self.format {
            Format::Csv => format!("{},Plies,Moves\n", COLUMNS.join(",")),
            _ => String::new(),
        }
    }

    /// Whether all moves of a game can be written only when they are known to be wanted.
    pub(super) fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        Ok(if self.evaluations { tabiya_uci::network::named("")? } else { None })
    }
}

/// Writes one game after the other.
pub(super) struct Writer<'a> {
    args: &'a FormArgs,
    rewriter: Rewriter,
    network: Option<Arc<Network>>,
    /// The moves or positions, where the format is not a game record.
    body: Vec<u8>,
    plies: u64,
    depth: u32,
    opening: Option<Opening>,
    on_board: Option<GameResult>,
    is_setup: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(args: &'a FormArgs, network: Option<Arc<Network>>) -> Writer<'a> {
        let form = Form {
            comments: !args.no_comments,
            commands: !args.no_commands,
            variations: !args.no_variations,
            nags: !args.no_nags,
            notation: if args.format == Format::Lan { Notation::Lan } else { Notation::San },
            letters: args.out_letters,
        };
        Writer {
            args,
            rewriter: Rewriter::new(form),
            network,
            body: Vec::new(),
            plies: 0,
            depth: 0,
            opening: None,
            on_board: None,
            is_setup: false,
        }
    }

    fn is_record(&self) -> bool {
        matches!(self.args.format, Format::Pgn | Format::Lan)
    }

    /// Whether a move of the line that is read is too far from the start.
    fn is_beyond(&self) -> bool {
        self.args.first_plies.is_some_and(|most| self.plies >= most)
    }

    /// The tags and the result of the game.
    pub(super) fn game(&self) -> &Rewriter {
        &self.rewriter
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
        for (name, value) in &args.set_tag {
            self.rewriter.set_tag(name, value);
            if name == "Result"
                && let Some(result) = GameResult::from_text(value)
            {
                self.rewriter.set_result(result);
            }
        }
        if args.fix_results
            && let Some(result) = self.on_board
        {
            self.rewriter.set_result(result);
        }
    }

    /// Adds the game that was read last.
    pub(super) fn write(&mut self, out: &mut Vec<u8>) {
        self.finish();
        match self.args.format {
            Format::Pgn | Format::Lan => {
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
        tags.insert("Result".to_owned(), self.rewriter.result().notation().into());
        let body = String::from_utf8_lossy(&self.body);
        let moves: Vec<&str> = body.split_ascii_whitespace().collect();
        let game = serde_json::json!({ "tags": tags, "plies": self.plies, "moves": moves });
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
        (self.plies, self.depth, self.opening, self.on_board) = (0, 0, None, None);
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        self.rewriter.tag(tag);
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.is_setup = *start != Position::initial();
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
                self.rewriter.comment(played.after.fen().as_bytes());
            }
            if let Some(network) = &self.network {
                let score = network.evaluate(played.after);
                let score = if played.after.turn() == Color::White { score } else { -score };
                let text = format!("[%eval {}]", Score::Centipawns(score).pgn());
                self.rewriter.comment(text.as_bytes());
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
                    self.body.extend_from_slice(spelt(notation).as_bytes());
                }
            }
        }
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
        self.rewriter.end_game(result);
    }
}

/// The result that a position says by itself.
pub(super) fn on_board(position: &Position) -> Option<GameResult> {
    if position.is_check() {
        return position.is_checkmate().then(|| match position.turn() {
            Color::White => GameResult::BlackWins,
            Color::Black => GameResult::WhiteWins,
        });
    }
    position.is_stalemate().then_some(GameResult::Draw)
}
