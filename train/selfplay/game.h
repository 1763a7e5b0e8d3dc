// A game against itself, by the rules of `tabiya datagen`: random openings, one in eight from Chess960, and when
// games are called off. What a game is depends on the seed, its number and the limits alone.
#pragma once
#include "records.h"

constexpr int LOST_OPENING = 300, WIN_SCORE = 1000, WIN_PLIES = 6, LEVEL_SCORE = 8, LEVEL_PLIES = 12, LEVEL_AFTER = 80;
constexpr int FIRST_PLY = 16, MAX_SCORE = 5000; // positions before, or with more, are not for learning
constexpr int RANDOM_PLIES = 8, CHESS960_EVERY = 8, USUAL_START = 518;
constexpr int GOES_ON = -1, ABANDONED = 3; // besides White's half points

DEVICE u32 randomBelow(u64 &state, u32 bound) {
    state += 0x9E3779B97F4A7C15ull;
    return (u32)(mixed(state) % bound);
}

// The back rank of a start position of Chess960, four bits a file.
DEVICE u32 backRankOf(u32 number) {
    u32 rank = 0, taken = 0;
    const auto place = [&](int file, int type) {
        rank |= (u32)type << (4 * file);
        taken |= 1u << file;
    };
    const auto nthFree = [&](int n) {
        u32 free = ~taken & 0xFF;
        for (; n > 0; n--) free &= free - 1;
        return lowestBit(free);
    };
    place(2 * (number % 4) + 1, BISHOP);
    number /= 4;
    place(2 * (number % 4), BISHOP);
    number /= 4;
    place(nthFree(number % 6), QUEEN);
    number /= 6;
    // The knights stand on two of five files: (0, 1), (0, 2) ... (3, 4).
    int low = 0, high = 1 + (int)number;
    while (high > 4) {
        low++;
        high = high - 4 + low;
    }
    const int second = nthFree(high);
    place(nthFree(low), KNIGHT);
    place(second, KNIGHT);
    for (int i = 0; i < 3; i++) place(nthFree(0), i == 1 ? KING : ROOK);
    return rank;
}

DEVICE_CALL void setStart(Worker &w, Setup &p, u32 number) {
    LANE_0 {
        const u32 rank = backRankOf(number);
        int rooks = 0;
        for (int i = 0; i < 64; i++) p.board[i] = EMPTY;
        for (int f = 0; f < 8; f++) {
            const int type = rank >> (4 * f) & 7;
            p.board[f] = (u8)type;
            p.board[8 + f] = PAWN;
            p.board[48 + f] = PAWN | 8;
            p.board[56 + f] = (u8)(type | 8);
            if (type == KING) p.kingFile = (u8)f;
            if (type == ROOK) p.rookFile[rooks++ ? 0 : 1] = (u8)f; // the queen's side comes first
        }
        p.turn = 0;
        p.rights = 15;
        p.enPassant = NO_SQUARE;
        p.clock = 0;
    }
    WARP_SYNC();
    setUp(w, p);
}

// Lists the legal moves of the position on the board, and forgets an en passant that is none of them, so that the key
// tells whether a position has come again. Gives their number.
DEVICE_CALL int settle(Worker &w) {
    WARP_SYNC();
    w.stack[0].first = 0;
    WARP_SYNC();
    const int n = generate(w, w.stack[0], false);
    if (w.enPassant < NO_SQUARE) {
        const u32 *list = listOf(w, w.stack[0].first);
        PerLane<bool> legal;
        FORL {
            legal[L] = false;
            for (int i = w.stack[0].first + LANE; i < w.stack[0].last; i += 32) legal[L] |= KIND(list[i]) == EN_PASSANT;
        }
        if (ballot(legal) == 0) {
            LANE_0 {
                w.key ^= tables.enPassant[w.enPassant & 7];
                w.analysedKey = w.key;
                w.enPassant = NO_SQUARE;
            }
            WARP_SYNC();
        }
    }
    return n;
}

DEVICE bool cannotMate(Worker &w, int color) {
    const u64 own = w.pieces[6 + color], theirs = w.pieces[7 - color], bishops = w.pieces[BISHOP];
    constexpr u64 LIGHT = 0x55AA55AA55AA55AAull;
    if (own & (w.pieces[PAWN] | w.pieces[ROOK] | w.pieces[QUEEN])) return false;
    if (own & w.pieces[KNIGHT]) return bitCount(own) == 2 && !(theirs & ~(w.pieces[KING] | w.pieces[QUEEN]));
    if (own & bishops) return (!(bishops & LIGHT) || !(bishops & ~LIGHT)) && !(w.pieces[PAWN] | w.pieces[KNIGHT]);
    return true;
}

