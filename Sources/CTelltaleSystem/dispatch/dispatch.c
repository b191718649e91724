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

const CTelltaleDispatchLayout ctelltale_dispatch_layout = {
    .object_references = 8,
    .object_outer_references = 12,
    .object_target = 24,

    .queue_tail = 48,
    .queue_state = 56,
    .queue_serial = 64,
    .queue_label = 72,
    .queue_flags = 80,
    .queue_priority = 84,
    .queue_specifics = 88,
    .queue_head = 104,
    .queue_side_suspensions = 112,

    .state_owner_mask = 0x3FFFFFFF,
    .state_enqueued_bit = 31,
    .state_role_bit = 36,
    .state_pending_barrier_bit = 40,
    .state_width_bit = 41,
    .state_width_full = 0x1000,
    .state_barrier_bit = 54,
    .state_inactive_bit = 55,
    .state_side_bit = 57,
    .state_suspensions_bit = 58,

    .flags_width_mask = 0xFFFF,
    .flags_bound = 0x00040000,
    .flags_cancelled = 0x10000000,
    .priority_requested_bit = 8,
    .priority_fallback_bit = 12,
    .priority_mask = 0xF,

    .counter_value = 48,
    .counter_original = 56,
    .group_waiters = 1,
    .group_notify = 2,
    .group_step = 4,
    .group_word = 52,
    .semaphore_word = 64,

    .item_next = 16,
    .item_function = 32,
    .item_context = 40,
    .item_data = 48,
    .item_sync_waiter = 0x001,
    .item_barrier = 0x002,
    .item_group = 0x008,
    .item_block = 0x010,
    .item_work = 0x020,

    .sync_queue = 56,
    .sync_inner_function = 64,
    .sync_frame = 80,
    .sync_event = 96,
    .sync_waiter = 100,

    .block_invoke = 16,
    .block_descriptor = 24,
    .block_captured = 32,
    .work_private = 32,
    .work_magic = 0xD159B10C,
    .work_flags = 16,
    .work_block = 40,
    .work_cancelled = 1,

    .refs_owner = 8,
    .refs_bits = 29,
    .refs_timer = 0x02,
    .refs_timer_flags = 30,
    .refs_clock_bit = 2,
    .refs_after = 0x40,
    .refs_handler = 40,
    .refs_start = 80,
    .refs_interval = 96,
    .refs_pending = 104,
    .config_start = 0,
    .config_interval = 16,
    .config_clock = 24,
};

// Flags of an item are below this; what is above is the first word of an object that waits itself.
enum { largest_flags = 0x1000 };

// A copy of an object on the agent's own stack would be found by a search: it lies eight bytes off
// the alignment that every object has.
typedef struct {
    uintptr_t before;
    char bytes[128];
} __attribute__((aligned(16))) Copy;

// A layout that is wrong may say any offset.
static uint64_t number_at(const Copy *copy, uint32_t offset, size_t size) {
    uint64_t number = 0;
    if (offset <= sizeof copy->bytes - size) memcpy(&number, copy->bytes + offset, size);
    return number;
}

static uintptr_t word_at(const Copy *copy, uint32_t offset) {
    return (uintptr_t)number_at(copy, offset, 8);
}

static uint32_t half_at(const Copy *copy, uint32_t offset) {
    return (uint32_t)number_at(copy, offset, 4);
}

static uint8_t byte_at(const Copy *copy, uint32_t offset) {
    return (uint8_t)number_at(copy, offset, 1);
}

// Counts of references as those of an object that has not been freed.
static bool is_counted(int32_t references, int32_t outer) {
    return references >= 0 && references < 1 << 28 && outer >= -1 && outer < 1 << 28;
}

