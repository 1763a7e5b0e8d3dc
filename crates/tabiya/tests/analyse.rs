//! `tabiya analyse`, `worker` and `queue`: the same bytes, whatever happens.

#[path = "../../tabiya-jobs/tests/places/mod.rs"]
mod places;

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_jobs::{Address, Queue};

fn tabiya() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

fn good(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(command: &mut Command) -> String {
    let output = run(command);
    assert!(!output.status.success(), "{command:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Some short games, all different.
fn games(folder: &Path, count: usize) -> PathBuf {
    const LINES: [&str; 4] = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O",
        "1. d4 d5 2. c4 dxc4 3. e4 b5 4. a4 c6",
        "1. f3 e5 2. g4 Qh4#",
        "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6",
    ];
    let path = folder.join("games.pgn");
    let mut text = String::new();
    for number in 0..count {
        let line = LINES[number % LINES.len()];
        let result = if line.ends_with('#') { "0-1" } else { "*" };
        text += &format!(
            "[White \"White {number}\"]\n[Black \"Black\"]\n[Result \"{result}\"]\n\n{line} {result}\n\n"
        );
    }
    std::fs::write(&path, text).unwrap();
    path
}

fn analyse(games: &Path, out: &Path) -> Command {
    let mut command = tabiya();
    command.arg("analyse").arg(games).arg("-o").arg(out).args(["--nodes", "300"]);
    command
}

#[test]
fn games_are_written_as_records_as_json_and_as_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 5);
    let [records, lines, table] =
        ["out.pgn", "out.jsonl", "out.parquet"].map(|name| folder.path().join(name));
    good(analyse(&games, &records).arg("-o").arg(&lines).arg("-o").arg(&table));
    // As `tabiya review` has them.
    let reviewed = folder.path().join("reviewed.pgn");
    good(tabiya().arg("review").arg(&games).args(["--nodes", "300", "-o"]).arg(&reviewed));
    let text = std::fs::read_to_string(&records).unwrap();
    assert_eq!(text, std::fs::read_to_string(&reviewed).unwrap());
    assert!(text.contains("[White \"White 3\"]"));
    let json = std::fs::read_to_string(&lines).unwrap();
    let json: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json.len(), 5);
    assert_eq!((&json[2]["number"], &json[2]["game"]), (&3.into(), &3.into()));
    assert_eq!(json[2]["review"]["moves"][2]["judgement"], "blunder");
    assert_eq!(json[4]["tags"]["White"], "White 4");
    let rows = rows(&table);
    // Positions of 5 games: 10 + 9 + 5 + 13 + 10.
    assert_eq!(rows, 10 + 9 + 5 + 13 + 10);
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "no queue is left: {left:?}");
}

fn rows(table: &Path) -> i64 {
    use parquet::file::reader::FileReader as _;
    let file = std::fs::File::open(table).unwrap();
    let reader = parquet::file::reader::SerializedFileReader::new(file).unwrap();
    reader.metadata().file_metadata().num_rows()
}

#[test]
fn positions_have_lines() {
    let folder = tempfile::tempdir().unwrap();
    let positions = folder.path().join("some.epd");
    std::fs::write(
        &positions,
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";\n\n# a remark\nnonsense\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    )
    .unwrap();
    let out = folder.path().join("lines.pgn");
    let output = run(tabiya()
        .arg("analyse")
        .arg(&positions)
        .args(["--nodes", "2000", "--multipv", "2", "-o", "-"])
        .arg("-o")
        .arg(&out));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("some.epd:4: ") && errors.contains("1 entry cannot be read"),
        "{errors}"
    );
    let json: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json.len(), 2);
    assert_eq!(json[0]["epd"], "bm Rd8#; id \"back rank\";");
    assert_eq!(
        (&json[0]["worth"]["mate"], &json[0]["lines"][0]["san"][0]),
        (&1.into(), &"Rd8#".into())
    );
    assert_eq!((&json[1]["line"], json[1]["lines"].as_array().unwrap().len()), (&5.into(), 2));
    let records = std::fs::read_to_string(&out).unwrap();
    assert!(records.contains("1. Rd8# {[%eval #1,"), "{records}");
    let games = games(folder.path(), 1);
    let error = refused(analyse(&games, &out).args(["--multipv", "3"]));
    assert!(error.contains("--multipv is for positions"), "{error}");
}

#[test]
fn a_database_is_analysed_as_its_games_are() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 4);
    let database = folder.path().join("games.tdb");
    good(tabiya().args(["db", "import"]).arg(&database).arg(&games));
    let out = folder.path().join("out.jsonl");
    good(&mut analyse(&database, &out));
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("\"judgement\":\"blunder\""));
}

#[test]
fn wrong_wishes_are_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 1);
    let error = refused(&mut analyse(&games, &folder.path().join("out.doc")));
    assert!(error.contains(".pgn, .jsonl or .parquet"), "{error}");
    let error =
        refused(&mut analyse(&folder.path().join("none.pgn"), &folder.path().join("out.pgn")));
    assert!(error.contains("none.pgn"), "{error}");
    let error = refused(&mut analyse(&games, &folder.path().join("none/out.pgn")));
    assert!(error.contains("there is no folder"), "{error}");
    let error =
        refused(analyse(&games, &folder.path().join("out.pgn")).args(["--queue", "redis://x"]));
    assert!(error.contains("redis"), "{error}");
    let error = refused(
        tabiya().args(["queue", "status", "--queue"]).arg(folder.path().join("none.queue")),
    );
    assert!(error.contains("there is no queue"), "{error}");
    let nothing = folder.path().join("nothing.pgn");
    std::fs::write(&nothing, "").unwrap();
    let error = refused(&mut analyse(&nothing, &folder.path().join("out.pgn")));
    assert!(error.contains("nothing to analyse"), "{error}");
}

