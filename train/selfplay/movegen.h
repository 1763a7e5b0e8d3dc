// Legal moves: pieces by lanes.
#pragma once
#include "board.h"

// Checkers and pins of the side to move, a direction a lane.
DEVICE_CALL void analyse(Worker &w) {
    const int us = w.turn;
    const u64 own = w.pieces[6 + us], enemy = w.pieces[7 - us], occupied = own | enemy;
    const int king = lowestBit(w.pieces[KING] & own);
    const u64 straight = (w.pieces[ROOK] | w.pieces[QUEEN]) & enemy;
    const u64 diagonal = (w.pieces[BISHOP] | w.pieces[QUEEN]) & enemy;
    PerLane<u64> between;
    PerLane<bool> check, pin;
    FORL {
        const int line = LANE & 3;
        const bool down = LANE & 4;
        u64 o = occupied, ours = own, sliders = line < 2 ? straight : diagonal, mask = LOAD(tables.line[line][king]);
        u64 from = bit(king);
        if (down) {
            o = reversed(o);
            ours = reversed(ours);
            sliders = reversed(sliders);
            mask = reversed(mask);
            from = reversed(from);
        }
        const u64 ray = mask & ~(from | (from - 1)), men = ray & o;
        u64 nearest = men & (0 - men);
        const u64 rest = men ^ nearest, next = rest & (0 - rest);
        const bool checks = (nearest & sliders) != 0;
        check[L] = checks && LANE < 8;
        pin[L] = (nearest & ours) && (next & sliders) && LANE < 8;
        const u64 end = checks ? nearest : next;
        u64 squares = ray & (end | (end - 1));
        if (down) {
            squares = reversed(squares);
            nearest = reversed(nearest);
        }
        between[L] = squares;
        if (pin[L]) {
            w.pinned[LANE] = (u8)lowestBit(nearest);
            w.pinLine[LANE] = squares;
        }
    }
    const u32 checks = ballot(check), pins = ballot(pin);
    const u64 knights = LOAD(tables.knight[king]) & w.pieces[KNIGHT], pawns = pawnAttacks(us, bit(king)) & w.pieces[PAWN];
    const u64 near = (knights | pawns) & enemy;
    const int n = bitCount32(checks) + bitCount(near);
    u64 mask = ~0ull;
    if (n == 1) mask = checks ? broadcast(between, lowestBit(checks)) : near;
    else if (n > 1) mask = 0;
    WARP_SYNC();
    w.pins = (u8)pins;
    w.checkers = (u8)n;
    w.checkMask = mask;
    w.analysedKey = w.key;
    WARP_SYNC();
}

// Where a man may go to in spite of pins.
DEVICE u64 pinLineOf(Worker &w, int square) {
    u64 line = ~0ull;
    for (u32 pins = w.pins; pins; pins &= pins - 1) {
        const int d = lowestBit(pins);
        if (w.pinned[d] == square) line = w.pinLine[d];
    }
    return line;
}

// The list that place `first` belongs to; index it with the places themselves.
DEVICE u32 *listOf(Worker &w, int first) { return first < LIST ? w.moves : w.spill - LIST; }

// Adds castling to a list of n moves: `safe` are the files where the king would not be attacked.
DEVICE_CALL int addCastling(Worker &w, u32 *list, int n, int castling, u32 safe) {
    const int us = w.turn, backRank = us * 56, king = lowestBit(w.pieces[KING] & w.pieces[6 + us]);
    const u64 occupied = w.pieces[WHITE_PIECES] | w.pieces[BLACK_PIECES];
#pragma unroll 1
    for (int side = 0; side < 2; side++) {
        const int rook = backRank + w.rookFile[side];
        const bool barred = (w.kingPath[side] & ~safe) || (occupied >> backRank & w.free[side]);
        // A rook that is pinned shields the square where the king would stand.
        if (!(castling >> side & 1) || barred || pinLineOf(w, rook) != ~0ull) continue;
        list[n] = king | rook << 6 | CASTLE << 12;
        n++;
    }
    return n;
}

