use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tabiya_chess::Color;
use tabiya_pgn::{Comment, Game, GameResult};
use tabiya_thinker::EngineLimit;

use crate::GameRecord;

/// The tags of a game record that the game itself does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnTags {
    /// The name of the match.
    pub event: String,
    /// Where it is played.
    pub site: String,
    /// The day, `2000.01.01`.
    pub date: String,
    /// The number of the game within the match.
    pub round: String,
}

impl PgnTags {
    /// Today's date (UTC); everything else unknown.
    pub fn today() -> PgnTags {
        let unknown = || "?".to_owned();
        let (year, month, day) = tabiya_base::date(tabiya_base::unix_time().as_secs() / 86_400);
        let date = format!("{year:04}.{month:02}.{day:02}");
        PgnTags { event: unknown(), site: unknown(), date, round: unknown() }
    }
}

/// A game as PGN: the seven tags and those about the start, time and end, then the moves with
/// `{score/depth time}` behind each that a player chose, in lines of at most 80 characters.
///
/// ```
/// use tabiya_chess::{Color, Game, Outcome};
/// use tabiya_lab::{Termination, GameRecord, PgnTags, pgn};
/// use tabiya_thinker::EngineLimit;
///
/// let mut game = Game::new();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     game.play(game.position().parse_san(text).unwrap()).unwrap();
/// }
/// let record = GameRecord {
///     white: "Fool".to_owned(),
///     black: "Scholar".to_owned(),
///     limits: [EngineLimit::Depth(3); 2],
///     game,
///     remarks: vec![],
///     winner: Some(Color::Black),
///     ending: Termination::Rules(Outcome::Checkmate { winner: Color::Black }),
/// };
/// let text = pgn(&record, &PgnTags::today());
/// assert!(text.contains("[White \"Fool\"]\n"));
/// assert!(text.ends_with("1. f3 e5 2. g4 Qh4# {Checkmate: Black wins} 0-1\n\n"));
/// ```
pub fn pgn(record: &GameRecord, tags: &PgnTags) -> String {
    let mut pgn = Game::from_position(*record.game.start());
    for (name, value) in all_tags(record, tags) {
        // These names are fit for tags, and any value can be made so.
        let _ = pgn.set_tag(name, &value);
    }
    pgn.set_result(match record.winner {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    });
    let tree = pgn.tree_mut();
    let from_book = record.game.moves().len().saturating_sub(record.remarks.len());
    let remarks = std::iter::repeat_n(None, from_book).chain(record.remarks.iter().map(Some));
    let mut last = tree.root();
    for (&m, remark) in record.game.moves().iter().zip(remarks) {
        let Ok(node) = tree.add(last, m) else { break };
        last = node;
        if let Some(remark) = remark {
            tree.add_comment(last, Comment::new(&remark.to_string()));
        }
    }
    tree.add_comment(last, Comment::new(&record.ending.to_string()));
    format!("{pgn}\n")
}

fn all_tags(record: &GameRecord, tags: &PgnTags) -> Vec<(&'static str, String)> {
    let mut list = vec![
        ("Event", tags.event.clone()),
        ("Site", tags.site.clone()),
        ("Date", tags.date.clone()),
        ("Round", tags.round.clone()),
        ("White", record.white.clone()),
        ("Black", record.black.clone()),
        ("PlyCount", record.game.moves().len().to_string()),
    ];
    let [white, black] = record.limits.map(EngineLimit::pgn_tag);
    if white == black {
        list.push(("TimeControl", white));
    } else {
        list.push(("WhiteTimeControl", white));
        list.push(("BlackTimeControl", black));
    }
    list.push(("Termination", record.ending.pgn_termination().to_owned()));
    list
}

/// A file to which games are added as they end.
#[derive(Debug)]
pub struct PgnFile {
    file: File,
}

impl PgnFile {
    /// Opens a file to add games at its end; makes it if there is none.
    pub fn append(path: &Path) -> io::Result<PgnFile> {
        Ok(PgnFile { file: OpenOptions::new().append(true).create(true).open(path)? })
    }

    /// Adds a game, all of it in one write: readers never see half a game.
    pub fn write(&mut self, record: &GameRecord, tags: &PgnTags) -> io::Result<()> {
        self.file.write_all(pgn(record, tags).as_bytes())?;
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Remark, Termination};
    use std::time::Duration;
    use tabiya_base::Score;
    use tabiya_chess::Position;
    use tabiya_thinker::{ThinkError, ThinkErrorKind};

    fn record(fen: &str, moves: &str, remarked: usize) -> GameRecord {
        let mut game = tabiya_chess::Game::from_position(fen.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(game.position().parse_san(text).unwrap()).unwrap();
        }
        let score = Some(Score::Centipawns(-7));
        let time = Duration::from_millis(1234);
        let remark = Remark { score, depth: Some(3), nodes: None, time, is_stray: false };
        GameRecord {
            white: "A \"quoted\" \\ name\n[Evil \"tag\"]".to_owned(),
            black: "B".to_owned(),
            limits: ["5+0.05".parse().unwrap(), EngineLimit::Nodes(7)],
            game,
            remarks: vec![remark; remarked],
            winner: Some(Color::White),
            ending: Termination::Forfeit {
                by: Color::Black,
                error: ThinkError::new(ThinkErrorKind::IllegalMove, "\"}{\" is not a legal move"),
            },
        }
    }

    #[test]
    fn black_begins_with_a_number_and_comments_are_closed() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let text = pgn(&record(fen, "c5 Nf3 d6 d4 cxd4", 3), &PgnTags::today());
        let (tags, moves) = text.split_once("\n\n").unwrap();
        assert_eq!(
            moves,
            "1... c5 2. Nf3 d6 {-0.07/3 1.234s} 3. d4 {-0.07/3 1.234s} 3... cxd4 {-0.07/3\n\
             1.234s} {Black forfeits: \")(\" is not a legal move} 1-0\n\n"
        );
        assert!(tags.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[PlyCount \"5\"]\n")));
        assert!(tags.contains("[WhiteTimeControl \"5+0.05\"]\n[BlackTimeControl \"-\"]\n"));
        assert!(tags.contains("[White \"A \\\"quoted\\\" \\\\ name [Evil \\\"tag\\\"]\"]\n"));
        assert!(tags.ends_with("[Termination \"rules infraction\"]"));
    }

    #[test]
    fn no_line_is_longer_than_eighty() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(30);
        let record = record(&Position::initial().fen(), &shuffle, 100);
        let text = pgn(&record, &PgnTags::today());
        let moves: Vec<&str> = text.split_once("\n\n").unwrap().1.lines().collect();
        assert!(moves.len() > 10);
        assert!(moves.iter().all(|line| line.len() <= 80));
        assert!(!text.contains("FEN"));
    }
}
