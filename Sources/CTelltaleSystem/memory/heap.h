//! Blocks of the C library's allocator, by its layout; implemented in heap_layout.c.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"

#pragma clang assume_nonnull begin

/// Returns a block's size from its header's word; 0 if it is not a header.
size_t heap_block_size(const CTelltaleHeapLayout *layout, uintptr_t word, uintptr_t header,
                       uintptr_t end);

/// Returns the size of a block with a mapping of its own, whose header may be at `header` and has these two
/// words; 0 if it is none.
size_t heap_mapped_size(const CTelltaleHeapLayout *layout, const uintptr_t *words, uintptr_t header,
                        uintptr_t end);
/// Finds the part of an arena that may begin at `start` and ends before `high`: returns its length, the
/// header of its first block, and the end of its reserved memory. 0 if there is none.
size_t heap_arena_at(const CTelltaleHeapLayout *layout, uintptr_t start, uintptr_t high, uintptr_t page,
                     uintptr_t *header, uintptr_t *end);

/// Returns the first multiple of `span` from `at` on with a page in use, so that an arena may begin there;
/// `high` or more if there is none.
uintptr_t heap_span_from(int pagemap, uintptr_t at, uintptr_t high, uintptr_t span);

/// Returns the header of the next block in a list of freed ones, from a block's first word; 0 at the end.
uintptr_t heap_listed_next(const CTelltaleHeapLayout *layout, uintptr_t address, uintptr_t word);

/// Returns whether the block of `size` bytes at `header` is in a free list without a key; `load`
/// reads a word, 0 if it can't be read.
bool heap_is_listed(const CTelltaleHeapLayout *layout, uintptr_t header, size_t size,
                    uintptr_t (*load)(const void *_Nullable context, uintptr_t address),
                    const void *_Nullable context);

#pragma clang assume_nonnull end
