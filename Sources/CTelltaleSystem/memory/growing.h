//! Arrays: growth by half up to a limit, search in a sorted array, and its widest gaps.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#pragma clang assume_nonnull begin

/// Returns the number of leading elements, of `count` sorted ones, that fulfil `condition` for the index
/// `i`.
#define SORTED_PREFIX(count, i, condition)                                                         \
    ({                                                                                             \
        size_t low_ = 0, high_ = (count);                                                          \
        while (low_ < high_) {                                                                     \
            size_t i = low_ + (high_ - low_) / 2;                                                  \
            if (condition) low_ = i + 1;                                                           \
            else high_ = i;                                                                        \
        }                                                                                          \
        low_;                                                                                      \
    })

/// Grows an array to at least `needed` elements of `size` bytes.
///
/// @return false if that is more than `maximum`, or there is no memory; the array is then unchanged.
static inline bool array_grow(void *_Nullable *_Nonnull array, size_t *capacity, size_t needed,
                              size_t size, size_t maximum) {
    if (needed <= *capacity) return true;
    size_t wanted = *capacity ? *capacity + *capacity / 2 : 64;
    if (wanted < needed) wanted = needed;
    if (wanted > maximum) wanted = maximum;
    void *_Nullable larger = wanted < needed ? NULL : realloc(*array, wanted * size);
    if (!larger) return false;
    *array = larger;
    *capacity = wanted;
    return true;
}

/// Splits `count` sorted elements of `size` bytes into as few ranges as possible, at the widest gaps
/// between neighbours. Each element begins with an address and has its end address at `end`.
///
/// @return the number of ranges, at most `most`; the index at which each begins is in `starts`.
static inline size_t array_split(const void *array, size_t count, size_t size, size_t end,
                                 uintptr_t least, size_t *starts, size_t most) {
    const char *bytes = array;
    size_t ranges = 1;
    starts[0] = 0;
    while (ranges < most) {
        size_t widest = 0, known = 1;
        uintptr_t width = least;
        for (size_t i = 1; i < count; i++) {
            if (known < ranges && starts[known] == i) {
                known++;
                continue;
            }
            uintptr_t gap = *(const uintptr_t *)(const void *)(bytes + i * size) -
                            *(const uintptr_t *)(const void *)(bytes + (i - 1) * size + end);
            // Overlapping elements have no gap.
            if (gap <= width || gap >> 47 != 0) continue;
            width = gap;
            widest = i;
        }
        if (widest == 0) break;
        size_t at = ranges++;
        for (; at > 1 && starts[at - 1] > widest; at--) starts[at] = starts[at - 1];
        starts[at] = widest;
    }
    return ranges;
}

#pragma clang assume_nonnull end
