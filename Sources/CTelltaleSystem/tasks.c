// Tasks and default actors of the Swift concurrency runtime, read where they lie.
//
// Everything private about their layout stands here, as swift-6.3.1-RELEASE has it. All reads are
// guarded; what they give is judged before it is followed. In C, since the agent is part of debug
// builds, where 5,000 tasks would take Swift ten times as long.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#ifdef CTELLTALE_AGENT

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <elf.h>
#endif

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

// MARK: Code

#ifdef __linux__
static const char *hex(const char *at, uintptr_t *value) {
    *value = 0;
    for (;; at++) {
        if (*at >= '0' && *at <= '9') {
            *value = *value << 4 | (uintptr_t)(*at - '0');
        } else if (*at >= 'a' && *at <= 'f') {
            *value = *value << 4 | (uintptr_t)(*at - 'a' + 10);
        } else {
            return at;
        }
    }
}

static void add_range(const char *line, CTelltaleTextRange *ranges, size_t capacity, size_t *count) {
    uintptr_t from, to;
    line = hex(line, &from);
    if (*line != '-') return;
    line = hex(line + 1, &to);
    if (strlen(line) < 4 || line[3] != 'x' || to <= from) return;
    if (*count > 0 && ranges[*count - 1].to == from) {
        ranges[*count - 1].to = to;
    } else if (*count < capacity) {
        ranges[*count] = (CTelltaleTextRange){from, to};
        *count += 1;
    }
}

size_t ctelltale_text_ranges(CTelltaleTextRange *ranges, size_t capacity) {
    int saved = errno;
    size_t count = 0, kept = 0;
    char text[8192];
    int maps = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
    while (maps >= 0) {
        ssize_t got = read(maps, text + kept, sizeof text - 1 - kept);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size_t end = kept + (size_t)got;
        text[end] = 0;
        char *line = text;
        for (char *stop; (stop = strchr(line, '\n')) != NULL; line = stop + 1) {
            *stop = 0;
            add_range(line, ranges, capacity, &count);
        }
        kept = end - (size_t)(line - text);
        if (kept >= sizeof text - 1) break;  // no line of the kernel's is that long
        memmove(text, line, kept);
    }
    if (maps >= 0) close(maps);
    errno = saved;
    return count;
}
#else
// Not written for macOS; nothing is then taken for code, and no task is shown.
size_t ctelltale_text_ranges(CTelltaleTextRange *ranges, size_t capacity) {
    (void)ranges, (void)capacity;
    return 0;
}
#endif

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

//
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

// MARK: Actors

enum {
    // `DefaultActorImpl`: {header, is_remote, status, first job} and, at the end of its 112 bytes, the
    // queue {head, last of each priority}.
    actor_status = 32,
    actor_queue = 64,
    actor_size = 112,
    actor_state_mask = 7,
    actor_priority_shift = 8,
    priority_buckets = 5,
};

// The runtime's buckets: user-interactive, user-initiated, default, utility, background.
static int bucket(uint8_t priority) {
    return priority > 0x19 ? 0 : priority > 0x15 ? 1 : priority > 0x11 ? 2 : priority > 0x09 ? 3 : 4;
}

// Appends the jobs of one list; false where it was cut.
static bool append_jobs(uintptr_t job, CTelltaleActorJob *jobs, size_t capacity, size_t *count) {
    while ((job &= ~(uintptr_t)3) != 0) {
        struct {
            uintptr_t next, queue;
            uint32_t flags, id;
        } read;
        if (*count >= capacity || (job & 15) != 0 ||
            !ctelltale_read_memory(job + 16, &read, sizeof read) || (read.flags & 0xFF) > 0xC8)
            return false;
        jobs[*count].address = job;
        jobs[*count].is_task = (read.flags & 0xFF) == 0;
        jobs[*count].priority = (uint8_t)(read.flags >> 8);
        *count += 1;
        job = read.next;
    }
    return true;
}

