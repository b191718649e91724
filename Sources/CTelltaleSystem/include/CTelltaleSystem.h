//! What Swift can't say for the agent: a signal handler that allocates nothing, the kernel's word
//! on who is at the other end of a socket, reads of memory that can't fault, and what has to be
//! done in a forked child. Every symbol begins with `ctelltale_`.
#ifndef CTELLTALE_SYSTEM_H
#define CTELLTALE_SYSTEM_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CTelltaleDescriptors.h"
#include "CTelltaleDispatch.h"
#include "CTelltaleImages.h"
#include "CTelltaleRest.h"
#include "CTelltaleScan.h"
#include "CTelltaleStacks.h"
#include "CTelltaleSymbols.h"
#include "CTelltaleTasks.h"

#pragma clang assume_nonnull begin

// MARK: References (references.c)

/// Keeps the memory of a living Swift object, and nothing else of it, until it is let go.
void ctelltale_object_hold(uintptr_t object);

/// Ends what `ctelltale_object_hold` began. Runs no code of the object's.
void ctelltale_object_let_go(uintptr_t object);

/// Whether the `deinit` of an object that is held has not begun.
bool ctelltale_object_is_alive(uintptr_t object);

/// Adds a strong reference to an object that is held.
///
/// @return false, and nothing is added, where its `deinit` has begun.
bool ctelltale_object_retain(uintptr_t object);

// MARK: Sockets (peer.c)

/// The user and process at the other end of a connected Unix socket, as the kernel recorded them
/// when the connection was made (`SO_PEERCRED`).
///
/// @return 0, or -1 with `errno` set. `*pid` is 0 where the peer's pid namespace can't be seen.
int ctelltale_peer(int socket, uid_t *uid, pid_t *pid);

/// Takes the next connection of `listener`; it is closed on exec and doesn't block.
///
/// @return the descriptor, or -1 with `errno` set.
int ctelltale_accept(int listener);

/// Whether the program has rights that who started it has not: it is setuid or setgid, or its file has
/// capabilities (`AT_SECURE`). What it is told by its environment then comes from somebody with fewer rights.
bool ctelltale_is_privileged(void);

/// Writes the C library's words for an error number into `buffer`, closed by a zero.
void ctelltale_error_text(int code, char *buffer, size_t capacity);

// MARK: Guarded memory (memory.c)

/// Copies `size` bytes at `address` of this process into `buffer`; a bad address is an error and
/// never a fault. `process_vm_readv` (1.9 us for 64 bytes, measured), else `/proc/thread-self/mem`.
///
/// @return true if all bytes were copied. Async-signal-safe.
bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size);

/// Whether the process could have `size` more bytes of memory now: what Swift can't allocate ends the
/// process, so that work with much memory in it asks before. 2 us.
bool ctelltale_has_room(size_t size);

/// Whether a thread could be given a heap of its own now: glibc reserves 128 MiB of address space for it,
/// and where it can't, as under `ulimit -v`, each piece that the thread allocates is a mapping by itself,
/// until there is none left and the process ends. 2 us.
bool ctelltale_heap_can_begin(void);

/// Whether the calling thread has a heap to allocate from, which it has from then on. 0.2 us.
bool ctelltale_thread_has_heap(void);

// MARK: Threads (thread.c)

/// The kernel's id of the calling thread.
int64_t ctelltale_thread_id(void);

/// Names the calling thread; the kernel keeps 15 bytes of it.
void ctelltale_name_thread(const char *name);

/// Blocks every signal in the calling thread but those of a fault and SIGPROF, and those in `keep`,
/// which are unblocked: the thread may have been created by one that had them blocked.
void ctelltale_mask_thread(const int *_Nullable keep, size_t count);

/// Has a thread that is made with `attributes` begin with that mask.
///
/// @return false where the C library can't (glibc before 2.32).
bool ctelltale_mask_new_thread(pthread_attr_t *attributes, const int *_Nullable keep, size_t count);

/// Blocks those signals in the calling thread too, so that a thread that it makes inherits that.
void ctelltale_block_for_new_thread(sigset_t *before);

/// The shared object that holds `address`, and the name of the nearest exported symbol.
///
/// @return false where no loaded object holds it. The strings live as long as the object is loaded.
bool ctelltale_module_of(const void *address, const char *_Nullable *_Nonnull path,
                         const char *_Nullable *_Nonnull symbol);

/// The build id of the executable (`.note.gnu.build-id`), copied into `buffer`.
///
/// @return its length in bytes; 0 where it has none.
size_t ctelltale_build_id(uint8_t *buffer, size_t capacity);

// What follows is compiled where the agent is. It is declared everywhere, since Swift's importer
// reads this header without the target's own defines.

// MARK: Waking a thread (wake.c)

/// Makes the two ends of what wakes the agent's thread: a pair of sockets that carry packets without a
/// byte. They have inodes of their own, unlike an eventfd, and who polls one end is told when the other
/// is closed. Both are closed on exec and don't block.
///
/// @return 0, or -1 with `errno` set.
int ctelltale_wake_make(int *reader, int *writer);

/// Wakes who polls the other end, if `writer` still is ours. Async-signal-safe.
void ctelltale_wake_send(const CTelltaleDescriptor *writer);

/// Takes what was sent, if `reader` still is ours; not a byte of anything where it isn't after all.
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
/// @return -1 with `errno` set where there is no such thing.
int ctelltale_watch_directory(const char *path);

/// Takes what such a descriptor has told so far, if it still is ours.
///
/// @return false where that isn't known.
bool ctelltale_watch_drain(const CTelltaleDescriptor *watch);

// MARK: Signals (signals.c)

