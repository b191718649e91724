//! A frozen copy, as the agent and the copy share it, and the system calls by which they wait for each other.
//! Private to frozen_copy.c, copy_process.c, copies_left.c and the two files of trials.
#pragma once

#include "CTelltaleSystem.h"
#include "memory/reader.h"
#include "process/raw.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define IN_THE_COPY UNINSTRUMENTED

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define UNSHARE_DESCRIPTORS 2u

#define GRANULE ((size_t)4096)
#define ROOM ((size_t)64 << 10)

// The state of the exchange between agent and copy; the word that both wait on.
enum { Idle, Requested, Answered, Ended };

struct CTelltaleCopy {
    _Atomic uint32_t turn;
    // A request, and its result.
    uintptr_t address;
    uint32_t size;
    int32_t error;

    pid_t process;
    pid_t parent;
    uint64_t deadline;
    bool is_served;
    int lost;
    // A copy never changes: its chunks are valid as long as it is.
    MemoryReader reader;
    uint8_t room[ROOM] __attribute__((aligned(4096)));
};

// A new process of the agent's, before anything else: it goes with its parent, is not taken for the host,
// leaves no core, and isn't stopped with the host's group. False where the parent has gone already.
IN_THE_COPY static inline __attribute__((always_inline)) bool copy_settles(pid_t parent) {
    raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (raw(SYS_getppid, 0, 0, 0, 0, 0, 0) != parent) return false;
    char name[16] = {'t', 'e', 'l', 'l', 't', 'a', 'l', 'e', '-', 'c', 'o', 'p', 'y', 0};
    raw(SYS_prctl, PR_SET_NAME, (long)name, 0, 0, 0, 0);
    // Its core dump is useless: a limit of 1 stops a core_pattern that is a pipe, which ignores 0.
    struct rlimit core;
    if (raw(SYS_prlimit64, 0, RLIMIT_CORE, 0, (long)&core, 0, 0) == 0) {
        core.rlim_cur = core.rlim_max < 1 ? 0 : 1;
        raw(SYS_prlimit64, 0, RLIMIT_CORE, (long)&core, 0, 0, 0);
    }
    // A SIGSTOP for the host's group would stop it, and the host be told so by SIGCHLD.
    raw(SYS_setsid, 0, 0, 0, 0, 0, 0);
    return true;
}

/// Returns whether a new process would be in another namespace than this one (after unshare(CLONE_NEWPID)):
/// there it might be the first, with which the namespace ends.
bool ctelltale_copy_would_be_elsewhere(void);

/// Makes the process, in which the whole of ``copy_process.c`` then runs.
///
/// @return its id, or an error number, negative.
long ctelltale_copy_process_make(struct CTelltaleCopy *copy);

/// Returns whether it has ended, and reaps it.
bool ctelltale_copy_is_gone(pid_t process);

/// Returns whether a slot is free to await its end later.
bool ctelltale_copy_is_kept(pid_t process);
