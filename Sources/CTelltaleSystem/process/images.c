// The list of loaded images, from the kernel's list of mappings and the mapped headers.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "memory/growing.h"
#include "process/build_id.h"
#include "process/maps.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define LARGEST_COUNT 4096
#define LARGEST_HEADERS 64
#define LARGEST_NOTES 4096

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

static void keep_open(struct list *list) {
    list->is_open = false;
    if (list->count >= LARGEST_COUNT) {
        list->is_cut = true;
        return;
    }
    struct candidate found = list->open;
    size_t end = list->paths_size + found.path_length + 1;
    if (!array_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof found,
                    LARGEST_COUNT) ||
        !array_grow((void **)&list->paths, &list->paths_capacity, end, 1, SIZE_MAX)) {
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

static bool is_path(const Mapping *mapping, const char *path) {
    size_t length = strlen(path);
    return mapping->path_length == length && !memcmp(mapping->path, path, length);
}

static bool take(void *context, const Mapping *mapping) {
    struct list *list = context;
    if (mapping->inode == 0 && !is_path(mapping, "[vdso]")) return true;
    if (mapping->offset == 0 && mapping->is_readable) {
        static const char deleted[] = " (deleted)";
        size_t tail = sizeof deleted - 1, length = mapping->path_length;
        bool is_deleted = length > tail && !memcmp(mapping->path + length - tail, deleted, tail);
        if (is_deleted) length -= tail;
        if (length > PATH_MAX) length = PATH_MAX;
        memcpy(list->open_path, mapping->path, length);
        list->open = (struct candidate){.start = mapping->low,
                                        .device = mapping->device,
                                        .inode = mapping->inode,
                                        .path_length = length,
                                        .is_deleted = is_deleted};
        list->is_open = true;
    }
    if (mapping->is_executable && list->is_open && mapping->inode == list->open.inode &&
        mapping->device == list->open.device)
        keep_open(list);
    return !list->has_failed;
}

static bool read_list(struct list *list) {
    enum { Size = 64 << 10 };
    char *buffer = malloc(Size);
    if (!buffer) return false;
    int error = ctelltale_maps_each(buffer, Size, list, take);
    free(buffer);
    if (error == EFBIG) list->is_cut = true;
    return (error == 0 || error == EFBIG) && !list->has_failed;
}

static void read_build_id(CTelltaleImage *image, uintptr_t address, size_t size) {
    uint8_t notes[LARGEST_NOTES];
    if (image->build_id_size || size > sizeof notes) return;
    if (ctelltale_read_memory(address, notes, size))
        image->build_id_size =
            build_id_find(notes, size, image->build_id, sizeof image->build_id);
}

// Reads the mapped headers. False if it isn't an ELF image that the loader has mapped.
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
    // An image lies within half of the address space; anything else is not an image.
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
    // At another address it is another image: unloaded in the meantime, and loaded again.
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
    size_t low = SORTED_PREFIX(images->count, i, images->images[i].low <= address);
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
