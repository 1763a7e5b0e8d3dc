import assert from "node:assert/strict";
import { test } from "node:test";
import { findings, Server, move, played, square } from "./harness.js";

const server = Server.forAll();
const guarded = Server.forAll({ more: ["--password", "open sesame"] });
const talkative = Server.forAll({ more: ["--own-words"] });

const text = (page, id) => page.locator(`#${id}`).textContent();
const says = (page, id, words) => page.waitForFunction(([where, part]) => document.getElementById(where)?.textContent?.includes(part), [id, words]);

/** Begins a game with a friend elsewhere; gives the page of the one who waits, and the link. @param {object} [setup] */
async function invite({ where = server, page, name = "Ada", colour = "white", time } = /** @type {any} */ ({})) {
  page ??= await where.visit();
  await page.waitForFunction(() => document.getElementById("level-text")?.textContent);
  await page.click("#way-invite");
  await page.check(`[name=colour][value=${colour}]`);
  await page.fill("[name=name]", name);
  await page.check(`[name=time][value="${time ?? ""}"]`);
  await page.click("#begin");
  await page.waitForSelector("#waiting[open]");
  return { page, link: (await page.inputValue("#link")).replace(where.url, "") };
}

/** Two who play, each in a browser of their own. @param {object} [setup] @param {object} [options] of the guest's browser */
async function pair(/** @type {any} */ setup = {}, options = {}) {
  const { page: ada, link } = await invite(setup);
  const bo = await (setup.where ?? server).visit(link, options);
  await bo.waitForSelector("#join[open]");
  await bo.fill("#join-name", "Bo");
  await bo.click("#join-button");
  await bo.waitForSelector("#act-abort");
  await ada.waitForFunction(() => !document.querySelector("#waiting")?.hasAttribute("open"));
  return { ada, bo, link };
}

/** Plays moves in turn; each page waits until it has seen the one before. */
async function playAll(pages, codes, from = 0) {
  for (const [index, code] of codes.entries()) {
    const page = pages[(from + index) % pages.length];
    await played(page, from + index);
    await move(page, code.slice(0, 2), code.slice(2, 4));
    await played(page, from + index + 1);
  }
}

test("the invitation tells the clock with its increment", async () => {
  const { link } = await invite({ time: "3+2" });
  const bo = await server.visit(link);
  await bo.waitForSelector("#join[open]");
  assert.equal(await text(bo, "join-terms"), "You play Black, with 3 minutes each and 2 more seconds for every move.");
});

