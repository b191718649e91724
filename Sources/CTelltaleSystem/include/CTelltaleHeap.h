//! The contents of the heap: all blocks of the C library's allocator that are in use, classified by
//! their first word.
//!
//! The host is never stopped, no lock is taken: blocks are copied by the kernel in pieces, as the search for
//! holders does.
#pragma once

#include "CTelltaleHolders.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    /// No object of Swift's.
    CTelltaleHeapOther = 0,
    /// A class: its metadata.
    CTelltaleHeapClass = 1,
    /// The captures of a closure, or a variable captured by one.
    CTelltaleHeapCaptures = 2,
    /// A value in a box, whose type the word's metadata has.
    CTelltaleHeapBox = 3,
    /// An error.
    CTelltaleHeapError = 4,
    /// It was told before: objects that have no counts of Swift's.
    CTelltaleHeapTold = 5,
} CTelltaleHeapKind;

/// All blocks with one first word.
typedef struct {
    uintptr_t word;
    uint64_t count, bytes;
    CTelltaleHeapKind kind;
    /// The least bytes of an object, with its header.
    uint32_t least;
    /// The addresses of its objects are kept.
    bool is_wanted;
} CTelltaleHeapRow;

typedef struct {
    /// Blocks in use, and their bytes with their headers.
    uint64_t blocks, bytes;
    /// The objects among them.
    uint64_t objects, object_bytes;
    /// The rest, by the highest bit of their sizes.
    uint64_t other_blocks[64], other_bytes[64];
    /// Objects that were wanted and fit, and had no room.
    uint64_t left_out;
    /// There was no room for more first words.
    bool is_full;
    /// The deadline came first.
    bool is_late;
    /// A part of the heap changed each time it was walked, and is not all counted.
    bool is_torn;
    /// 0, or the error number of a failed read.
    int error;
} CTelltaleHeapTotals;

typedef struct CTelltaleHeapCensus CTelltaleHeapCensus;

/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
/// @return null if there is no memory. What is used of its mappings is touched: some 3 MB.
CTelltaleHeapCensus *_Nullable ctelltale_heap_make(const CTelltaleHeapLayout *layout,
                                                   uint64_t deadline);
void ctelltale_heap_free(CTelltaleHeapCensus *census);

/// Tells where an image lies, in which metadata and functions are.
bool ctelltale_heap_image(CTelltaleHeapCensus *census, uintptr_t low, uintptr_t high);

/// Tells of the first word of objects that have no counts of Swift's.
bool ctelltale_heap_tell(CTelltaleHeapCensus *census, uintptr_t word);

/// Has the addresses of objects with this first word kept, as far as there is room for them.
bool ctelltale_heap_want(CTelltaleHeapCensus *census, uintptr_t word, uintptr_t *addresses,
                         size_t capacity);

/// Keeps only those of which `size` bytes, at most 16, at an offset are these.
void ctelltale_heap_filter(CTelltaleHeapCensus *census, size_t offset, const void *bytes, size_t size);

/// Counts once. Whatever was counted before is forgotten.
const CTelltaleHeapTotals *ctelltale_heap_count(CTelltaleHeapCensus *census);

/// The rows that have objects, those with the most bytes first.
const CTelltaleHeapRow *_Nullable const *_Nonnull ctelltale_heap_rows(CTelltaleHeapCensus *census,
                                                                     size_t *count);
/// Returns the kind of object that a first word stands for, even if none was counted.
CTelltaleHeapKind ctelltale_heap_kind(CTelltaleHeapCensus *census, uintptr_t word);
/// Returns the number of addresses that were kept.
size_t ctelltale_heap_kept(const CTelltaleHeapCensus *census);

#pragma clang assume_nonnull end
