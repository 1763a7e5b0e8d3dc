import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, Server, square, until } from "./harness.js";

const server = Server.forAll();

/** Somebody from elsewhere, whose tries are not those of the visitor. */
const GUEST = { "content-type": "application/json", "x-forwarded-for": "192.0.2.1" };

/** The number of the puzzle on a page. @param {any} page */
const idOf = async (page) => (/daily/.test(page.url()) ? (await server.api("/puzzles/daily")).json.id : new URL(page.url()).searchParams.get("id"));

/** Waits until it is the solver's move. @param {any} page */
const ready = (page) => page.waitForSelector("#seat-near .turn, #seat-far .turn");

/** The whole line of a puzzle, which a guest gives up. @param {string} id */
async function solutionOf(id) {
  const { json } = await server.api(`/puzzles/${id}/solution`, { method: "POST", headers: GUEST, body: "{}" });
  return json.solution.scenes.slice(2);
}

/** Moves a piece by two clicks, and chooses what a pawn becomes. @param {any} page @param {any} scene */
async function move(page, { last: [from, to], written }) {
  await square(page, from).click();
  await square(page, to).click();
  const becomes = /=([QRBN])/.exec(written)?.[1];
  if (becomes) await page.click(`.tb-picker [data-role=${{ Q: "queen", R: "rook", B: "bishop", N: "knight" }[becomes]}]`);
}

/** Plays the solver's moves of a line. @param {any} page @param {any[]} line */
async function solve(page, line) {
  for (let ply = 0; ply < line.length; ply += 2) {
    await ready(page);
    await move(page, line[ply]);
    if (ply + 1 < line.length) await page.waitForFunction((text) => document.getElementById("said")?.textContent?.includes(text), line[ply + 1].written);
  }
  await page.waitForSelector("#said.solved");
}

/** A legal move that is not the one. @param {string} id */
async function wrongMove(id) {
  const { json } = await server.api(`/puzzles/${id}`);
  for (const { from, to } of json.scenes[1].destinations) {
    for (const { at, promotions } of to) {
      if (promotions.length) continue;
      const body = JSON.stringify({ moves: [`${from}${at}`] });
      const answer = await server.api(`/puzzles/${id}/tries`, { method: "POST", headers: GUEST, body });
      if (answer.json?.verdict === "wrong") return { from, at };
    }
  }
  throw new Error("every move is right");
}

/** A page with the next puzzle, without motion so that nothing has to be waited for. @param {string} [path] @param {object} [options] */
async function visit(path = "/puzzles", options = {}) {
  const page = await server.visit(path, { reducedMotion: "reduce", ...options });
  await ready(page);
  return page;
}

const rating = async (/** @type {any} */ page) => Number.parseInt(await page.textContent("#rating"), 10);

test("a puzzle is solved, counts once, and the next one comes", async () => {
  const page = await visit();
  assert.match(await page.textContent("#task"), /^Find the best move for (White|Black)$/);
  assert.deepEqual(await findings(page), [], "before");
  const id = await idOf(page);
  const before = await rating(page);
  const line = await solutionOf(id);
  await solve(page, line);
  assert.match(await page.textContent("#change"), /^\+\d+$/);
  assert.ok((await rating(page)) > before);
  assert.match(await page.textContent("#streak"), /^1 in a row/);
  assert.ok((await page.locator("#about a").count()) > 0, "what it was about");
  assert.deepEqual(await findings(page), [], "solved");

  // Kept: the same puzzle again does not count again.
  const after = await rating(page);
  await page.reload();
  await ready(page);
  assert.equal(await idOf(page), id);
  assert.match(await page.textContent("#said"), /does not count again/);
  await solve(page, line);
  assert.equal(await rating(page), after);
  await page.click("#next");
  await until(async () => (await idOf(page)) !== id);
  await ready(page);
  assert.equal(await page.isVisible("#next"), false);
  assert.deepEqual(page.errors, []);
});

