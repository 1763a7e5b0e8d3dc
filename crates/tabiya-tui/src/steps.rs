//! Tests of the screen as people use it: keys and clicks go in, actions come out.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tabiya_view::{
    Captured, Draw, EvaluationView, GameKind, GameView, PastPosition, PieceRole, Refusal, Request,
    Side,
};

use crate::testing::{bishops, chess, destinations, middle_game, pieces, place, screen};
use crate::{
    Action, AnalysisView, App, Edit, Intent, KeptGame, NewGameQuestion, ThemeName, intent,
};

fn app(view: GameView) -> App {
    screen(view, 80, 24, ThemeName::Walnut)
}

/// Presses keys; words in angle brackets are named keys. Gives the last action.
fn keys(app: &mut App, text: &str) -> Action {
    let mut action = Action::None;
    for word in text.split(' ') {
        let codes: Vec<KeyCode> = match word {
            "<enter>" => vec![KeyCode::Enter],
            "<esc>" => vec![KeyCode::Esc],
            "<left>" => vec![KeyCode::Left],
            "<right>" => vec![KeyCode::Right],
            "<up>" => vec![KeyCode::Up],
            "<down>" => vec![KeyCode::Down],
            "<back>" => vec![KeyCode::Backspace],
            "<home>" => vec![KeyCode::Home],
            "<end>" => vec![KeyCode::End],
            "<pgup>" => vec![KeyCode::PageUp],
            "<space>" => vec![KeyCode::Char(' ')],
            letters => letters.chars().map(KeyCode::Char).collect(),
        };
        for code in codes {
            let key = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
            action = app.handle(intent(&key).unwrap());
        }
    }
    action
}

/// The middle of a square on the screen.
fn spot(app: &App, name: &str) -> (u16, u16) {
    let grid = app.frame.grid;
    let (i, j) = grid.spot(place(name));
    (grid.stem(i - grid.left), grid.line(j - grid.top))
}

fn press(app: &mut App, name: &str) -> Action {
    let (x, y) = spot(app, name);
    app.handle(Intent::Press(x, y))
}

fn release(app: &mut App, name: &str) -> Action {
    let (x, y) = spot(app, name);
    app.handle(Intent::Release(x, y))
}

fn click(app: &mut App, name: &str) -> Action {
    match press(app, name) {
        Action::None => release(app, name),
        action => action,
    }
}

fn go(from: &str, to: &str) -> Action {
    Action::Go { from: place(from), to: place(to), promotion: None }
}

fn promoting() -> GameView {
    let mut view = chess();
    view.pieces = pieces("4k3/P7/8/8/8/8/8/4K3");
    view.destinations = vec![destinations("a7", "=a8"), destinations("e1", "d1 d2")];
    view
}

#[test]
fn a_move_can_be_typed_in_any_notation() {
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "Nf3 <enter>"), Action::Submit("Nf3".into()));
    app.told(Ok(String::new()));
    assert_eq!(keys(&mut app, "e4 <enter>"), Action::Submit("e4".into()));
    app.told(Ok(String::new()));
    assert_eq!(keys(&mut app, "e2e4 <enter>"), go("e2", "e4"));
    app.told(Ok(String::new()));
    assert_eq!(keys(&mut app, "O-O <enter>"), Action::Submit("O-O".into()));
}

#[test]
fn letters_that_may_begin_a_move_are_typed_and_the_others_are_commands() {
    for letter in "abcdefghNBRQKO".chars() {
        let mut app = app(chess());
        assert_eq!(keys(&mut app, &letter.to_string()), Action::None);
        assert_eq!(app.input.text(), letter.to_string());
        assert!(app.overlay.is_none());
    }
    let asks = [
        ("u", Request::TakeBack),
        ("U", Request::TakeBackOne),
        ("r", Request::Redo),
        ("m", Request::MoveNow),
    ];
    for (key, request) in asks {
        assert_eq!(keys(&mut app(chess()), key), Action::Ask(request));
    }
    assert_eq!(keys(&mut app(chess()), "q"), Action::Quit);
    // In the middle of a move, a letter is a letter.
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "eu"), Action::None);
    assert_eq!(app.input.text(), "eu");
}

