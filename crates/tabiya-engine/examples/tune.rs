//! Makes the weights of the evaluation from games of the engine against itself (Texel's method):
//!
//! ```text
//! tune play FILE MINUTES NODES THREADS SEED   plays games, appends quiet positions with the result
//! tune fit FILE THREADS                       finds the weights that predict the results best
//! ```
//!
//! `fit` prints the new `PAIRS` for `src/weights.rs`.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use tabiya_base::Random;
use tabiya_chess::{Color, Game, MoveKind, Position};
use tabiya_engine::tuning::{COUNT, Sample, weights};
use tabiya_engine::{Engine, Limits, Score, Settings};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["play", file, minutes, nodes, threads, seed] => {
            let [minutes, nodes, threads, seed] =
                [minutes, nodes, threads, seed].map(|text| text.parse().expect("a number"));
            play(file, minutes, nodes, threads, seed);
        }
        ["fit", file, threads] => fit(file, threads.parse().expect("a number")),
        _ => eprintln!("usage: tune play FILE MINUTES NODES THREADS SEED | tune fit FILE THREADS"),
    }
}

fn play(file: &str, minutes: u64, nodes: u64, threads: u64, seed: u64) {
    let out = OpenOptions::new().create(true).append(true).open(file).expect("a file to write to");
    let out = Mutex::new(BufWriter::new(out));
    let start = Instant::now();
    let total = Mutex::new((0, 0));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (out, total) = (&out, &total);
            scope.spawn(move || {
                let mut random = Random::new(seed.wrapping_mul(1_000_003) + thread);
                let mut engine = Engine::new(Settings { hash_megabytes: 8, ..Settings::default() });
                while start.elapsed() < Duration::from_secs(60 * minutes) {
                    let Some((positions, result)) = one_game(&mut engine, nodes, &mut random)
                    else {
                        continue;
                    };
                    let mut out = out.lock().expect("no panic elsewhere");
                    for position in &positions {
                        writeln!(out, "{};{result}", position.fen()).expect("disk space");
                    }
                    let mut total = total.lock().expect("no panic elsewhere");
                    total.0 += 1;
                    total.1 += positions.len();
                    if total.0 % 500 == 0 {
                        eprintln!("{} games, {} positions", total.0, total.1);
                    }
                }
            });
        }
    });
    out.lock().expect("no panic elsewhere").flush().expect("disk space");
    eprintln!("{:?} games and positions", total.lock().expect("no panic elsewhere"));
}

/// The quiet positions of a game from a random opening, and White's result in halves of a point.
fn one_game(engine: &mut Engine, nodes: u64, random: &mut Random) -> Option<(Vec<Position>, u8)> {
    let mut game = Game::new();
    for _ in 0..8 + random.below(2) {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            return None;
        }
        game.play_unchecked(moves[random.below(moves.len())]);
    }
    engine.clear();
    let mut positions = Vec::new();
    let (mut decided, mut drawn) = (0, 0);
    loop {
        if let Some(outcome) = game.outcome().or_else(|| game.claimable_draw()) {
            let result = match outcome.winner() {
                Some(Color::White) => 2,
                Some(Color::Black) => 0,
                None => 1,
            };
            return Some((positions, result));
        }
        let (sender, receiver) = channel();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let search = engine.go(&game, limits, move |info| {
            let _ = sender.send(info.score);
        });
        let best = search.wait().best?;
        let score = receiver.into_iter().last()?;
        let position = *game.position();
        let white_score =
            if position.turn() == Color::White { score.rank() } else { -score.rank() };
        if game.moves().len() == 9 && white_score.abs() > 300 {
            return None; // a lost opening teaches nothing
        }
        decided = if white_score.abs() > 1200 { decided + 1 } else { 0 };
        drawn = if white_score.abs() < 8 && game.moves().len() > 100 { drawn + 1 } else { 0 };
        if decided >= 4 {
            return Some((positions, if white_score > 0 { 2 } else { 0 }));
        }
        if drawn >= 12 || game.moves().len() > 350 {
            return Some((positions, 1));
        }
        let quiet = best.kind() == MoveKind::Normal && position.piece_at(best.to()).is_none();
        if quiet && !position.is_check() && matches!(score, Score::Centipawns(_)) {
            positions.push(position);
        }
        game.play_unchecked(best);
    }
}

struct Labelled {
    sample: Sample,
    result: f64,
}

