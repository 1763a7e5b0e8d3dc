/**
 * How large a square is: whole pixels of the screen, so that lines are crisp, as many as fit. Boards whose squares would be
 * smaller than a fingertip can be enlarged and are then moved about like a map.
 */

/** Squares below this size, in pixels, call for the buttons that enlarge: a finger needs more than a mouse. */
const FINGERTIP = matchMedia("(pointer: coarse)").matches ? 30 : 18;
const STEPS = [1, 1.5, 2, 3, 4];
/** From this size on, in pixels, a square is large: strokes grow slower than it, and a piece shows finer lines. */
const LARGE = 110;
/** A stroke of the drawn pieces, in the units of their grid of 45. */
const STROKE = 1.5;

export class Size {
  #host;
  #port;
  #zoom = 0;
  #columns = 8;
  #rows = 8;
  /** How many squares wide the rim is, on each side. */
  #rim = 0;
  #grain = 1;
  cell = 0;

  /** @param {HTMLElement} host @param {HTMLElement} port @param {() => void} changed */
  constructor(host, port, changed) {
    this.#host = host;
    this.#port = port;
    new ResizeObserver(() => {
      const before = this.cell;
      this.fit();
      if (before !== this.cell) changed();
    }).observe(host);
  }

  /** @param {{ columns: number, rows: number, rim: number, grain: number }} board grain: pixels come in multiples of this */
  set({ columns, rows, rim, grain }) {
    if (columns !== this.#columns || rows !== this.#rows) this.#zoom = 0;
    this.#columns = columns;
    this.#rows = rows;
    this.#rim = rim;
    this.#grain = grain;
    this.#host.style.setProperty("--shape", `${columns + 2 * rim} / ${rows + 2 * rim}`);
    this.fit();
  }

  /** Works out the size of a square again. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (!width || !height) return;
    const dots = window.devicePixelRatio || 1;
    const across = width / (this.#columns + 2 * this.#rim), down = height / (this.#rows + 2 * this.#rim);
    const whole = Math.max(4, Math.floor(Math.min(across, down) * dots * STEPS[this.#zoom]));
    const grained = whole >= this.#grain ? whole - (whole % this.#grain) : whole;
    this.cell = grained / dots;
    const rim = Math.round(grained * this.#rim) / dots;
    this.#host.style.setProperty("--cell", `${this.cell}px`);
    this.#host.style.setProperty("--rim", `${rim}px`);
    const fine = Math.min(1, (LARGE + (this.cell - LARGE) / 5) / this.cell);
    this.#host.style.setProperty("--stroke", (STROKE * fine).toFixed(3));
    this.#host.classList.toggle("large", this.cell >= LARGE);
    this.#host.classList.toggle("enlarged", this.#zoom > 0);
    this.#host.classList.toggle("tiny", this.#zoom > 0 || this.cell < FINGERTIP);
  }

  /** One step larger or smaller, about the middle of what is seen. @param {number} by */
  zoom(by) {
    const port = this.#port;
    const middle = [
      (port.scrollLeft + port.clientWidth / 2) / port.scrollWidth,
      (port.scrollTop + port.clientHeight / 2) / port.scrollHeight,
    ];
    this.#zoom = Math.max(0, Math.min(STEPS.length - 1, this.#zoom + by));
    this.fit();
    port.scrollLeft = middle[0] * port.scrollWidth - port.clientWidth / 2;
    port.scrollTop = middle[1] * port.scrollHeight - port.clientHeight / 2;
  }

  get enlarged() {
    return this.#zoom > 0;
  }
}
