// Detects seccomp filters that a thread has got since the agent's start. Such a filter may end the process
// at any system call, and there is no way to ask it. Calls that the agent made before start() returned were
// allowed by the filters of that time.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/clock.h"
#include "process/proc_file.h"

#include <stdatomic.h>
#include <stdlib.h>

// The time for which the result for a thread is cached: reading it takes some 20 µs.
#define HOLDS 100000000u

// Returns the mode and the number of filters; a kernel before 5.9 doesn't count them.
static uint64_t read_filters(void) {
    static const char *const lines[] = {"\nSeccomp:", "\nSeccomp_filters:"};
    uint64_t mode = 0, count = 0, *const values[] = {&mode, &count};
    ctelltale_proc_status((int32_t)ctelltale_thread_id(), lines, values, 2, 10);
    return mode << 32 | count;
}

static _Atomic uint64_t at_start;

static int is_equal(const void *left, const void *right) {
    (void)left;
    (void)right;
    return 0;
}

void ctelltale_filters_remember(void) {
    atomic_store(&at_start, read_filters());
    // The C library asks for the size of memory (`sysinfo`) at its first sort of more than a kilobyte.
    static uint64_t words[256];
    qsort(words, sizeof words / sizeof *words, sizeof *words, is_equal);
}

bool ctelltale_filters_are_any(void) { return atomic_load(&at_start) != 0 || ctelltale_filters_have_grown(); }

bool ctelltale_filters_have_grown(void) {
    static __thread uint64_t looked;
    static __thread bool have_grown;
    uint64_t time = clock_now();
    if (looked && time - looked < HOLDS) return have_grown;
    have_grown = read_filters() > atomic_load(&at_start);
    looked = time;
    return have_grown;
}
#endif
