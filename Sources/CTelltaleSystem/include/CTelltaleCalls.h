//! Calls a Swift function by its address, in Swift's own calling convention.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A call: the contents of the registers before it and after it.
///
/// The assembly in calls/swift_call.c depends on the order of the fields.
typedef struct {
    uintptr_t function;
    /// `self`: r13, or x20.
    uintptr_t self;
    /// The address for a result that is not returned in registers: rax, or x8.
    uintptr_t indirect;
    /// The argument words: rdi rsi rdx rcx r8 r9; x0 to x7.
    uint64_t integers[8];
    /// The bits of floating-point arguments: xmm0 to xmm7; d0 to d7.
    uint64_t floats[8];
    /// Arguments that don't fit into registers, a word each, in order.
    const uint64_t *_Nullable stack;
    size_t stack_count;

    /// Results: rax rdx rcx r8; x0 to x3.
    uint64_t results[4];
    /// Results: xmm0 to xmm3; d0 to d3.
    uint64_t float_results[4];
    /// The error that was thrown, 0 for none: r12, or x21. The caller releases it.
    uintptr_t error;
} CTelltaleSwiftCall;

/// The number of argument words that are passed in registers on this processor.
extern const size_t ctelltale_swift_call_integers;

/// Makes the call. It has unwind information, so stacks can be unwound through it.
void ctelltale_swift_call(CTelltaleSwiftCall *call);

#pragma clang assume_nonnull end
