//! This process and its threads, as the C library and the kernel report them; and its sockets.
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

/// Returns the kernel's id of the calling thread.
int64_t ctelltale_thread_id(void);

/// Names the calling thread; the kernel keeps 15 bytes of the name.
void ctelltale_name_thread(const char *name);

/// Gives the calling thread the normal scheduling class and the kernel's usual timer slack. Both are inherited
/// from the thread that creates it, and the host's may be a real-time thread, or have a slack of seconds
/// (systemd's `TimerSlackNSec=`).
void ctelltale_thread_schedules_normally(void);

/// Lets threads that wake up preempt the calling thread at once (Linux 6.12), for as long as it `gives` its
/// core; its share of the core stays the same. Calls nest. Threads that it creates don't inherit this. If
/// the kernel doesn't support it, or the thread is not in the normal scheduling class, nothing changes.
void ctelltale_thread_gives_core(bool gives);

/// The same from now on; false if the kernel doesn't support it.
bool ctelltale_thread_gives_core_always(void);

/// Runs the calling thread's long work in time slices of 30 µs, for as long as it `gives` them: between two
/// slices, it yields its core to waiting threads. It gets at least half of the core, even if others want it
/// permanently. Calls nest. The agent's readings, scans and searches of memory check the slice.
void ctelltale_thread_gives_turns(bool gives);

/// Blocks every signal in the calling thread except those of a fault, SIGPROF, and those in `keep`, which
/// are unblocked: the creating thread may have had them blocked.
void ctelltale_mask_thread(const int *_Nullable keep, size_t count);

/// Lets a thread that is created with `attributes` start with that mask.
///
/// @return false if the C library doesn't support it (glibc before 2.32).
bool ctelltale_mask_new_thread(pthread_attr_t *attributes, const int *_Nullable keep, size_t count);

/// Blocks those signals in the calling thread too, so that a thread that it creates inherits the mask.
void ctelltale_block_for_new_thread(sigset_t *before);

/// Finds the shared object that contains `address`, and the name of the nearest exported symbol.
///
/// @return false if no loaded object contains it. The strings live as long as the object is loaded.
bool ctelltale_module_of(const void *address, const char *_Nullable *_Nonnull path,
                         const char *_Nullable *_Nonnull symbol);

/// Copies the build id of the executable (`.note.gnu.build-id`) into `buffer`.
///
/// @return its length in bytes; 0 if it has none.
size_t ctelltale_build_id(uint8_t *buffer, size_t capacity);

// MARK: Locks of streams

/// Returns the address of a stream's lock (`_IO_lock_t`).
uintptr_t ctelltale_stream_lock(FILE *stream);

/// The same for the stream of a descriptor (0, 1 or 2); 0 if there is none.
uintptr_t ctelltale_standard_lock(int descriptor);

// MARK: Process exit

/// Removes the socket at `path` when the process ends by `exit` or `quick_exit`, unless another file has
/// replaced it; NULL for none. A later call replaces the path. The exit of a forked child removes nothing.
///
/// If there is no memory for it, the file stays behind, as after a kill. For the agent's thread: it
/// allocates.
void ctelltale_exit_file_set(const char *_Nullable path);

/// Returns whether the process has begun to exit: files created from then on would be left behind.
bool ctelltale_is_exiting(void);

// MARK: The agent's own threads

/// Registers the start and the end of an agent thread.
void ctelltale_agent_thread_begins(int32_t id);
void ctelltale_agent_thread_ends(int32_t id);

/// Lets the calling thread, with this id, count as the host's until it is taken back.
///
/// @return true if it was the agent's.
bool ctelltale_agent_thread_lend(int32_t id);

/// Lets the thread count as the agent's again.
///
/// @return true if it was lent.
bool ctelltale_agent_thread_take_back(int32_t id);

/// Returns whether the thread is one of the agent's.
bool ctelltale_is_agent_thread(int32_t id);

/// Forgets all agent threads: in a forked child there are none. Async-signal-safe.
void ctelltale_agent_threads_forget(void);

// MARK: Kernel data about threads

