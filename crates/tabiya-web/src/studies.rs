//! Studies that somebody works on. What is confirmed is on the disk.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabiya_api::steps::CHANGED;
use tabiya_play::Refusal;
use tabiya_store::{Book, KeptStudy, Store, StoreError, StudyId};
use tabiya_study::Study;

use crate::client::Client;
use crate::error::ApiError;
use crate::study_json::BookJson;

/// The open ones, each behind a lock of its own.
pub(crate) struct Studies {
    /// How much memory they take in all, in bytes. Beyond that those are put back that nobody has touched for longest,
    /// with what could be undone in them.
    most: usize,
    open: Mutex<HashMap<u64, Arc<Open>>>,
    /// Held while a study is brought from the disk.
    opening: Mutex<()>,
    /// How many each client has begun.
    begun: Mutex<HashMap<Client, usize>>,
}

pub(crate) struct Open {
    study: Mutex<Study>,
    touched: Mutex<Instant>,
    bytes: AtomicUsize,
}

pub(crate) fn book_json(book: &Book) -> BookJson<'_> {
    let chapters = book.chapters.iter().map(|one| (one.id.0, one.title.as_str()));
    BookJson::new(book.id.0, &book.title, chapters)
}

pub(crate) fn number(id: u64) -> Result<StudyId, ApiError> {
    i64::try_from(id).map(StudyId).map_err(|_| ApiError::no_study())
}

pub(crate) fn kept(study: &Study) -> KeptStudy {
    KeptStudy {
        title: study.title().to_owned(),
        pgn: study.pgn(),
        here: u32::try_from(study.here()).unwrap_or(0),
        sequence: study.sequence(),
    }
}

impl Studies {
    pub(crate) fn new(most: usize) -> Studies {
        Studies { most, open: Mutex::default(), opening: Mutex::default(), begun: Mutex::default() }
    }

    /// Keeps a new study: its name and its chapters, which are made only if the client may begin one. May wait for a
    /// disk.
    pub(crate) fn begin(
        &self,
        store: &Store,
        client: Client,
        most: usize,
        make: impl FnOnce() -> Result<(String, Vec<Study>), ApiError>,
    ) -> Result<u64, ApiError> {
        {
            let mut begun = self.begun.lock();
            let own = begun.entry(client).or_default();
            if *own >= most {
                let sentence = "You have begun many studies: go on with one of them.";
                return Err(ApiError::too_many(sentence));
            }
            *own += 1;
        }
        let added = make().and_then(|(title, chapters)| {
            let all: Vec<KeptStudy> = chapters.iter().map(kept).collect();
            let id = u64::try_from(store.add_book(&title, &all)?.0).map_err(ApiError::internal)?;
            if let Some(first) = chapters.into_iter().next() {
                self.set(id, first);
            }
            Ok(id)
        });
        if added.is_err()
            && let Some(own) = self.begun.lock().get_mut(&client)
        {
            *own -= 1;
        }
        added
    }

    fn set(&self, id: u64, study: Study) -> Arc<Open> {
        let open = Arc::new(Open {
            bytes: AtomicUsize::new(study.bytes()),
            study: Mutex::new(study),
            touched: Mutex::new(Instant::now()),
        });
        self.open.lock().insert(id, Arc::clone(&open));
        self.make_room();
        open
    }

