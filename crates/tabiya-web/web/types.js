/**
 * What the server tells of a game. The browser knows no rules: everything that may be done is in here.
 *
 * @typedef {import("./art/vector.js").Side} Side
 * @typedef {import("./art/vector.js").Role} Role
 *
 * @typedef {object} Piece A piece on the board.
 * @property {string} at
 * @property {Side} side
 * @property {Role} role
 *
 * @typedef {object} Target A square that a piece may go to.
 * @property {string} at
 * @property {boolean} takes
 * @property {Role[]} promotions
 *
 * @typedef {object} Destinations Where one piece may go.
 * @property {string} from
 * @property {Target[]} to
 *
 * What is pointed out in a game: the move of a hint, a piece that could be taken.
 *
 * An area is where to look.
 *
 * @typedef {{ kind: "hint", from: string, to: string } | { kind: "threat", at: string } | { kind: "area", at: string }} GameMark
 *
 * What a study points out: an engine's move (rank 0 is the best), a move that a review speaks of, a piece that looks at a square, a pinned piece, how often
 * each side controls a square, a judgement on a move.
 *
 * @typedef {{ kind: "line", from: string, to: string, rank: number }
 *   | { kind: "told", from: string, to: string, tone: "good" | "bad" }
 *   | { kind: "look", from: string, to: string, role: "attacks" | "defends" }
 *   | { kind: "pin", at: string, by: string, king: string }
 *   | { kind: "heat", at: string, white: number, black: number }
 *   | { kind: "glyph", at: string, text: string, tone: string }} StudyMark
 *
 * @typedef {GameMark | StudyMark} Mark
 *
 * @typedef {object} Position What a board shows.
 * @property {number} columns
 * @property {number} rows
 * @property {Piece[]} pieces
 * @property {Destinations[]} destinations
 * @property {[string, string] | null} last
 * @property {string | null} check
 * @property {Side} turn
 * @property {Mark[]} marks
 *
 * @typedef {object} Seat
 * @property {string} name
 * @property {boolean} person
 * @property {number | null} clock_ms
 * @property {boolean} ticking
 * @property {boolean} thinking
 * @property {{ roles: Role[], lead: number | null }} captured
 *
 * @typedef {object} Played
 * @property {Side} side
 * @property {number} number
 * @property {string} san
 * @property {string} uci
 * @property {string} from
 * @property {string} to
 * @property {number} [spent_ms] missing without clocks
 *
 * @typedef {object} Ending
 * @property {Side | null} winner
 * @property {string} text
 * @property {string} result
 *
 * @typedef {object} GameView
 * @property {number} sequence
 * @property {"chess" | "bishops"} kind
 * @property {[Seat, Seat]} seats
 * @property {Played[]} moves
 * @property {number} redoable
 * @property {[string, string] | null} hint
 * @property {string[]} threats
 * @property {{ eco: string, name: string } | null} opening
 * @property {string | null} time minutes and seconds a move, like 5+3
 * @property {{ offered: Side | null, claim: string | null, declined: Side | null }} draw
 * @property {Side | null} take_back
 * @property {Side | null} take_back_declined
 * @property {{ open: Side | null, rematch: Side | null, next: number | null } | null} friend
 * @property {{ chances: number, text: string } | null} evaluation
 * @property {Record<number, { chances: number, text: string }>} evaluations of all positions that the computer was asked about, by half-moves
 * @property {Ending | null} end
 * @property {string} status
 *
 * @typedef {Position & GameView} View
 *
 * @typedef {object} Presence Those around a game.
 * @property {number} watching
 * @property {Side[]} away
 * @property {{ number: number, side: Side, text: string, own?: boolean }[]} said own: in the player's own words
 */

export {};
