/** The ladder of endings: played out against the server, judged, kept; and read by everybody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, move, Server, until } from "./harness.js";

const server = Server.forAll();

/** A page at an ending, without motion so that nothing has to be waited for. @param {string} id @param {object} [options] */
async function visit(id, options = {}) {
  const page = await server.visit(`/endings?id=${id}`, { reducedMotion: "reduce", ...options });
  await page.waitForSelector("#seat-near .turn");
  return page;
}

/** @param {any} page */
const said = (page) => page.textContent("#said");

/** How far the page has moved by itself. @param {any} page */
const shift = (page) =>
  page.evaluate(() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!(/** @type {any} */ (entry).hadRecentInput)) sum += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 150);
  }));

test("the ladder shows the steps, and what is done of them", async () => {
  const page = await server.visit("/endings", { reducedMotion: "reduce" });
  await page.waitForSelector(".ladder li");
  assert.equal(await page.locator("#ladder > li").count(), 20);
  assert.ok((await page.locator(".places button").count()) >= 100);
  assert.deepEqual(await findings(page), []);
  assert.ok((await shift(page)) < 0.02);
  assert.equal(await page.textContent("#go-on"), "Begin: Two rooks");
  await page.click('[data-id="queen-1"]');
  await page.waitForSelector("#seat-near .turn");
  assert.equal(await page.textContent("#task"), "White to move and win");
  assert.match(page.url(), /id=queen-1$/);
  assert.deepEqual(await findings(page), [], "an ending");
  await page.click("#back");
  await page.waitForSelector("#sheet-ladder:not([hidden])");
  assert.deepEqual(page.errors, []);
});

test("a mate is given against the longest defence, and comes back after days", async () => {
  const page = await visit("queen-1");
  for (let moves = 4; moves > 0; moves -= 1) {
    await page.waitForSelector("#seat-near .turn");
    const { json } = await server.api("/endings/queen-1/hint", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ moves: await played(page) }) });
    assert.equal(json.best.verdict.text, `mates in ${moves}`);
    await move(page, ...json.best.move.squares);
    await page.waitForFunction((count) => document.querySelectorAll("#turns li").length === count, 5 - moves);
  }
  await page.waitForSelector("#said.solved");
  assert.match(await said(page), /Done.*Checkmate\./);
  await page.waitForSelector("#graded:not([hidden])");
  assert.equal(await page.getAttribute("#grade-good", "aria-pressed"), "true");
  assert.match(await page.textContent("#graded-words"), /It comes back in 2 days\./);
  assert.deepEqual(await findings(page), []);
  await page.click("#grade-easy");
  await page.waitForSelector('#grade-easy[aria-pressed="true"]');
  assert.match(await page.textContent("#graded-words"), /It comes back in 8 days\./);
  // The line can be walked through, and the ladder knows.
  await page.keyboard.press("Home");
  assert.ok(await page.isDisabled("#first"));
  await page.click("#back");
  await page.waitForSelector('.places .done[data-id="queen-1"]');
  assert.deepEqual(page.errors, []);
});

/** The moves of both sides so far, from the board's own words. @param {any} page */
async function played(page) {
  const own = await page.$$eval("#turns li button > span:nth-child(2)", (all) => all.map((one) => one.textContent));
  const moves = [];
  for (const san of own) {
    const body = JSON.stringify({ moves, move: san, help: "moves" });
    const { json } = await server.api("/endings/queen-1/moves", { method: "POST", headers: { "content-type": "application/json" }, body });
    moves.splice(0, moves.length, ...json.moves);
  }
  return moves;
}

