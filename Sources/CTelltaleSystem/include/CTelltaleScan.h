//! A search of this process's memory for objects by their first word.
#ifndef CTELLTALE_SCAN_H
#define CTELLTALE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A place whose word is one of those that were looked for.
typedef struct {
    uintptr_t address;
    uintptr_t word;
} CTelltaleScanHit;

/// What became of a scan.
typedef struct {
    size_t hits;
    uint64_t bytes;
    /// There were more hits than room for them.
    bool is_full;
    /// The deadline came first.
    bool is_late;
    /// 0, or the error number of what could not be read at all.
    int error;
} CTelltaleScanResult;

/// Finds every 16-aligned word in the private writable memory of this process that equals one of
/// `words` (ascending, at most 4096), by guarded reads in pieces; takes no lock and allocates nothing.
///
/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
CTelltaleScanResult ctelltale_scan(const uintptr_t *words, size_t count, CTelltaleScanHit *hits,
                                   size_t capacity, uint64_t deadline);

/// Room for hits, straight from the kernel: what Swift can't allocate ends the process.
///
/// @return null where there is no memory; else `ctelltale_scan_room_free` is owed.
CTelltaleScanHit *_Nullable ctelltale_scan_room(size_t capacity);

/// Gives it back.
void ctelltale_scan_room_free(CTelltaleScanHit *room, size_t capacity);

#pragma clang assume_nonnull end
#endif
