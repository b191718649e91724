//! A copy of an object on the agent's own stack. It is eight bytes off the alignment that every object has,
//! so that a search doesn't mistake it for an object.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uintptr_t before;
    unsigned char bytes[264];
} __attribute__((aligned(16))) ObjectCopy;

/// Returns the number of `size` bytes at `offset`; 0 if that is outside: a wrong layout may have any
/// offset.
static inline uint64_t number_at(const ObjectCopy *copy, uint32_t offset, size_t size) {
    uint64_t number = 0;
    if (offset <= sizeof copy->bytes - size) memcpy(&number, copy->bytes + offset, size);
    return number;
}

static inline uintptr_t word_at(const ObjectCopy *copy, uint32_t offset) {
    return (uintptr_t)number_at(copy, offset, 8);
}

static inline uint32_t half_at(const ObjectCopy *copy, uint32_t offset) {
    return (uint32_t)number_at(copy, offset, 4);
}

static inline uint8_t byte_at(const ObjectCopy *copy, uint32_t offset) {
    return (uint8_t)number_at(copy, offset, 1);
}
