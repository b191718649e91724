// Looks at threads that run: each is sent a SIGPROF, whose handler copies its registers and its stack
// and returns; the walk is done afterwards on the copy, by the thread that asked. SIGPROF, since
// Dispatch's workers block every other signal that could be used.
//
// The host's own SIGPROF (a profiler's timer) goes on: the handler stands only while threads are asked,
// passes on what is not its own, and is never put over one that the host has put over it. It stays
// where a signal of ours could still come: the default action of SIGPROF is to end the process.
#define _GNU_SOURCE
#include "capture.h"

#if CTELLTALE_AGENT && defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Marks a signal as ours, in the upper half of its value; the lower half is the request's number.
#define MARK UINT64_C(0x7e117a1e)
#define PATIENCE 100000000u
#define STARVED 400000000u
#define RUN_STARVED 100000u
#define AGAIN 10000000u
#define RUN_BLOCKED 1000000u
#define PAGE 4096u

enum phase { idle, asked, taking, taken };

struct slot {
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
};

// One request at a time, of up to so many threads. Its memory is made with the first and kept: a late
// handler may still look at it.
static struct slot slots[CTELLTALE_ASKED];
static _Atomic uint32_t answers;  // a futex
static _Atomic uint32_t last_number;
static uint8_t *stacks;
// Guards all of it among those who ask; never held over a wait for the host but the answers' patience.
static atomic_flag is_asking = ATOMIC_FLAG_INIT;

static struct sigaction previous;
static atomic_bool is_installed, is_covered, previous_is_spent;
static _Atomic uint64_t counted[5];
static _Atomic int32_t unanswered[CTELLTALE_ASKED];  // ids of threads whose signal may still come
static atomic_bool is_overfull;  // there were more of them

