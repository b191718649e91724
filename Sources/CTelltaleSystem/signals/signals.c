// The agent's signal handler. It allocates nothing, takes no lock and keeps errno: it writes what
// came into a ring that was there before, wakes the agent's thread through a descriptor, and goes
// on to the handler that the host had. In C because a Swift @convention(c) function may run lazy
// initialisers, exclusivity checks and reference counting, none of which is async-signal-safe.
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef NSIG
#define NSIG 65
#endif
#define SLOTS 256u

// A bounded queue of many producers (handlers, on any thread, also nested) and one consumer. A
// slot's `turn` says whose it is: the producer's when it equals the position, the consumer's when
// it is one more.
static struct slot {
    _Atomic uint32_t turn;
    CTelltaleSignal signal;
} ring[SLOTS];
static _Atomic uint32_t head;
static uint32_t tail;
static _Atomic uint32_t overflow[NSIG];

static _Atomic pid_t owner;

enum state { untaken, taken, passing_on };
static _Atomic int states[NSIG];
static struct sigaction previous[NSIG];
static atomic_bool host_handler_spent[NSIG];

static bool is_valid(int signal) { return signal > 0 && signal < NSIG; }

static bool is_handler(const struct sigaction *action) {
    if (action->sa_flags & SA_SIGINFO) return action->sa_sigaction != NULL;
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void ctelltale_signal_record(int signal, int code, pid_t pid, uid_t uid) {
    if (!is_valid(signal)) return;
    uint32_t position = atomic_load_explicit(&head, memory_order_relaxed);
    for (;;) {
        struct slot *slot = &ring[position % SLOTS];
        uint32_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
        // Turns start at 0, so a slot's own number is added where positions are compared with it.
        int32_t ahead = (int32_t)(turn + position % SLOTS - position);
        if (ahead == 0) {
            if (atomic_compare_exchange_weak_explicit(&head, &position, position + 1,
                                                      memory_order_relaxed, memory_order_relaxed)) {
                slot->signal = (CTelltaleSignal){signal, code, pid, uid, now()};
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

static void on_signal(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    if (atomic_load(&states[signal]) == taken) {
        if (getpid() == atomic_load(&owner)) {
            ctelltale_signal_record(signal, info->si_code, info->si_pid, info->si_uid);
        } else if (!is_handler(&previous[signal])) {
            // A child between its fork and the hook that gives the signal back: it is as if it never
            // had an agent. The signal is blocked until this returns, and then takes its old effect.
            sigaction(signal, &previous[signal], NULL);
            kill(getpid(), signal);
        }
    }

    // The default action is never chained to: the host asked for the agent, not for its own end.
    const struct sigaction *before = &previous[signal];
    if (is_handler(before)) {
        bool once = (before->sa_flags & SA_RESETHAND) != 0;
        if (!once || !atomic_exchange(&host_handler_spent[signal], true)) {
            errno = saved;
            if (before->sa_flags & SA_SIGINFO)
                before->sa_sigaction(signal, info, context);
            else
                before->sa_handler(signal);
        }
    }
    errno = saved;
}

void ctelltale_signals_open(int wake_descriptor) {
    atomic_store(&owner, getpid());
    ctelltale_wake_open(wake_descriptor);
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

CTelltaleSignalResult ctelltale_signal_take(int signal) {
    if (!is_valid(signal)) {
        errno = EINVAL;
        return CTelltaleSignalFailed;
    }
    struct sigaction current;
    if (sigaction(signal, NULL, &current) != 0) return CTelltaleSignalFailed;
    if (is_ours(&current)) {
        atomic_store(&states[signal], taken);
        return CTelltaleSignalTaken;
    }
    if (atomic_load(&states[signal]) != untaken) {
        // Taken earlier, and covered since: a handler that calls ours would be called by ours again.
        atomic_store(&states[signal], taken);
        return CTelltaleSignalReplaced;
    }
    // What was there is in place before the first signal can reach our handler.
    previous[signal] = current;
    atomic_store(&host_handler_spent[signal], false);
    atomic_store(&states[signal], taken);

    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    if (is_handler(&current)) {
        // The host's handler keeps its mask and its stack, and its calls are restarted or not as it chose.
        action.sa_mask = current.sa_mask;
        action.sa_flags |= current.sa_flags & (SA_RESTART | SA_NODEFER | SA_ONSTACK);
    } else {
        // On the stack of the thread that it comes to, the first one's as a rule. An alternate stack was
        // made for the host's own handlers, and may be as small as they are (2 KiB, less than what the
        // kernel itself puts on it with AVX-512); a thread's own must bear a signal's frame anyway.
        sigemptyset(&action.sa_mask);
        action.sa_flags |= SA_RESTART;
    }
    if (sigaction(signal, &action, NULL) != 0) {
        atomic_store(&states[signal], untaken);
        return CTelltaleSignalFailed;
    }
    return CTelltaleSignalTaken;
}

bool ctelltale_signal_give_back(int signal) {
    if (!is_valid(signal) || atomic_load(&states[signal]) == untaken) return true;
    struct sigaction current, before = previous[signal];
    if (sigaction(signal, NULL, &current) != 0 || !is_ours(&current)) {
        atomic_store(&states[signal], passing_on);
        return false;
    }
    if (atomic_load(&host_handler_spent[signal])) {
        memset(&before, 0, sizeof before);
        before.sa_handler = SIG_DFL;
    }
    if (sigaction(signal, &before, NULL) != 0) {
        atomic_store(&states[signal], passing_on);
        return false;
    }
    atomic_store(&states[signal], untaken);
    return true;
}

bool ctelltale_signal_is_ours(int signal) {
    struct sigaction current;
    return is_valid(signal) && sigaction(signal, NULL, &current) == 0 && is_ours(&current);
}

static const void *handler_of(const struct sigaction *action) {
    if (!is_handler(action)) return NULL;
    return (action->sa_flags & SA_SIGINFO) ? (const void *)action->sa_sigaction
                                           : (const void *)action->sa_handler;
}

const void *ctelltale_signal_current(int signal) {
    struct sigaction current;
    if (!is_valid(signal) || sigaction(signal, NULL, &current) != 0) return NULL;
    return handler_of(&current);
}

#endif
