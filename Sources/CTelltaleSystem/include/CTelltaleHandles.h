//! The numbers under which answers have named objects, by where those stood.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The least lately used go, an eighth at a time, once there are as many as there may be. A number is never
/// given out twice. To be used by one thread at a time.
typedef struct CTelltaleHandles CTelltaleHandles;

/// The place of an object: the registered name, its class, the path from there as it was given.
typedef struct {
    uintptr_t address;
    const char *_Nullable root;
    const char *_Nullable type;
    const char *_Nullable path;
    uint32_t root_size;
    uint32_t type_size;
    uint32_t path_size;
} CTelltaleHandlePlace;

/// Null without memory.
CTelltaleHandles *_Nullable ctelltale_handles_make(uint32_t capacity);
void ctelltale_handles_free(CTelltaleHandles *handles);

/// The number of a place, from 1, the same one each time; 0 without memory.
int64_t ctelltale_handles_number(CTelltaleHandles *handles, const CTelltaleHandlePlace *place);

/// The numbers of several places, in their order.
void ctelltale_handles_numbers(CTelltaleHandles *handles, const CTelltaleHandlePlace *places, size_t count,
                               int64_t *numbers);

/// What the places take that have a number, in bytes.
size_t ctelltale_handles_bytes(const CTelltaleHandles *handles);

/// Forgets the least lately used places, of at least so many bytes.
void ctelltale_handles_forget(CTelltaleHandles *handles, size_t bytes);

/// Reads the place of the object of a number; false if there was never such a number, or it has
/// been dropped. The place's texts are valid until the next number is asked for.
bool ctelltale_handles_place(CTelltaleHandles *handles, int64_t number, CTelltaleHandlePlace *place);

#pragma clang assume_nonnull end