#[test]
fn behind_space_every_letter_is_a_command() {
    let asks = [("h", Request::Hint), ("u", Request::TakeBack), ("d", Request::OfferDraw)];
    for (key, request) in asks {
        assert_eq!(keys(&mut app(bishops(26)), &format!("<space> {key}")), Action::Ask(request));
    }
    assert_eq!(keys(&mut app(bishops(26)), "<space> q"), Action::Quit);
    // By arrows too: the second line of the menu.
    let action = keys(&mut app(chess()), "<space> <down> <enter>");
    assert_eq!(action, Action::Ask(Request::TakeBackOne));
    assert_eq!(keys(&mut app(chess()), "<space> <esc> <enter>"), Action::None);
}

#[test]
fn how_the_game_is_looked_at_is_nobody_elses_business() {
    let mut view = chess();
    view.threats = vec![place("e2")];
    let mut app = app(view.clone());
    assert_eq!((app.bottom(), app.threats, app.bar), (Side::White, false, false));
    for key in ["<space> f", "t", "<space> e"] {
        assert_eq!(keys(&mut app, key), Action::None);
    }
    assert_eq!((app.bottom(), app.threats, app.bar), (Side::Black, true, true));
    // The computer is asked until it has answered.
    assert!(app.wants_evaluation());
    let text = "+0.20".into();
    app.show(GameView { evaluation: Some(EvaluationView { chances: 0.5, text }), ..view.clone() });
    assert!(!app.wants_evaluation());
    keys(&mut app, "t");
    assert!(!app.threats);
    // A person with Black has Black below, and turns from there.
    view.seats.swap(0, 1);
    app.sit(view);
    assert_eq!(app.bottom(), Side::Black);
    keys(&mut app, "<space> f");
    assert_eq!(app.bottom(), Side::White);
}

#[test]
fn a_typed_square_picks_the_piece_and_another_moves_it() {
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "g1"), Action::None);
    assert_eq!(app.hand().picked, Some(place("g1")));
    assert_eq!(keys(&mut app, "<enter>"), Action::None);
    assert!(app.input.is_empty());
    assert_eq!(app.hand().targets, [(place("f3"), false), (place("h3"), false)]);
    assert_eq!(keys(&mut app, "f3 <enter>"), go("g1", "f3"));
}

#[test]
fn a_refusal_is_shown_and_typing_begins_anew() {
    let mut app = app(chess());
    keys(&mut app, "Qh5 <enter>");
    app.told(Err(Refusal("The pawn on e2 is in the way.".into())));
    assert_eq!(app.message, Some(("The pawn on e2 is in the way.".into(), true)));
    assert_eq!(app.input.text(), "Qh5");
    assert_eq!(app.hand().picked, None);
    keys(&mut app, "e");
    assert_eq!((app.input.text().as_str(), app.message.as_ref()), ("e", None));
    keys(&mut app, "<back>");
    assert!(app.input.is_empty());
}

#[test]
fn what_was_said_goes_away_with_the_next_move() {
    let mut app = app(chess());
    app.told(Err(Refusal("No.".into())));
    app.show(middle_game());
    assert_eq!(app.message, None);
}

#[test]
fn arrows_and_enter_move_a_piece() {
    let mut app = app(chess());
    keys(&mut app, "<up>");
    assert_eq!(app.cursor, Some(place("a2")));
    keys(&mut app, "<right> <right> <right> <right> <enter>");
    assert_eq!(app.hand().picked, Some(place("e2")));
    assert_eq!(keys(&mut app, "<up> <up> <enter>"), go("e2", "e4"));
    // On a turned board, up is still up.
    assert_eq!(keys(&mut app, "<space> f"), Action::None);
    keys(&mut app, "<up>");
    assert_eq!(app.cursor, Some(place("e3")));
    // The edge is the end.
    keys(&mut app, &["<left>"; 12].join(" "));
    assert_eq!(app.cursor, Some(place("h3")));
}

#[test]
fn clicks_pick_and_drop() {
    let mut app = app(middle_game());
    assert_eq!(click(&mut app, "c4"), Action::None);
    assert_eq!(app.hand().picked, Some(place("c4")));
    assert!(app.hand().targets.contains(&(place("d5"), true)));
    assert_eq!(click(&mut app, "d5"), go("c4", "d5"));
    // A second click puts the piece down; a click on another piece takes that one.
    click(&mut app, "c4");
    click(&mut app, "c4");
    assert_eq!(app.hand().picked, None);
    click(&mut app, "c4");
    click(&mut app, "f3");
    assert_eq!(app.hand().picked, Some(place("f3")));
    // Where it may not go, the table says why.
    assert_eq!(click(&mut app, "h8"), go("f3", "h8"));
    assert_eq!(app.hand().picked, None);
}

