// What the tests need: positions with evaluations that followed the moves, a wider network, and a second look at games.
#include "backend.h"

#include <fstream>
#include <iostream>
#include <map>

static string fenOf(const Worker &w) {
    string text;
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0, empty = 0; file < 8; file++) {
            const int piece = w.board[8 * rank + file];
            empty = piece == EMPTY ? empty + 1 : 0;
            if (piece != EMPTY) text += (piece & 8 ? "pnbrqk" : "PNBRQK")[piece & 7];
            else if (empty == 1) text += '1';
            else text.back()++;
        }
        if (rank) text += '/';
    }
    return text + (w.turn ? " b" : " w") + " - - 0 1";
}

static Worker &newWorker() {
    Worker &w = *new Worker();
    w.gameKeys = allocate<u64>(GAME_KEYS);
    w.spill = allocate<u32>(SPILL);
    return w;
}

static u32 moveAt(Worker &w, int i) { return listOf(w, w.stack[0].first)[w.stack[0].first + i] & 0xFFFF; }

// Random games with moves taken back now and then: FENs to one file, evaluations to the other.
static void writePositions(u64 count, const string &fens, const string &evaluations) {
    Worker &w = newWorker();
    std::ofstream fenFile(fens), evaluationFile(evaluations);
    u64 random = 7;
    Setup setup;
    while (count) {
        setStart(w, setup, randomBelow(random, 960));
        for (int ply = 0; ply < 250 && count; ply++) {
            int n = settle(w);
            if (n == 0) break;
            if (randomBelow(random, 3) == 0) { // there and back, at times with the network looking
                Frame &s = w.stack[1];
                makeMove(w, s, moveAt(w, randomBelow(random, n)));
                if (randomBelow(random, 2)) evaluate(w);
                unmakeMove(w, s);
            }
            const u32 m = moveAt(w, randomBelow(random, n));
            makeMove(w, w.stack[0], m);
            if (randomBelow(random, 4) == 0) continue; // the queue grows
            fenFile << fenOf(w) << "\n";
            evaluationFile << evaluate(w) << "\n";
            count--;
        }
    }
}

// A network of twice the width that thinks the same: the sums are strewn among others, which are never positive.
static void widen(const string &from, const string &to) {
    const Bytes old = readFile(from);
    const int width = 512, half = 256;
    const size_t start = 28 + (old[22] | old[23] << 8);
    Bytes out(old.begin(), old.begin() + start);
    out[12] = (u8)(2 * width & 255);
    out[13] = (u8)(2 * width >> 8);
    const auto newPlace = [](int i) { return (i * 37 + 11) % 512; };
    size_t at = start;
    for (int row = 0; row < 769; row++, at += 2 * width) {
        std::vector<s16> sums(2 * width);
        for (int i = 0; i < 2 * width; i++) sums[i] = (s16)(row < 768 ? -(i % 29) : -(i % 7));
        for (int h = 0; h < 2; h++)
            for (int i = 0; i < half; i++) memcpy(&sums[h * width + newPlace(i)], &old[at + 2 * (h * half + i)], 2);
        for (s16 s : sums) out.insert(out.end(), {(u8)s, (u8)(s >> 8)});
    }
    for (int unit = 0; unit < 8 * 16; unit++, at += width) {
        Bytes weights(2 * width);
        for (int i = 0; i < 2 * width; i++) weights[i] = (u8)(17 * i + unit);
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < half; i++) weights[side * width + newPlace(i)] = old[at + side * half + i];
        out.insert(out.end(), weights.begin(), weights.end());
    }
    out.insert(out.end(), old.begin() + at, old.end());
    const u32 crc = crc32(out.data() + 28, out.size() - 28, crc32(out.data(), 24));
    for (int i = 0; i < 4; i++) out[24 + i] = (u8)(crc >> 8 * i);
    std::ofstream(to, std::ios::binary).write((const char *)out.data(), (std::streamsize)out.size());
}

