// The board of one game, and how moves change it.
#pragma once
#include "lanes.h"

#ifndef WIDTH
#define WIDTH 512 // sums that each side of the network keeps
#endif
#ifndef MAX_PLY
#define MAX_PLY 30 // how deep a search may go
#endif
#ifndef LIST
#define LIST (WIDTH == 512 ? 172 : 140) // moves of a line that are kept in fast memory; more go to the spill
#endif

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, EMPTY = 7 };
enum { WHITE_PIECES = 6, BLACK_PIECES = 7 };

// A move: from | to << 6 | kind << 12. When castling, `to` is the square of the rook, as in the rest of the project.
enum { NORMAL, DOUBLE_STEP, CASTLE, EN_PASSANT, PROMOTION }; // PROMOTION and on: knight, bishop, rook, queen
#define FROM(m) ((int)((m) & 63))
#define TO(m) ((int)(((m) >> 6) & 63))
#define KIND(m) ((int)(((m) >> 12) & 15))

constexpr int NO_SQUARE = 64;
constexpr int VECTORS = WIDTH / 512; // groups of eight sums that a lane has in each half
constexpr int ROW = WIDTH / 8;       // groups of eight in a row of weights
// A man has at most 27 moves (a pawn twelve, a king ten): no list of sixteen men is longer.
constexpr int LONGEST_LIST = 448;
constexpr int SPILL = MAX_PLY * LONGEST_LIST;
constexpr int GAME_KEYS = 104; // after a hundred plies without capture or pawn move a game is drawn
constexpr int QUEUE = 24;

static_assert(WIDTH % 512 == 0, "each of the 32 lanes takes eight sums of each half at a time");
static_assert(LIST + SPILL < 65536, "places in the list of moves are kept in 16 bits");

struct Tables {
    u64 line[4][64], knight[64], king[64]; // lines: rank, file, diagonals
    u64 piece[2][6][64], rights[16], enPassant[8], turn;
};
DEVICE_DATA Tables tables;

// One ply of a search.
struct Frame {
    u64 key; // before the move; with those of the game, what repetitions are looked up in
    s16 alpha, beta, best, eval;
    u16 move, bestMove, killer0, killer1;
    u16 first, last; // its moves in the list
    u16 tableMove, unused;
    u8 rights, enPassant, clock, mirrored; // as they were; which sides must build their sums anew
    s8 depth;
    u8 flags, count, stage;
    u8 queued, raised;
    u16 unused2;
    u32 generation, change, change2; // of the queue; what the move adds | what it removes << 16, for two men
};

// All that a warp knows; it lives in shared memory, and its size decides how many games fit on a multiprocessor.
struct alignas(16) Worker {
    uint4 sums[2][ROW];
    u32 products[WIDTH / 4], units[16];
    u32 queue[QUEUE], queued, anew, generation, gameKeyCount;
    u64 pieces[8]; // six kinds, then both colours
    u64 key, analysedKey, checkMask, pinLine[8];
    u64 *gameKeys; // of positions of the game before this one that may come again
    u32 *spill;
    uint4 *table; // transposition table
    u64 tableMask;
    u8 board[64]; // kind | colour << 3, or EMPTY
    u8 turn, rights, enPassant, clock, mirror[2], checkers, pins;
    u8 pinned[8], men[16];
    // Castling from any start of Chess960, by file: rights lost with a move from or to it; then for the king's side and
    // the queen's the squares that must not be attacked, those that must be empty, and the rook.
    u8 lost[8], kingPath[2], free[2], rookFile[2], unused[2];
    u16 signatures[GAME_KEYS]; // the lowest bits of the keys of the game
    Frame stack[MAX_PLY];
    s16 history[12 * 64];
    u32 moves[LIST]; // score << 16 | move
};

// 32 games fit on a multiprocessor with 228 KB: four blocks of eight, each with 1 KB of its own. Of a network of width
// 1024 three blocks do.
static_assert(WIDTH > 1024 || sizeof(Worker) <= (WIDTH == 512 ? 7168 : 9600), "fewer games would fit");

DEVICE u64 bit(int square) { return 1ull << square; }

