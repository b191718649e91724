// Threads that run: each is interrupted, and the copies of its registers and its stack are walked afterwards,
// by the thread that captures.
#if TELLTALE_AGENT
#include "signals/interrupt.h"
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
    capture->unwinder->runner = capture->job_runner;
    capture->unwinder->task = thread->words[1];
    thread->pause = answer->pause;
    thread->state = 'R';
    thread->frame_count = unwinder_walk(capture->unwinder, &stack, &answer->registers, frames, capacity,
                                        &thread->end);
}

void ctelltale_capture_interrupt(CTelltaleCapture *capture, CTelltaleThread *threads, size_t count,
                                 CTelltaleFrame *frames, size_t frames_each) {
    if (count > CTELLTALE_INTERRUPTED) count = CTELLTALE_INTERRUPTED;
    for (size_t i = 0; i < count; i++) threads[i].end = CTelltaleStackNoSignal;
    if (!ctelltale_interrupts_begin()) return;
    for (size_t i = 0; i < count; i++) {
        threads[i].end = CTelltaleStackNoAnswer;
        if (!ctelltale_interrupt_prepare(i, threads[i].id, threads[i].thread_pointer)) continue;
        // The signal would end the wait of one that has gone to sleep meanwhile.
        CTelltaleThread again;
        if (ctelltale_capture_thread(capture, threads[i].id, &again, frames + i * frames_each,
                                     frames_each) &&
            again.end != CTelltaleStackRunning && again.end != CTelltaleStackMoving)
            threads[i] = again;
        else
            threads[i].end = ctelltale_interrupt_send(i);
    }
    ctelltale_interrupts_await(threads, count);
    for (size_t i = 0; i < count; i++) {
        if (threads[i].end != CTelltaleStackNoAnswer) continue;
        const struct interrupt *answer = ctelltale_interrupt_take(i, threads[i].id);
        if (answer) walk(capture, answer, &threads[i], frames + i * frames_each, frames_each);
    }
    ctelltale_interrupts_end();
}
#endif
