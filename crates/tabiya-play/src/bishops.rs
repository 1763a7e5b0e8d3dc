//! The bishop-and-king game at the table.

use tabiya_base::{Score, mix};
use tabiya_puzzle::{Cell, Found, Level, Limits, Move, Position, Search, Status};

use crate::rules::{Header, Rules, Task};
use crate::thinking::{Purpose, Thought, Work};
use crate::{
    Captured, Coord, Destination, Destinations, EvaluationView, GameEnd, GameKind, PieceRole,
    PieceView, PlayedMove, Player, PlayerKind, Refusal, Side, Strength,
};

/// What a bishop is worth, in pawns.
const BISHOP: u32 = 3;
/// Positions looked at for a move: numbers, so that the same game is played everywhere. On the largest
/// boards that is half a second.
const SMALL_BOARD_NODES: u64 = 120_000;
const LARGE_BOARD_NODES: u64 = 50_000;
/// Positions looked at to answer an offer of a draw at once.
const OFFER_NODES: u64 = 2_000;
/// A position is not looked for further back than that.
const REMEMBERED: usize = 64;

/// A game, its moves as they are shown, and the positions before them.
#[derive(Clone)]
pub(crate) struct Bishops {
    position: Position,
    past: Vec<Position>,
    /// The moves played, then those undone.
    played: Vec<PlayedMove>,
}

impl Bishops {
    pub(crate) fn new(position: Position) -> Bishops {
        Bishops { position, past: Vec::new(), played: Vec::new() }
    }

    fn make(&mut self, m: Move) {
        let uci = m.to_string();
        if self.undone().first().is_none_or(|next| next.uci != uci) {
            self.played.truncate(self.past.len());
            self.played.push(PlayedMove {
                side: side(self.position.turn()),
                number: self.past.len() as u32 / 2 + 1,
                san: uci.clone(),
                uci,
                from: coord(m.from),
                to: coord(m.to),
            });
        }
        self.past.push(self.position);
        self.position.play(m);
    }

    /// Keys of earlier positions to which the game could come back: those since the last capture.
    fn recent(&self) -> Vec<u64> {
        let pieces = |position: &Position| position.board().occupied().len();
        let now = pieces(&self.position);
        let same = self.past.iter().rev().take_while(|position| pieces(position) == now);
        same.take(REMEMBERED).map(Position::key).collect()
    }

    fn limits(&self, level: Level) -> Limits {
        let nodes = match self.position.board().size().get() {
            ..=8 => SMALL_BOARD_NODES,
            _ => LARGE_BOARD_NODES,
        };
        Limits { nodes, time: None, ..level.limits() }
    }

    /// Bishops that the side to move of a position could take without being taken back.
    fn profits(position: &Position) -> Vec<Coord> {
        let enemies = *position.board().bishops(!position.turn());
        let captures = position.legal_moves().into_iter().filter(|m| enemies.contains(m.to));
        captures
            .filter(|&m| {
                let mut after = *position;
                after.play(m);
                !after.legal_moves().iter().any(|answer| answer.to == m.to)
            })
            .map(|m| coord(m.to))
            .collect()
    }
}

