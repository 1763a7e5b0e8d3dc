//! Files that nobody should have written, and what becomes of them.

use std::io::{self, Read};

use tabiya_chess::Position;
use tabiya_pgn::{
    Form, Game, GameResult, Interest, MAX_DEPTH, MAX_GAME, MAX_TOKEN, Nag, Problem, ReadError,
    Reader, Rewriter, Visitor,
};

/// The games of a text: moves and result of a good one, place and problem of a bad one.
fn read(bytes: &[u8]) -> Vec<Result<Game, (u64, u64, Problem)>> {
    Reader::new(bytes)
        .games()
        .map(|game| match game {
            Ok(game) => Ok(game),
            Err(ReadError::BadGame(bad)) => Err((bad.place.line, bad.place.column, bad.problem)),
            Err(ReadError::Io(error)) => panic!("{error}"),
        })
        .collect()
}

fn moves(game: &Game) -> String {
    let text = game.to_string();
    text.split_once("\n\n").unwrap().1.trim_end().replace('\n', " ")
}

/// The moves of a text that is one good game, written as we write them.
#[track_caller]
fn one(text: impl AsRef<[u8]>) -> String {
    let games = read(text.as_ref());
    let shown = String::from_utf8_lossy(text.as_ref()).chars().take(200).collect::<String>();
    let [Ok(game)] = games.as_slice() else { panic!("{shown}: {games:?}") };
    assert_eq!(game.to_string().parse::<Game>().unwrap(), *game, "{shown}");
    let mut rewriter = Rewriter::new(Form::default());
    assert!(Reader::new(text.as_ref()).visit(&mut rewriter).unwrap());
    let mut written = Vec::new();
    rewriter.write(&mut written);
    let written = String::from_utf8(written).unwrap();
    assert_eq!(written.parse::<Game>().unwrap(), *game, "{shown}");
    moves(game)
}

/// Where a text that is one bad game is bad.
#[track_caller]
fn bad(text: impl AsRef<[u8]>) -> (u64, u64, Problem) {
    let mut games = read(text.as_ref());
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_err()
}

