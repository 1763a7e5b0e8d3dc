// Where workers run: warps of a GPU, or threads of the processor.
#pragma once
#include "host.h"

#include <algorithm>
#include <functional>
#include <thread>

// A list of positions to evaluate, or to count lines of moves from.
struct Task {
    const Setup *setups;
    const u8 *depths; // none: evaluate
    u64 count, *next;
    s64 *results;
    u32 *spill;
};

DEVICE void workOn(Worker &w, const Task &task, u32 id) {
    WARP_SYNC();
    w.spill = task.spill + (u64)id * SPILL;
    WARP_SYNC();
    for (;;) {
        PerLane<u64> place;
        FORL {
            place[L] = 0;
            if (LANE == 0) place[L] = fetchAdd(task.next, 1);
        }
        const u64 i = broadcast(place, 0);
        if (i >= task.count) return;
        setUp(w, task.setups[i]);
        const s64 result = task.depths ? (s64)perft(w, task.depths[i]) : evaluate(w);
        LANE_0 task.results[i] = result;
        WARP_SYNC();
    }
}

struct Settings {
    u32 threads = 1;  // of the processor
    u32 workers = 0;  // games at a time on a GPU; 0: as many as fit
};

#ifdef __CUDACC__
#ifndef WARPS_PER_BLOCK
#define WARPS_PER_BLOCK 8
#endif
#ifndef BLOCKS
#define BLOCKS (WIDTH == 512 ? 4 : WIDTH == 1024 ? 3 : 2) // of a multiprocessor: as many as fit its shared memory
#endif
constexpr int THREADS = 32 * WARPS_PER_BLOCK;
constexpr size_t SHARED = sizeof(Worker) * WARPS_PER_BLOCK;

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) fail(string(what) + ": " + cudaGetErrorString(error));
}
#define CHECK(x) check((x), #x)

extern __shared__ Worker shared[];

__global__ void __launch_bounds__(THREADS, BLOCKS) playKernel(const __grid_constant__ Run run) {
    const u32 warp = threadIdx.x >> 5;
    playGames(shared[warp], run, blockIdx.x * WARPS_PER_BLOCK + warp);
}

__global__ void __launch_bounds__(THREADS) taskKernel(const __grid_constant__ Task task) {
    const u32 warp = threadIdx.x >> 5;
    workOn(shared[warp], task, blockIdx.x * WARPS_PER_BLOCK + warp);
}

static cudaStream_t working, copying;

static void prepare(const Tables &t, const Network *n) {
    CHECK(cudaStreamCreateWithFlags(&working, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&copying, cudaStreamNonBlocking));
    CHECK(cudaMemcpyToSymbol(tables, &t, sizeof t));
    if (n) CHECK(cudaMemcpyToSymbol(network, n, sizeof *n));
    for (const void *kernel : {(const void *)playKernel, (const void *)taskKernel})
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)SHARED));
}

static u32 workerCount(const Settings &settings) {
    int blocks = 0, device = 0, processors = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)playKernel, THREADS, SHARED));
    const u32 fit = (u32)(blocks * processors) * WARPS_PER_BLOCK;
    const u32 wanted = (settings.workers + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK * WARPS_PER_BLOCK;
    return wanted ? std::min(wanted, fit) : fit; // all run at once: none may wait for another to end
}

static string machine() {
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, (const void *)playKernel));
    std::ostringstream text;
    text << "GPU, " << workerCount({}) << " games at a time, " << a.numRegs << " registers, " << a.localSizeBytes
         << " bytes of local memory, " << sizeof(Worker) << " bytes of shared memory a game";
    return text.str();
}

static u64 freeMemory() {
    size_t available = 0, all = 0;
    CHECK(cudaMemGetInfo(&available, &all));
    return available;
}

template <class T> static T *allocate(u64 count, int fill = 0) {
    void *p = nullptr;
    CHECK(cudaMalloc(&p, std::max<u64>(count, 1) * sizeof(T)));
    CHECK(cudaMemset(p, fill, std::max<u64>(count, 1) * sizeof(T)));
    return (T *)p;
}

template <class T> static void copyToDevice(T *to, const T *from, u64 count) {
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
}

template <class T> static void copyToHost(T *to, const T *from, u64 count) {
    CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, copying));
    CHECK(cudaStreamSynchronize(copying));
}

// Starts the kernel and calls `meanwhile` until it ends; gives up `patience` seconds after it should have.
static bool launch(const void *kernel, void *argument, u32 workers, double patience, const std::function<void()> &meanwhile) {
    CHECK(cudaDeviceSynchronize());
    void *arguments[] = {argument};
    CHECK(cudaLaunchKernel(kernel, dim3(workers / WARPS_PER_BLOCK), dim3(THREADS), arguments, SHARED, working));
    const u64 start = (u64)time(nullptr);
    for (;;) {
        const cudaError_t state = cudaStreamQuery(working);
        if (state == cudaSuccess) return true;
        if (state != cudaErrorNotReady) CHECK(state);
        if ((double)((u64)time(nullptr) - start) > patience) return false;
        meanwhile();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

static bool playAll(Run run, const Settings &, double patience, const std::function<void()> &meanwhile) {
    return launch((const void *)playKernel, &run, run.workers, patience, meanwhile);
}

static void workAll(Task task, const Settings &settings) {
    const u32 workers = workerCount(settings);
    task.spill = allocate<u32>((u64)workers * SPILL);
    launch((const void *)taskKernel, &task, workers, 1e9, [] {});
}
#else
static void prepare(const Tables &t, const Network *n) {
    tables = t;
    if (n) network = *n;
}

static u32 workerCount(const Settings &settings) { return settings.threads; }

static string machine() { return "processor"; }

static u64 freeMemory() { return 4ull << 30; }

template <class T> static T *allocate(u64 count, int fill = 0) {
    void *p = calloc(std::max<u64>(count, 1), sizeof(T)); // large parts are taken only when they are written to
    if (!p) fail("not enough memory");
    if (fill) memset(p, fill, count * sizeof(T));
    return (T *)p;
}

template <class T> static void copyToDevice(T *to, const T *from, u64 count) { memcpy(to, from, count * sizeof(T)); }
template <class T> static void copyToHost(T *to, const T *from, u64 count) { memcpy(to, from, count * sizeof(T)); }

static void onThreads(u32 count, const std::function<void(Worker &, u32)> &work, const std::function<void()> &meanwhile) {
    std::vector<std::thread> threads;
    u32 left = count;
    for (u32 id = 0; id < count; id++) {
        threads.emplace_back([&, id] {
            Worker *w = new Worker();
            work(*w, id);
            delete w;
            __atomic_fetch_sub(&left, 1, __ATOMIC_RELEASE);
        });
    }
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE)) {
        meanwhile();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (std::thread &thread : threads) thread.join();
}

static bool playAll(Run run, const Settings &settings, double, const std::function<void()> &meanwhile) {
    onThreads(settings.threads, [&](Worker &w, u32 id) { playGames(w, run, id); }, meanwhile);
    return true;
}

static void workAll(Task task, const Settings &settings) {
    task.spill = allocate<u32>((u64)settings.threads * SPILL);
    onThreads(settings.threads, [&](Worker &w, u32 id) { workOn(w, task, id); }, [] {});
}
#endif
