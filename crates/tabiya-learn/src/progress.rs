use std::collections::BTreeMap;
use std::fmt::Write as _;

use tabiya_play::{Player, PlayerKind, Side, Strength};
use tabiya_store::LearnedGame;

/// A performance is that of so many games in a row.
const WINDOW: usize = 20;
/// Nobody is held to be further than that from those they play, in Elo.
const MOST: f64 = 400.0;

/// How somebody's games go.
///
/// ```
/// use tabiya_learn::Progress;
/// use tabiya_play::Side;
/// use tabiya_store::{Findings, GameId, LearnedGame};
///
/// let game = |result: &str| LearnedGame {
///     id: GameId(1),
///     findings: Findings { plies: 40, side: Some(Side::White), accuracy: Some(80.0), moves: 20, counts: [1, 0, 0] },
///     day: "2026.11.09".into(),
///     players: ["human".into(), "tabiya:1400".into()],
///     elo: [0, 0],
///     result: result.into(),
///     eco: "C60".into(),
///     opening: "Ruy Lopez: Morphy Defense".into(),
/// };
/// let progress = Progress::of(&[game("1-0"), game("0-1"), game("1-0"), game("1/2-1/2")]);
/// assert_eq!((progress.levels[0].rating, progress.levels[0].games, progress.levels[0].points), (1400, 4, 2.5));
/// assert_eq!(progress.games[3].performance, Some(1500));
/// assert_eq!(progress.openings[0].name, "Ruy Lopez");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// The games, the oldest first.
    pub games: Vec<GameResultOf>,
    /// How it goes against each strength, the weakest first.
    pub levels: Vec<Opposition>,
    /// How it goes in each opening, the most played first.
    pub openings: Vec<OpeningResult>,
}

/// A game of somebody, and how it went for them.
#[derive(Clone, PartialEq, Debug)]
pub struct GameResultOf {
    /// The game.
    pub game: LearnedGame,
    /// Their side.
    pub side: Side,
    /// Who it was against.
    pub opponent: String,
    /// How strong these are, if that is known.
    pub rating: Option<u32>,
    /// 1, a half or 0; none if it was not decided.
    pub points: Option<f64>,
    /// How strong whoever has these results is, from this game and the latest before it: the average of the opponents and
    /// 400 times the share by which more was won than lost.
    pub performance: Option<u32>,
}

/// Games against opponents of one strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opposition {
    /// How strong they are, rounded to a hundred.
    pub rating: u32,
    /// How many games were decided.
    pub games: u32,
    /// How many points they gave.
    pub points: f64,
}

/// Games with one opening.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningResult {
    /// What it is called, without its variation.
    pub name: String,
    /// With what colour.
    pub side: Side,
    /// How many games were decided.
    pub games: u32,
    /// How many points they gave.
    pub points: f64,
    /// How accurate they were on average, in per cent.
    pub accuracy: Option<f64>,
}

impl Progress {
    /// How these games went, which come in the order of time.
    pub fn of(games: &[LearnedGame]) -> Progress {
        let mut all: Vec<GameResultOf> = games.iter().filter_map(result_of).collect();
        let mut rated: Vec<(f64, f64)> = Vec::new();
        for one in &mut all {
            let (Some(rating), Some(points)) = (one.rating, one.points) else { continue };
            rated.push((f64::from(rating), points));
            let latest = rated.get(rated.len().saturating_sub(WINDOW)..).unwrap_or_default();
            let count = latest.len() as f64;
            let average = latest.iter().map(|(rating, _)| rating).sum::<f64>() / count;
            let share = latest.iter().map(|(_, points)| 2.0 * points - 1.0).sum::<f64>() / count;
            one.performance = Some((average + MOST * share).round().max(0.0) as u32);
        }
        Progress { levels: levels(&all), openings: openings(&all), games: all }
    }
}

fn result_of(game: &LearnedGame) -> Option<GameResultOf> {
    let side = game.findings.side?;
    let (index, won, lost) = match side {
        Side::White => (1, "1-0", "0-1"),
        Side::Black => (0, "0-1", "1-0"),
    };
    let kept = game.players.get(index)?;
    let player: Option<Player> = kept.parse().ok();
    let level = player.as_ref().and_then(|player| match player.kind {
        PlayerKind::Tabiya(Strength::Elo(level)) => Some(u32::from(level.elo())),
        _ => None,
    });
    let told = game.elo.get(index).copied().filter(|&elo| elo > 0);
    Some(GameResultOf {
        side,
        opponent: player.map_or_else(|| kept.clone(), |player| player.title()),
        rating: told.or(level),
        points: match game.result.as_str() {
            result if result == won => Some(1.0),
            result if result == lost => Some(0.0),
            "1/2-1/2" => Some(0.5),
            _ => None,
        },
        performance: None,
        game: game.clone(),
    })
}

fn levels(games: &[GameResultOf]) -> Vec<Opposition> {
    let mut levels = BTreeMap::<u32, Opposition>::new();
    for one in games {
        let (Some(rating), Some(points)) = (one.rating, one.points) else { continue };
        let rating = (rating + 50) / 100 * 100;
        let none = Opposition { rating, games: 0, points: 0.0 };
        let level = levels.entry(rating).or_insert(none);
        level.games += 1;
        level.points += points;
    }
    levels.into_values().collect()
}

fn openings(games: &[GameResultOf]) -> Vec<OpeningResult> {
    let mut openings = BTreeMap::<(&str, bool), (OpeningResult, Vec<f64>)>::new();
    for one in games {
        let Some(points) = one.points.filter(|_| !one.game.opening.is_empty()) else { continue };
        let name = one.game.opening.split([':', ',']).next().unwrap_or_default().trim();
        let (opening, accuracies) =
            openings.entry((name, one.side == Side::White)).or_insert_with(|| {
                let (name, side) = (name.to_owned(), one.side);
                (OpeningResult { name, side, games: 0, points: 0.0, accuracy: None }, Vec::new())
            });
        opening.games += 1;
        opening.points += points;
        accuracies.extend(one.game.findings.accuracy);
    }
    let mut all: Vec<OpeningResult> = openings
        .into_values()
        .map(|(opening, accuracies)| OpeningResult {
            accuracy: (!accuracies.is_empty())
                .then(|| accuracies.iter().sum::<f64>() / accuracies.len() as f64),
            ..opening
        })
        .collect();
    all.sort_by_key(|opening| std::cmp::Reverse(opening.games));
    all
}

/// The games as a table for spreadsheets: a line of names, and a line for each game.
pub fn csv(progress: &Progress) -> String {
    let mut text = "game,date,colour,opponent,rating,points,eco,opening,moves,accuracy,inaccuracies,mistakes,blunders,performance\r\n"
        .to_owned();
    for one in &progress.games {
        let findings = &one.game.findings;
        let [inaccuracies, mistakes, blunders] = findings.counts;
        let number = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
        let decimal = |number: Option<f64>| number.map(|n| n.to_string()).unwrap_or_default();
        let _ = write!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{inaccuracies},{mistakes},{blunders},{}\r\n",
            one.game.id,
            one.game.day.replace('.', "-"),
            if one.side == Side::White { "white" } else { "black" },
            cell(&one.opponent),
            number(one.rating),
            decimal(one.points),
            cell(&one.game.eco),
            cell(&one.game.opening),
            findings.moves,
            decimal(findings.accuracy),
            number(one.performance),
        );
    }
    text
}

/// A text as one cell. What a spreadsheet would take for a formula is text.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
