use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use tabiya_store::{Store, folder, write_new};
use tabiya_web::{Access, AppState, Key, Pool, ServerLimits, ServerOptions, bind};
use tokio::sync::Notify;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::{
    Layer as _, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

/// Play in the browser: chess against the computer at any level, or the bishop-and-king game.
///
/// Games are kept as they are played. Nothing leaves this machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya                                  does the same as tabiya serve
  tabiya serve --addr 127.0.0.1:9000 --no-open
  tabiya serve --addr 0.0.0.0:8064        lets everybody in your network play here
  TABIYA_PASSWORD='open sesame' tabiya serve --addr 0.0.0.0:8064
                                          lets those in who know the password
  tabiya serve --host chess.example.org   through a tunnel or proxy of that name
  tabiya serve --host chess.example.org --trust-proxy X-Forwarded-For
                                          the same, and each guest has an allowance of their own

Where others can reach the server, its owner has a link, which is told at the start: whoever opens it may import
games and take any away. The password is for guests.")]
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

    /// A name by which a tunnel or proxy leads here; may be given several times.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// The header in which a tunnel or proxy on this machine says for whom it asks, like X-Forwarded-For. Without this,
    /// everybody who comes through it counts as one guest.
    #[arg(long, value_name = "HEADER")]
    trust_proxy: Option<String>,

    /// The address of such a proxy at another machine; may be given several times.
    #[arg(long, value_name = "ADDRESS", requires = "trust_proxy")]
    proxy: Vec<IpAddr>,

    /// Let friends who play say what they like to each other, not only set phrases. Those who watch read it, too.
    #[arg(long)]
    own_words: bool,

    /// Show this database of games in the explorer (see tabiya db); may be given several times.
    #[arg(long, value_name = "FOLDER")]
    database: Vec<PathBuf>,

    /// A password that every guest is asked for. Others on this machine can see it in the list of programs: better is the
    /// environment variable TABIYA_PASSWORD, or a file.
    #[arg(long, value_name = "PASSWORD", conflicts_with = "password_file")]
    password: Option<String>,

    /// A file whose first line is the password.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            addr: SocketAddr::from(([127, 0, 0, 1], 8064)),
            data: None,
            engines: None,
            no_open: false,
            host: Vec::new(),
            trust_proxy: None,
            proxy: Vec::new(),
            own_words: false,
            database: Vec::new(),
            password: None,
            password_file: None,
        }
    }
}

impl Args {
    /// What shows databases at an address, with games kept in a folder.
    pub(crate) fn showing(
        database: Vec<PathBuf>,
        addr: SocketAddr,
        data: Option<PathBuf>,
        no_open: bool,
    ) -> Args {
        Args { addr, data, no_open, database, ..Args::default() }
    }

    /// The password that guests are asked for, if there is one.
    fn password(&self) -> anyhow::Result<Option<String>> {
        if let Some(path) = &self.password_file {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("the password cannot be read from {}", path.display()))?;
            return Ok(Some(text.lines().next().unwrap_or_default().to_owned()));
        }
        let password = self.password.clone().or_else(|| std::env::var("TABIYA_PASSWORD").ok());
        Ok(password.filter(|password| !password.is_empty()))
    }

    /// Who gets in at the address that is ours.
    fn access(&self, address: SocketAddr) -> anyhow::Result<Access> {
        let mut access = Access::at(address);
        for name in &self.host {
            access = access.named(name)?;
        }
        if let Some(header) = &self.trust_proxy {
            access = access.behind_proxy(header, &self.proxy)?;
        }
        match self.password()? {
            Some(password) => Ok(access.with_password(&password)?),
            None => Ok(access),
        }
    }
}

/// So many files are left for games, engines and whatever else is to be opened, when pages have taken the rest.
const RESERVED: u64 = 256;

/// As many connections as the system allows us files, which are often a thousand until more are asked for.
fn limits() -> ServerLimits {
    let limits = ServerLimits::default();
    // Where the system does not tell, it will refuse what is too much.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
    let most = usize::try_from(files.saturating_sub(RESERVED).max(RESERVED)).unwrap_or(usize::MAX);
    ServerLimits { connections: limits.connections.min(most), ..limits }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    run_at(args, "")
}

