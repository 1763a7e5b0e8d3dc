//! Why a move is refused.
//!
//! The generator produces legal moves only, so it cannot say what is wrong with another one. Here
//! the same rules are told once more, move by move, in the order in which a player would object.

use crate::{
    Bitboard, Color, File, IllegalMove, Move, MoveKind, PlacedPiece, Position, Rank, Role, Square,
    Wing, attacks,
};

impl Position {
    /// Why a move is not legal here, whatever move it is; none if it is legal.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let start = Position::initial();
    /// let reason = start.explain(Move::normal(Square::C1, Square::G5)).unwrap();
    /// assert_eq!(
    ///     reason.to_string(),
    ///     "The bishop on c1 cannot get to g5: the pawn on d2 is in the way."
    /// );
    /// assert_eq!(start.explain(Move::normal(Square::E2, Square::E4)), None);
    /// ```
    pub fn explain(&self, m: Move) -> Option<IllegalMove> {
        let to = Square::from_low_bits(m.target_bits());
        self.judge(m.from(), to, m.kind()).err()
    }

    /// Judges a move given by its squares (the second is the rook's for castling). Any squares
    /// will do, equal ones too.
    pub(crate) fn judge(
        &self,
        from: Square,
        to: Square,
        kind: MoveKind,
    ) -> Result<(), IllegalMove> {
        let piece = self.piece_at(from).ok_or(IllegalMove::NoPiece { from })?;
        let mover = PlacedPiece { piece, square: from };
        if piece.color != self.turn {
            return Err(IllegalMove::NotYourPiece { piece: mover });
        }
        let due = if kind == MoveKind::Castle {
            let wing = Wing::of(from, to);
            if piece.role != Role::King || from.rank() != to.rank() || from == to {
                return Err(IllegalMove::CannotMoveLikeThat { piece: mover, to });
            }
            self.judge_castling(from, Some(to), wing)?;
            MoveKind::Castle
        } else if let Some(wing) = self.walks_to_castle(mover, to) {
            self.judge_castling(from, self.castling_rook(self.turn, wing), wing)?;
            MoveKind::Castle
        } else {
            let due = match piece.role {
                Role::Pawn => self.judge_pawn(mover, to)?,
                _ => self.judge_piece(mover, to)?,
            };
            self.judge_safety(mover, to, due)?;
            due
        };
        match (kind, due) {
            _ if kind == due => Ok(()),
            (MoveKind::Promotion, _) => Err(IllegalMove::PromotionNotDue { piece: mover, to }),
            (_, MoveKind::Promotion) => Err(IllegalMove::PromotionMissing { from, to }),
            _ => Err(IllegalMove::WrongKind { from, to, kind: due }),
        }
    }

    /// The wing to which a king castles that goes several squares along its home rank.
    fn walks_to_castle(&self, mover: PlacedPiece, to: Square) -> Option<Wing> {
        let from = mover.square;
        let home = Rank::First.relative_to(self.turn);
        let wing = Wing::of(from, to);
        let walks = mover.piece.role == Role::King
            && (from.rank(), to.rank()) == (home, home)
            && from.distance(to) > 1
            && to.file() == wing.king_file();
        let meant = from.file() == File::E || self.castling_rook(self.turn, wing).is_some();
        (walks && meant).then_some(wing)
    }

