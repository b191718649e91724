// Calls a Swift function from assembly: no C compiler sets `self` and the error register without an
// attribute that GCC lacks, and the number of arguments differs from call to call.
//
// Checked against swift-6.3.1: swiftcc preserves rbx, rbp, r13, r14 and r15 for its caller, and r12 unless
// it throws (arm64: x19 to x28, except x21). The caller pops arguments from the stack.
#if TELLTALE_AGENT
#include "include/CTelltaleCalls.h"

_Static_assert(offsetof(CTelltaleSwiftCall, function) == 0, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, self) == 8, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, indirect) == 16, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, integers) == 24, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, floats) == 88, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, stack) == 152, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, stack_count) == 160, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, results) == 168, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, float_results) == 200, "known to the assembly");
_Static_assert(offsetof(CTelltaleSwiftCall, error) == 232, "known to the assembly");

#if defined(__x86_64__)
const size_t ctelltale_swift_call_integers = 6;

__asm__(".text\n"
        ".p2align 4\n"
        ".type ctelltale_swift_call,@function\n"
        ".hidden ctelltale_swift_call\n"
        ".globl ctelltale_swift_call\n"
        "ctelltale_swift_call:\n"
        "  .cfi_startproc\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  .cfi_offset %rbx, -24\n"
        "  .cfi_offset %r12, -32\n"
        "  .cfi_offset %r13, -40\n"
        "  .cfi_offset %r14, -48\n"
        "  movq %rdi, %rbx\n"
        // The stack is aligned to 16 here, and stays so with an even number of words.
        "  movq 160(%rbx), %rcx\n"
        "  movq 152(%rbx), %rsi\n"
        "  leaq 1(%rcx), %rax\n"
        "  andq $-2, %rax\n"
        "  shlq $3, %rax\n"
        "  subq %rax, %rsp\n"
        "  movq %rsp, %rdi\n"
        "  cld\n"
        "  rep movsq\n"
        "  movsd 88(%rbx), %xmm0\n"
        "  movsd 96(%rbx), %xmm1\n"
        "  movsd 104(%rbx), %xmm2\n"
        "  movsd 112(%rbx), %xmm3\n"
        "  movsd 120(%rbx), %xmm4\n"
        "  movsd 128(%rbx), %xmm5\n"
        "  movsd 136(%rbx), %xmm6\n"
        "  movsd 144(%rbx), %xmm7\n"
        "  movq 24(%rbx), %rdi\n"
        "  movq 32(%rbx), %rsi\n"
        "  movq 40(%rbx), %rdx\n"
        "  movq 48(%rbx), %rcx\n"
        "  movq 56(%rbx), %r8\n"
        "  movq 64(%rbx), %r9\n"
        "  movq 8(%rbx), %r13\n"
        "  movq 16(%rbx), %rax\n"
        "  xorl %r12d, %r12d\n"
        "  callq *(%rbx)\n"
        "  movq %rax, 168(%rbx)\n"
        "  movq %rdx, 176(%rbx)\n"
        "  movq %rcx, 184(%rbx)\n"
        "  movq %r8, 192(%rbx)\n"
        "  movsd %xmm0, 200(%rbx)\n"
        "  movsd %xmm1, 208(%rbx)\n"
        "  movsd %xmm2, 216(%rbx)\n"
        "  movsd %xmm3, 224(%rbx)\n"
        "  movq %r12, 232(%rbx)\n"
        "  leaq -32(%rbp), %rsp\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size ctelltale_swift_call, .-ctelltale_swift_call\n");
#elif defined(__aarch64__)
const size_t ctelltale_swift_call_integers = 8;

__asm__(".text\n"
        ".p2align 4\n"
        ".type ctelltale_swift_call,@function\n"
        ".hidden ctelltale_swift_call\n"
        ".globl ctelltale_swift_call\n"
        "ctelltale_swift_call:\n"
        "  .cfi_startproc\n"
        "  stp x29, x30, [sp, #-48]!\n"
        "  .cfi_def_cfa_offset 48\n"
        "  .cfi_offset x29, -48\n"
        "  .cfi_offset x30, -40\n"
        "  mov x29, sp\n"
        "  .cfi_def_cfa x29, 48\n"
        "  stp x19, x20, [sp, #16]\n"
        "  stp x21, x22, [sp, #32]\n"
        "  .cfi_offset x19, -32\n"
        "  .cfi_offset x20, -24\n"
        "  .cfi_offset x21, -16\n"
        "  .cfi_offset x22, -8\n"
        "  mov x19, x0\n"
        // The stack is aligned to 16 here, and stays so with an even number of words.
        "  ldr x9, [x19, #160]\n"
        "  ldr x10, [x19, #152]\n"
        "  add x11, x9, #1\n"
        "  and x11, x11, #-2\n"
        "  sub sp, sp, x11, lsl #3\n"
        "  mov x12, sp\n"
        "1: cbz x9, 2f\n"
        "  ldr x13, [x10], #8\n"
        "  str x13, [x12], #8\n"
        "  sub x9, x9, #1\n"
        "  b 1b\n"
        "2: ldp d0, d1, [x19, #88]\n"
        "  ldp d2, d3, [x19, #104]\n"
        "  ldp d4, d5, [x19, #120]\n"
        "  ldp d6, d7, [x19, #136]\n"
        "  ldp x0, x1, [x19, #24]\n"
        "  ldp x2, x3, [x19, #40]\n"
        "  ldp x4, x5, [x19, #56]\n"
        "  ldp x6, x7, [x19, #72]\n"
        "  ldr x20, [x19, #8]\n"
        "  ldr x8, [x19, #16]\n"
        "  mov x21, xzr\n"
        "  ldr x9, [x19]\n"
        "  blr x9\n"
        "  stp x0, x1, [x19, #168]\n"
        "  stp x2, x3, [x19, #184]\n"
        "  stp d0, d1, [x19, #200]\n"
        "  stp d2, d3, [x19, #216]\n"
        "  str x21, [x19, #232]\n"
        "  mov sp, x29\n"
        "  ldp x19, x20, [sp, #16]\n"
        "  ldp x21, x22, [sp, #32]\n"
        "  ldp x29, x30, [sp], #48\n"
        "  .cfi_def_cfa sp, 0\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size ctelltale_swift_call, .-ctelltale_swift_call\n");
#endif
#endif