// Plays packed games again and asks whether each ended when and as it should. Repetitions are told by text.
static void checkGames(const string &path) {
    const Bytes file = readFile(path);
    Worker &w = newWorker();
    Setup setup;
    size_t at = 10 + (file[8] | file[9] << 8);
    std::map<string, int> ends;
    int games = 0;
    while (at < file.size()) {
        const size_t end = at + 6 + (file[at] | file[at + 1] << 8);
        at += 6;
        const auto number = [&] {
            u32 n = 0;
            for (int shift = 0;; shift += 7) {
                n |= (u32)(file[at] & 0x7F) << shift;
                if (!(file[at++] & 0x80)) return n;
            }
        };
        const u32 game = number();
        const auto wrong = [&](const string &why) { fail("game " + std::to_string(game) + ": " + why); };
        const int start = file[at] | file[at + 1] << 8, result = file[at + 2], opening = file[at + 3];
        at += 4;
        if (opening != 8 && opening != 9) wrong("an opening of another length");
        setStart(w, setup, start);
        std::map<string, int> seen;
        int before = 0, whiteWins = 0, blackWins = 0, level = 0;
        string why;
        for (int ply = 0;; ply++) {
            const int n = settle(w), clock = w.clock, men = bitCount(w.pieces[6] | w.pieces[7]);
            const bool check = isCheck(w);
            const string text = fenOf(w) + std::to_string(w.rights) + "/" + std::to_string(w.enPassant);
            int points = 1;
            why = "";
            if (n == 0) why = check ? "mate" : "stalemate";
            else if (men <= 4 && outcomeByRules(w) == 1 && clock < 100) why = "material";
            else if (clock >= 100) why = "fifty moves";
            if (++seen[text] >= 3) why = "repetition";
            if (why == "mate") points = w.turn ? 2 : 0;
            if (why.empty() && whiteWins >= 6) why = "adjudicated win", points = 2;
            if (why.empty() && blackWins >= 6) why = "adjudicated win", points = 0;
            if (why.empty() && level >= 12) why = "adjudicated draw";
            if (why.empty() && ply >= 400) why = "400 plies";
            if (at == end) {
                if (why.empty()) wrong("it ended too early");
                if (points != result) wrong("it ended by " + why + " with another result");
                break;
            }
            if (!why.empty()) wrong("it went on after " + why);
            if (ply == opening && check) wrong("the opening ends in check");
            std::vector<u32> bits;
            for (int i = 0; i < n; i++) bits.push_back(projectMove(moveAt(w, i)) << 16 | moveAt(w, i));
            std::sort(bits.begin(), bits.end());
            if (file[at] >= n) wrong("no such move");
            const u32 m = bits[file[at++]] & 0xFFFF;
            if (ply >= opening) {
                const u32 zigzag = number();
                const int score = ((int)(zigzag >> 1) ^ -(int)(zigzag & 1)) - before, white = w.turn ? -score : score;
                before = score;
                if (ply == opening && abs(score) > 300) wrong("a lost opening");
                whiteWins = white >= 1000 ? whiteWins + 1 : 0;
                blackWins = white <= -1000 ? blackWins + 1 : 0;
                level = ply - opening + 1 > 80 && abs(score) <= 8 ? level + 1 : 0;
            }
            makeMove(w, w.stack[0], m);
        }
        ends[why]++;
        games++;
    }
    std::cout << games << " games ended as they should:";
    for (const auto &end : ends) std::cout << " " << end.first << " " << end.second;
    std::cout << std::endl;
}

// The numbers of Chess960: the back rank of each.
static void writeStarts() {
    for (u32 number = 0; number < 960; number++) {
        const u32 rank = backRankOf(number);
        string text;
        for (int f = 0; f < 8; f++) text += "PNBRQK"[rank >> (4 * f) & 7];
        std::cout << number << " " << text << "\n";
    }
}

int main(int count, char **words) {
    try {
        const string command = count > 1 ? words[1] : "";
        prepare(makeTables(), command == "positions" ? readNetwork(words[2]) : nullptr);
        if (command == "positions" && count == 6) writePositions((u64)atoll(words[3]), words[4], words[5]);
        else if (command == "widen" && count == 4) widen(words[2], words[3]);
        else if (command == "games" && count == 3) checkGames(words[2]);
        else if (command == "starts") writeStarts();
        else fail("test_tools positions NETWORK COUNT FENS EVALUATIONS | widen FROM TO | games FILE | starts");
    } catch (const std::exception &error) {
        std::cerr << "test_tools: " << error.what() << std::endl;
        return 1;
    }
}