/// One delivered signal, as the handler saw it.
typedef struct {
    int32_t signal;
    /// `si_code`: `SI_USER` for kill(2), `SI_QUEUE`, `SI_KERNEL`…
    int32_t code;
    int32_t sender_pid;
    uint32_t sender_uid;
    /// `CLOCK_MONOTONIC`, nanoseconds, when the handler ran.
    uint64_t time;
} CTelltaleSignal;

/// What stood in the way of taking a signal.
typedef enum {
    CTelltaleSignalTaken = 0,
    /// `sigaction` failed; `errno` says why.
    CTelltaleSignalFailed = 1,
    /// It was taken earlier and somebody has put his own handler over ours since.
    CTelltaleSignalReplaced = 2,
} CTelltaleSignalResult;

/// Says which descriptor wakes the agent's thread, and makes this process the one whose signals are
/// recorded: a forked child's handler only calls the host's. -1 stops recording.
void ctelltale_signals_open(int wake_descriptor);

/// Puts the agent's handler over what the process does on `signal` now, which is kept: a handler of
/// the host goes on being called, after ours, with its own mask and restart behaviour.
CTelltaleSignalResult ctelltale_signal_take(int signal);

/// Gives `signal` back as it was. Where somebody has put a handler over ours meanwhile, that one is
/// left alone and ours only passes on from now on, since theirs may call it.
///
/// @return true if the signal is again exactly as it was before `ctelltale_signal_take`.
bool ctelltale_signal_give_back(int signal);

/// Whether ours is the handler that the kernel calls for `signal` now.
bool ctelltale_signal_is_ours(int signal);

/// The handler that the process has for `signal` now; null for the default action or "ignore".
const void *_Nullable ctelltale_signal_current(int signal);

/// Takes the oldest recorded signal out of the ring.
///
/// @return false when there is none.
bool ctelltale_signal_next(CTelltaleSignal *out);

/// Takes the number of `signal`s that came while the ring was full; they are merged, not lost: the
/// agent answers for them once.
uint32_t ctelltale_signal_overflow(int signal);

/// Records a signal as the handler would; for a dispatch source that stands in for it.
void ctelltale_signal_record(int signal, int code, pid_t pid, uid_t uid);

// MARK: Forks (fork.c)

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
/// `ctelltale_fork_end_change` a fork waits, for at most 20 ms (200 where the cores are busy), so that
/// no child gets what it doesn't close. May itself wait as long for a fork.
void ctelltale_fork_begin_change(void);

/// Ends what `ctelltale_fork_begin_change` began.
void ctelltale_fork_end_change(void);

/// Says that the calling thread is the agent's and at work: a fork waits, for at most 20 ms (200 where
/// the cores are busy), until it has called `ctelltale_fork_leave`, so that a child inherits no lock of
/// the Swift runtime that this thread holds. May itself wait as long for a fork.
void ctelltale_fork_enter(void);

/// Says that the calling thread rests: waits in the kernel, or ends.
///
/// @return whether it was at work.
bool ctelltale_fork_leave(void);

/// Takes `descriptor` off that list; to be called before it is closed here.
void ctelltale_fork_forgets(const CTelltaleDescriptor *descriptor);

/// How many forks lie between the process that first called `ctelltale_fork_hook` and this one.
uint32_t ctelltale_fork_generation(void);

// MARK: Whether an image is still the same (image_mark.c)

/// Where the loaded object that holds `address` begins; 0 where none does, or the C library (glibc before
/// 2.35) doesn't tell without a lock. 0.1 us.
uintptr_t ctelltale_image_start(uintptr_t address);

/// What another object that is loaded at `start` later wouldn't have; 0 where none begins there. 1 us.
uint64_t ctelltale_image_mark(uintptr_t start);

// MARK: A frozen copy of the process (frozen_copy.c)

/// A copy of this process that stands still; its memory is read from outside. To be used by one
/// thread, the one that made it.
typedef struct CTelltaleCopy CTelltaleCopy;

/// Makes a copy. No handler of the host's runs and no lock is taken, neither here nor there; the
/// host gets no SIGCHLD and sees no child, and the copy has none of its descriptors. It ends by
/// itself at `deadline` (`CLOCK_MONOTONIC`, nanoseconds), and with the calling thread. Linux only.
///
/// @return 0, or an error number. After 0, `ctelltale_copy_end` is owed.
int ctelltale_copy_make(uint64_t deadline, CTelltaleCopy *_Nullable *_Nonnull out);

/// Copies `size` bytes of the copy's memory at `address`. Waits at most until the copy's deadline.
///
/// @return 0; EFAULT where not all of it can be read; another error number once the copy is lost.
int ctelltale_copy_read(CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size);

/// Why the copy can't be read any more; 0 while it can.
int ctelltale_copy_lost(const CTelltaleCopy *copy);

/// Whether the copy reads its memory itself, since the kernel refuses it to this process.
bool ctelltale_copy_is_served(const CTelltaleCopy *copy);

/// The copy's process.
pid_t ctelltale_copy_process(const CTelltaleCopy *copy);

/// Tells the copy to end. It isn't waited for: see `ctelltale_copies_await`.
///
/// @return whether it was there until now: only then is what was read of it the copy's.
bool ctelltale_copy_end(CTelltaleCopy *copy);

/// How many copies were told to end and have not yet; takes those that have meanwhile.
size_t ctelltale_copies_left(void);

/// Waits for the copies that were told to end, for at most half a second; after 100 ms they are killed.
///
/// @return how many are left; the next call takes them.
size_t ctelltale_copies_await(void);

#pragma clang assume_nonnull end
#endif
