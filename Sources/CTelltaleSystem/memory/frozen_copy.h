//! A frozen copy, as the agent and the copy share it, and the system calls by which they wait for each other.
//! Private to frozen_copy.c, copy_process.c and copies_left.c.
#pragma once

#include "CTelltaleSystem.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

// Code in the copy is not instrumented: a sanitizer's run time has locks of its own.
#define IN_THE_COPY                                                                                \
    __attribute__((disable_sanitizer_instrumentation, no_sanitize("all"), no_stack_protector))

#define GRANULE ((size_t)4096)
#define ROOM ((size_t)64 << 10)
#define LINES 256

// The state of the exchange between agent and copy; the word that both wait on.
enum { Idle, Requested, Answered, Ended };

struct CTelltaleCopy {
    _Atomic uint32_t turn;
    // A request, and its result.
    uintptr_t address;
    uint32_t size;
    int32_t error;

    pid_t process;
    pid_t parent;
    uint64_t deadline;
    bool is_served;
    int lost;
    // A copy never changes: its memory read so far is cached, in chunks of 4 KiB.
    uintptr_t pieces[LINES];
    uint8_t room[ROOM] __attribute__((aligned(4096)));
    uint8_t lines[LINES][GRANULE];
};

// A system call without the C library's wrapper, which sets errno and may be intercepted.
IN_THE_COPY static inline __attribute__((always_inline)) long raw(long number, long a, long b,
                                                                  long c, long d, long e, long f) {
#ifdef __x86_64__
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#endif
}

IN_THE_COPY static inline __attribute__((always_inline)) uint64_t raw_now(void) {
    struct timespec time;
    raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Waits while the word is `value`, at most until the deadline. The word is shared by two processes.
IN_THE_COPY static inline __attribute__((always_inline)) bool wait_while(_Atomic uint32_t *word,
                                                                         uint32_t value,
                                                                         uint64_t deadline) {
    while (atomic_load_explicit(word, memory_order_acquire) == value) {
        uint64_t time = raw_now();
        if (time >= deadline) return false;
        struct timespec left;
        left.tv_sec = (time_t)((deadline - time) / 1000000000u);
        left.tv_nsec = (long)((deadline - time) % 1000000000u);
        raw(SYS_futex, (long)word, FUTEX_WAIT, (long)value, (long)&left, 0, 0);
    }
    return true;
}

IN_THE_COPY static inline __attribute__((always_inline)) void turn_to(_Atomic uint32_t *word,
                                                                      uint32_t value) {
    atomic_store_explicit(word, value, memory_order_release);
    raw(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}

/// Makes the process, in which the whole of ``copy_process.c`` then runs.
///
/// @return its id, or an error number, negative.
long ctelltale_copy_process_make(struct CTelltaleCopy *copy);

/// Returns whether it has ended, and reaps it.
bool ctelltale_copy_is_gone(pid_t process);

/// Returns whether a slot is free to await its end later.
bool ctelltale_copy_is_kept(pid_t process);
