//! Pages of this process that hold something, found without touching the ones that don't: a read of a page that
//! was never written maps a page of zeros, and page tables with it.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns an address from `low` to `high`, before which there is no page from `low` on that holds anything; `high`
/// where none does. A page holds something where it is in memory or swapped out, and not the kernel's page of zeros.
///
/// By `PAGEMAP_SCAN` (Linux 6.7) this takes 75 µs for a reserved TiB. An older kernel's page map is read for at
/// most 128 MiB, whose end is then returned: the caller asks again, and looks at its deadline.
///
/// @param pagemap An open `/proc/thread-self/pagemap`; where it is negative, `low` is returned.
uintptr_t ctelltale_resident_next(int pagemap, uintptr_t low, uintptr_t high);

#pragma clang assume_nonnull end
