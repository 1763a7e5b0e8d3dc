//! What the methods promise: they agree with each other, they repeat, and they see what a beginner
//! should see.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use tabiya_base::{Score, Stop};
use tabiya_chess::{Color, Game, Move, Piece, Position, Role, Square, perft};

use tabiya_thinker::{Info, Limits, Thinker};

use super::*;

/// White to move; a knight check on d6 can be answered by taking the knight.
const KNIGHT_CHECK: &str = "r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

/// The same position with the colours changed: what White could do, Black can.
fn mirrored(fen: &str) -> Position {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |text: &str| -> String {
        let change = |c: char| match c.is_ascii_uppercase() {
            true => c.to_ascii_lowercase(),
            false => c.to_ascii_uppercase(),
        };
        text.chars().map(change).collect()
    };
    fields[0] = fields[0].split('/').rev().map(swap).collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    fields[2] = swap(&fields[2]);
    position(&fields.join(" "))
}

fn san(position: &Position, report: &SearchReport) -> String {
    position.san(report.best.unwrap())
}

/// What the best move takes.
fn taken(position: &Position, report: &SearchReport) -> Option<Role> {
    position.piece_at(report.best.unwrap().to()).map(|piece| piece.role)
}

/// Positions from random games, in which anything may happen.
pub(super) fn random_positions(count: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0.. {
        let mut game = Game::new();
        while game.outcome().is_none() && game.moves().len() < 120 {
            game.play(RandomMover { seed }.choose(&game).unwrap()).unwrap();
            if game.moves().len().is_multiple_of(7) {
                positions.push(*game.position());
            }
        }
        // The last one too: most of the games that end have ended by mate or stalemate.
        positions.push(*game.position());
        if positions.len() >= count {
            return positions;
        }
    }
    unreachable!("there is always another seed")
}

fn tree(position: &Position) -> Tree {
    Tree::new(*position, TreeOptions::default()).unwrap()
}

/// A third definition of the score, short and slow: it knows no order, path or window.
fn plain_score(position: &Position, depth: u32, ply: u32) -> Points {
    let material = |color| {
        let worth =
            [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 325), (Role::Rook, 500)];
        let worth = worth.into_iter().chain([(Role::Queen, 900)]);
        worth
            .map(|(role, each)| {
                let stands = |piece: &Piece| *piece == Piece { color, role };
                let squares = Square::ALL.into_iter();
                each * squares.filter_map(|s| position.piece_at(s)).filter(stands).count() as i32
            })
            .sum::<i32>()
    };
    if position.is_checkmate() {
        Points::mate(!position.turn(), ply)
    } else if position.is_stalemate() {
        Points::ZERO
    } else if depth == 0 {
        Points::from_hundredths(material(Color::White) - material(Color::Black))
    } else {
        let moves = position.legal_moves();
        let scores =
            moves.iter().map(|&m| plain_score(&position.play(m).unwrap(), depth - 1, ply + 1));
        match position.turn() {
            Color::White => scores.max().unwrap(),
            Color::Black => scores.min().unwrap(),
        }
    }
}

#[test]
fn two_plies_from_the_start_are_420_positions() {
    let start = Position::initial();
    assert_eq!(Minimax::to_depth(2).search(&start).nodes, 420);
    assert_eq!(Minimax::to_depth(3).search(&start).nodes, 420 + 8902);
    assert!(AlphaBeta::to_depth(2).search(&start).nodes < 420);
    assert_eq!(tree(&start).search(2).found.nodes, 420);
}

#[test]
fn minimax_visits_what_perft_counts_and_scores_by_definition() {
    for position in random_positions(40) {
        for depth in 0..=2 {
            let report = Minimax::to_depth(depth).search(&position);
            let visited: u64 = (1..=depth).map(|ply| perft(&position, ply)).sum();
            assert_eq!(report.nodes, visited, "{position}");
            assert_eq!(report.score, plain_score(&position, depth, 0), "{position}");
        }
    }
}

