// The functions of a symbol table, sorted by address.
#if TELLTALE_AGENT
#include "memory/growing.h"
#include "symbols/object_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
    /// 12 bytes each: one table costs at most 9 MB.
    MaximumSymbols = 750000,
    SizeBits = 28,
    RankLocal = 1,
    RankGlobal = 2,
    /// The number of symbols before an address that are tried for one that covers it.
    MaximumSteps = 64,
};
#define SIZE_MASK ((1u << SizeBits) - 1)

static int by_address(const void *left, const void *right) {
    const Symbol *a = left, *b = right;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    uint32_t left_size = a->size_and_rank & SIZE_MASK, right_size = b->size_and_rank & SIZE_MASK;
    return left_size < right_size ? -1 : left_size > right_size;
}

/// Returns the end of the section of `address`, for symbols without a size.
static uint64_t text_end(const CTelltaleObject *object, uint64_t address) {
    for (size_t i = 0; i < object->text_count; i++)
        if (address >= object->text[i].start && address < object->text[i].end) return object->text[i].end;
    return address;
}

static bool is_function(const CTelltaleObject *object, const Elf64_Sym *symbol) {
    int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_name == 0 || symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
        return false;
    // Symbols without a type are labels of assembly.
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) return false;
    return object_has_text(object, symbol->st_value) && symbol->st_value - object->lowest <= UINT32_MAX;
}

void symbols_index(CTelltaleObject *object) {
    if (object->has_read_symbols) return;
    object->has_read_symbols = true;
    bool has_all = object->sections[SectionSymbols].size > 0;
    SectionKind table = has_all ? SectionSymbols : SectionDynamicSymbols;
    object->names = has_all ? SectionSymbolNames : SectionDynamicNames;
    enum { Chunk = 1024 };
    Elf64_Sym *chunk = malloc(Chunk * sizeof *chunk);
    uint64_t total = object->sections[table].size / sizeof(Elf64_Sym);
    size_t capacity = 0;
    for (uint64_t at = 0; chunk && at < total; at += Chunk) {
        size_t count = total - at < Chunk ? (size_t)(total - at) : Chunk;
        if (!section_read(object, table, at * sizeof(Elf64_Sym), chunk, count * sizeof *chunk)) break;
        for (size_t i = 0; i < count; i++) {
            if (!is_function(object, &chunk[i])) continue;
            if (!array_grow((void **)&object->symbols, &capacity, object->symbol_count + 1,
                            sizeof *object->symbols, MaximumSymbols))
                goto done;
            uint64_t size = chunk[i].st_size < SIZE_MASK ? chunk[i].st_size : SIZE_MASK;
            int binding = ELF64_ST_BIND(chunk[i].st_info);
            uint32_t rank = ELF64_ST_TYPE(chunk[i].st_info) == STT_NOTYPE ? 0
                            : binding == STB_LOCAL                        ? RankLocal
                                                                          : RankGlobal;
            object->symbols[object->symbol_count++] =
                (Symbol){(uint32_t)(chunk[i].st_value - object->lowest), chunk[i].st_name,
                         (uint32_t)size | rank << SizeBits};
        }
    }
done:
    free(chunk);
    if (object->symbol_count) {
        Symbol *fitting = realloc(object->symbols, object->symbol_count * sizeof *fitting);
        if (fitting) object->symbols = fitting;
        qsort(object->symbols, object->symbol_count, sizeof *object->symbols, by_address);
    }
    object->bytes += object->symbol_count * sizeof(Symbol);
}

/// Returns whether a symbol such as `$x` only marks instructions and data for disassemblers.
static bool is_mapping(const char *name) {
    return name[0] == '$' && name[1] && strchr("xdat", name[1]) && (!name[2] || name[2] == '.');
}

/// Chooses among the names that begin at the same address as `last`: first a sized one, then a linkable
/// one, then one without the underscores of an implementation (`poll`, not `__libc_poll`).
static size_t best_name(CTelltaleObject *object, size_t last, char *buffer, size_t capacity) {
    uint32_t address = object->symbols[last].address;
    int best = -1;
    size_t length = 0;
    for (size_t i = last, tried = 0; tried < 16; i--, tried++) {
        const Symbol *symbol = &object->symbols[i];
        if (symbol->address != address) break;
        char start[4] = "";
        section_text(object, object->names, symbol->name, start, sizeof start);
        int rank = (int)(symbol->size_and_rank >> SizeBits) * 2 + (start[0] != '_') +
                   ((symbol->size_and_rank & SIZE_MASK) ? 8 : 0);
        if (start[0] && !is_mapping(start) && rank > best) {
            best = rank;
            length = section_text(object, object->names, symbol->name, buffer, capacity);
        }
        if (i == 0) break;
    }
    return length;
}

size_t symbols_name(CTelltaleObject *object, uint64_t address, char *buffer, size_t capacity,
                    uint64_t *start) {
    symbols_index(object);
    if (capacity) buffer[0] = 0;
    if (!object->symbol_count || address < object->lowest || address - object->lowest > UINT32_MAX ||
        !object_has_text(object, address))
        return 0;
    uint32_t wanted = (uint32_t)(address - object->lowest);
    size_t low = SORTED_PREFIX(object->symbol_count, i, object->symbols[i].address <= wanted);
    bool has_ended = false;
    for (size_t steps = 0; low > 0 && steps < MaximumSteps; low--, steps++) {
        const Symbol *symbol = &object->symbols[low - 1];
        uint32_t size = symbol->size_and_rank & SIZE_MASK;
        uint64_t begin = object->lowest + symbol->address;
        // A symbol without a size ends at the next one, or at the end of an earlier symbol.
        bool covers = size ? wanted - symbol->address < size
                           : !has_ended && address < text_end(object, begin);
        if (size) has_ended = true;
        if (!covers) continue;
        size_t length = best_name(object, low - 1, buffer, capacity);
        if (length == 0) continue;
        // `pthread_create@@GLIBC_2.34`
        char *version = memchr(buffer + 1, '@', length - 1);
        if (version) {
            *version = 0;
            length = (size_t)(version - buffer);
        }
        *start = begin;
        return length;
    }
    return 0;
}
#endif