/// A program that ends with the test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Running {
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what} never came");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(unix)]
fn what_was_interrupted_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 60);
    let [out, whole] = ["out.pgn", "whole.pgn"].map(|name| folder.path().join(name));
    good(&mut analyse(&games, &whole));
    let queue: Address = folder.path().join("out.pgn.queue").into();
    let mut killed = Running::start(analyse(&games, &out).args(["--threads", "1"]));
    let done = || -> u64 {
        let Some(true) = queue.file().map(Path::is_file) else { return 0 };
        let Ok(queue) = Queue::open(&queue) else { return 0 };
        queue.status().map_or(0, |status| status.batches.iter().map(|one| one.counts.done).sum())
    };
    wait_until("the first games", || done() >= 3);
    killed.kill();
    let kept = done();
    assert!((3..60).contains(&kept), "{kept}");
    // Asked to end, it says how far it is.
    let child =
        analyse(&games, &out).args(["--threads", "1"]).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("more games", || done() > kept);
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    if !output.status.success() {
        assert!(said.contains("the same command goes on from there"), "{said}");
        assert!(!out.exists());
        good(&mut analyse(&games, &out));
    }
    assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&whole).unwrap());
    assert!(!folder.path().join("out.pgn.queue").exists());
}

/// A network that can be cut: what comes in at a port goes out to another one, as long as nobody cuts it.
struct Network {
    port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Network {
    fn to(target: u16) -> Network {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(other) = TcpStream::connect(("127.0.0.1", target)).ok() else { continue };
                if cut.load(Ordering::Relaxed) {
                    continue;
                }
                for (from, to) in [(&stream, &other), (&other, &stream)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let cut = Arc::clone(&cut);
                    thread::spawn(move || pass(from, to, &cut));
                }
            }
        });
        Network { port, is_cut }
    }

    fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let _ = from.set_read_timeout(Some(Duration::from_millis(20)));
    let mut buffer = vec![0; 1 << 16];
    while !is_cut.load(Ordering::Relaxed) {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                if to.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
            Err(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    let _ = from.shutdown(std::net::Shutdown::Both);
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// Four workers in PostgreSQL, one killed again and again, the database restarted, the network cut.
#[test]
#[cfg(unix)]
fn whatever_happens_the_results_are_the_same() {
    let count =
        std::env::var("TABIYA_PROOF_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), count);
    let [calm, stormy] = ["calm", "stormy"].map(|name| folder.path().join(name));
    let with_all = |out: &Path| {
        let mut command = analyse(&games, &out.with_extension("pgn"));
        command.arg("-o").arg(out.with_extension("jsonl"));
        command.arg("-o").arg(out.with_extension("parquet"));
        command
    };
    good(&mut with_all(&calm));

    // A server of its own: it is restarted.
    let server = places::Postgres::start();
    let network = Network::to(server.port);
    let url = server.database_at(network.port);
    let queue = Queue::open(&server.with_port(&url).parse().unwrap()).unwrap();
    let worker = || {
        Running::start(tabiya().args(["worker", "--threads", "1", "--lease", "2", "--queue", &url]))
    };
    let mut all = Running::start(with_all(&stormy).args(["--threads", "0", "--queue", &url]));
    let mut workers: Vec<Running> = (0..4).map(|_| worker()).collect();
    let done = || {
        let batches = queue.status().map(|status| status.batches).unwrap_or_default();
        batches.iter().map(|batch| batch.counts.done).sum::<u64>() as usize
    };
    let begun = Instant::now();
    let (mut restarted, mut cut, mut kills) = (false, false, 0);
    let status = loop {
        if let Some(status) = all.0.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(900), "it never ends");
        let now = done();
        if now >= count / 4 && !restarted {
            server.tell("stop");
            thread::sleep(Duration::from_millis(300));
            server.tell("start");
            restarted = true;
        }
        if now >= count / 2 && !cut {
            network.cut(true);
            thread::sleep(Duration::from_millis(500));
            network.cut(false);
            cut = true;
        }
        if now >= kills * count / 8 {
            let at = kills % workers.len();
            workers[at].kill();
            workers[at] = worker();
            kills += 1;
        }
        thread::sleep(Duration::from_millis(50));
    };
    assert!(
        status.success() && restarted && cut && kills >= 4,
        "{status} {restarted} {cut} {kills}"
    );
    for ending in ["pgn", "jsonl", "parquet"] {
        let [one, other] =
            [&calm, &stormy].map(|out| std::fs::read(out.with_extension(ending)).unwrap());
        assert!(one == other, "{ending} is different");
    }
    let status = queue.status().unwrap();
    assert!(status.batches.is_empty() && status.dead.is_empty(), "{status:?}");
    eprintln!("{count} games, {kills} kills: {:.1} s", begun.elapsed().as_secs_f64());
}
