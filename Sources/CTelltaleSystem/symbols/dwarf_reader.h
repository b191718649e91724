// Reads DWARF: a cursor over a section, the forms of its values, and the cached details of a unit. Private
// to dwarf_*.c and find.c. Checked against the DWARF 4 and 5 standards.
#pragma once

#include "memory/cursor.h"
#include "memory/growing.h"
#include "symbols/object_file.h"

#pragma clang assume_nonnull begin

/// Opens a cursor at `offset` of a section, up to `limit`.
void cursor_open(Cursor *cursor, const CTelltaleObject *object, SectionKind section, uint64_t offset,
                 uint64_t limit, uint8_t *buffer, size_t capacity);
uint64_t cursor_offset(const Cursor *cursor);
bool cursor_ends(const Cursor *cursor);
void cursor_skip(Cursor *cursor, uint64_t count);
/// Skips a text and its terminating zero.
void cursor_skip_text(Cursor *cursor);
/// Reads the length at the start of a unit, checked against the remaining bytes; returns the unit's
/// end.
uint64_t cursor_unit_end(Cursor *cursor, bool *is_64bit);

typedef enum {
    ValueNone,
    ValueConstant,
    ValueAddress,
    ValueAddressIndex,
    /// `value` is an offset in `section`.
    ValueText,
    ValueTextIndex,
    /// `value` is an offset in `.debug_info`.
    ValueReference,
    ValueSectionOffset,
    ValueRangeIndex,
} ValueKind;

typedef struct {
    ValueKind kind;
    uint8_t section;
    uint64_t value;
} Value;

/// Reads a value of `form`. An unknown form fails the cursor: its length isn't known.
Value value_read(Cursor *cursor, const Unit *unit, uint64_t form, int64_t implicit);
/// Returns the size of a form in bytes, or -1 if it depends on the value.
int form_size(const Unit *unit, uint64_t form);
/// Finds an address, also through `.debug_addr`.
bool value_address(const CTelltaleObject *object, const Unit *unit, Value value, uint64_t *address);
/// Finds a text, also through `.debug_str_offsets`.
bool value_text(const CTelltaleObject *object, const Unit *unit, Value value, SectionKind *section,
                uint64_t *offset);

/// The attributes that are used.
typedef struct {
    Value name, linkage_name, low, high, ranges, origin, specification, call_file, call_line;
    Value lines, directory, address_base, string_base, range_list_base, is_optimised;
} Attributes;

void attributes_take(Attributes *attributes, uint64_t name, Value value);

/// Calls `each` for every range of addresses of an entry.
typedef void (*RangeCall)(void *context, uint64_t low, uint64_t high);
void ranges_each(const CTelltaleObject *object, const Unit *unit, const Attributes *attributes,
                 RangeCall each, void *context);

/// The declaration of an entry's shape.
typedef struct {
    uint64_t code;
    uint32_t first, count;
    /// The size of all its values in bytes; -1 if it varies.
    int32_t size;
    uint16_t tag;
    bool has_children;
} Abbrev;

/// An attribute of a shape. An implicit constant takes the two elements after its own.
typedef struct {
    uint16_t name, form;
} AbbrevPart;

typedef struct {
    uint32_t low, high;
    /// The offset from the unit's start.
    uint32_t entry;
} Function;

/// A state of the line program, from which the rows after it are computed again.
typedef struct {
    uint32_t address;
    uint32_t offset;
    uint32_t line;
    uint32_t file;
} LinePoint;

typedef struct {
    uint64_t name;
    uint32_t directory;
    uint8_t section;
} FileName;

/// The contents of a line program's header.
typedef struct {
    uint64_t program, end;
    uint16_t version;
    uint8_t address_size, minimum_length, opcode_base, line_range;
    int8_t line_base;
    uint8_t lengths[256];
    FileName *_Nullable directories;
    FileName *_Nullable files;
    size_t directory_count, file_count;
} LineHeader;

struct UnitDetails {
    Abbrev *_Nullable abbrevs;
    AbbrevPart *_Nullable parts;
    size_t abbrev_count, part_count;
    Function *_Nullable functions;
    size_t function_count;
    LineHeader header;
    LinePoint *_Nullable points;
    size_t point_count;
    bool has_abbrevs, has_functions, has_lines;
    size_t bytes;
    uint64_t last_use;
};

enum {
    /// The window for long reads; at most one is on a thread's stack at a time.
    LongWindow = 16384,
    ShortWindow = 512,
};

/// Returns the cached details of `unit`; null if there is no memory.
UnitDetails *_Nullable unit_details(CTelltaleObject *object, Unit *unit);
/// Adds the memory allocated for them.
void details_grew(CTelltaleObject *object, UnitDetails *details, size_t bytes);
const Abbrev *_Nullable unit_abbrev(CTelltaleObject *object, Unit *unit, uint64_t code);
/// Reads the attributes of an entry, or skips them; the cursor is after the entry's code.
void entry_read(Cursor *cursor, const Unit *unit, const Abbrev *abbrev,
                Attributes *_Nullable attributes);

/// Reads the header of a unit's line program. `bytes` grows by the allocated memory, even if the header is
/// invalid.
bool line_header_read(CTelltaleObject *object, const Unit *unit, LineHeader *header, size_t *bytes);

/// Finds the file (its index) and line of `address`.
bool line_find(CTelltaleObject *object, Unit *unit, uint64_t address, uint32_t *file, uint32_t *line);
/// Writes the whole path of a file in the unit's table.
size_t line_file(CTelltaleObject *object, Unit *unit, uint64_t index, char *buffer, size_t capacity);

/// An inlined call: the callee, and the location of the call.
typedef struct {
    uint64_t origin;
    uint64_t call_file, call_line;
} InlinedCall;

/// Finds the inlined calls around `address`, outermost first, and the function that contains the code (0:
/// not known).
size_t inlined_find(CTelltaleObject *object, Unit *unit, uint64_t address, InlinedCall *calls,
                    size_t capacity, uint64_t *function);
/// Writes the name of the function at `entry`; sets `is_plain` if it is not a symbol's.
size_t entry_name(CTelltaleObject *object, uint64_t entry, char *buffer, size_t capacity,
                  bool *is_plain);

/// Reads the declaration of the function at `entry` in its type; false if there is none.
bool entry_declaration(CTelltaleObject *object, uint64_t entry, CTelltaleDeclaration *found);

#pragma clang assume_nonnull end
