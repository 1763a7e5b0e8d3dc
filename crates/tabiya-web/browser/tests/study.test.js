import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, Server, move, square, until } from "./harness.js";

/** A small engine that always likes e4, and d4 a little less. */
const REED = `#!/bin/sh
while read -r line; do
  case "$line" in
    uci) echo "id name Reed"; echo "option name MultiPV type spin default 1 min 1 max 5"; echo uciok ;;
    isready) echo readyok ;;
    go*) echo "info depth 7 multipv 1 score cp 33 nodes 10 nps 20 pv e2e4 e7e5 g1f3"
         echo "info depth 7 multipv 2 score cp 22 nodes 10 nps 20 pv d2d4" ;;
    stop) echo "bestmove e2e4" ;;
  esac
done
`;
const ENGINES = `
[[engine]]
name = "Reed"
path = "./reed.sh"

[[engine]]
name = "Broken"
path = "./not-there"
`;

const server = Server.forAll({ files: { "engines.toml": ENGINES, "reed.sh": REED } });
const second = Server.forAll({ beside: server });

/** Opens a study that is ready; without a query, a new one from the shelf. @param {string} [query] @param {object} [options] */
async function study(query = "", options = {}) {
  const page = await server.visit(`/study${query}`, options);
  if (!query) {
    await page.click("#shelf-new");
    await page.click("#begin");
  }
  await page.waitForFunction(() => /study=\d+/.test(location.search) && document.querySelectorAll("#board .piece").length > 1);
  return page;
}

/** The moves as they are shown, in order. @param {any} page @returns {Promise<string[]>} */
const shown = (page) => page.locator("#tree button").allTextContents();

/** Does something from the menu. @param {any} page @param {string} id */
async function choose(page, id) {
  await page.locator("[data-menu]:visible").click();
  await page.click(`#${id}`);
}

/** Begins a study of a record. @param {any} page @param {string} pgn */
async function paste(page, pgn) {
  await choose(page, "act-new");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", pgn);
  await page.click("#begin");
}

/** Waits until a move has the mark of where one stands. @param {any} page @param {string} text */
const standing = (page, text) => page.waitForFunction((wanted) => (document.querySelector("#tree [aria-current]")?.textContent ?? "") === wanted, text);

/** Types a move anywhere on the page. @param {any} page @param {string} text @param {string} [seen] */
async function type(page, text, seen = text) {
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await standing(page, seen);
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
}

/** Waits until so many searches are under way. @param {number} wanted */
const untilThinking = (wanted) => until(async () => (await server.api("/engines")).json.thinking === wanted);

test("a study with variations, comments and judgements survives reload and a killed server", async () => {
  const page = await study();
  await move(page, "e2", "e4");
  await standing(page, "e4");
  await move(page, "e7", "e5");
  await standing(page, "e5");
  await type(page, "Nf3");
  await page.keyboard.press("ArrowLeft");
  await standing(page, "e5");
  await page.keyboard.press("ArrowLeft");
  await standing(page, "e4");
  await type(page, "c5");
  await page.keyboard.press("!");
  await page.keyboard.press("?");
  await page.waitForFunction(() => document.querySelector("#tree [aria-current]")?.textContent === "c5!?");
  assert.equal(await page.locator("#board .glyph text").textContent(), "!?");
  await page.click("#tab-notes");
  await page.fill("#comment", "The Sicilian:\nsharp {very}");
  await page.locator("#comment").blur();
  await page.waitForSelector("#said-so-far button[data-here]");
  assert.equal(await page.textContent("#tab-notes sup"), "1");
  await page.selectOption("#glyphs select", "13");
  await page.waitForFunction(() => document.querySelector("#tree [aria-current]")?.textContent === "c5!?∞");
  await page.keyboard.press("ArrowUp");
  await standing(page, "e5");
  await page.keyboard.press("ArrowDown");
  await standing(page, "c5!?∞");
  // The server is told where one stands, a little later.
  const id = new URL(page.url()).searchParams.get("study");
  const told = async () => {
    const { here, nodes } = (await server.api(`/studies/${id}`)).json.study;
    return nodes[here].san === "c5";
  };
  await until(told);
  const before = await shown(page);
  assert.deepEqual(before, ["e4", "e5", "c5!?∞", "Nf3"]);
  await page.reload();
  await standing(page, "c5!?∞");
  await server.stop("SIGKILL");
  await server.start();
  await page.reload();
  await standing(page, "c5!?∞");
  assert.deepEqual(await shown(page), before);
  assert.equal(await page.inputValue("#comment"), "The Sicilian: sharp (very)");
  const record = (await server.api(`/studies/${id}/record`)).text;
  assert.match(record, /1\. e4 e5 \(1\.\.\. c5 \$5 \$13 \{The Sicilian: sharp \(very\)\}\) 2\. Nf3 \*/);
  assert.deepEqual(page.errors.filter((error) => !/ERR_CONNECTION|ERR_INCOMPLETE|Failed to fetch/.test(error)), []);
});

