//! A trial, in memory shared by the agent and the copy of the process. Private to trial.c and
//! trial_process.c.
#pragma once

#include "CTelltaleSystem.h"
#include "memory/frozen_copy.h"
#include "unwind/registers.h"

#define TRIAL_STACK ((size_t)64 << 10)

// The phase of the trial; the futex word that the agent waits on.
enum { TrialRunning, TrialReturned, TrialEnded };

struct CTelltaleTrial {
    _Atomic uint32_t phase;
    void (*body)(void *);
    void *context;
    bool goes_on;
    pid_t parent, thread, process;
    // The signal, and the system call of a SIGSYS, as the copy's signal handler recorded them.
    int32_t signal;
    int64_t call;
    struct registers registers;
    uintptr_t low;
    _Atomic size_t size;
    uint8_t stack[TRIAL_STACK] __attribute__((aligned(16)));
    uint8_t handler_stack[(size_t)32 << 10] __attribute__((aligned(16)));
};

/// Makes the process that runs trial_process.c.
///
/// @return its id, or a negative error number.
long ctelltale_trial_process_make(struct CTelltaleTrial *trial);
