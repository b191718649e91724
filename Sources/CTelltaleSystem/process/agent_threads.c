// Runs on signals.
//
// The ids of the agent's own threads, which distinguish them from the host's in a list of all threads.
// Forgotten in forked children.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <stdatomic.h>

// More than the maximum connections and workers in a configuration, plus the agent's few own threads.
#define CAPACITY 1024

static _Atomic int32_t ids[CAPACITY];  // 0 is a free slot

void ctelltale_agent_thread_begins(int32_t id) {
    for (int i = 0; i < CAPACITY; i++) {
        int32_t free_place = 0;
        if (atomic_compare_exchange_strong(&ids[i], &free_place, id)) return;
    }
}

void ctelltale_agent_thread_ends(int32_t id) {
    for (int i = 0; i < CAPACITY; i++) {
        int32_t stored = id;
        if (atomic_compare_exchange_strong(&ids[i], &stored, 0)) return;
    }
}

bool ctelltale_is_agent_thread(int32_t id) {
    for (int i = 0; i < CAPACITY; i++)
        if (atomic_load_explicit(&ids[i], memory_order_relaxed) == id) return true;
    return false;
}

// True while the calling thread is the agent's and lent to the host.
static __thread bool is_lent;

bool ctelltale_agent_thread_lend(int32_t id) {
    if (is_lent || !ctelltale_is_agent_thread(id)) return false;
    is_lent = true;
    ctelltale_agent_thread_ends(id);
    return true;
}

bool ctelltale_agent_thread_take_back(int32_t id) {
    if (!is_lent) return false;
    is_lent = false;
    ctelltale_agent_thread_begins(id);
    return true;
}

void ctelltale_agent_threads_forget(void) {
    for (int i = 0; i < CAPACITY; i++) atomic_store(&ids[i], 0);
    // A fork on a lent thread was the host's: the remaining thread in the child is the host's.
    is_lent = false;
}
#endif
