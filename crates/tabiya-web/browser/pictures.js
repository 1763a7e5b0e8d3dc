/** The pictures of the pages in docs/, taken from the program: `scripts/pictures`. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { CHIGORIN, KNOWN, open, visit, written } from "./shown.js";
import { Server, begin, move, played, square } from "./tests/harness.js";

const server = Server.forAll();
const docs = fileURLToPath(new URL("../../../docs", import.meta.url));

/** @param {any} page @param {string} name */
async function take(page, name) {
  await page.waitForTimeout(600);
  await page.screenshot({ path: `${docs}/${name}.png` });
  await page.context().close();
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
  const page = await visit(server, "/", { appearance: "dark", theme: "slate" });
  await open(page);
  await page.click("#act-hint");
  await page.waitForTimeout(2000);
  await take(page, "web-dark");
});

test("the pixel set in its frame", async () => {
  const page = await visit(server, "/", { theme: "pixel", pieces: "pixel", coordinates: "outside" });
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
  const page = await visit(server, "/", { language: "de", theme: "sea", pieces: "cut" });
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
