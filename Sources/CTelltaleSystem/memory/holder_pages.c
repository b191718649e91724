// Pages that a search doesn't have to read again: the inside of large blocks, mostly buffers and images, in
// which no word is a pointer to a block. The first level reads all memory and finds these pages; later
// levels read the rest, which is a small part in a service with large buffers.
//
// Only memory inside a block in use is left out, away from its header: free memory may be allocated at any
// moment, and pointers written to it. The search misses pointers that are written into a buffer while it
// runs, and those that are moved from an address that is not yet read to one that has been read. So an
// object without a referrer is searched for once more, from the first level.
#include "memory/holders.h"

#if TELLTALE_AGENT
#include "memory/growing.h"

#include <stddef.h>
#include <string.h>

// MARK: Ranges

static HolderRange range(uintptr_t low, uintptr_t high) {
    return (HolderRange){low << HolderMarkBits, (high - 1 - low) << HolderMarkBits};
}

static bool is_in(const HolderRange *ranges, size_t count, uintptr_t word) {
    for (size_t i = 0; i < count; i++)
        if ((word << HolderMarkBits) - ranges[i].low <= ranges[i].span) return true;
    return false;
}

// Makes the ranges of blocks and of all other searched memory, without the widest gaps.
static void make_block_ranges(CTelltaleHolderSearch *search) {
    const HolderArea *areas = search->areas;
    size_t starts[MostRanges], count = 0;
    if (search->area_count > 0)
        count = array_split(areas, search->area_count, sizeof *areas, offsetof(HolderArea, high),
                            (uintptr_t)1 << 30, starts, MostRanges);
    for (size_t i = 0; i < count; i++) {
        // The regions of one mapping are not sorted.
        uintptr_t low = UINTPTR_MAX, high = 0;
        size_t end = i + 1 < count ? starts[i + 1] : search->area_count;
        for (size_t area = starts[i]; area < end; area++) {
            if (areas[area].low < low) low = areas[area].low;
            if (areas[area].high > high) high = areas[area].high;
        }
        search->block_ranges[i] = range(low, high);
    }
    search->block_range_count = count;
}

void holders_make_ranges(CTelltaleHolderSearch *search) {
    const HolderWanted *wanted = search->wanted;
    size_t starts[MostRanges], count = 0;
    if (search->wanted_count > 0)
        count = array_split(wanted, search->wanted_count, sizeof *wanted,
                            offsetof(HolderWanted, high), 1 << 20, starts, MostRanges);
    bool is_known = search->block_range_count > 0;
    for (size_t i = 0; i < count; i++) {
        size_t last = (i + 1 < count ? starts[i + 1] : search->wanted_count) - 1;
        search->ranges[i] = range(wanted[starts[i]].low, wanted[last].high);
    }
    search->range_count = count;
    for (size_t i = 0; i < search->wanted_count && is_known; i++)
        is_known = is_in(search->block_ranges, search->block_range_count, wanted[i].low) &&
                   is_in(search->block_ranges, search->block_range_count, wanted[i].high - 1);
    if (is_known) return;
    // Pages were left out for other ranges.
    memset(search->known, 0, sizeof search->known);
    make_block_ranges(search);
}

// MARK: Pages

static HolderPages *_Nullable slot(const CTelltaleHolderSearch *search, uintptr_t address, bool is_new) {
    enum { most_steps = 16 };
    uintptr_t key = address / search->page / PagesPerSlot + 1;
    size_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> 48;
    HolderPages *known = (HolderPages *)search->known;
    for (int step = 0; step < most_steps; step++) {
        HolderPages *pages = &known[(at + (size_t)step) & (PageSlots - 1)];
        if (pages->key == key) return pages;
        if (pages->key != 0) continue;
        if (!is_new) return NULL;
        pages->key = key;
        return pages;
    }
    return NULL;
}

static bool is_barren(const CTelltaleHolderSearch *search, uintptr_t address) {
    const HolderPages *pages = slot(search, address, false);
    return pages && (pages->barren >> (address / search->page % PagesPerSlot) & 1) != 0;
}

bool holders_are_barren(const CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    for (; low < high; low += search->page)
        if (!is_barren(search, low)) return false;
    return true;
}

bool holders_has_copied(const CTelltaleHolderSearch *search, uintptr_t offset) {
    return (search->copied >> (offset / search->page) & 1) != 0;
}

// MARK: Copying

// Copies the wanted pages, with one call for each run of them; false if one could not be read.
static bool copy_others(CTelltaleHolderSearch *search, uintptr_t address, size_t size) {
    for (size_t at = 0, next; at < size; at = next) {
        bool is_wanted = holders_has_copied(search, at);
        for (next = at + search->page; next < size; next += search->page)
            if (holders_has_copied(search, next) != is_wanted) break;
        if (is_wanted && !ctelltale_read_memory(address + at, search->piece + at, next - at)) return false;
    }
    return true;
}

ssize_t holders_copy(CTelltaleHolderSearch *search, uintptr_t address, size_t size, bool whole) {
    int kind = search->area->kind;
    // A read of an untouched page makes the kernel map a page of zeros there from then on, which each later
    // search would read again. For blocks the headers are needed, and variables have their file's values.
    search->copied = kind == AreaUnknown || kind == AreaStack ? search->present : UINT64_MAX;
    for (size_t at = 0; at < size && !whole; at += search->page)
        if (is_barren(search, address + at))
            search->copied &= ~((uint64_t)1 << (at / search->page));
    if (search->copied != UINT64_MAX && copy_others(search, address, size)) return (ssize_t)size;
    search->copied = UINT64_MAX;
    return ctelltale_read_part(address, search->piece, size);
}

// MARK: Skippable pages

#define MEETS(i) (at[i] << HolderMarkBits) - low <= span ||
#define MEETS8(i) \
    MEETS(i) MEETS(i + 1) MEETS(i + 2) MEETS(i + 3) MEETS(i + 4) MEETS(i + 5) MEETS(i + 6) MEETS(i + 7)

// Unrolled by hand, as in holder_level.c.
__attribute__((no_sanitize("address", "thread")))
static bool has_pointer(const CTelltaleHolderSearch *search, size_t offset) {
    for (size_t i = 0; i < search->block_range_count; i++) {
        uintptr_t low = search->block_ranges[i].low, span = search->block_ranges[i].span;
        const uintptr_t *at = (const uintptr_t *)(const void *)(search->piece + offset);
        const uintptr_t *end = at + search->page / sizeof(uintptr_t);
        for (; at < end; at += 32)
            if (MEETS8(0) MEETS8(8) MEETS8(16) MEETS8(24) false) return true;
    }
    return false;
}

void holders_note_barren(CTelltaleHolderSearch *search, size_t got) {
    if (search->copied != UINT64_MAX || search->block_range_count == 0) return;
    size_t next = 0;
    uintptr_t end = 0;
    bool is_used = false;
    for (size_t at = 0; at < got; at += search->page) {
        uintptr_t page = search->base + at;
        // The first header that is not before the page.
        while (next < search->bound_count && search->bounds[next] + 16 <= page) next++;
        if (next < search->bound_count && search->bounds[next] < page + search->page) continue;
        if (has_pointer(search, at)) continue;
        if (page >= end) {
            uintptr_t header;
            size_t size;
            is_used = holders_find_block(search, page, &header, &size);
            end = is_used ? header + size : page + search->page;
        }
        if (!is_used || end < page + search->page) continue;
        HolderPages *pages = slot(search, page, true);
        if (pages) pages->barren |= (uint64_t)1 << (page / search->page % PagesPerSlot);
    }
}

#endif