#[test]
fn a_piece_can_be_dragged() {
    let mut app = app(middle_game());
    assert_eq!(press(&mut app, "f3"), Action::None);
    let (x, y) = spot(&app, "f7");
    app.handle(Intent::Drag(x, y));
    assert_eq!(app.hand().cursor, Some(place("f7")));
    assert_eq!(release(&mut app, "f7"), go("f3", "f7"));
    assert_eq!(app.hand().cursor, None);
    // Dropped outside the board, it stays.
    press(&mut app, "f3");
    assert_eq!(app.handle(Intent::Release(79, 23)), Action::None);
    assert_eq!(app.hand().picked, None);
}

#[test]
fn nothing_can_be_picked_while_the_computer_thinks() {
    let mut view = chess();
    view.turn = Side::Black;
    view.destinations.clear();
    let mut app = app(view);
    assert_eq!(click(&mut app, "e2"), Action::None);
    assert_eq!(click(&mut app, "e7"), Action::None);
    assert_eq!(app.hand().picked, None);
    assert_eq!(app.message, Some(("It is not your turn yet.".into(), true)));
}

#[test]
fn a_pawn_asks_what_to_become() {
    let promotion = |role| Action::Go { from: place("a7"), to: place("a8"), promotion: Some(role) };
    let mut app = app(promoting());
    click(&mut app, "a7");
    assert_eq!(click(&mut app, "a8"), Action::None);
    assert_eq!(crate::draw::contents(&app).unwrap().0, "The pawn becomes a");
    assert_eq!(keys(&mut app, "<enter>"), promotion(PieceRole::Queen));
    // By arrows, by letter, typed without a piece; cancelled; by mouse.
    keys(&mut app, "a7a8 <enter>");
    assert_eq!(keys(&mut app, "<down> <down> <enter>"), promotion(PieceRole::Bishop));
    app.told(Ok(String::new()));
    keys(&mut app, "a7a8 <enter>");
    assert_eq!(keys(&mut app, "n"), promotion(PieceRole::Knight));
    app.told(Ok(String::new()));
    keys(&mut app, "a7a8 <enter> <esc>");
    assert!(app.overlay.is_none());
    keys(&mut app, "<esc> a7a8 <enter>");
    let inner = crate::draw::popup(&app).unwrap().inner;
    assert_eq!(app.handle(Intent::Press(inner.x + 1, inner.y + 1)), promotion(PieceRole::Rook));
    // With the piece named there is nothing to ask.
    app.told(Ok(String::new()));
    assert_eq!(keys(&mut app, "a7a8q <enter>"), Action::Submit("a7a8q".into()));
}

#[test]
fn resigning_is_asked_twice() {
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "<space> R"), Action::None);
    assert_eq!(keys(&mut app, "n"), Action::None);
    assert!(app.overlay.is_none());
    assert_eq!(keys(&mut app, "<space> R <enter>"), Action::None);
    assert_eq!(keys(&mut app, "<space> R y"), Action::Ask(Request::Resign));
    assert_eq!(keys(&mut app, "<space> R <up> <enter>"), Action::Ask(Request::Resign));
}

#[test]
fn the_draw_key_does_what_is_due() {
    let ask = |draw: Draw| {
        let mut view = chess();
        view.draw = draw;
        keys(&mut app(view), "<space> d")
    };
    assert_eq!(ask(Draw::default()), Action::Ask(Request::OfferDraw));
    let offered = Draw { offered: Some(Side::Black), ..Draw::default() };
    assert_eq!(ask(offered), Action::Ask(Request::AcceptDraw));
    let own = Draw { offered: Some(Side::White), ..Draw::default() };
    assert_eq!(ask(own), Action::Ask(Request::OfferDraw));
    let claim = Draw { claim: Some("fifty moves".into()), ..Draw::default() };
    assert_eq!(ask(claim), Action::Ask(Request::ClaimDraw));
}

