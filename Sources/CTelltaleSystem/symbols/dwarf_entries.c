// The entries of a unit: their shapes, the functions among them, and what was inlined into those.
#define _GNU_SOURCE
#include "symbols/dwarf_reader.h"

#if TELLTALE_AGENT

#include <stdlib.h>
#include <string.h>

enum {
    TagInlined = 0x1d,
    TagSubprogram = 0x2e,
    MaximumAbbrevs = 65536,
    MaximumParts = 400000,
    MaximumFunctions = 500000,
    /// From a call to what was called, to its declaration: a longer chain is a loop.
    MaximumHops = 6,
};

// MARK: What is kept of a unit

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
        // Before anything of a further unit is kept: the one that was used longest ago goes.
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

/// Makes room for `more` elements.
static bool reserve(void **array, size_t count, size_t more, size_t *capacity, size_t size,
                    size_t maximum) {
    if (count + more <= *capacity) return true;
    size_t wanted = *capacity ? *capacity * 2 : 64;
    if (wanted > maximum) wanted = maximum;
    if (count + more > wanted) return false;
    void *larger = realloc(*array, wanted * size);
    if (!larger) return false;
    *array = larger;
    *capacity = wanted;
    return true;
}

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
                !reserve((void **)&details->parts, details->part_count, 3, &part_room,
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
            !reserve((void **)&details->abbrevs, details->abbrev_count, 1, &abbrev_room,
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
    // Out of order: the search counts as if it were read.
    if (object->fuel < 0) return NULL;
    object->fuel -= (int64_t)details->abbrev_count;
    for (size_t i = 0; i < details->abbrev_count; i++)
        if (details->abbrevs[i].code == code) return &details->abbrevs[i];
    return NULL;
}

void entry_read(Cursor *cursor, CTelltaleObject *object, Unit *unit, const Abbrev *abbrev,
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

// MARK: Functions

typedef struct {
    CTelltaleObject *object;
    UnitDetails *details;
    size_t capacity;
    uint32_t entry;
} FunctionList;

static void add_function(void *context, uint64_t low, uint64_t high) {
    FunctionList *list = context;
    const CTelltaleObject *object = list->object;
    UnitDetails *details = list->details;
    if (!object_has_text(object, low) || high - object->lowest > UINT32_MAX) return;
    if (!reserve((void **)&details->functions, details->function_count, 1, &list->capacity,
                 sizeof *details->functions, MaximumFunctions))
        return;
    details->functions[details->function_count++] = (Function){
        (uint32_t)(low - object->lowest), (uint32_t)(high - object->lowest), list->entry};
}

static int by_low(const void *left, const void *right) {
    const Function *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

/// Goes through all entries of the unit once. How deep they are doesn't matter here.
static void read_functions(CTelltaleObject *object, Unit *unit, UnitDetails *details) {
    if (unit->end - unit->offset > UINT32_MAX) return;
    uint8_t *buffer = malloc(LongWindow * 4);
    if (!buffer) return;
    Cursor cursor;
    cursor_open(&cursor, object, SectionInfo, unit->first_entry, unit->end, buffer, LongWindow * 4);
    FunctionList list = {.object = object, .details = details};
    while (!cursor_ends(&cursor)) {
        uint64_t offset = cursor_offset(&cursor);
        uint64_t code = cursor_uleb(&cursor);
        if (code == 0) continue;
        const Abbrev *abbrev = unit_abbrev(object, unit, code);
        if (!abbrev) break;
        if (abbrev->tag != TagSubprogram) {
            entry_read(&cursor, object, unit, abbrev, NULL);
            continue;
        }
        Attributes attributes;
        memset(&attributes, 0, sizeof attributes);
        entry_read(&cursor, object, unit, abbrev, &attributes);
        list.entry = (uint32_t)(offset - unit->offset);
        if (!cursor.failed) ranges_each(object, unit, &attributes, add_function, &list);
    }
    free(buffer);
    if (details->function_count)
        qsort(details->functions, details->function_count, sizeof *details->functions, by_low);
    details_grew(object, details, list.capacity * sizeof(Function));
}

static const Function *_Nullable function_covering(CTelltaleObject *object, Unit *unit,
                                                   uint64_t address) {
    UnitDetails *details = unit_details(object, unit);
    if (!details) return NULL;
    if (!details->has_functions) {
        details->has_functions = true;
        read_functions(object, unit, details);
    }
    uint32_t wanted = (uint32_t)(address - object->lowest);
    size_t low = 0, high = details->function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (details->functions[middle].low <= wanted) low = middle + 1;
        else high = middle;
    }
    for (size_t steps = 0; low > 0 && steps < 16; low--, steps++)
        if (wanted < details->functions[low - 1].high) return &details->functions[low - 1];
    return NULL;
}

// MARK: Inlined calls

typedef struct {
    uint64_t address;
    bool covers;
} Sought;

static void look_at_range(void *context, uint64_t low, uint64_t high) {
    Sought *sought = context;
    if (sought->address >= low && sought->address < high) sought->covers = true;
}

size_t inlined_find(CTelltaleObject *object, Unit *unit, uint64_t address, InlinedCall *calls,
                    size_t capacity, uint64_t *entry) {
    *entry = 0;
    const Function *function = function_covering(object, unit, address);
    if (!function) return 0;
    *entry = unit->offset + function->entry;
    uint8_t buffer[LongWindow];
    Cursor cursor;
    cursor_open(&cursor, object, SectionInfo, *entry, unit->end, buffer, sizeof buffer);
    // Entries stand in the order in which they lie in each other: what covers the address comes from
    // the outermost call to the innermost.
    size_t count = 0;
    uint64_t depth = 0;
    do {
        uint64_t code = cursor_uleb(&cursor);
        if (code == 0) {
            if (depth > 0) depth--;
            continue;
        }
        const Abbrev *abbrev = unit_abbrev(object, unit, code);
        if (!abbrev) break;
        if (abbrev->tag == TagInlined) {
            Attributes attributes;
            memset(&attributes, 0, sizeof attributes);
            entry_read(&cursor, object, unit, abbrev, &attributes);
            Sought sought = {address, false};
            ranges_each(object, unit, &attributes, look_at_range, &sought);
            if (sought.covers && attributes.origin.kind == ValueReference && count < capacity)
                calls[count++] = (InlinedCall){attributes.origin.value, attributes.call_file.value,
                                               attributes.call_line.value};
        } else {
            entry_read(&cursor, object, unit, abbrev, NULL);
        }
        if (abbrev->has_children) depth++;
    } while (depth > 0 && !cursor_ends(&cursor));
    return count;
}

size_t entry_name(CTelltaleObject *object, uint64_t entry, char *buffer, size_t capacity,
                  bool *is_plain) {
    *is_plain = false;
    size_t length = 0;
    for (int hop = 0; hop < MaximumHops; hop++) {
        Unit *unit = unit_at(object, entry);
        if (!unit || entry < unit->first_entry) break;
        uint8_t window[ShortWindow];
        Cursor cursor;
        cursor_open(&cursor, object, SectionInfo, entry, unit->end, window, sizeof window);
        uint64_t code = cursor_uleb(&cursor);
        const Abbrev *abbrev = code ? unit_abbrev(object, unit, code) : NULL;
        if (!abbrev) break;
        Attributes attributes;
        memset(&attributes, 0, sizeof attributes);
        entry_read(&cursor, object, unit, abbrev, &attributes);
        SectionKind section;
        uint64_t offset;
        if (value_text(object, unit, attributes.linkage_name, &section, &offset)) {
            *is_plain = false;
            return section_text(object, section, offset, buffer, capacity);
        }
        if (length == 0 && value_text(object, unit, attributes.name, &section, &offset)) {
            length = section_text(object, section, offset, buffer, capacity);
            *is_plain = true;
        }
        Value next = attributes.origin.kind ? attributes.origin : attributes.specification;
        if (next.kind != ValueReference) break;
        entry = next.value;
    }
    return length;
}
#endif
