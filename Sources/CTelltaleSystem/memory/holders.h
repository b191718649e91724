//! Declarations shared by the parts of the referrer search.
#pragma once

#include "CTelltaleSystem.h"
#include "memory/heap.h"
#include "names.h"
#include "process/maps.h"

#pragma clang assume_nonnull begin

enum {
    HolderPiece = 256 * 1024,
    // The maximum number of block headers in one chunk: the smallest block has 32 bytes.
    HolderBounds = HolderPiece / 32 + 2,
    MostNodes = 1 << 18,
    MostEdges = 1 << 20,
    NodeSlots = 1 << 19,
    MostAreas = 1 << 16,
    MostStacks = 1 << 14,
    MostImages = 4096,
    MostEvents = 1 << 16,
    FilterBits = 1 << 18,
    MostRanges = 4,
    // The number of regions for which pointer-free pages are recorded: enough for 16 GB.
    PageSlots = 1 << 16,
    PagesPerSlot = 64,
    // Only the 48 bits of an address are compared: the upper bits are marks, which enumerations use.
    HolderMarkBits = 16,
};

/// A region of memory that is searched in one way.
typedef struct {
    uintptr_t low, high;
    enum {
        /// Adjacent blocks, from a header at `low`.
        AreaBlocks,
        /// A block with a mapping of its own.
        AreaMapped,
        AreaStack,
        AreaGlobals,
        AreaUnknown,
    } kind;
    int32_t thread;
    /// Blocks of the first arena, which ends at the program's break.
    bool is_break;
} HolderArea;

typedef struct {
    uintptr_t from, pointer;
    int32_t thread;
    bool is_holder;
} HolderStack;

typedef struct {
    uintptr_t low, high;
} HolderImage;

typedef struct {
    uintptr_t data;
    int32_t epoll, descriptor;
} HolderEvent;

/// A bit for each of 64 adjacent pages that have been read and can be left out.
typedef struct {
    uintptr_t key;
    uint64_t barren;
} HolderPages;

/// A range of words, of which only the 48 bits of an address are compared.
typedef struct {
    uintptr_t low, span;
} HolderRange;

/// The words to search for in a level: from `low` to before `high`.
typedef struct {
    uintptr_t low, high;
    uint32_t node;
} HolderWanted;

struct CTelltaleHolderSearch {
    CTelltaleHeapLayout layout;
    uint64_t deadline;
    uintptr_t page;
    CTelltaleDescriptor pagemap;
    CTelltaleHolderLevel result;
    size_t node_count, edge_count, area_count, stack_count, image_count, event_count, wanted_count;
    bool are_stacks_sorted;
    // While regions are listed: the end of the last inaccessible mapping, and of the last heap.
    uintptr_t forbidden_end;
    size_t heap_area;
    // While a level runs: words are compared with their upper 16 bits shifted away.
    HolderRange ranges[MostRanges];
    size_t range_count;
    // The ranges that contain every block; none before a level has been searched.
    HolderRange block_ranges[MostRanges];
    size_t block_range_count;
    HolderArea *_Nullable area;
    uintptr_t base;
    size_t bound_count;
    // The block that reaches into the chunk from before, or a header to come.
    uintptr_t next_header;
    // The pages of the chunk that have ever been touched, and those that were copied, a bit each.
    uint64_t present;
    uint64_t copied;
    HolderPages known[PageSlots];
    uint64_t filter[FilterBits / 64];
    uintptr_t bounds[HolderBounds];
    uintptr_t sizes[HolderBounds];
    char text[MapsRoom];
    HolderStack stacks[MostStacks];
    HolderImage images[MostImages];
    HolderEvent events[MostEvents];
    HolderArea areas[MostAreas];
    uint32_t slots[NodeSlots];
    HolderWanted wanted[MostNodes];
    CTelltaleHolderNode nodes[MostNodes];
    CTelltaleHolderEdge edges[MostEdges];
    _Alignas(4096) char piece[HolderPiece];
};

/// Begins or ends one use of the search, in holder_search.c: lists the regions, with the kernel's page map
/// open. The page map is not kept from one use to the next, which may be on a thread with another
/// descriptor table.
void holders_begin(CTelltaleHolderSearch *search);
void holders_end(CTelltaleHolderSearch *search);

/// Lists all memory that may contain a referrer, in holder_areas.c.
void holders_list_areas(CTelltaleHolderSearch *search);

/// Returns whether any page of a chunk has ever been touched, and records which (`search->present`), in
/// holder_areas.c.
bool holders_are_present(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high);

/// Walks over the memory of `search->area`, as far as the chunk that contains `until`, in holder_walk.c.
///
/// @return false if the walk lost the headers of blocks, or the deadline passed.
bool holders_walk_area(CTelltaleHolderSearch *search, uintptr_t until);

/// Returns the current end of a region of blocks, in holder_walk.c.
uintptr_t holders_end_now(const CTelltaleHolderSearch *search, const HolderArea *area);

/// Finds the block in use that contains `address`, in the chunk that was walked last.
bool holders_find_block(const CTelltaleHolderSearch *search, uintptr_t address, uintptr_t *header,
                        size_t *size);

/// Reads a word of that chunk, or of other memory.
uintptr_t holders_load(const CTelltaleHolderSearch *search, uintptr_t address);

/// Compares the copied pages of a chunk with the wanted words, in holder_level.c.
void holders_search_piece(CTelltaleHolderSearch *search, size_t got);

/// Makes the ranges of a level's words, from the wanted ones, in holder_pages.c.
void holders_make_ranges(CTelltaleHolderSearch *search);

/// Copies `size` bytes at `address` as the chunk: completely, or only those pages that can't be left out.
///
/// @return the number of bytes; -1 if the kernel refuses it.
ssize_t holders_copy(CTelltaleHolderSearch *search, uintptr_t address, size_t size, bool whole);

/// Returns whether all of a range of pages can be left out.
bool holders_are_barren(const CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high);

/// Records the pages of a completely copied chunk that can be left out from now on.
void holders_note_barren(CTelltaleHolderSearch *search, size_t got);

/// Returns whether a word of the chunk was copied.
bool holders_has_copied(const CTelltaleHolderSearch *search, uintptr_t offset);

/// Returns whether an address is in an image, in holder_search.c.
bool holders_in_image(const CTelltaleHolderSearch *search, uintptr_t address);
/// Returns the node of an object, which is created if there is none; UINT32_MAX without capacity.
uint32_t holders_node(CTelltaleHolderSearch *search, uintptr_t start, CTelltaleHolderKind kind,
                      bool *is_new);

/// Records that a word of `holder` leads to `held`.
void holders_edge(CTelltaleHolderSearch *search, uint32_t holder, uint32_t held, uintptr_t offset);

#pragma clang assume_nonnull end
