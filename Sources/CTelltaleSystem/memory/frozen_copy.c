// A frozen copy of the process, whose memory the agent reads from outside.
//
// The copy does nothing with what it is a copy of. It comes about by one system call and runs no
// function of the host's, of the C library's or of a sanitizer's, so that it meets no lock and no
// handler: pthread_atfork's are the C library's, and the C library is not asked. It waits until it is
// told to end, or its deadline has passed. Its exit signal is 0: the host gets no SIGCHLD, and its
// wait() sees no child without __WCLONE. A debugger isn't told of it either (CLONE_UNTRACED).
//
// It is read with process_vm_readv. Where the kernel refuses that (the process isn't dumpable, a
// filter, a hardened kernel), the copy reads its own memory, which no such rule forbids, into
// memory that both share.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"
#include "memory/copies_left.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define UNSHARE_DESCRIPTORS 2u

// What runs in the copy is not instrumented: a sanitizer's run time has locks of its own.
#define IN_THE_COPY                                                                                \
    __attribute__((disable_sanitizer_instrumentation, no_sanitize("all"), no_stack_protector))

#define GRANULE ((size_t)4096)
#define ROOM ((size_t)64 << 10)
#define LINES 256

// Whose turn it is; the word that both wait on.
enum { RESTS, ASKED, ANSWERED, ENDS };

struct CTelltaleCopy {
    _Atomic uint32_t turn;
    // A question, and what came of it.
    uintptr_t address;
    uint32_t size;
    int32_t error;

    pid_t process;
    pid_t parent;
    uint64_t deadline;
    bool is_served;
    int lost;
    // Nothing changes in a copy: what was read of it is kept, in pieces of 4 KiB.
    uintptr_t pieces[LINES];
    uint8_t room[ROOM] __attribute__((aligned(4096)));
    uint8_t lines[LINES][GRANULE];
};

// A system call without the C library's wrapper, which sets errno and may be intercepted.
IN_THE_COPY static inline __attribute__((always_inline)) long raw(long number, long a, long b,
                                                                  long c, long d, long e, long f) {
#ifdef __x86_64__
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#endif
}

