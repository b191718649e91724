//! Long work that yields to other threads: the thread checks, as often as it likes, whether its
//! slice is used up.
#pragma once

#include <stdbool.h>

// The calling thread's state: the nesting of its yielding work, and the number of checks since it read the
// clock.
struct turns {
    unsigned depth, asked;
};
extern _Thread_local struct turns ctelltale_turns;

void ctelltale_turns_look(void);

/// Yields the core to waiting threads, if the thread gives time slices and has used its own of 30 µs. Must
/// be called while no other thread waits for this one. 25 ns for the clock, if it gives slices.
static inline void turns_give(void) {
    if (ctelltale_turns.depth > 0) ctelltale_turns_look();
}

/// The same for work that itself takes some nanoseconds: checks each eighth time. Usually two loads.
static inline void turns_give_seldom(void) {
    if (ctelltale_turns.depth > 0 && (++ctelltale_turns.asked & 7) == 0) ctelltale_turns_look();
}
