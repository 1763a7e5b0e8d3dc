//! The rules by which themes are recognised: from the position and the line alone, so that nobody has to be asked.

use tabiya_chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Rank, Role, Square, attacks};

use crate::{Goal, Tactic, Theme, Themes};

/// What a puzzle is about.
///
/// ```
/// use tabiya_tactics::{Tactic, Theme, recognise};
///
/// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 1 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
/// let themes = recognise(&text.parse::<Tactic>().unwrap());
/// assert!(themes.contains(Theme::MateIn2) && themes.contains(Theme::BackRankMate));
/// ```
pub fn recognise(tactic: &Tactic) -> Themes {
    let line = Line {
        positions: tactic.positions(),
        moves: tactic.moves(),
        solver: tactic.solver(),
        goal: tactic.goal(),
    };
    Theme::ALL.into_iter().filter(|&theme| line.is_about(theme)).collect()
}

/// A puzzle, looked at ply by ply: the moves of the solver are those with odd numbers.
struct Line<'a> {
    positions: Vec<Position>,
    moves: &'a [Move],
    solver: Color,
    goal: Goal,
}

/// A move of the solver.
#[derive(Clone, Copy)]
struct Step<'a> {
    before: &'a Position,
    m: Move,
    after: &'a Position,
    /// The defender's answer and the solver's next move, with the position in which it is made.
    next: Option<(Move, &'a Position, Move)>,
}