// Squares that a slider on the square sees along one line.
DEVICE u64 lineAttacks(int line, int square, u64 occupied) {
    const u64 mask = LOAD(tables.line[line][square]), b = bit(square), blockers = mask & occupied;
    const u64 lower = blockers & (b - 1), upper = blockers & ~(b | (b - 1));
    const u64 highest = 0x8000000000000000ull >> leadingZeros(lower | 1);
    return mask & (upper ^ (upper - highest));
}

constexpr u64 FILE_A = 0x0101010101010101ull, FILE_H = 0x8080808080808080ull;
constexpr u64 LAST_RANKS = 0xFF000000000000FFull;

DEVICE u64 pawnAttacks(int color, u64 b) {
    return color == 0 ? ((b & ~FILE_A) << 7) | ((b & ~FILE_H) << 9) : ((b & ~FILE_H) >> 7) | ((b & ~FILE_A) >> 9);
}

// Sliders that see the square; each lane asks about its own.
DEVICE_CALL u64 slidersTo(int square, u64 occupied, u64 straight, u64 diagonal) {
    u64 r = 0;
#pragma unroll 1
    for (int line = 0; line < 4; line++) r |= lineAttacks(line, square, occupied) & (line < 2 ? straight : diagonal);
    return r;
}

// Whether one of `enemy` attacks the square; each lane asks about its own.
DEVICE_CALL bool isAttacked(Worker &w, int square, u64 occupied, int us, u64 enemy) {
    const u64 queens = w.pieces[QUEEN];
    u64 a = LOAD(tables.knight[square]) & w.pieces[KNIGHT];
    a |= LOAD(tables.king[square]) & w.pieces[KING];
    a |= pawnAttacks(us, bit(square)) & w.pieces[PAWN];
    a |= slidersTo(square, occupied, w.pieces[ROOK] | queens, w.pieces[BISHOP] | queens);
    return (a & enemy) != 0;
}

DEVICE bool isCheck(Worker &w) {
    const int us = w.turn;
    const u64 enemy = w.pieces[7 - us], own = w.pieces[6 + us], queens = w.pieces[QUEEN];
    const int king = lowestBit(w.pieces[KING] & own);
    const u64 near = (LOAD(tables.knight[king]) & w.pieces[KNIGHT]) | (pawnAttacks(us, bit(king)) & w.pieces[PAWN]);
    const u64 straight = w.pieces[ROOK] | queens, diagonal = w.pieces[BISHOP] | queens;
    PerLane<bool> check;
    FORL {
        const int line = LANE & 3;
        const u64 far = lineAttacks(line, king, own | enemy) & (line < 2 ? straight : diagonal);
        check[L] = ((near | far) & enemy) != 0;
    }
    return ballot(check) != 0;
}

// Neither takes nor promotes.
DEVICE bool isQuiet(Worker &w, u32 m) {
    return KIND(m) == CASTLE || (KIND(m) < CASTLE && w.board[TO(m)] == EMPTY);
}

// A piece on a square in one number, which is also its input of the network; NOTHING has weights of zero.
#define NOTHING (2 << 9 | 7 << 6)
DEVICE u32 codeOf(int piece, int square) { return piece << 6 | square; }

// The men of a move change places, or change back: bitboards by lanes, then the board and the queue of the network.
// Bits are flipped, so that king and rook may castle over each other's squares.
DEVICE_CALL void moveMen(Worker &w, Frame &s, bool undo) {
    u32 a = s.change, b = s.change2;
    FORL {
        const int i = LANE, shift = i < 6 ? 6 : 9;
        const u32 mask = i < 6 ? 7 : 3, wanted = i < 6 ? i : i - 6;
        u64 x = 0;
        if (i < 8) {
            if (((a >> shift) & mask) == wanted) x ^= bit(a & 63);
            if (((a >> 16 >> shift) & mask) == wanted) x ^= bit((a >> 16) & 63);
            if (b) {
                if (((b >> shift) & mask) == wanted) x ^= bit(b & 63);
                if (((b >> 16 >> shift) & mask) == wanted) x ^= bit((b >> 16) & 63);
            }
            w.pieces[i] ^= x;
        }
    }
    LANE_0 {
        if (undo) {
            a = a << 16 | a >> 16;
            b = b << 16 | b >> 16;
        }
        if (undo && s.generation == w.generation) {
            w.queued = s.queued; // the network has not seen it
        } else {
            u32 n = w.queued;
            if (s.mirrored) w.anew |= s.mirrored;
            if (n > QUEUE - 2) {
                w.anew = 3;
                n = 0;
                w.generation++;
            }
            w.queue[n++] = a;
            if (b) w.queue[n++] = b;
            w.queued = n;
        }
        if (b && (b >> 16) != NOTHING) w.board[(b >> 16) & 63] = EMPTY;
        w.board[(a >> 16) & 63] = EMPTY;
        w.board[a & 63] = (u8)((a >> 6) & 15);
        if (b && (b & 0xFFFF) != NOTHING) w.board[b & 63] = (u8)((b >> 6) & 15);
        if (((a >> 6) & 7) == KING) w.mirror[(a >> 9) & 1] = (a & 4) ? 7 : 0;
    }
    WARP_SYNC();
}

