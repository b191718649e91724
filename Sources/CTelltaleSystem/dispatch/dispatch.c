// The layout of libdispatch's objects (swift-6.3.1-RELEASE, Linux, 64 bit), in one place, and guarded
// readings of them. Nothing here follows a pointer of the host's but through guarded reads.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "memory/object_copy.h"

#include <string.h>
#include <unistd.h>

const CTelltaleDispatchLayout ctelltale_dispatch_layout = {
    .object_references = 8,
    .object_outer_references = 12,
    .object_target = 24,

    .queue_tail = 48,
    .queue_state = 56,
    .queue_serial = 64,
    .queue_label = 72,
    .queue_flags = 80,  // its low 16 bits are the width
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
    .refs_ident = 24,
    .refs_filter = 28,
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

// Counts of references as those of an object that has not been freed.
static bool is_counted(int32_t references, int32_t outer) {
    return references >= 0 && references < 1 << 28 && outer >= -1 && outer < 1 << 28;
}

bool ctelltale_dispatch_queue(const CTelltaleDispatchLayout *layout, uintptr_t address,
                              CTelltaleDispatchQueue *out) {
    ObjectCopy copy, *at = &copy;
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
    // Suspensions that did not fit into the state are counted beside it.
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
    ObjectCopy copy, *at = &copy;
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
    ObjectCopy copy, *at = &copy;
    uintptr_t refs;
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (!ctelltale_read_memory(address + layout->queue_specifics, &refs, sizeof refs)) return false;
    if (refs == 0 || refs % 8 != 0 || !ctelltale_read_memory(refs, copy.bytes, 112)) return false;
    uint8_t timer_flags = byte_at(at, layout->refs_timer_flags);
    out->owner = ~word_at(at, layout->refs_owner);
    out->ident = half_at(at, layout->refs_ident);
    out->filter = (int8_t)byte_at(at, layout->refs_filter);
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
#endif