#[test]
fn alpha_beta_finds_what_minimax_finds_in_fewer_positions() {
    let positions = random_positions(330);
    let (mut all_nodes, mut pruned_nodes) = (0, 0);
    for (i, position) in positions.iter().enumerate() {
        let deepest = if i % 3 == 0 { 3 } else { 2 };
        for depth in 0..=deepest {
            let all = Minimax::to_depth(depth).search(position);
            let pruned = AlphaBeta::to_depth(depth).search(position);
            assert_eq!((all.score, &all.pv), (pruned.score, &pruned.pv), "{position} {depth}");
            assert!(pruned.nodes <= all.nodes, "{position} {depth}");
            all_nodes += all.nodes;
            pruned_nodes += pruned.nodes;
        }
    }
    assert!(pruned_nodes < all_nodes / 2, "{pruned_nodes} of {all_nodes}");
}

#[test]
fn they_agree_with_noise_too() {
    for (seed, position) in random_positions(60).iter().enumerate() {
        let material = MaterialEvaluation::with_noise(seed as u64);
        let all = Minimax { material, ..Minimax::to_depth(2) }.search(position);
        let pruned = AlphaBeta { material, ..AlphaBeta::to_depth(2) }.search(position);
        assert_eq!((all.score, all.pv), (pruned.score, pruned.pv), "{position}");
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    for position in random_positions(20) {
        let position = &position;
        for depth in 0..=3 {
            let all = Minimax::to_depth(depth).search(position);
            let pruned = AlphaBeta::to_depth(depth).search(position);
            for threads in [2, 1000] {
                let threads = NonZeroUsize::new(threads).unwrap();
                let minimax = Minimax { threads, ..Minimax::to_depth(depth) };
                assert_eq!(minimax.search(position), all, "{position}");
                let alphabeta = AlphaBeta { threads, ..AlphaBeta::to_depth(depth) };
                let shared = alphabeta.search(position);
                assert_eq!((shared.score, &shared.pv), (pruned.score, &pruned.pv), "{position}");
                assert!(shared.nodes <= all.nodes);
            }
        }
    }
}

/// What each method answers, for the sides both ways round.
fn answers(fen: &str, depth: u32) -> Vec<(Position, SearchReport)> {
    let mut answers = Vec::new();
    for position in [position(fen), mirrored(fen)] {
        let before = position.fen();
        answers.push((position, Minimax::to_depth(depth).search(&position)));
        answers.push((position, AlphaBeta::to_depth(depth).search(&position)));
        answers.push((position, tree(&position).search(depth).found));
        assert_eq!(position.fen(), before);
    }
    answers
}

#[test]
fn a_hanging_queen_is_taken() {
    for depth in 1..=3 {
        for (position, report) in answers("4k3/p4ppp/8/3q4/8/1B6/P4PPP/4K3 w - - 0 1", depth) {
            assert_eq!(taken(&position, &report), Some(Role::Queen), "{position} {depth}");
        }
    }
}

#[test]
fn a_trap_of_two_plies_is_seen() {
    // The pawn on d5 is protected: taking it costs the queen.
    let fen = "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1";
    for (position, report) in answers(fen, 1) {
        assert_eq!(taken(&position, &report), Some(Role::Pawn), "{position}");
    }
    for (position, report) in answers(fen, 2) {
        assert_eq!(taken(&position, &report), None, "{position}");
        assert_eq!(report.score.pawns().abs(), 7.0, "{position}");
    }
}

#[test]
fn a_deeper_search_finds_a_fork() {
    // Nc7+ wins the rook, which one ply does not see.
    let fen = "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1";
    for (position, report) in answers(fen, 1) {
        assert_eq!(report.score.pawns().abs(), 2.0, "{position}");
    }
    for (position, report) in answers(fen, 3) {
        assert_eq!(report.best.unwrap().to().file().letter(), 'c', "{position}");
        assert_eq!(report.score.pawns().abs(), 3.0, "{position}");
    }
}

#[test]
fn mate_in_one_is_found() {
    for depth in 1..=3 {
        for (position, report) in answers("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", depth) {
            assert_eq!(report.pv.len(), 1, "{position}");
            assert!(san(&position, &report).ends_with('#'), "{position}");
            assert_eq!(report.score, Points::mate(position.turn(), 1));
        }
    }
}

#[test]
fn the_shortest_mate_is_taken() {
    // There is a mate in one, and many a longer one.
    for (position, report) in answers("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 3) {
        assert_eq!(report.score, Points::mate(position.turn(), 1));
        assert!(san(&position, &report).ends_with('#'));
    }
    // Two rooks mate in two.
    for (position, report) in answers("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 3) {
        assert_eq!(report.score, Points::mate(position.turn(), 3), "{position}");
        assert_eq!(report.pv.len(), 3);
    }
    // The king cannot escape them either.
    for (position, report) in answers("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", 3) {
        assert_eq!(report.score, Points::mate(!position.turn(), 2), "{position}");
    }
}

#[test]
fn stalemate_is_avoided_when_winning_and_sought_when_losing() {
    // Qxg6 would win a pawn, and the win with it.
    for depth in 1..=2 {
        for (position, report) in answers("7k/8/6p1/8/8/8/2Q5/K7 w - - 0 1", depth) {
            assert_eq!(taken(&position, &report), None, "{position}");
            assert_eq!(report.score.pawns().abs(), 8.0, "{position}");
        }
    }
    // Two pawns down, but Kf7 takes all moves from the other king.
    for depth in 1..=3 {
        for (position, report) in answers("5K1k/7p/p1p4P/p1p5/P1P5/8/8/8 w - - 0 1", depth) {
            assert!(position.play(report.best.unwrap()).unwrap().is_stalemate(), "{position}");
            assert_eq!(report.score, Points::ZERO, "{position}");
        }
    }
}

#[test]
fn a_checking_knight_may_be_taken_by_a_pawn() {
    let root = position(KNIGHT_CHECK);
    let check = root.parse_san("Nd6+").unwrap();
    let in_check = root.play(check).unwrap();
    let by_pawn = in_check.play(in_check.parse_san("cxd6").unwrap()).unwrap();
    for depth in 1..=3 {
        // The queen can take it as well.
        let answer = AlphaBeta::to_depth(depth).search(&in_check);
        assert_eq!(answer.best.unwrap().to(), Square::D6);
        assert!(answer.score <= AlphaBeta::to_depth(depth - 1).search(&by_pawn).score);
    }
    for depth in 2..=4 {
        let found = AlphaBeta::to_depth(depth).search(&root);
        assert_ne!(found.best, Some(check), "depth {depth}: {}", found.line(&root));
        assert_eq!(tree(&root).search(depth).found.pv, found.pv);
    }
    // With the queen elsewhere, only the pawn can.
    let alone = position("r3k2r/bpp2ppp/p2N4/P7/3p4/3P1P1P/1qP2P2/R2Q1RK1 b kq - 1 1");
    for depth in 1..=3 {
        let answer = AlphaBeta::to_depth(depth).search(&alone);
        assert_eq!(san(&alone, &answer), "cxd6");
    }
}

#[test]
fn the_result_is_written_in_a_line() {
    let root = position(KNIGHT_CHECK);
    let text = "Nd6|Kd7|Nxb7";
    let mut now = root;
    let mut path = Vec::new();
    for word in text.split('|') {
        let m = now.parse_san(word).unwrap();
        path.push(m);
        now = now.play(m).unwrap();
    }
    let report = SearchReport {
        best: path.first().copied(),
        score: Points::ZERO,
        depth: 3,
        pv: path,
        nodes: 0,
    };
    assert_eq!(
        report.line(&root).to_string(),
        "optimal move with score 0 and move path: ||Nd6|Kd7|Nxb7"
    );
    let nothing = SearchReport { best: None, pv: Vec::new(), ..report };
    let line = nothing.line(&root).to_string();
    assert_eq!(line, "optimal move with score 0 and move path: ||");
}

#[test]
fn noise_is_small_and_varies_the_moves() {
    let start = Position::initial();
    let quiet = Minimax::to_depth(2).search(&start);
    let mut moves = HashSet::new();
    for seed in 0..40 {
        let material = MaterialEvaluation::with_noise(seed);
        let search = Minimax { material, ..Minimax::to_depth(2) };
        let noisy = search.search(&start);
        let difference = noisy.score.pawns() - quiet.score.pawns();
        assert!((0.0..0.1).contains(&difference), "{difference}");
        assert_eq!(search.search(&start), noisy);
        moves.insert(noisy.best);
    }
    assert!(moves.len() >= 5, "{moves:?}");
    for _ in 0..3 {
        assert_eq!(Minimax::to_depth(2).search(&start), quiet);
    }
}

#[test]
fn random_movers_play_every_move_sooner_or_later() {
    let game = Game::new();
    let moves: HashSet<Option<Move>> =
        (0..400).map(|seed| RandomMover { seed }.choose(&game)).collect();
    assert_eq!(moves.len(), 20);
}

#[test]
fn players_finish_their_games() {
    for (white, black) in [("minimax:1", "random:3"), ("alphabeta:2:noise=1", "minimax:2:noise=2")]
    {
        let players: [Textbook; 2] = [white.parse().unwrap(), black.parse().unwrap()];
        let mut game = Game::new();
        while game.outcome().is_none() && game.moves().len() < 50 {
            let player = players[game.position().turn() as usize];
            game.play(player.choose(&game).unwrap()).unwrap();
        }
        assert!(game.outcome().is_some() || game.moves().len() == 50);
    }
}

/// Stops a search on another thread as soon as it has begun; it must end long before it is done.
fn stopped_soon<R: Send>(search: impl FnOnce(&Stop) -> R + Send) -> R {
    let stop = Stop::default();
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| search(&stop));
        std::thread::sleep(std::time::Duration::from_millis(20));
        stop.stop();
        searching.join().unwrap()
    })
}

