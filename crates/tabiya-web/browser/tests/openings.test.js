/** Books of openings: made, drilled move by move, held against games. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, move, Server } from "./harness.js";

const server = Server.forAll();
const JSON_TYPE = { "content-type": "application/json" };
const PGN = '[Event "Italian"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bc4 *\n';

/** @param {string} path @param {object} body */
const post = (path, body) => server.api(path, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) });

test("a book is made of a PGN, and drilled until it sits", async () => {
  const page = await server.visit("/openings", { reducedMotion: "reduce" });
  await page.waitForSelector("#add[open]");
  assert.deepEqual(await findings(page), [], "empty");
  await page.selectOption("#source", "pgn");
  await page.fill("#pgn", PGN);
  await page.fill("#title", "Italian");
  await page.click("#add-book");
  await page.waitForSelector(".books li");
  assert.match(await page.textContent(".books"), /Italian.*0 of 4 known/);
  assert.equal(await page.textContent(".toast"), "4 positions to know.");
  assert.deepEqual(await findings(page), [], "with a book");

  await page.click("#go-on");
  await page.waitForSelector("#seat-near .turn");
  assert.equal(await page.textContent("#task"), "What do you play?");
  // A wrong move goes back, and counts; the right one goes on along the line.
  await move(page, "d2", "d4");
  await page.waitForSelector("#said.wrong");
  assert.match(await page.textContent("#said"), /Not d4/);
  await move(page, "e2", "e4");
  await page.waitForFunction(() => document.getElementById("line")?.textContent === "1.e4 e5");
  await page.waitForSelector("#seat-near .turn");
  await page.keyboard.type("Nf3");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("line")?.textContent === "1.e4 e5 2.Nf3 Nc6");
  await page.waitForSelector("#seat-near .turn");
  // Told, it was not known.
  await page.click("#tell");
  await page.waitForFunction(() => document.getElementById("said")?.textContent?.includes("Bc4"));
  await move(page, "f1", "c4");
  await page.waitForSelector("#answers:not([hidden])");
  assert.equal(await page.getAttribute("#grade-good", "aria-pressed"), "true");
  assert.deepEqual(await findings(page), [], "answered");
  await page.click("#next");
  await page.waitForFunction(() => document.getElementById("line")?.textContent === "1.e4 c5");
  await page.waitForSelector("#seat-near .turn");
  await move(page, "g1", "f3");
  await page.waitForSelector("#answers:not([hidden])");
  await page.click("#next");
  await page.waitForSelector("#said.solved");
  assert.equal(await page.textContent("#task"), "All of it sits for today");
  await page.click("#back");
  await page.waitForFunction(() => /2 of 4 known/.test(document.getElementById("books")?.textContent ?? ""));
  assert.deepEqual(page.errors, []);
});

test("after a game it is told where it left the book, and how others fared", async () => {
  const order = { white: "human", black: "tabiya:400", take_backs: true };
  const begun = (await post("/games", order)).json;
  const play = (/** @type {string} */ text) => server.api(`/games/${begun.id}/moves`, { method: "POST", headers: { ...JSON_TYPE, authorization: `Bearer ${begun.tokens.white}` }, body: JSON.stringify({ text }) });
  assert.equal((await play("d4")).status, 200);
  await server.api(`/games/${begun.id}/requests`, { method: "POST", headers: { ...JSON_TYPE, authorization: `Bearer ${begun.tokens.white}` }, body: JSON.stringify({ request: "resign" }) });
  const page = await server.visit(`/openings?game=${begun.id}`, { reducedMotion: "reduce" });
  await page.waitForFunction(() => document.getElementById("look-more")?.textContent);
  assert.equal(await page.textContent("#look-more"), "You left your book with 1.d4: it has 1.e4.");
  assert.deepEqual(await findings(page), []);
  await page.click("#back-look");
  await page.waitForSelector("#sheet-books:not([hidden])");
  assert.deepEqual(page.errors, []);
});

test("a book can be removed, and comes back with what was learned", async () => {
  const page = await server.visit("/openings", { reducedMotion: "reduce", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  await page.waitForSelector(".books li");
  assert.deepEqual(await findings(page), [], "dark phone");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.waitForFunction(() => !document.querySelector(".books li"));
  await page.click(".toast button");
  await page.waitForSelector(".books li");
  assert.match(await page.textContent(".books"), /2 of 4 known/);
  assert.deepEqual(page.errors, []);
});

for (const locale of ["de", "es"]) {
  test(`openings speak ${locale}`, async () => {
    const page = await server.visit("/openings", { locale, reducedMotion: "reduce", viewport: { width: 320, height: 640 } });
    await page.waitForSelector(".books li");
    await page.locator("#add summary").click();
    for (const source of ["pgn", "mine"]) await page.selectOption("#source", source);
    await page.locator(".acts button").nth(1).click();
    await page.waitForFunction(() => document.getElementById("look-more")?.textContent?.length);
    await page.click("#back-look");
    await page.waitForSelector(".books li");
    await page.locator(".acts button").first().click();
    await page.waitForSelector("#answers:not([hidden]), #seat-near .turn");
    await page.waitForTimeout(300);
    const left = await page.evaluate(() => [...globalThis.untranslated]);
    assert.deepEqual(left.filter((/** @type {string} */ text) => !/^(Tabiya|FEN|PGN|Tab|Esc|\d.*)$/.test(text)), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0);
  });
}
