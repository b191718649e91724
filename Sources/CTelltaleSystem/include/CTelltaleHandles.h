//! The numbers that answers have given to objects, by the location of the object.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Drops the least recently used entries, an eighth at a time, once `capacity` is reached. A number is
/// never reused. Must be used by one thread at a time.
typedef struct CTelltaleHandles CTelltaleHandles;

/// The location of an object: the registered name, its class, and the path from there as it was given.
typedef struct {
    uintptr_t address;
    const char *_Nullable root;
    const char *_Nullable type;
    const char *_Nullable path;
    uint32_t root_size;
    uint32_t type_size;
    uint32_t path_size;
} CTelltaleHandlePlace;

/// Returns null if there is no memory.
CTelltaleHandles *_Nullable ctelltale_handles_make(uint32_t capacity);
void ctelltale_handles_free(CTelltaleHandles *handles);

/// Returns the number of a location, from 1, the same one each time; 0 if there is no memory.
int64_t ctelltale_handles_number(CTelltaleHandles *handles, const CTelltaleHandlePlace *place);

/// Returns the numbers of several locations, in their order.
void ctelltale_handles_numbers(CTelltaleHandles *handles, const CTelltaleHandlePlace *places, size_t count,
                               int64_t *numbers);

/// Returns the size in bytes of the entries that have a number.
size_t ctelltale_handles_bytes(const CTelltaleHandles *handles);

/// Drops the least recently used entries, of at least the given number of bytes in total.
void ctelltale_handles_forget(CTelltaleHandles *handles, size_t bytes);

/// Reads the location of the object with a number; false if that number was never given, or its entry has
/// been dropped. The location's texts are valid until the next call for a number.
bool ctelltale_handles_place(CTelltaleHandles *handles, int64_t number, CTelltaleHandlePlace *place);

#pragma clang assume_nonnull end