impl Line<'_> {
    fn is_about(&self, theme: Theme) -> bool {
        let mate_in = |moves| self.goal == Goal::Mate && self.moves.len() / 2 == moves;
        match theme {
            Theme::MateIn1 => mate_in(1),
            Theme::MateIn2 => mate_in(2),
            Theme::MateIn3 => mate_in(3),
            Theme::LongMate => (4..=crate::LONGEST).any(mate_in),
            Theme::BackRankMate => self.is_back_rank_mate(),
            Theme::SmotheredMate => self.is_smothered_mate(),
            Theme::Fork => self.steps().any(|step| self.is_fork(step)),
            Theme::Pin => self.steps().any(|step| self.uses_pin(step)),
            Theme::Skewer => self.steps().any(is_skewer),
            Theme::DiscoveredAttack => self.steps().any(|step| self.discovers(step)),
            Theme::DoubleCheck => self.steps().any(|step| step.after.checkers().len() >= 2),
            Theme::HangingPiece => self.steps().next().is_some_and(|step| self.takes_hanging(step)),
            Theme::Sacrifice => self.is_sacrifice(),
            Theme::Promotion => self.steps().any(|step| step.m.promotes_to().is_some()),
            Theme::Underpromotion => {
                let under = |role| role != Role::Queen;
                self.steps().any(|step| step.m.promotes_to().is_some_and(under))
            }
            Theme::QuietMove => {
                self.goal != Goal::Save && self.steps().any(|step| self.is_quiet(step))
            }
            Theme::Zwischenzug => self.is_zwischenzug(),
            Theme::Deflection => self.steps().any(|step| removes_defender(step) || deflects(step)),
            Theme::TrappedPiece => self.steps().any(|step| self.traps(step)),
            Theme::Defence => self.goal == Goal::Save,
            Theme::Opening => !self.is_endgame() && self.is_opening(),
            Theme::Middlegame => !self.is_endgame() && !self.is_opening(),
            Theme::Endgame => self.is_endgame(),
            Theme::PawnEndgame => self.is_endgame_of(None),
            Theme::KnightEndgame => self.is_endgame_of(Some(Role::Knight)),
            Theme::BishopEndgame => self.is_endgame_of(Some(Role::Bishop)),
            Theme::RookEndgame => self.is_endgame_of(Some(Role::Rook)),
            Theme::QueenEndgame => self.is_endgame_of(Some(Role::Queen)),
        }
    }

    fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        (1..self.moves.len()).step_by(2).map(|i| Step {
            before: &self.positions[i],
            m: self.moves[i],
            after: &self.positions[i + 1],
            next: self.moves.get(i + 2).map(|&m| (self.moves[i + 1], &self.positions[i + 2], m)),
        })
    }

    /// The position in which the solver begins.
    fn start(&self) -> &Position {
        &self.positions[1]
    }

    fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    fn is_back_rank_mate(&self) -> bool {
        let (end, loser) = (self.end(), !self.solver);
        let king = end.king(loser);
        let home = Rank::First.relative_to(loser);
        let heavy = end.board().role(Role::Rook) | end.board().role(Role::Queen);
        let on_home = Bitboard::from(home);
        let Some(front) = home.offset(if loser == Color::White { 1 } else { -1 }) else {
            return false;
        };
        let before_it = attacks::king(king) & Bitboard::from(front);
        let own = before_it & end.board().color(loser);
        end.is_checkmate()
            && king.rank() == home
            && (end.checkers() & heavy & on_home).any()
            && own.len() >= 2
    }

    fn is_smothered_mate(&self) -> bool {
        let (end, loser) = (self.end(), !self.solver);
        let around = attacks::king(end.king(loser));
        end.is_checkmate()
            && (end.checkers() & end.board().role(Role::Knight)).any()
            && (around - end.board().color(loser)).is_empty()
    }

    /// The moved piece attacks two things worth taking, cannot be taken itself, and takes one of them if the
    /// line goes on.
    fn is_fork(&self, step: Step<'_>) -> bool {
        let Some((piece, square)) = moved(step) else { return false };
        if piece.role == Role::King || step.after.is_checkmate() || is_lost(step.after, square) {
            return false;
        }
        let attacked = reach(step.after, square) & step.after.board().color(!self.solver);
        let worth_it = |&target: &Square| {
            let role = role_at(step.after, target);
            role == Role::King
                || value(role) > value(piece.role)
                || value(role) >= 3 && !is_defended(step.after, target)
        };
        let targets: Bitboard = attacked.into_iter().filter(worth_it).collect();
        let takes =
            |(_, _, m): (Move, &Position, Move)| m.from() == square && targets.contains(m.to());
        targets.len() >= 2 && step.next.is_none_or(takes)
    }

    /// A pinned piece would take the one that moved, but may not; or it is taken itself after it could not move.
    fn uses_pin(&self, step: Step<'_>) -> bool {
        let to = step.m.to();
        let held_back = step
            .after
            .pins_of(!self.solver)
            .any(|pin| reach(step.after, pin.pinned).contains(to) && !pin.line.contains(to));
        let taken_later = step.next.is_some_and(|(answer, position, m)| {
            let is_pinned = |position: &Position, square| {
                position.pins_of(!self.solver).any(|pin| pin.pinned == square)
            };
            captured(position, m).is_some_and(|role| value(role) >= 3)
                && answer.to() != m.to()
                && is_pinned(step.after, m.to())
                && !is_pinned(step.before, m.to())
        });
        held_back || taken_later
    }

    /// A line is opened from a piece behind: with check, or to something that it takes later.
    fn discovers(&self, step: Step<'_>) -> bool {
        let sliders = step.after.board().color(self.solver) - step.m.to();
        let enemies = step.after.board().color(!self.solver);
        sliders.into_iter().any(|slider| {
            if !role_at(step.after, slider).slides() || step.m.kind() == MoveKind::Castle {
                return false;
            }
            let new = (reach(step.after, slider) - reach(step.before, slider)) & enemies;
            new.into_iter().any(|target| {
                let opened = attacks::between(slider, target).contains(step.m.from());
                let taken =
                    step.next.is_some_and(|(_, _, m)| (m.from(), m.to()) == (slider, target));
                opened && (taken || role_at(step.after, target) == Role::King)
            })
        })
    }

    /// A piece is taken that nobody defends, and that has not just taken as much.
    fn takes_hanging(&self, step: Step<'_>) -> bool {
        let Some(role) = captured(step.before, step.m) else { return false };
        let mistake = self.moves[0];
        let traded = mistake.to() == step.m.to()
            && captured(&self.positions[0], mistake).is_some_and(|lost| value(lost) >= value(role));
        let taken_back = step.after.legal_moves().iter().any(|m| m.to() == step.m.to());
        value(role) >= 3 && !traded && !taken_back && !step.after.is_checkmate()
    }

    /// After an answer, the solver has less than at the beginning, by two pawns or more.
    fn is_sacrifice(&self) -> bool {
        let balance = |position: &Position| {
            let sum = |color| -> i32 {
                let men = position.board().color(color) - position.king(color);
                men.into_iter().map(|square| value(role_at(position, square))).sum()
            };
            sum(self.solver) - sum(!self.solver)
        };
        let begin = balance(self.start());
        let answers = (3..self.moves.len()).step_by(2);
        let promoted =
            (2..self.moves.len()).step_by(2).any(|i| self.moves[i].promotes_to().is_some());
        !promoted && answers.into_iter().any(|i| balance(&self.positions[i]) <= begin - 2)
    }

    fn is_quiet(&self, step: Step<'_>) -> bool {
        let Some((piece, square)) = moved(step) else { return false };
        let attacked = reach(step.after, square) & step.after.board().color(!self.solver);
        let bigger = |target: Square| value(role_at(step.after, target)) > value(piece.role);
        captured(step.before, step.m).is_none()
            && step.m.promotes_to().is_none()
            && !step.before.is_check()
            && !step.after.is_check()
            && !is_lost(step.before, step.m.from())
            && !attacked.into_iter().any(bigger)
    }

    /// Something was taken and could be taken back at once; it is, a move later.
    fn is_zwischenzug(&self) -> bool {
        (1..self.moves.len().saturating_sub(2)).step_by(2).any(|i| {
            let (before, m, square) = (&self.positions[i], self.moves[i], self.moves[i - 1].to());
            let (answer, next) = (self.moves[i + 1], self.moves[i + 2]);
            captured(&self.positions[i - 1], self.moves[i - 1]).is_some()
                && m.to() != square
                && before.legal_moves().iter().any(|m| m.to() == square)
                && answer.from() != square
                && answer.to() != square
                && next.to() == square
        })
    }

    /// A piece is attacked that has no good square, and is taken, wherever it goes.
    fn traps(&self, step: Step<'_>) -> bool {
        let Some((answer, position, m)) = step.next else { return false };
        let Some(role) = captured(position, m) else { return false };
        let stood = if answer.to() == m.to() { answer.from() } else { m.to() };
        let is_it = |position: &Position| position.piece_at(stood) == Some(role.of(!self.solver));
        if value(role) < 3 || role == Role::King || step.after.is_check() || !is_it(step.after) {
            return false;
        }
        let escapes = step.after.moves_from(stood).iter().any(|&m| {
            let gain = captured(step.after, m).map_or(0, value);
            step.after.play(m).is_ok_and(|next| gain >= value(role) || !is_lost(&next, m.to()))
        });
        is_it(step.before) && !is_lost(step.before, stood) && is_lost(step.after, stood) && !escapes
    }

    fn is_endgame(&self) -> bool {
        pieces(self.start()) <= 6
    }

    /// As reviews have it: twelve moves at most, and no more than three pieces gone.
    fn is_opening(&self) -> bool {
        pieces(self.start()) > 10 && self.start().ply() < 24
    }

    /// Whether all men beside kings and pawns are of one kind, or there are none.
    fn is_endgame_of(&self, role: Option<Role>) -> bool {
        let board = self.start().board();
        let others = board.occupied() - board.role(Role::King) - board.role(Role::Pawn);
        let of_kind = role.map_or(Bitboard::EMPTY, |role| board.role(role));
        others == of_kind && others.any() == role.is_some() && self.is_endgame()
    }
}

