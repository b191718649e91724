//! Arrays: one that grows by half, up to a bound, and a search in a sorted one.
#pragma once

#include <stdbool.h>
#include <stdlib.h>

#pragma clang assume_nonnull begin

/// How many of the first of `count` sorted elements fulfil `condition`, which says it of the index `i`.
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

/// Makes room for `needed` elements of `size` bytes.
///
/// @return false where that is more than `maximum`, or there is no memory; the array is then as it was.
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

#pragma clang assume_nonnull end
