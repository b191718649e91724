// Finds the functions at an address.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <stdio.h>
#include <string.h>

enum {
    MaximumInlined = 62,
    MaximumName = 8192,
    /// The maximum number of bytes read from a file for one address: a damaged file may contain loops.
    Fuel = 256 << 20,
};

// MARK: Separate debug files

static CTelltaleObject *_Nullable open_debug(CTelltaleObject *object, const char *path) {
    CTelltaleObjectProblem problem;
    CTelltaleObject *debug = ctelltale_object_open(path, object->build_id, object->build_id_size, 0,
                                                   object->detail_limit, &problem);
    if (!debug) return NULL;
    debug->has_sought_debug = true;
    // Its addresses are the object's own: both are from the same link.
    if (debug->lowest == object->lowest) return debug;
    ctelltale_object_close(debug);
    return NULL;
}

/// Returns the object that contains the debug data and the full symbol table.
static CTelltaleObject *debug_of(CTelltaleObject *object) {
    if (!object->has_sought_debug) {
        object->has_sought_debug = true;
        const uint8_t *id = object->build_id;
        if (object->sections[SectionInfo].size == 0 && object->build_id_size > 2) {
            char path[512];
            int length = snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%02x/", id[0]);
            for (size_t i = 1; i < object->build_id_size && length > 0; i++)
                length += snprintf(path + length, sizeof path - (size_t)length, "%02x", id[i]);
            snprintf(path + length, sizeof path - (size_t)length, ".debug");
            object->debug = open_debug(object, path);
            if (!object->debug && object->debug_link[0]) {
                snprintf(path, sizeof path, "/usr/lib/debug/%s", object->debug_link);
                object->debug = open_debug(object, path);
            }
        }
    }
    return object->debug ? object->debug : object;
}

CTelltaleLines ctelltale_object_lines(CTelltaleObject *object) {
    const CTelltaleObject *debug = debug_of(object);
    if (!debug->sections[SectionInfo].size || !debug->sections[SectionLine].size)
        return CTelltaleLinesAbsent;
    for (int i = SectionInfo; i <= SectionRangeLists; i++)
        // A distribution's debug files are compressed, which needs no report.
        if (debug->sections[i].is_compressed)
            return debug == object ? CTelltaleLinesCompressed : CTelltaleLinesAbsent;
    return CTelltaleLinesReadable;
}

// MARK: Frames

/// The caller's buffer for texts, filled from its start.
typedef struct {
    char *bytes;
    size_t used, capacity;
} Texts;

/// Returns the space for one more text, terminated by a zero.
static char *_Nullable room(const Texts *texts, size_t *capacity) {
    if (texts->capacity - texts->used < 2) return NULL;
    *capacity = texts->capacity - texts->used;
    if (*capacity > MaximumName) *capacity = MaximumName;
    return texts->bytes + texts->used;
}

static void take(Texts *texts, size_t length, uint32_t *start, uint32_t *count) {
    *start = (uint32_t)texts->used;
    *count = (uint32_t)length;
    texts->used += length + 1;
}

static void name_entry(CTelltaleObject *debug, uint64_t entry, Texts *texts, CTelltaleFoundFrame *frame) {
    size_t capacity;
    char *buffer = room(texts, &capacity);
    if (!buffer) return;
    take(texts, entry_name(debug, entry, buffer, capacity, &frame->is_plain_name), &frame->name,
         &frame->name_length);
}

static void name_file(CTelltaleObject *debug, Unit *unit, uint64_t file, uint64_t line, Texts *texts,
                      CTelltaleFoundFrame *frame) {
    size_t capacity;
    char *buffer = room(texts, &capacity);
    if (!buffer) return;
    take(texts, line_file(debug, unit, file, buffer, capacity), &frame->file, &frame->file_length);
    frame->line = line <= UINT32_MAX ? (uint32_t)line : 0;
}

