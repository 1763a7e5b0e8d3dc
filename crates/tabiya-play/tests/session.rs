//! A whole game through its public interface.

mod common;

use common::*;
use tabiya_play::{Coord, GameController, GameKind, PieceRole, Request, Side};

const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn the_scholars_mate_in_every_notation() {
    let mut session = initial();
    assert_eq!(session.view().status, "White to move");
    for text in ["e4", "e7e5", "d1 -> h5", "Nb8-c6", "Bf1c4", "g8 f6"] {
        assert_eq!(session.submit(text).unwrap(), "", "{text}");
    }
    assert_eq!(session.submit("Qxf7").unwrap(), "Checkmate: White wins");
    let view = session.view();
    assert_eq!(texts(&view), ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]);
    let end = view.end.unwrap();
    assert_eq!((end.winner, end.result), (Some(Side::White), "1-0"));
    assert!(view.destinations.is_empty());
    assert_eq!(view.check, Some("e8".parse().unwrap()));
    assert_eq!(session.submit("a6").unwrap_err().0, "The game is over. Checkmate: White wins.");
    assert!(session.record().contains("4. Qxf7# 1-0"), "{}", session.record());

    session.request(&Request::TakeBackOne).unwrap();
    let view = session.view();
    assert_eq!((view.end, view.redoable, view.turn), (None, 1, Side::White));
    session.request(&Request::Redo).unwrap();
    assert_eq!(session.view().end.unwrap().text, "Checkmate: White wins");
}

#[test]
fn castling_both_ways_and_back() {
    for (text, king, rook) in
        [("O-O", "g1", "f1"), ("0-0-0", "c1", "d1"), ("e1g1", "g1", "f1"), ("e1c1", "c1", "d1")]
    {
        let mut session = people(CASTLES);
        let before = session.view().pieces;
        play(&mut session, text);
        let stands = |session: &dyn GameController, at: &str, role| {
            let at: Coord = at.parse().unwrap();
            session.view().pieces.iter().any(|piece| piece.square == at && piece.role == role)
        };
        assert!(stands(&session, king, PieceRole::King) && stands(&session, rook, PieceRole::Rook));
        session.request(&Request::TakeBackOne).unwrap();
        assert_eq!(session.view().pieces, before);
        // The right to castle is back as well.
        play(&mut session, text);
        session.request(&Request::TakeBackOne).unwrap();
        session.request(&Request::Redo).unwrap();
        assert!(stands(&session, king, PieceRole::King));
    }
}

#[test]
fn castling_is_offered_as_a_step_and_onto_the_rook() {
    let view = people(CASTLES).view();
    let king = view.destinations.iter().find(|reach| reach.from.to_string() == "e1").unwrap();
    for at in ["g1", "h1", "c1", "a1"] {
        let at: Coord = at.parse().unwrap();
        assert!(king.to.iter().any(|target| target.square == at && !target.takes), "{at}");
    }
    // In Chess960 only the rook tells castling from a step.
    let view = people("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1").view();
    let king = view.destinations.iter().find(|reach| reach.from.to_string() == "f1").unwrap();
    let at = |at: &str| king.to.iter().any(|target| target.square == at.parse().unwrap());
    assert!(at("h1") && at("b1") && at("g1") && !at("c1"));
    let mut session = people("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1");
    session.go("f1".parse().unwrap(), "h1".parse().unwrap(), None).unwrap();
    let view = session.view();
    assert_eq!((texts(&view), view.moves[0].uci.as_str()), (vec!["O-O"], "f1h1"));
    assert_eq!(view.last.unwrap().1.to_string(), "g1");
}

#[test]
fn en_passant_in_time_and_late() {
    let mut session = initial();
    play(&mut session, "e4 a6 e5 d5");
    let pawn: Coord = "e5".parse().unwrap();
    let view = session.view();
    let reach = view.destinations.iter().find(|reach| reach.from == pawn).unwrap();
    let d6 = reach.to.iter().find(|target| target.square.to_string() == "d6").unwrap();
    assert!(d6.takes);
    play(&mut session, "exd6");
    let view = session.view();
    assert_eq!(view.seats[0].captured.roles, [PieceRole::Pawn]);
    assert_eq!(view.seats[0].captured.lead, Some(1));
    assert!(!view.pieces.iter().any(|piece| piece.square.to_string() == "d5"));

    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(session.view().seats[0].captured.roles, []);
    play(&mut session, "h3 h6");
    let late = session.submit("e5d6").unwrap_err().0;
    assert!(late.starts_with("En passant is possible only right after"), "{late}");
    assert_eq!(session.view().moves.len(), 6);
}

