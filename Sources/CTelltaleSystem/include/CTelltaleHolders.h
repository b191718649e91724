//! Referrer search: a search of this process's memory for the words that lead to an object, level by level,
//! through the blocks of the C library's allocator back to a root.
//!
//! The host is never stopped: the kernel copies its memory in chunks. Memory that vanishes in the meantime
//! is an error and not a fault, and no lock of the allocator is taken.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The block layout of glibc's allocator, in bytes and bits.
typedef struct CTelltaleHeapLayout {
    /// The distance from a block's header to its user's memory; the minimum block size; the mark bits in a
    /// size.
    uint32_t header, smallest, marks;
    /// The marks: the previous block is in use; the block is a mapping by itself; it is in another arena.
    uint32_t mark_before, mark_mapped, mark_other;
    /// An arena's memory begins at a multiple of this, with its arena, the previous part, and its size.
    uint64_t span;
    uint32_t span_arena, span_before, span_size, span_room, span_page;
    /// The first block of an arena, and of its further parts.
    uint32_t first_block, further_block;
    /// The offset in the user's memory of the word that is `freed_key` in a freed block.
    uint32_t freed_word;
    /// Found by calibration; 0 before.
    uintptr_t freed_key;
    /// Freed blocks of up to this size may be in a list without the key. Their links are in their first word,
    /// XORed with the address shifted right by this amount. Found by calibration; 0 before, and if there are
    /// no such lists.
    uint32_t listed_most, listed_shift;
    /// The end of a thread's own memory is at most this far after its thread pointer. The thread's id,
    /// which the kernel clears when the thread ends, is in that range.
    uint32_t thread_room, thread_id;
} CTelltaleHeapLayout;

/// The layout of glibc 2.36, without the key.
extern const CTelltaleHeapLayout ctelltale_heap_layout;

/// Tests the layout on blocks of the calling thread, and finds the key. 20 us.
///
/// @return null if the layout is correct; otherwise the reason, a sentence.
const char *_Nullable ctelltale_heap_calibrate(CTelltaleHeapLayout *layout);

// MARK: The search

typedef enum {
    CTelltaleHolderBlock = 0,
    /// A live stack; `start` is the thread.
    CTelltaleHolderThread = 1,
    /// A word among the variables of an image.
    CTelltaleHolderGlobal = 2,
    /// A word in memory about which nothing is known.
    CTelltaleHolderUnknown = 3,
    /// A word that the kernel keeps, such as the `epoll_data` of a descriptor; `start` has the epoll's
    /// number in the upper 32 bits and the descriptor's in the lower.
    CTelltaleHolderEvent = 4,
} CTelltaleHolderKind;

typedef enum {
    /// Found by the last level, and not classified yet.
    CTelltaleHolderNew = 0,
    /// The next level searches for its own referrers.
    CTelltaleHolderWanted = 1,
    CTelltaleHolderSearched = 2,
    /// A root, or a node that retains nothing.
    CTelltaleHolderEnd = 3,
} CTelltaleHolderState;

/// A referrer, or an object that is referred to.
typedef struct {
    uintptr_t start;
    size_t size;
    /// Words from `low` to before `high` lead to it.
    uintptr_t low, high;
    /// The first word of a block.
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
    /// Blocks that were walked in this level.
    uint64_t blocks;
    /// There was no capacity for more nodes or edges, or for more regions of memory.
    bool is_full;
    /// The deadline passed before the end.
    bool is_late;
    /// A part of the heap could not be walked; references from it are `CTelltaleHolderUnknown`.
    bool is_torn;
    /// 0, or the error number of a failed read.
    int error;
} CTelltaleHolderLevel;

/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
/// @return null if there is no memory. Takes at most 48 MB, of which only the used part is touched, in a
///   mapping that no search covers.
CTelltaleHolderSearch *_Nullable ctelltale_holders_make(const CTelltaleHeapLayout *layout,
                                                        uint64_t deadline);
void ctelltale_holders_free(CTelltaleHolderSearch *search);

/// Adds a thread's stack, which is live from `from` (0: as far as its mapping reaches) up to its thread
/// pointer and the memory after it. All of them must be added, in any order; a stack that is not a holder
/// is left out of the search.
///
/// @return false without capacity for more.
bool ctelltale_holders_stack(CTelltaleHolderSearch *search, int32_t thread, uintptr_t from,
                             uintptr_t thread_pointer, bool is_holder);

/// Adds the address range of an image, whose writable memory contains its variables.
bool ctelltale_holders_image(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high);

/// Adds a word that the kernel keeps with a descriptor that an epoll watches.
///
/// @return false if there is no capacity for more.
bool ctelltale_holders_event(CTelltaleHolderSearch *search, int32_t epoll, int32_t descriptor,
                             uintptr_t data);

/// Adds an object whose referrers are searched for: words from `start` to before `start + reach` lead to
/// it.
///
/// @return its node; UINT32_MAX without capacity.
uint32_t ctelltale_holders_target(CTelltaleHolderSearch *search, uintptr_t start, size_t reach);

/// Makes the node the block that contains `address`, at any offset: for an address within another object.
/// Reads the headers of all blocks.
///
/// @return false if the address is in no block; `kind` and `start` then give its location.
bool ctelltale_holders_locate(CTelltaleHolderSearch *search, uintptr_t address,
                              CTelltaleHolderNode *out);

/// Searches all memory once for referrers of the wanted nodes, and adds them.
CTelltaleHolderLevel ctelltale_holders_level(CTelltaleHolderSearch *search);

/// All nodes so far, to be classified in place; they don't move.
CTelltaleHolderNode *ctelltale_holders_nodes(CTelltaleHolderSearch *search, size_t *count);
const CTelltaleHolderEdge *ctelltale_holders_edges(CTelltaleHolderSearch *search, size_t *count);

#pragma clang assume_nonnull end
