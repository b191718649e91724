// What is loaded, from the kernel's list of mappings. dl_iterate_phdr takes the loader's lock, and a
// host that is stuck inside dlopen holds it for good.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LARGEST_COUNT 4096
#define LARGEST_HEADERS 64
#define LARGEST_NOTES 4096
// Some 400,000 mappings; the kernel's own default limit is 65,530.
#define LARGEST_LIST (64u << 20)

struct CTelltaleImages {
    _Atomic size_t owners;
    uint64_t fingerprint;
    size_t count;
    bool is_cut;
    char *paths;
    CTelltaleImage images[];
};

// A mapping that begins a file, and whose file is also mapped for execution.
struct candidate {
    uintptr_t start;
    uint64_t device, inode;
    size_t path, path_length;
    bool is_deleted;
};

struct list {
    struct candidate *items;
    size_t count, capacity;
    char *paths;
    size_t paths_size, paths_capacity;
    uint64_t fingerprint;
    bool is_cut, has_failed;
    // The last mapping that began a file, not known to be executable yet.
    struct candidate open;
    char open_path[PATH_MAX + 1];
    bool is_open;
};

static _Atomic uint64_t next_serial = 1;

static uint64_t mixed(uint64_t hash, uint64_t value) {
    hash ^= value;
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static bool room(void **items, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    size_t larger = *capacity ? *capacity * 2 : 64;
    while (larger < needed) larger *= 2;
    void *moved = realloc(*items, larger * size);
    if (!moved) return false;
    *items = moved;
    *capacity = larger;
    return true;
}

static void keep_open(struct list *list) {
    list->is_open = false;
    if (list->count >= LARGEST_COUNT) {
        list->is_cut = true;
        return;
    }
    struct candidate found = list->open;
    size_t end = list->paths_size + found.path_length + 1;
    if (!room((void **)&list->items, &list->capacity, list->count + 1, sizeof found) ||
        !room((void **)&list->paths, &list->paths_capacity, end, 1)) {
        list->has_failed = true;
        return;
    }
    found.path = list->paths_size;
    memcpy(list->paths + found.path, list->open_path, found.path_length);
    list->paths[end - 1] = 0;
    list->paths_size = end;
    list->items[list->count++] = found;
    uint64_t hash = mixed(mixed(list->fingerprint, found.start), found.inode);
    list->fingerprint = mixed(hash, found.device ^ (found.is_deleted ? 1u << 31 : 0));
}

static bool number(const char **at, const char *end, unsigned base, uint64_t *out) {
    uint64_t value = 0;
    const char *first = *at;
    for (; *at < end; (*at)++) {
        char c = **at;
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                                : 99;
        if (digit >= base) break;
        value = value * base + digit;
    }
    *out = value;
    return *at > first;
}

static bool skip(const char **at, const char *end, char c) {
    if (*at >= end || **at != c) return false;
    (*at)++;
    return true;
}

// `START-END rwxp OFFSET MAJOR:MINOR INODE      PATH`
static void line(struct list *list, const char *at, const char *end) {
    uint64_t start, stop, offset, major, minor, inode;
    if (!number(&at, end, 16, &start) || !skip(&at, end, '-') || !number(&at, end, 16, &stop) ||
        !skip(&at, end, ' ') || end - at < 5)
        return;
    bool is_readable = at[0] == 'r', is_text = at[2] == 'x';
    at += 5;
    if (!number(&at, end, 16, &offset) || !skip(&at, end, ' ') || !number(&at, end, 16, &major) ||
        !skip(&at, end, ':') || !number(&at, end, 16, &minor) || !skip(&at, end, ' ') ||
        !number(&at, end, 10, &inode))
        return;
    while (at < end && *at == ' ') at++;
    size_t length = (size_t)(end - at);
    static const char vdso[] = "[vdso]";
    bool is_vdso = length == sizeof vdso - 1 && !memcmp(at, vdso, length);
    if (inode == 0 && !is_vdso) return;

    if (offset == 0 && is_readable) {
        static const char deleted[] = " (deleted)";
        size_t tail = sizeof deleted - 1;
        bool is_deleted = length > tail && !memcmp(end - tail, deleted, tail);
        if (is_deleted) length -= tail;
        if (length > PATH_MAX) length = PATH_MAX;
        memcpy(list->open_path, at, length);
        list->open = (struct candidate){.start = (uintptr_t)start,
                                        .device = makedev((unsigned)major, (unsigned)minor),
                                        .inode = inode,
                                        .path_length = length,
                                        .is_deleted = is_deleted};
        list->is_open = true;
    }
    if (is_text && list->is_open && inode == list->open.inode &&
        makedev((unsigned)major, (unsigned)minor) == list->open.device)
        keep_open(list);
}

static bool read_list(struct list *list) {
    CTelltaleDescriptor file = ctelltale_descriptor_open("/proc/thread-self/maps", 0);
    if (file.number < 0) return false;
    enum { SIZE = 64 << 10 };
    char *buffer = malloc(SIZE);
    size_t kept = 0, total = 0;
    bool is_whole = false;
    while (buffer && !list->has_failed) {
        ssize_t count = pread(file.number, buffer + kept, SIZE - kept, (off_t)total);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            is_whole = count == 0;
            break;
        }
        total += (size_t)count;
        if (total > LARGEST_LIST) {
            list->is_cut = is_whole = true;
            break;
        }
        const char *at = buffer, *end = buffer + kept + (size_t)count, *newline;
        while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
            line(list, at, newline);
            at = newline + 1;
        }
        kept = (size_t)(end - at);
        // No line is so long: a path has 4,096 bytes at most, four times that where it is escaped.
        if (kept == SIZE) kept = 0;
        memmove(buffer, at, kept);
    }
    free(buffer);
    ctelltale_descriptor_close(&file);
    return is_whole && !list->has_failed;
}

