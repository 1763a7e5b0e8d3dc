import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { findings, Server } from "./harness.js";

const server = Server.forAll();

const TWO = `[Event "Match"]
[White "Ada"]
[Black "Bob"]

1. e4 e5 2. Nf3 *

[Event "Match"]
[White "Cleo"]
[Black "Dan"]
[Orientation "black"]

1. d4 d5 *
`;

/** A study of a text. @param {string} pgn @param {object} [options] */
async function study(pgn, options) {
  const page = await server.visit("/study", options);
  await page.click("#shelf-new");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", pgn);
  await page.click("#begin");
  await page.waitForSelector("#tree button");
  await page.click("#tab-chapters");
  return page;
}

/** The chapters, as the list has them. @param {any} page @param {string[]} names */
async function lists(page, names) {
  await page.waitForFunction((wanted) => JSON.stringify([...document.querySelectorAll("#chapters .name")].map((one) => one.textContent)) === wanted, JSON.stringify(names));
}

/** The moves of the chapter that is open. @param {any} page @param {string} first */
const shows = (page, first) => page.waitForFunction((wanted) => document.querySelector("#tree button")?.textContent === wanted, first);

test("a text of many games becomes as many chapters, and each has its own board", async () => {
  const page = await study(TWO);
  await lists(page, ["Ada – Bob", "Cleo – Dan"]);
  assert.equal(await page.textContent("#title"), "Match");
  assert.match(await page.textContent("#place"), /^Chapter 1 of 2 · Ada – Bob/);
  assert.equal(await page.textContent("#tab-chapters sup"), "2");
  assert.deepEqual(await findings(page), []);
  await page.click("#chapters li:nth-child(2) .chapter");
  await shows(page, "d4");
  assert.match(page.url(), /\?study=\d+&chapter=\d+$/);
  assert.match(await page.textContent("#place"), /^Chapter 2 of 2 · Cleo – Dan/);
  assert.match(await page.textContent("#seat-near"), /Dan/, "seen from Black's side");
  // What is played there stays there, and the address leads back to it.
  await page.click("#latest");
  await page.keyboard.type("c4");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 3);
  await page.reload();
  await shows(page, "d4");
  assert.equal(await page.locator("#tree button").count(), 3);
  await page.goBack();
  await shows(page, "e4");

  // One chapter, or all of them, as a file.
  for (const [id, games] of /** @type {const} */ ([["act-pgn", 1], ["act-pgn-all", 2]])) {
    await page.click(".head [data-menu]");
    const download = page.waitForEvent("download");
    await page.click(`#${id}`);
    const text = await readFile(await (await download).path(), "utf8");
    assert.equal(text.split("[White ").length - 1, games, id);
  }
  // The shelf tells how many there are.
  await page.goto(`${new URL(page.url()).origin}/study`);
  await page.waitForSelector(".bookcard");
  assert.match(await page.locator(".bookcard", { hasText: "Match" }).first().textContent(), /2 chapters/);
  assert.deepEqual(page.errors, []);
});

test("chapters are added, named, moved, deleted and brought back, and another tab sees it", async () => {
  const page = await study(TWO);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.click("#tab-chapters");
  await lists(other, ["Ada – Bob", "Cleo – Dan"]);

  await page.click("#act-chapter-add");
  await page.click("#begin");
  await lists(page, ["Ada – Bob", "Cleo – Dan", "Chapter 3"]);
  await lists(other, ["Ada – Bob", "Cleo – Dan", "Chapter 3"]);
  await page.waitForSelector("#chapters li:nth-child(3) .chapter[aria-current=true]");

  await page.click("#chapters li:nth-child(3) [title='Rename']");
  await page.fill("#rename [name=title]", "Ends");
  await page.locator("#rename label", { hasText: "Black" }).click();
  await page.click("#rename .main");
  await lists(page, ["Ada – Bob", "Cleo – Dan", "Ends"]);
  await page.waitForSelector("#seat-near[aria-label=Black]");
  await page.click("#chapters li:nth-child(3) [title='Move up']");
  await lists(page, ["Ada – Bob", "Ends", "Cleo – Dan"]);
  await lists(other, ["Ada – Bob", "Ends", "Cleo – Dan"]);

  // A double click deletes one, not the one that slides under it; undo brings it back.
  await page.click("#chapters li:nth-child(1) .chapter");
  await shows(page, "e4");
  await page.dblclick("#chapters li:nth-child(1) [title='Delete']");
  await lists(page, ["Ends", "Cleo – Dan"]);
  // Who had it open sees the first that is left.
  await lists(other, ["Ends", "Cleo – Dan"]);
  await other.waitForFunction(() => document.querySelectorAll("#tree button").length === 0);
  await page.click(".toast button");
  await lists(page, ["Ada – Bob", "Ends", "Cleo – Dan"]);
  await shows(page, "e4");
  await lists(other, ["Ada – Bob", "Ends", "Cleo – Dan"]);

  // A bad text adds nothing, and says why.
  await page.click("#act-chapter-add");
  await page.check("[name=begin][value=pgn]");
  await page.fill("[name=pgn]", '1. e4 *\n\n[Event "x"]\n\n1. e5 *');
  await page.click("#begin");
  await page.waitForFunction(() => /^Game 2: /.test(document.querySelector("#new-study-refusal")?.textContent ?? ""));
  assert.deepEqual(page.errors, []);
});

for (const [name, viewport] of Object.entries({ phone: { width: 320, height: 640 }, laptop: { width: 1366, height: 650 } })) {
  test(`chapters fit, ${name}`, async () => {
    const page = await study(TWO, { viewport, colorScheme: name === "phone" ? "dark" : "light" });
    await lists(page, ["Ada – Bob", "Cleo – Dan"]);
    assert.deepEqual(await findings(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  });
}
