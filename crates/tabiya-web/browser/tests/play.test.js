import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, Server, move, played, square } from "./harness.js";

const server = Server.forAll();

test("a full game against the computer by mouse, with hints", async () => {
  const page = await server.visit();
  await begin(page, { level: 400 });
  for (let turn = 0; turn < 80; turn++) {
    await page.waitForFunction(() => document.querySelector("#act-rematch, #act-hint:not([disabled])"));
    if (await page.locator("#act-rematch").count()) break;
    await page.click("#act-hint");
    await page.waitForSelector(".tb-over .hint");
    const { hint: [from, to], moves, destinations } = await server.view(page);
    const promotions = destinations.find((one) => one.from === from).to.find((one) => one.at === to).promotions;
    await move(page, from, to);
    if (promotions.length > 1) await page.click(".tb-picker [data-role=queen]");
    await played(page, moves.length + 1);
  }
  const { end } = await server.view(page);
  assert.equal(end?.winner, "white", end?.text);
  await page.waitForFunction((text) => document.getElementById("status")?.textContent === text, end.text);
  await page.click("#act-stronger");
  await page.waitForFunction(() => document.querySelector("#seat-far .name, #seat-near .name")?.textContent?.includes("500") || document.body.textContent.includes("level 500"));
  assert.equal((await server.view(page)).seats.findIndex((seat) => seat.person), 1, "colours are swapped");
  assert.deepEqual(page.errors, []);
});

