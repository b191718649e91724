// Reads default actors of the Swift concurrency runtime in place, and the actor on whose executor a thread
// runs.
//
// Their layout is in task_layout.c; all reads are guarded.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <string.h>

enum { priority_buckets = 5, largest_actor = 256 };

// The runtime's buckets: user-interactive, user-initiated, default, utility, background.
static int bucket(uint8_t priority) {
    return priority > 0x19 ? 0 : priority > 0x15 ? 1 : priority > 0x11 ? 2 : priority > 0x09 ? 3 : 4;
}

// Appends the jobs of one list; false if it was cut.
static bool append_jobs(const CTelltaleTaskLayout *layout, uintptr_t job, CTelltaleActorJob *jobs,
                        size_t capacity, size_t *count) {
    while ((job &= ~(uintptr_t)3) != 0) {
        uintptr_t next;
        uint32_t flags;
        if (*count >= capacity || (job & 15) != 0 ||
            !ctelltale_read_memory(job + layout->job_next, &next, sizeof next) ||
            !ctelltale_read_memory(job + layout->job_flags, &flags, sizeof flags) ||
            (flags & layout->job_kind_mask) > layout->job_last_kind)
            return false;
        jobs[*count].address = job;
        jobs[*count].is_task = (flags & layout->job_kind_mask) == 0;
        jobs[*count].priority = (uint8_t)(flags >> layout->job_priority_bit);
        *count += 1;
        job = next;
    }
    return true;
}

bool ctelltale_actor_read(const CTelltaleTaskLayout *layout, uintptr_t address,
                          CTelltaleActor *out, CTelltaleActorJob *jobs, size_t capacity) {
    memset(out, 0, sizeof *out);
    // Off by 8 bytes, like the copies of tasks.
    _Alignas(16) uintptr_t copy[2][largest_actor / 8 + 2];
    uintptr_t *words = copy[0] + 1, *after = copy[1] + 1;
    size_t size = layout->actor_size;
    if ((address & 15) != 0 || size > largest_actor || layout->actor_status > size - 8 ||
        layout->actor_first_job > size - 8 || layout->actor_queue > size - 8 ||
        !ctelltale_read_memory(address, words, size))
        return false;
    uintptr_t flags = words[layout->actor_status / 8];
    out->state = (uint32_t)(flags & layout->actor_state_mask);
    // The upper half is unused where priorities are not escalated.
    if (flags >> 32 != 0 || out->state > 3) return false;
    // The sorted jobs, followed by those that arrived since, in reverse order of arrival.
    size_t sorted = 0;
    bool is_whole = append_jobs(layout, words[layout->actor_queue / 8], jobs, capacity, &sorted);
    size_t count = sorted;
    is_whole = append_jobs(layout, words[layout->actor_first_job / 8], jobs, capacity, &count) &&
               is_whole;
    for (size_t low = sorted, high = count; low + 1 < high; low++, high--) {
        CTelltaleActorJob job = jobs[low];
        jobs[low] = jobs[high - 1], jobs[high - 1] = job;
    }
    out->job_count = count, out->is_cut = !is_whole;
    size_t from = layout->actor_status;
    out->is_moving = !ctelltale_read_memory(address, after, size) ||
                     memcmp(words + from / 8, after + from / 8, size - from) != 0;
    // Higher priorities run first, each in the order of arrival. There is rarely more than one.
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

// MARK: Executors of threads

uintptr_t ctelltale_executor_of(uintptr_t tracking) {
    uintptr_t executor;
    if (tracking < 4096 || (tracking & 7) != 0) return 0;
    return ctelltale_read_memory(tracking, &executor, 8) ? executor : 0;
}
#endif
