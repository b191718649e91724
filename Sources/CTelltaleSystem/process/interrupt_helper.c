// The helper process: all code that runs in it, and the call that makes it.
//
// It shares the memory and the descriptors of the process, so that making it copies nothing. It is a
// process of its own, since the kernel lets no thread trace another thread of its own process. It runs on a
// stack of the agent, calls no function of the C library, and blocks every signal. Its exit signal is 0:
// the host gets no SIGCHLD, and its wait() sees no child without __WCLONE.
#if TELLTALE_AGENT
#include "process/interrupt.h"
#include "process/raw.h"

#include <elf.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

struct interrupts ctelltale_interrupts;

// The kernel's struct sched_attr in its first version; glibc has it since 2.41.
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

// A stopped thread is held until the helper has a core. A thread with a short time slice preempts one with
// a longer slice at once (PREEMPT_SHORT in the kernel's fair.c, since Linux 6.12), instead of at its next
// tick.
UNINSTRUMENTED static void have_a_core_soon(void) {
    struct attributes now;
    if (raw(SYS_sched_getattr, 0, (long)&now, sizeof now, 0, 0, 0) != 0 || now.policy != 0) return;
    now.size = sizeof now;
    now.runtime = 100000;
    raw(SYS_sched_setattr, 0, (long)&now, 0, 0, 0, 0);
}

UNINSTRUMENTED static void request(struct interrupt *slot) {
    long error = raw(SYS_ptrace, PTRACE_SEIZE, slot->id, 0, 0, 0, 0);
    if (error == 0) error = raw(SYS_ptrace, PTRACE_INTERRUPT, slot->id, 0, 0, 0, 0);
    slot->error = (int32_t)-error;
    slot->phase = error == 0        ? InterruptRequested
                  : error == -ESRCH ? InterruptEnded
                                    : InterruptRefused;
}

UNINSTRUMENTED static void copy_stack(struct interrupt *slot) {
#ifdef __x86_64__
    uintptr_t pointer = slot->registers.rsp;
#else
    uintptr_t pointer = slot->registers.sp;
#endif
    slot->low = stack_copy_low(pointer);
    size_t wanted = CTELLTALE_INTERRUPTED_STACK;
    if (slot->top > slot->low && slot->top - slot->low < wanted) wanted = slot->top - slot->low;
    struct iovec local, remote;
    local.iov_base = slot->stack;
    remote.iov_base = (void *)slot->low;
    local.iov_len = remote.iov_len = wanted;
    long self = raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
    long size = raw(SYS_process_vm_readv, self, (long)&local, 1, (long)&remote, 1, 0);
    slot->size = size > 0 ? (size_t)size : 0;
    if (size > 0 || size == -EFAULT) return;
    // If a filter forbids that call, the stack is copied a word at a time: ten times as slow, 2 ms at most.
    for (; slot->size + sizeof(long) <= wanted; slot->size += sizeof(long))
        if (raw(SYS_ptrace, PTRACE_PEEKDATA, slot->id, (long)(slot->low + slot->size),
                (long)(slot->stack + slot->size), 0, 0) != 0)
            return;
}

// Handles a thread that has stopped or ended. If a signal caused the stop on its way to the thread, it is
// delivered.
UNINSTRUMENTED static void answer(struct interrupt *slot, int status) {
    if (!WIFSTOPPED(status)) {
        slot->phase = InterruptEnded;
        return;
    }
    struct iovec registers;
    registers.iov_base = &slot->registers;
    registers.iov_len = sizeof slot->registers;
    long error =
        raw(SYS_ptrace, PTRACE_GETREGSET, slot->id, NT_PRSTATUS, (long)&registers, 0, 0);
    if (error == 0) copy_stack(slot);
    int signal = status >> 16 ? 0 : WSTOPSIG(status);
    raw(SYS_ptrace, PTRACE_DETACH, slot->id, 0, signal, 0, 0);
    slot->error = (int32_t)-error;
    slot->phase = error == 0 ? InterruptAnswered : InterruptEnded;
}

UNINSTRUMENTED static void interrupt_all(struct interrupts *all) {
    size_t open = 0;
    uint64_t began = raw_now();
    for (size_t i = 0; i < all->count; i++) {
        if (all->slots[i].phase != InterruptWanted) continue;
        request(&all->slots[i]);
        open += all->slots[i].phase == InterruptRequested;
    }
    while (open > 0) {
        int status = 0;
        long id = raw(SYS_wait4, -1, (long)&status, __WALL, 0, 0, 0);
        if (id <= 0) return;
        for (size_t i = 0; i < all->count; i++) {
            struct interrupt *slot = &all->slots[i];
            if (slot->id != id || slot->phase != InterruptRequested) continue;
            answer(slot, status);
            slot->pause = raw_now() - began;
            open--;
        }
    }
}

// A tracer must end before an `execve` of the host can proceed: `execve` waits for the end of all other
// threads, and a traced thread has not ended before its tracer is told. `execve` ends the agent's thread
// too, and with it the helper. So PR_SET_PDEATHSIG is set before the agent's thread lets the helper begin.
UNINSTRUMENTED static __attribute__((noinline)) void be_the_helper(void) {
    struct interrupts *all = &ctelltale_interrupts;
    raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (raw(SYS_getppid, 0, 0, 0, 0, 0, 0) == all->parent) {
        char name[16] = {'t', 'e', 'l', 'l', 't', 'a', 'l', 'e', '-', 's', 't', 'a', 'c', 'k', 0};
        raw(SYS_prctl, PR_SET_NAME, (long)name, 0, 0, 0, 0);
        // A SIGSTOP for the host's process group would stop the helper, and the host would get a SIGCHLD
        // for that.
        raw(SYS_setsid, 0, 0, 0, 0, 0, 0);
        have_a_core_soon();
        turn_to(&all->turn, HelperIsReady);
        if (wait_while(&all->turn, HelperIsReady, all->deadline)) {
            interrupt_all(all);
            turn_to(&all->turn, HelperIsDone);
        }
    }
    while (true) raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

UNINSTRUMENTED static __attribute__((noinline)) long clone_helper(void) {
    long flags = CLONE_VM | CLONE_FILES | CLONE_UNTRACED;
    uint8_t *top = ctelltale_interrupts.helpers_stack + sizeof ctelltale_interrupts.helpers_stack;
#ifdef __x86_64__
    register long r10 __asm__("r10") = 0;
    register long r8 __asm__("r8") = 0;
    long result;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "call *%%rbx\n\t"
                     "1:"
                     : "=a"(result)
                     : "a"(SYS_clone), "D"(flags), "S"(top), "d"(0), "r"(r10), "r"(r8),
                       "b"(be_the_helper)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = SYS_clone;
    register long x0 __asm__("x0") = flags;
    register long x1 __asm__("x1") = (long)top;
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register long x4 __asm__("x4") = 0;
    register long x9 __asm__("x9") = (long)be_the_helper;
    __asm__ volatile("svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "blr x9\n\t"
                     "1:"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x9)
                     : "memory");
    return x0;
#endif
}

// A raw system call too: the C library's function leaves out the signals that it uses itself.
UNINSTRUMENTED long ctelltale_interrupt_helper_make(void) {
    uint64_t every = ~(uint64_t)0, before = 0;
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&every, (long)&before, 8, 0, 0);
    long process = clone_helper();
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    return process;
}
#endif