// White's half points if the rules have ended the game, a draw that can be claimed included.
DEVICE_CALL int outcomeByRules(Worker &w) {
    if (settle(w) == 0) return !w.checkers ? 1 : w.turn ? 2 : 0;
    if ((cannotMate(w, 0) && cannotMate(w, 1)) || w.clock >= 100 || repetitions(w, 0) >= 2) return 1;
    return GOES_ON;
}

// Plays a move of the game and writes down what identifies it.
DEVICE_CALL void playMove(Worker &w, const Run &run, Game &g, u32 m, int score) {
    const u32 bits = projectMove(m);
    if (g.number < run.sampleGames) {
        const int n = settle(w), first = w.stack[0].first;
        const u32 *list = listOf(w, first);
        PerLane<int> before;
        FORL {
            before[L] = 0;
            for (int i = LANE; i < n; i += 32) before[L] += projectMove(list[first + i] & 0xFFFF) < bits;
        }
        const int place = total(before);
        // Mate in n moves is 32,000 - n in files.
        const int told = score > MATES    ? 32000 - (MATE - score + 1) / 2
                         : score < -MATES ? -32000 + (MATE + score) / 2
                                          : score;
        LANE_0 run.sample[g.number * SAMPLE_WORDS + 2 + g.ply] = (u32)place | (u32)told << 16;
    }
    WARP_SYNC();
    LANE_0 {
        g.digest = digested(g.digest, bits);
        g.ply++;
    }
    rememberPosition(w);
    makeMove(w, w.stack[0], m);
}

// Sets the next random opening up that is neither over nor in check.
DEVICE_CALL void startGame(Worker &w, const Run &run, Game &g, Setup &setup) {
    for (;;) {
        u64 random = mixed(mixed(run.seed) ^ g.number) + g.attempt * 0xD1B54A32D192ED03ull;
        const u32 start = randomBelow(random, CHESS960_EVERY) == 0 ? randomBelow(random, 960) : USUAL_START;
        const u32 plies = RANDOM_PLIES + randomBelow(random, 2);
        WARP_SYNC();
        LANE_0 {
            g.attempt++;
            g.start = start;
            g.opening = plies;
            g.digest = digested(0xcbf29ce484222325ull, start);
            g.hash = g.depth = 0;
            g.ply = g.kept = g.level = g.hardStops = 0;
            g.decided = 0;
        }
        // A game knows nothing of those before it.
        FORL {
            for (int i = LANE; i < 12 * 64; i += 32) w.history[i] = 0;
            TableEntry nothing;
            nothing.x = nothing.y = nothing.z = nothing.w = 0;
            for (u32 i = LANE; i <= run.tableMask; i += 32) w.table[i] = nothing;
        }
        setStart(w, setup, start);
        bool sound = true;
        for (u32 i = 0; i < plies && sound; i++) {
            const int n = settle(w);
            sound = n > 0;
            if (!sound) break;
            const u32 m = listOf(w, w.stack[0].first)[w.stack[0].first + randomBelow(random, n)] & 0xFFFF;
            WARP_SYNC();
            playMove(w, run, g, m, 0);
        }
        if (sound && outcomeByRules(w) == GOES_ON && !w.checkers) return;
    }
}

// White's half points if the game is over, by the rules or by common consent.
DEVICE_CALL int judge(Worker &w, Game &g) {
    const int outcome = outcomeByRules(w);
    if (outcome != GOES_ON) return outcome;
    if (g.decided >= WIN_PLIES) return 2;
    if (g.decided <= -WIN_PLIES) return 0;
    if (g.level >= LEVEL_PLIES || g.ply >= MAX_PLIES) return 1;
    PerLane<bool> late;
    FORL late[L] = now() >= g.deadline;
    return ballot(late) ? ABANDONED : GOES_ON;
}

