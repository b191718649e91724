// Opens and closes object files.
#if TELLTALE_AGENT
#include "symbols/object_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static CTelltaleObject *_Nullable make_object(int file, size_t limit) {
    CTelltaleObject *object = calloc(1, sizeof *object);
    if (!object) return NULL;
    object->file = ctelltale_descriptor_of_file(file);
    object->detail_limit = limit;
    object->bytes = sizeof *object;
    return object;
}

// Maps the file and closes it; its descriptor would end with the thread.
static bool map_file(CTelltaleObject *object) {
    void *mapped = mmap(NULL, (size_t)object->size, PROT_READ, MAP_PRIVATE, object->file.number, 0);
    ctelltale_descriptor_close(&object->file);
    object->file.number = -1;
    if (mapped == MAP_FAILED) return false;
    madvise(mapped, (size_t)object->size, MADV_DONTFORK);
    object->mapped = mapped;
    return true;
}

static bool is_the_mapped_one(const CTelltaleObject *object, const uint8_t *_Nullable build_id,
                              size_t build_id_size, uintptr_t mapped) {
    if (build_id && build_id_size)
        return object->build_id_size >= build_id_size &&
               !memcmp(object->build_id, build_id, build_id_size);
    if (!mapped) return true;
    // The header contains the position of the section headers, which equals the file's length without them.
    uint8_t in_file[sizeof(Elf64_Ehdr)], in_memory[sizeof(Elf64_Ehdr)];
    return object_read(object, 0, in_file, sizeof in_file) &&
           ctelltale_read_memory(mapped, in_memory, sizeof in_memory) &&
           !memcmp(in_file, in_memory, sizeof in_file);
}

CTelltaleObject *_Nullable ctelltale_object_open(const char *path, const uint8_t *_Nullable build_id,
                                                 size_t build_id_size, uintptr_t mapped,
                                                 size_t limit, CTelltaleObjectProblem *problem) {
    *problem = CTelltaleObjectUnreadable;
    // Not blocking: a fifo in the place of a library must not block the agent.
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
    if (ctelltale_descriptors_are_own() && !map_file(object)) {
        *problem = CTelltaleObjectNoMemory;
    } else if (!object_read_headers(object)) {
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
            if (object_read_headers(object)) {
                *problem = CTelltaleObjectFine;
                return object;
            }
        }
    }
    ctelltale_object_close(object);
    return NULL;
}

void ctelltale_object_close(CTelltaleObject *object) {
    // At most one level deep: a debug file has no debug file of its own.
    if (object->debug) ctelltale_object_close(object->debug);
    object->debug = NULL;
    ctelltale_object_trim(object);
    if (object->file.number >= 0) ctelltale_descriptor_close(&object->file);
    if (object->mapped) munmap(object->mapped, (size_t)object->size);
    free(object->memory);
    free(object->symbols);
    free(object->units);
    free(object->unit_ranges);
    free(object);
}

bool ctelltale_object_is_open(const CTelltaleObject *object) {
    if (object->debug && !ctelltale_object_is_open(object->debug)) return false;
    return object->memory || object->mapped || ctelltale_descriptor_is_ours(&object->file);
}

size_t ctelltale_object_bytes(const CTelltaleObject *object) {
    return object->bytes + object->detail_bytes +
           (object->debug ? object->debug->bytes + object->debug->detail_bytes : 0);
}
#endif
