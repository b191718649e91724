// What a walk keeps: the objects that it has met, and the words of its notes.
#if TELLTALE_AGENT
#include "values/text.h"
#include "values/tree.h"
#include "values/walk.h"

#include <stdlib.h>
#include <string.h>

struct CTelltaleShown {
    uintptr_t address;
    int32_t handle;
};

static size_t place(const struct CTelltaleShown *shown, size_t room, uintptr_t address) {
    size_t at = (size_t)((uint64_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 24) & (room - 1);
    while (shown[at].address && shown[at].address != address) at = (at + 1) & (room - 1);
    return at;
}

bool ctelltale_walk_is_shown(const CTelltaleWalk *walk, uintptr_t address, int32_t *handle) {
    if (walk->shown_count == 0) return false;
    const struct CTelltaleShown *found = &walk->shown[place(walk->shown, walk->shown_room, address)];
    if (!found->address) return false;
    *handle = found->handle;
    return true;
}

void ctelltale_walk_shows(CTelltaleWalk *walk, uintptr_t address, int32_t handle) {
    if (walk->shown_count * 2 >= walk->shown_room) {
        size_t room = walk->shown_room ? walk->shown_room * 4 : 64;
        struct CTelltaleShown *larger = calloc(room, sizeof *larger);
        if (!larger) {
            walk->tree.has_failed = true;
            return;
        }
        for (size_t i = 0; i < walk->shown_room; i++)
            if (walk->shown[i].address)
                larger[place(larger, room, walk->shown[i].address)] = walk->shown[i];
        free(walk->shown);
        walk->shown = larger;
        walk->shown_room = room;
    }
    size_t at = place(walk->shown, walk->shown_room, address);
    walk->shown_count += walk->shown[at].address == 0;
    walk->shown[at] = (struct CTelltaleShown){address, handle};
}

bool ctelltale_may_hold_secret(const char *bytes, size_t size) {
    return ctelltale_text_may_hold_secret(bytes, size, ctelltale_text_is_simple(bytes, size));
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
    // `ctelltale_walk_release` keeps the last one.
    ctelltale_walk_release(walk, (WalkMark){NULL, 0});
    free(walk->chunk);
    ctelltale_tree_free(&walk->tree);
    free(walk);
}
#endif
