// Runs on signals.
//
// The signals of a trap are taken for the time of a guarded call, and only from its thread: the agent has no
// handler for them otherwise. In C because a jump out of a handler leaves frames that Swift would have to
// unwind.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { stack_bytes = 65536 };

// The runtime's record of the accesses under way on a thread, which it keeps in the frames of their functions:
// saved before a call, and put back where its frames are left. Exported for the concurrency library, which does
// the same where a task leaves a thread; two words (Swift 5.9 to 6.3).
extern void swift_task_enterThreadLocalContext(char *state) __attribute__((weak));
extern void swift_task_exitThreadLocalContext(char *state) __attribute__((weak));

struct CTelltaleGuard {
    sigjmp_buf before;
    CTelltaleTrap trap;
    uintptr_t low, high;
    _Atomic pid_t thread;
    atomic_bool is_running;
    _Alignas(16) char accesses[64];
    // The guard of the call around this one.
    CTelltaleGuard *_Nullable outer;
};

static const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { signal_count = sizeof signals / sizeof *signals };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;
static struct sigaction before[NSIG];
static _Atomic pid_t owner;
static __thread CTelltaleGuard *_Nullable current;
// True while a signal is passed on: a handler that calls ours again would go round for ever.
static __thread bool is_passing;

// The address that marks a signal as a cancellation, and the numbers of those that were sent and that came.
static char mark;
static atomic_uint sent, arrived;

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

static void end(CTelltaleGuard *guard) {
    if (swift_task_exitThreadLocalContext) swift_task_exitThreadLocalContext(guard->accesses);
    current = guard->outer;
}

// The frames that are left are still intact here: the list of accesses goes through them.
_Noreturn static void leave(CTelltaleGuard *guard) {
    end(guard);
    siglongjmp(guard->before, 1);
}

static void pass_on(int signal, siginfo_t *info, void *context) {
    const struct sigaction *action = &before[signal];
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

static void on_trap(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    CTelltaleGuard *guard = getpid() == atomic_load(&owner) ? current : NULL;
    if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &mark) {
        atomic_fetch_add(&arrived, 1);
        uintptr_t at = position(context);
        if (guard && at >= guard->low && at < guard->high) {
            guard->trap = (CTelltaleTrap){.signal = signal, .is_cancelled = true};
            leave(guard);
        }
    } else if (guard) {
        bool is_fault = signal == SIGSEGV || signal == SIGBUS;
        guard->trap = (CTelltaleTrap){
            .signal = signal, .address = is_fault ? (uintptr_t)info->si_addr : 0};
        leave(guard);
    } else {
        pass_on(signal, info, context);
    }
    errno = saved;
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_trap;
}

static bool take_signals(void) {
    bool is_taken = true;
    pthread_mutex_lock(&lock);
    atomic_store(&owner, getpid());
    if (users++ == 0) {
        for (size_t n = 0; n < signal_count; n++) {
            struct sigaction present, ours;
            if (sigaction(signals[n], NULL, &present) != 0) is_taken = false;
            // Still ours if a handler of the host's covered it, and has gone since.
            if (is_ours(&present)) continue;
            before[signals[n]] = present;
            memset(&ours, 0, sizeof ours);
            ours.sa_sigaction = on_trap;
            ours.sa_mask = present.sa_mask;
            ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (present.sa_flags & (SA_RESTART | SA_NODEFER));
            if (sigaction(signals[n], &ours, NULL) != 0) is_taken = false;
        }
    }
    pthread_mutex_unlock(&lock);
    return is_taken;
}

static void sleep_a_moment(void) {
    struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
}

// A cancellation that comes after its handler has gone would end the process: without it, the handlers stay.
static void give_back_signals(void) {
    pthread_mutex_lock(&lock);
    bool is_last = --users == 0;
    for (int n = 0; is_last && n < 200 && atomic_load(&sent) != atomic_load(&arrived); n++)
        sleep_a_moment();
    if (is_last && atomic_load(&sent) == atomic_load(&arrived)) {
        for (size_t n = 0; n < signal_count; n++) {
            struct sigaction present;
            if (sigaction(signals[n], NULL, &present) == 0 && is_ours(&present))
                sigaction(signals[n], &before[signals[n]], NULL);
        }
    }
    pthread_mutex_unlock(&lock);
}

CTelltaleGuard *ctelltale_guard_make(uintptr_t low, uintptr_t high) {
    CTelltaleGuard *guard = calloc(1, sizeof *guard);
    if (!guard) return NULL;
    guard->low = low;
    guard->high = high;
    return guard;
}

void ctelltale_guard_free(CTelltaleGuard *guard) { free(guard); }

// A stack that overflows has no room for its own signal's frame.
static void *make_stack(void) {
    stack_t present;
    if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return NULL;
    void *memory = mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stack_t made = {.ss_sp = memory, .ss_size = stack_bytes};
    if (sigaltstack(&made, NULL) == 0) return memory;
    munmap(memory, stack_bytes);
    return NULL;
}

static void free_stack(void *_Nullable memory) {
    if (!memory) return;
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    munmap(memory, stack_bytes);
}

bool ctelltale_guard_call(CTelltaleGuard *guard, void (*body)(void *), void *context,
                          CTelltaleTrap *trap) {
    if (!take_signals()) {
        give_back_signals();
        *trap = (CTelltaleTrap){0};
        return false;
    }
    void *volatile stack = make_stack();
    volatile bool has_returned = false;
    guard->outer = current;
    if (sigsetjmp(guard->before, 1) == 0) {
        memset(guard->accesses, 0, sizeof guard->accesses);
        if (swift_task_enterThreadLocalContext)
            swift_task_enterThreadLocalContext(guard->accesses);
        current = guard;
        atomic_store(&guard->thread, (pid_t)syscall(SYS_gettid));
        atomic_store(&guard->is_running, true);
        body(context);
        end(guard);
        has_returned = true;
    }
    atomic_store(&guard->is_running, false);
    free_stack(stack);
    give_back_signals();
    if (!has_returned) *trap = guard->trap;
    return has_returned;
}

bool ctelltale_guard_cancel(CTelltaleGuard *guard) {
    if (!atomic_load(&guard->is_running)) return true;
    pid_t thread = atomic_load(&guard->thread);
    // The signals stay taken until this one has come; what the host has put over ours gets none of it.
    bool is_taken = take_signals();
    struct sigaction present;
    if (is_taken && sigaction(SIGTRAP, NULL, &present) == 0 && is_ours(&present)) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = SIGTRAP;
        info.si_code = SI_QUEUE;
        info.si_pid = getpid();
        info.si_uid = getuid();
        info.si_value.sival_ptr = &mark;
        atomic_fetch_add(&sent, 1);
        if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGTRAP, &info) != 0)
            atomic_fetch_sub(&sent, 1);
        sleep_a_moment();
    }
    give_back_signals();
    return !atomic_load(&guard->is_running);
}

void ctelltale_guard_exit(int status) {
    CTelltaleGuard *guard = current;
    if (!guard) exit(status);
    guard->trap = (CTelltaleTrap){.status = status};
    leave(guard);
}
#endif
