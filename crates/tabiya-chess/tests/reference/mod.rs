//! The rules of chess written a second time, as slowly and plainly as can be, to judge the library
//! by. It shares nothing with the library but the names of squares and pieces.
//!
//! The board is a list of 64 squares. Pieces walk square by square. A move is legal if it can be
//! made on a copy of the board and the king can then not be captured.

use tabiya_chess::{Color, Piece, Role, Square};

/// From, to, what the pawn becomes, and the rook the king castles with.
pub(crate) type PlainMove = (Square, Square, Option<Role>, Option<Square>);

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROUND: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reference {
    squares: [Option<Piece>; 64],
    pub(crate) turn: Color,
    /// The rooks that may still castle, in no order that matters.
    pub(crate) castling: Vec<Square>,
    /// The square a pawn has just passed over.
    pub(crate) ep_square: Option<Square>,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
}

fn opponent(color: Color) -> Color {
    if color == Color::White { Color::Black } else { Color::White }
}

/// File and rank, from 0.
fn coordinates(square: Square) -> (i8, i8) {
    let index = square as i8;
    (index % 8, index / 8)
}

fn square_at(file: i8, rank: i8) -> Option<Square> {
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| Square::ALL[(8 * rank + file) as usize])
}

fn step(from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let (file, rank) = coordinates(from);
    square_at(file + files, rank + ranks)
}

/// The rank on which a side's king and rooks start, and the way its pawns go.
fn home_and_forward(color: Color) -> (i8, i8) {
    if color == Color::White { (0, 1) } else { (7, -1) }
}

