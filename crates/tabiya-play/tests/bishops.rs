//! The bishop-and-king game at the same table.

mod common;

use common::*;
use tabiya_play::{
    Coord, GameController, GameKind, GameSetup, Minutes, Past, PieceRole, Player, Request, Session,
    Side, Start,
};
use tabiya_puzzle::{Recipe, Size};

fn bishops(board: &str, players: [&str; 2]) -> Session {
    let players = players.map(player);
    let setup = GameSetup { players, seed: 1, ..GameSetup::new(Start::bishops(board).unwrap()) };
    Session::restore(setup, &Past::default(), deps()).unwrap()
}

const FIVE: &str = "5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3";
const MATE_IN_ONE: &str = "3\nKc1, Ba3, Bb3\nKa1";

#[test]
fn the_view_has_the_board_and_where_pieces_go() {
    let view = bishops(FIVE, ["human", "human"]).view();
    assert_eq!((view.kind, view.columns, view.rows), (GameKind::Bishops, 5, 5));
    assert_eq!(view.pieces.len(), 7);
    // The bishop on e3 gives check: it may be taken, or the king goes.
    assert_eq!(view.check.unwrap().to_string(), "c5");
    assert!(view.destinations.iter().any(|reach| reach.from.to_string() == "c5"));
    assert!(
        view.destinations
            .iter()
            .flat_map(|reach| &reach.to)
            .all(|target| target.promotions.is_empty())
    );
    assert_eq!(view.seats[0].captured.lead, Some(3));
}

#[test]
fn moves_in_any_spelling_and_back() {
    for text in ["c5d5", "c5 -> d5", "C5-D5", "c5 d5"] {
        let mut session = bishops(FIVE, ["human", "human"]);
        assert_eq!(session.submit(text).unwrap(), "Check");
        assert_eq!(session.view().check.unwrap().to_string(), "b3");
        assert_eq!(session.view().moves[0].san, "c5d5");
        session.request(&Request::TakeBackOne).unwrap();
        assert_eq!(session.position_text(), bishops(FIVE, ["human", "human"]).position_text());
        session.request(&Request::Redo).unwrap();
        assert_eq!(session.view().moves.len(), 1);
    }
    let mut session = bishops(FIVE, ["human", "human"]);
    assert_eq!(session.submit("a1a2").unwrap_err().0, "There is no piece on a1.");
    assert!(session.submit("Nf3").is_err());
    assert!(session.go("c5".parse().unwrap(), "z26".parse().unwrap(), None).is_err());
}

#[test]
fn captures_are_shown_and_taken_back() {
    let mut session = bishops("3\nKa1, Bc1\nKb3, Ba3", ["human", "human"]);
    session.go("c1".parse().unwrap(), "a3".parse().unwrap(), None).unwrap();
    assert_eq!(session.view().seats[0].captured.roles, [PieceRole::Bishop]);
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(session.view().seats[0].captured.roles, []);
}

#[test]
fn mate_and_stalemate() {
    let mut session = bishops(MATE_IN_ONE, ["human", "human"]);
    assert_eq!(session.submit("a3b2").unwrap(), "Checkmate: White wins");
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(session.view().end, None);
    let mated = bishops("3\nKa1\nKc1, Bc3, Bb3", ["human", "human"]).view();
    assert_eq!(mated.end.unwrap().text, "Checkmate: Black wins");
    let stale = bishops("3\nKa1\nKc1, Bb3", ["human", "human"]).view();
    assert_eq!(stale.end.unwrap().text, "Draw by stalemate");
}

#[test]
fn computers_of_all_levels_play_the_same_game_again() {
    let eight = "8\nKa1, Bb1, Bc1, Bd2\nKh8, Bg8, Bf8, Be7";
    for name in ["random", "tabiya:0", "tabiya:3", "tabiya:5"] {
        let game = || {
            let mut session = bishops(eight, [name, "tabiya:1"]);
            while session.view().moves.len() < 6 && session.poll() {}
            session.view().moves
        };
        let first = game();
        assert_eq!(first.len(), 6);
        assert_eq!(first, game(), "{name}");
    }
    let mut session = bishops(eight, ["human", "tabiya"]);
    play(&mut session, "b1c2");
    assert_eq!(settle(&mut session).moves.len(), 2);
    session.request(&Request::TakeBack).unwrap();
    assert_eq!(session.view().moves.len(), 0);
}

