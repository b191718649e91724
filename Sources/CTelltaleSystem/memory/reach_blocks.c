// Finds the blocks that a word may lead to: by the kernel's list of mappings, and each block by its header.
#include "memory/reach.h"

#if TELLTALE_AGENT
#include "CTelltaleMemory.h"
#include "memory/growing.h"

#include <string.h>

static bool take_mapping(void *context, const Mapping *mapping) {
    CTelltaleReach *reach = context;
    if (!mapping->is_readable || !mapping->is_writable || !mapping->is_private) return true;
    bool is_break = mapping->path_length == 6 && !memcmp(mapping->path, "[heap]", 6);
    if (mapping->path_length > 0 && !is_break) return true;
    ReachRange *last = reach->mapping_count > 0 ? &reach->mappings[reach->mapping_count - 1] : NULL;
    if (last && last->high == mapping->low && last->is_break == is_break) {
        last->high = mapping->high;
        return true;
    }
    if (reach->mapping_count == ReachMappings) return false;
    reach->mappings[reach->mapping_count++] = (ReachRange){mapping->low, mapping->high, is_break};
    return true;
}

void reach_list(CTelltaleReach *reach) {
    if (!reach->is_listed) ctelltale_maps_each(reach->text, MapsRoom, reach, take_mapping);
    reach->is_listed = true;
}

uintptr_t reach_load(const void *context, uintptr_t address) {
    (void)context;
    uintptr_t word = 0;
    ctelltale_reading_copy(address, &word, sizeof word);
    return word;
}

// Returns the part of an arena that would contain an address; looked up once for each part.
static const ReachSpan *span_of(CTelltaleReach *reach, uintptr_t address, uintptr_t high) {
    uintptr_t start = address & ~(uintptr_t)(reach->layout.span - 1);
    size_t slot = start / reach->layout.span;
    for (size_t i = 0; i < ReachSpans; i++) {
        ReachSpan *span = &reach->spans[(slot + i) & (ReachSpans - 1)];
        if (span->start == start) return span;
        if (span->start != 0) continue;
        uintptr_t header, end;
        size_t size = heap_arena_at(&reach->layout, start, high, reach->page, &header, &end);
        *span = (ReachSpan){start, size ? header : UINTPTR_MAX, size ? start + size : 0};
        return span;
    }
    return NULL;
}

size_t reach_block(CTelltaleReach *reach, uintptr_t start) {
    const CTelltaleHeapLayout *layout = &reach->layout;
    size_t index = SORTED_PREFIX(reach->mapping_count, i, reach->mappings[i].low <= start);
    if (index == 0 || start >= reach->mappings[index - 1].high) return 0;
    const ReachRange *mapping = &reach->mappings[index - 1];
    uintptr_t header = start - layout->header, words[2], end = mapping->high;
    if (header < mapping->low || !ctelltale_reading_copy(header, words, sizeof words)) return 0;
    size_t size = heap_block_size(layout, words[1], header, end);
    if (size == 0) return 0;
    if ((words[1] & layout->marks) == layout->mark_mapped)
        return heap_mapped_size(layout, words, header, end) != 0 ? size - 16 : 0;
    if (!mapping->is_break) {
        const ReachSpan *span = span_of(reach, start, end);
        if (!span || header < span->header || header + size >= span->end) return 0;
        end = span->end;
    }
    if (header + size + 16 > end || (reach_load(NULL, header + size + 8) & layout->mark_before) == 0) return 0;
    if (reach_load(NULL, start + layout->freed_word) == layout->freed_key) return 0;
    return heap_is_listed(layout, header, size, reach_load, NULL) ? 0 : size - 8;
}
#endif
