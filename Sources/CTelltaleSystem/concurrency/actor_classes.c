// The classes of actors in an image, recognised by their metadata in its writable segments: an
// actor is found by its class, and the runtime has no list of either.
//
// The layouts are those of swift-6.3.1-RELEASE, and all reads are guarded.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <string.h>

#include <elf.h>

enum {
    // `ClassMetadata` without Objective-C: {kind, superclass, flags, …, descriptor}.
    class_descriptor = 40,
    // `ContextDescriptorFlags`
    context_kind_mask = 0x1F,
    context_is_class = 16,
    context_is_actor = 1 << 23,
    context_is_default_actor = 1 << 24,
    piece_words = 8192,
};

bool ctelltale_actor_class(uintptr_t metadata, CTelltaleActorClass *out) {
    struct {
        uintptr_t kind, superclass;
        uint32_t flags, address_point, size;
        uint16_t alignment, reserved;
        uint32_t class_size, class_address_point;
        uintptr_t descriptor;
    } read;
    _Static_assert(offsetof(__typeof__(read), descriptor) == class_descriptor, "ClassMetadata");
    uint32_t flags;
    if (metadata < 4096 || (metadata & 7) != 0 ||
        !ctelltale_read_memory(metadata, &read, sizeof read) || read.kind != 0 || read.size < 16 ||
        read.class_address_point >= read.class_size || (read.descriptor & 3) != 0 ||
        read.descriptor < 4096 || !ctelltale_read_memory(read.descriptor, &flags, sizeof flags) ||
        (flags & context_kind_mask) != context_is_class || (flags & context_is_actor) == 0)
        return false;
    out->metadata = metadata, out->descriptor = read.descriptor;
    out->is_default = (flags & context_is_default_actor) != 0 && read.size >= ctelltale_task_layout.actor_size;
    return true;
}

// Returns words of a segment that point into the image, five words after a zero: candidates for a class.
static size_t classes_between(uintptr_t from, uintptr_t to, uintptr_t low, uintptr_t span,
                              CTelltaleActorClass *classes, size_t count, size_t capacity) {
    static const size_t before = class_descriptor / 8;
    uintptr_t words[piece_words];
    size_t failures = 0;
    for (from = (from + 7) & ~(uintptr_t)7; from + class_descriptor < to;) {
        size_t size = to - from < sizeof words ? to - from : sizeof words;
        size &= ~(size_t)7;
        if (!ctelltale_read_memory(from, words, size)) {
            // A header that claims much more than exists does not belong to an image.
            if (++failures > 1024) break;
            // Continues at the next page: a part of this one isn't mapped.
            from = (from & ~(uintptr_t)4095) + 4096;
            continue;
        }
        size_t last = size / 8;
        for (size_t i = before; i < last; i++) {
            if (words[i] - low >= span || words[i - before] != 0) continue;
            if (count >= capacity) return count;
            if (ctelltale_actor_class(from + (i - before) * 8, &classes[count])) count++;
        }
        if (size < sizeof words) break;
        from += size - class_descriptor;
    }
    return count;
}

size_t ctelltale_actor_classes(uintptr_t header, uintptr_t bias, CTelltaleActorClass *classes,
                               size_t capacity) {
    Elf64_Ehdr elf;
    Elf64_Phdr segments[64];
    if (!ctelltale_read_memory(header, &elf, sizeof elf) ||
        memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
        elf.e_phentsize != sizeof *segments || elf.e_phnum > 64 ||
        !ctelltale_read_memory(header + elf.e_phoff, segments, elf.e_phnum * sizeof *segments))
        return 0;
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (unsigned i = 0; i < elf.e_phnum; i++) {
        uintptr_t from = bias + segments[i].p_vaddr, to = from + segments[i].p_memsz;
        if (segments[i].p_type != PT_LOAD || to < from) continue;
        if (from < low) low = from;
        if (to > high) high = to;
    }
    size_t count = 0;
    for (unsigned i = 0; i < elf.e_phnum && low < high; i++) {
        // Data that the loader makes read-only after relocation is in a writable segment too.
        if (segments[i].p_type != PT_LOAD || (segments[i].p_flags & PF_W) == 0) continue;
        uintptr_t from = bias + segments[i].p_vaddr, to = from + segments[i].p_filesz;
        if (to < from) continue;
        count = classes_between(from, to, low, high - low, classes, count, capacity);
    }
    return count;
}
#endif