test("a wrong move is said at the move, and the right one can still be found", async () => {
  const page = await visit();
  const id = await idOf(page);
  const { from, at } = await wrongMove(id);
  await square(page, from).click();
  await square(page, at).click();
  await page.waitForSelector("#said.wrong");
  assert.match(await page.textContent(".tb-bubble"), /Not that one/);
  assert.match(await page.textContent("#change"), /^−\d+$/);
  assert.deepEqual(await findings(page), [], "wrong");
  // The piece stands where it stood, and the solution was not told.
  assert.match((await square(page, from).getAttribute("aria-label")) ?? "", /pawn|knight|bishop|rook|queen|king/i);
  assert.equal(await page.isVisible("#walk"), false);
  await solve(page, await solutionOf(id));
  assert.match(await page.textContent("#said"), /in the end/);
  assert.deepEqual(page.errors, []);
});

test("hints come in steps, the solution is walked through and studied", async () => {
  const page = await visit();
  const id = await idOf(page);
  const line = await solutionOf(id);
  const says = (/** @type {string} */ words) => page.waitForFunction((part) => document.getElementById("said")?.textContent?.includes(part), words);
  const [from, to] = line[0].last;
  // One step after the other.
  assert.deepEqual(await page.locator("#hints button:enabled").allTextContents(), ["Where"]);
  await page.click("#hint-where");
  await says("The move goes to a square");
  const wing = await page.locator("#board .area").count();
  assert.ok(wing === 24 || wing === 16, `${wing} squares`);
  assert.deepEqual(await findings(page), [], "where");
  await page.click("#hint-piece");
  await says(` on ${from}.`);
  assert.deepEqual(await page.locator("#hints button:enabled").allTextContents(), ["Move"]);
  assert.equal(await page.textContent("#change"), "", "it does not count yet");
  await page.click("#hint-move");
  await says(`goes from ${from} to ${to}.`);
  await says("counts as missed");
  assert.match(await page.textContent("#change"), /^−\d+$/);
  await page.click("#hint-why");
  await says("This puzzle is about: ");
  assert.equal(await page.locator("#hints button:enabled").count(), 0);
  await page.click("#solution");
  await page.waitForSelector("#walk:not([hidden])");
  await until(async () => (await page.locator("#line [aria-current]").textContent()) === line.at(-1).written);
  assert.match(await page.textContent("#change"), /^−\d+$/);
  assert.deepEqual(await findings(page), [], "given up");
  // The arrows walk, and the list of moves leads anywhere.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  assert.equal(await page.isDisabled("#previous"), true);
  await page.keyboard.press("End");
  assert.equal(await page.isDisabled("#on"), true);
  await page.locator("#line button").first().click();
  assert.equal(await page.locator("#line [aria-current]").getAttribute("data-at"), "1");
  await page.click("#to-study");
  await page.waitForURL(/\/study\?study=\d+/);
  await page.waitForFunction((many) => document.querySelectorAll("#tree button").length >= many, line.length + 1);
  assert.deepEqual(page.errors, []);
});