// The thread sanitizer runs handlers later than the signal, where the registers are not those of the
// moment any more.
extern void __tsan_init(void) __attribute__((weak));

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void read_registers(const ucontext_t *context, struct slot *slot) {
    struct registers *registers = &slot->registers;
#if defined(__x86_64__)
    static const uint8_t order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                    REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    for (size_t i = 0; i < sizeof order; i++)
        registers->values[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    registers->known = (1u << sizeof order) - 1;
    registers->pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    slot->result = registers->values[0];
#elif defined(__aarch64__)
    for (size_t i = 0; i < 31; i++) registers->values[i] = context->uc_mcontext.regs[i];
    registers->values[31] = context->uc_mcontext.sp;
    registers->known = (UINT64_C(1) << 32) - 1;
    registers->pc = context->uc_mcontext.pc;
    slot->result = registers->values[0];
#else
    (void)context;
    (void)registers;
#endif
}

// Only async-signal-safe calls, and none that can fault: the stack is copied by the kernel.
static void take(struct slot *slot, const ucontext_t *context) {
    uint64_t began = now();
    read_registers(context, slot);
    uintptr_t sp = slot->registers.values[STACK_POINTER];
    size_t wanted = CTELLTALE_ASKED_STACK;
    if (slot->top > sp && slot->top - sp < wanted) wanted = slot->top - sp;
    struct iovec pieces[CTELLTALE_ASKED_STACK / PAGE + 1];
    size_t count = 0, total = 0;
    while (total < wanted && count < sizeof pieces / sizeof *pieces) {
        size_t length = PAGE - (sp + total) % PAGE;
        if (length > wanted - total) length = wanted - total;
        pieces[count++] = (struct iovec){(void *)(sp + total), length};
        total += length;
    }
    struct iovec local = {slot->stack, total};
    // The thread and not the process: a main thread that has ended has no memory to show.
    ssize_t copied = process_vm_readv((int)syscall(SYS_gettid), &local, 1, pieces, count, 0);
    if (copied < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES)) {
        // Raw calls: those of the library are points at which a thread may be cancelled.
        int memory =
            (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
        if (memory >= 0) {
            copied = syscall(SYS_pread64, memory, slot->stack, total, (off_t)sp);
            syscall(SYS_close, memory);
        }
    }
    slot->low = sp;
    slot->size = copied > 0 ? (size_t)copied : 0;
    slot->pause = now() - began;
}

static bool is_handler(const struct sigaction *action) {
    if (action->sa_flags & SA_SIGINFO) return action->sa_sigaction != NULL;
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void on_profile(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    uint64_t value = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    if (info->si_code == SI_QUEUE && info->si_pid == getpid() && value >> 32 == MARK) {
        uint32_t number = (uint32_t)value;
        struct slot *slot = &slots[number % CTELLTALE_ASKED];
        int expected = asked;
        if (atomic_load(&slot->number) == number && slot->id == (int32_t)syscall(SYS_gettid) &&
            atomic_compare_exchange_strong(&slot->phase, &expected, taking)) {
            // The next request may have begun between the look at the number and now.
            if (atomic_load(&slot->number) != number) {
                atomic_store(&slot->phase, asked);
            } else {
                take(slot, context);
                atomic_store(&slot->phase, taken);
                atomic_fetch_add(&answers, 1);
                syscall(SYS_futex, &answers, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
            }
        }
        errno = saved;
        return;
    }
    // The default action is never chained to.
    if (is_handler(&previous)) {
        bool once = (previous.sa_flags & SA_RESETHAND) != 0;
        if (!once || !atomic_exchange(&previous_is_spent, true)) {
            errno = saved;
            if (previous.sa_flags & SA_SIGINFO)
                previous.sa_sigaction(signal, info, context);
            else
                previous.sa_handler(signal);
        }
    }
    errno = saved;
}

// MARK: The handler's place

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_profile;
}

static bool install(void) {
    // Theirs may call ours: put over it again, ours would call theirs without an end.
    if (atomic_load(&is_covered)) return false;
    struct sigaction action, current;
    if (sigaction(SIGPROF, NULL, &current) != 0) return false;
    if (is_ours(&current)) return true;
    if (atomic_load(&is_installed)) {
        atomic_store(&is_covered, true);
        return false;
    }
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_profile;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    if (is_handler(&current)) {
        // The host's handler keeps its mask. Its calls are restarted meanwhile, as ours must not end any.
        action.sa_mask = current.sa_mask;
        action.sa_flags |= current.sa_flags & SA_NODEFER;
    }
    // In place before the first signal can reach our handler, and before a fork can copy it.
    previous = current;
    atomic_store(&previous_is_spent, false);
    atomic_store(&is_installed, true);
    struct sigaction replaced;
    if (sigaction(SIGPROF, &action, &replaced) != 0) {
        atomic_store(&is_installed, false);
        return false;
    }
    if (!is_ours(&replaced)) previous = replaced;
    return true;
}

// Whether a signal of ours waits for a thread that blocks it. What can't be told may.
static bool has_pending(void) {
    bool has = atomic_load(&is_overfull);
    for (size_t i = 0; i < CTELLTALE_ASKED; i++) {
        int32_t id = atomic_load(&unanswered[i]);
        if (!id) continue;
        uint64_t pending;
        bool is_told = ctelltale_thread_mask(id, "\nSigPnd:", &pending);
        if (is_told ? pending >> (SIGPROF - 1) & 1 : errno != ENOENT && errno != ESRCH)
            has = true;
        else
            atomic_store(&unanswered[i], 0);
    }
    return has;
}

static bool restore(void) {
    if (!atomic_load(&is_installed)) return true;
    struct sigaction current, before = previous;
    if (sigaction(SIGPROF, NULL, &current) != 0) return false;
    if (!is_ours(&current)) {
        // The host has put a handler over ours, which may call it: ours passes on for good.
        atomic_store(&is_covered, true);
        return false;
    }
    if (atomic_load(&previous_is_spent)) {
        memset(&before, 0, sizeof before);
        before.sa_handler = SIG_DFL;
    }
    struct sigaction replaced;
    if (sigaction(SIGPROF, &before, &replaced) != 0) return false;
    if (!is_ours(&replaced)) {
        // The host has put its own over ours just now.
        sigaction(SIGPROF, &replaced, NULL);
        atomic_store(&is_covered, true);
        return false;
    }
    atomic_store(&is_installed, false);
    return true;
}

bool ctelltale_ask_give_back(void) {
    if (atomic_flag_test_and_set(&is_asking)) return false;
    bool done = !has_pending() && restore();
    atomic_flag_clear(&is_asking);
    return done;
}

// Async-signal-safe. A forked child has no signal pending, and nobody asks in it. The kernel copies the
// handlers ahead of the memory: what that says of the handler's place may be of a moment later.
void ctelltale_ask_forget(void) {
    struct sigaction current, before = previous;
    if (sigaction(SIGPROF, NULL, &current) == 0 && is_ours(&current)) {
        if (atomic_load(&previous_is_spent)) {
            memset(&before, 0, sizeof before);
            before.sa_handler = SIG_DFL;
        }
        sigaction(SIGPROF, &before, NULL);
    }
    atomic_store(&is_installed, false);
    for (size_t i = 0; i < CTELLTALE_ASKED; i++) {
        atomic_store(&slots[i].phase, idle);
        atomic_store(&unanswered[i], 0);
    }
    atomic_store(&is_overfull, false);
    atomic_flag_clear(&is_asking);
}

// MARK: Asking

void ctelltale_ask_counts(CTelltaleAskCounts *out) {
    *out = (CTelltaleAskCounts){atomic_load(&counted[0]), atomic_load(&counted[1]),
                                atomic_load(&counted[2]), atomic_load(&counted[3]),
                                atomic_load(&counted[4])};
}

static bool send(const struct slot *slot) {
    // The host may have put its own handler, or the default action, over ours since.
    struct sigaction current;
    if (sigaction(SIGPROF, NULL, &current) != 0 || !is_ours(&current)) {
        errno = EPERM;
        return false;
    }
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = SIGPROF;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = (void *)(uintptr_t)(MARK << 32 | atomic_load(&slot->number));
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), slot->id, SIGPROF, &info) == 0;
}

