//! The rules once more, slow and obvious, for comparison: squares of an array, one piece after the
//! other, every move tried.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) use tabiya_base::Random;
use tabiya_puzzle::{Board, Cell, Kind, Move, Piece, Side, Size};

#[derive(Clone)]
pub(crate) struct Slow {
    size: i32,
    /// Column after column, both counted from 0.
    grid: Vec<Option<(Side, Kind)>>,
}

impl Slow {
    pub(crate) fn new(board: &Board) -> Slow {
        let size = i32::from(board.size().get());
        let mut slow = Slow { size, grid: vec![None; board.size().area()] };
        for piece in board.pieces() {
            slow.set(place(piece.cell), Some((piece.side, piece.kind)));
        }
        slow
    }

    fn at(&self, (x, y): (i32, i32)) -> Option<(Side, Kind)> {
        self.grid[(x * self.size + y) as usize]
    }

    fn set(&mut self, (x, y): (i32, i32), piece: Option<(Side, Kind)>) {
        self.grid[(x * self.size + y) as usize] = piece;
    }

    fn places(&self) -> impl Iterator<Item = (i32, i32)> {
        let size = self.size;
        (0..size).flat_map(move |x| (0..size).map(move |y| (x, y)))
    }

    fn pieces(&self, side: Side) -> Vec<((i32, i32), Kind)> {
        self.places()
            .filter_map(|place| match self.at(place) {
                Some((owner, kind)) if owner == side => Some((place, kind)),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn can_reach(
        &self,
        side: Side,
        kind: Kind,
        from: (i32, i32),
        to: (i32, i32),
    ) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if (dx, dy) == (0, 0) || self.at(to).is_some_and(|(owner, _)| owner == side) {
            return false;
        }
        match kind {
            Kind::King => dx.abs() <= 1 && dy.abs() <= 1,
            Kind::Bishop => {
                dx.abs() == dy.abs()
                    && (1..dx.abs()).all(|step| {
                        self.at((from.0 + step * dx.signum(), from.1 + step * dy.signum()))
                            .is_none()
                    })
            }
        }
    }

    pub(crate) fn is_check(&self, side: Side) -> bool {
        let mut kings = self.places().filter(|&place| self.at(place) == Some((side, Kind::King)));
        kings.any(|king| {
            self.places().any(|from| match self.at(from) {
                Some((owner, kind)) if owner != side => self.can_reach(owner, kind, from, king),
                _ => false,
            })
        })
    }

    pub(crate) fn legal_moves(&self, side: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, kind) in self.pieces(side) {
            for to in self.places() {
                if !self.can_reach(side, kind, from, to)
                    || self.at(to).is_some_and(|(_, kind)| kind == Kind::King)
                {
                    continue;
                }
                let mut next = self.clone();
                next.set(from, None);
                next.set(to, Some((side, kind)));
                if !next.is_check(side) {
                    moves.push(Move { from: cell(from), to: cell(to) });
                }
            }
        }
        moves.sort();
        moves
    }
}

pub(crate) fn place(cell: Cell) -> (i32, i32) {
    (i32::from(cell.x()) - 1, i32::from(cell.y()) - 1)
}

fn cell((x, y): (i32, i32)) -> Cell {
    Cell::at(x as u8 + 1, y as u8 + 1).unwrap()
}

/// A board with so many kings a side and any number of bishops, from none to all that fit.
pub(crate) fn random_board(random: &mut Random, size: Size, kings: [usize; 2]) -> Board {
    let mut board = Board::new(size);
    let mut free: Vec<Cell> = size.cells().into_iter().collect();
    let mut put = |random: &mut Random, side, kind| {
        let cell = free.swap_remove(random.below(free.len()));
        board.put(Piece { side, kind, cell }).unwrap();
    };
    for side in Side::ALL {
        (0..kings[side as usize]).for_each(|_| put(random, side, Kind::King));
    }
    // Sparse boards as often as full ones.
    let room = size.area() - kings[0] - kings[1];
    let most = match random.below(3) {
        0 => room,
        1 => room / 3,
        _ => room.min(2 * usize::from(size.get())),
    };
    let bishops = random.below(most + 1);
    let white = random.below(11);
    for _ in 0..bishops {
        let side = if random.below(10) < white { Side::White } else { Side::Black };
        put(random, side, Kind::Bishop);
    }
    board
}