    /// Puts studies back until the others fit; never one that somebody has in hand.
    fn make_room(&self) {
        let mut open = self.open.lock();
        let mut taken: usize = open.values().map(|one| one.bytes.load(Ordering::Relaxed)).sum();
        if taken <= self.most {
            return;
        }
        let mut oldest: Vec<_> = open.iter().map(|(&id, one)| (*one.touched.lock(), id)).collect();
        oldest.sort_unstable();
        for (_, id) in oldest {
            if taken <= self.most {
                break;
            }
            if open.get(&id).is_some_and(|one| Arc::strong_count(one) == 1)
                && let Some(gone) = open.remove(&id)
            {
                taken -= gone.bytes.load(Ordering::Relaxed);
            }
        }
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

    /// Puts a study back with which another server has gone on: whoever looks next sees what is kept. May wait for a disk.
    pub(crate) fn refresh(&self, store: &Store, id: u64) -> Result<(), ApiError> {
        let Some(open) = self.open.lock().get(&id).cloned() else { return Ok(()) };
        let kept = store.load_study(number(id)?)?.sequence;
        if kept > open.study.lock().sequence() {
            self.forget(id);
        }
        Ok(())
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

    /// Changes a study, and keeps it. What is not kept has not happened. May wait for a disk.
    pub(crate) fn change<T>(
        &self,
        store: &Store,
        id: u64,
        change: impl FnOnce(&mut Study) -> Result<T, Refusal>,
    ) -> Result<T, ApiError> {
        let open = self.open(store, id)?;
        let mut study = open.study.lock();
        let mut next = study.clone();
        let done = change(&mut next)?;
        let had = study.sequence();
        if (next.sequence(), next.here()) != (had, study.here()) {
            let written = store.keep_study(number(id)?, had, &kept(&next));
            if let Err(StoreError::StudyChanged(_)) = written {
                // Another server has gone on with it: what is kept is read again when somebody asks.
                self.forget(id);
                return Err(Refusal(CHANGED.to_owned()).into());
            }
            written?;
            open.bytes.store(next.bytes(), Ordering::Relaxed);
            *study = next;
        }
        drop(study);
        self.make_room();
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

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn studies_share_a_budget_and_the_longest_untouched_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let studies = Studies::new(150_000);
        let client = Client { network: IpAddr::from([10, 0, 0, 1]).into(), is_owner: false };
        let long = "x ".repeat(1900);
        let begin = |_| {
            studies.begin(&store, client, 9, || Ok((String::new(), vec![Study::new()]))).unwrap()
        };
        let ids = [0, 1, 2].map(begin);
        let bytes = |one: &Arc<Open>| one.study.lock().bytes();
        // Two of them fit with what can be undone, three do not.
        for step in 0..42 {
            let words = format!("{step} {long}");
            studies.change(&store, ids[step / 14], |study| study.comment(0, &words)).unwrap();
            let taken: usize = studies.open.lock().values().map(bytes).sum();
            assert!(taken <= 150_000, "{taken} bytes after step {step}");
        }
        let open = ids.map(|id| studies.open.lock().contains_key(&id));
        assert_eq!(open, [false, true, true]);
        // One that was put back is still there, without what could be undone.
        for id in ids {
            studies.read(&store, id, |study| Ok(study.pgn())).unwrap();
        }
    }

    #[test]
    fn what_another_server_has_kept_is_seen_when_somebody_looks() {
        let folder = tempfile::tempdir().unwrap();
        let stores = [(); 2].map(|()| Store::open(folder.path()).unwrap());
        let [ours, theirs] = [(); 2].map(|()| Studies::new(1 << 20));
        let client = Client { network: IpAddr::from([10, 0, 0, 1]).into(), is_owner: false };
        let make = || Ok((String::new(), vec![Study::new()]));
        let id = ours.begin(&stores[0], client, 9, make).unwrap();
        let pgn = |studies: &Studies, store| {
            studies.refresh(store, id).unwrap();
            studies.read(store, id, |study| Ok(study.pgn())).unwrap()
        };
        assert_eq!(pgn(&ours, &stores[0]), pgn(&theirs, &stores[1]));
        theirs.change(&stores[1], id, |study| study.comment(0, "Theirs")).unwrap();
        assert!(pgn(&ours, &stores[0]).contains("Theirs"));
        // Ours is not put back for nothing: what could be undone is still there.
        ours.change(&stores[0], id, |study| study.comment(0, "Ours")).unwrap();
        assert!(pgn(&ours, &stores[0]).contains("Ours"));
        assert!(ours.read(&stores[0], id, |study| Ok(study.is_undoable())).unwrap());
    }

    #[test]
    fn one_that_somebody_has_in_hand_stays() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let studies = Studies::new(0);
        let client = Client { network: IpAddr::from([10, 0, 0, 1]).into(), is_owner: false };
        let id =
            studies.begin(&store, client, 9, || Ok((String::new(), vec![Study::new()]))).unwrap();
        let in_hand = studies.open(&store, id).unwrap();
        studies.make_room();
        assert!(Arc::ptr_eq(&in_hand, &studies.open(&store, id).unwrap()));
        drop(in_hand);
        studies.make_room();
        assert!(studies.open.lock().is_empty());
    }
}
