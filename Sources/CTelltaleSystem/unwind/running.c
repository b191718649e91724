// Running threads: each is interrupted, and the capturing thread afterwards walks the copies of its
// registers and its stack.
#if TELLTALE_AGENT
#include "process/interrupt.h"
#include "unwind/unwind.h"

static void walk(CTelltaleCapture *capture, const struct interrupt *answer, CTelltaleThread *thread,
                 CTelltaleFrame *frames, size_t capacity) {
    struct stack_copy stack = {.low = answer->low,
                               .size = answer->size,
                               .capacity = answer->size,
                               .bytes = answer->stack,
                               .room = CTELLTALE_INTERRUPTED_STACK,
                               .top = answer->top,
                               .is_at_end = answer->size == CTELLTALE_INTERRUPTED_STACK};
    struct registers registers;
    ctelltale_interrupt_registers(answer, &registers);
    capture->unwinder->runner = capture->job_runner;
    capture->unwinder->task = thread->words[1];
    thread->pause = answer->pause;
    thread->state = 'R';
    thread->frame_count =
        unwinder_walk(capture->unwinder, &stack, &registers, frames, capacity, &thread->end);
}

static void refuse(CTelltaleThread *thread, int error) {
    thread->end = CTelltaleStackRefused;
    thread->refusal = error;
}

void ctelltale_capture_interrupt(CTelltaleCapture *capture, CTelltaleThread *threads, size_t count,
                                 CTelltaleFrame *frames, size_t frames_each) {
    const struct interrupt *slots[CTELLTALE_INTERRUPTED] = {0};
    if (count > CTELLTALE_INTERRUPTED) count = CTELLTALE_INTERRUPTED;
    for (size_t i = 0; i < count; i++) threads[i].end = CTelltaleStackNoAnswer;
    if (!ctelltale_interrupts_begin()) return;
    bool is_wanted = false;
    for (size_t i = 0; i < count; i++) {
        // A thread that has gone to sleep in the meantime is read without an interruption.
        CTelltaleThread again;
        if (ctelltale_capture_thread(capture, threads[i].id, &again, frames + i * frames_each,
                                     frames_each) &&
            again.end != CTelltaleStackRunning && again.end != CTelltaleStackMoving) {
            threads[i] = again;
            continue;
        }
        slots[i] = ctelltale_interrupt_want(threads[i].id, threads[i].thread_pointer);
        is_wanted = true;
    }
    bool is_filtered = ctelltale_filters_have_grown();
    int error = is_wanted && !is_filtered ? ctelltale_interrupts_run() : 0;
    for (size_t i = 0; i < count; i++) {
        if (!slots[i]) continue;
        switch (slots[i]->phase) {
        case InterruptAnswered:
            walk(capture, slots[i], &threads[i], frames + i * frames_each, frames_each);
            break;
        case InterruptRefused: refuse(&threads[i], slots[i]->error); break;
        case InterruptEnded: threads[i].end = CTelltaleStackGone; break;
        default:
            if (is_filtered) threads[i].end = CTelltaleStackFiltered;
            if (error) refuse(&threads[i], error);
        }
    }
    ctelltale_interrupts_end();
}
#endif
