//! Declarations shared by the parts of the forward search.
#pragma once

#include "CTelltaleReach.h"
#include "memory/heap.h"
#include "names.h"
#include "process/maps.h"

#pragma clang assume_nonnull begin

enum {
    ReachNodes = 1 << 17,
    ReachSlots = 1 << 18,
    ReachInsides = 1 << 14,
    ReachMappings = 1 << 13,
    // Parts of arenas that were looked up.
    ReachSpans = 1 << 12,
    ReachPiece = 32 * 1024,
};

/// A block or a stack that was reached, an excluded one, or a target.
typedef struct {
    uintptr_t start, size;
    // The node it was reached from, and the offset in that.
    uint32_t from, offset;
    uint32_t root;
    uint16_t depth;
    bool is_stack;
    enum { NodeOpen, NodeClosed, NodeWanted, NodeFound } state;
    // For a target: the first word that its referrer must have.
    uintptr_t holder;
} ReachNode;

/// A target address inside a block.
typedef struct {
    uintptr_t address;
    // The block that contains it, once that is reached.
    uint32_t node;
} ReachInside;

/// Memory that may contain blocks.
typedef struct {
    uintptr_t low, high;
    bool is_break;
} ReachRange;

/// A part of an arena; `end` is 0 if none begins at `start`.
typedef struct {
    uintptr_t start, header, end;
} ReachSpan;

struct CTelltaleReach {
    CTelltaleHeapLayout layout;
    // In ns: on the monotonic clock, and in processor time of the thread.
    uint64_t deadline, last_use;
    uint32_t asked;
    bool is_late;
    uintptr_t page;
    size_t node_count, inside_count, mapping_count, bytes, left, next;
    bool is_sorted, is_listed;
    uint32_t slots[ReachSlots];
    ReachNode nodes[ReachNodes];
    ReachInside inside[ReachInsides];
    ReachRange mappings[ReachMappings];
    ReachSpan spans[ReachSpans];
    _Alignas(16) uintptr_t piece[ReachPiece / 8];
    char text[MapsRoom];
};

/// Lists the memory that may contain blocks, once, in reach_blocks.c.
void reach_list(CTelltaleReach *reach);

/// Returns the size of the block in use whose user's memory is at `start`; 0 if none begins there.
size_t reach_block(CTelltaleReach *reach, uintptr_t start);

/// Reads a word of this process; 0 if it can't be read.
uintptr_t reach_load(const void *_Nullable context, uintptr_t address);

#pragma clang assume_nonnull end
