// Reads tasks of the Swift concurrency runtime in place. All reads are guarded, and their results are
// checked before they are followed. The layout is in task_layout.c. Written in C, since the agent is part
// of debug builds, where Swift would take ten times as long for 5,000 tasks.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "concurrency/slabs.h"
#include "memory/growing.h"
#include "memory/object_copy.h"

#include <string.h>

static bool is_text(const CTelltaleTextRange *text, size_t count, uintptr_t address) {
    size_t low = SORTED_PREFIX(count, i, text[i].to <= address);
    return low < count && text[low].from <= address;
}

// MARK: Tasks

// The number of bytes that are copied for a task: its size in swift-6.3.1.
enum { most_records = 256, task_bytes = 208 };

// The fields of a task that are followed.
typedef struct {
    uintptr_t resume, context, record;
    uint64_t status;
    uint64_t id;
    uint32_t job_flags;
} Task;

// Reads a task's own fields; false if there can't be a task at the address.
static bool read_task(const CTelltaleTaskRuntime *runtime, uintptr_t address, Task *out) {
    const CTelltaleTaskLayout *layout = &runtime->layout;
    ObjectCopy copy;
    memset(copy.bytes, 0, sizeof copy.bytes);
    if (!ctelltale_reading_copy(address, copy.bytes, task_bytes)) return false;
    if (number_at(&copy, 0, 8) != runtime->task_metadata) return false;
    out->job_flags = (uint32_t)number_at(&copy, layout->job_flags, 4);
    out->status = number_at(&copy, layout->task_status, 8);
    out->id = number_at(&copy, layout->task_id_high, 4) << 32 |
              number_at(&copy, layout->task_id_low, 4);
    out->resume = number_at(&copy, layout->task_resume, 8);
    out->context = number_at(&copy, layout->task_context, 8);
    out->record = number_at(&copy, layout->task_record, 8);
    return (out->job_flags & layout->job_kind_mask) == 0 &&
           (out->status & ~(uint64_t)layout->status_known) == 0 && out->id != 0;
}

static void read_name(uintptr_t address, CTelltaleTask *out) {
    uint32_t length = 0;
    while (length + 1 < CTELLTALE_TASK_NAME) {
        char c;
        if (!ctelltale_reading_copy(address + length, &c, 1) || c == 0) break;
        out->name[length++] = c;
    }
    out->name[length] = 0;
    out->name_length = length;
}

// Reads the list of status records; false if it is not a valid list.
static bool read_records(const CTelltaleTaskLayout *layout, const Task *task,
                         CTelltaleTask *out) {
    uintptr_t record = task->record;
    for (unsigned i = 0; record != 0 && i < most_records; i++) {
        // {flags, next, body}; the dependency's union has two words, its kind follows it.
        uintptr_t flags, next, body[2];
        if ((record & 7) != 0 || !ctelltale_reading_copy(record, &flags, 8) ||
            !ctelltale_reading_copy(record + layout->record_next, &next, 8) ||
            !ctelltale_reading_copy(record + layout->record_body, body, sizeof body))
            return false;
        if (flags > 0xFF) return false;
        if (flags == layout->record_dependency) {
            uint32_t kind;
            if ((task->status & layout->status_has_dependency) != 0) {
                if (!ctelltale_reading_copy(record + layout->record_wait_kind, &kind, 4)) return false;
                if (kind < CTelltaleTaskWaitTask || kind > CTelltaleTaskWaitExecutor) return false;
                out->wait = (CTelltaleTaskWait)kind;
                out->wait_target = body[0];
                if (kind == CTelltaleTaskWaitExecutor) out->wait_detail = body[1];
            }
        } else if (flags == layout->record_cancellation) {
            out->has_cancellation_handler = true;
        } else if (flags == layout->record_preference) {
            // The innermost preference counts.
            if (out->preferred_executor == 0) out->preferred_executor = body[1];
        } else if (flags == layout->record_name) {
            read_name(body[0], out);
        } else if (flags > layout->record_name && flags < layout->record_first_private) {
            return false;
        }
        record = next;
    }
    return true;
}

