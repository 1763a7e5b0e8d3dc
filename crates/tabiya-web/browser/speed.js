/**
 * The engine's speed in Node and in Chromium beside the same program built for this machine: `scripts/browser-speed`. Each works
 * on the same positions in turns; what counts is processor time, as others may be at work, and the best of the rounds.
 *
 *   node speed.js DESK [DEPTH [ROUNDS]]
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [desk, depth = "11", rounds = "5"] = process.argv.slice(2);
const question = JSON.stringify({ call: "bench", depth: Number(depth) });
const PROGRAM = new URL("../web/program/program.js", import.meta.url);
const WASM = process.env.TABIYA_WASM ? pathToFileURL(process.env.TABIYA_WASM) : new URL("../../../npm/tabiya.wasm", import.meta.url);

/** Somebody who answers a line with a line, and its processor time. @param {string} command @param {string[]} more */
function program(command, more) {
  const child = spawn(command, more, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // Hundredths of a second, of the process itself.
  const used = () => Number(readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ")[11]) / 100;
  return {
    ask: async () => {
      const before = used();
      child.stdin.write(`${question}\n`);
      const { value } = await lines.next();
      return { nodes: JSON.parse(value).ok.nodes, seconds: used() - before };
    },
    end: async () => void child.kill(),
  };
}

const inNode = `
import { createInterface } from "node:readline";
import { compile, start } from ${JSON.stringify(PROGRAM.href)};
const ask = start(await compile(new URL(${JSON.stringify(WASM.href)})));
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ ok: ask(JSON.parse(line)) }));
`;

async function inChromium() {
  const files = createServer(async ({ url }, response) => {
    const [type, data] = url === "/program.js" ? ["text/javascript", await readFile(PROGRAM)] : url === "/tabiya.wasm" ? ["application/wasm", await readFile(WASM)] : ["text/html", "<!doctype html>"];
    response.writeHead(200, { "content-type": type }).end(data);
  });
  await new Promise((resolve) => files.listen(0, "127.0.0.1", () => resolve(undefined)));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${/** @type {any} */ (files.address()).port}/`);
  await page.evaluate(async () => {
    const { compile, start } = await import(String("/program.js"));
    Object.assign(globalThis, { ask: start(await compile("/tabiya.wasm")) });
  });
  const session = await browser.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  return {
    ask: async () => {
      const before = await used();
      const { nodes } = await page.evaluate((text) => /** @type {any} */ (globalThis).ask(JSON.parse(text)), question);
      return { nodes, seconds: (await used()) - before };
    },
    end: async () => {
      await browser.close();
      files.close();
    },
  };
}

const all = { machine: program(desk, []), Node: program(process.execPath, ["--input-type=module", "-e", inNode]), Chromium: await inChromium() };
const best = /** @type {Record<string, number>} */ ({});
const nodes = new Set();
// The first round is to warm up.
for (let round = 0; round <= Number(rounds); round++) {
  for (const [name, one] of Object.entries(all)) {
    const found = await one.ask();
    nodes.add(found.nodes);
    if (round > 0) best[name] = Math.max(best[name] ?? 0, found.nodes / found.seconds);
  }
}
for (const one of Object.values(all)) await one.end();
if (nodes.size > 1) throw new Error(`the signatures differ: ${[...nodes].join(", ")}`);
console.log(`bench to depth ${depth}: ${[...nodes][0]} nodes everywhere`);
for (const [name, speed] of Object.entries(best)) console.log(`${name.padEnd(9)} ${Math.round(speed).toLocaleString("en").padStart(9)} nodes/s  ${(speed / best.machine).toFixed(2)}`);
