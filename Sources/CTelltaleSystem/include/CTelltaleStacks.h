//! The stacks of this process's threads, read without stopping a waiting thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CTelltaleImages.h"

#pragma clang assume_nonnull begin

/// The number of words read from each thread's local storage.
#define CTELLTALE_LOCAL_WORDS 4

/// The meaning of a frame's address.
typedef enum {
    /// The thread's current location.
    CTelltaleFramePC = 0,
    /// The return address: the call is before it.
    CTelltaleFrameReturn = 1,
    /// The resume address of a suspended async function.
    CTelltaleFrameAsync = 2,
} CTelltaleFrameKind;

typedef struct {
    uintptr_t address;
    CTelltaleFrameKind kind;
} CTelltaleFrame;

/// The reason that a stack has no more frames.
typedef enum {
    /// The thread's entry was reached: the stack is complete.
    CTelltaleStackWhole = 0,
    /// The buffer for frames is full.
    CTelltaleStackFull = 1,
    /// The stack is larger than the maximum size of a copy.
    CTelltaleStackTooLarge = 2,
    /// A frame has no call frame information, or information that can't be followed.
    CTelltaleStackLost = 3,
    /// The thread ran between two captures of it.
    CTelltaleStackMoving = 4,
    /// The thread is running, and must be interrupted.
    CTelltaleStackRunning = 5,
    /// The thread didn't stop in time.
    CTelltaleStackNoAnswer = 7,
    /// The kernel doesn't show the thread's location.
    CTelltaleStackHidden = 8,
    /// The thread has ended in the meantime.
    CTelltaleStackGone = 9,
    /// The thread is running, and the kernel refuses to interrupt it.
    CTelltaleStackRefused = 10,
    /// The stack was not requested.
    CTelltaleStackNotWanted = 11,
    /// The thread is running, and a seccomp filter has been installed since the agent's start: no helper is
    /// created.
    CTelltaleStackFiltered = 12,
} CTelltaleStackEnd;

/// A captured thread.
typedef struct {
    int32_t id;
    /// The kernel's name of the thread.
    char name[16];
    /// The state as `/proc` shows it: `R`, `S`, `D`, `T`, `t`, `Z`; 0 if the kernel doesn't tell.
    char state;
    /// True if the thread is blocked in the system call below.
    bool is_in_call;
    /// -1 if it is blocked, but not by a call.
    int64_t call;
    uint64_t arguments[6];
    /// The stack pointer of a blocked thread; 0 if unknown.
    uintptr_t stack_pointer;
    /// Processor time since the thread's start, in nanoseconds.
    uint64_t processor_time;
    /// The thread pointer, the base of its thread-local storage; 0 if unknown.
    uintptr_t thread_pointer;
    /// The words at the given offsets, unchecked; 0 if there are none.
    uintptr_t words[CTELLTALE_LOCAL_WORDS];
    /// The duration of its interruption in nanoseconds; 0 for none.
    uint64_t pause;
    /// The error number of the kernel's refusal to interrupt it.
    int32_t refusal;
    size_t frame_count;
    /// The caller of the innermost function is missing: arm64 keeps the return address in a register that
    /// the kernel doesn't show.
    bool has_lost_leaf;
    CTelltaleStackEnd end;
} CTelltaleThread;

// MARK: Thread-local storage (local.c)

/// The calling thread's own pointer to its thread-local storage; 0 if not available.
uintptr_t ctelltale_thread_pointer(void);

/// Returns the stack pointer of the calling thread. It is not derived from the address of a local variable:
/// the address sanitizer may allocate locals elsewhere.
uintptr_t ctelltale_stack_position(void);

/// Returns the dispatch queue whose item the calling thread runs, according to Dispatch.
void *_Nullable ctelltale_current_queue(void);

/// Returns the Swift task that the calling thread runs, according to the runtime.
void *_Nullable ctelltale_current_task(void);

/// Returns a function of the concurrency runtime; null if the runtime is not loaded.
const void *_Nullable ctelltale_runtime_function(void);

/// Finds `word` in the calling thread's local storage: offsets from its pointer, nearest first.
///
/// @return the number found, at most `capacity`.
size_t ctelltale_find_local(uintptr_t word, intptr_t *offsets, size_t capacity);

// MARK: Capturing threads (stacks.c)

/// The memory of a capture, kept from one capture to the next. Must not be used by two threads at once.
typedef struct CTelltaleCapture CTelltaleCapture;

/// @return null if there is no memory.
CTelltaleCapture *_Nullable ctelltale_capture_make(void);
void ctelltale_capture_free(CTelltaleCapture *capture);

/// Begins a capture.
///
/// @param images What is loaded; borrowed until `ctelltale_capture_end`.
/// @return 0, or the error number of what the kernel refused.
int ctelltale_capture_begin(CTelltaleCapture *capture, const CTelltaleImages *images);
void ctelltale_capture_end(CTelltaleCapture *capture);

/// Makes a capture read the word at `offset` from each thread's thread pointer; 0 disables it.
void ctelltale_capture_read_local(CTelltaleCapture *capture, size_t index, intptr_t offset);

/// Makes a capture also report the async callers of a task's functions. These functions are called by the
/// runtime's function at `job_runner` (0 disables it), and the second local word is the task.
void ctelltale_capture_follow_tasks(CTelltaleCapture *capture, uintptr_t job_runner);

/// Returns the runtime's function that calls a task's functions. Must be called by a task's own function.
///
/// @return 0 if it isn't found.
uintptr_t ctelltale_find_job_runner(void);

/// Reads the ids of the process's threads, ascending, at most `capacity`.
///
/// @return their total number, which may exceed `capacity`.
size_t ctelltale_capture_threads(CTelltaleCapture *capture, int32_t *ids, size_t capacity);

/// Captures one thread without disturbing it. For a blocked thread, reads the frames too if `frames` is not
/// null; a running thread is `CTelltaleStackRunning`.
///
/// @return false if the thread has ended.
bool ctelltale_capture_thread(CTelltaleCapture *capture, int32_t id, CTelltaleThread *out,
                            CTelltaleFrame *_Nullable frames, size_t capacity);

// MARK: Threads that run (running.c)

/// The number of threads interrupted at once, and the number of bytes copied of each stack.
#define CTELLTALE_INTERRUPTED 32
#define CTELLTALE_INTERRUPTED_STACK 65536

/// Interrupts threads that were seen running, by ptrace, within 400 ms. A thread that is blocked by now is
/// read without an interruption. The frames of `threads[i]` are at `frames + i * frames_each`.
///
/// @param count At most `CTELLTALE_INTERRUPTED`.
void ctelltale_capture_interrupt(CTelltaleCapture *capture, CTelltaleThread *threads, size_t count,
                           CTelltaleFrame *frames, size_t frames_each);

/// Counts the interruptions of threads since the process started, by their results.
typedef struct {
    uint64_t sent;
    uint64_t answered;
    /// The thread didn't stop in time.
    uint64_t late;
    /// The thread had entered a call by then, which returned EINTR.
    uint64_t cut_short;
    /// The longest time from the request to stop until a thread continued, in nanoseconds.
    uint64_t longest_pause;
} CTelltaleInterruptCounts;

void ctelltale_interrupt_counts(CTelltaleInterruptCounts *out);

/// Returns whether a process is the helper that interrupts threads, or was the latest one.
bool ctelltale_interrupt_is_helper(pid_t process);

/// Returns the block that contains the latest copies of threads' stacks; NULL before the first copy.
/// Nothing in it belongs to the host.
void *_Nullable ctelltale_interrupts_copies(void);

#pragma clang assume_nonnull end
