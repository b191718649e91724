// What a forked child must not keep: a child that holds the listening socket lets clients connect
// to an agent that has ended, and they hang (seen); one that keeps the handler swallows signals
// whose default action it should have taken.
#include "CTelltaleSystem.h"

#if CTELLTALE_AGENT

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef NSIG
#define NSIG 65
#endif
#define CAPACITY 64

static _Atomic int descriptors[CAPACITY];  // descriptor + 1; 0 is a free place
static _Atomic uint32_t generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int hook_result;

// Only async-signal-safe calls: the parent may have had any number of threads.
static void in_child(void) {
    atomic_fetch_add(&generation, 1);
    for (int signal = 1; signal < NSIG; signal++) ctelltale_signal_give_back(signal);
    ctelltale_signals_open(-1);
    for (int i = 0; i < CAPACITY; i++) {
        int stored = atomic_exchange(&descriptors[i], 0);
        if (stored > 0) close(stored - 1);
    }
}

static void install(void) { hook_result = pthread_atfork(NULL, NULL, in_child); }

int ctelltale_fork_hook(void) {
    pthread_once(&once, install);
    return hook_result;
}

bool ctelltale_fork_closes(int descriptor) {
    for (int i = 0; i < CAPACITY; i++) {
        int free_place = 0;
        if (atomic_compare_exchange_strong(&descriptors[i], &free_place, descriptor + 1)) return true;
    }
    return false;
}

void ctelltale_fork_forgets(int descriptor) {
    for (int i = 0; i < CAPACITY; i++) {
        int stored = descriptor + 1;
        if (atomic_compare_exchange_strong(&descriptors[i], &stored, 0)) return;
    }
}

uint32_t ctelltale_fork_generation(void) { return atomic_load(&generation); }

#endif