    fn judge_castling(
        &self,
        king: Square,
        rook: Option<Square>,
        wing: Wing,
    ) -> Result<(), IllegalMove> {
        let rights = self.castling & self.board.color(self.turn);
        let rook = rook.filter(|&rook| rights.contains(rook));
        let rook = rook.ok_or(IllegalMove::CastlingRightLost { wing })?;
        let king_to = Square::new(wing.king_file(), king.rank());
        let rook_to = Square::new(wing.rook_file(), king.rank());
        let occupied = self.board.occupied();
        let others = occupied - king - rook;

        let walk = attacks::between(king, king_to) | king_to;
        let path = walk | attacks::between(rook, rook_to) | rook_to;
        let nearest = (path & others).into_iter().min_by_key(|blocker| blocker.distance(king));
        if let Some(blocker) = nearest.and_then(|square| self.placed_at(square)) {
            return Err(IllegalMove::CastlingBlocked { wing, blocker });
        }
        let checkers = self.placed(self.board.attackers(king, !self.turn, occupied));
        if !checkers.is_empty() {
            return Err(IllegalMove::CastlingInCheck { wing, checkers });
        }
        let mut squares: Vec<Square> = walk.into_iter().collect();
        squares.sort_by_key(|square| square.distance(king));
        for square in squares {
            let mut attackers = self.board.attackers(square, !self.turn, occupied - king);
            if square == king_to {
                // In Chess960 the rook may leave the king's new square open to the back rank.
                attackers |= self.board.attackers(king_to, !self.turn, others | rook_to);
            }
            if attackers.any() {
                let attackers = self.placed(attackers);
                return Err(IllegalMove::CastlingThroughCheck { wing, square, attackers });
            }
        }
        Ok(())
    }

    fn judge_pawn(&self, mover: PlacedPiece, to: Square) -> Result<MoveKind, IllegalMove> {
        let pawn = mover.square;
        let up = if self.turn == Color::White { 1 } else { -1 };
        let ahead = pawn.offset(0, up);
        let leap = pawn.offset(0, 2 * up);
        let target = self.placed_at(to);
        let step = ahead == Some(to) || leap == Some(to);
        if !step && !attacks::pawn(self.turn, pawn).contains(to) {
            return Err(IllegalMove::CannotMoveLikeThat { piece: mover, to });
        }
        if let Some(blocker) = target.filter(|target| target.piece.color == self.turn) {
            return Err(IllegalMove::OwnPieceOnTarget { piece: mover, blocker });
        }
        if step {
            if leap == Some(to) {
                if pawn.rank() != Rank::Second.relative_to(self.turn) {
                    return Err(IllegalMove::DoubleStepTooLate { pawn });
                }
                if let Some(blocker) = ahead.and_then(|ahead| self.placed_at(ahead)) {
                    return Err(IllegalMove::Blocked { piece: mover, to, blocker });
                }
            }
            if let Some(blocker) = target {
                return Err(IllegalMove::PawnBlocked { pawn, blocker });
            }
        } else if target.is_none() {
            if self.ep_square == Some(to) {
                return Ok(MoveKind::EnPassant);
            }
            let captured = Square::new(to.file(), pawn.rank());
            let beside = self.piece_at(captured) == Some(Role::Pawn.of(!self.turn));
            return Err(if beside && pawn.rank() == Rank::Fifth.relative_to(self.turn) {
                IllegalMove::EnPassantTooLate { pawn, captured }
            } else {
                IllegalMove::NothingToCapture { pawn, to }
            });
        }
        let last = to.rank() == Rank::Eighth.relative_to(self.turn);
        Ok(if last { MoveKind::Promotion } else { MoveKind::Normal })
    }

    /// Whether any piece but a pawn gets there.
    fn judge_piece(&self, mover: PlacedPiece, to: Square) -> Result<MoveKind, IllegalMove> {
        if !attacks::piece(mover.piece, mover.square, Bitboard::EMPTY).contains(to) {
            return Err(IllegalMove::CannotMoveLikeThat { piece: mover, to });
        }
        let target = self.placed_at(to);
        if let Some(blocker) = target.filter(|target| target.piece.color == self.turn) {
            return Err(IllegalMove::OwnPieceOnTarget { piece: mover, blocker });
        }
        let between = attacks::between(mover.square, to) & self.board.occupied();
        let nearest = between.into_iter().min_by_key(|blocker| blocker.distance(mover.square));
        match nearest.and_then(|square| self.placed_at(square)) {
            Some(blocker) => Err(IllegalMove::Blocked { piece: mover, to, blocker }),
            None => Ok(MoveKind::Normal),
        }
    }

