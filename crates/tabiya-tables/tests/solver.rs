//! Three men, solved once more in the most obvious way: every square for every piece, the moves of `tabiya_chess`, and rounds over
//! all positions until nothing changes. And random positions held to the moves of `tabiya_chess`.

use std::collections::HashMap;
use std::path::Path;

use tabiya_base::{Random, Stop};
use tabiya_chess::{Board, Color, Position, Role, Setup, Square};
use tabiya_tables::{Fate, Maker, Material, TableEntry, Tables};

/// Wins and losses in plies to mate; draws are left out.
type Solved = HashMap<(Board, Color), (bool, u16)>;

fn position(pieces: &[(Role, Color, Square)], turn: Color) -> Option<Position> {
    let mut setup = Setup { turn, ..Setup::empty() };
    for &(role, color, square) in pieces {
        if setup.board.put(square, role.of(color)).is_some() {
            return None;
        }
    }
    setup.validate().ok()
}

fn after(position: &Position) -> Vec<Position> {
    let moves = position.legal_moves();
    moves.iter().map(|&m| position.play(m).unwrap()).collect()
}

/// All positions of White's king and a piece against Black's king.
fn positions(role: Role) -> Vec<Position> {
    let mut all = Vec::new();
    for king in Square::ALL {
        for bare in Square::ALL {
            for piece in Square::ALL {
                for turn in Color::ALL {
                    let pieces = [
                        (Role::King, Color::White, king),
                        (Role::King, Color::Black, bare),
                        (role, Color::White, piece),
                    ];
                    all.extend(position(&pieces, turn));
                }
            }
        }
    }
    all
}

/// Adds an ending to what is solved: in round n, what is won or lost in n plies.
fn solve(role: Role, solved: &mut Solved) {
    let mut open: Vec<(Position, Vec<(Board, Color)>)> = positions(role)
        .into_iter()
        .map(|position| {
            let next = after(&position);
            (position, next.iter().map(|next| (*next.board(), next.turn())).collect())
        })
        .collect();
    for plies in 0..=60 {
        let mut found = Vec::new();
        open.retain(|(position, next)| {
            let is_lost_in_less = |key| matches!(solved.get(key), Some((false, n)) if *n < plies);
            let is_won_in_less = |key| matches!(solved.get(key), Some((true, n)) if *n < plies);
            let wins = next.iter().any(is_lost_in_less);
            let loses = match next.is_empty() {
                true => position.is_check(),
                false => next.iter().all(is_won_in_less),
            };
            if wins || loses {
                found.push(((*position.board(), position.turn()), (wins, plies)));
            }
            !wins && !loses
        });
        solved.extend(found);
    }
}

#[test]
fn three_men_are_as_a_slow_solver_finds_them() {
    let folder = tempfile::tempdir().unwrap();
    let maker = Maker::new(folder.path());
    Material::all(3).for_each(|ending| maker.make(ending, &mut |_| {}).unwrap());
    let tables = Tables::open([folder.path()]);
    let mut solved = Solved::new();
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Pawn] {
        solve(role, &mut solved);
        for position in positions(role) {
            let entry = tables.probe(&position).unwrap();
            let found = entry.mate.map(|plies| (entry.fate > Fate::Draw, plies));
            let expected = solved.get(&(*position.board(), position.turn())).copied();
            assert_eq!(found, expected, "{}", position.fen());
            assert_eq!(tables.fate(&position).unwrap(), entry.fate);
        }
    }
}

/// What follows from the positions after it: the result and plies to mate and to zeroing.
fn by_moves(tables: &Tables, position: &Position) -> TableEntry {
    let mut best: Option<(i32, TableEntry)> = None;
    let mut soonest: Option<(i32, Fate, Option<u16>)> = None;
    for next in after(position) {
        let entry = tables.probe(&next).unwrap();
        let is_zeroing = next.halfmove_clock() == 0;
        let mate = entry.mate.map(|plies| plies + 1);
        let zeroing = entry.zeroing.map(|plies| match (is_zeroing, plies > 100) {
            (true, false) => 1,
            (true, true) => 101,
            (false, _) => plies + 1,
        });
        let sign = -entry.fate.number().signum();
        let rank = |plies: Option<u16>| sign * (1000 - i32::from(plies.unwrap_or(0)));
        if best.is_none_or(|(known, _)| rank(mate) > known) {
            best = Some((rank(mate), TableEntry { mate, ..entry }));
        }
        let fate = match (sign, zeroing.unwrap_or(0) > 100) {
            (1, false) => Fate::Win,
            (1, true) => Fate::CursedWin,
            (-1, false) => Fate::Loss,
            (-1, true) => Fate::BlessedLoss,
            _ => Fate::Draw,
        };
        if soonest.is_none_or(|(known, ..)| rank(zeroing) > known) {
            soonest = Some((rank(zeroing), fate, zeroing));
        }
    }
    match (best, soonest) {
        (Some((_, best)), Some((_, fate, zeroing))) => {
            TableEntry { fate, mate: best.mate, zeroing }
        }
        _ if position.is_check() => {
            TableEntry { fate: Fate::Loss, mate: Some(0), zeroing: Some(0) }
        }
        _ => TableEntry { fate: Fate::Draw, mate: None, zeroing: None },
    }
}

