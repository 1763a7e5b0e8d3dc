use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya_chess::{Color, Game, Move};

use crate::clock::Clock;
use crate::time_control::cut;
use crate::{Choice, ClockState, Ending, GameRecord, Player, PlayerError, Remark, TimeControl};

/// What the arbiter goes by, beside the rules of chess.
///
/// ```
/// use std::time::Duration;
/// use tabiya_lab::{Conditions, DrawRule};
///
/// let conditions = Conditions {
///     draw: Some(DrawRule { after_move: 40, moves: 8, score: 10 }),
///     ..Conditions::default()
/// };
/// assert_eq!(conditions.margin, Duration::from_millis(50));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Conditions {
    /// How much a player may overstep its time, as messages and threads have delays of their own.
    pub margin: Duration,
    /// When the players' scores make it a draw.
    pub draw: Option<DrawRule>,
    /// When the players' scores decide the game.
    pub win: Option<WinRule>,
    /// Games with so many moves of both sides together, the opening not counted, are drawn.
    pub max_plies: Option<u32>,
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions { margin: Duration::from_millis(50), draw: None, win: None, max_plies: None }
    }
}

/// A game is drawn when both players have thought so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DrawRule {
    /// Not before each side has made so many moves, the opening not counted.
    pub after_move: u32,
    /// So many moves of each side in a row.
    pub moves: u32,
    /// With at most so many centipawns for either side.
    pub score: i32,
}

/// A game is won when both players have thought so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct WinRule {
    /// So many moves of each side in a row.
    pub moves: u32,
    /// The winner sees at least so many centipawns, the loser as many against it.
    pub score: i32,
}

/// A player at the board, and the time it has.
pub struct Seat<'a> {
    /// The player.
    pub player: &'a mut dyn Player,
    /// Its time.
    pub control: TimeControl,
}

