// The loader's list of objects, and the objects that can't be unloaded: the program, and the objects that
// it was linked with.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)

extern __typeof(_dl_find_object) _dl_find_object __attribute__((weak));
// The loader's variable; a program that was linked without the loader has nothing that could be unloaded.
extern struct r_debug _r_debug __attribute__((weak));

// The list may change while it is read: the result must be checked for consistency.
#define MOST_OBJECTS 1024
#define MOST_ENTRIES 512
#define LONGEST_NAME 256

struct object {
    uintptr_t map, bias, dynamic;
    bool is_lasting, is_asked;
    // The last component of the path.
    char name[LONGEST_NAME];
};

static bool read_text(uintptr_t address, char *text, size_t size) {
    // Doesn't read beyond a page that may be the last.
    size_t length = 0;
    while (length + 1 < size) {
        size_t part = 4096 - (address + length) % 4096;
        if (part > size - 1 - length) part = size - 1 - length;
        if (!ctelltale_read_memory(address + length, text + length, part)) return false;
        if (memchr(text + length, 0, part)) return true;
        length += part;
    }
    return false;
}

static size_t read_objects(struct object *objects) {
    size_t count = 0;
    uintptr_t at = (uintptr_t)_r_debug.r_map;
    char path[4096];
    for (; at != 0 && count < MOST_OBJECTS; count++) {
        struct link_map map;
        if (!ctelltale_read_memory(at, &map, sizeof map)) break;
        struct object *object = &objects[count];
        *object = (struct object){
            .map = at, .bias = map.l_addr, .dynamic = (uintptr_t)map.l_ld};
        if (read_text((uintptr_t)map.l_name, path, sizeof path)) {
            const char *slash = strrchr(path, '/');
            const char *name = slash ? slash + 1 : path;
            if (strlen(name) < sizeof object->name) strcpy(object->name, name);
        }
        at = (uintptr_t)map.l_next;
    }
    return count;
}

// Marks the first object with a name: objects that came with the program precede all that were loaded
// later.
static void mark(struct object *objects, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(objects[i].name, name)) continue;
        objects[i].is_lasting = true;
        return;
    }
}

static void mark_needed(struct object *objects, size_t count, const struct object *object) {
    ElfW(Dyn) entries[MOST_ENTRIES];
    uintptr_t strings = 0;
    size_t length = 0;
    for (; length < MOST_ENTRIES; length++) {
        uintptr_t at = object->dynamic + length * sizeof *entries;
        if (!ctelltale_read_memory(at, &entries[length], sizeof *entries)) return;
        if (entries[length].d_tag == DT_NULL) break;
        if (entries[length].d_tag == DT_STRTAB) strings = (uintptr_t)entries[length].d_un.d_ptr;
    }
    if (strings == 0) return;
    // The loader converts it to an address if the section is writable.
    if (strings < object->bias) strings += object->bias;
    for (size_t i = 0; i < length; i++) {
        char name[LONGEST_NAME];
        if (entries[i].d_tag == DT_NEEDED &&
            read_text(strings + entries[i].d_un.d_val, name, sizeof name))
            mark(objects, count, name);
    }
}

// Returns the number of objects before the first that may be unloaded.
static size_t find_lasting_end(struct object *objects) {
    size_t count = read_objects(objects), end = 0;
    if (count > 0) objects[0].is_lasting = true;
    // A needed object may precede the object that needs it: repeats until all are processed.
    for (size_t i = 0; i < count;) {
        if (!objects[i].is_lasting || objects[i].is_asked) {
            i++;
            continue;
        }
        objects[i].is_asked = true;
        mark_needed(objects, count, &objects[i]);
        i = 0;
    }
    // Objects before one of them came with the program too: the kernel's own object, and preloaded
    // ones.
    for (size_t i = 0; i < count; i++)
        if (objects[i].is_lasting) end = i + 1;
    return end;
}

static bool can_tell(void) { return _dl_find_object != NULL && &_r_debug != NULL; }

// The number of permanent objects at the beginning of the list, plus one; 0 before they are counted.
static _Atomic size_t lasting_end;
// The list's entry of the last permanent object; 0 if there is none.
static _Atomic uintptr_t last_lasting;

static size_t count_lasting(void) {
    size_t known = atomic_load(&lasting_end);
    if (known > 0) return known - 1;
    struct object *objects = malloc(MOST_OBJECTS * sizeof *objects);
    if (!objects) return 0;
    size_t end = find_lasting_end(objects);
    atomic_store(&last_lasting, end > 0 ? objects[end - 1].map : 0);
    free(objects);
    atomic_store(&lasting_end, end + 1);
    return end;
}

bool ctelltale_image_is_lasting(uintptr_t start) {
    struct dl_find_object found;
    if (!can_tell() || _dl_find_object((void *)start, &found) != 0) return false;
    uintptr_t at = (uintptr_t)_r_debug.r_map;
    for (size_t left = count_lasting(); left > 0 && at != 0; left--) {
        struct link_map map;
        if (at == (uintptr_t)found.dlfo_link_map) return true;
        if (!ctelltale_reading_copy(at, &map, sizeof map)) return false;
        at = (uintptr_t)map.l_next;
    }
    return false;
}

uint64_t ctelltale_objects_mark(void) {
    // With several lists, this would be only one of them.
    if (!can_tell() || _r_debug.r_version > 1) return 0;
    // Only the last of the permanent objects is read, for the entry after it.
    size_t lasting = count_lasting(), count = lasting > 0 ? lasting - 1 : 0;
    uint64_t mark = 0xcbf29ce484222325u;
    for (uintptr_t at = lasting > 0 ? last_lasting : (uintptr_t)_r_debug.r_map; at != 0; count++) {
        struct link_map map;
        if (count == MOST_OBJECTS || !ctelltale_read_memory(at, &map, sizeof map)) return 0;
        uint64_t words[] = {at, map.l_addr, (uintptr_t)map.l_ld, (uintptr_t)map.l_name, 0};
        struct dl_find_object found;
        if (count >= lasting && _dl_find_object((void *)map.l_ld, &found) == 0)
            words[4] = ctelltale_image_mark((uintptr_t)found.dlfo_map_start);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            mark = (mark ^ words[i]) * 0x100000001b3u;
        at = (uintptr_t)map.l_next;
    }
    return mark == 0 ? 1 : mark;
}

#else

bool ctelltale_image_is_lasting(uintptr_t start) { return false; }
uint64_t ctelltale_objects_mark(void) { return 0; }

#endif
#endif
