// Time slices for long work. The kernel makes a thread that wakes up wait for the end of the running
// thread's slice, or for the next tick, if the running thread seems entitled to its share: up to 6 ms were
// seen behind a dump, while the other core was idle for five of them.
#if TELLTALE_AGENT
#include "process/turns.h"

#include "CTelltaleSystem.h"
#include "process/clock.h"

#include <sched.h>

// The time slice, and the maximum time given to other threads: as much as the thread itself used, plus two
// of their slices.
static const uint64_t turn = 30 * 1000;
static const uint64_t allowance = 6 * 1000 * 1000;

_Thread_local struct turns ctelltale_turns;
static _Thread_local uint64_t began, own, others;

void ctelltale_thread_gives_turns(bool gives) {
    if (!gives) {
        ctelltale_turns.depth--;
    } else if (ctelltale_turns.depth++ == 0) {
        own = others = 0;
        began = clock_now();
    }
}

void ctelltale_turns_look(void) {
    uint64_t now = clock_now();
    if (now - began < turn) return;
    own += now - began;
    began = now;
    // If all cores are taken, each yield goes to a thread that keeps the core for a whole slice.
    if (others > own + allowance) return;
    sched_yield();
    began = clock_now();
    others += began - now;
}
#endif
