// Tasks of the Swift concurrency runtime, read where they lie.
//
// Everything private about their layout stands here, as swift-6.3.1-RELEASE has it; that of actors in
// actors.c and actor_classes.c. All reads are guarded; what they give is judged before it is followed.
// In C, since the agent is part of debug builds, where 5,000 tasks would take Swift ten times as long.
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <string.h>

// Weak, so that a runtime without one of them links, and so that a static one is found too.
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

bool ctelltale_task_runtime(CTelltaleTaskRuntime *out) {
    memset(out, 0, sizeof *out);
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
static bool is_text(const CTelltaleTextRange *text, size_t count, uintptr_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (text[middle].to <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && text[low].from <= address;
}

// MARK: Reading

// A task's records, contexts and name lie near each other, in the blocks of its own allocator: read
// in lines, a task costs three system calls and not fifteen.
enum { line_size = 512, line_count = 8 };

// What is copied here stays on this thread's stack, where the next search would find it: it looks at
// 16-aligned words. So every copy of an object begins 8 bytes off.
typedef struct {
    _Alignas(16) uintptr_t off;
    unsigned char lines[line_count][line_size];
    uintptr_t bases[line_count];
} Cache;

static bool cached(Cache *cache, uintptr_t address, void *buffer, size_t size) {
    unsigned char *out = buffer;
    if (address < 4096 || address + size < address) return false;
    while (size > 0) {
        uintptr_t base = address & ~(uintptr_t)(line_size - 1);
        size_t index = (base / line_size) % line_count;
        if (cache->bases[index] != base) {
            cache->bases[index] = 0;
            if (!ctelltale_read_memory(base, cache->lines[index], line_size)) return false;
            cache->bases[index] = base;
        }
        size_t offset = (size_t)(address - base);
        size_t part = line_size - offset < size ? line_size - offset : size;
        memcpy(out, cache->lines[index] + offset, part);
        out += part, address += part, size -= part;
    }
    return true;
}

// MARK: Tasks

// `AsyncTask`, 208 bytes.
typedef struct {
    uintptr_t metadata, references;
    uintptr_t scheduler[2];
    uint32_t job_flags, id_low;
    uintptr_t voucher, reserved;
    uintptr_t resume;
    uintptr_t context;
    uintptr_t reserved64;
    uintptr_t exclusivity[2];
    uint32_t status, status_unused;
    uintptr_t record;
    uintptr_t allocator[3];
    uintptr_t locals;
    uint32_t id_high, pad;
    uintptr_t base_priority;
    uintptr_t dependency;
    uintptr_t mutex[5];
} Task;
_Static_assert(sizeof(Task) == 208, "AsyncTask of swift-6.3.1");

typedef struct {
    _Alignas(16) uintptr_t off;
    Task task;
} TaskCopy;

enum {
    // JobFlags
    job_kind_mask = 0xFF,
    job_is_child = 1 << 24,
    // ActiveTaskStatus
    // 0x8000: it has an executor preference.
    status_known = 0xFFFF,
    status_complete = 0x2000,
    status_running = 0x800,
    status_enqueued = 0x1000,
    status_has_dependency = 0x4000,
    // TaskStatusRecordKind
    record_dependency = 0,
    record_preference = 5,
    record_name = 6,
    record_first_private = 192,
    most_records = 256,
};

static void read_name(Cache *cache, uintptr_t address, CTelltaleTask *out) {
    uint32_t length = 0;
    while (length + 1 < CTELLTALE_TASK_NAME) {
        char c;
        if (!cached(cache, address + length, &c, 1) || c == 0) break;
        out->name[length++] = c;
    }
    out->name[length] = 0;
    out->name_length = length;
}

// False where the list is none.
static bool read_records(Cache *cache, const Task *task, CTelltaleTask *out) {
    uintptr_t record = task->record;
    for (unsigned i = 0; record != 0 && i < most_records; i++) {
        // {flags, next, what it says}; the dependency's union has two words, its kind is behind it.
        struct {
            uintptr_t flags, next, body[2];
            uint32_t kind, pad;
        } read = {0};
        if ((record & 7) != 0 || !cached(cache, record, &read, 32)) return false;
        uintptr_t kind = read.flags & 0xFF;
        if (read.flags >> 8 != 0) return false;
        switch (kind) {
        case record_dependency:
            if ((task->status & status_has_dependency) == 0) break;
            if (!cached(cache, record + 32, &read.kind, 4)) return false;
            if (read.kind < CTelltaleTaskWaitTask || read.kind > CTelltaleTaskWaitExecutor)
                return false;
            out->wait = (CTelltaleTaskWait)read.kind;
            out->wait_target = read.body[0];
            if (read.kind == CTelltaleTaskWaitExecutor) out->wait_detail = read.body[1];
            break;
        case record_preference:
            // The innermost one counts.
            if (out->preferred_executor == 0) out->preferred_executor = read.body[1];
            break;
        case record_name: read_name(cache, read.body[0], out); break;
        default:
            if (kind > record_name && kind < record_first_private) return false;
        }
        record = read.next;
    }
    return true;
}

// Before the first context of a task that has not begun: {result, function, closure, error}.
static void read_start(Cache *cache, const CTelltaleTextRange *text, size_t text_count,
                       const Task *task, CTelltaleTask *out) {
    uintptr_t words[2];
    out->is_unstarted = true;
    if (task->context < 4096 || (task->context & 15) != 0 ||
        !cached(cache, task->context - 24, words, sizeof words))
        return;
    if (is_text(text, text_count, words[0])) out->frames[out->frame_count++] = words[0];
    // The helper of a `Task.sleep` has captured a pointer to a word that holds the sleeper's
    // continuation, which is its task, with the state in the low bits.
    uintptr_t word, value;
    if ((words[1] & 7) == 0 && cached(cache, words[1] + 16, &word, 8) && (word & 7) == 0 &&
        cached(cache, word, &value, 8))
        out->sleeper = value & ~(uintptr_t)3;
}

static void read_frames(Cache *cache, const CTelltaleTaskRuntime *runtime,
                        const CTelltaleTextRange *text, size_t text_count, const Task *task,
                        CTelltaleTask *out) {
    uintptr_t context = task->context, resume = task->resume;
    for (unsigned i = 0; is_text(text, text_count, resume); i++) {
        if (resume != runtime->wait_adapters[0] && resume != runtime->wait_adapters[1]) {
            if (out->frame_count >= CTELLTALE_TASK_FRAMES) {
                out->are_frames_cut = true;
                return;
            }
            out->frames[out->frame_count++] = resume;
        }
        uintptr_t next[2];
        if (i >= CTELLTALE_TASK_FRAMES * 2 || (context & 15) != 0 ||
            !cached(cache, context, next, sizeof next) || next[0] == context)
            return;
        // A continuation's own context goes on where the task does.
        if (i == 0 && out->wait == CTelltaleTaskWaitContinuation && next[1] == resume)
            out->frame_count = 0;
        context = next[0], resume = next[1];
    }
}

static CTelltaleTaskResult read_once(const CTelltaleTaskRuntime *runtime,
                                     const CTelltaleTextRange *text, size_t text_count,
                                     uintptr_t address, CTelltaleTask *out) {
    Cache cache;
    memset(cache.bases, 0, sizeof cache.bases);
    memset(out, 0, offsetof(CTelltaleTask, frames));
    out->address = address, out->name[0] = 0;
    TaskCopy copy, later;
    if (!ctelltale_read_memory(address, &copy.task, sizeof copy.task))
        return CTelltaleTaskImplausible;
    const Task *task = &copy.task;
    if (task->metadata != runtime->task_metadata || (task->job_flags & job_kind_mask) != 0 ||
        (task->status & ~(uint32_t)status_known) != 0 || task->status_unused != 0 ||
        (task->id_low | task->id_high) == 0)
        return CTelltaleTaskImplausible;
    if ((task->status & status_complete) != 0) return CTelltaleTaskComplete;
    if (!is_text(text, text_count, task->resume)) return CTelltaleTaskImplausible;
    out->id = (uint64_t)task->id_high << 32 | task->id_low;
    out->job_flags = task->job_flags, out->status = task->status;
    if ((task->job_flags & job_is_child) != 0) {
        // `ChildFragment`, right behind the task->
        if (!ctelltale_read_memory(address + sizeof *task, &out->parent, 8) || out->parent == 0)
            return CTelltaleTaskImplausible;
    }
    if (!read_records(&cache, task, out)) return CTelltaleTaskMoving;
    // A running task's resume function and context are those of its last pause.
    if ((task->status & status_running) == 0) {
        if (task->resume == runtime->start_adapters[0] || task->resume == runtime->start_adapters[1]) {
            read_start(&cache, text, text_count, task, out);
        } else {
            read_frames(&cache, runtime, text, text_count, task, out);
        }
    }
    // What was followed was true if the task is where it was.
    if (!ctelltale_read_memory(address, &later.task, sizeof later.task))
        return CTelltaleTaskImplausible;
    const Task *after = &later.task;
    bool is_same = after->metadata == task->metadata && after->id_low == task->id_low &&
                   after->status == task->status && after->record == task->record &&
                   after->resume == task->resume && after->context == task->context;
    return is_same ? CTelltaleTaskRead : CTelltaleTaskMoving;
}

CTelltaleTaskResult ctelltale_task_read(const CTelltaleTaskRuntime *runtime,
                                        const CTelltaleTextRange *text, size_t text_count,
                                        uintptr_t address, CTelltaleTask *out) {
    CTelltaleTaskResult result = CTelltaleTaskImplausible;
    if ((address & 15) != 0) return result;
    for (int i = 0; i < 4; i++) {
        result = read_once(runtime, text, text_count, address, out);
        if (result != CTelltaleTaskMoving) break;
    }
    if (result == CTelltaleTaskMoving) {
        // Its own words hold; what was followed from them may not.
        out->wait = CTelltaleTaskWaitNone, out->wait_target = out->wait_detail = 0;
        out->frame_count = 0, out->are_frames_cut = false, out->sleeper = 0;
    }
    return result;
}

void ctelltale_task_frames(const CTelltaleTask *task, uintptr_t *out) {
    memcpy(out, task->frames, task->frame_count * sizeof *out);
}

#endif
