// Reads words of each thread's local storage, and finds its address by the kernel's records of each thread.
#if TELLTALE_AGENT
#include "memory/guarded.h"
#include "unwind/unwind.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool robust_list(int32_t id, uintptr_t *out) {
    void *head = NULL;
    size_t length = 0;
    if (syscall(SYS_get_robust_list, id, &head, &length) != 0) return false;
    *out = (uintptr_t)head;
    return head != NULL;
}

// Finds the fixed distances of two fields from the thread pointer in the calling thread: the head of the
// thread's robust list, whose address the kernel reports, and the thread's id. The C library keeps both
// there for each thread.
void capture_find_thread_pointer(CTelltaleCapture *capture) {
    uintptr_t own = ctelltale_thread_pointer(), head;
    capture->has_pointers = false;
    if (!own || !robust_list(0, &head)) return;
    intptr_t distance = (intptr_t)(head - own);
    if (distance > 65536 || distance < -65536) return;
    int32_t id = (int32_t)syscall(SYS_gettid), word;
    for (intptr_t at = -4096; at < 4096; at += 4) {
        // First at glibc's usual offset, then nearby.
        intptr_t offset = at == -4096 ? 0x2d0 : at;
        if (!ctelltale_read_memory(own + (uintptr_t)offset, &word, sizeof word)) continue;
        if (word != id) continue;
        capture->list_offset = distance;
        capture->id_offset = offset;
        capture->has_pointers = true;
        return;
    }
}

void ctelltale_capture_read_local(CTelltaleCapture *capture, size_t index, intptr_t offset) {
    if (index < CTELLTALE_LOCAL_WORDS) capture->local_offsets[index] = offset;
}

void ctelltale_capture_follow_tasks(CTelltaleCapture *capture, uintptr_t job_runner) {
    capture->job_runner = job_runner;
}

void capture_read_words(CTelltaleCapture *capture, CTelltaleThread *out) {
    uintptr_t head;
    if (!capture->has_pointers || !robust_list(out->id, &head)) return;
    uintptr_t pointer = head - (uintptr_t)capture->list_offset;
    // One call for all words.
    struct {
        uint64_t id;
        uint64_t head[3];
        uint64_t words[CTELLTALE_LOCAL_WORDS];
    } found;
    memset(&found, 0, sizeof found);
    struct iovec remote[2 + CTELLTALE_LOCAL_WORDS], local[2 + CTELLTALE_LOCAL_WORDS];
    size_t count = 0;
    local[count] = (struct iovec){&found.id, 4};
    remote[count++] = (struct iovec){(void *)(pointer + (uintptr_t)capture->id_offset), 4};
#if defined(__x86_64__)
    local[count] = (struct iovec){found.head, sizeof found.head};
    remote[count++] = (struct iovec){(void *)pointer, sizeof found.head};
#endif
    for (size_t i = 0; i < CTELLTALE_LOCAL_WORDS; i++) {
        if (!capture->local_offsets[i]) continue;
        local[count] = (struct iovec){&found.words[i], 8};
        remote[count++] =
            (struct iovec){(void *)(pointer + (uintptr_t)capture->local_offsets[i]), 8};
    }
    if (!ctelltale_guarded_gather(local, remote, count) || (int32_t)found.id != out->id) return;
#if defined(__x86_64__)
    if (found.head[0] != pointer || found.head[2] != pointer) return;
#endif
    out->thread_pointer = pointer;
    for (size_t i = 0; i < CTELLTALE_LOCAL_WORDS; i++) out->words[i] = found.words[i];
}
#endif
