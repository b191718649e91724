//! Interrupting threads that run: a helper process, made for the moment, stops each by ptrace and copies its
//! registers and its stack. What is done with them is in unwind/.
#pragma once

#include "CTelltaleSystem.h"
#include "unwind/registers.h"

#include <stdatomic.h>
#include <sys/user.h>

#pragma clang assume_nonnull begin

/// How far the interruption of one thread has come.
enum interrupt_phase {
    InterruptIdle,
    /// The helper is to stop the thread.
    InterruptWanted,
    /// The helper has told it to stop.
    InterruptRequested,
    InterruptAnswered,
    /// The kernel doesn't let the helper stop it.
    InterruptRefused,
    /// The thread has ended.
    InterruptEnded,
};

/// The interruption of one thread, and what came of it.
struct interrupt {
    enum interrupt_phase phase;
    int32_t id;
    int32_t error;  // of a refusal
    // Nothing of the thread's stack lies above; 0 where that isn't known.
    uintptr_t top;
    struct user_regs_struct registers;
    uintptr_t low;
    size_t size;
    uint8_t *stack;
    uint64_t pause;
};

/// The places for `ctelltale_interrupts_run`. One request at a time, of up to so many threads.
extern struct interrupts {
    struct interrupt slots[CTELLTALE_INTERRUPTED];
    size_t count;
    /// Whose turn it is: a word that both processes wait on.
    _Atomic uint32_t turn;
    pid_t parent;
    uint64_t deadline;
    uint8_t helpers_stack[16384] __attribute__((aligned(4096)));
} ctelltale_interrupts;

/// The turn among threads that interrupt. Defined in signals/fork.c: a forked child, which has none of
/// them, releases it.
extern atomic_flag ctelltale_interrupts_busy;

// MARK: By the thread that captures (interrupt.c)

/// Takes the turn among threads that interrupt; waits for them for at most 200 ms.
///
/// @return false where it isn't to be had; else `ctelltale_interrupts_end` is owed.
bool ctelltale_interrupts_begin(void);
void ctelltale_interrupts_end(void);

/// Has the next run stop a thread; nothing of its stack lies above `top` (0: not known).
struct interrupt *ctelltale_interrupt_want(int32_t id, uintptr_t top);

/// Stops those that are wanted, copies what they are at and has them continue, within 400 ms.
///
/// @return 0, or the error number with which the kernel refused the helper process.
int ctelltale_interrupts_run(void);

/// Registers as the unwinder has them.
void ctelltale_interrupt_registers(const struct interrupt *slot, struct registers *out);

// MARK: The helper (interrupt_helper.c)

enum { HelperBegins, HelperIsReady, HelperWorks, HelperIsDone };

/// Makes the helper process, which waits for `HelperWorks`.
///
/// @return its id, or an error number, negative.
long ctelltale_interrupt_helper_make(void);

#pragma clang assume_nonnull end
