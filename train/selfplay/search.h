// Alpha-beta search of one position, without recursion: a warp has one stack, in shared memory.
#pragma once
#include "movegen.h"
#include "network.h"

constexpr int INFINITE = 32000, MATE = 31000, MATES = MATE - 100;

// Of a frame: in the quiescence search, in check, a null move may be tried, on the principal variation.
enum { QUIESCENCE = 1, IN_CHECK = 2, MAY_PASS = 4, PRINCIPAL = 8 };
// Of a frame: how its last move is searched.
enum { FULL_WINDOW = 0, REDUCED = 1, NULL_WINDOW = 2, AGAIN = 3, PASSED = 9 };

// An entry of the transposition table: x and w the key; y move | depth << 16 | bound << 24; z score | evaluation << 16.
typedef uint4 TableEntry;
enum { LOWER_BOUND = 1, UPPER_BOUND = 2, EXACT = 3 };

struct Found {
    int score, depth;
    u32 move;
};

DEVICE int valueOf(int type) {
    return type == PAWN     ? 100
           : type == KNIGHT ? 320
           : type == BISHOP ? 330
           : type == ROOK   ? 500
           : type == QUEEN  ? 900
           : type == KING   ? 20000
                            : 0;
}

// Static exchange evaluation, a move a lane: whether the capture loses nothing.
DEVICE bool isSoundCapture(Worker &w, u32 m) {
    const int from = FROM(m), to = TO(m);
    int swap = valueOf(w.board[from] & 7) - valueOf(w.board[to] & 7);
    if (swap <= 0) return true;
    u64 occupied = ((w.pieces[WHITE_PIECES] | w.pieces[BLACK_PIECES]) ^ bit(from)) | bit(to);
    const u64 diagonal = w.pieces[BISHOP] | w.pieces[QUEEN], straight = w.pieces[ROOK] | w.pieces[QUEEN];
    u64 attackers = (LOAD(tables.knight[to]) & w.pieces[KNIGHT]) | (LOAD(tables.king[to]) & w.pieces[KING]);
    attackers |= pawnAttacks(0, bit(to)) & w.pieces[PAWN] & w.pieces[BLACK_PIECES];
    attackers |= pawnAttacks(1, bit(to)) & w.pieces[PAWN] & w.pieces[WHITE_PIECES];
    attackers |= slidersTo(to, occupied, straight, diagonal);
    int turn = w.turn, result = 1;
    for (;;) {
        turn ^= 1;
        attackers &= occupied;
        const u64 own = attackers & w.pieces[6 + turn];
        if (!own) break;
        result ^= 1;
        int type;
        u64 men = 0;
#pragma unroll 1
        for (type = 0; type < 6; type++) {
            men = own & w.pieces[type];
            if (men) break;
        }
        if (type == KING) return (attackers & w.pieces[7 - turn]) ? result ^ 1 : result;
        swap = valueOf(type) - swap;
        if (swap < result) break;
        occupied ^= men & (0 - men);
        if (type != KNIGHT) attackers |= slidersTo(to, occupied, straight, diagonal);
    }
    return result;
}

DEVICE int historyIndex(int piece, int to) { return ((piece >> 3) * 6 + (piece & 7)) * 64 + to; }

// Scores for the order of moves, in their upper halves; a move with 0 is not tried.
DEVICE_CALL void scoreMoves(Worker &w, Frame &s, bool noisy) {
    u32 *list = listOf(w, s.first);
    const int last = s.last;
#pragma unroll 1
    for (int first = s.first; first < last; first += 32) {
        FORL {
            const int i = first + LANE;
            if (i >= last) continue;
            const u32 m = list[i] & 0xFFFF;
            const int to = TO(m), kind = KIND(m), piece = w.board[FROM(m)];
            const int victim = kind == EN_PASSANT ? PAWN : kind == CASTLE ? EMPTY : w.board[to] & 7;
            int score;
            if (m == s.tableMove) score = 65535;
            else if (kind == 7) score = 60000;
            else if (kind >= PROMOTION) score = noisy ? 0 : 100;
            else if (victim != EMPTY) {
                const bool sound = kind == EN_PASSANT || isSoundCapture(w, m);
                score = sound ? 50000 + victim * 1000 - (piece & 7) * 100 : noisy ? 0 : 1000 + victim * 100;
            } else if (m == s.killer0) score = 45001;
            else if (m == s.killer1) score = 45000;
            else score = 20000 + w.history[historyIndex(piece, to)];
            list[i] = m | (u32)score << 16;
        }
    }
    WARP_SYNC();
}

