//! The host's signals that the agent handles, forks, and the wake-up of the agent's thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CTelltaleDescriptors.h"

#pragma clang assume_nonnull begin

// MARK: Waking a thread

/// Makes the two ends of the agent's wake-up: a pair of sockets that carry empty packets. They have inodes
/// of their own, unlike an eventfd, and a thread that polls one end is told when the other is closed. Both
/// are closed on exec and don't block.
///
/// @return 0, or -1 with `errno` set.
int ctelltale_wake_make(int *reader, int *writer);

/// Wakes the thread that polls the other end, if `writer` is still ours. Async-signal-safe.
void ctelltale_wake_send(const CTelltaleDescriptor *writer);

/// Takes all wake-ups, if `reader` is still ours; consumes no byte if it isn't after all.
void ctelltale_wake_drain(const CTelltaleDescriptor *reader);

/// Sets the descriptor by which a signal handler wakes the agent's thread; -1 for none.
void ctelltale_wake_open(int writer);

/// Like `ctelltale_wake_open(-1)`, for a forked child, whatever another thread of the parent was just
/// doing.
void ctelltale_wake_forget(void);

/// Wakes the agent's thread from a signal handler.
void ctelltale_wake_agent(void);

/// Returns a descriptor that becomes readable when a name is removed from the directory at `path`, or the
/// directory itself (inotify).
///
/// @return -1 with `errno` set if that isn't supported.
int ctelltale_watch_directory(const char *path);

/// Takes all events of such a descriptor so far, if it is still ours.
///
/// @return false if that isn't known.
bool ctelltale_watch_drain(const CTelltaleDescriptor *watch);

// MARK: Handling signals

/// A delivered signal, as the handler received it.
typedef struct {
    int32_t signal;
    /// `si_code`: `SI_USER` for kill(2), `SI_QUEUE`, `SI_KERNEL`…
    int32_t code;
    int32_t sender_pid;
    uint32_t sender_uid;
    /// `CLOCK_MONOTONIC` in nanoseconds, at the time that the handler ran.
    uint64_t time;
} CTelltaleSignal;

/// The result of installing a handler.
typedef enum {
    CTelltaleSignalTaken = 0,
    /// `sigaction` failed; `errno` has the reason.
    CTelltaleSignalFailed = 1,
    /// The handler was installed earlier, and the host has installed its own handler over ours since.
    CTelltaleSignalReplaced = 2,
} CTelltaleSignalResult;

/// Installs the agent's handler over the process's action on `signal`, which is kept: a handler of the host
/// is still called, after ours, with its own mask and restart behaviour.
CTelltaleSignalResult ctelltale_signal_take(int signal);

/// Restores the action of `signal`. If the host has installed a handler over ours in the meantime, that one
/// is left alone. From then on our handler only passes signals on, since the host's handler may call it.
///
/// @return true if the action is again exactly as it was before `ctelltale_signal_take`.
bool ctelltale_signal_give_back(int signal);

/// Returns whether the kernel calls our handler for `signal` now.
bool ctelltale_signal_is_ours(int signal);

/// Returns the current handler of the process for `signal`; null for the default action or "ignore".
const void *_Nullable ctelltale_signal_current(int signal);

/// Returns whether the process currently ignores `signal`, as do the programs that it executes.
bool ctelltale_signal_is_ignored(int signal);

/// Takes the oldest recorded signal out of the ring.
///
/// @return false if there is none.
bool ctelltale_signal_next(CTelltaleSignal *out);

/// Takes the number of `signal`s that arrived while the ring was full; they are merged, not lost: the agent
/// handles them once.
uint32_t ctelltale_signal_overflow(int signal);

/// Records a signal as the handler would; used with a dispatch source instead of a handler.
void ctelltale_signal_record(int signal, int code, pid_t pid, uid_t uid);

// MARK: Forks

/// Registers the fork hook, once. In a forked child it restores the action of every signal, and closes and
/// forgets every descriptor that was given to `ctelltale_fork_closes`.
///
/// @return 0, or the error number of `pthread_atfork`.
int ctelltale_fork_hook(void);

/// Registers `descriptor` to be closed in forked children, if it is still ours then. At most 1024 are kept.
///
/// @return false if there is no capacity; the descriptor then stays open in the child.
bool ctelltale_fork_closes(const CTelltaleDescriptor *descriptor);

/// Begins a change: a descriptor is created and registered, or unregistered and closed. Until
/// `ctelltale_fork_end_change` a fork waits, for at most 20 ms (200 if the cores are busy), so that no
/// child gets a descriptor that it doesn't close. May itself wait as long for a fork.
void ctelltale_fork_begin_change(void);

/// Ends a change begun by `ctelltale_fork_begin_change`.
void ctelltale_fork_end_change(void);

/// Marks the calling thread as an agent thread at work: a fork waits, for at most 20 ms (200 if the cores
/// are busy), until the thread has called `ctelltale_fork_leave`, so that a child inherits no lock of the
/// Swift runtime that this thread holds. May itself wait as long for a fork.
void ctelltale_fork_enter(void);

/// Returns whether the calling thread has entered.
bool ctelltale_fork_is_inside(void);

/// Marks the calling thread as quiet: it waits in the kernel, or ends.
///
/// @return true if it was at work.
bool ctelltale_fork_leave(void);

/// Lets a fork proceed first, if one waits for this thread; usually a single load.
void ctelltale_fork_rest(void);

/// Removes `descriptor` from that list; must be called before it is closed here.
void ctelltale_fork_forgets(const CTelltaleDescriptor *descriptor);

/// Returns the number of forks between the process that first called `ctelltale_fork_hook` and this
/// one.
uint32_t ctelltale_fork_generation(void);

#pragma clang assume_nonnull end
