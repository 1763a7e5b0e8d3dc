// The network: sums of both sides that follow the moves, then three small layers. In whole numbers, equal to
// tabiya-nnue's to the last centipawn; crates/tabiya-nnue/src/format.rs says what is computed and how files look.
#pragma once
#include "board.h"

// Laid out for lanes. Rows 768 and on are zero: NOTHING is there, for either side and mirror.
constexpr int ROWS = 1664;
struct Network {
    uint4 inputs[ROWS * ROW]; // of a row the first halves of all sums, then the second; two words as low + (high << 16)
    uint4 empty[ROW];
    uint4 weights2[8][WIDTH / 32][32]; // set, step, lane: unit lane / 2, side lane % 2, products 16 × step and on
    int bias2[8][16];
    uint4 weights3[8][4][32]; // set, four units of the second layer, unit: bytes low (value, square), high (same)
    int bias3[8][32];
    int weights4[8][32];
    int bias4[8];
    int scale;
};
DEVICE_DATA Network network;

// Four products of sums, as bytes: two words of the first half and two of the second.
DEVICE u32 productsOf(u32 a, u32 b) {
    // Words were added without regard to borrows: undo them.
    a = clipped(a + ((a & 0x8000u) << 1));
    b = clipped(b + ((b & 0x8000u) << 1));
    return ((a & 0xFFFF) * (b & 0xFFFF)) >> 9 | (((a >> 16) * (b >> 16)) >> 9) << 8;
}

DEVICE void addTo(uint4 &a, const uint4 &plus, const uint4 &minus) {
    a.x += plus.x - minus.x;
    a.y += plus.y - minus.y;
    a.z += plus.z - minus.z;
    a.w += plus.w - minus.w;
}

// Brings the sums up to date with the queue of changes, or builds them anew, and multiplies their halves.
DEVICE void updateSums(Worker &w, u64 occupied) {
    const int us = w.turn, queued = w.queued;
    const u32 anew = w.anew;
#pragma unroll 1
    for (int side = 0; side < 2; side++) {
        // Black sees the board turned over and the colours exchanged, a king on the right half sees it in a mirror.
        const u32 view = side * (512 + 56) ^ w.mirror[side];
        const bool fresh = anew >> side & 1;
        FORL {
#pragma unroll 1
            for (int v = 0; v < VECTORS; v++) {
                const int at = 32 * v + LANE;
                uint4 a, b;
                if (fresh) {
                    a = LOAD(network.empty[at]);
                    b = LOAD(network.empty[ROW / 2 + at]);
                } else {
                    a = w.sums[side][at];
                    b = w.sums[side][ROW / 2 + at];
                }
                u64 left = occupied;
                int i = queued;
#pragma unroll 1
                for (;;) {
                    u32 plus, minus = NOTHING;
                    if (fresh) {
                        if (!left) break;
                        const int square = lowestBit(left);
                        left &= left - 1;
                        plus = codeOf(w.board[square], square);
                    } else {
                        if (i == 0) break;
                        const u32 change = w.queue[--i];
                        plus = change & 0xFFFF;
                        minus = change >> 16;
                    }
                    plus ^= view;
                    minus ^= view;
                    plus = (plus - (plus >> 9) * 128) * ROW + at;
                    minus = (minus - (minus >> 9) * 128) * ROW + at;
                    // All four are on their way before the first is needed.
                    const uint4 c = LOAD(network.inputs[plus]), d = LOAD(network.inputs[minus]);
                    const uint4 e = LOAD(network.inputs[plus + ROW / 2]), f = LOAD(network.inputs[minus + ROW / 2]);
                    addTo(a, c, d);
                    addTo(b, e, f);
                }
                w.sums[side][at] = a;
                w.sums[side][ROW / 2 + at] = b;
                u32 *out = w.products + (side ^ us) * (WIDTH / 8) + 2 * at;
                out[0] = productsOf(a.x, b.x) | productsOf(a.y, b.y) << 16;
                out[1] = productsOf(a.z, b.z) | productsOf(a.w, b.w) << 16;
            }
        }
    }
    WARP_SYNC();
    w.queued = 0;
    w.anew = 0;
    w.generation = (u32)w.generation + 1;
}

// What the position is worth for the side to move, in centipawns.
DEVICE int evaluate(Worker &w) {
    const u64 occupied = w.pieces[WHITE_PIECES] | w.pieces[BLACK_PIECES];
    updateSums(w, occupied);
    int set = (bitCount(occupied) - 2) >> 2;
    if (set > 7) set = 7;
    WARP_SYNC();
    PerLane<int> sum;
    FORL {
        int t = 0;
        const uint4 *products = (const uint4 *)w.products + (LANE & 1) * (WIDTH / 32);
#pragma unroll 4
        for (int i = 0; i < WIDTH / 32; i++) {
            const uint4 x = products[i], q = LOAD(network.weights2[set][i][LANE]);
            t = dot4(x.w, q.w, dot4(x.z, q.z, dot4(x.y, q.y, dot4(x.x, q.x, t))));
        }
        sum[L] = t;
    }
    FORL {
        int x = sum[L] + neighbour(sum, 1, L) + LOAD(network.bias2[set][LANE >> 1]);
        x >>= 5;
        x = x < -1016 ? -1016 : x > 1016 ? 1016 : x;
        w.units[LANE >> 1] = (x > 0 ? x : 0) | ((x * x) >> 10) << 16;
    }
    WARP_SYNC();
    PerLane<int> y;
    FORL {
        int low = LOAD(network.bias3[set][LANE]), high = 0;
#pragma unroll 2
        for (int q = 0; q < 4; q++) {
            const uint4 z = LOAD(network.weights3[set][q][LANE]), v = ((const uint4 *)w.units)[q];
            low = dot2Low(v.x, z.x, low);
            high = dot2High(v.x, z.x, high);
            low = dot2Low(v.y, z.y, low);
            high = dot2High(v.y, z.y, high);
            low = dot2Low(v.z, z.z, low);
            high = dot2High(v.z, z.z, high);
            low = dot2Low(v.w, z.w, low);
            high = dot2High(v.w, z.w, high);
        }
        int x = low + high * 256;
        x >>= 8;
        x = x < 0 ? 0 : x > 1016 ? 1016 : x;
        y[L] = x * LOAD(network.weights4[set][LANE]);
    }
    const int output = total(y) + LOAD(network.bias4[set]);
    const s64 centipawns = (s64)output * LOAD(network.scale) / (1016 * 256);
    return (int)(centipawns > 20000 ? 20000 : centipawns < -20000 ? -20000 : centipawns);
}