test("lines are promoted, deleted and brought back; a refused move is explained", async () => {
  const page = await study();
  await paste(page, "1. e5");
  await page.waitForFunction(() => document.getElementById("new-study-refusal")?.textContent);
  await page.fill("[name=pgn]", '[White "Ada"]\n[Black "Bob"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 1-0');
  await page.click("#begin");
  await page.waitForFunction(() => document.getElementById("title")?.textContent === "Ada – Bob");
  assert.deepEqual(await shown(page), ["e4", "d4", "d5", "e5", "Nf3"]);
  await page.getByRole("button", { name: "d5", exact: true }).click();
  await standing(page, "d5");
  await choose(page, "act-main");
  await page.waitForFunction(() => document.querySelector("#tree button")?.textContent === "d4");
  assert.deepEqual(await shown(page), ["d4", "e4", "e5", "Nf3", "d5"]);
  await choose(page, "act-delete");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 4);
  await page.click(".toast button");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 5);
  await standing(page, "d5");
  await page.keyboard.press("Home");
  await page.keyboard.press("End");
  await standing(page, "d5");
  await page.keyboard.type("Ke9");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#board .tb-bubble");
  await page.keyboard.press("Escape");
  await choose(page, "act-rename");
  await page.fill("[name=title]", "Two first moves");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("title")?.textContent === "Two first moves");
  assert.deepEqual(page.errors, []);
});

