// Looks at threads that run: each is sent a SIGPROF, whose handler (ask_handler.c) copies its registers
// and its stack and returns; the walk is done afterwards on the copy, by the thread that asked. SIGPROF,
// since Dispatch's workers block every other signal that could be used.
//
// The signal comes from a timer of the kernel's, never from `tgkill` and its like: one of those that meets
// a thread within `execve` stays pending, and ends the program that the host executes (3 of 3). What a
// timer has sent is taken back with the timer, before the new program begins (`flush_itimer_signals` in
// the kernel's exec.c, since 2.6.26).
#define _GNU_SOURCE
#include "signals/ask.h"
#include "unwind/capture.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATIENCE 100000000u
#define STARVED 400000000u
#define RUN_STARVED 100000u
#define AGAIN 10000000u
#define RUN_BLOCKED 1000000u
#define PAGE 4096u

static _Atomic uint32_t last_number;
static uint8_t *stacks;
// Guards all of it among those who ask; never held over a wait for the host but the answers' patience.
static atomic_flag is_asking = ATOMIC_FLAG_INIT;

static _Atomic uint64_t counted[5];
static _Atomic int32_t unanswered[CTELLTALE_ASKED];  // ids of threads whose signal may still come
static atomic_bool is_overfull;  // there were more of them

// The thread sanitizer runs handlers later than the signal, where the registers are not those of the
// moment any more.
extern void __tsan_init(void) __attribute__((weak));

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

bool ctelltale_ask_give_back(void) {
    if (atomic_flag_test_and_set(&is_asking)) return false;
    bool done = !has_pending() && ask_restore();
    atomic_flag_clear(&is_asking);
    return done;
}

// Async-signal-safe. A forked child has no signal pending, and nobody asks in it.
void ctelltale_ask_forget(void) {
    ask_forget_handler();
    for (size_t i = 0; i < CTELLTALE_ASKED; i++) atomic_store(&unanswered[i], 0);
    atomic_store(&is_overfull, false);
    atomic_flag_clear(&is_asking);
}

// MARK: Asking

void ctelltale_ask_counts(CTelltaleAskCounts *out) {
    *out = (CTelltaleAskCounts){atomic_load(&counted[0]), atomic_load(&counted[1]),
                                atomic_load(&counted[2]), atomic_load(&counted[3]),
                                atomic_load(&counted[4])};
}

static void drop_timer(struct ask_slot *slot) {
    if (slot->has_timer) syscall(SYS_timer_delete, slot->timer);
    slot->has_timer = false;
}

static bool send(struct ask_slot *slot) {
    // The host may have put its own handler, or the default action, over ours since.
    struct sigaction current;
    if (sigaction(SIGPROF, NULL, &current) != 0 || !ask_is_ours(&current)) {
        errno = EPERM;
        return false;
    }
    drop_timer(slot);
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_value.sival_ptr = (void *)(uintptr_t)(ASK_MARK << 32 | atomic_load(&slot->number));
    event._sigev_un._tid = slot->id;
    // The memory of its signal is set aside here: no limit of pending ones can make it one that `execve`
    // doesn't know again.
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &slot->timer) != 0) {
        // What the kernel says of a thread that has ended.
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
    uint64_t time = ask_now();
    if (time >= until) return;
    struct timespec left = {(time_t)((until - time) / 1000000000u),
                            (long)((until - time) % 1000000000u)};
    // A fork needs not wait for this wait.
    bool was_working = ctelltale_fork_leave();
    syscall(SYS_futex, &ask_answers, FUTEX_WAIT_PRIVATE, seen, &left, NULL, 0);
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
static bool was_interrupted(const struct ask_slot *slot) {
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
        ask_slots[i].stack = stacks + i * CTELLTALE_ASKED_STACK;
    return true;
}

// Of the thread that asks, which makes the handler's calls itself: what forbids them to others isn't here.
static CTelltaleThreadRules own_rules;

// Sends the signal unless the thread blocks it, or its own seccomp filter might end it in the handler.
static CTelltaleStackEnd ask(struct ask_slot *slot) {
    CTelltaleThreadRules rules;
    if (!ctelltale_thread_rules(slot->id, &rules))
        return errno == ENOENT || errno == ESRCH ? CTelltaleStackGone : CTelltaleStackNoSignal;
    if (rules.seccomp_mode == 1 || rules.seccomp_mode > own_rules.seccomp_mode ||
        rules.seccomp_filters > own_rules.seccomp_filters)
        return CTelltaleStackFiltered;
    if (rules.blocked >> (SIGPROF - 1) & 1) return CTelltaleStackSignalBlocked;
    if (!ask_has_room(slot->id, slot->top, rules.blocked)) return CTelltaleStackNoRoom;
    atomic_store(&slot->phase, AskAsked);
    if (send(slot)) {
        if (!ctelltale_thread_clock(slot->id, &slot->ran)) slot->ran = 0;
        atomic_fetch_add(&counted[0], 1);
        return CTelltaleStackNoAnswer;
    }
    atomic_store(&slot->phase, AskIdle);
    return errno == ESRCH ? CTelltaleStackGone : CTelltaleStackNoSignal;
}

// Takes the threads' answers until they are all there, or patience is over. One that blocks the signal
// is asked as soon as it doesn't: it may just be in the handler still, from the last time, or be new.
// It is given up once it has run for a while and blocks it yet.
static void wait_for_answers(CTelltaleThread *threads, size_t count) {
    uint64_t began = ask_now(), ran[CTELLTALE_ASKED] = {0};
    for (;;) {
        uint32_t seen = atomic_load(&ask_answers);
        uint64_t time = ask_now(), clock;
        size_t open = 0, blocked = 0, starved = 0;
        for (size_t i = 0; i < count; i++) {
            struct ask_slot *slot = &ask_slots[i];
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
            if (phase != AskAsked && phase != AskTaking) continue;
            open++;
            // It had no processor yet: that is no refusal.
            if (time - began >= PATIENCE && ctelltale_thread_clock(slot->id, &clock))
                starved += phase == AskTaking || clock - slot->ran < RUN_STARVED;
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
    if (!make_stacks() || !ctelltale_thread_rules((int32_t)syscall(SYS_gettid), &own_rules) ||
        !ask_install() || !ask_learn_room()) {
        atomic_flag_clear(&is_asking);
        return;
    }

    uint32_t first = atomic_load(&last_number) / CTELLTALE_ASKED * CTELLTALE_ASKED + CTELLTALE_ASKED;
    atomic_store(&last_number, first);
    for (size_t i = 0; i < count; i++) {
        struct ask_slot *slot = &ask_slots[i];
        threads[i].end = CTelltaleStackNoAnswer;
        if (atomic_load(&slot->phase) == AskTaking) continue;  // an answer of long ago isn't through
        atomic_store(&slot->phase, AskIdle);
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
        struct ask_slot *slot = &ask_slots[i];
        if (threads[i].end != CTelltaleStackNoAnswer || slot->id != threads[i].id) continue;
        drop_timer(slot);
        int expected = AskAsked;
        if (atomic_compare_exchange_strong(&slot->phase, &expected, AskIdle) || expected != AskTaken) {
            atomic_fetch_add(&counted[2], 1);
            remember(slot->id);
            continue;
        }
        atomic_store(&slot->phase, AskIdle);
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
    if (!has_pending()) ask_restore();
    atomic_flag_clear(&is_asking);
}

#endif
