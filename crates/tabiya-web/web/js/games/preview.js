/**
 * What is shown beside the list: the game that is chosen, its last position, and what can be done with it.
 *
 * @typedef {import("./words.js").Summary} Summary
 */
import { ask } from "../api.js";
import { get, icon, make } from "../dom.js";
import { miniature } from "../figures.js";
import { address, day, left, length, opening, person } from "./words.js";

let inHand = 0;

/**
 * Shows a game there, or nothing.
 *
 * @param {Summary | null} game @param {boolean} bin whether it is one of the list of the bin
 * @param {(action: "delete" | "restore" | "forget", game: Summary) => void} act
 */
export async function show(game, bin, act) {
  const panel = get("preview");
  if (!game) {
    inHand = 0;
    panel.hidden = true;
    return;
  }
  const state = `${game.id} ${Boolean(game.deleted)}`;
  if (panel.dataset.state === state && !panel.hidden) return;
  // Of a game that has just been deleted the board is still there.
  /** @type {Node | null} */
  let board = inHand === game.id ? panel.querySelector(".mini") : null;
  inHand = game.id;
  if (!board && !game.deleted) {
    try {
      board = make("span", { class: "mini" }, miniature(await ask("GET", `/games/${game.id}`)));
    } catch {
      // It may have been deleted elsewhere; what is known of it is shown.
    }
    if (inHand !== game.id) return;
  }
  const button = (/** @type {"delete" | "restore" | "forget"} */ action, /** @type {string} */ text, /** @type {string} */ picture, /** @type {string} */ look) => {
    const made = make("button", { type: "button", class: look, "data-act": action }, icon(picture), text);
    made.addEventListener("click", () => act(action, game));
    return made;
  };
  const points = game.result === "1/2-1/2" ? ["½", "½"] : game.result === "*" ? ["", ""] : game.result.split("-");
  const side = (/** @type {string} */ name, /** @type {number | null} */ elo, /** @type {string} */ colour, /** @type {string} */ score) =>
    make("div", {}, make("i", { class: `disc ${colour}` }), make("span", {}, person(name), ...(elo ? [make("small", {}, String(elo))] : [])), make("b", {}, score));
  const how = game.end ? game.end.replace(/: (White|Black) wins$/, "").replace(/^(White|Black) wins$|^Draw$/, "").toLowerCase() : "";
  const lines = [
    [game.event, day(game.date, "long")].filter(Boolean).join(", "),
    opening(game),
    [length(game), how].filter(Boolean).join(", "),
    bin ? left(game) : "",
  ];
  const actions = game.deleted
    ? [button("restore", "Restore", "restore", "main wide"), ...(bin ? [make("div", { class: "row" }, button("forget", "Delete for ever", "bin", "danger compact"))] : [])]
    : [
      make("a", { class: "button main wide", href: address(game) }, "Open"),
      make("div", { class: "row" },
        ...(game.kind === "chess" ? [make("a", { class: "button quiet compact", href: `/study?game=${game.id}&review=1` }, icon("review"), "Review")] : []),
        make("a", { class: "button quiet compact", href: `/api/games/${game.id}/record`, download: true }, icon("download"), game.kind === "chess" ? "PGN" : "File"),
        button("delete", "Delete", "bin", "quiet compact")),
    ];
  panel.replaceChildren(...(board ? [board] : []),
    make("div", { class: "versus" }, side(game.white, game.white_elo, "white", points[0]), side(game.black, game.black_elo, "black", points[1])),
    ...lines.filter(Boolean).map((line) => make("p", {}, line)), ...actions);
  panel.dataset.state = state;
  panel.hidden = false;
}