    /// Whether the king is safe after a move that is right in every other way.
    fn judge_safety(
        &self,
        mover: PlacedPiece,
        to: Square,
        kind: MoveKind,
    ) -> Result<(), IllegalMove> {
        let (from, enemy) = (mover.square, !self.turn);
        let occupied = self.board.occupied();
        if mover.piece.role == Role::King {
            // Without the king itself: it cannot hide in its own shadow.
            let attackers = self.placed(self.board.attackers(to, enemy, occupied - from));
            return match attackers.is_empty() {
                true => Ok(()),
                false => Err(IllegalMove::IntoCheck { to, attackers }),
            };
        }
        let king = self.king(self.turn);
        let captured = match kind {
            MoveKind::EnPassant => Square::new(to.file(), from.rank()),
            _ => to,
        };
        let after = (occupied - from - captured) | to;
        let attackers = self.board.attackers(king, enemy, after) - captured;
        let checkers = self.board.attackers(king, enemy, occupied);
        let uncovered = (attackers - checkers).first();
        if attackers.any() && checkers.has_more_than_one() {
            Err(IllegalMove::DoubleCheck { checkers: self.placed(checkers) })
        } else if let Some(attacker) = uncovered.and_then(|square| self.placed_at(square)) {
            Err(if attacks::between(king, attacker.square).contains(captured) {
                IllegalMove::EnPassantExposesKing { to, attacker }
            } else {
                IllegalMove::Pinned { piece: mover, pinner: attacker }
            })
        } else if let Some(checker) = attackers.first().and_then(|square| self.placed_at(square)) {
            Err(IllegalMove::StillInCheck { checker })
        } else {
            Ok(())
        }
    }

    fn placed_at(&self, square: Square) -> Option<PlacedPiece> {
        Some(PlacedPiece { piece: self.piece_at(square)?, square })
    }

