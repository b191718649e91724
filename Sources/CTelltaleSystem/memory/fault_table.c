// Runs on signals.
//
// 160 scattered bytes cost 23 ns so, and 1,940 by the kernel's copy (measured). The signals are
// taken only for as long as a reading uses them: outside of a reading the host's own handlers are
// exactly as the host set them, and so a debugger or a crash reporter sees them.
#if TELLTALE_AGENT
#include "memory/fault_table.h"

#include "signals/chain.h"

#include <signal.h>
#include <sched.h>
#include <stdatomic.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
// At every site rcx has the number of bytes that are left. Eight at a time below 512 bytes, where
// `rep movsb` is slow to begin.
__asm__(".text\n"
        ".p2align 4\n"
        ".type ctelltale_fault_copy_left,@function\n"
        ".hidden ctelltale_fault_copy_left\n"
        ".globl ctelltale_fault_copy_left\n"
        "ctelltale_fault_copy_left:\n"
        "  movq %rdx, %rcx\n"
        "  cmpq $512, %rcx\n"
        "  jae 2f\n"
        "1: cmpq $8, %rcx\n"
        "  jb 2f\n"
        ".hidden ctelltale_fault_site_word\n"
        ".globl ctelltale_fault_site_word\n"
        "ctelltale_fault_site_word:\n"
        "  movq (%rsi), %rax\n"
        "  movq %rax, (%rdi)\n"
        "  addq $8, %rsi\n"
        "  addq $8, %rdi\n"
        "  subq $8, %rcx\n"
        "  jmp 1b\n"
        // The rest of a copy of at least a word, with some of the word before it.
        "2: testq %rcx, %rcx\n"
        "  jz ctelltale_fault_copy_end\n"
        "  cmpq $8, %rdx\n"
        "  jb ctelltale_fault_site_bytes\n"
        "  cmpq $8, %rcx\n"
        "  jae ctelltale_fault_site_bytes\n"
        ".hidden ctelltale_fault_site_rest\n"
        ".globl ctelltale_fault_site_rest\n"
        "ctelltale_fault_site_rest:\n"
        "  movq -8(%rsi,%rcx), %rax\n"
        "  movq %rax, -8(%rdi,%rcx)\n"
        "  xorl %ecx, %ecx\n"
        "  jmp ctelltale_fault_copy_end\n"
        ".hidden ctelltale_fault_site_bytes\n"
        ".globl ctelltale_fault_site_bytes\n"
        "ctelltale_fault_site_bytes:\n"
        "  rep movsb\n"
        ".hidden ctelltale_fault_copy_end\n"
        ".globl ctelltale_fault_copy_end\n"
        "ctelltale_fault_copy_end:\n"
        "  movq %rcx, %rax\n"
        "  ret\n"
        ".size ctelltale_fault_copy_left, .-ctelltale_fault_copy_left\n");

extern size_t ctelltale_fault_copy_left(void *to, const void *from, size_t size);
extern const char ctelltale_fault_site_word[], ctelltale_fault_site_rest[], ctelltale_fault_site_bytes[],
    ctelltale_fault_copy_end[];

bool ctelltale_fault_table_exists(void) { return true; }

bool ctelltale_fault_copy(void *to, const void *from, size_t size) {
    return ctelltale_fault_copy_left(to, from, size) == 0;
}

// The table: a fault at one of these continues at the end of the copy.
static bool recover(ucontext_t *context) {
    greg_t *pc = &context->uc_mcontext.gregs[REG_RIP];
    if (*pc != (greg_t)ctelltale_fault_site_word && *pc != (greg_t)ctelltale_fault_site_rest &&
        *pc != (greg_t)ctelltale_fault_site_bytes) return false;
    *pc = (greg_t)ctelltale_fault_copy_end;
    return true;
}
#else
bool ctelltale_fault_table_exists(void) { return false; }

bool ctelltale_fault_copy(void *to, const void *from, size_t size) {
    (void)to;
    (void)from;
    return size == 0;
}

static bool recover(ucontext_t *context) {
    (void)context;
    return false;
}
#endif

static const int signals[] = {SIGSEGV, SIGBUS};
#define SIGNALS (sizeof signals / sizeof *signals)

// Guards `users`, and that one thread at a time changes handlers. Not waited for where it is taken: the
// kernel's copy does as well.
static atomic_flag is_changing = ATOMIC_FLAG_INIT;
static size_t users;

// A fault that is none of ours is the host's. Where it has no handler the default action is put back and
// the instruction faults again, so that the process ends as it would have, with the same core.
static bool on_fault(int signal, siginfo_t *info, void *context) {
    if (info->si_code > 0 && recover(context)) return true;
    if (!ctelltale_chain_has_default(signal)) return false;
    ctelltale_chain_give_back(signal);
    // A signal sent by a process comes again only so.
    if (info->si_code <= 0) kill(getpid(), signal);
    return true;
}

static bool take_all(void) {
    for (size_t i = 0; i < SIGNALS; i++) {
        if (ctelltale_chain_take(signals[i], 0, on_fault) == CTelltaleSignalTaken) continue;
        while (i-- > 0) ctelltale_chain_give_back(signals[i]);
        return false;
    }
    return true;
}

bool ctelltale_fault_table_take(void) {
    if (!ctelltale_fault_table_exists()) return false;
    if (atomic_flag_test_and_set(&is_changing)) return false;
    bool is_taken = users == 0 ? take_all()
                               : ctelltale_chain_is_ours(SIGSEGV) && ctelltale_chain_is_ours(SIGBUS);
    users += is_taken;
    atomic_flag_clear(&is_changing);
    return is_taken;
}

void ctelltale_fault_table_let_go(void) {
    while (atomic_flag_test_and_set(&is_changing)) sched_yield();
    if (users > 0 && --users == 0)
        for (size_t i = 0; i < SIGNALS; i++) ctelltale_chain_give_back(signals[i]);
    atomic_flag_clear(&is_changing);
}

void ctelltale_fault_table_forget(void) {
    users = 0;
    atomic_flag_clear(&is_changing);
}
#endif