test("the editor refuses an impossible position in words and opens a possible one", async () => {
  const page = await study();
  await choose(page, "act-editor");
  const at = (name) => page.locator(`#editor-board .tb-cell[data-at="${name}"]`);
  const says = (text) => page.waitForFunction((wanted) => document.getElementById("verdict")?.textContent === wanted, text);
  await page.click("#editor-clear");
  await says("White has no king.");
  assert.ok(await page.locator("#editor-study").isDisabled());
  await page.click("[data-tool=white-king]");
  await at("e1").click();
  await says("Black has no king.");
  await page.click("[data-tool=black-king]");
  await at("e8").click();
  await says("This position is possible.");
  await page.click("[data-tool=white-pawn]");
  await at("a8").click();
  await says("A pawn cannot stand on a8.");
  await page.click("[data-tool=rubber]");
  await at("a8").click();
  // By keyboard: a capital is White's.
  await at("h1").focus();
  await page.keyboard.press("Shift+R");
  await says("This position is possible.");
  // By dragging: from the palette, on the board, and off it.
  const drag = async (from, to) => {
    const [a, b] = [await from.boundingBox(), to];
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x, b.y, { steps: 4 });
    await page.mouse.up();
  };
  const middle = async (name) => {
    const box = await at(name).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await drag(page.locator("[data-tool=black-queen]"), await middle("d5"));
  await drag(at("d5"), await middle("d8"));
  await page.waitForFunction(() => /^3qk3/.test(/** @type {HTMLInputElement} */ (document.querySelector("#editor [name=fen]")).value));
  const board = await page.locator("#editor-board").boundingBox();
  await page.click("[data-tool=hand]");
  await drag(at("d8"), { x: board.x + board.width + 60, y: board.y + 40 });
  await page.check("[name=castling][value=K]");
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector("#editor [name=fen]")).value === "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  await page.check("[name=castling][value=q]");
  await says("Castling with a rook on a8 is impossible here.");
  await page.uncheck("[name=castling][value=q]");
  // The other way: from the field to the board.
  await page.fill("#editor [name=fen]", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
  await page.waitForFunction(() => document.querySelectorAll("#editor-board .piece:not(.gone)").length === 32);
  assert.equal(await page.inputValue("#editor [name=en_passant]"), "f6");
  assert.ok(await page.isChecked("[name=castling][value=q]"));
  await page.fill("#editor [name=fen]", "nonsense");
  await page.waitForSelector("#verdict.bad");
  await page.fill("#editor [name=fen]", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  await says("This position is possible.");
  await page.click("#editor-study");
  await page.waitForFunction(() => document.querySelectorAll("#board .piece:not(.gone)").length === 3);
  await type(page, "O-O");
  assert.deepEqual(page.errors, []);
});

test("the engine's lines come, with an arrow; one is played into the tree; leaving ends the search", async () => {
  const page = await study("?fen=" + encodeURIComponent("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"));
  await untilThinking(0);
  await page.click("#engine");
  await page.waitForFunction(() => document.querySelector("#lines .score")?.textContent === "#1");
  assert.equal(await page.locator("#lines li").first().locator("button").first().textContent(), "1. Rd8#");
  await page.waitForSelector("#board .line.rank0");
  await page.waitForFunction(() => document.querySelectorAll("#board .line").length >= 2);
  assert.equal(await page.getAttribute("#eval", "aria-label"), "The engine's evaluation: #1");
  await page.click("#lines li:first-child button");
  await standing(page, "Rd8#");
  await page.waitForFunction(() => document.getElementById("engine-info")?.textContent?.startsWith("Checkmate"));
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:nth-child(2) button").length > 2);
  await page.locator("#lines li:nth-child(2) button").nth(2).click();
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 4);
  await untilThinking(1);
  await page.selectOption("#engine-lines", "5");
  await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 5);
  await page.goto(server.url + "/games");
  await untilThinking(0);
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("engine")?.getAttribute("aria-checked") === "true");
  await untilThinking(1);
  await page.click("#engine");
  await untilThinking(0);
  await page.waitForFunction(() => document.querySelectorAll("#board .line").length === 0);
  assert.deepEqual(page.errors, []);
});

