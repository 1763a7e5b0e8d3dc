//! scratch
use tabiya_engine::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a.len() > 2 {
        let p: tabiya_chess::Position = a[2].parse().unwrap();
        let d: u64 = a[1].parse().unwrap();
        let mut e = Engine::new(Settings { hash_megabytes: 64, ..Settings::default() });
        let l = Limits {
            movetime: Some(std::time::Duration::from_millis(d)),
            timer: Some(Timer::start()),
            ..Limits::default()
        };
        let f = e
            .go(&tabiya_chess::Game::from_position(p), l, move |i| {
                let mut q = p;
                let s: Vec<String> =
                    i.pv.iter()
                        .map(|&m| {
                            let t = q.san(m);
                            q = q.play(m).unwrap();
                            t
                        })
                        .collect();
                println!(
                    "{} {} {} n{} {:?} {}",
                    i.depth,
                    i.seldepth,
                    i.score,
                    i.nodes,
                    i.time,
                    s.join(" ")
                )
            })
            .wait();
        println!("{:?}", f);
        return;
    }
    let d = a.get(1).map_or(BENCH_DEPTH, |x| x.parse().unwrap());
    let t = std::time::Instant::now();
    let n = bench(d, |i, n| println!("{i}: {n}"));
    let s = t.elapsed().as_secs_f64();
    println!("{n} nodes {:.0} nps {s:.2}s", n as f64 / s);
}
