import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, findings, Server, move, played, square } from "./harness.js";

const server = Server.forAll();

for (const colorScheme of ["light", "dark"]) {
  test(`pages have no serious barriers, ${colorScheme}`, async () => {
    for (const path of ["/", "/bishops", "/games"]) {
      const page = await server.visit(path, { colorScheme });
      if (path !== "/games") {
        await page.waitForSelector("#new-game[open]");
        assert.deepEqual(await findings(page), [], `${path}, dialogue`);
        await page.click("#begin");
        await page.waitForSelector("#act-flip");
      }
      assert.deepEqual(await findings(page), [], path);
      await page.click("#open-settings");
      assert.deepEqual(await findings(page), [], `${path}, settings`);
      assert.deepEqual(page.errors, [], path);
    }
  });
}

test("a game of bishops on a board of 26×26", async () => {
  const page = await server.visit("/bishops");
  await page.fill("[name=size]", "26");
  await page.fill("[name=white_bishops]", "12");
  await page.fill("[name=black_bishops]", "12");
  await page.fill("#level", "1");
  await page.click("#begin");
  await page.waitForSelector("#act-solve");
  assert.equal(await page.locator(".tb-cell").count(), 676);
  const { destinations, pieces } = await server.view(page);
  assert.equal(pieces.length, 26);
  await move(page, destinations[0].from, destinations[0].to[0].at);
  await played(page, 2);
  await page.click("#act-solve");
  await page.waitForFunction(() => /mate/.test(document.getElementById("status")?.textContent ?? ""));
  const file = (await server.api(`/games/${new URL(page.url()).searchParams.get("game")}/record`)).text;
  assert.match(file, /^26\n/);
  assert.deepEqual(page.errors, []);
});

test("a board of bishops comes from a file", async () => {
  const page = await server.visit("/bishops");
  await page.click("#new-game summary");
  await page.setInputFiles("#position-file", { name: "board.txt", mimeType: "text/plain", buffer: Buffer.from("5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3\n") });
  await page.waitForFunction(() => document.querySelector("[name=position]").value.startsWith("5"));
  await page.click("#begin");
  await page.waitForSelector("#act-solve");
  assert.equal(await square(page, "c5").getAttribute("aria-label"), "c5, white king");
  assert.deepEqual(page.errors, []);
});

test("games come in as PGN, are found, opened, deleted and brought back", async () => {
  const page = await server.visit("/games");
  const games = Array.from({ length: 60 }, (_, n) => `[Event "Test"]\n[White "Player ${n}"]\n[Black "Somebody"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n`).join("\n");
  await page.setInputFiles("#import", { name: "games.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from(games) });
  await page.waitForFunction(() => document.getElementById("imported")?.textContent === "60 games imported");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 50);
  await page.click("#more");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length >= 60);
  await page.fill("[name=player]", "player 42");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 1);
  await page.click("#rows button");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 0);
  await page.click(".toast button");
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 1);
  await page.click("#rows a >> text=Open");
  await played(page, 3);
  await page.click("#first");
  await page.waitForFunction(() => document.querySelector("[data-at=e2]")?.getAttribute("aria-label") === "e2, white pawn");
  const id = new URL(page.url()).searchParams.get("game");
  assert.match((await server.api(`/games/${id}/record`)).text, /1\. e4 e5 2\. Nf3 1-0/);
  assert.deepEqual(page.errors, []);
});

test("taken pieces stand in their slots, arrows are drawn, words are read", async () => {
  const page = await server.visit();
  await page.evaluate(() => localStorage.setItem("tabiya.settings", JSON.stringify({ pieces: "pixel", theme: "pixel", text: true })));
  await page.reload();
  await begin(page, { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", friend: true });
  assert.equal(await page.locator("#seat-near .slot").count(), 15);
  assert.equal(await page.locator("#seat-near .slot svg").count(), 0);
  await square(page, "e4").focus();
  await page.keyboard.press("m");
  const heard = () => page.locator(".tb-live").textContent();
  assert.match(await heard(), /white pawn e4: .*takes d5/);
  await move(page, "e4", "d5");
  await played(page, 1);
  assert.equal(await page.locator("#seat-near .slot[data-role=pawn] svg").count(), 1);
  assert.match(await heard(), /White: e takes d5/);
  assert.equal(await page.locator(".tb-table td").allTextContents().then((cells) => cells.includes("P")), true);
  await square(page, "a1").click({ button: "right" });
  assert.equal(await page.locator(".drawn.circle").count(), 1);
  await page.click("#act-flip");
  assert.equal(await page.locator(".tb-cell").first().getAttribute("data-at"), "h1");
  assert.deepEqual(page.errors, []);
});
