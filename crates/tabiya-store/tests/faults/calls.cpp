// Lets a call of the system fail, for tests: loaded before the C library (LD_PRELOAD).
//
// Of the calls of one kind (FAULT_CALL: open, write, sync, truncate, rename or map) that concern files under
// FAULT_FOLDER, the one of number FAULT_AT fails with FAULT_ERRNO, and with FAULT_FOR_EVER all after it. When it does,
// the file FAULT_MARK is made.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<long> calls{0};

bool in_folder(const char *path) {
    const char *folder = getenv("FAULT_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

bool in_folder(int file) {
    char link[64] = "/proc/self/fd/", path[4096];
    char *end = link + strlen(link);
    char digits[16];
    int count = 0;
    do digits[count++] = char('0' + file % 10);
    while (file /= 10);
    while (count) *end++ = digits[--count];
    *end = 0;
    long length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    return in_folder(path);
}

template <typename Where> bool fails(const char *call, Where where) {
    static const char *wanted = getenv("FAULT_CALL");
    if (!wanted || strcmp(wanted, call) != 0) return false;
    int before = errno;
    bool ours = in_folder(where);
    errno = before;
    if (!ours) return false;
    static const long at = atol(getenv("FAULT_AT"));
    static const bool for_ever = getenv("FAULT_FOR_EVER");
    long number = ++calls;
    if (number != at && !(for_ever && number > at)) return false;
    long mark = syscall(SYS_openat, AT_FDCWD, getenv("FAULT_MARK"), O_CREAT | O_WRONLY, 0600);
    if (mark >= 0) syscall(SYS_close, mark);
    errno = atoi(getenv("FAULT_ERRNO"));
    return true;
}

template <typename Function> Function real(Function, const char *name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

#define REAL(name) static auto next = real(&name, #name)

extern "C" {

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    REAL(open);
    return fails("open", path) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    REAL(open64);
    return fails("open", path) ? -1 : next(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    return fails("write", file) ? -1 : next(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    REAL(pwrite);
    return fails("write", file) ? -1 : next(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    REAL(pwrite64);
    return fails("write", file) ? -1 : next(file, bytes, count, at);
}

int fsync(int file) {
    REAL(fsync);
    return fails("sync", file) ? -1 : next(file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return fails("sync", file) ? -1 : next(file);
}

int ftruncate(int file, off_t size) noexcept {
    REAL(ftruncate);
    return fails("truncate", file) ? -1 : next(file, size);
}

int ftruncate64(int file, off64_t size) noexcept {
    REAL(ftruncate64);
    return fails("truncate", file) ? -1 : next(file, size);
}

int rename(const char *from, const char *to) noexcept {
    REAL(rename);
    return fails("rename", to) ? -1 : next(from, to);
}

int link(const char *from, const char *to) noexcept {
    REAL(link);
    return fails("rename", to) ? -1 : next(from, to);
}

int linkat(int one, const char *from, int other, const char *to, int flags) noexcept {
    REAL(linkat);
    return fails("rename", to) ? -1 : next(one, from, other, to, flags);
}

void *mmap(void *where, size_t size, int rights, int flags, int file, off_t at) noexcept {
    REAL(mmap);
    bool ours = file >= 0 && fails("map", file);
    return ours ? MAP_FAILED : next(where, size, rights, flags, file, at);
}

void *mmap64(void *where, size_t size, int rights, int flags, int file, off64_t at) noexcept {
    REAL(mmap64);
    bool ours = file >= 0 && fails("map", file);
    return ours ? MAP_FAILED : next(where, size, rights, flags, file, at);
}
}
