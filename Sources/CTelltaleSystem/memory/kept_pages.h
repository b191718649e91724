//! Arrays that grow, with pages of their own from some size on. Those of the last large one stay for the next one
//! for a while: to get 900 of them took a fifth of the time in which 10,000 objects are read, and that of the
//! objects' owner.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The maximum of an index or an offset of 32 bits.
#define MOST_INDEX ((size_t)(UINT32_MAX / 2))

/// Makes space for `needed` elements of `size` bytes in an array that is released with
/// `ctelltale_kept_pages_let_go`.
///
/// @return false if that is more than `MOST_INDEX`, or there is no memory; the array is then as it was.
bool ctelltale_kept_pages_grow(void *_Nullable *_Nonnull array, size_t *room, size_t needed, size_t size);

/// Gives an array back that has room for so many bytes.
void ctelltale_kept_pages_let_go(void *_Nullable array, size_t bytes);

/// Has nothing kept until as many calls of `ctelltale_kept_pages_allow`: a search through this
/// process's memory would find stale references there.
void ctelltale_kept_pages_forbid(void);
void ctelltale_kept_pages_allow(void);

#pragma clang assume_nonnull end