test("other engines come from the settings file; one that fails is told in a sentence", async () => {
  const page = await study("?fen=" + encodeURIComponent("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
  await page.click("#engine");
  assert.deepEqual(await page.locator("#engine-name option").allTextContents(), ["tabiya", "Reed", "Broken", "this device"]);
  await page.selectOption("#engine-name", "Reed");
  await page.waitForFunction(() => document.getElementById("engine-info")?.textContent?.startsWith("Reed · depth 7"));
  await page.waitForFunction(() => [...document.querySelectorAll("#lines .score")].map((one) => one.textContent).join(" ") === "+0.33 +0.22 …");
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.press(" ");
  await standing(page, "e4");
  await page.selectOption("#engine-name", "Broken");
  await page.waitForFunction(() => document.getElementById("engine-info")?.textContent === "Broken cannot be started.");
  await untilThinking(0);
  assert.deepEqual(page.errors, []);
});

test("this device thinks without the server, also from a position that was set up", async () => {
  const { device } = (await server.api("/engines")).json;
  assert.ok(device, "the program under test was built without the one for browsers: set TABIYA_WASM when it is built, as scripts/browser does");
  const page = await study("?fen=" + encodeURIComponent("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"));
  const asked = /** @type {string[]} */ ([]);
  page.on("request", (request) => asked.push(request.url()));
  await page.selectOption("#engine-name", { label: "this device" });
  await page.click("#engine");
  await page.waitForFunction(() => document.querySelector("#lines .score")?.textContent?.includes("#1"));
  assert.ok(!asked.some((url) => url.includes("/lines")), "the server is not asked");
  await untilThinking(0);
  assert.equal(page.workers().length, 1);
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#lines .score")?.textContent?.includes("#1"));
  assert.equal(await page.locator("#engine-name option:checked").textContent(), "this device");
  await page.click("#engine");
  await until(async () => page.workers().length === 0);
  assert.deepEqual(page.errors, []);
});

test("learners see attackers, pins and control, and find them again after reload", async () => {
  const page = await study("?fen=" + encodeURIComponent("4k3/8/2n5/1B6/8/8/8/4K3 b - - 0 1"));
  await page.click("#show-attackers");
  await square(page, "c6").hover();
  await page.waitForFunction(() => document.getElementById("attacks")?.textContent?.includes("The black knight on c6 is attacked by the bishop on b5 and not defended."));
  assert.equal(await page.locator("#board .look.attacks").count(), 1);
  await square(page, "d8").focus(); // As by keyboard.
  await page.waitForFunction(() => document.getElementById("attacks")?.textContent?.includes("d8 is controlled by Black's knight on c6 and king on e8"));
  await page.click("#show-pins");
  await page.waitForSelector("#board .pinned");
  await page.waitForFunction(() => document.getElementById("attacks")?.textContent?.includes("The black knight on c6 is pinned to its king by the white bishop on b5."));
  await page.click("#show-threats");
  assert.equal(await page.locator("#board .threat").count(), 1, "the knight could be taken");
  const [threats, bar] = [await page.locator("#show-threats").boundingBox(), await page.locator("#eval").boundingBox()];
  assert.ok(threats.y + threats.height <= bar.y && threats.x < bar.x + bar.width, "at the upper end of the bar");
  await page.click("#show-heat");
  await page.waitForSelector("#board .heat.black");
  assert.ok((await page.locator("#board .pips circle").count()) > 0);
  await page.reload();
  await page.waitForSelector("#board .heat.black");
  assert.equal(await page.getAttribute("#show-pins", "aria-pressed"), "true");
  assert.deepEqual(page.errors, []);
});

test("a study by touch: tap and tap, and the bar at the bottom", async () => {
  const page = await study("?fen=" + encodeURIComponent("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  await square(page, "a7").tap();
  await square(page, "a8").tap();
  await page.locator(".tb-picker [data-role=knight]").tap();
  await standing(page, "a8=N");
  await page.locator("#previous").tap();
  await standing(page, "");
  await page.locator("#next").tap();
  await standing(page, "a8=N");
  await page.locator("#act-undo").tap();
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 0);
  await page.locator("#show-attackers").tap();
  await square(page, "e1").tap();
  await page.waitForFunction(() => document.getElementById("attacks")?.textContent?.includes("white king on e1"));
  assert.deepEqual(page.errors, []);
});

test("others with the link look, and make a copy", async () => {
  const page = await study();
  await type(page, "e4");
  const guest = await study(new URL(page.url()).search);
  await guest.waitForFunction(() => document.getElementById("banners")?.textContent?.includes("somebody else's"));
  await guest.locator("[data-menu]:visible").click();
  assert.equal(await guest.locator("#act-copy-pgn").count(), 1);
  assert.equal(await guest.locator("#act-delete, #act-rename, #act-remove").count(), 0);
  await guest.keyboard.press("Escape");
  assert.equal(await guest.locator("#board .tb-cell.movable").count(), 0);
  await guest.click("#act-clone");
  await guest.waitForFunction(() => document.getElementById("banners")?.textContent === "");
  await standing(guest, "");
  await guest.keyboard.press("ArrowRight");
  await standing(guest, "e4");
  await type(guest, "e5");
  await page.reload();
  await page.waitForSelector("#tree button");
  assert.deepEqual(await shown(page), ["e4"]);
  assert.deepEqual(guest.errors, []);
});

test("a game of the archive is studied, once", async () => {
  await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: '[White "Morphy"]\n[Black "Allies"]\n\n1. e4 e5 2. Nf3 d6 1-0' });
  const [{ id }] = (await server.api("/games?player=Morphy")).json.games;
  const page = await server.visit(`/study?game=${id}`);
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 4);
  assert.equal(await page.textContent("#title"), "Morphy – Allies");
  assert.match(await page.textContent("#seat-near .name"), /Morphy/);
  const first = new URL(page.url()).searchParams.get("study");
  await page.goto(`${server.url}/study?game=${id}&review=1`);
  await page.waitForFunction(() => /study=\d+&review=1/.test(location.search));
  assert.equal(new URL(page.url()).searchParams.get("study"), first);
  assert.equal(await page.getAttribute("#tab-review", "aria-selected"), "true");
  assert.deepEqual(page.errors, []);
});