static void read_build_id(CTelltaleImage *image, uintptr_t address, size_t size) {
    if (image->build_id_size || size > LARGEST_NOTES) return;
    uint8_t notes[LARGEST_NOTES];
    if (!ctelltale_read_memory(address, notes, size)) return;
    size_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= size) {
        Elf64_Nhdr note;
        memcpy(&note, notes + at, sizeof note);
        at += sizeof note;
        size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
        size_t value = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        if (name > size - at || value > size - at - name) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            !memcmp(notes + at, "GNU", 4) && note.n_descsz <= sizeof image->build_id) {
            image->build_id_size = note.n_descsz;
            memcpy(image->build_id, notes + at + name, note.n_descsz);
            return;
        }
        at += name + value;
    }
}

// What the mapped headers say. False where it isn't an ELF image that the loader has mapped.
static bool read_headers(CTelltaleImage *image, uintptr_t start) {
    Elf64_Ehdr header;
    if (!ctelltale_read_memory(start, &header, sizeof header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 ||
        header.e_phnum > LARGEST_HEADERS || header.e_phoff > 1u << 20)
        return false;
    Elf64_Phdr headers[LARGEST_HEADERS];
    if (!ctelltale_read_memory(start + header.e_phoff, headers,
                               header.e_phnum * sizeof *headers))
        return false;

    bool has_first = false;
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < header.e_phnum; i++) {
        const Elf64_Phdr *segment = &headers[i];
        if (segment->p_type != PT_LOAD) continue;
        uint64_t end = segment->p_vaddr + segment->p_memsz;
        if (end < segment->p_vaddr) return false;
        if (segment->p_offset == 0 && !has_first) {
            image->bias = start - (uintptr_t)segment->p_vaddr;
            has_first = true;
        }
        if (segment->p_vaddr < low) low = segment->p_vaddr;
        if (end > high) high = end;
    }
    // An image lies within half of the address space; anything else is no image.
    if (!has_first || high <= low || high - low > UINT64_C(1) << 46) return false;
    image->low = image->bias + (uintptr_t)low;
    image->high = image->bias + (uintptr_t)high;
    if (image->high <= image->low) return false;

    for (size_t i = 0; i < header.e_phnum; i++) {
        const Elf64_Phdr *segment = &headers[i];
        uintptr_t address = image->bias + (uintptr_t)segment->p_vaddr;
        uintptr_t end = address + (uintptr_t)segment->p_memsz;
        if (address < image->low || end > image->high || end < address) continue;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            size_t last = CTELLTALE_TEXT_RANGES - 1;
            if (image->text_count > last)
                image->text[last].high = end;
            else
                image->text[image->text_count++] = (CTelltaleRange){address, end};
        } else if (segment->p_type == PT_GNU_EH_FRAME) {
            image->eh_frame_hdr = address;
            image->eh_frame_hdr_size = (size_t)segment->p_memsz;
        } else if (segment->p_type == PT_NOTE) {
            read_build_id(image, address, (size_t)segment->p_memsz);
        }
    }
    return true;
}

