// Private descriptor tables of threads. RLIMIT_NOFILE bounds the numbers of a table: in a table of its own
// a thread can use all of them, however many the host holds or takes in the meantime.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define UNSHARE_DESCRIPTORS 2u

// The thread whose descriptors are the process's, if the calling thread's are not.
static _Thread_local int32_t shared_by;

static void close_between(int32_t low, int32_t high) {
    if (high - low > 1) syscall(SYS_close_range, (unsigned)(low + 1), (unsigned)(high - 1), 0u);
}

bool ctelltale_descriptors_detach(int32_t kept, int32_t other, int32_t thread) {
    int saved = errno;
    int32_t low = kept < other ? kept : other, high = kept < other ? other : kept;
    // Other descriptors are left out of the copy, or closed at once, so that a connection of the host ends
    // when the host closes it.
    bool is_done = syscall(SYS_close_range, (unsigned)(high + 1), ~0u, UNSHARE_DESCRIPTORS) == 0;
    if (is_done) {
        close_between(-1, low);
        close_between(low, high);
        shared_by = thread;
    }
    errno = saved;
    return is_done;
}

bool ctelltale_descriptors_are_own(void) { return shared_by != 0; }

void ctelltale_descriptors_path(char *buffer, size_t capacity, const char *rest) {
    if (shared_by == 0) snprintf(buffer, capacity, "/proc/thread-self/%s", rest);
    else snprintf(buffer, capacity, "/proc/self/task/%d/%s", shared_by, rest);
}
#endif
