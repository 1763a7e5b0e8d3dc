// Self-play on a GPU, a warp a game, or on the processor. See README.md.
#include "uci.h"

#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <unistd.h>

static const char *HELP = R"(Games of Tabiya's network against itself, with records to learn from.

  selfplay play --network FILE --out DIR [--seconds S] [--games N]   train.records, held-out.records, sample.games
  selfplay bench --network FILE [--seconds S] [--games N]            the same without files
  selfplay perft --suite FILE [--depth D] [--limit N]                lines `FEN ;D1 20 ;D2 400 ...`, up to N lines of moves
  selfplay perft --fen FEN --depth D
  selfplay evaluate --network FILE < FENs                            centipawns for the side to move, one a line
  selfplay uci --network FILE                                        an engine for matches, on the processor

play and bench:
  --seconds S       begin games for so long
  --games N         play games 0 to N - 1 of the seed; with --seconds, whichever ends first
  --drain S         then let those in progress end for so long (30); what does not is told as unfinished
  --soft-nodes N    after so many nodes no new depth begins (500)
  --hard-nodes N    after so many a search ends (three times the soft limit)
  --seed K          what the openings come from (1); the same seed, limits and games make the same games
  --sample N        write games 0 to N - 1 whole, for `tabiya data check` (1000)
  --table-bits B    entries of a game's transposition table: 2 to the power of B (10)
  --max-records N   no game begins when there might not be room for its records (by the memory)
  --threads N       of the processor (1)
  --workers N       games at a time on a GPU (as many as fit)
)";

struct Options {
    std::map<string, string> values;
    bool has(const string &name) const { return values.count(name) != 0; }
    string text(const string &name) const {
        if (!has(name)) fail("--" + name + " is missing; try selfplay --help");
        return values.at(name);
    }
    double number(const string &name, double otherwise) const {
        if (!has(name)) return otherwise;
        char *end = nullptr;
        const double value = strtod(values.at(name).c_str(), &end);
        if (end == values.at(name).c_str() || *end || value < 0) fail("--" + name + ": not a number: " + values.at(name));
        return value;
    }
};

static Options parse(int count, char **words, const std::set<string> &known) {
    Options options;
    for (int i = 2; i < count; i += 2) {
        const string name = words[i];
        const bool isKnown = name.substr(0, 2) == "--" && known.count(name.substr(2));
        if (!isKnown) fail("unknown option " + name + "; try selfplay --help");
        if (i + 1 == count) fail(name + " wants a value");
        options.values[name.substr(2)] = words[i + 1];
    }
    return options;
}

static double secondsNow() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static string totalsLine(const Totals &t, double seconds, double nodesPerSecond, bool full, bool hung) {
    char text[1024];
    const double games = t.games ? (double)t.games : 1, positions = t.positions ? (double)t.positions : 1;
    snprintf(text, sizeof text,
             "{\"games\": %llu, \"positions\": %llu, \"kept\": %llu, \"held_out\": %llu, \"nodes\": %llu, \"seconds\": %.2f, "
             "\"nodes_per_second\": %.0f, \"unfinished\": %llu, \"white\": %llu, \"drawn\": %llu, \"black\": %llu, "
             "\"mean_plies\": %.2f, \"mean_depth\": %.3f, \"nodes_per_position\": %.1f, \"hard_stops\": %llu, "
             "\"lost_openings\": %llu, \"chess960\": %llu, \"full\": %s, \"hung\": %s, \"checksum\": \"%016llx\"}",
             (unsigned long long)t.games, (unsigned long long)t.positions, (unsigned long long)(t.kept + t.heldOut),
             (unsigned long long)t.heldOut, (unsigned long long)t.nodes, seconds, nodesPerSecond,
             (unsigned long long)t.unfinished, (unsigned long long)t.white, (unsigned long long)t.drawn,
             (unsigned long long)t.black, t.plies / games, t.depth / positions, t.nodes / positions,
             (unsigned long long)t.hardStops, (unsigned long long)t.lostOpenings, (unsigned long long)t.chess960,
             full ? "true" : "false", hung ? "true" : "false", (unsigned long long)t.checksum);
    return text;
}

static void writeRecords(const string &path, const uint4 *records, u64 count) {
    Output out(path);
    const u64 part = 1 << 20;
    std::vector<uint4> buffer(2 * std::min(count, part));
    for (u64 at = 0; at < count; at += part) {
        const u64 n = std::min(part, count - at);
        copyToHost(buffer.data(), records + 2 * at, 2 * n);
        out.write(buffer.data(), 32 * n);
    }
    out.finish();
}

