//! Signals of the host that the agent takes, forks, and what wakes its thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CTelltaleDescriptors.h"

#pragma clang assume_nonnull begin

// MARK: Waking a thread

/// Makes the two ends of the agent's wake-up: a pair of sockets that carry packets without a byte.
/// They have inodes of their own, unlike an eventfd, and a thread that polls one end is told when
/// the other is closed. Both are closed on exec and don't block.
///
/// @return 0, or -1 with `errno` set.
int ctelltale_wake_make(int *reader, int *writer);

/// Wakes the thread that polls the other end, if `writer` is still ours. Async-signal-safe.
void ctelltale_wake_send(const CTelltaleDescriptor *writer);

/// Takes all wake-ups, if `reader` is still ours; not a byte of anything if it isn't after all.
void ctelltale_wake_drain(const CTelltaleDescriptor *reader);

/// Says by which descriptor a signal handler wakes the agent's thread; -1 for none.
void ctelltale_wake_open(int writer);

/// As `ctelltale_wake_open(-1)`, in a forked child, whatever another thread of the parent was just doing.
void ctelltale_wake_forget(void);

/// Wakes the agent's thread from a signal handler.
void ctelltale_wake_agent(void);

/// A descriptor that can be read as soon as a name has been taken out of the directory at `path`, or
/// the directory itself is gone (inotify).
///
/// @return -1 with `errno` set if there is no such thing.
int ctelltale_watch_directory(const char *path);

/// Takes all events of such a descriptor so far, if it is still ours.
///
/// @return false if that isn't known.
bool ctelltale_watch_drain(const CTelltaleDescriptor *watch);

// MARK: Taking signals

/// A delivered signal, as the handler saw it.
typedef struct {
    int32_t signal;
    /// `si_code`: `SI_USER` for kill(2), `SI_QUEUE`, `SI_KERNEL`…
    int32_t code;
    int32_t sender_pid;
    uint32_t sender_uid;
    /// `CLOCK_MONOTONIC`, nanoseconds, when the handler ran.
    uint64_t time;
} CTelltaleSignal;

/// The result of taking a signal.
typedef enum {
    CTelltaleSignalTaken = 0,
    /// `sigaction` failed; `errno` says why.
    CTelltaleSignalFailed = 1,
    /// It was taken earlier, and the host has installed its own handler over ours since.
    CTelltaleSignalReplaced = 2,
} CTelltaleSignalResult;

/// Puts the agent's handler over the process's action on `signal`, which is kept: a handler of the
/// host is still called, after ours, with its own mask and restart behaviour.
CTelltaleSignalResult ctelltale_signal_take(int signal);

/// Restores the action of `signal`. If the host has installed a handler over ours meanwhile, that
/// one is left alone and ours only passes signals on from now on, since theirs may call it.
///
/// @return true if the action is again exactly as it was before `ctelltale_signal_take`.
bool ctelltale_signal_give_back(int signal);

/// Returns whether the kernel calls our handler for `signal` now.
bool ctelltale_signal_is_ours(int signal);

/// The handler that the process has for `signal` now; null for the default action or "ignore".
const void *_Nullable ctelltale_signal_current(int signal);

/// Returns whether the process ignores `signal` now, as do the programs that it executes.
bool ctelltale_signal_is_ignored(int signal);

/// Takes the oldest recorded signal out of the ring.
///
/// @return false when there is none.
bool ctelltale_signal_next(CTelltaleSignal *out);

/// Takes the number of `signal`s that came while the ring was full; they are merged, not lost: the
/// agent answers for them once.
uint32_t ctelltale_signal_overflow(int signal);

/// Records a signal as the handler would; for a dispatch source used in its place.
void ctelltale_signal_record(int signal, int code, pid_t pid, uid_t uid);

// MARK: Forks

/// Registers the fork hook, once. In a forked child it gives every signal back, and closes and
/// forgets every descriptor that was given to `ctelltale_fork_closes`.
///
/// @return 0, or the error number of `pthread_atfork`.
int ctelltale_fork_hook(void);

/// Has `descriptor` closed in forked children, where it still is ours then. At most 1024 are kept.
///
/// @return false if there is no room; the descriptor then stays open in the child.
bool ctelltale_fork_closes(const CTelltaleDescriptor *descriptor);

/// Begins to make a descriptor and to put it on the list, or to take one off and to close it: until
/// `ctelltale_fork_end_change` a fork waits, for at most 20 ms (200 where the cores are busy), so
/// that no child gets a descriptor it doesn't close. May itself wait as long for a fork.
void ctelltale_fork_begin_change(void);

/// Ends a change begun by `ctelltale_fork_begin_change`.
void ctelltale_fork_end_change(void);

/// Says that the calling thread is the agent's and at work: a fork waits, for at most 20 ms (200 where
/// the cores are busy), until it has called `ctelltale_fork_leave`, so that a child inherits no lock of
/// the Swift runtime that this thread holds. May itself wait as long for a fork.
void ctelltale_fork_enter(void);

/// Returns whether the calling thread has entered.
bool ctelltale_fork_is_inside(void);

/// Says that the calling thread is quiet: it waits in the kernel, or ends.
///
/// @return whether it was at work.
bool ctelltale_fork_leave(void);

/// Lets a fork go first, if one waits for this thread: one load as a rule.
void ctelltale_fork_rest(void);

/// Takes `descriptor` off that list; to be called before it is closed here.
void ctelltale_fork_forgets(const CTelltaleDescriptor *descriptor);

/// Returns the number of forks between the process that first called `ctelltale_fork_hook` and this
/// one.
uint32_t ctelltale_fork_generation(void);

#pragma clang assume_nonnull end
