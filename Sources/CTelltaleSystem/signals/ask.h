//! What those who ask running threads share with the handler that answers. Private to ask.c, ask_room.c
//! and ask_handler.c.
#ifndef CTELLTALE_ASK_H
#define CTELLTALE_ASK_H

#include "unwind/unwind.h"

#if TELLTALE_AGENT

#include <signal.h>
#include <stdatomic.h>
#include <sys/uio.h>
#include <time.h>

/// Marks a signal as ours, in the upper half of its value; the lower half is the request's number.
#define ASK_MARK UINT64_C(0x7e117a1e)

#pragma clang assume_nonnull begin

/// Where a request to one thread is.
enum ask_phase { AskIdle, AskAsked, AskTaking, AskTaken };

/// A request to one thread, and its answer.
struct ask_slot {
    _Atomic int phase;
    _Atomic uint32_t number;
    int32_t id;
    // Nothing of the thread's stack lies above; 0 where that isn't known.
    uintptr_t top;
    uintptr_t low;
    size_t size;
    struct registers registers;
    uint64_t result;  // what a call was about to return
    uint64_t pause;
    uint64_t ran;  // its processor time when it was asked
    uint8_t *stack;
    // The handler's own: it must need little of the stack that it runs on.
    struct iovec pieces[CTELLTALE_ASKED_STACK / 4096 + 1];
    // What sends the signal. In a forked child it isn't there.
    bool has_timer;
    int timer;
};

/// One request at a time, of up to so many threads. Its memory is made with the first and kept: a late
/// handler may still look at it.
extern struct ask_slot ask_slots[CTELLTALE_ASKED];
/// Grows with each answer; a futex.
extern _Atomic uint32_t ask_answers;

static inline uint64_t ask_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// Puts our handler in its place, unless the host has one over it.
bool ask_install(void);
/// Puts the host's back; false where it has put one over ours.
bool ask_restore(void);
/// Whether this is our handler.
bool ask_is_ours(const struct sigaction *action);

/// What of the handler's frame is ours, beside the kernel's: at most so many bytes, in a debug build too
/// (1,000 there on x86-64). What it calls has been called by those who ask, and is bound by then.
#define ASK_HANDLER_STACK 2048

/// Finds out what ``ask_has_room`` has to know of this process; once for all that are asked together.
bool ask_learn_room(void);
/// Whether the handler finds the room that it needs, wherever the thread goes on running from now.
///
/// @param thread_pointer 0 where it isn't known.
/// @param blocked The signals that the thread blocks.
bool ask_has_room(int32_t id, uintptr_t thread_pointer, uint64_t blocked);

/// In a forked child: puts the host's handler back, and forgets what was asked. Async-signal-safe.
void ask_forget_handler(void);

#pragma clang assume_nonnull end
#endif
#endif
