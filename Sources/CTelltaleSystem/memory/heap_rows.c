// The meaning of blocks' first words, each determined once, and the memory of a count.
#include "memory/growing.h"
#include "memory/heap_census.h"
#include "memory/reader.h"

#if TELLTALE_AGENT

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// MARK: Classifying first words

// Metadata is in an image, or in memory allocated for it, and both are among the listed memory. Most first
// words are not addresses: without the list each of them costs a system call.
static bool may_be_metadata(const CTelltaleHeapCensus *census, uintptr_t word) {
    const CTelltaleHolderSearch *search = census->search;
    if (!census->is_listed) return true;
    size_t below = SORTED_PREFIX(search->area_count, i, search->areas[i].low <= word);
    return (below > 0 && word < search->areas[below - 1].high) || holders_in_image(search, word);
}

// Recognises the metadata of a class, or of a box, as `swift/ABI/Metadata.h` of swift-6.3.1-RELEASE lays
// them out: a destroying function two words before it, its value witnesses one word before, and its kind in
// its first word.
static void judge(const CTelltaleHeapCensus *census, CTelltaleHeapRow *row) {
    enum { box = 0x500, captures = 0x400, error = 0x501, context_kind = 0x1F, of_class = 16 };
    struct {
        uintptr_t destroy, witnesses, kind, second;
        uint32_t flags, address_point, size, alignment, class_size, class_address_point;
        uintptr_t descriptor;
    } read;
    uint32_t flags;
    row->kind = CTelltaleHeapOther;
    if (!may_be_metadata(census, row->word)) return;
    if (!ctelltale_reading_copy(row->word - 16, &read, sizeof read)) return;
    if (!holders_in_image(census->search, read.destroy)) return;
    row->least = 16;
    if (read.kind == captures && holders_in_image(census->search, row->word)) {
        row->kind = CTelltaleHeapCaptures;
    } else if (read.kind == box && (uint32_t)read.second >= 16 && (uint32_t)read.second < 4096) {
        row->kind = CTelltaleHeapBox;
    } else if (read.kind == error) {
        row->kind = CTelltaleHeapError;
    } else if (read.kind == 0 && read.size >= 16 && read.class_address_point < read.class_size &&
               (read.descriptor & 3) == 0 && holders_in_image(census->search, read.descriptor) &&
               ctelltale_reading_copy(read.descriptor, &flags, sizeof flags) &&
               (flags & context_kind) == of_class) {
        row->kind = CTelltaleHeapClass;
        row->least = read.size - read.address_point;
    }
}

CTelltaleHeapRow *heap_row(CTelltaleHeapCensus *census, uintptr_t word) {
    size_t slot = (word >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HeapSlotBits);
    for (;; slot = (slot + 1) & (HeapSlots - 1)) {
        uint32_t known = census->slots[slot];
        if (known == 0) break;
        CTelltaleHeapRow *row = &census->rows[known - 1];
        if (row->word == word) return row;
    }
    if (census->row_count == MostHeapRows) {
        census->totals.is_full = true;
        return NULL;
    }
    CTelltaleHeapRow *row = &census->rows[census->row_count++];
    census->slots[slot] = (uint32_t)census->row_count;
    row->word = word;
    judge(census, row);
    return row;
}

// MARK: Memory

CTelltaleHeapCensus *ctelltale_heap_make(const CTelltaleHeapLayout *layout, uint64_t deadline) {
    CTelltaleHolderSearch *search = ctelltale_holders_make(layout, deadline);
    if (!search) return NULL;
    CTelltaleHeapCensus *census = reader_room(sizeof *census);
    if (!census) {
        ctelltale_holders_free(search);
        return NULL;
    }
    census->search = search;
    census->freed_key = layout->freed_key;
    return census;
}

void ctelltale_heap_free(CTelltaleHeapCensus *census) {
    ctelltale_holders_free(census->search);
    munmap(census, sizeof *census);
}

bool ctelltale_heap_image(CTelltaleHeapCensus *census, uintptr_t low, uintptr_t high) {
    return ctelltale_holders_image(census->search, low, high);
}

bool ctelltale_heap_tell(CTelltaleHeapCensus *census, uintptr_t word) {
    CTelltaleHeapRow *row = heap_row(census, word);
    if (!row) return false;
    row->kind = CTelltaleHeapTold;
    row->least = 16;
    census->has_told = true;
    census->told_filter[word >> 4 & 63] = 1;
    return true;
}

bool ctelltale_heap_want(CTelltaleHeapCensus *census, uintptr_t word, uintptr_t *addresses,
                         size_t capacity) {
    CTelltaleHeapRow *row = heap_row(census, word);
    if (!row) return false;
    row->is_wanted = true;
    census->addresses = addresses;
    census->capacity = capacity;
    return true;
}

static int by_bytes(const void *left, const void *right) {
    const CTelltaleHeapRow *const *a = left, *const *b = right;
    if ((*a)->bytes != (*b)->bytes) return (*a)->bytes > (*b)->bytes ? -1 : 1;
    return (*a)->word < (*b)->word ? -1 : (*a)->word > (*b)->word;
}

const CTelltaleHeapRow *const *ctelltale_heap_rows(CTelltaleHeapCensus *census, size_t *count) {
    *count = 0;
    for (size_t i = 0; i < census->row_count; i++)
        if (census->rows[i].count > 0) census->sorted[(*count)++] = &census->rows[i];
    qsort(census->sorted, *count, sizeof *census->sorted, by_bytes);
    return census->sorted;
}

CTelltaleHeapKind ctelltale_heap_kind(CTelltaleHeapCensus *census, uintptr_t word) {
    const CTelltaleHeapRow *row = heap_row(census, word);
    return row ? row->kind : CTelltaleHeapOther;
}

size_t ctelltale_heap_kept(const CTelltaleHeapCensus *census) { return census->kept; }

#endif
