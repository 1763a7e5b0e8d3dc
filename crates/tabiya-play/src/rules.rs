use std::time::Duration;

use crate::thinking::{Purpose, Work};
use crate::{
    Captured, Coord, Destinations, GameEnd, GameKind, GameSetup, PieceRole, PieceView, PlayedMove,
    Player, Refusal, Side, TimeControl,
};

/// A game as a session sees it: what stands where, what may be done, who can think about it. Moves are
/// told in UCI.
pub(crate) trait Rules: Send {
    fn boxed(&self) -> Box<dyn Rules>;

    fn kind(&self) -> GameKind;
    fn columns(&self) -> u8;
    fn turn(&self) -> Side;
    fn pieces(&self) -> Vec<PieceView>;
    fn destinations(&self) -> Vec<Destinations>;
    fn check(&self) -> Option<Coord>;
    fn captured(&self, by: Side) -> Captured;
    /// A FEN, or a plain board configuration.
    fn position_text(&self) -> String;
    /// What could be taken with profit, on either side.
    fn threats(&self) -> Vec<Coord>;
    /// The pieces of both sides that attack a square.
    fn attackers(&self, at: Coord) -> Vec<PieceView>;

    /// All legal moves, as people write them.
    fn legal_moves(&self) -> Vec<String>;
    /// The moves played so far.
    fn moves(&self) -> &[PlayedMove];
    /// Those taken back and not forgotten.
    fn undone(&self) -> &[PlayedMove];

    /// Plays a move that somebody typed, in any notation.
    fn play_text(&mut self, text: &str) -> Result<(), Refusal>;
    /// Plays a move that somebody made on the board. Without a choice of what a pawn becomes, it is a queen.
    fn play_squares(
        &mut self,
        from: Coord,
        to: Coord,
        promotion: Option<PieceRole>,
    ) -> Result<(), Refusal>;
    /// The pawn move that a text names without saying what the pawn becomes.
    fn promotion_of(&self, text: &str) -> Option<(Coord, Coord)>;
    /// Plays a move as programs write it.
    fn play(&mut self, uci: &str) -> Result<(), Refusal>;
    /// False if there is nothing to take back.
    fn undo(&mut self) -> bool;
    /// False if there is nothing to play again.
    fn redo(&mut self) -> bool;

    /// How the rules have ended the game.
    fn outcome(&self) -> Option<GameEnd>;
    /// The draw that may be claimed, as it is named and as it ends the game.
    fn claim(&self) -> Option<(&'static str, GameEnd)>;
    /// Whether a side could still win if the other had no time left.
    fn can_win(&self, side: Side) -> bool;

    /// Thinking about the position, for a player who has the move or to advise.
    fn think(&self, task: &Task<'_>) -> Work;
    /// Whether a computer that plays a side would agree to a draw, or why not.
    fn agrees_to_draw(&self, side: Side, player: &Player) -> Result<(), &'static str>;

    fn record(&self, header: &Header<'_>) -> String;
}

/// What there is to know for thinking.
pub(crate) struct Task<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) player: &'a Player,
    pub(crate) seed: u64,
    /// The time left to both, and the time control.
    pub(crate) clocks: Option<([Duration; 2], TimeControl)>,
}

/// What a record says about a game besides the moves.
pub(crate) struct Header<'a> {
    pub(crate) setup: &'a GameSetup,
    pub(crate) names: [String; 2],
    pub(crate) end: Option<&'a GameEnd>,
    /// The clocks after each move.
    pub(crate) clocks: &'a [[Duration; 2]],
}
