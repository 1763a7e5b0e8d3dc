use tabiya_chess::Position;
use tabiya_chess_view::{
    captured_on, check, coord, destinations, game_end, piece_role, pieces, side, worth,
};
use tabiya_view::{
    Captured, Coord, Destinations, GameEnd, PastPosition, PieceRole, PieceView, Refusal, Side,
};

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

/// What the board shows after a node: everything but where the pieces may go.
///
/// ```
/// # use tabiya_study::Study;
/// let all = Study::from_pgn("1. e4 d5 2. exd5 *")?.positions();
/// assert_eq!(all[3].board.captured[0].roles.len(), 1);
/// assert_eq!(all[3].last, Some(("e4".parse().unwrap(), "d5".parse().unwrap())));
/// # Ok::<(), tabiya_view::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyPosition {
    /// The pieces, a king in check, and what was taken on the way.
    pub board: PastPosition,
    /// From where to where the last move went.
    pub last: Option<(Coord, Coord)>,
    /// How the game is over here, if it is.
    pub end: Option<GameEnd>,
}

impl Study {
    /// The positions after all nodes, the start first.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let study = Study::from_pgn("1. e4 (1. d4) e5 *")?;
    /// assert_eq!(study.positions().len(), study.outline().nodes.len());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn positions(&self) -> Vec<StudyPosition> {
        let tree = self.game.tree();
        let parents = self.outline().nodes.into_iter().map(|node| node.parent);
        let mut past: Vec<(Position, [Vec<PieceRole>; 2])> = Vec::with_capacity(self.order.len());
        let mut all = Vec::with_capacity(self.order.len());
        for (&id, parent) in self.order.iter().zip(parents) {
            let before = parent.and_then(|parent| past.get(parent)).cloned();
            let (mut position, mut taken) =
                before.unwrap_or_else(|| (*tree.start(), Default::default()));
            let played = tree.played(id);
            match (parent, played) {
                (Some(_), Some(m)) => {
                    let square = captured_on(&position, m);
                    if let Some(piece) = square.and_then(|at| position.piece_at(at)) {
                        taken[position.turn() as usize].push(piece_role(piece.role));
                    }
                    position.play_unchecked(m);
                }
                (Some(_), None) => position = position.null_move().unwrap_or(position),
                (None, _) => {}
            }
            all.push(StudyPosition {
                board: PastPosition {
                    pieces: pieces(&position),
                    check: check(&position),
                    captured: Side::BOTH.map(|by| captured(&position, by, &taken[by as usize])),
                },
                last: played.map(|m| (coord(m.from()), coord(m.to()))),
                end: position.outcome().map(game_end),
            });
            past.push((position, taken));
        }
        all
    }

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

fn captured(position: &Position, by: Side, taken: &[PieceRole]) -> Captured {
    let mut roles = taken.to_vec();
    roles.sort_by_key(|&role| std::cmp::Reverse(worth(role)));
    let total = |side: Side| -> u32 {
        let own = pieces(position).into_iter().filter(|piece| piece.side == side);
        own.map(|piece| worth(piece.role)).sum()
    };
    let lead = total(by).checked_sub(total(by.other())).filter(|&lead| lead > 0);
    Captured { roles, lead }
}
