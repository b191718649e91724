// Runs on signals.
//
// SIGPROF, on the stack of the thread that is interrupted, of which it may need little: the handler
// copies the thread's registers and its stack, and returns.
#if TELLTALE_AGENT
#include "memory/guarded.h"
#include "process/clock.h"
#include "signals/interrupt.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

struct interrupts ctelltale_interrupts = {.is_busy = ATOMIC_FLAG_INIT};

static void read_registers(const ucontext_t *context, struct interrupt *slot) {
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

static void answer(struct interrupt *slot, const ucontext_t *context) {
    uint64_t began = clock_now();
    read_registers(context, slot);
    uintptr_t low = stack_copy_low(slot->registers.values[STACK_POINTER]);
    size_t wanted = CTELLTALE_INTERRUPTED_STACK;
    if (slot->top > low && slot->top - low < wanted) wanted = slot->top - low;
    ssize_t copied = ctelltale_guarded_copy(low, slot->stack, wanted);
    slot->low = low;
    slot->size = copied > 0 ? (size_t)copied : 0;
    slot->pause = clock_now() - began;
}

bool ctelltale_interrupt_answer(int signal, siginfo_t *info, void *context) {
    (void)signal;
    uint64_t value = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    if (info->si_code != SI_TIMER || value >> 32 != INTERRUPT_MARK) return false;
    uint32_t number = (uint32_t)value;
    struct interrupt *slot = &ctelltale_interrupts.slots[number % CTELLTALE_INTERRUPTED];
    int expected = InterruptSent;
    if (atomic_load(&slot->number) != number || slot->id != (int32_t)syscall(SYS_gettid) ||
        !atomic_compare_exchange_strong(&slot->phase, &expected, InterruptTaking))
        return true;
    // The next request may have begun between the look at the number and now.
    if (atomic_load(&slot->number) != number) {
        atomic_store(&slot->phase, InterruptSent);
        return true;
    }
    answer(slot, context);
    atomic_store(&slot->phase, InterruptAnswered);
    atomic_fetch_add(&ctelltale_interrupts.answers, 1);
    syscall(SYS_futex, &ctelltale_interrupts.answers, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return true;
}

// A forked child has no signal pending, no timer, and no interrupting thread.
void ctelltale_interrupts_forget(void) {
    struct interrupts *all = &ctelltale_interrupts;
    for (size_t i = 0; i < CTELLTALE_INTERRUPTED; i++) {
        atomic_store(&all->slots[i].phase, InterruptIdle);
        all->slots[i].has_timer = false;
        atomic_store(&all->unanswered[i], 0);
    }
    atomic_store(&all->is_overfull, false);
    atomic_flag_clear(&all->is_busy);
}
#endif