// The best move left, which is spent with that; 0 if there is none.
DEVICE u32 pickMove(Worker &w, Frame &s) {
    u32 *list = listOf(w, s.first);
    const int last = s.last;
    PerLane<u32> best;
    PerLane<int> place;
    FORL {
        best[L] = 0;
        place[L] = 0;
#pragma unroll 1
        for (int i = s.first + LANE; i < last; i += 32) {
            const u32 m = list[i];
            if (m > best[L]) {
                best[L] = m;
                place[L] = i;
            }
        }
    }
    const u32 m = maximum(best);
    if (m < 65536) return 0;
    FORL if (best[L] == m) list[place[L]] = m & 0xFFFF;
    WARP_SYNC();
    return m;
}

// A quiet move has refuted the one before: it is a killer, and counts more than the quiet moves tried in vain. Two
// moves of like pieces to one square share an entry; all of them write the same value, so that lanes never disagree.
DEVICE void rewardMove(Worker &w, Frame &s) {
    const u32 m = s.move;
    const int depth = s.depth, first = s.first, last = s.last, own = historyIndex(w.board[FROM(m)], TO(m));
    const int bonus = depth * depth * 16 < 1600 ? depth * depth * 16 : 1600;
    u32 *list = listOf(w, first);
    WARP_SYNC();
    LANE_0 {
        if (s.killer0 != m) {
            s.killer1 = s.killer0;
            s.killer0 = (u16)m;
        }
    }
#pragma unroll 1
    for (int at = first; at < last; at += 32) {
        PerLane<int> index, value;
        FORL {
            const int i = at + LANE;
            const u32 x = i < last ? list[i] : ~0u;
            index[L] = -1;
            if (x < 65536 && isQuiet(w, x)) {
                const int entry = historyIndex(w.board[FROM(x)], TO(x));
                if (entry != own || x == m) {
                    const int h = w.history[entry];
                    index[L] = entry;
                    value[L] = h + (x == m ? bonus : -bonus) - h * bonus / 12000;
                }
            }
        }
        WARP_SYNC();
        FORL if (index[L] >= 0) w.history[index[L]] = (s16)value[L];
        WARP_SYNC();
    }
}

DEVICE bool isDrawn(Worker &w, int ply) {
    if (w.clock >= 100) return true;
    const u64 men = w.pieces[WHITE_PIECES] | w.pieces[BLACK_PIECES];
    if (bitCount(men) <= 3 && !(w.pieces[PAWN] | w.pieces[ROOK] | w.pieces[QUEEN])) return true;
    return w.clock >= 4 && repetitions(w, ply) > 0;
}

DEVICE void storeEntry(Worker &w, Frame &s, int ply, int value) {
    const int bound = value >= s.beta ? LOWER_BOUND : s.raised ? EXACT : UPPER_BOUND;
    const int score = value > MATES ? value + ply : value < -MATES ? value - ply : value;
    const u32 m = s.bestMove ? s.bestMove : s.tableMove;
    LANE_0 {
        TableEntry e;
        e.x = (u32)w.key;
        e.y = m | (u32)(s.depth & 0xFF) << 16 | (u32)bound << 24;
        e.z = (u32)(u16)(s16)score | (u32)(u16)s.eval << 16;
        e.w = (u32)(w.key >> 32);
        w.table[e.w & (u32)w.tableMask] = e;
    }
    WARP_SYNC();
}

