/**
 * What an address asks for.
 *
 * @typedef {import("./api.js").Shown} Shown
 */
import { Refused } from "../api.js";
import { begin, look } from "./api.js";

/** The study that the address asks for; nothing if it asks for none. @returns {Promise<Shown | null>} */
export async function asked() {
  const wish = new URLSearchParams(location.search);
  const [study, game, fen] = [wish.get("study"), wish.get("game"), wish.get("fen")];
  const number = (/** @type {string | null} */ text) => (/^\d+$/.test(text ?? "") ? Number(text) : 0);
  if (study !== null) {
    const chapter = number(wish.get("chapter"));
    // One that was deleted meanwhile leads to the study.
    return chapter ? look(chapter).catch(() => look(number(study))) : look(number(study));
  }
  if (game !== null) return ofGame(number(game));
  return fen === null ? null : begin({ fen });
}

/** The study of a game of the archive: begun once, and again if the game has gone on. @param {number} game @returns {Promise<Shown>} */
async function ofGame(game) {
  const name = `tabiya.study.game.${game}`;
  const response = await fetch(`/api/games/${game}/record`);
  if (!response.ok) throw new Refused(response.status, (await response.json().catch(() => null))?.error ?? "There is no such game.");
  const text = await response.text();
  const known = JSON.parse(localStorage.getItem(name) ?? "null");
  if (known?.record === text) {
    try {
      return await look(known.study);
    } catch {
      // It was deleted; then it is begun anew.
    }
  }
  const shown = await begin({ game });
  localStorage.setItem(name, JSON.stringify({ study: shown.study.id, record: text }));
  return shown;
}
