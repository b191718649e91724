//! Growing arrays, with pages of their own above a certain size. When blocks of that size are freed, the
//! allocator keeps 50 MB of the host's memory after one answer of 20,000 objects.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The maximum 32-bit index or offset.
#define MOST_INDEX ((size_t)(UINT32_MAX / 2))

/// Grows an array to at least `needed` elements of `size` bytes; it must be released with
/// `ctelltale_own_pages_free`.
///
/// @return false if that is more than `MOST_INDEX`, or there is no memory; the array is then unchanged.
bool ctelltale_own_pages_grow(void *_Nullable *_Nonnull array, size_t *room, size_t needed, size_t size);

/// Releases an array of the given capacity in bytes.
void ctelltale_own_pages_free(void *_Nullable array, size_t bytes);

#pragma clang assume_nonnull end
