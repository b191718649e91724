// The copy of a thread's stack that is walked: it grows as the walk needs it, and begins anew where the
// walk goes on on another stack.
#if TELLTALE_AGENT
#include "memory/guarded.h"
#include "unwind/unwind_parts.h"

void stack_copy_grow(struct stack_copy *stack, size_t size) {
    size_t wanted = size > stack->capacity ? stack->capacity : size;
    if (stack->is_at_end || wanted <= stack->size) return;
    wanted -= stack->size;
    ssize_t copied = ctelltale_guarded_copy(stack->low + stack->size, stack->bytes + stack->size, wanted);
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
