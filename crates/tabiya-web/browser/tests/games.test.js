/** The library: sorted, searched, opened, selected, deleted and brought back, imported; by mouse, keys and thumb. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { findings, played, Server, until } from "./harness.js";

const server = Server.forAll();

/** @param {Record<string, string>} tags @param {string} [moves] */
const pgn = (tags, moves = "1. e4 e5 2. Nf3") => `${Object.entries({ Result: "1-0", ...tags }).map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${moves} ${tags.Result ?? "1-0"}\n\n`;
const MASTERS = [
  pgn({ Event: "Linares", Date: "1994.02.25", White: "Polgár, Judit", Black: "Kasparov, Garry", Result: "0-1", WhiteElo: "2630", BlackElo: "2805" }, "1. e4 c5"),
  pgn({ Event: "World title", Date: "1929.??.??", White: "Алехин", Black: "Боголюбов" }, "1. d4 d5 2. c4 c6"),
  pgn({ Event: "Köln Open", Date: "2001.07.01", White: "José Weiß", Black: "Søren Łuk", Result: "1/2-1/2" }, "1. c4"),
  pgn({ Event: "Sochi", Date: "2014.11.09", White: "Carlsen, Magnus", Black: "Anand, Viswanathan", WhiteElo: "2863", BlackElo: "2792" }, "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
  pgn({ Event: "Sochi", Date: "2014.11.11", White: "Anand, Viswanathan", Black: "Carlsen, Magnus", WhiteElo: "2792", BlackElo: "2863" }, "1. d4 Nf6"),
].join("");
const MANY = Array.from({ length: 60 }, (_, n) => pgn({ Event: "Club", Date: "1980.01.01", White: `Player ${n}`, Black: "Somebody" })).join("");

/** Gives the server some games. @param {string} text */
const give = async (text) => (await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: text })).json;
const count = async (query = "") => (await server.api(`/games/count?${query}`)).json.games;
/** Who plays White, from the top. @param {any} page @returns {Promise<string[]>} */
const names = (page) => page.locator("#rows tr:not(.gone) td.white .name").evaluateAll((all) => all.map((one) => one.firstChild.textContent));
/** @param {any} page @param {string[]} expected */
async function shows(page, expected) {
  await page.waitForFunction((wanted) => [...document.querySelectorAll("#rows tr:not(.gone) td.white .name")].map((one) => one.firstChild?.textContent).join("|") === wanted, expected.join("|")).catch(async () => assert.deepEqual(await names(page), expected));
}
/** @param {any} page @param {string} words */
const find = (page, words) => page.fill("[name=search]", words);

test("an empty library invites; files are dropped in, counted, and never kept twice", async () => {
  const page = await server.visit("/games");
  await page.waitForSelector("#empty:not([hidden])");
  assert.deepEqual(await findings(page), []);
  const drop = async (/** @type {string} */ text) => {
    const data = await page.evaluateHandle((inside) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([inside], "masters.pgn"));
      return transfer;
    }, text);
    await page.dispatchEvent("h1", "dragenter", { dataTransfer: data });
    assert.equal(await page.isVisible("#drop"), true);
    await page.dispatchEvent("h1", "drop", { dataTransfer: data });
    assert.equal(await page.isVisible("#drop"), false);
    await page.waitForSelector("#import-done:not([hidden])");
    return page.textContent("#imported");
  };
  assert.equal(await drop(MASTERS), "5 new");
  await page.waitForFunction(() => document.getElementById("count")?.textContent === "5 games");
  assert.equal(await drop(MASTERS + MANY), "60 new, 5 were here already");
  assert.equal(await drop(MASTERS), "5 were here already");
  await page.waitForFunction(() => document.getElementById("count")?.textContent === "65 games");
  assert.equal(await count("source=imported"), 65);
  assert.deepEqual(page.errors, []);
});