    fn placed(&self, squares: Bitboard) -> Vec<PlacedPiece> {
        squares.into_iter().filter_map(|square| self.placed_at(square)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_text::tests::varied_positions;
    use Square::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Checks the sentences for moves in a position.
    fn says(fen: &str, expected: &[(Move, &str)]) {
        let position: Position = fen.parse().unwrap();
        for (m, sentence) in expected {
            let reason = position.explain(*m).map(|reason| reason.to_string());
            assert_eq!(reason.as_deref(), Some(*sentence), "{m:?} in {fen}");
        }
    }

    fn queen(from: Square, to: Square) -> Move {
        Move::promotion(from, to, Role::Queen).unwrap()
    }

    #[test]
    fn agrees_with_the_generator_about_every_conceivable_move() {
        for position in varied_positions() {
            for m in (0..=u16::MAX).filter_map(Move::from_bits) {
                let legal = position.is_legal(m);
                assert_eq!(position.explain(m).is_none(), legal, "{m:?} in {position}");
            }
        }
    }

    #[test]
    fn the_wrong_piece() {
        says(
            START,
            &[
                (Move::normal(E4, E5), "There is no piece on e4."),
                (Move::castle(E4, H4), "There is no piece on e4."),
                (Move::normal(G8, F6), "The knight on g8 is Black's, and it is White's move."),
            ],
        );
        says(
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            &[(Move::normal(E2, E4), "The pawn on e2 is White's, and it is Black's move.")],
        );
    }

    #[test]
    fn the_wrong_way() {
        says(
            START,
            &[
                (Move::normal(C1, C3), "A bishop does not move like that."),
                (Move::normal(E1, E3), "A king does not move like that."),
                (Move::normal(A2, A5), "A pawn does not move like that."),
                (Move::normal(B1, B1), "A knight does not move like that."),
                (Move::castle(D1, H1), "A queen does not move like that."),
                (Move::castle(E1, E8), "A king does not move like that."),
                (
                    Move::normal(A1, A2),
                    "The rook on a1 cannot go to a2: your own pawn stands there.",
                ),
                (
                    Move::normal(A1, A5),
                    "The rook on a1 cannot get to a5: the pawn on a2 is in the way.",
                ),
            ],
        );
        // Of two pieces in the way, the nearer one counts, in both directions.
        says(
            "6k1/8/8/8/Q1n1p2q/8/8/2K5 w - - 0 1",
            &[(
                Move::normal(A4, H4),
                "The queen on a4 cannot get to h4: the knight on c4 is in the way.",
            )],
        );
        says(
            "6k1/8/8/8/Q1n1p2q/8/8/2K5 b - - 0 1",
            &[(
                Move::normal(H4, A4),
                "The queen on h4 cannot get to a4: the pawn on e4 is in the way.",
            )],
        );
    }

    #[test]
    fn pawns() {
        says(
            "4k3/8/8/4n3/n2nP3/PP2p3/2P1P3/4K3 w - - 0 1",
            &[
                (
                    Move::normal(E4, E5),
                    "The pawn on e4 is blocked by the knight on e5: a pawn captures diagonally.",
                ),
                (
                    Move::normal(A3, A4),
                    "The pawn on a3 is blocked by the knight on a4: a pawn captures diagonally.",
                ),
                (
                    Move::normal(B3, B5),
                    "The pawn on b3 cannot go two squares: it has already moved.",
                ),
                (
                    Move::normal(E2, E4),
                    "The pawn on e2 cannot go to e4: your own pawn stands there.",
                ),
                (
                    Move::normal(C2, D3),
                    "The pawn on c2 cannot go to d3: a pawn moves diagonally only to capture, \
                     and nothing stands there.",
                ),
                (
                    Move::normal(C2, B3),
                    "The pawn on c2 cannot go to b3: your own pawn stands there.",
                ),
                (Move::normal(C2, C1), "A pawn does not move like that."),
            ],
        );
        says(
            "4k3/3p4/3N4/8/8/8/8/4K3 b - - 0 1",
            &[(
                Move::normal(D7, D5),
                "The pawn on d7 cannot get to d5: the knight on d6 is in the way.",
            )],
        );
    }

    #[test]
    fn en_passant() {
        let late = "En passant is possible only right after the pawn has moved two squares.";
        says(
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            &[(Move::normal(E5, D6), late), (Move::en_passant(E5, D6), late)],
        );
        says("4k3/8/8/8/1pP5/8/8/4K3 b - - 0 1", &[(Move::en_passant(B4, C3), late)]);
        let exposed =
            "Taking en passant on d6 would open the line from the rook on h5 to your king.";
        says(
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
            &[(Move::normal(E5, D6), exposed), (Move::en_passant(E5, D6), exposed)],
        );
        // The double step has uncovered the bishop.
        says(
            "2b1k3/8/8/3pP3/8/7K/8/8 w - d6 0 1",
            &[(
                Move::en_passant(E5, D6),
                "Your king is in check from the bishop on c8, and this move does not stop it.",
            )],
        );
        // Here the pawn is pinned by itself, whatever becomes of the other.
        says(
            "k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            &[(
                Move::en_passant(E5, D6),
                "That pawn is pinned by the rook on e8: moving it would leave your king in check.",
            )],
        );
        says(
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            &[(Move::normal(E5, D6), "The move from e5 to d6 has to be given as en passant.")],
        );
        says(
            START,
            &[(
                Move::en_passant(G1, F3),
                "The move from g1 to f3 has to be given as an ordinary move.",
            )],
        );
    }

    #[test]
    fn promotion() {
        says(
            "4k3/P7/8/8/8/8/8/4K1N1 w - - 0 1",
            &[
                (
                    Move::normal(A7, A8),
                    "The pawn is promoted on a8: say whether to a queen, rook, bishop or knight.",
                ),
                (queen(G1, F3), "The knight on g1 cannot be promoted: only a pawn can."),
                (
                    queen(A7, B8),
                    "The pawn on a7 cannot go to b8: a pawn moves diagonally only to capture, \
                     and nothing stands there.",
                ),
            ],
        );
        says(
            START,
            &[(queen(E2, E4), "The pawn on e2 is not promoted on e4: only on the last rank.")],
        );
        // That the pawn may not move at all is said before what it should become.
        says(
            "8/K3P2r/8/8/8/8/8/k7 w - - 0 1",
            &[(
                Move::normal(E7, E8),
                "That pawn is pinned by the rook on h7: moving it would leave your king in check.",
            )],
        );
    }

