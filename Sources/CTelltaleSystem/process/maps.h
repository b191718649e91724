//! The kernel's list of this process's mappings; its only reader.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A line of the list.
typedef struct {
    uintptr_t low, high;
    bool is_readable, is_writable, is_executable, is_private;
    uint64_t offset, device, inode;
    /// Not closed by a zero; of no length where the mapping has none.
    const char *path;
    size_t path_length;
} Mapping;

enum {
    /// Room for the longest line: a path has 4,096 bytes, four times that where it is escaped.
    MapsRoom = 20 << 10,
};

/// Calls `each` for every mapping, ascending, until it gives false. Takes no lock of the loader's and
/// allocates nothing.
///
/// @param buffer At least `MapsRoom` bytes; the more, the fewer calls.
/// @return 0; EFBIG after 64 MiB of it, some 400,000 mappings; or the error number of what can't be read.
int ctelltale_maps_each(char *buffer, size_t capacity, void *context,
                        bool (*each)(void *context, const Mapping *mapping));

/// The same, and calls `flags` with those that the kernel has of each mapping (" rd wr mr …") after `each`. It counts
/// all pages for that: 10 ms for each GB.
int ctelltale_maps_with_flags(char *buffer, size_t capacity, void *context,
                              bool (*each)(void *context, const Mapping *mapping),
                              void (*_Nullable flags)(void *context, const char *text, size_t length));

#pragma clang assume_nonnull end
