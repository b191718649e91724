//! A frozen copy, as the agent and the copy share it, and the system calls by which they wait for each other.
//! Private to frozen_copy.c, copy_process.c and copies_left.c.
#pragma once

#include "CTelltaleSystem.h"
#include "process/raw.h"

#define IN_THE_COPY UNINSTRUMENTED

#define GRANULE ((size_t)4096)
#define ROOM ((size_t)64 << 10)
#define LINES 256

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
    // A copy never changes: its memory read so far is cached, in chunks of 4 KiB.
    uintptr_t pieces[LINES];
    uint8_t room[ROOM] __attribute__((aligned(4096)));
    uint8_t lines[LINES][GRANULE];
};

/// Makes the process, in which the whole of ``copy_process.c`` then runs.
///
/// @return its id, or an error number, negative.
long ctelltale_copy_process_make(struct CTelltaleCopy *copy);

/// Returns whether a process made now would be in another pid namespace than this one.
bool ctelltale_copy_would_be_elsewhere(void);

/// Returns whether it has ended, and reaps it.
bool ctelltale_copy_is_gone(pid_t process);

/// Returns whether a slot is free to await its end later.
bool ctelltale_copy_is_kept(pid_t process);
