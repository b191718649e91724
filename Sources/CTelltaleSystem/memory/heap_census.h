//! The state of a count of the heap's blocks.
#pragma once

#include "CTelltaleHeap.h"
#include "memory/holders.h"

#pragma clang assume_nonnull begin

enum {
    HeapSlotBits = 16,
    HeapSlots = 1 << HeapSlotBits,
    // A quarter of the slots stays free, so that lookups of a row are short.
    MostHeapRows = HeapSlots / 4 * 3,
};

/// A block in use; without a row it is not an object.
typedef struct {
    CTelltaleHeapRow *_Nullable row;
    size_t size;
    uintptr_t address;
    bool is_kept;
} HeapFound;

struct CTelltaleHeapCensus {
    /// Lists the regions, and contains the chunk.
    CTelltaleHolderSearch *search;
    uintptr_t freed_key;
    CTelltaleHeapTotals totals;
    /// Neighbours often have the same row.
    CTelltaleHeapRow *_Nullable last;
    size_t row_count, found_count;
    uintptr_t *_Nullable addresses;
    size_t capacity, kept;
    size_t filter_offset, filter_size;
    char filter[16];
    bool has_told;
    /// All regions of the process are known.
    bool is_listed;
    uint8_t told_filter[64];
    /// A hash table by first word: the number of a row, from 1.
    uint32_t slots[HeapSlots];
    CTelltaleHeapRow rows[MostHeapRows];
    const CTelltaleHeapRow *_Nullable sorted[MostHeapRows];
    /// Entries of the previous chunk, whose blocks count once the next chunk was walked, and of this chunk.
    HeapFound found[2 * HolderBounds];
};

/// Returns the row of a first word, which is created if there is none; null without capacity. In
/// heap_rows.c.
CTelltaleHeapRow *_Nullable heap_row(CTelltaleHeapCensus *census, uintptr_t word);

#pragma clang assume_nonnull end
