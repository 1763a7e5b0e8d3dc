//! Whole tournaments of toy players: order, repeatability, resuming, testing.

#[allow(dead_code, reason = "each test file plays with some of the toys")]
mod toys;

use std::fs;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabiya_chess::Color;
use tabiya_lab::{
    Anchor, Conditions, Decision, Entrant, Format, Openings, Sprt, Standings, Tournament,
    TournamentError, TournamentSettings,
};
use tabiya_thinker::{EngineLimit, ThinkError, ThinkErrorKind};
use tempfile::tempdir;
use toys::{Dice, Failing, Failure, Greedy};

fn dice(name: &str, seed: u64) -> Entrant<'static> {
    Entrant::new(name, move |_| Ok(Box::new(Dice(seed))))
}

fn greedy(name: &str, seed: u64) -> Entrant<'static> {
    Entrant::new(name, move |_| Ok(Box::new(Greedy(seed))))
}

fn failing(name: &str, how: Failure) -> Entrant<'static> {
    Entrant::new(name, move |_| Ok(Box::new(Failing::new(how, 2))))
}

fn settings(format: Format, pairs: usize) -> TournamentSettings {
    let conditions = Conditions { max_plies: Some(160), ..Conditions::default() };
    TournamentSettings {
        format,
        pairs,
        conditions,
        ..TournamentSettings::new(EngineLimit::Depth(1))
    }
}

fn openings() -> Openings {
    Openings::random(12, 6, 99).unwrap()
}

fn play(tournament: &Tournament<'_>, concurrency: usize) -> Standings {
    tournament.run(concurrency, |_| ControlFlow::Continue(())).unwrap()
}

fn round_robin() -> Tournament<'static> {
    let players = vec![greedy("Greedy", 1), dice("Dice 1", 1), dice("Dice 2", 2)];
    Tournament::new(settings(Format::RoundRobin, 8), players, openings()).unwrap()
}

#[test]
fn results_do_not_depend_on_how_many_play_at_a_time() {
    let one = play(&round_robin(), 1);
    let two = play(&round_robin(), 2);
    assert_eq!(one, two);
    assert_eq!(one.games(), 48);
    assert!(one.encounters.iter().all(|encounter| encounter.score.pairs.pairs() == 8));
    let [greedy, dice, _] = one.ratings()[..] else { panic!() };
    assert!(greedy.unwrap().value > dice.unwrap().value);
    let anchored = play(&round_robin().with_anchor(Anchor { player: 1, elo: 1000.0 }), 2);
    assert_eq!(anchored.ratings()[1].unwrap().value, 1000.0);
}

#[test]
fn pairs_are_played_in_order_and_with_both_colours() {
    let mut seen = Vec::new();
    let players = vec![dice("A", 1), dice("B", 2), dice("C", 3)];
    let tournament = Tournament::new(settings(Format::Gauntlet, 2), players, openings()).unwrap();
    let standings = tournament.run(1, |snapshot| {
        let record = snapshot.record;
        assert_eq!(
            record.game.positions().nth(6),
            openings().get(snapshot.pair).positions().nth(6)
        );
        seen.push((snapshot.pair, record.white.clone(), record.black.clone()));
        assert_eq!(snapshot.standings.games(), seen.len() as u64);
        ControlFlow::Continue(())
    });
    let expected =
        [(0, "AB"), (0, "BA"), (0, "AC"), (0, "CA"), (1, "AB"), (1, "BA"), (1, "AC"), (1, "CA")];
    let seen: Vec<(usize, String)> = seen.into_iter().map(|(pair, a, b)| (pair, a + &b)).collect();
    assert_eq!(seen, expected.map(|(pair, names)| (pair, names.to_owned())));
    assert_eq!(standings.unwrap().encounters.len(), 2);
}