test("columns are sorted, page by page", async () => {
  const page = await server.visit("/games");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  assert.deepEqual((await names(page)).slice(0, 3), ["Anand, Viswanathan", "Carlsen, Magnus", "José Weiß"], "the latest first");
  await page.click("#more");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 65);
  assert.deepEqual((await names(page)).slice(-1), ["Алехин"]);
  await find(page, "sochi");
  await shows(page, ["Anand, Viswanathan", "Carlsen, Magnus"]);
  await find(page, "");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  const first = async (/** @type {string} */ sort, /** @type {string} */ name, /** @type {string} */ direction) => {
    await page.click(`#list [data-sort=${sort}]`);
    await page.waitForSelector(`#list th[aria-sort=${direction}] [data-sort=${sort}].on`);
    assert.equal((await names(page))[0], name, `${sort}, ${direction}`);
  };
  await first("white", "Anand, Viswanathan", "ascending");
  await first("white", "Алехин", "descending");
  await first("white-elo", "Carlsen, Magnus", "descending");
  await first("black-elo", "Anand, Viswanathan", "descending");
  await first("plies", "Carlsen, Magnus", "descending");
  await first("plies", "José Weiß", "ascending");
  await first("event", "Player 0", "ascending");
  await first("opening", "José Weiß", "ascending");
  await first("result", "Polgár, Judit", "ascending");
  await first("date", "Anand, Viswanathan", "descending");
  // The address tells the list, so that one comes back to it.
  await first("white", "Anand, Viswanathan", "ascending");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#rows td.white .name")?.firstChild?.textContent === "Anand, Viswanathan");
  assert.match(page.url(), /sort=white&order=ascending/);
  assert.deepEqual(page.errors, []);
});

test("words find games, whatever their accents; nothing found is said", async () => {
  const page = await server.visit("/games");
  for (const [words, expected] of /** @type {[string, string[]][]} */ ([
    ["polgar", ["Polgár, Judit"]], ["алехин", ["Алехин"]], ["jose", ["José Weiß"]], ["weiss luk soren", ["José Weiß"]], ["KOLN 2001", ["José Weiß"]],
    ["carlsen anand", ["Anand, Viswanathan", "Carlsen, Magnus"]], ["anand ruy", ["Carlsen, Magnus"]], ["sicilian", ["Polgár, Judit"]],
  ])) {
    await find(page, words);
    await shows(page, expected);
  }
  await page.waitForSelector("#preview .mini svg");
  await find(page, "nobody of that name");
  await page.waitForSelector("#none:not([hidden])");
  assert.equal(await page.isVisible("#empty"), false);
  assert.deepEqual(await findings(page), []);
  await page.click("#clear");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  await page.check("[name=source][value=mine]");
  await page.waitForSelector("#none:not([hidden])");
  await page.check("[name=source][value=imported]");
  await page.click("#filters summary");
  await page.selectOption("[name=result]", "1/2-1/2");
  await shows(page, ["José Weiß"]);
  assert.equal(await page.textContent("#filters-set"), "1");
  await page.selectOption("[name=result]", "");
  await page.fill("[name=since]", "1929-05-01");
  await page.fill("[name=until]", "1929-12-31");
  await shows(page, ["Алехин"]);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.errors, []);
});

test("a row is opened by a click or by Enter, and shown beside the list before", async () => {
  const page = await server.visit("/games?search=somebody");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  await page.hover("#rows tr:nth-child(3)");
  const third = (await names(page))[2];
  await page.waitForFunction((name) => document.querySelector("#preview .versus span")?.textContent === name, third);
  await page.click("#rows tr:nth-child(3) td.opening");
  await played(page, 3);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector("#rows tr:nth-child(2)")?.classList.contains("in-hand"));
  assert.equal(await page.locator("#rows [tabindex='0']").count(), 2, "the keyboard has one row to stop at");
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Enter");
  await played(page, 3);
  assert.deepEqual(page.errors, []);
});

