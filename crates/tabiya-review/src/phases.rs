use tabiya_chess::{Game, Position, Role};

/// Where the parts of a game begin, as numbers of plies.
///
/// The middlegame begins when four pieces (pawns and kings aside) are gone or twelve moves are played; the endgame when
/// six pieces or fewer are left.
///
/// ```
/// use tabiya_review::Phases;
///
/// let start = tabiya_chess::Game::new();
/// assert_eq!(Phases::of(&start), Phases { middlegame: None, endgame: None });
/// let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
/// assert_eq!(Phases::of(&tabiya_chess::Game::from_position(rooks)).endgame, Some(0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// After how many plies the middlegame begins.
    pub middlegame: Option<usize>,
    /// After how many plies the endgame begins.
    pub endgame: Option<usize>,
}

impl Phases {
    /// The parts of a game.
    pub fn of(game: &Game) -> Phases {
        const OPENING_PLIES: u32 = 24;
        let counts: Vec<usize> = game.positions().map(pieces).collect();
        let endgame = counts.iter().position(|&count| count <= 6);
        let open = |(position, &count): (&Position, &usize)| {
            count <= 10 || position.ply() >= OPENING_PLIES
        };
        let middlegame = game.positions().zip(&counts).position(open);
        Phases {
            middlegame: middlegame.filter(|&ply| endgame.is_none_or(|end| ply < end)),
            endgame,
        }
    }
}

fn pieces(position: &Position) -> usize {
    let board = position.board();
    let others = board.role(Role::Pawn) | board.role(Role::King);
    (board.occupied() - others).len() as usize
}
