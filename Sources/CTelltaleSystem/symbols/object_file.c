// Opening object files, and reading them by piece.
#define _GNU_SOURCE
#include "symbols/object_file.h"

#if TELLTALE_AGENT

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_NONE
#endif

enum { MaximumSections = 4096, MaximumNote = 4096 };

bool object_read(const CTelltaleObject *object, uint64_t offset, void *buffer, size_t size) {
    if (offset > object->size || size > object->size - offset) return false;
    if (object->memory) {
        memcpy(buffer, object->memory + offset, size);
        return true;
    }
    size_t done = 0;
    while (done < size) {
        ssize_t count = pread(object->file.number, (char *)buffer + done, size - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

bool section_read(const CTelltaleObject *object, SectionKind section, uint64_t offset, void *buffer,
                  size_t size) {
    const Section *s = &object->sections[section];
    if (s->is_compressed || offset > s->size || size > s->size - offset || object->fuel < 0) return false;
    ((CTelltaleObject *)object)->fuel -= (int64_t)size + 16;
    return object_read(object, s->offset + offset, buffer, size);
}

size_t section_text(const CTelltaleObject *object, SectionKind section, uint64_t offset, char *buffer,
                    size_t capacity) {
    if (capacity == 0) return 0;
    buffer[0] = 0;
    const Section *s = &object->sections[section];
    if (offset >= s->size) return 0;
    size_t length = 0;
    while (length < capacity - 1) {
        size_t step = 256;
        if (step > capacity - 1 - length) step = capacity - 1 - length;
        if (step > s->size - offset - length) step = (size_t)(s->size - offset - length);
        if (step == 0 || !section_read(object, section, offset + length, buffer + length, step)) break;
        const char *end = memchr(buffer + length, 0, step);
        if (end) return (size_t)(end - buffer);
        length += step;
    }
    buffer[length] = 0;
    return length;
}

bool object_has_text(const CTelltaleObject *object, uint64_t address) {
    for (size_t i = 0; i < object->text_count; i++)
        if (address >= object->text[i].start && address < object->text[i].end) return true;
    return false;
}

// MARK: Notes

/// Looks for the build id in the notes of `size` bytes.
static size_t find_build_id(const uint8_t *notes, size_t size, uint8_t *buffer, size_t capacity) {
    size_t at = 0;
    while (size >= sizeof(Elf64_Nhdr) && at <= size - sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr header;
        memcpy(&header, notes + at, sizeof header);
        at += sizeof header;
        size_t name = ((size_t)header.n_namesz + 3) & ~(size_t)3;
        size_t body = ((size_t)header.n_descsz + 3) & ~(size_t)3;
        if (name > size - at || body > size - at - name) return 0;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && !memcmp(notes + at, "GNU", 4)) {
            size_t count = header.n_descsz < capacity ? header.n_descsz : capacity;
            memcpy(buffer, notes + at + name, count);
            return count;
        }
        at += name + body;
    }
    return 0;
}

// MARK: Sections

static const struct {
    const char *name;
    SectionKind kind;
} section_names[] = {
    {".debug_info", SectionInfo},
    {".debug_abbrev", SectionAbbrev},
    {".debug_line", SectionLine},
    {".debug_str", SectionStrings},
    {".debug_line_str", SectionLineStrings},
    {".debug_str_offsets", SectionStringOffsets},
    {".debug_addr", SectionAddresses},
    {".debug_ranges", SectionRanges},
    {".debug_rnglists", SectionRangeLists},
};

static void take_section(CTelltaleObject *object, const Elf64_Shdr *header, SectionKind kind) {
    Section *section = &object->sections[kind];
    if (section->size) return;
    section->offset = header->sh_offset;
    section->size = header->sh_size;
    section->is_compressed = (header->sh_flags & SHF_COMPRESSED) != 0;
}

static void read_section(CTelltaleObject *object, const Elf64_Shdr *all, size_t count, size_t index,
                         const char *name) {
    const Elf64_Shdr *header = &all[index];
    if (header->sh_type != SHT_NOBITS &&
        (header->sh_offset > object->size || header->sh_size > object->size - header->sh_offset))
        return;
    if (header->sh_flags & SHF_EXECINSTR) {
        // NOBITS too: a file with nothing but debug data keeps the addresses.
        if (object->text_count < MaximumText && header->sh_size < UINT32_MAX &&
            header->sh_addr < UINT64_MAX - UINT32_MAX)
            object->text[object->text_count++] =
                (AddressRange){header->sh_addr, header->sh_addr + header->sh_size};
        return;
    }
    if (header->sh_type == SHT_NOBITS) return;
    if (header->sh_type == SHT_SYMTAB || header->sh_type == SHT_DYNSYM) {
        if (header->sh_entsize != sizeof(Elf64_Sym) || header->sh_link >= count) return;
        const Elf64_Shdr *names = &all[header->sh_link];
        if (names->sh_type != SHT_STRTAB || names->sh_offset > object->size ||
            names->sh_size > object->size - names->sh_offset)
            return;
        bool dynamic = header->sh_type == SHT_DYNSYM;
        take_section(object, header, dynamic ? SectionDynamicSymbols : SectionSymbols);
        take_section(object, names, dynamic ? SectionDynamicNames : SectionSymbolNames);
        return;
    }
    if (header->sh_type == SHT_NOTE && object->build_id_size == 0 && header->sh_size <= MaximumNote) {
        uint8_t notes[MaximumNote];
        if (object_read(object, header->sh_offset, notes, (size_t)header->sh_size))
            object->build_id_size =
                find_build_id(notes, (size_t)header->sh_size, object->build_id, MaximumBuildId);
        return;
    }
    if (!strcmp(name, ".gnu_debuglink")) {
        size_t size = header->sh_size < sizeof object->debug_link - 1 ? (size_t)header->sh_size
                                                                      : sizeof object->debug_link - 1;
        if (!object_read(object, header->sh_offset, object->debug_link, size)) object->debug_link[0] = 0;
        object->debug_link[size] = 0;
        if (strchr(object->debug_link, '/')) object->debug_link[0] = 0;
        return;
    }
    for (size_t i = 0; i < sizeof section_names / sizeof section_names[0]; i++)
        if (!strcmp(name, section_names[i].name)) take_section(object, header, section_names[i].kind);
}

static bool read_headers(CTelltaleObject *object) {
    Elf64_Ehdr header;
    if (!object_read(object, 0, &header, sizeof header)) return false;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != OWN_MACHINE ||
        header.e_shentsize != sizeof(Elf64_Shdr))
        return false;
    size_t count = header.e_shnum;
    if (count == 0 || count > MaximumSections || header.e_shstrndx >= count) return false;
    Elf64_Shdr *all = malloc(count * sizeof *all);
    if (!all) return false;
    bool fine = object_read(object, header.e_shoff, all, count * sizeof *all);
    if (fine) {
        const Elf64_Shdr *names = &all[header.e_shstrndx];
        for (size_t i = 1; i < count; i++) {
            char name[32] = "";
            uint64_t left =
                all[i].sh_name < names->sh_size ? names->sh_size - all[i].sh_name : 0;
            if (left > sizeof name - 1) left = sizeof name - 1;
            if (names->sh_offset > object->size ||
                !object_read(object, names->sh_offset + all[i].sh_name, name, (size_t)left))
                name[0] = 0;
            read_section(object, all, count, i, name);
        }
    }
    free(all);
    object->lowest = UINT64_MAX;
    for (size_t i = 0; i < object->text_count; i++)
        if (object->text[i].start < object->lowest) object->lowest = object->text[i].start;
    return fine && object->text_count > 0;
}

// MARK: Opening

static CTelltaleObject *_Nullable make_object(int file, size_t limit) {
    CTelltaleObject *object = calloc(1, sizeof *object);
    if (!object) return NULL;
    object->file = ctelltale_descriptor_of_file(file);
    object->detail_limit = limit;
    object->bytes = sizeof *object;
    return object;
}

static bool is_the_mapped_one(const CTelltaleObject *object, const uint8_t *_Nullable build_id,
                              size_t build_id_size, uintptr_t mapped) {
    if (build_id && build_id_size)
        return object->build_id_size >= build_id_size &&
               !memcmp(object->build_id, build_id, build_id_size);
    if (!mapped) return true;
    // The header says where the section headers are, which is the file's length but for them.
    uint8_t in_file[sizeof(Elf64_Ehdr)], in_memory[sizeof(Elf64_Ehdr)];
    return object_read(object, 0, in_file, sizeof in_file) &&
           ctelltale_read_memory(mapped, in_memory, sizeof in_memory) &&
           !memcmp(in_file, in_memory, sizeof in_file);
}

CTelltaleObject *_Nullable ctelltale_object_open(const char *path, const uint8_t *_Nullable build_id,
                                                 size_t build_id_size, uintptr_t mapped,
                                                 size_t limit, CTelltaleObjectProblem *problem) {
    *problem = CTelltaleObjectUnreadable;
    // Not blocking: a fifo in the place of a library must not hold us.
    CTelltaleDescriptor file = ctelltale_descriptor_open(path, O_NONBLOCK | O_NOCTTY);
    if (file.number < 0) return NULL;
    struct stat facts;
    if (fstat(file.number, &facts) < 0 || !S_ISREG(facts.st_mode)) {
        ctelltale_descriptor_close(&file);
        return NULL;
    }
    CTelltaleObject *object = make_object(file.number, limit);
    if (!object) {
        ctelltale_descriptor_close(&file);
        *problem = CTelltaleObjectNoMemory;
        return NULL;
    }
    object->size = (uint64_t)facts.st_size;
    if (!read_headers(object)) {
        *problem = CTelltaleObjectMalformed;
    } else if (!is_the_mapped_one(object, build_id, build_id_size, mapped)) {
        *problem = CTelltaleObjectReplaced;
    } else {
        *problem = CTelltaleObjectFine;
        return object;
    }
    ctelltale_object_close(object);
    return NULL;
}

CTelltaleObject *_Nullable ctelltale_object_copy(uintptr_t address, size_t size, size_t limit,
                                                 CTelltaleObjectProblem *problem) {
    *problem = CTelltaleObjectNoMemory;
    if (size > (1 << 20)) return NULL;
    CTelltaleObject *object = make_object(-1, limit);
    if (!object) return NULL;
    object->memory = malloc(size ? size : 1);
    object->size = size;
    object->bytes += size;
    if (object->memory) {
        *problem = CTelltaleObjectUnreadable;
        if (ctelltale_read_memory(address, object->memory, size)) {
            *problem = CTelltaleObjectMalformed;
            if (read_headers(object)) {
                *problem = CTelltaleObjectFine;
                return object;
            }
        }
    }
    ctelltale_object_close(object);
    return NULL;
}

void ctelltale_object_close(CTelltaleObject *object) {
    // At most one deep: a debug file has none of its own.
    if (object->debug) ctelltale_object_close(object->debug);
    ctelltale_object_trim(object);
    if (object->file.number >= 0) ctelltale_descriptor_close(&object->file);
    free(object->memory);
    free(object->symbols);
    free(object->units);
    free(object->unit_ranges);
    free(object);
}

bool ctelltale_object_is_open(const CTelltaleObject *object) {
    if (object->debug && !ctelltale_object_is_open(object->debug)) return false;
    return object->memory || ctelltale_descriptor_is_ours(&object->file);
}

size_t ctelltale_object_bytes(const CTelltaleObject *object) {
    return object->bytes + object->detail_bytes +
           (object->debug ? object->debug->bytes + object->debug->detail_bytes : 0);
}
#endif
