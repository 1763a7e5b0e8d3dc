/** The pictures of the pages in docs/, taken from the program: `scripts/pictures`. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { Server, begin, move, played, square } from "./tests/harness.js";

const server = Server.forAll();
const docs = fileURLToPath(new URL("../../../docs", import.meta.url));

/** Games that everybody knows. @type {[Record<string, string>, string][]} */
const KNOWN = [
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
const written = ([tags, moves]) => `${Object.entries(tags).map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${moves} ${tags.Result}\n`;
const CHIGORIN = written(KNOWN[0]);

/** @param {any} page @param {string} name */
async function take(page, name) {
  await page.waitForTimeout(600);
  await page.screenshot({ path: `${docs}/${name}.png` });
  await page.context().close();
}

/** A visitor with settings of their own. @param {string} path @param {object} settings @param {object} [options] */
async function visit(path, settings, options) {
  const page = await server.visit(path, options);
  await page.evaluate((text) => localStorage.setItem("tabiya.settings", text), JSON.stringify(settings));
  await page.reload();
  return page;
}

/** Two moves against the computer. @param {any} page */
async function open(page) {
  await begin(page, { level: 1200 });
  await move(page, "e2", "e4");
  await played(page, 2);
  await move(page, "g1", "f3");
  await played(page, 4);
}

test("the start", async () => {
  const page = await server.visit();
  await page.waitForSelector("#levels .level");
  await take(page, "web-start");
});

test("a game", async () => {
  const page = await server.visit();
  await open(page);
  await page.click("#act-evaluation");
  await page.waitForTimeout(1500);
  await square(page, "b1").click();
  await take(page, "web-play");
});

test("the dark page with the slate board and a hint", async () => {
  const page = await visit("/", { appearance: "dark", theme: "slate" });
  await open(page);
  await page.click("#act-hint");
  await page.waitForTimeout(2000);
  await take(page, "web-dark");
});

test("the pixel set in its frame", async () => {
  const page = await visit("/", { theme: "pixel", pieces: "pixel", coordinates: "outside" });
  await open(page);
  await take(page, "web-pixel");
});

test("bishops and kings", async () => {
  const page = await server.visit("/bishops");
  await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await page.click("#begin");
  await page.waitForSelector("#act-solve");
  await page.waitForTimeout(1000);
  await take(page, "web-bishops");
});

test("a phone", async () => {
  const page = await server.visit("/", { viewport: { width: 360, height: 740 }, hasTouch: true });
  await open(page);
  await take(page, "web-phone");
});

test("a game with a friend, on a phone", async () => {
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
  const ada = await server.visit("/", phone);
  await ada.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await ada.click("#way-invite");
  await ada.fill("[name=name]", "Ada");
  await ada.check("[name=colour][value=white]");
  await ada.check("[name=time][value='5+3']");
  await ada.click("#begin");
  await ada.waitForSelector("#waiting[open]");
  const link = (await ada.inputValue("#link")).replace(server.url, "");
  const bo = await server.visit(link);
  await bo.waitForSelector("#join[open]");
  await bo.fill("#join-name", "Bo");
  await bo.click("#join-button");
  await ada.waitForFunction(() => !document.querySelector("dialog[open]"));
  const game = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 e1c1 a8d8";
  let count = 0;
  for (const m of game.split(" ")) {
    const page = count % 2 === 0 ? ada : bo;
    await move(page, m.slice(0, 2), m.slice(2, 4));
    count += 1;
    await Promise.all([played(ada, count), played(bo, count)]);
  }
  await server.visit(link);
  await bo.click("#act-talk");
  await bo.getByText("Nice move!").click();
  await ada.getByText("Nice move!").waitFor();
  await take(ada, "friend-phone");
});

test("a puzzle", async () => {
  const page = await server.visit("/puzzles?daily");
  await page.waitForSelector("#seat-near .turn, #seat-far .turn");
  await take(page, "web-puzzles");
});

test("the start, in German, with another board and other pieces", async () => {
  const page = await visit("/", { language: "de", theme: "sea", pieces: "cut" });
  await page.waitForSelector("#levels .level");
  await page.click("#open-settings");
  await page.waitForSelector("#settings[open]");
  await take(page, "web-settings");
});

test("a study with a review", async () => {
  const page = await server.visit("/study", { viewport: { width: 1280, height: 900 } });
  await page.click("#shelf-new");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", CHIGORIN);
  await page.click("#begin");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length > 60);
  await page.click("#tab-review");
  await page.click("#act-review");
  await page.waitForSelector("#panel-review .graph svg", { timeout: 300_000 });
  await page.locator(".reviewlist button[data-ply]", { hasText: "Bb4" }).click();
  await page.waitForTimeout(500);
  await take(page, "study");
});

test("a result", async () => {
  const page = await server.visit();
  await begin(page, { friend: true });
  for (const [index, code] of "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split(" ").entries()) {
    await move(page, code.slice(0, 2), code.slice(2));
    await played(page, index + 1);
  }
  await page.waitForSelector("#act-rematch");
  await take(page, "web-result");
});

test("the library of games, and the explorer", async () => {
  const { json } = await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: KNOWN.map(written).join("\n") });
  assert.equal(json.bad, 0);
  const page = await server.visit("/games?sort=date");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length > 5);
  await page.locator("#rows tr", { hasText: "Topalov" }).hover();
  await page.waitForFunction(() => document.querySelector("#preview .versus")?.textContent?.includes("Topalov"));
  await take(page, "web-games");
  const study = await server.visit("/study");
  await study.click("#shelf-new");
  await study.click("#begin");
  await study.waitForSelector("#board .piece");
  await study.keyboard.type("e4");
  await study.keyboard.press("Enter");
  await study.click("#tab-explorer");
  await study.waitForSelector("#explorer-moves tr");
  await take(study, "web-explorer");
});