test("no step through the moves waits for the network; keys and wheel work after a click on the board", async () => {
  const page = await study();
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/positions")));
  const told = page.waitForResponse(/positions/);
  await paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 (6... d6 7. c3) 7. Bb3 d6 *");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 16);
  await (await told).finished();
  await page.route("**/api/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const here = () => page.evaluate(() => document.querySelector("#tree [aria-current]")?.textContent ?? "");
  const stands = (at) => page.evaluate((name) => document.querySelector(`#board [data-at="${name}"]`)?.getAttribute("aria-label"), at);
  for (let turn = 0; turn < 10; turn++) await page.keyboard.press("ArrowRight");
  assert.equal(await here(), "Be7");
  assert.equal(await stands("e7"), "e7, black bishop");
  await square(page, "h4").click();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await here(), "Nf6");
  await page.mouse.wheel(0, 80);
  await page.waitForFunction(() => document.querySelector("#tree [aria-current]")?.textContent === "Be7");
  await page.keyboard.press("End");
  assert.equal(await here(), "d6");
  // Those who came to the squares by keyboard walk squares there.
  await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector("#board [tabindex='0']")).focus());
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowUp");
  assert.equal(await here(), "d6");
  await page.keyboard.press(",");
  assert.equal(await here(), "Bb3");
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press("?");
  await page.waitForSelector("#keys[open]");
  assert.match(await page.textContent("#keys"), /to the other line/);
  // Of all moves one is a stop of the Tab key.
  assert.equal(await page.evaluate(() => [...document.querySelectorAll("#tree button")].filter((one) => one.tabIndex === 0).length), 1);
  assert.deepEqual(page.errors, []);
});

test("arrows and circles belong to their move and are kept", async () => {
  const page = await study();
  await paste(page, "1. e4 {[%csl Rd5] centre} e5 *");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 2);
  const id = new URL(page.url()).searchParams.get("study");
  const drawn = (count) => page.waitForFunction((many) => document.querySelectorAll("#board .drawn").length === many, count);
  await drawn(0);
  await page.keyboard.press("ArrowRight");
  await drawn(1);
  const [from, to] = [await square(page, "g1").boundingBox(), await square(page, "f3").boundingBox()];
  await page.mouse.move(from.x + 9, from.y + 9);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(to.x + 9, to.y + 9, { steps: 3 });
  await page.mouse.up({ button: "right" });
  await drawn(2);
  // A click takes nothing away.
  await square(page, "h5").click();
  await drawn(2);
  await page.keyboard.press("ArrowRight");
  await drawn(0);
  await page.keyboard.press("ArrowLeft");
  await drawn(2);
  const kept = async () => (await server.api(`/studies/${id}/record`)).text.includes("{centre [%csl Rd5] [%cal Gg1f3]}");
  await until(kept);
  await page.reload();
  await standing(page, "e4");
  await drawn(2);
  // Drawn once more, it goes.
  await page.mouse.move(from.x + 9, from.y + 9);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(to.x + 9, to.y + 9, { steps: 3 });
  await page.mouse.up({ button: "right" });
  await drawn(1);
  await until(async () => !(await kept()));
  assert.deepEqual(page.errors, []);
});

