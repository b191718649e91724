// Interrupts running threads: each is sent a SIGPROF, whose handler (interrupt_handler.c) copies
// its registers and its stack and returns. SIGPROF, since Dispatch's workers block every other
// signal that could be used; its default action is to end the process, so our handler stays as long
// as a signal of ours may still come. The host's own SIGPROF (a profiler's timer) continues.
//
// The signal comes from a timer of the kernel's, never from `tgkill` and its like: one of those that meets
// a thread within `execve` stays pending, and ends the program that the host executes (3 of 3). What a
// timer has sent is taken back with the timer, before the new program begins (`flush_itimer_signals` in
// the kernel's exec.c, since 2.6.26).
#if TELLTALE_AGENT
#include "process/clock.h"
#include "signals/chain.h"
#include "signals/interrupt.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The timeouts for answers: of all threads, and of threads that have had no processor, which have
// run for less than RUN_STARVED since the signal.
#define TIMEOUT 100000000u
#define TIMEOUT_STARVED 400000000u
#define RUN_STARVED 100000u
// The interval of retries for a thread that blocks the signal, and the time it may run so.
#define AGAIN 10000000u
#define RUN_BLOCKED 1000000u
#define PAGE 4096u

static struct interrupts *const shared = &ctelltale_interrupts;

// State of the request; guarded by the turn.
static uint32_t first_number;
static _Atomic(uint8_t *) stacks;

// The thread sanitizer runs handlers later than the signal, where the registers are not those of the
// moment any more.
extern void __tsan_init(void) __attribute__((weak));

// Returns whether a signal of ours is pending for a thread that blocks it; true if that can't be
// told.
static bool has_pending(void) {
    bool has = atomic_load(&shared->is_overfull);
    for (size_t i = 0; i < CTELLTALE_INTERRUPTED; i++) {
        int32_t id = atomic_load(&shared->unanswered[i]);
        if (!id) continue;
        uint64_t pending;
        bool is_told = ctelltale_thread_mask(id, "\nSigPnd:", &pending);
        if (is_told ? pending >> (SIGPROF - 1) & 1 : errno != ENOENT && errno != ESRCH)
            has = true;
        else
            atomic_store(&shared->unanswered[i], 0);
    }
    return has;
}

bool ctelltale_interrupts_give_back(void) {
    if (atomic_flag_test_and_set(&shared->is_busy)) return false;
    bool done = !has_pending() && ctelltale_chain_give_back(SIGPROF);
    atomic_flag_clear(&shared->is_busy);
    return done;
}

// MARK: Counting

static struct {
    _Atomic uint64_t sent, answered, late, cut_short, longest_pause;
} counted;

void ctelltale_interrupt_counts(CTelltaleInterruptCounts *out) {
    *out = (CTelltaleInterruptCounts){
        atomic_load(&counted.sent), atomic_load(&counted.answered), atomic_load(&counted.late),
        atomic_load(&counted.cut_short), atomic_load(&counted.longest_pause)};
}

// Returns whether the signal made a call return EINTR: the thread was in the kernel when it came.
static bool was_cut_short(const struct interrupt *slot) {
    if (slot->result != (uint64_t)-EINTR) return false;
#if defined(__x86_64__)
    uint8_t code[2];
    return ctelltale_read_memory(slot->registers.pc - 2, code, sizeof code) && code[0] == 0x0f &&
           code[1] == 0x05;
#else
    uint32_t code;
    return ctelltale_read_memory(slot->registers.pc - 4, &code, sizeof code) && code == 0xd4000001;
#endif
}

// MARK: Sending

static void drop_timer(struct interrupt *slot) {
    if (slot->has_timer) syscall(SYS_timer_delete, slot->timer);
    slot->has_timer = false;
}

