//! Threads that read from the file, each with a connection of its own, so that no question holds up a move.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use sqlx::sqlite::SqliteConnection;
use tokio::runtime::{Builder, Runtime};

use crate::{
    Book, Card, CardAnswer, CardFilter, CardId, CardKind, CardQueue, CardReport, Cursor, GameCount,
    GameFilter, GameId, GamePage, KeptStudy, LearnedGame, Learner, NameCount, PuzzleRecord,
    StoreError, Stored, StudyId, StudySummary, cards, catalogue, chapters, count, learning,
    puzzles, read, reviews, schema, search, studies,
};

/// So many searches at a time; others wait.
const SEARCHES: usize = 2;

/// What is asked, and where the answer goes.
pub(crate) enum Question {
    Load(GameId, Sender<Result<Stored, StoreError>>),
    LoadStudy(StudyId, Sender<Result<KeptStudy, StoreError>>),
    LoadBook(StudyId, Sender<Result<Book, StoreError>>),
    LoadReview(String, Sender<Result<Option<String>, StoreError>>),
    LoadSolver(String, Sender<Result<PuzzleRecord, StoreError>>),
    List(GameFilter, Sender<Result<GamePage, StoreError>>),
    Count(GameFilter, Sender<Result<GameCount, StoreError>>),
    Uncatalogued(Sender<Result<u64, StoreError>>),
    LoadCard(CardId, Sender<Result<Card, StoreError>>),
    FindCard(CardKind, String, Sender<Result<Option<Card>, StoreError>>),
    CardAnswers(CardId, Sender<Result<Vec<CardAnswer>, StoreError>>),
    DueCards(CardFilter, Sender<Result<CardQueue, StoreError>>),
    ListCards {
        kind: CardKind,
        after: Option<CardId>,
        limit: u32,
        sender: Sender<Result<Vec<Card>, StoreError>>,
    },
    CardReport(Option<CardKind>, i64, Sender<Result<CardReport, StoreError>>),
    LoadLearner(Sender<Result<Learner, StoreError>>),
    NamesInGames(u32, Sender<Result<Vec<NameCount>, StoreError>>),
    GamesToLearn(u32, Sender<Result<(Vec<GameId>, u32), StoreError>>),
    LearnedGames(Sender<Result<Vec<LearnedGame>, StoreError>>),
    ListStudies {
        limit: u32,
        after: Option<Cursor>,
        sender: Sender<Result<Vec<StudySummary>, StoreError>>,
    },
}

#[derive(Debug)]
pub(crate) struct Readers {
    /// One thing by its number, which never waits for a search.
    lookups: Sender<Question>,
    searches: Sender<Question>,
    /// How many there are, for which no search waits.
    counts: Sender<Question>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(crate) fn start(path: &Path) -> std::io::Result<Readers> {
        let (lookups, looked_up) = mpsc::channel();
        let (searches, searched) = mpsc::channel();
        let (counts, counted) = mpsc::channel();
        let mut threads = Vec::new();
        for questions in [looked_up, counted] {
            threads.push(spawn(path, Arc::new(Mutex::new(questions)))?);
        }
        let searched = Arc::new(Mutex::new(searched));
        for _ in 0..SEARCHES {
            threads.push(spawn(path, Arc::clone(&searched))?);
        }
        Ok(Readers { lookups, searches, counts, threads })
    }

    /// Whether somebody will answer.
    pub(crate) fn ask(&self, question: Question) -> bool {
        let readers = match question {
            Question::Load(..)
            | Question::LoadStudy(..)
            | Question::LoadBook(..)
            | Question::LoadReview(..)
            | Question::LoadSolver(..)
            | Question::LoadCard(..)
            | Question::FindCard(..)
            | Question::CardAnswers(..)
            | Question::DueCards(..)
            | Question::LoadLearner(..)
            | Question::Uncatalogued(..) => &self.lookups,
            Question::Count(..) | Question::NamesInGames(..) | Question::GamesToLearn(..) => {
                &self.counts
            }
            Question::List(..)
            | Question::ListStudies { .. }
            | Question::ListCards { .. }
            | Question::CardReport(..)
            | Question::LearnedGames(..) => &self.searches,
        };
        readers.send(question).is_ok()
    }

