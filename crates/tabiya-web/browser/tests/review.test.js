import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { findings, Server } from "./harness.js";

const server = Server.forAll();

const GAME = `[White "Greco"]
[Black "NN"]
[TimeControl "300+0"]

1. e4 {[%clk 0:04:58]} e5 {[%clk 0:04:57]} 2. Nf3 {[%clk 0:04:50]} d6 {[%clk 0:04:40]} 3. Bc4 {[%clk 0:04:30]} Bg4 {[%clk 0:03:00]}
4. Nc3 {[%clk 0:04:20]} g6 {[%clk 0:02:55]} 5. Nxe5 {[%clk 0:02:00]} Bxd1 {[%clk 0:02:54]} 6. Bxf7+ {[%clk 0:01:59]} Ke7 {[%clk 0:02:50]}
7. Nd5# {[%clk 0:01:58]} 1-0`;

const LONG = `[White "Chigorin"]
[Black "Steinitz"]

1. e4 e5 2. f4 exf4 3. Nf3 Nf6 4. e5 Nh5 5. Be2 g6 6. d4 Bg7 7. O-O d6 8. Nc3 O-O 9. Ne1 dxe5 10. Bxh5 gxh5 11. dxe5 Qxd1
12. Nxd1 Nc6 13. Bxf4 Bf5 14. Ne3 Be4 15. Nf3 Rfe8 16. Ng5 Bg6 17. Nd5 Bxe5 18. Nxc7 Bxc7 19. Bxc7 Rac8 20. Bg3 Nd4 21. c3 Ne2+
22. Kf2 h4 23. Bd6 Nd4 24. cxd4 Rc2+ 25. Kg1 Ree2 26. Rae1 Rxg2+ 27. Kh1 Kg7 28. Re8 f5 29. Ne6+ Kf6 30. Re7 Rge2 31. d5 Rcd2
32. Bb4 Rxh2+ 0-1`;

/** A study of a game. @param {string} pgn @param {object} [options] */
async function study(pgn, options) {
  const page = await server.visit("/study", options);
  await page.click("#shelf-new");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", pgn);
  await page.click("#begin");
  await page.waitForFunction((many) => document.querySelectorAll("#tree button").length >= many, 13);
  await page.click("#tab-review");
  return page;
}