test("what is given away is told at once, with what was right, and can be taken back", async () => {
  const page = await visit("opposition-3");
  await move(page, "e8", "f8");
  await page.waitForSelector("#said.wrong");
  assert.match(await said(page), /The draw is gone.*1…Kf8 gave it away\..*Kd8 was right: it draws\./);
  assert.match(await page.textContent("#turns .away"), /Kf8.*loses in \d+/);
  await page.waitForSelector('#grade-again[aria-pressed="true"]');
  assert.deepEqual(await findings(page), []);
  await page.click("#way");
  await page.waitForFunction(() => document.getElementById("at-words")?.textContent === "The shortest way");
  await page.click("#takeback");
  await page.waitForSelector("#seat-near .turn");
  await move(page, "e8", "d8");
  await page.waitForFunction(() => document.querySelectorAll("#turns li").length === 1);
  assert.match(await said(page), /Kd8 draws/);
  assert.deepEqual(page.errors, []);
});

test("one may be told only the result, or nothing before the end", async () => {
  const page = await visit("queen-2");
  await page.check('[name="help"][value="result"]');
  await move(page, "h1", "b1");
  await page.waitForFunction(() => document.querySelectorAll("#turns li").length === 1);
  assert.equal((await said(page)).trim(), "It is still won.");
  assert.doesNotMatch(await page.textContent("#turns"), /mates/);
  assert.ok(await page.isHidden("#help"), "in the middle of an ending it stays as it is");

  await page.goto(`${server.url}/endings?id=opposition-3`);
  await page.waitForSelector("#seat-near .turn");
  assert.ok(await page.isChecked('[name="help"][value="result"]'), "the choice is kept");
  await page.check('[name="help"][value="nothing"]');
  await move(page, "e8", "f8");
  await page.waitForFunction(() => document.querySelectorAll("#turns li").length === 1);
  await page.waitForSelector("#seat-near .turn");
  assert.ok(await page.isHidden("#said"));
  assert.doesNotMatch(await page.textContent("#turns"), /loses|away/);
});

test("where there is no table the engine stands in, and the owner has tables made", async () => {
  const page = await server.visit("/endings?id=rook-knight-1", { reducedMotion: "reduce" });
  await page.waitForSelector("#known p");
  await until(async () => /(Making|Tables know)/.test(await page.textContent("#known")));
  await page.goto(`${server.url}/endings?id=lucena-1`);
  await page.waitForSelector("#seat-near .turn");
  assert.match(await page.textContent("#known"), /No table of five men is here/);
  assert.deepEqual(page.errors, []);
});

test("phones and the dark have all of it, in reach", async () => {
  for (const options of [{ viewport: { width: 390, height: 844 } }, { viewport: { width: 1366, height: 650 } }, { colorScheme: "dark" }]) {
    const page = await visit("opposition-3", options);
    assert.deepEqual(await findings(page), [], JSON.stringify(options));
    await move(page, "e8", "f8");
    await page.waitForSelector("#said.wrong");
    await page.waitForSelector("#graded:not([hidden])");
    assert.deepEqual(await findings(page), [], JSON.stringify(options));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0);
    await page.context().close();
  }
});

for (const locale of ["de", "es"]) {
  test(`endings speak ${locale}`, async () => {
    const page = await server.visit("/endings", { locale, reducedMotion: "reduce", viewport: { width: 320, height: 640 } });
    await page.waitForSelector(".ladder li");
    const names = await page.$$eval("[data-id$='-1']", (all) => all.map((one) => one.getAttribute("data-id")));
    for (const id of [...names, "opposition-3"]) {
      await page.goto(`${server.url}/endings?id=${id}`);
      await page.waitForSelector("#task:not(:empty)");
    }
    await page.waitForSelector("#seat-near .turn");
    await page.click("#hint");
    await page.waitForSelector("#said:not([hidden])");
    await move(page, "e8", "f8");
    await page.waitForSelector("#said.wrong");
    await page.waitForTimeout(300);
    const left = await page.evaluate(() => [...globalThis.untranslated]);
    assert.deepEqual(left.filter((/** @type {string} */ text) => !/^(Tabiya|FEN|PGN|Tab|Esc|\d.*)$/.test(text)), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0);
  });
}
