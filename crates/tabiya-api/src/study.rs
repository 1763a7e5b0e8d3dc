//! A study as JSON.

use serde::Serialize;
use tabiya_study::{
    LineMove, LineView, Node, Outline, Report, Sight, Study, StudyBoard, StudyPosition,
};

use crate::game::{DestinationsJson, PastJson, PieceJson, destinations, piece, side, square};

/// A chapter: its moves as a tree, its tags, where somebody left it.
#[derive(Serialize)]
pub struct OutlineJson<'a> {
    id: u64,
    title: &'a str,
    sequence: u64,
    here: usize,
    /// The nodes of the main line, by half-move.
    main: Vec<usize>,
    nodes: Vec<NodeJson<'a>>,
    undoable: bool,
    result: &'a str,
    tags: std::collections::BTreeMap<&'a str, &'a str>,
    opening: Option<String>,
}

/// A study as a whole.
#[derive(Serialize)]
pub struct BookJson<'a> {
    id: i64,
    title: &'a str,
    chapters: Vec<ChapterJson<'a>>,
}

#[derive(Serialize)]
struct ChapterJson<'a> {
    id: i64,
    title: &'a str,
}

impl<'a> BookJson<'a> {
    /// A study by its number and title, and those of its chapters in order.
    pub fn new(
        id: i64,
        title: &'a str,
        chapters: impl IntoIterator<Item = (i64, &'a str)>,
    ) -> BookJson<'a> {
        let chapters = chapters.into_iter().map(|(id, title)| ChapterJson { id, title });
        BookJson { id, title, chapters: chapters.collect() }
    }
}

#[derive(Serialize)]
struct NodeJson<'a> {
    id: usize,
    parent: Option<usize>,
    san: &'a str,
    uci: &'a str,
    number: u32,
    side: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<GlyphJson<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    before: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    drawings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ms: Option<u64>,
}

#[derive(Serialize)]
struct GlyphJson<'a> {
    number: u8,
    symbol: &'a str,
}

impl<'a> OutlineJson<'a> {
    /// The chapter of a number.
    pub fn new(id: u64, outline: &'a Outline, main: Vec<usize>) -> OutlineJson<'a> {
        let tags = outline.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let tags: std::collections::BTreeMap<_, _> = tags.collect();
        OutlineJson {
            id,
            title: &outline.title,
            sequence: outline.sequence,
            here: outline.here,
            opening: opening(outline, &main, &tags),
            main,
            nodes: outline.nodes.iter().enumerate().map(|(id, node)| told(id, node)).collect(),
            undoable: outline.undoable,
            result: outline.result,
            tags,
        }
    }
}

/// The opening of the main line, else what the record says.
fn opening(
    outline: &Outline,
    main: &[usize],
    tags: &std::collections::BTreeMap<&str, &str>,
) -> Option<String> {
    let moves = main.iter().skip(1).filter_map(|&node| outline.nodes.get(node));
    let codes = moves.map(|node| node.uci.as_str());
    let found = tabiya_review::Opening::of_codes(tags.get("FEN").copied(), codes);
    let named = found.map(|opening| opening.to_string());
    named.or_else(|| tags.get("Opening").map(|&name| name.to_owned()))
}

fn told(id: usize, node: &Node) -> NodeJson<'_> {
    NodeJson {
        id,
        parent: node.parent,
        san: &node.san,
        uci: &node.uci,
        number: node.number,
        side: side(node.side),
        glyphs: node
            .glyphs
            .iter()
            .map(|one| GlyphJson { number: one.number, symbol: &one.symbol })
            .collect(),
        before: &node.before,
        comment: &node.comment,
        drawings: &node.drawings,
        eval: node.eval.as_deref(),
        clock_ms: node.clock.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
    }
}

/// A position of a study, in the form of a game's view.
#[derive(Serialize)]
pub struct BoardJson<'a> {
    node: usize,
    columns: u8,
    rows: u8,
    pieces: Vec<PieceJson>,
    destinations: Vec<DestinationsJson>,
    last: Option<[String; 2]>,
    check: Option<String>,
    turn: &'static str,
    marks: [(); 0],
    /// How the game is over here, in words.
    end: Option<&'a str>,
    position: &'a str,
}

impl<'a> BoardJson<'a> {
    /// The board at a node.
    pub fn new(board: &'a StudyBoard) -> BoardJson<'a> {
        BoardJson {
            node: board.node,
            columns: 8,
            rows: 8,
            pieces: board.pieces.iter().map(piece).collect(),
            destinations: board.destinations.iter().map(destinations).collect(),
            last: board.last.map(|(from, to)| [square(from), square(to)]),
            check: board.check.map(square),
            turn: side(board.turn),
            marks: [],
            end: board.end.as_ref().map(|end| end.text.as_str()),
            position: &board.fen,
        }
    }
}

/// What the board shows after a node, in short.
#[derive(Serialize)]
pub struct PositionJson<'a> {
    #[serde(flatten)]
    board: PastJson,
    last: Option<[String; 2]>,
    end: Option<&'a str>,
}

