//! Long work that has others go first: the thread asks, as often as it likes, whether it is somebody's turn.
#pragma once

#include <stdbool.h>

// Of the calling thread: whether it gives turns, and how often it was asked since it looked at the clock.
struct turns {
    unsigned depth, asked;
};
extern _Thread_local struct turns ctelltale_turns;

void ctelltale_turns_look(void);

/// Gives the core to whoever waits for it, where the thread gives turns and has had its own: each 30 µs. To be
/// called where the thread keeps nobody waiting. 25 ns for the clock, where it gives turns.
static inline void turns_give(void) {
    if (ctelltale_turns.depth > 0) ctelltale_turns_look();
}

/// The same for what takes some nanoseconds itself: each eighth time. Two loads as a rule.
static inline void turns_give_seldom(void) {
    if (ctelltale_turns.depth > 0 && (++ctelltale_turns.asked & 7) == 0) ctelltale_turns_look();
}
