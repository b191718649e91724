//! A cursor over bytes in memory, or over a section of a file, of which a window is in memory; it never
//! leaves them. Inline, since every step of a stack walk uses it. Past the end it reads zeros, and the
//! cursor has failed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

/// Always inlined: parsing debug data took a tenth longer with calls (measured, at -O0).
#define CURSOR_INLINE static inline __attribute__((always_inline))

typedef struct Cursor Cursor;

struct Cursor {
    const uint8_t *at, *end;
    bool failed;
    /// Moves the window so that `count` bytes, at most 8, are in it; null if all bytes are in memory.
    bool (*_Nullable fill)(Cursor *cursor, size_t count);
    /// The section, the start of the buffer in it, and the end for this cursor.
    const struct CTelltaleObject *_Nullable object;
    uint32_t section;
    uint64_t window, limit;
    uint8_t *_Nullable buffer;
    size_t capacity;
};

CURSOR_INLINE bool cursor_has(Cursor *cursor, size_t count) {
    if ((size_t)(cursor->end - cursor->at) >= count) return true;
    if (cursor->fill && cursor->fill(cursor, count)) return true;
    cursor->failed = true;
    return false;
}

/// Reads an unsigned number of `size` bytes, at most 8; little endian, as on every machine that Swift runs
/// on.
static inline uint64_t cursor_number(Cursor *cursor, size_t size) {
    uint64_t value = 0;
    if (size > 8 || !cursor_has(cursor, size)) {
        cursor->failed = true;
        return 0;
    }
    memcpy(&value, cursor->at, size);
    cursor->at += size;
    return value;
}

CURSOR_INLINE uint8_t cursor_u8(Cursor *cursor) { return cursor_has(cursor, 1) ? *cursor->at++ : 0; }
static inline uint16_t cursor_u16(Cursor *cursor) { return (uint16_t)cursor_number(cursor, 2); }
static inline uint32_t cursor_u32(Cursor *cursor) { return (uint32_t)cursor_number(cursor, 4); }

/// Reads a number in groups of seven bits (LEB128).
CURSOR_INLINE uint64_t cursor_leb(Cursor *cursor, bool is_signed) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (cursor->at == cursor->end && !cursor_has(cursor, 1)) return 0;
        uint8_t byte = *cursor->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80) continue;
        if (is_signed && shift + 7 < 64 && (byte & 0x40)) value |= ~(uint64_t)0 << (shift + 7);
        return value;
    }
    cursor->failed = true;
    return 0;
}

CURSOR_INLINE uint64_t cursor_uleb(Cursor *cursor) { return cursor_leb(cursor, false); }
CURSOR_INLINE int64_t cursor_sleb(Cursor *cursor) { return (int64_t)cursor_leb(cursor, true); }

#pragma clang assume_nonnull end
