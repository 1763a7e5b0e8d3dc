//! Records of games: PGN in and out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_chess::Position;
use tabiya_pgn::{Comment, Game, GameResult, GameTree, Nag, NodeId, ReadError, Reader};

/// What can be asked about records.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum RecordCall {
    /// All games of a text, and what is wrong with those that cannot be read.
    ReadPgn { text: String },
    /// A game as a text.
    WritePgn { game: Record },
}

impl RecordCall {
    pub(crate) const NAMES: [&str; 2] = ["read-pgn", "write-pgn"];
}

/// A game as it is recorded.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// Where it begins; the usual start if it is missing.
    fen: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(default = "unknown")]
    result: String,
    /// What is said before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default)]
    moves: Vec<Recorded>,
}

/// A move, and what else could have been played.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    san: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    uci: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    /// What is said before the move, and after it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    before: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<Recorded>>,
}

/// As annotators write that nobody moves.
const NULL: &str = "--";

fn unknown() -> String {
    GameResult::Unknown.notation().to_owned()
}

pub(crate) fn answer(call: RecordCall) -> Result<Value, Invalid> {
    match call {
        RecordCall::ReadPgn { text } => read(&text),
        RecordCall::WritePgn { game } => Ok(json!(write(&game)?.to_string())),
    }
}

fn read(text: &str) -> Result<Value, Invalid> {
    let (mut games, mut problems) = (Vec::new(), Vec::new());
    for game in Reader::new(text.as_bytes()).games() {
        match game {
            Ok(game) => games.push(record(&game)),
            Err(ReadError::BadGame(bad)) => problems.push(json!({
                "game": bad.number,
                "line": bad.place.line,
                "column": bad.place.column,
                "text": Invalid::new(&bad.problem).0,
            })),
            Err(error) => return Err(Invalid::new(error)),
        }
    }
    Ok(json!({ "games": games, "problems": problems }))
}

/// The words of comments, with their commands.
fn said(comments: &[Comment]) -> String {
    comments.iter().map(Comment::text).collect::<Vec<_>>().join(" ")
}

fn record(game: &Game) -> Record {
    let tree = game.tree();
    let start = tree.start();
    Record {
        tags: game.tags().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        fen: (*start != Position::initial()).then(|| start.fen()),
        result: game.result().notation().to_owned(),
        comment: said(tree.comments(tree.root())),
        moves: tree.next(tree.root()).map_or_else(Vec::new, |first| line(tree, first)),
    }
}

/// The moves from a node to the end of its line.
fn line(tree: &GameTree, first: NodeId) -> Vec<Recorded> {
    let chess960 = !tree.start().castles_as_in_standard_chess();
    let mut moves = Vec::new();
    let mut next = Some(first);
    let mut position = tree.parent(first).map_or(*tree.start(), |parent| tree.position(parent));
    while let Some(id) = next {
        // What else could have been played stands beside the first choice.
        let parent = tree.parent(id).filter(|&parent| tree.next(parent) == Some(id));
        let others = parent.into_iter().flat_map(|parent| tree.children(parent).skip(1));
        let (san, uci) = match tree.played(id) {
            Some(m) => (position.san(m), tabiya_chess_view::uci(&position, m, chess960)),
            None => (NULL.to_owned(), String::new()),
        };
        match tree.played(id) {
            Some(m) => position.play_unchecked(m),
            None => position = position.null_move().unwrap_or(position),
        }
        moves.push(Recorded {
            san,
            uci,
            nags: tree.nags(id).iter().map(|nag| nag.0).collect(),
            before: said(tree.comments_before(id)),
            comment: said(tree.comments(id)),
            variations: others.map(|other| line(tree, other)).collect(),
        });
        next = tree.next(id);
    }
    moves
}

fn write(record: &Record) -> Result<Game, Invalid> {
    let start = match &record.fen {
        Some(fen) => Position::from_fen_prefix(fen).map_err(Invalid::new)?,
        None => Position::initial(),
    };
    let mut game = Game::from_position(start);
    for (name, value) in &record.tags {
        // Where it begins is told already.
        if !matches!(name.as_str(), "FEN" | "SetUp" | "Result") {
            game.set_tag(name, value).map_err(Invalid::new)?;
        }
    }
    let no_result = || Invalid::new("a result is 1-0, 0-1, 1/2-1/2 or *");
    game.set_result(GameResult::from_text(&record.result).ok_or_else(no_result)?);
    let tree = game.tree_mut();
    let root = tree.root();
    comment(tree, root, &record.comment, GameTree::add_comment);
    add(tree, root, &record.moves)?;
    Ok(game)
}

fn comment(
    tree: &mut GameTree,
    at: NodeId,
    text: &str,
    add: impl FnOnce(&mut GameTree, NodeId, Comment),
) {
    if !text.trim().is_empty() {
        add(tree, at, Comment::new(text));
    }
}

/// Plays the moves after a node, and beside each what else could have been played.
fn add(tree: &mut GameTree, after: NodeId, moves: &[Recorded]) -> Result<(), Invalid> {
    let mut at = after;
    let mut position = tree.position(after);
    for one in moves {
        let before = at;
        if one.san == NULL {
            let none = || Invalid::new("nobody can pass who is in check");
            at = tree.add_null(before).ok_or_else(none)?;
            position = position.null_move().ok_or_else(none)?;
        } else {
            let m = position.parse_move(&one.san).map_err(Invalid::new)?;
            at = tree.add(before, m).map_err(Invalid::new)?;
            position.play_unchecked(m);
        }
        one.nags.iter().for_each(|&nag| tree.add_nag(at, Nag(nag)));
        comment(tree, at, &one.before, GameTree::add_comment_before);
        comment(tree, at, &one.comment, GameTree::add_comment);
        for variation in &one.variations {
            add(tree, before, variation)?;
        }
    }
    Ok(())
}
