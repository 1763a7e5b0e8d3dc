use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use tabiya_lab::{
    DrawRule, Entrant, Format, Openings, Sprt, Standings, Tournament, TournamentSettings, WinRule,
};
use tabiya_players::Player;
use tabiya_thinker::EngineLimit;

/// Each opening is played twice, with colours changed.
#[derive(clap::Args)]
#[command(
    after_help = "Players, with name=… and tc=… for one alone; those of the same name are numbered:
  tabiya, tabiya:1200   our engine, as well as it can or at a level (hash=MB threads=N seed=N)
  random, minimax:2, alphabeta:3, tree:3   textbook players
  uci:COMMAND           any UCI engine with its arguments (option.NAME=VALUE, a blank as _)

Examples:
  tabiya match --engine tabiya --engine alphabeta:3 --tc nodes=5000 --pairs 10
  tabiya match --engine tabiya --engine 'uci:gnuchess --uci option.OwnBook=false' \\
      --tc movetime=0.1 --openings book.pgn --plies 16 --pairs 100 --pgn games.pgn --concurrency 2
  tabiya match --engine tabiya:1200 --engine tabiya:1400 --pairs 100
  tabiya match --engine uci:./new --engine uci:./old --tc 8+0.08 --sprt 0,5 --pairs 20000 \\
      --state sprt.json"
)]
pub(crate) struct Args {
    /// A player, as below; give two or more.
    #[arg(long = "engine", value_name = "PLAYER", required = true)]
    engines: Vec<Player>,

    /// How long each may think, in seconds: 5+0.05, 40/60, movetime=0.1, nodes=20000 or depth=8.
    #[arg(long, value_name = "TIME", default_value = "nodes=10000")]
    tc: EngineLimit,

    /// How many openings each pairing plays.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: usize,

    /// Everybody against everybody, or the first against all others.
    #[arg(long, value_enum, default_value_t = Kind::Match)]
    format: Kind,

    /// Where games begin: "own" (1,000 positions of our own making, White a little better), "random", or a
    /// file, one FEN or EPD a line, or the main lines of a PGN file.
    #[arg(long, value_name = "own|random|FILE", default_value = "own")]
    openings: String,

    /// How many plies of each game of a PGN file to play; without it, all.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Make openings by so many random plies (8 with --openings random).
    #[arg(long, value_name = "PLIES")]
    random_plies: Option<usize>,

    /// For random openings and for the order of given ones.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many games at a time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    concurrency: NonZeroUsize,

    /// Append the games to a PGN file as they end.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Keep the score in a file, and go on from there when started again.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Stop when it is clear which of two Elo differences is right, such as 0,5.
    #[arg(long, value_name = "ELO0,ELO1")]
    sprt: Option<String>,

    /// End won and drawn games early: ±10 pawns for 4 moves, 0.08 for 8 moves after move 40.
    #[arg(long)]
    adjudicate: bool,

    /// End games where the tables of endings in this folder know the result.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// By how many milliseconds a player may overstep its time; more on a machine that is busy.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Match,
    Gauntlet,
    RoundRobin,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut settings = TournamentSettings::new(args.tc);
    settings.pairs = args.pairs;
    settings.conditions.margin = Duration::from_millis(args.margin);
    settings.format = match args.format {
        Kind::Match => Format::Match,
        Kind::Gauntlet => Format::Gauntlet,
        Kind::RoundRobin => Format::RoundRobin,
    };
    if args.adjudicate {
        settings.conditions.win = Some(WinRule { moves: 4, score: 1000 });
        settings.conditions.draw = Some(DrawRule { after_move: 40, moves: 8, score: 8 });
    }
    if let Some(text) = &args.sprt {
        let (elo0, elo1) = text
            .split_once(',')
            .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
            .with_context(|| format!("{text:?} is not a pair of Elo differences like 0,5"))?;
        settings.sprt = Some(Sprt::new(elo0, elo1)?);
    }
    let openings = openings(args)?;
    let entrants = args.engines.iter().map(entrant).collect();
    let mut tournament = Tournament::new(settings, entrants, openings)?;
    if let Some(file) = &args.pgn {
        tournament = tournament.with_pgn(file);
    }
    if let Some(file) = &args.state {
        tournament = tournament.with_state(file);
    }
    if let Some(folder) = &args.tables {
        tournament = tournament.with_tables(Arc::new(crate::tables::open_folder(folder)?));
    }
    let mut progress = Progress::new(tournament.games());
    let standings = tournament.run(args.concurrency.get(), |snapshot| {
        progress.tell(snapshot.standings);
        ControlFlow::Continue(())
    })?;
    progress.bar.finish_and_clear();
    println!("{standings}");
    Ok(())
}

/// How far the match is: a table that stays in its place on a terminal, a line for each game elsewhere.
struct Progress {
    bar: ProgressBar,
    games: usize,
    begun: Instant,
    /// The games that an earlier run had played.
    before: Option<u64>,
}

impl Progress {
    fn new(games: usize) -> Progress {
        let template = "{msg}\n{wide_bar} game {pos} of {len}, {elapsed} so far, {prefix} left";
        let bar = crate::terminal::bar(Some(games as u64), template);
        Progress { bar, games, begun: Instant::now(), before: None }
    }

    fn tell(&mut self, standings: &Standings) {
        let played = standings.games();
        let before = *self.before.get_or_insert(played.saturating_sub(1));
        let left = self.left(played, before);
        if self.bar.is_hidden() {
            eprintln!("Game {played} of {}, {left} left. {standings}", self.games);
            return;
        }
        self.bar.set_prefix(left);
        self.bar.set_message(crate::print::spoken(standings.to_string()));
        self.bar.set_position(played);
    }

    /// The time left, if games go on as they went: `1:02:03`, `4:05`.
    fn left(&self, played: u64, before: u64) -> String {
        let each = self.begun.elapsed().as_secs_f64() / (played - before).max(1) as f64;
        let seconds = (each * (self.games as u64).saturating_sub(played) as f64).round() as u64;
        match seconds {
            0..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
            _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        }
    }
}

/// The openings that were asked for.
fn openings(args: &Args) -> anyhow::Result<Openings> {
    let is_pgn = args.openings.to_ascii_lowercase().ends_with(".pgn");
    if args.plies.is_some() && !is_pgn {
        bail!("--plies is for the games of a PGN file");
    }
    let openings = match (args.openings.as_str(), args.random_plies) {
        ("own" | "random", Some(plies)) => {
            return Ok(Openings::random(args.pairs.max(1), plies, args.seed)?);
        }
        ("random", None) => return Ok(Openings::random(args.pairs.max(1), 8, args.seed)?),
        ("own", None) => Openings::from_epd(include_str!("../data/openings.epd"))?,
        (_, Some(_)) => bail!("--openings FILE and --random-plies exclude each other"),
        (file, None) => {
            let bytes = fs::read(file).with_context(|| file.to_owned())?;
            // Old files have names of players in other encodings; moves are the same in all.
            let text = String::from_utf8_lossy(&bytes);
            let read = if is_pgn {
                Openings::from_pgn(&text, args.plies)
            } else {
                Openings::from_epd(&text)
            };
            read.with_context(|| file.to_owned())?
        }
    };
    Ok(openings.shuffled(args.seed))
}

fn entrant(player: &Player) -> Entrant<'_> {
    let entrant =
        Entrant::new(player.short_name(), |_| player.thinker()).with_details(player.to_string());
    match player.options.tc {
        Some(limit) => entrant.with_limit(limit),
        None => entrant,
    }
}
