// Reads a line program's header: the encoding of its rows, and the files.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

enum { MaximumFiles = 65536, MaximumFormats = 32 };

typedef struct {
    uint64_t content, form;
} Format;

static size_t read_formats(Cursor *cursor, Format *formats) {
    size_t count = cursor_u8(cursor);
    if (count > MaximumFormats) {
        cursor->failed = true;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        formats[i].content = cursor_uleb(cursor);
        formats[i].form = cursor_uleb(cursor);
    }
    return count;
}

/// Reads a table of version 5: its columns are described in the header.
static FileName *_Nullable read_table(Cursor *cursor, CTelltaleObject *object, const Unit *unit,
                                      size_t *count, size_t *bytes) {
    Format formats[MaximumFormats];
    size_t columns = read_formats(cursor, formats);
    uint64_t rows = cursor_uleb(cursor);
    *count = 0;
    if (cursor->failed || rows == 0 || rows > MaximumFiles || columns == 0) return NULL;
    FileName *names = calloc((size_t)rows, sizeof *names);
    for (uint64_t row = 0; names && row < rows && !cursor->failed; row++) {
        FileName name = {0, 0, SectionCount};
        for (size_t column = 0; column < columns; column++) {
            Value value = value_read(cursor, unit, formats[column].form, 0);
            SectionKind section;
            if (formats[column].content == 1 && value_text(object, unit, value, &section, &name.name))
                name.section = (uint8_t)section;
            if (formats[column].content == 2 && value.value <= UINT32_MAX)
                name.directory = (uint32_t)value.value;
        }
        names[row] = name;
    }
    if (names) *count = (size_t)rows;
    *bytes += *count * sizeof *names;
    return names;
}

/// Reads a table of an earlier version: texts one after the other, an empty one at the end; files have
/// three numbers after theirs.
static FileName *_Nullable read_list(Cursor *cursor, bool are_files, size_t *count, size_t *bytes) {
    FileName *names = NULL;
    size_t capacity = 0;
    *count = 0;
    while (!cursor->failed) {
        FileName name = {cursor_offset(cursor), 0, SectionLine};
        cursor_skip_text(cursor);
        if (cursor->failed || cursor_offset(cursor) == name.name + 1) break;
        if (are_files) {
            uint64_t directory = cursor_uleb(cursor);
            name.directory = directory <= UINT32_MAX ? (uint32_t)directory : UINT32_MAX;
            cursor_uleb(cursor);
            cursor_uleb(cursor);
        }
        if (!array_grow((void **)&names, &capacity, *count + 1, sizeof *names, MaximumFiles)) break;
        names[(*count)++] = name;
    }
    *bytes += capacity * sizeof *names;
    return names;
}

bool line_header_read(CTelltaleObject *object, const Unit *unit, LineHeader *header, size_t *bytes) {
    uint8_t buffer[LongWindow];
    Cursor cursor;
    cursor_open(&cursor, object, SectionLine, unit->lines, UINT64_MAX, buffer, sizeof buffer);
    // A line table has sizes of its own.
    Unit own = *unit;
    header->end = cursor_unit_end(&cursor, &own.is_64bit);
    if (cursor.failed) return false;
    cursor.limit = header->end;
    header->version = cursor_u16(&cursor);
    if (header->version < 2 || header->version > 5) return false;
    header->address_size = unit->address_size;
    if (header->version >= 5) {
        header->address_size = own.address_size = cursor_u8(&cursor);
        cursor_u8(&cursor);
    }
    uint64_t length = cursor_number(&cursor, own.is_64bit ? 8 : 4);
    uint64_t start = cursor_offset(&cursor);
    if (cursor.failed || length > header->end - start || header->end - start > UINT32_MAX ||
        (header->address_size != 8 && header->address_size != 4))
        return false;
    header->program = start + length;
    header->minimum_length = cursor_u8(&cursor);
    if (header->version >= 4) cursor_u8(&cursor);
    cursor_u8(&cursor);
    header->line_base = (int8_t)cursor_u8(&cursor);
    header->line_range = cursor_u8(&cursor);
    header->opcode_base = cursor_u8(&cursor);
    for (unsigned i = 1; i < header->opcode_base; i++) header->lengths[i] = cursor_u8(&cursor);
    cursor.limit = header->program;
    if (header->version >= 5) {
        header->directories = read_table(&cursor, object, &own, &header->directory_count, bytes);
        header->files = read_table(&cursor, object, &own, &header->file_count, bytes);
    } else {
        header->directories = read_list(&cursor, false, &header->directory_count, bytes);
        header->files = read_list(&cursor, true, &header->file_count, bytes);
    }
    return header->line_range > 0 && header->opcode_base > 0;
}
#endif
