// Arrays with pages of their own, which are moved by their page tables and released after their last use.
#include "CTelltaleMemory.h"

#if TELLTALE_AGENT
#include "memory/growing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The maximum size: offsets have 31 bits.
#define MOST_BYTES ((size_t)(UINT32_MAX / 2))
// The size in bytes from which an array has pages of its own.
#define OWN_PAGES ((size_t)64 << 10)
// The array doubles up to this size, and then grows by an eighth, though at least by this size: an unneeded
// page costs as much as a needed one, and moving pages is cheap.
#define LARGEST_DOUBLING ((size_t)512 << 10)

static size_t whole_pages(size_t bytes) { return (bytes + 4095) & ~(size_t)4095; }

// Populates pages now, which takes half as long as a fault for each. Before Linux 5.14 the faults occur.
static void populate(void *start, size_t size) {
#ifdef MADV_POPULATE_WRITE
    (void)madvise(start, size, MADV_POPULATE_WRITE);
#endif
}

static void *first_pages(size_t size) {
    void *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return NULL;
    madvise(fresh, size, MADV_DONTFORK);
    populate(fresh, size);
    return fresh;
}

static void *more_pages(void *array, size_t old, size_t size) {
    void *larger = mremap(array, old, size, MREMAP_MAYMOVE);
    if (larger == MAP_FAILED) return NULL;
    populate((char *)larger + old, size - old);
    return larger;
}

bool ctelltale_own_pages_grow(void **array, size_t *capacity, size_t needed) {
    size_t bytes = *capacity, wanted = needed;
    if (needed <= bytes) return true;
    if (needed > MOST_BYTES) return false;
    size_t more = bytes < LARGEST_DOUBLING ? bytes : bytes / 8 > LARGEST_DOUBLING ? bytes / 8 : LARGEST_DOUBLING;
    if (wanted < bytes + more) wanted = bytes + more;
    if (wanted < OWN_PAGES) return array_grow(array, capacity, needed, 1, MOST_BYTES);
    if (wanted > MOST_BYTES) wanted = MOST_BYTES;
    wanted = whole_pages(wanted);
    bool has_pages = bytes >= OWN_PAGES;
    void *larger = has_pages ? more_pages(*array, whole_pages(bytes), wanted) : first_pages(wanted);
    if (!larger) return false;
    if (!has_pages) {
        if (bytes > 0) memcpy(larger, *array, bytes);
        free(*array);
    }
    *array = larger;
    *capacity = wanted;
    return true;
}

void ctelltale_own_pages_free(void *array, size_t capacity) {
    if (capacity < OWN_PAGES) free(array);
    else munmap(array, whole_pages(capacity));
}
#endif
