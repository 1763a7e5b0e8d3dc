/**
 * The two who play: name, clock, what they have taken.
 *
 * @typedef {import("../types.js").Seat} Seat
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../types.js").Role} Role
 */
import { artOf } from "../board/artwork.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";

/** Where taken pieces stand: so many of each kind that a game begins with. */
/** @type {[Role, number][]} */
const SLOTS = [["pawn", 8], ["knight", 2], ["bishop", 2], ["rook", 2], ["queen", 1]];
const LOW_MS = 20_000;

/** @param {number} ms */
export function clockText(ms) {
  const tenths = Math.floor(ms / 100);
  if (ms < LOW_MS) return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
  const seconds = Math.ceil(ms / 1000);
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * What a side has taken, each kind in its place. Pixel pieces have fixed slots; others stand together.
 *
 * @param {Role[]} roles @param {Side} by
 * @returns {HTMLElement[]}
 */
function strip(roles, by) {
  const other = by === "white" ? "black" : "white";
  const pixel = settings().pieces === "pixel";
  return SLOTS.flatMap(([role, count]) => {
    const taken = roles.filter((one) => one === role).length;
    return Array.from({ length: Math.max(pixel ? count : 0, taken) }, (_, index) => {
      const slot = document.createElement("span");
      slot.className = index === 0 ? "slot gap" : "slot";
      slot.dataset.role = role;
      if (index < taken) slot.append(artOf(role, other, settings().pieces, "small"));
      return slot;
    });
  });
}

export class SeatView {
  #element;
  #name = document.createElement("div");
  #clock = document.createElement("div");
  #strip = document.createElement("div");
  #who = document.createElement("span");
  #said = document.createElement("span");
  #hush = 0;
  /** @type {{ ms: number, at: number } | null} */
  #running = null;
  #warned = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#name.className = "name";
    this.#clock.className = "clock";
    this.#clock.setAttribute("role", "timer");
    this.#strip.className = "strip";
    this.#said.className = "said";
    this.#said.setAttribute("role", "status");
    this.#name.append(this.#who, this.#said);
    element.append(this.#name, this.#clock, this.#strip);
    setInterval(() => this.#tick(), 100);
  }

  /** What the one who sits here says, for a while. @param {string} text */
  say(text) {
    this.#said.textContent = text;
    clearTimeout(this.#hush);
    if (text) this.#hush = window.setTimeout(() => (this.#said.textContent = ""), 7000);
  }

  /** @param {Seat} seat @param {Side} side @param {boolean} turn @param {string} [note] */
  show(seat, side, turn, note = "") {
    this.#element.dataset.side = side;
    this.#element.classList.toggle("turn", turn);
    this.#who.textContent = seat.name;
    const more = seat.thinking ? "is thinking" : note;
    if (more) {
      const element = document.createElement("span");
      element.className = seat.thinking ? "thinking" : "note";
      element.textContent = ` ${more}`;
      this.#who.append(element);
    }
    this.#clock.hidden = seat.clock_ms === null;
    this.#running = null;
    if (seat.clock_ms !== null) {
      this.#clock.classList.toggle("ticking", seat.ticking);
      this.#draw(seat.clock_ms);
      if (seat.ticking) this.#running = { ms: seat.clock_ms, at: performance.now() };
      else this.#warned = false;
    }
    const { roles, lead } = seat.captured;
    this.#strip.replaceChildren(...strip(roles, side));
    this.#strip.setAttribute("role", "img");
    this.#strip.setAttribute("aria-label", roles.length ? `Has taken: ${roles.join(", ")}` : "Has taken nothing");
    if (lead) {
      const ahead = document.createElement("span");
      ahead.className = "lead";
      ahead.textContent = `+${lead}`;
      this.#strip.append(ahead);
    }
  }

  get clock() {
    return this.#clock.hidden ? "no clock" : this.#clock.textContent;
  }

  #tick() {
    if (!this.#running) return;
    const left = Math.max(0, this.#running.ms - (performance.now() - this.#running.at));
    this.#draw(left);
    if (left < 10_000 && !this.#warned) {
      this.#warned = true;
      play("low");
    }
  }

  /** @param {number} ms */
  #draw(ms) {
    const text = clockText(ms);
    if (this.#clock.textContent !== text) this.#clock.textContent = text;
    this.#clock.classList.toggle("low", ms < LOW_MS && this.#clock.classList.contains("ticking"));
  }
}
