// A position in a section, which never leaves it.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <string.h>

static bool fill(Cursor *cursor, size_t count) {
    if (cursor->failed) return false;
    uint64_t offset = cursor_offset(cursor);
    uint64_t left = cursor->limit - offset;
    size_t size = left < cursor->capacity ? (size_t)left : cursor->capacity;
    if (size < count || !section_read(cursor->object, cursor->section, offset, cursor->buffer, size))
        return false;
    cursor->window = offset;
    cursor->at = cursor->buffer;
    cursor->end = cursor->buffer + size;
    return true;
}

void cursor_open(Cursor *cursor, const CTelltaleObject *object, SectionKind section, uint64_t offset,
                 uint64_t limit, uint8_t *buffer, size_t capacity) {
    uint64_t size = object->sections[section].size;
    *cursor = (Cursor){.fill = fill,
                       .object = object,
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

void cursor_skip_text(Cursor *cursor) {
    while (cursor_has(cursor, 1)) {
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
    if (*is_64bit) length = cursor_number(cursor, 8);
    uint64_t offset = cursor_offset(cursor);
    if (cursor->failed || (!*is_64bit && length >= 0xfffffff0) || length > cursor->limit - offset) {
        cursor->failed = true;
        return offset;
    }
    return offset + length;
}
#endif
