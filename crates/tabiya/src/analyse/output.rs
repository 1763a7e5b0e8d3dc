//! Results in the order of the input, whoever found them first.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value, json};
use tabiya_analysis::{AnalysisAnswer, EvaluationsWriter, PositionAnalysis};
use tabiya_base::{Stop, write_atomically};
use tabiya_chess::Position;
use tabiya_jobs::{JobResult, Queue};
use tabiya_pgn::{Comment, Eval, Game};
use tabiya_review::{Assessment, Review};

use super::input::{Entry, Input, Task, What};

/// So many results are fetched together.
const TOGETHER: usize = 200;

/// A file that is to be made, or standard output.
pub(super) struct Output {
    path: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Pgn,
    Json,
    Parquet,
}

/// What is to be written of an entry.
enum Told<'a> {
    Game(&'a Review),
    Position(&'a PositionAnalysis),
    /// Why there is nothing.
    Nothing(&'a str),
}

impl Output {
    pub(super) fn of(path: &Path) -> anyhow::Result<Output> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let form = match ending.as_deref() {
            _ if path == Path::new("-") => Form::Json,
            Some("pgn") => Form::Pgn,
            Some("json" | "jsonl" | "ndjson") => Form::Json,
            Some("parquet") => Form::Parquet,
            _ => anyhow::bail!(
                "{}: results are written as .pgn, .jsonl or .parquet, which the name of the file tells",
                path.display()
            ),
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            anyhow::ensure!(folder.is_dir(), "there is no folder {}", folder.display());
        }
        anyhow::ensure!(!path.is_dir(), "{} is a folder", path.display());
        Ok(Output { path: path.to_owned(), form })
    }

    /// Writes all results of a batch that is done.
    pub(super) fn write(
        &self,
        input: &Input,
        queue: &Queue,
        batch: &str,
        stop: &Stop,
    ) -> anyhow::Result<()> {
        let results = || Results { queue, batch, stop, waiting: VecDeque::new(), last: None };
        if self.path == Path::new("-") {
            let mut out = io::BufWriter::new(io::stdout().lock());
            self.write_to(&mut out, input, results())?;
            return Ok(out.flush()?);
        }
        let mut failed = None;
        let written = write_atomically(&self.path, |file| {
            self.write_to(file, input, results()).map_err(|error| {
                let told = io::Error::other(error.to_string());
                failed = Some(error);
                told
            })
        });
        match failed {
            Some(error) => {
                Err(error).with_context(|| format!("cannot write {}", self.path.display()))
            }
            None => written.with_context(|| format!("cannot write {}", self.path.display())),
        }
    }

    fn write_to(
        &self,
        out: &mut dyn Write,
        input: &Input,
        mut results: Results<'_>,
    ) -> anyhow::Result<()> {
        let mut number = 0;
        match self.form {
            Form::Parquet => {
                let mut writer = EvaluationsWriter::new(out)?;
                each(input, &mut results, |entry, told| {
                    number += 1;
                    match (told, &entry.what) {
                        (Told::Game(review), _) => writer.add_game(number, review)?,
                        (Told::Position(found), What::Position(position, _)) => {
                            writer.add_position(number, position, found)?;
                        }
                        _ => {}
                    }
                    Ok(())
                })?;
                writer.finish()?;
                Ok(())
            }
            Form::Json => each(input, &mut results, |entry, told| {
                number += 1;
                Ok(writeln!(out, "{}", line(number, &entry, &told))?)
            }),
            Form::Pgn => each(input, &mut results, |entry, told| {
                let between = if number == 0 { "" } else { "\n" };
                number += 1;
                Ok(write!(out, "{between}{}", record(entry, &told))?)
            }),
        }
    }
}

/// Results as they are needed.
struct Results<'a> {
    queue: &'a Queue,
    batch: &'a str,
    stop: &'a Stop,
    waiting: VecDeque<JobResult>,
    last: Option<u64>,
}

impl Results<'_> {
    fn next(&mut self) -> anyhow::Result<JobResult> {
        if self.waiting.is_empty() {
            self.waiting = super::patiently(self.stop, || {
                self.queue.results(self.batch, self.last, TOGETHER)
            })?
            .into();
        }
        let next = self.waiting.pop_front().context("a result is missing in the queue")?;
        let expected = self.last.map_or(0, |last| last + 1);
        anyhow::ensure!(
            next.place == expected,
            "the result of job {expected} is missing in the queue"
        );
        self.last = Some(next.place);
        Ok(next)
    }
}

