/** What is around a game: the arrows after the mouse or a finger, the bar, what can be copied, heard and chosen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, Server, move, played, square, until } from "./harness.js";

const server = Server.forAll();

const middle = async (/** @type {any} */ page, /** @type {string} */ at) => {
  const { x, y, width, height } = await square(page, at).boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
};

/** Drags a piece with the mouse. @param {any} page @param {string} from @param {string} to */
async function drag(page, from, to) {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
}

/** The half-move that is looked at. @param {any} page */
const looked = (page) => page.evaluate(() => document.querySelector("#moves [aria-current]")?.getAttribute("data-ply") ?? "0");

test("after a drag and after a touch on the board the arrows walk through the moves", async () => {
  const page = await server.visit();
  await begin(page, { friend: true });
  await drag(page, "e2", "e4");
  await played(page, 1);
  await drag(page, "e7", "e5");
  await played(page, 2);
  for (const [key, ply] of [["ArrowLeft", "1"], ["ArrowUp", "0"], ["ArrowRight", "1"], ["ArrowDown", "2"]]) {
    await page.keyboard.press(key);
    assert.equal(await looked(page), ply, key);
  }
  assert.deepEqual(page.errors, []);

  const phone = await server.visit("/", { hasTouch: true, viewport: { width: 844, height: 390 } });
  await begin(phone, { friend: true });
  for (const [from, to] of [["e2", "e4"], ["e7", "e5"]]) {
    await square(phone, from).tap();
    await square(phone, to).tap();
  }
  await played(phone, 2);
  await square(phone, "d4").tap();
  await phone.keyboard.press("ArrowLeft");
  assert.equal(await looked(phone), "1");
  // A phone has no arrows: there are buttons, on its side as well.
  await phone.tap("#previous");
  assert.equal(await looked(phone), "0");
  await phone.tap("#latest");
  assert.equal(await looked(phone), "2");
  assert.deepEqual(phone.errors, []);
});

test("the line for typed moves covers no square, and goes at mate", async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 844, height: 390 }, { width: 640, height: 512 }, { width: 512, height: 384 }, { width: 390, height: 844 }]) {
    const page = await server.visit("/", { viewport });
    await begin(page, { fen: "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", friend: true });
    await page.keyboard.type("Qg7");
    const [line, board] = [await page.locator(".tb-typed").boundingBox(), await page.locator("#board .tb-cells").boundingBox()];
    const apart = line.y >= board.y + board.height || line.x >= board.x + board.width;
    assert.ok(apart, `${viewport.width}×${viewport.height}: ${JSON.stringify(line)} over ${JSON.stringify(board)}`);
    assert.ok(line.y + line.height <= viewport.height && line.x + line.width <= viewport.width, `${viewport.width}×${viewport.height}: ${JSON.stringify(line)} is out of sight`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#result:not([hidden])");
    assert.equal(await page.isVisible(".tb-typed"), false);
    await page.keyboard.type("a");
    assert.equal(await page.isVisible(".tb-typed"), false, "nothing is typed after the end");
    await page.context().close();
  }
});

test("nothing moves for those who want no motion", async () => {
  for (const [reducedMotion, moves] of /** @type {const} */ ([["reduce", false], ["no-preference", true]]))
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
      const page = await server.visit("/", { reducedMotion, viewport });
      await begin(page, { fen: "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1", friend: true });
      const long = await page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("#evaluation .share"))).transitionDuration.split(", ").some((one) => parseFloat(one) > 0));
      assert.equal(long, moves, `the bar, ${reducedMotion}, ${viewport.width}`);
      await page.evaluate(() => {
        globalThis.shaken = false;
        document.addEventListener("animationstart", ({ animationName }) => (globalThis.shaken ||= animationName === "tb-shake"));
      });
      await move(page, "d3", "f4");
      await page.waitForSelector(".tb-bubble");
      if (moves) await page.waitForFunction(() => globalThis.shaken);
      else await page.waitForTimeout(400);
      assert.equal(await page.evaluate(() => globalThis.shaken), moves, `the piece that is refused, ${reducedMotion}`);
      await page.context().close();
    }
});

test("what was taken follows when one looks back", async () => {
  const page = await server.visit();
  await begin(page, { friend: true });
  for (const [index, code] of ["e2e4", "d7d5", "e4d5", "d8d5"].entries()) {
    await move(page, code.slice(0, 2), code.slice(2));
    await played(page, index + 1);
  }
  const taken = async () => [await page.locator("#seat-near .strip .slot").count(), await page.locator("#seat-far .strip .slot").count()];
  assert.deepEqual(await taken(), [1, 1]);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await taken(), [1, 0]);
  assert.match(await page.textContent("#seat-near .strip"), /\+1/);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await taken(), [0, 0]);
  await page.keyboard.press("End");
  assert.deepEqual(await taken(), [1, 1]);
  assert.deepEqual(page.errors, []);
});

