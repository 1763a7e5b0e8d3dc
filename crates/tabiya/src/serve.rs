use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use tabiya_store::{Store, folder};
use tabiya_web::{AppState, Key, Limits, Pool, bind};
use tokio::sync::Notify;

/// Play in the browser: chess against the computer at any level, or the bishop-and-king game.
///
/// Games are kept as they are played. Nothing leaves this machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya                                  does the same as tabiya serve
  tabiya serve --addr 127.0.0.1:9000 --no-open
  tabiya serve --addr 0.0.0.0:8064        lets everybody in your network play here")]
pub(crate) struct Args {
    /// Where to listen; port 0 is any that is free.
    #[arg(long, default_value = "127.0.0.1:8064", value_name = "ADDRESS:PORT")]
    addr: SocketAddr,

    /// The folder in which games are kept.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// The file that names other engines for studies; engines.toml in the folder of games if not given.
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,

    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            addr: SocketAddr::from(([127, 0, 0, 1], 8064)),
            data: None,
            engines: None,
            no_open: false,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = folder(args.data.as_deref())?;
    let store = Store::open(&folder)?;
    let engines = crate::engines::read(args.engines.as_deref(), &folder)?;
    let key = key(&folder).context("the key of the seats cannot be kept")?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listening = bind(args.addr).await;
        let listening = listening.with_context(|| format!("{} cannot be used", args.addr))?;
        let url = listening.url();
        let mut out = std::io::stdout();
        writeln!(out, "Tabiya is at {url} (Ctrl-C ends it)")?;
        out.flush()?;
        if listening.is_open() {
            eprintln!("tabiya: other machines can reach this address: whoever can may play and delete games here");
        }
        let state = AppState::with_engines(
            store, key, Pool::fitting(), Limits::default(), engines);
        if !args.no_open && open::that_detached(&url).is_err() {
            eprintln!("tabiya: no browser could be opened; the address above is where to look");
        }
        let end = end()?;
        listening.serve(state, async move { end.notified().await }).await?;
        Ok(())
    })
}

/// Something to wait for until somebody wants the program to end.
fn end() -> anyhow::Result<Arc<Notify>> {
    let end = Arc::new(Notify::new());
    let theirs = Arc::clone(&end);
    ctrlc::set_handler(move || theirs.notify_one())?;
    Ok(end)
}

/// The key from which seat tokens are made: kept, so that pages go on after a restart, and for our eyes only.
fn key(folder: &Path) -> anyhow::Result<Key> {
    let path = folder.join("seats.key");
    if let Some(key) = read_key(&path)? {
        return Ok(key);
    }
    let key = Key::random()?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(key.bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(key),
        // Another house has begun in the same folder at the same time: its key is ours.
        Err(error) => read_key(&path)?.ok_or(error.error.into()),
    }
}

fn read_key(path: &Path) -> anyhow::Result<Option<Key>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let name =
        || format!("{} is not a key of 32 bytes; move it away to make a new one", path.display());
    Ok(Some(Key::new(bytes.try_into().ok().with_context(name)?)))
}
