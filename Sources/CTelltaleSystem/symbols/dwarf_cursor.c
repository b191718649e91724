// A place in a section, which never leaves it.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <string.h>

void cursor_open(Cursor *cursor, const CTelltaleObject *object, SectionKind section, uint64_t offset,
                 uint64_t limit, uint8_t *buffer, size_t capacity) {
    uint64_t size = object->sections[section].size;
    *cursor = (Cursor){.object = object,
                       .section = section,
                       .limit = limit < size ? limit : size,
                       .window = offset,
                       .buffer = buffer,
                       .capacity = capacity,
                       .at = buffer,
                       .end = buffer};
    cursor->failed = offset > cursor->limit;
}

uint64_t cursor_offset(const Cursor *cursor) {
    return cursor->window + (uint64_t)(cursor->at - cursor->buffer);
}

bool cursor_ends(const Cursor *cursor) {
    return cursor->failed || cursor_offset(cursor) >= cursor->limit;
}

/// Moves the window so that `count` bytes are in it; at most 8 are asked for.
static bool fill(Cursor *cursor, size_t count) {
    if (cursor->failed) return false;
    uint64_t offset = cursor_offset(cursor);
    uint64_t left = cursor->limit - offset;
    size_t size = left < cursor->capacity ? (size_t)left : cursor->capacity;
    if (size < count || !section_read(cursor->object, cursor->section, offset, cursor->buffer, size)) {
        cursor->failed = true;
        return false;
    }
    cursor->window = offset;
    cursor->at = cursor->buffer;
    cursor->end = cursor->buffer + size;
    return true;
}

static bool has(Cursor *cursor, size_t count) {
    return (size_t)(cursor->end - cursor->at) >= count || fill(cursor, count);
}

void cursor_skip(Cursor *cursor, uint64_t count) {
    if (count <= (uint64_t)(cursor->end - cursor->at)) {
        cursor->at += count;
        return;
    }
    uint64_t offset = cursor_offset(cursor);
    if (cursor->failed || count > cursor->limit - offset) {
        cursor->failed = true;
        return;
    }
    cursor->window = offset + count;
    cursor->at = cursor->end = cursor->buffer;
}

uint8_t cursor_u8(Cursor *cursor) {
    if (cursor->at == cursor->end && !fill(cursor, 1)) return 0;
    return *cursor->at++;
}

uint64_t cursor_number(Cursor *cursor, unsigned size) {
    uint64_t value = 0;
    if (size > 8 || !has(cursor, size)) {
        cursor->failed = true;
        return 0;
    }
    memcpy(&value, cursor->at, size);  // Little endian, as the file's header was checked to be.
    cursor->at += size;
    return value;
}

uint16_t cursor_u16(Cursor *cursor) { return (uint16_t)cursor_number(cursor, 2); }
uint32_t cursor_u32(Cursor *cursor) { return (uint32_t)cursor_number(cursor, 4); }
uint64_t cursor_u64(Cursor *cursor) { return cursor_number(cursor, 8); }

uint64_t cursor_uleb(Cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (cursor->at == cursor->end && !fill(cursor, 1)) return 0;
        uint8_t byte = *cursor->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    cursor->failed = true;
    return 0;
}

int64_t cursor_sleb(Cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (cursor->at == cursor->end && !fill(cursor, 1)) return 0;
        uint8_t byte = *cursor->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80) continue;
        if (shift + 7 < 64 && (byte & 0x40)) value |= ~(uint64_t)0 << (shift + 7);
        return (int64_t)value;
    }
    cursor->failed = true;
    return 0;
}

void cursor_skip_text(Cursor *cursor) {
    while (has(cursor, 1)) {
        const uint8_t *zero = memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
        if (zero) {
            cursor->at = zero + 1;
            return;
        }
        cursor->at = cursor->end;
    }
}

uint64_t cursor_unit_end(Cursor *cursor, bool *is_64bit) {
    uint64_t length = cursor_u32(cursor);
    *is_64bit = length == 0xffffffff;
    if (*is_64bit) length = cursor_u64(cursor);
    uint64_t offset = cursor_offset(cursor);
    if (cursor->failed || (!*is_64bit && length >= 0xfffffff0) || length > cursor->limit - offset) {
        cursor->failed = true;
        return offset;
    }
    return offset + length;
}
#endif
