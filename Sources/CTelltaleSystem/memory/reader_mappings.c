// Reads pages that the process has never touched, without touching them, by the kind of their mapping.
#include "memory/reader.h"

#if TELLTALE_AGENT
#include "memory/growing.h"
#include "process/clock.h"
#include "process/maps.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    // The kernel's own default limit is 65,530 mappings.
    MostMappings = 1 << 16,
};

// The time for which a list is valid, if an address is in none of its mappings; at least four times the
// time that it took to make. An arena that grows during a walk must be found within the walk's tries, some
// 6 ms.
static const uint64_t list_lasts = 1000 * 1000;
enum { ListCostFactor = 4 };

typedef struct {
    uintptr_t low, high;
    // Reads as zeros; must not be read, as a file's data and all others; may be read.
    enum { MappingAnonymous, MappingData, MappingRefused, MappingImage } kind;
} ReaderMapping;

struct ReaderMappings {
    uint64_t expires;
    // A list with the kernel's flags takes longer to make. A snapshot's reader looks for mappings that the kernel
    // empties in a child.
    bool has_flags, is_snapshot, is_taken;
    // The file whose mappings were added last, and the first of those.
    uint64_t device, inode;
    size_t first, count;
    char text[MapsRoom];
    ReaderMapping list[MostMappings];
};

// MARK: The list

// An image is a file with an executable mapping. Its other mappings are near that; between them may be
// mappings of other kinds, which keep theirs.
static unsigned kind_of_file(struct ReaderMappings *mappings, const Mapping *mapping) {
    bool is_same = mappings->inode == mapping->inode && mappings->device == mapping->device;
    if (!is_same) mappings->first = mappings->count;
    mappings->inode = mapping->inode;
    mappings->device = mapping->device;
    bool is_image = is_same && mappings->first < mappings->count &&
                    mappings->list[mappings->first].kind == MappingImage;
    if (!is_image && !mapping->is_executable) return MappingData;
    for (size_t i = mappings->first; i < mappings->count; i++)
        if (mappings->list[i].kind == MappingData) mappings->list[i].kind = MappingImage;
    return MappingImage;
}

static bool take(void *context, const Mapping *mapping) {
    struct ReaderMappings *mappings = context;
    mappings->is_taken = false;
    if (!mapping->is_readable || mappings->count == MostMappings) return true;
    unsigned kind = MappingRefused;
    bool is_named = mapping->path_length > 0;
    if (is_named && mapping->path[0] == '/') kind = kind_of_file(mappings, mapping);
    else if (!is_named || mapping_begins(mapping, "[heap]") || mapping_begins(mapping, "[stack") || mapping_begins(mapping, "[anon:"))
        kind = mapping->is_private ? MappingAnonymous : MappingRefused;
    else if (mapping_begins(mapping, "[v")) kind = MappingImage;  // mapped by the kernel itself: vdso, vvar, vsyscall
    ReaderMapping *last = mappings->count > 0 ? &mappings->list[mappings->count - 1] : NULL;
    bool is_next = last && kind == MappingAnonymous && last->kind == kind && last->high == mapping->low;
    if (is_next && !mappings->has_flags)
        last->high = mapping->high;
    else
        mappings->list[mappings->count++] = (ReaderMapping){mapping->low, mapping->high, kind};
    mappings->is_taken = true;
    return true;
}

// Takes the flags of the mapping that was added last. A fault on a missing page waits for the owner of a
// `userfaultfd` if the mapping is registered for missing pages (`um`) or for minor faults (`ui`). A snapshot
// has nothing of a mapping that is wiped on fork (`wf`).
static void take_flags(void *context, const char *text, size_t length) {
    struct ReaderMappings *mappings = context;
    bool is_unserved = memmem(text, length, " um", 3) || memmem(text, length, " ui", 3);
    if (mappings->is_snapshot && memmem(text, length, " wf", 3)) is_unserved = true;
    if (is_unserved && mappings->is_taken) mappings->list[mappings->count - 1].kind = MappingRefused;
}