IN_THE_COPY static inline __attribute__((always_inline)) uint64_t raw_now(void) {
    struct timespec time;
    raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Waits while the word is `value`, at most until the deadline. The word is shared by two processes.
IN_THE_COPY static inline __attribute__((always_inline)) bool wait_while(_Atomic uint32_t *word,
                                                                         uint32_t value,
                                                                         uint64_t deadline) {
    while (atomic_load_explicit(word, memory_order_acquire) == value) {
        uint64_t time = raw_now();
        if (time >= deadline) return false;
        struct timespec left;
        left.tv_sec = (time_t)((deadline - time) / 1000000000u);
        left.tv_nsec = (long)((deadline - time) % 1000000000u);
        raw(SYS_futex, (long)word, FUTEX_WAIT, (long)value, (long)&left, 0, 0);
    }
    return true;
}

IN_THE_COPY static inline __attribute__((always_inline)) void turn_to(_Atomic uint32_t *word,
                                                                      uint32_t value) {
    atomic_store_explicit(word, value, memory_order_release);
    raw(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}

// The copy reads its own memory. A write into a pipe fails at an address that can't be read, also
// where a filter forbids the call that is made for it.
IN_THE_COPY static __attribute__((noinline)) int read_own(struct CTelltaleCopy *copy, int *ends) {
    if (copy->size > ROOM) return EINVAL;
    struct iovec local, remote;
    local.iov_base = copy->room;
    remote.iov_base = (void *)copy->address;
    local.iov_len = remote.iov_len = copy->size;
    long self = raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
    long count = raw(SYS_process_vm_readv, self, (long)&local, 1, (long)&remote, 1, 0);
    if (count != -EPERM && count != -ENOSYS && count != -EACCES)
        return count == (long)copy->size ? 0 : EFAULT;
    if (ends[0] < 0) return EPERM;
    uint32_t done = 0;
    while (done < copy->size) {
        uint32_t part = copy->size - done < GRANULE ? copy->size - done : GRANULE;
        long put = raw(SYS_write, ends[1], (long)(copy->address + done), part, 0, 0, 0);
        if (put <= 0) return put == -EFAULT ? EFAULT : EIO;
        for (long got = 0, more; got < put; got += more) {
            more = raw(SYS_read, ends[0], (long)(copy->room + done + got), put - got, 0, 0, 0);
            if (more <= 0) return EIO;
        }
        if (put < (long)part) return EFAULT;
        done += part;
    }
    return 0;
}

// The copy's whole life. Every signal is blocked in it.
IN_THE_COPY static __attribute__((noinline)) void be_the_copy(struct CTelltaleCopy *copy) {
    raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (raw(SYS_getppid, 0, 0, 0, 0, 0, 0) != copy->parent) goto end;
    char name[16] = {'t', 'e', 'l', 'l', 't', 'a', 'l', 'e', '-', 'c', 'o', 'p', 'y', 0};
    raw(SYS_prctl, PR_SET_NAME, (long)name, 0, 0, 0, 0);
    // Nobody wants its core: 1 stops a core_pattern that is a pipe, which ignores 0.
    struct rlimit core;
    if (raw(SYS_prlimit64, 0, RLIMIT_CORE, 0, (long)&core, 0, 0) == 0) {
        core.rlim_cur = core.rlim_max < 1 ? 0 : 1;
        raw(SYS_prlimit64, 0, RLIMIT_CORE, (long)&core, 0, 0, 0);
    }
    // A SIGSTOP for the host's group would stop it, and the host be told so by SIGCHLD.
    raw(SYS_setsid, 0, 0, 0, 0, 0, 0);
    // It shares the host's table of descriptors until here, so that the host's peers see a connection
    // end when the host closes it; a kernel before 5.9 leaves it so.
    int ends[2] = {-1, -1};
    if (raw(SYS_close_range, 0, (long)~0u, UNSHARE_DESCRIPTORS, 0, 0, 0) == 0) {
        // Where memory runs out, let it be the copy that goes.
        char path[] = {'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'o', 'o', 'm',
                       '_', 's', 'c', 'o', 'r', 'e', '_', 'a', 'd', 'j', 0};
        char score[] = {'1', '0', '0', '0'};
        long file = raw(SYS_openat, AT_FDCWD, (long)path, O_WRONLY, 0, 0, 0);
        if (file >= 0) {
            raw(SYS_write, file, (long)score, sizeof score, 0, 0, 0);
            raw(SYS_close, file, 0, 0, 0, 0, 0);
        }
        if (raw(SYS_pipe2, (long)ends, 0, 0, 0, 0, 0) != 0) ends[0] = -1;
    }
    while (true) {
        uint32_t turn = atomic_load_explicit(&copy->turn, memory_order_acquire);
        if (turn == ENDS) break;
        if (turn == ASKED) {
            copy->error = read_own(copy, ends);
            turn_to(&copy->turn, ANSWERED);
            turn = ANSWERED;
        }
        if (!wait_while(&copy->turn, turn, copy->deadline)) break;
    }
end:
    while (true) raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

// Raw, too: the C library's leaves out the signals that it uses itself.
IN_THE_COPY static __attribute__((noinline)) long make_process(struct CTelltaleCopy *copy) {
    uint64_t all = ~(uint64_t)0, before = 0;
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0, 0);
    long process = raw(SYS_clone, CLONE_FILES | CLONE_UNTRACED, 0, 0, 0, 0, 0);
    if (process == 0) be_the_copy(copy);
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    return process;
}

// Whether a new process would be in another namespace than this one (after unshare(CLONE_NEWPID)):
// there it might be the first, with which the namespace ends.
static bool would_be_elsewhere(void) {
    static const char children[] = "/proc/thread-self/ns/pid_for_children";
    char own[64], next[64];
    struct stat link;
    if (lstat(children, &link) != 0) return false;
    ssize_t a = readlink("/proc/thread-self/ns/pid", own, sizeof own);
    ssize_t b = readlink(children, next, sizeof next);
    // It can't be read while the namespace has no process yet.
    return a > 0 && (a != b || memcmp(own, next, (size_t)a) != 0);
}

// MARK: The agent's side

int ctelltale_copy_make(uint64_t deadline, CTelltaleCopy **out) {
    *out = NULL;
    ctelltale_copies_left();
    if (would_be_elsewhere()) return ENOTSUP;
    struct CTelltaleCopy *copy = mmap(NULL, sizeof *copy, PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED) return errno;
    copy->parent = getpid();
    copy->deadline = deadline;
    long process = make_process(copy);
    if (process < 0) {
        munmap(copy, sizeof *copy);
        return (int)-process;
    }
    copy->process = (pid_t)process;
    *out = copy;
    return 0;
}

// Looks, and leaves it there to be waited for.
static bool has_ended(pid_t process) {
    siginfo_t ended;
    memset(&ended, 0, sizeof ended);
    return waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT | __WCLONE) != 0 ||
           ended.si_pid != 0;
}

static int ask(struct CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size) {
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < ROOM ? size - done : ROOM;
        copy->address = address + done;
        copy->size = (uint32_t)part;
        turn_to(&copy->turn, ASKED);
        // In pieces, so that one that has ended is noticed.
        while (true) {
            uint64_t time = raw_now();
            uint64_t until = time + 20000000u < copy->deadline ? time + 20000000u : copy->deadline;
            if (wait_while(&copy->turn, ASKED, until)) break;
            if (has_ended(copy->process)) return copy->lost = ESRCH;
            if (raw_now() >= copy->deadline) return copy->lost = ETIMEDOUT;
        }
        if (copy->error == EFAULT) return EFAULT;
        if (copy->error != 0) return copy->lost = copy->error;
        memcpy((char *)buffer + done, copy->room, part);
    }
    return 0;
}

