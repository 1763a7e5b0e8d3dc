// One warp plays one game. The same source is CUDA, where the 32 lanes are threads, and plain C++, where they are
// loops: FORL runs its body once for each lane, and a PerLane value has a place for each.
//
// Values that all lanes share (almost everything here) are computed by all of them alike, in step. Wherever lanes differ,
// in what they do or how often, WARP_SYNC follows, so that the warp is together again before anybody reads what was
// written, or all overwrite what all have read.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint8_t u8;
typedef int8_t s8;

#ifdef __CUDACC__
#define DEVICE __device__ __forceinline__
// Speed follows code size: what is called from several places exists once. What a search does at every node and is
// called from one place is faster inlined.
#define DEVICE_CALL __device__ __noinline__
#define DEVICE_DATA __device__
#define LANES 1
#define LANE ((int)(threadIdx.x & 31))
#define LANE_0 if (LANE == 0)
#define ALL_LANES 0xffffffffu
#define WARP_SYNC() __syncwarp()
#define LOAD(x) __ldg(&(x))

DEVICE int lowestBit(u64 x) { return __ffsll((long long)x) - 1; }
DEVICE int leadingZeros(u64 x) { return __clzll((long long)x); }
DEVICE int bitCount(u64 x) { return __popcll(x); }
DEVICE int bitCount32(u32 x) { return __popc(x); }
DEVICE u64 reversed(u64 x) { return __brevll(x); }
#else
#define DEVICE static inline
#define DEVICE_CALL static
#define DEVICE_DATA static
#define LANES 32
#define LANE L
#define LANE_0
#define WARP_SYNC()
#define LOAD(x) (x)

struct alignas(16) uint4 {
    u32 x, y, z, w;
};

DEVICE int lowestBit(u64 x) { return __builtin_ctzll(x); }
DEVICE int leadingZeros(u64 x) { return x ? __builtin_clzll(x) : 64; }
DEVICE int bitCount(u64 x) { return __builtin_popcountll(x); }
DEVICE int bitCount32(u32 x) { return __builtin_popcount(x); }
DEVICE u64 reversed(u64 x) {
    x = __builtin_bswap64(x);
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0Full) | (x & 0x0F0F0F0F0F0F0F0Full) << 4;
    x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
    return (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
}
#endif

#define FORL for (int L = 0; L < LANES; ++L)

template <class T> struct PerLane {
    T value[LANES];
#ifdef __CUDACC__
    __device__ __forceinline__
#endif
    T &operator[](int lane) { return value[lane]; }
};

#ifdef __CUDACC__
DEVICE u32 ballot(PerLane<bool> &p) { return __ballot_sync(ALL_LANES, p.value[0]); }
DEVICE u64 broadcast(PerLane<u64> &p, int lane) { return __shfl_sync(ALL_LANES, p.value[0], lane); }
DEVICE u32 maximum(PerLane<u32> &p) { return __reduce_max_sync(ALL_LANES, p.value[0]); }
DEVICE int total(PerLane<int> &p) { return __reduce_add_sync(ALL_LANES, p.value[0]); }
DEVICE int neighbour(PerLane<int> &p, int distance, int) { return __shfl_xor_sync(ALL_LANES, p.value[0], distance); }
// Each lane gets the sum of those before it; the result is the sum of all.
DEVICE int sumsBefore(PerLane<int> &p) {
    const int own = p.value[0];
    int sum = own;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const int other = __shfl_up_sync(ALL_LANES, sum, d);
        if (LANE >= d) sum += other;
    }
    p.value[0] = sum - own;
    return __shfl_sync(ALL_LANES, sum, 31);
}
DEVICE u64 fetchAdd(u64 *to, u64 n) { return atomicAdd((unsigned long long *)to, (unsigned long long)n); }
DEVICE u64 readNow(const u64 *from) { return *(const volatile u64 *)from; }
// In nanoseconds.
DEVICE u64 now() {
    u64 t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Products of bytes and of words, summed.
DEVICE int dot4(u32 bytes, u32 weights, int sum) {
    int r;
    asm("dp4a.u32.s32 %0,%1,%2,%3;" : "=r"(r) : "r"(bytes), "r"(weights), "r"(sum));
    return r;
}
DEVICE int dot2Low(u32 words, u32 weights, int sum) {
    int r;
    asm("dp2a.lo.u32.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(words), "r"(weights), "r"(sum));
    return r;
}
DEVICE int dot2High(u32 words, u32 weights, int sum) {
    int r;
    asm("dp2a.hi.u32.s32 %0,%1,%2,%3;" : "=r"(r) : "r"(words), "r"(weights), "r"(sum));
    return r;
}
// Two words clipped to 0 ... 255.
DEVICE u32 clipped(u32 x) { return __vimin_s16x2_relu(x, 0x00FF00FFu); }
#else
#include <chrono>

DEVICE u32 ballot(PerLane<bool> &p) {
    u32 r = 0;
    FORL if (p[L]) r |= 1u << L;
    return r;
}
DEVICE u64 broadcast(PerLane<u64> &p, int lane) { return p[lane]; }
DEVICE u32 maximum(PerLane<u32> &p) {
    u32 r = 0;
    FORL if (p[L] > r) r = p[L];
    return r;
}
DEVICE int total(PerLane<int> &p) {
    int r = 0;
    FORL r += p[L];
    return r;
}
DEVICE int neighbour(PerLane<int> &p, int distance, int lane) { return p[lane ^ distance]; }
DEVICE int sumsBefore(PerLane<int> &p) {
    int sum = 0;
    FORL {
        const int own = p[L];
        p[L] = sum;
        sum += own;
    }
    return sum;
}
DEVICE u64 fetchAdd(u64 *to, u64 n) { return __atomic_fetch_add(to, n, __ATOMIC_RELAXED); }
DEVICE u64 readNow(const u64 *from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
DEVICE u64 now() {
    using namespace std::chrono;
    return (u64)duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}
DEVICE int dot4(u32 bytes, u32 weights, int sum) {
    for (int i = 0; i < 32; i += 8) sum += (int)(u8)(bytes >> i) * (int)(s8)(weights >> i);
    return sum;
}
DEVICE int dot2Low(u32 words, u32 weights, int sum) {
    return sum + (int)(words & 0xFFFF) * (int)(u8)weights + (int)(words >> 16) * (int)(u8)(weights >> 8);
}
DEVICE int dot2High(u32 words, u32 weights, int sum) {
    return sum + (int)(words & 0xFFFF) * (int)(s8)(weights >> 16) + (int)(words >> 16) * (int)(s8)(weights >> 24);
}
DEVICE u32 clipped(u32 x) {
    int a = (s16)x, b = (s16)(x >> 16);
    a = a < 0 ? 0 : a > 255 ? 255 : a;
    b = b < 0 ? 0 : b > 255 ? 255 : b;
    return (u32)a | (u32)b << 16;
}
#endif