bool ctelltale_actor_read(uintptr_t address, CTelltaleActor *out, CTelltaleActorJob *jobs,
                          size_t capacity) {
    memset(out, 0, sizeof *out);
    // 8 bytes off, as the copies of tasks.
    _Alignas(16) uintptr_t copy[2][actor_size / 8 + 2];
    uintptr_t *words = copy[0] + 1, *after = copy[1] + 1;
    if ((address & 15) != 0 || !ctelltale_read_memory(address, words, actor_size)) return false;
    uintptr_t flags = words[actor_status / 8];
    out->state = (uint32_t)(flags & actor_state_mask);
    out->priority = (uint8_t)(flags >> actor_priority_shift);
    // The upper half is unused where priorities are not escalated.
    if (flags >> 32 != 0 || out->state > 3) return false;
    // Those that have been sorted already, then those that came in since: the last one first.
    size_t sorted = 0;
    bool is_whole = append_jobs(words[actor_queue / 8], jobs, capacity, &sorted);
    size_t count = sorted;
    is_whole = append_jobs(words[actor_status / 8 + 1], jobs, capacity, &count) && is_whole;
    for (size_t low = sorted, high = count; low + 1 < high; low++, high--) {
        CTelltaleActorJob job = jobs[low];
        jobs[low] = jobs[high - 1], jobs[high - 1] = job;
    }
    out->job_count = count, out->is_cut = !is_whole;
    out->is_moving = !ctelltale_read_memory(address, after, actor_size) ||
                     memcmp(words + actor_status / 8, after + actor_status / 8,
                            actor_size - actor_status) != 0;
    // Higher priorities run first, each in the order of arrival. Rarely more than one there is.
    bool is_sorted = true;
    for (size_t i = 1; i < count; i++)
        is_sorted = is_sorted && bucket(jobs[i - 1].priority) <= bucket(jobs[i].priority);
    if (is_sorted || count > 4096) return true;
    size_t at = 0;
    for (int wanted = 0; wanted < priority_buckets; wanted++) {
        for (size_t i = at; i < count; i++) {
            if (bucket(jobs[i].priority) != wanted) continue;
            CTelltaleActorJob job = jobs[i];
            memmove(jobs + at + 1, jobs + at, (i - at) * sizeof *jobs);
            jobs[at++] = job;
        }
    }
    return true;
}

bool ctelltale_object_is_plausible(uintptr_t address, size_t size, bool chunk) {
    // {size of the block before, size of this one | bits, first word, counts}
    _Alignas(16) uintptr_t copy[6], *words = copy + 1;
    if ((address & 15) != 0 || !ctelltale_read_memory(address - 16, words, 32)) return false;
    uintptr_t counts = words[3];
    if (counts >> 62 == 3) {
        // A side table, its address shifted.
        uintptr_t table = counts << 2 >> 2 << 3, entry[2];
        if (!ctelltale_read_memory(table, entry, sizeof entry) || entry[0] != address) return false;
    } else {
        uintptr_t unowned = (counts & 0xFFFFFFFF) >> 1;
        bool is_deiniting = (counts >> 32 & 1) != 0;
        if ((counts & 1) == 0 || unowned == 0 || unowned > 1u << 24 || is_deiniting) return false;
        if (counts >> 63 != 0) return false;
    }
    if (!chunk) return true;
    // glibc's: 16-aligned, with the bits "previous in use", "mapped" and "other arena".
    uintptr_t block = words[1] & ~(uintptr_t)15;
    return (words[1] & 8) == 0 && block >= size + 8 && block < (uintptr_t)1 << 40;
}

// MARK: Classes of actors

enum {
    // `ClassMetadata` without Objective-C: {kind, superclass, flags, …, descriptor}.
    class_descriptor = 40,
    // `ContextDescriptorFlags`
    context_kind_mask = 0x1F,
    context_is_class = 16,
    context_is_actor = 1 << 23,
    context_is_default_actor = 1 << 24,
    piece_words = 8192,
};

bool ctelltale_actor_class(uintptr_t metadata, CTelltaleActorClass *out) {
    struct {
        uintptr_t kind, superclass;
        uint32_t flags, address_point, size;
        uint16_t alignment, reserved;
        uint32_t class_size, class_address_point;
        uintptr_t descriptor;
    } read;
    _Static_assert(offsetof(__typeof__(read), descriptor) == class_descriptor, "ClassMetadata");
    uint32_t flags;
    if (metadata < 4096 || (metadata & 7) != 0 ||
        !ctelltale_read_memory(metadata, &read, sizeof read) || read.kind != 0 || read.size < 16 ||
        read.class_address_point >= read.class_size || (read.descriptor & 3) != 0 ||
        read.descriptor < 4096 || !ctelltale_read_memory(read.descriptor, &flags, sizeof flags) ||
        (flags & context_kind_mask) != context_is_class || (flags & context_is_actor) == 0)
        return false;
    out->metadata = metadata, out->descriptor = read.descriptor;
    out->is_default = (flags & context_is_default_actor) != 0 && read.size >= actor_size;
    return true;
}

