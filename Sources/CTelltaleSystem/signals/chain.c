// Runs on signals.
//
// The agent's handler: it allocates nothing, takes no lock and keeps errno. In C because a Swift
// @convention(c) function may run lazy initialisers, exclusivity checks and reference counting, none of
// which is async-signal-safe.
#if TELLTALE_AGENT
#include "signals/chain.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// Covered: the host's handler is over ours, and may call it.
enum state { Free, Taken, Covered };

enum { action_words = sizeof(struct sigaction) / sizeof(uintptr_t) };

static struct link {
    _Atomic int state;
    atomic_bool is_spent;  // the host's handler was for one signal, which has come
    // The host's action, in the copy that the sequence counter names by its lowest bit. The other copy is written while
    // our handler may read this one, also on the writing thread.
    _Atomic unsigned sequence;
    _Atomic uintptr_t before[2][action_words];
    ctelltale_on_signal _Nullable ours;
} chain[NSIG];

// The process that owns these signals. A forked child's handler only calls the host's.
static _Atomic pid_t owner;

static bool is_valid(int signal) { return signal > 0 && signal < NSIG; }

static bool is_handler(const struct sigaction *action) {
    if (action->sa_flags & SA_SIGINFO) return action->sa_sigaction != NULL;
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

// The kernel fills in the first word of a mask, and the C library leaves stack contents in the
// others: kept, these would lead a search of the memory to a former holder.
static void keep(struct link *link, const struct sigaction *action) {
    enum { filled = (NSIG - 1) / 8 };
    struct sigaction before = *action;
    memset((char *)&before.sa_mask + filled, 0, sizeof before.sa_mask - filled);
    uintptr_t words[action_words];
    memcpy(words, &before, sizeof words);
    unsigned next = atomic_load(&link->sequence) + 1;
    for (size_t n = 0; n < action_words; n++)
        atomic_store_explicit(&link->before[next & 1][n], words[n], memory_order_relaxed);
    atomic_store_explicit(&link->sequence, next, memory_order_release);
}

static struct sigaction before_of(struct link *link) {
    uintptr_t words[action_words];
    unsigned now;
    do {
        now = atomic_load_explicit(&link->sequence, memory_order_acquire);
        for (size_t n = 0; n < action_words; n++)
            words[n] = atomic_load_explicit(&link->before[now & 1][n], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (atomic_load_explicit(&link->sequence, memory_order_relaxed) != now);
    struct sigaction before;
    memcpy(&before, words, sizeof before);
    return before;
}

// The default action is never chained to: the host asked for the agent, not for its own end.
static void call_hosts(struct link *link, int signal, siginfo_t *info, void *context) {
    struct sigaction before = before_of(link);
    if (!is_handler(&before)) return;
    if ((before.sa_flags & SA_RESETHAND) && atomic_exchange(&link->is_spent, true)) return;
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else
        before.sa_handler(signal);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    struct link *link = &chain[signal];
    bool is_done = false;
    if (getpid() == atomic_load(&owner)) {
        is_done = link->ours(signal, info, context);
    } else if (atomic_load(&link->state) == Taken && ctelltale_chain_has_default(signal)) {
        // A child between its fork and the hook that gives the signal back: it is as if it never had an
        // agent. The signal is blocked until this returns, and then takes its old effect.
        struct sigaction before = before_of(link);
        sigaction(signal, &before, NULL);
        raise(signal);
    }
    errno = saved;
    if (!is_done) call_hosts(link, signal, info, context);
    errno = saved;
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

CTelltaleSignalResult ctelltale_chain_take(int signal, int flags, ctelltale_on_signal ours) {
    struct sigaction action, current;
    if (!is_valid(signal)) errno = EINVAL;
    if (!is_valid(signal) || sigaction(signal, NULL, &current) != 0) return CTelltaleSignalFailed;
    struct link *link = &chain[signal];
    atomic_store(&owner, getpid());
    int state = atomic_exchange(&link->state, Taken);
    if (is_ours(&current)) return CTelltaleSignalTaken;
    // Taken earlier, and covered since: a handler that calls ours would be called by ours again.
    if (state != Free) return CTelltaleSignalReplaced;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | flags;
    if (is_handler(&current)) {
        // The host's handler keeps its mask and its stack, and its calls are restarted or not as it chose.
        action.sa_mask = current.sa_mask;
        action.sa_flags |= current.sa_flags & (SA_RESTART | SA_NODEFER | SA_ONSTACK);
    } else {
        // On the stack of the receiving thread, the first one's as a rule. An alternate stack was
        // made for the host's own handlers, and may be as small as they are (2 KiB, less than the
        // kernel itself puts on it with AVX-512); a thread's own must bear a signal's frame anyway.
        action.sa_flags |= SA_RESTART;
    }
    // In place before the first signal can reach our handler, and before a fork can copy it.
    keep(link, &current);
    link->ours = ours;
    atomic_store(&link->is_spent, false);
    struct sigaction replaced;
    if (sigaction(signal, &action, &replaced) != 0) {
        atomic_store(&link->state, Free);
        return CTelltaleSignalFailed;
    }
    if (!is_ours(&replaced)) keep(link, &replaced);
    return CTelltaleSignalTaken;
}

bool ctelltale_chain_give_back(int signal) {
    if (!is_valid(signal) || !chain[signal].ours) return true;
    struct link *link = &chain[signal];
    struct sigaction current, replaced, before = before_of(link);
    // The kernel copies a forked process's handlers ahead of its memory: `state` may be of a moment
    // later, so the kernel is asked.
    if (sigaction(signal, NULL, &current) != 0 || !is_ours(&current)) {
        if (atomic_load(&link->state) != Free) atomic_store(&link->state, Covered);
        return atomic_load(&link->state) == Free;
    }
    if (atomic_load(&link->is_spent)) {
        memset(&before, 0, sizeof before);
        before.sa_handler = SIG_DFL;
    }
    bool is_back = sigaction(signal, &before, &replaced) == 0;
    if (is_back && !is_ours(&replaced)) {
        // The host has put its own over ours just now.
        sigaction(signal, &replaced, NULL);
        is_back = false;
    }
    atomic_store(&link->state, is_back ? Free : Covered);
    return is_back;
}

bool ctelltale_chain_has_default(int signal) {
    if (!is_valid(signal)) return false;
    struct sigaction before = before_of(&chain[signal]);
    return !is_handler(&before);
}

bool ctelltale_chain_is_ours(int signal) {
    struct sigaction current;
    return is_valid(signal) && sigaction(signal, NULL, &current) == 0 && is_ours(&current);
}

bool ctelltale_signal_is_ignored(int signal) {
    struct sigaction current;
    return is_valid(signal) && sigaction(signal, NULL, &current) == 0 &&
           !(current.sa_flags & SA_SIGINFO) && current.sa_handler == SIG_IGN;
}

const void *ctelltale_signal_current(int signal) {
    struct sigaction current;
    if (!is_valid(signal) || sigaction(signal, NULL, &current) != 0 || !is_handler(&current))
        return NULL;
    return (current.sa_flags & SA_SIGINFO) ? (const void *)current.sa_sigaction
                                           : (const void *)current.sa_handler;
}
#endif