#[test]
fn every_search_can_be_stopped_and_gives_the_best_so_far() {
    // Nobody lives to see forty plies.
    let root = position("r1bqkbnr/ppp2ppp/2np4/4p2Q/4P3/2N5/PPPP1PPP/R1B1KBNR w KQkq - 0 4");
    for threads in [1, 3] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let minimax = Minimax { threads, ..Minimax::to_depth(40) };
        let report = stopped_soon(|stop| minimax.search_until(&root, stop));
        assert!(root.is_legal(report.best.unwrap()) && report.nodes > 0);
        let alphabeta = AlphaBeta { threads, ..AlphaBeta::to_depth(40) };
        let report = stopped_soon(|stop| alphabeta.search_until(&root, stop));
        assert!(root.is_legal(report.best.unwrap()) && report.nodes > 0);
    }
    let report = stopped_soon(|stop| tree(&root).search_until(40, stop));
    let depth = report.found.depth;
    assert!((1..40).contains(&depth) && !report.full, "{depth}");
    assert_eq!(report.found.best, AlphaBeta::to_depth(depth).search(&root).best);
}

#[test]
fn a_stopped_search_takes_what_one_move_wins() {
    // No branch is done: the queen is taken all the same.
    let root = position("4k3/p4ppp/8/3q4/8/1B6/P4PPP/4K3 w - - 0 1");
    let stop = Stop::default();
    stop.stop();
    let report = Minimax::to_depth(40).search_until(&root, &stop);
    assert_eq!((san(&root, &report).as_str(), report.depth), ("Bxd5", 1));
    // A tree that has grown is scored even if there is no time to let it grow.
    let mut kept = tree(&root);
    let before = kept.search(3);
    assert_eq!(kept.search_until(3, &stop).found.best, before.found.best);
}