// Takes what the search has found: a record if it is one to learn from, then the move. False if the opening is lost.
DEVICE_CALL bool advance(Worker &w, const Run &run, Game &g, uint4 *pending, const Found &found, u32 nodes) {
    const int score = found.score, size = score < 0 ? -score : score, white = w.turn ? -score : score;
    const u32 m = found.move, ply = g.ply, kept = g.kept, chosen = ply - g.opening;
    const bool lost = chosen == 0 && size > LOST_OPENING;
    const bool keep = ply >= FIRST_PLY && !(w.stack[0].flags & IN_CHECK) && isQuiet(w, m) && size <= MAX_SCORE;
    if (keep && !lost) writeRecord(w, pending + 2 * kept, score, ply);
    WARP_SYNC();
    LANE_0 {
        fetchAdd(&run.totals->nodes, nodes);
        if (lost) {
            g.lostOpenings++;
        } else {
            g.depth += found.depth;
            g.hardStops += nodes > run.hard;
            g.hash = mixed(g.hash ^ ((u64)nodes << 32 | (u32)(u16)(s16)score << 16 | m));
            g.kept = kept + keep;
            const int before = g.decided;
            g.decided = white >= WIN_SCORE    ? (before > 0 ? before + 1 : 1)
                        : white <= -WIN_SCORE ? (before < 0 ? before - 1 : -1)
                                              : 0;
            g.level = chosen + 1 > LEVEL_AFTER && size <= LEVEL_SCORE ? g.level + 1 : 0;
        }
    }
    WARP_SYNC();
    if (!lost) playMove(w, run, g, m, score);
    return !lost;
}

DEVICE_CALL void finishGame(const Run &run, Game &g, const uint4 *pending, int outcome) {
    const int heldOut = (g.digest >> 32) % 100 == 0, kept = g.kept;
    if (outcome != ABANDONED && kept) keepRecords(run, pending, kept, heldOut, outcome);
    LANE_0 {
        Totals &t = *run.totals;
        fetchAdd(&t.lostOpenings, g.lostOpenings);
        if (outcome == ABANDONED) {
            fetchAdd(&t.unfinished, 1);
        } else {
            fetchAdd(&t.games, 1);
            fetchAdd(outcome == 2 ? &t.white : outcome == 1 ? &t.drawn : &t.black, 1);
            fetchAdd(&t.chess960, g.start != USUAL_START);
            fetchAdd(&t.positions, g.ply - g.opening);
            fetchAdd(heldOut ? &t.heldOut : &t.kept, kept);
            fetchAdd(&t.plies, g.ply);
            fetchAdd(&t.depth, g.depth);
            fetchAdd(&t.hardStops, g.hardStops);
            fetchAdd(&t.checksum, mixed(g.digest ^ g.hash ^ outcome));
            if (g.number < run.sampleGames) {
                u32 *sample = run.sample + g.number * SAMPLE_WORDS;
                sample[0] = (u32)outcome | g.opening << 8 | g.ply << 16;
                sample[1] = g.start;
            }
        }
    }
    WARP_SYNC();
}

// Takes the number of the next game; false if no more are to begin.
DEVICE_CALL bool nextGame(const Run &run, Game &g) {
    LANE_0 {
        const u64 reserve = (u64)run.workers * MAX_PLIES;
        bool isOver = now() >= g.until;
        for (int set = 0; set < 2; set++) isOver |= readNow(run.used + set) + reserve > run.capacity[set];
        if (!isOver) g.number = fetchAdd(run.next, 1);
        g.isOver = isOver || g.number >= run.games;
        g.attempt = g.lostOpenings = 0;
    }
    WARP_SYNC();
    return !g.isOver;
}

// One worker: games until there are enough.
DEVICE void playGames(Worker &w, const Run &run, u32 id) {
    Game &g = run.slots[id];
    uint4 *pending = run.pending + (u64)id * MAX_PLIES * 2;
    TableEntry *table = run.table + (u64)id * (run.tableMask + 1);
    WARP_SYNC();
    w.gameKeys = run.gameKeys + (u64)id * GAME_KEYS;
    w.spill = run.spill + (u64)id * SPILL;
    w.table = table;
    w.tableMask = run.tableMask;
    LANE_0 {
        const u64 start = now();
        g.until = start + run.until;
        g.deadline = start + run.deadline;
    }
    WARP_SYNC();
    Setup &setup = *(Setup *)pending; // used before there are records
    while (nextGame(run, g)) {
        startGame(w, run, g, setup);
        int outcome;
        while ((outcome = judge(w, g)) == GOES_ON) {
            u32 nodes;
            const Found found = think(w, run.soft, run.hard, nodes);
            if (!advance(w, run, g, pending, found, nodes)) startGame(w, run, g, setup);
        }
        finishGame(run, g, pending, outcome);
    }
}
