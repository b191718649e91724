//! Referrer search: a search of this process's memory for the words that lead to something, level
//! by level, through the blocks of the C library's allocator back to a root.
//!
//! The host is never stopped: the kernel copies its memory in chunks, memory that vanishes
//! meanwhile is an error and not a fault, and no lock of the allocator is taken.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The block layout of glibc's allocator, in bytes and bits.
typedef struct CTelltaleHeapLayout {
    /// The distance from a block's header to its user's memory; the smallest block; the mark bits
    /// of a size.
    uint32_t header, smallest, marks;
    /// The marks: the block before is in use; it is a mapping by itself; it is of another arena.
    uint32_t mark_before, mark_mapped, mark_other;
    /// An arena's memory begins at a multiple of this, with its arena, the part before, and its size.
    uint64_t span;
    uint32_t span_arena, span_before, span_size, span_room;
    /// The first block of an arena, and of the further parts of one.
    uint32_t first_block, further_block;
    /// The offset in its user's memory of the word that is `freed_key` in a freed block.
    uint32_t freed_word;
    /// Found by calibration; 0 before.
    uintptr_t freed_key;
    /// Freed blocks of up to this size may be in a list without the key, whose links are in their first word,
    /// shifted by the address as far as this. Found by calibration; 0 before, and where it is not so.
    uint32_t listed_most, listed_shift;
    /// The end of a thread's own memory is at most so far behind its thread pointer, and its id, which the
    /// kernel clears when it ends, lies in there.
    uint32_t thread_room, thread_id;
} CTelltaleHeapLayout;

/// The layout of glibc 2.36, without the key.
extern const CTelltaleHeapLayout ctelltale_heap_layout;

/// Tries the layout on blocks of the calling thread's own, and finds the key. 20 us.
///
/// @return null if it reads back; else why not, a sentence.
const char *_Nullable ctelltale_heap_calibrate(CTelltaleHeapLayout *layout);

// MARK: The search

typedef enum {
    CTelltaleHolderBlock = 0,
    /// A live stack; `start` is the thread.
    CTelltaleHolderThread = 1,
    /// A word among the variables of an image.
    CTelltaleHolderGlobal = 2,
    /// A word in memory of which nothing is known.
    CTelltaleHolderUnknown = 3,
    /// A word that the kernel keeps, as the `epoll_data` of a descriptor; `start` is the epoll's number in the
    /// upper 32 bits and the descriptor's below.
    CTelltaleHolderEvent = 4,
} CTelltaleHolderKind;

typedef enum {
    /// Found by the last level: to be judged.
    CTelltaleHolderNew = 0,
    /// Its own holders are to be searched for.
    CTelltaleHolderWanted = 1,
    CTelltaleHolderSearched = 2,
    /// A way begins here, or it holds nothing.
    CTelltaleHolderEnd = 3,
} CTelltaleHolderState;

/// Something that holds, or is held.
typedef struct {
    uintptr_t start;
    size_t size;
    /// Words from here to before there lead to it.
    uintptr_t low, high;
    /// Its first word, where it is a block.
    uintptr_t word;
    CTelltaleHolderKind kind;
    CTelltaleHolderState state;
} CTelltaleHolderNode;

/// A word of one node, `offset` bytes from its start, that leads to another.
typedef struct {
    uint32_t holder, held, offset;
} CTelltaleHolderEdge;

typedef struct CTelltaleHolderSearch CTelltaleHolderSearch;

/// The result of a level. All figures are for the whole search so far.
typedef struct {
    uint64_t bytes;
    /// Blocks that were walked over in this level.
    uint64_t blocks;
    /// There was no room for more nodes or edges, or for more areas of memory.
    bool is_full;
    /// The deadline came first.
    bool is_late;
    /// A part of the heap could not be walked; references from it are `CTelltaleHolderUnknown`.
    bool is_torn;
    /// 0, or the error number of a failed read.
    int error;
} CTelltaleHolderLevel;

/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
/// @return null if there is no memory; at most 48 MB, of which what is used is touched, in a mapping
///   that no search looks at.
CTelltaleHolderSearch *_Nullable ctelltale_holders_make(const CTelltaleHeapLayout *layout,
                                                        uint64_t deadline);
void ctelltale_holders_free(CTelltaleHolderSearch *search);

/// Adds a thread's stack, which lives from `from` (0: as far as its mapping reaches) up to its
/// thread pointer and the memory after it. All of them have to be added, in any order; a stack that
/// is not a holder is left out of the search.
///
/// @return false without capacity for more.
bool ctelltale_holders_stack(CTelltaleHolderSearch *search, int32_t thread, uintptr_t from,
                             uintptr_t thread_pointer, bool is_holder);

/// Tells where an image lies, whose writable memory are variables.
bool ctelltale_holders_image(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high);

/// Tells of a word that the kernel keeps with a descriptor that an epoll watches.
///
/// @return false where there is no room for more.
bool ctelltale_holders_event(CTelltaleHolderSearch *search, int32_t epoll, int32_t descriptor,
                             uintptr_t data);

/// Adds something whose holders are searched for: words from `start` to before `start + reach` lead to it.
///
/// @return its node; UINT32_MAX without capacity.
uint32_t ctelltale_holders_target(CTelltaleHolderSearch *search, uintptr_t start, size_t reach);

/// Makes the node the block that contains `address`, at any offset: for an address within another
/// object. Reads the headers of all blocks.
///
/// @return false if it is in none; `kind` and `start` then say where it is.
bool ctelltale_holders_locate(CTelltaleHolderSearch *search, uintptr_t address,
                              CTelltaleHolderNode *out);

/// Searches all memory once for referrers of the wanted nodes, and adds them.
CTelltaleHolderLevel ctelltale_holders_level(CTelltaleHolderSearch *search);

/// All nodes so far, to be judged in place; they stay where they are.
CTelltaleHolderNode *ctelltale_holders_nodes(CTelltaleHolderSearch *search, size_t *count);
const CTelltaleHolderEdge *ctelltale_holders_edges(CTelltaleHolderSearch *search, size_t *count);

#pragma clang assume_nonnull end
