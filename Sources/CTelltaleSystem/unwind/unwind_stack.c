// The copy of a thread's stack that is walked: it grows as the walk needs it, and begins anew where the
// walk goes on on another stack.
#define _GNU_SOURCE
#include "unwind/unwind_parts.h"

#if TELLTALE_AGENT

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void stack_copy_grow(struct stack_copy *stack, size_t size) {
    size_t wanted = size > stack->capacity ? stack->capacity : size;
    if (stack->is_at_end || wanted <= stack->size) return;
    // The kernel stops at the first page that isn't there, whole pages before it are copied.
    enum { PIECES = 32, PAGE = 4096 };
    while (stack->size < wanted) {
        struct iovec pieces[PIECES];
        size_t count = 0, total = 0;
        while (count < PIECES && stack->size + total < wanted) {
            uintptr_t at = stack->low + stack->size + total;
            size_t length = PAGE - at % PAGE;
            if (length > stack->capacity - stack->size - total)
                length = stack->capacity - stack->size - total;
            if (length == 0) break;
            pieces[count++] = (struct iovec){(void *)at, length};
            total += length;
        }
        if (count == 0) break;
        struct iovec local = {stack->bytes + stack->size, total};
        ssize_t copied = process_vm_readv((int)syscall(SYS_gettid), &local, 1, pieces, count, 0);
        if (copied < 0) {
            // Refused: the other way of reading, a page at a time.
            copied = 0;
            for (size_t i = 0; i < count; i++) {
                if (!ctelltale_read_memory((uintptr_t)pieces[i].iov_base,
                                           stack->bytes + stack->size + (size_t)copied,
                                           pieces[i].iov_len))
                    break;
                copied += (ssize_t)pieces[i].iov_len;
            }
        }
        stack->size += (size_t)copied;
        if ((size_t)copied < total) {
            stack->is_at_end = true;
            return;
        }
    }
    if (stack->size == stack->capacity) stack->is_at_end = true;
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
