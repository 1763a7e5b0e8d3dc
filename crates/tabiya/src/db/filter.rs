use std::ops::RangeInclusive;

use tabiya_chess::Color;
use tabiya_db::{Day, Filter, Speed};
use tabiya_pgn::GameResult;

/// A game is wanted if it has all that is asked for; of an option that is given several times, one is enough. Names
/// are compared without regard to capital letters and accents; =NAME is the whole name.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which games")]
pub(super) struct FilterArgs {
    /// Part of the name of a player.
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,

    /// The colour of that player.
    #[arg(long, requires = "player")]
    color: Option<Color>,

    /// Part of the name of White.
    #[arg(long, value_name = "NAME")]
    white: Vec<String>,

    /// Part of the name of Black.
    #[arg(long, value_name = "NAME")]
    black: Vec<String>,

    /// Part of the event.
    #[arg(long, value_name = "TEXT")]
    event: Vec<String>,

    /// The ratings of both players: 2600-, 2000-2400.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    elo: Option<RangeInclusive<u16>>,

    /// The rating of one player at least.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    one_elo: Option<RangeInclusive<u16>>,

    /// Played on this day or later: 1972, 1972.07, 1972.07.11.
    #[arg(long, value_name = "DATE")]
    since: Option<Day>,

    /// Played on this day or earlier.
    #[arg(long, value_name = "DATE")]
    until: Option<Day>,

    /// The result: 1-0, 0-1, 1/2-1/2 or *.
    #[arg(long, value_parser = result, allow_hyphen_values = true)]
    result: Vec<GameResult>,

    /// bullet, blitz, rapid, classical, correspondence or unknown.
    #[arg(long)]
    speed: Vec<Speed>,

    /// The beginning of the ECO code, or codes from one to another: B, B9, B97, B90-B99.
    #[arg(long, value_name = "CODE")]
    eco: Vec<String>,

    /// The length in plies, that is moves of either side: 40-, 1-20.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    plies: Option<RangeInclusive<u16>>,
}

impl FilterArgs {
    pub(super) fn filter(&self) -> Filter {
        let args = self.clone();
        Filter {
            player: args.player,
            color: args.color,
            white: args.white,
            black: args.black,
            event: args.event,
            elo: args.elo,
            one_elo: args.one_elo,
            since: args.since,
            until: args.until,
            result: args.result,
            speed: args.speed,
            eco: args.eco,
            plies: args.plies,
        }
    }
}

fn range(text: &str) -> Result<RangeInclusive<u16>, String> {
    let wide = crate::pgn::range(text)?;
    let narrow = |number: u64| u16::try_from(number).unwrap_or(u16::MAX);
    Ok(narrow(*wide.start())..=narrow(*wide.end()))
}

fn result(text: &str) -> Result<GameResult, String> {
    crate::pgn::result(text)
}
