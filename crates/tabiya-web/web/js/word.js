/**
 * The door of a house that asks for a word. Stands at any address; when it opens, what was wanted is shown.
 */
import { ask } from "./api.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("word-form"));
const input = /** @type {HTMLInputElement} */ (document.getElementById("word"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("enter"));
const refusal = /** @type {HTMLElement} */ (document.getElementById("refusal"));
/** So that a door that does not open is not tried for ever. */
const TRIED = "tabiya.door.tried";

function goIn() {
  if (location.pathname === "/word") location.assign("/");
  else location.reload();
}

/** Whoever is invited to a game, or has said the word before, is not asked. */
async function known() {
  const again = sessionStorage.getItem(TRIED) === location.href;
  sessionStorage.setItem(TRIED, location.href);
  if (again) return;
  const game = new URLSearchParams(location.search).get("game");
  const invitation = /^#join=([0-9a-f]+)$/.exec(location.hash)?.[1];
  try {
    if (!(await ask("GET", "/word")).asked) return goIn();
    if (!game || !invitation) return;
    await ask("POST", `/games/${game}/enter`, { body: { invitation } });
    goIn();
  } catch {
    // Then the word it is.
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  refusal.textContent = "";
  try {
    await ask("POST", "/word", { body: { word: input.value } });
    sessionStorage.removeItem(TRIED);
    goIn();
  } catch (error) {
    refusal.textContent = error instanceof Error ? error.message : String(error);
    input.select();
  } finally {
    button.disabled = false;
  }
});

void known();
