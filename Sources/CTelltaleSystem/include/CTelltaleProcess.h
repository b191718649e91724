//! This process and its threads, as the C library and the kernel tell of them; and its sockets.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

// MARK: Threads

/// The kernel's id of the calling thread.
int64_t ctelltale_thread_id(void);

/// Names the calling thread; the kernel keeps 15 bytes of it.
void ctelltale_name_thread(const char *name);

/// Has threads that wake up have the calling thread's core at once (Linux 6.12), for as long as it `gives` it;
/// its share of the core stays the same. Calls nest. What the thread makes has none of it. Where the
/// kernel has no such thing, or the thread is not of the usual class, nothing changes.
void ctelltale_thread_gives_core(bool gives);

/// The same from now on; false if the kernel lacks it.
bool ctelltale_thread_gives_core_always(void);

/// Has the calling thread's long work run in time slices of 30 µs, for as long as it `gives` them:
/// between two, it yields its core to waiting threads. It gets at least half of the core, even if
/// others want it permanently. Calls nest. The agent's readings, scans and searches of memory check
/// the slice.
void ctelltale_thread_gives_turns(bool gives);

/// Blocks every signal in the calling thread but those of a fault and SIGPROF, and those in `keep`,
/// which are unblocked: the thread may have been created by one that had them blocked.
void ctelltale_mask_thread(const int *_Nullable keep, size_t count);

/// Has a thread that is made with `attributes` begin with that mask.
///
/// @return false if the C library can't (glibc before 2.32).
bool ctelltale_mask_new_thread(pthread_attr_t *attributes, const int *_Nullable keep, size_t count);

/// Blocks those signals in the calling thread too, so that a thread that it makes inherits that.
void ctelltale_block_for_new_thread(sigset_t *before);

/// The shared object that holds `address`, and the name of the nearest exported symbol.
///
/// @return false if no loaded object holds it. The strings live as long as the object is loaded.
bool ctelltale_module_of(const void *address, const char *_Nullable *_Nonnull path,
                         const char *_Nullable *_Nonnull symbol);

/// The build id of the executable (`.note.gnu.build-id`), copied into `buffer`.
///
/// @return its length in bytes; 0 if it has none.
size_t ctelltale_build_id(uint8_t *buffer, size_t capacity);

// MARK: Locks of streams

/// The address of a stream's lock (`_IO_lock_t`).
uintptr_t ctelltale_stream_lock(FILE *stream);

/// The same of the stream for a descriptor: 0, 1 or 2; 0 where there is none.
uintptr_t ctelltale_standard_lock(int descriptor);

// MARK: Its end

/// Has the socket at `path` removed when the process ends by `exit` or `quick_exit`, unless another file
/// has come into its place; NULL for none. It takes the place of the one before. A forked child's end
/// removes nothing.
///
/// Without memory for it the file stays behind, as after a kill. For the agent's thread: it allocates.
void ctelltale_exit_file_set(const char *_Nullable path);

/// Returns whether the process has begun to exit: anything made from then on would be left behind.
bool ctelltale_is_exiting(void);

// MARK: The agent's own threads

/// Says that a thread of the agent's begins, and that it ends.
void ctelltale_agent_thread_begins(int32_t id);
void ctelltale_agent_thread_ends(int32_t id);

/// Has the calling thread, whose id that is, count as the host's until it is taken back.
///
/// @return whether it was the agent's.
bool ctelltale_agent_thread_lend(int32_t id);

/// Has it count as the agent's again.
///
/// @return whether it was lent.
bool ctelltale_agent_thread_take_back(int32_t id);

/// Returns whether the thread is one of the agent's.
bool ctelltale_is_agent_thread(int32_t id);

/// Forgets them all: in a forked child there are none. Async-signal-safe.
void ctelltale_agent_threads_forget(void);

// MARK: What the kernel says of a thread

/// A thread's processor time, which stops exactly as long as it doesn't run.
bool ctelltale_thread_clock(int32_t id, uint64_t *out);

/// Remembers the seccomp filters that the calling thread has: the agent's start makes under them all calls
/// without which it can't work.
void ctelltale_filters_remember(void);

/// Returns whether the calling thread has got a further one since, as it was within the last 100 ms. Calls that
/// were not made at the start are left out then, since it may end the process at one.
bool ctelltale_filters_have_grown(void);

/// The scheduling of a thread: how often and when it has run.
typedef struct {
    /// The number of times that the kernel gave it a core or took it away.
    uint64_t switches;
    /// The time it last ran, in microseconds of its core's scheduler clock; 0 if it isn't reported.
    uint64_t last_ran;
} CTelltaleSchedule;

/// Reads them of a thread of this process (`/proc/self/task/N/sched`; without that file only the
/// switches, from `status`).
///
/// @return false if the thread has ended, or the kernel says nothing of it.
bool ctelltale_thread_schedule(int32_t thread, CTelltaleSchedule *out);

/// The core that a thread of this process ran on last; -1 if that can't be read.
///
/// @param age Set to how long ago the thread began, in seconds, in steps of the kernel's tick (10 ms); -1
///   where that isn't said.
int ctelltale_last_core(int32_t thread, double *_Nonnull age);

/// Binds the calling thread to a core for good. That takes as long as a thread of a higher class keeps the
/// core to itself: to be called on a thread made for it.
///
/// @return false if this process may not use that core.
bool ctelltale_bind_to_core(int core);

/// Returns the scheduler clock of the calling thread's core, in microseconds. Each core has its
/// own: time that a hypervisor took is not in it.
///
/// @return 0 if it is not available.
uint64_t ctelltale_scheduler_clock(void);

// MARK: Sockets

/// The user and process at the other end of a connected Unix socket, as the kernel recorded them
/// when the connection was made (`SO_PEERCRED`).
///
/// @return 0, or -1 with `errno` set. `*pid` is 0 if the peer's pid namespace can't be seen.
int ctelltale_peer(int socket, uid_t *uid, pid_t *pid);

/// A descriptor of another process, which can be read from once that has ended.
///
/// @return -1 with `errno` set.
int ctelltale_process_open(pid_t process);

/// The status of `wait` of a process that has ended and was taken by its parent, where the kernel tells it
/// (Linux 6.15).
bool ctelltale_process_status(int descriptor, int *status);

/// Takes the next connection of `listener`; it is closed on exec and doesn't block.
///
/// @return the descriptor, or -1 with `errno` set.
int ctelltale_accept(int listener);

/// Returns whether the program has more rights than the user who started it: it is setuid or
/// setgid, or its file has capabilities (`AT_SECURE`). Its environment then comes from a user with
/// fewer rights.
bool ctelltale_is_privileged(void);

/// Writes the C library's words for an error number into `buffer`, closed by a zero.
void ctelltale_error_text(int code, char *buffer, size_t capacity);

/// The number of sockets of this process through which data may arrive.
typedef struct {
    /// They wait for connections.
    uint32_t listening;
    /// An answer to the last sent data may come; and sockets that aren't streams.
    uint32_t expecting;
    /// Connections that are kept open, on which the other side has sent last.
    uint32_t resting;
} CTelltaleSockets;

/// Counts them, without the agent's own, whose path is `own_path`.
///
/// @return false if the descriptors can't be listed.
bool ctelltale_sockets(const char *own_path, CTelltaleSockets *out);

// MARK: Debuggers

/// Called with each dump: a debugger that is stopped here has the agent's capture done and every
/// registered object listed. The only name here that a user types.
void telltale_breakpoint(void);

#pragma clang assume_nonnull end