test("the bar speaks of the position that is looked at, after a reload too, and its room is kept", async () => {
  const page = await server.visit("/", { viewport: { width: 390, height: 844 } });
  await begin(page, { fen: "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", friend: true });
  const top = async () => (await page.locator("#board").boundingBox()).y;
  const before = await top();
  await page.locator("[data-menu]:visible").click();
  await page.click("#menu-evaluation");
  await page.waitForFunction(() => document.querySelector("#evaluation.on .figure")?.textContent === "#1");
  assert.equal(await top(), before, "the board stays where it is when the bar comes");
  await move(page, "g1", "f1");
  await played(page, 1);
  await move(page, "g8", "f8");
  await played(page, 2);
  const figure = () => page.textContent("#evaluation .figure");
  await page.waitForFunction(() => document.querySelector("#evaluation.on .figure")?.textContent !== "#1");
  await page.reload();
  await played(page, 2);
  await page.waitForSelector("#evaluation.on");
  await page.click("#first");
  await page.waitForFunction(() => document.querySelector("#evaluation.on .figure")?.textContent === "#1");
  // A position that nobody has asked about is asked about when somebody stays there.
  await page.click("#next");
  await page.waitForSelector("#evaluation.on");
  assert.notEqual(await figure(), "#1");
  assert.equal(await top(), before, "nor while one looks back");
  await page.locator("[data-menu]:visible").click();
  await page.click("#menu-evaluation");
  await page.waitForSelector("#evaluation:not(.on)", { state: "attached" });
  assert.equal(await top(), before, "nor when it goes");
  assert.deepEqual(page.errors, []);
});

test("the game and the position are copied", async () => {
  const page = await server.visit("/", { permissions: ["clipboard-read", "clipboard-write"] });
  await begin(page, { friend: true });
  await move(page, "e2", "e4");
  await played(page, 1);
  const copied = async (/** @type {string} */ item) => {
    await page.locator("[data-menu]:visible").click();
    await page.click(`#${item}`);
    await page.waitForSelector(".toast");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.match(await copied("menu-copy-record"), /\[White "[^]*\n1\. e4 \*/);
  assert.match(await copied("menu-copy-position"), /^rnbqkbnr\/pppppppp\/8\/8\/4P3\/8\/PPPP1PPP\/RNBQKBNR b KQkq - 0 1\s*$/);
  assert.deepEqual(page.errors, []);
});

test("board, pieces and loudness are chosen in the settings, seen at once, and kept", async () => {
  const page = await server.visit();
  await page.addInitScript(() => {
    globalThis.heard = [];
    const connect = AudioNode.prototype.connect;
    // How loud what goes out is.
    AudioNode.prototype.connect = function (to, ...more) {
      if (to instanceof AudioDestinationNode) globalThis.heard.push(this.gain.value);
      return connect.call(this, to, ...more);
    };
  });
  await page.reload();
  await page.waitForSelector("#levels .level");
  const dark = () => page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector(".tb-cell.dark"))).backgroundColor);
  const art = () => page.evaluate(() => document.querySelector("#board .piece .art")?.innerHTML);
  const [colour, piece] = [await dark(), await art()];
  await page.click("#open-settings");
  await page.locator(".swatch", { hasText: "Sea" }).click();
  await page.locator(".swatch", { hasText: "Cut" }).click();
  const [sea, cut] = [await dark(), await art()];
  assert.notEqual(sea, colour);
  assert.notEqual(cut, piece);
  await page.fill("#settings [name=volume]", "20");
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForSelector("#levels .level");
  assert.deepEqual([await dark(), await art()], [sea, cut]);
  await page.click("#open-settings");
  assert.equal(await page.inputValue("#settings [name=volume]"), "20");
  await page.keyboard.press("Escape");
  const loud = async () => {
    await page.evaluate(() => (globalThis.heard = []));
    const { moves } = await server.view(page);
    await move(page, ...(moves.length === 0 ? ["e2", "e4"] : ["e7", "e5"]));
    await played(page, moves.length + 1);
    await until(async () => (await page.evaluate(() => globalThis.heard.length)) > 0);
    return page.evaluate(() => globalThis.heard[0]);
  };
  await begin(page, { friend: true });
  const soft = await loud();
  await page.click("#open-settings");
  await page.fill("#settings [name=volume]", "100");
  await page.keyboard.press("Escape");
  assert.ok(Math.abs((await loud()) / soft - 5) < 0.01, "100 is five times as loud as 20");
  assert.deepEqual(page.errors, []);
});

test("several moves are made early by touch", async () => {
  const page = await server.visit("/", { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  const listening = page.waitForResponse((response) => response.url().includes("/events"));
  await begin(page, { colour: "white" });
  // Once the first view has arrived, none comes until something happens.
  await listening;
  await page.waitForTimeout(500);
  const before = await server.view(page);
  await page.evaluate((given) => { document.querySelector("tabiya-board").position = given; }, { ...before, marks: [], turn: "black", destinations: [] });
  await square(page, "g1").tap();
  assert.equal(await page.locator(".target").count(), 3, "where it may go is dotted");
  await square(page, "f3").tap();
  await square(page, "f3").tap();
  await square(page, "e5").tap();
  assert.equal(await page.locator(".premove").count(), 4);
  assert.equal((await server.view(page)).moves.length, 0);
  await page.evaluate((given) => { document.querySelector("tabiya-board").position = given; }, { ...before, marks: [] });
  await played(page, 3);
  assert.deepEqual((await server.view(page)).moves.filter((one) => one.side === "white").map((one) => one.san.slice(0, 2)), ["Nf", "Ne"]);
  assert.deepEqual(page.errors, []);
});