#[test]
fn a_new_game_is_put_together_by_arrows() {
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "n"), Action::Questions);
    let question = |label: &str| NewGameQuestion {
        label: label.into(),
        choices: vec!["one".into(), "two".into(), "three".into()],
        chosen: 0,
    };
    app.ask_new(vec![question("White"), question("Black")]);
    // It begins at "Start", so that Enter twice is the same game again.
    let action = keys(&mut app, "<up> <right> <up> <left> <up> <enter>");
    assert_eq!(action, Action::Begin(vec![2, 1]));
    app.ask_new(vec![question("White")]);
    assert_eq!(keys(&mut app, "<enter>"), Action::Begin(vec![0]));
}

#[test]
fn games_are_opened_from_a_list_or_a_file() {
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "l"), Action::Games);
    let game = |id: &str| KeptGame { id: id.into(), text: format!("game {id}") };
    app.offer(vec![game("7"), game("5")]);
    assert_eq!(keys(&mut app, "<down> <enter>"), Action::Open("5".into()));
    app.offer(vec![game("7")]);
    assert_eq!(keys(&mut app, "<up> <enter> games.pgn <enter>"), Action::Load("games.pgn".into()));
}

#[test]
fn a_game_is_saved_under_the_name_that_is_typed() {
    let mut app = app(chess());
    assert_eq!(keys(&mut app, "s"), Action::FileName);
    app.ask_file("game.pgn".into());
    let action = keys(&mut app, "<back> <back> <back> txt <enter>");
    assert_eq!(action, Action::Save("game.txt".into()));
    // Typing replaces the name that was proposed.
    app.ask_file("game.pgn".into());
    assert_eq!(keys(&mut app, "mine.pgn <enter>"), Action::Save("mine.pgn".into()));
    // The keys of a shell work in it, and command nothing.
    app.ask_file("game.pgn".into());
    app.handle(Intent::Edit(Edit::EraseToStart));
    keys(&mut app, "b <home> a <end> c <enter>");
    app.ask_file("ab".into());
    app.handle(Intent::Edit(Edit::Start));
    app.handle(Intent::Edit(Edit::EraseForward));
    assert_eq!(keys(&mut app, "<enter>"), Action::Save("b".into()));
}

#[test]
fn the_board_scrolls_to_where_the_cursor_goes() {
    let mut app = screen(bishops(26), 40, 20, ThemeName::Walnut);
    assert!(app.frame.grid.scrolls());
    keys(&mut app, "<up>");
    assert_eq!(app.cursor, Some(place("b1")));
    keys(&mut app, &["<up>"; 30].join(" "));
    assert_eq!(app.cursor, Some(place("b26")));
    let grid = app.frame.grid;
    let (i, j) = grid.spot(place("b26"));
    assert!((grid.left..grid.left + grid.wide).contains(&i));
    assert!((grid.top..grid.top + grid.high).contains(&j));
    // A click finds the square that is shown, not the one that would be there unscrolled.
    let (x, y) = (grid.stem(1), grid.line(0));
    assert_eq!(grid.at(x, y), Some(place("b26")));
    // The wheel scrolls too.
    app.handle(Intent::Wheel(x, y, 1));
    assert_eq!(app.frame.grid.top, grid.top + 1);
}

#[test]
fn a_move_out_of_sight_is_brought_into_view() {
    let mut app = screen(bishops(26), 40, 20, ThemeName::Walnut);
    let mut view = bishops(26);
    view.last = Some((place("z25"), place("y26")));
    assert!(app.show(view.clone()));
    let grid = app.frame.grid;
    let (i, j) = grid.spot(place("y26"));
    assert!(i >= grid.left && i < grid.left + grid.wide && j >= grid.top);
    assert!(!app.show(view));
}

#[test]
fn squares_can_be_made_larger_and_smaller() {
    let mut app = app(chess());
    let step = app.frame.grid.step;
    keys(&mut app, "+");
    assert_eq!(app.frame.grid.step, step + 1);
    keys(&mut app, "--");
    assert_eq!(app.frame.grid.step, step - 1);
    keys(&mut app, &"-".repeat(40));
    let smallest = app.frame.grid.step;
    keys(&mut app, "+");
    assert_eq!(app.frame.grid.step, smallest + 1);
}

#[test]
fn resizing_keeps_the_hand() {
    let mut app = app(chess());
    keys(&mut app, "e2 <enter> d");
    for (width, height) in [(200, 70), (10, 4), (1, 1), (40, 20)] {
        assert_eq!(app.handle(Intent::Resize(width, height)), Action::None);
    }
    assert_eq!(app.hand().picked, Some(place("e2")));
    assert_eq!(app.input.text(), "d");
}

