// The layout of libdispatch's objects (swift-6.3.1-RELEASE, Linux, 64 bit), in one place, and guarded
// readings of them. Nothing here follows a pointer of the host's but through guarded reads.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"
#include "process/clock.h"

#if TELLTALE_AGENT

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: Layout

enum {
    // Every object.
    object_references = 8,
    object_next = 16,
    object_target = 24,
    // A queue (dispatch_lane_s).
    queue_tail = 48,
    queue_state = 56,
    queue_serial = 64,
    queue_label = 72,
    queue_flags = 80,
    queue_priority = 84,
    queue_specifics = 88,
    queue_head = 104,
    queue_side_suspensions = 112,
    queue_size = 120,
    // A group's state, a semaphore's value and what it began with.
    counter_value = 48,
    counter_original = 56,
    counter_size = 64,
    // An item (dispatch_continuation_s), and of one that waits in sync (dispatch_sync_context_s).
    item_next = 16,
    item_function = 32,
    item_context = 40,
    item_data = 48,
    item_size = 56,
    item_inner_function = 64,
    item_waiter = 100,
    // A block, and of a work item its private data behind it (dispatch_block_private_data_s).
    block_invoke = 16,
    block_descriptor = 24,
    block_captured = 32,
    block_private = 32,
    private_flags = 16,
    private_block = 40,
    // A source's refs (dispatch_timer_source_refs_s).
    refs_owner = 8,
    refs_bits = 29,
    refs_timer_flags = 30,
    refs_handler = 40,
    // When it is to fire; its deadline, at 88, adds the leeway.
    refs_start = 80,
    refs_interval = 96,
    refs_pending = 104,
    refs_size = 112,
    // dispatch_timer_config_s
    config_start = 0,
    config_interval = 16,
    config_clock = 24,
    config_size = 32,
};

enum {
    flag_sync_waiter = 0x001,
    flag_block = 0x010,
    flag_work_item = 0x020,
    largest_flags = 0x1000,
    timer_bit = 0x02,
    after_flag = 0x40,
};

static const uintptr_t work_item_magic = 0xD159B10C;

static uintptr_t word_at(const char *bytes, size_t offset) {
    uintptr_t word;
    memcpy(&word, bytes + offset, sizeof word);
    return word;
}

static uint32_t half_at(const char *bytes, size_t offset) {
    uint32_t half;
    memcpy(&half, bytes + offset, sizeof half);
    return half;
}

// A copy of an object on the agent's own stack would be found by a search: it lies eight bytes off
// the alignment that every object has.
typedef struct {
    uintptr_t before;
    char bytes[128];
} __attribute__((aligned(16))) Misaligned;

bool ctelltale_dispatch_queue(uintptr_t address, CTelltaleDispatchQueue *out) {
    Misaligned copy;
    const char *at = copy.bytes;
    if (address % 8 != 0 || !ctelltale_read_memory(address, copy.bytes, queue_size)) return false;
    out->address = address;
    out->kind_less_one = word_at(at, 0) - 1;
    out->references = (int32_t)half_at(at, object_references);
    out->outer_references = (int32_t)half_at(at, object_references + 4);
    out->next = word_at(at, object_next);
    out->target = word_at(at, object_target);
    out->tail = word_at(at, queue_tail);
    out->state = word_at(at, queue_state);
    out->serial = word_at(at, queue_serial);
    out->label = word_at(at, queue_label);
    out->flags = half_at(at, queue_flags);
    out->priority = half_at(at, queue_priority);
    out->specifics = word_at(at, queue_specifics);
    out->head = word_at(at, queue_head);
    out->side_suspensions = half_at(at, queue_side_suspensions);
    return true;
}

bool ctelltale_dispatch_counter(uintptr_t address, CTelltaleDispatchCounter *out) {
    Misaligned copy;
    const char *at = copy.bytes;
    if (address % 8 != 0 || !ctelltale_read_memory(address, copy.bytes, counter_size)) return false;
    out->kind_less_one = word_at(at, 0) - 1;
    out->references = (int32_t)half_at(at, object_references);
    out->outer_references = (int32_t)half_at(at, object_references + 4);
    out->next = word_at(at, object_next);
    out->target = word_at(at, object_target);
    out->value = (intptr_t)word_at(at, counter_value);
    out->original = (intptr_t)word_at(at, counter_original);
    return true;
}