fn fit(file: &str, threads: usize) {
    let lines: Vec<String> = BufReader::new(File::open(file).expect("a file"))
        .lines()
        .collect::<Result<_, _>>()
        .expect("text");
    let parse = |line: &String| {
        let (fen, result) = line.split_once(';')?;
        let position: Position = fen.parse().ok()?;
        // The fifty-move rule bends the score near its end.
        (position.halfmove_clock() < 30).then_some(())?;
        let result = f64::from(result.parse::<u8>().ok()?) / 2.0;
        Some(Labelled { sample: Sample::of(&position), result })
    };
    let share = lines.len().div_ceil(threads);
    let data: Vec<Vec<Labelled>> = std::thread::scope(|scope| {
        let parts: Vec<_> = lines
            .chunks(share.max(1))
            .map(|part| scope.spawn(move || part.iter().filter_map(parse).collect()))
            .collect();
        parts.into_iter().map(|part| part.join().expect("parsed")).collect()
    });
    let count: usize = data.iter().map(Vec::len).sum();
    eprintln!("{count} positions");

    let mut values: Vec<[f64; 2]> =
        weights().iter().map(|&(mg, eg)| [f64::from(mg), f64::from(eg)]).collect();
    let scale = best_scale(&data, &values);
    eprintln!("scale {scale:.5}, error {:.6}", error(&data, &values, scale));
    let (mut m, mut v) = (vec![[0.0; 2]; COUNT], vec![[0.0; 2]; COUNT]);
    let steps = 1500;
    for step in 1..=steps {
        let gradient = gradient(&data, &values, scale);
        let rate = 2.0 * (1.0 - f64::from(step) / f64::from(steps + 1));
        for i in 0..COUNT {
            for half in 0..2 {
                // Adam, with a light pull towards zero for what the data hardly knows.
                let g = gradient[i][half] / count as f64 + 1e-9 * values[i][half];
                m[i][half] = 0.9 * m[i][half] + 0.1 * g;
                v[i][half] = 0.999 * v[i][half] + 0.001 * g * g;
                let m_hat = m[i][half] / (1.0 - 0.9_f64.powi(step));
                let v_hat = v[i][half] / (1.0 - 0.999_f64.powi(step));
                values[i][half] -= rate * m_hat / (v_hat.sqrt() + 1e-12);
            }
        }
        if step % 100 == 0 {
            eprintln!("step {step}: error {:.6}", error(&data, &values, scale));
        }
    }
    for row in values.chunks(8) {
        let cells: Vec<String> =
            row.iter().map(|[mg, eg]| format!("({}, {}),", mg.round(), eg.round())).collect();
        println!("    {}", cells.join(" "));
    }
}

fn score(sample: &Sample, values: &[[f64; 2]]) -> f64 {
    let phase = f64::from(sample.phase) / 24.0;
    let sum = |half: usize| -> f64 {
        sample.terms.iter().map(|&(term, n)| values[usize::from(term)][half] * f64::from(n)).sum()
    };
    sum(0) * phase + sum(1) * (1.0 - phase)
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn sum_over<T: Send>(data: &[Vec<Labelled>], f: impl Fn(&[Labelled]) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let f = &f;
        let parts: Vec<_> = data.iter().map(|part| scope.spawn(move || f(part))).collect();
        parts.into_iter().map(|part| part.join().expect("summed")).collect()
    })
}

fn error(data: &[Vec<Labelled>], values: &[[f64; 2]], scale: f64) -> f64 {
    let count: usize = data.iter().map(Vec::len).sum();
    let part = |part: &[Labelled]| -> f64 {
        part.iter().map(|l| (l.result - sigmoid(scale * score(&l.sample, values))).powi(2)).sum()
    };
    sum_over(data, part).into_iter().sum::<f64>() / count as f64
}

/// The slope of the curve from centipawns to points that fits the games as they are.
fn best_scale(data: &[Vec<Labelled>], values: &[[f64; 2]]) -> f64 {
    let (mut low, mut high) = (0.001, 0.02);
    for _ in 0..25 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(data, values, a) < error(data, values, b) { high = b } else { low = a }
    }
    f64::midpoint(low, high)
}

fn gradient(data: &[Vec<Labelled>], values: &[[f64; 2]], scale: f64) -> Vec<[f64; 2]> {
    let part = |part: &[Labelled]| {
        let mut sum = vec![[0.0; 2]; COUNT];
        for Labelled { sample, result } in part {
            let guess = sigmoid(scale * score(sample, values));
            let slope = (guess - result) * guess * (1.0 - guess) * scale;
            let phase = f64::from(sample.phase) / 24.0;
            for &(term, n) in &sample.terms {
                sum[usize::from(term)][0] += slope * f64::from(n) * phase;
                sum[usize::from(term)][1] += slope * f64::from(n) * (1.0 - phase);
            }
        }
        sum
    };
    let parts = sum_over(data, part);
    let add = |mut a: Vec<[f64; 2]>, b: Vec<[f64; 2]>| {
        for (a, b) in a.iter_mut().zip(b) {
            a[0] += b[0];
            a[1] += b[1];
        }
        a
    };
    parts.into_iter().fold(vec![[0.0; 2]; COUNT], add)
}
