// Runs host code in a copy of the process before it runs in the process: if it ends the process, or waits
// for the very owner that it runs on, only the copy is affected.
//
// The copy is made by the thread that holds the owner, within its access. It inherits the thread's queue,
// its locks, and its id as known to the C library and Dispatch, so checks for these have the same result in
// the copy. In the copy's only thread, locks that other threads held at that moment are held forever; a
// trial that meets one is inconclusive.
#if TELLTALE_AGENT
#include "memory/trial.h"
#include "process/proc_file.h"
#include "unwind/unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

// The polling interval, and the number of consecutive polls that must find the copy asleep before it counts
// as waiting: 60 ms.
#define LOOK 5000000u
#define LOOKS_ASLEEP 12
// Timeout of the copy's reaction to the agent's signal.
#define GRACE 50000000u

int ctelltale_trial_begin(void (*body)(void *), void *context, bool goes_on, CTelltaleTrial **out) {
    *out = NULL;
    ctelltale_copies_left();
    if (ctelltale_copy_would_be_elsewhere()) return ENOTSUP;
    struct CTelltaleTrial *trial = mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (trial == MAP_FAILED) return errno;
    trial->body = body;
    trial->context = context;
    trial->goes_on = goes_on;
    trial->parent = getpid();
    trial->thread = (pid_t)ctelltale_thread_id();
    long process = ctelltale_trial_process_make(trial);
    if (process < 0) {
        munmap(trial, sizeof *trial);
        return (int)-process;
    }
    trial->process = (pid_t)process;
    *out = trial;
    return 0;
}

static ssize_t read_proc(const struct CTelltaleTrial *trial, const char *name, char *text,
                         size_t capacity) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", trial->process, name);
    return ctelltale_proc_read(AT_FDCWD, path, text, capacity);
}

static bool is_asleep(const struct CTelltaleTrial *trial) {
    char text[512];
    if (read_proc(trial, "stat", text, sizeof text) <= 0) return false;
    const char *end = strrchr(text, ')');
    return end && end[1] && end[2] == 'S';
}

// Returns true if the copy waits for a lock of the C library that its own thread holds: such a lock has its
// owner two words after the futex word.
static bool waits_for_itself(const struct CTelltaleTrial *trial) {
    char text[256];
    if (read_proc(trial, "syscall", text, sizeof text) <= 0) return false;
    char *rest;
    long call = strtol(text, &rest, 10);
    uintptr_t word = strtoull(rest, NULL, 16);
    int32_t lock[3] = {0};
    struct iovec local = {lock, sizeof lock}, remote = {(void *)word, sizeof lock};
    return call == SYS_futex &&
           process_vm_readv(trial->process, &local, 1, &remote, 1, 0) == sizeof lock &&
           lock[0] != 0 && lock[2] == trial->thread;
}

// Waits while the copy runs; false if its time is over, or it has been asleep.
static bool runs_out(struct CTelltaleTrial *trial, uint64_t deadline, CTelltaleTrialEnd *out) {
    for (int asleep = 0; asleep < LOOKS_ASLEEP; asleep = is_asleep(trial) ? asleep + 1 : 0) {
        uint64_t now = raw_now();
        if (wait_while(&trial->phase, TrialRunning, now + LOOK)) return true;
        if (ctelltale_copy_is_gone(trial->process)) {
            trial->process = 0;
            return true;
        }
        if (now < deadline) continue;
        out->ending = CTelltaleTrialRuns;
        return false;
    }
    out->ending = CTelltaleTrialWaits;
    out->waits_for_itself = waits_for_itself(trial);
    return false;
}

// Waits until the copy's signal handler has copied the stack, which ends the copy.
static void await_end(struct CTelltaleTrial *trial) {
    uint64_t deadline = raw_now() + GRACE;
    while (trial->process && raw_now() < deadline) {
        if (ctelltale_copy_is_gone(trial->process)) trial->process = 0;
        else usleep(200);
    }
}

static size_t walk(struct CTelltaleTrial *trial, const CTelltaleImages *images, CTelltaleFrame *frames,
                   size_t capacity) {
    struct unwinder *unwinder = images ? unwinder_make() : NULL;
    if (!unwinder) return 0;
    unwinder->images = images;
    size_t size = atomic_load_explicit(&trial->size, memory_order_acquire);
    struct stack_copy stack = {.low = trial->low, .size = size, .capacity = size,
                               .bytes = trial->stack, .room = TRIAL_STACK, .is_at_end = true};
    CTelltaleStackEnd end;
    size_t count = unwinder_walk(unwinder, &stack, &trial->registers, frames, capacity, &end);
    free(unwinder);
    return count;
}

void ctelltale_trial_await(CTelltaleTrial *trial, uint64_t deadline, const CTelltaleImages *images,
                           CTelltaleTrialEnd *out, CTelltaleFrame *frames, size_t capacity) {
    int saved = errno;
    *out = (CTelltaleTrialEnd){.ending = CTelltaleTrialLost, .call = -1};
    bool has_ended = runs_out(trial, deadline, out);
    if (!has_ended) kill(trial->process, SIGALRM);
    await_end(trial);
    if (atomic_load_explicit(&trial->phase, memory_order_acquire) == TrialReturned) {
        out->ending = CTelltaleTrialReturned;
    } else if (atomic_load_explicit(&trial->phase, memory_order_acquire) == TrialEnded) {
        if (has_ended) {
            out->ending = trial->signal == SIGSYS ? CTelltaleTrialOutside : CTelltaleTrialSignalled;
            out->signal = trial->signal;
            out->call = trial->call;
        }
        out->frame_count = walk(trial, images, frames, capacity);
    }
    errno = saved;
}

void ctelltale_trial_free(CTelltaleTrial *trial) {
    int saved = errno;
    if (trial->process && !ctelltale_copy_is_gone(trial->process)) {
        kill(trial->process, SIGKILL);
        ctelltale_copy_is_kept(trial->process);
    }
    munmap(trial, sizeof *trial);
    errno = saved;
}
#endif
