//! Reachability from a root: from a timer or a stack forward, through blocks of the C library's
//! allocator, until all wanted objects are found or the bound is reached.
//!
//! A few milliseconds, while a search for holders reads all memory: an object found here needs
//! none. An object not found may be reachable all the same.
#pragma once

#include "CTelltaleHolders.h"

#pragma clang assume_nonnull begin

typedef struct CTelltaleReach CTelltaleReach;

/// A block on the path, and the offset of its word that leads on.
typedef struct {
    uintptr_t start;
    size_t size;
    uintptr_t offset;
} CTelltaleReachStep;

/// For one thread, which should be reading (`ctelltale_reading_begin`): each word is looked at by itself.
///
/// @return null if there is no memory; at most 10 MB, of which what is used is touched, in a mapping that
///   no search looks at.
CTelltaleReach *_Nullable ctelltale_reach_make(const CTelltaleHeapLayout *layout);
void ctelltale_reach_free(CTelltaleReach *reach);

/// Says that no way goes through the block at `start`. Before anything is wanted.
void ctelltale_reach_close(CTelltaleReach *reach, uintptr_t start);

/// Has `address` searched for: words that are it, or the block that it lies in.
///
/// @param holder Only words in a block with this first word lead to it; 0 for any.
/// @return false without room, and where no way may go there.
bool ctelltale_reach_want(CTelltaleReach *reach, uintptr_t address, uintptr_t holder);
bool ctelltale_reach_want_inside(CTelltaleReach *reach, uintptr_t address);

/// Goes on from the block at `start`, or from the words of a stack from `low` to before `high`.
///
/// @param root Whatever the caller knows it by.
void ctelltale_reach_from_block(CTelltaleReach *reach, uint32_t root, uintptr_t start);
void ctelltale_reach_from_stack(CTelltaleReach *reach, uint32_t root, uintptr_t low, uintptr_t high);

/// Goes as far as it can in `used` ns of the thread's processor time, until `deadline` on the monotonic clock.
///
/// @return whether all that is wanted is found.
bool ctelltale_reach_run(CTelltaleReach *reach, uint64_t used, uint64_t deadline);

/// The path to `address`: the block that leads to it first, and the root last.
///
/// @param root Set to what it was said to begin at.
/// @return how many steps there are, at most `capacity`; 0 if none was found.
size_t ctelltale_reach_way(const CTelltaleReach *reach, uintptr_t address, CTelltaleReachStep *steps,
                           size_t capacity, uint32_t *root);

#pragma clang assume_nonnull end