#[test]
fn control_c_leaves_from_everywhere() {
    for start in ["", "e4", "<space>", "?", "<space> R"] {
        let mut app = app(chess());
        keys(&mut app, start);
        assert_eq!(app.handle(Intent::Interrupt), Action::Interrupt, "{start}");
    }
}

#[test]
fn another_game_starts_with_clean_hands() {
    let mut app = app(chess());
    keys(&mut app, "e2 <enter> a");
    app.sit(bishops(5));
    assert_eq!(app.view.kind, GameKind::Bishops);
    assert_eq!((app.hand().picked, app.input.text().as_str()), (None, ""));
    assert!(app.overlay.is_none());
}

#[test]
fn no_sequence_of_keys_or_clicks_is_too_much() {
    // A fixed random walk over everything a person can do, at many sizes.
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let edits = [Edit::EraseBack, Edit::Start, Edit::WordLeft, Edit::Yank, Edit::EraseToEnd];
    let letters: Vec<char> = "abcdefghNKQRB12345678x-+=O urhfteslnRdT?qm:".chars().collect();
    for view in [chess(), middle_game(), promoting(), bishops(3), bishops(26)] {
        let mut app = app(view.clone());
        let backend = ratatui::backend::TestBackend::new(80, 24);
        let mut terminal = ratatui::Terminal::new(backend).unwrap();
        for turn in 0..3_000 {
            let (x, y) = (random(200) as u16, random(70) as u16);
            let act = match random(12) {
                0..4 => Intent::Type(letters[random(letters.len() as u64) as usize]),
                4 => Intent::Move(random(3) as i8 - 1, random(3) as i8 - 1),
                5 => Intent::Accept,
                6 => Intent::Press(x, y),
                7 => Intent::Drag(x, y),
                8 => Intent::Release(x, y),
                9 => Intent::Wheel(x, y, random(3) as i8 - 1),
                10 => Intent::Page(random(3) as i8 - 1),
                _ if random(4) == 0 => Intent::Resize(x, y),
                _ => Intent::Edit(edits[random(5) as usize]),
            };
            match app.handle(act) {
                Action::Questions => app.ask_new(Vec::new()),
                Action::Games => app.offer(Vec::new()),
                Action::FileName => app.ask_file("é".repeat(300)),
                Action::Positions(ply) => app.remember(positions(&view), ply),
                Action::Begin(_) => app.sit(view.clone()),
                _ => {}
            }
            if turn % 5 == 0 {
                let size = (app.window.width.max(1), app.window.height.max(1));
                terminal.backend_mut().resize(size.0, size.1);
                terminal.draw(|frame| crate::draw::draw(&app, frame)).unwrap();
            }
        }
    }
}

/// Positions like those of a game: each has a piece less than the one before.
fn positions(view: &GameView) -> Vec<PastPosition> {
    let captured = || [Captured::default(), Captured::default()];
    let after = |ply: usize| PastPosition {
        pieces: view.pieces.iter().skip(view.moves.len() - ply).copied().collect(),
        check: None,
        captured: captured(),
    };
    (0..=view.moves.len()).map(after).collect()
}

#[test]
fn arrows_go_through_the_positions_of_the_game() {
    let view = middle_game();
    let mut app = app(view.clone());
    // Ten half-moves were played; the positions are asked for once.
    assert_eq!(keys(&mut app, "<left>"), Action::Positions(9));
    app.remember(positions(&view), 9);
    assert_eq!((app.ply(), app.view.pieces.len()), (9, view.pieces.len() - 1));
    assert_eq!(app.view.status, "After 5.exd5");
    assert_eq!(app.view.turn, Side::Black);
    assert_eq!(keys(&mut app, "<left> <left>"), Action::None);
    assert_eq!(app.ply(), 7);
    keys(&mut app, "<home>");
    assert_eq!((app.ply(), app.view.status.as_str()), (0, "The start of the game"));
    assert_eq!(keys(&mut app, "<left>"), Action::None);
    keys(&mut app, "<right>");
    assert_eq!(app.ply(), 1);
    keys(&mut app, "<end>");
    assert_eq!(app.view, view);
    keys(&mut app, "<pgup>");
    assert_eq!(app.ply(), 0);
    keys(&mut app, "<esc>");
    assert_eq!(app.view, view);
    // While something is typed, arrows move the caret.
    keys(&mut app, "e4 <left> <left> d");
    assert_eq!((app.input.text().as_str(), app.is_back()), ("de4", false));
}