#[test]
fn a_player_thinks_as_any_other_does() {
    let mut game = Game::new();
    for text in ["f3", "e5", "g4"] {
        game.play(game.position().parse_san(text).unwrap()).unwrap();
    }
    for name in ["minimax:2", "alphabeta:3", "tree:2"] {
        let mut player = TextbookPlayer::new(name.parse().unwrap());
        assert_eq!(player.name(), name);
        let mut infos = Vec::new();
        let mut hear = |info: &Info| infos.push(info.clone());
        let found = player.think(&game, &Limits::default(), &Stop::default(), &mut hear).unwrap();
        assert_eq!(game.position().san(found.best.unwrap()), "Qh4#", "{name}");
        let [info] = &infos[..] else { panic!("{infos:?}") };
        assert_eq!((info.score, info.pv.len()), (Score::Mate(1), 1), "{name}");
        assert!(info.nodes > 0 && info.depth > 0, "{name}");
    }
}

#[test]
fn the_tree_of_a_player_follows_the_game() {
    let mut player = TextbookPlayer::new("tree:3".parse().unwrap());
    let mut game = Game::new();
    for _ in 0..6 {
        let report = player.choose(&game, &Stop::default());
        assert_eq!(report, Minimax::to_depth(3).search(game.position()));
        assert_eq!(player.kept_nodes() as u64, 1 + report.nodes);
        game.play(report.best.unwrap()).unwrap();
        game.play(RandomMover { seed: 9 }.choose(&game).unwrap()).unwrap();
    }
    player.new_game().unwrap();
    assert_eq!(player.kept_nodes(), 0);
}