test("the shelf shows the studies; a visit begins none; a deleted one comes back", async () => {
  const many = async () => (await server.api("/studies?limit=60")).json.studies.length;
  const before = await many();
  const visitor = await server.visit("/study");
  await visitor.waitForFunction(() => document.querySelectorAll("#cards .bookcard").length > 0);
  assert.deepEqual(await findings(visitor), []);
  assert.equal(await many(), before);
  // An empty shelf offers ways to begin.
  await visitor.route("**/api/studies?*", (route) => route.fulfill({ json: { studies: [], next: null } }));
  await visitor.reload();
  await visitor.getByRole("button", { name: "A game" }).click();
  await visitor.waitForSelector("#new-study [name=pgn]");
  assert.deepEqual(await findings(visitor), []);
  const unknown = await server.visit("/study?study=99999");
  await until(async () => {
    await unknown.waitForTimeout(1500);
    if ((await unknown.textContent("#shelf-notice")) !== "") return true;
    await unknown.reload();
    return false;
  });
  assert.equal(await many(), before);

  const page = await study();
  await paste(page, '[White "Shelf"]\n[Black "Card"]\n\n1. e4 e5 2. f4 *');
  await page.waitForFunction(() => document.getElementById("title")?.textContent === "Shelf – Card");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press("End");
  await standing(page, "f4");
  const id = new URL(page.url()).searchParams.get("study");
  const here = async () => (await server.api(`/studies/${id}`)).json.study.here;
  await until(async () => (await here()) === 3);
  await page.goto(`${server.url}/study`);
  const card = page.locator(".bookcard", { hasText: "Shelf – Card" });
  await card.waitFor();
  assert.match(await card.textContent(), /C30 King's Gambit.*2 moves.*today/);
  assert.equal(await card.locator("svg .art").count(), 32);
  await card.click();
  await standing(page, "f4");
  await choose(page, "act-remove");
  await page.waitForFunction(() => ![...document.querySelectorAll(".bookcard")].some((one) => one.textContent?.includes("Shelf – Card")));
  await page.click(".toast button");
  await standing(page, "f4");
  assert.deepEqual(page.errors, []);
});

test("two tabs on one study see each other's steps", async () => {
  const page = await study();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForSelector("#board .piece");
  await type(page, "e4");
  await other.waitForFunction(() => document.querySelector("#tree button")?.textContent === "e4");
  await type(other, "d4");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 2);
  // Each stays where it is.
  await standing(page, "e4");
  await standing(other, "d4");
  assert.deepEqual(page.errors, []);
});

test("what another server on the same folder has kept is shown, and nothing of it is overwritten", async () => {
  const page = await study();
  const id = new URL(page.url()).searchParams.get("study");
  const keys = await page.evaluate(() => localStorage.getItem("tabiya.studies"));
  const other = await second.visit("/nothing");
  await other.evaluate((kept) => localStorage.setItem("tabiya.studies", kept), keys);
  await other.goto(`${second.url}/study?study=${id}`);
  await other.waitForFunction(() => document.querySelectorAll("#board .piece").length === 32);
  await type(page, "e4");
  // Whoever comes back to the page sees it.
  await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await other.waitForFunction(() => document.querySelector("#tree button")?.textContent === "e4");
  await type(page, "e5");
  // Whoever does not is shown it, told, and goes on.
  await other.keyboard.type("d4");
  await other.keyboard.press("Enter");
  await other.waitForFunction(() => [...document.querySelectorAll("#tree button")].map((one) => one.textContent).join(" ") === "e4 e5");
  await other.waitForFunction(() => /changed/.test(document.getElementById("status")?.textContent ?? ""));
  await type(other, "d4");
  await until(async () => /1\. e4 \(1\. d4\) 1\.\.\. e5/.test((await second.api(`/studies/${id}/record`)).text));
  // The page's own errors are none; the refusal has its sentence.
  assert.deepEqual([...page.errors, ...other.errors], []);
});

test("a game begins from the editor", async () => {
  const page = await study();
  await choose(page, "act-editor");
  await page.fill("#editor [name=fen]", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
  await page.click("#editor-play:enabled");
  await page.waitForFunction(() => location.pathname === "/" && /game=\d+/.test(location.search));
  await page.waitForSelector("#game-panel:not([hidden])");
  const view = await server.view(page);
  assert.match(view.position, /^4k3\/8\/8\/8\/8\/8\/4P3\/4K3 b/);
  assert.deepEqual(view.seats.map((/** @type {any} */ seat) => seat.person), [false, true], "the side to move is ours");
  assert.deepEqual(page.errors, []);
});

test("one plays on from a position of a study", async () => {
  const page = await study("?fen=" + encodeURIComponent("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"));
  await choose(page, "act-play");
  await page.waitForFunction(() => location.pathname === "/" && /game=\d+/.test(location.search));
  const view = await server.view(page);
  assert.match(view.position, /^4k3\/8\/8\/8\/8\/8\/4P3\/4K3 b/);
  assert.deepEqual(view.seats.map((/** @type {any} */ seat) => seat.person), [false, true]);
});

test("an engine that is switched on before its name has come stays on", async () => {
  const page = await study();
  await page.route("**/api/engines", slow);
  await page.reload();
  const named = page.waitForResponse("**/api/engines");
  await page.click("#engine");
  await named;
  await page.waitForFunction(() => /depth/.test(document.getElementById("engine-info")?.textContent ?? ""));
  assert.equal(await page.getAttribute("#engine", "aria-checked"), "true");
  assert.deepEqual(page.errors, []);
});

/** Lets an answer come half a second later. @param {any} route */
async function slow(route) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  await route.continue();
}

