//! Host code that is run in a copy of the process before it runs in the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTelltaleStacks.h"

#pragma clang assume_nonnull begin

typedef struct CTelltaleTrial CTelltaleTrial;

/// How a trial has ended.
typedef enum {
    /// The code came back.
    CTelltaleTrialReturned = 0,
    /// A fault, a trap or an abort ended it.
    CTelltaleTrialSignalled = 1,
    /// It asked the kernel for something that would be seen outside of the copy, and was ended before that.
    CTelltaleTrialOutside = 2,
    /// It has been waiting for something.
    CTelltaleTrialWaits = 3,
    /// It was still running at the end of its time.
    CTelltaleTrialRuns = 4,
    /// It could not be run, or was ended by another.
    CTelltaleTrialLost = 5,
} CTelltaleTrialEnding;

typedef struct {
    CTelltaleTrialEnding ending;
    /// The signal that ended it; 0 for none.
    int32_t signal;
    /// The system call that was refused; -1 for none.
    int64_t call;
    /// Whether it waits for a lock that its own thread holds.
    bool waits_for_itself;
    /// Where it was when it ended.
    size_t frame_count;
} CTelltaleTrialEnd;

/// Copies the process and runs `body` there, by a copy of the calling thread, which goes on at once: the
/// copy has its thread-local storage, its locks and its queue. It has no other thread, no descriptor but
/// /dev/null, and no call of the kernel's that is seen outside of it: such a call ends the trial, or fails with
/// EPERM where it `goes_on`. The host gets no SIGCHLD.
///
/// @return 0, or an error number. After 0, `ctelltale_trial_free` is owed.
int ctelltale_trial_begin(void (*body)(void *_Nullable), void *_Nullable context, bool goes_on,
                          CTelltaleTrial *_Nullable *_Nonnull out);

/// Waits for its end, at most until `deadline` (`CLOCK_MONOTONIC`, nanoseconds), and not for what has been
/// waiting for 60 ms; ends it then. To be called once, on any thread.
///
/// @param images What is loaded, for the frames; null for none.
void ctelltale_trial_await(CTelltaleTrial *trial, uint64_t deadline,
                           const CTelltaleImages *_Nullable images, CTelltaleTrialEnd *out,
                           CTelltaleFrame *frames, size_t capacity);

/// Ends it where it hasn't ended.
void ctelltale_trial_free(CTelltaleTrial *trial);

#pragma clang assume_nonnull end