impl Reference {
    /// Reads a FEN that is known to be good: six fields, castling as `KQkq` or as files.
    pub(crate) fn read(fen: &str) -> Reference {
        let fields: Vec<&str> = fen.split(' ').collect();
        assert_eq!(fields.len(), 6, "{fen}");
        let mut squares = [None; 64];
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    squares[8 * (7 - row) + file] = Some(piece(letter));
                    file += 1;
                }
            }
        }
        let named = |text: &str| Square::ALL.into_iter().find(|square| square.to_string() == text);
        let mut position = Reference {
            squares,
            turn: if fields[1] == "w" { Color::White } else { Color::Black },
            castling: Vec::new(),
            ep_square: named(fields[3]),
            halfmove_clock: fields[4].parse().unwrap(),
            fullmove_number: fields[5].parse().unwrap(),
        };
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            let color = if letter.is_uppercase() { Color::White } else { Color::Black };
            let rook = position.rook_for(letter.to_ascii_lowercase(), color);
            position.castling.push(rook);
        }
        position
    }

    /// The rook that `k`, `q` or a file letter stands for.
    fn rook_for(&self, letter: char, color: Color) -> Square {
        let (home, _) = home_and_forward(color);
        let king = coordinates(self.king(color)).0;
        let rook_on = |file: &i8| self.holds(square_at(*file, home).unwrap(), color, Role::Rook);
        let file = match letter {
            'k' => (king..8).rev().find(rook_on),
            'q' => (0..king).find(rook_on),
            _ => Some(letter as i8 - b'a' as i8),
        };
        square_at(file.unwrap(), home).unwrap()
    }

    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.squares[square as usize]
    }

    fn holds(&self, square: Square, color: Color, role: Role) -> bool {
        self.piece_at(square) == Some(Piece { color, role })
    }

    fn is_empty(&self, square: Square) -> bool {
        self.piece_at(square).is_none()
    }

    pub(crate) fn king(&self, color: Color) -> Square {
        Square::ALL.into_iter().find(|&square| self.holds(square, color, Role::King)).unwrap()
    }

    fn pieces_of(&self, color: Color) -> impl Iterator<Item = (Square, Role)> + '_ {
        Square::ALL.into_iter().filter_map(move |square| {
            let piece = self.piece_at(square)?;
            (piece.color == color).then_some((square, piece.role))
        })
    }

    /// Visits the squares where the piece could capture.
    fn each_attack(&self, from: Square, mut visit: impl FnMut(Square)) {
        let Some(piece) = self.piece_at(from) else { return };
        let (_, forward) = home_and_forward(piece.color);
        let pawn_captures = [(-1, forward), (1, forward)];
        let (directions, far): (&[(i8, i8)], bool) = match piece.role {
            Role::Pawn => (&pawn_captures, false),
            Role::Knight => (&LEAPS, false),
            Role::Bishop => (&DIAGONAL, true),
            Role::Rook => (&STRAIGHT, true),
            Role::Queen => (&ROUND, true),
            Role::King => (&ROUND, false),
        };
        for &direction in directions {
            let mut at = from;
            while let Some(next) = step(at, direction) {
                visit(next);
                if !far || !self.is_empty(next) {
                    break;
                }
                at = next;
            }
        }
    }

    /// The pieces of a side that could capture on the square.
    pub(crate) fn attackers(&self, target: Square, by: Color) -> Vec<Square> {
        let mut attackers = Vec::new();
        for (from, _) in self.pieces_of(by) {
            self.each_attack(from, |square| {
                if square == target {
                    attackers.push(from);
                }
            });
        }
        attackers
    }

    fn is_attacked(&self, target: Square, by: Color) -> bool {
        let mut attacked = false;
        for (from, _) in self.pieces_of(by) {
            self.each_attack(from, |square| attacked |= square == target);
        }
        attacked
    }

    /// Whether the king could be captured if the opponent were to move.
    pub(crate) fn in_check(&self, color: Color) -> bool {
        self.is_attacked(self.king(color), opponent(color))
    }

    /// The pieces of a side that shield their king: take one away, and a piece that did not attack
    /// the king does.
    pub(crate) fn pinned(&self, color: Color) -> Vec<Square> {
        let king = self.king(color);
        let before = self.attackers(king, opponent(color)).len();
        let shields = |&(square, role): &(Square, Role)| {
            let mut without = self.clone();
            without.squares[square as usize] = None;
            role != Role::King && without.attackers(king, opponent(color)).len() > before
        };
        self.pieces_of(color).filter(shields).map(|(square, _)| square).collect()
    }

    /// All legal moves, sorted.
    pub(crate) fn legal_moves(&self) -> Vec<PlainMove> {
        let mut moves = Vec::new();
        for (from, role) in self.pieces_of(self.turn) {
            if role == Role::Pawn {
                self.pawn_moves(from, &mut moves);
            } else {
                self.each_attack(from, |to| {
                    if self.piece_at(to).is_none_or(|piece| piece.color != self.turn) {
                        moves.push((from, to, None, None));
                    }
                });
            }
        }
        moves.extend(self.castling.iter().filter_map(|&rook| self.castle(rook)));
        moves.retain(|&m| !self.play(m).in_check(self.turn));
        moves.sort();
        moves
    }

    fn pawn_moves(&self, from: Square, moves: &mut Vec<PlainMove>) {
        let (home, forward) = home_and_forward(self.turn);
        let mut targets = Vec::new();
        let ahead = step(from, (0, forward)).filter(|&to| self.is_empty(to));
        targets.extend(ahead);
        if coordinates(from).1 == home + forward && ahead.is_some() {
            targets.extend(step(from, (0, 2 * forward)).filter(|&to| self.is_empty(to)));
        }
        self.each_attack(from, |to| {
            let enemy = self.piece_at(to).is_some_and(|piece| piece.color != self.turn);
            if enemy || self.ep_square == Some(to) {
                targets.push(to);
            }
        });
        for to in targets {
            if coordinates(to).1 == 7 - home {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    moves.push((from, to, Some(role), None));
                }
            } else {
                moves.push((from, to, None, None));
            }
        }
    }

    /// Castling with a rook that has the right to, unless something stands in the way of king or
    /// rook, or the king is in check or passes an attacked square.
    fn castle(&self, rook: Square) -> Option<PlainMove> {
        let king = self.king(self.turn);
        let ((king_file, home), (rook_file, rook_rank)) = (coordinates(king), coordinates(rook));
        if rook_rank != home || !self.holds(rook, self.turn, Role::Rook) {
            return None; // the opponent's right
        }
        let (king_to, rook_to) = castled_files(king_file, rook_file);
        let span =
            |a: i8, b: i8| (a.min(b)..=a.max(b)).map(move |file| square_at(file, home).unwrap());
        let free = |square: Square| self.is_empty(square) || square == king || square == rook;
        let way_is_free = span(king_file, king_to).chain(span(rook_file, rook_to)).all(free);
        let safe = |square| !self.is_attacked(square, opponent(self.turn));
        let walk_is_safe = span(king_file, king_to).all(safe);
        let to = square_at(king_to, home)?;
        (way_is_free && walk_is_safe).then_some((king, to, None, Some(rook)))
    }

    /// The position after a move, which need not be legal.
    pub(crate) fn play(&self, (from, to, promotion, castling_rook): PlainMove) -> Reference {
        let mut next = self.clone();
        let color = self.turn;
        let piece = self.piece_at(from).unwrap();
        let captured = self.piece_at(to).filter(|_| castling_rook.is_none());
        let is_pawn = piece.role == Role::Pawn;
        next.squares[from as usize] = None;
        if let Some(rook) = castling_rook {
            let (_, rook_to) = castled_files(coordinates(from).0, coordinates(rook).0);
            let rook_to = square_at(rook_to, coordinates(rook).1).unwrap();
            next.squares[rook as usize] = None;
            next.squares[rook_to as usize] = Some(Piece { color, role: Role::Rook });
        }
        let role = promotion.unwrap_or(piece.role);
        next.squares[to as usize] = Some(Piece { color, role });
        let (_, forward) = home_and_forward(color);
        if is_pawn && self.ep_square == Some(to) {
            next.squares[step(to, (0, -forward)).unwrap() as usize] = None;
        }
        next.ep_square = None;
        if is_pawn && (from as i8 - to as i8).abs() == 16 {
            next.ep_square = step(from, (0, forward));
        }
        next.castling.retain(|&rook| {
            let king_moved = piece.role == Role::King && coordinates(rook).1 == coordinates(from).1;
            let own = self.piece_at(rook).is_some_and(|piece| piece.color == color);
            rook != from && rook != to && !(king_moved && own)
        });
        let resets = is_pawn || captured.is_some();
        next.halfmove_clock = if resets { 0 } else { self.halfmove_clock + 1 };
        next.fullmove_number += if color == Color::Black { 1 } else { 0 };
        next.turn = opponent(color);
        next
    }
}

/// The files king and rook castle to: c and d on the queen side, g and f on the king side.
fn castled_files(king: i8, rook: i8) -> (i8, i8) {
    if rook < king { (2, 3) } else { (6, 5) }
}

fn piece(letter: char) -> Piece {
    let role = match letter.to_ascii_lowercase() {
        'p' => Role::Pawn,
        'n' => Role::Knight,
        'b' => Role::Bishop,
        'r' => Role::Rook,
        'q' => Role::Queen,
        'k' => Role::King,
        _ => panic!("{letter} is no piece"),
    };
    Piece { color: if letter.is_uppercase() { Color::White } else { Color::Black }, role }
}
