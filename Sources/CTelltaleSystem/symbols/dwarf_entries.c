// The functions among a unit's entries, and those inlined into them.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
    TagInlined = 0x1d,
    TagSubprogram = 0x2e,
    MaximumFunctions = 500000,
    /// From a call to the callee, to its declaration: a longer chain is a loop.
    MaximumHops = 6,
};

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
    if (!array_grow((void **)&details->functions, &list->capacity, details->function_count + 1,
                    sizeof *details->functions, MaximumFunctions))
        return;
    details->functions[details->function_count++] = (Function){
        (uint32_t)(low - object->lowest), (uint32_t)(high - object->lowest), list->entry};
}

static int by_low(const void *left, const void *right) {
    const Function *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

/// Reads all entries of the unit once. Their nesting doesn't matter here.
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
            entry_read(&cursor, unit, abbrev, NULL);
            continue;
        }
        Attributes attributes;
        memset(&attributes, 0, sizeof attributes);
        entry_read(&cursor, unit, abbrev, &attributes);
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
    size_t low = SORTED_PREFIX(details->function_count, i, details->functions[i].low <= wanted);
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
    // Entries are nested in order: those that cover the address come from the outermost call to the
    // innermost.
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
            entry_read(&cursor, unit, abbrev, &attributes);
            Sought sought = {address, false};
            ranges_each(object, unit, &attributes, look_at_range, &sought);
            if (sought.covers && attributes.origin.kind == ValueReference && count < capacity)
                calls[count++] = (InlinedCall){attributes.origin.value, attributes.call_file.value,
                                               attributes.call_line.value};
        } else {
            entry_read(&cursor, unit, abbrev, NULL);
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
        entry_read(&cursor, unit, abbrev, &attributes);
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
