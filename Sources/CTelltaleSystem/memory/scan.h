//! What the parts of the search for objects by their first word share.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"
#include "process/maps.h"

#pragma clang assume_nonnull begin

enum {
    ScanPiece = 256 * 1024,
    // Bits of a filter that most words fail which lie among those that are looked for.
    ScanFilterBits = 4096,
    ScanRanges = 4,
};

// The words lie in few places (the data of one or two libraries). A word outside of these ranges is
// none of them, which is one subtraction and one comparison for each range.
typedef struct {
    uintptr_t low;
    uintptr_t span;
} ScanRange;

typedef struct {
    const uintptr_t *words;
    size_t count;
    ScanRange ranges[ScanRanges];
    size_t range_count;
    uint64_t filter[ScanFilterBits / 64];
    CTelltaleScanHit *hits;
    size_t capacity;
    uint64_t deadline;
    uintptr_t page;
    CTelltaleDescriptor pagemap;
    // The layout of heap blocks, if known.
    const CTelltaleHeapLayout *_Nullable layout;
    // The first arena's mapping has been walked: a continuation in another one begins within a
    // block.
    bool has_break;
    char *piece;
    char *text;
    uint64_t *pages;
    CTelltaleScanResult result;
} Scan;

/// Returns whether the scan continues: not after its deadline, nor without space for hits.
bool scan_goes_on(Scan *scan);

/// Copies the readable part of `size` bytes (whole pages) at `address`, and searches it; returns
/// how much that was.
size_t scan_piece(Scan *scan, uintptr_t address, size_t size);

/// Returns whether a word is one of those searched for.
bool scan_has_word(const Scan *scan, uintptr_t word);

/// Scans memory that the kernel has pages of; false if the scan has to end.
bool scan_region(Scan *scan, uintptr_t from, uintptr_t to);

/// The same without the inside of large blocks of the heap, in scan_blocks.c.
///
/// @param is_break whether it is the first arena, which begins with a block.
bool scan_heap(Scan *scan, uintptr_t from, uintptr_t to, bool is_break);

#pragma clang assume_nonnull end