static bool send(struct interrupt *slot) {
    // The host may have put its own handler, or the default action, over ours since.
    if (!ctelltale_chain_is_ours(SIGPROF)) {
        errno = EPERM;
        return false;
    }
    drop_timer(slot);
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_value.sival_ptr = (void *)(uintptr_t)(INTERRUPT_MARK << 32 | atomic_load(&slot->number));
    event._sigev_un._tid = slot->id;
    // The memory of its signal is set aside here: no limit of pending ones can make it one that `execve`
    // doesn't know again.
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &slot->timer) != 0) {
        // The kernel reports this for a thread that has ended.
        if (errno == EINVAL) errno = ESRCH;
        return false;
    }
    slot->has_timer = true;
    // A moment that has passed: it comes at once.
    struct itimerspec moment = {.it_value = {0, 1}};
    if (syscall(SYS_timer_settime, slot->timer, TIMER_ABSTIME, &moment, NULL) == 0) return true;
    int saved = errno;
    drop_timer(slot);
    errno = saved;
    return false;
}

static void wait_for(uint32_t seen, uint64_t until) {
    uint64_t time = clock_now();
    if (time >= until) return;
    struct timespec left = clock_length(until - time);
    // A fork needs not wait for this wait.
    bool was_working = ctelltale_fork_leave();
    syscall(SYS_futex, &shared->answers, FUTEX_WAIT_PRIVATE, seen, &left, NULL, 0);
    if (was_working) ctelltale_fork_enter();
}