impl Rules for Bishops {
    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }

    fn kind(&self) -> GameKind {
        GameKind::Bishops
    }

    fn columns(&self) -> u8 {
        self.position.board().size().get()
    }

    fn turn(&self) -> Side {
        side(self.position.turn())
    }

    fn pieces(&self) -> Vec<PieceView> {
        self.position.board().pieces().map(piece_view).collect()
    }

    fn destinations(&self) -> Vec<Destinations> {
        let occupied = self.position.board().occupied();
        let mut moves = self.position.legal_moves();
        moves.sort();
        let target = |m: &Move| Destination {
            square: coord(m.to),
            takes: occupied.contains(m.to),
            promotions: Vec::new(),
        };
        moves
            .chunk_by(|one, other| one.from == other.from)
            .filter_map(|moves| {
                let from = coord(moves.first()?.from);
                Some(Destinations { from, to: moves.iter().map(target).collect() })
            })
            .collect()
    }

    fn check(&self) -> Option<Coord> {
        let king = self.position.king(self.position.turn());
        self.position.is_check().then(|| coord(king))
    }

    fn captured(&self, by: Side) -> Captured {
        let count = |position: &Position, side: Side| position.board().bishops(own(side)).len();
        let start = self.past.first().unwrap_or(&self.position);
        let taken = count(start, by.other()).saturating_sub(count(&self.position, by.other()));
        let ahead = count(&self.position, by).checked_sub(count(&self.position, by.other()));
        Captured {
            roles: vec![PieceRole::Bishop; taken],
            lead: ahead.filter(|&bishops| bishops > 0).map(|bishops| bishops as u32 * BISHOP),
        }
    }

    fn position_text(&self) -> String {
        self.position.board().plain()
    }

    fn attackers(&self, at: Coord) -> Vec<PieceView> {
        let board = self.position.board();
        let Some(target) = board.size().cells().into_iter().find(|&cell| coord(cell) == at) else {
            return Vec::new();
        };
        let attackers = board.pieces().filter(|&piece| board.can_reach(piece, target));
        attackers.map(piece_view).collect()
    }

    fn threats(&self) -> Vec<Coord> {
        let mut squares = Bishops::profits(&self.position);
        if let Ok(other) = Position::new(*self.position.board(), !self.position.turn())
            && !self.position.is_check()
        {
            squares.extend(Bishops::profits(&other));
        }
        squares.sort();
        squares.dedup();
        squares
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = self.position.legal_moves();
        moves.sort();
        moves.iter().map(Move::to_string).collect()
    }

    fn moves(&self) -> &[PlayedMove] {
        self.played.get(..self.past.len()).unwrap_or_default()
    }

    fn undone(&self) -> &[PlayedMove] {
        self.played.get(self.past.len()..).unwrap_or_default()
    }

    fn play_text(&mut self, text: &str) -> Result<(), Refusal> {
        // As in chess, the squares may stand apart: a1 -> b2, a1-b2, a1 b2.
        let joined: String =
            text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '>')).collect();
        self.play(&joined.to_ascii_lowercase())
    }

    fn play_squares(
        &mut self,
        from: Coord,
        to: Coord,
        _: Option<PieceRole>,
    ) -> Result<(), Refusal> {
        self.play(&format!("{from}{to}"))
    }

    fn promotion_of(&self, _: &str) -> Option<(Coord, Coord)> {
        None
    }

    fn play(&mut self, uci: &str) -> Result<(), Refusal> {
        let m = self.position.parse_move(uci).map_err(Refusal::new)?;
        self.make(m);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        match self.past.pop() {
            Some(position) => {
                self.position = position;
                true
            }
            None => false,
        }
    }

    fn redo(&mut self) -> bool {
        let next = self.undone().first().and_then(|played| played.uci.parse().ok());
        if let Some(m) = next {
            self.make(m);
        }
        next.is_some()
    }

    fn outcome(&self) -> Option<GameEnd> {
        match self.position.status() {
            Status::Playing { .. } => None,
            Status::Checkmate { winner } => Some(GameEnd::won(side(winner), "Checkmate")),
            Status::Stalemate => Some(GameEnd::drawn("Draw by stalemate")),
        }
    }

    fn claim(&self) -> Option<(&'static str, GameEnd)> {
        // The game has no such rule: it may go on for ever.
        None
    }

    fn can_win(&self, side: Side) -> bool {
        !self.position.board().bishops(own(side)).is_empty()
    }

    fn think(&self, task: &Task<'_>) -> Work {
        let (position, recent) = (self.position, self.recent());
        let level = match (task.purpose, &task.player.kind) {
            (Purpose::Move, PlayerKind::Tabiya(Strength::Step(step))) => Level::new(*step),
            (Purpose::Move, PlayerKind::Textbook(_)) => Level::RANDOM,
            _ => Level::FULL,
        };
        let limits = self.limits(level);
        // A player of its own for each move: it depends on the game alone, not on what was asked before.
        let seed = mix(task.seed ^ (self.past.len() as u64 + 1));
        Box::new(move |stop| {
            if level == Level::FULL {
                let found = Search::new().with_stop(stop.clone()).think(&position, &recent, limits);
                return Ok(Thought {
                    uci: found.map(|found| found.best.to_string()),
                    evaluation: found.map(|found| evaluation(side(position.turn()), &found)),
                    ..Thought::default()
                });
            }
            let mut player =
                tabiya_puzzle::Player::new(level, seed).with_limits(limits).with_stop(stop.clone());
            let uci = player.choose(&position, &recent).map(|m| m.to_string());
            Ok(Thought { uci, ..Thought::default() })
        })
    }

    fn agrees_to_draw(&self, side: Side, player: &Player) -> Result<(), &'static str> {
        if matches!(player.kind, PlayerKind::Textbook(_)) {
            return Ok(());
        }
        let limits = Limits { nodes: OFFER_NODES, ..Limits::default() };
        let score = Search::new()
            .think(&self.position, &self.recent(), limits)
            .map_or(0, |found| if self.turn() == side { found.score } else { -found.score });
        if score > 0 { Err("it likes its position") } else { Ok(()) }
    }

    fn record(&self, _: &Header<'_>) -> String {
        self.position_text()
    }
}

/// As White sees it.
fn evaluation(turn: Side, found: &Found) -> EvaluationView {
    let score = found.mate_in().map_or(Score::Centipawns(found.score), Score::Mate);
    // A bishop ahead is three games out of four: what people score with three pawns.
    let in_pawns = match score {
        Score::Centipawns(score) => Score::Centipawns(score.saturating_mul(3)),
        mate => mate,
    };
    let is_white = turn == Side::White;
    EvaluationView {
        chances: f32::from(in_pawns.for_white(is_white).expectation()) / 1000.0,
        text: score.for_white(is_white).to_string(),
    }
}

const fn side(side: tabiya_puzzle::Side) -> Side {
    match side {
        tabiya_puzzle::Side::White => Side::White,
        tabiya_puzzle::Side::Black => Side::Black,
    }
}

const fn own(side: Side) -> tabiya_puzzle::Side {
    match side {
        Side::White => tabiya_puzzle::Side::White,
        Side::Black => tabiya_puzzle::Side::Black,
    }
}

const fn coord(cell: Cell) -> Coord {
    Coord { column: cell.x() - 1, row: cell.y() - 1 }
}

const fn piece_view(piece: tabiya_puzzle::Piece) -> PieceView {
    PieceView {
        square: coord(piece.cell),
        side: side(piece.side),
        role: match piece.kind {
            tabiya_puzzle::Kind::Bishop => PieceRole::Bishop,
            tabiya_puzzle::Kind::King => PieceRole::King,
        },
    }
}