#[test]
fn a_resumed_tournament_ends_as_if_it_had_not_stopped() {
    let folder = tempdir().unwrap();
    let whole = play(&round_robin(), 2);
    let (state, pgn) = (folder.path().join("state.json"), folder.path().join("games.pgn"));
    let resumable = || round_robin().with_state(&state).with_pgn(&pgn);
    let mut stops = 0;
    for limit in [1, 7, 20, 1000] {
        let mut games = 0;
        let standings = resumable().run(2, |_| {
            games += 1;
            if games < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let standings = standings.unwrap();
        stops += usize::from(standings.games() < 48);
        if limit == 1000 {
            assert_eq!(standings, whole);
        }
    }
    assert_eq!(stops, 3);
    let records = fs::read_to_string(&pgn).unwrap();
    assert_eq!(records.matches("[Result ").count(), 48);
    // Nothing is left to play.
    let again = resumable().run(2, |_| panic!("no game should be played"));
    assert_eq!(again.unwrap(), whole);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn other_settings_are_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("state.json");
    let make = |pairs, name: &str, seed, details: &str| {
        let players = vec![dice("A", 1), dice(name, 2).with_details(details)];
        let openings = Openings::random(12, 6, seed).unwrap();
        let settings = settings(Format::Match, pairs);
        Tournament::new(settings, players, openings).unwrap().with_state(&path)
    };
    play(&make(2, "B", 99, ""), 1);
    let refusal = |tournament: Tournament<'_>| {
        let result = tournament.run(1, |_| panic!("no game should be played"));
        result.unwrap_err().to_string()
    };
    let pairs = refusal(make(3, "B", 99, ""));
    assert!(pairs.ends_with(" belongs to a match with other settings: pairs was 2 and is now 3"));
    assert!(refusal(make(2, "C", 99, "")).contains("players was "));
    assert!(refusal(make(2, "B", 99, "hash 1")).contains("hash 1"));
    assert!(refusal(make(2, "B", 98, "")).contains("openings_digest was "));

    let good = fs::read_to_string(&path).unwrap();
    for bad in ["", "{}", "[1]", &good.replace("\"first\": \"A\"", "\"first\": \"X\"")] {
        fs::write(&path, bad).unwrap();
        assert!(refusal(make(2, "B", 99, "")).contains(" is not the state of a match: "), "{bad}");
    }
    let games = good.find("\"games\": \"").unwrap() + 10;
    for bad in ["WWWWW", "é...", "wdld"] {
        let text = format!("{}{bad}{}", &good[..games], &good[games + 4..]);
        fs::write(&path, text).unwrap();
        assert!(refusal(make(2, "B", 99, "")).contains("the games are not those"), "{bad}");
    }
    fs::write(&path, good).unwrap();
    assert_eq!(play(&make(2, "B", 99, ""), 1).games(), 4);
}

#[test]
fn forfeits_are_counted_for_each_player_and_kind() {
    let folder = tempdir().unwrap();
    let players = || {
        vec![
            dice("Dice", 7),
            failing("Nonsense", Failure::PlaysNonsense),
            failing("Crash", Failure::Crashes),
            failing("Late", Failure::Sleeps).with_limit("movetime=0.01".parse().unwrap()),
            failing("Never", Failure::CannotBegin),
        ]
    };
    let make = || {
        let mut settings = settings(Format::Gauntlet, 2);
        settings.conditions.margin = std::time::Duration::from_millis(10);
        let tournament = Tournament::new(settings, players(), openings()).unwrap();
        tournament.with_state(folder.path().join("state.json"))
    };
    let standings = play(&make(), 2);
    let forfeits = &standings.forfeits;
    assert_eq!(forfeits[0].total(), 0);
    assert_eq!((forfeits[1].illegal, forfeits[1].total()), (4, 4));
    assert_eq!((forfeits[2].crash, forfeits[2].total()), (4, 4));
    assert_eq!((forfeits[3].time, forfeits[3].total()), (4, 4));
    assert_eq!((forfeits[4].other, forfeits[4].total()), (4, 4));
    assert!(standings.encounters.iter().all(|encounter| encounter.score.games.wins == 4));
    assert!(standings.to_string().ends_with(
        "\nForfeits of Nonsense: 4 (illegal move 4)\nForfeits of Crash: 4 (crash 4)\n\
         Forfeits of Late: 4 (time 4)\nForfeits of Never: 4 (other 4)"
    ));
    // They are remembered.
    assert_eq!(play(&make(), 2), standings);
}

#[test]
fn who_failed_is_made_anew_and_who_did_not_is_kept() {
    let made = AtomicUsize::new(0);
    let kept = AtomicUsize::new(0);
    let players = vec![
        Entrant::new("Fails", |_| {
            made.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(Failing::new(Failure::Crashes, 1)))
        }),
        Entrant::new("Lasts", |_| {
            kept.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(Dice(1)))
        }),
    ];
    let tournament = Tournament::new(settings(Format::Match, 3), players, openings()).unwrap();
    play(&tournament, 1);
    assert_eq!((made.load(Ordering::Relaxed), kept.load(Ordering::Relaxed)), (6, 1));
}

