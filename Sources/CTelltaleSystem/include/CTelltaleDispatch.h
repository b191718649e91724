//! The contents of libdispatch's objects, and the functions of libdispatch that are called to test the
//! layout.
//!
//! The numbers are only in dispatch.c, checked against the sources of swift-6.3.1-RELEASE; `DispatchLayout`
//! tests them on objects of the agent before any result is trusted.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Layout

/// The offsets of fields in libdispatch's objects, in bytes from an object's start, and the meaning
/// of bits. A name with `_bit` is the number of the lowest bit; any other name that is not an
/// offset is a mask.
typedef struct {
    /// Every object.
    uint32_t object_references, object_outer_references, object_target;
    /// A queue or a source (`dispatch_lane_s`).
    uint32_t queue_tail, queue_state, queue_serial, queue_label, queue_flags, queue_priority,
        queue_specifics, queue_head, queue_side_suspensions;
    /// A queue's state (`DISPATCH_QUEUE_…`).
    uint32_t state_owner_mask, state_enqueued_bit, state_role_bit, state_pending_barrier_bit,
        state_width_bit, state_width_full, state_barrier_bit, state_inactive_bit, state_side_bit,
        state_suspensions_bit;
    /// A queue's flags (`DQF_…`) and priority.
    uint32_t flags_width_mask, flags_bound, flags_cancelled, priority_requested_bit,
        priority_fallback_bit, priority_mask;
    /// A group's state (`dg_state`), a semaphore's value, and the words their waiters sleep on.
    uint32_t counter_value, counter_original, group_waiters, group_notify, group_step, group_word,
        semaphore_word;
    /// An item (`dispatch_continuation_s`) and its flags (`DC_FLAG_…`).
    uint32_t item_next, item_function, item_context, item_data, item_sync_waiter, item_barrier,
        item_group, item_block, item_work;
    /// An item that waits in sync (`dispatch_sync_context_s`).
    uint32_t sync_queue, sync_inner_function, sync_frame, sync_event, sync_waiter;
    /// A block; a work item's private data follow its block (`dispatch_block_private_data_s`).
    uint32_t block_invoke, block_descriptor, block_captured, work_private, work_magic, work_flags,
        work_block, work_cancelled;
    /// A source's refs (`dispatch_timer_source_refs_s`) and a timer's setting that has not been applied yet
    /// (`dispatch_timer_config_s`). The start is the firing time without the leeway.
    uint32_t refs_owner, refs_bits, refs_timer, refs_timer_flags, refs_clock_bit, refs_after,
        refs_handler, refs_start, refs_interval, refs_pending, refs_ident, refs_filter,
        config_start, config_interval, config_clock;
} CTelltaleDispatchLayout;

/// The layout of swift-6.3.1-RELEASE.
extern const CTelltaleDispatchLayout ctelltale_dispatch_layout;

// MARK: Reading

/// A queue or a source; its words were copied together at one moment.
typedef struct {
    uintptr_t address;
    /// The first word, less one: a copy of an object must not look like an object.
    uintptr_t kind_less_one;
    uintptr_t serial;
    uintptr_t label;
    uintptr_t target;
    uintptr_t head;
    uintptr_t tail;
    int32_t references;
    int32_t outer_references;
    /// The thread that drains the queue or holds it in `sync`; 0 for none.
    int32_t owner;
    uint32_t suspensions;
    /// The number of its items that may run at once, and the number of running ones.
    uint32_t width;
    uint32_t width_in_use;
    /// The requested class, and a global queue's class for items without a request: 0 none, 1 maintenance
    /// to 6 user-interactive.
    uint8_t requested_qos;
    uint8_t fallback_qos;
    /// 0 if the target is a queue of the program, 1 if it is a global queue; never 3.
    uint8_t role;
    /// The reference counts are those of a living object.
    bool is_counted;
    bool is_inactive;
    bool is_in_barrier;
    bool has_pending_barrier;
    bool is_enqueued;
    /// The queue belongs to the main thread, whose id is permanently in its state.
    bool is_bound_to_thread;
    bool is_cancelled;
} CTelltaleDispatchQueue;

/// Reads the queue at `address`.
///
/// @return false if it can't be read.
bool ctelltale_dispatch_queue(const CTelltaleDispatchLayout *layout, uintptr_t address,
                              CTelltaleDispatchQueue *out);

/// A group, or a semaphore.
typedef struct {
    uintptr_t kind_less_one;
    uintptr_t target;
    intptr_t value;
    intptr_t original;
    /// For a group: the number of `enter`s without a `leave` so far.
    uint32_t outstanding;
    bool has_waiters;
    bool has_notify;
    bool is_counted;
} CTelltaleDispatchCounter;

/// Reads the group or the semaphore at `address`.
bool ctelltale_dispatch_counter(const CTelltaleDispatchLayout *layout, uintptr_t address,
                                CTelltaleDispatchCounter *out);

/// An item that waits on a queue.
typedef struct {
    uintptr_t address;
    /// The first word of an object that is itself enqueued; 0 for an item.
    uintptr_t object_kind;
    uintptr_t function;
    uintptr_t context;
    /// The group of the item; 0 for none.
    uintptr_t group;
    /// For a block: its code, and its first capture.
    uintptr_t invoke;
    uintptr_t captured;
    uintptr_t block_size;
    /// The first word of the context's target, for an item that is not a block.
    uintptr_t context_word;
    /// The thread that waits in `sync`; 0 for none.
    int32_t waiter;
    bool is_sync_waiter;
    bool is_barrier;
    bool is_block;
    bool is_work_item;
    bool is_cancelled;
} CTelltaleDispatchItem;