bool ctelltale_has_userfault(void) {
    static const char kind[] = "anon_inode:[userfaultfd]";
    _Alignas(8) char entries[4096];
    char path[48];
    ctelltale_descriptors_path(path, sizeof path, "fd");
    CTelltaleDescriptor directory = ctelltale_descriptor_open(path, O_DIRECTORY);
    if (directory.number < 0) return false;
    bool has_one = false;
    long size;
    while (!has_one && (size = syscall(SYS_getdents64, directory.number, entries, sizeof entries)) > 0) {
        const struct dirent64 *entry;
        for (long at = 0; at < size && !has_one; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(const void *)(entries + at);
            char link[sizeof kind];
            has_one = readlinkat(directory.number, entry->d_name, link, sizeof link) == sizeof kind - 1 &&
                      memcmp(link, kind, sizeof kind - 1) == 0;
        }
    }
    ctelltale_descriptor_close(&directory);
    return has_one;
}

static const ReaderMapping *find_known(const struct ReaderMappings *mappings, uintptr_t address) {
    size_t before = SORTED_PREFIX(mappings->count, i, mappings->list[i].low <= address);
    const ReaderMapping *last = before > 0 ? &mappings->list[before - 1] : NULL;
    return last && address < last->high ? last : NULL;
}

static const ReaderMapping *find(MemoryReader *reader, uintptr_t address) {
    if (!reader->mappings) {
        reader->mappings = reader_room(sizeof *reader->mappings);
        if (!reader->mappings) return NULL;
        reader->mappings->has_flags = ctelltale_has_userfault();
        reader->mappings->is_snapshot = reader->process != 0;
    }
    struct ReaderMappings *mappings = reader->mappings;
    const ReaderMapping *found = find_known(mappings, address);
    uint64_t began = clock_now();
    if (found || began < mappings->expires) return found;
    mappings->count = mappings->first = 0;
    mappings->inode = 0;
    ctelltale_maps_with_flags(mappings->text, MapsRoom, mappings, take,
                              mappings->has_flags ? take_flags : NULL);
    uint64_t ended = clock_now();
    mappings->expires = ended + list_lasts + ListCostFactor * (ended - began);
    return find_known(mappings, address);
}

void reader_free_mappings(MemoryReader *reader) {
    munmap(reader->mappings, sizeof *reader->mappings);
    reader->mappings = NULL;
}

// MARK: Reading

// Returns whether this process has pages where its snapshot has none: the kernel may have emptied them there
// (`MADV_WIPEONFORK`). The list is then made with the kernel's flags, and must be asked again.
static bool may_be_wiped(MemoryReader *reader, uintptr_t address, size_t size) {
    struct ReaderMappings *mappings = reader->mappings;
    unsigned char resident[64];
    uintptr_t page = reader_page(), first = address & ~(page - 1);
    if (!mappings->is_snapshot || mappings->has_flags || size > (sizeof resident - 1) * page) return false;
    size_t count = (address + size - first + page - 1) / page;
    if (mincore((void *)first, count * page, resident) != 0) return false;
    for (size_t i = 0; i < count && !mappings->has_flags; i++) mappings->has_flags = resident[i] & 1;
    if (mappings->has_flags) mappings->count = mappings->expires = 0;
    return mappings->has_flags;
}

ssize_t reader_untouched(MemoryReader *reader, uintptr_t address, void *buffer, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ReaderMapping *mapping = find(reader, address + done);
        if (!mapping || mapping->kind == MappingData || mapping->kind == MappingRefused) break;
        size_t part = mapping->high - (address + done);
        if (part > size - done) part = size - done;
        if (mapping->kind == MappingAnonymous && may_be_wiped(reader, address + done, part)) continue;
        char *to = (char *)buffer + done;
        if (mapping->kind == MappingImage) {
            ssize_t got = reader->source(reader->context, address + done, to, part);
            if (got > 0) done += (size_t)got;
            if (got < (ssize_t)part) break;
        } else {
            memset(to, 0, part);
            done += part;
        }
    }
    return (ssize_t)done;
}
#endif
