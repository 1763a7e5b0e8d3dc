//! Lets calls of the system fail in a program, one after the other.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const KINDS: [&str; 6] = ["open", "write", "sync", "truncate", "rename", "map"];
/// What a failed call says (EIO, ENOSPC), and whether all after it fail, too.
const ERRORS: [(i32, bool); 2] = [(5, false), (28, true)];
/// No run makes so many calls of one kind.
const MOST: usize = 2000;

/// One call that fails, or the first of those that do.
pub(crate) struct Fault<'a> {
    library: &'a Path,
    kind: &'a str,
    number: usize,
    error: (i32, bool),
}

impl Fault<'_> {
    /// Lets a program meet the fault among its files in a folder; then it makes the mark.
    pub(crate) fn meet(&self, command: &mut Command, folder: &Path, mark: &Path) {
        command
            .env("LD_PRELOAD", self.library)
            .env("FAULT_FOLDER", folder)
            .env("FAULT_CALL", self.kind)
            .env("FAULT_AT", self.number.to_string())
            .env("FAULT_ERRNO", self.error.0.to_string())
            .env("FAULT_MARK", mark);
        if self.is_lasting() {
            command.env("FAULT_FOR_EVER", "1");
        }
    }

    /// Whether all calls after it fail, too.
    pub(crate) fn is_lasting(&self) -> bool {
        self.error.1
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {} fails with {:?}", self.kind, self.number, self.error)
    }
}

/// Tries fault after fault of each kind until there is none of that number; how many there were.
pub(crate) fn every_fault(survives: impl Fn(&Fault<'_>) -> bool + Sync) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("calls.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../tabiya-store/tests/faults/calls.cpp");
    let mut compile = Command::new("c++");
    compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).args([source, "-ldl"]);
    assert!(compile.status().expect("a C++ compiler").success());
    let all = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for error in ERRORS {
            let (library, survives, all) = (&library, &survives, &all);
            scope.spawn(move || {
                for kind in KINDS {
                    let met = |&number: &usize| survives(&Fault { library, kind, number, error });
                    let count = (1..MOST).take_while(met).count();
                    assert!(count < MOST - 1, "{kind} never ends");
                    all.fetch_add(count, Ordering::Relaxed);
                }
            });
        }
    });
    let all = all.into_inner();
    assert!(all > 100, "only {all} faults were met");
    all
}
