/**
 * The page of a server that asks for a password. Stands at any address; with the right one, what was wanted is shown.
 */
import { ask } from "./api.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("password-form"));
const input = /** @type {HTMLInputElement} */ (document.getElementById("password"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("enter"));
const refusal = /** @type {HTMLElement} */ (document.getElementById("refusal"));
/** So that a cookie that is not accepted is not tried for ever. */
const TRIED = "tabiya.password.tried";

function goIn() {
  if (location.pathname === "/password") location.assign("/");
  else location.reload();
}

/** Whoever is invited to a game, or has given the password before, is not asked. */
async function known() {
  const again = sessionStorage.getItem(TRIED) === location.href;
  sessionStorage.setItem(TRIED, location.href);
  if (again) return;
  const game = new URLSearchParams(location.search).get("game");
  const invitation = /^#join=([0-9a-f]+)$/.exec(location.hash)?.[1];
  try {
    if (!(await ask("GET", "/password")).asked) return goIn();
    if (!game || !invitation) return;
    await ask("POST", `/games/${game}/enter`, { body: { invitation } });
    goIn();
  } catch {
    // Then the password it is.
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  refusal.textContent = "";
  try {
    await ask("POST", "/password", { body: { password: input.value } });
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