/// Reads a thread's processor time, which stops exactly as long as the thread doesn't run.
bool ctelltale_thread_clock(int32_t id, uint64_t *out);

/// Reads the nanoseconds for which a thread could run and had no core; 0 if the kernel doesn't tell.
uint64_t ctelltale_thread_ready_time(int32_t thread);

/// Records the seccomp filters of the calling thread: under them the agent's start makes all calls that it
/// can't work without.
void ctelltale_filters_remember(void);

/// Returns whether the calling thread has got a further filter since, cached for 100 ms. Calls that were
/// not made at the start are then avoided, since the filter may end the process at one.
bool ctelltale_filters_have_grown(void);

/// Returns whether the calling thread has any seccomp filter, from before the start too.
bool ctelltale_filters_are_any(void);

/// The scheduling of a thread: the number of its switches and the time it last ran.
typedef struct {
    /// The number of times that the kernel gave it a core or took it away.
    uint64_t switches;
    /// The time it last ran, in microseconds of its core's scheduler clock; 0 if it isn't reported.
    uint64_t last_ran;
} CTelltaleSchedule;

/// Reads the scheduling of a thread of this process (`/proc/self/task/N/sched`; without that file only the
/// switches, from `status`).
///
/// @return false if the thread has ended, or the kernel has no data about it.
bool ctelltale_thread_schedule(int32_t thread, CTelltaleSchedule *out);

/// Returns the core that a thread of this process last ran on; -1 if that can't be read.
///
/// @param age Set to the age of the thread in seconds, in steps of the kernel's tick (10 ms); -1 if it
///   isn't reported.
int ctelltale_last_core(int32_t thread, double *_Nonnull age);

/// Binds the calling thread to a core permanently. That takes as long as a thread of a higher class keeps
/// the core to itself: to be called on a thread created for it.
///
/// @return false if this process may not use that core.
bool ctelltale_bind_to_core(int core);

/// Returns the scheduler clock of the calling thread's core, in microseconds. Each core has its own; time
/// that a hypervisor took is not included.
///
/// @return 0 if it is not available.
uint64_t ctelltale_scheduler_clock(void);

// MARK: Sockets

/// Reads the user and process at the other end of a connected Unix socket, as the kernel recorded them when
/// the connection was made (`SO_PEERCRED`).
///
/// @return 0, or -1 with `errno` set. `*pid` is 0 if the peer's pid namespace can't be seen.
int ctelltale_peer(int socket, uid_t *uid, pid_t *pid);

/// Opens a descriptor of another process, which becomes readable when that process has ended.
///
/// @return -1 with `errno` set.
int ctelltale_process_open(pid_t process);

/// Reads the `wait` status of a process that has ended and was reaped by its parent, if the kernel reports
/// it (Linux 6.15).
bool ctelltale_process_status(int descriptor, int *status);

/// Accepts the next connection of `listener`; it is closed on exec and doesn't block.
///
/// @return the descriptor, or -1 with `errno` set.
int ctelltale_accept(int listener);

/// Returns whether the program has more privileges than the user who started it: it is setuid or setgid, or
/// its file has capabilities (`AT_SECURE`). Its environment then comes from a user with fewer privileges.
bool ctelltale_is_privileged(void);

/// Writes the C library's message for an error number into `buffer`, terminated by a zero.
void ctelltale_error_text(int code, char *buffer, size_t capacity);

/// The number of sockets of this process through which data may arrive.
typedef struct {
    /// Sockets that wait for connections.
    uint32_t listening;
    /// Sockets that may receive an answer to the last sent data, and sockets that aren't streams.
    uint32_t expecting;
    /// Connections that are kept open, on which the peer has sent last.
    uint32_t resting;
} CTelltaleSockets;

/// Counts them, without the agent's own, whose path is `own_path`.
///
/// @return false if the descriptors can't be listed.
bool ctelltale_sockets(const char *own_path, CTelltaleSockets *out);

// MARK: Debuggers

/// Called with each dump. When a debugger stops here, the agent has finished its capture and listed every
/// registered object. The only name here that a user types.
void telltale_breakpoint(void);

#pragma clang assume_nonnull end
