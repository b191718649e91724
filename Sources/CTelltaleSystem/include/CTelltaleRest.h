//! For how long a thread hasn't run, and whether anything from outside may still come.
#ifndef CTELLTALE_REST_H
#define CTELLTALE_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How often and when a thread has run.
typedef struct {
    /// How often the kernel gave it a core or took it away.
    uint64_t switches;
    /// When it last ran, in microseconds of its core's scheduler clock; 0 where that isn't said.
    uint64_t last_ran;
} CTelltaleRest;

/// Reads them of a thread of this process (`/proc/self/task/N/sched`; without that file only the
/// switches, from `status`).
///
/// @return false where the thread has ended, or the kernel says nothing of it.
bool ctelltale_rest(int32_t thread, CTelltaleRest *out);

/// The core that a thread of this process ran on last; -1 where that can't be read.
int ctelltale_last_core(int32_t thread);

/// Binds the calling thread to a core for good. That takes as long as a thread of a higher class keeps the
/// core to itself: to be called on a thread made for it.
///
/// @return false where this process may not use that core.
bool ctelltale_scheduler_go(int core);

/// What the scheduler clock of the calling thread's core shows now, in microseconds. Each core has one of
/// its own: time that a hypervisor took is not in it.
///
/// @return 0 where it can't be had.
uint64_t ctelltale_scheduler_clock(void);

// MARK: Sockets (sockets.c)

/// How many sockets of this process may bring something.
typedef struct {
    /// They wait for connections.
    uint32_t listening;
    /// An answer may come to what was sent last; and those that aren't streams.
    uint32_t expecting;
    /// Connections that are kept open, on which the other side has sent last.
    uint32_t resting;
} CTelltaleSockets;

/// Counts them, without the agent's own, whose path is `own_path`.
///
/// @return false where the descriptors can't be listed.
bool ctelltale_sockets(const char *own_path, CTelltaleSockets *out);

#pragma clang assume_nonnull end
#endif