static bool name_symbol(CTelltaleObject *object, uint64_t address, Texts *texts,
                        CTelltaleFoundFrame *frame) {
    size_t capacity;
    uint64_t start = 0;
    char *buffer = room(texts, &capacity);
    size_t length = buffer ? symbols_name(object, address, buffer, capacity, &start) : 0;
    if (!length) return false;
    take(texts, length, &frame->name, &frame->name_length);
    frame->symbol_offset = address - start;
    return true;
}

/// Finds the functions that were inlined at the address, innermost first, and their locations; the last one
/// has no name yet.
static size_t find_lines(CTelltaleObject *debug, uint64_t address, CTelltaleFoundFrame *frames,
                         size_t capacity, Texts *texts, uint64_t *entry) {
    Unit *unit = unit_covering(debug, address);
    if (!unit) return 0;
    InlinedCall calls[MaximumInlined];
    size_t most = capacity - 1 < MaximumInlined ? capacity - 1 : MaximumInlined;
    size_t count = inlined_find(debug, unit, address, calls, most, entry);
    uint32_t file = 0, line = 0;
    if (line_find(debug, unit, address, &file, &line))
        name_file(debug, unit, file, line, texts, &frames[0]);
    for (size_t i = 0; i < count; i++) {
        const InlinedCall *call = &calls[count - 1 - i];
        frames[i].is_inlined = true;
        name_entry(debug, call->origin, texts, &frames[i]);
        name_file(debug, unit, call->call_file, call->call_line, texts, &frames[i + 1]);
    }
    return count + 1;
}

/// Finds the variable at an address without a function.
static size_t find_variable(CTelltaleObject *object, uint64_t address, Texts *texts,
                            CTelltaleFoundFrame *frame) {
    size_t capacity;
    uint64_t start = 0;
    char *buffer = room(texts, &capacity);
    object->fuel = Fuel;
    size_t length = buffer ? symbols_variable(object, address, buffer, capacity, &start) : 0;
    if (!length) return 0;
    take(texts, length, &frame->name, &frame->name_length);
    frame->symbol_offset = address - start;
    return 1;
}

size_t ctelltale_object_find(CTelltaleObject *object, uint64_t address, bool with_lines,
                             CTelltaleFoundFrame *frames, size_t capacity, char *text,
                             size_t text_capacity) {
    if (capacity == 0 || text_capacity == 0 || text_capacity > UINT32_MAX) return 0;
    memset(frames, 0, capacity * sizeof *frames);
    Texts texts = {text, 0, text_capacity};
    if (!object_has_text(object, address)) return find_variable(object, address, &texts, frames);
    object->fuel = Fuel;
    CTelltaleObject *debug = debug_of(object);
    debug->fuel = Fuel;
    size_t count = 0;
    uint64_t entry = 0;
    if (with_lines && ctelltale_object_lines(object) == CTelltaleLinesReadable)
        count = find_lines(debug, address, frames, capacity, &texts, &entry);
    bool has_lines = count > 0;
    if (!has_lines) count = 1;
    CTelltaleFoundFrame *last = &frames[count - 1];
    bool has_name = name_symbol(object, address, &texts, last) ||
                    (debug != object && name_symbol(debug, address, &texts, last));
    if (!has_name && entry) {
        name_entry(debug, entry, &texts, last);
        has_name = last->name_length > 0;
    }
    return has_name || has_lines ? count : 0;
}

bool ctelltale_object_declaration(CTelltaleObject *object, uint64_t address,
                                  CTelltaleDeclaration *found) {
    if (!object_has_text(object, address) || ctelltale_object_lines(object) != CTelltaleLinesReadable)
        return false;
    CTelltaleObject *debug = debug_of(object);
    debug->fuel = Fuel;
    Unit *unit = unit_covering(debug, address);
    uint64_t entry = 0;
    InlinedCall call;
    if (unit) inlined_find(debug, unit, address, &call, 1, &entry);
    return entry && entry_declaration(debug, entry, found);
}
#endif