/// Plays one game to its end.
///
/// ```
/// use tabiya_chess::{Color, Game};
/// use tabiya_lab::{Choice, ClockState, Conditions, Player, PlayerError, Seat, TimeControl, play_game};
///
/// /// Knows one move by heart.
/// struct OneMove(&'static str);
///
/// impl Player for OneMove {
///     fn name(&self) -> &str {
///         "One move"
///     }
///     fn new_game(&mut self) -> Result<(), PlayerError> {
///         Ok(())
///     }
///     fn choose(&mut self, _: &Game, _: ClockState) -> Result<Choice, PlayerError> {
///         Ok(Choice::new(self.0))
///     }
/// }
///
/// let control = TimeControl::Depth(1);
/// let white = Seat { player: &mut OneMove("e2e4"), control };
/// let black = Seat { player: &mut OneMove("e2e4"), control };
/// let record = play_game([white, black], Game::new(), &Conditions::default());
/// assert_eq!(record.winner, Some(Color::White));
/// assert_eq!(record.ending.to_string(), "Black forfeits: \"e2e4\" is not a legal move");
/// ```
pub fn play_game(seats: [Seat<'_>; 2], opening: Game, conditions: &Conditions) -> GameRecord {
    let [white, black] = seats;
    let controls = [white.control, black.control];
    let names = [white.player.name().to_owned(), black.player.name().to_owned()];
    let mut table = Table {
        players: [white.player, black.player],
        clocks: controls.map(Clock::new),
        agreement: Agreement::default(),
        game: opening,
        remarks: Vec::new(),
        conditions,
    };
    let (winner, ending) = table.play();
    let [white, black] = names;
    let (game, remarks) = (table.game, table.remarks);
    GameRecord { white, black, controls, game, remarks, winner, ending }
}

/// A game in progress.
struct Table<'a> {
    players: [&'a mut dyn Player; 2],
    clocks: [Clock; 2],
    agreement: Agreement,
    game: Game,
    remarks: Vec<Remark>,
    conditions: &'a Conditions,
}

impl Table<'_> {
    fn play(&mut self) -> (Option<Color>, Ending) {
        for color in Color::ALL {
            if let Err(error) = of(&mut self.players, color).new_game() {
                return self.forfeit(color, error);
            }
        }
        loop {
            if let Some(end) = self.end() {
                return end;
            }
            let turn = self.game.position().turn();
            match self.next_move(turn) {
                Ok(m) => self.game.play_unchecked(m),
                Err(error) => return self.forfeit(turn, error),
            }
        }
    }

    /// How the game ends before the next move, if it does.
    fn end(&self) -> Option<(Option<Color>, Ending)> {
        let by_rules = self.game.outcome().or_else(|| self.game.claimable_draw());
        if let Some(outcome) = by_rules {
            return Some((outcome.winner(), Ending::Rules(outcome)));
        }
        let rules = self.conditions;
        if let Some(winner) = rules.win.and_then(|rule| self.agreement.winner(rule)) {
            return Some((Some(winner), Ending::AdjudicatedWin { winner }));
        }
        let plies = u32::try_from(self.remarks.len()).unwrap_or(u32::MAX);
        let drawn = |rule: DrawRule| plies / 2 >= rule.after_move && self.agreement.is_draw(rule);
        if rules.draw.is_some_and(drawn) {
            return Some((None, Ending::AdjudicatedDraw));
        }
        let too_long = rules.max_plies.is_some_and(|most| plies >= most);
        too_long.then_some((None, Ending::TooLong))
    }

    /// Asks a player for its move, with the clock running.
    fn next_move(&mut self, turn: Color) -> Result<Move, PlayerError> {
        let clocks = ClockState::of(turn, &self.clocks);
        let start = Instant::now();
        let choice = of(&mut self.players, turn).choose(&self.game, clocks);
        let time = start.elapsed();
        let Choice { best, score, depth, nodes } = choice?;
        if !of(&mut self.clocks, turn).press(time, self.conditions.margin) {
            return Err(PlayerError::Timeout);
        }
        let m = self.game.position().parse_uci(&best);
        let m = m.map_err(|_| PlayerError::Illegal(cut(&best)))?;
        self.remarks.push(Remark { score, depth, nodes, time });
        self.agreement.hear(turn, score.map(|score| score.rank()), self.conditions);
        Ok(m)
    }

    /// The opponent wins, unless it is time that ran out and the opponent could never give mate.
    fn forfeit(&self, by: Color, error: PlayerError) -> (Option<Color>, Ending) {
        let draws =
            error == PlayerError::Timeout && self.game.position().has_insufficient_material(!by);
        ((!draws).then_some(!by), Ending::Forfeit { by, error })
    }
}

/// The one of White's and Black's.
fn of<T>(both: &mut [T; 2], color: Color) -> &mut T {
    let [white, black] = both;
    if color == Color::White { white } else { black }
}

/// For how many moves in a row each player's scores have said the same.
#[derive(Default)]
struct Agreement {
    streaks: [Streaks; 2],
}

#[derive(Clone, Copy, Default)]
struct Streaks {
    even: u32,
    winning: u32,
    losing: u32,
}

impl Agreement {
    /// Takes down a player's score; silence ends every streak.
    fn hear(&mut self, color: Color, score: Option<i32>, conditions: &Conditions) {
        let count = |streak: u32, goes_on: bool| if goes_on { streak + 1 } else { 0 };
        let is_even = |score: i32| {
            conditions.draw.is_some_and(|rule| score.unsigned_abs() <= rule.score.unsigned_abs())
        };
        let wins = |score: i32| conditions.win.is_some_and(|rule| score >= rule.score);
        let streaks = of(&mut self.streaks, color);
        *streaks = Streaks {
            even: count(streaks.even, score.is_some_and(is_even)),
            winning: count(streaks.winning, score.is_some_and(wins)),
            losing: count(streaks.losing, score.is_some_and(|score| wins(score.saturating_neg()))),
        };
    }

    fn winner(&self, rule: WinRule) -> Option<Color> {
        let [white, black] = self.streaks;
        let agreed =
            |winner: Streaks, loser: Streaks| winner.winning.min(loser.losing) >= rule.moves;
        if agreed(white, black) {
            Some(Color::White)
        } else {
            agreed(black, white).then_some(Color::Black)
        }
    }

    fn is_draw(&self, rule: DrawRule) -> bool {
        self.streaks.iter().all(|streaks| streaks.even >= rule.moves)
    }
}