/// A piece is taken that defended what is taken next.
fn removes_defender(step: Step<'_>) -> bool {
    let Some((answer, position, m)) = step.next else { return false };
    let target = m.to();
    let is_there =
        |role: Role| step.before.piece_at(target).is_some_and(|piece| piece.role == role);
    captured(step.before, step.m).is_some()
        && captured(position, m).is_some_and(|role| value(role) >= 3 && is_there(role))
        && target != step.m.to()
        && answer.to() != target
        && reach(step.before, step.m.to()).contains(target)
        && gains(position, m)
}

/// A defender has to go, by a check or because it takes, and what it defended is lost.
fn deflects(step: Step<'_>) -> bool {
    let Some((answer, position, m)) = step.next else { return false };
    let target = m.to();
    let forced = step.after.is_check() || answer.to() == step.m.to();
    let mates = position.play(m).is_ok_and(|end| end.is_checkmate());
    let wins = captured(position, m).is_some_and(|role| value(role) >= 3) && gains(position, m);
    forced
        && (mates || wins)
        && answer.to() != target
        && reach(step.after, answer.from()).contains(target)
        && !reach(position, answer.to()).contains(target)
}

/// The piece that stood before something is gone, and the one that drove it away takes what is behind.
fn is_skewer(step: Step<'_>) -> bool {
    let Some((answer, position, m)) = step.next else { return false };
    let Some(behind) = captured(position, m) else { return false };
    let front = role_at(step.after, answer.from());
    let slides = moved(step).is_some_and(|(piece, _)| piece.role.slides());
    slides
        && m.from() == step.m.to()
        && attacks::between(m.from(), m.to()).contains(answer.from())
        && reach(step.after, m.from()).contains(answer.from())
        && (front == Role::King || value(front) > value(behind))
        && value(behind) >= 3
        && answer.to() != m.to()
}

