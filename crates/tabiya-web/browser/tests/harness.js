/** A server of its own for each test file, and Debian's Chromium to visit it. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const PROGRAM = process.env.TABIYA ?? "../../../target/ci/tabiya";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Milliseconds until what does not come is given up: on a busy machine a review takes minutes. */
const PATIENCE = 180_000;
/** Of a page: bytes, about a line, and milliseconds, about a frame. */
const PIECE = 160, PAUSE = 20;

export class Server {
  #folder = "";
  #process = /** @type {any} */ (null);
  #browser = /** @type {any} */ (null);
  url = "";
  #arguments = /** @type {string[]} */ ([]);
  #begun = () => {};
  /** When its folder is there, and it listens. @type {Promise<void>} */
  #open = new Promise((resolve) => (this.#begun = resolve));

  /**
   * A server and a browser for all tests of a file.
   * @param {{ files?: Record<string, string>, more?: string[], beside?: Server }} [setup] what lies in its folder, by name, arguments of the server, and another one whose folder it shares
   */
  static forAll({ files = {}, more = [], beside } = {}) {
    const server = new Server();
    server.#arguments = more;
    before(async () => {
      // These hooks do not wait for each other.
      await beside?.#open;
      server.#folder = beside ? beside.#folder : await mkdtemp(join(tmpdir(), "tabiya-browser-"));
      for (const [name, text] of Object.entries(files)) await writeFile(join(server.#folder, name), text, { mode: 0o700 });
      await server.start();
      server.#begun();
      server.#browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    });
    after(async () => {
      await server.#browser?.close();
      await server.stop("SIGTERM");
      if (!beside) await rm(server.#folder, { recursive: true, force: true });
    });
    return server;
  }

  /** Opens the server, at the same address if it was open before. */
  async start() {
    const addr = this.url ? this.url.replace("http://", "") : "127.0.0.1:0";
    this.#process = spawn(PROGRAM, ["serve", "--no-open", "--addr", addr, "--data", this.#folder, ...this.#arguments]);
    this.#process.stderr.pipe(process.stderr);
    this.url = await new Promise((resolve, reject) => {
      this.#process.once("error", reject);
      this.#process.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
      this.#process.stdout.on("data", (data) => {
        const found = /http:\/\/\S+/.exec(String(data));
        if (found) resolve(found[0]);
      });
    });
  }

  /** @param {"SIGTERM" | "SIGKILL"} signal */
  async stop(signal) {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(signal);
    await ended;
  }

  /** A visitor with a browser of their own. @param {object} [options] */
  async visit(path = "/", options = {}) {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.errors = [];
    page.on("pageerror", (error) => page.errors.push(error.message));
    page.on("console", (message) => {
      // A refused move is answered with a status that the browser mentions.
      if (message.type() === "error" && !/status of (401|403|404|405|409|422)/.test(message.text())) page.errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.url) && !request.url().startsWith("blob:")) page.errors.push(`a request left the machine: ${request.url()}`);
    });
    await page.goto(this.url + path);
    return page;
  }

  /** What the interface answers. @param {string} path @param {object} [init] */
  async api(path, init) {
    const response = await fetch(`${this.url}/api${path}`, init);
    const text = await response.text();
    return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : null };
  }

  /** The view of the game on a page. @param {any} page */
  async view(page) {
    const id = new URL(page.url()).searchParams.get("game");
    return (await this.api(`/games/${id}`)).json;
  }
}

/**
 * Another door to a server, through which the body of a page comes in small pieces, as on a busy machine or a slow line.
 *
 * @param {Server} server
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function inPieces({ url }) {
  const door = createServer((asked, told) => {
    const headers = { ...asked.headers, host: new URL(url).host, "accept-encoding": "identity" };
    const inner = request(url + asked.url, { method: asked.method, headers }, async (answer) => {
      told.writeHead(answer.statusCode ?? 500, answer.headers);
      if (!answer.headers["content-type"]?.startsWith("text/html")) return answer.pipe(told);
      const page = Buffer.concat(await answer.toArray());
      let at = page.indexOf("<body");
      told.write(page.subarray(0, at));
      for (; at < page.length; at += PIECE) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        told.write(page.subarray(at, at + PIECE));
      }
      told.end();
    });
    inner.on("error", () => told.destroy());
    told.on("close", () => inner.destroy());
    asked.pipe(inner);
  });
  return new Promise((resolve) => {
    door.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (door.address());
      resolve({ url: `http://127.0.0.1:${port}`, close: () => door.close().closeAllConnections() });
    });
  });
}

/**
 * Chooses on the start panel and begins.
 *
 * @param {any} page
 * @param {{ fen?: string, friend?: boolean, level?: number, colour?: string, time?: string, takeBacks?: boolean }} [setup] a friend sits at the same board
 */
export async function begin(page, { fen, friend, level, colour, time = "", takeBacks } = {}) {
  await page.waitForSelector("#levels .level");
  if (friend) await page.click("#way-two");
  if (level !== undefined) {
    await page.check("[name=level][value=exact]");
    await page.fill("#level", String(level));
  }
  if (colour) await page.check(`[name=colour][value=${colour}]`);
  await page.check(`[name=time][value="${time}"]`);
  if (fen || takeBacks === false) await page.click("#more-settings summary");
  if (takeBacks === false) await page.uncheck("[name=take_backs]");
  if (fen) {
    await page.selectOption("[name=start]", "fen");
    await page.fill("[name=fen]", fen);
  }
  await page.click("#begin");
  await page.waitForFunction(() => location.search.includes("game="));
  await page.waitForSelector("#game-panel:not([hidden])");
}

/** What axe finds serious, once nothing fades in or out any more. @param {any} page */
export async function findings(page) {
  await page.evaluate(() => {
    const passing = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    return Promise.allSettled(passing.map((one) => one.finished)).then(() => undefined);
  });
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Told to the page from outside: its own policy lets no script in.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations);
  return violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(", ")}`);
}

/** @param {any} page @param {string} at */
export const square = (page, at) => page.locator(`#board [data-at="${at}"]`);

/** Waits until something holds, but not for ever. @param {() => Promise<boolean>} holds */
export async function until(holds) {
  for (const end = Date.now() + PATIENCE; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`in vain waited for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Comes to a square as those do who use the keyboard. @param {any} page @param {string} at */
export async function stand(page, at) {
  await page.keyboard.press("Shift");
  await square(page, at).focus();
}

/** Moves by click and click. @param {any} page @param {string} from @param {string} to */
export async function move(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

/** Waits until so many half-moves are in the list. @param {any} page @param {number} count */
export async function played(page, count) {
  await page.waitForFunction((least) => document.querySelectorAll("#moves button").length >= least, count);
}
