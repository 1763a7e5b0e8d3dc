import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile, rm } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { Engine, Position, readPgn, TabiyaError, writePgn } from "tabiya";

const folder = new URL("../", import.meta.url);

test("the examples of the README run as they are", async () => {
  const readme = await readFile(new URL("README.md", folder), "utf8");
  const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text]) => text);
  assert.ok(examples.length >= 4);
  for (const [index, example] of examples.entries()) {
    const file = new URL(`tests/example-${index}.mjs`, folder);
    await writeFile(file, `import assert from "node:assert/strict";\n${example}`);
    try {
      await import(file.href);
    } finally {
      await rm(file);
    }
  }
});

test("moves are counted as everybody counts them", () => {
  for (const [fen, depth, count] of [
    [undefined, 4, 197281],
    ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862],
    ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238],
  ]) assert.equal(new Position(fen).perft(depth), count);
});

test("what is wrong is said in a sentence, and nothing breaks", () => {
  for (const fen of ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "é".repeat(300), "k7/8/8/8/8/8/8/K6Q b - - 0 1 ".repeat(9)]) {
    assert.throws(() => new Position(fen).play("e4"), (error) => error instanceof TabiyaError && /^[A-Z].*[.!?]$/s.test(error.message), fen);
  }
  assert.throws(() => new Position().play("Ke2"), TabiyaError);
  assert.throws(() => Position.chess960(960), TabiyaError);
  assert.equal(new Position().isLegal("e5"), false);
});

test("a game ends by mate, and a draw by repetition is seen", () => {
  const mated = new Position(undefined, ["f3", "e5", "g4", "Qh4"]);
  assert.deepEqual(mated.outcome, { winner: "black", result: "0-1", text: "Checkmate: Black wins" });
  assert.equal(mated.check, "e1");
  const knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
  assert.equal(new Position(undefined, [...knights, ...knights]).claimable?.text, "Draw by threefold repetition");
});

test("records are read and written, with variations and judgements", () => {
  const text = '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ada"]\n[Black "Ben"]\n[Result "1-0"]\n\n1. e4 {best} e5 (1... c5 2. Nf3 (2. c3 $1 d5) 2... d6) 2. f4 $6 1-0\n';
  const { games: [game], problems } = readPgn(text);
  assert.deepEqual(problems, []);
  assert.equal(game.moves[1].variations[0][1].variations[0][0].san, "c3");
  assert.deepEqual(readPgn(writePgn(game)).games[0], game);
  assert.deepEqual(readPgn("1. e4 e5 2. Ke3 *").problems.map(({ game, line }) => [game, line]), [[1, 1]]);
  assert.throws(() => writePgn({ moves: [{ san: "e5" }] }), TabiyaError);
});

test("the engine is ended by a signal, and thinks again", async () => {
  const engine = new Engine();
  const stop = new AbortController();
  const seen = [];
  const found = await engine.analyse(undefined, { signal: stop.signal, onInfo: (info) => { seen.push(info.depth); if (info.depth >= 5) stop.abort(); } });
  assert.ok(new Position().isLegal(found.best));
  assert.ok(seen.length > 3);
  const [mate] = (await engine.analyse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", { depth: 4 })).lines;
  assert.deepEqual([mate.mate, mate.san], [1, ["Ra8#"]]);
  await assert.rejects(engine.analyse("nonsense"), TabiyaError);
  engine.close();
  await assert.rejects(engine.analyse(), TabiyaError);
});

test("the package has what it names, and is small", async () => {
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder, encoding: "utf8" }));
  const files = packed.files.map(({ path }) => path);
  for (const file of ["README.md", "LICENSE-MIT", "tabiya.wasm", "src/index.js", "src/index.d.ts", "program/worker.js", "board/board.js", "board/board.css", "board.d.ts", "art/vector.js"]) assert.ok(files.includes(file), file);
  assert.ok(!files.some((file) => file.startsWith("test")));
  const wasm = await readFile(new URL("tabiya.wasm", folder));
  assert.ok(gzipSync(wasm, { level: 9 }).length < 2_500_000);
});
