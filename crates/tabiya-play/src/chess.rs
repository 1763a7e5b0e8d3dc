//! Chess at the table.

mod minds;
mod record;

use tabiya_chess::{Color, Game, Move, Outcome, ParseMoveError, Position, Role, Square};

use self::minds::Minds;
use crate::rules::{Header, Rules, Task};
use crate::thinking::Work;
use crate::{Captured, End, Kind, Man, Place, Played, Player, Reach, Refusal, Shape, Side, Target};

/// A game of chess, its moves as they are shown, and those who can think about it.
#[derive(Clone)]
pub(crate) struct Chess {
    game: Game,
    /// The moves played, then those undone.
    played: Vec<Played>,
    /// What each of them took.
    taken: Vec<Option<Shape>>,
    /// Castling is written as the king taking its rook.
    chess960: bool,
    minds: Minds,
}

impl Chess {
    pub(crate) fn new(start: Position) -> Chess {
        Chess {
            chess960: !start.castles_as_in_standard_chess(),
            game: Game::from_position(start),
            played: Vec::new(),
            taken: Vec::new(),
            minds: Minds::default(),
        }
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn code(&self, m: Move) -> String {
        match self.chess960 {
            true => self.position().uci_chess960(m),
            false => self.position().uci(m),
        }
    }

    fn make(&mut self, m: Move) {
        let position = self.position();
        let number = position.fullmove_number();
        let played = Played {
            side: side(position.turn()),
            number: number.into(),
            text: position.san(m),
            code: self.code(m),
            from: place(m.from()),
            to: place(m.to()),
        };
        let taken = captured_on(position, m).and_then(|square| position.piece_at(square));
        let ply = self.game.moves().len();
        // As the game does: what was taken back is forgotten, unless this is the next of it.
        if self.game.undone().first() != Some(&m) {
            self.played.truncate(ply);
            self.taken.truncate(ply);
            self.played.push(played);
            self.taken.push(taken.map(|piece| shape(piece.role)));
        }
        self.game.play_unchecked(m);
    }

    fn targets(&self, from: Square) -> Vec<Target> {
        let position = self.position();
        let mut targets: Vec<Target> = Vec::new();
        for &m in position.moves_from(from).iter() {
            let takes = captured_on(position, m).is_some();
            let mut add = |at: Square| {
                if !targets.iter().any(|target| target.at == place(at)) {
                    targets.push(Target { at: place(at), takes, becomes: Vec::new() });
                }
            };
            match m.castling_rook() {
                Some(rook) if self.chess960 => add(rook),
                Some(rook) => {
                    add(m.to());
                    add(rook);
                }
                None => add(m.to()),
            }
            if m.promotes_to().is_some()
                && let Some(target) = targets.iter_mut().find(|target| target.at == place(m.to()))
            {
                target.becomes = Role::PROMOTIONS.into_iter().map(shape).collect();
                target.becomes.sort_by_key(|&shape| std::cmp::Reverse(worth(shape)));
            }
        }
        targets
    }

    /// What the side that has the move in a position could take with profit.
    fn profits(position: &Position) -> impl Iterator<Item = Square> {
        position.tactical_moves().into_iter().filter_map(move |m| {
            let square = captured_on(position, m)?;
            let taken = worth(shape(position.piece_at(square)?.role));
            let taker = worth(shape(position.piece_at(m.from())?.role));
            let mut after = *position;
            after.play_unchecked(m);
            let is_taken_back =
                || after.tactical_moves().iter().any(|answer| answer.to() == m.to());
            (taken > taker || !is_taken_back()).then_some(square)
        })
    }
}

impl Rules for Chess {
    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }

    fn kind(&self) -> Kind {
        Kind::Chess
    }

    fn columns(&self) -> u8 {
        8
    }

    fn turn(&self) -> Side {
        side(self.position().turn())
    }

    fn men(&self) -> Vec<Man> {
        let man = |placed: tabiya_chess::PlacedPiece| Man {
            at: place(placed.square),
            side: side(placed.piece.color),
            shape: shape(placed.piece.role),
        };
        self.position().board().iter().map(man).collect()
    }

    fn reach(&self) -> Vec<Reach> {
        let position = self.position();
        let own = position.board().color(position.turn());
        own.into_iter()
            .map(|from| Reach { from: place(from), to: self.targets(from) })
            .filter(|reach| !reach.to.is_empty())
            .collect()
    }

    fn check(&self) -> Option<Place> {
        let position = self.position();
        position.is_check().then(|| place(position.king(position.turn())))
    }

    fn captured(&self, by: Side) -> Captured {
        let played = self.moves().iter().zip(&self.taken);
        let mut shapes: Vec<Shape> = played
            .filter(|(played, _)| played.side == by)
            .filter_map(|(_, taken)| *taken)
            .collect();
        shapes.sort_by_key(|&shape| std::cmp::Reverse(worth(shape)));
        let total = |side: Side| -> u32 {
            self.men().iter().filter(|man| man.side == side).map(|man| worth(man.shape)).sum()
        };
        let lead = total(by).checked_sub(total(by.other())).filter(|&lead| lead > 0);
        Captured { shapes, lead }
    }

