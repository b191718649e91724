// Swift's own lock on Linux, `Synchronization.Mutex`: a futex with priority inheritance. Its word is 0 if
// the lock is free, otherwise the holder's thread id, with the top bit set if threads wait (checked against
// swift-6.3.1, `Mutex/LinuxImpl.swift`). No function of the runtime takes it with a deadline.
#if TELLTALE_AGENT
#include "CTelltaleConcurrency.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13  // Linux 5.14: by the monotonic clock
#endif
#define HOLDER 0x3FFFFFFFu

static _Atomic(uint32_t) *word_at(uintptr_t address) { return (_Atomic(uint32_t) *)address; }

/// Waits in the kernel, which hands the lock over; returns 0 if it did, otherwise an error number.
static int wait_for(uintptr_t address, int64_t deadline) {
    struct timespec at = {deadline / 1000000000, deadline % 1000000000};
    if (syscall(SYS_futex, address, FUTEX_LOCK_PI2 | FUTEX_PRIVATE_FLAG, 0, &at, NULL, 0) == 0) return 0;
    if (errno != ENOSYS && errno != EINVAL) return errno;
    struct timespec now, wall;
    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_gettime(CLOCK_REALTIME, &wall);
    int64_t left = deadline - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    if (left <= 0) return ETIMEDOUT;
    int64_t end = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec + left;
    at = (struct timespec){end / 1000000000, end % 1000000000};
    return syscall(SYS_futex, address, FUTEX_LOCK_PI | FUTEX_PRIVATE_FLAG, 0, &at, NULL, 0) == 0 ? 0 : errno;
}

CTelltaleMutexResult ctelltale_mutex_take(uintptr_t address, int64_t deadline, int32_t *holder) {
    // Not the C library's cached id: in a forked child that was its parent's.
    uint32_t own = (uint32_t)syscall(SYS_gettid);
    *holder = 0;
    for (;;) {
        uint32_t seen = 0;
        if (atomic_compare_exchange_strong_explicit(word_at(address), &seen, own, memory_order_acquire,
                                                    memory_order_relaxed))
            return CTelltaleMutexTaken;
        *holder = (int32_t)(seen & HOLDER);
        if ((seen & HOLDER) == own) return CTelltaleMutexOwn;
        if (deadline == 0) return CTelltaleMutexHeld;
        switch (wait_for(address, deadline)) {
        case 0:
            atomic_thread_fence(memory_order_acquire);
            return CTelltaleMutexTaken;
        case EINTR:
        case EAGAIN: continue;
        case ETIMEDOUT: return CTelltaleMutexHeld;
        default: return CTelltaleMutexUnfit;  // the holder is not a thread: there is no such lock
        }
    }
}

void ctelltale_mutex_give_back(uintptr_t address) {
    uint32_t own = (uint32_t)syscall(SYS_gettid);
    if (atomic_compare_exchange_strong_explicit(word_at(address), &own, 0, memory_order_release,
                                                memory_order_relaxed))
        return;
    // A thread waits: the kernel hands the lock over.
    syscall(SYS_futex, address, FUTEX_UNLOCK_PI | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
}
#endif
