// A UCI engine for matches, one worker of the processor. It minds nodes alone, no clock.
#pragma once
#include "backend.h"

#ifdef __CUDACC__
static int runUci() { fail("uci is in the build for the processor: make, then build/selfplay uci"); }
#else
#include <iostream>

static int runUci() {
    static const char *START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Worker &w = *new Worker();
    w.gameKeys = allocate<u64>(GAME_KEYS);
    w.spill = allocate<u32>(SPILL);
    std::vector<TableEntry> table;
    bool chess960 = false;
    u32 soft = 500, hard = 1500;
    const auto clear = [&](u32 entries) {
        TableEntry nothing = {0, 0, 0, 0};
        table.assign(entries, nothing);
        memset(w.history, 0, sizeof w.history);
    };
    clear(1 << 16);
    setUp(w, parseFen(START));
    string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        string word;
        in >> word;
        if (word == "uci") {
            printf("id name Tabiya self-play\nid author Tabiya\noption name Hash type spin default 1 min 1 max 1024\n"
                   "option name Threads type spin default 1 min 1 max 1\noption name UCI_Chess960 type check default false\n"
                   "option name SoftNodes type spin default 500 min 0 max 1000000000\nuciok\n");
        } else if (word == "isready") {
            printf("readyok\n");
        } else if (word == "ucinewgame") {
            clear((u32)table.size());
        } else if (word == "setoption") {
            string name, value;
            in >> word >> name >> word >> value;
            if (name == "UCI_Chess960") chess960 = value == "true";
            if (name == "SoftNodes") soft = (u32)atoll(value.c_str());
            if (name == "Hash") {
                u32 entries = 1 << 16;
                while (entries < 1u << 26 && (u64)entries * 32 <= (u64)atoll(value.c_str()) << 20) entries *= 2;
                clear(entries);
            }
        } else if (word == "position") {
            string fen;
            in >> word;
            if (word == "startpos") {
                fen = START;
                in >> word;
            } else {
                while (in >> word && word != "moves") fen += word + " ";
            }
            setUp(w, parseFen(fen));
            while (in >> word) {
                settle(w);
                const Frame &s = w.stack[0];
                const u32 *list = listOf(w, s.first);
                u32 m = 0;
                for (int i = s.first; i < s.last; i++) {
                    const u32 other = list[i] & 0xFFFF;
                    if (nameOf(other, chess960) == word) m = other;
                }
                if (!m) {
                    printf("info string illegal move %s\n", word.c_str());
                    break;
                }
                rememberPosition(w);
                makeMove(w, w.stack[0], m);
            }
            settle(w);
        } else if (word == "go") {
            // With a limit of nodes, never more; SoftNodes 0 makes it the soft limit.
            u64 limit = 0;
            while (in >> word)
                if (word == "nodes") in >> limit;
            hard = limit ? (u32)std::min<u64>(soft ? limit : 3 * limit, 1u << 31) : 3 * std::max(soft, 100u);
            u32 nodes = 0;
            const u32 enough = limit ? (u32)std::min<u64>(limit, 1u << 31) : std::max(soft, 100u);
            w.table = table.data();
            w.tableMask = table.size() - 1;
            const Found found = think(w, enough, hard, nodes);
            const string best = found.move ? nameOf(found.move, chess960) : "0000";
            const int s = found.score;
            const bool mates = s > MATES || s < -MATES;
            const int told = !mates ? s : s > 0 ? (MATE - s + 1) / 2 : -(MATE + s) / 2;
            printf("info depth %d score %s %d nodes %u pv %s\n", found.depth, mates ? "mate" : "cp", told, nodes, best.c_str());
            printf("bestmove %s\n", best.c_str());
        } else if (word == "quit") {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
#endif
