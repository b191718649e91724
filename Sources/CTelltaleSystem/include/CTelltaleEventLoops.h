//! Descriptors that event loops wait on, as the kernel shows them: examined, and never read from, written
//! to or kept. The host may close and reuse their numbers at any moment. Facts about a number may then be
//! those of its successor, which is harmless.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    CTelltaleOther = 0,
    CTelltaleEpoll,
    /// io_uring.
    CTelltaleRing,
    CTelltaleEventCounter,
    CTelltaleTimer,
    CTelltaleSignals,
    CTelltaleSocket,
    /// A socket that takes connections.
    CTelltaleListener,
    CTelltalePipe,
} CTelltaleDescriptorKind;

/// A descriptor that combines the events of others: an epoll, or an io_uring.
typedef struct {
    int32_t number;
    CTelltaleDescriptorKind kind;
} CTelltaleLoopDescriptor;

/// Lists those of the process, ascending as the kernel lists them. Takes 1 us for each open descriptor.
///
/// @param open The number of open descriptors, as far as they were examined.
/// @param deadline `CLOCK_MONOTONIC`, nanoseconds: descriptors that are not examined by then are left out.
/// @return the number written; -1 if the descriptors can't be listed.
int ctelltale_loop_descriptors(CTelltaleLoopDescriptor *out, size_t capacity, size_t *open,
                               uint64_t deadline);

/// A descriptor that an epoll watches.
typedef struct {
    int32_t number;
    /// The requested events, as given to `epoll_ctl`.
    uint32_t events;
    /// The loop's own value for it.
    uint64_t data;
    /// The inode of the watched file; the number may lead to another file by now. All eventfds,
    /// timers and the like share one.
    uint64_t inode;
} CTelltaleMember;

/// Reads the members of an epoll from `/proc`: 4 us, and 12 ms for 10,000 (measured), during which the
/// epoll is locked.
///
/// @param total The number of members; -1 if there are more than were counted.
/// @return the number written; -1 if the descriptor is not (or no longer) an epoll, or can't be read.
int ctelltale_epoll_members(int epoll, CTelltaleMember *out, size_t capacity, int64_t *total);

/// Counts the timers of `timer_create` whose value may be a pointer (`sival_ptr`), without the agent's own.
/// The kernel lists them if it was built for checkpoints (`CONFIG_CHECKPOINT_RESTORE`).
///
/// @return the number among the first 40 or so; -1 if they aren't listed.
int ctelltale_process_timers(void);

/// Pointers that a search of the process's memory does not meet.
typedef struct {
    /// The contexts of `io_setup`, whose requests have a pointer each (`aio_data`).
    uint32_t async_contexts;
    /// The bytes in memory (not swapped out) of private anonymous mappings without access, each of 64 MiB at
    /// most; 0 under a seccomp filter that was installed after the agent's start.
    uint64_t unreadable_bytes;
} CTelltaleHiddenRoots;

/// Looks for such pointers in the list of mappings: 0.3 ms for 1,000 of them.
///
/// @return 0, or the error number of the list, of which a part may have been looked at.
int ctelltale_hidden_roots(CTelltaleHiddenRoots *out);

/// As for `poll`: the requested `events`, and the answer in `revents`.
typedef struct {
    int32_t number;
    int16_t events;
    int16_t revents;
} CTelltalePolled;

/// Checks which descriptors are ready, without waiting: 0.3 us each. It consumes nothing: a ready
/// descriptor stays ready for its waiter (300,000 rounds against two hammering threads lost no event).
///
/// @return the number of ready ones; -1 with `errno` set.
int ctelltale_poll_now(CTelltalePolled *polled, size_t count);

/// The state of a descriptor, found without reading from it.
typedef struct {
    CTelltaleDescriptorKind kind;
    uint64_t inode;
    /// The unread amount: the count of an eventfd, the expirations of a timer, bytes of a socket or
    /// a pipe, pending connections; -1 if it isn't reported.
    int64_t unread;
    /// The kernel's own number of an eventfd; -1 without one (before Linux 5.2).
    int64_t serial;
} CTelltaleDescriptorFacts;

/// @return false if there is no such descriptor.
bool ctelltale_descriptor_facts(int number, CTelltaleDescriptorFacts *out);

/// Event bits of `epoll_ctl` and of `poll`; the same in both.
enum {
    CTelltaleReadable = 0x1,
    CTelltaleUrgent = 0x2,
    CTelltaleWritable = 0x4,
    CTelltaleBroken = 0x8,
    CTelltaleHungUp = 0x10,
    CTelltaleGone = 0x20,
};
/// Edge-triggered: only changes are reported, and not the present state.
#define CTELLTALE_EDGE_TRIGGERED (UINT32_C(1) << 31)
/// Reported once, and then not again until it is re-armed.
#define CTELLTALE_ONE_SHOT (UINT32_C(1) << 30)

#pragma clang assume_nonnull end
