/** The site without a server: the same pages, answered in the browser. scripts/site has made the folder. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve as absolute } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { begin, findings, move, played, square, until } from "./harness.js";

const FOLDER = process.env.TABIYA_SITE ?? "../../../target/site";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

/** The package for npm lies beside the site, under this address; its README has a page that uses the board. */
const PACKAGE = "../../../npm";
async function example() {
  const [, html] = /```html\n([\s\S]*?)```/.exec(await readFile(join(PACKAGE, "README.md"), "utf8")) ?? [];
  const imports = JSON.stringify({ imports: { tabiya: "/package/src/index.js", "tabiya/board": "/package/board/board.js" } });
  return `<!doctype html><link rel="icon" href="data:,"><title>Board</title><script type="importmap">${imports}</script>${html?.replace("node_modules/tabiya", "/package")}`;
}

/** A server of files that knows nothing else, as there are everywhere. */
const files = createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const path = normalize(pathname).endsWith("/") ? `${pathname}index.html` : pathname;
  try {
    if (path === "/example.html") return void response.writeHead(200, { "content-type": "text/html" }).end(await example());
    const data = await readFile(path.startsWith("/package/") ? join(PACKAGE, path.slice(8)) : join(FOLDER, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(data);
  } catch (error) {
    if (error.code === "EISDIR") response.writeHead(301, { location: `${pathname}/${search}` }).end();
    else response.writeHead(404).end();
  }
});

let browser = /** @type {any} */ (null), url = "";

before(async () => {
  await new Promise((resolve) => files.listen(0, "127.0.0.1", () => resolve(undefined)));
  url = `http://localhost:${/** @type {any} */ (files.address()).port}`;
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  files.closeAllConnections();
  files.close();
});

/** A visitor with a browser of their own. */
async function visit(path = "/", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  page.on("request", (request) => /\/api\//.test(request.url()) && page.errors.push(`somebody was asked: ${request.url()}`));
  await page.goto(url + path);
  return page;
}

/** Until the browser has all of it. */
const installed = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

const answer = (page, path, init) => page.evaluate(async ([path, init]) => (await fetch(`/api${path}`, init)).json(), [path, init]);

test("a game against a level is there after a reload, and goes on without a network", async () => {
  const page = await visit();
  await begin(page, { level: 1200, colour: "white" });
  await move(page, "e2", "e4");
  await played(page, 2);
  await page.reload();
  await played(page, 2);
  await installed(page);
  await page.context().setOffline(true);
  await page.reload();
  await played(page, 2);
  await move(page, "d2", "d4");
  await played(page, 4);
  await page.goto(`${url}/games`);
  await page.getByText("Human").first().waitFor();
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a level plays the moves that it plays everywhere, and the signature is that of the machine", async () => {
  const page = await visit();
  const { id } = await answer(page, "/games", { method: "POST", body: JSON.stringify({ white: "tabiya:1600", black: "tabiya:1600", seed: 5 }) });
  await until(async () => (await answer(page, `/games/${id}`)).moves.length >= 12);
  const { moves } = await answer(page, `/games/${id}`);
  const { start, compile } = await import("../../web/program/program.js");
  const ask = start(await compile(new URL(`file://${absolute(FOLDER, "tabiya.wasm")}`)));
  const line = [];
  for (const { uci } of moves.slice(0, 12)) {
    assert.equal(uci, ask({ call: "move", at: { moves: line }, player: "tabiya:1600", seed: 5 }).uci);
    line.push(uci);
  }
  const inBrowser = await page.evaluate(async () => {
    const { compile, start } = await import(String("/program/program.js"));
    return start(await compile("/tabiya.wasm"))({ call: "bench", depth: 6 }).nodes;
  });
  assert.equal(inBrowser, ask({ call: "bench", depth: 6 }).nodes);
  await page.context().close();
});

test("a move that is not legal is refused in a sentence, and changes nothing", async () => {
  const page = await visit();
  await begin(page, { friend: true });
  await move(page, "e2", "e4");
  await played(page, 1);
  const id = new URL(page.url()).searchParams.get("game");
  const refused = await answer(page, `/games/${id}/moves`, { method: "POST", body: JSON.stringify({ text: "Ke3" }), headers: { authorization: "Bearer black" } });
  assert.match(refused.error, /^[A-Z].*\.$/);
  assert.equal((await answer(page, `/games/${id}`)).moves.length, 1);
  await page.context().close();
});

test("what the browser cannot keep has not happened", async () => {
  const page = await visit();
  await begin(page, { friend: true });
  await move(page, "e2", "e4");
  await played(page, 1);
  const [server] = page.workers();
  await server.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
    Object.assign(globalThis, { roomAgain: () => (IDBObjectStore.prototype.put = put) });
  });
  await move(page, "e7", "e5");
  await page.getByText("could not be kept").first().waitFor();
  const id = new URL(page.url()).searchParams.get("game");
  assert.equal((await answer(page, `/games/${id}`)).moves.length, 1);
  await server.evaluate(() => void /** @type {any} */ (globalThis).roomAgain());
  await page.reload();
  await move(page, "e7", "e5");
  await played(page, 2);
  await page.context().close();
});

