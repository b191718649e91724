//! Words of an object of libdispatch's that was copied.
#pragma once

#include "memory/object_copy.h"

static inline uintptr_t word_at(const ObjectCopy *copy, uint32_t offset) {
    return (uintptr_t)number_at(copy, offset, 8);
}

static inline uint32_t half_at(const ObjectCopy *copy, uint32_t offset) {
    return (uint32_t)number_at(copy, offset, 4);
}

static inline uint8_t byte_at(const ObjectCopy *copy, uint32_t offset) {
    return (uint8_t)number_at(copy, offset, 1);
}
