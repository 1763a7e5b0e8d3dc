/** Learning from one's own games: they are looked through, asked, answered, also while the server is away. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { findings, Server, square, until } from "./harness.js";

const server = Server.forAll();

/** A game that Marta loses. @param {string} black @param {string} end */
const record = (black, end) => `[Date "2026.11.09"]\n[White "Marta Kern"]\n[Black "${black}"]\n[BlackElo "1500"]\n[Result "0-1"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 ${end} 0-1\n`;
/** The queen is given away in one, two pieces in the other. */
const RECORDS = [record("Ada", "4. Ng5 d5 5. Qh5 Nxh5"), record("Bob", "4. Nxe5 Nxe5 5. Bxf7+ Nxf7")];

/** What is to be asked, as the server told it first: every test of its own begins with this. @type {any} */
let queue = null;

const send = (/** @type {string} */ path, /** @type {unknown} */ body) => server.api(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

before(async () => {
  await until(() => server.url !== "");
  await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: RECORDS.join("\n") });
});

/** A page that is asked what everybody is asked. @param {object} [options] @param {string} [path] */
async function visit(options = {}, path = "/learn") {
  const page = await server.visit("/nothing", { reducedMotion: "reduce", serviceWorkers: "block", ...options });
  await page.route("**/api/learn/queue*", (/** @type {any} */ route) => route.fulfill({ json: queue }));
  await page.goto(server.url + path);
  await page.waitForSelector("#task:not(:empty)");
  return page;
}

const said = (/** @type {any} */ page, /** @type {string} */ words) => page.waitForFunction((/** @type {string} */ part) => document.getElementById("said")?.textContent?.includes(part), words);

/** A move that is legal, not accepted and not what was played. @param {any} exercise */
function wrongMove({ moves, good, played, scene }) {
  const right = [played, ...good].map(({ uci }) => uci);
  const [uci] = moves.find(([code]) => code.length === 4 && !right.includes(code) && scene.pieces.every((/** @type {any} */ { at }) => at !== code.slice(2)));
  return uci;
}

/** @param {any} page @param {string} uci @param {"click" | "tap"} [how] */
async function move(page, uci, how = "click") {
  await square(page, uci.slice(0, 2))[how]();
  await square(page, uci.slice(2, 4))[how]();
}

test("games are looked through, and a mistake is done better", async () => {
  const page = await server.visit("/learn", { reducedMotion: "reduce" });
  await page.waitForSelector("#ends button");
  assert.match((await page.textContent("#task")) ?? "", /Learn from your own games|Find your mistakes/);
  assert.deepEqual(await findings(page), [], "nothing yet");
  await page.click("#ends button");
  // The name that most games have is offered.
  await page.waitForSelector("#names button");
  assert.match((await page.textContent("#names button")) ?? "", /^Marta Kern 2/);
  assert.deepEqual(await findings(page), [], "names");
  // Without a name there is nothing to look through.
  assert.equal(await page.isHidden("#look"), true);
  await page.click("#keep-names");
  await page.waitForFunction(() => document.body.textContent?.includes("Choose your name first."));
  await page.click("#names button");
  await page.click("#keep-names");
  await page.waitForFunction(() => document.getElementById("looking")?.textContent?.includes("All your games were looked through"), null, { timeout: 120_000 });
  await page.click("#look");
  await page.waitForFunction(() => document.getElementById("look")?.textContent?.startsWith("Look through"));
  queue = (await server.api("/learn/queue?kind=exercise")).json;
  assert.ok(queue.cards.length > 1, "several mistakes");

  await page.reload();
  await page.waitForFunction(() => document.getElementById("task")?.textContent?.startsWith("You played"));
  const { exercise } = queue.cards[0];
  assert.equal(await page.textContent("#task"), exercise.task);
  await move(page, wrongMove(exercise));
  await said(page, "Not that one");
  assert.match((await page.textContent(".tb-bubble")) ?? "", /Not that one/);
  await move(page, exercise.played.uci);
  await said(page, "That is what you played");
  assert.deepEqual(await findings(page), [], "wrong");
  await move(page, exercise.good.at(-1).uci);
  await said(page, "Right");
  assert.equal(await page.getAttribute("#grade-hard", "aria-pressed"), "true");
  assert.deepEqual(await findings(page), [], "right");
  // The line is walked, the better one and what was played.
  await page.click("#way-played");
  assert.equal(await page.locator("#line button").first().textContent(), exercise.punished.scenes[0].written);
  await page.keyboard.press("End");
  assert.equal(await page.isDisabled("#on"), true);
  await page.click("#grade-good");
  await page.waitForFunction((/** @type {string} */ task) => document.getElementById("task")?.textContent !== task, exercise.task);
  // By hand it was good, and that is what is kept.
  await until(async () => (await server.api("/learn")).json.report.streak === 1);
  const left = (await server.api("/learn/queue?kind=exercise")).json;
  assert.ok(left.cards.every((/** @type {any} */ card) => card.id !== queue.cards[0].id));
  assert.deepEqual(page.errors, []);
  // Whoever learns finds the endings and the openings, and back.
  await page.click(".panel nav >> text=Endings");
  await page.waitForURL("**/endings");
  await page.click(".panel nav >> text=Openings");
  await page.waitForURL("**/openings");
  await page.click(".panel nav >> text=Exercises");
  await page.waitForURL("**/learn");
});

