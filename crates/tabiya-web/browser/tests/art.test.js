import assert from "node:assert/strict";
import { test } from "node:test";
import { CUT } from "../../web/art/cut.js";
import { VECTOR } from "../../web/art/vector.js";
import { AVAILABLE, LARGE, SMALL, TAKES } from "../../web/art/pixel.js";

/** @param {string} drawing @param {number} size @param {string} name */
function isSquare(drawing, size, name) {
  const rows = drawing.trim().split("\n");
  assert.equal(rows.length, size, `${name}: rows`);
  for (const row of rows) assert.match(row, new RegExp(`^[#o+.]{${size}}$`), name);
}

test("pixel pieces fill their squares: 32×32, taken ones 16×16, and so do the squares to go to", () => {
  const roles = ["bishop", "king", "knight", "pawn", "queen", "rook"];
  assert.deepEqual(Object.keys(LARGE).sort(), roles);
  assert.deepEqual(Object.keys(SMALL).sort(), roles);
  for (const [name, drawing] of Object.entries(LARGE)) isSquare(drawing, 32, name);
  for (const [name, drawing] of Object.entries(SMALL)) isSquare(drawing, 16, `small ${name}`);
  isSquare(AVAILABLE, 32, "available");
  assert.equal(TAKES.trim().split("\n").length, 32);
});

test("no two pixel pieces look alike", () => {
  for (const set of [LARGE, SMALL]) assert.equal(new Set(Object.values(set)).size, Object.keys(set).length);
});

test("drawn pieces stay on their grid, stand on one line and differ in outline", () => {
  for (const set of [VECTOR, CUT]) {
    const outlines = Object.values(set).map(({ fill }) => fill.join(" "));
    assert.equal(new Set(outlines).size, 6);
    for (const outline of outlines) {
      assert.ok(!/NaN|undefined/.test(outline));
      assert.match(outline, /\b40\b/, "the foot is on the line");
    }
  }
});
