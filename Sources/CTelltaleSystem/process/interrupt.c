// Interrupts running threads, by ptrace and never by a signal.
//
// A signal handler needs space below the stack pointer of its thread, or on the alternate stack on which
// the thread already runs: 1.8 KB for the kernel's frame, 3.6 with AVX-512, more with AMX. The remaining
// space can't be determined from outside. A running thread may be in a handler whose action was installed
// for one signal (SA_RESETHAND) or that has unblocked signals, and it may use its stack to any depth until
// a signal arrives: a SIGPROF ended 5 of 6 services with such threads. A thread that ptrace stops uses no
// byte of its stack, runs nothing and keeps its signals. Its system calls are restarted, except for those
// that return EINTR at any stop (epoll_wait and a few others; signal(7)).
//
// The kernel refuses ptrace if the process isn't dumpable (it has given up rights, or its file has
// capabilities), if a debugger is attached, or if Yama forbids it.
#if TELLTALE_AGENT
#include "memory/frozen_copy.h"
#include "process/clock.h"
#include "process/interrupt.h"
#include "process/proc_file.h"
#include "process/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// The time limit of all interruptions. A thread without a core stops when it gets one.
#define TIMEOUT 400000000u
// The timeout of the lock among interrupting threads.
#define LONGEST_TURN_MS 200
#define PAGE 4096u

static struct interrupts *const shared = &ctelltale_interrupts;
static _Atomic(uint8_t *) stacks;
static _Atomic pid_t latest_helper;

// MARK: Counting

static struct {
    _Atomic uint64_t sent, answered, late, cut_short, longest_pause;
} counted;

void ctelltale_interrupt_counts(CTelltaleInterruptCounts *out) {
    *out = (CTelltaleInterruptCounts){
        atomic_load(&counted.sent), atomic_load(&counted.answered), atomic_load(&counted.late),
        atomic_load(&counted.cut_short), atomic_load(&counted.longest_pause)};
}

// Returns true if the stop made a system call return EINTR: the thread had entered the kernel by then.
static bool was_cut_short(const struct registers *registers) {
    if (registers->values[0] != (uint64_t)-EINTR) return false;
#if defined(__x86_64__)
    uint8_t code[2];
    return ctelltale_read_memory(registers->pc - 2, code, sizeof code) && code[0] == 0x0f &&
           code[1] == 0x05;
#else
    uint32_t code;
    return ctelltale_read_memory(registers->pc - 4, &code, sizeof code) && code == 0xd4000001;
#endif
}

static void count(const struct interrupt *slot) {
    struct registers registers;
    switch (slot->phase) {
    case InterruptRequested: atomic_fetch_add(&counted.late, 1); break;
    case InterruptAnswered:
        ctelltale_interrupt_registers(slot, &registers);
        atomic_fetch_add(&counted.answered, 1);
        if (was_cut_short(&registers)) atomic_fetch_add(&counted.cut_short, 1);
        if (slot->pause > atomic_load(&counted.longest_pause))
            atomic_store(&counted.longest_pause, slot->pause);
        break;
    default: return;
    }
    atomic_fetch_add(&counted.sent, 1);
}

void ctelltale_interrupt_registers(const struct interrupt *slot, struct registers *out) {
    const struct user_regs_struct *from = &slot->registers;
#if defined(__x86_64__)
    // In DWARF's numbering.
    const uint64_t values[] = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi,
                               from->rbp, from->rsp, from->r8,  from->r9,  from->r10, from->r11,
                               from->r12, from->r13, from->r14, from->r15};
    memcpy(out->values, values, sizeof values);
    out->known = (1u << (sizeof values / sizeof *values)) - 1;
    out->pc = from->rip;
#else
    memcpy(out->values, from->regs, sizeof from->regs);
    out->values[STACK_POINTER] = from->sp;
    out->known = (UINT64_C(1) << 32) - 1;
    out->pc = from->pc;
#endif
}

// MARK: The helper

// Yama lets a process be traced by its ancestors, and by one process that it has named (`ptrace_scope` 1,
// Ubuntu's default). Naming the helper replaces a process that the host has named, so it is done only if
// needed.
static bool must_name_helper(void) {
    char text[16];
    return ctelltale_proc_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) >
               0 &&
           *text == '1';
}

