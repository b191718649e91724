// Reads a type's declaration of a method from the debug information. Swift lists the parameters there as
// they are passed: each element of a tuple on its own, `self` last, and before them the parameters added by
// the compiler (swift-6.3.1, `lib/IRGen/IRGenDebugInfo.cpp`).
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <string.h>

enum { TagFormalParameter = 0x05 };

static const Abbrev *_Nullable open_entry(CTelltaleObject *object, Unit *unit, uint64_t entry, Cursor *cursor,
                                          uint8_t *window, size_t size, Attributes *attributes) {
    cursor_open(cursor, object, SectionInfo, entry, unit->end, window, size);
    uint64_t code = cursor_uleb(cursor);
    const Abbrev *abbrev = code ? unit_abbrev(object, unit, code) : NULL;
    if (!abbrev) return NULL;
    memset(attributes, 0, sizeof *attributes);
    entry_read(cursor, unit, abbrev, attributes);
    return cursor->failed ? NULL : abbrev;
}

bool entry_declaration(CTelltaleObject *object, uint64_t entry, CTelltaleDeclaration *found) {
    uint8_t window[ShortWindow];
    Cursor cursor;
    Attributes attributes;
    Unit *unit = unit_at(object, entry);
    if (!unit || !open_entry(object, unit, entry, &cursor, window, sizeof window, &attributes)) return false;
    if (attributes.specification.kind != ValueReference) return false;
    memset(found, 0, sizeof *found);
    found->is_optimised = attributes.is_optimised.kind != ValueNone;
    entry = attributes.specification.value;
    unit = unit_at(object, entry);
    if (!unit || entry < unit->first_entry) return false;
    const Abbrev *abbrev = open_entry(object, unit, entry, &cursor, window, sizeof window, &attributes);
    if (!abbrev) return false;
    if (attributes.is_optimised.kind != ValueNone) found->is_optimised = true;
    uint64_t depth = abbrev->has_children ? 1 : 0;
    while (depth > 0 && !cursor_ends(&cursor)) {
        uint64_t code = cursor_uleb(&cursor);
        if (code == 0) {
            depth--;
            continue;
        }
        abbrev = unit_abbrev(object, unit, code);
        if (!abbrev) return false;
        if (depth == 1 && abbrev->tag == TagFormalParameter) found->parameters++;
        entry_read(&cursor, unit, abbrev, NULL);
        if (abbrev->has_children) depth++;
    }
    return depth == 0;
}
#endif
