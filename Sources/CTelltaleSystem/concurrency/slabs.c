// What a task has allocated for its functions, in slabs one behind the other (`StackAllocator` of
// swift-6.3.1-RELEASE). What lies above the end of a slab's use is left over from functions that have ended.
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

// Weak, as a runtime may have none.
extern const void *const _swift_concurrency_debug_asyncTaskSlabMetadata __attribute__((weak));

enum {
    // {metadata, next, capacity, use}, and its bytes behind that.
    slab_header = 32,
    // A task's last allocation, and its first slab behind that.
    task_first_slab = 8,
};

typedef struct {
    uintptr_t metadata, next;
    uint32_t capacity, use;
} Slab;

static bool is_left_over(uintptr_t slab, uintptr_t metadata, uintptr_t last, uintptr_t address) {
    Slab read;
    if (!ctelltale_read_memory(slab, &read, sizeof read) || read.metadata != metadata) return false;
    if (read.use > read.capacity || read.capacity > 1u << 24) return false;
    uintptr_t bytes = slab + slab_header;
    // The last allocation is the end of the use.
    if (last >= bytes && last < bytes + read.capacity && last >= bytes + read.use) return false;
    return address >= bytes + read.use && address < bytes + read.capacity;
}

bool ctelltale_task_is_left_over(const CTelltaleTaskRuntime *runtime, uintptr_t block,
                                 uintptr_t word, uintptr_t address) {
    if (!&_swift_concurrency_debug_asyncTaskSlabMetadata) return false;
    uintptr_t metadata = (uintptr_t)_swift_concurrency_debug_asyncTaskSlabMetadata;
    if (word == metadata) return is_left_over(block, metadata, 0, address);
    uintptr_t words[2];
    if (word != runtime->task_metadata ||
        !ctelltale_read_memory(block + runtime->layout.task_allocation, words, sizeof words))
        return false;
    uintptr_t slab = words[task_first_slab / 8];
    return slab > block && slab < address && is_left_over(slab, metadata, words[0], address);
}

#endif
