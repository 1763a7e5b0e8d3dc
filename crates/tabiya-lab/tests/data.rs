//! Files of self-play games: what is written is read, whatever happens to the end of a file, and what a
//! trainer gets is what was on the board.

use std::fs;
use std::path::PathBuf;

use tabiya_base::Score;
use tabiya_chess::{Color, Game, PlacedPiece, Position, Role, Setup, Square};
use tabiya_lab::data::{
    DataSummary, GameFileError, GameWriter, Record, RecordFilter, ScoredGame, ScoredMove, SelfPlay,
    Skipped, games_of,
};
use tempfile::TempDir;

/// A file of its own for each test, gone afterwards.
struct Scratch(PathBuf, #[expect(dead_code, reason = "it goes with the test")] TempDir);

impl Scratch {
    fn new() -> Scratch {
        let folder = tempfile::tempdir().unwrap();
        Scratch(folder.path().join("test.games"), folder)
    }
}

/// Plays by a simple rule that depends on the position, so that games differ.
fn think(game: &Game) -> Option<ScoredMove> {
    let moves = game.position().legal_moves();
    let key = game.position().key();
    let score = Score::Centipawns((key >> 20) as i32 % 250);
    Some(ScoredMove { m: *moves.get(key as usize % moves.len())?, score })
}

fn games(count: usize) -> Vec<ScoredGame> {
    let rules = SelfPlay::default();
    let play = |number| rules.play(rules.opening(1, number)?, number, None, think);
    (0..).filter_map(play).take(count).collect()
}

fn write(scratch: &Scratch, games: &[ScoredGame]) {
    let mut writer = GameWriter::open(&scratch.0, "a test").unwrap();
    for game in games {
        writer.append(game).unwrap();
    }
    writer.sync().unwrap();
}

fn read(scratch: &Scratch) -> Result<Vec<ScoredGame>, GameFileError> {
    games_of(&scratch.0)?.collect()
}

#[test]
fn what_is_written_is_read() {
    let scratch = Scratch::new();
    let games = games(40);
    write(&scratch, &games[..15]);
    write(&scratch, &games[15..]);
    assert_eq!(read(&scratch).unwrap(), games);
    let reopened = GameWriter::open(&scratch.0, "a test").unwrap();
    assert_eq!(reopened.next_number(), games.last().unwrap().number + 1);
}

#[test]
fn games_are_small() {
    let games = games(40);
    let moves: usize = games.iter().map(|game| game.opening.len() + game.moves.len()).sum();
    let bytes: usize = games.iter().map(|game| game.pack().len()).sum();
    // The scores of these games jump about; an engine's take less.
    assert!(bytes < 4 * moves, "{bytes} bytes for {moves} moves");
}

#[test]
fn a_file_cut_anywhere_loses_only_what_was_cut() {
    let scratch = Scratch::new();
    let games = games(6);
    write(&scratch, &games);
    let whole = fs::read(&scratch.0).unwrap();
    for length in (0..40).chain((40..whole.len()).step_by(17)).chain([whole.len() - 1]) {
        fs::write(&scratch.0, &whole[..length]).unwrap();
        let mut writer = GameWriter::open(&scratch.0, "a test").unwrap();
        writer.append(&games[5]).unwrap();
        drop(writer);
        let kept = read(&scratch).unwrap();
        let (last, before) = kept.split_last().unwrap();
        assert_eq!(last, &games[5]);
        assert_eq!(before, &games[..before.len()]);
    }
}

#[test]
fn damage_is_named_and_nothing_is_cut() {
    let scratch = Scratch::new();
    write(&scratch, &games(6));
    let whole = fs::read(&scratch.0).unwrap();
    let mut damaged = whole.clone();
    damaged[40] ^= 4; // within the first game
    fs::write(&scratch.0, &damaged).unwrap();
    assert!(matches!(read(&scratch), Err(GameFileError::Damaged { at: 16, .. })));
    assert!(GameWriter::open(&scratch.0, "a test").is_err());
    assert_eq!(fs::read(&scratch.0).unwrap(), damaged);

    fs::write(&scratch.0, b"[Event \"A game of another kind\"]").unwrap();
    assert!(matches!(read(&scratch), Err(GameFileError::NotGames { .. })));
    assert!(GameWriter::open(&scratch.0, "a test").is_err());
}

#[test]
fn one_writer_and_one_maker() {
    let scratch = Scratch::new();
    let first = GameWriter::open(&scratch.0, "a test").unwrap();
    assert!(matches!(GameWriter::open(&scratch.0, "a test"), Err(GameFileError::InUse { .. })));
    drop(first);
    let error = GameWriter::open(&scratch.0, "another").err().unwrap().to_string();
    assert!(
        error.ends_with("the games in it were made by \"a test\", not by \"another\""),
        "{error}"
    );
}

/// The position that the bytes of a record tell of, by the table in its documentation.
fn decode(bytes: &[u8; 32]) -> Position {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let occupied = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    let mut setup = Setup::empty();
    let squares = (0..64).filter(|square| occupied >> square & 1 == 1);
    for (index, square) in squares.enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let piece = roles[usize::from(code & 7)].of(color);
        setup.board.put(Square::from_index(square).unwrap(), piece);
    }
    setup.validate().unwrap()
}

