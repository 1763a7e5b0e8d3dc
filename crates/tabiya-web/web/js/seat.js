/**
 * The two who play: name, clock, what they have taken.
 *
 * @typedef {import("../types.js").Seat} Seat
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../types.js").Role} Role
 */
import { artOf } from "../board/artwork.js";
import { make } from "./dom.js";
import { figures } from "./figures.js";
import { isWindow, settings } from "./settings.js";
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

/** The piece that stands for a player: a king for people, for the computer the one of its level. @param {Seat} seat @param {Side} side */
function faceOf({ person, name }, side) {
  const level = Number(/\blevel (\d+)/.exec(name)?.[1] ?? Infinity);
  const letter = person ? "k" : level < 1000 ? "p" : level < 1400 ? "n" : level < 1800 ? "b" : level < 2200 ? "r" : level < 2600 ? "q" : "k";
  return figures(side === "white" ? letter.toUpperCase() : letter);
}

/** A name without its level, and the level in words. @param {string} name @param {(elo: number) => string} called @returns {[string, string]} */
function titleOf(name, called) {
  const found = /^(.+), level (\d+)$/.exec(name);
  return found ? [found[1], called(Number(found[2]))] : [name, ""];
}

export class SeatView {
  #element;
  #face = make("span", { class: "face", "aria-hidden": "true" });
  #who = make("span", { class: "who-name" });
  #said = make("span", { class: "said", role: "status" });
  #sub = make("span", { class: "sub" });
  #strip = make("span", { class: "strip", role: "img" });
  #taken = make("span", { class: "taken" }, this.#sub);
  #turn = make("span", { class: "turn" });
  #clock = make("div", { class: "clock", role: "timer" });
  #called;
  #hush = 0;
  /** @type {{ ms: number, at: number } | null} */
  #running = null;
  #warned = false;
  #shown = "";

  /** @param {HTMLElement} element @param {(elo: number) => string} called what a level is called */
  constructor(element, called) {
    this.#element = element;
    this.#called = called;
    const who = make("span", { class: "who" }, make("span", { class: "name" }, this.#who, this.#said), this.#taken);
    element.append(this.#face, who, this.#turn, this.#clock);
    setInterval(() => this.#tick(), 100);
    this.#place();
    document.addEventListener("settings", () => this.#place());
  }

  /** What was taken stands below the name, or in the frame of the board. */
  #place() {
    const table = isWindow() ? this.#element.parentElement : null;
    (table ?? this.#taken).append(this.#strip);
  }

  /** What the one who sits here says, for a while. @param {string} text @param {boolean} [own] whether in their own words */
  say(text, own = false) {
    this.#said.translate = !own;
    this.#said.textContent = text;
    clearTimeout(this.#hush);
    if (text) this.#hush = window.setTimeout(() => (this.#said.textContent = ""), 7000);
  }

  /** @param {Seat} seat @param {Side} side @param {{ turn: string, waits: boolean, note: string }} state what is said about the turn, and about the one who sits here */
  show(seat, side, { turn, waits, note }) {
    this.#element.dataset.side = side;
    this.#element.classList.toggle("turns", turn !== "");
    const [name, level] = titleOf(seat.name, this.#called);
    const key = JSON.stringify([seat.name, side, settings().pieces]);
    if (key !== this.#shown) this.#face.replaceChildren(...faceOf(seat, side));
    this.#shown = key;
    this.#who.textContent = name;
    const colour = side === "white" ? "White" : "Black";
    this.#sub.textContent = note || level || (name === colour ? "" : colour);
    this.#turn.textContent = turn;
    this.#turn.classList.toggle("waits", waits);
    this.#clock.hidden = seat.clock_ms === null;
    this.#running = null;
    if (seat.clock_ms !== null) {
      this.#clock.classList.toggle("ticking", seat.ticking);
      this.#draw(seat.clock_ms);
      if (seat.ticking) this.#running = { ms: seat.clock_ms, at: performance.now() };
      else this.#warned = false;
    }
    this.captured(seat.captured, side);
  }

  /** What this side has taken. @param {Seat["captured"]} captured @param {Side} side */
  captured({ roles, lead }, side) {
    this.#strip.replaceChildren(...strip(roles, side));
    this.#strip.dataset.side = side;
    this.#strip.setAttribute("aria-label", roles.length ? `Has taken: ${roles.join(", ")}` : "Has taken nothing");
    if (lead) this.#strip.append(make("span", { class: "lead" }, `+${lead}`));
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