static int runPlay(const Options &options, bool keep) {
    const Settings settings = {(u32)std::max(1.0, options.number("threads", 1)), (u32)options.number("workers", 0)};
    if (!options.has("seconds") && !options.has("games")) fail("--seconds or --games is missing");
    const string folder = keep ? options.text("out") : "";
    const double seconds = std::min(options.number("seconds", 1e9), 1e9), drain = std::min(options.number("drain", 30), 1e9);
    Run run;
    memset(&run, 0, sizeof run);
    options.number("seed", 1); // is it one?
    run.seed = options.has("seed") ? strtoull(options.text("seed").c_str(), nullptr, 10) : 1;
    run.games = (u64)options.number("games", 4e9);
    run.soft = (u32)options.number("soft-nodes", 500);
    run.hard = (u32)options.number("hard-nodes", 3.0 * run.soft);
    run.until = (u64)(seconds * 1e9);
    run.deadline = (u64)((options.has("seconds") ? seconds + drain : 2e9) * 1e9);
    run.sampleGames = keep ? std::min((u64)options.number("sample", 1000), run.games) : 0;
    const int bits = (int)options.number("table-bits", 10);
    if (bits < 1 || bits > 24) fail("--table-bits: 1 to 24");
    run.tableMask = (1u << bits) - 1;
    if (run.soft < 1 || run.hard < run.soft || run.hard > 1e9) fail("the soft limit is at least 1, the hard limit no less");
    Network *n = readNetwork(options.text("network"));
    prepare(makeTables(), n);
    run.workers = workerCount(settings);
    if (keep) std::filesystem::create_directories(folder);

    run.table = allocate<TableEntry>((u64)run.workers << bits);
    run.slots = allocate<Game>(run.workers);
    run.pending = allocate<uint4>((u64)run.workers * MAX_PLIES * 2);
    run.gameKeys = allocate<u64>((u64)run.workers * GAME_KEYS);
    run.spill = allocate<u32>((u64)run.workers * SPILL);
    run.sample = allocate<u32>(run.sampleGames * SAMPLE_WORDS, 0xFF);
    run.used = allocate<u64>(2);
    run.next = allocate<u64>(1);
    run.totals = allocate<Totals>(1);
    // Every worker may end a game at the same time. An H200 makes about 1e8 / soft limit records a second.
    const u64 reserve = (u64)run.workers * MAX_PLIES;
    const double most = std::min({0.45 * freeMemory() / 32, 400.0 * run.games, 4e8 / run.soft * seconds + 1e6});
    run.capacity[0] = (u64)options.number("max-records", most) + reserve;
    run.capacity[1] = run.capacity[0] / 20 + reserve;
    for (int set = 0; set < 2; set++) run.records[set] = allocate<uint4>(2 * run.capacity[set]);

    fprintf(stderr, "%s; soft limit %u, hard limit %u, seed %llu\n", machine().c_str(), run.soft, run.hard,
            (unsigned long long)run.seed);
    Totals totals;
    const double start = secondsNow();
    double told = start, atEnd = 0;
    u64 nodesAtEnd = 0;
    const auto tell = [&] {
        const double t = secondsNow();
        const bool ending = options.has("seconds") && atEnd == 0 && t - start >= seconds;
        if (t - told < 5 && !ending) return;
        copyToHost(&totals, run.totals, 1);
        if (ending) {
            atEnd = t - start;
            nodesAtEnd = totals.nodes;
        }
        if (t - told < 5) return;
        told = t;
        fprintf(stderr, "%.0f s: %llu games, %llu positions kept, %.2f M nodes/s%s\n", t - start,
                (unsigned long long)totals.games, (unsigned long long)(totals.kept + totals.heldOut),
                totals.nodes / (t - start) / 1e6, atEnd > 0 ? ", draining" : "");
    };
    const bool ended = playAll(run, settings, seconds + drain + 20, tell);
    const double passed = secondsNow() - start;
    u64 used[2];
    copyToHost(&totals, run.totals, 1);
    copyToHost(used, run.used, 2);
    const bool full = used[0] + reserve > run.capacity[0] || used[1] + reserve > run.capacity[1];
    if (keep) {
        writeRecords(folder + "/train.records", run.records[0], used[0]);
        writeRecords(folder + "/held-out.records", run.records[1], used[1]);
        std::vector<u32> sample(run.sampleGames * SAMPLE_WORDS);
        if (run.sampleGames) copyToHost(sample.data(), run.sample, sample.size());
        std::ostringstream maker;
        maker << "selfplay, soft limit " << run.soft << ", hard limit " << run.hard << ", seed " << run.seed;
        const u64 games = writeSample(folder + "/sample.games", maker.str(), sample);
        fprintf(stderr, "%llu + %llu records and %llu whole games in %s, %.1f s\n", (unsigned long long)used[0],
                (unsigned long long)used[1], (unsigned long long)games, folder.c_str(), secondsNow() - start);
    }
    if (totals.unfinished)
        fprintf(stderr, "%llu games did not end in time and are left out\n", (unsigned long long)totals.unfinished);
    // The end of a run, when few games are left, says nothing about the speed.
    const double speed = atEnd > 0 ? nodesAtEnd / atEnd : totals.nodes / passed;
    std::cout << totalsLine(totals, passed, speed, full, !ended) << std::endl;
    if (!ended) {
        fprintf(stderr, "some workers hang\n");
        _exit(1); // there is no way to stop them
    }
    return 0;
}

