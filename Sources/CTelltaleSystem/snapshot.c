// A frozen copy of the process that answers one question and ends, without the host noticing.
//
// A plain fork() would send the host SIGCHLD and show its child to the host's own wait(-1). The C
// library has no fork without that, and a bare clone() leaves malloc locked by whichever thread held
// it. So there is a process in between, the keeper: it shares the host's memory (CLONE_VM), the
// calling thread waits for its end (CLONE_VFORK) so that its thread-local memory has one user, and
// it ends without a signal, unseen by any wait() without __WCLONE. The keeper calls fork(), which
// puts the C library in order, is the copy's parent, takes its SIGCHLD and kills it when it is late.
//
// The answer comes through shared memory and needs no descriptor: the host may have run out of them.
// What it costs: the calling thread can't be interrupted before the deadline, but by SIGKILL.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if CTELLTALE_AGENT

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__

#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

// clone() by the name that the thread sanitizer doesn't intercept: it takes a clone for a fork, whose
// two sides it puts in order separately, and both are this memory.
extern int __clone(int (*body)(void *), void *stack, int flags, void *argument, ...);

#define STACK_SIZE ((size_t)8 << 20)
#define GUARD_SIZE ((size_t)64 << 10)
// A copy never waits for anything, so one that uses no processor time for so long wants a lock that
// another thread held when it was made, and nobody is there to give it back. Longer than the period
// after which a container's quota is filled up again (100 ms as a rule).
#define STUCK_AFTER 200000000u
#define LOOK_EVERY 20000000u

// At the start of the shared memory; the answer follows.
typedef struct {
    _Atomic size_t length;
    atomic_bool done;
    char padding[48];
} Header;

typedef struct {
    ctelltale_snapshot_body body;
    void *context;
    Header *header;
    size_t capacity;
    uint64_t deadline;
    pid_t keeper_parent;
    // What the keeper found.
    int error;
    int signal;
    bool late;
    bool stuck;
} Job;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The processor time that a process has used; 0 where it can't be told.
static uint64_t time_used(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void forget_handlers(void) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &standard, NULL);
}

static void close_descriptors(void) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return;
#endif
    struct rlimit limit;
    rlim_t last = 1024;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536) last = limit.rlim_cur;
    for (rlim_t descriptor = 3; descriptor < last; descriptor++) close((int)descriptor);
}

// The copy's whole life.
static _Noreturn void be_the_copy(Job *job) {
    forget_handlers();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "telltale-copy");
    // A torn value may end the copy, and nobody wants its core: 1 stops a core_pattern that is a
    // pipe, which ignores 0.
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = core.rlim_max < 1 ? 0 : 1;
        setrlimit(RLIMIT_CORE, &core);
    }
    // The host's peers must see a connection end when the host closes it.
    close_descriptors();
    uint64_t time = now();
    uint64_t left = job->deadline > time ? job->deadline - time : 0;
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = (time_t)(left / 1000000000u) + 1;
    setitimer(ITIMER_REAL, &timer, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    size_t length = job->body(job->context, (uint8_t *)(job->header + 1), job->capacity);
    if (length <= job->capacity) {
        atomic_store(&job->header->length, length);
        atomic_store(&job->header->done, true);
    }
    _exit(0);
}

// Without the C library, whose wrapper the thread sanitizer intercepts and never sees return: what it
// keeps of the calling thread would stay as it is in here.
static _Noreturn void leave(void) {
    while (true) syscall(SYS_exit_group, 0);
}

static int be_the_keeper(void *argument) {
    Job *job = argument;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != job->keeper_parent) leave();
    pid_t copy = fork();
    if (copy < 0) {
        job->error = errno;
        leave();
    }
    if (copy == 0) be_the_copy(job);

    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int status = 0;
    uint64_t used = 0, moved = now(), looked = moved;
    while (true) {
        pid_t ended = waitpid(copy, &status, WNOHANG);
        if (ended == copy) {
            if (WIFSIGNALED(status)) job->signal = WTERMSIG(status);
            // Its own alarm, a second after the deadline: the keeper had no processor meanwhile.
            if (job->signal == SIGALRM) job->late = true;
            break;
        }
        // A host that ignores SIGCHLD has its children reaped by the kernel.
        if (ended < 0 && errno != EINTR) break;
        uint64_t time = now();
        uint64_t used_now = time_used(copy);
        if (used_now != used || used_now == 0) {
            used = used_now;
            moved = time;
        }
        // While the machine gave the keeper no processor it may have given the copy none.
        if (time - looked > 3 * LOOK_EVERY) moved = moved + (time - looked);
        looked = time;
        bool is_killed = job->late || job->stuck;
        if (!is_killed && (time >= job->deadline || time >= moved + STUCK_AFTER)) {
            job->late = time >= job->deadline;
            job->stuck = !job->late;
            is_killed = true;
            kill(copy, SIGKILL);
        }
        uint64_t wait = is_killed ? 5000000u : job->deadline - time;
        if (wait > LOOK_EVERY) wait = LOOK_EVERY;
        struct timespec duration = {0, (long)wait};
        sigtimedwait(&child, NULL, &duration);
    }
    leave();
}

int ctelltale_snapshot(ctelltale_snapshot_body body, void *context, size_t capacity,
                       uint64_t deadline, CTelltaleSnapshot *out) {
    memset(out, 0, sizeof *out);
    size_t size = capacity + sizeof(Header);
    if (size < capacity) return EINVAL;
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED) return errno;
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        int error = errno;
        munmap(shared, size);
        return error;
    }
    mprotect(stack, GUARD_SIZE, PROT_NONE);

    Job job;
    memset(&job, 0, sizeof job);
    job.body = body;
    job.context = context;
    job.header = shared;
    job.capacity = capacity;
    job.deadline = deadline;
    job.keeper_parent = getpid();

    // The keeper runs in the host's memory: no handler of the host's may run in it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t keeper = __clone(be_the_keeper, stack + STACK_SIZE, CLONE_VM | CLONE_VFORK, &job);
    int error = keeper < 0 ? errno : 0;
    if (keeper > 0) {
        int status = 0;
        while (waitpid(keeper, &status, __WCLONE) < 0 && errno == EINTR) {}
        if (WIFSIGNALED(status) && job.signal == 0) job.signal = WTERMSIG(status);
        error = job.error;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK_SIZE);

    out->mapping = shared;
    out->mapping_size = size;
    out->bytes = (const uint8_t *)(job.header + 1);
    out->is_done = error == 0 && atomic_load(&job.header->done);
    if (out->is_done) out->length = atomic_load(&job.header->length);
    out->signal = job.signal;
    out->is_late = job.late;
    out->is_stuck = job.stuck;
    if (error != 0) ctelltale_snapshot_free(out);
    return error;
}

#else

// macOS has no process that shares memory and ends unseen; a fork there would show in the host.
int ctelltale_snapshot(ctelltale_snapshot_body body, void *context, size_t capacity,
                       uint64_t deadline, CTelltaleSnapshot *out) {
    memset(out, 0, sizeof *out);
    return ENOTSUP;
}

#endif

void ctelltale_snapshot_free(CTelltaleSnapshot *snapshot) {
    if (snapshot->mapping != NULL) munmap(snapshot->mapping, snapshot->mapping_size);
    memset(snapshot, 0, sizeof *snapshot);
}

#endif
