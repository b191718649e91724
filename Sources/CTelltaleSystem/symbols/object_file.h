// An object file from which names and lines are read. Private to symbols/. This is the lowest layer; above
// it are symbols.c and dwarf_*.c, and above those find.c and object.c.
//
// A file that was opened on a thread with a descriptor table of its own is mapped, and closed there. The kernel
// copies from the mapping, since a load from one of a file that is truncated later would end the process with
// SIGBUS. Without such a thread the file stays open and is read with pread(2). Nothing in the file is trusted:
// each position is checked against its section's bounds, and each loop against the remaining bytes.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"

#pragma clang assume_nonnull begin

typedef enum {
    SectionInfo,
    SectionAbbrev,
    SectionLine,
    SectionStrings,
    SectionLineStrings,
    SectionStringOffsets,
    SectionAddresses,
    SectionRanges,
    SectionRangeLists,
    SectionSymbols,
    SectionSymbolNames,
    SectionDynamicSymbols,
    SectionDynamicNames,
    SectionCount,
} SectionKind;

typedef struct {
    uint64_t offset, size;
    bool is_compressed;
} Section;

typedef struct {
    uint64_t start, end;
} AddressRange;

/// A function of the symbol table. Its address is relative to the object's lowest one.
typedef struct {
    uint32_t address;
    uint32_t name;
    /// The lower 28 bits are its size, the upper ones a `SymbolRank`.
    uint32_t size_and_rank;
} Symbol;

/// A range of addresses and the compilation unit that they were compiled from.
typedef struct {
    uint32_t start, end;
    uint32_t unit;
} UnitRange;

typedef struct UnitDetails UnitDetails;

/// A compilation unit: the contents of its header and its root.
typedef struct {
    uint64_t offset, end, first_entry;
    uint64_t abbrevs;
    uint64_t lines;
    uint64_t base_address;
    uint64_t address_base, string_base, range_list_base;
    uint64_t directory;
    uint8_t directory_section;
    uint8_t version, address_size;
    bool is_64bit, has_lines;
    UnitDetails *_Nullable details;
} Unit;

enum { MaximumText = 16, MaximumBuildId = 32 };

struct CTelltaleObject {
    CTelltaleDescriptor file;
    /// The object itself if it was copied from memory (the vdso).
    uint8_t *_Nullable memory;
    /// The mapped file; `NULL` for one that is kept open.
    void *_Nullable mapped;
    /// The upper bound of its bytes that reads have made resident since ctelltale_object_rest().
    uint64_t resident;
    uint64_t size;
    Section sections[SectionCount];
    /// Address ranges that contain code.
    AddressRange text[MaximumText];
    size_t text_count;
    uint64_t lowest;
    uint8_t build_id[MaximumBuildId];
    size_t build_id_size;
    char debug_link[256];

    Symbol *_Nullable symbols;
    size_t symbol_count;
    SectionKind names;
    bool has_read_symbols;

    Unit *_Nullable units;
    size_t unit_count;
    UnitRange *_Nullable unit_ranges;
    size_t unit_range_count;
    bool has_read_units;

    /// The object of its separate debug file.
    struct CTelltaleObject *_Nullable debug;
    bool has_sought_debug;

    size_t bytes, detail_bytes, detail_limit;
    uint64_t uses;
    /// The number of bytes that may still be read from sections for this address.
    int64_t fuel;
};

// MARK: object_file.c

/// Reads `size` bytes at `offset` of the file.
bool object_read(const CTelltaleObject *object, uint64_t offset, void *buffer, size_t size);

/// Reads from a section, only within its bounds.
bool section_read(const CTelltaleObject *object, SectionKind section, uint64_t offset, void *buffer,
                  size_t size);

/// Copies the text at `offset` of a section, truncated to fit and terminated by a zero; empty if there is
/// none.
size_t section_text(const CTelltaleObject *object, SectionKind section, uint64_t offset, char *buffer,
                    size_t capacity);

/// Finds the sections, the build id and the code of an object; false if it is not for this machine.
bool object_read_headers(CTelltaleObject *object);

/// Returns whether `address` is in code.
bool object_has_text(const CTelltaleObject *object, uint64_t address);

// MARK: symbols.c

/// Sorts the symbols of functions by their addresses, the first time.
void symbols_index(CTelltaleObject *object);

/// Finds the name of the function that covers `address`, and its start.
size_t symbols_name(CTelltaleObject *object, uint64_t address, char *buffer, size_t capacity,
                    uint64_t *start);

/// The same for a variable, in variables.c.
size_t symbols_variable(CTelltaleObject *object, uint64_t address, char *buffer, size_t capacity,
                        uint64_t *start);

// MARK: dwarf_units.c

void units_index(CTelltaleObject *object);
Unit *_Nullable unit_covering(CTelltaleObject *object, uint64_t address);
Unit *_Nullable unit_at(CTelltaleObject *object, uint64_t info_offset);

#pragma clang assume_nonnull end
