// Reads parts of object files: bytes, sections, headers.
#if TELLTALE_AGENT
#include "memory/guarded.h"
#include "process/build_id.h"
#include "symbols/object_file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#else
#define OWN_MACHINE EM_AARCH64
#endif

enum { MaximumSections = 4096, MaximumNote = 4096 };
// The kernel maps 64 KiB around each page that it reads (fault_around_bytes).
enum { FaultAround = 64 << 10, MaximumResident = 4 << 20 };

bool object_read(const CTelltaleObject *object, uint64_t offset, void *buffer, size_t size) {
    if (offset > object->size || size > object->size - offset) return false;
    if (object->memory) {
        memcpy(buffer, object->memory + offset, size);
        return true;
    }
    // The kernel fetches the file's pages here, while the reader of the host's memory doesn't touch those
    // of a mapped file.
    if (object->mapped) {
        CTelltaleObject *counted = (CTelltaleObject *)object;
        counted->resident += size + FaultAround;
        if (counted->resident > MaximumResident) ctelltale_object_rest(counted);
        return ctelltale_guarded_copy((uintptr_t)object->mapped + offset, buffer, size) == (ssize_t)size;
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

void ctelltale_object_rest(CTelltaleObject *object) {
    if (object->debug) ctelltale_object_rest(object->debug);
    if (object->mapped && object->resident) madvise(object->mapped, (size_t)object->size, MADV_DONTNEED);
    object->resident = 0;
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
        // This includes NOBITS sections: a file with only debug data keeps the addresses.
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
                build_id_find(notes, (size_t)header->sh_size, object->build_id, MaximumBuildId);
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

bool object_read_headers(CTelltaleObject *object) {
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
#endif