impl<'a> PositionJson<'a> {
    /// The position after a node.
    pub fn new(position: &'a StudyPosition) -> PositionJson<'a> {
        PositionJson {
            board: PastJson::new(&position.board, None),
            last: position.last.map(|(from, to)| [square(from), square(to)]),
            end: position.end.as_ref().map(|end| end.text.as_str()),
        }
    }
}

/// A study in the list: its opening, how many moves its main line has, and where somebody left it, or its end.
#[derive(Serialize)]
pub struct CardJson {
    id: i64,
    title: String,
    when: String,
    chapters: u32,
    opening: Option<String>,
    moves: usize,
    pieces: Vec<PieceJson>,
    last: Option<[String; 2]>,
}

/// What is known of a study without opening it.
pub struct Shelved {
    /// Its number.
    pub id: i64,
    /// Its title.
    pub title: String,
    /// When somebody last worked on it, as `2026-11-19 18:05:00` in UTC.
    pub when: String,
    /// How many chapters it has.
    pub chapters: u32,
}

impl CardJson {
    /// A study that cannot be read any more is there all the same.
    pub fn new(shelved: Shelved, study: Option<&Study>) -> CardJson {
        let outline = study.map(Study::outline);
        let main = study.map(Study::main_line).unwrap_or_default();
        let tags = outline.iter().flat_map(|outline| &outline.tags);
        let tags = tags.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let place = |study: &Study| match study.here() {
            0 => main.last().copied().unwrap_or(0),
            here => here,
        };
        let board = study.and_then(|study| study.board(place(study)).ok());
        CardJson {
            id: shelved.id,
            title: shelved.title,
            when: shelved.when,
            chapters: shelved.chapters,
            opening: outline.as_ref().and_then(|outline| opening(outline, &main, &tags)),
            // The start is in it, too.
            moves: main.len() / 2,
            pieces: board.iter().flat_map(|board| &board.pieces).map(piece).collect(),
            last: board.and_then(|board| board.last).map(|(from, to)| [square(from), square(to)]),
        }
    }
}

/// Who attacks what.
#[derive(Serialize)]
pub struct AttacksJson<'a> {
    squares: Vec<WatchedJson<'a>>,
    pins: Vec<PinJson<'a>>,
    threats: Vec<String>,
}

#[derive(Serialize)]
struct WatchedJson<'a> {
    at: String,
    white: Vec<String>,
    black: Vec<String>,
    text: &'a str,
}

#[derive(Serialize)]
struct PinJson<'a> {
    at: String,
    by: String,
    king: String,
    text: &'a str,
}

impl<'a> AttacksJson<'a> {
    /// What is seen of a position.
    pub fn new(sight: &'a Sight) -> AttacksJson<'a> {
        let places = |pieces: &[tabiya_play::PieceView]| {
            pieces.iter().map(|piece| square(piece.square)).collect::<Vec<_>>()
        };
        AttacksJson {
            squares: sight
                .squares
                .iter()
                .map(|one| WatchedJson {
                    at: square(one.at),
                    white: places(&one.white),
                    black: places(&one.black),
                    text: &one.text,
                })
                .collect(),
            pins: sight
                .pins
                .iter()
                .map(|pin| PinJson {
                    at: square(pin.at),
                    by: square(pin.by),
                    king: square(pin.king),
                    text: &pin.text,
                })
                .collect(),
            threats: sight.threats.iter().copied().map(square).collect(),
        }
    }
}

/// What an engine knows so far.
#[derive(Serialize)]
pub struct ReportJson<'a> {
    engine: &'a str,
    depth: u32,
    nodes: u64,
    nodes_per_second: u64,
    lines: Vec<LineJson<'a>>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    depth: u32,
    score: &'a str,
    chances: f32,
    moves: Vec<LineMoveJson<'a>>,
}

/// A move of a line.
#[derive(Serialize)]
pub struct LineMoveJson<'a> {
    san: &'a str,
    uci: &'a str,
    number: u32,
    side: &'static str,
}

impl<'a> From<&'a LineMove> for LineMoveJson<'a> {
    fn from(m: &'a LineMove) -> LineMoveJson<'a> {
        LineMoveJson { san: &m.text, uci: &m.code, number: m.number, side: side(m.side) }
    }
}

impl<'a> ReportJson<'a> {
    /// The lines as they stand.
    pub fn new(report: &'a Report) -> ReportJson<'a> {
        ReportJson {
            engine: &report.engine,
            depth: report.depth,
            nodes: report.nodes,
            nodes_per_second: report.nodes_per_second,
            lines: report.lines.iter().map(line).collect(),
        }
    }
}

fn line(line: &LineView) -> LineJson<'_> {
    LineJson {
        depth: line.depth,
        score: &line.score,
        chances: line.expectation,
        moves: line.moves.iter().map(LineMoveJson::from).collect(),
    }
}
