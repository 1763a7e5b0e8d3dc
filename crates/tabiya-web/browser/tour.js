/**
 * The screens of the tour, one file for each, taken from the program: `scripts/tour FOLDER`. Their names are told in their order, with how
 * long each is looked at.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { CHIGORIN, KNOWN, visit, written } from "./shown.js";
import { Server, begin, move, played, square } from "./tests/harness.js";

const server = Server.forAll();
const folder = process.env.TABIYA_TOUR ?? ".";
const WINDOW = { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 0.75, reducedMotion: "reduce" };
/** Seconds to read a sentence and look at a page; a move among others is seen faster. */
const READ = 6, GLANCE = 2.5;

/** @type {{ file: string, seconds: number }[]} */
const frames = [];
/** Puts the words below a screen. @type {any} */
let desk = null;

/** @param {Buffer} png @param {string} caption @param {number} seconds */
async function add(png, caption, seconds) {
  if (!desk) {
    desk = await server.visit("/nothing", { viewport: { width: 900, height: 604 } });
    // The policy of the pages allows no pictures from elsewhere.
    await desk.goto("about:blank");
    await desk.setContent("<body><img><p></p></body>");
    await desk.evaluate(() => {
      const style = (/** @type {string} */ name, /** @type {object} */ values) => Object.assign(/** @type {HTMLElement} */ (document.querySelector(name)).style, values);
      style("body", { margin: "0", background: "#1d1b18", color: "#f3efe7", font: "20px system-ui, sans-serif" });
      style("img", { display: "block", width: "900px", height: "562px", objectFit: "contain" });
      style("p", { margin: "0", lineHeight: "42px", textAlign: "center" });
    });
  }
  await desk.evaluate(([url, text]) => {
    const image = /** @type {HTMLImageElement} */ (document.querySelector("img"));
    /** @type {HTMLElement} */ (document.querySelector("p")).textContent = text;
    image.src = url;
    return image.decode();
  }, [`data:image/png;base64,${png.toString("base64")}`, caption]);
  const file = `${String(frames.length).padStart(2, "0")}.png`;
  await desk.screenshot({ path: `${folder}/${file}` });
  frames.push({ file, seconds });
  await writeFile(`${folder}/frames.json`, JSON.stringify(frames));
}

/** @param {any} page @param {string} caption @param {number} [seconds] */
async function show(page, caption, seconds = READ) {
  await page.waitForTimeout(700);
  await add(await page.screenshot(), caption, seconds);
}

test("play", async () => {
  const page = await server.visit("/", WINDOW);
  await page.waitForSelector("#levels .level");
  await show(page, "Tabiya opens in your browser. Choose how strong, which colour, how fast.");
  // The same seed plays the same game.
  const id = await page.evaluate(async () => {
    const { begin } = await import(String("/js/api.js"));
    return (await begin({ white: "human", black: "tabiya:1200", seed: 22 })).id;
  });
  await page.goto(`${server.url}/?game=${id}`);
  await page.waitForSelector("#game-panel:not([hidden])");
  await show(page, "Move by clicking, dragging, or typing e4. Finger and screen reader work as well.", 5.5);
  const moves = [["e2", "e4"], ["g1", "f3"], ["f1", "c4"], ["d2", "d3"]];
  for (const [index, [from, to]] of moves.entries()) {
    await square(page, from).click();
    if (index === 0) await show(page, "Dots are where a piece may go.", 3.5);
    await square(page, to).click();
    await played(page, 2 * index + 2);
    await show(page, "Every level plays as people of that strength do.", GLANCE);
  }
  await page.click("#act-evaluation");
  await page.click("#act-hint");
  await page.waitForTimeout(2500);
  await show(page, "Stuck? A hint, in steps; the bar tells who stands better. Moves can be taken back.");
  await page.context().close();
});

test("a result, and other looks", async () => {
  const page = await server.visit("/", WINDOW);
  await begin(page, { friend: true });
  for (const [index, code] of "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split(" ").entries()) {
    await move(page, code.slice(0, 2), code.slice(2));
    await played(page, index + 1);
  }
  await page.waitForSelector("#act-rematch");
  await show(page, "Every game is kept, move by move, whatever happens to the machine.");
  await page.context().close();
  const dark = await visit(server, "/", { appearance: "dark", theme: "slate" }, WINDOW);
  await dark.waitForSelector("#levels .level");
  await dark.click("#open-settings");
  await dark.waitForSelector("#settings[open]");
  await show(dark, "Light or dark, boards and pieces of our own drawing, in three languages.", 5.5);
  await dark.context().close();
});

