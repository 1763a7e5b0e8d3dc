/** The explorer, of a study and alone: what was played in a position, in the games that are kept here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, move, Server, until } from "./harness.js";

const server = Server.forAll();

const GAMES = [
  ["Ada Berg", "Bob Cole", "2600", "2500", "2021.03.04", "1-0", "1. e4 e5 2. Nf3 Nc6 1-0"],
  ["Ada Berg", "Dan Eck", "2600", "1900", "2022.03.04", "1/2-1/2", "1. e4 c5 2. Nf3 d6 1/2-1/2"],
  ["Bob Cole", "Ada Berg", "2500", "2600", "2023.03.04", "0-1", "1. d4 d5 2. c4 e6 0-1"],
].map(([white, black, whiteElo, blackElo, date, result, moves], at) => `[Event "Match"]
[Site "?"]
[Date "${date}"]
[Round "${at}"]
[White "${white}"]
[Black "${black}"]
[Result "${result}"]
[WhiteElo "${whiteElo}"]
[BlackElo "${blackElo}"]

${moves}
`).join("\n");

/** @param {any} page the rows of the table: move, games, results for readers, rating, year */
const rows = (page) => page.$$eval("#explorer-moves tr", (/** @type {HTMLElement[]} */ all) => all.map((row) => [...row.children].map((cell) => cell.querySelector("[aria-label]")?.getAttribute("aria-label") ?? cell.textContent)));
const shows = (/** @type {any} */ page, /** @type {number} */ count) => page.waitForFunction((/** @type {number} */ wanted) => document.querySelectorAll("#explorer-moves tr").length === wanted, count);

/** A new study with the explorer open. @param {object} [options] */
async function explorer(options) {
  const page = await server.visit("/study", options);
  await page.click("#shelf-new");
  await page.click("#begin");
  await page.waitForSelector("#board .piece");
  await page.click("#tab-explorer");
  return page;
}

test("moves are told with their games, a click plays one, a game opens in place, and filters count", async () => {
  const given = await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: GAMES });
  assert.equal(given.status, 200, given.text);
  const page = await explorer();
  await shows(page, 2);
  assert.deepEqual(await rows(page), [
    ["e4", "2", "White 50 %, draw 50 %, Black 0 %", "2600 2391", "2022 4 Mar"],
    ["d4", "1", "White 0 %, draw 0 %, Black 100 %", "2500 1800", "2023 4 Mar"],
  ]);
  assert.match(await page.textContent("#explorer-words"), /^3 games/);
  assert.deepEqual(await findings(page), []);

  await page.click("#explorer-moves tr:first-child button");
  await page.waitForFunction(() => document.querySelector("#explorer-moves button")?.textContent !== "e4");
  assert.deepEqual((await rows(page)).map((/** @type {string[]} */ row) => row[0]).sort(), ["c5", "e5"]);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#explorer-moves button")?.textContent === "e4");

  await page.click("#panel-explorer summary");
  await page.fill("#explorer-filter [name=player]", "berg");
  await page.selectOption("#explorer-filter [name=color]", "black");
  await shows(page, 1);
  assert.deepEqual((await rows(page))[0].slice(0, 2), ["d4", "1"]);
  await page.fill("#explorer-filter [name=since]", "2024");
  await page.waitForFunction(() => document.querySelector("#explorer-words")?.textContent?.startsWith("No game came here."));
  await page.fill("#explorer-filter [name=since]", "");
  await page.fill("#explorer-filter [name=event]", "olympiad");
  await page.waitForFunction(() => document.querySelector("#explorer-words")?.textContent?.startsWith("No game came here."));
  await page.fill("#explorer-filter [name=event]", "match");
  await shows(page, 1);

  await page.click("#explorer-top tr:first-child button");
  await page.waitForSelector("#explorer-game .record");
  assert.equal((await page.textContent("#explorer-game .record")).trim(), "1. d4 d5 2. c4 e6 0-1");
  await page.click("#explorer-game button");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 4);
  assert.deepEqual(page.errors, []);
});

test("the page of the explorer walks through moves, tells the games of one, and knows the way by its address", async () => {
  const page = await server.visit("/explorer");
  await shows(page, 2);
  await page.click("#explorer-moves tr:first-child td button");
  assert.equal(await page.textContent(".explorer h3"), "Games with e4");
  assert.equal(await page.locator("#explorer-top tr").count(), 2);
  await page.click("#explorer-moves tr:first-child th button");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("play") === "e2e4");
  await shows(page, 2);
  await move(page, "c7", "c5");
  await page.waitForFunction(() => location.search.endsWith("e2e4%2Cc7c5"));
  await page.waitForFunction(() => document.querySelector("#explorer-moves button")?.textContent === "Nf3");
  assert.equal(await page.textContent("#way"), "1.e4c5");
  await move(page, "e4", "e6");
  await page.waitForSelector(".tb-bubble");
  assert.deepEqual(await findings(page), []);

  await page.reload();
  await page.waitForFunction(() => document.querySelector("#explorer-moves button")?.textContent === "Nf3");
  await page.keyboard.press("ArrowLeft");
  await shows(page, 2);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("#explorer-moves button")?.textContent === "Nf3");
  await page.fill("#place-text", "1. d4 d5 2. c4");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#explorer-moves button")?.textContent === "e6");
  await page.fill("#place-text", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#explorer-words")?.textContent === "No game came here.");
  await page.click("#act-study");
  await page.waitForFunction(() => location.pathname === "/study" && location.search.includes("study="));
  assert.deepEqual(page.errors, []);
});

test("what was played a moment ago is there a moment later, and nobody waits for it", async () => {
  const page = await server.visit("/explorer?play=a2a3");
  await page.waitForFunction(() => document.querySelector("#explorer-words")?.textContent === "No game came here.");
  // What is being brought up to date is so after the import, and not looked at again for a while.
  const fen = encodeURIComponent("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  await until(async () => (await server.api(`/explorer/mine?fen=${fen}`)).json.renewing === false);
  await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: '[White "Eva"]\n[Result "1-0"]\n\n1. a3 a6 1-0' });
  // As old as an answer may be.
  await page.waitForTimeout(3100);
  await page.click("#first");
  await page.waitForFunction(() => document.querySelectorAll("#explorer-moves tr").length === 3);
  assert.deepEqual(page.errors, []);
});

test("the explorer fits every screen, light and dark", async () => {
  for (const [colorScheme, width, height] of /** @type {const} */ ([["light", 320, 640], ["dark", 390, 844], ["dark", 1366, 650]])) {
    const page = await explorer({ colorScheme, viewport: { width, height } });
    await shows(page, 3);
    await page.click("#panel-explorer summary");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    assert.deepEqual(await findings(page), [], `${colorScheme} ${width}`);
    const alone = await server.visit("/explorer", { colorScheme, viewport: { width, height } });
    await alone.waitForSelector("#explorer-moves tr");
    await alone.click("#panel-explorer summary");
    assert.equal(await alone.evaluate(() => document.documentElement.scrollWidth), width);
    assert.deepEqual(await findings(alone), [], `the page, ${colorScheme} ${width}`);
  }
});