test("the moves have room on a laptop, nothing jumps, and nothing sticks out at 320 pixels", async () => {
  const page = await study("", { viewport: { width: 1366, height: 768 } });
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const one of /** @type {any[]} */ (list.getEntries())) if (!one.hadRecentInput) globalThis.shift += one.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.click("#engine");
  await page.waitForSelector("#lines li:nth-child(3)");
  await page.click("#show-pins");
  const high = (await page.locator("#tree").boundingBox()).height;
  assert.ok(high >= 220, `the moves have ${high} pixels`);
  // Whatever comes late: the names of the engines, the study, its positions, the pins.
  for (const late of ["engines", "studies/*", "positions", "attacks"]) {
    await page.route(`**/api/**/${late}`, slow);
    await page.route(`**/api/${late}`, slow);
    await page.reload();
    await page.waitForFunction(() => /depth/.test(document.getElementById("engine-info")?.textContent ?? "") && document.getElementById("attacks")?.textContent);
    const shift = await page.evaluate(() => globalThis.shift);
    assert.ok(shift < 0.01, `when ${late} come late, what is there moves by ${shift}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  const phone = await study(new URL(page.url()).search, { viewport: { width: 320, height: 640 } });
  for (const tab of ["moves", "review", "notes"]) {
    await phone.click(`#tab-${tab}`);
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 320, tab);
  }
  const side = await study(new URL(page.url()).search, { viewport: { width: 844, height: 390 } });
  assert.ok((await side.locator("#board").boundingBox()).width >= 280);
});

test("tabs and menu are in sight on every screen, in every language", async () => {
  for (const locale of ["en", "de", "es"])
    for (const [width, height] of [[1366, 650], [320, 640], [844, 390], [683, 325]]) {
      const page = await study("?fen=" + encodeURIComponent("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), { locale, viewport: { width, height } });
      for (const part of ["#tab-moves", "#tab-chapters", "[data-menu]:visible", "#act-flip"]) {
        const box = await page.locator(part).boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width + 0.5, `${part} ends at ${box.x + box.width} of ${width}, ${locale}`);
      }
      assert.ok((await page.locator("#board").boundingBox()).width >= 280);
      await page.context().close();
    }
});

for (const colorScheme of ["light", "dark"])
  for (const [name, screen] of [["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }], ["desktop", {}]])
    test(`the study has no serious barriers, ${colorScheme}, ${name}`, async () => {
      const page = await study("", { colorScheme, ...screen });
      await type(page, "e4");
      await page.keyboard.press("!");
      await page.click("#engine");
      for (const one of ["attackers", "pins", "heat"]) await page.click(`#show-${one}`);
      await page.waitForSelector("#board .line");
      await page.waitForSelector("#board .heat");
      assert.deepEqual(await findings(page), []);
      const wide = (await page.evaluate(() => document.documentElement.scrollWidth)) - page.viewportSize().width;
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      await page.click("#tab-notes");
      await page.fill("#comment", "Best by test");
      await page.locator("#comment").blur();
      await page.waitForSelector("#said-so-far button");
      assert.deepEqual(await findings(page), [], "notes");
      await page.click("#tab-moves");
      await page.click("#engine");
      await page.locator("[data-menu]:visible").click();
      assert.deepEqual(await findings(page), [], "menu");
      await page.keyboard.press("Escape");
      for (const [item, dialog] of [["act-new", "#new-study"], ["act-editor", "#editor"], ["act-rename", "#rename"]]) {
        await choose(page, item);
        await page.waitForSelector(`${dialog}[open]`);
        assert.deepEqual(await findings(page), [], dialog);
        await page.click(`${dialog} [data-close]`);
      }
      assert.deepEqual(page.errors, []);
    });
