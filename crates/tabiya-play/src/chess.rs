//! Chess at the table.

mod record;
mod thinkers;

use tabiya_chess::{Color, Game, Move, Outcome, ParseMoveError, Position, Role};
use tabiya_chess_view::{
    captured_on, color, coord, game_end, piece_role, piece_view, role, side, square, uci, worth,
};

use self::thinkers::Thinkers;
use crate::rules::{Header, Rules, Task};
use crate::thinking::Work;
use crate::{
    Captured, Coord, Destinations, GameEnd, GameKind, PieceRole, PieceView, PlayedMove, Player,
    Refusal, Side,
};

/// A game of chess, its moves as they are shown, and those who can think about it.
#[derive(Clone)]
pub(crate) struct Chess {
    game: Game,
    /// The moves played, then those undone.
    played: Vec<PlayedMove>,
    /// What each of them took.
    taken: Vec<Option<PieceRole>>,
    /// Castling is written as the king taking its rook.
    chess960: bool,
    /// Whether repetitions and quiet moves end it.
    draws: bool,
    thinkers: Thinkers,
}

impl Chess {
    pub(crate) fn new(start: Position) -> Chess {
        Chess {
            chess960: !start.castles_as_in_standard_chess(),
            game: Game::from_position(start),
            played: Vec::new(),
            taken: Vec::new(),
            draws: true,
            thinkers: Thinkers::default(),
        }
    }

    /// Whether repetitions and quiet moves end it.
    pub(crate) fn with_draws(self, draws: bool) -> Chess {
        Chess { draws, ..self }
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn make(&mut self, m: Move) {
        let position = self.position();
        let number = position.fullmove_number();
        let played = PlayedMove {
            side: side(position.turn()),
            number: number.into(),
            san: position.san(m),
            uci: uci(position, m, self.chess960),
            from: coord(m.from()),
            to: coord(m.to()),
        };
        let taken = captured_on(position, m).and_then(|square| position.piece_at(square));
        let ply = self.game.moves().len();
        // As the game does: what was taken back is forgotten, unless this is the next of it.
        if self.game.undone().first() != Some(&m) {
            self.played.truncate(ply);
            self.taken.truncate(ply);
            self.played.push(played);
            self.taken.push(taken.map(|piece| piece_role(piece.role)));
        }
        self.game.play_unchecked(m);
    }
}

impl Rules for Chess {
    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }

    fn kind(&self) -> GameKind {
        GameKind::Chess
    }

    fn columns(&self) -> u8 {
        8
    }

    fn turn(&self) -> Side {
        side(self.position().turn())
    }

    fn pieces(&self) -> Vec<PieceView> {
        tabiya_chess_view::pieces(self.position())
    }

    fn destinations(&self) -> Vec<Destinations> {
        tabiya_chess_view::destinations(self.position(), self.chess960)
    }

    fn check(&self) -> Option<Coord> {
        tabiya_chess_view::check(self.position())
    }

    fn captured(&self, by: Side) -> Captured {
        let played = self.moves().iter().zip(&self.taken);
        let mut roles: Vec<PieceRole> = played
            .filter(|(played, _)| played.side == by)
            .filter_map(|(_, taken)| *taken)
            .collect();
        roles.sort_by_key(|&role| std::cmp::Reverse(worth(role)));
        let total = |side: Side| -> u32 {
            self.pieces()
                .iter()
                .filter(|piece| piece.side == side)
                .map(|piece| worth(piece.role))
                .sum()
        };
        let lead = total(by).checked_sub(total(by.other())).filter(|&lead| lead > 0);
        Captured { roles, lead }
    }

    fn position_text(&self) -> String {
        self.position().fen()
    }

    fn attackers(&self, at: Coord) -> Vec<PieceView> {
        let Some(at) = square(at) else { return Vec::new() };
        let position = self.position();
        let attackers = position.attackers(at, Color::White) | position.attackers(at, Color::Black);
        let attackers = position.board().iter().filter(|placed| attackers.contains(placed.square));
        attackers.map(piece_view).collect()
    }

    fn threats(&self) -> Vec<Coord> {
        tabiya_chess_view::threats(self.position())
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = self.position();
        position.legal_moves().iter().map(|&m| position.san(m)).collect()
    }

    fn moves(&self) -> &[PlayedMove] {
        self.played.get(..self.game.moves().len()).unwrap_or_default()
    }

    fn undone(&self) -> &[PlayedMove] {
        self.played.get(self.game.moves().len()..).unwrap_or_default()
    }

    fn play_text(&mut self, text: &str) -> Result<(), Refusal> {
        self.make(self.position().parse_move(text).map_err(Refusal::new)?);
        Ok(())
    }

    fn play_squares(
        &mut self,
        from: Coord,
        to: Coord,
        promotion: Option<PieceRole>,
    ) -> Result<(), Refusal> {
        let position = self.position();
        let (Some(start), Some(end)) = (square(from), square(to)) else {
            return Err(Refusal(format!("There is no way from {from} to {to} on this board.")));
        };
        let wanted = position.move_between(start, end, promotion.map(role));
        let m = match (wanted, promotion) {
            // Nothing was chosen: a queen.
            (Err(tabiya_chess::IllegalMove::PromotionMissing { .. }), None) => {
                position.move_between(start, end, Some(Role::Queen))
            }
            (wanted, _) => wanted,
        };
        self.make(m.map_err(Refusal::new)?);
        Ok(())
    }

    fn promotion_of(&self, text: &str) -> Option<(Coord, Coord)> {
        match self.position().parse_move(text) {
            Err(ParseMoveError::PromotionMissing { from, to }) => Some((coord(from), coord(to))),
            _ => None,
        }
    }

    fn play(&mut self, uci: &str) -> Result<(), Refusal> {
        self.make(self.position().parse_uci(uci).map_err(Refusal::new)?);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.game.undo().is_some()
    }

    fn redo(&mut self) -> bool {
        self.game.redo().is_some()
    }

    fn outcome(&self) -> Option<GameEnd> {
        let outcome = self.game.outcome()?;
        let by_time = matches!(outcome, Outcome::FivefoldRepetition | Outcome::SeventyFiveMoves);
        (self.draws || !by_time).then(|| game_end(outcome))
    }

    fn claim(&self) -> Option<(&'static str, GameEnd)> {
        let outcome = self.game.claimable_draw()?;
        let name = match outcome {
            Outcome::ThreefoldRepetition => "threefold repetition",
            _ => "fifty moves",
        };
        Some((name, game_end(outcome)))
    }

    fn can_win(&self, side: Side) -> bool {
        !self.position().has_insufficient_material(color(side))
    }

    fn think(&self, task: &Task<'_>) -> Work {
        self.thinkers.think(&self.game, self.chess960, task)
    }

    fn agrees_to_draw(&self, side: Side, player: &Player) -> Result<(), &'static str> {
        thinkers::agrees_to_draw(&self.game, color(side), player)
    }

    fn record(&self, header: &Header<'_>) -> String {
        record::pgn(&self.game, header)
    }
}
