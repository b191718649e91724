//! The kernel's clocks as nanoseconds. Async-signal-safe.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// Reads `clock`; false if it can't be read, such as that of a thread that has ended.
static inline bool clock_read(clockid_t clock, uint64_t *out) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return false;
    *out = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    return true;
}

/// Returns the time of the clock used for every deadline (`CLOCK_MONOTONIC`).
static inline uint64_t clock_now(void) {
    uint64_t time = 0;
    clock_read(CLOCK_MONOTONIC, &time);
    return time;
}

/// Returns the processor time that the calling thread has used.
static inline uint64_t clock_used(void) {
    uint64_t time = 0;
    clock_read(CLOCK_THREAD_CPUTIME_ID, &time);
    return time;
}

/// Converts a length to the kernel's format.
static inline struct timespec clock_length(uint64_t nanoseconds) {
    return (struct timespec){.tv_sec = (time_t)(nanoseconds / 1000000000u),
                             .tv_nsec = (long)(nanoseconds % 1000000000u)};
}
