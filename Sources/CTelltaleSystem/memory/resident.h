//! Finds the pages of this process with contents, without touching the others: reading a page that was
//! never written maps a page of zeros, and page tables with it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns the first address from `low` to `high` with a page that has contents; `high` if there is none. A
/// page has contents if it is in memory or swapped out, and is not the kernel's page of zeros.
///
/// With `PAGEMAP_SCAN` (Linux 6.7) this takes 75 µs for a reserved TiB. Without it the page map is read for
/// at most 128 MiB, whose end is then returned: the caller calls again, and checks its deadline.
///
/// @param pagemap An open `/proc/thread-self/pagemap`; if it is negative, `low` is returned.
uintptr_t ctelltale_resident_next(int pagemap, uintptr_t low, uintptr_t high);

/// Returns the touched ones of `count` pages from `address` on, a bit each: those in memory, or swapped out.
/// All of them if the kernel doesn't tell, and of more than 64 pages.
uint64_t ctelltale_resident_pages(int pagemap, uintptr_t address, size_t count);

#pragma clang assume_nonnull end