static int fetch(struct CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size) {
    if (!copy->is_served) {
        struct iovec local = {buffer, size}, remote = {(void *)address, size};
        ssize_t count = process_vm_readv(copy->process, &local, 1, &remote, 1, 0);
        if (count == (ssize_t)size) return 0;
        if (count >= 0 || errno == EFAULT) return EFAULT;
        if (errno != EPERM && errno != EACCES && errno != ENOSYS) return copy->lost = errno;
        copy->is_served = true;
    }
    return ask(copy, address, buffer, size);
}

static int read_part(struct CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size) {
    uintptr_t piece = address & ~(uintptr_t)(GRANULE - 1);
    size_t line = (size_t)(address / GRANULE % LINES);
    // No piece begins at 1.
    if (copy->pieces[line] != piece) {
        copy->pieces[line] = 1;
        int error = fetch(copy, piece, copy->lines[line], GRANULE);
        if (error != 0) return error;
        copy->pieces[line] = piece;
    }
    memcpy(buffer, copy->lines[line] + (address - piece), size);
    return 0;
}

int ctelltale_copy_read(CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size) {
    if (copy->lost != 0) return copy->lost;
    // Of the first page nothing is ever read, which is also how an empty line is told.
    if (address < GRANULE || address + size < address) return EFAULT;
    int saved = errno, error = 0;
    if (size > 2 * GRANULE) {
        error = fetch(copy, address, buffer, size);
    } else {
        for (size_t done = 0, part; done < size && error == 0; done += part) {
            size_t room = GRANULE - (address + done) % GRANULE;
            part = size - done < room ? size - done : room;
            error = read_part(copy, address + done, (char *)buffer + done, part);
        }
    }
    errno = saved;
    return error;
}

bool ctelltale_copy_is_served(const CTelltaleCopy *copy) { return copy->is_served; }

int ctelltale_copy_lost(const CTelltaleCopy *copy) { return copy->lost; }

pid_t ctelltale_copy_process(const CTelltaleCopy *copy) { return copy->process; }

bool ctelltale_copy_end(CTelltaleCopy *copy) {
    int saved = errno;
    bool was_there = !copy_is_gone(copy->process);
    if (was_there) {
        turn_to(&copy->turn, ENDS);
        // With so many that don't end this one is nobody's any more once it has.
        if (!copy_is_kept(copy->process)) kill(copy->process, SIGKILL);
    }
    munmap(copy, sizeof *copy);
    errno = saved;
    return was_there;
}

#endif