test("two people play a whole game, and somebody watches", async () => {
  const { ada, bo, link } = await pair();
  assert.equal(await bo.evaluate(() => location.hash), "", "the invitation does not stay in the address");
  const watcher = await server.visit(link);
  await says(watcher, "watching", "You are watching");
  assert.equal(await watcher.locator("#join[open]").count(), 0);
  await says(ada, "watching", "1 watching");
  assert.equal(await bo.locator(".tb-cell").first().getAttribute("data-at"), "h1", "each has their own side below");
  await says(ada, "status", "Your move");
  await playAll([ada, bo], ["e2e4", "e7e5"]);
  // Those who watch have nothing to press but to look, and the server would not listen.
  await played(watcher, 2);
  assert.equal(await watcher.locator("#act-resign, #act-draw, #act-back, #act-abort, #act-talk").count(), 0);
  await move(watcher, "g1", "f3");
  assert.equal(await watcher.locator(".tb-under .selected").count(), 0);
  const id = new URL(watcher.url()).searchParams.get("game");
  const forged = await watcher.evaluate(async (game) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${"ab".repeat(32)}` };
    const body = (/** @type {object} */ what) => ({ method: "POST", headers, body: JSON.stringify(what) });
    return [
      (await fetch(`/api/games/${game}/moves`, body({ text: "Nf3" }))).status,
      (await fetch(`/api/games/${game}/requests`, body({ request: "resign" }))).status,
    ];
  }, id);
  assert.deepEqual(forged, [403, 403]);
  const tokens = await ada.evaluate(() => localStorage.getItem("tabiya.seats"));
  const seen = await watcher.evaluate(async (game) => document.documentElement.outerHTML + JSON.stringify(localStorage) + (await (await fetch(`/api/games/${game}`)).text()), id);
  for (const secret of [JSON.parse(tokens)[id].white, /join=(\w+)/.exec(link)[1]]) assert.ok(!seen.includes(secret));
  await playAll([ada, bo], ["d1h5", "b8c6", "f1c4", "g8f6", "h5f7"], 2);
  for (const page of [ada, bo, watcher]) {
    await page.waitForSelector("#act-review");
    await says(page, "status", "Checkmate: White wins");
  }
  assert.deepEqual((await server.view(watcher)).seats.map((seat) => seat.name), ["Ada", "Bo"]);
  for (const page of [ada, bo, watcher]) assert.deepEqual(page.errors, []);
});

test("whoever goes offline is told, comes back by itself and has missed nothing", async () => {
  const { ada, bo, link } = await pair();
  const watcher = await server.visit(link);
  await playAll([ada, bo], ["e2e4", "e7e5"]);
  await played(watcher, 2);
  await watcher.context().setOffline(true);
  await bo.context().setOffline(true);
  await bo.waitForSelector("[data-name=connection]");
  await says(bo, "banners", "offline");
  await playAll([ada], ["g1f3"], 2);
  await ada.waitForFunction(() => document.querySelector("#seat-far .sub")?.textContent === "Away");
  await bo.context().setOffline(false);
  await played(bo, 3);
  await bo.waitForSelector("[data-name=connection]", { state: "detached" });
  await ada.waitForFunction(() => document.querySelector("#seat-far .sub")?.textContent !== "Away");
  // A move that is made offline waits, goes when the line is back, and is played once.
  await bo.context().setOffline(true);
  await bo.waitForSelector("[data-name=connection]");
  await move(bo, "b8", "c6");
  await says(bo, "banners", "not sent yet");
  assert.equal((await server.view(ada)).moves.length, 3);
  await bo.context().setOffline(false);
  await played(ada, 4);
  await played(bo, 4);
  await playAll([ada, bo], ["f1b5", "a7a6"], 4);
  // The one who watches has missed four moves.
  assert.equal(await watcher.locator("#moves button").count(), 2);
  await watcher.context().setOffline(false);
  await played(watcher, 6);
  assert.deepEqual((await server.view(ada)).moves.map((one) => one.san), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
});

test("a move whose answer is lost is not played twice", async () => {
  const { ada, bo } = await pair();
  // The server has the move, the answer does not come back.
  let lost = 0;
  await ada.route("**/moves", async (route) => {
    if (lost++) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await move(ada, "e2", "e4");
  await played(ada, 1);
  await played(bo, 1);
  await ada.waitForTimeout(3000);
  await playAll([bo], ["e7e5"], 1);
  await playAll([ada], ["g1f3"], 2);
  assert.deepEqual((await server.view(ada)).moves.map((one) => one.san), ["e4", "e5", "Nf3"]);
});

test("draws and take-backs are offered, refused and agreed on", async () => {
  const { ada, bo } = await pair();
  await playAll([ada, bo], ["e2e4", "e7e5", "d2d4"]);
  await ada.click("#act-back");
  await says(bo, "status", "Ada asks to take a move back.");
  await says(ada, "banners", "You ask to take a move back");
  await bo.click("#act-decline-back");
  await ada.waitForFunction(() => document.getElementById("status")?.textContent === "Bo to move");
  await says(ada, "banners", "Your take-back was declined");
  await ada.click("#act-back");
  await says(ada, "banners", "play on before you ask again");
  await playAll([bo], ["b8c6"], 3);
  await bo.click("#act-back");
  await says(ada, "status", "Bo asks to take a move back.");
  await ada.click("#act-accept-back");
  await bo.waitForFunction(() => document.querySelectorAll("#moves button").length === 3);
  await bo.click("#act-draw");
  await bo.click("#act-sure");
  await says(ada, "status", "Bo offers a draw.");
  await ada.click("#act-decline-draw");
  await says(bo, "banners", "Your draw offer was declined");
  await bo.waitForSelector("#act-draw:not([disabled])");
  await playAll([bo], ["e5d4"], 3);
  await ada.click("#act-draw");
  await ada.click("#act-sure");
  await bo.click("#act-accept-draw");
  for (const page of [ada, bo]) await says(page, "status", "Draw by agreement");
  for (const page of [ada, bo]) assert.deepEqual(page.errors, []);
});

test("a rematch has colours changed, and both pages go there by themselves", async () => {
  const { ada, bo } = await pair();
  await playAll([ada, bo], ["f2f3", "e7e5", "g2g4", "d8h4"]);
  await ada.waitForSelector("#act-rematch");
  const before = ada.url();
  await ada.click("#act-rematch");
  await says(bo, "status", "Ada would like to play again.");
  await bo.click("#act-rematch");
  for (const page of [ada, bo]) {
    await page.waitForFunction((old) => location.href !== old, before);
    await page.waitForSelector("#act-abort");
  }
  assert.equal(ada.url(), bo.url());
  await says(bo, "status", "Your move");
  await playAll([bo, ada], ["e2e4", "e7e5"]);
  assert.deepEqual((await server.view(ada)).seats.map((seat) => seat.name), ["Bo", "Ada"]);
  // The former game stays where it was.
  await ada.goto(before);
  await ada.waitForSelector("#act-next");
  for (const page of [ada, bo]) assert.deepEqual(page.errors, []);
});

test("a flag falls, an invitation is withdrawn, a game is aborted, one resigns", async () => {
  const { ada, bo } = await pair();
  const seats = await ada.evaluate(async () => {
    const order = { friend: true, colour: "white", time: "0.05+0" };
    const post = async (/** @type {string} */ path, /** @type {object} */ body) => (await fetch(`/api${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
    const { id, tokens, invitation } = await post("/games", order);
    const guest = await post(`/games/${id}/join`, { invitation, mark: "0123456789abcdef" });
    return { id, host: tokens, guest: guest.tokens };
  });
  for (const [page, tokens] of [[ada, seats.host], [bo, seats.guest]]) {
    await page.evaluate(([id, own]) => localStorage.setItem("tabiya.seats", JSON.stringify({ [id]: own })), [seats.id, tokens]);
    await page.goto(`${server.url}/?game=${seats.id}`);
    await page.waitForSelector("#act-abort");
  }
  await playAll([ada, bo], ["e2e4", "e7e5"]);
  for (const page of [ada, bo]) await says(page, "status", "White's time is up: Black wins");

  const { page, link } = await invite({ name: "" });
  await page.click("#withdraw");
  await says(page, "status", "aborted");
  const late = await server.visit(link);
  await says(late, "status", "aborted");
  assert.equal(await late.locator("#join[open]").count(), 0);

  const second = await pair({ colour: "black" });
  await second.bo.click("#act-abort");
  await says(second.ada, "status", "aborted");
  const third = await pair();
  await playAll([third.ada, third.bo], ["e2e4", "e7e5"]);
  await third.ada.click("#act-resign");
  await third.ada.click("#act-sure");
  await says(third.bo, "status", "White resigns: Black wins");
});

