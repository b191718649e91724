//! Reads the kernel's list of this process's mappings; the only reader of that list.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

/// A line of the list.
typedef struct {
    uintptr_t low, high;
    bool is_readable, is_writable, is_executable, is_private;
    uint64_t offset, device, inode;
    /// Not terminated by a zero; of length 0 if the mapping has none.
    const char *path;
    size_t path_length;
} Mapping;

static inline bool mapping_begins(const Mapping *mapping, const char *path) {
    return mapping->path_length >= strlen(path) && memcmp(mapping->path, path, strlen(path)) == 0;
}

enum {
    /// The capacity for the longest line: a path has 4,096 bytes, four times that if it is escaped.
    MapsRoom = 20 << 10,
};

/// Calls `each` for every mapping, ascending, until it returns false. Takes no lock of the loader and
/// allocates nothing.
///
/// @param buffer At least `MapsRoom` bytes; a larger buffer needs fewer calls.
/// @return 0; EFBIG after 64 MiB of it, some 400,000 mappings; or the error number of a failed read.
int ctelltale_maps_each(char *buffer, size_t capacity, void *context,
                        bool (*each)(void *context, const Mapping *mapping));

/// The same, and calls `flags` with the kernel's flags of each mapping (" rd wr mr …") after `each`. For
/// that the kernel counts all pages: 10 ms for each GB.
int ctelltale_maps_with_flags(char *buffer, size_t capacity, void *context,
                              bool (*each)(void *context, const Mapping *mapping),
                              void (*_Nullable flags)(void *context, const char *text, size_t length));

#pragma clang assume_nonnull end
