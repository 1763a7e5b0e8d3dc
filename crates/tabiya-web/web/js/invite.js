/**
 * Inviting and being invited: the room in which one waits for a friend, and the dialogue in which the friend takes the seat.
 *
 * @typedef {import("./play.js").View} View
 */
import { ask, keepSeats, tokens } from "./api.js";
import { get } from "./dom.js";
import { svg } from "../board/artwork.js";
import { toast } from "./toast.js";

const NAME = "tabiya.name";
const pending = (/** @type {number} */ id) => `tabiya.invitation.${id}`;
const markOf = (/** @type {number} */ id) => `tabiya.mark.${id}`;

/** What this person called themselves the last time. */
export function ownName() {
  return localStorage.getItem(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name.trim());
}

/** Takes an invitation out of the address, where others could read it, and remembers it until it is used. @param {number} id */
export function takeInvitation(id) {
  const found = /^#join=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (found) sessionStorage.setItem(pending(id), found);
  return found ?? sessionStorage.getItem(pending(id));
}

export class WaitingRoom {
  #dialog = /** @type {HTMLDialogElement} */ (get("waiting"));
  #link = /** @type {HTMLInputElement} */ (get("link"));
  #id = 0;

  /** @param {() => void} withdraw */
  constructor(withdraw) {
    get("copy").addEventListener("click", () => void this.#copy());
    get("withdraw").addEventListener("click", withdraw);
    get("leave-waiting").addEventListener("click", () => this.#dialog.close());
    this.#link.addEventListener("focus", () => this.#link.select());
  }

  /** @param {View} view */
  async open({ id }) {
    if (this.#dialog.open && this.#id === id) return;
    this.#id = id;
    const seats = tokens(id);
    const invitation = await ask("GET", `/games/${id}/invitation?origin=${encodeURIComponent(location.origin)}`, { token: seats.white ?? seats.black });
    this.#link.value = invitation.link;
    get("advice").replaceChildren(...withCode(invitation.advice ?? ""));
    get("advice").hidden = !invitation.advice;
    get("qr").replaceChildren(...(invitation.qr ? [drawn(invitation.qr)] : []));
    if (!this.#dialog.open) this.#dialog.showModal();
    get("copy").focus();
  }

  close() {
    if (this.#dialog.open) this.#dialog.close();
  }

  async #copy() {
    const button = get("copy");
    try {
      // Pages that are not of this machine or of https are not given the clipboard: then it is copied by hand.
      if (navigator.clipboard) await navigator.clipboard.writeText(this.#link.value);
      else {
        this.#link.select();
        if (!document.execCommand("copy")) throw new Error();
      }
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    } catch {
      this.#link.select();
      toast("Press Ctrl+C to copy the link.");
    }
  }
}

/** A sentence in which commands stand between backticks. @param {string} sentence */
function withCode(sentence) {
  return sentence.split("`").map((part, index) => {
    if (index % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

/** @param {{ size: number, path: string }} qr */
function drawn({ size, path }) {
  const picture = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "The link as a QR code", "shape-rendering": "crispEdges" });
  picture.append(svg("path", { class: "paper", d: `M0 0h${size}v${size}h-${size}z` }), svg("path", { class: "ink", d: path }));
  return picture;
}

export class JoinDialog {
  #dialog = /** @type {HTMLDialogElement} */ (get("join"));
  #name = /** @type {HTMLInputElement} */ (get("join-name"));
  #refusal = get("join-refusal");
  #joined;
  #id = 0;

  /** @param {(view: View) => void} joined */
  constructor(joined) {
    this.#joined = joined;
    get("join-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#join();
    });
    get("just-watch").addEventListener("click", () => this.#dialog.close());
  }

  /** @param {View} view */
  open(view) {
    if (this.#dialog.open) return;
    const open = view.friend?.open ?? "white";
    const host = view.seats[open === "white" ? 1 : 0].name;
    const [minutes, seconds] = (view.time ?? "").split("+");
    const clock = view.time === null ? "without clocks" : `with ${minutes} ${minutes === "1" ? "minute" : "minutes"} each${seconds === "0" ? "" : ` and ${seconds} more ${seconds === "1" ? "second" : "seconds"} for every move`}`;
    get("join-title").textContent = /^(White|Black)$/.test(host) ? "You are invited to a game" : `${host} invites you to a game`;
    get("join-terms").textContent = `You play ${open === "white" ? "White" : "Black"}, ${clock}.`;
    this.#id = view.id;
    this.#name.value = ownName();
    this.#refusal.textContent = "";
    this.#dialog.showModal();
    get("join-button").focus();
  }

  close() {
    if (this.#dialog.open) this.#dialog.close();
  }

  async #join() {
    const id = this.#id;
    const button = /** @type {HTMLButtonElement} */ (get("join-button"));
    button.disabled = true;
    this.#refusal.textContent = "";
    // By this the server knows us again, should its answer be lost on the way.
    const mark = localStorage.getItem(markOf(id)) ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(markOf(id), mark);
    try {
      const body = { invitation: sessionStorage.getItem(pending(id)) ?? "", name: this.#name.value, mark };
      const { tokens: seats, view } = await ask("POST", `/games/${id}/join`, { body });
      keepName(this.#name.value);
      keepSeats(id, seats);
      sessionStorage.removeItem(pending(id));
      localStorage.removeItem(markOf(id));
      this.#dialog.close();
      this.#joined(view);
    } catch (error) {
      this.#refusal.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      button.disabled = false;
    }
  }
}