/// The result of a walk over a queue's items.
typedef struct {
    /// The number of counted items; the first of them were written.
    size_t count;
    size_t written;
    /// The list changed during each walk.
    bool is_moving;
    /// There are more items than the limit, or the deadline passed.
    bool is_cut;
} CTelltaleDispatchWalk;

/// Copies of pages, so that adjacent items cost one system call together. They are in shared memory, which
/// no search covers.
typedef struct CTelltaleDispatchPages CTelltaleDispatchPages;

/// @return null if there is no memory for it.
CTelltaleDispatchPages *_Nullable ctelltale_dispatch_pages_make(
    const CTelltaleDispatchLayout *layout);
void ctelltale_dispatch_pages_end(CTelltaleDispatchPages *pages);

/// Leaves the agent's own items out of every walk: those that run `function`.
void ctelltale_dispatch_leave_out(void (*function)(void *_Nullable));

/// Walks over the items that wait on `queue`.
///
/// @param limit The maximum number of items that are counted.
/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
CTelltaleDispatchWalk ctelltale_dispatch_items(CTelltaleDispatchPages *pages, uintptr_t queue,
                                               CTelltaleDispatchItem *_Nullable items,
                                               size_t capacity, size_t limit, uint64_t deadline);

/// Reads only the item at `address`.
bool ctelltale_dispatch_item(CTelltaleDispatchPages *pages, uintptr_t address,
                             CTelltaleDispatchItem *out);

/// The words of a source's second half.
typedef struct {
    /// The source that it belongs to.
    uintptr_t owner;
    bool is_timer;
    bool is_after;
    /// 0 uptime, 1 including time asleep, 2 wall clock.
    uint8_t clock;
    /// The handler, an item; 0 for none.
    uintptr_t handler;
    /// The next firing time on its clock, before any leeway.
    uint64_t start;
    uint64_t interval;
    /// A setting that has not been applied yet; it is reported as if it were.
    bool is_pending;
    /// The watched object (a descriptor, a signal, a process) and the filter (`EVFILT_…`).
    uint32_t ident;
    int8_t filter;
} CTelltaleDispatchSource;

/// Reads the settings of the source at `address`.
bool ctelltale_dispatch_source(const CTelltaleDispatchLayout *layout, uintptr_t address,
                               CTelltaleDispatchSource *out);

/// Copies the string at `address`, at most `capacity` bytes with the zero.
///
/// @return its length, or -1 if it can't be read.
int64_t ctelltale_dispatch_text(uintptr_t address, char *buffer, size_t capacity);

// MARK: Calling

/// Reads the offset of each field of a queue, as libdispatch exports them for debuggers.
///
/// @return the table's version; 0 without a table.
int32_t ctelltale_dispatch_table(uint16_t *label, uint16_t *serial, uint16_t *width,
                                 uint16_t *target);

enum {
    CTelltaleDispatchSerial = 0,
    CTelltaleDispatchConcurrent = 1,
    CTelltaleDispatchInactive = 2,
};

/// Makes a queue with one reference. `qos` is Dispatch's class (0x09…0x21), or 0.
///
/// @return 0 if that fails.
uintptr_t ctelltale_dispatch_make_queue(const char *label, int kind, uint32_t qos);
uintptr_t ctelltale_dispatch_make_group(void);
uintptr_t ctelltale_dispatch_make_semaphore(intptr_t value);
/// Makes a timer on the wall clock that isn't active yet.
uintptr_t ctelltale_dispatch_make_timer(uintptr_t queue, uint64_t seconds, uint64_t interval,
                                        void (*handler)(void *_Nullable));
void ctelltale_dispatch_cancel(uintptr_t source);
void ctelltale_dispatch_enter(uintptr_t group);
void ctelltale_dispatch_leave(uintptr_t group);
/// Waits without a timeout.
void ctelltale_dispatch_wait_group(uintptr_t group);
void ctelltale_dispatch_wait_semaphore(uintptr_t semaphore);
void ctelltale_dispatch_signal_semaphore(uintptr_t semaphore);
void ctelltale_dispatch_suspend(uintptr_t object);
void ctelltale_dispatch_resume(uintptr_t object);
void ctelltale_dispatch_activate(uintptr_t object);
void ctelltale_dispatch_retain(uintptr_t object);
void ctelltale_dispatch_release(uintptr_t object);
void ctelltale_dispatch_async(uintptr_t queue, bool barrier, void *_Nullable context,
                              void (*function)(void *_Nullable));
void ctelltale_dispatch_group_async(uintptr_t group, uintptr_t queue, void *_Nullable context,
                                    void (*function)(void *_Nullable));
void ctelltale_dispatch_sync(uintptr_t queue, void *_Nullable context,
                             void (*function)(void *_Nullable));
/// Cancels the work item whose block is at `block`, which must be alive.
///
/// @return false if the function is not available.
bool ctelltale_dispatch_cancel_item(uintptr_t block);
/// Last resorts. The objects must be alive, and the group must have been entered.
///
/// @return false if the function is not available.
bool ctelltale_dispatch_force_signal(uintptr_t semaphore);
bool ctelltale_dispatch_force_leave(uintptr_t group);
/// Sets a timer to now, on its own clock, which is the wall clock or uptime.
bool ctelltale_dispatch_force_timer(uintptr_t source, bool is_wall, uint64_t interval);
uintptr_t ctelltale_dispatch_main_queue(void);
/// The global queue of a class, or 0.
uintptr_t ctelltale_dispatch_global_queue(uint32_t qos, bool overcommit);
/// The first word of every Swift task; 0 if there is no concurrency library.
uintptr_t ctelltale_dispatch_task_word(void);

#pragma clang assume_nonnull end
