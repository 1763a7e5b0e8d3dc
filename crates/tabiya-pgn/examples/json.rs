//! Turns game records into JSON, a game a line; a bad game is told of, and the others go on:
//! `cargo run -p tabiya-pgn --example json -- games.pgn`

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};

use serde_json::{Map, Value, json};
use tabiya_pgn::{Game, ReadError, Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let mut out = BufWriter::new(stdout().lock());
    for game in Reader::new(File::open(&path)?).games() {
        match game {
            Ok(game) => writeln!(out, "{}", to_json(&game))?,
            Err(ReadError::BadGame(bad)) => eprintln!("{path}: {bad}"),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(out.flush()?)
}

fn to_json(game: &Game) -> Value {
    let tags: Map<String, Value> =
        game.tags().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let tree = game.tree();
    let moves: Vec<Value> = tree
        .main_line()
        .map(|node| {
            let comments: Vec<String> =
                tree.comments(node).iter().map(|comment| comment.to_string()).collect();
            json!({ "san": tree.san(node), "fen": tree.position(node).to_string(), "comments": comments })
        })
        .collect();
    json!({ "tags": tags, "moves": moves, "result": game.result().to_string() })
}