static void name_helper(pid_t process) {
    int saved = errno;
    prctl(PR_SET_PTRACER, process, 0, 0, 0);
    errno = saved;
}

static int run_helper(bool is_named) {
    if (ctelltale_copy_would_be_elsewhere()) return ENOTSUP;
    atomic_store(&shared->turn, HelperBegins);
    shared->parent = getpid();
    shared->deadline = clock_now() + TIMEOUT;
    long process = ctelltale_interrupt_helper_make();
    if (process < 0) return (int)-process;
    atomic_store(&latest_helper, (pid_t)process);
    if (is_named) name_helper((pid_t)process);
    // A fork of the host doesn't have to wait for this wait.
    bool was_working = ctelltale_fork_leave();
    bool is_done = wait_while(&shared->turn, HelperBegins, shared->deadline);
    if (is_done) {
        turn_to(&shared->turn, HelperWorks);
        is_done = wait_while(&shared->turn, HelperWorks, shared->deadline);
    }
    // Killing the helper lets all threads that it holds continue. Its pid can't be reused before it is
    // waited for.
    if (!is_done && !ctelltale_copy_is_gone((pid_t)process)) kill((pid_t)process, SIGKILL);
    while (waitpid((pid_t)process, NULL, __WCLONE) < 0 && errno == EINTR) {}
    if (was_working) ctelltale_fork_enter();
    if (is_named) name_helper(0);
    return 0;
}

static bool is_refused(void) {
    bool is = false;
    for (size_t i = 0; i < shared->count; i++) {
        struct interrupt *slot = &shared->slots[i];
        if (slot->phase == InterruptRefused) is = true;
    }
    return is;
}

int ctelltale_interrupts_run(void) {
    int saved = errno, error = run_helper(false);
    if (error == 0 && is_refused() && must_name_helper()) {
        for (size_t i = 0; i < shared->count; i++)
            if (shared->slots[i].phase == InterruptRefused) shared->slots[i].phase = InterruptWanted;
        error = run_helper(true);
    }
    for (size_t i = 0; i < shared->count; i++) count(&shared->slots[i]);
    errno = saved;
    return error;
}

bool ctelltale_interrupt_is_helper(pid_t process) {
    return process > 0 && atomic_load(&latest_helper) == process;
}

// MARK: The lock among interrupting threads

static bool take_turn(void) {
    for (unsigned i = 0; atomic_flag_test_and_set(&ctelltale_interrupts_busy); i++) {
        if (i == LONGEST_TURN_MS) return false;
        struct timespec moment = clock_length(1000000);
        bool was_working = ctelltale_fork_leave();
        nanosleep(&moment, NULL);
        if (was_working) ctelltale_fork_enter();
    }
    return true;
}

static bool make_stacks(void) {
    if (stacks) return true;
    uint8_t *made = malloc((size_t)CTELLTALE_INTERRUPTED * CTELLTALE_INTERRUPTED_STACK);
    if (!made) return false;
    for (size_t i = 0; i < CTELLTALE_INTERRUPTED; i++)
        shared->slots[i].stack = made + i * CTELLTALE_INTERRUPTED_STACK;
    stacks = made;
    return true;
}

void *ctelltale_interrupts_copies(void) { return stacks; }

bool ctelltale_interrupts_begin(void) {
    if (!take_turn()) return false;
    shared->count = 0;
    if (make_stacks()) return true;
    atomic_flag_clear(&ctelltale_interrupts_busy);
    return false;
}

void ctelltale_interrupts_end(void) { atomic_flag_clear(&ctelltale_interrupts_busy); }

struct interrupt *ctelltale_interrupt_want(int32_t id, uintptr_t top) {
    struct interrupt *slot = &shared->slots[shared->count++];
    slot->phase = InterruptWanted;
    slot->id = id;
    slot->top = top;
    slot->size = 0;
    // Touches the pages before a thread is held for the copy.
    for (size_t at = 0; at < CTELLTALE_INTERRUPTED_STACK; at += PAGE)
        ((volatile uint8_t *)slot->stack)[at] = 0;
    return slot;
}
#endif
