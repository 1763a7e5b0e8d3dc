/** Other languages: every text of the pages is translated, the browser's choice is taken, and one may choose oneself. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { begin, findings, move, played, Server, square } from "./harness.js";

const server = Server.forAll();

/** @param {string} language @returns {Promise<Record<string, string>>} */
const texts = async (language) => JSON.parse(await readFile(new URL(`../../web/texts/${language}.json`, import.meta.url), "utf8"));
const PLACE = /\{(?:[^{}]+ )?(\w+)\}/g;

test("all languages have the same texts, with the same places", async () => {
  const [german, spanish] = [await texts("de"), await texts("es")];
  // Cases of pieces are a language's own.
  const own = (/** @type {string} */ english) => !/^(den|by) (king|queen|rook|bishop|knight|pawn)$/.test(english);
  assert.deepEqual(Object.keys(german).filter(own), Object.keys(spanish).filter(own));
  for (const [english, text] of [...Object.entries(german), ...Object.entries(spanish)]) {
    assert.ok(text.trim(), english);
    const places = [...english.matchAll(PLACE)].map(([, name]) => name);
    for (const [, name] of text.matchAll(PLACE)) assert.ok(places.includes(name), `${english}: ${text}`);
  }
});

/** What may stay as it is in any language. */
const SAME = /^(Tabiya|FEN|PGN|Elo|Tab|Esc|tabiya|Paris|Ada|Bob|[A-E]\d\d .*|[^·]*(Game|Defence|Opening|Attack|Gambit)\b.*|tabiya serve .*|Ada – Bob.*|Paris 1858 · .*|\d.*)$/;

/** What no text was found for on a page, once something was waited for. @param {any} page */
async function left(page) {
  await page.waitForTimeout(200);
  return (await page.evaluate(() => [...globalThis.untranslated])).filter((/** @type {string} */ text) => !SAME.test(text));
}