// Writes the legal moves from place s.first on, or only captures and promotions to a queen, and gives their number.
// A list that does not fit goes to the spill, where there is room for the longest at every ply.
DEVICE_CALL int generate(Worker &w, Frame &s, bool noisy) {
    if (w.analysedKey != w.key) analyse(w);
    const int us = w.turn, backRank = us * 56, checkers = w.checkers;
    const u64 own = w.pieces[6 + us], enemy = w.pieces[7 - us], occupied = own | enemy;
    const int king = lowestBit(w.pieces[KING] & own);
    int first = s.first, n = 0;
    if (first < LIST && first + 10 > LIST) first = LIST;
    u32 *list = listOf(w, first);

    // The king: lanes 0 to 7 its steps, 8 to 15 the files that it would castle over.
    const u64 steps = LOAD(tables.king[king]) & ~own & (noisy ? enemy : ~0ull);
    const int castling = (!noisy && !checkers) ? (w.rights >> (2 * us)) & 3 : 0;
    if (steps || castling) {
        const u32 path = (castling & 1 ? w.kingPath[0] : 0) | (castling & 2 ? w.kingPath[1] : 0);
        PerLane<bool> safe;
        PerLane<int> target;
        FORL {
            const int d = LANE;
            bool wanted;
            int to;
            if (d < 8) { // -9 -8 -7 -1 1 7 8 9
                const int e = d < 4 ? d : 7 - d, distance = e == 3 ? 1 : 9 - e;
                to = (king + (d < 4 ? -distance : distance)) & 63;
                wanted = (steps >> to) & 1;
            } else {
                to = (backRank + d - 8) & 63;
                wanted = d < 16 && (path >> (d - 8) & 1);
            }
            target[L] = to;
            safe[L] = wanted && !isAttacked(w, to, occupied ^ bit(king), us, enemy);
        }
        const u32 all = ballot(safe), safeSteps = all & 0xFF;
        FORL {
            if (LANE < 8 && safe[L]) list[first + bitCount32(safeSteps & ((1u << LANE) - 1))] = king | target[L] << 6;
        }
        n = bitCount32(safeSteps);
        if (castling) n = addCastling(w, list + first, n, castling, all >> 8);
    }
    if (checkers > 1) {
        WARP_SYNC();
        s.first = (u16)first;
        s.last = (u16)(first + n);
        WARP_SYNC();
        return n;
    }

    // The others: man p in lanes p (ranks and files, knights, captures of pawns) and p + 16 (diagonals, steps of pawns).
    const u64 men = own ^ bit(king), checkMask = w.checkMask;
    const int menCount = bitCount(men);
    FORL {
        const u32 low = (u32)men, high = (u32)(men >> 32), before = (1u << LANE) - 1;
        if (low >> LANE & 1) w.men[bitCount32(low & before)] = (u8)LANE;
        if (high >> LANE & 1) w.men[bitCount32(low) + bitCount32(high & before)] = (u8)(LANE + 32);
    }
    WARP_SYNC();
    constexpr int HAS_EN_PASSANT = 64, PROMOTES = 128, STEPS = 256;
    PerLane<u64> targets;
    PerLane<int> place, origin;
    FORL {
        const int p = LANE & 15, half = LANE >> 4;
        u64 t = 0;
        int count = 0, from = 0;
        if (p < menCount) {
            from = w.men[p];
            const int square = from, type = w.board[square] & 7;
            const u64 b = bit(square);
            if (type == PAWN) {
                if (half == 0) {
                    const u64 a = pawnAttacks(us, b);
                    t = a & enemy;
                    if (w.enPassant < NO_SQUARE && (a >> w.enPassant & 1)) { // two men leave the rank: look at the king
                        const int taken = w.enPassant ^ 8;
                        const u64 after = (occupied ^ b ^ bit(taken)) | bit(w.enPassant);
                        if (!isAttacked(w, king, after, us, enemy & ~bit(taken))) from |= HAS_EN_PASSANT;
                    }
                } else {
                    const u64 empty = ~occupied;
                    if (us == 0) {
                        t = (b << 8) & empty;
                        t |= ((t & 0xFF0000ull) << 8) & empty;
                    } else {
                        t = (b >> 8) & empty;
                        t |= ((t & 0xFF0000000000ull) >> 8) & empty;
                    }
                    if (noisy) t &= LAST_RANKS;
                    from |= STEPS;
                }
            } else {
                if (type == KNIGHT) {
                    if (half == 0) t = LOAD(tables.knight[square]);
                } else if (half == 0 ? type != BISHOP : type != ROOK) {
#pragma unroll 1
                    for (int line = 2 * half; line < 2 * half + 2; line++) t |= lineAttacks(line, square, occupied);
                }
                t &= noisy ? enemy : ~own;
            }
            t &= checkMask & pinLineOf(w, square);
            count = bitCount(t);
            if (type == PAWN && (t & LAST_RANKS)) {
                from |= PROMOTES;
                if (!noisy) count *= 4;
            }
            if (from & HAS_EN_PASSANT) count++;
        }
        targets[L] = t;
        place[L] = count;
        origin[L] = from;
    }
    const int others = sumsBefore(place);
    if (first < LIST && first + n + others > LIST) {
        FORL if (LANE < n) w.spill[LANE] = w.moves[first + LANE];
        first = LIST;
        list = listOf(w, first);
    }
    FORL {
        u32 *out = list + first + n + place[L];
        const int flags = origin[L], from = flags & 63;
        if (flags & HAS_EN_PASSANT) *out++ = from | w.enPassant << 6 | EN_PASSANT << 12;
        for (u64 t = targets[L]; t; t &= t - 1) {
            const int to = lowestBit(t);
            u32 m = from | to << 6;
            if (flags & PROMOTES) {
                *out++ = m | 7 << 12; // a queen first
                if (!noisy) {
                    *out++ = m | 4 << 12;
                    *out++ = m | 5 << 12;
                    *out++ = m | 6 << 12;
                }
            } else {
                if ((flags & STEPS) && ((to ^ from) & 8) == 0) m |= DOUBLE_STEP << 12;
                *out++ = m;
            }
        }
    }
    s.first = (u16)first;
    s.last = (u16)(first + n + others);
    WARP_SYNC();
    return n + others;
}

// How many lines of legal moves there are.
DEVICE u64 perft(Worker &w, int depth) {
    if (depth == 0) return 1;
    WARP_SYNC();
    w.stack[0].first = 0;
    WARP_SYNC();
    u64 lines = generate(w, w.stack[0], false);
    if (depth == 1) return lines;
    lines = 0;
    int ply = 0, at = w.stack[0].first;
    for (;;) {
        Frame &s = w.stack[ply];
        if (at == s.last) {
            if (ply == 0) return lines;
            ply--;
            at = w.stack[ply].tableMove;
            unmakeMove(w, w.stack[ply]);
            continue;
        }
        const u32 m = listOf(w, s.first)[at] & 0xFFFF;
        at++;
        makeMove(w, s, m);
        Frame &child = w.stack[ply + 1];
        WARP_SYNC();
        s.tableMove = (u16)at; // where to go on
        child.first = s.last;
        WARP_SYNC();
        const int n = generate(w, child, false);
        if (ply + 2 == depth) {
            lines += n;
            unmakeMove(w, s);
        } else {
            ply++;
            at = child.first;
        }
    }
}
