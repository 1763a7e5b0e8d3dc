/**
 * A hint in steps: first where the move ends, then the piece, then the move.
 *
 * @typedef {import("../types.js").Mark} Mark
 */

/** The files of a wing, or of the centre between them; and what these are called. @type {[string, string][]} */
const WINGS = [["abc", "on the queenside"], ["de", "in the centre"], ["fgh", "on the kingside"]];

/** The squares of some files. @param {string} files @returns {Mark[]} */
export const area = (files) => [...files].flatMap((file) => [1, 2, 3, 4, 5, 6, 7, 8].map((rank) => ({ kind: /** @type {const} */ ("area"), at: `${file}${rank}` })));

/** What is shown of a move on a step, the first being 0. @param {number} step @param {string} from @param {string} to @param {string} [role] @returns {{ marks: Mark[], sentence: string }} */
export function rung(step, from, to, role = "piece") {
  const [files, place] = WINGS.find(([some]) => some.includes(to[0])) ?? WINGS[1];
  if (step === 0) return { marks: area(files), sentence: `The move goes to a square ${place}.` };
  if (step === 1) return { marks: [{ kind: "glyph", at: from, text: "?", tone: "interest" }], sentence: `Look at the ${role} on ${from}.` };
  return { marks: [{ kind: "hint", from, to }], sentence: `The ${role} goes from ${from} to ${to}.` };
}
