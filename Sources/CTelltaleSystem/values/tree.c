// The nodes of an answer, in arrays that grow.
#if TELLTALE_AGENT
#include "values/tree.h"

#include "CTelltaleHandles.h"

#include "memory/growing.h"
#include "values/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// From so many bytes on an array has pages of its own. What the allocator gets back of that size it keeps
// for the next one, by a bound that grows with it: 50 MB of the host's after one answer of 20,000 objects.
#define OWN_PAGES ((size_t)1 << 20)

// What an index or an offset of 32 bits may be.
#define MOST (UINT32_MAX / 2)

const char *ctelltale_kind_word(CTelltaleNodeKind kind) {
    static const char *const words[] = {"scalar", "string", "object", "struct", "enum",
                                        "nil",    "tuple",  "array",  "set",    "dictionary",
                                        "opaque", "reference", "masked", "unavailable"};
    return kind < CTELLTALE_NODE_KINDS ? words[kind] : "";
}

// As `array_grow`.
static bool grow(void **array, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) return true;
    size_t bytes = *room * size;
    size_t wanted = *room + *room / 2 > needed ? *room + *room / 2 : needed;
    if (needed > MOST) return false;
    if (wanted > MOST) wanted = MOST;
    if (wanted * size < OWN_PAGES) return array_grow(array, room, needed, size, MOST);
    void *larger = bytes >= OWN_PAGES
                       ? mremap(*array, bytes, wanted * size, MREMAP_MAYMOVE)
                       : mmap(NULL, wanted * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (larger == MAP_FAILED) return false;
    if (bytes < OWN_PAGES) {
        if (bytes > 0) memcpy(larger, *array, bytes);
        free(*array);
    }
    *array = larger;
    *room = wanted;
    return true;
}

static void let_go(void *array, size_t bytes) {
    if (bytes >= OWN_PAGES)
        munmap(array, bytes);
    else
        free(array);
}

void ctelltale_tree_free(CTelltaleTree *tree) {
    let_go(tree->nodes, tree->node_room * sizeof *tree->nodes);
    let_go(tree->texts, tree->text_room);
    let_go(tree->places, tree->place_room * sizeof *tree->places);
    let_go(tree->paths, tree->path_room);
    free(tree->numbers);
    memset(tree, 0, sizeof *tree);
}

uint32_t ctelltale_tree_add(CTelltaleTree *tree, CTelltaleNode node) {
    if (tree->count == tree->node_room) {
        void *nodes = tree->nodes;
        if (!grow(&nodes, &tree->node_room, tree->count + 1, sizeof node)) {
            tree->has_failed = true;
            return 0;
        }
        tree->nodes = nodes;
    }
    uint32_t index = (uint32_t)tree->count++;
    node.end = index + 1;
    tree->nodes[index] = node;
    return index;
}

void ctelltale_tree_close(CTelltaleTree *tree, uint32_t index) {
    if (index < tree->count) tree->nodes[index].end = (uint32_t)tree->count;
}

char *ctelltale_tree_text_room(CTelltaleTree *tree, size_t size) {
    if (tree->text_room - tree->text_size < size) {
        void *texts = tree->texts;
        if (!grow(&texts, &tree->text_room, tree->text_size + size, 1)) {
            tree->has_failed = true;
            return NULL;
        }
        tree->texts = texts;
    }
    return tree->texts + tree->text_size;
}

void ctelltale_tree_text(CTelltaleTree *tree, uint32_t index, const char *bytes, size_t size) {
    char *room = ctelltale_tree_text_room(tree, size);
    if (!room || index >= tree->count) return;
    memcpy(room, bytes, size);
    CTelltaleNode *node = &tree->nodes[index];
    node->text = (uint32_t)tree->text_size;
    node->text_size = (uint32_t)size;
    node->flags |= CTelltaleNodeHasText;
    tree->text_size += size;
    bool steers = false;
    if (ctelltale_text_is_simple(bytes, size))
        node->flags |= CTelltaleNodeIsPlain;
    else if (!ctelltale_text_is_utf8(bytes, size, &steers) || steers)
        tree->is_odd = true;
}

int32_t ctelltale_tree_place(CTelltaleTree *tree, CTelltalePlace place, const char *base, size_t base_size,
                   const CTelltaleStep *steps, size_t count, const CTelltalePlans *plans) {
    size_t size = base_size;
    for (size_t i = 0; i < count; i++)
        size += steps[i].is_element ? STEP_ELEMENT_SIZE
                                    : STEP_HEADER + ctelltale_name_text(plans, steps[i].value)->size;
    void *paths = tree->paths, *places = tree->places;
    bool has_room = grow(&paths, &tree->path_room, tree->path_size + size, 1);
    tree->paths = paths;
    has_room = has_room &&
               grow(&places, &tree->place_room, tree->place_count + 1, sizeof place);
    tree->places = places;
    if (!has_room) {
        tree->has_failed = true;
        return 0;
    }
    place.path = (uint32_t)tree->path_size;
    place.path_size = (uint32_t)size;
    char *out = tree->paths + tree->path_size;
    if (base_size) memcpy(out, base, base_size);
    out += base_size;
    for (size_t i = 0; i < count; i++) out += step_write(steps[i], plans, out);
    tree->path_size += size;
    tree->places[tree->place_count++] = place;
    return -(int32_t)tree->place_count;
}

void ctelltale_tree_number(CTelltaleTree *tree, const CTelltalePlans *plans, CTelltaleHandles *handles,
                           const char *root, size_t root_size) {
    tree->numbers = calloc(tree->place_count ? tree->place_count : 1, sizeof *tree->numbers);
    for (size_t i = 0; tree->numbers && i < tree->place_count; i++) {
        const CTelltalePlace *place = &tree->places[i];
        const CTelltaleNameText *type = ctelltale_name_text(plans, place->type);
        CTelltaleHandlePlace wanted = {place->address,  root ? root : "", type->bytes,
                                       tree->paths + place->path, (uint32_t)root_size, type->size,
                                       place->path_size};
        tree->numbers[i] = ctelltale_handles_number(handles, &wanted);
    }
}
#endif
