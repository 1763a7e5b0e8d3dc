/**
 * What is said of a judged move, and the search for a better one.
 *
 * @typedef {import("./api.js").Reviewed} Reviewed
 * @typedef {{ id: string, text: string, act: () => void, main?: boolean }} Act
 */
import { make } from "../dom.js";
import { numbered } from "../study/tree.js";

/** Moves with their numbers, from one on: 9…h6 10.Bxf6 gxf6. @param {{ number: number, side: "white" | "black" }} from @param {string[]} moves */
export function line({ number, side }, moves) {
  const odd = side === "black" ? 1 : 0;
  return moves.map((san, index) => {
    const ply = index + odd;
    if (ply % 2 === 0) return `${number + ply / 2}.${san}`;
    return index === 0 ? `${number}…${san}` : san;
  }).map((text) => text.replaceAll("O-", "O\u2011"));
}

/** @param {Reviewed} move @param {Act[]} acts @param {{ from: import("./api.js").Evaluation, reply: string }} around what it was worth before, and the answer to it */
export function told(move, acts, { from, reply }) {
  const [best, ...rest] = line(move, move.better);
  const wrong = why(move.why?.wrong);
  const words = wrong || reason(move, from);
  const good = why(move.why?.better);
  const answer = reply && !words.includes(reply) ? `The answer is ${reply}.` : "";
  return card(
    move.judgement ?? "",
    [make("span", { class: "phone which" }, `${numbered(move)}${move.symbol ?? ""}`), title(move), make("small", {}, `${from.text} → ${move.evaluation.text}`)],
    [make("p", {}, [words, answer].filter(Boolean).join(" ")), ...(best ? [make("p", { class: "line" }, "Better: ", make("b", {}, best), ` ${rest.join(" ")}`)] : []), ...(good ? [make("p", {}, good)] : [])],
    acts,
  );
}

/** @param {Reviewed} move @param {"open" | "wrong" | "right"} state @param {string} tried @param {Act[]} acts */
export function searched(move, state, tried, acts) {
  const whose = move.side === "white" ? "White" : "Black";
  if (state === "right") {
    const same = tried === move.better[0];
    const found = line(move, [tried])[0];
    const words = same ? `${found} is what the review found, too.` : `${found} is as good as ${line(move, move.better)[0]}, which the review found.`;
    return card("good", ["That is better"], [make("p", {}, words)], acts);
  }
  const words = state === "wrong" ? "Not that one. Try again, or have it shown." : `Instead of ${numbered(move)}: play it on the board, or type it.`;
  return card("trying", [`Find a better move for ${whose}`], [make("p", {}, words)], acts);
}

/** @param {string} kind @param {(Node | string)[]} head @param {HTMLElement[]} body @param {Act[]} acts */
function card(kind, head, body, acts) {
  const buttons = acts.map(({ id, text, act, main }) => {
    const button = make("button", { type: "button", id, class: main ? "compact main" : "compact" }, text);
    button.addEventListener("click", act);
    return button;
  });
  return make("div", { class: `card ${kind}`, role: "note" }, make("h3", {}, ...head), ...body, make("div", { class: "row" }, ...buttons));
}

/** A reason, with moves as they stand here. @param {string | null | undefined} text */
function why(text) {
  return (text ?? "").replaceAll("...", "…").replaceAll("O-", "O\u2011");
}

/** @param {Reviewed} move */
function title({ judgement }) {
  const name = judgement ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The sentence without what stands beside it already: the judgement, the mover's chances, the better move. @param {Reviewed} move @param {import("./api.js").Evaluation} before */
function reason({ sentence, evaluation }, before) {
  const rest = (sentence ?? "").replace(/^(Inaccuracy|Mistake|Blunder), (\d+% to \d+%: )?/, "").replace(/(: |^)\S+ was better\.$/, ".");
  if (/^\.?$/.test(rest)) return `White’s chances go from ${Math.round(before.chances)} % to ${Math.round(evaluation.chances)} %.`;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
