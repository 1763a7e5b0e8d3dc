/** States of the pages that other tests pass by, before axe, in light and in dark. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, Server, until } from "./harness.js";

const server = Server.forAll();
const GAMES = ["Ada", "Bo", "Cleo"].map((name) => `[Event "Club"]\n[White "${name}"]\n[Black "Dan"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n`).join("");

for (const colorScheme of ["light", "dark"]) {
  test(`error pages have no serious barriers, ${colorScheme}`, async () => {
    for (const [path, title] of [["/nothing", "There is no such page"], ["/api/games/987654/record", "It is not here"], ["/api/import", "That cannot be done"]]) {
      const page = await server.visit(path, { colorScheme });
      assert.equal(await page.textContent("h1"), title);
      assert.ok((await page.locator(".rail a").count()) > 3, "the pages are a click away");
      assert.deepEqual(await findings(page), [], path);
      // From there one goes on: the way back, and the settings.
      await page.click("#open-settings");
      await page.waitForSelector("#settings[open]");
      await page.keyboard.press("Escape");
      await page.click(".alone .button");
      await page.waitForSelector("#begin");
      await page.context().close();
    }
  });

  test(`no state of the library has serious barriers, ${colorScheme}`, async () => {
    const page = await server.visit("/games", { colorScheme });
    const none = async (/** @type {string} */ state) => assert.deepEqual(await findings(page), [], state);
    if (colorScheme === "light") {
      await page.waitForSelector("#empty:not([hidden])");
      await none("empty");
    }
    await page.setInputFiles("#import", { name: "a.pgn", mimeType: "text/plain", buffer: Buffer.from(`${GAMES}[Event "Bad"]\n[White "A"]\n\n1. e5 *\n`) });
    await page.waitForSelector("#problems:not([hidden])");
    await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 3);
    await none("imported");
    await page.click("#problems");
    await none("problems");
    await page.keyboard.press("Escape");
    await page.locator("#rows tr").first().hover();
    await page.waitForSelector("#preview:not([hidden])");
    await page.click("#filters summary");
    await none("filters and the game in hand");
    await page.locator("#rows .pick input").first().click();
    await none("selected");
    await page.click("#selection [data-act=delete]");
    await page.waitForSelector("#rows tr.gone");
    await none("deleted");
    await page.waitForSelector("#selection", { state: "hidden" });
    await page.click("#show-bin");
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Bin" && document.querySelectorAll("#rows tr").length === 1);
    await none("the bin");
    await page.locator("#rows .pick input").first().click();
    await page.click("#selection [data-act=forget]");
    await page.waitForSelector("#confirm[open]");
    await none("asked");
    await page.click("#confirm [value=no]");
    await page.click("#selection [data-act=restore]");
    await page.waitForSelector("#rows tr.gone");
    await until(async () => (await server.api("/games/count")).json.games === 3);
    await page.reload();
    await page.waitForSelector("#bin-empty:not([hidden])");
    await none("the empty bin");
    await page.click("#leave-bin");
    await page.fill("[name=search]", "nobody");
    await page.waitForSelector("#rows tr", { state: "detached" });
    await none("nothing found");
  });

  test(`chapters have no serious barriers, ${colorScheme}`, async () => {
    const page = await server.visit("/study", { colorScheme });
    await page.click("#shelf-new");
    await page.check("[name=begin][value=pgn]");
    await page.fill("[name=pgn]", GAMES);
    await page.click("#begin");
    await page.waitForSelector("#tree button");
    await page.click("#tab-chapters");
    await page.waitForFunction(() => document.querySelectorAll("#chapters li").length === 3);
    assert.deepEqual(await findings(page), [], "the list");
    await page.click("#chapters li:nth-child(2) [title='Rename']");
    await page.waitForSelector("#rename[open]");
    assert.deepEqual(await findings(page), [], "a name");
    await page.keyboard.press("Escape");
    await page.click("#chapters li:nth-child(2) [title='Delete']");
    await page.waitForSelector(".toast");
    assert.deepEqual(await findings(page), [], "deleted");
  });
}