bool ctelltale_dispatch_queue(const CTelltaleDispatchLayout *layout, uintptr_t address,
                              CTelltaleDispatchQueue *out) {
    Copy copy, *at = &copy;
    memset(out, 0, sizeof *out);
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (address % 8 != 0 || !ctelltale_read_memory(address, copy.bytes, 120)) return false;
    out->address = address;
    out->kind_less_one = word_at(at, 0) - 1;
    out->references = (int32_t)half_at(at, layout->object_references);
    out->outer_references = (int32_t)half_at(at, layout->object_outer_references);
    out->is_counted = is_counted(out->references, out->outer_references);
    out->target = word_at(at, layout->object_target);
    out->tail = word_at(at, layout->queue_tail);
    out->serial = word_at(at, layout->queue_serial);
    out->label = word_at(at, layout->queue_label);
    out->head = word_at(at, layout->queue_head);

    uint64_t state = word_at(at, layout->queue_state);
    out->role = state >> layout->state_role_bit & 3;
    out->owner = (int32_t)(state & layout->state_owner_mask);
    out->is_enqueued = state >> layout->state_enqueued_bit & 1;
    out->has_pending_barrier = state >> layout->state_pending_barrier_bit & 1;
    out->is_in_barrier = state >> layout->state_barrier_bit & 1;
    out->is_inactive = (state >> layout->state_inactive_bit & 3) != 0;
    // What did not fit into the state is counted beside it.
    out->suspensions = (uint32_t)(state >> layout->state_suspensions_bit);
    if (state >> layout->state_side_bit & 1)
        out->suspensions += half_at(at, layout->queue_side_suspensions);

    uint32_t flags = half_at(at, layout->queue_flags);
    out->width = flags & layout->flags_width_mask;
    out->is_bound_to_thread = flags & layout->flags_bound;
    out->is_cancelled = flags & layout->flags_cancelled;
    // A barrier takes the whole width, and one that waits has reserved all but one.
    int32_t full = (int32_t)layout->state_width_full;
    int32_t width = (int32_t)out->width;
    int32_t used = (int32_t)(state >> layout->state_width_bit & (2 * (uint32_t)full - 1));
    used -= full - width;
    if (out->has_pending_barrier) used -= width - 1;
    if (out->is_in_barrier) used = 1;
    out->width_in_use = used < 0 ? 0 : used > full ? (uint32_t)full : (uint32_t)used;

    uint32_t priority = half_at(at, layout->queue_priority);
    out->requested_qos = (uint8_t)(priority >> layout->priority_requested_bit & layout->priority_mask);
    out->fallback_qos = (uint8_t)(priority >> layout->priority_fallback_bit & layout->priority_mask);
    return true;
}

bool ctelltale_dispatch_counter(const CTelltaleDispatchLayout *layout, uintptr_t address,
                                CTelltaleDispatchCounter *out) {
    Copy copy, *at = &copy;
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (address % 8 != 0 || !ctelltale_read_memory(address, copy.bytes, 64)) return false;
    out->kind_less_one = word_at(at, 0) - 1;
    out->is_counted = is_counted((int32_t)half_at(at, layout->object_references),
                                 (int32_t)half_at(at, layout->object_outer_references));
    out->target = word_at(at, layout->object_target);
    out->value = (intptr_t)word_at(at, layout->counter_value);
    out->original = (intptr_t)word_at(at, layout->counter_original);
    // A group's count goes down from 0 in steps.
    uint32_t low = half_at(at, layout->counter_value);
    out->outstanding = (0 - (low & ~(layout->group_step - 1))) / layout->group_step;
    out->has_waiters = low & layout->group_waiters;
    out->has_notify = low & layout->group_notify;
    return true;
}

bool ctelltale_dispatch_source(const CTelltaleDispatchLayout *layout, uintptr_t address,
                               CTelltaleDispatchSource *out) {
    Copy copy, *at = &copy;
    uintptr_t refs;
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (!ctelltale_read_memory(address + layout->queue_specifics, &refs, sizeof refs)) return false;
    if (refs == 0 || refs % 8 != 0 || !ctelltale_read_memory(refs, copy.bytes, 112)) return false;
    uint8_t timer_flags = byte_at(at, layout->refs_timer_flags);
    out->owner = ~word_at(at, layout->refs_owner);
    out->is_timer = byte_at(at, layout->refs_bits) & layout->refs_timer;
    out->is_after = timer_flags & layout->refs_after;
    out->clock = timer_flags >> layout->refs_clock_bit & 3;
    out->handler = word_at(at, layout->refs_handler);
    out->start = word_at(at, layout->refs_start);
    out->interval = word_at(at, layout->refs_interval);
    uintptr_t pending = out->is_timer ? word_at(at, layout->refs_pending) : 0;
    out->is_pending = pending != 0;
    if (pending != 0 && ctelltale_read_memory(pending, copy.bytes, 32)) {
        out->start = word_at(at, layout->config_start);
        out->interval = word_at(at, layout->config_interval);
        out->clock = byte_at(at, layout->config_clock);
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
    Copy copy;
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

// What the item at `address` is, and the next one.
static bool read_item(CTelltaleDispatchPages *pages, uintptr_t address, CTelltaleDispatchItem *out,
                      uintptr_t *next, uintptr_t *function) {
    const CTelltaleDispatchLayout *layout = &pages->layout;
    Copy copy;
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
        // Its context is itself; what it runs stays on the waiter's stack.
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

// One walk; false where it can't be trusted.
static bool walk(CTelltaleDispatchPages *pages, uintptr_t queue, CTelltaleDispatchItem *items,
                 size_t capacity, size_t limit, uint64_t deadline, CTelltaleDispatchWalk *out) {
    CTelltaleDispatchQueue before, after;
    memset(out, 0, sizeof *out);
    forget(pages);
    if (!ctelltale_dispatch_queue(&pages->layout, queue, &before)) return false;
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
    if (!ctelltale_dispatch_queue(&pages->layout, queue, &after)) return false;
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