#[test]
fn a_player_who_cannot_be_made_ends_the_tournament() {
    let absent =
        Entrant::new("Absent", |_| Err(ThinkError::new(ThinkErrorKind::Other, "no such file")));
    let players = vec![dice("Dice", 1), absent];
    let tournament = Tournament::new(settings(Format::Match, 50), players, openings()).unwrap();
    let error = tournament.run(2, |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.to_string(), "Absent cannot play: no such file");
}

#[test]
fn a_test_stops_the_match_at_the_same_pair_however_it_is_played() {
    let folder = tempdir().unwrap();
    let make = |first, second| {
        let sprt = Some(Sprt::new(0.0, 50.0).unwrap());
        let settings = TournamentSettings { sprt, ..settings(Format::Match, 400) };
        let openings = Openings::random(400, 6, 5).unwrap();
        Tournament::new(settings, vec![first, second], openings).unwrap()
    };
    let better = || make(greedy("A", 1), dice("B", 1));
    let one = play(&better(), 1);
    let test = one.test.unwrap();
    assert_eq!(test.decision, Decision::AcceptH1);
    assert!(one.games() < 800);
    let state = folder.path().join("state.json");
    let two = play(&better().with_state(&state), 2);
    // Another game may still have been running, but the test heard the same pairs.
    assert_eq!(two.test.unwrap(), test);
    let resumed = better().with_state(&state).run(2, |_| panic!("it is decided"));
    assert_eq!(resumed.unwrap(), two);

    let worse = play(&make(dice("B", 1), greedy("A", 1)), 2);
    assert_eq!(worse.test.unwrap().decision, Decision::AcceptH0);
    assert!(worse.to_string().ends_with("] H0 accepted"));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let make = |format, players: usize, pairs, sprt| {
        let players = (0..players).map(|number| dice(&number.to_string(), 1)).collect();
        let settings = TournamentSettings { sprt, ..settings(format, pairs) };
        Tournament::new(settings, players, openings()).map(|_| ()).unwrap_err()
    };
    assert!(matches!(make(Format::Match, 3, 1, None), TournamentError::NotTwo(3)));
    assert!(matches!(make(Format::RoundRobin, 1, 1, None), TournamentError::TooFew(1)));
    assert!(matches!(make(Format::Match, 2, 0, None), TournamentError::NoGames));
    let sprt = Sprt::new(0.0, 5.0).ok();
    assert!(matches!(make(Format::Gauntlet, 3, 1, sprt), TournamentError::TestNeedsMatch));
    let nowhere = round_robin().with_pgn("no/such/folder/games.pgn");
    let error = nowhere.run(1, |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().starts_with("no/such/folder/games.pgn: "));
}

#[test]
fn players_of_the_same_name_are_numbered() {
    let names = ["A", "B", "A", "A 2", "A"];
    let players = names.map(|name| dice(name, 1)).into();
    let tournament = Tournament::new(settings(Format::Gauntlet, 1), players, openings()).unwrap();
    let standings = tournament.run(1, |_| ControlFlow::Break(())).unwrap();
    assert_eq!(standings.names, ["A 1", "B", "A 3", "A 2", "A 4"]);
}

#[test]
fn each_worker_has_players_of_its_own() {
    let numbers = std::sync::Mutex::new(Vec::new());
    let players = vec![
        Entrant::new("A", |worker| {
            numbers.lock().unwrap().push(worker);
            Ok(Box::new(Greedy(1)))
        }),
        dice("B", 1),
    ];
    let tournament = Tournament::new(settings(Format::Match, 30), players, openings()).unwrap();
    let mut whites = 0;
    let standings = tournament.run(2, |snapshot| {
        let winner_is_a = snapshot.record.winner.map(|color| match color {
            Color::White => snapshot.record.white == "A",
            Color::Black => snapshot.record.black == "A",
        });
        whites += usize::from(winner_is_a == Some(true));
        ControlFlow::Continue(())
    });
    assert_eq!(standings.unwrap().encounters[0].score.games.wins, whites as u64);
    // Made once, though it played thirty games as White and thirty as Black. On a busy machine one
    // worker may have played them all.
    let mut numbers = numbers.lock().unwrap().clone();
    numbers.sort_unstable();
    assert!([vec![0], vec![1], vec![0, 1]].contains(&numbers), "{numbers:?}");
}