test("a friend", async () => {
  const page = await server.visit("/", WINDOW);
  await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await page.click("#way-invite");
  await page.fill("[name=name]", "Ada");
  await page.check("[name=time][value='5+3']");
  await page.click("#begin");
  await page.waitForSelector("#waiting[open]");
  await show(page, "Invite a friend: whoever opens the link, or scans it, plays you.");
  await page.context().close();
  await add(await readFile(fileURLToPath(new URL("../../../docs/friend-phone.png", import.meta.url))), "On a phone the board goes from edge to edge.", 5.5);
});

test("look back, and study", async () => {
  const page = await server.visit("/study", WINDOW);
  await page.click("#shelf-new");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", CHIGORIN);
  await page.click("#begin");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length > 60);
  await page.click("#engine");
  await page.waitForFunction(() => /depth 1\d/.test(document.getElementById("engine-info")?.textContent ?? ""), undefined, { timeout: 120_000 });
  await show(page, "Study: variations, comments, and live lines of the engine, or of your own.");
  await page.click("#engine");
  await page.click("#tab-review");
  await page.click("#act-review");
  await page.waitForSelector("#panel-review .graph svg", { timeout: 500_000 });
  await show(page, "Review a game: chances over time, accuracy, every mistake.");
  await page.locator(".reviewlist button[data-ply]", { hasText: "Bb4" }).click();
  await show(page, "What was wrong, and what was better: here Chigorin let go of a win, by one move.");
  await page.context().close();
});

test("learn", async () => {
  const puzzle = await server.visit("/puzzles?daily", WINDOW);
  await puzzle.waitForSelector("#seat-near .turn, #seat-far .turn");
  await show(puzzle, "A puzzle for the day, and a stream near your strength.", 5.5);
  await puzzle.context().close();
  const ladder = await server.visit("/endings", WINDOW);
  await ladder.waitForSelector(".ladder li");
  await show(ladder, "A ladder of endings, from two rooks to bishop and knight …", 5.5);
  await ladder.goto(`${server.url}/endings?id=queen-1`);
  await ladder.waitForSelector("#seat-near .turn");
  await show(ladder, "… each against perfect resistance, every move judged.", 5.5);
  await ladder.context().close();
  const book = await server.visit("/openings", WINDOW);
  await book.waitForSelector("#add[open]");
  await book.selectOption("#source", "pgn");
  await book.fill("#pgn", '[Event "Italian"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bc4 *\n');
  await book.fill("#title", "Italian");
  await book.click("#add-book");
  await book.waitForSelector(".books li");
  await book.click("#go-on");
  await book.waitForSelector("#seat-near .turn");
  await show(book, "Your openings, asked move by move until they sit.", 5.5);
  await book.context().close();
});

test("games", async () => {
  await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: KNOWN.map(written).join("\n") });
  const page = await server.visit("/games?sort=date", WINDOW);
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length > 5);
  await page.locator("#rows tr", { hasText: "Topalov" }).hover();
  await page.waitForTimeout(800);
  await show(page, "Your games: search, import, export. A database tells what millions of others played.");
  await page.context().close();
  const bishops = await server.visit("/bishops", WINDOW);
  await bishops.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await bishops.click("#begin");
  await bishops.waitForSelector("#act-solve");
  await show(bishops, "Another game: bishops and kings, on boards of any size.", 5.5);
  await bishops.context().close();
});

test("the terminal", async () => {
  await add(await readFile(fileURLToPath(new URL("../../../docs/screen.png", import.meta.url))), "In the terminal: tabiya play. With mouse, arrows, or moves as you write them.", READ);
  await add(await readFile(fileURLToPath(new URL("../../../docs/show.png", import.meta.url))), "tabiya show, perft, review, pgn, match: tools for whoever wants to know more.", READ);
  const page = await server.visit("/", WINDOW);
  await page.waitForSelector("#levels .level");
  await show(page, "One program, no account. Nothing leaves your machine.", READ);
  await desk?.context().close();
});