/// Brings input and results together.
fn each(
    input: &Input,
    results: &mut Results<'_>,
    mut take: impl FnMut(Entry, Told<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    input.tasks(false, results.stop, |task| {
        let Task { task, entries } = task;
        let answer = results.next()?.result;
        let answer = answer.and_then(|text| task.read(&text).map_err(|error| error.to_string()));
        match &answer {
            Ok(AnalysisAnswer::Game(review)) => {
                for entry in entries {
                    take(entry, Told::Game(review))?;
                }
            }
            Ok(AnalysisAnswer::Positions(found)) => {
                for (entry, found) in entries.into_iter().zip(found) {
                    take(entry, Told::Position(found))?;
                }
            }
            Err(error) => {
                for entry in entries {
                    take(entry, Told::Nothing(error))?;
                }
            }
        }
        Ok(())
    })
}

/// A line of JSON.
fn line(number: u64, entry: &Entry, told: &Told<'_>) -> Value {
    let mut line = Map::new();
    let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
    put("number", number.into());
    put("file", entry.file.as_str().into());
    match &entry.what {
        What::Game(game) => {
            let tags: Map<String, Value> =
                game.tags().map(|(name, value)| (name.to_owned(), value.into())).collect();
            put("game", entry.number.into());
            put("tags", tags.into());
        }
        What::Position(position, rest) => {
            put("line", entry.number.into());
            put("fen", position.fen().into());
            if !rest.is_empty() {
                put("epd", rest.as_str().into());
            }
        }
    }
    match (told, &entry.what) {
        (Told::Game(review), _) => put("review", review.json()),
        (Told::Position(found), What::Position(position, _)) => {
            let evaluation = found.evaluation(position);
            put("depth", evaluation.depth.into());
            put("nodes", evaluation.nodes.into());
            put("worth", worth(evaluation.worth));
            let lines = found.lines().iter().map(|line| {
                let moves = line.moves(position);
                json!({ "worth": worth(line.worth()), "uci": line.codes(), "san": san(position, &moves) })
            });
            put("lines", lines.collect())
        }
        (Told::Nothing(error), _) => put("error", (*error).into()),
        (Told::Position(_), What::Game(_)) => None,
    };
    line.into()
}

fn worth(worth: Assessment) -> Value {
    use tabiya_base::Score::{Centipawns, Mate};
    let text = worth.to_string();
    let chances = (worth.chances() * 10.0).round() / 10.0;
    match worth {
        Assessment::Score(Centipawns(score)) => {
            json!({ "text": text, "centipawns": score, "chances": chances })
        }
        Assessment::Score(Mate(moves)) => {
            json!({ "text": text, "mate": moves, "chances": chances })
        }
        Assessment::Over(outcome) => {
            json!({ "text": text, "over": outcome.to_string(), "chances": chances })
        }
    }
}

fn san(position: &Position, moves: &[tabiya_chess::Move]) -> Vec<String> {
    let mut at = *position;
    moves
        .iter()
        .map(|&m| {
            let text = at.san(m);
            at.play_unchecked(m);
            text
        })
        .collect()
}

/// A record with what was found in it: of a game its review, of a position the lines as variations.
fn record(entry: Entry, told: &Told<'_>) -> Game {
    match (entry.what, told) {
        (What::Game(mut game), Told::Game(review)) => {
            review.annotate(&mut game);
            *game
        }
        (What::Game(game), _) => *game,
        (What::Position(position, rest), told) => {
            let mut game = Game::from_position(position);
            let root = game.tree().root();
            if !rest.is_empty() {
                game.tree_mut().add_comment(root, Comment::new(&rest));
            }
            let Told::Position(found) = told else { return game };
            let depth = found.evaluation(&position).depth;
            for line in found.lines() {
                let moves = line.moves(&position);
                let Some((&first, more)) = moves.split_first() else { continue };
                // These moves were played a moment ago.
                let Ok(at) = game.tree_mut().add(root, first) else { continue };
                if let Assessment::Score(score) = line.worth() {
                    let eval = Comment::new("").with_eval(Eval { score, depth: Some(depth) });
                    game.tree_mut().add_comment(at, eval);
                }
                let _ = game.tree_mut().add_line(at, more);
            }
            game
        }
    }
}
