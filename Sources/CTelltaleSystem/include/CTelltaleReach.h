//! Reachability from a root: a search from a timer or a stack forward, through blocks of the C library's
//! allocator, until all targets are found or the limit is reached.
//!
//! It takes a few milliseconds, while the referrer search reads all memory: a target found here needs no
//! referrer search. A target that is not found may be reachable all the same.
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

/// Makes a search for one thread, which should be in a reading (`ctelltale_reading_begin`): each word is
/// read separately.
///
/// @return null if there is no memory. Takes at most 10 MB, of which only the used part is touched, in a
///   mapping that no search covers.
CTelltaleReach *_Nullable ctelltale_reach_make(const CTelltaleHeapLayout *layout);
void ctelltale_reach_free(CTelltaleReach *reach);

/// Excludes the block at `start` from all paths. Must be called before any target is added.
void ctelltale_reach_close(CTelltaleReach *reach, uintptr_t start);

/// Adds the target `address`: words that equal it, or the block that contains it.
///
/// @param holder Only words in a block with this first word lead to it; 0 for any.
/// @return false if there is no capacity, or if the block is excluded.
bool ctelltale_reach_want(CTelltaleReach *reach, uintptr_t address, uintptr_t holder);
bool ctelltale_reach_want_inside(CTelltaleReach *reach, uintptr_t address);

/// Starts from the block at `start`, or from the words of a stack from `low` to before `high`.
///
/// @param root An identifier chosen by the caller.
void ctelltale_reach_from_block(CTelltaleReach *reach, uint32_t root, uintptr_t start);
void ctelltale_reach_from_stack(CTelltaleReach *reach, uint32_t root, uintptr_t low, uintptr_t high);

/// Searches for at most `used` ns of the thread's processor time, until `deadline` on the monotonic clock.
///
/// @return true if all targets are found.
bool ctelltale_reach_run(CTelltaleReach *reach, uint64_t used, uint64_t deadline);

/// Returns the path to `address`: first the block that leads to it, last the root.
///
/// @param root Set to the identifier of the root.
/// @return the number of steps, at most `capacity`; 0 if no path was found.
size_t ctelltale_reach_way(const CTelltaleReach *reach, uintptr_t address, CTelltaleReachStep *steps,
                           size_t capacity, uint32_t *root);

#pragma clang assume_nonnull end
