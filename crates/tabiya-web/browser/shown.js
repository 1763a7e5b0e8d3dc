/** What the pictures and the tour show. */
import { begin, move, played } from "./tests/harness.js";

/** Games that everybody knows. @type {[Record<string, string>, string][]} */
export const KNOWN = [
  [{ White: "Chigorin, Mikhail", Black: "Steinitz, William", Event: "World championship", Site: "Havana", Date: "1892.02.28", Result: "0-1" },
    `1. e4 e5 2. f4 exf4 3. Nf3 Nf6 4. e5 Nh5 5. Be2 g6 6. d4 Bg7 7. O-O d6 8. Nc3 O-O 9. Ne1 dxe5 10. Bxh5 gxh5 11. dxe5 Qxd1
12. Nxd1 Nc6 13. Bxf4 Bf5 14. Ne3 Be4 15. Nf3 Rfe8 16. Ng5 Bg6 17. Nd5 Bxe5 18. Nxc7 Bxc7 19. Bxc7 Rac8 20. Bg3 Nd4
21. c3 Ne2+ 22. Kf2 h4 23. Bd6 Nd4 24. cxd4 Rc2+ 25. Kg1 Ree2 26. Rae1 Rxg2+ 27. Kh1 Kg7 28. Re8 f5 29. Ne6+ Kf6
30. Re7 Rge2 31. d5 Rcd2 32. Bb4 Rxh2+`],
  [{ White: "Morphy, Paul", Black: "Duke Karl / Count Isouard", Event: "Opera box", Site: "Paris", Date: "1858.??.??", Result: "1-0" },
    `1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#`],
  [{ White: "Réti, Richard", Black: "Tartakower, Savielly", Event: "Casual game", Site: "Vienna", Date: "1910.??.??", Result: "1-0" },
    `1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8#`],
  [{ White: "Karpov, Anatoly", Black: "Christiansen, Larry", Event: "Wijk aan Zee", Date: "1993.01.??", Result: "1-0", WhiteElo: "2725", BlackElo: "2620" },
    `1. d4 Nf6 2. c4 e6 3. Nf3 b6 4. a3 Ba6 5. Qc2 Bb7 6. Nc3 c5 7. e4 cxd4 8. Nxd4 Nc6 9. Nxc6 Bxc6 10. Bf4 Nh5 11. Be3 Bd6 12. Qd1`],
  [{ White: "Deep Fritz", Black: "Kramnik, Vladimir", Event: "Man and machine", Site: "Bonn", Date: "2006.11.27", Result: "1-0", BlackElo: "2750" },
    `1. d4 d5 2. c4 dxc4 3. e4 b5 4. a4 c6 5. Nc3 b4 6. Na2 Nf6 7. e5 Nd5 8. Bxc4 e6 9. Nf3 a5 10. Bg5 Qb6 11. Nc1 Ba6 12. Qe2 h6
13. Be3 Bxc4 14. Qxc4 Nd7 15. Nb3 Be7 16. Rc1 O-O 17. O-O Rfc8 18. Qe2 c5 19. Nfd2 Qc6 20. Qh5 Qxa4 21. Nxc5 Nxc5 22. dxc5 Nxe3
23. fxe3 Bxc5 24. Qxf7+ Kh8 25. Qf3 Rf8 26. Qe4 Qd7 27. Nb3 Bb6 28. Rfd1 Qf7 29. Rf1 Qa7 30. Rxf8+ Rxf8 31. Nd4 a4 32. Nxe6 Bxe3+
33. Kh1 Bxc1 34. Nxf8 Qe3 35. Qh7#`],
  [{ White: "Kasparov, Garry", Black: "Topalov, Veselin", Event: "Hoogovens", Site: "Wijk aan Zee", Date: "1999.01.20", Result: "1-0", WhiteElo: "2812", BlackElo: "2700" },
    `1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O Qe7 12. Kb1 a6
13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6
24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4 31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3
34. Qa1+ Kd2 35. Qb2+ Kd1 36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3 40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7`],
];
/** @param {[Record<string, string>, string]} game */
export const written = ([tags, moves]) => `${Object.entries(tags).map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${moves} ${tags.Result}\n`;
export const CHIGORIN = written(KNOWN[0]);

/** A visitor with settings of their own. @param {import("./tests/harness.js").Server} server @param {string} path @param {object} settings @param {object} [options] */
export async function visit(server, path, settings, options) {
  const page = await server.visit(path, options);
  await page.evaluate((text) => localStorage.setItem("tabiya.settings", text), JSON.stringify(settings));
  await page.reload();
  return page;
}

/** Two moves against the computer. @param {any} page */
export async function open(page) {
  await begin(page, { level: 1200 });
  await move(page, "e2", "e4");
  await played(page, 2);
  await move(page, "g1", "f3");
  await played(page, 4);
}
