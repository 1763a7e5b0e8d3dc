//! Views and tables for tests: no rules, only what is needed to look at.

use crate::app::App;
use crate::theme::{Depth, ThemeName};
use tabiya_view::{
    Captured, Coord, Destination, Destinations, Draw, GameKind, GameView, PieceRole, PieceView,
    PlayedMove, Seat, Side,
};

pub(crate) fn place(name: &str) -> Coord {
    name.parse().unwrap()
}

pub(crate) fn played(side: Side, number: u32, text: &str) -> PlayedMove {
    let at = place("a1");
    PlayedMove { side, number, san: text.into(), uci: "a1a1".into(), from: at, to: at }
}

fn seat(name: &str, person: bool) -> Seat {
    Seat {
        name: name.into(),
        person,
        clock: None,
        ticking: false,
        thinking: false,
        captured: Captured::default(),
    }
}

fn empty(kind: GameKind, size: u8) -> GameView {
    GameView {
        sequence: 0,
        kind,
        columns: size,
        rows: size,
        pieces: Vec::new(),
        destinations: Vec::new(),
        last: None,
        check: None,
        turn: Side::White,
        seats: [seat("You", true), seat("Tabiya, level 1200", false)],
        moves: Vec::new(),
        spent: Vec::new(),
        redoable: 0,
        hint: None,
        threats: Vec::new(),
        draw: Draw::default(),
        take_back: None,
        take_back_declined: None,
        evaluation: None,
        end: None,
        status: "Your move".into(),
    }
}

/// The pieces of the first field of a FEN.
pub(crate) fn pieces(fen: &str) -> Vec<PieceView> {
    let mut pieces = Vec::new();
    for (row, text) in fen.split('/').rev().enumerate() {
        let mut column = 0;
        for letter in text.chars() {
            if let Some(skip) = letter.to_digit(10) {
                column += skip as u8;
                continue;
            }
            let role = match letter.to_ascii_lowercase() {
                'p' => PieceRole::Pawn,
                'n' => PieceRole::Knight,
                'b' => PieceRole::Bishop,
                'r' => PieceRole::Rook,
                'q' => PieceRole::Queen,
                _ => PieceRole::King,
            };
            let side = if letter.is_uppercase() { Side::White } else { Side::Black };
            pieces.push(PieceView { square: Coord { column, row: row as u8 }, side, role });
            column += 1;
        }
    }
    pieces
}

/// Where a piece may go; `x` before a square takes, `=` promotes.
pub(crate) fn destinations(from: &str, to: &str) -> Destinations {
    let target = |name: &str| Destination {
        square: place(name.trim_start_matches(['x', '='])),
        takes: name.starts_with('x'),
        promotions: if name.contains('=') {
            vec![PieceRole::Queen, PieceRole::Rook, PieceRole::Bishop, PieceRole::Knight]
        } else {
            Vec::new()
        },
    };
    Destinations { from: place(from), to: to.split_whitespace().map(target).collect() }
}

/// The start of a game of chess.
pub(crate) fn chess() -> GameView {
    let mut view = empty(GameKind::Chess, 8);
    view.pieces = pieces("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    for file in 'a'..='h' {
        view.destinations.push(destinations(&format!("{file}2"), &format!("{file}3 {file}4")));
    }
    view.destinations.push(destinations("b1", "a3 c3"));
    view.destinations.push(destinations("g1", "f3 h3"));
    view
}

/// A middle game with everything to see: the last move, a hint, a threat, what was taken.
pub(crate) fn middle_game() -> GameView {
    let mut view = empty(GameKind::Chess, 8);
    view.pieces = pieces("r1bqk2r/ppp2ppp/2n5/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R");
    view.destinations = vec![
        destinations("f3", "xf7 xd5 e4 g3 h3 f4 f5 f6 e3 d3 c3 b3 a3 g4 h5 e2 d1"),
        destinations("c4", "xd5 b5 a6 b3 d3 e2 f1"),
        destinations("e1", "f1 g1 e2 d1"),
    ];
    view.last = Some((place("f6"), place("d5")));
    view.seats[0].captured =
        Captured { roles: vec![PieceRole::Knight, PieceRole::Pawn], lead: Some(1) };
    view.seats[1].captured = Captured { roles: vec![PieceRole::Knight], lead: None };
    for (index, pair) in
        ["e4 e5", "Nf3 Nc6", "Bc4 Nf6", "Ng5 d5", "exd5 Nxd5"].into_iter().enumerate()
    {
        for (side, text) in [Side::White, Side::Black].into_iter().zip(pair.split(' ')) {
            view.moves.push(played(side, index as u32 + 1, text));
        }
    }
    view
}

/// A bishop-and-king game with some pieces of both sides.
pub(crate) fn bishops(size: u8) -> GameView {
    let mut view = empty(GameKind::Bishops, size);
    let mut put = |column: u8, row: u8, side, role| {
        if column < size && row < size {
            view.pieces.push(PieceView { square: Coord { column, row }, side, role });
        }
    };
    put(0, 0, Side::White, PieceRole::King);
    put(size - 1, size - 1, Side::Black, PieceRole::King);
    for i in (1..size).step_by(3) {
        put(i, 0, Side::White, PieceRole::Bishop);
        put(i, size - 1, Side::Black, PieceRole::Bishop);
    }
    view.destinations = vec![destinations("b1", "a2 c2")];
    view
}

/// A screen with all colours; the plain theme has none, whatever the terminal.
pub(crate) fn screen(view: GameView, width: u16, height: u16, theme: ThemeName) -> App {
    App::new(view, (width, height), theme, Depth::True, false)
}