for (const [locale, words] of /** @type {const} */ ([
  ["de-AT", { play: "Spielen", turn: "Du bist am Zug", pinned: "Der Springer ist vom Läufer auf b5 gefesselt: Nach dem Zug stünde dein König im Schach.", square: "e2, weißer Bauer", lost: "Du hast verloren", how: "Weiß gibt auf" }],
  ["es-MX", { play: "Jugar", turn: "Te toca", pinned: "El caballo está clavado por el alfil de b5: si se mueve, tu rey queda en jaque.", square: "e2, peón blanco", lost: "Has perdido", how: "Las blancas abandonan" }],
])) {
  test(`the pages speak the browser's language, ${locale}`, async () => {
    const page = await server.visit("/", { locale });
    await page.waitForSelector("#levels .level");
    assert.equal(await page.getAttribute("html", "lang"), locale.slice(0, 2));
    assert.equal(await page.textContent("#begin"), words.play);
    assert.equal(await square(page, "e2").getAttribute("aria-label"), words.square);
    assert.deepEqual(await findings(page), []);
    await page.click("#more-settings summary");
    assert.deepEqual(await left(page), [], "start");
    await begin(page, { level: 400 });
    await move(page, "e2", "e4");
    await played(page, 2);
    await page.waitForFunction((turn) => document.querySelector("#seat-near .turn")?.textContent?.endsWith(turn), words.turn);
    await page.locator("[data-menu]:visible").click();
    await page.keyboard.press("Escape");
    await page.click("#act-resign");
    await page.click("#act-sure");
    await page.waitForSelector("#act-rematch");
    assert.deepEqual([await page.textContent("#result h2"), await page.textContent("#result .how")], [words.lost, words.how]);
    assert.deepEqual(await findings(page), []);
    assert.deepEqual(await left(page), [], "a game");

    // A refusal, which the server has written.
    await page.goto(server.url);
    await begin(page, { fen: "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1", friend: true });
    await move(page, "d3", "f4");
    await page.waitForSelector(".tb-bubble");
    assert.equal(await page.textContent(".tb-bubble"), words.pinned);
    for (const [from, to] of [["e2", "d3"], ["e2", "e5"], ["e8", "e7"]]) await move(page, from, to);
    await page.keyboard.press("?");
    await page.waitForSelector("#keys[open]");
    assert.deepEqual(await left(page), [], "keys and refusals");

    await page.goto(`${server.url}/study`);
    await page.click("#shelf-new");
    await page.check("[name=begin][value=pgn]");
    await page.fill("[name=pgn]", '[White "Ada"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 {White is better} d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0');
    await page.click("#begin");
    await page.waitForFunction(() => document.querySelectorAll("#tree button").length === 13);
    // What people have written stays as they wrote it.
    assert.equal(await page.textContent("#tree .comment"), "White is better");
    for (const one of ["attackers", "pins", "heat"]) await page.click(`#show-${one}`);
    for (const at of ["e4", "d5", "e8", "a5"]) await square(page, at).hover();
    for (const tab of ["notes", "chapters", "review"]) await page.click(`#tab-${tab}`);
    await page.waitForSelector("#panel-review .graph svg, #act-review");
    if (await page.locator("#act-review").count()) await page.click("#act-review");
    await page.waitForSelector("#panel-review .graph svg");
    await page.click("#act-mistake-after");
    await page.click("#act-try");
    assert.deepEqual(await left(page), [], "a study with its review");

    await page.goto(`${server.url}/games`);
    await page.waitForSelector("#rows tr");
    await page.click("#filters summary");
    assert.deepEqual(await left(page), [], "games");
    await page.goto(`${server.url}/puzzles`);
    await page.waitForSelector("#seat-near .turn, #seat-far .turn");
    for (const step of ["where", "piece", "move", "why"]) {
      await page.click(`#hint-${step}`);
      await page.waitForSelector(`#hint-${step}[aria-pressed=true]`);
    }
    await page.click("#tab-themes");
    await page.waitForSelector("#themes .chip");
    assert.deepEqual(await left(page), [], "puzzles");
    await page.goto(`${server.url}/learn`);
    await page.waitForSelector("#ends button");
    assert.deepEqual(await left(page), [], "nothing to learn");
    for (const tab of ["progress", "games"]) await page.click(`#tab-${tab}`);
    assert.deepEqual(await left(page), [], "learning");
    await page.goto(`${server.url}/explorer?play=e2e4`);
    await page.waitForFunction(() => document.getElementById("explorer-words")?.textContent);
    await page.click("#panel-explorer summary");
    assert.deepEqual(await left(page), [], "explorer");
    await page.goto(`${server.url}/bishops`);
    await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
    assert.deepEqual(await left(page), [], "bishops");
    for (const path of ["/nothing", "/api/games/987654/record", "/api/import"]) {
      await page.goto(server.url + path);
      await page.waitForSelector("h1");
      assert.deepEqual(await left(page), [], path);
    }
    assert.deepEqual(page.errors, []);
  });
}

test("a language is chosen in the settings, and kept", async () => {
  const page = await server.visit("/", { locale: "fr" });
  await page.waitForSelector("#levels .level");
  assert.equal(await page.textContent("#begin"), "Play", "English for whoever speaks none of ours");
  await page.click("#open-settings");
  await page.selectOption("[name=language]", "de");
  await page.waitForFunction(() => document.getElementById("begin")?.textContent === "Spielen");
  await page.goto(`${server.url}/games`);
  assert.equal(await page.textContent("h1"), "Partien");
  await page.click("#open-settings");
  assert.deepEqual(await findings(page), []);
  assert.equal(await page.inputValue("[name=language]"), "de");
  await page.selectOption("[name=language]", "en");
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Games");
  assert.deepEqual(page.errors, []);
});

test("other languages fit on narrow phones", async () => {
  for (const locale of ["de", "es"])
    for (const path of ["/", "/study", "/puzzles", "/learn", "/explorer", "/games", "/bishops"]) {
      const page = await server.visit(path, { locale, viewport: { width: 320, height: 640 } });
      await page.waitForTimeout(300);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${path} in ${locale} is ${wide} pixels too wide`);
      await page.context().close();
    }
});

test("without its texts a page is English, and is seen", async () => {
  const page = await server.visit("/nothing", { locale: "de" });
  await page.route("**/texts/*", (route) => route.abort());
  await page.goto(server.url);
  await page.waitForSelector("#begin");
  assert.equal(await page.textContent("#begin"), "Play");
  assert.equal(await page.getAttribute("html", "lang"), "en");
});
