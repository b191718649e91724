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

/// The known registers of a thread, numbered as in DWARF.
struct registers {
    uint64_t values[REGISTERS];
    /// A bit for each that is known.
    uint64_t known;
    uintptr_t pc;
};

/// Returns the start of a stack's copy: aligned to 16, as the stack is. A copy of an object on an
/// agent's stack is off the alignment of objects, and must be so here, too: a search of the memory
/// would take it for one.
static inline uintptr_t stack_copy_low(uintptr_t stack_pointer) {
    return stack_pointer & ~(uintptr_t)15;
}
