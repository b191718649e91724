//! Interrupting threads that run: each is sent a SIGPROF, whose handler copies its registers and its stack.
//! What is done with them is in unwind/.
#pragma once

#include "CTelltaleSystem.h"
#include "unwind/registers.h"

#include <signal.h>
#include <stdatomic.h>

#pragma clang assume_nonnull begin

// MARK: By the interrupting thread (interrupt.c)

/// The phase of one thread's interruption.
enum interrupt_phase { InterruptIdle, InterruptSent, InterruptTaking, InterruptAnswered };

/// The interruption of one thread, and its result.
struct interrupt {
    _Atomic int phase;
    _Atomic uint32_t number;
    int32_t id;
    // Nothing of the thread's stack lies above; 0 if unknown.
    uintptr_t top;
    uintptr_t low;
    size_t size;
    struct registers registers;
    uint64_t result;  // what a call was about to return
    uint64_t pause;
    uint64_t ran;  // its processor time when the signal was sent
    uint8_t *stack;
    // The timer that sends the signal. It does not exist in a forked child.
    bool has_timer;
    int timer;
};

/// Takes SIGPROF, and the turn among interrupting threads; waits for them for at most 200 ms.
///
/// @return false if no thread can be interrupted now; else `ctelltale_interrupts_end` is owed.
bool ctelltale_interrupts_begin(void);

/// Gives SIGPROF back, unless a signal of ours may still come.
void ctelltale_interrupts_end(void);

/// Makes the place at `index` ready for a thread; nothing of its stack lies above `top` (0: not known).
///
/// @return false if an earlier answer is still being made there.
bool ctelltale_interrupt_prepare(size_t index, int32_t id, uintptr_t top);

/// Sends the signal, unless the thread blocks it, has no room for it, or has a seccomp filter of its own
/// that might end it in the handler.
///
/// @return `CTelltaleStackNoAnswer` where it was sent; else why not.
CTelltaleStackEnd ctelltale_interrupt_send(size_t index);

/// Waits for the answers of the interrupted threads, and sends the signal to those that blocked it
/// as soon as they don't.
void ctelltale_interrupts_await(CTelltaleThread *threads, size_t count);

/// The answer of a thread that was sent the signal; null if there is none. Counts it either way.
const struct interrupt *_Nullable ctelltale_interrupt_take(size_t index, int32_t id);

// MARK: The handler (interrupt_handler.c)

/// Marks a signal as ours, in the upper half of its value; the lower half is the request's number.
#define INTERRUPT_MARK UINT64_C(0x7e117a1e)

/// The maximum size of our handler's frames, beside the kernel's, in bytes, in a debug build too.
/// Its callees have been called by the interrupting thread, and are bound by then.
#define INTERRUPT_STACK 2048

/// Memory shared by the interrupting thread and the handler. One request at a time, for up to this
/// many threads; its memory is made with the first and kept: a late handler may still look at it.
extern struct interrupts {
    struct interrupt slots[CTELLTALE_INTERRUPTED];
    /// Grows with each answer; a futex.
    _Atomic uint32_t answers;
    /// The ids of threads to which a signal of ours may still come, and whether there were more of them.
    _Atomic int32_t unanswered[CTELLTALE_INTERRUPTED];
    atomic_bool is_overfull;
    /// Guards all of it among interrupting threads; never held over a wait for the host except that
    /// for answers.
    atomic_flag is_busy;
} ctelltale_interrupts;

/// The action on SIGPROF.
bool ctelltale_interrupt_answer(int signal, siginfo_t *info, void *context);

// MARK: Room for the handler (interrupt_room.c)

/// Determines the facts of this process for ``ctelltale_interrupt_has_room``; once for all threads
/// that are interrupted together.
void ctelltale_interrupt_find_room(void);

/// Returns whether the handler finds the stack space it needs, wherever the thread runs from now
/// on.
///
/// @param thread_pointer 0 if unknown.
/// @param blocked The signals that the thread blocks.
bool ctelltale_interrupt_has_room(int32_t id, uintptr_t thread_pointer, uint64_t blocked);

#pragma clang assume_nonnull end
