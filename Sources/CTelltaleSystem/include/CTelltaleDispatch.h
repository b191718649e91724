//! What lies in libdispatch's objects, and what of libdispatch is called to try that.
//!
//! The offsets stand in dispatch.c alone, checked against the sources of swift-6.3.1-RELEASE;
//! `DispatchLayout` tries them on objects of our own before anything that is read is believed.
#ifndef CTELLTALE_DISPATCH_H
#define CTELLTALE_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Reading

/// The words of a queue or of a source, as they lay there together at one moment.
typedef struct {
    uintptr_t address;
    uintptr_t state;
    uintptr_t serial;
    uintptr_t label;
    uintptr_t target;
    uintptr_t head;
    uintptr_t tail;
    /// What it is chained to where it waits itself on its target.
    uintptr_t next;
    uintptr_t specifics;
    /// The first word, less one: a copy of an object must not look like an object.
    uintptr_t kind_less_one;
    uint32_t flags;
    uint32_t priority;
    uint32_t side_suspensions;
    int32_t references;
    int32_t outer_references;
} CTelltaleDispatchQueue;

/// Reads the words of the queue at `address`.
///
/// @return false where it can't be read.
bool ctelltale_dispatch_queue(uintptr_t address, CTelltaleDispatchQueue *out);

/// The words of a group, or of a semaphore.
typedef struct {
    uintptr_t kind_less_one;
    int32_t references;
    int32_t outer_references;
    uintptr_t next;
    uintptr_t target;
    intptr_t value;
    intptr_t original;
} CTelltaleDispatchCounter;

/// Reads the words of the group or the semaphore at `address`.
bool ctelltale_dispatch_counter(uintptr_t address, CTelltaleDispatchCounter *out);

/// One item that waits on a queue.
typedef struct {
    uintptr_t address;
    /// Flags below 0x1000, or the first word of an object that waits itself.
    uintptr_t flags;
    uintptr_t function;
    uintptr_t context;
    /// The group, where there is one.
    uintptr_t data;
    /// Of a block: its code, and what it has captured first.
    uintptr_t invoke;
    uintptr_t captured;
    uintptr_t captured_next;
    uintptr_t block_size;
    /// The first word of what the context points at, for an item that is no block.
    uintptr_t context_word;
    /// Of a work item: its own flags; bit 0 is "cancelled".
    uint32_t work_flags;
    bool is_work_item;
    /// The thread that waits in `sync`; 0 where none does.
    int32_t waiter;
} CTelltaleDispatchItem;

/// How a walk over a queue's items ended.
typedef struct {
    /// All that were counted; the first of them were written.
    size_t count;
    size_t written;
    /// The list moved while it was read, each time.
    bool is_moving;
    /// There are more than were to be counted, or the deadline came.
    bool is_cut;
} CTelltaleDispatchWalk;

/// Copies of pages, so that items that lie side by side cost one call together. In shared memory,
/// where no search finds what is a copy.
typedef struct CTelltaleDispatchPages CTelltaleDispatchPages;

/// @return null where there is no memory for it.
CTelltaleDispatchPages *_Nullable ctelltale_dispatch_pages_make(void);
void ctelltale_dispatch_pages_end(CTelltaleDispatchPages *pages);

/// Has the agent's own items left out of every walk: those that run `function`.
void ctelltale_dispatch_leave_out(void (*function)(void *_Nullable));

/// Walks over the items that wait on `queue`.
///
/// @param limit How many are counted at most.
/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
CTelltaleDispatchWalk ctelltale_dispatch_items(CTelltaleDispatchPages *pages, uintptr_t queue,
                                               CTelltaleDispatchItem *_Nullable items,
                                               size_t capacity, size_t limit, uint64_t deadline);

/// Reads the item at `address` alone.
bool ctelltale_dispatch_item(CTelltaleDispatchPages *pages, uintptr_t address,
                             CTelltaleDispatchItem *out);

/// The words of a source's second half.
typedef struct {
    /// The source that it belongs to.
    uintptr_t owner;
    bool is_timer;
    bool is_after;
    /// 0 uptime, 1 with the time asleep, 2 wall clock.
    uint8_t clock;
    /// The handler, an item; 0 where there is none.
    uintptr_t handler;
    /// When it fires next, on its clock, before any leeway.
    uint64_t start;
    uint64_t interval;
    /// A setting that has not been taken over yet; it is what holds then.
    bool is_pending;
} CTelltaleDispatchSource;

/// Reads what the source at `address` has been set to.
bool ctelltale_dispatch_source(uintptr_t address, CTelltaleDispatchSource *out);

/// Copies the string at `address`, at most `capacity` bytes with the zero.
///
/// @return its length, or -1 where it can't be read.
int64_t ctelltale_dispatch_text(uintptr_t address, char *buffer, size_t capacity);

// MARK: Calling

/// Where each field of a queue lies, as libdispatch says it to debuggers.
///
/// @return the table's version; 0 where there is none.
int32_t ctelltale_dispatch_table(uint16_t *label, uint16_t *serial, uint16_t *width,
                                 uint16_t *target);

enum {
    CTelltaleDispatchSerial = 0,
    CTelltaleDispatchConcurrent = 1,
    CTelltaleDispatchInactive = 2,
};

/// Makes a queue with a count of one. `qos` is Dispatch's class (0x09…0x21), or 0.
///
/// @return 0 where it can't.
uintptr_t ctelltale_dispatch_make_queue(const char *label, int kind, uint32_t qos);
uintptr_t ctelltale_dispatch_make_group(void);
uintptr_t ctelltale_dispatch_make_semaphore(intptr_t value);
/// A timer that isn't active yet.
uintptr_t ctelltale_dispatch_make_timer(uintptr_t queue, uint64_t seconds, uint64_t interval,
                                        void (*handler)(void *_Nullable));
void ctelltale_dispatch_cancel(uintptr_t source);
void ctelltale_dispatch_enter(uintptr_t group);
void ctelltale_dispatch_leave(uintptr_t group);
/// Waits without an end.
void ctelltale_dispatch_wait_group(uintptr_t group);
void ctelltale_dispatch_wait_semaphore(uintptr_t semaphore);
void ctelltale_dispatch_signal_semaphore(uintptr_t semaphore);
void ctelltale_dispatch_suspend(uintptr_t object);
void ctelltale_dispatch_resume(uintptr_t object);
void ctelltale_dispatch_activate(uintptr_t object);
void ctelltale_dispatch_release(uintptr_t object);
void ctelltale_dispatch_async(uintptr_t queue, bool barrier, void *_Nullable context,
                              void (*function)(void *_Nullable));
void ctelltale_dispatch_group_async(uintptr_t group, uintptr_t queue, void *_Nullable context,
                                    void (*function)(void *_Nullable));
void ctelltale_dispatch_sync(uintptr_t queue, void *_Nullable context,
                             void (*function)(void *_Nullable));
/// Cancels the work item whose block lies at `block`, which must be alive.
///
/// @return false where it can't be called.
bool ctelltale_dispatch_cancel_item(uintptr_t block);
uintptr_t ctelltale_dispatch_main_queue(void);
/// The global queue of a class, or 0.
uintptr_t ctelltale_dispatch_global_queue(uint32_t qos, bool overcommit);
/// The first word of every Swift task; 0 where there is no concurrency library.
uintptr_t ctelltale_dispatch_task_word(void);

#pragma clang assume_nonnull end
#endif
