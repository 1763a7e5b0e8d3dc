use tabiya_puzzle::*;
#[test]
fn x() {
    for t in [
        "5\nKc3, Bd3, Be4, Bd5\nKa1",
        "5\nKb3, Bd3, Be4\nKa1",
        "5\nKc2, Bd3, Be4\nKa1",
        "4\nKb3, Bc3, Bd3\nKa1",
        "5\nKc3, Bd3, Be3\nKa1",
    ] {
        let p = Position::new(t.parse().unwrap(), Side::White).unwrap();
        println!("{t:?} {:?}", Solver::new().solve(&p, 4));
    }
    let t0 = std::time::Instant::now();
    for (s, w, b, m) in [(5, 3, 1, Some(2))] {
        let r = Recipe {
            size: Size::new(s).unwrap(),
            white_bishops: w,
            black_bishops: b,
            mate: m,
            seed: 1,
        };
        let x = r.compose();
        println!(
            "{r:?} {:?} {}",
            t0.elapsed(),
            x.map(|b| b.plain()).unwrap_or_else(|e| e.to_string())
        );
    }
    for (s, n) in [(5, 3), (8, 6), (16, 40), (26, 20), (26, 150), (26, 300)] {
        let r = Recipe {
            size: Size::new(s).unwrap(),
            white_bishops: n,
            black_bishops: n,
            mate: None,
            seed: 5,
        };
        let Ok(b) = r.compose() else {
            println!("none");
            continue;
        };
        let p = Position::new(b, Side::White).unwrap();
        let t = std::time::Instant::now();
        let f = Search::new().think(
            &p,
            &[],
            Limits { time: Some(std::time::Duration::from_millis(700)), ..Limits::default() },
        );
        println!("{s} {n} moves {} {:?} {:?}", p.legal_moves().len(), f, t.elapsed());
    }
}