test("a study has live lines, and keeps its moves", async () => {
  const page = await visit();
  const { study, token } = await answer(page, "/studies", { method: "POST", body: JSON.stringify({ pgn: "1. e4 e5 (1... c5) 2. Nf3 *" }) });
  await page.evaluate(([id, token]) => localStorage.setItem("tabiya.studies", JSON.stringify({ [id]: token })), [study.id, token]);
  await page.goto(`${url}/study?study=${study.id}`);
  await page.waitForSelector("#engine");
  if ((await page.getAttribute("#engine", "aria-checked")) !== "true") await page.click("#engine");
  await page.waitForFunction(() => /depth \d+/.test(document.body.textContent ?? ""));
  const lines = await page.evaluate((id) => new Promise((resolve) => {
    const source = new EventSource(`/api/studies/${id}/lines?node=1&lines=2`);
    source.addEventListener("lines", ({ data }) => {
      const report = JSON.parse(data);
      if (report.depth < 5 || report.lines.length < 2) return;
      source.close();
      resolve(report.lines.map(({ moves }) => moves[0].side));
    });
  }), study.id);
  assert.deepEqual(lines, ["black", "black"]);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("games come in and go out, a game is reviewed, a puzzle is judged, bishops are set up", async () => {
  const page = await visit();
  const pgn = '[White "Ada"]\n[Black "Ben"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n';
  const first = await answer(page, "/import", { method: "POST", body: pgn });
  assert.deepEqual([first.games, first.known, first.bad], [1, 0, 1]);
  assert.equal((await answer(page, "/import", { method: "POST", body: pgn })).known, 1);
  const { games: [game] } = await answer(page, "/games?source=imported&search=ada");
  assert.deepEqual([game.white, game.result, game.plies], ["Ada", "0-1", 4]);
  const text = await page.evaluate(async (id) => (await fetch("/api/games/export", { method: "POST", body: JSON.stringify({ games: [id] }) })).text(), game.id);
  assert.match(text, /2\. g4 Qh4# 0-1/);

  const { key } = await answer(page, "/reviews", { method: "POST", body: JSON.stringify({ game: game.id }) });
  await until(async () => (await answer(page, `/reviews/${key}`)).state === "done");
  const { review } = await answer(page, `/reviews/${key}`);
  assert.equal(review.moves[2].judgement, "blunder");

  const daily = await answer(page, "/puzzles/daily");
  const given = await answer(page, `/puzzles/${daily.id}/solution`, { method: "POST", body: "{}" });
  assert.equal(given.outcome, "missed");
  assert.equal((await answer(page, "/puzzles/daily")).outcome, "missed");
  const { position } = await answer(page, "/bishops", { method: "POST", body: JSON.stringify({ size: 6, white_bishops: 2, black_bishops: 1, mate: 1, seed: 7 }) });
  const bishops = await answer(page, "/games", { method: "POST", body: JSON.stringify({ game: "bishops", position, white: "human", black: "tabiya:3" }) });
  assert.equal((await answer(page, `/games/${bishops.id}/verdict?moves=2`)).mate, 1);
  await page.context().close();
});

test("an ending is played out against tables, without a network, and is kept", async () => {
  const page = await visit("/endings");
  await page.waitForSelector(".ladder li");
  await installed(page);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector(".ladder li");
  const post = (path, body) => answer(page, `/endings/queen-1/${path}`, { method: "POST", body: JSON.stringify(body) });
  let moves = [], end = null;
  while (!end) {
    const { best } = await post("hint", { moves });
    ({ moves, end } = await post("moves", { moves, move: best.move.uci, help: "moves", given_away: null }));
    assert.ok(moves.length < 20);
  }
  assert.ok(end.done);
  assert.equal((await post("done", { moves, name: "first" })).grade, "good");
  await page.reload();
  await page.waitForSelector(".ladder li");
  const queen = (await answer(page, "/endings")).rungs.flatMap(({ endings }) => endings).find(({ id }) => id === "queen-1");
  assert.deepEqual([queen.standing, queen.known], ["done", "tables"]);
  assert.match((await post("moves", { moves: [], move: "Ke9", help: "moves", given_away: null })).error, /^"Ke9" is not a move: .*\.$/);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the board of the package is played on a page of its own", async () => {
  const page = await visit("/example.html");
  for (const at of ["e2", "e4", "e7", "e5"]) await square(page, at).click();
  await page.waitForFunction(() => /** @type {any} */ (document.getElementById("board")).position.turn === "white" && /** @type {any} */ (document.getElementById("board")).position.last?.[1] === "e5");
  const best = await page.evaluate(async () => {
    const { Engine } = await import(String("tabiya"));
    const engine = new Engine();
    const { best } = await engine.analyse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", { depth: 4 });
    engine.close();
    return best;
  });
  assert.equal(best, "a1a8");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("every page is whole: no link leads nowhere, nothing is wrong for readers, nothing jumps", async () => {
  const page = await visit();
  for (const path of ["/", "/study", "/puzzles", "/endings", "/games", "/bishops"]) {
    await page.goto(url + path, { waitUntil: "networkidle" });
    const shift = await page.evaluate(() => new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += /** @type {any} */ (entry).value))).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(sum), 300);
    }));
    assert.ok(shift < 0.02, `${path} shifts by ${shift}`);
    const links = await page.$$eval("a[href^='/']", (all) => all.map((one) => new URL(one.href).pathname));
    for (const link of new Set(links)) assert.ok((await fetch(url + link)).ok, `${path} leads to ${link}`);
    assert.deepEqual(await findings(page), [], path);
  }
  assert.deepEqual(page.errors, []);
  await page.context().close();
});
