//! Whatever is in a game is there again after it was written and read.

use std::time::Duration;

use proptest::prelude::*;
use tabiya_chess::Position;
use tabiya_pgn::{
    Comment, Form, Game, GameResult, Interest, Nag, ReadError, Reader, Rewriter, Visitor,
};

/// One thing to do to a tree, with numbers that choose where and what.
#[derive(Clone, Debug)]
enum Edit {
    Add(usize, usize),
    Null(usize),
    Nag(usize, u8),
    Comment(usize, String),
    Before(usize, String),
    Clock(usize, u32),
    Promote(usize),
    PromoteToMain(usize),
    Delete(usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = || 0..1000_usize;
    prop_oneof![
        12 => (place(), place()).prop_map(|(at, which)| Edit::Add(at, which)),
        1 => place().prop_map(Edit::Null),
        2 => (place(), any::<u8>()).prop_map(|(at, nag)| Edit::Nag(at, nag)),
        2 => (place(), text()).prop_map(|(at, text)| Edit::Comment(at, text)),
        2 => (place(), text()).prop_map(|(at, text)| Edit::Before(at, text)),
        1 => (place(), any::<u32>()).prop_map(|(at, time)| Edit::Clock(at, time)),
        1 => place().prop_map(Edit::Promote),
        1 => place().prop_map(Edit::PromoteToMain),
        1 => place().prop_map(Edit::Delete),
    ]
}

/// Text of all kinds, much of it made of what means something in a record.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => "[a-zA-Z,.é♘]{1,12}".prop_map(|word| word),
        2 => prop::sample::select(vec![
            "{", "}", "[%clk 0:00:01]", "[%eval", "]", "[Event \"", "%", "; ", "\n", "\r\n%x", "\\",
            "\"", "(", ")", "$1", "1-0", "*", "\0", "\u{feff}", "\u{a0}", "--",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(part, 0..30).prop_map(|parts| parts.join(" "))
}

fn start() -> impl Strategy<Value = Position> {
    prop_oneof![
        4 => Just(Position::initial()),
        1 => (0..960_u16).prop_map(|number| Position::chess960(number).unwrap()),
        1 => prop::sample::select(vec![
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 9",
        ])
        .prop_map(|fen| fen.parse().unwrap()),
    ]
}

fn apply(game: &mut Game, edit: &Edit) {
    let tree = game.tree_mut();
    let mut places = vec![tree.root()];
    places.extend(tree.below(tree.root()));
    let at = |place: &usize| places[place % places.len()];
    match edit {
        Edit::Add(place, which) => {
            let moves = tree.position(at(place)).legal_moves();
            if let Some(&m) = moves.get(which % moves.len().max(1)) {
                tree.add(at(place), m).unwrap();
            }
        }
        Edit::Null(place) => {
            tree.add_null(at(place));
        }
        Edit::Nag(place, nag) => tree.add_nag(at(place), Nag(*nag)),
        Edit::Comment(place, text) => tree.add_comment(at(place), Comment::new(text)),
        Edit::Before(place, text) => tree.add_comment_before(at(place), Comment::new(text)),
        Edit::Clock(place, time) => {
            let clock = Duration::from_millis(u64::from(*time));
            tree.add_comment(at(place), Comment::default().with_clock(clock));
        }
        Edit::Promote(place) => tree.promote(at(place)),
        Edit::PromoteToMain(place) => tree.promote_to_main(at(place)),
        Edit::Delete(place) => tree.delete(at(place)),
    }
}

/// The first game of a text, read and written without a tree.
fn rewritten(text: &[u8]) -> Option<String> {
    let mut rewriter = Rewriter::new(Form::default());
    let mut written = Vec::new();
    if !matches!(Reader::new(text).visit(&mut rewriter), Ok(true)) {
        return None;
    }
    rewriter.write(&mut written);
    // What is written once more is the same.
    let mut again = Vec::new();
    rewriter.write(&mut again);
    assert_eq!(written, again);
    Some(String::from_utf8(written).unwrap())
}

/// Passes over all moves.
#[derive(Default)]
struct Skimmer(Vec<Option<GameResult>>);

impl Visitor for Skimmer {
    fn begin_moves(&mut self, _start: &Position) -> Interest {
        Interest::Skip
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.0.push(result);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_reads_back_as_it_was(
        start in start(),
        tags in prop::collection::vec(("[A-Za-z0-9_]{1,10}", text()), 0..6),
        edits in prop::collection::vec(edit(), 0..80),
        result in prop::sample::select(GameResult::ALL.to_vec()),
    ) {
        let mut game = Game::from_position(start);
        game.set_result(result);
        for (name, value) in &tags {
            let _ = game.set_tag(name, value);
        }
        for edit in &edits {
            apply(&mut game, edit);
        }
        let text = game.to_string();
        let games: Vec<Game> = Reader::new(format!("{text}\n{text}").as_bytes())
            .games()
            .collect::<Result<_, _>>()
            .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(games.len(), 2);
        for again in &games {
            prop_assert_eq!(again, &game, "\n{}", text);
        }
        prop_assert_eq!(rewritten(text.as_bytes()), Some(text.clone()));
        // Whoever passes over the moves finds the same games.
        let mut skimmer = Skimmer::default();
        let many = format!("{text}\n").repeat(5);
        let mut reader = Reader::new(many.as_bytes());
        while reader.visit(&mut skimmer).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))? {}
        prop_assert_eq!(&skimmer.0, &vec![Some(result); 5], "\n{}", text);
        for line in text.lines().skip_while(|line| !line.is_empty()) {
            let long = line.chars().count() > 80;
            // Only what cannot be broken may be longer: a word, and what must not begin a line.
            prop_assert!(!long || line.contains(['%', ';', '[']) || !line.contains(' '), "{}", line);
        }
    }

    #[test]
    fn what_is_written_without_a_tree_reads_back_as_the_same_tree(
        parts in prop::collection::vec(prop::sample::select(vec![
            "e4", "e5", "Nf3", "Nc6", "d4", "a6", "1.", "--", "O-O", "(", "(", ")", ")", "{a  {b}", "{}", ";x\n", "$1", "!", "$1",
            "{[%clk 0:00:01] so}", "{ [Event }", "{\u{a0}}", "1-0", "[White \"x\"]",
        ]), 0..60),
    ) {
        let text = parts.join(" ");
        let Ok(Some(game)) = Reader::new(text.as_bytes()).next_game() else { return Ok(()) };
        let written = rewritten(text.as_bytes()).unwrap();
        prop_assert_eq!(&written.parse::<Game>().unwrap(), &game, "{}", written);
        prop_assert_eq!(rewritten(written.as_bytes()), Some(written));
    }

    #[test]
    fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut reader = Reader::new(&bytes[..]);
        loop {
            match reader.next_game() {
                Ok(None) => break,
                Ok(Some(game)) => {
                    let again: Game = game.to_string().parse().unwrap();
                    prop_assert_eq!(again, game);
                }
                Err(ReadError::BadGame(_)) => {}
                Err(ReadError::Io(error)) => panic!("{error}"),
            }
        }
        prop_assert_eq!(reader.bytes(), bytes.len() as u64);
    }
}
