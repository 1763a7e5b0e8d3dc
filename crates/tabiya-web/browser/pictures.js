/** The pictures of the pages in docs/, taken from the program: `scripts/pictures`. */
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { Server, begin, move, played, square } from "./tests/harness.js";

const server = Server.forAll();
const docs = fileURLToPath(new URL("../../../docs", import.meta.url));

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
  const pgn = `[White "Chigorin"]\n[Black "Steinitz"]\n[Result "0-1"]\n
1. e4 e5 2. f4 exf4 3. Nf3 Nf6 4. e5 Nh5 5. Be2 g6 6. d4 Bg7 7. O-O d6 8. Nc3 O-O 9. Ne1 dxe5 10. Bxh5 gxh5 11. dxe5 Qxd1
12. Nxd1 Nc6 13. Bxf4 Bf5 14. Ne3 Be4 15. Nf3 Rfe8 16. Ng5 Bg6 17. Nd5 Bxe5 18. Nxc7 Bxc7 19. Bxc7 Rac8 20. Bg3 Nd4
21. c3 Ne2+ 22. Kf2 h4 23. Bd6 Nd4 24. cxd4 Rc2+ 25. Kg1 Ree2 26. Rae1 Rxg2+ 27. Kh1 Kg7 28. Re8 f5 29. Ne6+ Kf6
30. Re7 Rge2 31. d5 Rcd2 32. Bb4 Rxh2+ 0-1`;
  const page = await server.visit("/study", { viewport: { width: 1280, height: 900 } });
  await page.click("#shelf-new");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", pgn);
  await page.click("#begin");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length > 60);
  await page.click("#tab-review");
  await page.click("#act-review");
  await page.waitForSelector("#panel-review .graph svg", { timeout: 300_000 });
  await page.locator(".reviewlist button[data-ply]", { hasText: "Bb4" }).click();
  await page.waitForTimeout(500);
  await take(page, "study");
});
