// Finds pointers of the process that no search of its memory meets: those of Linux's own asynchronous input and
// output, and those in pages that can't be read for the moment.
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT
#include "process/maps.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A larger mapping without access is a reservation: it is not looked into.
#define LARGEST (UINT64_C(64) << 20)
#define LARGEST_OF_ALL (UINT64_C(512) << 20)

struct search {
    CTelltaleHiddenRoots *roots;
    uint64_t left;
    size_t page;
    bool is_filtered;
};

// The pages that are in memory of a mapping without access. glibc and the kernel never write to a guard page or to
// the unused part of an arena, so their pages are not.
static uint64_t resident(uintptr_t low, uintptr_t high, size_t page) {
    unsigned char pages[4096];
    uint64_t bytes = 0;
    while (low < high) {
        size_t size = high - low < sizeof pages * page ? high - low : sizeof pages * page;
        if (mincore((void *)low, size, pages) < 0) return bytes;
        for (size_t i = 0; i < (size + page - 1) / page; i++) bytes += pages[i] & 1 ? page : 0;
        low += size;
    }
    return bytes;
}

static bool take_mapping(void *context, const Mapping *mapping) {
    static const char aio[] = "/[aio]";
    struct search *search = context;
    if (mapping->path_length >= sizeof aio - 1 && !memcmp(mapping->path, aio, sizeof aio - 1)) {
        search->roots->async_contexts++;
        return true;
    }
    // A filter that came after the agent's start may end the process at mincore().
    if (search->is_filtered) return true;
    bool is_hidden = !mapping->is_readable && !mapping->is_writable && mapping->is_private &&
                     mapping->path_length == 0;
    uint64_t size = mapping->high - mapping->low;
    if (!is_hidden || size > LARGEST || size > search->left) return true;
    search->left -= size;
    search->roots->unreadable_bytes += resident(mapping->low, mapping->high, search->page);
    return true;
}

int ctelltale_hidden_roots(CTelltaleHiddenRoots *out) {
    char text[MapsRoom];
    memset(out, 0, sizeof *out);
    struct search search = {out, LARGEST_OF_ALL, (size_t)sysconf(_SC_PAGESIZE),
                            ctelltale_filters_have_grown()};
    return ctelltale_maps_each(text, sizeof text, &search, take_mapping);
}
#endif
