use std::time::Instant;

use serde_json::json;
use tabiya_chess::Position;
use tabiya_db::{Database, GameHead, Hit, Men, Pattern, Query};

use super::filter::FilterArgs;
use crate::print::count;

/// A game is found if it has all that is asked for.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    folder: super::Folder,

    /// A position that the game goes through (clocks and move numbers do not count), as one argument.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Moves from the start that lead to a position that the game goes through: "e4 c5 Nf3".
    #[arg(long, value_name = "MOVES", conflicts_with = "fen")]
    line: Option<String>,

    /// A position with squares that do not matter: a letter is that man, a digit so many empty
    /// squares, ? anything, ! any man, A any White man, a any Black one, * the rest of the rank.
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<Pattern>,

    /// What men are left on either side at some time: KRPvKR, KQ?P+vKRP*.
    #[arg(long, value_name = "MEN")]
    material: Option<Men>,

    /// The material stays so for as many plies.
    #[arg(long, value_name = "PLIES", default_value_t = 1, requires = "material")]
    lasting: u32,

    /// What men are left in the last position.
    #[arg(long, value_name = "MEN")]
    ending: Option<Men>,

    /// Show so many games.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    #[command(flatten)]
    filter: FilterArgs,
}

impl Args {
    fn query(&self) -> anyhow::Result<Query> {
        let position = match (&self.fen, &self.line) {
            (Some(fen), _) => Some(Position::from_fen_prefix(fen)?),
            (None, Some(line)) => Some(super::position(std::slice::from_ref(line))?),
            (None, None) => None,
        };
        Ok(Query {
            filter: self.filter.filter(),
            position,
            pattern: self.pattern.clone(),
            material: self.material.map(|material| (material, self.lasting)),
            ending: self.ending,
        })
    }
}

pub(super) fn run(args: &Args, as_json: bool) -> anyhow::Result<()> {
    let database = args.folder.open()?;
    let query = args.query()?;
    let clock = Instant::now();
    let hits = database.find(&query)?;
    let seconds = clock.elapsed().as_secs_f64();
    let shown = hits.iter().take(args.limit);
    if as_json {
        let games = shown
            .map(|hit| Ok(json!({ "head": database.head(hit.game)?, "ply": hit.ply })))
            .collect::<anyhow::Result<Vec<_>>>()?;
        return super::print_json(
            &json!({ "found": hits.len(), "seconds": seconds, "games": games }),
        );
    }
    println!("{} of {}", count(hits.len() as u64, "game"), count(database.games(), "game"));
    for hit in shown {
        line(&database, hit)?;
    }
    eprintln!("{seconds:.3} s");
    Ok(())
}

fn line(database: &Database, hit: &Hit) -> anyhow::Result<()> {
    let at = match hit.ply {
        0 => String::new(),
        ply => format!("  after {ply} plies"),
    };
    println!("{}{at}", row(&database.head(hit.game)?));
    Ok(())
}

/// A game in a line.
pub(super) fn row(game: &GameHead) -> String {
    let elo = |elo: Option<u16>| elo.map_or(String::new(), |elo| format!(" ({elo})"));
    format!(
        "{:>9}  {}  {}{} – {}{}  {}  {}  {}",
        game.game,
        game.date,
        game.white,
        elo(game.white_elo),
        game.black,
        elo(game.black_elo),
        game.result,
        game.eco.as_deref().unwrap_or("–"),
        game.event
    )
}
