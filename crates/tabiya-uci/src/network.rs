//! Networks by name, and what they think.

use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_chess::{Color, File, Piece, Position, Rank, Role, Square};
use tabiya_engine::{Engine, Network, NetworkError, Score};
use thiserror::Error;

/// The network of this program if no name is given, none if it is "by-hand", else the one in that file.
pub fn named(name: &str) -> Result<Option<Arc<Network>>, NetworkFileError> {
    match name {
        "" => Ok(Some(Network::built_in())),
        "by-hand" => Ok(None),
        file => Ok(Some(Arc::new(read(file.as_ref())?))),
    }
}

/// The network in a file. What is no file, or larger than any network, is not read: a pipe would keep us waiting, and a
/// device fill the memory.
pub fn read(path: &Path) -> Result<Network, NetworkFileError> {
    let wrong = |reason| NetworkFileError { path: path.to_owned(), reason };
    let is_file = std::fs::metadata(path).map_err(|error| wrong(error.into()))?.is_file();
    if !is_file {
        return Err(wrong(NotANetworkFile::NoFile));
    }
    let mut bytes = Vec::new();
    let most = Network::MOST_BYTES as u64;
    let file = std::fs::File::open(path).map_err(|error| wrong(error.into()))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| wrong(error.into()))?;
    if bytes.len() as u64 > most {
        return Err(wrong(NotANetworkFile::TooLarge));
    }
    Network::from_bytes(&bytes).map_err(|error| wrong(error.into()))
}

/// Why a file gives no network.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct NetworkFileError {
    path: PathBuf,
    reason: NotANetworkFile,
}

#[derive(Debug, Error)]
enum NotANetworkFile {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    #[error("this is a folder, a pipe or a device, not a file")]
    NoFile,
    #[error("a network has at most {} bytes, and this file has more", Network::MOST_BYTES)]
    TooLarge,
    #[error("{0}")]
    NoNetwork(#[from] NetworkError),
}

/// What the engine thinks of a position at a glance: a score, and, if a network evaluates, a board with what each
/// piece contributes, which is what its removal would change. All seen by White, in pawns.
pub fn draw_evaluation(engine: &Engine, position: &Position) -> String {
    let mut text = String::new();
    if let Some(network) = engine.network() {
        text = draw(network, position);
    }
    let side = position.turn();
    let score = match engine.evaluation(position) {
        Score::Centipawns(score) => pawns(for_white(score, side)),
        mate => mate.to_string(),
    };
    let _ = write!(text, "Evaluation {score} (pawns, seen by White)");
    text
}

fn draw(network: &Network, position: &Position) -> String {
    let turn = position.turn();
    let whole = for_white(network.evaluate(position), turn);
    let without = |square| {
        let mut board = *position.board();
        board.remove(square);
        for_white(network.evaluate_board(&board, turn), turn)
    };
    let line = format!("  +{}\n", "-------+".repeat(8));
    let mut text = line.clone();
    for rank in Rank::ALL.into_iter().rev() {
        let squares = File::ALL.map(|file| Square::new(file, rank));
        let pieces = squares.map(|square| (square, position.piece_at(square)));
        let names = pieces.map(|(_, piece)| piece.map_or(' ', Piece::letter));
        let worths = pieces.map(|(square, piece)| match piece {
            Some(piece) if piece.role != Role::King => pawns(whole - without(square)),
            _ => String::new(),
        });
        let _ = write!(text, "{} |", rank as u8 + 1);
        names.iter().for_each(|name| text.push_str(&format!("   {name}   |")));
        text.push_str("\n  |");
        worths.iter().for_each(|worth| text.push_str(&format!("{worth:^7}|")));
        text.push('\n');
        text.push_str(&line);
    }
    text.push_str("  ");
    ('a'..='h').for_each(|file| text.push_str(&format!("    {file}   ")));
    text.truncate(text.trim_end().len());
    text.push_str("\n\n");
    text
}

fn for_white(score: i32, side: Color) -> i32 {
    if side == Color::White { score } else { -score }
}

/// "+0.35".
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}