// Deeper and deeper until `soft` nodes are spent, never more than `hard`; but depth 1 is always finished.
DEVICE Found think(Worker &w, u32 soft, u32 hard, u32 &nodes) {
    WARP_SYNC();
    w.queued = 0;
    w.anew = 3;
    w.generation = 1;
    Found found;
    found.score = 0;
    found.move = 0;
    found.depth = 0;
    FORL {
        for (int i = LANE; i < MAX_PLY; i += 32) w.stack[i].killer0 = w.stack[i].killer1 = 0;
    }
    WARP_SYNC();
    nodes = 0;
    for (int iteration = 1; iteration <= MAX_PLY; iteration++) {
        int ply = 0, value = 0;
        bool leaf, over = false;
        w.stack[0].alpha = -INFINITE;
        w.stack[0].beta = INFINITE;
        w.stack[0].depth = (s8)iteration;
        w.stack[0].flags = PRINCIPAL;
        w.stack[0].first = 0;
        WARP_SYNC();
        for (;;) {
            { // Enter a node.
                Frame &s = w.stack[ply];
                leaf = false;
                nodes++;
                if (nodes > hard && iteration > 1) over = true;
                int alpha = s.alpha, beta = s.beta, depth = s.depth, flags = s.flags;
                const bool principal = flags & PRINCIPAL;
                if (over || (ply > 0 && isDrawn(w, ply))) {
                    leaf = true;
                    value = 0;
                } else if (ply > 0) {
                    if (alpha < -MATE + ply) alpha = -MATE + ply;
                    if (beta > MATE - ply - 1) beta = MATE - ply - 1;
                    if (alpha >= beta) {
                        leaf = true;
                        value = alpha;
                    }
                }
                if (!leaf) {
                    const TableEntry *entry = w.table + ((u32)(w.key >> 32) & (u32)w.tableMask);
#ifdef __CUDACC__
                    const TableEntry e = __ldcg(entry);
#else
                    const TableEntry e = *entry;
#endif
                    const bool check = isCheck(w);
                    flags = (flags & ~(QUIESCENCE | IN_CHECK)) | (check ? IN_CHECK : 0);
                    if (check && depth >= 0 && ply < 20) depth++;
                    const bool quiescence = depth <= 0;
                    if (quiescence) {
                        flags |= QUIESCENCE;
                        depth = 0;
                    }
                    int tableMove = 0, eval = -INFINITE;
                    bool known = false;
                    if (e.x == (u32)w.key && e.w == (u32)(w.key >> 32)) {
                        tableMove = e.y & 0xFFFF;
                        int score = (s16)e.z;
                        if (score > MATES) score -= ply;
                        if (score < -MATES) score += ply;
                        const int tableDepth = (e.y >> 16) & 0xFF, bound = e.y >> 24;
                        eval = (s16)(e.z >> 16);
                        known = !check && eval != -INFINITE;
                        const bool settles = bound == EXACT || (bound == LOWER_BOUND && score >= beta)
                                             || (bound == UPPER_BOUND && score <= alpha);
                        if (ply > 0 && !principal && tableDepth >= depth && settles) {
                            leaf = true;
                            value = score;
                        }
                    }
                    if (!leaf) {
                        if (!check && !known) eval = evaluate(w);
                        if (check) eval = -INFINITE;
                        int best = -INFINITE;
                        if (ply >= MAX_PLY - 2) {
                            leaf = true;
                            value = check ? 0 : eval;
                        } else if (quiescence && !check) { // standing pat
                            best = eval;
                            if (best >= beta) {
                                leaf = true;
                                value = best;
                            } else if (best > alpha) alpha = best;
                        } else if (!quiescence && !principal && !check && depth <= 6 && eval - 75 * depth >= beta) {
                            leaf = true; // reverse futility
                            value = eval;
                        }
                        s.alpha = (s16)alpha;
                        s.beta = (s16)beta;
                        s.best = (s16)best;
                        s.eval = (s16)eval;
                        s.depth = (s8)depth;
                        s.flags = (u8)flags;
                        s.tableMove = (u16)tableMove;
                        s.count = 0;
                        s.bestMove = 0;
                        s.raised = 0;
                        s.stage = FULL_WINDOW;
                        const int us = w.turn;
                        if (!leaf && !quiescence && !principal && !check && depth >= 3 && eval >= beta && (flags & MAY_PASS)
                            && (w.pieces[6 + us] & ~(w.pieces[PAWN] | w.pieces[KING]))) {
                            WARP_SYNC();
                            LANE_0 { // null move
                                s.key = w.key;
                                s.enPassant = w.enPassant;
                                s.clock = w.clock;
                                s.rights = w.rights;
                                s.move = 0;
                                s.stage = PASSED;
                                w.key ^= LOAD(tables.turn);
                                if (w.enPassant < NO_SQUARE) w.key ^= LOAD(tables.enPassant[w.enPassant & 7]);
                                w.enPassant = NO_SQUARE;
                                w.clock = 0;
                                w.turn = (u8)(us ^ 1);
                                Frame &child = w.stack[ply + 1];
                                const int left = depth - 3 - depth / 4 - (eval - beta > 200);
                                child.alpha = (s16)-beta;
                                child.beta = (s16)(1 - beta);
                                child.depth = (s8)(left < 0 ? 0 : left);
                                child.flags = 0;
                                child.first = s.first;
                            }
                            WARP_SYNC();
                            ply++;
                            continue;
                        }
                    }
                }
            }
            // Leave nodes, and take the next move.
            bool fresh = !leaf; // its moves are not generated yet
            for (;;) {
                if (leaf) {
                    if (ply == 0) break;
                    ply--;
                    Frame &s = w.stack[ply];
                    const int v = -value;
                    leaf = false;
                    WARP_SYNC();
                    if (s.stage == PASSED) {
                        LANE_0 {
                            w.key = s.key;
                            w.enPassant = s.enPassant;
                            w.clock = s.clock;
                            w.turn ^= 1;
                            s.stage = FULL_WINDOW;
                        }
                        WARP_SYNC();
                        if (over || v >= s.beta) {
                            leaf = true;
                            value = over ? 0 : v > MATES ? s.beta : v;
                            continue;
                        }
                        fresh = true;
                    } else {
                        const int alpha = s.alpha, beta = s.beta, stage = s.stage;
                        if (!over && v > alpha
                            && (stage == REDUCED || (stage == NULL_WINDOW && v < beta && (s.flags & PRINCIPAL)))) {
                            // Better than thought: first to full depth, then with the full window.
                            Frame &child = w.stack[ply + 1];
                            const bool again = stage == NULL_WINDOW;
                            child.depth = (s8)(s.depth - 1);
                            child.alpha = again ? (s16)-beta : (s16)(-alpha - 1);
                            child.beta = (s16)-alpha;
                            child.flags = MAY_PASS | (again ? PRINCIPAL : 0);
                            child.first = s.last;
                            s.stage = again ? AGAIN : NULL_WINDOW;
                            WARP_SYNC();
                            ply++;
                            break;
                        }
                        unmakeMove(w, s);
                        if (over) {
                            leaf = true;
                            value = 0;
                            continue;
                        }
                        const int best = s.best;
                        if (v > best) {
                            s.best = (s16)v;
                            if (v > alpha) {
                                s.bestMove = s.move;
                                s.alpha = (s16)v;
                                s.raised = 1;
                                if (ply == 0) {
                                    found.move = s.move;
                                    found.score = v;
                                }
                                if (v >= beta) {
                                    if (!(s.flags & QUIESCENCE) && isQuiet(w, s.move)) rewardMove(w, s);
                                    leaf = true;
                                    value = v;
                                }
                            }
                        }
                        WARP_SYNC();
                        if (leaf) goto store;
                    }
                }
                {
                    Frame &s = w.stack[ply];
                    const bool quiescence = s.flags & QUIESCENCE, check = s.flags & IN_CHECK;
                    const bool principal = s.flags & PRINCIPAL;
                    if (fresh) {
                        fresh = false;
                        const bool noisy = quiescence && !check;
                        const int n = generate(w, s, noisy);
                        if (n == 0 && !noisy) {
                            leaf = true;
                            value = check ? -MATE + ply : 0;
                            continue;
                        }
                        scoreMoves(w, s, noisy);
                    }
                    const u32 scored = pickMove(w, s), m = scored & 0xFFFF;
                    if (scored == 0) {
                        leaf = true;
                        value = s.best == -INFINITE ? s.alpha : s.best;
                        goto store;
                    }
                    const int count = s.count, depth = s.depth, alpha = s.alpha, beta = s.beta;
                    const bool quiet = isQuiet(w, m);
                    if (ply > 0 && s.best > -MATES) {
                        if (quiescence) {
                            if (!check) {
                                const int gain = valueOf(w.board[TO(m)] & 7) + 200;
                                if (s.eval + gain < alpha && KIND(m) < PROMOTION) goto done;
                            } else if (quiet && count >= 3) goto done;
                        } else if (!check) {
                            if (quiet && !principal) {
                                if (depth <= 6 && count >= 4 + depth * depth) goto done;
                                if (depth <= 5 && s.eval + 100 + 90 * depth <= alpha && count > 0) goto done;
                            }
                            if (depth <= 3 && (scored >> 16) < 5000) goto done; // captures that lose
                        }
                    }
                    s.count = (u8)(count + 1);
                    makeMove(w, s, m);
                    Frame &child = w.stack[ply + 1];
                    int left = quiescence ? -1 : depth - 1, stage = FULL_WINDOW, low = -beta;
                    bool childPrincipal = principal && (count == 0 || quiescence);
                    if (count > 0 && !quiescence) {
                        stage = NULL_WINDOW;
                        low = -alpha - 1;
                        if (depth >= 3 && quiet && count >= (principal ? 4 : 2) && !check) {
                            // Late moves are searched less deep, about by 0.6 + ln depth × ln count / 2.1.
                            const int d = 31 - leadingZeros((u64)depth << 32), c = 31 - leadingZeros((u64)count << 32);
                            int less = 1 + ((d * c * 23) >> 6);
                            if (!principal && (scored >> 16) < 20000) less++;
                            if (principal && less > 1) less--;
                            left = depth - 1 - less;
                            if (left < 1) left = 1;
                            if (left < depth - 1) stage = REDUCED;
                        }
                    }
                    child.first = s.last;
                    child.alpha = (s16)low;
                    child.beta = (s16)-alpha;
                    child.depth = (s8)left;
                    child.flags = (u8)(MAY_PASS | (childPrincipal ? PRINCIPAL : 0));
                    s.stage = (u8)stage;
                    WARP_SYNC();
                    ply++;
                    break;
                }
            done:
                leaf = true;
                value = w.stack[ply].best;
            store:
                if (!over) storeEntry(w, w.stack[ply], ply, value);
            }
            if (leaf && ply == 0) break;
        }
        if (over) break;
        found.depth = iteration;
        if (nodes >= soft || found.move == 0 || found.score > MATES || found.score < -MATES) break;
    }
    return found;
}