static const CTelltaleImage *same_image(const CTelltaleImages *previous, uintptr_t address,
                                        const struct candidate *candidate) {
    if (!previous) return NULL;
    const CTelltaleImage *known = ctelltale_images_holding(previous, address);
    // At another place it is another: unloaded meanwhile, and loaded again.
    return known && known->low == address && known->device == candidate->device && known->inode == candidate->inode
               ? known
               : NULL;
}

static CTelltaleImages *make(struct list *list, const CTelltaleImages *previous) {
    CTelltaleImages *made = calloc(1, sizeof *made + list->count * sizeof *made->images);
    if (!made) return NULL;
    atomic_init(&made->owners, 1);
    made->fingerprint = list->fingerprint;
    made->is_cut = list->is_cut;
    made->paths = list->paths;
    list->paths = NULL;
    uintptr_t program = getauxval(AT_PHDR);
    for (size_t i = 0; i < list->count; i++) {
        const struct candidate *candidate = &list->items[i];
        CTelltaleImage *image = &made->images[made->count];
        const CTelltaleImage *known = same_image(previous, candidate->start, candidate);
        if (known) {
            *image = *known;
        } else if (read_headers(image, candidate->start)) {
            image->serial = atomic_fetch_add(&next_serial, 1);
        } else {
            memset(image, 0, sizeof *image);
            continue;
        }
        image->path = made->paths + candidate->path;
        image->device = candidate->device;
        image->inode = candidate->inode;
        image->is_deleted = candidate->is_deleted;
        image->is_vdso = candidate->inode == 0;
        image->is_main = program >= image->low && program < image->high;
        made->count++;
    }
    return made;
}

CTelltaleImages *ctelltale_images_read(const CTelltaleImages *previous) {
    struct list list = {.fingerprint = 1};
    CTelltaleImages *result = NULL;
    if (read_list(&list)) {
        if (previous && previous->fingerprint == list.fingerprint) {
            result = (CTelltaleImages *)previous;
            atomic_fetch_add(&result->owners, 1);
        } else {
            result = make(&list, previous);
        }
    }
    free(list.items);
    free(list.paths);
    return result;
}

void ctelltale_images_release(CTelltaleImages *images) {
    if (atomic_fetch_sub(&images->owners, 1) != 1) return;
    free(images->paths);
    free(images);
}

size_t ctelltale_images_count(const CTelltaleImages *images) { return images->count; }

bool ctelltale_images_are_cut(const CTelltaleImages *images) { return images->is_cut; }

const CTelltaleImage *ctelltale_images_at(const CTelltaleImages *images, size_t index) {
    return index < images->count ? &images->images[index] : NULL;
}

const CTelltaleImage *ctelltale_images_holding(const CTelltaleImages *images, uintptr_t address) {
    size_t low = 0, high = images->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (images->images[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    const CTelltaleImage *image = &images->images[low - 1];
    return address < image->high ? image : NULL;
}

bool ctelltale_image_has_text(const CTelltaleImage *image, uintptr_t address) {
    for (size_t i = 0; i < image->text_count; i++)
        if (address >= image->text[i].low && address < image->text[i].high) return true;
    return false;
}

#endif
