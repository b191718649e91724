// Runs on signals.
//
// Removes the agent's state from a forked child. A child that holds the listening socket lets clients
// connect to an agent that has ended, and they hang (seen); a child that keeps the handler swallows signals
// whose default action it should have taken. The child does only what a signal handler may do.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/clock.h"
#include "process/interrupt.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// The maximum number of connections in a configuration (256), as many that are just being refused, and the
// agent's own few. A child that kept one would keep a client waiting after its agent's end.
#define CAPACITY 1024
// A fork waits for a descriptor that is just being created or closed, and for the agent's threads to become
// quiet: a thread inside the Swift runtime may hold one of its locks, and a child forked then hangs at its
// first use of an array (seen, in 3 of 4 runs that forked right after a signal). Those threads wait for the
// fork in turn. The limit is for an agent thread that waits for the host, and for a thread that forks in a
// signal handler in the middle of all this. It is a limit of processor time, which a yielding thread uses
// up at once if no other thread wants the core; on a busy machine the agent's threads need theirs first.
#define LONGEST_WAIT 20000000u
#define LONGEST_WAIT_BUSY 200000000u

// The descriptors that a child closes. A slot belongs to the thread that changed `number` from 0 to -1,
// until it is set to the number.
static struct {
    _Atomic int32_t number;  // descriptor + 1; 0 is a free slot
    _Atomic int32_t known_by;
    _Atomic uint64_t device, inode, mark;
} descriptors[CAPACITY];
static _Atomic uint32_t generation;
static _Atomic int changing;
static _Atomic int forking;
// True while the thread is one of the agent's and counts in `changing`.
static __thread bool inside;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int hook_result;

typedef struct {
    uint64_t used;
    uint64_t time;
} Deadline;

static Deadline from_now(void) {
    return (Deadline){clock_used() + LONGEST_WAIT,
                      clock_now() + LONGEST_WAIT_BUSY};
}

static bool is_over(Deadline deadline) {
    return clock_used() >= deadline.used ||
           clock_now() >= deadline.time;
}

static void wait_for_none(_Atomic int *count) {
    if (atomic_load(count) <= 0) return;
    Deadline deadline = from_now();
    while (atomic_load(count) > 0 && !is_over(deadline)) sched_yield();
}

// Not a lock: if the forking thread held it itself, the host would stop forever.
static void before_fork(void) {
    atomic_fetch_add(&forking, 1);
    if (inside) atomic_fetch_sub(&changing, 1);
    wait_for_none(&changing);
}

static void in_parent(void) {
    if (inside) atomic_fetch_add(&changing, 1);
    atomic_fetch_sub(&forking, 1);
}

void ctelltale_fork_begin_change(void) {
    atomic_fetch_add(&changing, 1);
    if (inside || atomic_load(&forking) <= 0) return;
    atomic_fetch_sub(&changing, 1);
    Deadline deadline = from_now();
    for (;;) {
        atomic_fetch_add(&changing, 1);
        if (atomic_load(&forking) <= 0 || is_over(deadline)) return;
        atomic_fetch_sub(&changing, 1);
        wait_for_none(&forking);
    }
}

void ctelltale_fork_end_change(void) { atomic_fetch_sub(&changing, 1); }

void ctelltale_fork_enter(void) {
    if (inside) return;
    ctelltale_fork_begin_change();
    inside = true;
}

bool ctelltale_fork_leave(void) {
    if (!inside) return false;
    inside = false;
    ctelltale_fork_end_change();
    return true;
}

bool ctelltale_fork_is_inside(void) { return inside; }

void ctelltale_fork_rest(void) {
    if (atomic_load(&forking) <= 0 || !ctelltale_fork_leave()) return;
    ctelltale_fork_enter();
}

static CTelltaleDescriptor at_place(int i) {
    int32_t number = atomic_load_explicit(&descriptors[i].number, memory_order_acquire);
    return (CTelltaleDescriptor){.number = number > 0 ? number - 1 : -1,
                                 .known_by = atomic_load(&descriptors[i].known_by),
                                 .device = atomic_load(&descriptors[i].device),
                                 .inode = atomic_load(&descriptors[i].inode),
                                 .mark = atomic_load(&descriptors[i].mark)};
}

atomic_flag ctelltale_interrupts_busy = ATOMIC_FLAG_INIT;

// Only async-signal-safe calls: the parent may have had any number of threads.
static void in_child(void) {
    atomic_fetch_add(&generation, 1);
    inside = false;
    atomic_store(&changing, 0);
    atomic_store(&forking, 0);
    ctelltale_agent_threads_forget();
    for (int signal = 1; signal < NSIG; signal++) ctelltale_signal_give_back(signal);
    atomic_flag_clear(&ctelltale_interrupts_busy);
    ctelltale_wake_forget();
    for (int i = 0; i < CAPACITY; i++) {
        CTelltaleDescriptor found = at_place(i);
        // A descriptor that the host closed belongs to the host by now, and stays.
        if (found.number >= 0) ctelltale_descriptor_close(&found);
        atomic_store(&descriptors[i].number, 0);
    }
}

static void install(void) { hook_result = pthread_atfork(before_fork, in_parent, in_child); }

int ctelltale_fork_hook(void) {
    pthread_once(&once, install);
    return hook_result;
}

bool ctelltale_fork_closes(const CTelltaleDescriptor *descriptor) {
    for (int i = 0; i < CAPACITY; i++) {
        int32_t free_place = 0;
        if (!atomic_compare_exchange_strong(&descriptors[i].number, &free_place, -1)) continue;
        atomic_store(&descriptors[i].known_by, descriptor->known_by);
        atomic_store(&descriptors[i].device, descriptor->device);
        atomic_store(&descriptors[i].inode, descriptor->inode);
        atomic_store(&descriptors[i].mark, descriptor->mark);
        atomic_store_explicit(&descriptors[i].number, descriptor->number + 1, memory_order_release);
        return true;
    }
    return false;
}

void ctelltale_fork_forgets(const CTelltaleDescriptor *descriptor) {
    for (int i = 0; i < CAPACITY; i++) {
        // The same number may be in two slots, once for a descriptor that the host closed.
        CTelltaleDescriptor found = at_place(i);
        int32_t stored = descriptor->number + 1;
        if (found.number == descriptor->number && found.inode == descriptor->inode &&
            found.device == descriptor->device && found.mark == descriptor->mark &&
            atomic_compare_exchange_strong(&descriptors[i].number, &stored, 0))
            return;
    }
}

uint32_t ctelltale_fork_generation(void) { return atomic_load(&generation); }
#endif