DEVICE int rightsLost(Worker &w, int square) {
    const int rank = square >> 3, lost = w.lost[square & 7];
    return rank == 0 ? lost : rank == 7 ? lost << 2 : 0;
}

DEVICE_CALL void makeMove(Worker &w, Frame &s, u32 m) {
    LANE_0 {
        const int us = w.turn, from = FROM(m), kind = KIND(m), rights = w.rights;
        int to = TO(m);
        const int piece = w.board[from], type = piece & 7;
        u64 key = w.key ^ LOAD(tables.turn);
        int clock = w.clock + 1;
        s.key = w.key;
        s.rights = (u8)rights;
        s.enPassant = w.enPassant;
        s.clock = w.clock;
        s.move = (u16)m;
        s.queued = (u8)w.queued;
        s.generation = w.generation;
        if (rights) {
            const int left = rights & ~(rightsLost(w, from) | rightsLost(w, to));
            if (left != rights) key ^= LOAD(tables.rights[rights]) ^ LOAD(tables.rights[left]);
            w.rights = (u8)left;
        }
        u32 second = 0;
        if (kind == CASTLE) {
            const bool kingSide = to > from;
            const int rookFrom = to, rookTo = (from & 56) + (kingSide ? 5 : 3), rook = ROOK | us << 3;
            to = (from & 56) + (kingSide ? 6 : 2);
            key ^= LOAD(tables.piece[us][ROOK][rookFrom]) ^ LOAD(tables.piece[us][ROOK][rookTo]);
            second = codeOf(rook, rookTo) | codeOf(rook, rookFrom) << 16;
        } else {
            const int square = kind == EN_PASSANT ? to ^ 8 : to, taken = w.board[square];
            if (taken != EMPTY) {
                key ^= LOAD(tables.piece[us ^ 1][taken & 7][square]);
                clock = 0;
                second = NOTHING | codeOf(taken, square) << 16;
            }
        }
        const int becomes = kind >= PROMOTION ? kind - PROMOTION + KNIGHT : type;
        key ^= LOAD(tables.piece[us][type][from]) ^ LOAD(tables.piece[us][becomes][to]);
        s.change = codeOf(becomes | us << 3, to) | codeOf(piece, from) << 16;
        s.change2 = second;
        s.mirrored = (u8)(type == KING && ((from ^ to) & 4) ? 1 << us : 0);
        if (w.enPassant < NO_SQUARE) key ^= LOAD(tables.enPassant[w.enPassant & 7]);
        int enPassant = NO_SQUARE;
        const int passed = (from + to) >> 1;
        if (kind == DOUBLE_STEP && (pawnAttacks(us, bit(passed)) & w.pieces[PAWN] & w.pieces[7 - us])) {
            enPassant = passed; // only if a pawn stands there to take
            key ^= LOAD(tables.enPassant[passed & 7]);
        }
        w.enPassant = (u8)enPassant;
        w.turn = (u8)(us ^ 1);
        w.key = key;
        w.clock = (u8)(type == PAWN ? 0 : clock);
    }
    WARP_SYNC();
    moveMen(w, s, false);
}

DEVICE void unmakeMove(Worker &w, Frame &s) {
    LANE_0 {
        w.turn ^= 1;
        w.key = s.key;
        w.rights = s.rights;
        w.enPassant = s.enPassant;
        w.clock = s.clock;
    }
    moveMen(w, s, true);
}

