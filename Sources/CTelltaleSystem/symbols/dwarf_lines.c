// Line programs. Only every 128th row is kept, from which the others are computed again: 16 bytes for 128
// rows, while a table of them would take a megabyte for 100,000.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <stdlib.h>
#include <string.h>

enum { RowsPerPoint = 128, MaximumPoints = 200000 };

typedef struct {
    Cursor cursor;
    const LineHeader *header;
    uint64_t address;
    uint64_t file;
    uint64_t line;
    bool ends_sequence;
} Machine;

static void machine_reset(Machine *machine) {
    machine->address = 0;
    machine->file = 1;
    machine->line = 1;
    machine->ends_sequence = false;
}

static void extended(Machine *machine, bool *has_row) {
    Cursor *cursor = &machine->cursor;
    uint64_t length = cursor_uleb(cursor);
    uint64_t start = cursor_offset(cursor);
    if (cursor->failed || length == 0 || length > cursor->limit - start) {
        // An empty one is padding.
        if (length) cursor->failed = true;
        return;
    }
    switch (cursor_u8(cursor)) {
    case 1:
        machine->ends_sequence = true;
        *has_row = true;
        break;
    case 2:
        if (length - 1 <= 8) machine->address = cursor_number(cursor, (unsigned)length - 1);
        break;
    default: break;  // file definitions, discriminators, extensions
    }
    uint64_t done = cursor_offset(cursor) - start;
    if (done > length) cursor->failed = true;
    else cursor_skip(cursor, length - done);
}

/// Runs to the next row; false at the program's end.
static bool machine_step(Machine *machine) {
    const LineHeader *header = machine->header;
    Cursor *cursor = &machine->cursor;
    if (machine->ends_sequence) machine_reset(machine);
    while (!cursor_ends(cursor)) {
        uint8_t opcode = cursor_u8(cursor);
        if (opcode >= header->opcode_base) {
            unsigned special = (unsigned)opcode - header->opcode_base;
            machine->address += (uint64_t)(special / header->line_range) * header->minimum_length;
            machine->line += (uint64_t)(int64_t)(header->line_base + (int)(special % header->line_range));
            return true;
        }
        bool has_row = false;
        switch (opcode) {
        case 0: extended(machine, &has_row); break;
        case 1: has_row = true; break;
        case 2: machine->address += cursor_uleb(cursor) * header->minimum_length; break;
        case 3: machine->line += (uint64_t)cursor_sleb(cursor); break;
        case 4: machine->file = cursor_uleb(cursor); break;
        case 5: cursor_uleb(cursor); break;
        case 6: case 7: case 10: case 11: break;
        case 8:
            machine->address +=
                (uint64_t)((255u - header->opcode_base) / header->line_range) * header->minimum_length;
            break;
        case 9: machine->address += cursor_u16(cursor); break;
        case 12: cursor_uleb(cursor); break;
        default:
            for (unsigned i = 0; i < header->lengths[opcode]; i++) cursor_uleb(cursor);
        }
        if (has_row) return !cursor->failed;
    }
    return false;
}

static bool add_point(CTelltaleObject *object, UnitDetails *details, size_t *capacity,
                      const Machine *machine) {
    if (!object_has_text(object, machine->address) ||
        machine->address - object->lowest > UINT32_MAX)
        return true;
    if (!array_grow((void **)&details->points, capacity, details->point_count + 1,
                    sizeof *details->points, MaximumPoints))
        return false;
    details->points[details->point_count++] = (LinePoint){
        (uint32_t)(machine->address - object->lowest),
        (uint32_t)(cursor_offset(&machine->cursor) - details->header.program),
        machine->line <= UINT32_MAX ? (uint32_t)machine->line : 0,
        machine->file <= UINT32_MAX ? (uint32_t)machine->file : UINT32_MAX};
    return true;
}

