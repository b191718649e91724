// The compilation units, and the lookup of the unit of an address.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <stdlib.h>
#include <string.h>

enum { MaximumUnits = 32768, MaximumRanges = 400000 };

/// Reads a unit's header; false if its entries are not understood.
static bool read_header(Cursor *cursor, Unit *unit) {
    unit->offset = cursor_offset(cursor);
    unit->end = cursor_unit_end(cursor, &unit->is_64bit);
    if (cursor->failed) return false;
    unsigned offset_size = unit->is_64bit ? 8 : 4;
    unit->version = (uint8_t)cursor_u16(cursor);
    uint8_t type = 1;
    if (unit->version >= 5) {
        type = cursor_u8(cursor);
        unit->address_size = cursor_u8(cursor);
        unit->abbrevs = cursor_number(cursor, offset_size);
        if (type == 4 || type == 5) cursor_skip(cursor, 8);  // The id of a split unit.
    } else {
        unit->abbrevs = cursor_number(cursor, offset_size);
        unit->address_size = cursor_u8(cursor);
    }
    unit->first_entry = cursor_offset(cursor);
    // 1: compile, 3: partial, 4: skeleton; the others contain types.
    return !cursor->failed && unit->version >= 2 && unit->version <= 5 &&
           (unit->address_size == 8 || unit->address_size == 4) && (type == 1 || type == 3 || type == 4);
}

/// Reads the first entry, whose shape is looked up in `.debug_abbrev` without caching anything.
static void read_root(Cursor *cursor, CTelltaleObject *object, Unit *unit, Attributes *attributes) {
    uint64_t code = cursor_uleb(cursor);
    if (code == 0) return;
    uint8_t buffer[ShortWindow];
    Cursor shape;
    cursor_open(&shape, object, SectionAbbrev, unit->abbrevs, UINT64_MAX, buffer, sizeof buffer);
    while (!shape.failed) {
        uint64_t found = cursor_uleb(&shape);
        if (found == 0) return;
        cursor_uleb(&shape);
        cursor_u8(&shape);
        while (!shape.failed && !cursor->failed) {
            uint64_t name = cursor_uleb(&shape), form = cursor_uleb(&shape);
            int64_t implicit = form == 0x21 ? cursor_sleb(&shape) : 0;
            if (name == 0 && form == 0) break;
            if (found == code) attributes_take(attributes, name, value_read(cursor, unit, form, implicit));
        }
        if (found == code) return;
    }
}

static void apply_root(CTelltaleObject *object, Unit *unit, const Attributes *a) {
    unit->address_base = a->address_base.value;
    // For a unit without an offset, its part of the section begins after the section's first
    // header.
    unit->string_base = a->string_base.value;
    if (unit->version >= 5 && !a->string_base.kind) unit->string_base = unit->is_64bit ? 16 : 8;
    unit->range_list_base = a->range_list_base.kind ? a->range_list_base.value : unit->is_64bit ? 20 : 12;
    if (unit->version >= 5 && a->address_base.kind == ValueNone) unit->address_base = unit->is_64bit ? 16 : 8;
    unit->has_lines = a->lines.kind != ValueNone;
    unit->lines = a->lines.value;
    uint64_t low = 0;
    if (value_address(object, unit, a->low, &low)) unit->base_address = low;
    SectionKind section;
    unit->directory_section = SectionCount;
    if (value_text(object, unit, a->directory, &section, &unit->directory))
        unit->directory_section = (uint8_t)section;
}

typedef struct {
    CTelltaleObject *object;
    size_t capacity;
    uint32_t unit;
    bool failed;
} RangeList;

static void add_range(void *context, uint64_t low, uint64_t high) {
    RangeList *list = context;
    CTelltaleObject *object = list->object;
    // Code dropped by the linker keeps addresses that contain no code.
    if (list->failed || !object_has_text(object, low) || high - object->lowest > UINT32_MAX) return;
    uint32_t start = (uint32_t)(low - object->lowest), end = (uint32_t)(high - object->lowest);
    UnitRange *last =
        object->unit_range_count ? &object->unit_ranges[object->unit_range_count - 1] : NULL;
    if (last && last->unit == list->unit && last->end == start) {
        last->end = end;
        return;
    }
    list->failed = !array_grow((void **)&object->unit_ranges, &list->capacity,
                               object->unit_range_count + 1, sizeof *last, MaximumRanges);
    if (list->failed) return;
    object->unit_ranges[object->unit_range_count++] = (UnitRange){start, end, list->unit};
}

static int by_start(const void *left, const void *right) {
    const UnitRange *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

void units_index(CTelltaleObject *object) {
    if (object->has_read_units) return;
    object->has_read_units = true;
    size_t capacity = 0;
    RangeList list = {.object = object};
    uint64_t next = 0;
    while (next < object->sections[SectionInfo].size && object->unit_count < MaximumUnits) {
        uint8_t buffer[ShortWindow];
        Cursor cursor;
        cursor_open(&cursor, object, SectionInfo, next, UINT64_MAX, buffer, sizeof buffer);
        Unit unit = {0};
        bool fine = read_header(&cursor, &unit);
        if (unit.end <= next) break;
        next = unit.end;
        if (!fine) continue;
        cursor.limit = unit.end;
        Attributes attributes = {0};
        read_root(&cursor, object, &unit, &attributes);
        apply_root(object, &unit, &attributes);
        if (!array_grow((void **)&object->units, &capacity, object->unit_count + 1, sizeof unit,
                        MaximumUnits))
            break;
        object->units[object->unit_count] = unit;
        list.unit = (uint32_t)object->unit_count++;
        ranges_each(object, &unit, &attributes, add_range, &list);
    }
    if (object->unit_range_count)
        qsort(object->unit_ranges, object->unit_range_count, sizeof *object->unit_ranges, by_start);
    object->bytes += capacity * sizeof(Unit) + list.capacity * sizeof(UnitRange);
}

Unit *_Nullable unit_covering(CTelltaleObject *object, uint64_t address) {
    units_index(object);
    if (address < object->lowest || address - object->lowest > UINT32_MAX) return NULL;
    uint32_t wanted = (uint32_t)(address - object->lowest);
    size_t low = SORTED_PREFIX(object->unit_range_count, i, object->unit_ranges[i].start <= wanted);
    // Ranges may be nested, but seldom are.
    for (size_t steps = 0; low > 0 && steps < 16; low--, steps++)
        if (wanted < object->unit_ranges[low - 1].end)
            return &object->units[object->unit_ranges[low - 1].unit];
    return NULL;
}

Unit *_Nullable unit_at(CTelltaleObject *object, uint64_t offset) {
    units_index(object);
    size_t low = SORTED_PREFIX(object->unit_count, i, object->units[i].offset <= offset);
    return low > 0 && offset < object->units[low - 1].end ? &object->units[low - 1] : NULL;
}
#endif
