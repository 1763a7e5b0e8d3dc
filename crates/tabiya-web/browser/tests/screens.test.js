/** Screens of every size: what is in sight, how large the board is, what moves while a page comes, how soon it is there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, inPieces, until } from "./harness.js";

const server = Server.forAll();

/** Windows of small laptops, and pages enlarged to twice their size. */
const SMALL = [[683, 325], [640, 512], [800, 600], [819, 614], [720, 450], [640, 360], [512, 384]];
/** Milliseconds until something is seen, the best of a few visits: a page has 300 on a quiet machine, and tests run on busy ones. */
const SOON = 700;

test("nothing sticks out of a page that is as narrow as a phone", async () => {
  for (const path of ["/", "/study", "/puzzles", "/learn", "/explorer", "/games", "/bishops", "/nothing"])
    for (const viewport of [{ width: 320, height: 640 }, { width: 390, height: 844 }, { width: 844, height: 390 }]) {
      const page = await server.visit(path, { viewport, hasTouch: true });
      await page.waitForTimeout(300);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${path} at ${viewport.width} pixels is ${wide} too wide`);
      await page.context().close();
    }
});

/** Adds up what moves on a page, and says what it was. @param {any} page */
async function watchMoves(page) {
  await page.addInitScript(() => {
    globalThis.moved = { by: 0, what: [] };
    const named = (/** @type {any} */ node) => (node instanceof Element ? `${node.localName}${node.id ? `#${node.id}` : ""}` : node?.nodeName);
    new PerformanceObserver((list) => {
      for (const one of /** @type {any[]} */ (list.getEntries())) {
        if (one.hadRecentInput) continue;
        globalThis.moved.by += one.value;
        globalThis.moved.what.push(...one.sources.map((/** @type {any} */ { node, previousRect: from, currentRect: to }) => `${named(node)} from ${from.x},${from.y} to ${to.x},${to.y}`));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** @param {any} page @param {string} told @param {number} [most] */
async function standsStill(page, told, most = 0.02) {
  const { by, what } = await page.evaluate(() => globalThis.moved);
  assert.ok(by < most, `${told} moves by ${by}: ${what.join("; ")}`);
}

test("pages are light, and nothing jumps while they come", async () => {
  await server.api("/import", { method: "POST", headers: { "content-type": "text/plain" }, body: '[White "Ada"]\n\n1. e4 e5 2. Nf3 Nc6 *' });
  const [{ id }] = (await server.api("/games?player=Ada")).json.games;
  const laptop = { width: 1280, height: 800 };
  const screens = [["en", laptop], ["de", laptop], ["en", { width: 390, height: 844 }], ["en", { width: 844, height: 390 }], ["en", { width: 800, height: 600 }]];
  for (const path of ["/", `/?game=${id}`, "/study", `/study?game=${id}&review=1`, "/puzzles", "/learn", "/explorer", "/games", "/bishops"])
    for (const [locale, viewport] of screens) {
      const page = await server.visit("/nothing", { locale, viewport });
      const network = await page.context().newCDPSession(page);
      await network.send("Network.enable");
      await network.send("Network.setCacheDisabled", { cacheDisabled: true });
      let bytes = 0;
      network.on("Network.loadingFinished", (one) => (bytes += one.encodedDataLength));
      await watchMoves(page);
      await page.goto(server.url + path);
      await until(async () => bytes > 20_000);
      await page.waitForTimeout(1_000);
      assert.ok(bytes <= 250_000, `${path} has ${bytes} bytes`);
      await standsStill(page, `${path} at ${viewport.width}×${viewport.height}`);
      await page.context().close();
    }
});

test("nothing jumps while a page comes in small pieces", async () => {
  const slow = await inPieces(server);
  try {
    for (const path of ["/", "/study", "/puzzles", "/learn", "/explorer", "/games", "/bishops", "/endings", "/openings"]) {
      const page = await server.visit("/nothing", { viewport: { width: 390, height: 844 } });
      await watchMoves(page);
      await page.goto(slow.url + path);
      await page.waitForTimeout(300);
      await standsStill(page, path, 0.01);
      await page.context().close();
    }
  } finally {
    slow.close();
  }
});

test("the button that begins a game is in sight on every screen", async () => {
  for (const locale of ["en", "de"])
    for (const [width, height] of [[1440, 900], [1366, 650], [1280, 720], [1280, 800], [1024, 768], [390, 844], [844, 390], [320, 640], [320, 568], ...SMALL]) {
      const page = await server.visit("/", { viewport: { width, height }, locale });
      await page.waitForSelector("#levels .level");
      await page.waitForSelector("#daily-board svg", { state: "attached" });
      assert.ok((await page.locator("#start-title").boundingBox()).y >= 0, `the title is cut off, ${width} wide, ${locale}`);
      if (width >= 1000) {
        const last = await page.locator(".ways > :last-child").boundingBox();
        assert.ok(last.y + last.height <= height, `the last way ends at ${last.y + last.height} of ${height}, ${width} wide, ${locale}`);
      }
      const { x, y, height: high } = await page.locator("#begin").boundingBox();
      assert.ok(y + high <= height, `${y + high} of ${height} pixels, ${width} wide, ${locale}`);
      const top = await page.evaluate(([across, down]) => document.elementFromPoint(across, down)?.id, [x + 20, y + high - 2]);
      assert.equal(top, "begin", `something is before the button, ${width}×${height}, ${locale}`);
      await page.context().close();
    }
});

test("in small windows and enlarged pages the board is large, whole and beside the rest", async () => {
  for (const [width, height] of SMALL)
    for (const path of ["/", "/bishops", "/puzzles", "/study"]) {
      const page = await server.visit(path, { viewport: { width, height } });
      const fits = async (/** @type {string} */ where) => {
        const told = `${where}, ${width}×${height}`;
        const squares = await page.locator("#board .tb-cells").boundingBox();
        assert.ok(squares.width >= 280, `${told}: the board has ${squares.width} pixels`);
        assert.ok(squares.x >= 0 && squares.y >= 0 && squares.x + squares.width <= width && squares.y + squares.height <= height, `${told}: ${JSON.stringify(squares)} is cropped`);
        const [wide, tall] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        assert.ok(wide <= 0 && tall <= 0, `${told}: ${wide} too wide, ${tall} too high`);
        const panel = await page.locator(".panel:visible").boundingBox();
        assert.ok(panel.x >= squares.x + squares.width && panel.x + panel.width <= width, `${told}: the panel is at ${panel.x}, ${panel.width} wide`);
      };
      if (path === "/study") {
        await page.click("#shelf-new");
        await page.click("#begin");
        await page.waitForFunction(() => document.querySelectorAll("#board .piece").length === 32);
      }
      await page.waitForSelector(path === "/puzzles" ? "#task:not(:empty)" : path === "/study" ? "#tree" : "#begin");
      await fits(path);
      if (path === "/" || path === "/bishops") {
        await page.waitForFunction(() => document.querySelector("#levels .level, #level-text:not(:empty)"));
        await page.click("#begin");
        await page.waitForSelector("#thumb button");
        await fits(`${path}, a game`);
        for (const id of ["first", "latest", "act-resign"]) {
          const box = await page.locator(`#${id}`).boundingBox();
          assert.ok(box && box.x + box.width <= width && box.y + box.height <= height, `${id} is out of sight at ${width}×${height}`);
        }
      }
      await page.context().close();
    }
});

test("a page is there at once", async () => {
  for (const locale of ["en", "de"])
    for (const path of ["/", "/study", "/puzzles", "/learn", "/explorer", "/games", "/bishops"]) {
      let best = Infinity;
      for (let visit = 0; visit < 8 && best > SOON; visit++) {
        const page = await server.visit(path, { locale });
        await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
        best = Math.min(best, await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
        await page.context().close();
      }
      assert.ok(best <= SOON, `${path} in ${locale} is first seen after ${best} ms`);
    }
});
