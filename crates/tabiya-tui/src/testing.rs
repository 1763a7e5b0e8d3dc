//! Views and tables for tests: no rules, only what is needed to look at.

use crate::app::App;
use crate::theme::{Depth, ThemeName};
use tabiya_play::{
    Captured, Draw, Kind, Man, Place, Played, Reach, Seat, Shape, Side, Target, View,
};

pub(crate) fn place(name: &str) -> Place {
    name.parse().unwrap()
}

pub(crate) fn played(side: Side, number: u32, text: &str) -> Played {
    let at = place("a1");
    Played { side, number, text: text.into(), code: "a1a1".into(), from: at, to: at }
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

fn empty(kind: Kind, size: u8) -> View {
    View {
        sequence: 0,
        kind,
        columns: size,
        rows: size,
        men: Vec::new(),
        reach: Vec::new(),
        last: None,
        check: None,
        turn: Side::White,
        seats: [seat("You", true), seat("Tabiya, level 1200", false)],
        moves: Vec::new(),
        redoable: 0,
        bottom: Side::White,
        marks: Vec::new(),
        draw: Draw::default(),
        take_back: None,
        shows_threats: false,
        shows_opinion: false,
        opinion: None,
        end: None,
        status: "Your move".into(),
    }
}

/// The men of the first field of a FEN.
pub(crate) fn men(fen: &str) -> Vec<Man> {
    let mut men = Vec::new();
    for (row, text) in fen.split('/').rev().enumerate() {
        let mut column = 0;
        for letter in text.chars() {
            if let Some(skip) = letter.to_digit(10) {
                column += skip as u8;
                continue;
            }
            let shape = match letter.to_ascii_lowercase() {
                'p' => Shape::Pawn,
                'n' => Shape::Knight,
                'b' => Shape::Bishop,
                'r' => Shape::Rook,
                'q' => Shape::Queen,
                _ => Shape::King,
            };
            let side = if letter.is_uppercase() { Side::White } else { Side::Black };
            men.push(Man { at: Place { column, row: row as u8 }, side, shape });
            column += 1;
        }
    }
    men
}

/// Where a piece may go; `x` before a square takes, `=` promotes.
pub(crate) fn reach(from: &str, to: &str) -> Reach {
    let target = |name: &str| Target {
        at: place(name.trim_start_matches(['x', '='])),
        takes: name.starts_with('x'),
        becomes: if name.contains('=') {
            vec![Shape::Queen, Shape::Rook, Shape::Bishop, Shape::Knight]
        } else {
            Vec::new()
        },
    };
    Reach { from: place(from), to: to.split_whitespace().map(target).collect() }
}

/// The start of a game of chess.
pub(crate) fn chess() -> View {
    let mut view = empty(Kind::Chess, 8);
    view.men = men("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    for file in 'a'..='h' {
        view.reach.push(reach(&format!("{file}2"), &format!("{file}3 {file}4")));
    }
    view.reach.push(reach("b1", "a3 c3"));
    view.reach.push(reach("g1", "f3 h3"));
    view
}

/// A middle game with everything to see: the last move, a hint, a threat, what was taken.
pub(crate) fn middle_game() -> View {
    let mut view = empty(Kind::Chess, 8);
    view.men = men("r1bqk2r/ppp2ppp/2n5/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R");
    view.reach = vec![
        reach("f3", "xf7 xd5 e4 g3 h3 f4 f5 f6 e3 d3 c3 b3 a3 g4 h5 e2 d1"),
        reach("c4", "xd5 b5 a6 b3 d3 e2 f1"),
        reach("e1", "f1 g1 e2 d1"),
    ];
    view.last = Some((place("f6"), place("d5")));
    view.seats[0].captured = Captured { shapes: vec![Shape::Knight, Shape::Pawn], lead: Some(1) };
    view.seats[1].captured = Captured { shapes: vec![Shape::Knight], lead: None };
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
pub(crate) fn bishops(size: u8) -> View {
    let mut view = empty(Kind::Bishops, size);
    let mut put = |column: u8, row: u8, side, shape| {
        if column < size && row < size {
            view.men.push(Man { at: Place { column, row }, side, shape });
        }
    };
    put(0, 0, Side::White, Shape::King);
    put(size - 1, size - 1, Side::Black, Shape::King);
    for i in (1..size).step_by(3) {
        put(i, 0, Side::White, Shape::Bishop);
        put(i, size - 1, Side::Black, Shape::Bishop);
    }
    view.reach = vec![reach("b1", "a2 c2")];
    view
}

/// A screen with all colours; the plain theme has none, whatever the terminal.
pub(crate) fn screen(view: View, width: u16, height: u16, theme: ThemeName) -> App {
    App::new(view, (width, height), theme, Depth::True, false)
}
