//! Tables of endings: those there are, and those that are made in the background when somebody practises an ending that
//! has none yet.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use parking_lot::{Mutex, RwLock};
use tabiya_base::Stop;
use tabiya_tables::{Maker, Material, TableError, TableProgress, Tables};

/// What the solver of a slice needs.
const STACK: usize = 16 << 20;

/// The tables of a folder, and the work on those that are missing.
pub(crate) struct TableFolder(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    /// Those there are, the tables of three men always among them; anew when one has been made.
    tables: RwLock<Arc<Tables>>,
    work: Mutex<Work>,
    stop: Stop,
}

#[derive(Default)]
struct Work {
    waiting: VecDeque<Material>,
    is_running: bool,
    done: usize,
    now: Option<TableProgress>,
    failed: Option<String>,
}

/// How far the work is.
#[derive(Clone, Default, Debug)]
pub(crate) struct Making {
    /// Whether tables are being made.
    pub(crate) is_running: bool,
    /// So many are made, of so many.
    pub(crate) done: usize,
    pub(crate) of: usize,
    /// The one that is made now.
    pub(crate) now: Option<TableProgress>,
    /// Why it ended before all were made.
    pub(crate) failed: Option<String>,
}

impl TableFolder {
    /// The tables there are in a folder.
    pub(crate) fn open(folder: PathBuf) -> TableFolder {
        let tables = RwLock::new(Arc::new(Tables::open([&folder]).with_three_men()));
        let (work, stop) = (Mutex::default(), Stop::default());
        TableFolder(Arc::new(Inner { folder, tables, work, stop }))
    }

    /// All there are now.
    pub(crate) fn tables(&self) -> Arc<Tables> {
        Arc::clone(&self.0.tables.read())
    }

    /// Has tables made, with all that they need, in this order and before those that wait already. May wait for a disk.
    pub(crate) fn make(&self, endings: impl IntoIterator<Item = Material>) {
        let tables = self.tables();
        let mut wanted = VecDeque::new();
        for material in endings.into_iter().flat_map(Material::with_all_before) {
            if !has(&tables, material) && !wanted.contains(&material) {
                wanted.push_back(material);
            }
        }
        let mut work = self.0.work.lock();
        wanted.retain(|material| work.now.is_none_or(|now| now.material != *material));
        work.waiting.retain(|material| !wanted.contains(material));
        while let Some(material) = wanted.pop_back() {
            work.waiting.push_front(material);
        }
        if work.waiting.is_empty() || work.is_running {
            return;
        }
        *work = Work {
            is_running: true,
            waiting: std::mem::take(&mut work.waiting),
            ..Work::default()
        };
        let inner = Arc::clone(&self.0);
        let run = move || inner.run();
        // Without a thread there are no new tables, and the engine stands in.
        let spawned = thread::Builder::new().name("tables".to_owned()).stack_size(STACK).spawn(run);
        work.is_running = spawned.is_ok();
    }

    /// How far it is.
    pub(crate) fn making(&self) -> Making {
        let work = self.0.work.lock();
        let of = work.done + work.waiting.len() + usize::from(work.now.is_some());
        let Work { is_running, done, now, ref failed, .. } = *work;
        Making { is_running, done, of, now, failed: failed.clone() }
    }

    /// Ends the work; what is finished is kept, and it goes on from there.
    pub(crate) fn close(&self) {
        self.0.stop.stop();
        self.0.work.lock().waiting.clear();
    }
}

fn has(tables: &Tables, material: Material) -> bool {
    tables.own().iter().any(|table| table.material() == material)
}

impl Inner {
    fn run(&self) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let maker = Maker {
            // One is left for everything else.
            threads: cores.saturating_sub(1).max(1),
            stop: self.stop.clone(),
            ..Maker::new(&self.folder)
        };
        loop {
            let material = {
                let mut work = self.work.lock();
                work.now = None;
                let Some(material) = work.waiting.pop_front() else {
                    work.is_running = false;
                    return;
                };
                work.now = Some(TableProgress { material, slices: 0, of: 1 });
                material
            };
            let made = maker.make(material, &mut |progress| self.work.lock().now = Some(progress));
            if let Err(error) = made {
                let mut work = self.work.lock();
                work.is_running = false;
                work.now = None;
                work.waiting.clear();
                if !matches!(error, TableError::Stopped) {
                    tracing::error!("tables of endings: {error}");
                    work.failed = Some(
                        "The tables could not be made: the log of the server says why.".to_owned(),
                    );
                }
                return;
            }
            *self.tables.write() = Arc::new(Tables::open([&self.folder]).with_three_men());
            self.work.lock().done += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn tables_are_made_when_they_are_wanted_and_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let tables = TableFolder::open(folder.path().join("tables"));
        let material: Material = "KNKB".parse().unwrap();
        assert!(has(&tables.tables(), "KQK".parse().unwrap()) && !has(&tables.tables(), material));
        assert!(!tables.making().is_running);
        tables.make([material]);
        tables.make([material]);
        let begun = Instant::now();
        while !has(&tables.tables(), material) && begun.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(20));
        }
        assert!(has(&tables.tables(), material), "{:?}", tables.making());
        while tables.making().is_running {
            thread::sleep(Duration::from_millis(5));
        }
        let making = tables.making();
        assert!(
            making.failed.is_none() && making.done == making.of && making.done > 0,
            "{making:?}"
        );
        // What is there is not made again.
        tables.make([material]);
        assert!(!tables.making().is_running);
    }
}