static void wait_for(uint32_t seen, uint64_t until) {
    uint64_t time = now();
    if (time >= until) return;
    struct timespec left = {(time_t)((until - time) / 1000000000u),
                            (long)((until - time) % 1000000000u)};
    // A fork needs not wait for this wait.
    bool was_working = ctelltale_fork_leave();
    syscall(SYS_futex, &answers, FUTEX_WAIT_PRIVATE, seen, &left, NULL, 0);
    if (was_working) ctelltale_fork_enter();
}

static void remember(int32_t id) {
    for (size_t i = 0; i < CTELLTALE_ASKED; i++) {
        int32_t free_place = 0;
        if (atomic_load(&unanswered[i]) == id) return;
        if (atomic_compare_exchange_strong(&unanswered[i], &free_place, id)) return;
    }
    atomic_store(&is_overfull, true);
}

// Whether the signal made a call return EINTR: it was in the kernel by the time that it came.
static bool was_interrupted(const struct slot *slot) {
#if defined(__x86_64__)
    uint8_t code[2];
    return slot->result == (uint64_t)-EINTR &&
           ctelltale_read_memory(slot->registers.pc - 2, code, sizeof code) && code[0] == 0x0f &&
           code[1] == 0x05;
#elif defined(__aarch64__)
    uint32_t code;
    return slot->result == (uint64_t)-EINTR &&
           ctelltale_read_memory(slot->registers.pc - 4, &code, sizeof code) && code == 0xd4000001;
#else
    (void)slot;
    return false;
#endif
}

static bool make_stacks(void) {
    if (stacks) return true;
    stacks = malloc((size_t)CTELLTALE_ASKED * CTELLTALE_ASKED_STACK);
    if (!stacks) return false;
    for (size_t i = 0; i < CTELLTALE_ASKED; i++)
        slots[i].stack = stacks + i * CTELLTALE_ASKED_STACK;
    return true;
}

// Sends the signal unless the thread blocks it.
static CTelltaleStackEnd ask(struct slot *slot) {
    uint64_t blocked;
    if (!ctelltale_thread_mask(slot->id, "\nSigBlk:", &blocked))
        return errno == ENOENT || errno == ESRCH ? CTelltaleStackGone : CTelltaleStackNoSignal;
    if (blocked >> (SIGPROF - 1) & 1) return CTelltaleStackSignalBlocked;
    atomic_store(&slot->phase, asked);
    if (send(slot)) {
        if (!ctelltale_thread_clock(slot->id, &slot->ran)) slot->ran = 0;
        atomic_fetch_add(&counted[0], 1);
        return CTelltaleStackNoAnswer;
    }
    atomic_store(&slot->phase, idle);
    return errno == ESRCH ? CTelltaleStackGone : CTelltaleStackNoSignal;
}

// Takes the threads' answers until they are all there, or patience is over. One that blocks the signal
// is asked as soon as it doesn't: it may just be in the handler still, from the last time, or be new.
// It is given up once it has run for a while and blocks it yet.
static void wait_for_answers(CTelltaleThread *threads, size_t count) {
    uint64_t began = now(), sent = began, ran[CTELLTALE_ASKED] = {0};
    for (;;) {
        uint32_t seen = atomic_load(&answers);
        uint64_t time = now(), clock;
        bool is_again = time - sent >= AGAIN;
        if (is_again) sent = time;
        size_t open = 0, blocked = 0, starved = 0;
        for (size_t i = 0; i < count; i++) {
            struct slot *slot = &slots[i];
            if (threads[i].end == CTelltaleStackSignalBlocked && ran[i] != UINT64_MAX) {
                threads[i].end = ask(slot);
                if (threads[i].end == CTelltaleStackSignalBlocked) {
                    if (!ctelltale_thread_clock(slot->id, &clock)) clock = UINT64_MAX;
                    if (ran[i] == 0) ran[i] = clock + (clock == 0);
                    if (clock - ran[i] > RUN_BLOCKED)
                        ran[i] = UINT64_MAX;
                    else
                        blocked++;
                }
            }
            if (threads[i].end != CTelltaleStackNoAnswer || slot->id != threads[i].id) continue;
            int phase = atomic_load(&slot->phase);
            if (phase != asked && phase != taking) continue;
            open++;
            // It had no processor yet: that is no refusal.
            if (time - began >= PATIENCE && ctelltale_thread_clock(slot->id, &clock))
                starved += phase == taking || clock - slot->ran < RUN_STARVED;
            // One that comes while another SIGPROF is pending is lost: the kernel keeps one.
            // Where the first was only on its way, there are two, and the thread answers one of them:
            // the other must not find the default action (seen under load: the process ended).
            if (is_again && phase == asked && send(slot)) remember(slot->id);
        }
        if (open + blocked == 0) return;
        if (time - began >= (starved ? STARVED : PATIENCE)) return;
        wait_for(seen, time + (blocked ? AGAIN / 10 : AGAIN));
    }
}

