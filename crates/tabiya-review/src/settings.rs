use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tabiya_engine::{Network, Tables};
use tabiya_pgn::Game;

/// How a game is reviewed.
///
/// ```
/// use tabiya_review::ReviewSettings;
///
/// let quick = ReviewSettings { nodes: 10_000, ..ReviewSettings::default() };
/// assert!(quick.nodes < ReviewSettings::default().nodes);
/// ```
#[derive(Clone, Debug)]
pub struct ReviewSettings {
    /// How many positions the engine looks at for each position of the game; ten times as many around mistakes and
    /// blunders.
    pub nodes: u64,
    /// No search is deeper than so many plies.
    pub depth: Option<u32>,
    /// How long the line is that is shown instead of a bad move, in plies.
    pub line: usize,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// Tables of endings that are asked before anything is searched.
    pub tables: Option<Arc<Tables>>,
}

impl ReviewSettings {
    /// The fewest positions that make sense.
    pub const LEAST_NODES: u64 = 100;

    /// No position of a review is looked at more deeply than with so many.
    pub const DEEPEST: u64 = 10_000_000;

    /// All that a review depends on beside the game, in words: the same words, the same review.
    ///
    /// ```
    /// # use tabiya_review::ReviewSettings;
    /// let words = ReviewSettings::default().words();
    /// assert!(words.starts_with("tabiya ") && words.contains("100000 nodes"), "{words}");
    /// ```
    pub fn words(&self) -> String {
        let (version, network) = (env!("CARGO_PKG_VERSION"), self.network.description());
        let (nodes, line) = (self.nodes, self.line);
        let depth = self.depth.map_or_else(String::new, |depth| format!(", {depth} plies at most"));
        let tables = self.tables.as_ref().map_or_else(String::new, |tables| {
            let names = tables.own().iter().map(|t| t.material().to_string()).collect::<Vec<_>>();
            let others = tables.syzygy().len();
            format!(", tables of {} and {others} of Syzygy's", names.join(" "))
        });
        format!(
            "tabiya {version}, {nodes} nodes{depth}, mistakes twice, lines of {line}, {network}{tables}"
        )
    }
}

impl Default for ReviewSettings {
    fn default() -> ReviewSettings {
        ReviewSettings {
            nodes: 100_000,
            depth: None,
            line: 8,
            network: Network::built_in(),
            tables: None,
        }
    }
}

/// What tells a review from others: the same start, moves, times and result with the same settings have the same
/// fingerprint, and nothing else has. Names, comments and variations do not count.
///
/// ```
/// use tabiya_review::{ReviewSettings, fingerprint};
///
/// let settings = ReviewSettings::default();
/// let plain: tabiya_pgn::Game = "1. e4 e5 *".parse()?;
/// let rich: tabiya_pgn::Game = "[White \"Me\"]\n1. e4! {best} (1. d4) e5 *".parse()?;
/// let other: tabiya_pgn::Game = "1. e4 e6 *".parse()?;
/// assert_eq!(fingerprint(&plain, &settings), fingerprint(&rich, &settings));
/// assert_ne!(fingerprint(&plain, &settings), fingerprint(&other, &settings));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
pub fn fingerprint(game: &Game, settings: &ReviewSettings) -> String {
    let tree = game.tree();
    let mut hash = Sha256::new();
    let mut tell = |part: &str| {
        hash.update(part.as_bytes());
        hash.update([0]);
    };
    tell(&settings.words());
    tell(&tree.start().fen());
    tell(game.result().notation());
    tell(game.tag("TimeControl").unwrap_or_default());
    for id in tree.main_line() {
        let Some(m) = tree.played(id) else { break };
        tell(&m.bits().to_string());
        let times = tree.comments(id).iter().flat_map(|comment| comment.commands());
        for (name, value) in times.filter(|(name, _)| matches!(*name, "clk" | "emt")) {
            tell(name);
            tell(value);
        }
    }
    let digest = hash.finalize();
    digest.iter().take(16).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
