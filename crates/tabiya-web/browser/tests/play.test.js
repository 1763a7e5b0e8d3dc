import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, findings, Server, move, played, square, stand } from "./harness.js";

const server = Server.forAll();

test("a full game against the computer by mouse, with hints", async () => {
  const page = await server.visit();
  await begin(page, { level: 400 });
  for (let turn = 0; turn < 80; turn++) {
    await page.waitForFunction(() => document.querySelector("#act-rematch, #act-hint:not([disabled])"));
    if (await page.locator("#act-rematch").count()) break;
    // A hint comes in steps: where, which piece, the move.
    await page.click("#act-hint");
    await page.waitForSelector("#board .area");
    await page.click("#act-hint");
    await page.waitForFunction(() => !document.querySelector("#board .area"));
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
  assert.equal(await page.textContent("#result h2"), "You won");
  await page.dblclick("#act-stronger");
  await page.waitForFunction(() => document.getElementById("seat-far")?.textContent?.includes("500"));
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
  await page.waitForSelector("#levels .level");
  await page.focus("[name=time][value='10+5']");
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]) await page.keyboard.press(key); // No clock.
  await page.waitForSelector("#game-panel:not([hidden])");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.type("e4");
  await page.keyboard.press("Enter");
  await played(page, 2);
  await page.keyboard.press("Escape");
  await stand(page, "e1");
  for (const key of ["ArrowRight", "Enter", "ArrowUp", "ArrowUp", "Escape"]) await page.keyboard.press(key);
  await stand(page, "b1");
  for (const key of ["Enter", "ArrowUp", "ArrowUp", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await played(page, 4);
  assert.deepEqual((await server.view(page)).moves.filter((one) => one.side === "white").map((one) => one.san), ["e4", "Nc3"]);
  await page.keyboard.type("Ke9");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tb-bubble");
  await page.focus("#act-resign");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#act-sure");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
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
  await stand(page, "a2");
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
  await page.click("#act-redo");
  await played(page, 2);
  assert.deepEqual(await at(), ["c8", "g1"]);
  assert.deepEqual(page.errors, []);
});

test("a move that is refused says why and nothing has moved", async () => {
  const page = await server.visit();
  await begin(page, { fen: "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1", friend: true });
  await move(page, "d3", "f4");
  await page.waitForFunction(() => document.querySelector(".tb-bubble")?.textContent?.includes("pinned by the bishop on b5"));
  assert.equal((await server.view(page)).moves.length, 0);
  assert.equal(await square(page, "d3").getAttribute("aria-label"), "d3, white knight");
  assert.deepEqual(page.errors, []);
});

test("moves made early wait in a row, only possible ones, and a take-back forgets them", async () => {
  const page = await server.visit();
  const listening = page.waitForResponse((response) => response.url().includes("/events"));
  await begin(page, { colour: "white" });
  // Once the first view has arrived, none comes until something happens.
  await listening;
  await page.waitForTimeout(500);
  const before = await server.view(page);
  const turn = (/** @type {object} */ view) => page.evaluate((given) => { document.querySelector("tabiya-board").position = given; }, view);
  await turn({ ...before, marks: [], turn: "black", destinations: [] });
  await square(page, "a1").click();
  assert.equal(await page.locator(".target").count(), 14, "a rook goes along its lines");
  await square(page, "h8").click();
  assert.equal(await page.locator(".premove").count(), 0, "a rook does not go there");
  await move(page, "g1", "f3");
  await move(page, "f3", "e5");
  assert.equal(await page.locator(".premove").count(), 4);
  assert.equal(await square(page, "e5").getAttribute("aria-label"), "e5, white knight");
  assert.equal((await server.view(page)).moves.length, 0);
  await page.evaluate(() => document.querySelector("tabiya-board").cancelPremove());
  assert.equal(await page.locator(".premove").count(), 0);
  assert.equal(await square(page, "g1").getAttribute("aria-label"), "g1, white knight");
  await move(page, "b1", "c3");
  await move(page, "c3", "d5");
  await turn({ ...before, marks: [] });
  await played(page, 3);
  const { moves } = await server.view(page);
  assert.deepEqual(moves.filter((one) => one.side === "white").map((one) => one.san.slice(0, 1)), ["N", "N"]);
  assert.deepEqual(page.errors, []);
});

test("ten quick presses are ten plies, however slow the line, also after a click on the board", async () => {
  const page = await server.visit();
  await begin(page, { friend: true });
  const codes = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5"];
  for (const [index, code] of codes.entries()) {
    await move(page, code.slice(0, 2), code.slice(2));
    await played(page, index + 1);
  }
  const past = page.waitForResponse(/\/positions$/);
  await page.reload();
  await (await past).finished();
  await played(page, codes.length);
  await page.waitForFunction(() => !document.getElementById("previous")?.hasAttribute("disabled"));
  await page.route("**/api/**", async (route) => { await new Promise((resolve) => setTimeout(resolve, 300)); await route.continue(); });
  await square(page, "d4").click();
  const at = () => page.locator("#moves [aria-current]").getAttribute("data-ply").catch(() => "0");
  for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowLeft");
  assert.equal(await at(), "2");
  assert.equal(await square(page, "g1").getAttribute("aria-label"), "g1, white knight");
  await page.keyboard.press("End");
  assert.equal(await at(), "12");
  await page.keyboard.press("Home");
  assert.equal(await square(page, "e2").getAttribute("aria-label"), "e2, white pawn");
  await page.keyboard.press("ArrowDown");
  const { x, y, width } = await page.locator("#board").boundingBox();
  await page.mouse.move(x + width / 2, y + width / 2);
  for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, -50);
  await page.waitForFunction(() => document.querySelector("#moves [aria-current]")?.getAttribute("data-ply") === "9");
  assert.equal(await page.textContent("#opening"), "Ruy Lopez");
  // Whoever has come to the squares by Tab walks over them, and has two keys for the moves.
  await page.keyboard.press("End");
  await stand(page, "e2");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-at")), "e3");
  await page.keyboard.press(",");
  assert.equal(await at(), "11");
  await page.keyboard.press("?");
  await page.waitForSelector("#keys[open]");
  assert.ok((await page.locator("#moves button:not([tabindex='-1'])").count()) <= 1, "past moves are no stops of the Tab key");
  assert.deepEqual(page.errors, []);
});