test("two clicks on Delete delete one game, which comes back", async () => {
  const page = await server.visit("/games?search=player");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  const before = await count();
  await page.hover("#rows tr:nth-child(3)");
  await page.waitForFunction(() => document.querySelector("#preview .versus span")?.textContent === document.querySelector("#rows tr:nth-child(3) .name")?.firstChild?.textContent);
  await page.waitForSelector("#preview [data-act=delete]");
  const at = await page.locator("#preview [data-act=delete]").boundingBox();
  for (let click = 0; click < 4; click++) await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2, { delay: 20 });
  await page.waitForSelector("#rows tr.gone button");
  assert.equal(await page.locator("#rows tr.gone").count(), 1);
  assert.equal(await count(), before - 1);
  await page.waitForFunction(() => document.getElementById("count-bin")?.textContent === "1");
  await page.click("#rows tr.gone button");
  await page.waitForFunction(() => !document.querySelector("#rows .gone"));
  assert.equal(await count(), before);
  // By key, and by the word in passing.
  await page.locator("#rows tr:first-child a").focus();
  await page.keyboard.press("Delete");
  await page.waitForSelector("#rows tr:first-child.gone button");
  await page.click(".toast button");
  await page.waitForFunction(() => !document.querySelector("#rows .gone"));
  assert.equal(await count(), before);
  assert.deepEqual(page.errors, []);
});

test("several games are selected, saved as one file, deleted, restored from the bin, deleted for ever", async () => {
  const page = await server.visit("/games?search=player&sort=white&order=ascending");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  const picks = page.locator("#rows .pick input");
  await picks.nth(1).click();
  await picks.nth(4).click({ modifiers: ["Shift"] });
  assert.equal(await page.textContent("#selected"), "4 selected");
  assert.deepEqual(await findings(page), []);
  const chosen = (await names(page)).slice(1, 5);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#selection [data-act=export]")]);
  const file = await readFile(await download.path(), "utf8");
  assert.deepEqual([...file.matchAll(/\[White "(.*)"\]/g)].map(([, name]) => name), chosen);
  await page.check("#select-all");
  assert.equal(await page.textContent("#selected"), "50 selected");
  await page.click("#selection [data-act=none]");
  assert.equal(await page.isVisible("#selection"), false);
  const before = await count();
  await picks.nth(1).click();
  await picks.nth(4).click({ modifiers: ["Shift"] });
  await page.dblclick("#selection [data-act=delete]");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr.gone button").length === 4);
  assert.equal(await count(), before - 4);
  await page.waitForSelector("#selection", { state: "hidden" });

  await page.click("#show-bin");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 4);
  assert.equal(await page.textContent("h1"), "Bin");
  assert.match(await page.textContent("#bin-note"), /30 days/);
  assert.match(await page.textContent("#rows td.event"), /30 days left/);
  assert.deepEqual(await findings(page), []);
  // A row of the bin is selected, not opened.
  await page.click("#rows tr:first-child td.opening");
  assert.equal(await page.textContent("#selected"), "1 selected");
  await page.click("#selection [data-act=restore]");
  await page.waitForSelector("#rows tr.gone");
  await until(async () => (await count()) === before - 3);
  await page.waitForSelector("#selection", { state: "hidden" });
  await page.check("#select-all");
  assert.equal(await page.textContent("#selected"), "3 selected");
  await page.click("#selection [data-act=forget]");
  await page.click("#confirm [value=no]");
  assert.equal(await count("bin=true"), 3);
  await page.click("#selection [data-act=forget]");
  await page.click("#confirm [value=yes]");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr.gone").length === 4);
  await until(async () => (await count("bin=true")) === 0);
  await page.reload();
  await page.waitForSelector("#bin-empty:not([hidden])");
  await page.click("#leave-bin");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  assert.deepEqual(page.errors, []);
});

