/** What becomes of games: into the bin, out of it, away for ever. All of them, or none. */
import { ask, tokens } from "../api.js";

/** So many games go in one request. */
const TOGETHER = 500;

/** @param {"delete" | "restore" | "forget"} action @param {number[]} ids */
export async function dispose(action, ids) {
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const games = ids.slice(at, at + TOGETHER);
    /** @type {Record<string, string>} */
    const seats = {};
    for (const id of games) {
      const { white, black } = tokens(id);
      const token = white ?? black;
      if (token) seats[id] = token;
    }
    await ask("POST", "/games/bin", { body: { action, games, tokens: seats } });
  }
}

/** Games of chess as one PGN file, in the order of the list. @param {number[]} ids */
export async function save(ids) {
  const parts = [];
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const body = JSON.stringify({ games: ids.slice(at, at + TOGETHER) });
    const answer = await fetch("/api/games/export", { method: "POST", headers: { "content-type": "application/json" }, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(JSON.parse(text).error);
    if (text) parts.push(text);
  }
  if (!parts.length) throw new Error("Games of bishops are not written as PGN.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([parts.join("\n")], { type: "application/x-chess-pgn" }));
  link.download = "games.pgn";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
