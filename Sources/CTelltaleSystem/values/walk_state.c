// The memory of a walk: the objects that it has reached, and the words of its notes.
#if TELLTALE_AGENT
#include "memory/growing.h"
#include "values/text.h"
#include "values/walk.h"

#include <stdlib.h>

struct CTelltaleShown {
    uintptr_t address;
    int32_t handle;
};

// The objects are in the order in which they were reached, and a hash table contains their indices, plus
// one: it is small enough to stay in the cache, and most lookups are for objects that aren't there.
static size_t place(const CTelltaleWalk *walk, const uint32_t *table, size_t room, uintptr_t address) {
    size_t at = (size_t)((uint64_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 24) & (room - 1);
    while (table[at] && walk->shown[table[at] - 1].address != address) at = (at + 1) & (room - 1);
    return at;
}

bool ctelltale_walk_is_shown(const CTelltaleWalk *walk, uintptr_t address, int32_t *handle) {
    if (walk->shown_count == 0) return false;
    uint32_t found = walk->shown_table[place(walk, walk->shown_table, walk->shown_table_room, address)];
    if (!found) return false;
    *handle = walk->shown[found - 1].handle;
    return true;
}

static bool has_room_to_show(CTelltaleWalk *walk) {
    void *shown = walk->shown;
    if (!array_grow(&shown, &walk->shown_room, walk->shown_count + 1, sizeof *walk->shown, UINT32_MAX - 1))
        return false;
    walk->shown = shown;
    if (walk->shown_count * 2 < walk->shown_table_room) return true;
    size_t room = walk->shown_table_room ? walk->shown_table_room * 4 : 64;
    uint32_t *larger = calloc(room, sizeof *larger);
    if (!larger) return false;
    for (size_t i = 0; i < walk->shown_count; i++)
        larger[place(walk, larger, room, walk->shown[i].address)] = (uint32_t)i + 1;
    free(walk->shown_table);
    walk->shown_table = larger;
    walk->shown_table_room = room;
    return true;
}

void ctelltale_walk_shows(CTelltaleWalk *walk, uintptr_t address, int32_t handle) {
    if (!has_room_to_show(walk)) {
        walk->tree.has_failed = true;
        return;
    }
    uint32_t *found = &walk->shown_table[place(walk, walk->shown_table, walk->shown_table_room, address)];
    if (*found) {
        walk->shown[*found - 1].handle = handle;
        return;
    }
    walk->shown[walk->shown_count++] = (struct CTelltaleShown){address, handle};
    *found = (uint32_t)walk->shown_count;
}

bool ctelltale_may_hold_secret(const char *bytes, size_t size) {
    return ctelltale_text_may_hold_secret(bytes, size, ctelltale_text_look(bytes, size));
}

int32_t ctelltale_walk_place(CTelltaleWalk *walk, uintptr_t address, CTelltaleName type, const char *path,
                             size_t path_size) {
    return ctelltale_tree_place(&walk->tree, (CTelltalePlace){address, type, 0, 0}, path, path_size, NULL, 0,
                      walk->plans);
}

static bool add_name(CTelltaleWalk *walk, const char *text, CTelltaleName *name) {
    *name = ctelltale_name(walk->plans, text, strlen(text));
    return *name != CTELLTALE_NO_NAME;
}

static bool add_names(CTelltaleWalk *walk) {
    return add_name(walk, "it can't be read; it may just be changing", &walk->note_changing) &&
           add_name(walk, "depth", &walk->cut_depth) && add_name(walk, "elements", &walk->cut_elements) &&
           add_name(walk, "bytes", &walk->cut_bytes) && add_name(walk, "deadline", &walk->cut_deadline) &&
           add_name(walk, ".0", &walk->payload_label);
}

CTelltaleWalk *ctelltale_walk_make(CTelltalePlans *plans, CTelltaleWalkCalls calls, void *context) {
    CTelltaleWalk *walk = calloc(1, sizeof *walk);
    if (!walk) return NULL;
    walk->plans = plans;
    walk->calls = calls;
    walk->context = context;
    if (add_names(walk)) return walk;
    ctelltale_walk_free(walk);
    return NULL;
}

void ctelltale_walk_free(CTelltaleWalk *walk) {
    free(walk->shown);
    free(walk->shown_table);
    // `ctelltale_walk_release` keeps the last chunk.
    ctelltale_walk_release(walk, (WalkMark){NULL, 0});
    free(walk->chunk);
    ctelltale_tree_free(&walk->tree);
    free(walk);
}
#endif