test("hints come in steps, and who is told the move did not know it", async () => {
  const page = await visit({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const { exercise } = queue.cards[0];
  for (const [index, step] of ["where", "piece", "move", "why"].entries()) {
    assert.equal(await page.locator("#hints button:enabled").count(), 1);
    await page.tap(`#hint-${step}`);
    await said(page, exercise.hints[index]);
  }
  assert.equal(await page.locator("#hints button:enabled").count(), 0);
  assert.deepEqual(await findings(page), [], "hints");
  await move(page, exercise.good[0].uci, "tap");
  await said(page, "Right");
  assert.equal(await page.getAttribute("#grade-again", "aria-pressed"), "true");
  assert.match((await page.textContent("#grade-again small")) ?? "", /^10 min$/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0);
  await page.tap("#grade-again");
  await page.waitForFunction(() => document.querySelector("#queue i")?.className === "missed");
  assert.deepEqual(page.errors, []);
});

test("the keyboard is enough", async () => {
  const page = await visit();
  const { exercise } = queue.cards[0];
  await page.keyboard.type("Zz9");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".tb-bubble")?.textContent?.includes("no move here"));
  await page.keyboard.press("Escape");
  await page.keyboard.type(exercise.good[0].san);
  await page.keyboard.press("Enter");
  await said(page, "Right");
  // What is proposed has the focus; a number is another grade.
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-pressed")), "true");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("3");
  await page.waitForFunction(() => document.querySelectorAll("#queue i.solved").length === 1);
  assert.equal(await page.textContent("#task"), queue.cards[1].exercise.task);
  await page.focus("#tab-today");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#sheet-progress .plot svg");
  assert.deepEqual(await findings(page), [], "progress");
  assert.deepEqual(page.errors, []);
});

test("without a server answers are kept, and sent once it is back", async () => {
  const page = await visit();
  const [first, second] = queue.cards;
  await server.stop("SIGKILL");
  for (const { exercise } of [first, second]) {
    await page.waitForFunction((/** @type {string} */ task) => document.getElementById("task")?.textContent === task, exercise.task);
    await page.click("#solution");
    await said(page, "was better");
    await page.click("#grade-hard");
  }
  await page.waitForFunction(() => document.getElementById("away")?.textContent?.includes("2 answers wait"));
  // They outlive the page, and come twice if the first answer was lost.
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("tabiya.learn.answers") ?? "[]"));
  assert.deepEqual(kept.map((/** @type {any} */ one) => [one.card, one.grade]), [[first.id, "hard"], [second.id, "hard"]]);
  await server.start();
  assert.equal((await send("/learn/answers", { answers: kept })).status, 200);
  const count = async () => (await server.api("/learn")).json.report.days.at(-1).cards;
  const once = await count();
  await page.waitForFunction(() => localStorage.getItem("tabiya.learn.answers") === "[]");
  assert.equal(await count(), once);
  assert.equal(await page.isHidden("#away"), true);
  assert.deepEqual(page.errors.filter((/** @type {string} */ text) => !/Failed to load resource|ERR_CONNECTION/.test(text)), []);
});

for (const [locale, right] of [["de", "Richtig"], ["es", "Correcto"]]) {
  test(`exercises speak the browser's language, ${locale}`, async () => {
    const page = await visit({ locale });
    const { exercise } = queue.cards[0];
    for (const step of ["where", "piece", "move", "why"]) await page.click(`#hint-${step}`);
    await move(page, wrongMove(exercise));
    await move(page, exercise.good[0].uci);
    await said(page, right);
    await page.click("#tab-progress");
    await page.waitForSelector("#sheet-progress .plot svg");
    await page.click("#tab-games");
    await page.waitForTimeout(200);
    const left = await page.evaluate(() => [...globalThis.untranslated]);
    assert.deepEqual(left.filter((/** @type {string} */ text) => !/^(Tabiya|Elo|[^·]*(Game|Defence|Defense|Opening|Attack|Gambit)\b.*)$/.test(text)), []);
    assert.deepEqual(page.errors, []);
  });
}

test("the page opens without a server, with what was to be asked", async () => {
  const page = await server.visit("/learn", { reducedMotion: "reduce" });
  await page.waitForFunction(() => document.getElementById("task")?.textContent?.startsWith("You played"));
  const task = await page.textContent("#task");
  await until(() => page.evaluate(async () => (await (await caches.open("tabiya.learn")).keys()).length > 20));
  await server.stop("SIGKILL");
  await page.reload();
  await page.waitForFunction((/** @type {string} */ same) => document.getElementById("task")?.textContent === same, task);
  await page.click("#hint-where");
  await said(page, "The move goes to a square");
  await server.start();
  await page.context().close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`it fits on every screen, ${colorScheme}`, async () => {
    for (const [width, height] of [[1440, 900], [1366, 650], [844, 390], [390, 844], [320, 640]]) {
      const page = await visit({ colorScheme, viewport: { width, height } });
      const moved = await page.evaluate(() => new Promise((tell) => new PerformanceObserver((list) => tell(list.getEntries().reduce((sum, /** @type {any} */ one) => sum + one.value, 0))).observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => tell(0), 200)));
      assert.ok(moved < 0.02, `${width}×${height}: moved by ${moved}`);
      assert.deepEqual(await findings(page), [], `${width}×${height}`);
      await page.click("#solution");
      await said(page, "was better");
      assert.deepEqual(await findings(page), [], `${width}×${height}, answered`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${width}×${height} is ${wide} pixels too wide`);
      const grade = await page.locator("#grade-good").boundingBox();
      assert.ok(grade && grade.y + grade.height <= height, `${width}×${height}: the grades are in sight`);
      await page.context().close();
    }
  });
}
