// The Swift variables of a symbol table: globals, static properties, and the tokens by which lazy ones are made
// once. The table is gone through each time, in parts; no index of it is kept.
#include "symbols/object_file.h"

#if TELLTALE_AGENT

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { Part = 256, MostSections = 4096, Fuel = 256 << 20 };

// Whether each section is writable memory: variables are in no other.
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

size_t ctelltale_object_variables(CTelltaleObject *object, uint64_t *cursor, CTelltaleVariable *found,
                                  size_t capacity, char *text, size_t text_capacity) {
    static const size_t longest = 4096;
    bool has_all = object->sections[SectionSymbols].size > 0;
    SectionKind table = has_all ? SectionSymbols : SectionDynamicSymbols;
    SectionKind names = has_all ? SectionSymbolNames : SectionDynamicNames;
    bool *writable = calloc(MostSections, sizeof *writable);
    size_t sections = writable ? read_writable(object, writable) : 0;
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
            const Elf64_Sym *symbol = &part[i];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_name == 0 ||
                symbol->st_shndx >= sections || !writable[symbol->st_shndx])
                continue;
            if (count == capacity || text_capacity - used <= longest) break;
            size_t length = section_text(object, names, symbol->st_name, text + used, longest);
            if (!is_variable(text + used, length)) continue;
            found[count++] = (CTelltaleVariable){symbol->st_value, symbol->st_size, (uint32_t)used,
                                                 (uint32_t)length};
            used += length + 1;
        }
    }
    free(writable);
    return count;
}

#endif
