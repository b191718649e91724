// Reads the waiting items of a libdispatch queue, by pages. The layout is in dispatch.c, and pointers of
// the host are followed only by guarded reads.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "memory/object_copy.h"
#include "process/clock.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

// An item's flags are below this value; a larger value is the first word of an object that is itself
// enqueued.
enum { largest_flags = 0x1000 };

// MARK: Pages

enum { page_size = 4096, page_count = 64 };

struct CTelltaleDispatchPages {
    // 0 for an unused entry.
    uintptr_t addresses[page_count];
    char bytes[page_count][page_size];
    CTelltaleDispatchLayout layout;
};

CTelltaleDispatchPages *ctelltale_dispatch_pages_make(const CTelltaleDispatchLayout *layout) {
    CTelltaleDispatchPages *pages =
        mmap(NULL, sizeof *pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    pages->layout = *layout;
    return pages;
}

void ctelltale_dispatch_pages_end(CTelltaleDispatchPages *pages) {
    munmap(pages, sizeof *pages);
}

static void forget(CTelltaleDispatchPages *pages) {
    memset(pages->addresses, 0, sizeof pages->addresses);
}

static bool read_page(CTelltaleDispatchPages *pages, uintptr_t address, void *buffer, size_t size) {
    uintptr_t page = address & ~(uintptr_t)(page_size - 1);
    if (page == 0) return false;
    size_t slot = (page / page_size) % page_count;
    if (pages->addresses[slot] != page) {
        pages->addresses[slot] = 0;
        if (!ctelltale_read_memory(page, pages->bytes[slot], page_size)) return false;
        pages->addresses[slot] = page;
    }
    memcpy(buffer, pages->bytes[slot] + (address - page), size);
    return true;
}

static bool read_cached(CTelltaleDispatchPages *pages, uintptr_t address, void *buffer,
                        size_t size) {
    if (address + size < address) return false;
    size_t first = page_size - address % page_size;
    if (size <= first) return read_page(pages, address, buffer, size);
    return read_page(pages, address, buffer, first) &&
           read_page(pages, address + first, (char *)buffer + first, size - first);
}

// MARK: Items

static void read_block(CTelltaleDispatchPages *pages, uintptr_t block, CTelltaleDispatchItem *out) {
    const CTelltaleDispatchLayout *layout = &pages->layout;
    ObjectCopy copy;
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (!read_cached(pages, block, copy.bytes, 48)) return;
    out->invoke = word_at(&copy, layout->block_invoke);
    out->captured = word_at(&copy, layout->block_captured);
    // {reserved, size}
    uintptr_t size = 0, descriptor = word_at(&copy, layout->block_descriptor);
    if (read_cached(pages, descriptor + 8, &size, sizeof size)) out->block_size = size;
}

static void read_work_item(CTelltaleDispatchPages *pages, CTelltaleDispatchItem *out) {
    const CTelltaleDispatchLayout *layout = &pages->layout;
    uintptr_t data = out->context + layout->work_private, magic = 0, block = 0;
    uint32_t flags = 0;
    read_cached(pages, data, &magic, sizeof magic);
    if (magic != layout->work_magic) return;
    out->is_work_item = true;
    read_cached(pages, data + layout->work_flags, &flags, sizeof flags);
    out->is_cancelled = flags & layout->work_cancelled;
    read_cached(pages, data + layout->work_block, &block, sizeof block);
    read_block(pages, block, out);
}

// Reads the item at `address`, and the address of the next one.
static bool read_item(CTelltaleDispatchPages *pages, uintptr_t address, CTelltaleDispatchItem *out,
                      uintptr_t *next, uintptr_t *function) {
    const CTelltaleDispatchLayout *layout = &pages->layout;
    ObjectCopy copy;
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (address % 8 != 0 || !read_cached(pages, address, copy.bytes, 56)) return false;
    uintptr_t flags = word_at(&copy, 0);
    *next = word_at(&copy, layout->item_next);
    *function = flags < largest_flags ? word_at(&copy, layout->item_function) : 0;
    if (out == NULL) return true;
    memset(out, 0, sizeof *out);
    out->address = address;
    if (flags >= largest_flags) {
        out->object_kind = flags;
        return true;
    }
    out->function = *function;
    out->context = word_at(&copy, layout->item_context);
    out->is_barrier = flags & layout->item_barrier;
    if (flags & layout->item_group) out->group = word_at(&copy, layout->item_data);
    if (flags & layout->item_sync_waiter) {
        // The item's context is the item itself; its function's closure stays on the waiter's stack.
        out->is_sync_waiter = true;
        read_cached(pages, address + layout->sync_waiter, &out->waiter, sizeof out->waiter);
        read_cached(pages, address + layout->sync_inner_function, &out->invoke, sizeof out->invoke);
    } else if (flags & layout->item_work) {
        read_work_item(pages, out);
    } else if (flags & layout->item_block) {
        out->is_block = true;
        read_block(pages, out->context, out);
    } else if (out->context % 8 == 0 && out->context >= page_size) {
        read_cached(pages, out->context, &out->context_word, sizeof out->context_word);
    }
    return true;
}

bool ctelltale_dispatch_item(CTelltaleDispatchPages *pages, uintptr_t address,
                             CTelltaleDispatchItem *out) {
    uintptr_t next, function;
    forget(pages);
    return read_item(pages, address, out, &next, &function);
}

static atomic_uintptr_t left_out;

void ctelltale_dispatch_leave_out(void (*function)(void *)) {
    atomic_store_explicit(&left_out, (uintptr_t)function, memory_order_relaxed);
}

// Walks the list once; false if the result can't be trusted.
static bool walk(CTelltaleDispatchPages *pages, uintptr_t queue, CTelltaleDispatchItem *items,
                 size_t capacity, size_t limit, uint64_t deadline, CTelltaleDispatchWalk *out) {
    CTelltaleDispatchQueue before, after;
    memset(out, 0, sizeof *out);
    forget(pages);
    if (!ctelltale_dispatch_queue(&pages->layout, queue, &before)) return false;
    uintptr_t at = before.head, last = 0, own = atomic_load_explicit(&left_out, memory_order_relaxed);
    size_t steps = 0;
    // A thread is just adding the first item or taking the last.
    if ((at == 0) != (before.tail == 0)) return false;
    while (at != 0) {
        if (steps >= limit || (++steps % 64 == 0 && clock_now() >= deadline)) {
            out->is_cut = true;
            break;
        }
        uintptr_t next = 0;
        uintptr_t function = 0;
        CTelltaleDispatchItem *item = out->count < capacity ? &items[out->count] : NULL;
        if (!read_item(pages, at, item, &next, &function) || next == at) return false;
        if (function != own || own == 0) {
            if (item != NULL) out->written++;
            out->count++;
        }
        last = at;
        at = next;
    }
    if (!ctelltale_dispatch_queue(&pages->layout, queue, &after)) return false;
    if (after.head != before.head) return false;
    // Items may have been added in the meantime; none may have been lost.
    return out->is_cut || last == before.tail || last == after.tail;
}

CTelltaleDispatchWalk ctelltale_dispatch_items(CTelltaleDispatchPages *pages, uintptr_t queue,
                                               CTelltaleDispatchItem *items, size_t capacity,
                                               size_t limit, uint64_t deadline) {
    CTelltaleDispatchWalk result;
    for (int try = 0; try < 4; try++) {
        if (walk(pages, queue, items, capacity, limit, deadline, &result)) return result;
        if (clock_now() >= deadline) break;
    }
    memset(&result, 0, sizeof result);
    result.is_moving = true;
    return result;
}
#endif
