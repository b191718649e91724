// Processes of snapshots that were told to end, until they have ended: none of them stays behind as a
// zombie of the host.
#if TELLTALE_AGENT
#include "memory/frozen_copy.h"
#include "process/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

// The time to wait for terminated copies, and the time after which they are killed. The kernel takes some
// 50 ms for each GiB of a copy's page tables.
#define REAP_WITHIN 500000000u
#define KILL_AFTER 100000000u

// Copies that had not ended at the end of the wait; their processes are reaped later.
#define MOST_LEFT 64
static _Atomic pid_t left[MOST_LEFT];

// If the host's own wait with __WALL has reaped it, the pid may belong to another process by now.
bool ctelltale_copy_is_gone(pid_t process) {
    pid_t ended;
    do ended = waitpid(process, NULL, WNOHANG | __WCLONE);
    while (ended < 0 && errno == EINTR);
    return ended != 0;
}

bool ctelltale_copy_is_kept(pid_t process) {
    for (int i = 0; i < MOST_LEFT; i++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&left[i], &none, process)) return true;
    }
    return false;
}

// Returns the number left; reaps those that have ended.
static size_t take(bool kills) {
    size_t count = 0;
    for (int i = 0; i < MOST_LEFT; i++) {
        pid_t process = atomic_load(&left[i]);
        // Only one thread at a time handles a copy.
        if (process == 0) continue;
        if (process < 0 || !atomic_compare_exchange_strong(&left[i], &process, -1)) {
            count++;
            continue;
        }
        bool gone = ctelltale_copy_is_gone(process);
        // It was this process's child a moment ago, so its number has not been reused.
        if (!gone && kills) kill(process, SIGKILL);
        atomic_store(&left[i], gone ? 0 : process);
        count += !gone;
    }
    return count;
}

size_t ctelltale_copies_left(void) {
    int saved = errno;
    size_t count = take(false);
    errno = saved;
    return count;
}

size_t ctelltale_copies_await(void) {
    int saved = errno;
    uint64_t began = clock_now(), spent = 0;
    long wait = 50000;
    size_t count;
    while ((count = take(spent > KILL_AFTER)) > 0 && spent < REAP_WITHIN) {
        struct timespec pause = {0, wait};
        nanosleep(&pause, NULL);
        if (wait < 5000000) wait *= 2;
        spent = clock_now() - began;
    }
    errno = saved;
    return count;
}
#endif