#[test]
fn records_tell_what_was_on_the_board() {
    let mut records = 0;
    for game in games(20) {
        let mut position = *game.opening().position();
        let judged: Vec<_> = RecordFilter::default().judge(&game).collect();
        assert_eq!(judged.len(), game.moves.len());
        for (chosen, judged) in game.moves.iter().zip(judged) {
            if let Ok(record) = judged {
                let bytes = record.to_bytes();
                let seen = decode(&bytes);
                let turned: Vec<PlacedPiece> = match position.turn() {
                    Color::White => position.board().iter().collect(),
                    Color::Black => {
                        let turn = |placed: PlacedPiece| PlacedPiece {
                            piece: placed.piece.role.of(!placed.piece.color),
                            square: placed.square.relative_to(Color::Black),
                        };
                        position.board().iter().map(turn).collect()
                    }
                };
                assert_eq!(turned.len(), seen.board().occupied().len() as usize);
                assert!(turned.iter().all(|p| seen.piece_at(p.square) == Some(p.piece)));
                let score = i16::from_le_bytes([bytes[24], bytes[25]]);
                assert_eq!(Score::Centipawns(score.into()), chosen.score);
                let points = game.winner.map_or(1, |c| if c == position.turn() { 2 } else { 0 });
                assert_eq!(bytes[26], points);
                assert_eq!(u16::from(bytes[27]), position.halfmove_clock());
                records += 1;
            }
            position.play_unchecked(chosen.m);
        }
    }
    assert!(records > 200, "{records}");
}

/// The judgement of a game of one move from an opening, with the move and score given.
fn judge(opening: &[&str], m: &str, score: Score) -> Result<Record, Skipped> {
    let mut game = Game::new();
    for text in opening {
        game.play(game.position().parse_san(text).unwrap()).unwrap();
    }
    let chosen = ScoredMove { m: game.position().parse_san(m).unwrap(), score };
    let opening = game.moves().to_vec();
    let game = ScoredGame { number: 0, start: 518, opening, moves: vec![chosen], winner: None };
    let filter = RecordFilter { first_ply: 3, ..RecordFilter::default() };
    filter.judge(&game).next().unwrap()
}

#[test]
fn noisy_positions_are_left_out() {
    let quiet = Score::Centipawns(10);
    assert!(judge(&["e4", "d5", "Nf3"], "Nf6", quiet).is_ok());
    assert_eq!(judge(&["e4", "d5"], "Nf3", quiet), Err(Skipped::Early));
    assert_eq!(judge(&["e4", "d5", "Nf3"], "dxe4", quiet), Err(Skipped::Tactical));
    assert_eq!(judge(&["e4", "Nf6", "e5", "d5"], "exd6", quiet), Err(Skipped::Tactical));
    assert_eq!(judge(&["e4", "d5", "Bb5+"], "c6", quiet), Err(Skipped::Check));
    assert_eq!(judge(&["f3", "e5", "g4"], "Qh4#", Score::Mate(1)), Err(Skipped::Mate));
    assert_eq!(judge(&["e4", "d5", "Nf3"], "Nf6", Score::Centipawns(9000)), Err(Skipped::Mate));
}

#[test]
fn a_hundredth_of_the_games_is_held_out() {
    let rules = SelfPlay::default();
    let openings = (0..20_000).filter_map(|number| rules.opening(2, number));
    let game = |opening: Game| ScoredGame {
        number: 0,
        start: 518,
        opening: opening.moves().to_vec(),
        moves: vec![],
        winner: None,
    };
    let games: Vec<ScoredGame> = openings.map(game).collect();
    let held_out = games.iter().filter(|game| game.is_held_out()).count();
    let expected = games.len() / 100;
    assert!(held_out.abs_diff(expected) < expected / 3, "{held_out} of {}", games.len());
}

#[test]
fn summaries_add_up() {
    let mut summary = DataSummary::new(RecordFilter::default());
    let games = games(30);
    for game in games.iter().chain(&games[..7]) {
        summary.add(game);
    }
    assert_eq!((summary.games, summary.repeated), (30, 7));
    let moves = games.iter().map(|game| game.moves.len() as u64).sum::<u64>();
    assert_eq!(summary.moves, moves);
    assert_eq!(summary.records + summary.skipped.iter().sum::<u64>(), moves);
    assert_eq!(summary.by_pieces.iter().sum::<u64>(), summary.records);
    assert_eq!(summary.results.iter().sum::<u64>(), 30);
}

#[test]
fn the_scale_is_found_from_results() {
    // Games of one score each, whose winners follow a curve of scale 150.
    let rules = SelfPlay { chess960_every: 0, ..SelfPlay::default() };
    let mut summary = DataSummary::new(RecordFilter { first_ply: 0, ..RecordFilter::default() });
    let openings = (0..).filter_map(|number| rules.opening(4, number)).take(6000);
    for (index, opening) in openings.enumerate() {
        let score = (index as i32 % 31 - 15) * 40;
        let expected = 1.0 / (1.0 + (-f64::from(score) / 150.0).exp());
        let wins = f64::from((index * 7919 % 1000) as u32) / 1000.0 < expected;
        let position = opening.position();
        let m = position.quiet_moves()[0];
        let moves = vec![ScoredMove { m, score: Score::Centipawns(score) }];
        let winner = Some(if wins { position.turn() } else { !position.turn() });
        let opening = opening.moves().to_vec();
        summary.add(&ScoredGame { number: 0, start: 518, opening, moves, winner });
    }
    let scale = summary.scale().unwrap();
    assert!((130..=170).contains(&scale), "{scale}");
}