#ifdef __linux__
// Words of a segment that point into the image, five words behind a zero: what may be a class.
static size_t classes_between(uintptr_t from, uintptr_t to, uintptr_t low, uintptr_t span,
                              CTelltaleActorClass *classes, size_t count, size_t capacity) {
    static const size_t before = class_descriptor / 8;
    uintptr_t words[piece_words];
    size_t failures = 0;
    for (from = (from + 7) & ~(uintptr_t)7; from + class_descriptor < to;) {
        size_t size = to - from < sizeof words ? to - from : sizeof words;
        size &= ~(size_t)7;
        if (!ctelltale_read_memory(from, words, size)) {
            // A header that says so much more than is there is no image's.
            if (++failures > 1024) break;
            // On at the next page: a part of it isn't mapped.
            from = (from & ~(uintptr_t)4095) + 4096;
            continue;
        }
        size_t last = size / 8;
        for (size_t i = before; i < last; i++) {
            if (words[i] - low >= span || words[i - before] != 0) continue;
            if (count >= capacity) return count;
            if (ctelltale_actor_class(from + (i - before) * 8, &classes[count])) count++;
        }
        if (size < sizeof words) break;
        from += size - class_descriptor;
    }
    return count;
}

size_t ctelltale_actor_classes(uintptr_t header, uintptr_t bias, CTelltaleActorClass *classes,
                               size_t capacity) {
    Elf64_Ehdr elf;
    Elf64_Phdr segments[64];
    if (!ctelltale_read_memory(header, &elf, sizeof elf) ||
        memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
        elf.e_phentsize != sizeof *segments || elf.e_phnum > 64 ||
        !ctelltale_read_memory(header + elf.e_phoff, segments, elf.e_phnum * sizeof *segments))
        return 0;
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (unsigned i = 0; i < elf.e_phnum; i++) {
        uintptr_t from = bias + segments[i].p_vaddr, to = from + segments[i].p_memsz;
        if (segments[i].p_type != PT_LOAD || to < from) continue;
        if (from < low) low = from;
        if (to > high) high = to;
    }
    size_t count = 0;
    for (unsigned i = 0; i < elf.e_phnum && low < high; i++) {
        // What the loader makes read-only after it has moved it is in a writable segment too.
        if (segments[i].p_type != PT_LOAD || (segments[i].p_flags & PF_W) == 0) continue;
        uintptr_t from = bias + segments[i].p_vaddr, to = from + segments[i].p_filesz;
        if (to < from) continue;
        count = classes_between(from, to, low, high - low, classes, count, capacity);
    }
    return count;
}
#else
size_t ctelltale_actor_classes(uintptr_t header, uintptr_t bias, CTelltaleActorClass *classes,
                               size_t capacity) {
    (void)header, (void)bias, (void)classes, (void)capacity;
    return 0;
}
#endif

// MARK: What a thread runs on

intptr_t ctelltale_executor_slot(uintptr_t actor) {
#if defined(__linux__) && defined(__x86_64__)
    // The thread's variables lie below its thread pointer; `ExecutorTrackingInfo` is on its stack and
    // begins with the executor.
    uintptr_t pointer, here = (uintptr_t)__builtin_frame_address(0);
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    for (intptr_t offset = -8; offset >= -2048; offset -= 8) {
        uintptr_t tracking, executor;
        if (!ctelltale_read_memory(pointer + (uintptr_t)offset, &tracking, 8)) return 0;
        // Callers' frames lie higher; a thread's stack is not larger than this.
        if (tracking - here > (uintptr_t)64 << 20 || (tracking & 7) != 0) continue;
        if (ctelltale_read_memory(tracking, &executor, 8) && executor == actor) return offset;
    }
#else
    (void)actor;
#endif
    return 0;
}

uintptr_t ctelltale_executor_of(uintptr_t tracking) {
    uintptr_t executor;
    if (tracking < 4096 || (tracking & 7) != 0) return 0;
    return ctelltale_read_memory(tracking, &executor, 8) ? executor : 0;
}
#endif
