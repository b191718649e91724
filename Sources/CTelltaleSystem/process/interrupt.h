//! Interrupts running threads: a short-lived helper process stops each by ptrace and copies its registers
//! and its stack. The code in unwind/ evaluates them.
#pragma once

#include "CTelltaleSystem.h"
#include "unwind/registers.h"

#include <stdatomic.h>
#include <sys/user.h>

#pragma clang assume_nonnull begin

/// The progress of the interruption of one thread.
enum interrupt_phase {
    InterruptIdle,
    /// The helper should stop the thread.
    InterruptWanted,
    /// The helper has requested the stop.
    InterruptRequested,
    InterruptAnswered,
    /// The kernel doesn't let the helper stop it.
    InterruptRefused,
    /// The thread has ended.
    InterruptEnded,
};

/// The interruption of one thread, and its result.
struct interrupt {
    enum interrupt_phase phase;
    int32_t id;
    int32_t error;  // of a refusal
    // The end of the thread's stack; 0 if it isn't known.
    uintptr_t top;
    struct user_regs_struct registers;
    uintptr_t low;
    size_t size;
    uint8_t *stack;
    uint64_t pause;
};

/// The slots for `ctelltale_interrupts_run`: one request at a time, for up to `CTELLTALE_INTERRUPTED`
/// threads.
extern struct interrupts {
    struct interrupt slots[CTELLTALE_INTERRUPTED];
    size_t count;
    /// The process that acts next: a futex word that both processes wait on.
    _Atomic uint32_t turn;
    pid_t parent;
    uint64_t deadline;
    uint8_t helpers_stack[16384] __attribute__((aligned(4096)));
} ctelltale_interrupts;

/// The lock among interrupting threads. Defined in signals/fork.c: a forked child, which has none of these
/// threads, releases it.
extern atomic_flag ctelltale_interrupts_busy;

// MARK: Used by the capturing thread (interrupt.c)

/// Takes the lock among interrupting threads; waits at most 200 ms.
///
/// @return false if the lock isn't available; otherwise `ctelltale_interrupts_end` must be called.
bool ctelltale_interrupts_begin(void);
void ctelltale_interrupts_end(void);

/// Makes the next run stop a thread; `top` is the end of its stack (0: not known).
struct interrupt *ctelltale_interrupt_want(int32_t id, uintptr_t top);

/// Stops the requested threads, copies their registers and stacks and lets them continue, within 400 ms.
///
/// @return 0, or the error number with which the kernel refused the helper process.
int ctelltale_interrupts_run(void);

/// Converts registers to the unwinder's numbering.
void ctelltale_interrupt_registers(const struct interrupt *slot, struct registers *out);

// MARK: The helper (interrupt_helper.c)

enum { HelperBegins, HelperIsReady, HelperWorks, HelperIsDone };

/// Makes the helper process, which waits for `HelperWorks`.
///
/// @return its id, or a negative error number.
long ctelltale_interrupt_helper_make(void);

#pragma clang assume_nonnull end
