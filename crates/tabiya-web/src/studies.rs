//! Studies that somebody works on. What is confirmed is on the disk.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabiya_play::Refusal;
use tabiya_store::{KeptStudy, Store, StudyId};
use tabiya_study::Study;

use crate::error::ApiError;

/// The open ones, each behind a lock of its own.
#[derive(Default)]
pub(crate) struct Studies {
    open: Mutex<HashMap<u64, Arc<Open>>>,
    /// Held while a study is brought from the disk.
    opening: Mutex<()>,
    /// How many each client has begun.
    begun: Mutex<HashMap<IpAddr, usize>>,
}

pub(crate) struct Open {
    study: Mutex<Study>,
    touched: Mutex<Instant>,
}

pub(crate) fn number(id: u64) -> Result<StudyId, ApiError> {
    i64::try_from(id).map(StudyId).map_err(|_| ApiError::no_study())
}

fn kept(study: &Study) -> KeptStudy {
    KeptStudy {
        title: study.title().to_owned(),
        pgn: study.pgn(),
        here: u32::try_from(study.here()).unwrap_or(0),
        sequence: study.sequence(),
    }
}

impl Studies {
    /// Keeps a new study. May wait for a disk.
    pub(crate) fn begin(
        &self,
        store: &Store,
        client: IpAddr,
        most: usize,
        study: Study,
    ) -> Result<u64, ApiError> {
        let mut begun = self.begun.lock();
        let own = begun.entry(client).or_default();
        if *own >= most {
            let sentence = "You have begun many studies: go on with one of them.";
            return Err(ApiError::too_many(sentence));
        }
        let id = store.add_study(&kept(&study))?;
        *own += 1;
        drop(begun);
        let id = u64::try_from(id.0).map_err(ApiError::internal)?;
        self.set(id, study);
        Ok(id)
    }

    fn set(&self, id: u64, study: Study) -> Arc<Open> {
        let open = Arc::new(Open { study: Mutex::new(study), touched: Mutex::new(Instant::now()) });
        self.open.lock().insert(id, Arc::clone(&open));
        open
    }

    /// A study, brought from the disk if nobody has it open.
    fn open(&self, store: &Store, id: u64) -> Result<Arc<Open>, ApiError> {
        let known = || self.open.lock().get(&id).cloned();
        if let Some(open) = known() {
            *open.touched.lock() = Instant::now();
            return Ok(open);
        }
        let _opening = self.opening.lock();
        if let Some(open) = known() {
            return Ok(open);
        }
        let KeptStudy { title, pgn, here, sequence } = store.load_study(number(id)?)?;
        let study = Study::restore(&title, &pgn, here as usize, sequence);
        let study = study.map_err(|error| ApiError::internal(format!("study {id}: {error}")))?;
        Ok(self.set(id, study))
    }

    /// Something of a study that is only read. May wait for a disk.
    pub(crate) fn read<T>(
        &self,
        store: &Store,
        id: u64,
        read: impl FnOnce(&Study) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        read(&self.open(store, id)?.study.lock())
    }

    /// Changes a study, and keeps it. May wait for a disk.
    pub(crate) fn change<T>(
        &self,
        store: &Store,
        id: u64,
        change: impl FnOnce(&mut Study) -> Result<T, Refusal>,
    ) -> Result<T, ApiError> {
        let open = self.open(store, id)?;
        let mut study = open.study.lock();
        let place = |study: &Study| (study.title().to_owned(), study.here(), study.sequence());
        let before = place(&study);
        let done = change(&mut study)?;
        if place(&study) != before
            && let Err(error) = store.keep_study(number(id)?, &kept(&study))
        {
            // What is shown is what is kept: it is read again when somebody asks.
            drop(study);
            self.forget(id);
            return Err(error.into());
        }
        Ok(done)
    }

    /// Takes a study from the table.
    pub(crate) fn forget(&self, id: u64) {
        self.open.lock().remove(&id);
    }

    /// Puts studies back that nobody has looked at for so long.
    pub(crate) fn put_away(&self, idle: Duration) {
        self.open.lock().retain(|_, open| open.touched.lock().elapsed() <= idle);
    }
}