#[test]
fn a_game_goes_back_exactly() {
    let recipe = Recipe {
        size: Size::new(6).unwrap(),
        white_bishops: 4,
        black_bishops: 4,
        mate: None,
        seed: 4,
    };
    let mut session = bishops(&recipe.compose().unwrap().plain(), ["human", "tabiya:1"]);
    let mut positions = vec![session.position_text()];
    while positions.len() < 30 && session.view().end.is_none() {
        let view = session.view();
        let piece = &view.destinations[positions.len() % view.destinations.len()];
        session.go(piece.from, piece.to[positions.len() % piece.to.len()].square, None).unwrap();
        let after = settle(&mut session);
        assert_eq!(after.last, after.moves.last().map(|played| (played.from, played.to)));
        positions.push(session.position_text());
    }
    assert!(positions.len() > 5, "{}", positions.len());
    for expected in positions.iter().rev().skip(1) {
        session.request(&Request::TakeBack).unwrap();
        assert_eq!(&session.position_text(), expected);
    }
    assert!(session.view().moves.is_empty() && session.request(&Request::TakeBack).is_err());
}

#[test]
fn hints_evaluations_and_threats() {
    let mut session = bishops(MATE_IN_ONE, ["human", "human"]);
    session.request(&Request::Hint).unwrap();
    let hint = ("a3".parse().unwrap(), "b2".parse().unwrap());
    assert_eq!(settle(&mut session).hint, Some(hint));
    let mut session = bishops("5\nKc3, Bd3, Be3\nKa1", ["human", "human"]);
    session.request(&Request::Evaluate).unwrap();
    let evaluation = settle(&mut session).evaluation.unwrap();
    assert!(evaluation.text.starts_with('#') && evaluation.chances > 0.99, "{evaluation:?}");
    let session = bishops("5\nKa1, Bc1\nKe5, Ba3", ["human", "human"]);
    let threats: Vec<String> = session.view().threats.iter().map(Coord::to_string).collect();
    assert_eq!(threats, ["a3", "c1"]);
}

#[test]
fn draws_clocks_and_wrong_players() {
    let mut session = bishops(FIVE, ["human", "human"]);
    assert!(session.request(&Request::ClaimDraw).is_err());
    session.request(&Request::OfferDraw).unwrap();
    session.request(&Request::AcceptDraw).unwrap();
    assert_eq!(session.view().end.unwrap().text, "Draw by agreement");
    assert_eq!(session.people(), [Side::White, Side::Black]);

    let start = Start::bishops(FIVE).unwrap();
    let control: Minutes = "5+3".parse().unwrap();
    let setup = GameSetup { control: Some(control), ..GameSetup::new(start.clone()) };
    assert!(Session::new(setup).unwrap().view().seats[0].clock.is_some());
    for name in ["minimax:2", "tabiya:1200", "uci:stockfish"] {
        let setup =
            GameSetup { players: [Player::HUMAN, player(name)], ..GameSetup::new(start.clone()) };
        let refusal = Session::new(setup).err().unwrap().to_string();
        assert!(refusal.contains("does not play the bishop-and-king game"), "{refusal}");
    }
    let setup = GameSetup {
        players: [Player::HUMAN, player("tabiya:3")],
        ..GameSetup::new(Start::standard())
    };
    assert!(Session::new(setup).err().unwrap().to_string().contains("does not play chess"));
}

#[test]
fn the_largest_board() {
    let row = |row: u8| {
        (b'a'..=b'z').map(|column| format!("B{}{row}", char::from(column))).collect::<Vec<_>>()
    };
    let white = [vec!["Ka1".to_owned()], row(2), row(3)].concat().join(", ");
    let black = [vec!["Kz26".to_owned()], row(24), row(25)].concat().join(", ");
    let mut session = bishops(&format!("26\n{white}\n{black}"), ["tabiya:4", "human"]);
    let view = settle(&mut session);
    assert_eq!((view.columns, view.moves.len()), (26, 1));
    let reach = &view.destinations[0];
    session.go(reach.from, reach.to[0].square, None).unwrap();
}
