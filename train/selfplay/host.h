// What the host prepares and writes: tables, networks, positions as text, files.
#pragma once
#include "game.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using std::string;
typedef std::vector<u8> Bytes;

[[noreturn]] static void fail(const string &message) { throw std::runtime_error(message); }

static u32 crc32(const u8 *bytes, size_t count, u32 crc = 0) {
    static u32 table[256];
    if (!table[1]) {
        for (u32 i = 0; i < 256; i++) {
            table[i] = i;
            for (int k = 0; k < 8; k++) table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xEDB88320u : table[i] >> 1;
        }
    }
    crc = ~crc;
    for (size_t i = 0; i < count; i++) crc = table[(crc ^ bytes[i]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

static Tables makeTables() {
    Tables t;
    const int dx[4] = {1, 0, 1, -1}, dy[4] = {0, 1, 1, 1};
    const auto onBoard = [](int x, int y) { return x >= 0 && x < 8 && y >= 0 && y < 8; };
    for (int s = 0; s < 64; s++) {
        const int x = s & 7, y = s >> 3;
        for (int line = 0; line < 4; line++) {
            t.line[line][s] = 0;
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int k = 1; k < 8; k++) {
                    const int a = x + sign * k * dx[line], b = y + sign * k * dy[line];
                    if (onBoard(a, b)) t.line[line][s] |= 1ull << (b * 8 + a);
                }
            }
        }
        t.knight[s] = t.king[s] = 0;
        for (int other = 0; other < 64; other++) {
            const int p = abs((other & 7) - x), q = abs((other >> 3) - y);
            if (p * q == 2) t.knight[s] |= 1ull << other;
            if (p <= 1 && q <= 1 && p + q) t.king[s] |= 1ull << other;
        }
    }
    u64 state = 12345;
    const auto next = [&] {
        u64 z = state += 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    };
    for (auto &color : t.piece)
        for (auto &type : color)
            for (u64 &key : type) key = next();
    for (u64 &key : t.rights) key = next();
    for (u64 &key : t.enPassant) key = next();
    t.turn = next();
    return t;
}

static Bytes readFile(const string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(path + ": cannot be read");
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

// Reads the file of a network and lays it out for lanes.
static Network *readNetwork(const string &path) {
    const Bytes file = readFile(path);
    const auto u16at = [&](size_t at) { return (u32)file[at] | (u32)file[at + 1] << 8; };
    const auto u32at = [&](size_t at) { return u16at(at) | u16at(at + 2) << 16; };
    if (file.size() < 28 || memcmp(file.data(), "TabiyaNN", 8) != 0) fail(path + ": not the file of a Tabiya network");
    if (u16at(8) != 2) fail(path + ": a format this program does not read");
    const u32 shape[5] = {768, WIDTH, 8, 16, 32};
    for (int i = 0; i < 5; i++) {
        if (u16at(10 + 2 * i) == shape[i]) continue;
        fail(path + ": a network of another shape (this program is made for width " + std::to_string(WIDTH) + ")");
    }
    const size_t sets = 8 * (16 * (WIDTH + 4) + 32 * (4 * 16 + 4) + 2 * 32 + 4);
    size_t at = 28 + u16at(22);
    if (file.size() != at + 2 * WIDTH * 769 + sets) fail(path + ": the network file has another length than it should");
    const u32 checksum = crc32(file.data() + 28, file.size() - 28, crc32(file.data(), 24));
    if (checksum != u32at(24)) fail(path + ": the network file is damaged");

    Network *n = new Network();
    n->scale = (int)u16at(20);
    const auto readRow = [&](uint4 *to) {
        for (int half = 0; half < 2; half++) {
            for (int group = 0; group < ROW / 2; group++) {
                u32 *words = (u32 *)&to[half * (ROW / 2) + group];
                for (int k = 0; k < 4; k++) {
                    const size_t i = at + 2 * (half * (WIDTH / 2) + 8 * group + 2 * k);
                    words[k] = (u32)(int)(s16)u16at(i) + (u16at(i + 2) << 16);
                }
            }
        }
        at += 2 * WIDTH;
    };
    const auto readInt = [&] {
        at += 4;
        return (int)u32at(at - 4);
    };
    for (int input = 0; input < 768; input++) readRow(n->inputs + input * ROW);
    readRow(n->empty);
    for (int set = 0; set < 8; set++, at += 16 * WIDTH) {
        for (int step = 0; step < WIDTH / 32; step++) {
            for (int lane = 0; lane < 32; lane++) {
                const size_t from = at + (lane >> 1) * WIDTH + (lane & 1) * (WIDTH / 2) + 16 * step;
                memcpy(&n->weights2[set][step][lane], &file[from], 16);
            }
        }
    }
    for (auto &set : n->bias2)
        for (int &bias : set) bias = readInt();
    for (auto &set : n->weights3) {
        for (int unit = 0; unit < 32; unit++) {
            for (int value = 0; value < 32; value++, at += 2) {
                u8 *word = (u8 *)((u32 *)&set[(value & 15) >> 2][unit] + (value & 3));
                word[value >> 4] = file[at];
                word[2 + (value >> 4)] = file[at + 1];
            }
        }
    }
    for (auto &set : n->bias3)
        for (int &bias : set) bias = readInt();
    for (auto &set : n->weights4) {
        for (int &weight : set) {
            weight = (s16)u16at(at);
            at += 2;
        }
    }
    for (int &bias : n->bias4) bias = readInt();
    return n;
}

// Reads a FEN; castling as in Chess960 too, by files or with the outermost rook.
static Setup parseFen(const string &fen) {
    std::istringstream in(fen);
    string board, turn = "w", castling = "-", enPassant = "-";
    int clock = 0, x = 0, y = 7, kings[2] = {-1, -1}, men[2] = {0, 0};
    in >> board >> turn >> castling >> enPassant >> clock;
    Setup p;
    memset(&p, 0, sizeof p);
    memset(p.board, EMPTY, sizeof p.board);
    for (char c : board) {
        const char *type = strchr("pnbrqk", c | 32);
        if (c == '/') {
            y--;
            x = 0;
        } else if (c >= '1' && c <= '8') {
            x += c - '0';
        } else if (type && x < 8 && y >= 0) {
            const int color = c >= 'a', square = y * 8 + x++;
            p.board[square] = (u8)((type - "pnbrqk") | color << 3);
            men[color]++;
            if ((c | 32) == 'k') kings[color] = square;
        } else fail("not a FEN: " + fen);
    }
    if (kings[0] < 0 || kings[1] < 0 || men[0] > 16 || men[1] > 16) fail("not a position to play from: " + fen);
    p.turn = turn == "b";
    p.clock = (u8)(clock < 0 ? 0 : clock > 255 ? 255 : clock);
    p.enPassant = enPassant.size() == 2 ? (u8)((enPassant[1] - '1') * 8 + enPassant[0] - 'a') : (u8)NO_SQUARE;
    p.kingFile = 4;
    p.rookFile[0] = 7;
    p.rookFile[1] = 0;
    for (char c : castling) {
        if (c == '-') continue;
        const int color = c >= 'a', rank = color * 56, king = kings[color] - rank, step = (c | 32) == 'k' ? -1 : 1;
        int rook = (c | 32) - 'a';
        if (strchr("kq", c | 32)) // the outermost rook of that side
            for (rook = step < 0 ? 7 : 0; rook != king && p.board[rank + rook] != (ROOK | color << 3);) rook += step;
        const int side = rook < king;
        const bool rookThere = rook >= 0 && rook < 8 && p.board[rank + rook] == (ROOK | color << 3);
        if (king < 0 || king > 7 || !rookThere) fail("castling without king or rook: " + fen);
        const bool known = p.rights & (side ? 10 : 5);
        const bool other = (p.rights && p.kingFile != king) || (known && p.rookFile[side] != rook);
        if (other) fail("castling from two starts: " + fen);
        p.kingFile = (u8)king;
        p.rookFile[side] = (u8)rook;
        p.rights |= (u8)(1 << (side + 2 * color));
    }
    return p;
}

static string nameOf(u32 m, bool chess960) {
    const int from = FROM(m);
    int to = TO(m);
    if (KIND(m) == CASTLE && !chess960) to = (from & 56) + (to > from ? 6 : 2);
    string name = {(char)('a' + (from & 7)), (char)('1' + (from >> 3)), (char)('a' + (to & 7)), (char)('1' + (to >> 3))};
    if (KIND(m) >= PROMOTION) name += "nbrq"[KIND(m) - PROMOTION];
    return name;
}

// A file that takes its name when it is complete.
struct Output {
    string path;
    FILE *file;
    explicit Output(const string &to) : path(to), file(fopen((to + ".new").c_str(), "wb")) {
        if (!file) fail(path + ": cannot be written");
    }
    void write(const void *bytes, size_t count) {
        if (count && fwrite(bytes, 1, count, file) != count) fail(path + ": cannot be written");
    }
    void finish() {
        if (fclose(file) != 0 || rename((path + ".new").c_str(), path.c_str()) != 0) fail(path + ": cannot be written");
    }
};

// Games of the sample in the packed format.
static u64 writeSample(const string &path, const string &maker, const std::vector<u32> &sample) {
    Output out(path);
    const auto append = [](Bytes &bytes, u64 number, int count) {
        for (int i = 0; i < count; i++) bytes.push_back((u8)(number >> 8 * i));
    };
    const auto appendShort = [](Bytes &bytes, u32 number) {
        for (; number >= 0x80; number >>= 7) bytes.push_back((u8)(number | 0x80));
        bytes.push_back((u8)number);
    };
    Bytes header(8);
    memcpy(header.data(), "TabiyaG1", 8);
    append(header, maker.size(), 2);
    header.insert(header.end(), maker.begin(), maker.end());
    out.write(header.data(), header.size());
    u64 games = 0;
    for (size_t number = 0; number * SAMPLE_WORDS < sample.size(); number++) {
        const u32 *game = &sample[number * SAMPLE_WORDS];
        const u32 result = game[0] & 0xFF, opening = game[0] >> 8 & 0xFF, plies = game[0] >> 16;
        if (result == NO_RESULT) continue;
        Bytes packed, block;
        appendShort(packed, (u32)number);
        append(packed, game[1], 2);
        append(packed, result, 1);
        append(packed, opening, 1);
        int before = 0;
        for (u32 ply = 0; ply < plies; ply++) {
            packed.push_back((u8)game[2 + ply]);
            if (ply < opening) continue;
            const int score = (s16)(game[2 + ply] >> 16), change = score + before;
            appendShort(packed, (u32)(change << 1) ^ (u32)(change >> 31));
            before = score;
        }
        append(block, packed.size(), 2);
        append(block, crc32(packed.data(), packed.size()), 4);
        out.write(block.data(), block.size());
        out.write(packed.data(), packed.size());
        games++;
    }
    out.finish();
    return games;
}
