// A small interpreter of call frame information (`.eh_frame`, found through `.eh_frame_hdr`). Optimised
// Swift and glibc keep no frame pointers: a walk by frame pointers gave one frame for a thread in a
// condition variable (measured).
//
// This file contains the walk; each step of it is in step.c.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

#include <stdlib.h>

struct unwinder *unwinder_make(void) {
    struct unwinder *made = calloc(1, sizeof *made);
    if (made) made->wanted = SIZE_MAX;
    return made;
}

size_t unwinder_walk_on(struct unwinder *unwinder, struct stack_copy *stack,
                        struct registers registers, CTelltaleFrame *frames, size_t capacity,
                        CTelltaleStackEnd *end, bool is_trial) {
    size_t count = 0;
    bool is_return = is_trial;
    struct frame frame, inner;
    memset(&frame, 0, sizeof frame);
    unwinder->function = 0;
    *end = CTelltaleStackFull;
    while (count < capacity) {
        CTelltaleFrame here = {registers.pc,
                               is_return ? CTelltaleFrameReturn : CTelltaleFramePC};
        inner = frame;
        bool next_is_return;
        stack->beyond = 0;
        enum step result =
            unwinder_step(unwinder, stack, &registers, is_return, &next_is_return, &frame, is_trial);
        if (!is_trial && frame.start) {
            if (frame.start == unwinder->runner && inner.start)
                count += unwinder_callers_of_task(unwinder, stack, &inner, frames + count,
                                                  capacity - count);
            if (count == unwinder->wanted) unwinder->function = frame.start;
            if (count == capacity) break;
        }
        frames[count++] = here;
        if (result == entered) {
            *end = CTelltaleStackWhole;
            break;
        }
        if (result == failed) {
            bool is_cut = stack->capacity == stack->room &&
                          ((stack->is_at_end && stack->size == stack->capacity) ||
                           (stack->beyond && stack->beyond < stack->top));
            *end = is_cut ? CTelltaleStackTooLarge : CTelltaleStackLost;
            break;
        }
        is_return = next_is_return;
        // A handler may run on a stack of its own: the walk continues on the interrupted one.
        if (!next_is_return && !is_trial && stack->may_grow)
            stack_copy_move(stack, registers.values[STACK_POINTER]);
    }
    return count;
}

uintptr_t unwinder_function(struct unwinder *unwinder, struct stack_copy *stack,
                            const struct registers *start, size_t index) {
    CTelltaleFrame frames[64];
    CTelltaleStackEnd end;
    unwinder->wanted = index;
    unwinder->runner = 0;
    unwinder_walk(unwinder, stack, start, frames, sizeof frames / sizeof *frames, &end);
    unwinder->wanted = SIZE_MAX;
    return unwinder->function;
}

size_t unwinder_walk(struct unwinder *unwinder, struct stack_copy *stack,
                     const struct registers *start, CTelltaleFrame *frames, size_t capacity,
                     CTelltaleStackEnd *end) {
    unwinder->has_lost_leaf = false;
    return unwinder_walk_on(unwinder, stack, *start, frames, capacity, end, false);
}

// MARK: The copy of the stack

void stack_copy_grow(struct stack_copy *stack, size_t size) {
    size_t wanted = size > stack->capacity ? stack->capacity : size;
    if (stack->is_at_end || wanted <= stack->size) return;
    wanted -= stack->size;
    ssize_t copied = ctelltale_read_part(stack->low + stack->size, stack->bytes + stack->size, wanted);
    if (copied > 0) stack->size += (size_t)copied;
    stack->is_at_end = copied < (ssize_t)wanted || stack->size == stack->capacity;
}

void stack_copy_move(struct stack_copy *stack, uintptr_t address) {
    if (address >= stack->low && address - stack->low < stack->capacity - sizeof(uint64_t)) return;
    stack->low = stack_copy_low(address);
    stack->size = 0;
    stack->capacity = stack->room;
    if (stack->top > address && stack->top - stack->low < stack->room)
        stack->capacity = (stack->top - stack->low + 7) & ~(size_t)7;
    stack->is_at_end = false;
}
#endif
