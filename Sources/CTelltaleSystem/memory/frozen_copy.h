//! A snapshot, in memory shared by the agent and the copy, and the system calls by which they wait for each
//! other. Private to frozen_copy.c, copy_process.c, copies_left.c and the two files of trials.
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

// The state of the exchange between agent and copy; the futex word that both wait on.
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
    // A copy never changes: its chunks are valid for its whole life.
    MemoryReader reader;
    uint8_t room[ROOM] __attribute__((aligned(4096)));
};

// The first steps of a new process of the agent: it ends with its parent, has a name of its own, writes no
// core, and isn't stopped with the host's process group. False if the parent has already ended.
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
    // A SIGSTOP for the host's process group would stop it, and the host would get a SIGCHLD for that.
    raw(SYS_setsid, 0, 0, 0, 0, 0, 0);
    return true;
}

/// Returns whether a new process would be in another namespace than this one (after unshare(CLONE_NEWPID)):
/// it might be the first one there, and the namespace would end with it.
bool ctelltale_copy_would_be_elsewhere(void);

/// Makes the process that runs ``copy_process.c``.
///
/// @return its id, or a negative error number.
long ctelltale_copy_process_make(struct CTelltaleCopy *copy);

/// Returns whether the process has ended, and reaps it.
bool ctelltale_copy_is_gone(pid_t process);

/// Records the process in a free slot, to be reaped later; false without a free slot.
bool ctelltale_copy_is_kept(pid_t process);