static void remember(int32_t id) {
    for (size_t i = 0; i < CTELLTALE_INTERRUPTED; i++) {
        int32_t free_place = 0;
        if (atomic_load(&shared->unanswered[i]) == id) return;
        if (atomic_compare_exchange_strong(&shared->unanswered[i], &free_place, id)) return;
    }
    atomic_store(&shared->is_overfull, true);
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

// The rules of the interrupting thread, which makes the handler's calls itself: rules that forbid
// them to other threads are not in force here.
static CTelltaleThreadRules own_rules;

CTelltaleStackEnd ctelltale_interrupt_send(size_t index) {
    struct interrupt *slot = &shared->slots[index];
    CTelltaleThreadRules rules;
    if (!ctelltale_thread_rules(slot->id, &rules))
        return errno == ENOENT || errno == ESRCH ? CTelltaleStackGone : CTelltaleStackNoSignal;
    if (rules.seccomp_mode == 1 || rules.seccomp_mode > own_rules.seccomp_mode ||
        rules.seccomp_filters > own_rules.seccomp_filters)
        return CTelltaleStackFiltered;
    if (rules.blocked >> (SIGPROF - 1) & 1) return CTelltaleStackSignalBlocked;
    if (!ctelltale_interrupt_has_room(slot->id, slot->top, rules.blocked)) return CTelltaleStackNoRoom;
    atomic_store(&slot->phase, InterruptSent);
    if (send(slot)) {
        if (!ctelltale_thread_clock(slot->id, &slot->ran)) slot->ran = 0;
        atomic_fetch_add(&counted.sent, 1);
        return CTelltaleStackNoAnswer;
    }
    atomic_store(&slot->phase, InterruptIdle);
    return errno == ESRCH ? CTelltaleStackGone : CTelltaleStackNoSignal;
}

// MARK: Answers

// Sends it again to one that blocked the signal: it may just be in the handler still, from the last time, or
// be new. It is given up, and false, once it has run for a while and blocks it yet.
static bool send_again(size_t index, CTelltaleThread *thread, uint64_t *ran) {
    if (*ran == UINT64_MAX) return false;
    thread->end = ctelltale_interrupt_send(index);
    if (thread->end != CTelltaleStackSignalBlocked) return false;
    uint64_t clock;
    if (!ctelltale_thread_clock(thread->id, &clock)) clock = UINT64_MAX;
    if (*ran == 0) *ran = clock + (clock == 0);
    if (clock - *ran > RUN_BLOCKED) *ran = UINT64_MAX;
    return *ran != UINT64_MAX;
}

static bool is_open(size_t index, const CTelltaleThread *thread) {
    const struct interrupt *slot = &shared->slots[index];
    if (thread->end != CTelltaleStackNoAnswer || slot->id != thread->id) return false;
    int phase = atomic_load(&slot->phase);
    return phase == InterruptSent || phase == InterruptTaking;
}

// It had no processor yet: that is not a refusal.
static bool is_starved(const struct interrupt *slot) {
    uint64_t clock;
    if (!ctelltale_thread_clock(slot->id, &clock)) return false;
    return atomic_load(&slot->phase) == InterruptTaking || clock - slot->ran < RUN_STARVED;
}

void ctelltale_interrupts_await(CTelltaleThread *threads, size_t count) {
    uint64_t began = clock_now(), ran[CTELLTALE_INTERRUPTED] = {0};
    for (;;) {
        uint32_t seen = atomic_load(&shared->answers);
        uint64_t time = clock_now();
        size_t open = 0, blocked = 0, starved = 0;
        for (size_t i = 0; i < count; i++) {
            if (threads[i].end == CTelltaleStackSignalBlocked)
                blocked += send_again(i, &threads[i], &ran[i]);
            if (!is_open(i, &threads[i])) continue;
            open++;
            if (time - began >= TIMEOUT) starved += is_starved(&shared->slots[i]);
        }
        if (open + blocked == 0) return;
        if (time - began >= (starved ? TIMEOUT_STARVED : TIMEOUT)) return;
        wait_for(seen, time + (blocked ? AGAIN / 10 : AGAIN));
    }
}

const struct interrupt *ctelltale_interrupt_take(size_t index, int32_t id) {
    struct interrupt *slot = &shared->slots[index];
    if (slot->id != id) return NULL;
    drop_timer(slot);
    int expected = InterruptSent;
    if (atomic_compare_exchange_strong(&slot->phase, &expected, InterruptIdle) ||
        expected != InterruptAnswered) {
        atomic_fetch_add(&counted.late, 1);
        remember(slot->id);
        return NULL;
    }
    atomic_store(&slot->phase, InterruptIdle);
    atomic_fetch_add(&counted.answered, 1);
    if (was_cut_short(slot)) atomic_fetch_add(&counted.cut_short, 1);
    if (slot->pause > atomic_load(&counted.longest_pause))
        atomic_store(&counted.longest_pause, slot->pause);
    return slot;
}

// MARK: Turns

static bool take_turn(void) {
    for (unsigned i = 0; atomic_flag_test_and_set(&shared->is_busy); i++) {
        if (i == 2 * TIMEOUT / 1000000) return false;
        struct timespec moment = clock_length(1000000);
        bool was_working = ctelltale_fork_leave();
        nanosleep(&moment, NULL);
        if (was_working) ctelltale_fork_enter();
    }
    return true;
}

bool ctelltale_interrupts_begin(void) {
    if (__tsan_init || !take_turn()) return false;
    if (make_stacks() && ctelltale_thread_rules((int32_t)syscall(SYS_gettid), &own_rules) &&
        ctelltale_chain_take(SIGPROF, SA_RESTART, ctelltale_interrupt_answer) ==
            CTelltaleSignalTaken) {
        ctelltale_interrupt_find_room();
        first_number += CTELLTALE_INTERRUPTED;
        return true;
    }
    atomic_flag_clear(&shared->is_busy);
    return false;
}

void ctelltale_interrupts_end(void) {
    if (!has_pending()) ctelltale_chain_give_back(SIGPROF);
    atomic_flag_clear(&shared->is_busy);
}

bool ctelltale_interrupt_prepare(size_t index, int32_t id, uintptr_t top) {
    struct interrupt *slot = &shared->slots[index];
    if (atomic_load(&slot->phase) == InterruptTaking) return false;
    atomic_store(&slot->phase, InterruptIdle);
    slot->id = id;
    slot->top = top;
    // The pages are there before the handler writes to them.
    for (size_t at = 0; at < CTELLTALE_INTERRUPTED_STACK; at += PAGE)
        ((volatile uint8_t *)slot->stack)[at] = 0;
    atomic_store(&slot->number, first_number + (uint32_t)index);
    return true;
}
#endif