/** Waits until a part of the page says something. @param {any} page @param {string} part @param {RegExp} text */
async function says(page, part, text) {
  await page.waitForFunction(([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""), [part, text.source]);
}

/** The move one stands at, as the list of moves has it. @param {any} page @param {RegExp} text */
const at = (page, text) => says(page, "#tree button[aria-current]", text);

/** What the picture tells of that move, which it may do a moment after the list. @param {any} page @param {RegExp} text */
const told = (page, text) => says(page, "#panel-review .readout", text);

test("a game is reviewed to the end, and its picture leads to the moves", async () => {
  const page = await study(GAME);
  assert.deepEqual(await findings(page), [], "before");
  assert.match(await page.textContent("#place"), /C41 Philidor Defence/);
  await page.click("#act-review");
  await page.waitForSelector("#panel-review progress");
  await page.waitForSelector("#panel-review .graph svg");

  // What is wrong, with its glyph in the list of moves.
  const blunder = page.locator(".reviewlist button[data-ply]", { hasText: "Bxd1" });
  assert.equal(await blunder.textContent(), "Bxd1??");
  assert.match(await page.locator("#tree button", { hasText: "Bxd1" }).first().textContent(), /\?\?/);
  await blunder.click();
  await at(page, /Bxd1/);
  await told(page, /5…Bxd1\?\? · #2 · White 100 %/);
  // The sentence stands under the move, what was better is an arrow, and so is the answer.
  assert.match(await page.textContent(".reviewlist li:has([aria-current]) .card"), /Blunder.*→ #2.*Better: 5…/);
  assert.match(await page.textContent(".walk"), /\d of \d · numbers are White’s/);
  assert.equal(await page.locator("#board .told.good").count(), 1);
  assert.equal(await page.locator("#board .told.bad").count(), 1);
  assert.equal(await page.locator("#board .glyph text").textContent(), "??");

  // Counts go round.
  await page.click(".sides .count[data-side=black][data-judgement=blunder]");
  await at(page, /\?\?/);

  // Click, keys.
  const box = await page.locator("#panel-review .graph").boundingBox();
  await page.mouse.click(box.x + box.width - 1, box.y + 20);
  await at(page, /Nd5#/);
  await told(page, /7\.Nd5# · Checkmate: White wins/);
  await page.focus("#panel-review .graph");
  await page.keyboard.press("ArrowLeft");
  await at(page, /Ke7/);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector("#panel-review .graph")?.getAttribute("aria-valuenow") === "0");
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await told(page, /^(4…g6|4\.Nc3)/);

  // The time that was used.
  assert.match(await page.textContent(".after"), /White thought 3:02, longest about 5\.Nxe5 \(2:20\)/);
  assert.ok((await page.locator(".graph .spent-black").count()) >= 5);

  // The better line goes into the tree.
  await blunder.click();
  const better = (await page.textContent(".card .line b")).replace("5…", "");
  await page.click("#act-line");
  await at(page, new RegExp(better.replace(/[+#]/g, "")));
  assert.ok((await page.locator("#tree .variation").count()) >= 1);
  // A variation changes nothing about the game: the review stays.
  await page.click("#tab-review");
  await page.waitForSelector("#panel-review .graph svg");
  await told(page, /In a variation/);

  const download = page.waitForEvent("download");
  await page.click("#panel-review a[download]");
  const text = await readFile(await (await download).path(), "utf8");
  assert.match(text, /5\.\.\. Bxd1 \$4/);
  assert.match(text, /\[%eval #2,/);
  assert.deepEqual(page.errors, []);

  // Kept: there at once when one comes back, and after the server was killed.
  const there = () => page.waitForFunction(() => Number(document.querySelector("#tab-review sup")?.textContent) > 0);
  await page.reload();
  await there();
  await server.stop("SIGKILL");
  await server.start();
  await page.reload();
  await there();
  assert.equal(await page.locator("#act-review").count(), 0);
});

test("a review that was under way when the server was killed is begun again", async () => {
  const page = await study(LONG);
  await page.click("#act-review");
  await page.waitForFunction(() => /^Reviewing: [1-9]\d? of 65 positions$/.test(document.querySelector("#panel-review .ask")?.textContent ?? ""));
  await server.stop("SIGKILL");
  await server.start();
  await page.waitForSelector("#panel-review .graph svg");
  assert.equal(await page.locator(".reviewlist button[data-ply]", { hasText: "Bb4??" }).count(), 1);
});

test("a game of the archive is reviewed by its address", async () => {
  const body = '[White "Ada"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n';
  await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body });
  const [{ id }] = (await server.api("/games?player=Ada")).json.games;
  const page = await server.visit(`/study?game=${id}&review=1`);
  await page.waitForSelector("#panel-review .graph svg");
  assert.equal(await page.textContent(".sides .count[data-side=black][data-judgement=blunder]"), "1");
  assert.deepEqual(page.errors, []);
});

test("what changes the game asks for another review", async () => {
  const page = await study(GAME.replaceAll(/\{.*?\}/g, ""));
  await page.click("#act-review");
  await page.waitForSelector("#panel-review .graph svg");
  await page.locator(".reviewlist button[data-ply]", { hasText: "Ke7" }).click();
  await at(page, /Ke7/);
  await page.keyboard.press("Delete");
  await page.waitForSelector("#act-review");
  assert.equal(await page.locator("#panel-review .graph").count(), 0);
  assert.equal(await page.locator("#tree button", { hasText: "??" }).count(), 0);
  assert.deepEqual(page.errors, []);
});

test("one walks from mistake to mistake, and finds the better move on the board", async () => {
  const page = await study(GAME.replaceAll(/\{.*?\}/g, "").replace("Greco", "Try"));
  await page.waitForSelector("#panel-review .graph svg, #act-review");
  if (await page.locator("#act-review").count()) await page.click("#act-review");
  await page.waitForSelector("#panel-review .graph svg");
  const count = Number(await page.textContent("#tab-review sup"));
  assert.ok(await page.locator("#act-mistake-before").isDisabled());
  for (let turn = 1; turn <= count; turn++) {
    await page.click("#act-mistake-after");
    await says(page, ".walk", new RegExp(`^${turn} of ${count}`));
    await page.waitForSelector(".reviewlist .card");
  }
  assert.ok(await page.locator("#act-mistake-after").isDisabled());

  // To the blunder, and back to the position before it.
  await page.click(".sides .count[data-side=black][data-judgement=blunder]");
  await says(page, ".card h3", /Blunder/);
  const better = (await page.textContent(".card .line b")).replace(/^\d+(…|\.)/, "");
  await page.click("#act-try");
  await says(page, ".card h3", /Find a better move/);
  assert.equal(await page.locator("#board .told").count(), 0);
  await page.keyboard.type("a6");
  await page.keyboard.press("Enter");
  await says(page, ".card", /Not that one/);
  await page.keyboard.press("Escape");
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.type(better);
  await page.keyboard.press("Enter");
  await says(page, ".card.good", /is what the review found/);
  assert.equal(await page.locator("#board .told.good").count(), 1);
  assert.deepEqual(await findings(page), []);
  // Nothing was played into the study.
  assert.equal(await page.locator("#tree button").count(), 13);
  await page.click("#act-back");
  await says(page, ".card h3", /Blunder/);
  assert.deepEqual(page.errors, []);
});

test("a move and the whole game are searched deeper, and that can be called off", async () => {
  const page = await study(GAME.replaceAll(/\{.*?\}/g, "").replace("Greco", "Deep"));
  await page.waitForSelector("#panel-review .graph svg, #act-review");
  if (await page.locator("#act-review").count()) await page.click("#act-review");
  await page.waitForSelector("#panel-review .graph svg");
  await says(page, ".deeper", /^Searched with 100,000 nodes a position/);
  // Two buttons, two names.
  const names = await page.getByRole("button", { name: /deeper/i }).allTextContents();
  assert.equal(names.length, 2);
  assert.notEqual(names[0], names[1]);
  // At the start there is no move to look at.
  await page.waitForSelector("#act-deeper:disabled");
  const review = async () => {
    const { key } = await page.evaluate(async () => (await fetch(`/api/reviews?study=${new URLSearchParams(location.search).get("study")}`)).json());
    return (await server.api(`/reviews/${key}`)).json.review;
  };
  await page.locator(".reviewlist button[data-ply]", { hasText: "Nf3" }).click();
  await at(page, /Nf3/);
  await page.click("#act-deeper");
  await page.waitForSelector("#act-deeper-cancel");
  assert.deepEqual(await findings(page), []);
  await page.waitForSelector("#act-deeper-all");
  await at(page, /Nf3/);
  assert.equal((await review()).moves[2].evaluation.nodes, 1_000_000);
  // The whole game takes longer; who has had enough keeps what there was.
  await page.click("#act-deeper-all");
  await says(page, ".deeper", /Searching the whole game again/);
  await page.click("#act-deeper-cancel");
  await says(page, ".deeper", /^Searched with 100,000 nodes a position/);
  assert.equal((await review()).moves[0].evaluation.nodes, 100_000);
  assert.deepEqual(page.errors, []);
});

for (const colorScheme of ["light", "dark"]) {
  test(`the review has no serious barriers, ${colorScheme}`, async () => {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) {
      const page = await study(GAME, { colorScheme, viewport });
      // Reviewed before: it is there.
      await page.waitForSelector("#panel-review .graph svg, #act-review");
      if (await page.locator("#act-review").count()) await page.click("#act-review");
      await page.waitForSelector("#panel-review .graph svg");
      await page.click(".sides .count[data-side=black][data-judgement=blunder]");
      await at(page, /\?\?/);
      assert.deepEqual(await findings(page), [], `${viewport.width}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, "nothing sticks out");
      assert.deepEqual(page.errors, []);
    }
  });
}