test("two quick clicks do not resign, and what was drawn does not follow into the next game", async () => {
  const page = await server.visit();
  await begin(page, { friend: true });
  await move(page, "e2", "e4");
  await played(page, 1);
  await page.dblclick("#act-resign");
  await page.waitForSelector("#act-sure");
  assert.equal((await server.view(page)).end, null);
  await page.click("#act-not-sure");
  await square(page, "d4").click({ button: "right" });
  assert.equal(await page.locator(".drawn").count(), 1);
  await page.click("#act-resign");
  await page.click("#act-sure");
  await page.waitForSelector("#act-rematch");
  const old = page.url();
  await page.dblclick("#act-rematch");
  await page.waitForFunction((before) => location.href !== before, old);
  assert.equal(await page.locator(".drawn").count(), 0);
  const { games } = (await server.api("/games?limit=500")).json;
  const id = Number(new URL(old).searchParams.get("game"));
  assert.equal(games.filter((game) => game.id > id).length, 1, "one game, not two");
  assert.deepEqual(page.errors, []);
});

test("a game that is not there says so, and the one that was begun is offered", async () => {
  const page = await server.visit("/?game=987654");
  await page.waitForFunction(() => document.getElementById("start-notice")?.textContent?.includes("no such game"));
  await begin(page, { level: 1200 });
  await move(page, "e2", "e4");
  await played(page, 2);
  const game = page.url();
  await page.goto(server.url);
  await page.waitForSelector("#continue:not([hidden])");
  assert.match(await page.textContent("#continue-words"), /Casual, 1200, at move 2/);
  await page.click("#continue");
  await played(page, 2);
  assert.equal(page.url(), game);
  assert.deepEqual(page.errors, []);
});

test("the own name is kept and shown, the clock is told at the invitation", async () => {
  const page = await server.visit();
  await page.waitForSelector("#levels .level");
  await page.click("#more-settings summary");
  await page.fill("[name=name]", "Marta");
  assert.match(await page.textContent("#seat-near"), /Marta/);
  await page.check("[name=time][value='3+2']");
  await page.click("#begin");
  await page.waitForSelector("#game-panel:not([hidden])");
  const { seats, time } = await server.view(page);
  assert.deepEqual([seats[0].name, time], ["Marta", "3+2"]);
  await page.goto(server.url);
  assert.equal(await page.inputValue("[name=name]"), "Marta");
  assert.deepEqual(page.errors, []);
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
  await page.waitForSelector("#evaluation.on .figure");
  await page.reload();
  await page.waitForSelector("#act-evaluation[aria-pressed=true]");
  await page.waitForSelector("#act-threats[aria-pressed=true]");
  await page.waitForSelector("#evaluation.on .figure");
  const box = async (of) => page.locator(of).boundingBox();
  const [bar, board] = [await box("#evaluation"), await box(".tb-surface")];
  assert.ok(Math.abs(bar.y - board.y) <= 8 && Math.abs(bar.height - board.height) <= 16, `${JSON.stringify(bar)} ${JSON.stringify(board)}`);
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

test("the computer answers after a moment if it is asked to, and is asked so the next time", async () => {
  const page = await server.visit();
  await page.click("#more-settings summary");
  await page.locator("#pace-settings label", { hasText: "After a moment" }).click();
  await begin(page, { level: 400, colour: "white" });
  const at = Date.now();
  await move(page, "e2", "e4");
  await played(page, 2);
  assert.ok(Date.now() - at >= 650, `${Date.now() - at} ms`);
  await page.goto(`${new URL(page.url()).origin}/`);
  await page.waitForSelector("#levels .level");
  assert.ok(await page.locator("#pace-settings [value=moment]").isChecked());
  assert.deepEqual(page.errors, []);
});

for (const colorScheme of ["light", "dark"])
  test(`no state of a game has serious barriers, ${colorScheme}`, async () => {
    const page = await server.visit("/", { colorScheme });
    const none = async (/** @type {string} */ state) => assert.deepEqual(await findings(page), [], state);
    await begin(page, { fen: "4k3/P7/8/1b6/8/3N4/4K3/8 w - - 0 1", friend: true });
    await move(page, "d3", "f4");
    await page.waitForSelector(".tb-bubble");
    await none("a refusal");
    await move(page, "a7", "a8");
    await page.waitForSelector(".tb-picker");
    await none("a promotion");
    await page.keyboard.press("Escape");
    await page.keyboard.type("Kf");
    await none("a typed move");
    await page.keyboard.press("Escape");
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
    await page.keyboard.press("?");
    await page.waitForSelector("#keys[open]");
    await none("the keys");
    await page.keyboard.press("Escape");
    await page.locator("[data-menu]:visible").click();
    await none("the menu");
    await page.keyboard.press("Escape");
    await page.click("#act-resign");
    await page.waitForSelector("#act-sure");
    await none("a question");
    await page.click("#act-sure");
    await page.waitForSelector("#act-rematch");
    await none("the end");
    assert.deepEqual(page.errors, []);
  });