/// Random positions of an ending with either colour, with en passant where it can be.
fn random_positions(ending: Material, count: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let swap = random.below(2) == 1;
        let mut setup = Setup { turn: Color::ALL[random.below(2)], ..Setup::empty() };
        let mut overlap = false;
        for piece in ending.pieces() {
            let color = if swap { !piece.color } else { piece.color };
            let square = Square::ALL[random.below(64)];
            overlap |= setup.board.put(square, piece.role.of(color)).is_some();
        }
        if overlap {
            continue;
        }
        let Ok(without) = setup.validate() else { continue };
        let ranks = if setup.turn == Color::White { 40..48 } else { 16..24 };
        let en_passant = Square::ALL[ranks].iter().find_map(|&square| {
            let with = Setup { ep_square: Some(square), ..setup.clone() }.validate().ok()?;
            with.legal_ep_square().map(|_| with)
        });
        found.push(en_passant.unwrap_or(without));
    }
    found
}

#[test]
#[ignore = "needs the tables of four men: TABIYA_TABLES=FOLDER, see docs/tables.md"]
fn random_positions_follow_from_their_moves() {
    let folder =
        std::env::var_os("TABIYA_TABLES").expect("TABIYA_TABLES names a folder with tables");
    let tables = Tables::open([Path::new(&folder)]);
    let mut random = Random::new(20);
    let (mut seen, mut en_passant) = (0, 0);
    let endings: Vec<Material> = tables.own().iter().map(|table| table.material()).collect();
    let each = 100_000_usize.div_ceil(endings.len());
    for ending in endings {
        let count = if ending.to_string() == "KPvKP" { 20 * each } else { each };
        for position in random_positions(ending, count, &mut random) {
            let expected = by_moves(&tables, &position);
            assert_eq!(tables.probe(&position).unwrap(), expected, "{}", position.fen());
            assert_eq!(tables.fate(&position).unwrap(), expected.fate, "{}", position.fen());
            seen += 1;
            en_passant += usize::from(position.legal_ep_square().is_some());
        }
    }
    eprintln!("{seen} positions, {en_passant} with en passant");
    assert!(seen >= 100_000);
}

#[test]
fn any_number_of_threads_and_any_break_give_the_same_files() {
    let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let endings: [Material; 2] = ["KPK", "KRBK"].map(|ending| ending.parse().unwrap());
    for ending in endings {
        Maker { threads: 1, ..Maker::new(one.path()) }.make(ending, &mut |_| {}).unwrap();
        let mut breaks = 0;
        loop {
            let stop = Stop::default();
            let maker = Maker { threads: 3, stop: stop.clone(), ..Maker::new(other.path()) };
            let mut slices = 0;
            let made = maker.make(ending, &mut |_| {
                slices += 1;
                if slices > 7 {
                    stop.stop();
                }
            });
            match made {
                Ok(()) => break,
                Err(error) => assert!(error.to_string().starts_with("stopped"), "{error}"),
            }
            breaks += 1;
            // As if the machine had been switched off while the last slice was written.
            let unfinished = other.path().join("KPvK.unfinished");
            if let Ok(bytes) = std::fs::read(&unfinished) {
                std::fs::write(&unfinished, &bytes[..bytes.len() - bytes.len() / 9]).unwrap();
            }
        }
        assert!(breaks > 2 || ending.men() == 4, "{breaks}");
    }
    for ending in ["KPvK", "KQvK", "KRvK", "KRBvK"] {
        let file = format!("{ending}.tabiya-table");
        let [one, other] =
            [&one, &other].map(|folder| std::fs::read(folder.path().join(&file)).unwrap());
        assert!(one == other, "{ending}");
    }
    assert!(!other.path().join("KPvK.unfinished").exists());
}