static int by_address(const void *left, const void *right) {
    const LinePoint *a = left, *b = right;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/// Runs the whole program once, and keeps the first row of each sequence and every 128th.
static void read_points(CTelltaleObject *object, Unit *unit, UnitDetails *details) {
    if (!unit->has_lines) return;
    size_t bytes = 0;
    bool has_header = line_header_read(object, unit, &details->header, &bytes);
    details_grew(object, details, bytes);
    if (!has_header) return;
    uint8_t *buffer = malloc(LongWindow);
    if (!buffer) return;
    Machine machine = {.header = &details->header};
    cursor_open(&machine.cursor, object, SectionLine, details->header.program, details->header.end,
                buffer, LongWindow);
    machine_reset(&machine);
    size_t capacity = 0, rows = 0;
    while (machine_step(&machine)) {
        if (machine.ends_sequence) {
            rows = 0;
            continue;
        }
        if (rows++ % RowsPerPoint == 0 && !add_point(object, details, &capacity, &machine)) break;
    }
    free(buffer);
    if (details->point_count)
        qsort(details->points, details->point_count, sizeof *details->points, by_address);
    details_grew(object, details, capacity * sizeof *details->points);
}

static UnitDetails *_Nullable with_lines(CTelltaleObject *object, Unit *unit) {
    UnitDetails *details = unit_details(object, unit);
    if (details && !details->has_lines) {
        details->has_lines = true;
        read_points(object, unit, details);
    }
    return details;
}

bool line_find(CTelltaleObject *object, Unit *unit, uint64_t address, uint32_t *file, uint32_t *line) {
    const UnitDetails *details = with_lines(object, unit);
    if (!details || address < object->lowest || address - object->lowest > UINT32_MAX) return false;
    uint32_t wanted = (uint32_t)(address - object->lowest);
    size_t low = SORTED_PREFIX(details->point_count, i, details->points[i].address <= wanted);
    if (low == 0) return false;
    const LinePoint *point = &details->points[low - 1];
    uint8_t buffer[ShortWindow];
    Machine machine = {.header = &details->header,
                       .address = object->lowest + point->address,
                       .file = point->file,
                       .line = point->line};
    cursor_open(&machine.cursor, object, SectionLine, details->header.program + point->offset,
                details->header.end, buffer, sizeof buffer);
    // The wanted row is the last one at or before the address, if its sequence continues after it.
    uint64_t found_file = machine.file, found_line = machine.line;
    while (machine_step(&machine)) {
        if (machine.address > address) {
            *file = found_file <= UINT32_MAX ? (uint32_t)found_file : UINT32_MAX;
            *line = found_line <= UINT32_MAX ? (uint32_t)found_line : 0;
            return true;
        }
        if (machine.ends_sequence) return false;
        found_file = machine.file;
        found_line = machine.line;
    }
    return false;
}

// MARK: Files

/// Appends `text` of a section to the buffer.
static size_t append(CTelltaleObject *object, uint8_t section, uint64_t offset, char *buffer,
                     size_t length, size_t capacity) {
    if (section >= SectionCount || length + 2 >= capacity) return length;
    if (length && buffer[length - 1] != '/') buffer[length++] = '/';
    return length + section_text(object, (SectionKind)section, offset, buffer + length, capacity - length);
}

static bool is_absolute(CTelltaleObject *object, uint8_t section, uint64_t offset) {
    char first[2];
    return section < SectionCount &&
           section_text(object, (SectionKind)section, offset, first, sizeof first) && first[0] == '/';
}

size_t line_file(CTelltaleObject *object, Unit *unit, uint64_t index, char *buffer, size_t capacity) {
    const UnitDetails *details = with_lines(object, unit);
    if (capacity) buffer[0] = 0;
    if (!details || capacity == 0) return 0;
    const LineHeader *header = &details->header;
    // Files are counted from 0 since version 5, and from 1 before it.
    uint64_t base = header->version >= 5 ? 0 : 1;
    if (index < base || index - base >= header->file_count) return 0;
    const FileName *file = &header->files[index - base];
    size_t length = 0;
    if (!is_absolute(object, file->section, file->name)) {
        const FileName *directory = NULL;
        if (file->directory >= base && file->directory - base < header->directory_count)
            directory = &header->directories[file->directory - base];
        if (!directory || !is_absolute(object, directory->section, directory->name))
            length = append(object, unit->directory_section, unit->directory, buffer, 0, capacity);
        // In version 5 directory 0 is again the unit's own.
        if (directory && (header->version < 5 || file->directory > 0 || length == 0))
            length = append(object, directory->section, directory->name, buffer, length, capacity);
    }
    return append(object, file->section, file->name, buffer, length, capacity);
}
#endif