// Before a move of the game: the position may come again, unless what is behind it cannot.
DEVICE_CALL void rememberPosition(Worker &w) {
    LANE_0 {
        u32 n = w.clock == 0 ? 0 : w.gameKeyCount;
        if (n < GAME_KEYS) {
            w.gameKeys[n] = w.key;
            w.signatures[n++] = (u16)w.key;
        }
        w.gameKeyCount = n;
    }
    WARP_SYNC();
}

// How often the position was there before, in the line of the search and in the game. Slow memory is asked only if
// sixteen bits agree.
DEVICE int repetitions(Worker &w, int ply) {
    const int known = ply + (int)w.gameKeyCount, reach = w.clock < known ? w.clock : known;
    const u64 key = w.key;
    int n = 0;
#pragma unroll 1
    for (int first = 4; first <= reach; first += 64) {
        PerLane<bool> same;
        FORL {
            const int at = ply - first - 2 * LANE;
            same[L] = false;
            if (first + 2 * LANE <= reach) {
                const u32 other = at >= 0 ? (u32)w.stack[at].key : w.signatures[(int)w.gameKeyCount + at];
                same[L] = (u16)other == (u16)key;
            }
        }
        if (ballot(same) == 0) continue;
        FORL {
            const int at = ply - first - 2 * LANE;
            if (same[L]) same[L] = (at >= 0 ? w.stack[at].key : w.gameKeys[(int)w.gameKeyCount + at]) == key;
        }
        n += bitCount32(ballot(same));
    }
    return n;
}

// A position as the host describes it.
struct Setup {
    u8 board[64];
    u8 turn, rights, enPassant, clock, kingFile, rookFile[2];
};

// The tables of castling, from the files where king and rooks begin.
DEVICE void setCastling(Worker &w, int rights, int king, int kingSideRook, int queenSideRook) {
    w.rights = (u8)rights;
    for (int i = 0; i < 8; i++) w.lost[i] = 0;
    for (int side = 0; side < 2; side++) {
        const int rook = side ? queenSideRook : kingSideRook, kingTo = side ? 2 : 6, rookTo = side ? 3 : 5;
        const int low = king < rook ? king : rook, high = king < rook ? rook : king;
        u32 path = 0, free = 0;
        for (int f = 0; f < 8; f++) {
            if ((f > king && f <= kingTo) || (f < king && f >= kingTo)) path |= 1u << f;
            if ((f >= kingTo || f >= rookTo || f >= low) && (f <= kingTo || f <= rookTo || f <= high)) free |= 1u << f;
        }
        w.rookFile[side] = (u8)rook;
        w.kingPath[side] = (u8)path;
        w.free[side] = (u8)(free & ~(1u << king | 1u << rook));
        if (rights & (side ? 10 : 5)) {
            w.lost[king] |= (u8)(1 << side);
            w.lost[rook] |= (u8)(1 << side);
        }
    }
}

DEVICE_CALL void setUp(Worker &w, const Setup &p) {
    LANE_0 {
        for (int i = 0; i < 8; i++) w.pieces[i] = 0;
        u64 key = tables.rights[p.rights] ^ (p.turn ? tables.turn : 0);
        for (int i = 0; i < 64; i++) {
            const int piece = w.board[i] = p.board[i], color = piece >> 3, type = piece & 7;
            if (piece == EMPTY) continue;
            w.pieces[type] |= bit(i);
            w.pieces[6 + color] |= bit(i);
            key ^= tables.piece[color][type][i];
            if (type == KING) w.mirror[color] = i & 4 ? 7 : 0;
        }
        if (p.enPassant < NO_SQUARE) key ^= tables.enPassant[p.enPassant & 7];
        w.turn = p.turn;
        w.enPassant = p.enPassant;
        w.clock = p.clock;
        setCastling(w, p.rights, p.kingFile, p.rookFile[0], p.rookFile[1]);
        w.key = key;
        w.analysedKey = ~key;
        w.gameKeyCount = 0;
        w.queued = 0;
        w.anew = 3;
        w.generation = 1;
    }
    WARP_SYNC();
}
