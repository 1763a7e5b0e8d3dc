// What a run leaves behind: records to learn from, whole games to check, and totals. The formats are those of
// `tabiya data`; crates/tabiya-lab/src/data tells them byte by byte.
#pragma once
#include "search.h"

constexpr int MAX_PLIES = 400; // a game of so many plies is drawn
// Of a game in the sample: result | plies of the opening << 8 | plies << 16, its start, and for each ply the place of
// the move among the legal ones | score << 16. No result is written before the end.
constexpr int SAMPLE_WORDS = MAX_PLIES + 2;
constexpr u32 NO_RESULT = 255;

struct Totals {
    u64 games, white, drawn, black, chess960;
    u64 positions, kept, heldOut, plies, nodes, depth, hardStops, lostOpenings, unfinished;
    u64 checksum; // a sum, so that the order of games does not matter
};

// A game in progress.
struct Game {
    u64 until, deadline; // of the worker: those of the run, by the clock
    u64 number, digest, hash, depth;
    u32 attempt, start, opening, ply, kept, hardStops, lostOpenings;
    int decided; // for how many plies White has been winning; negative: Black
    u32 level;   // for how many plies nobody has
    u32 isOver;
};

// A run. The pointers are to device memory.
struct Run {
    u64 seed, games, sampleGames;
    u64 until, deadline; // begin no game after the first, give up those in progress after the second; in nanoseconds
    u32 soft, hard, tableMask, workers;
    TableEntry *table;
    Game *slots;
    uint4 *pending; // records of the games in progress, MAX_PLIES for each worker
    uint4 *records[2];
    u64 capacity[2], *used; // train, held out
    u64 *next;
    u32 *sample;
    u64 *gameKeys;
    u32 *spill;
    Totals *totals;
};

DEVICE u64 turnedOver(u64 x) {
    x = ((x >> 8) & 0x00FF00FF00FF00FFull) | (x & 0x00FF00FF00FF00FFull) << 8;
    x = ((x >> 16) & 0x0000FFFF0000FFFFull) | (x & 0x0000FFFF0000FFFFull) << 16;
    return x >> 32 | x << 32;
}

// The position as a record, with the side to move where zero belongs and the result still to be told.
DEVICE_CALL void writeRecord(Worker &w, uint4 *to, int score, int ply) {
    LANE_0 {
        const int us = w.turn;
        const u64 all = w.pieces[WHITE_PIECES] | w.pieces[BLACK_PIECES], occupied = us ? turnedOver(all) : all;
        u64 low = 0, high = 0;
        int n = 0;
        for (u64 left = occupied; left; left &= left - 1, n++) {
            const int square = lowestBit(left), piece = w.board[us ? square ^ 56 : square];
            const u64 code = (piece & 7) | ((piece >> 3) ^ us) << 3;
            if (n < 16) low |= code << (4 * n);
            else high |= code << (4 * n - 64);
        }
        uint4 a, b;
        a.x = (u32)occupied;
        a.y = (u32)(occupied >> 32);
        a.z = (u32)low;
        a.w = (u32)(low >> 32);
        b.x = (u32)high;
        b.y = (u32)(high >> 32);
        b.z = (u32)(u16)(s16)score | (u32)w.clock << 24;
        b.w = (u32)ply | (u32)us << 16;
        to[0] = a;
        to[1] = b;
    }
    WARP_SYNC();
}

// The records of a finished game join the others. There is room: no game begins when there might not be.
DEVICE_CALL void keepRecords(const Run &run, const uint4 *pending, int count, int set, int whitePoints) {
    PerLane<u64> place;
    FORL {
        place[L] = 0;
        if (LANE == 0) place[L] = fetchAdd(run.used + set, (u64)count);
    }
    uint4 *out = run.records[set] + 2 * broadcast(place, 0);
    FORL {
        for (int i = LANE; i < count; i += 32) {
            uint4 b = pending[2 * i + 1];
            const int points = b.w >> 16 & 1 ? 2 - whitePoints : whitePoints;
            b.w &= 0xFFFF;
            b.z |= (u32)points << 16;
            out[2 * i] = pending[2 * i];
            out[2 * i + 1] = b;
        }
    }
    WARP_SYNC();
}

// A move as the rest of the project numbers it.
DEVICE u32 projectMove(u32 m) {
    const int kind = KIND(m);
    const u32 special = kind >= PROMOTION ? (u32)(kind - PROMOTION) | 4 : kind == EN_PASSANT ? 8 : kind == CASTLE ? 12 : 0;
    return (m & 0xFFF) | special << 12;
}

// FNV-1a of two bytes more.
DEVICE u64 digested(u64 hash, u32 word) {
    hash = (hash ^ (word & 0xFF)) * 0x100000001b3ull;
    return (hash ^ (word >> 8)) * 0x100000001b3ull;
}

DEVICE u64 mixed(u64 z) { // SplitMix64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
