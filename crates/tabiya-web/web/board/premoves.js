/**
 * Where a piece could go once the other side has moved, by the way it moves alone: what will stand there nobody knows yet.
 *
 * @typedef {import("../types.js").Piece} Piece
 * @typedef {import("../types.js").Target} Target
 */

/** @type {Record<string, [number, number][]>} */
const LINES = {
  bishop: [[1, 1], [1, -1], [-1, 1], [-1, -1]],
  rook: [[1, 0], [-1, 0], [0, 1], [0, -1]],
};
LINES.queen = [...LINES.bishop, ...LINES.rook];

/** @type {Record<string, [number, number][]>} */
const STEPS = {
  knight: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
  king: LINES.queen,
};

/** @param {string} at */
const place = (at) => ({ x: at.charCodeAt(0) - 97, y: Number(at.slice(1)) - 1 });

/**
 * @param {Piece} piece @param {Piece[]} pieces all on the board @param {{ columns: number, rows: number }} size
 * @returns {Target[]}
 */
export function premoves({ at, side, role }, pieces, { columns, rows }) {
  const { x, y } = place(at);
  const named = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const [column, row] = [x + dx, y + dy];
    return column >= 0 && column < columns && row >= 0 && row < rows ? `${String.fromCharCode(97 + column)}${row + 1}` : null;
  };
  /** @type {(string | null)[]} */
  const squares = [];
  for (const [dx, dy] of STEPS[role] ?? []) squares.push(named(dx, dy));
  for (const [dx, dy] of LINES[role] ?? []) for (let far = 1; far < Math.max(columns, rows); far++) squares.push(named(dx * far, dy * far));
  const up = side === "white" ? 1 : -1;
  if (role === "pawn") {
    squares.push(named(0, up), named(1, up), named(-1, up));
    if (y === (side === "white" ? 1 : rows - 2)) squares.push(named(0, 2 * up));
  }
  if (role === "king" && columns === 8 && rows === 8 && y === (side === "white" ? 0 : 7)) {
    const rooks = pieces.filter((one) => one.role === "rook" && one.side === side && place(one.at).y === y);
    if (x === 4 && rooks.length) squares.push(named(2, 0), named(-2, 0));
    squares.push(...rooks.map((rook) => rook.at));
  }
  const there = new Set(pieces.map((one) => one.at));
  return [...new Set(squares)].flatMap((to) => (to ? [{ at: to, takes: there.has(to), promotions: [] }] : []));
}

/** The pieces after one more of these moves. @param {Piece[]} pieces @param {{ from: string, to: string }} move */
export function moved(pieces, { from, to }) {
  const piece = pieces.find((one) => one.at === from);
  if (!piece) return pieces;
  const y = place(from).y, far = place(to).x - place(from).x;
  const rook = pieces.find((one) => one.at === to && one.side === piece.side && one.role === "rook" && piece.role === "king");
  const castles = piece.role === "king" && (Math.abs(far) === 2 || rook);
  if (!castles) return [...pieces.filter((one) => one !== piece && one.at !== to), { ...piece, at: to }];
  const right = far > 0;
  const tower = rook ?? pieces.find((one) => one.role === "rook" && one.side === piece.side && place(one.at).y === y && (right ? place(one.at).x > place(from).x : place(one.at).x < place(from).x));
  const rest = pieces.filter((one) => one !== piece && one !== tower);
  return [...rest, { ...piece, at: `${right ? "g" : "c"}${y + 1}` }, ...(tower ? [{ ...tower, at: `${right ? "f" : "d"}${y + 1}` }] : [])];
}