/// The same for the explorer of databases, which is the page that is opened.
pub(crate) fn run_explorer(args: &Args) -> anyhow::Result<()> {
    run_at(args, "/explorer")
}

fn run_at(args: &Args, page: &str) -> anyhow::Result<()> {
    log();
    // What cannot be is told before anything is opened.
    args.access(args.addr)?;
    let limits = limits();
    let folder = folder(args.data.as_deref())?;
    let store = Store::open(&folder)?;
    let engines = crate::engines::read(args.engines.as_deref(), &folder)?;
    let key = key(&folder).context("the key of the seats cannot be kept")?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let kept = store.clone();
    let served = runtime.block_on(async {
        let listening = bind(args.addr).await;
        let listening = listening.with_context(|| format!("{} cannot be used", args.addr))?;
        let url = listening.url();
        let access = args.access(listening.address())?;
        if access.is_reachable() && !access.has_password() {
            tracing::warn!("others can reach this server: whoever does may play and watch here; --password asks them for a password");
        }
        let (databases, own_words) = (args.database.clone(), args.own_words);
        let tables = crate::tables::named();
        let options = ServerOptions { access, engines, limits, databases, own_words, tables };
        let state = AppState::new(store, key, Pool::fitting(), options);
        let owner = state.owner_path().map(|path| format!("{url}{path}"));
        let first = format!("{url}{page}");
        let mut said = format!("Tabiya is at {first} (Ctrl-C ends it)\n");
        if let Some(owner) = &owner {
            said += &format!("For you alone, as its owner: {owner}\n");
        }
        // At once, for programs that read the first line and hang up.
        let mut out = std::io::stdout();
        out.write_all(said.as_bytes())?;
        out.flush()?;
        if !args.no_open && open::that_detached(owner.as_ref().unwrap_or(&first)).is_err() {
            tracing::warn!("no browser could be opened; the address above is where to look");
        }
        let end = end()?;
        listening.serve(state, async move { end.notified().await }).await?;
        Ok(())
    });
    // Whoever still thinks need not be waited for: what was confirmed goes into the one file now.
    kept.close();
    served
}

/// What goes wrong meanwhile is told on the terminal.
fn log() {
    let ours = Targets::new().with_target("tabiya", LevelFilter::INFO);
    let lines = fmt::layer().with_writer(std::io::stderr).without_time().with_target(false);
    // Whoever listens already may go on.
    let _ = tracing_subscriber::registry().with(lines.with_filter(ours)).try_init();
}

/// Something to wait for until somebody wants the program to end.
fn end() -> anyhow::Result<Arc<Notify>> {
    let end = Arc::new(Notify::new());
    let theirs = Arc::clone(&end);
    ctrlc::set_handler(move || theirs.notify_one())?;
    Ok(end)
}

/// The key from which seat tokens and the owner's secret are made: kept, so that pages, bookmarks and cookies go on
/// after a restart, and for our eyes only.
fn key(folder: &Path) -> anyhow::Result<Key> {
    let path = folder.join("seats.key");
    if let Some(key) = read_key(&path)? {
        return Ok(key);
    }
    let key = Key::random()?;
    match write_new(&path, |_, file| file.write_all(key.bytes())) {
        Ok(()) => Ok(key),
        // Another server has begun in the same folder at the same time: its key is ours.
        Err(error) => read_key(&path)?.ok_or(error.into()),
    }
}

fn read_key(path: &Path) -> anyhow::Result<Option<Key>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    keep_private(path)?;
    let name =
        || format!("{} is not a key of 32 bytes; move it away to make a new one", path.display());
    Ok(Some(Key::new(bytes.try_into().ok().with_context(name)?)))
}

/// A key that was copied may have come where others can read it.
#[cfg(unix)]
fn keep_private(path: &Path) -> std::io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;
    match std::fs::metadata(path)?.permissions().mode() & 0o077 {
        0 => Ok(()),
        _ => std::fs::set_permissions(path, Permissions::from_mode(0o600)),
    }
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> std::io::Result<()> {
    Ok(())
}