// Waits for others who ask, at most about twice their patience.
static bool begin_asking(void) {
    for (unsigned i = 0; atomic_flag_test_and_set(&is_asking); i++) {
        if (i == 2 * PATIENCE / 1000000) return false;
        struct timespec moment = {0, 1000000};
        bool was_working = ctelltale_fork_leave();
        nanosleep(&moment, NULL);
        if (was_working) ctelltale_fork_enter();
    }
    return true;
}

void ctelltale_capture_ask(CTelltaleCapture *capture, CTelltaleThread *threads, size_t count,
                           CTelltaleFrame *frames, size_t frames_each) {
    if (count > CTELLTALE_ASKED) count = CTELLTALE_ASKED;
    for (size_t i = 0; i < count; i++) threads[i].end = CTelltaleStackNoSignal;
    if (__tsan_init || !begin_asking()) return;
    if (!make_stacks() || !install()) {
        atomic_flag_clear(&is_asking);
        return;
    }

    uint32_t first = atomic_load(&last_number) / CTELLTALE_ASKED * CTELLTALE_ASKED + CTELLTALE_ASKED;
    atomic_store(&last_number, first);
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = &slots[i];
        threads[i].end = CTelltaleStackNoAnswer;
        if (atomic_load(&slot->phase) == taking) continue;  // an answer of long ago isn't through
        atomic_store(&slot->phase, idle);
        slot->id = threads[i].id;
        slot->top = threads[i].thread_pointer;
        // The pages are there before the handler writes to them.
        for (size_t at = 0; at < CTELLTALE_ASKED_STACK; at += PAGE)
            ((volatile uint8_t *)slot->stack)[at] = 0;
        atomic_store(&slot->number, first + (uint32_t)i);
        // A last look: the signal would end the wait of one that has gone to sleep meanwhile.
        CTelltaleThread again;
        if (ctelltale_capture_look(capture, slot->id, &again, frames + i * frames_each,
                                   frames_each) &&
            again.end != CTelltaleStackRunning && again.end != CTelltaleStackMoving)
            threads[i] = again;
        else
            threads[i].end = ask(slot);
    }
    wait_for_answers(threads, count);

    for (size_t i = 0; i < count; i++) {
        struct slot *slot = &slots[i];
        if (threads[i].end != CTelltaleStackNoAnswer || slot->id != threads[i].id) continue;
        int expected = asked;
        if (atomic_compare_exchange_strong(&slot->phase, &expected, idle) || expected != taken) {
            atomic_fetch_add(&counted[2], 1);
            remember(slot->id);
            continue;
        }
        atomic_store(&slot->phase, idle);
        atomic_fetch_add(&counted[1], 1);
        if (was_interrupted(slot)) atomic_fetch_add(&counted[3], 1);
        uint64_t longest = atomic_load(&counted[4]);
        if (slot->pause > longest) atomic_store(&counted[4], slot->pause);
        struct stack_copy stack = {.low = slot->low,
                                   .size = slot->size,
                                   .capacity = slot->size,
                                   .bytes = slot->stack,
                                   .room = CTELLTALE_ASKED_STACK,
                                   .top = slot->top,
                                   .is_at_end = slot->size == CTELLTALE_ASKED_STACK};
        unwinder_set_task(capture->unwinder, capture->job_runner, threads[i].words[1]);
        threads[i].pause = slot->pause;
        threads[i].state = 'R';
        threads[i].frame_count = unwinder_walk(capture->unwinder, &stack, &slot->registers,
                                               frames + i * frames_each, frames_each, &threads[i].end);
    }
    if (!has_pending()) restore();
    atomic_flag_clear(&is_asking);
}

#endif