static std::vector<s64> results(const std::vector<Setup> &setups, const std::vector<u8> &depths, const Settings &settings) {
    Task task;
    memset(&task, 0, sizeof task);
    Setup *s = allocate<Setup>(setups.size());
    copyToDevice(s, setups.data(), setups.size());
    task.setups = s;
    if (!depths.empty()) {
        u8 *d = allocate<u8>(depths.size());
        copyToDevice(d, depths.data(), depths.size());
        task.depths = d;
    }
    task.count = setups.size();
    task.next = allocate<u64>(1);
    task.results = allocate<s64>(setups.size());
    workAll(task, settings);
    std::vector<s64> found(setups.size());
    copyToHost(found.data(), task.results, found.size());
    return found;
}

static int runPerft(const Options &options) {
    const Settings settings = {(u32)std::max(1.0, options.number("threads", 1)), 0};
    prepare(makeTables(), nullptr);
    const int deepest = (int)options.number("depth", 4);
    if (deepest < 1 || deepest > MAX_PLY - 2) fail("--depth: 1 to " + std::to_string(MAX_PLY - 2));
    if (options.has("fen")) {
        std::cout << results({parseFen(options.text("fen"))}, {(u8)deepest}, settings)[0] << std::endl;
        return 0;
    }
    const double limit = options.number("limit", 1e18);
    std::ifstream file(options.text("suite"));
    if (!file) fail(options.text("suite") + ": cannot be read");
    std::vector<Setup> setups;
    std::vector<u8> depths;
    std::vector<s64> expected;
    std::vector<string> fens;
    for (string line; std::getline(file, line);) {
        size_t at = line.find(" ;");
        if (line.empty() || line[0] == '#' || at == string::npos) continue;
        string fen = line.substr(0, at);
        const size_t space = fen.find(' ');
        if (fen.substr(0, space).find('/') == string::npos) fen = fen.substr(space + 1); // the number of a start
        int depth = 0;
        s64 count = 0;
        std::istringstream in(line.substr(at));
        char sign, d;
        int i;
        s64 n;
        while (in >> sign >> d >> i >> n) {
            if (i > deepest || (double)n > limit) continue;
            depth = i;
            count = n;
        }
        if (!depth) continue;
        setups.push_back(parseFen(fen));
        depths.push_back((u8)depth);
        expected.push_back(count);
        fens.push_back(fen);
    }
    const double start = secondsNow();
    const std::vector<s64> found = results(setups, depths, settings);
    s64 wrong = 0, lines = 0;
    for (size_t i = 0; i < found.size(); i++) {
        lines += found[i];
        if (found[i] == expected[i]) continue;
        wrong++;
        std::cout << fens[i] << ": depth " << (int)depths[i] << " has " << expected[i] << ", not " << found[i] << "\n";
    }
    std::cout << found.size() << " positions, " << lines << " lines of moves, " << wrong << " wrong" << std::endl;
    fprintf(stderr, "%.1f M lines/s\n", lines / (secondsNow() - start) / 1e6);
    return wrong || found.empty() ? 1 : 0;
}

static int runEvaluate(const Options &options) {
    const Settings settings = {(u32)std::max(1.0, options.number("threads", 1)), 0};
    Network *n = readNetwork(options.text("network"));
    prepare(makeTables(), n);
    std::vector<Setup> setups;
    for (string line; std::getline(std::cin, line);)
        if (!line.empty()) setups.push_back(parseFen(line));
    string text;
    for (s64 e : results(setups, {}, settings)) text += std::to_string(e) + "\n";
    std::cout << text << std::flush;
    return 0;
}

static int run(int count, char **words) {
    const string command = count > 1 ? words[1] : "--help";
    if (command == "--help" || command == "help" || (count > 2 && string(words[2]) == "--help")) {
        std::cout << HELP;
        return 0;
    }
    if (command == "play" || command == "bench") {
        const std::set<string> known = {"network", "out", "seconds", "games", "drain", "soft-nodes", "hard-nodes",
                                        "seed", "sample", "table-bits", "max-records", "threads", "workers"};
        return runPlay(parse(count, words, known), command == "play");
    }
    if (command == "perft") return runPerft(parse(count, words, {"suite", "fen", "depth", "limit", "threads"}));
    if (command == "evaluate") return runEvaluate(parse(count, words, {"network", "threads"}));
    if (command == "uci") {
        const Options options = parse(count, words, {"network"});
        Network *n = readNetwork(options.text("network"));
        prepare(makeTables(), n);
        return runUci();
    }
    fail("unknown command " + command + "; try selfplay --help");
}

int main(int count, char **words) {
    try {
        return run(count, words);
    } catch (const std::exception &error) {
        std::cerr << "selfplay: " << error.what() << std::endl;
        return 1;
    }
}
