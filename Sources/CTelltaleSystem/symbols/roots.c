// The Swift variables of a symbol table (globals, static properties, and the tokens that initialise lazy
// ones once), and the functions of a type. The table is read each time, in parts; no index of it is kept.
#include "symbols/object_file.h"

#if TELLTALE_AGENT

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { Part = 256, MostSections = 4096, Fuel = 256 << 20 };

// Determines for each section whether it is writable memory: variables are in no other.
static size_t read_writable(const CTelltaleObject *object, bool *writable) {
    Elf64_Ehdr header;
    if (!object_read(object, 0, &header, sizeof header) || header.e_shnum > MostSections ||
        header.e_shentsize != sizeof(Elf64_Shdr))
        return 0;
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        if (!object_read(object, header.e_shoff + i * sizeof section, &section, sizeof section)) return i;
        writable[i] = (section.sh_flags & (SHF_ALLOC | SHF_WRITE)) == (SHF_ALLOC | SHF_WRITE);
    }
    return header.e_shnum;
}

static bool ends(const char *name, size_t length, const char *end) {
    size_t size = strlen(end);
    return length > size && !memcmp(name + length - size, end, size);
}

// `$s…vp` is a global, `$s…vpZ` a static property, `$s…_Wz` the token of one (swift/docs/ABI/Mangling.rst).
static bool is_variable(const char *name, size_t length) {
    return length > 4 && name[0] == '$' && name[1] == 's' &&
           (ends(name, length, "vp") || ends(name, length, "vpZ") || ends(name, length, "_Wz"));
}

// The requirements for a symbol to be listed.
typedef struct {
    bool *_Nullable writable;
    size_t sections;
    const char *_Nullable prefix;
} Wanted;

static bool may_be(const Wanted *wanted, const Elf64_Sym *symbol) {
    int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_name == 0 || symbol->st_shndx == SHN_UNDEF) return false;
    // The record of an async function is an object.
    if (wanted->prefix) return type == STT_FUNC || type == STT_OBJECT;
    return type == STT_OBJECT && symbol->st_shndx < wanted->sections && wanted->writable[symbol->st_shndx];
}

static bool is_wanted(const Wanted *wanted, const Elf64_Sym *symbol, const char *name, size_t length) {
    if (!wanted->prefix) return is_variable(name, length);
    size_t size = strlen(wanted->prefix);
    if (length <= size || memcmp(name, wanted->prefix, size) != 0) return false;
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC || ends(name, length, "Tu");
}

static size_t list(CTelltaleObject *object, const Wanted *wanted, uint64_t *cursor,
                   CTelltaleVariable *found, size_t capacity, char *text, size_t text_capacity) {
    static const size_t longest = 4096;
    bool has_all = object->sections[SectionSymbols].size > 0;
    SectionKind table = has_all ? SectionSymbols : SectionDynamicSymbols;
    SectionKind names = has_all ? SectionSymbolNames : SectionDynamicNames;
    uint64_t total = object->sections[table].size / sizeof(Elf64_Sym);
    size_t used = 0, count = 0;
    object->fuel = Fuel;
    Elf64_Sym part[Part];
    while (*cursor < total && count < capacity && text_capacity - used > longest) {
        size_t size = total - *cursor < Part ? (size_t)(total - *cursor) : Part;
        if (!section_read(object, table, *cursor * sizeof(Elf64_Sym), part, size * sizeof *part)) {
            *cursor = total;
            break;
        }
        for (size_t i = 0; i < size; i++, (*cursor)++) {
            if (!may_be(wanted, &part[i])) continue;
            if (count == capacity || text_capacity - used <= longest) break;
            size_t length = section_text(object, names, part[i].st_name, text + used, longest);
            if (!is_wanted(wanted, &part[i], text + used, length)) continue;
            found[count++] = (CTelltaleVariable){part[i].st_value, part[i].st_size, (uint32_t)used,
                                                 (uint32_t)length};
            used += length + 1;
        }
    }
    return count;
}

size_t ctelltale_object_variables(CTelltaleObject *object, uint64_t *cursor, CTelltaleVariable *found,
                                  size_t capacity, char *text, size_t text_capacity) {
    Wanted wanted = {.writable = calloc(MostSections, sizeof(bool))};
    if (wanted.writable) wanted.sections = read_writable(object, wanted.writable);
    size_t count = list(object, &wanted, cursor, found, capacity, text, text_capacity);
    free(wanted.writable);
    return count;
}

size_t ctelltale_object_functions(CTelltaleObject *object, const char *prefix, uint64_t *cursor,
                                  CTelltaleVariable *found, size_t capacity, char *text,
                                  size_t text_capacity) {
    Wanted wanted = {.prefix = prefix};
    return list(object, &wanted, cursor, found, capacity, text, text_capacity);
}

#endif