#[test]
fn promotion_to_each_piece() {
    let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let (from, to): (Coord, Coord) = ("a7".parse().unwrap(), "a8".parse().unwrap());
    let view = people(fen).view();
    let pawn = view.destinations.iter().find(|reach| reach.from == from).unwrap();
    assert_eq!(pawn.to[0].promotions[0], PieceRole::Queen);
    assert_eq!(pawn.to[0].promotions.len(), 4);
    for (role, text) in [
        (PieceRole::Queen, "a8=Q+"),
        (PieceRole::Rook, "a8=R+"),
        (PieceRole::Bishop, "a8=B"),
        (PieceRole::Knight, "a8=N"),
    ] {
        let mut session = people(fen);
        session.go(from, to, Some(role)).unwrap();
        let view = session.view();
        assert_eq!(texts(&view), [text]);
        assert!(view.pieces.iter().any(|piece| piece.square == to && piece.role == role));
        session.request(&Request::TakeBackOne).unwrap();
        assert!(
            session
                .view()
                .pieces
                .iter()
                .any(|piece| piece.square == from && piece.role == PieceRole::Pawn)
        );
    }
    let mut session = people(fen);
    session.go(from, to, None).unwrap();
    assert_eq!(texts(&session.view()), ["a8=Q+"]);
    let mut session = people(fen);
    assert!(session.go(from, to, Some(PieceRole::King)).is_err());
    assert!(session.submit("a8").unwrap_err().0.contains("queen"));
}

#[test]
fn refusals_are_explained_and_change_nothing() {
    let mut session = people("4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1");
    let before = session.view();
    assert_eq!(
        session.submit("Nf4").unwrap_err().0,
        "That knight is pinned by the bishop on b5: moving it would leave your king in check."
    );
    assert!(session.go("d3".parse().unwrap(), "f4".parse().unwrap(), None).is_err());
    assert!(session.go("z26".parse().unwrap(), "f4".parse().unwrap(), None).is_err());
    assert!(session.submit("").is_err());
    assert!(session.submit(&"x".repeat(100_000)).unwrap_err().0.len() < 200);
    assert_eq!(session.view(), before);
}

