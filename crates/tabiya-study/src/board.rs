use tabiya_chess_view::{check, coord, destinations, game_end, pieces, side};
use tabiya_view::{Coord, Destinations, GameEnd, PieceView, Refusal, Side};

use crate::Study;

/// One position of a study, as a board shows it.
///
/// ```
/// use tabiya_study::Study;
///
/// let board = Study::from_pgn("1. e4 *")?.board(1)?;
/// assert_eq!(board.last, Some(("e2".parse().unwrap(), "e4".parse().unwrap())));
/// assert_eq!(board.fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// # Ok::<(), tabiya_view::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct StudyBoard {
    /// The number of the node.
    pub node: usize,
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// Where the pieces of the side to move may go.
    pub destinations: Vec<Destinations>,
    /// From where to where the last move went.
    pub last: Option<(Coord, Coord)>,
    /// The king in check.
    pub check: Option<Coord>,
    /// Whose turn it is.
    pub turn: Side,
    /// How the game is over here, if it is.
    pub end: Option<GameEnd>,
    /// The position as text.
    pub fen: String,
}

impl Study {
    /// The position after a node.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// assert_eq!(Study::new().board(0)?.pieces.len(), 32);
    /// assert!(Study::new().board(1).is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn board(&self, node: usize) -> Result<StudyBoard, Refusal> {
        let id = self.id(node)?;
        let position = self.game.tree().position(id);
        let last = self.game.tree().played(id).map(|m| (coord(m.from()), coord(m.to())));
        let end = position.outcome().map(game_end);
        let destinations = match end {
            Some(_) => Vec::new(),
            None => destinations(&position, !position.castles_as_in_standard_chess()),
        };
        Ok(StudyBoard {
            node,
            pieces: pieces(&position),
            destinations,
            last,
            check: check(&position),
            turn: side(position.turn()),
            end,
            fen: position.fen(),
        })
    }
}