// Reads the words before the first context of a task that has not begun: {result, function, closure,
// error}.
static void read_start(const CTelltaleTaskLayout *layout,
                       const CTelltaleTextRange *text, size_t text_count, const Task *task,
                       CTelltaleTask *out) {
    uintptr_t words[2];
    out->is_unstarted = true;
    if (task->context < 4096 || (task->context & 15) != 0 ||
        !ctelltale_reading_copy(task->context - layout->start_function, words, sizeof words))
        return;
    if (is_text(text, text_count, words[0])) out->frames[out->frame_count++] = words[0];
    // The helper of a `Task.sleep` has captured a pointer to a word that holds the sleeper's
    // continuation, which is its task, with the state in the low bits.
    uintptr_t word, value;
    if ((words[1] & 7) == 0 && ctelltale_reading_copy(words[1] + layout->closure_captured, &word, 8) &&
        (word & 7) == 0 && ctelltale_reading_copy(word, &value, 8))
        out->sleeper = value & ~(uintptr_t)3;
}

// The number of functions (innermost first) and the number of words of each that are hashed: loop counters
// and local values are there. While a task is suspended, only running children write there; other code
// writes to memory after the task's own. A context has at least two words.
enum { marked_functions = 3, marked_words = 16, fewest_words = 2 };

static void mark(const CTelltaleTaskRuntime *runtime, uintptr_t context,
                 CTelltaleTask *out) {
    uint64_t words[marked_words];
    uintptr_t end = task_memory_end(runtime, out->address, context);
    size_t count = end > context ? (end - context) / sizeof *words : fewest_words;
    if (count > marked_words) count = marked_words;
    if (!ctelltale_reading_copy(context, words, count * sizeof *words)) return;
    uint64_t mark = out->mark ^ context;
    for (size_t i = 0; i < count; i++) {
        mark = (mark ^ words[i]) * 0x9E3779B97F4A7C15u;
        mark ^= mark >> 29;
    }
    out->mark = mark;
}

static void read_frames(const CTelltaleTaskRuntime *runtime,
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
            !ctelltale_reading_copy(context, next, sizeof next) || next[0] == context)
            return;
        if (i < marked_functions) mark(runtime, context, out);
        // A continuation's own context resumes where the task does.
        if (i == 0 && out->wait == CTelltaleTaskWaitContinuation && next[1] == resume)
            out->frame_count = 0;
        context = next[0], resume = next[1];
    }
}

// Reads the task's own words; `follow` reads what they lead to.
static CTelltaleTaskResult begin(const CTelltaleTaskRuntime *runtime, const CTelltaleTextRange *text,
                                 size_t text_count, uintptr_t address, Task *task) {
    if ((address & 15) != 0 || !read_task(runtime, address, task)) return CTelltaleTaskImplausible;
    if ((task->status & runtime->layout.status_complete) != 0) return CTelltaleTaskComplete;
    return is_text(text, text_count, task->resume) ? CTelltaleTaskRead : CTelltaleTaskImplausible;
}

static CTelltaleTaskResult follow(const CTelltaleTaskRuntime *runtime, const CTelltaleTextRange *text,
                                  size_t text_count, uintptr_t address, const Task *task, CTelltaleTask *out) {
    const CTelltaleTaskLayout *layout = &runtime->layout;
    memset(out, 0, offsetof(CTelltaleTask, frames));
    out->address = address, out->name[0] = 0;
    out->id = task->id;
    out->priority = (uint8_t)(task->status & layout->status_priority_mask);
    out->is_cancelled = (task->status & layout->status_cancelled) != 0;
    out->is_running = (task->status & layout->status_running) != 0;
    out->is_enqueued = (task->status & layout->status_enqueued) != 0;
    out->is_group_child = task->job_flags >> layout->job_group_child_bit & 1;
    out->is_async_let = task->job_flags >> layout->job_async_let_bit & 1;
    if (task->job_flags >> layout->job_child_bit & 1) {
        // `ChildFragment` follows the task directly.
        if (!ctelltale_reading_copy(address + layout->child_parent, &out->parent, 8) ||
            out->parent == 0)
            return CTelltaleTaskImplausible;
    }
    if (!read_records(layout, task, out)) return CTelltaleTaskMoving;
    // The resume function and the context of a running task are those of its last suspension.
    if (!out->is_running) {
        if (task->resume == runtime->start_adapters[0] || task->resume == runtime->start_adapters[1]) {
            read_start(layout, text, text_count, task, out);
        } else {
            read_frames(runtime, text, text_count, task, out);
        }
    }
    return CTelltaleTaskRead;
}

