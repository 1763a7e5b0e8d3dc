/** What the program in WebAssembly says is what it says where it is built for the machine: moves of every level, nodes, reviews. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { compile, start, TabiyaError } from "tabiya/program";

const BACKEND = process.env.TABIYA_BACKEND;
const ask = start(await compile());

/** @param {object[]} questions */
function native(questions) {
  const { stdout, status, error } = spawnSync(/** @type {string} */ (BACKEND), { input: questions.map((one) => JSON.stringify(one)).join("\n"), maxBuffer: 1 << 26 });
  assert.equal(status, 0, String(error));
  return String(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

function answered(question) {
  try {
    return { ok: ask(question) };
  } catch (error) {
    if (error instanceof TabiyaError) return { error: error.message };
    throw error;
  }
}

/** The same, but for time. */
const timeless = (answer) => JSON.parse(JSON.stringify(answer, (name, value) => (["time", "nodes_per_second"].includes(name) ? undefined : value)));

/** @param {object[]} questions */
function same(questions) {
  native(questions).forEach((expected, index) => assert.deepEqual(timeless(answered(questions[index])), timeless(expected), JSON.stringify(questions[index])));
}

test("every level plays move for move the same", () => {
  const lines = [[], ["e4", "c5", "Nf3", "d6"], ["d4", "d5", "c4", "e6", "Nc3", "Nf6", "Bg5", "Be7"]];
  const levels = [400, 700, 1000, 1200, 1500, 1800, 2100, 2400].map((elo) => `tabiya:${elo}`);
  same([...levels, "random", "alphabeta:2"].flatMap((player, seed) => lines.map((moves) => ({ call: "move", at: { moves }, player, seed }))));
});

test("a whole game of a level against itself is the same", () => {
  const moves = [];
  const questions = [];
  for (let ply = 0; ply < 24; ply++) {
    questions.push({ call: "move", at: { moves: [...moves] }, player: "tabiya:1200", seed: 11 });
    moves.push(ask(questions.at(-1)).uci);
  }
  same(questions);
});

test("the signature is that of the machine's own build", () => {
  same([{ call: "bench", depth: 7 }, { call: "analyse", depth: 8, lines: 3 }, { call: "analyse", nodes: 20000, at: { fen: "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 45" } }]);
});

test("records, reviews, positions and refusals are the same", () => {
  same([
    { call: "review", record: "1. f3 e5 2. g4 Qh4# 0-1" },
    { call: "read-pgn", text: '[White "A"]\n\n1. e4 (1. d4 d5 (1... Nf6) 2. c4) e5 {hm} 2. Nf3 $1 *\n\n1. e4 e5 2. Ke3 *' },
    { call: "position", at: { fen: "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", moves: ["Qh4"] } },
    { call: "position", at: { fen: "8/8/8/8/8/8/8/K7 w - - 0 1" } },
    { call: "play", move: "Ke3" },
    { call: "nothing" },
    { call: "compose", size: 6, white_bishops: 2, black_bishops: 1, mate: 1, seed: 7 },
    { call: "puzzle-daily", solver: null, day: 20776 },
  ]);
});
