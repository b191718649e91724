//! The stacks of this process's threads, read without stopping one.
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
    /// The thread's entry was reached: it is whole.
    CTelltaleStackWhole = 0,
    /// There was no room for more frames.
    CTelltaleStackFull = 1,
    /// The stack is larger than the maximum copied of one.
    CTelltaleStackTooLarge = 2,
    /// A frame has no call frame information, or one that can't be followed.
    CTelltaleStackLost = 3,
    /// The thread kept running between two captures of it.
    CTelltaleStackMoving = 4,
    /// It runs, and is to be interrupted.
    CTelltaleStackRunning = 5,
    /// It didn't stop in time.
    CTelltaleStackNoAnswer = 7,
    /// The kernel doesn't show where it is.
    CTelltaleStackHidden = 8,
    /// It has ended meanwhile.
    CTelltaleStackGone = 9,
    /// It runs, and the kernel refuses to have it interrupted.
    CTelltaleStackRefused = 10,
    /// It was not asked for.
    CTelltaleStackNotWanted = 11,
    /// It runs, and a seccomp filter has been installed since the agent's start: no helper is made.
    CTelltaleStackFiltered = 12,
} CTelltaleStackEnd;

/// A captured thread.
typedef struct {
    int32_t id;
    /// The kernel's name of it.
    char name[16];
    /// As `/proc` shows it: `R`, `S`, `D`, `T`, `t`, `Z`; 0 if the kernel doesn't say.
    char state;
    /// Indicates that it is blocked in the system call below.
    bool is_in_call;
    /// -1 if it is blocked, but not by a call.
    int64_t call;
    uint64_t arguments[6];
    /// The stack pointer of a blocked thread; 0 if unknown.
    uintptr_t stack_pointer;
    /// Processor time since it began, nanoseconds.
    uint64_t processor_time;
    /// The thread pointer, the base of its thread-local storage; 0 if unknown.
    uintptr_t thread_pointer;
    /// The words at the given offsets, not checked; 0 if there are none.
    uintptr_t words[CTELLTALE_LOCAL_WORDS];
    /// The duration of its interruption in nanoseconds; 0 for none.
    uint64_t pause;
    /// The error number of the kernel's refusal to interrupt it.
    int32_t refusal;
    size_t frame_count;
    /// The caller of the innermost function is missing: arm64 keeps the way back to it in a register
    /// that the kernel doesn't show.
    bool has_lost_leaf;
    CTelltaleStackEnd end;
} CTelltaleThread;

// MARK: Thread-local storage (local.c)

/// The calling thread's own pointer to its thread-local storage; 0 if not available.
uintptr_t ctelltale_thread_pointer(void);

/// Returns the stack position of the calling thread. Not by the address of a local: the address
/// sanitizer has those elsewhere.
uintptr_t ctelltale_stack_position(void);

/// The dispatch queue whose item the calling thread runs, as Dispatch says.
void *_Nullable ctelltale_current_queue(void);

/// The Swift task that the calling thread runs, as the runtime says.
void *_Nullable ctelltale_current_task(void);

/// A function of the concurrency runtime; null without one.
const void *_Nullable ctelltale_runtime_function(void);

/// Finds `word` in the calling thread's local storage: offsets from its pointer, nearest first.
///
/// @return the number found, at most `capacity`.
size_t ctelltale_find_local(uintptr_t word, intptr_t *offsets, size_t capacity);

// MARK: Capturing threads (stacks.c)

/// The memory that a capture needs, kept from one to the next. Must not be used by two threads at
/// once.
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

/// Has the word at `offset` from the thread pointer read of each thread; 0 has none read.
void ctelltale_capture_read_local(CTelltaleCapture *capture, size_t index, intptr_t offset);

/// Has the async callers of a task's functions told too: those functions are called by the runtime's at
/// `job_runner` (0: no), and the second local word is the task.
void ctelltale_capture_follow_tasks(CTelltaleCapture *capture, uintptr_t job_runner);

/// The function of the runtime that calls a task's functions. To be called by a task's own function.
///
/// @return 0 if it isn't found.
uintptr_t ctelltale_find_job_runner(void);

/// The ids of the process's threads, ascending, at most `capacity`.
///
/// @return how many there are; more than `capacity` where they are cut.
size_t ctelltale_capture_threads(CTelltaleCapture *capture, int32_t *ids, size_t capacity);

/// Captures one thread without disturbing it. A blocked one's frames are read too where `frames` is
/// not null; one that runs is `CTelltaleStackRunning`.
///
/// @return false if it has ended.
bool ctelltale_capture_thread(CTelltaleCapture *capture, int32_t id, CTelltaleThread *out,
                            CTelltaleFrame *_Nullable frames, size_t capacity);

// MARK: Threads that run (running.c)

/// The number of threads interrupted at once, and the number of bytes copied of each stack.
#define CTELLTALE_INTERRUPTED 32
#define CTELLTALE_INTERRUPTED_STACK 65536

/// Interrupts threads that were seen running, by ptrace, within 400 ms. One that is blocked by now is read
/// without. The frames of `threads[i]` are at `frames + i * frames_each`.
///
/// @param count At most `CTELLTALE_INTERRUPTED`.
void ctelltale_capture_interrupt(CTelltaleCapture *capture, CTelltaleThread *threads, size_t count,
                           CTelltaleFrame *frames, size_t frames_each);

/// What interrupting threads has come to since the process began.
typedef struct {
    uint64_t sent;
    uint64_t answered;
    /// Didn't stop in time.
    uint64_t late;
    /// Had entered a call by then, which returned EINTR.
    uint64_t cut_short;
    /// The longest time from the request to stop until a thread continued, nanoseconds.
    uint64_t longest_pause;
} CTelltaleInterruptCounts;

void ctelltale_interrupt_counts(CTelltaleInterruptCounts *out);

/// Returns whether a process is the helper that interrupts threads, or was the latest one.
bool ctelltale_interrupt_is_helper(pid_t process);

/// The block in which copies of threads' stacks are kept, as they were last read; NULL before the first.
/// Nothing in it belongs to the host.
void *_Nullable ctelltale_interrupts_copies(void);

#pragma clang assume_nonnull end
