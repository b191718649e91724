// Distinguishes a loaded object from another that is later loaded at the same address.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <dlfcn.h>
#include <features.h>
#include <link.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)

// Takes no lock, unlike dladdr and dl_iterate_phdr. Weak, for a program that is run with an older C
// library.
extern __typeof(_dl_find_object) _dl_find_object __attribute__((weak));

uintptr_t ctelltale_image_start(uintptr_t address) {
    struct dl_find_object found;
    if (_dl_find_object == NULL || _dl_find_object((void *)address, &found) != 0) return 0;
    return (uintptr_t)found.dlfo_map_start;
}

// FNV-1a over words.
static uint64_t mix(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001b3u; }

uint64_t ctelltale_image_mark(uintptr_t start) {
    struct dl_find_object found;
    if (_dl_find_object == NULL || _dl_find_object((void *)start, &found) != 0 ||
        (uintptr_t)found.dlfo_map_start != start)
        return 0;
    uint64_t mark = mix(0xcbf29ce484222325u, (uintptr_t)found.dlfo_map_end);
    mark = mix(mark, (uintptr_t)found.dlfo_link_map);
    mark = mix(mark, (uintptr_t)found.dlfo_eh_frame);
    // The header, the sizes of the segments, and usually the build id.
    uint64_t words[128];
    if (!ctelltale_reading_copy(start, words, sizeof words)) return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) mark = mix(mark, words[i]);
    // The path, for objects that were linked without a build id.
    struct link_map map;
    if (!ctelltale_reading_copy((uintptr_t)found.dlfo_link_map, &map, sizeof map)) return 0;
    mark = mix(mark, (uintptr_t)map.l_ld);
    char path[256];
    uintptr_t at = (uintptr_t)map.l_name;
    // Up to the end of a page or of the path, whichever is first: the bytes are only hashed.
    size_t size = 4096 - at % 4096 < sizeof path ? 4096 - at % 4096 : sizeof path;
    if (at == 0 || !ctelltale_reading_copy(at, path, size)) return mark;
    for (size_t i = 0; i < size && path[i] != 0; i++) mark = mix(mark, (unsigned char)path[i]);
    return mark == 0 ? 1 : mark;
}

#else

// An older C library has no lock-free lookup.
uintptr_t ctelltale_image_start(uintptr_t address) { return 0; }
uint64_t ctelltale_image_mark(uintptr_t start) { return 0; }

#endif
#endif
