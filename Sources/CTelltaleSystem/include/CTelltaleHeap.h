//! The contents of the heap: all blocks of the C library's allocator that are in use, classified by their
//! first word.
//!
//! The host is never stopped and no lock is taken: the kernel copies blocks in chunks, as in the referrer
//! search.
#pragma once

#include "CTelltaleHolders.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    /// Not a Swift object.
    CTelltaleHeapOther = 0,
    /// A class: its metadata.
    CTelltaleHeapClass = 1,
    /// The captures of a closure, or a variable captured by one.
    CTelltaleHeapCaptures = 2,
    /// A value in a box; the word's metadata contains its type.
    CTelltaleHeapBox = 3,
    /// An error.
    CTelltaleHeapError = 4,
    /// Announced before: an object without Swift reference counts.
    CTelltaleHeapTold = 5,
} CTelltaleHeapKind;

/// All blocks with one first word.
typedef struct {
    uintptr_t word;
    uint64_t count, bytes;
    CTelltaleHeapKind kind;
    /// The minimum size of an object in bytes, with its header.
    uint32_t least;
    /// The addresses of its objects are recorded.
    bool is_wanted;
} CTelltaleHeapRow;

typedef struct {
    /// Blocks in use, and their bytes including headers.
    uint64_t blocks, bytes;
    /// The objects among them.
    uint64_t objects, object_bytes;
    /// The rest, by the highest bit of their sizes.
    uint64_t other_blocks[64], other_bytes[64];
    /// Requested objects that matched the filter, beyond the capacity.
    uint64_t left_out;
    /// There was no capacity for more first words.
    bool is_full;
    /// The deadline passed before the end.
    bool is_late;
    /// A part of the heap changed during each walk, and is not completely counted.
    bool is_torn;
    /// 0, or the error number of a failed read.
    int error;
} CTelltaleHeapTotals;

typedef struct CTelltaleHeapCensus CTelltaleHeapCensus;

/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
/// @return null if there is no memory. The used part of its mappings is touched: some 3 MB.
CTelltaleHeapCensus *_Nullable ctelltale_heap_make(const CTelltaleHeapLayout *layout,
                                                   uint64_t deadline);
void ctelltale_heap_free(CTelltaleHeapCensus *census);

/// Adds the address range of an image, which contains metadata and functions.
bool ctelltale_heap_image(CTelltaleHeapCensus *census, uintptr_t low, uintptr_t high);

/// Announces the first word of objects without Swift reference counts.
bool ctelltale_heap_tell(CTelltaleHeapCensus *census, uintptr_t word);

/// Records the addresses of objects with this first word, up to the capacity.
bool ctelltale_heap_want(CTelltaleHeapCensus *census, uintptr_t word, uintptr_t *addresses,
                         size_t capacity);

/// Limits the recorded objects to those with these `size` bytes, at most 16, at an offset.
void ctelltale_heap_filter(CTelltaleHeapCensus *census, size_t offset, const void *bytes, size_t size);

/// Counts once. Earlier results are discarded.
const CTelltaleHeapTotals *ctelltale_heap_count(CTelltaleHeapCensus *census);

/// Returns the rows that have objects, those with the most bytes first.
const CTelltaleHeapRow *_Nullable const *_Nonnull ctelltale_heap_rows(CTelltaleHeapCensus *census,
                                                                     size_t *count);
/// Returns the kind of object that a first word stands for, even if none was counted.
CTelltaleHeapKind ctelltale_heap_kind(CTelltaleHeapCensus *census, uintptr_t word);
/// Returns the number of recorded addresses.
size_t ctelltale_heap_kept(const CTelltaleHeapCensus *census);

#pragma clang assume_nonnull end
