// Checks for available memory: a failed allocation in Swift ends the process.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

bool ctelltale_has_room(size_t size) {
    int saved = errno;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
}

bool ctelltale_heap_can_begin(void) {
#ifdef __GLIBC__
    int saved = errno;
    // The address space that the C library reserves to have 64 MiB of it aligned for a thread's own
    // heap.
    size_t size = (size_t)128 << 20;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
#else
    return true;
#endif
}

bool ctelltale_thread_has_heap(void) {
    int saved = errno;
    // Larger than a thread's own cache takes; of sizes that can't all lie at the start of a page.
    static const size_t sizes[] = {1100, 1300, 1500};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    void *volatile pieces[COUNT];
    size_t alone = 0, had = 0;
    for (size_t i = 0; i < COUNT; i++) {
        pieces[i] = malloc(sizes[i]);
        had += pieces[i] != NULL;
        alone += (uintptr_t)pieces[i] % 4096 == 2 * sizeof(size_t);
    }
    for (size_t i = 0; i < COUNT; i++) free(pieces[i]);
    errno = saved;
#ifdef __GLIBC__
    // Each from the kernel by itself, behind its header.
    if (alone == COUNT) return false;
#endif
    return had == COUNT;
}
#endif
