// The cached details of units, while there is capacity for them, and the shapes of their entries.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
    MaximumAbbrevs = 65536,
    MaximumParts = 400000,
};

// MARK: Cached details

static void details_free(CTelltaleObject *object, Unit *unit) {
    UnitDetails *details = unit->details;
    if (!details) return;
    object->detail_bytes -= details->bytes;
    free(details->abbrevs);
    free(details->parts);
    free(details->functions);
    free(details->points);
    free(details->header.directories);
    free(details->header.files);
    free(details);
    unit->details = NULL;
}

void ctelltale_object_trim(CTelltaleObject *object) {
    for (size_t i = 0; i < object->unit_count; i++) details_free(object, &object->units[i]);
    if (object->debug) ctelltale_object_trim(object->debug);
}

UnitDetails *_Nullable unit_details(CTelltaleObject *object, Unit *unit) {
    if (!unit->details) {
        // Evicts the least recently used unit before details of a further one are cached.
        while (object->detail_bytes > object->detail_limit) {
            Unit *oldest = NULL;
            for (size_t i = 0; i < object->unit_count; i++) {
                Unit *other = &object->units[i];
                if (other->details && (!oldest || other->details->last_use < oldest->details->last_use))
                    oldest = other;
            }
            if (!oldest) break;
            details_free(object, oldest);
        }
        unit->details = calloc(1, sizeof *unit->details);
        if (!unit->details) return NULL;
        details_grew(object, unit->details, sizeof *unit->details);
    }
    unit->details->last_use = ++object->uses;
    return unit->details;
}

void details_grew(CTelltaleObject *object, UnitDetails *details, size_t bytes) {
    details->bytes += bytes;
    object->detail_bytes += bytes;
}

// MARK: Shapes

static void read_abbrevs(CTelltaleObject *object, Unit *unit, UnitDetails *details) {
    uint8_t buffer[ShortWindow * 4];
    Cursor cursor;
    cursor_open(&cursor, object, SectionAbbrev, unit->abbrevs, UINT64_MAX, buffer, sizeof buffer);
    size_t abbrev_room = 0, part_room = 0;
    while (!cursor_ends(&cursor)) {
        Abbrev abbrev = {.code = cursor_uleb(&cursor)};
        if (abbrev.code == 0) break;
        uint64_t tag = cursor_uleb(&cursor);
        abbrev.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
        abbrev.has_children = cursor_u8(&cursor) != 0;
        abbrev.first = (uint32_t)details->part_count;
        while (!cursor.failed) {
            uint64_t name = cursor_uleb(&cursor), form = cursor_uleb(&cursor);
            int64_t implicit = form == 0x21 ? cursor_sleb(&cursor) : 0;
            if (name == 0 && form == 0) break;
            if (form > UINT16_MAX ||
                !array_grow((void **)&details->parts, &part_room, details->part_count + 3,
                            sizeof *details->parts, MaximumParts)) {
                cursor.failed = true;
                break;
            }
            details->parts[details->part_count++] =
                (AbbrevPart){name <= UINT16_MAX ? (uint16_t)name : 0, (uint16_t)form};
            if (form == 0x21) {
                memcpy(&details->parts[details->part_count], &implicit, sizeof implicit);
                details->part_count += 2;
            }
            int size = form_size(unit, form);
            if (size < 0 || abbrev.size > 4096) abbrev.size = -1;
            else if (abbrev.size >= 0) abbrev.size += size;
        }
        abbrev.count = (uint32_t)details->part_count - abbrev.first;
        if (cursor.failed ||
            !array_grow((void **)&details->abbrevs, &abbrev_room, details->abbrev_count + 1,
                        sizeof *details->abbrevs, MaximumAbbrevs))
            break;
        details->abbrevs[details->abbrev_count++] = abbrev;
    }
    details_grew(object, details,
                 abbrev_room * sizeof *details->abbrevs + part_room * sizeof *details->parts);
}

const Abbrev *_Nullable unit_abbrev(CTelltaleObject *object, Unit *unit, uint64_t code) {
    UnitDetails *details = unit_details(object, unit);
    if (!details) return NULL;
    if (!details->has_abbrevs) {
        details->has_abbrevs = true;
        read_abbrevs(object, unit, details);
    }
    // Compilers count from 1.
    if (code - 1 < details->abbrev_count && details->abbrevs[code - 1].code == code)
        return &details->abbrevs[code - 1];
    // The codes are out of order: the linear search counts as if its entries were read.
    if (object->fuel < 0) return NULL;
    object->fuel -= (int64_t)details->abbrev_count;
    for (size_t i = 0; i < details->abbrev_count; i++)
        if (details->abbrevs[i].code == code) return &details->abbrevs[i];
    return NULL;
}

void entry_read(Cursor *cursor, const Unit *unit, const Abbrev *abbrev,
                Attributes *_Nullable attributes) {
    if (!attributes && abbrev->size >= 0) {
        cursor_skip(cursor, (uint64_t)abbrev->size);
        return;
    }
    const AbbrevPart *parts = unit->details->parts + abbrev->first;
    for (size_t i = 0; i < abbrev->count && !cursor->failed; i++) {
        int64_t implicit = 0;
        uint16_t name = parts[i].name, form = parts[i].form;
        if (form == 0x21 && i + 2 < abbrev->count) {
            memcpy(&implicit, &parts[i + 1], sizeof implicit);
            i += 2;
        }
        Value value = value_read(cursor, unit, form, implicit);
        if (attributes) attributes_take(attributes, name, value);
    }
}
#endif
