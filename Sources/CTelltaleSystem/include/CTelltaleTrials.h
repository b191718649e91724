//! Trials: host code that runs in a copy of the process before it runs in the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTelltaleStacks.h"

#pragma clang assume_nonnull begin

typedef struct CTelltaleTrial CTelltaleTrial;

/// The end of a trial.
typedef enum {
    /// The code returned.
    CTelltaleTrialReturned = 0,
    /// A fault, a trap or an abort ended the trial.
    CTelltaleTrialSignalled = 1,
    /// The code made a system call that would be visible outside of the copy; the trial was ended before
    /// the call.
    CTelltaleTrialOutside = 2,
    /// The code has been waiting.
    CTelltaleTrialWaits = 3,
    /// The code was still running at the deadline.
    CTelltaleTrialRuns = 4,
    /// The code could not be run, or another process ended the copy.
    CTelltaleTrialLost = 5,
} CTelltaleTrialEnding;

typedef struct {
    CTelltaleTrialEnding ending;
    /// The signal that ended the trial; 0 for none.
    int32_t signal;
    /// The system call that was refused; -1 for none.
    int64_t call;
    /// True if the code waits for a lock that its own thread holds.
    bool waits_for_itself;
    /// The number of frames of the stack at the end of the trial.
    size_t frame_count;
} CTelltaleTrialEnd;

/// Copies the process and runs `body` there, in a copy of the calling thread; returns at once. The copy has
/// that thread's thread-local storage, its locks and its queue. It has no other thread and no descriptor
/// but /dev/null. A system call that is visible outside of the copy ends the trial, or fails with EPERM if
/// `goes_on` is set. The host gets no SIGCHLD.
///
/// @return 0, or an error number. After 0, `ctelltale_trial_free` must be called.
int ctelltale_trial_begin(void (*body)(void *_Nullable), void *_Nullable context, bool goes_on,
                          CTelltaleTrial *_Nullable *_Nonnull out);

/// Waits for the end of a trial, at most until `deadline` (`CLOCK_MONOTONIC`, nanoseconds), or until the
/// code has been waiting for 60 ms; then ends the trial. Must be called once, on any thread.
///
/// @param images The loaded images, for the frames; null for no frames.
void ctelltale_trial_await(CTelltaleTrial *trial, uint64_t deadline,
                           const CTelltaleImages *_Nullable images, CTelltaleTrialEnd *out,
                           CTelltaleFrame *frames, size_t capacity);

/// Ends the trial if it hasn't ended, and frees it.
void ctelltale_trial_free(CTelltaleTrial *trial);

#pragma clang assume_nonnull end
