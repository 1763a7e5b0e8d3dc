/** The daily puzzle on the start panel. */
import { Refused, ask } from "./api.js";
import { get, locale } from "./dom.js";
import { miniature } from "./figures.js";

/** Draws the card, which is there already, so that nothing moves; a room without puzzles has none. */
async function showDaily() {
  try {
    const { scenes, solver, date, outcome } = await ask("GET", "/puzzles/daily");
    const day = new Date(`${date}T12:00:00`).toLocaleDateString(locale, { day: "numeric", month: "long" });
    get("daily-board").replaceChildren(miniature(scenes[1], solver));
    const toMove = solver === "white" ? "White to move" : "Black to move";
    get("daily-words").textContent = `${day} · ${outcome === null ? toMove : outcome === "missed" ? "missed" : "solved"}`;
  } catch (error) {
    // Without an answer the card says what it says.
    get("daily").hidden = error instanceof Refused && error.status === 404;
  }
}

// Whoever comes for a game does not see the start panel.
if (!new URLSearchParams(location.search).has("game")) void showDaily();