mod kept_tree {
    use super::*;

    fn with(options: TreeOptions, position: &Position) -> Tree {
        Tree::new(*position, options).unwrap()
    }

    #[test]
    fn it_finds_what_minimax_finds() {
        for position in random_positions(60) {
            for depth in 0..=2 {
                let found = tree(&position).search(depth);
                assert_eq!(found.found, Minimax::to_depth(depth).search(&position), "{position}");
                assert_eq!((found.found.depth, found.full, found.reused), (depth, false, 0));
                assert_eq!(found.created, found.found.nodes);
            }
        }
    }

    #[test]
    fn one_board_and_copies_grow_the_same_tree_and_runs_repeat() {
        for position in random_positions(20).iter().chain([&position(KIWIPETE)]) {
            let copies = TreeOptions::default();
            let one = TreeOptions { boards: Boards::OneBoard, ..copies };
            let grown = |options| {
                let mut tree = with(options, position);
                let report = tree.search(2);
                (tree.arena, report)
            };
            assert_eq!(grown(copies), grown(one), "{position}");
            assert_eq!(grown(copies), grown(copies), "{position}");
        }
    }

    #[test]
    fn caches_change_nothing_but_the_work() {
        let plain = TreeOptions::default();
        let caching = TreeOptions { caches: true, ..plain };
        let mut hits = CacheHits::default();
        // Rooks and kings come back to where they were, by longer ways too.
        let rooks = position("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1");
        for position in random_positions(15).iter().chain([&position(KIWIPETE), &rooks]) {
            for noise in [None, Some(5)] {
                let material = MaterialEvaluation { noise };
                let mut one = with(TreeOptions { material, ..plain }, position);
                let mut other = with(TreeOptions { material, ..caching }, position);
                for depth in [3, 2, 3, 3] {
                    let (one_report, other_report) = (one.search(depth), other.search(depth));
                    hits.moves += other_report.hits.moves;
                    hits.scores += other_report.hits.scores;
                    let without_hits = TreeReport { hits: CacheHits::default(), ..other_report };
                    assert_eq!(one_report, without_hits, "{position}");
                    let children = |tree: &Tree| -> Vec<(Option<Move>, Points)> {
                        let nodes = (0..tree.arena.len()).map(|node| tree.arena[node]);
                        nodes.map(|node| (node.last_move, node.score)).collect()
                    };
                    assert_eq!(children(&one), children(&other), "{position}");
                    let best = one_report.found.best;
                    for tree in [&mut one, &mut other] {
                        if let Some(best) = best {
                            tree.play(best).unwrap();
                        }
                    }
                }
            }
        }
        assert!(hits.moves > 0 && hits.scores > 0, "{hits:?}");
    }