test("moves are typed, and what cannot be played is refused without counting", async () => {
  const page = await visit();
  const line = await solutionOf(await idOf(page));
  const before = await rating(page);
  await page.keyboard.type("h9h9");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tb-bubble");
  assert.equal(await rating(page), before);
  for (let ply = 0; ply < line.length; ply += 2) {
    await ready(page);
    const san = line[ply].written.replace(/^\d+\.+/, "");
    await page.keyboard.press("Escape");
    await page.keyboard.type(san.replace(/[+#]/, ""));
    await page.keyboard.press("Enter");
    if (ply + 1 < line.length) await page.waitForFunction((text) => document.getElementById("said")?.textContent?.includes(text), line[ply + 1].written);
  }
  await page.waitForSelector("#said.solved");
  assert.deepEqual(page.errors, []);
});

test("the daily puzzle has its date, on the start panel too", async () => {
  const start = await server.visit("/");
  await start.waitForSelector("#daily-board svg");
  assert.match(await start.textContent("#daily-words"), /^\d+ [A-Z]/);
  assert.deepEqual(await findings(start), []);
  await start.click("#daily");
  await ready(start);
  assert.match(start.url(), /\/puzzles\?daily$/);
  assert.match(await start.textContent("#over"), /^Daily puzzle, \d+ [A-Z]/);
  assert.equal(await start.getAttribute("#tab-daily", "aria-selected"), "true");
  const [first, second] = [await server.api("/puzzles/daily"), await server.api("/puzzles/daily")];
  assert.equal(first.json.id, second.json.id);
  assert.deepEqual(start.errors, []);
});

test("themes are chosen, history is kept, tabs are walked with the arrows", async () => {
  const page = await visit();
  await page.click("#tab-themes");
  await page.waitForSelector("#themes .chip");
  assert.deepEqual(await findings(page), [], "themes");
  await page.locator("#themes .chip", { hasText: "Endgame" }).first().click();
  await page.waitForFunction(() => /^Theme: /.test(document.getElementById("over")?.textContent ?? ""));
  await ready(page);
  await page.click("#all-themes");
  await page.waitForFunction(() => document.getElementById("over")?.textContent === "");
  await ready(page);
  await page.focus("#tab-stream");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.getAttribute("#tab-history", "aria-selected"), "true");
  await page.waitForSelector("#history a");
  assert.deepEqual(await findings(page), [], "history");
  assert.ok((await page.locator("#history a.solved").count()) >= 1);
  assert.deepEqual(page.errors, []);
});

test("what the server does not answer is said, and nothing is lost", async () => {
  const page = await visit();
  const line = await solutionOf(await idOf(page));
  await page.route("**/tries", (route) => route.abort());
  await move(page, line[0]);
  await page.waitForSelector("#said.wrong");
  assert.match(await page.textContent("#said"), /does not answer/);
  await page.unroute("**/tries");
  await solve(page, line);
});

test("phones, small windows and the dark", async () => {
  for (const [width, height] of [[390, 844], [320, 640], [844, 390], [683, 325], [1366, 650]]) {
    const page = await visit("/puzzles", { viewport: { width, height }, hasTouch: width < 900, colorScheme: "dark" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${width}×${height} is ${wide} wide`);
    assert.ok((await page.locator("#board").boundingBox()).width >= 280);
    const last = await page.locator("#tab-history").boundingBox();
    assert.ok(last.x + last.width <= width, `the last tab ends at ${last.x + last.width} of ${width}`);
    assert.deepEqual(await findings(page), [], `${width}×${height}`);
    await page.context().close();
  }
});

test("days with a puzzle solved are told when there are several in a row", async () => {
  const page = await server.visit("/nothing");
  await page.route("**/api/puzzles/next?*", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, you: { ...answer.you, streak: 5, best: 14, days: 3 } } });
  });
  await page.goto(`${server.url}/puzzles`);
  await ready(page);
  assert.equal(await page.textContent("#streak"), "3 days running · 5 in a row · best 14");
});

for (const colorScheme of ["light", "dark"])
  test(`no outcome of a puzzle has serious barriers, ${colorScheme}`, async () => {
    const page = await visit("/puzzles", { colorScheme });
    const line = await solutionOf(await idOf(page));
    await page.click("#hint-where");
    await page.waitForSelector("#board .area");
    assert.deepEqual(await findings(page), [], "a hint");
    await solve(page, line);
    assert.deepEqual(await findings(page), [], "solved with a hint");
    await page.click("#next");
    await page.waitForSelector("#said", { state: "hidden" });
    await ready(page);
    const { from, at } = await wrongMove(await idOf(page));
    await square(page, from).click();
    await square(page, at).click();
    await page.waitForSelector("#said.wrong");
    assert.deepEqual(await findings(page), [], "missed");
    await page.click("#solution");
    await page.waitForSelector("#walk:not([hidden])");
    assert.deepEqual(await findings(page), [], "given up");
  });