test("names keep their accents, whatever a file is written in", async () => {
  const page = await server.visit("/games");
  const send = async (/** @type {Buffer} */ buffer) => {
    await page.setInputFiles("#import", { name: "a.pgn", mimeType: "text/plain", buffer });
    await page.waitForSelector("#import-done:not([hidden])");
    await page.click("#import-done");
  };
  await send(Buffer.from(pgn({ White: "Pérez Núñez", Black: "Bo" }), "latin1"));
  await send(Buffer.from(`\ufeff${pgn({ White: "Ботвинник", Black: "Bo" })}`, "utf16le"));
  // The other way round, and without the mark that says so.
  const other = (/** @type {Buffer} */ bytes) => Buffer.from(bytes).swap16();
  const plain = (/** @type {string} */ name) => Buffer.from(pgn({ White: name, Black: "Bo" }), "utf16le");
  await send(other(Buffer.from(`\ufeff${pgn({ White: "Łukasz", Black: "Bo" })}`, "utf16le")));
  await send(plain("Çelik"));
  await send(other(plain("Šahović")));
  // Most of such a text may be of another alphabet.
  await send(Buffer.from(pgn({ White: "Смыслов", Black: "Bo" }, `1. e4 {${"Василий ".repeat(60)}} e5`), "utf16le"));
  for (const [words, name] of [["perez nunez", "Pérez Núñez"], ["ботвинник", "Ботвинник"], ["lukasz", "Łukasz"], ["celik", "Çelik"], ["sahovic", "Šahović"], ["смыслов", "Смыслов"]]) {
    await find(page, words);
    await shows(page, [name]);
  }
  assert.deepEqual(page.errors, []);
});

test("all problems of a file are listed, with game, line and a sentence", async () => {
  const page = await server.visit("/games");
  // More than one piece that is sent, so that lines are those of the file.
  const long = Array.from({ length: 40 }, (_, n) => pgn({ Event: "Long", White: `Long ${n}`, Black: "Bo" }, `1. e4 {${"x".repeat(15_000)}} e5`)).join("");
  const bad = "[Event \"Bad\"]\n[White \"A\"]\n\n1. e5 *\n\n".repeat(25);
  await page.setInputFiles("#import", { name: "b.pgn", mimeType: "text/plain", buffer: Buffer.from(long + bad) });
  await page.waitForSelector("#problems:not([hidden])");
  assert.equal(await page.textContent("#imported"), "40 new");
  assert.equal(await page.textContent("#problems"), "25 problems");
  await page.click("#problems");
  assert.equal(await page.locator("#problem-rows li").count(), 20);
  const lines = long.split("\n").length - 1;
  assert.equal(await page.locator("#problem-rows li").first().innerText(), `Game 41, line ${lines + 4}\nNo pawn of yours can go to e5.`);
  assert.deepEqual(await findings(page), []);
  await page.click("#all-problems");
  assert.equal(await page.locator("#problem-rows li").count(), 25);
  assert.match(await page.locator("#problem-rows li").last().innerText(), /^Game 65, /);
  assert.deepEqual(page.errors, []);
});

test("on a phone filters fold away, a tap opens, several can be selected", async () => {
  await give(MASTERS);
  for (const width of [390, 320]) {
    const page = await server.visit("/games", { viewport: { width, height: 700 }, hasTouch: true, isMobile: true });
    await page.waitForSelector("#rows tr");
    assert.equal(await page.isVisible("[name=result]"), false);
    await page.tap("#filters summary");
    await page.selectOption("#sort", "white-elo");
    await page.waitForFunction(() => document.querySelector("#rows td.white .name")?.firstChild?.textContent === "Carlsen, Magnus");
    await page.tap("#select-some");
    await page.tap("#filters summary");
    await page.tap("#rows tr:nth-child(2)");
    await page.tap("#rows tr:nth-child(3)");
    assert.equal(await page.textContent("#selected"), "2 selected");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, "no sideways scroll");
    assert.deepEqual(await findings(page), []);
    await page.tap("#selection [data-act=none]");
    await page.tap("#rows tr:nth-child(1)");
    await played(page, 5);
    assert.deepEqual(page.errors, []);
  }
});