test("set phrases are heard by all, and by nobody who would rather not", async () => {
  const { ada, bo, link } = await pair();
  const watcher = await server.visit(link);
  await says(watcher, "watching", "You are watching");
  await ada.click("#act-talk");
  await ada.click("#phrases button >> text=Good luck!");
  for (const [page, seat] of [[ada, "near"], [bo, "far"], [watcher, "near"]]) await says(page, `seat-${seat}`, "Good luck!");
  await bo.click("#act-talk");
  await bo.check("#mute");
  await bo.click("#talk-close");
  await ada.click("#act-talk");
  await ada.click("#phrases button >> text=Well played!");
  await says(watcher, "seat-near", "Well played!");
  assert.ok(!(await text(bo, "seat-far")).includes("Well played!"));
  for (const page of [ada, bo, watcher]) assert.deepEqual(page.errors, []);
});

test("own words are said where the owner of the server allows it, and are nothing but words", async () => {
  const { ada: quiet } = await pair();
  await quiet.click("#act-talk");
  await quiet.waitForSelector("#phrases button");
  assert.equal(await quiet.isVisible("#own-words"), false);

  const { ada, bo, link } = await pair({ where: talkative });
  const watcher = await talkative.visit(link);
  await says(watcher, "watching", "You are watching");
  await ada.click("#act-talk");
  await ada.waitForSelector("#own-words-text");
  assert.deepEqual(await findings(ada), []);
  assert.equal(await ada.getAttribute("#own-words-text", "maxlength"), "140");
  const words = "Thank you! <img src=x onerror=alert(1)> & bye";
  await ada.fill("#own-words-text", words);
  await ada.keyboard.press("Enter");
  for (const [page, seat] of [[ada, "near"], [bo, "far"], [watcher, "near"]]) {
    await says(page, `seat-${seat}`, words);
    assert.equal(await page.locator(".seat img").count(), 0);
    assert.equal(await page.getAttribute(`#seat-${seat} .said`, "translate"), "no", "no language but the player's own");
  }
  assert.equal(await ada.isVisible("#talk"), false);
  // Who would rather not hear phrases does not hear these either.
  await bo.click("#act-talk");
  await bo.check("#mute");
  await bo.click("#talk-close");
  await ada.click("#act-talk");
  await ada.fill("#own-words-text", "One more thing");
  await ada.click("#own-words button");
  await says(watcher, "seat-near", "One more thing");
  assert.ok(!(await text(bo, "seat-far")).includes("One more thing"));
  // Too much talk is refused in a sentence.
  for (let more = 0; more < 6; more++) {
    await ada.click("#act-talk");
    await ada.fill("#own-words-text", `And ${more}`);
    await ada.keyboard.press("Enter");
    await ada.waitForSelector("#talk", { state: "hidden" });
  }
  await says(ada, "banners", "That is much talk");
  for (const page of [ada, bo, watcher]) assert.deepEqual(page.errors, []);
});

