use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;

use anyhow::Context as _;
use indicatif::ProgressBar;
use parking_lot::Mutex;
use tabiya_base::Stop;
use tabiya_pgn::{Game, ReadError, Reader};
use tabiya_review::{Review, ReviewSettings, SideFile, review};

/// A game that is reviewed.
pub(super) struct Done {
    /// Its number in the file, bad ones counted too.
    pub(super) number: u64,
    /// The game with the review in it.
    pub(super) game: Game,
    pub(super) review: Review,
}

/// What all threads need.
pub(super) struct Work<'a> {
    pub(super) settings: &'a ReviewSettings,
    pub(super) stop: &'a Stop,
    pub(super) bar: &'a ProgressBar,
}

/// Hands out the games of a file one after the other.
struct Feed {
    reader: Reader<File>,
    /// How many were handed out.
    count: usize,
}

/// A game to review: its place among those that can be read, its number in the file, and what it is.
struct Task {
    place: usize,
    number: u64,
    game: Game,
}

impl Feed {
    fn next(&mut self) -> anyhow::Result<Option<Task>> {
        loop {
            match self.reader.next_game() {
                Ok(Some(game)) => {
                    let place = self.count;
                    self.count += 1;
                    return Ok(Some(Task { place, number: self.reader.games_read(), game }));
                }
                Ok(None) => return Ok(None),
                // Told of before.
                Err(ReadError::BadGame(_)) => {}
                Err(ReadError::Io(error)) => return Err(error).context("cannot read the games"),
            }
        }
    }
}

type Answer = anyhow::Result<(usize, Done)>;

impl Work<'_> {
    /// Reviews all games, a few at a time, and tells of them in the order of the file. Gives how many are done.
    pub(super) fn run(
        &self,
        reader: Reader<File>,
        threads: NonZeroUsize,
        side: Option<&mut SideFile>,
        mut tell: impl FnMut(&Done) -> anyhow::Result<()>,
    ) -> anyhow::Result<usize> {
        let feed = Mutex::new(Feed { reader, count: 0 });
        let side = side.map(Mutex::new);
        let (sender, answers) = mpsc::sync_channel(threads.get());
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                let (sender, feed, side) = (sender.clone(), &feed, side.as_ref());
                scope.spawn(move || self.review_some(feed, side, &sender));
            }
            drop(sender);
            let result = collect(&answers, &mut tell);
            if result.is_err() {
                self.stop.stop();
            }
            // Whoever still wants to say something is not to wait for ever.
            drop(answers);
            result
        })
    }

    /// One thread: takes games until there are no more.
    fn review_some(
        &self,
        feed: &Mutex<Feed>,
        side: Option<&Mutex<&mut SideFile>>,
        sender: &mpsc::SyncSender<Answer>,
    ) {
        while !self.stop.is_stopped() {
            let task = feed.lock().next();
            let answer = match task {
                Ok(None) => return,
                Ok(Some(task)) => match self.review_one(task, side) {
                    Ok(None) => return,
                    Ok(Some(done)) => Ok(done),
                    Err(error) => Err(error),
                },
                Err(error) => Err(error),
            };
            let failed = answer.is_err();
            if sender.send(answer).is_err() || failed {
                return;
            }
        }
    }

    /// Reviews a game, or takes it from the side file. None if all was stopped.
    fn review_one(
        &self,
        task: Task,
        side: Option<&Mutex<&mut SideFile>>,
    ) -> anyhow::Result<Option<(usize, Done)>> {
        let Task { place, number, mut game } = task;
        let lock = |side: &'_ Mutex<&mut SideFile>| -> anyhow::Result<Option<Game>> {
            let mut side = side.lock();
            Ok(side.get(number)?.and_then(|record| record.parse().ok()))
        };
        if let Some(kept) = side.map(lock).transpose()?.flatten()
            && let Some(review) = Review::read(&kept)
        {
            self.bar.inc(review.moves.len() as u64 + 1);
            return Ok(Some((place, Done { number, game: kept, review })));
        }
        let mut known = game.to_play().moves().len() + 1;
        let mut progress = |_: usize, of: usize| {
            // Mistakes are looked at twice.
            self.bar.inc_length(of.saturating_sub(known) as u64);
            known = known.max(of);
            self.bar.inc(1);
        };
        let Ok(review) = review(&game, self.settings, &mut progress, self.stop) else {
            return Ok(None);
        };
        review.annotate(&mut game);
        if let Some(side) = side {
            let mut side = side.lock();
            if !side.has(number) {
                side.append(number, &game.to_string())?;
            }
        }
        Ok(Some((place, Done { number, game, review })))
    }
}

/// Tells of games in their order, however they come.
fn collect(
    answers: &mpsc::Receiver<Answer>,
    tell: &mut impl FnMut(&Done) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for answer in answers {
        let (place, done) = answer?;
        waiting.insert(place, done);
        while let Some(done) = waiting.remove(&next) {
            tell(&done)?;
            next += 1;
        }
    }
    Ok(next + waiting.len())
}