#[test]
fn a_game_goes_on_elsewhere_while_somebody_looks_back() {
    let view = middle_game();
    let mut app = app(view.clone());
    app.remember(positions(&view), 4);
    let mut next = view.clone();
    next.moves.push(crate::testing::played(Side::White, 6, "Nxf7"));
    app.show(next.clone());
    assert_eq!(app.ply(), 4);
    // What was known of the past is still known, what is new has to be asked for.
    keys(&mut app, "<right>");
    assert_eq!(app.ply(), 5);
    app.remember(positions(&next), 10);
    assert_eq!(app.ply(), 10);
    // Moves are taken back: the position is no longer one of the game.
    next.moves.truncate(6);
    app.show(next.clone());
    assert_eq!(app.view, next);
}

#[test]
fn a_new_game_begins_from_an_earlier_position() {
    let view = middle_game();
    let mut app = app(view.clone());
    app.remember(positions(&view), 4);
    // Pieces cannot be moved there, and the reason is told.
    assert_eq!(click(&mut app, "f3"), Action::None);
    assert!(app.message.as_ref().is_some_and(|(text, _)| text.contains("Enter plays on")));
    assert_eq!(keys(&mut app, "<enter>"), Action::None);
    assert_eq!(keys(&mut app, "y"), Action::PlayOn { ply: 4, text: String::new() });
    keys(&mut app, "Bb5 <enter>");
    assert_eq!(keys(&mut app, "<enter>"), Action::PlayOn { ply: 4, text: "Bb5".into() });
    // What is asked of the game is asked of it as it stands.
    assert_eq!(keys(&mut app, "u"), Action::Ask(Request::TakeBack));
    assert!(!app.is_back());
}

#[test]
fn control_keys_edit_what_is_typed_and_command_nothing() {
    let mut app = app(middle_game());
    keys(&mut app, "Nf");
    assert_eq!(app.handle(Intent::Edit(Edit::EraseToStart)), Action::None);
    assert!(app.input.is_empty());
    for edit in [Edit::EraseToStart, Edit::EraseForward, Edit::EraseToEnd, Edit::EraseWord] {
        assert_eq!(app.handle(Intent::Edit(edit)), Action::None);
    }
    assert_eq!(app.handle(Intent::Redraw), Action::Redraw);
    // Alt with a letter commands, unless it goes by words in what is typed.
    assert_eq!(app.handle(Intent::Alt('d')), Action::Ask(Request::OfferDraw));
    keys(&mut app, "e2 -> e4");
    assert_eq!(app.handle(Intent::Alt('d')), Action::None);
}

#[test]
fn a_pawn_typed_without_its_piece_asks_what_to_become() {
    let promotion =
        |from: &str, role| Action::Go { from: place(from), to: place("a8"), promotion: Some(role) };
    for typed in ["a8", "a8+"] {
        let mut app = app(promoting());
        assert_eq!(keys(&mut app, &format!("{typed} <enter>")), Action::None, "{typed}");
        assert_eq!(keys(&mut app, "n"), promotion("a7", PieceRole::Knight));
    }
    let mut view = promoting();
    view.destinations.push(destinations("b7", "=xa8 =b8"));
    let mut capture = app(view.clone());
    keys(&mut capture, "bxa8 <enter>");
    assert_eq!(keys(&mut capture, "r"), promotion("b7", PieceRole::Rook));
    // A piece that goes there promotes nothing.
    assert_eq!(keys(&mut app(view), "Ra8 <enter>"), Action::Submit("Ra8".into()));
}

#[test]
fn an_engine_looks_at_what_is_on_the_screen() {
    let view = middle_game();
    let mut app = app(view.clone());
    assert_eq!(app.wants_analysis(), None);
    keys(&mut app, "<space> a");
    assert_eq!(app.wants_analysis(), Some((view.sequence, 10)));
    app.remember(positions(&view), 4);
    assert_eq!(app.wants_analysis(), Some((view.sequence, 4)));
    let found =
        AnalysisView { title: "Tabiya".into(), lines: vec![("+0.35".into(), "Nf3".into())] };
    assert!(app.found(Some(found.clone())));
    assert!(!app.found(Some(found)));
    keys(&mut app, "<space> a");
    assert_eq!(app.wants_analysis(), None);
}