#[test]
fn every_draw_rule() {
    let drawn = |session: &dyn GameController| session.view().end.map(|end| (end.result, end.text));
    let is = |text: &str| Some(("1/2-1/2", text.to_owned()));

    let mut stalemate = people("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    play(&mut stalemate, "Qf7");
    assert_eq!(drawn(&stalemate), is("Draw by stalemate"));
    stalemate.request(&Request::TakeBackOne).unwrap();
    assert_eq!(drawn(&stalemate), None);

    let mut bare = people("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1");
    play(&mut bare, "Kxe2");
    assert_eq!(drawn(&bare), is("Draw by insufficient material"));

    let mut fifty = people("4k3/8/8/8/8/8/8/R3K3 w - - 99 90");
    assert!(
        fifty.request(&Request::ClaimDraw).unwrap_err().0.starts_with("There is no draw to claim")
    );
    play(&mut fifty, "Ra4");
    assert_eq!(fifty.view().draw.claim.as_deref(), Some("fifty moves"));
    assert!(fifty.request_by(Side::White, &Request::ClaimDraw).is_err());
    fifty.request(&Request::ClaimDraw).unwrap();
    assert_eq!(drawn(&fifty), is("Draw by the fifty-move rule"));
    // Taking it back is taking back the claim, not the move.
    fifty.request(&Request::TakeBackOne).unwrap();
    assert_eq!((drawn(&fifty), fifty.view().moves.len()), (None, 1));

    let mut seventy_five = people("4k3/8/8/8/8/8/8/R3K3 w - - 149 90");
    play(&mut seventy_five, "Ra4");
    assert_eq!(drawn(&seventy_five), is("Draw by the seventy-five-move rule"));

    let shuffle = "Nf3 Nf6 Ng1 Ng8";
    let mut session = initial();
    play(&mut session, shuffle);
    assert_eq!(session.view().draw.claim, None);
    play(&mut session, shuffle);
    assert_eq!(session.view().draw.claim.as_deref(), Some("threefold repetition"));
    play(&mut session, shuffle);
    assert_eq!(drawn(&session), None);
    play(&mut session, shuffle);
    assert_eq!(drawn(&session), is("Draw by fivefold repetition"));
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(drawn(&session), None);
    session.request(&Request::Redo).unwrap();
    assert_eq!(drawn(&session), is("Draw by fivefold repetition"));
}

#[test]
fn two_people_agree_on_a_draw_or_not() {
    let mut session = initial();
    assert_eq!(session.request(&Request::AcceptDraw).unwrap_err().0, "Nobody has offered a draw.");
    assert_eq!(session.request(&Request::OfferDraw).unwrap(), "White offers a draw.");
    assert_eq!(session.view().draw.offered, Some(Side::White));
    play(&mut session, "e4");
    assert_eq!(session.view().draw.offered, Some(Side::White));
    assert!(session.request_by(Side::White, &Request::AcceptDraw).is_err());
    // Black moves on.
    play(&mut session, "e5");
    assert_eq!(session.view().draw.offered, None);
    session.request(&Request::OfferDraw).unwrap();
    play(&mut session, "Nf3");
    // An offer meets an offer.
    assert_eq!(session.request(&Request::OfferDraw).unwrap(), "Draw by agreement");
    assert_eq!(session.view().end.unwrap().text, "Draw by agreement");
    session.request(&Request::TakeBack).unwrap();
    assert_eq!(session.view().end, None);
}

#[test]
fn resigning_and_changing_ones_mind() {
    let mut session = initial();
    play(&mut session, "e4");
    assert_eq!(session.request(&Request::Resign).unwrap(), "Black resigns: White wins");
    assert_eq!(session.view().end.unwrap().result, "1-0");
    assert!(session.request(&Request::Resign).is_err());
    assert_eq!(session.request(&Request::TakeBack).unwrap(), "The game goes on.");
    assert_eq!((session.view().end, session.view().moves.len()), (None, 1));
    let mut session = against("random", 1);
    play(&mut session, "e4");
    assert_eq!(session.request(&Request::Resign).unwrap(), "White resigns: Black wins");
}

#[test]
fn take_back_one_or_a_turn_and_redo() {
    let mut session = initial();
    assert_eq!(
        session.request(&Request::TakeBack).unwrap_err().0,
        "There is no move to take back."
    );
    assert_eq!(session.request(&Request::Redo).unwrap_err().0, "There is nothing to play again.");
    play(&mut session, "e4 e5 Nf3");
    session.request(&Request::TakeBackOne).unwrap();
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!((texts(&session.view()).len(), session.view().redoable), (1, 2));
    session.request(&Request::Redo).unwrap();
    assert_eq!(texts(&session.view()), ["e4", "e5"]);
    play(&mut session, "Nc3");
    assert_eq!(session.view().redoable, 0);

    let mut session = against("random", 5);
    play(&mut session, "e4");
    let first = settle(&mut session);
    assert_eq!(first.moves.len(), 2);
    session.request(&Request::TakeBack).unwrap();
    assert_eq!((session.view().moves.len(), session.view().redoable), (0, 2));
    session.request(&Request::Redo).unwrap();
    let again = settle(&mut session);
    assert_eq!(again.moves, first.moves);
    assert_eq!(again.pieces, first.pieces);
}

#[test]
fn a_game_may_be_without_take_backs() {
    let setup = tabiya_play::GameSetup {
        take_backs: false,
        ..tabiya_play::GameSetup::new(tabiya_play::Start::standard())
    };
    let mut session = tabiya_play::Session::new(setup).unwrap();
    play(&mut session, "e4");
    assert_eq!(
        session.request(&Request::TakeBackOne).unwrap_err().0,
        "Moves are not taken back in this game."
    );
}

#[test]
fn threats_of_both_sides_are_known_until_the_end() {
    let mut session = people("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    // The pawn takes the queen, and else the queen the pawn.
    assert_eq!(session.view().threats, ["d5", "e4"].map(|at| at.parse::<Coord>().unwrap()));
    session.request(&Request::Resign).unwrap();
    assert!(session.view().threats.is_empty());
}

#[test]
fn material_is_counted_and_shown() {
    let mut session = initial();
    play(&mut session, "e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2");
    let view = session.view();
    assert_eq!(view.seats[0].captured.roles, [PieceRole::Queen, PieceRole::Pawn]);
    assert_eq!(view.seats[1].captured.roles, [PieceRole::Pawn, PieceRole::Pawn]);
    assert_eq!(view.seats.map(|seat| seat.captured.lead), [Some(8), None]);
    assert_eq!((view.kind, view.columns, view.rows), (GameKind::Chess, 8, 8));
}

#[test]
fn sequence_grows_with_everything() {
    let mut session = initial();
    let mut last = session.view().sequence;
    let mut grows = |session: &dyn GameController| {
        let now = session.view().sequence;
        assert!(now > last);
        last = now;
    };
    play(&mut session, "e4");
    grows(&session);
    session.request(&Request::TakeBackOne).unwrap();
    grows(&session);
    session.request(&Request::Hint).unwrap();
    grows(&session);
    session.request(&Request::OfferDraw).unwrap();
    grows(&session);
    session.request(&Request::Resign).unwrap();
    grows(&session);
}
