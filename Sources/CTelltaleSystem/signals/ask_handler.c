// The SIGPROF handler with which a running thread answers: it copies the thread's registers and its
// stack, and returns.
//
// The host's own SIGPROF (a profiler's timer) goes on: the handler stands only while threads are asked,
// passes on what is not its own, and is never put over one that the host has put over it. It stays
// where a signal of ours could still come: the default action of SIGPROF is to end the process.
#define _GNU_SOURCE
#include "signals/ask.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096u

struct ask_slot ask_slots[CTELLTALE_ASKED];
_Atomic uint32_t ask_answers;

static struct sigaction previous;
static atomic_bool is_installed, is_covered, previous_is_spent;

static void read_registers(const ucontext_t *context, struct ask_slot *slot) {
    struct registers *registers = &slot->registers;
#if defined(__x86_64__)
    static const uint8_t order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                    REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    for (size_t i = 0; i < sizeof order; i++)
        registers->values[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    registers->known = (1u << sizeof order) - 1;
    registers->pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    slot->result = registers->values[0];
#elif defined(__aarch64__)
    for (size_t i = 0; i < 31; i++) registers->values[i] = context->uc_mcontext.regs[i];
    registers->values[31] = context->uc_mcontext.sp;
    registers->known = (UINT64_C(1) << 32) - 1;
    registers->pc = context->uc_mcontext.pc;
    slot->result = registers->values[0];
#else
    (void)context;
    (void)registers;
#endif
}

// Only async-signal-safe calls, and none that can fault: the stack is copied by the kernel.
static void take(struct ask_slot *slot, const ucontext_t *context) {
    uint64_t began = ask_now();
    read_registers(context, slot);
    uintptr_t low = stack_copy_low(slot->registers.values[STACK_POINTER]);
    size_t wanted = CTELLTALE_ASKED_STACK;
    if (slot->top > low && slot->top - low < wanted) wanted = slot->top - low;
    struct iovec *pieces = slot->pieces;
    size_t count = 0, total = 0;
    while (total < wanted && count < sizeof slot->pieces / sizeof *pieces) {
        size_t length = PAGE - (low + total) % PAGE;
        if (length > wanted - total) length = wanted - total;
        pieces[count++] = (struct iovec){(void *)(low + total), length};
        total += length;
    }
    struct iovec local = {slot->stack, total};
    // The thread and not the process: a main thread that has ended has no memory to show.
    ssize_t copied = process_vm_readv((int)syscall(SYS_gettid), &local, 1, pieces, count, 0);
    if (copied < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES)) {
        // Raw calls: those of the library are points at which a thread may be cancelled.
        int memory =
            (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
        if (memory >= 0) {
            copied = syscall(SYS_pread64, memory, slot->stack, total, (off_t)low);
            syscall(SYS_close, memory);
        }
    }
    slot->low = low;
    slot->size = copied > 0 ? (size_t)copied : 0;
    slot->pause = ask_now() - began;
}

static bool is_handler(const struct sigaction *action) {
    if (action->sa_flags & SA_SIGINFO) return action->sa_sigaction != NULL;
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void on_profile(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    uint64_t value = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    if (info->si_code == SI_TIMER && value >> 32 == ASK_MARK) {
        uint32_t number = (uint32_t)value;
        struct ask_slot *slot = &ask_slots[number % CTELLTALE_ASKED];
        int expected = AskAsked;
        if (atomic_load(&slot->number) == number && slot->id == (int32_t)syscall(SYS_gettid) &&
            atomic_compare_exchange_strong(&slot->phase, &expected, AskTaking)) {
            // The next request may have begun between the look at the number and now.
            if (atomic_load(&slot->number) != number) {
                atomic_store(&slot->phase, AskAsked);
            } else {
                take(slot, context);
                atomic_store(&slot->phase, AskTaken);
                atomic_fetch_add(&ask_answers, 1);
                syscall(SYS_futex, &ask_answers, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
            }
        }
        errno = saved;
        return;
    }
    // The default action is never chained to.
    if (is_handler(&previous)) {
        bool once = (previous.sa_flags & SA_RESETHAND) != 0;
        if (!once || !atomic_exchange(&previous_is_spent, true)) {
            errno = saved;
            if (previous.sa_flags & SA_SIGINFO)
                previous.sa_sigaction(signal, info, context);
            else
                previous.sa_handler(signal);
        }
    }
    errno = saved;
}

// MARK: The handler's place

bool ask_is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_profile;
}

bool ask_install(void) {
    // Theirs may call ours: put over it again, ours would call theirs without an end.
    if (atomic_load(&is_covered)) return false;
    struct sigaction action, current;
    if (sigaction(SIGPROF, NULL, &current) != 0) return false;
    if (ask_is_ours(&current)) return true;
    if (atomic_load(&is_installed)) {
        atomic_store(&is_covered, true);
        return false;
    }
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_profile;
    // On the thread's own stack, whose room ask_room.c knows: nobody but the thread itself can learn of its
    // alternate stack, and the smallest that there may be doesn't hold what the kernel puts on it.
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (is_handler(&current)) {
        // The host's handler keeps its mask and its stack. Its calls are restarted meanwhile, as ours must
        // not end any.
        action.sa_mask = current.sa_mask;
        action.sa_flags |= current.sa_flags & (SA_NODEFER | SA_ONSTACK);
    }
    // In place before the first signal can reach our handler, and before a fork can copy it.
    previous = current;
    atomic_store(&previous_is_spent, false);
    atomic_store(&is_installed, true);
    struct sigaction replaced;
    if (sigaction(SIGPROF, &action, &replaced) != 0) {
        atomic_store(&is_installed, false);
        return false;
    }
    if (!ask_is_ours(&replaced)) previous = replaced;
    return true;
}

bool ask_restore(void) {
    if (!atomic_load(&is_installed)) return true;
    struct sigaction current, before = previous;
    if (sigaction(SIGPROF, NULL, &current) != 0) return false;
    if (!ask_is_ours(&current)) {
        // The host has put a handler over ours, which may call it: ours passes on for good.
        atomic_store(&is_covered, true);
        return false;
    }
    if (atomic_load(&previous_is_spent)) {
        memset(&before, 0, sizeof before);
        before.sa_handler = SIG_DFL;
    }
    struct sigaction replaced;
    if (sigaction(SIGPROF, &before, &replaced) != 0) return false;
    if (!ask_is_ours(&replaced)) {
        // The host has put its own over ours just now.
        sigaction(SIGPROF, &replaced, NULL);
        atomic_store(&is_covered, true);
        return false;
    }
    atomic_store(&is_installed, false);
    return true;
}

// The kernel copies the handlers ahead of the memory: what that says of the handler's place may be of a
// moment later.
void ask_forget_handler(void) {
    struct sigaction current, before = previous;
    if (sigaction(SIGPROF, NULL, &current) == 0 && ask_is_ours(&current)) {
        if (atomic_load(&previous_is_spent)) {
            memset(&before, 0, sizeof before);
            before.sa_handler = SIG_DFL;
        }
        sigaction(SIGPROF, &before, NULL);
    }
    atomic_store(&is_installed, false);
    for (size_t i = 0; i < CTELLTALE_ASKED; i++) {
        atomic_store(&ask_slots[i].phase, AskIdle);
        ask_slots[i].has_timer = false;
    }
}

#endif
