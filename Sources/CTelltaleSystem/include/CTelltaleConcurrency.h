//! Tasks and default actors of the Swift concurrency runtime, read in place.
//!
//! The layouts are those of swift-6.3.1-RELEASE (`ABI/Task.h`, `ABI/TaskStatus.h`,
//! `Concurrency/TaskPrivate.h`, `Concurrency/Actor.cpp`). Their numbers are in task_layout.c, those of
//! classes and reference counts in actor_classes.c and references.c; `TaskLayout` tests them on tasks of
//! the agent before any result is trusted.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
    /// The maximum number of frames of a task's async backtrace; a longer one is marked as cut.
    CTELLTALE_TASK_FRAMES = 48,
    /// The size of a task's name in bytes, with its zero.
    CTELLTALE_TASK_NAME = 128,
};

/// The offsets of fields in tasks, jobs and actors, in bytes from an object's start, and the
/// meaning of bits. A name with `_bit` is the number of the lowest bit, one with `_mask` the bits
/// themselves.
typedef struct {
    /// Every job (`Job`, `JobFlags`); a task is one.
    uint32_t job_next, job_flags, job_kind_mask, job_priority_bit, job_child_bit,
        job_group_child_bit, job_async_let_bit, job_last_kind;
    /// A task (`AsyncTask`), followed in a child by its parent (`ChildFragment`).
    uint32_t task_size, task_id_low, task_resume, task_context, task_status, task_record,
        task_allocation, task_id_high, child_parent;
    /// A task's status (`ActiveTaskStatus`); 0x8000 is an executor preference.
    uint32_t status_known, status_priority_mask, status_cancelled, status_running, status_enqueued,
        status_complete, status_has_dependency;
    /// A record of a task's status (`TaskStatusRecordKind`), the next one and its contents.
    uint32_t record_dependency, record_cancellation, record_preference, record_name,
        record_first_private, record_next, record_body, record_wait_kind;
    /// For a task that has not begun: the distance of its function and closure before its context,
    /// the offset of the closure's captures, and the offset of a task's allocated bytes after the
    /// allocation's head.
    uint32_t start_function, closure_captured, allocation_bytes;
    /// A default actor (`DefaultActorImpl`) and its status.
    uint32_t actor_size, actor_status, actor_first_job, actor_queue, actor_state_mask;
} CTelltaleTaskLayout;

/// The layout of swift-6.3.1-RELEASE.
extern const CTelltaleTaskLayout ctelltale_task_layout;

/// The symbols and layouts that the runtime exports for debuggers.
typedef struct {
    CTelltaleTaskLayout layout;
    /// The first word of every task; 0 if the runtime doesn't export it.
    uintptr_t task_metadata;
    uint64_t task_size;
    uint32_t layout_version;
    /// If set, a task's status names the thread that runs it, and has another layout.
    bool supports_escalation;
    /// The resume functions of a task that has not begun.
    uintptr_t start_adapters[2];
    /// The resume functions of a task that waits for another, called before its own code.
    uintptr_t wait_adapters[2];
} CTelltaleTaskRuntime;

/// Reads the exported symbols.
///
/// @return false if the runtime exports none of them.
bool ctelltale_task_runtime(CTelltaleTaskRuntime *out);

/// A range of code in this process.
typedef struct {
    uintptr_t from;
    uintptr_t to;
} CTelltaleTextRange;

/// Lists the executable mappings of this process, ascending, as the kernel reports them; takes no lock of
/// the loader.
///
/// @return their number, at most `capacity`.
size_t ctelltale_text_ranges(CTelltaleTextRange *ranges, size_t capacity);

/// The object that a task waits for, according to its dependency record.
typedef enum {
    CTelltaleTaskWaitNone = 0,
    CTelltaleTaskWaitTask = 1,
    CTelltaleTaskWaitContinuation = 2,
    CTelltaleTaskWaitGroup = 3,
    CTelltaleTaskWaitExecutor = 4,
} CTelltaleTaskWait;

typedef enum {
    CTelltaleTaskRead = 0,
    CTelltaleTaskComplete = 1,
    /// The memory there is not a task.
    CTelltaleTaskImplausible = 2,
    /// The task changed between each two of several reads; the last result is returned.
    CTelltaleTaskMoving = 3,
} CTelltaleTaskResult;

typedef struct {
    uintptr_t address;
    uint64_t id;
    /// In the runtime's numbering.
    uint8_t priority;
    bool is_cancelled;
    bool is_running;
    bool is_enqueued;
    /// The way it was created: a group's child, an `async let`, or neither.
    bool is_group_child;
    bool is_async_let;
    CTelltaleTaskWait wait;
    /// The task, continuation, group or executor; the generic executor is 0.
    uintptr_t wait_target;
    /// The second word of an executor: 0 for a default actor.
    uintptr_t wait_detail;
    uintptr_t parent;
    /// The preferred executor; 0 for none.
    uintptr_t preferred_executor;
    /// The task has been created and has not begun.
    bool is_unstarted;
    /// For a task that has not begun: the word at the location where the helper of a `Task.sleep` keeps the
    /// sleeper's address. Must be compared with the existing tasks.
    uintptr_t sleeper;
    /// A hash of the contexts of its innermost functions, unless it is running: unchanged for as long as it
    /// waits.
    uint64_t mark;
    /// It is inside of `withTaskCancellationHandler`.
    bool has_cancellation_handler;
    bool are_frames_cut;
    uint32_t frame_count;
    uint32_t name_length;
    uintptr_t frames[CTELLTALE_TASK_FRAMES];
    char name[CTELLTALE_TASK_NAME];
} CTelltaleTask;