test("a game by touch: drag and tap, and the page stays where it is", async () => {
  const page = await server.visit("/", { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  await begin(page, { fen: "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1" });
  const box = async (at) => {
    const { x, y, width, height } = await square(page, at).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const [from, to] = [await box("b1"), await box("b7")];
  await send("touchStart", [from]);
  for (let step = 1; step <= 8; step++) await send("touchMove", [{ x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 }]);
  await send("touchEnd", []);
  await played(page, 2);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await square(page, "b7").tap();
  const { destinations } = await server.view(page);
  assert.ok(destinations.length > 0);
  assert.equal(await page.locator(".target").count(), destinations.find((one) => one.from === "b7").to.length, "exactly its moves are marked");
  await square(page, "g7").tap(); // The king had one move only.
  await page.waitForSelector("#act-rematch");
  assert.equal((await server.view(page)).end.text, "Checkmate: White wins");
  assert.deepEqual(page.errors, []);
});

test("a game by keyboard alone: arrows and Enter, and typed moves", async () => {
  const page = await server.visit();
  await page.waitForSelector("#new-game[open]");
  await page.keyboard.press("Enter"); // Play has the keyboard.
  await page.waitForSelector("#act-flip");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.type("e4");
  await page.keyboard.press("Enter");
  await played(page, 2);
  await page.keyboard.press("Escape");
  await square(page, "e1").focus();
  for (const key of ["ArrowRight", "Enter", "ArrowUp", "ArrowUp", "Escape"]) await page.keyboard.press(key);
  await square(page, "b1").focus();
  for (const key of ["Enter", "ArrowUp", "ArrowUp", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await played(page, 4);
  assert.deepEqual((await server.view(page)).moves.filter((one) => one.side === "white").map((one) => one.san), ["e4", "Nc3"]);
  await page.keyboard.type("Ke9");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#status.bad");
  for (let press = 0; press < 2; press++) {
    await page.focus("#act-resign");
    await page.keyboard.press("Enter");
  }
  await page.waitForSelector("#act-rematch");
  assert.equal((await server.view(page)).end.text, "White resigns: Black wins");
  assert.deepEqual(page.errors, []);
});

test("a pawn becomes what is chosen, by mouse and by keyboard", async () => {
  const page = await server.visit();
  await begin(page, { fen: "8/P1P4k/8/8/8/8/p1p4K/8 w - - 0 1", friend: true });
  await move(page, "a7", "a8");
  await page.click(".tb-picker [data-role=knight]");
  await played(page, 1);
  await square(page, "a2").focus();
  for (const key of ["Enter", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.waitForSelector(".tb-picker");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("r");
  await played(page, 2);
  await move(page, "c7", "c8");
  await page.waitForSelector(".tb-picker");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".tb-picker", { state: "detached" });
  const { moves } = await server.view(page);
  assert.deepEqual(moves.map((one) => one.san), ["a8=N", "a1=R"]);
  assert.deepEqual(page.errors, []);
});

test("castling by the king's step and onto the rook, taken back and played again", async () => {
  const page = await server.visit();
  await begin(page, { fen: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", friend: true });
  await move(page, "e1", "g1");
  await played(page, 1);
  await move(page, "e8", "a8");
  await played(page, 2);
  const at = async () => (await server.view(page)).pieces.filter((piece) => piece.role === "king").map((piece) => piece.at).sort();
  assert.deepEqual(await at(), ["c8", "g1"]);
  await page.click("#act-back");
  await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 1);
  assert.deepEqual(await at(), ["e8", "g1"]);
  assert.equal(await square(page, "a8").getAttribute("aria-label"), "a8, black rook");
  assert.deepEqual(page.errors, []);
});

test("a move that is refused says why and nothing has moved", async () => {
  const page = await server.visit();
  await begin(page, { fen: "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1", friend: true });
  await move(page, "d3", "f4");
  await page.waitForFunction(() => document.getElementById("status")?.textContent?.includes("pinned by the bishop on b5"));
  assert.equal((await server.view(page)).moves.length, 0);
  assert.equal(await square(page, "d3").getAttribute("aria-label"), "d3, white knight");
  assert.deepEqual(page.errors, []);
});

test("a move made early waits, and a take-back forgets it", async () => {
  const page = await server.visit();
  const listening = page.waitForResponse((response) => response.url().includes("/events"));
  await begin(page, { colour: "white" });
  // Once the first view has arrived, none comes until something happens.
  await listening;
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const board = document.querySelector("tabiya-board");
    board.position = { ...board.position, turn: "black", destinations: [] };
  });
  await move(page, "g1", "f3");
  assert.equal(await page.locator(".premove").count(), 2);
  assert.equal((await server.view(page)).moves.length, 0);
  await page.evaluate(() => document.querySelector("tabiya-board").cancelPremove());
  assert.equal(await page.locator(".premove").count(), 0);
  await move(page, "b1", "c3");
  assert.equal(await page.locator(".premove").count(), 2);
  const view = await server.view(page);
  await page.evaluate((given) => { document.querySelector("tabiya-board").position = given; }, { ...view, marks: [] });
  await played(page, 1);
  assert.equal((await server.view(page)).moves[0].san, "Nc3");
});

test("a game survives a reload, and the server its own death", async () => {
  const page = await server.visit();
  await begin(page, { friend: true });
  await move(page, "e2", "e4");
  await played(page, 1);
  await page.reload();
  await played(page, 1);
  await move(page, "e7", "e5");
  await played(page, 2);
  await server.stop("SIGKILL");
  await server.start();
  await page.waitForFunction(() => document.getElementById("status")?.textContent === "White to move");
  await move(page, "g1", "f3");
  await played(page, 3);
  assert.deepEqual((await server.view(page)).moves.map((one) => one.san), ["e4", "e5", "Nf3"]);
  await page.click("#moves [data-ply='1']");
  await page.waitForFunction(() => document.querySelector("[data-at=g1]")?.getAttribute("aria-label") === "g1, white knight");
  await page.click("#latest");
  await page.waitForFunction(() => document.querySelector("[data-at=g1]")?.getAttribute("aria-label") === "g1, empty");
});

test("a reload remembers threats and evaluation, and the bar is as long as the board", async () => {
  const page = await server.visit("/", { viewport: { width: 1283, height: 797 } });
  await begin(page, {});
  await page.click("#act-evaluation");
  await page.click("#act-threats");
  await page.waitForSelector("#evaluation .figure");
  await page.reload();
  await page.waitForSelector("#act-evaluation[aria-pressed=true]");
  await page.waitForSelector("#act-threats[aria-pressed=true]");
  await page.waitForSelector("#evaluation .figure");
  const box = async (of) => {
    const { y, height } = await page.locator(of).boundingBox();
    return [y, height];
  };
  assert.deepEqual(await box("#evaluation"), await box(".tb-surface"));
  assert.deepEqual(page.errors, []);
});

test("only the owner of a seat moves", async () => {
  const page = await server.visit();
  await begin(page, {});
  const id = new URL(page.url()).searchParams.get("game");
  const stranger = await server.visit(`/?game=${id}`);
  await played(stranger, 0);
  await move(stranger, "e2", "e4");
  const forged = await stranger.evaluate(async (game) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${"0".repeat(64)}` };
    return (await fetch(`/api/games/${game}/moves`, { method: "POST", headers, body: JSON.stringify({ text: "e4" }) })).status;
  }, id);
  assert.equal(forged, 403);
  assert.equal((await server.view(page)).moves.length, 0);
});