bool ctelltale_dispatch_source(uintptr_t address, CTelltaleDispatchSource *out) {
    Misaligned copy;
    const char *at = copy.bytes;
    uintptr_t refs;
    if (!ctelltale_read_memory(address + queue_specifics, &refs, sizeof refs)) return false;
    if (refs == 0 || refs % 8 != 0 || !ctelltale_read_memory(refs, copy.bytes, refs_size)) {
        return false;
    }
    uint8_t timer_flags = (uint8_t)at[refs_timer_flags];
    out->owner = ~word_at(at, refs_owner);
    out->is_timer = ((uint8_t)at[refs_bits] & timer_bit) != 0;
    out->is_after = (timer_flags & after_flag) != 0;
    out->clock = (timer_flags >> 2) & 3;
    out->handler = word_at(at, refs_handler);
    out->start = word_at(at, refs_start);
    out->interval = word_at(at, refs_interval);
    uintptr_t pending = out->is_timer ? word_at(at, refs_pending) : 0;
    out->is_pending = pending != 0;
    if (pending != 0 && ctelltale_read_memory(pending, copy.bytes, config_size)) {
        out->start = word_at(at, config_start);
        out->interval = word_at(at, config_interval);
        out->clock = (uint8_t)half_at(at, config_clock);
    }
    return true;
}

int64_t ctelltale_dispatch_text(uintptr_t address, char *buffer, size_t capacity) {
    size_t done = 0;
    while (done < capacity) {
        // Not beyond a page at once: the next one may not be there.
        size_t part = 64 - (address + done) % 64;
        if (part > capacity - done) part = capacity - done;
        if (!ctelltale_read_memory(address + done, buffer + done, part)) return -1;
        char *end = memchr(buffer + done, 0, part);
        if (end != NULL) return end - buffer;
        done += part;
    }
    if (capacity == 0) return -1;
    buffer[capacity - 1] = 0;
    return (int64_t)capacity - 1;
}

// MARK: Pages

enum { page_size = 4096, page_count = 64 };

struct CTelltaleDispatchPages {
    // 0 where there is none.
    uintptr_t addresses[page_count];
    char bytes[page_count][page_size];
};

CTelltaleDispatchPages *ctelltale_dispatch_pages_make(void) {
    void *memory = mmap(NULL, sizeof(CTelltaleDispatchPages), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
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
    char bytes[48];
    if (!read_cached(pages, block, bytes, sizeof bytes)) return;
    out->invoke = word_at(bytes, block_invoke);
    out->captured = word_at(bytes, block_captured);
    out->captured_next = word_at(bytes, block_captured + 8);
    uintptr_t size = 0, descriptor = word_at(bytes, block_descriptor);
    if (read_cached(pages, descriptor + 8, &size, sizeof size)) out->block_size = size;
}

// What the item at `address` is, and the next one.
static bool read_item(CTelltaleDispatchPages *pages, uintptr_t address, CTelltaleDispatchItem *out,
                      uintptr_t *next, uintptr_t *function) {
    char bytes[item_size];
    if (address % 8 != 0 || !read_cached(pages, address, bytes, sizeof bytes)) return false;
    *next = word_at(bytes, item_next);
    *function = word_at(bytes, 0) < largest_flags ? word_at(bytes, item_function) : 0;
    if (out == NULL) return true;
    memset(out, 0, sizeof *out);
    out->address = address;
    out->flags = word_at(bytes, 0);
    if (out->flags >= largest_flags) return true;
    out->function = word_at(bytes, item_function);
    out->context = word_at(bytes, item_context);
    out->data = word_at(bytes, item_data);
    if ((out->flags & flag_sync_waiter) != 0) {
        // Its context is itself; what it runs stays on the waiter's stack.
        read_cached(pages, address + item_waiter, &out->waiter, sizeof out->waiter);
        read_cached(pages, address + item_inner_function, &out->invoke, sizeof out->invoke);
    } else if ((out->flags & flag_work_item) != 0) {
        uintptr_t data = out->context + block_private, magic = 0, block = 0;
        read_cached(pages, data, &magic, sizeof magic);
        if (magic == work_item_magic) {
            out->is_work_item = true;
            read_cached(pages, data + private_flags, &out->work_flags, sizeof out->work_flags);
            read_cached(pages, data + private_block, &block, sizeof block);
            read_block(pages, block, out);
        }
    } else if ((out->flags & flag_block) != 0) {
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

// One walk; false where it can't be trusted.
static bool walk(CTelltaleDispatchPages *pages, uintptr_t queue, CTelltaleDispatchItem *items,
                 size_t capacity, size_t limit, uint64_t deadline, CTelltaleDispatchWalk *out) {
    CTelltaleDispatchQueue before, after;
    memset(out, 0, sizeof *out);
    forget(pages);
    if (!ctelltale_dispatch_queue(queue, &before)) return false;
    uintptr_t at = before.head, last = 0, own = atomic_load_explicit(&left_out, memory_order_relaxed);
    size_t steps = 0;
    // Someone is just adding the first or taking the last.
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
    if (!ctelltale_dispatch_queue(queue, &after)) return false;
    if (after.head != before.head) return false;
    // More may have been added meanwhile; nothing may have been lost.
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
