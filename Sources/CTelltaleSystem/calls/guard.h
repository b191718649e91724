// A guarded call, as its caller and the handler of its signals see it.
#pragma once
#if TELLTALE_AGENT

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "CTelltaleSystem.h"
#include "names.h"

#pragma clang assume_nonnull begin

struct CTelltaleGuard {
    sigjmp_buf before;
    CTelltaleTrap trap;
    uintptr_t low, high;
    _Atomic pid_t thread;
    atomic_bool is_running;
    // The runtime's record of the accesses that were under way when the call began.
    _Alignas(16) char accesses[64];
    // The guard of the call around this one.
    CTelltaleGuard *_Nullable outer;
};

struct guard_state {
    // The process's own actions.
    struct sigaction before[NSIG];
    _Atomic pid_t owner;
    // The numbers of cancellations that were sent and that came; the address of `mark` tells their signals.
    atomic_uint sent, arrived;
    char mark;
};
extern struct guard_state guard_state;

/// The innermost guarded call of the calling thread.
extern __thread CTelltaleGuard *_Nullable guard_current;

/// The handler of a trap's signals.
void guard_on_trap(int signal, siginfo_t *info, void *context);

/// Makes a guard the innermost one of the calling thread.
void guard_begin(CTelltaleGuard *guard);

void guard_end(CTelltaleGuard *guard);

/// Ends a call in the middle. The frames that are left are still intact here: the list of accesses goes through them.
_Noreturn void guard_leave(CTelltaleGuard *guard);

#pragma clang assume_nonnull end
#endif
