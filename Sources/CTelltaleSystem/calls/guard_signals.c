// Runs on signals.
//
// The handler of a trap's signals, which ends a guarded call of the interrupted thread, and passes on each other one. In C
// because a jump out of a handler leaves frames that Swift would have to unwind.
#if TELLTALE_AGENT
#include "calls/guard.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

// The runtime's record of the accesses under way on a thread, which it keeps in the frames of their functions:
// saved before a call, and put back where its frames are left. Exported for the concurrency library, which does
// the same where a task leaves a thread; two words (Swift 5.9 to 6.3). Both only read and write the thread's own words.
extern void swift_task_enterThreadLocalContext(char *state) __attribute__((weak));
extern void swift_task_exitThreadLocalContext(char *state) __attribute__((weak));

struct guard_state guard_state;
__thread CTelltaleGuard *_Nullable guard_current;
// True while a signal is passed on: a handler that calls ours again would go round for ever.
static __thread bool is_passing;

static uintptr_t position(const void *context) {
    const ucontext_t *state = context;
#if defined(__x86_64__)
    return (uintptr_t)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)state->uc_mcontext.pc;
#else
    (void)state;
    return 0;
#endif
}

void guard_begin(CTelltaleGuard *guard) {
    memset(guard->accesses, 0, sizeof guard->accesses);
    if (swift_task_enterThreadLocalContext) swift_task_enterThreadLocalContext(guard->accesses);
    guard->outer = guard_current;
    guard_current = guard;
}

void guard_end(CTelltaleGuard *guard) {
    if (swift_task_exitThreadLocalContext) swift_task_exitThreadLocalContext(guard->accesses);
    guard_current = guard->outer;
}

void guard_leave(CTelltaleGuard *guard) {
    guard_end(guard);
    siglongjmp(guard->before, 1);
}

static void pass_on(int signal, siginfo_t *info, void *context) {
    const struct sigaction *action = &guard_state.before[signal];
    bool has_handler = (action->sa_flags & SA_SIGINFO) ? action->sa_sigaction != NULL
                                                       : action->sa_handler != SIG_DFL;
    if (has_handler && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN) {
        // The kernel doesn't ignore a trap.
        if (info->si_code <= 0) return;
        has_handler = false;
    }
    if (!has_handler || is_passing) {
        struct sigaction none;
        memset(&none, 0, sizeof none);
        none.sa_handler = SIG_DFL;
        sigaction(signal, &none, NULL);
        // A trap comes again by itself.
        if (info->si_code <= 0) raise(signal);
        return;
    }
    is_passing = true;
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(signal, info, context);
    else
        action->sa_handler(signal);
    is_passing = false;
}

void guard_on_trap(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    CTelltaleGuard *guard = getpid() == atomic_load(&guard_state.owner) ? guard_current : NULL;
    if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &guard_state.mark) {
        atomic_fetch_add(&guard_state.arrived, 1);
        uintptr_t at = position(context);
        if (guard && at >= guard->low && at < guard->high) {
            guard->trap = (CTelltaleTrap){.signal = signal, .is_cancelled = true};
            guard_leave(guard);
        }
    } else if (guard) {
        bool is_fault = signal == SIGSEGV || signal == SIGBUS;
        guard->trap = (CTelltaleTrap){
            .signal = signal, .address = is_fault ? (uintptr_t)info->si_addr : 0};
        guard_leave(guard);
    } else {
        pass_on(signal, info, context);
    }
    errno = saved;
}

#endif
