//! Declarations shared by the parts of the search for objects by their first word.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"
#include "process/maps.h"

#pragma clang assume_nonnull begin

enum {
    ScanPiece = 256 * 1024,
    // The size in bits of a filter that rejects most words within the ranges.
    ScanFilterBits = 4096,
    ScanRanges = 4,
};

// The words are in few regions (the data of one or two libraries). A word outside of these ranges is
// rejected by one subtraction and one comparison for each range.
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

/// Returns whether the scan continues: false after its deadline, or without capacity for hits.
bool scan_goes_on(Scan *scan);

/// Copies the readable part of `size` bytes (whole pages) at `address`, and searches it; returns the size
/// of that part.
size_t scan_piece(Scan *scan, uintptr_t address, size_t size);

/// Returns whether a word is one of those searched for.
bool scan_has_word(const Scan *scan, uintptr_t word);

/// Scans memory for which the kernel has pages; false if the scan has to end.
bool scan_region(Scan *scan, uintptr_t from, uintptr_t to);

/// The same without the inside of large blocks of the heap, in scan_blocks.c.
///
/// @param is_break True for the first arena, which begins with a block.
bool scan_heap(Scan *scan, uintptr_t from, uintptr_t to, bool is_break);

#pragma clang assume_nonnull end