    #[test]
    fn the_grandchild_becomes_the_root_and_its_tree_is_used_again() {
        for fen in [KIWIPETE, KNIGHT_CHECK] {
            let mut tree = tree(&position(fen));
            let path = tree.search(3).found.pv;
            tree.play(path[0]).unwrap();
            tree.play(path[1]).unwrap();
            let kept = tree.memory().nodes as u64 - 1;
            assert_eq!(kept, tree.position().count_legal_moves());

            let again = tree.search(3);
            let scratch = super::tree(tree.position()).search(3);
            assert_eq!(again.found, scratch.found);
            assert!(again.created < scratch.created);
            assert_eq!((again.reused, again.created + kept), (kept, scratch.created));
        }
    }

    #[test]
    fn a_whole_game_in_one_tree_goes_as_with_fresh_ones() {
        let mut game = Game::new();
        let mut kept = tree(game.position());
        for _ in 0..12 {
            kept.follow(&game);
            let best = kept.search(3).found;
            assert_eq!(best, tree(game.position()).search(3).found);
            game.play(best.best.unwrap()).unwrap();
            let reply = RandomMover { seed: 4 }.choose(&game).unwrap();
            game.play(reply).unwrap();
        }
        // Taking back leads to a position the tree has left: it starts again.
        for _ in 0..3 {
            game.undo();
        }
        kept.follow(&game);
        assert_eq!((kept.position(), kept.memory().nodes), (game.position(), 1));
    }

    #[test]
    fn rejected_moves_are_cut() {
        let root = position(KIWIPETE);
        let mut tree = tree(&root);
        let report = tree.search(3);
        let best = report.found.best.unwrap();
        let below = root.play(best).unwrap();
        tree.cut_all_but(best);
        let expected = 1 + 1 + perft(&below, 1) + perft(&below, 2);
        assert_eq!(tree.memory().nodes as u64, expected);
        let again = tree.search(3);
        assert_eq!((again.found.pv, again.created), (report.found.pv, 0));

        // The other side may still do what it likes, and so may this one.
        tree.play(best).unwrap();
        assert_eq!(tree.memory().nodes as u64, expected - 1);
        let unknown = tree.position().legal_moves()[0];
        tree.cut_all_but(unknown);
        let other = *tree.position().legal_moves().last().unwrap();
        tree.play(other).unwrap();
        assert_eq!(tree.memory().nodes, 1);
        let found = tree.search(2).found;
        assert_eq!(found, Minimax::to_depth(2).search(tree.position()));
    }

    #[test]
    fn the_memory_limit_is_kept() {
        let root = position(KIWIPETE);
        let unlimited = tree(&root).search(3);
        for max_bytes in [49_200, 100_000, 300_000, 1_000_000] {
            for caches in [false, true] {
                let options = TreeOptions { max_bytes, caches, ..TreeOptions::default() };
                let mut tree = with(options, &root);
                for ply in 0..6 {
                    let report = tree.search(3);
                    let memory = tree.memory();
                    assert!(memory.bytes <= max_bytes, "{memory:?}");
                    assert!(memory.nodes * memory.bytes_per_node <= memory.bytes, "{memory:?}");
                    assert_eq!(report.full, report.found.depth < 3);
                    let expected = Minimax::to_depth(report.found.depth).search(tree.position());
                    assert_eq!(report.found, expected);
                    if ply == 0 {
                        assert!(report.full, "{} nodes fit in {max_bytes}", unlimited.created);
                    }
                    tree.play(report.found.best.unwrap()).unwrap();
                }
            }
        }
        // 1 + 48 + 2,039 + 97,862 nodes in chunks: this is enough.
        let options = TreeOptions { max_bytes: 1_240_000, ..TreeOptions::default() };
        assert_eq!(with(options, &root).search(3), unlimited);
    }

    #[test]
    fn the_end_of_the_game_is_seen_inside_the_tree() {
        // Black is mated after one ply of three; there is nothing below.
        let root = position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        let report = tree(&root).search(3);
        assert_eq!(report.found.score, Points::mate(Color::White, 1));
        assert_eq!(report.found.pv.len(), 1);
        let mated = root.play(report.found.best.unwrap()).unwrap();
        let mut over = tree(&mated);
        assert_eq!(over.search(3).found.best, None);
        assert_eq!(over.memory().nodes, 1);
    }
}
