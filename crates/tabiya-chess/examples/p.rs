use std::time::Instant;
use tabiya_chess::*;
fn slow(p: &Position, d: u32) -> u64 {
    if d == 1 {
        return p.count_legal_moves();
    }
    let mut n = 0;
    for &m in p.legal_moves().iter() {
        let mut q = *p;
        q.play_unchecked(m);
        n += slow(&q, d - 1);
    }
    n
}
fn main() {
    let s = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324u64),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178633661),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551),
    ];
    let a: Vec<String> = std::env::args().collect();
    if a.len() > 2 {
        let i: usize = a[1].parse().unwrap();
        let d: u32 = a[2].parse().unwrap();
        let p: Position = s[i].0.parse().unwrap();
        println!("{}", if a.len() > 3 { slow(&p, d) } else { p.fast_perft(d) });
        return;
    }
    let (mut ga, mut gb) = (0.0, 0.0);
    for (f, d, n) in s {
        let p: Position = f.parse().unwrap();
        let mut bf = f64::MAX;
        let mut bs = f64::MAX;
        for _ in 0..3 {
            let t = Instant::now();
            let x = p.fast_perft(d);
            bf = bf.min(t.elapsed().as_secs_f64());
            assert_eq!(x, n, "{f}");
            let t = Instant::now();
            let x = slow(&p, d);
            bs = bs.min(t.elapsed().as_secs_f64());
            assert_eq!(x, n, "lib {f}");
        }
        ga += (n as f64 / bf / 1e6).ln();
        gb += (n as f64 / bs / 1e6).ln();
        println!("{:.0} {:.0} {f}", n as f64 / bf / 1e6, n as f64 / bs / 1e6);
    }
    println!("mean {:.0} {:.0}", (ga / 6.).exp(), (gb / 6.).exp());
}
