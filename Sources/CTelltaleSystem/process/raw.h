//! System calls for short-lived processes of the agent, and the futex word by which both processes wait for
//! each other.
#pragma once

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

// The code of such a process is not instrumented: a sanitizer's runtime has locks of its own.
#define UNINSTRUMENTED                                                                             \
    __attribute__((disable_sanitizer_instrumentation, no_sanitize("all"), no_stack_protector))

// A system call without the C library's wrapper, which sets errno and may be intercepted.
UNINSTRUMENTED static inline __attribute__((always_inline)) long raw(long number, long a, long b,
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

UNINSTRUMENTED static inline __attribute__((always_inline)) uint64_t raw_now(void) {
    struct timespec time;
    raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Waits while the word is `value`, at most until the deadline. The word is shared by two processes.
UNINSTRUMENTED static inline __attribute__((always_inline)) bool wait_while(
    _Atomic uint32_t *word, uint32_t value, uint64_t deadline) {
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

UNINSTRUMENTED static inline __attribute__((always_inline)) void turn_to(_Atomic uint32_t *word,
                                                                         uint32_t value) {
    atomic_store_explicit(word, value, memory_order_release);
    raw(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}
