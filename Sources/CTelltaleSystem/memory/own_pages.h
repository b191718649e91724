//! Arrays that grow, with pages of their own from some size on: of what the allocator gets back of that size it
//! keeps 50 MB of the host's after one answer of 20,000 objects.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The largest index or offset of 32 bits that is used.
#define MOST_INDEX ((size_t)(UINT32_MAX / 2))

/// Makes room for `needed` elements of `size` bytes in an array that is returned with `ctelltale_own_pages_free`.
///
/// @return false where that is more than `MOST_INDEX`, or there is no memory; the array is then as it was.
bool ctelltale_own_pages_grow(void *_Nullable *_Nonnull array, size_t *room, size_t needed, size_t size);

/// Returns an array that has room for so many bytes.
void ctelltale_own_pages_free(void *_Nullable array, size_t bytes);

#pragma clang assume_nonnull end
