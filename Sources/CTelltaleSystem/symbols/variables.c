// The variables of a symbol table. Only a few are requested at a time, so no index of them is kept: the
// table is read each time.
#include "symbols/object_file.h"

#if TELLTALE_AGENT

#include <elf.h>
#include <string.h>

size_t symbols_variable(CTelltaleObject *object, uint64_t address, char *buffer, size_t capacity,
                        uint64_t *start) {
    bool has_all = object->sections[SectionSymbols].size > 0;
    SectionKind table = has_all ? SectionSymbols : SectionDynamicSymbols;
    SectionKind names = has_all ? SectionSymbolNames : SectionDynamicNames;
    enum { Part = 256 };
    Elf64_Sym part[Part], best;
    memset(&best, 0, sizeof best);
    uint64_t total = object->sections[table].size / sizeof(Elf64_Sym);
    for (uint64_t at = 0; at < total; at += Part) {
        size_t count = total - at < Part ? (size_t)(total - at) : Part;
        if (!section_read(object, table, at * sizeof(Elf64_Sym), part, count * sizeof *part)) break;
        for (size_t i = 0; i < count; i++) {
            const Elf64_Sym *symbol = &part[i];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_name == 0 ||
                symbol->st_shndx == SHN_UNDEF || address - symbol->st_value >= symbol->st_size)
                continue;
            // Among overlapping symbols, the one that begins last, then the smallest: an alias into a
            // descriptor has the whole descriptor's size, and reaches into the data that follows
            // it.
            if (best.st_size == 0 || symbol->st_value > best.st_value ||
                (symbol->st_value == best.st_value && symbol->st_size < best.st_size))
                best = *symbol;
        }
    }
    if (best.st_size == 0) return 0;
    *start = best.st_value;
    size_t length = section_text(object, names, best.st_name, buffer, capacity);
    char *version = length > 1 ? memchr(buffer + 1, '@', length - 1) : NULL;
    if (!version) return length;
    *version = 0;
    return (size_t)(version - buffer);
}

#endif
