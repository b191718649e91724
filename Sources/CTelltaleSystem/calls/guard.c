// Guarded calls: the signals of a trap are taken for the time of one.
#if TELLTALE_AGENT
#include "calls/guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { stack_bytes = 65536 };

static const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { signal_count = sizeof signals / sizeof *signals };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == guard_on_trap;
}

static bool take_signals(void) {
    bool is_taken = true;
    pthread_mutex_lock(&lock);
    atomic_store(&guard_state.owner, getpid());
    if (users++ == 0) {
        for (size_t n = 0; n < signal_count; n++) {
            struct sigaction present, ours;
            if (sigaction(signals[n], NULL, &present) != 0) is_taken = false;
            // Still ours if a handler of the host's covered it, and has gone since.
            if (is_ours(&present)) continue;
            guard_state.before[signals[n]] = present;
            memset(&ours, 0, sizeof ours);
            ours.sa_sigaction = guard_on_trap;
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

static bool have_all_come(void) {
    return atomic_load(&guard_state.sent) == atomic_load(&guard_state.arrived);
}

// A cancellation that comes after its handler has gone would end the process: without it, the handlers stay.
static void give_back_signals(void) {
    pthread_mutex_lock(&lock);
    bool is_last = --users == 0;
    for (int n = 0; is_last && n < 200 && !have_all_come(); n++) sleep_a_moment();
    if (is_last && have_all_come()) {
        for (size_t n = 0; n < signal_count; n++) {
            struct sigaction present;
            if (sigaction(signals[n], NULL, &present) == 0 && is_ours(&present))
                sigaction(signals[n], &guard_state.before[signals[n]], NULL);
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
    if (sigsetjmp(guard->before, 1) == 0) {
        guard_begin(guard);
        atomic_store(&guard->thread, (pid_t)syscall(SYS_gettid));
        atomic_store(&guard->is_running, true);
        body(context);
        guard_end(guard);
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
        info.si_value.sival_ptr = &guard_state.mark;
        atomic_fetch_add(&guard_state.sent, 1);
        if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGTRAP, &info) != 0)
            atomic_fetch_sub(&guard_state.sent, 1);
        sleep_a_moment();
    }
    give_back_signals();
    return !atomic_load(&guard->is_running);
}

void ctelltale_guard_exit(int status) {
    CTelltaleGuard *guard = guard_current;
    if (!guard) exit(status);
    guard->trap = (CTelltaleTrap){.status = status};
    guard_leave(guard);
}
#endif
