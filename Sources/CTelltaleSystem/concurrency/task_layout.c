// The layout of tasks, jobs and default actors in swift-6.3.1-RELEASE (`ABI/Task.h`, `ABI/TaskStatus.h`,
// `Concurrency/TaskPrivate.h`, `Concurrency/Actor.cpp`), and the parts that the runtime itself exports.
// `TaskLayout` tests it on tasks of the agent before any result is trusted.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <string.h>

// Weak, so that a program with a runtime without one of them links, and so that a static runtime is found
// too.
extern const void *const _swift_concurrency_debug_asyncTaskMetadata __attribute__((weak));
extern const size_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));
extern const bool _swift_concurrency_debug_supportsPriorityEscalation __attribute__((weak));
extern const void *const _swift_concurrency_debug_future_adapter __attribute__((weak));
extern const void *const _swift_concurrency_debug_non_future_adapter __attribute__((weak));
extern const void *const _swift_concurrency_debug_task_wait_throwing_resume_adapter
    __attribute__((weak));
extern const void *const _swift_concurrency_debug_task_future_wait_resume_adapter
    __attribute__((weak));

const CTelltaleTaskLayout ctelltale_task_layout = {
    .task_size = 208,
    .job_next = 16,
    .job_flags = 32,
    .job_kind_mask = 0xFF,
    .job_priority_bit = 8,
    .job_child_bit = 24,
    .job_group_child_bit = 26,
    .job_async_let_bit = 28,
    .job_last_kind = 0xC8,

    .task_id_low = 36,
    .task_resume = 56,
    .task_context = 64,
    .task_status = 96,
    .task_record = 104,
    .task_allocation = 112,
    .task_id_high = 144,
    .child_parent = 208,

    .status_known = 0xFFFF,
    .status_priority_mask = 0xFF,
    .status_cancelled = 0x100,
    .status_running = 0x800,
    .status_enqueued = 0x1000,
    .status_complete = 0x2000,
    .status_has_dependency = 0x4000,

    .record_dependency = 0,
    .record_cancellation = 3,
    .record_preference = 5,
    .record_name = 6,
    .record_first_private = 192,
    .record_next = 8,
    .record_body = 16,
    .record_wait_kind = 32,

    .start_function = 24,
    .closure_captured = 16,
    .allocation_bytes = 16,

    .actor_size = 112,
    .actor_status = 32,
    .actor_first_job = 40,
    .actor_queue = 64,
    .actor_state_mask = 7,
};

bool ctelltale_task_runtime(CTelltaleTaskRuntime *out) {
    memset(out, 0, sizeof *out);
    out->layout = ctelltale_task_layout;
    if (!&_swift_concurrency_debug_asyncTaskMetadata || !&_swift_concurrency_debug_asyncTaskSize ||
        !&_swift_concurrency_debug_internal_layout_version ||
        !&_swift_concurrency_debug_supportsPriorityEscalation)
        return false;
    out->task_metadata = (uintptr_t)_swift_concurrency_debug_asyncTaskMetadata;
    out->task_size = _swift_concurrency_debug_asyncTaskSize;
    out->layout_version = _swift_concurrency_debug_internal_layout_version;
    out->supports_escalation = _swift_concurrency_debug_supportsPriorityEscalation;
    if (&_swift_concurrency_debug_future_adapter)
        out->start_adapters[0] = (uintptr_t)_swift_concurrency_debug_future_adapter;
    if (&_swift_concurrency_debug_non_future_adapter)
        out->start_adapters[1] = (uintptr_t)_swift_concurrency_debug_non_future_adapter;
    if (&_swift_concurrency_debug_task_wait_throwing_resume_adapter)
        out->wait_adapters[0] = (uintptr_t)_swift_concurrency_debug_task_wait_throwing_resume_adapter;
    if (&_swift_concurrency_debug_task_future_wait_resume_adapter)
        out->wait_adapters[1] = (uintptr_t)_swift_concurrency_debug_task_future_wait_resume_adapter;
    return out->task_metadata != 0;
}
#endif
