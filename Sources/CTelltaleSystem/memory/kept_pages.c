// Pages that are kept: one thread at a time has them, by an exchange.
#include "memory/kept_pages.h"

#if TELLTALE_AGENT

#include "CTelltaleMemory.h"
#include "CTelltaleSignals.h"
#include "memory/growing.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// From so many bytes on an array has pages of its own. What the allocator gets back of that size it keeps
// for the next one, by a bound that grows with it: 50 MB of the host's after one answer of 20,000 objects.
#define OWN_PAGES ((size_t)64 << 10)
// It doubles until it has so much, and grows by an eighth, though by so much at least, from then on: a page that
// is not needed costs as much as one that is, and to move pages costs little.
#define LARGEST_DOUBLING ((size_t)512 << 10)
// The most that is kept.
#define MOST_KEPT ((size_t)4 << 20)

static size_t whole_pages(size_t bytes) { return (bytes + 4095) & ~(size_t)4095; }

// MARK: Keeping

// At their start.
typedef struct {
    size_t size;
    unsigned age;
} Pages;

static Pages *_Atomic kept;
static _Atomic unsigned keepers, forbidden;
// A forked child has none of it: the pages are not copied to it, and it has no thread that ages
// them.
static _Atomic uint32_t generation;

static bool has_forked(void) { return atomic_load(&generation) != ctelltale_fork_generation(); }

static Pages *take(void) { return has_forked() ? NULL : atomic_exchange(&kept, NULL); }

static void drop(Pages *pages) {
    if (pages) munmap(pages, pages->size);
}

static void keep(Pages *pages) {
    Pages *none = NULL;
    if (has_forked() || !atomic_compare_exchange_strong(&kept, &none, pages)) drop(pages);
    // A thread that forbade it meanwhile has found either this or nothing.
    if (atomic_load(&forbidden) > 0 || atomic_load(&keepers) == 0) drop(take());
}

void ctelltale_kept_pages_forbid(void) {
    atomic_fetch_add(&forbidden, 1);
    drop(take());
}

void ctelltale_kept_pages_allow(void) { atomic_fetch_sub(&forbidden, 1); }

void ctelltale_kept_pages_begin(void) {
    uint32_t now = ctelltale_fork_generation();
    if (atomic_exchange(&generation, now) != now) {
        atomic_store(&kept, NULL);
        atomic_store(&keepers, 0);
        atomic_store(&forbidden, 0);
    }
    atomic_fetch_add(&keepers, 1);
}

void ctelltale_kept_pages_end(void) {
    if (atomic_fetch_sub(&keepers, 1) == 1) drop(take());
}

void ctelltale_kept_pages_age(void) {
    Pages *pages = take();
    if (!pages) return;
    if (pages->age++ > 0) drop(pages);
    else keep(pages);
}

// MARK: Arrays

// Has pages come now, which takes half as long as a fault for each. Before Linux 5.14 there are the faults.
static void populate(void *start, size_t size) {
#ifdef MADV_POPULATE_WRITE
    (void)madvise(start, size, MADV_POPULATE_WRITE);
#endif
}

// New pages, or those that were kept, whose size is then taken where it is the larger one.
static void *first_pages(size_t *size) {
    Pages *pages = take();
    if (pages && pages->size >= *size) {
        *size = pages->size;
        return pages;
    }
    drop(pages);
    void *fresh = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return NULL;
    madvise(fresh, *size, MADV_DONTFORK);
    populate(fresh, *size);
    return fresh;
}

static void *more_pages(void *array, size_t old, size_t size) {
    void *larger = mremap(array, old, size, MREMAP_MAYMOVE);
    if (larger == MAP_FAILED) return NULL;
    populate((char *)larger + old, size - old);
    return larger;
}

bool ctelltale_kept_pages_grow(void **array, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) return true;
    if (needed > MOST_INDEX) return false;
    size_t bytes = *room * size, wanted = needed * size;
    size_t more = bytes < LARGEST_DOUBLING ? bytes : bytes / 8 > LARGEST_DOUBLING ? bytes / 8 : LARGEST_DOUBLING;
    if (wanted < bytes + more) wanted = bytes + more;
    if (wanted < OWN_PAGES) return array_grow(array, room, needed, size, MOST_INDEX);
    if (wanted / size > MOST_INDEX) wanted = MOST_INDEX * size;
    wanted = whole_pages(wanted);
    bool has_pages = bytes >= OWN_PAGES;
    void *larger = has_pages ? more_pages(*array, whole_pages(bytes), wanted) : first_pages(&wanted);
    if (!larger) return false;
    if (!has_pages) {
        if (bytes > 0) memcpy(larger, *array, bytes);
        free(*array);
    }
    *array = larger;
    *room = wanted / size;
    return true;
}

void ctelltale_kept_pages_let_go(void *array, size_t bytes) {
    if (bytes < OWN_PAGES) {
        free(array);
        return;
    }
    size_t size = whole_pages(bytes);
    Pages *others = size > MOST_KEPT ? NULL : take();
    if (size > MOST_KEPT || (others && others->size >= size)) {
        munmap(array, size);
        if (others) keep(others);
        return;
    }
    drop(others);
    Pages *pages = array;
    *pages = (Pages){size, 0};
    keep(pages);
}
#endif
