import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, findings, Server, move, played, square, stand } from "./harness.js";

const server = Server.forAll();

for (const colorScheme of ["light", "dark"]) {
  test(`pages have no serious barriers, ${colorScheme}`, async () => {
    for (const path of ["/", "/bishops", "/games"]) {
      const page = await server.visit(path, { colorScheme });
      if (path !== "/games") {
        await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
        assert.deepEqual(await findings(page), [], `${path}, start`);
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
  await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
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
  await page.waitForFunction(() => /mate/.test(document.getElementById("banners")?.textContent ?? ""));
  const file = (await server.api(`/games/${new URL(page.url()).searchParams.get("game")}/record`)).text;
  assert.match(file, /^26\n/);
  assert.deepEqual(page.errors, []);
});

test("a puzzle of bishops states its task while it is played", async () => {
  const page = await server.visit("/bishops");
  await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await page.locator("label", { hasText: "Mate in 1" }).click();
  await page.click("#begin");
  await page.waitForSelector("#act-solve");
  assert.equal(await page.textContent("#opening"), "White mates in 1");
  await page.reload();
  await page.waitForFunction(() => document.getElementById("opening")?.textContent === "White mates in 1");
  assert.match(await page.textContent("#opening-code"), /^Bishops, \d+×\d+/);
  assert.deepEqual(page.errors, []);
});

test("a board of bishops comes from a file", async () => {
  const page = await server.visit("/bishops");
  await page.click("#more-settings summary");
  await page.setInputFiles("#position-file", { name: "board.txt", mimeType: "text/plain", buffer: Buffer.from("5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3\n") });
  await page.waitForFunction(() => document.querySelector("[name=position]").value.startsWith("5"));
  await page.click("#begin");
  await page.waitForSelector("#act-solve");
  assert.equal(await square(page, "c5").getAttribute("aria-label"), "c5, white king");
  assert.deepEqual(page.errors, []);
});

test("taken pieces stand in their slots, arrows are drawn, words are read", async () => {
  const page = await server.visit();
  await page.evaluate(() => localStorage.setItem("tabiya.settings", JSON.stringify({ pieces: "pixel", theme: "pixel", text: true })));
  await page.reload();
  await begin(page, { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", friend: true });
  assert.equal(await page.locator("#seat-near .slot").count(), 15);
  assert.equal(await page.locator("#seat-near .slot svg").count(), 0);
  await stand(page, "e4");
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

test("pieces on giant squares are drawn for their size", async () => {
  /** Of the piece on the board: its stroke in pixels, and whether its fine lines are seen. @param {any} page */
  const drawn = (page) => page.evaluate(() => {
    const art = /** @type {SVGElement} */ (document.querySelector("#board .piece .art"));
    const { width } = art.getBoundingClientRect();
    const fine = getComputedStyle(/** @type {Element} */ (art.querySelector(".fine"))).display !== "none";
    return { width, stroke: (parseFloat(getComputedStyle(art).strokeWidth) * width) / 45, fine };
  });
  const page = await server.visit("/bishops");
  await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await page.click("#more-settings summary");
  await page.fill("[name=position]", "3\nKa1, Bb2\nKc3\n");
  await page.click("#begin");
  await page.waitForSelector("#act-solve");
  const giant = await drawn(page);
  assert.ok(giant.width > 200 && giant.stroke < 5 && giant.stroke > 2 && giant.fine, JSON.stringify(giant));
  await page.goto(server.url);
  await page.waitForSelector("#board .piece");
  const usual = await drawn(page);
  assert.ok(usual.width < 110 && Math.abs(usual.stroke / usual.width - 1.5 / 45) < 0.001 && !usual.fine, JSON.stringify(usual));
});

test("the pixel board uses the room there is", async () => {
  const page = await server.visit("/", { viewport: { width: 1440, height: 900 } });
  await page.evaluate(() => localStorage.setItem("tabiya.settings", JSON.stringify({ pieces: "pixel", theme: "pixel" })));
  await page.reload();
  await page.waitForSelector(".tb-cell");
  const { cell, room } = await page.evaluate(() => {
    const board = /** @type {HTMLElement} */ (document.getElementById("board"));
    return { cell: parseFloat(board.style.getPropertyValue("--cell")), room: board.clientWidth };
  });
  assert.ok(cell * 9 > 0.9 * room, `${cell} of ${room}`);
  assert.equal(cell % 8, 0, "its pixels fall on those of the screen");
});

test("a game can be a window of 640 by 640: pieces in a frame, what was taken in two rows at the top", async () => {
  const page = await server.visit("/", { viewport: { width: 1280, height: 720 } });
  await page.evaluate(() => localStorage.setItem("tabiya.settings", JSON.stringify({ arrangement: "window" })));
  await page.reload();
  assert.equal(await page.title(), "Chess");
  await begin(page, { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", friend: true });
  const surface = await page.locator(".tb-surface").boundingBox();
  assert.deepEqual([surface.width, surface.height], [640, 640]);
  /** Where something stands in the window, and how large it is, in the pixels of drawings. @param {import("playwright-core").Locator} one */
  const place = async (one) => {
    const { x, y, width, height } = await one.boundingBox();
    return [x - surface.x, y - surface.y, width, height].map((dots) => dots / 2);
  };
  for (const [at, column, row] of [["a8", 0, 0], ["e4", 4, 4], ["h1", 7, 7]])
    assert.deepEqual(await place(square(page, String(at))), [32 + 32 * Number(column), 32 + 32 * Number(row), 32, 32], String(at));
  const slot = (/** @type {string} */ side, /** @type {string} */ role, /** @type {number} */ index) => page.locator(`.strip[data-side=${side}] .slot[data-role=${role}]`).nth(index);
  assert.deepEqual(await place(slot("white", "pawn", 0)), [0, 0, 16, 16]);
  assert.deepEqual(await place(slot("black", "queen", 0)), [14 * 16, 16, 16, 16]);
  await move(page, "e4", "d5");
  await played(page, 1);
  assert.equal(await slot("white", "pawn", 0).locator("svg").count(), 1);
  assert.equal(await page.locator(".strip svg").count(), 1);
  assert.equal(await page.title(), "Chess");
  // Where there is no room for it, the game is on the table as ever.
  await page.setViewportSize({ width: 900, height: 640 });
  await page.waitForFunction(() => document.documentElement.dataset.arrangement === "table");
  assert.equal(await page.locator("#seat-near .strip").count(), 1);
  assert.notEqual(await page.title(), "Chess");
  assert.deepEqual(page.errors, []);
});
