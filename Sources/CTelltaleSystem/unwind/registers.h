//! A thread's registers, and the start of the copy of its stack.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

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
    /// A bit for each known register.
    uint64_t known;
    uintptr_t pc;
};

/// Returns the start of a stack's copy: aligned to 16, as the stack is. A copy of an object on an agent's
/// stack is off the alignment of objects, and must be so in the copy of that stack too: otherwise a search
/// of the memory would mistake it for an object.
static inline uintptr_t stack_copy_low(uintptr_t stack_pointer) {
    return stack_pointer & ~(uintptr_t)15;
}

/// Takes the registers that a signal handler was given. Inline, for a handler in a copy of the process.
static inline __attribute__((always_inline)) void registers_take(struct registers *registers,
                                                                 const ucontext_t *context) {
#if defined(__x86_64__)
    static const uint8_t order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                    REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    for (size_t i = 0; i < sizeof order; i++)
        registers->values[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    registers->known = (1u << sizeof order) - 1;
    registers->pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    for (size_t i = 0; i < 31; i++) registers->values[i] = context->uc_mcontext.regs[i];
    registers->values[31] = context->uc_mcontext.sp;
    registers->known = (UINT64_C(1) << 32) - 1;
    registers->pc = context->uc_mcontext.pc;
#else
    (void)context;
    (void)registers;
#endif
}