// The fields followed were consistent if the task is unchanged afterwards.
static CTelltaleTaskResult confirm(const CTelltaleTaskRuntime *runtime, uintptr_t address, const Task *task) {
    Task now;
    if (!read_task(runtime, address, &now)) return CTelltaleTaskImplausible;
    bool is_same = now.id == task->id && now.status == task->status && now.record == task->record &&
                   now.resume == task->resume && now.context == task->context;
    return is_same ? CTelltaleTaskRead : CTelltaleTaskMoving;
}

// Each step copies anew: the data that a task points to is read after the task, and before the task is read
// again.
static void read_all(const CTelltaleTaskRuntime *runtime, const CTelltaleTextRange *text, size_t text_count,
                     const uintptr_t *addresses, size_t count, CTelltaleTask *out, CTelltaleTaskResult *results) {
    Task tasks[CTELLTALE_TASKS_AT_ONCE];
    ctelltale_reading_begin();
    for (size_t i = 0; i < count; i++)
        results[i] = begin(runtime, text, text_count, addresses[i], &tasks[i]);
    ctelltale_reading_refresh();
    for (size_t i = 0; i < count; i++)
        if (results[i] == CTelltaleTaskRead)
            results[i] = follow(runtime, text, text_count, addresses[i], &tasks[i], &out[i]);
    ctelltale_reading_refresh();
    for (size_t i = 0; i < count; i++)
        if (results[i] == CTelltaleTaskRead) results[i] = confirm(runtime, addresses[i], &tasks[i]);
    ctelltale_reading_end();
}

void ctelltale_tasks_read(const CTelltaleTaskRuntime *runtime, const CTelltaleTextRange *text, size_t text_count,
                          const uintptr_t *addresses, size_t count, CTelltaleTask *out,
                          CTelltaleTaskResult *results) {
    enum { most_tries = 4 };
    read_all(runtime, text, text_count, addresses, count, out, results);
    for (size_t i = 0; i < count; i++) {
        // A task that is read alone has less time to change.
        for (int tries = 1; tries < most_tries && results[i] == CTelltaleTaskMoving; tries++)
            read_all(runtime, text, text_count, &addresses[i], 1, &out[i], &results[i]);
        if (results[i] != CTelltaleTaskMoving) continue;
        // The task's own words are valid; values followed from them may not be.
        out[i].wait = CTelltaleTaskWaitNone, out[i].wait_target = out[i].wait_detail = 0;
        out[i].frame_count = 0, out[i].are_frames_cut = false, out[i].sleeper = 0, out[i].mark = 0;
    }
}

bool ctelltale_task_allocated(const CTelltaleTaskRuntime *runtime, uintptr_t address) {
    const CTelltaleTaskLayout *layout = &runtime->layout;
    uintptr_t context, last;
    if (!ctelltale_read_memory(address + layout->task_context, &context, 8) ||
        !ctelltale_read_memory(address + layout->task_allocation, &last, 8))
        return false;
    // The context is the task's own or that of a waiting caller; the first contexts are next to the task.
    for (int i = 0; i < 16 && context != 0; i++) {
        uintptr_t at = last;
        for (int j = 0; j < 32 && at != 0 && at % 16 == 0; j++) {
            if (at + layout->allocation_bytes == context) return true;
            if (!ctelltale_read_memory(at, &at, 8)) break;
        }
        if (!ctelltale_read_memory(context, &context, 8)) return false;
    }
    return false;
}

bool ctelltale_task_take_frames(const CTelltaleTask *task, CTelltaleTaskFrames *frames) {
    size_t size = task->frame_count * sizeof *task->frames;
    if (task->frame_count == frames->count && memcmp(task->frames, frames->words, size) == 0)
        return false;
    frames->count = task->frame_count;
    memcpy(frames->words, task->frames, size);
    return true;
}
#endif