/// Whether a capture takes more than it can lose.
fn gains(position: &Position, m: Move) -> bool {
    let (own, taken) = (role_at(position, m.from()), captured(position, m).map_or(0, value));
    let Ok(after) = position.play(m) else { return false };
    let taken_back = after.legal_moves().iter().any(|answer| answer.to() == m.to());
    !taken_back || taken > value(own)
}

const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// The piece that has moved, as it is now, and where it stands; none after castling.
fn moved(step: Step<'_>) -> Option<(Piece, Square)> {
    let square = (step.m.kind() != MoveKind::Castle).then_some(step.m.to())?;
    Some((step.after.piece_at(square)?, square))
}

fn captured(position: &Position, m: Move) -> Option<Role> {
    match m.kind() {
        MoveKind::Castle => None,
        MoveKind::EnPassant => Some(Role::Pawn),
        _ => position.piece_at(m.to()).map(|piece| piece.role),
    }
}

/// What stands on a square; a pawn if nothing does, which is worth the least.
fn role_at(position: &Position, square: Square) -> Role {
    position.piece_at(square).map_or(Role::Pawn, |piece| piece.role)
}

/// What the piece on a square attacks and defends.
fn reach(position: &Position, square: Square) -> Bitboard {
    let occupied = position.board().occupied();
    let of = |piece| attacks::piece(piece, square, occupied);
    position.piece_at(square).map_or(Bitboard::EMPTY, of)
}

fn is_defended(position: &Position, square: Square) -> bool {
    let by = |piece: Piece| position.is_attacked(square, piece.color);
    position.piece_at(square).is_some_and(by)
}

/// Whether a piece can be taken at a profit: by something smaller, or as nobody defends it. A king takes nothing that
/// is defended.
fn is_lost(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    let attackers = position.attackers(square, !piece.color);
    let smallest = attackers.into_iter().map(|from| value(role_at(position, from))).min();
    smallest.is_some_and(|least| !is_defended(position, square) || least < value(piece.role))
}

/// Men beside kings and pawns.
fn pieces(position: &Position) -> u32 {
    let board = position.board();
    (board.occupied() - board.role(Role::Pawn) - board.role(Role::King)).len()
}
