// The memory that a task has allocated for its functions, in a chain of slabs (`StackAllocator` of
// swift-6.3.1-RELEASE). Bytes above the used part of a slab are stale: they belonged to functions that have
// ended.
#include "concurrency/slabs.h"

#if TELLTALE_AGENT

// Weak, as a runtime may lack it.
extern const void *const _swift_concurrency_debug_asyncTaskSlabMetadata __attribute__((weak));

enum {
    // {metadata, next, capacity, use}, followed by its bytes.
    slab_header = 32,
    // A task's last allocation, followed by its first slab.
    task_first_slab = 8,
    // The maximum number of slabs that are read for a task.
    most_slabs = 64,
    // The offset of a block's memory in glibc's allocator; the size is in the middle of the header. The
    // next block's first word is this one's last.
    block_header = 16,
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
    // The last allocation is the end of the used part.
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

// Copies of the program's memory are off by 8 bytes from a multiple of 16, so that no search mistakes them
// for an object.
typedef struct {
    _Alignas(16) uintptr_t off;
    Slab slab;
} SlabCopy;

uintptr_t task_memory_end(const CTelltaleTaskRuntime *runtime, uintptr_t task, uintptr_t context) {
    if (!&_swift_concurrency_debug_asyncTaskSlabMetadata) return 0;
    uintptr_t metadata = (uintptr_t)_swift_concurrency_debug_asyncTaskSlabMetadata;
    uintptr_t at = task + runtime->layout.task_allocation + task_first_slab, slab, size;
    SlabCopy copy;
    if (!ctelltale_reading_copy(at, &slab, sizeof slab)) return 0;
    for (int i = 0; i < most_slabs && slab != 0; i++, slab = copy.slab.next) {
        if (!ctelltale_reading_copy(slab, &copy.slab, sizeof copy.slab) ||
            copy.slab.metadata != metadata || copy.slab.capacity > 1u << 24)
            break;
        uintptr_t end = slab + slab_header + copy.slab.capacity;
        if (context >= slab && context < end) return end;
    }
    // The first function's memory follows the task, in the task's own block.
    if (!ctelltale_reading_copy(task - block_header / 2, &size, sizeof size)) return 0;
    uintptr_t end = task - block_header + (size & ~(uintptr_t)7) + block_header / 2;
    return context >= task && context < end && end - task < 1u << 24 ? end : 0;
}

#endif
