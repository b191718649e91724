// The callers that await an async function: the chain of contexts of the task that a thread runs.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

#define ASYNC_FRAMES 256
#define ALLOCATIONS 32
// The register that has an async function's context.
#if defined(__x86_64__)
#define ASYNC_CONTEXT 14
#else
#define ASYNC_CONTEXT 22
#endif

// Walks the awaiting callers of an async function, from its context { parent, the parent's resume function
// } to the context without a parent. If it isn't such a chain, returns false and no callers.
static bool async_callers(struct unwinder *unwinder, uint64_t context, CTelltaleFrame *frames,
                          size_t capacity, size_t *count) {
    *count = 0;
    for (unsigned i = 0; i < ASYNC_FRAMES; i++) {
        uint64_t words[2];
        if (!context || context % 8 || !ctelltale_read_memory(context, words, sizeof words) ||
            !unwinder_image(unwinder, words[1]) || words[0] == context) {
            *count = 0;
            return false;
        }
        // The last context is the runtime's, which ends the task.
        if (!words[0]) return true;
        if (*count == capacity) return true;
        frames[(*count)++] = (CTelltaleFrame){words[1], CTelltaleFrameAsync};
        context = words[0];
    }
    return true;
}

// Finds the async callers of a frame that the runtime's job runner has called. Its context is looked up in
// this order: the context its task was resumed with, if the function is the very one that was resumed; the
// word below the frame pointer, if the function has one; the register for the context of async functions;
// the last of the task's own allocations that is a context. An optimised function that waits has it only in
// the register, which the kernel doesn't show.
size_t unwinder_callers_of_task(struct unwinder *unwinder, struct stack_copy *stack,
                                const struct frame *frame, CTelltaleFrame *frames,
                                size_t capacity) {
    const CTelltaleTaskLayout *layout = &ctelltale_task_layout;
    uint64_t resume = 0, context = 0, word = 0;
    size_t count = 0;
    uintptr_t at = unwinder->task;
    if (at && ctelltale_read_memory(at + layout->task_resume, &resume, sizeof resume) &&
        resume == frame->start &&
        ctelltale_read_memory(at + layout->task_context, &context, sizeof context) &&
        async_callers(unwinder, context, frames, capacity, &count))
        return count;
    if (frame->cfa_register == FRAME_POINTER && stack_copy_read(stack, frame->cfa - 24, &word) &&
        async_callers(unwinder, word, frames, capacity, &count))
        return count;
    if (frame->registers.known >> ASYNC_CONTEXT & 1 &&
        async_callers(unwinder, frame->registers.values[ASYNC_CONTEXT], frames, capacity, &count))
        return count;
    if (!at || !ctelltale_read_memory(at + layout->task_allocation, &word, sizeof word)) return 0;
    for (unsigned i = 0; i < ALLOCATIONS && word && word % 16 == 0; i++) {
        // An allocation: the previous one, its slab, and its purpose.
        if (async_callers(unwinder, word + layout->allocation_bytes, frames, capacity, &count)) return count;
        if (!ctelltale_read_memory(word, &word, sizeof word)) break;
    }
    return 0;
}
#endif