    #[test]
    fn the_king_in_danger() {
        says(
            "4k3/8/8/1b6/8/8/r7/4K3 w - - 0 1",
            &[
                (
                    Move::normal(E1, E2),
                    "The king cannot go to e2: the rook on a2 and the bishop on b5 attack that \
                     square.",
                ),
                (
                    Move::normal(E1, D2),
                    "The king cannot go to d2: the rook on a2 attacks that square.",
                ),
            ],
        );
        says(
            "8/8/8/8/8/4k3/8/4K3 w - - 0 1",
            &[(
                Move::normal(E1, E2),
                "The king cannot go to e2: the king on e3 attacks that square.",
            )],
        );
        // Stepping back along the line of the check.
        says(
            "4r1k1/8/8/8/8/8/4K3/8 w - - 0 1",
            &[(
                Move::normal(E2, E1),
                "The king cannot go to e1: the rook on e8 attacks that square.",
            )],
        );
        // A protected piece.
        says(
            "4k3/8/8/8/1b6/8/3q4/4K3 w - - 0 1",
            &[(
                Move::normal(E1, D2),
                "The king cannot go to d2: the bishop on b4 attacks that square.",
            )],
        );
        says(
            "4k3/8/8/1b6/8/3N4/8/5K2 w - - 0 1",
            &[(
                Move::normal(D3, E5),
                "That knight is pinned by the bishop on b5: moving it would leave your king in \
                 check.",
            )],
        );
        says(
            "4r1k1/8/8/8/8/8/8/N3K3 w - - 0 1",
            &[(
                Move::normal(A1, B3),
                "Your king is in check from the rook on e8, and this move does not stop it.",
            )],
        );
        says(
            "4r1k1/8/8/8/8/5n2/6P1/4K3 w - - 0 1",
            &[(
                Move::normal(G2, F3),
                "Your king is in double check from the knight on f3 and the rook on e8: only the \
                 king may move.",
            )],
        );
    }

    #[test]
    fn castling() {
        says(
            START,
            &[
                (
                    Move::castle(E1, H1),
                    "You cannot castle king side: the bishop on f1 is in the way.",
                ),
                (
                    Move::normal(E1, G1),
                    "You cannot castle king side: the bishop on f1 is in the way.",
                ),
                (
                    Move::castle(E1, A1),
                    "You cannot castle queen side: the queen on d1 is in the way.",
                ),
            ],
        );
        says(
            "4k3/8/8/8/8/8/8/RN2K2R w Q - 0 1",
            &[
                (
                    Move::castle(E1, H1),
                    "You can no longer castle king side: the king or the rook has moved.",
                ),
                (
                    Move::normal(E1, G1),
                    "You can no longer castle king side: the king or the rook has moved.",
                ),
                (
                    Move::castle(E1, A1),
                    "You cannot castle queen side: the knight on b1 is in the way.",
                ),
            ],
        );
        says(
            "4k3/4r3/8/8/8/8/8/R3K3 w Q - 0 1",
            &[(
                Move::castle(E1, A1),
                "You cannot castle queen side: your king is in check from the rook on e7.",
            )],
        );
        says(
            "3rk1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            &[
                (
                    Move::castle(E1, A1),
                    "You cannot castle queen side: the king would pass over d1, which the rook on \
                     d8 attacks.",
                ),
                (
                    Move::castle(E1, H1),
                    "You cannot castle king side: the king would end on g1, which the rook on g8 \
                     attacks.",
                ),
            ],
        );
        // The rook on b1 hides c1 from the rook on a1 until it castles.
        says(
            "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
            &[(
                Move::castle(E1, B1),
                "You cannot castle queen side: the king would end on c1, which the rook on a1 \
                 attacks.",
            )],
        );
        says(
            "4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
            &[(Move::normal(E8, G8), "The move from e8 to g8 has to be given as castling.")],
        );
    }
}
