//! A thread's registers, and where the copy of its stack begins.
#pragma once

#include <stdint.h>

#if defined(__x86_64__)
#define REGISTERS 17
#define FRAME_POINTER 6
#define STACK_POINTER 7
#define RETURN_ADDRESS 16
#else  // arm64
#define REGISTERS 33
#define FRAME_POINTER 29
#define STACK_POINTER 31
#define RETURN_ADDRESS 30
#endif

/// What is known of a thread's registers, numbered as DWARF does.
struct registers {
    uint64_t values[REGISTERS];
    /// A bit for each that is known.
    uint64_t known;
    uintptr_t pc;
};

/// Where the copy of a stack begins: as its bytes are, at 16. What was copied of an object to a stack of
/// the agent's lies off the alignment of objects, and must do so here, too: a search of the memory would
/// take it for one.
static inline uintptr_t stack_copy_low(uintptr_t stack_pointer) {
    return stack_pointer & ~(uintptr_t)15;
}
