/**
 * The cut pieces: plain shapes, as if cut from paper with few strokes of a knife. Same grid, same foot line and same way of
 * painting as the vector pieces.
 *
 * @typedef {import("./vector.js").Role} Role
 */

/** The edge that light catches, on large squares. */
const EDGE = "M11.4 37.4 H33.6";
const FOOT = "M9.5 40 L12 34.8 H33 L35.5 40 Z";

/** @type {Record<Role, { fill: string[], line: string[], dot: string[], fine: string[] }>} */
export const CUT = {
  pawn: {
    fill: ["M15.5 34.8 L19.4 22 H25.6 L29.5 34.8 Z", FOOT, "M22.5 9.8 L28.3 13.1 V19.7 L22.5 23 L16.7 19.7 V13.1 Z"],
    line: [],
    dot: [],
    fine: [EDGE, "M16.7 13.1 L22.5 16.4 L28.3 13.1 M22.5 16.4 V23"],
  },
  knight: {
    fill: ["M13.4 34.8 C13.6 28.4 19.6 26.2 20.2 20.6 L12.4 26.4 L7.4 22 L14.6 10.4 L14.4 5.2 L20 9 C29.6 9.4 34 18.6 32.2 34.8 Z", FOOT],
    line: ["M25.8 15.4 L28.6 31"],
    dot: ["M15.2 14.6 L18.2 14 L16.8 16.6 Z"],
    fine: [EDGE, "M20 9 L20.4 14.4 L14.6 10.4"],
  },
  bishop: {
    fill: ["M22.5 4.4 C31.2 11.8 32.6 20.2 27.4 26.8 L30.4 34.8 H14.6 L17.6 26.8 C12.4 20.2 13.8 11.8 22.5 4.4 Z", FOOT],
    line: ["M26 11.2 L20.6 18.8"],
    dot: [],
    fine: [EDGE, "M17.6 26.8 H27.4"],
  },
  rook: {
    fill: ["M14 34.8 L16 17.4 H29 L31 34.8 Z", FOOT, "M11.4 7 H17 V10.6 H20 V7 H25 V10.6 H28 V7 H33.6 L32.6 17.8 H12.4 Z"],
    line: [],
    dot: [],
    fine: [EDGE, "M13 14.2 H32"],
  },
  queen: {
    fill: ["M13.2 34.8 L5.8 12.6 L15 20.8 L16.6 7.4 L22.5 18.6 L28.4 7.4 L30 20.8 L39.2 12.6 L31.8 34.8 Z", FOOT],
    line: ["M14.8 29.6 H30.2"],
    dot: [],
    fine: [EDGE, "M15 20.8 L22.5 26 L30 20.8"],
  },
  king: {
    fill: ["M12.8 34.8 L8.6 18.2 C8.4 11.6 19.4 11.8 22.5 19.6 C25.6 11.8 36.6 11.6 36.4 18.2 L32.2 34.8 Z", "M20.7 2.4 H24.3 V5.8 H27.8 V9.4 H24.3 V16.4 H20.7 V9.4 H17.2 V5.8 H20.7 Z", FOOT],
    line: ["M14.6 29.6 H30.4"],
    dot: [],
    fine: [EDGE, "M22.5 19.6 V26.4"],
  },
};
