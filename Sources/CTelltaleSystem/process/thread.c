// Thread names, ids and masks, and the lookup of the object that contains an address. In C because glibc
// declares these GNU functions only under _GNU_SOURCE.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"
#include "process/build_id.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <link.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int64_t ctelltale_thread_id(void) {
    return syscall(SYS_gettid);
}

void ctelltale_name_thread(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
    pthread_setname_np(pthread_self(), kept);
}

void ctelltale_thread_schedules_normally(void) {
    enum { usual_slack = 50000 };  // nanoseconds; the kernel's default
    int saved = errno, policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    struct sched_param none = {0};
    if (policy == SCHED_FIFO || policy == SCHED_RR) sched_setscheduler(0, SCHED_OTHER, &none);
    if (prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) > usual_slack)
        prctl(PR_SET_TIMERSLACK, usual_slack, 0, 0, 0);
    errno = saved;
}

// The kernel's struct sched_attr in its first version; glibc has it since 2.41.
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

// A thread that wakes up preempts a thread whose slice is longer than its own (PREEMPT_SHORT in the
// kernel's fair.c). A thread with the default has 0.7 to 2.8 ms, and others wait for it until the next
// tick: up to 4 ms at 250 Hz. The slice is not longer than this, since the thread waits correspondingly
// longer for its own slices.
static const uint64_t long_slice = 6 * 1000 * 1000;

// Sets the calling thread's slice; 0 for the default. Threads that it creates, including Dispatch's, get the
// default.
static bool set_slice(uint64_t slice) {
    enum { ResetOnFork = 1 };
#if TELLTALE_AGENT
    if (ctelltale_filters_have_grown()) return false;
#endif
    struct attributes now = {.size = sizeof now};
    // A scheduling class chosen by the host stays. The niceness has to be set again.
    if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) || now.policy != SCHED_OTHER) return false;
    struct attributes wanted = {
        .size = sizeof wanted, .flags = ResetOnFork, .nice = now.nice, .runtime = slice};
    return syscall(SYS_sched_setattr, 0, &wanted, 0) == 0 &&
           // Before Linux 6.12 slices are neither reported nor kept.
           syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) == 0 && now.runtime == slice;
}

static _Thread_local unsigned gives_core;

void ctelltale_thread_gives_core(bool gives) {
    if (gives ? gives_core++ > 0 : --gives_core > 0) return;
    int saved = errno;
    set_slice(gives ? long_slice : 0);
    errno = saved;
}

bool ctelltale_thread_gives_core_always(void) {
    int saved = errno;
    bool is_set = set_slice(long_slice);
    if (is_set) gives_core++;
    errno = saved;
    return is_set;
}

static void fill(sigset_t *mask, const int *keep, size_t count) {
    sigfillset(mask);
    // Blocking a fault's signal would turn the fault into a silent kill. Swift's backtracer uses SIGPROF to
    // suspend the threads of a crashing process.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(mask, faults[i]);
    // A worker that Dispatch creates in one of the agent's calls inherits the thread's blocked signals, and
    // itself blocks all others except this one.
    sigdelset(mask, SIGPIPE);
    for (size_t i = 0; i < count; i++) sigdelset(mask, keep[i]);
}

void ctelltale_mask_thread(const int *keep, size_t count) {
    sigset_t mask;
    fill(&mask, keep, count);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

// glibc has it since 2.32.
extern int pthread_attr_setsigmask_np(pthread_attr_t *, const sigset_t *) __attribute__((weak));

bool ctelltale_mask_new_thread(pthread_attr_t *attributes, const int *keep, size_t count) {
    sigset_t mask;
    fill(&mask, keep, count);
    return pthread_attr_setsigmask_np && pthread_attr_setsigmask_np(attributes, &mask) == 0;
}

void ctelltale_block_for_new_thread(sigset_t *before) {
    sigset_t mask;
    fill(&mask, NULL, 0);
    // Other signals that the creating thread blocks stay blocked: a pending signal may be waiting for it.
    pthread_sigmask(SIG_BLOCK, &mask, before);
}

bool ctelltale_module_of(const void *address, const char **path, const char **symbol) {
    Dl_info info;
    if (dladdr(address, &info) == 0) return false;
    *path = info.dli_fname;
    *symbol = info.dli_sname;
    return true;
}

struct build_id {
    uint8_t *buffer;
    size_t capacity, length;
};

// The executable is the first object that dl_iterate_phdr visits.
static int find_build_id(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct build_id *found = context;
    for (int i = 0; i < info->dlpi_phnum && found->length == 0; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) continue;
        found->length = build_id_find((const uint8_t *)(info->dlpi_addr + segment->p_vaddr),
                                      segment->p_memsz, found->buffer, found->capacity);
    }
    return 1;
}

size_t ctelltale_build_id(uint8_t *buffer, size_t capacity) {
    struct build_id found = {buffer, capacity, 0};
    dl_iterate_phdr(find_build_id, &found);
    return found.length;
}
#endif
