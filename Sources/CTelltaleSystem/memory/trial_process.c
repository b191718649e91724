// The code that runs in the trial copy of the process, and the call that makes the copy.
//
// Host code may change any of the copy's memory. It can reach nothing else: its descriptors lead to
// /dev/null, and a filter allows only the system calls that affect the copy alone. Another call ends the
// trial and is reported, or fails. The exception is memory that the host shares with other processes.
#if TELLTALE_AGENT
#include "memory/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

// The signals that end a trial: faults, traps, an abort, a refused call, and the agent's SIGALRM.
static const int endings[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS, SIGALRM};
#define ENDINGS (sizeof endings / sizeof *endings)

static struct CTelltaleTrial *current;

// The kernel's layout. The handler never returns, so no restorer is needed.
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};
#define HAS_RESTORER 0x04000000ul

IN_THE_COPY static _Noreturn void leave(void) {
    while (true) raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

// Copies the stack upwards word by word. The copying faults at the end of the stack, which ends the
// process; the words copied until then are kept.
IN_THE_COPY static void ends(int signal, siginfo_t *info, void *context) {
    struct CTelltaleTrial *trial = current;
    registers_take(&trial->registers, context);
    trial->call = signal == SIGSYS ? info->si_syscall : -1;
    trial->low = stack_copy_low(trial->registers.values[STACK_POINTER]);
    trial->signal = signal;
    turn_to(&trial->phase, TrialEnded);
    const volatile uint64_t *from = (const uint64_t *)trial->low;
    for (size_t i = 0; i < TRIAL_STACK / 8; i++) {
        ((volatile uint64_t *)trial->stack)[i] = from[i];
        atomic_store_explicit(&trial->size, (i + 1) * 8, memory_order_release);
    }
    leave();
}

// System calls that affect only the copy. Every descriptor leads to /dev/null, so calls on it are harmless.
static const uint16_t allowed[] = {
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_mincore,
    SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_membarrier, SYS_getcpu,
    SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getcwd,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_fstat,
    SYS_close, SYS_ppoll, SYS_exit, SYS_exit_group,
#ifdef SYS_poll
    SYS_poll, SYS_time,
#endif
};
#define ALLOWED (sizeof allowed / sizeof *allowed)

// `tgkill` is allowed for the copy's own process: an abort raises its signal by it.
IN_THE_COPY static bool keep_to_itself(bool goes_on) {
    uint32_t refusal = goes_on ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_TRAP;
    struct sock_filter lines[ALLOWED + 8];
    uint16_t count = 0;
    uint8_t last = ALLOWED + 4;
    lines[count++] = (struct sock_filter){BPF_LD | BPF_W | BPF_ABS, 0, 0, 0};
    for (size_t i = 0; i < ALLOWED; i++, count++)
        lines[count] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, (uint8_t)(last - count), 0, allowed[i]};
    lines[count++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 0, 2, SYS_tgkill};
    lines[count++] = (struct sock_filter){BPF_LD | BPF_W | BPF_ABS, 0, 0, 16};
    lines[count++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 1, 0,
                                          (uint32_t)raw(SYS_getpid, 0, 0, 0, 0, 0, 0)};
    lines[count++] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, refusal};
    lines[count++] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {count, lines};
    return raw(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) == 0 &&
           raw(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program, 0, 0, 0) == 0;
}

IN_THE_COPY static bool has_no_descriptors(void) {
    if (raw(SYS_close_range, 0, (long)~0u, UNSHARE_DESCRIPTORS, 0, 0, 0) != 0) return false;
    char path[] = {'/', 'd', 'e', 'v', '/', 'n', 'u', 'l', 'l', 0};
    for (int i = 0; i < 3; i++) raw(SYS_openat, AT_FDCWD, (long)path, O_RDWR, 0, 0, 0);
    return true;
}

// The entry point of the copy, from its start to its end.
IN_THE_COPY static __attribute__((noinline)) void be_the_trial(struct CTelltaleTrial *trial) {
    current = trial;
    if (!copy_settles(trial->parent) || !has_no_descriptors()) leave();
    stack_t other = {.ss_sp = trial->handler_stack, .ss_size = sizeof trial->handler_stack};
    raw(SYS_sigaltstack, (long)&other, 0, 0, 0, 0, 0);
    struct kernel_action action = {ends, SA_SIGINFO | SA_ONSTACK | HAS_RESTORER, leave, ~(uint64_t)0};
    uint64_t blocked = ~(uint64_t)0;
    for (size_t i = 0; i < ENDINGS; i++) {
        raw(SYS_rt_sigaction, endings[i], (long)&action, 0, 8, 0, 0);
        blocked &= ~((uint64_t)1 << (endings[i] - 1));
    }
    if (!keep_to_itself(trial->goes_on)) leave();
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&blocked, 0, 8, 0, 0);
    trial->body(trial->context);
    turn_to(&trial->phase, TrialReturned);
    leave();
}

// A raw system call too: the C library's function leaves out the signals that it uses itself, and runs the
// host's fork handlers.
IN_THE_COPY __attribute__((noinline)) long ctelltale_trial_process_make(struct CTelltaleTrial *trial) {
    uint64_t all = ~(uint64_t)0, before = 0;
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0, 0);
    long process = raw(SYS_clone, CLONE_FILES | CLONE_UNTRACED, 0, 0, 0, 0, 0);
    if (process == 0) be_the_trial(trial);
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    return process;
}
#endif