    fn position_text(&self) -> String {
        self.position().fen()
    }

    fn attackers(&self, at: Place) -> Vec<Man> {
        let Some(at) = square(at) else { return Vec::new() };
        let position = self.position();
        let attackers = position.attackers(at, Color::White) | position.attackers(at, Color::Black);
        let mut men = self.men();
        men.retain(|man| square(man.at).is_some_and(|square| attackers.contains(square)));
        men
    }

    fn threats(&self) -> Vec<Place> {
        let position = self.position();
        let mut places: Vec<Place> = Chess::profits(position).map(place).collect();
        if let Some(next) = position.null_move() {
            places.extend(Chess::profits(&next).map(place));
        }
        places.sort();
        places.dedup();
        places
    }

    fn moves(&self) -> &[Played] {
        self.played.get(..self.game.moves().len()).unwrap_or_default()
    }

    fn undone(&self) -> &[Played] {
        self.played.get(self.game.moves().len()..).unwrap_or_default()
    }

    fn read(&self, text: &str) -> Result<String, Refusal> {
        let m = self.position().parse_move(text).map_err(|error| refusal(&error))?;
        Ok(self.code(m))
    }

    fn between(&self, from: Place, to: Place, becomes: Option<Shape>) -> Result<String, Refusal> {
        let position = self.position();
        let (Some(start), Some(end)) = (square(from), square(to)) else {
            return Err(Refusal(format!("There is no way from {from} to {to} on this board.")));
        };
        let wanted = position.move_between(start, end, becomes.map(role));
        let m = match (wanted, becomes) {
            // Nothing was chosen: a queen.
            (Err(tabiya_chess::IllegalMove::PromotionMissing { .. }), None) => {
                position.move_between(start, end, Some(Role::Queen))
            }
            (wanted, _) => wanted,
        };
        m.map(|m| self.code(m)).map_err(|error| Refusal(error.to_string()))
    }

    fn play(&mut self, code: &str) -> Result<(), Refusal> {
        let m = self.position().parse_uci(code).map_err(|error| refusal(&error))?;
        self.make(m);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.game.undo().is_some()
    }

    fn redo(&mut self) -> bool {
        self.game.redo().is_some()
    }

    fn outcome(&self) -> Option<End> {
        self.game.outcome().map(end)
    }

    fn claim(&self) -> Option<(&'static str, End)> {
        let outcome = self.game.claimable_draw()?;
        let name = match outcome {
            Outcome::ThreefoldRepetition => "threefold repetition",
            _ => "fifty moves",
        };
        Some((name, end(outcome)))
    }

    fn can_win(&self, side: Side) -> bool {
        !self.position().has_insufficient_material(color(side))
    }

    fn think(&self, task: &Task<'_>) -> Work {
        self.minds.think(&self.game, self.chess960, task)
    }

    fn agrees_to_draw(&self, side: Side, player: &Player) -> Result<(), &'static str> {
        minds::agrees_to_draw(&self.game, color(side), player)
    }

    fn record(&self, header: &Header<'_>) -> String {
        record::pgn(&self.game, header)
    }
}

/// Where the piece stands that a move takes.
fn captured_on(position: &Position, m: Move) -> Option<Square> {
    match m.kind() {
        tabiya_chess::MoveKind::EnPassant => Some(Square::new(m.to().file(), m.from().rank())),
        tabiya_chess::MoveKind::Castle => None,
        _ => position.piece_at(m.to()).map(|_| m.to()),
    }
}

fn refusal(error: &ParseMoveError) -> Refusal {
    Refusal(error.to_string())
}

fn end(outcome: Outcome) -> End {
    End { winner: outcome.winner().map(side), text: outcome.to_string(), result: outcome.result() }
}

pub(crate) const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

const fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

fn place(square: Square) -> Place {
    Place { column: square.file().index() as u8, row: square.rank().index() as u8 }
}

fn square(place: Place) -> Option<Square> {
    Square::at(place.column.into(), place.row.into())
}

const fn shape(role: Role) -> Shape {
    match role {
        Role::Pawn => Shape::Pawn,
        Role::Knight => Shape::Knight,
        Role::Bishop => Shape::Bishop,
        Role::Rook => Shape::Rook,
        Role::Queen => Shape::Queen,
        Role::King => Shape::King,
    }
}

const fn role(shape: Shape) -> Role {
    match shape {
        Shape::Pawn => Role::Pawn,
        Shape::Knight => Role::Knight,
        Shape::Bishop => Role::Bishop,
        Shape::Rook => Role::Rook,
        Shape::Queen => Role::Queen,
        Shape::King => Role::King,
    }
}

/// In pawns; a bishop counts as much as a knight, and comes before it.
const fn worth(shape: Shape) -> u32 {
    match shape {
        Shape::Pawn => 1,
        Shape::Knight | Shape::Bishop => 3,
        Shape::Rook => 5,
        Shape::Queen => 9,
        Shape::King => 0,
    }
}
