// Default actors of the Swift concurrency runtime, read where they lie, and which of them a thread is
// in.
//
// As in tasks.c: their layout is that of swift-6.3.1-RELEASE, and all reads are guarded.
#include "CTelltaleSystem.h"
#include "concurrency/actors.h"

#if TELLTALE_AGENT

#include <string.h>

enum {
    // `DefaultActorImpl`: {header, is_remote, status, first job} and, at the end of its bytes, the
    // queue {head, last of each priority}.
    actor_status = 32,
    actor_queue = 64,
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

// MARK: What a thread runs on

intptr_t ctelltale_executor_slot(uintptr_t actor) {
#if defined(__x86_64__)
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
