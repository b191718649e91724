//! Finds the build id among an object's notes.
#pragma once

#include <elf.h>
#include <stdint.h>
#include <string.h>

/// Searches `size` bytes of notes for the build id, and copies it, truncated to fit.
///
/// @return its length; 0 if there is none.
static inline size_t build_id_find(const uint8_t *notes, size_t size, uint8_t *buffer,
                                   size_t capacity) {
    size_t at = 0;
    while (size >= sizeof(Elf64_Nhdr) && at <= size - sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr header;
        memcpy(&header, notes + at, sizeof header);
        at += sizeof header;
        size_t name = ((size_t)header.n_namesz + 3) & ~(size_t)3;
        size_t body = ((size_t)header.n_descsz + 3) & ~(size_t)3;
        if (name > size - at || body > size - at - name) return 0;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
            !memcmp(notes + at, "GNU", 4)) {
            size_t count = header.n_descsz < capacity ? header.n_descsz : capacity;
            memcpy(buffer, notes + at + name, count);
            return count;
        }
        at += name + body;
    }
    return 0;
}
