// Runs on signals.
//
// The signal is written into a preallocated ring, and the agent's thread is woken through a
// descriptor.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/clock.h"
#include "signals/chain.h"

#include <stdatomic.h>

#define SLOTS 256u

// A bounded queue of many producers (handlers, on any thread, also nested) and one consumer. A slot's
// `turn` names its owner: the producer if it equals the position, the consumer if it is one more.
static struct slot {
    _Atomic uint32_t turn;
    CTelltaleSignal signal;
} ring[SLOTS];
static _Atomic uint32_t head;
static uint32_t tail;
static _Atomic uint32_t overflow[NSIG];

// True if the signal is recorded; false if a handler of the host calls ours after its release.
static atomic_bool is_wanted[NSIG];

static bool is_valid(int signal) { return signal > 0 && signal < NSIG; }

void ctelltale_signal_record(int signal, int code, pid_t pid, uid_t uid) {
    if (!is_valid(signal)) return;
    uint32_t position = atomic_load_explicit(&head, memory_order_relaxed);
    for (;;) {
        struct slot *slot = &ring[position % SLOTS];
        uint32_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
        // `turn` starts at 0, so a slot's own number is added when positions are compared with it.
        int32_t ahead = (int32_t)(turn + position % SLOTS - position);
        if (ahead == 0) {
            if (atomic_compare_exchange_weak_explicit(&head, &position, position + 1,
                                                      memory_order_relaxed, memory_order_relaxed)) {
                slot->signal = (CTelltaleSignal){signal, code, pid, uid, clock_now()};
                atomic_store_explicit(&slot->turn, turn + 1, memory_order_release);
                break;
            }
        } else if (ahead < 0) {
            atomic_fetch_add_explicit(&overflow[signal], 1, memory_order_relaxed);
            break;
        } else {
            position = atomic_load_explicit(&head, memory_order_relaxed);
        }
    }
    ctelltale_wake_agent();
}

bool ctelltale_signal_next(CTelltaleSignal *out) {
    struct slot *slot = &ring[tail % SLOTS];
    uint32_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
    if ((int32_t)(turn + tail % SLOTS - (tail + 1)) < 0) return false;
    *out = slot->signal;
    atomic_store_explicit(&slot->turn, tail + SLOTS - tail % SLOTS, memory_order_release);
    tail++;
    return true;
}

uint32_t ctelltale_signal_overflow(int signal) {
    return is_valid(signal) ? atomic_exchange(&overflow[signal], 0) : 0;
}

static bool take(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (atomic_load(&is_wanted[signal]))
        ctelltale_signal_record(signal, info->si_code, info->si_pid, info->si_uid);
    return false;
}

CTelltaleSignalResult ctelltale_signal_take(int signal) {
    if (is_valid(signal)) atomic_store(&is_wanted[signal], true);
    CTelltaleSignalResult result = ctelltale_chain_take(signal, 0, take);
    if (result == CTelltaleSignalFailed && is_valid(signal)) atomic_store(&is_wanted[signal], false);
    return result;
}

bool ctelltale_signal_give_back(int signal) {
    bool is_back = ctelltale_chain_give_back(signal);
    if (is_valid(signal)) atomic_store(&is_wanted[signal], false);
    return is_back;
}

bool ctelltale_signal_is_ours(int signal) { return ctelltale_chain_is_ours(signal); }
#endif