test("a double rematch makes one game", async () => {
  const { ada, bo } = await pair();
  await playAll([ada, bo], ["f2f3", "e7e5", "g2g4", "d8h4"]);
  const before = ada.url();
  const old = Number(new URL(before).searchParams.get("game"));
  await Promise.all([ada, bo].map((page) => page.waitForSelector("#act-rematch")));
  await Promise.all([ada, bo].map((page) => page.dblclick("#act-rematch")));
  for (const page of [ada, bo]) {
    await page.waitForFunction((url) => location.href !== url, before);
    await page.waitForSelector("#act-abort");
  }
  assert.equal(ada.url(), bo.url());
  const { games } = (await server.api("/games?limit=500")).json;
  assert.equal(games.filter((/** @type {any} */ game) => game.id > old).length, 1);
  for (const page of [ada, bo]) assert.deepEqual(page.errors, []);
});

test("bishops and kings are played with a friend, too", async () => {
  const { page: ada, link } = await invite({ page: await server.visit("/bishops") });
  assert.match(link, /^\/bishops\?game=/);
  // An address without the page's name leads there as well.
  const bo = await server.visit(link.replace("/bishops", "/"));
  await bo.waitForSelector("#join[open]");
  await bo.click("#join-button");
  await bo.waitForSelector("#act-abort");
  for (const [page, count] of [[ada, 1], [bo, 2]]) {
    await played(page, count - 1);
    const { destinations } = await server.view(page);
    await move(page, destinations[0].from, destinations[0].to[0].at);
    await played(page, count);
  }
  await played(ada, 2);
  for (const page of [ada, bo]) assert.deepEqual(page.errors, []);
});

test("a server with a password asks for it once, and an invitation opens one game", async () => {
  const stranger = await guarded.visit("/games");
  await stranger.fill("#password", "guess");
  await stranger.click("#enter");
  await says(stranger, "refusal", "That is not the password.");
  assert.equal(await stranger.locator("table").count(), 0);
  await stranger.fill("#password", "open sesame");
  await stranger.click("#enter");
  await stranger.waitForSelector("#empty:not([hidden])");
  await stranger.goto(guarded.url);
  const { page: host, link } = await invite({ where: guarded, page: stranger });
  const guest = await guarded.visit(link);
  await guest.waitForSelector("#join[open]");
  await guest.click("#join-button");
  await guest.waitForSelector("#act-abort");
  await playAll([host, guest], ["e2e4", "e7e5"]);
  const statuses = await guest.evaluate(async () => Promise.all(["/api/games", "/games", "/api/games/99"].map(async (path) => (await fetch(path)).status)));
  assert.deepEqual(statuses, [401, 401, 401]);
});

for (const colorScheme of ["light", "dark"]) {
  test(`a game with a friend has no serious barriers, ${colorScheme}`, async () => {
    const asked = await guarded.visit("/", { colorScheme });
    await asked.waitForSelector("#password");
    assert.deepEqual(await findings(asked), [], "the password page");
    const page = await server.visit("/", { colorScheme });
    const { link } = await invite({ page });
    assert.deepEqual(await findings(page), [], "waiting");
    const bo = await server.visit(link, { colorScheme, hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    await bo.waitForSelector("#join[open]");
    assert.deepEqual(await findings(bo), [], "joining");
    await bo.click("#join-button");
    await bo.waitForSelector("#act-talk");
    await bo.click("#act-talk");
    await bo.waitForSelector("#phrases button");
    assert.deepEqual(await findings(bo), [], "talking");
    await bo.click("#phrases button >> nth=0");
    await says(page, "seat-far", "Hello!");
    for (const one of [page, bo]) assert.deepEqual(await findings(one), [], "playing");
    assert.ok((await bo.evaluate(() => document.documentElement.scrollWidth)) <= 360, "fits a narrow phone");
    await move(page, "e2", "e4");
    await played(bo, 1);
    await square(bo, "e7").tap();
    await square(bo, "e5").tap();
    await played(page, 2);
    for (const one of [page, bo]) assert.deepEqual(one.errors, []);
  });
}
