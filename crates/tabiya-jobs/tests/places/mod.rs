//! Where the tests have their queues: in a file, and in a PostgreSQL of their own.
#![allow(dead_code, unreachable_pub)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use tabiya_jobs::{Address, Queue};

/// A server that ends with the process, however that ends: it hears the end of its input.
pub struct Postgres {
    pub port: u16,
    pub folder: PathBuf,
    talk: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    _child: Child,
}

impl Postgres {
    pub fn start() -> Postgres {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let script =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../tabiya-jobs/tests/places/postgres.sh");
        let mut child = Command::new("sh")
            .args([script, &port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut stdout = BufReader::new(stdout);
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let folder = line.trim().strip_prefix("ready ");
        let folder = folder.unwrap_or_else(|| panic!("PostgreSQL: {line}")).into();
        Postgres { port, folder, talk: Mutex::new((stdin, stdout)), _child: child }
    }

    /// "stop" or "start".
    pub fn tell(&self, word: &str) {
        let mut talk = self.talk.lock().unwrap();
        writeln!(talk.0, "{word}").unwrap();
        let mut line = String::new();
        talk.1.read_line(&mut line).unwrap();
        assert_eq!(line, "done\n");
    }

    /// A new database, over the socket.
    pub fn database(&self) -> String {
        let name = self.make();
        let folder = self.folder.display();
        format!("postgres://postgres@localhost:{}/{name}?host={folder}", self.port)
    }

    /// A new database, over the network, perhaps by another port.
    pub fn database_at(&self, port: u16) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/{}", self.make())
    }

    /// The same database, without a detour.
    pub fn with_port(&self, url: &str) -> String {
        let name = url.rsplit('/').next().unwrap();
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    fn make(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let done = Command::new("psql")
            .args(["-q", "-U", "postgres", "-h"])
            .arg(&self.folder)
            .args(["-p", &self.port.to_string(), "-c", &format!("CREATE DATABASE {name}")])
            .status()
            .unwrap();
        assert!(done.success());
        name
    }
}

/// The one of this process.
pub fn postgres() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(Postgres::start)
}

/// Runs a test with an empty queue of each kind.
pub fn on_both(test: impl Fn(&Queue, &Address)) {
    let folder = tempfile::tempdir().unwrap();
    // A name that an address has to be careful with.
    let file: Address = folder.path().join("a queue? 100% Ä.queue").into();
    let shared: Address = postgres().database().parse().unwrap();
    for address in [file, shared] {
        let queue = Queue::open(&address).unwrap_or_else(|error| panic!("{error}"));
        test(&queue, &address);
    }
}