    /// Answers what was asked, and closes the file.
    pub(crate) fn close(self) {
        drop((self.lookups, self.searches, self.counts));
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

type Questions = Arc<Mutex<Receiver<Question>>>;

fn spawn(path: &Path, questions: Questions) -> std::io::Result<JoinHandle<()>> {
    let path = path.to_owned();
    let runtime = Builder::new_current_thread().enable_time().build()?;
    let reader = Reader { path, runtime, connection: None };
    thread::Builder::new().name("store reader".to_owned()).spawn(move || reader.work(&questions))
}

struct Reader {
    path: PathBuf,
    runtime: Runtime,
    /// Opened when first something is asked.
    connection: Option<SqliteConnection>,
}

impl Reader {
    fn work(mut self, questions: &Questions) {
        // The lock is held while one of the readers waits, not while it reads.
        let next = || questions.lock().recv().ok();
        while let Some(question) = next() {
            self.answer(question);
        }
        if let Some(connection) = self.connection {
            let _ = self.runtime.block_on(sqlx::Connection::close(connection));
        }
    }

    fn answer(&mut self, question: Question) {
        let Reader { path, runtime, connection } = self;
        runtime.block_on(async {
            let connection = open(connection, path).await;
            match question {
                Question::Load(id, sender) => {
                    tell(&sender, connection, async |file| read::load(file, id, false).await).await;
                }
                Question::LoadStudy(id, sender) => {
                    tell(&sender, connection, async |file| studies::load(file, id).await).await;
                }
                Question::LoadBook(id, sender) => {
                    tell(&sender, connection, async |file| chapters::load(file, id).await).await;
                }
                Question::LoadReview(key, sender) => {
                    tell(&sender, connection, async |file| reviews::load(file, &key).await).await;
                }
                Question::LoadSolver(person, sender) => {
                    tell(&sender, connection, async |file| puzzles::load(file, &person).await)
                        .await;
                }
                Question::LoadCard(id, sender) => {
                    tell(&sender, connection, async |file| cards::load(file, id).await).await;
                }
                Question::FindCard(kind, key, sender) => {
                    tell(&sender, connection, async |file| cards::find(file, kind, &key).await)
                        .await;
                }
                Question::CardAnswers(id, sender) => {
                    tell(&sender, connection, async |file| cards::answers(file, id).await).await;
                }
                Question::DueCards(filter, sender) => {
                    tell(&sender, connection, async |file| cards::due(file, &filter).await).await;
                }
                Question::ListCards { kind, after, limit, sender } => {
                    tell(&sender, connection, async |file| {
                        cards::list(file, kind, after, limit).await
                    })
                    .await;
                }
                Question::CardReport(kind, now, sender) => {
                    tell(&sender, connection, async |file| cards::report(file, kind, now).await)
                        .await;
                }
                Question::LoadLearner(sender) => {
                    tell(&sender, connection, async |file| learning::load(file).await).await;
                }
                Question::NamesInGames(limit, sender) => {
                    tell(&sender, connection, async |file| learning::names(file, limit).await)
                        .await;
                }
                Question::GamesToLearn(limit, sender) => {
                    tell(&sender, connection, async |file| learning::to_learn(file, limit).await)
                        .await;
                }
                Question::LearnedGames(sender) => {
                    tell(&sender, connection, async |file| learning::learned(file).await).await;
                }
                Question::List(filter, sender) => {
                    tell(&sender, connection, async |file| search::page(file, &filter).await).await;
                }
                Question::Count(filter, sender) => {
                    tell(&sender, connection, async |file| count::count(file, &filter).await).await;
                }
                Question::Uncatalogued(sender) => {
                    tell(&sender, connection, async |file| catalogue::left(file).await).await;
                }
                Question::ListStudies { limit, after, sender } => {
                    tell(&sender, connection, async |file| studies::list(file, limit, after).await)
                        .await;
                }
            }
        });
    }
}

/// Reads, and sends what was read.
async fn tell<T>(
    sender: &Sender<Result<T, StoreError>>,
    connection: Result<&mut SqliteConnection, StoreError>,
    read: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, StoreError>,
) {
    let answer = match connection {
        Ok(connection) => read(connection).await,
        Err(error) => Err(error),
    };
    // Whoever asked may not be waiting any more.
    let _ = sender.send(answer);
}

async fn open<'a>(
    connection: &'a mut Option<SqliteConnection>,
    path: &Path,
) -> Result<&'a mut SqliteConnection, StoreError> {
    match connection {
        Some(connection) => Ok(connection),
        None => Ok(connection.insert(schema::open_to_read(path).await?)),
    }
}
