// Checks for available memory: a failed allocation in Swift ends the process.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

bool ctelltale_has_room(size_t size) {
    int saved = errno;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
}

bool ctelltale_data_is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool ctelltale_heap_can_begin(void) {
#ifdef __GLIBC__
    // Reserving address space doesn't show how much of it may become writable.
    if (ctelltale_data_is_limited()) return false;
    int saved = errno;
    // The address space that the C library reserves in order to align 64 MiB of it for a thread's own heap.
    size_t size = (size_t)128 << 20;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
#else
    return true;
#endif
}

// Returns true if blocks of these sizes can be allocated from the thread's heap at once. Blocks from the
// heap can't all lie at the start of a page.
static bool can_allocate(const size_t *sizes, size_t count) {
    enum { MOST = 24 };
    void *volatile pieces[MOST];
    size_t alone = 0, had = 0;
    int saved = errno;
    for (size_t i = 0; i < count; i++) {
        pieces[i] = malloc(sizes[i]);
        had += pieces[i] != NULL;
        alone += (uintptr_t)pieces[i] % 4096 == 2 * sizeof(size_t);
    }
    for (size_t i = 0; i < count; i++) free(pieces[i]);
    errno = saved;
#ifdef __GLIBC__
    // Such a block was mapped by itself, after a header: the heap has no capacity for it.
    if (alone >= (count < 3 ? count : 3)) return false;
#endif
    return had == count;
}

bool ctelltale_thread_has_heap(void) {
    // Larger than the blocks in a thread's cache.
    static const size_t sizes[] = {1100, 1300, 1500};
    return can_allocate(sizes, sizeof sizes / sizeof *sizes);
}

bool ctelltale_thread_takes_heap(void) {
    if (!ctelltale_data_is_limited()) return ctelltale_thread_has_heap();
    // Below the size from which the C library maps a block by itself. The part of a thread's heap that has
    // become writable stays so after a free (glibc's `shrink_heap`).
    static const size_t sizes[] = {61000, 61300, 61600, 61900, 62200, 62500, 62800, 63100, 63400,
                                   63700, 64000, 64300, 64600, 64900, 65200, 65500, 1100};
    return can_allocate(sizes, sizeof sizes / sizeof *sizes);
}
#endif