enum {
    CTELLTALE_TASKS_AT_ONCE = 64,
};

/// Reads the tasks at `count` addresses, at most `CTELLTALE_TASKS_AT_ONCE`; allocates nothing and takes no
/// lock. 64 adjacent tasks cost some 150 copies by the kernel, a single task some ten.
void ctelltale_tasks_read(const CTelltaleTaskRuntime *runtime, const CTelltaleTextRange *text, size_t text_count,
                          const uintptr_t *addresses, size_t count, CTelltaleTask *out,
                          CTelltaleTaskResult *results);

/// Returns whether one of the contexts of the suspended task at `address` is among its allocations.
bool ctelltale_task_allocated(const CTelltaleTaskRuntime *runtime, uintptr_t address);

/// Returns whether `address`, in a block that begins with `word`, is stale memory of a function that has
/// ended: the block is a task's own, or one that it has allocated.
bool ctelltale_task_is_left_over(const CTelltaleTaskRuntime *runtime, uintptr_t block,
                                 uintptr_t word, uintptr_t address);

/// The frames of the task that was read last.
typedef struct {
    uint32_t count;
    uintptr_t words[CTELLTALE_TASK_FRAMES];
} CTelltaleTaskFrames;

/// Takes the frames of a task that was read; false if they equal those of the previous task.
bool ctelltale_task_take_frames(const CTelltaleTask *task, CTelltaleTaskFrames *frames);

/// A job that is enqueued on an actor.
typedef struct {
    uintptr_t address;
    bool is_task;
    uint8_t priority;
} CTelltaleActorJob;

/// A default actor.
typedef struct {
    /// 0 idle, 1 scheduled, 2 running, 3 being freed.
    uint32_t state;
    size_t job_count;
    /// There were more jobs than capacity, or the list contained something that is not a job.
    bool is_cut;
    /// The actor changed while it was read.
    bool is_moving;
} CTelltaleActor;

/// Reads the default actor at `address`, and its jobs in the order in which they will run.
///
/// @return false if there is no default actor.
bool ctelltale_actor_read(const CTelltaleTaskLayout *layout, uintptr_t address,
                          CTelltaleActor *out, CTelltaleActorJob *jobs, size_t capacity);

/// A class that was found in an image's data.
typedef struct {
    /// The first word of its objects.
    uintptr_t metadata;
    uintptr_t descriptor;
    /// The runtime keeps the actor's queue; otherwise the actor has an executor of its own.
    bool is_default;
} CTelltaleActorClass;

/// Finds the metadata of the actor classes of an image that is mapped at `header` and whose addresses are
/// moved by `bias`. Calls nothing of the runtime: it searches the writable segments for pointers to the
/// descriptor of an actor. Generic classes are instantiated later, elsewhere.
///
/// @return their number, at most `capacity`.
size_t ctelltale_actor_classes(uintptr_t header, uintptr_t bias, CTelltaleActorClass *classes,
                               size_t capacity);

/// Tells whether the class whose metadata is at `metadata` is an actor's.
///
/// @return false if it is not an actor, or there is no class.
bool ctelltale_actor_class(uintptr_t metadata, CTelltaleActorClass *out);

/// Returns the offset from the thread pointer at which the runtime keeps the thread's executor;
/// must be called on `actor`.
///
/// @return 0 if it isn't found.
intptr_t ctelltale_executor_slot(uintptr_t actor);

/// Returns the executor of the thread whose slot contains `tracking`; 0 for none or the thread pool.
uintptr_t ctelltale_executor_of(uintptr_t tracking);

/// Returns whether a Swift object of at least `size` bytes that has not been freed may begin at `address`:
/// its reference counts are plausible, and so is, if `chunk` is set, the C library's header word of its
/// block. Distinguishes objects from copies of their first word on stacks and in freed memory.
bool ctelltale_object_is_plausible(uintptr_t address, size_t size, bool chunk);

// MARK: References

/// Retains the memory of a living Swift object, and nothing else of it, until it is released.
void ctelltale_object_hold(uintptr_t object);

/// Releases the memory kept by `ctelltale_object_hold`. Runs no code of the object.
void ctelltale_object_let_go(uintptr_t object);

/// Returns whether the `deinit` of a retained object has not begun.
bool ctelltale_object_is_alive(uintptr_t object);

/// Adds a strong reference to an object whose memory is retained.
///
/// @return false if its `deinit` has begun; nothing is added then.
bool ctelltale_object_retain(uintptr_t object);

/// Makes a box for a value of a type, as the compiler's code does for an `indirect` case. The caller owns
/// it, and must initialise the value at `value` at once.
void *ctelltale_box_make(const void *type, void *_Nonnull *_Nonnull value);

// MARK: Mutex

/// The result of taking a lock.
typedef enum CTelltaleMutexResult {
    /// The calling thread holds it, and must release it.
    CTelltaleMutexTaken,
    /// Another thread held it until the deadline.
    CTelltaleMutexHeld,
    /// The calling thread holds it already.
    CTelltaleMutexOwn,
    /// There is no such lock.
    CTelltaleMutexUnfit,
} CTelltaleMutexResult;

/// Takes a `Synchronization.Mutex` for the calling thread, as `withLock` does.
///
/// @param word Its first word, in memory that stays.
/// @param deadline The end of the wait, in nanoseconds of the monotonic clock; 0 for no wait.
/// @param holder The holder when it was last read; 0 for none.
CTelltaleMutexResult ctelltale_mutex_take(uintptr_t word, int64_t deadline, int32_t *holder);

/// Releases the lock taken by `ctelltale_mutex_take`, on the same thread.
void ctelltale_mutex_give_back(uintptr_t word);

#pragma clang assume_nonnull end