#[test]
fn moves_as_people_and_programs_write_them() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6 *",
        "1 e4 e5 2 Nf3 Nc6 *",
        "e4 e5 Nf3 Nc6 *",
        "1. e4 1... e5 2. Nf3 2... Nc6 *",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *",
        "1. e2e4 e7e5 2. g1f3 b8c6 *",
        "1. e4 e5 2. ♘f3 ♞c6 *",
        "1. e4 e5 2. nf3 nc6 *",
        "1.\ne4\n\ne5\r\n2.\tNf3\x0CNc6 *",
        "1. e4 e5\n% an escaped line } ) [ \0\n2. Nf3 Nc6 *",
        "\u{feff}1. e4 e5 2. Nf3 Nc6 *",
        "1. e4 e5 2. Nf3 Nc6",
        "1. e4 e5 2. Nf3 Nc6 *\n\n\n",
        "1. e4 ( ) e5 2. Nf3 Nc6 *",
        "1. e4 {} e5 2. Nf3+ Nc6# *",
        "1. e4 e5 2. Nf3 ch Nc6 mate *",
    ] {
        assert_eq!(one(text), "1. e4 e5 2. Nf3 Nc6 *", "{text:?}");
    }
    assert_eq!(one("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"] a8(Q) *"), "1. a8=Q+ *");
    assert_eq!(one("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"] a8=N(1.Kd1) *"), "1. a8=N (1. Kd1) *");
    let castles = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n0-0 0-0-0+ 1-0";
    assert_eq!(one(castles), "1. O-O O-O-O 1-0");
    let passed = "[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n\n1. exd6 e.p. Kd7 *";
    assert_eq!(one(passed), "1. exd6 Kd7 *");
}

#[test]
fn everything_that_can_be_said_about_a_move() {
    let text = "; before the game\n[Event \"?\"]\n{and again} 1. e4! $18 {one}{two} ; three } {\n\
                1... e5 += ({but} 1... c5!? {Sicilian} (1... e6 $6) 2. Nf3 {!} 1-0) {after} \
                2. Nf3 +- !! N 1/2-1/2";
    assert_eq!(
        one(text),
        "{and again} 1. e4 $1 $18 {one} {two} {three ) (} 1... e5 $14 {after} ({but} 1... c5 $5 \
         {Sicilian} 2. Nf3 {!}) (1... e6 $6) 2. Nf3 $18 $3 $146 1/2-1/2"
    );
    assert_eq!(one("1. e4 -- 2. d4 Z0 (2... d5) *"), "1. e4 -- 2. d4 -- (2... d5) *");
    let game: Game = "1. e4 $0 $255 ??? *".parse().unwrap();
    let first = game.tree().main_line().next().unwrap();
    assert_eq!(game.tree().nags(first), [Nag(0), Nag(255), Nag::BLUNDER]);
}

#[test]
fn tags_with_all_the_trouble_they_make() {
    let text = b"[Event \"C:\\\\games \\\"x\\\"\"]\r\n[White\t\"R\xE9ti\"] [Black \"The \"Big\" One\"]\r\n\
                 [ Site  \"a]b\" ]\r\n[Date\"1924.??.??\"]\r\n[Weird_9 \"\"]\r\n\r\n1.Nf3 1-0\r\n";
    let games = read(text);
    let [Ok(game)] = games.as_slice() else { panic!("{games:?}") };
    for (name, value) in [
        ("Event", "C:\\games \"x\""),
        ("White", "Réti"),
        ("Black", "The \"Big\" One"),
        ("Site", "a]b"),
        ("Date", "1924.??.??"),
        ("Weird_9", ""),
        ("Result", "1-0"),
    ] {
        assert_eq!(game.tag(name), Some(value), "{name}");
    }
    assert_eq!(game.to_string().parse::<Game>().unwrap(), *game);
}

#[test]
fn results_missing_odd_and_contradicting() {
    let result = |text: &str| text.parse::<Game>().unwrap().result();
    assert_eq!(result("[Result \"0-1\"]\n1. e4"), GameResult::BlackWins);
    assert_eq!(result("[Result \"0-1\"]\n1. e4 *"), GameResult::BlackWins);
    assert_eq!(result("[Result \"0-1\"]\n1. e4 1-0"), GameResult::WhiteWins);
    assert_eq!(result("[Result \"whatever\"]\n1. e4"), GameResult::Unknown);
    for draw in ["1/2", "1/2-1/2", "½-½"] {
        assert_eq!(result(&format!("1. e4 e5 {draw}")), GameResult::Draw, "{draw}");
    }
}

#[test]
fn several_games_with_and_without_anything_between_them() {
    for (text, games) in [
        ("", 0),
        (" \r\n\n", 0),
        ("% nothing\n; nothing\n{nothing}", 0),
        ("*", 1),
        ("1-0 0-1 1/2-1/2 *", 4),
        ("1. e4 * 1. d4 *", 2),
        ("[Event \"a\"]\n[Event \"b\"]\n[Event \"c\"]", 3),
        ("[Event \"a\"]\n\n\n[Event \"b\"]\n1. e4\n[White \"c\"]\n1. d4", 3),
        ("[Event \"a\"][White \"x\"]1.e4[Event \"b\"]1.d4 1-0[Event \"c\"]", 3),
        ("[Event \"a\"]\r\n1. e4 *\r\n\u{feff}[Event \"b\"]\r\n1. e4 *\r\n", 2),
    ] {
        let read = read(text.as_bytes());
        assert_eq!(read.len(), games, "{text:?}");
        assert!(read.iter().all(Result::is_ok), "{text:?}: {read:?}");
    }
}

#[test]
fn what_is_wrong_and_where() {
    assert_eq!(bad("1. e4 e5\n2. Nf3 {♘} Nc6 (2... d5 *"), (2, 16, Problem::UnclosedVariation));
    assert_eq!(bad("1. e4 e5) *"), (1, 9, Problem::UnopenedVariation));
    assert_eq!(bad("(1. e4) *"), (1, 1, Problem::EarlyVariation));
    assert_eq!(bad("1. e4 ((1. d4)) *"), (1, 8, Problem::EarlyVariation));
    assert_eq!(bad("1. e4 {never closed *"), (1, 7, Problem::UnclosedComment));
    assert_eq!(bad("1. e4 } *"), (1, 7, Problem::Character('}')));
    assert_eq!(bad("1. e4\0 *"), (1, 6, Problem::Character('\0')));
    assert_eq!(bad("1. e4 [x] *"), (1, 7, Problem::Character('[')));
    assert_eq!(bad("1. e4 <x> *"), (1, 7, Problem::Character('<')));
    assert_eq!(bad("1. e4 $ *"), (1, 7, Problem::Nag));
    assert_eq!(bad("1. e4 $256 *"), (1, 7, Problem::Nag));
    assert_eq!(bad("[Event \"x]\n1. e4 *"), (1, 1, Problem::Tag));
    assert_eq!(bad("[Event \"x\\\n1. e4 *"), (1, 1, Problem::Tag));
    assert_eq!(bad("[Variant \"Atomic\"]\n1. e4 *"), (1, 1, Problem::Variant("Atomic".into())));
    assert_eq!(bad("1. e4 f6 2. Qh5+ -- *"), (1, 18, Problem::NullMoveInCheck));
    let (line, column, problem) = bad("[White \"x\"]\n[FEN \"8/8/8/8 w\"]\n\n1. e4 *");
    assert_eq!((line, column), (2, 1));
    assert!(matches!(problem, Problem::Fen(_)));
    let (line, column, problem) = bad("1. e4\n  Ke8-e9?? *");
    assert_eq!((line, column), (2, 3));
    assert_eq!(problem.to_string(), "\"Ke8-e9\" is not a move: write it like e4, Nf3 or e2e4.");
}

#[test]
fn after_a_bad_game_comes_the_next() {
    let good = "\n[Event \"good\"]\n\n1. d4 d5 *\n\n";
    for trouble in [
        "1. e5 *\n",
        "1. e4 {not closed",
        "1. e4 {not closed\n\n1-0\n",
        "1. e4 (1. d4 (1. c4 *",
        "1. e4 ) e5 *",
        "[Event \"not closed\n[White \"?\"]\n\n1. e4 *",
        "[Event \"x\"]\n[FEN \"nonsense\"]\n[Site \"?\"]\n\n1. e4 *",
        "[Event \"x\"]\n[Variant \"Atomic\"]\n[Site \"?\"]\n\n1. e4 *",
        "\0\0\0\0",
        "<<<<>>>>",
        "]]]]",
        "[[[[",
        "[Event",
        "1. e4 $999 e5",
        "\u{1}\u{2}\u{3}",
    ] {
        let games = read(format!("{good}{trouble}{good}{good}").as_bytes());
        let goodness: Vec<bool> = games.iter().map(Result::is_ok).collect();
        assert_eq!(goodness, [true, false, true, true], "{trouble:?}: {games:?}");
        let game = games[2].as_ref().unwrap();
        assert_eq!((game.tag("Event"), moves(game).as_str()), (Some("good"), "1. d4 d5 *"));
    }
}

#[test]
fn games_without_tags_after_a_bad_one_are_lost_but_not_for_long() {
    let text = "1. e5 *\n1. e4 *\n[White \"x\"]\n1. d4 *\n";
    assert_eq!(read(text.as_bytes()).len(), 2);
}

/// Knights go out and back. After each such move, a variation replaces the other knight's by the next
/// such move, so that each variation is one move deeper in the game.
fn nested(depth: usize) -> String {
    let mut text = String::from("1. Nf3 ");
    for level in 0..depth {
        let shuttle = ["Nc3", "Nc6", "Nb1", "Nb8"][level % 4];
        let replaced = ["Nf6", "Nf3"][level % 2];
        text.push_str(&format!("({shuttle} {replaced} "));
    }
    text.push_str(&")".repeat(depth));
    text + " *"
}

#[test]
fn ten_thousand_variations_inside_each_other() {
    let game: Game = nested(10_000).parse().unwrap();
    assert_eq!(game.tree().len(), 1 + 2 * 10_000);
    assert!(game.to_string().parse::<Game>().unwrap() == game);
    let deepest = game.tree().below(game.tree().root()).map(|id| game.tree().line_to(id).len());
    assert_eq!(deepest.max(), Some(10_001));
}

#[test]
fn very_many_variations_beside_each_other() {
    let text = format!("1. e4 {} *", "(1. d4)".repeat(200_000));
    let game: Game = text.parse().unwrap();
    assert_eq!(game.tree().len(), 200_001);
    assert!(game.to_string().parse::<Game>().unwrap() == game);
}

#[test]
fn bounds_are_kept() {
    let deep = "1. e4 ".to_owned() + &"(1. d4 ".repeat(MAX_DEPTH + 1);
    assert_eq!(bad(&deep).2, Problem::Depth);
    let fits = format!("1. e4 {{{}}} *", "x".repeat(MAX_TOKEN - 100));
    assert!(one(&fits).len() > MAX_TOKEN / 2);
    // A comment is kept whole or its game is refused, wherever its brace lies in the file.
    for more in [0, 1, 2, 1000, 100_000, 500_000, 900_000] {
        let long = format!("1. e4 {{{}}} *", "x".repeat(MAX_TOKEN + more));
        assert_eq!(bad(&long).2, Problem::LongToken, "{more}");
    }
    for long in [
        format!("1. e4 {{{}}} *", "x ".repeat(MAX_TOKEN)),
        format!("1. e4 ;{} *", "x ".repeat(MAX_TOKEN)),
        format!("[White \"{}\"] 1. e4 *", "x".repeat(2 * MAX_TOKEN)),
        format!("1. e4 {} *", "x".repeat(1000)),
    ] {
        assert_eq!(bad(&long).2, Problem::LongToken);
    }
    let chatter =
        "1. e4 ".to_owned() + &format!("{{{}}} ", "x".repeat(4093)).repeat(MAX_GAME as usize >> 12);
    assert_eq!(bad(&chatter).2, Problem::LongGame);
}

/// Text without end or sense, in time that grows with its length and no faster: each of these took
/// hours if it did.
#[test]
fn long_nonsense() {
    for part in [
        "\0",
        "(",
        ")",
        "{",
        "[",
        "]",
        "[a ",
        "[a \"",
        "[a \"b\"]",
        "\"",
        "\\",
        "$",
        "$1",
        "!",
        "?",
        "1",
        "1.",
        ".",
        "-",
        "*",
        "e4 ",
        "%",
        "\n%",
        ";",
        "; \n",
        "{}",
        "{[Event \"",
        "\n[Event \"",
        "\n[",
        "\r",
        " ",
        "\u{feff}",
        "½",
        "1-0",
        "1/2-",
        "e.p.",
        "O-O",
        "(1. e4",
        "[FEN \"8/8\"]\n",
        "[a \"\\",
        "[a \" \" ",
        "[Event \"x\"]\n",
    ] {
        let text = part.repeat((2 << 20) / part.len());
        let mut reader = Reader::new(text.as_bytes());
        loop {
            match reader.visit(&mut ()) {
                Ok(false) => break,
                Ok(true) | Err(ReadError::BadGame(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(reader.bytes(), text.len() as u64, "{part:?}");
    }
}

#[test]
fn comments_before_a_game_without_tags_are_kept_or_refused() {
    let part = format!("{{{}}}\n", "so ".repeat(133_333).trim_end());
    let [Ok(game)] = &read(format!("{}1. e4 *", part.repeat(5)).as_bytes())[..] else { panic!() };
    assert_eq!(game.tree().comments(game.tree().root()).len(), 5);
    assert_eq!(game.to_string().matches("so").count(), 5 * 133_333);
    // More than a game may have: it is bad, and the next is not.
    let too_many = part.repeat(MAX_GAME as usize / part.len() + 1);
    let games = read(format!("{too_many}1. e4 *\n\n[White \"x\"]\n1. d4 *").as_bytes());
    assert!(matches!(games[0], Err((_, 4, Problem::LongGame))), "{:?}", games[0]);
    assert!(games.len() == 2 && games[1].is_ok());
    // What stands before tags belongs to nobody.
    assert_eq!(one(format!("{too_many}[White \"x\"]\n1. d4 *")), "1. d4 *");
}

#[test]
fn those_who_skim_are_told_only_what_they_want() {
    #[derive(Default)]
    struct Skimmer {
        moves: usize,
        variations: usize,
    }
    impl Visitor for Skimmer {
        fn begin_moves(&mut self, start: &Position) -> Interest {
            if *start == Position::initial() { Interest::Read } else { Interest::Skip }
        }
        fn played(&mut self, _played: &tabiya_pgn::Played<'_>) {
            self.moves += 1;
        }
        fn begin_variation(&mut self) -> Interest {
            self.variations += 1;
            Interest::Skip
        }
        fn end_variation(&mut self) {
            panic!("nobody asked");
        }
    }
    let text = "1. e4 (1. nonsense (and more) {)} ; )\n) e5 *\n\
                [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n1. what (ever) {it} $1 is 1-0\n1. d4 *";
    let mut skimmer = Skimmer::default();
    let mut reader = Reader::new(text.as_bytes());
    while reader.visit(&mut skimmer).unwrap() {}
    assert_eq!((skimmer.moves, skimmer.variations, reader.games_read()), (3, 1, 3));
}

#[test]
fn who_skims_knows_every_result() {
    struct Skimmer(Vec<Option<GameResult>>);
    impl Visitor for Skimmer {
        fn begin_moves(&mut self, _start: &Position) -> Interest {
            Interest::Skip
        }
        fn end_game(&mut self, result: Option<GameResult>) {
            self.0.push(result);
        }
    }
    // In UTF-8 and in Latin-1 there are draws that are written with one sign.
    let moves = "1. e4 e5 2. O-O (2. d4 1-0) a8(Q)+ ".repeat(40);
    let mut text = format!("{moves}½-½\n{moves}0-1 {moves}1/2 {moves}*\n").into_bytes();
    text.extend([moves.as_bytes(), b"\xBD-\xBD\n", moves.as_bytes()].concat());
    let mut skimmer = Skimmer(Vec::new());
    let mut reader = Reader::new(&text[..]);
    while reader.visit(&mut skimmer).unwrap() {}
    let (draw, unknown) = (Some(GameResult::Draw), Some(GameResult::Unknown));
    assert_eq!(skimmer.0, [draw, Some(GameResult::BlackWins), draw, unknown, draw, None]);
}

#[test]
fn a_source_that_breaks_is_told_of_once() {
    struct Broken(&'static [u8]);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("the disk is gone")),
                count => Ok(count),
            }
        }
    }
    let mut games = Reader::new(Broken(b"1. e4 e5 * 1. d4")).games();
    assert!(matches!(games.next(), Some(Err(ReadError::Io(_)))));
    assert!(games.next().is_none());
}

#[test]
fn however_the_bytes_come_the_games_are_the_same() {
    struct Drops<'a>(&'a [u8], usize);
    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = self.1 % 7 + 1;
            let count = self.1.min(buffer.len()).min(self.0.len());
            self.0.read(&mut buffer[..count])
        }
    }
    let text = "[White \"Ærø\"]\n\n1. e4 {a comment} (1. d4 $5) e5 1-0\n\n1. e5 {x\n\n\
                [Event \"next\"]\n1. c4 (1. b4 *\n[Event \"last\"] *"
        .repeat(3000);
    let all = |games: &mut dyn Iterator<Item = Result<Game, ReadError>>| {
        games.map(|game| game.map_err(|error| error.to_string())).collect::<Vec<_>>()
    };
    let whole = all(&mut Reader::new(text.as_bytes()).games());
    let drops = all(&mut Reader::new(Drops(text.as_bytes(), 0)).games());
    assert_eq!(whole.len(), 4 * 3000);
    assert!(whole == drops);
}

#[test]
fn a_tag_whose_backslash_was_meant_as_one_is_read() {
    let text = "[Event \"Tournament \\\"]\n[White \"A \\\"\\\"]  \r\n[Black \"x\"]\n\n1. e4 *\n";
    let games = read(text.as_bytes());
    let [Ok(game)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(game.tag("Event"), Some("Tournament \\"));
    assert_eq!(game.tag("White"), Some("A \"\\"));
    assert_eq!(game.tag("Black"), Some("x"));
    assert_eq!(game.to_string().parse::<Game>().unwrap(), *game);
}
