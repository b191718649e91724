// The nodes of an answer, in arrays that grow.
#if TELLTALE_AGENT
#include "values/tree.h"

#include "memory/own_pages.h"
#include "values/text.h"

#include <stdlib.h>
#include <string.h>

const char *ctelltale_kind_word(CTelltaleNodeKind kind) {
    static const char *const words[] = {"scalar", "string", "object", "struct", "enum",
                                        "nil",    "tuple",  "array",  "set",    "dictionary",
                                        "opaque", "reference", "masked", "unavailable"};
    return kind < CTELLTALE_NODE_KINDS ? words[kind] : "";
}

void ctelltale_tree_free(CTelltaleTree *tree) {
    ctelltale_own_pages_free(tree->bytes, tree->room);
    ctelltale_own_pages_free(tree->places, tree->place_room * sizeof *tree->places);
    ctelltale_own_pages_free(tree->paths, tree->path_room);
    free(tree->numbers);
    memset(tree, 0, sizeof *tree);
}

// MARK: Nodes

bool ctelltale_tree_grow(CTelltaleTree *tree, size_t size) {
    void *bytes = tree->bytes;
    if (!ctelltale_own_pages_grow(&bytes, &tree->room, tree->size + size, 1)) {
        tree->has_failed = true;
        return false;
    }
    tree->bytes = bytes;
    return true;
}

CTelltaleNode ctelltale_tree_node(const CTelltaleTree *tree, uint32_t at) {
    const TreeHead *head = tree_head(tree, at);
    CTelltaleNode node = {0};
    node.label = head->label;
    node.type = tree_type(head->what);
    node.kind = tree_kind(head->what);
    node.flags = head->what & 127;
    node.text_size = head->text_size;
    node.note = node.cut = CTELLTALE_NO_NAME;
    uint32_t size = sizeof *head;
    if (head->what & TREE_HAS_TAIL) {
        const TreeTail *tail = tree_tail(tree, at);
        size += sizeof *tail;
        node.end = tail->end;
        node.handle = tail->handle;
        node.note = tail->note;
        node.cut = tail->cut;
        node.value = tail->value;
        node.omitted = tail->omitted;
    }
    node.text = (const char *)tree->bytes + at + size;
    node.next = at + size + (uint32_t)tree_padded(head->text_size);
    if (!node.end) node.end = node.next;
    return node;
}

size_t ctelltale_tree_parts(const CTelltaleTree *tree, uint32_t at, uint32_t *places, size_t room) {
    size_t count = 0;
    CTelltaleNode node = ctelltale_tree_node(tree, at);
    for (uint32_t part = node.next; part < node.end; count++) {
        if (count < room && places) places[count] = part;
        part = ctelltale_tree_node(tree, part).end;
    }
    return count;
}

uint32_t ctelltale_tree_part(const CTelltaleTree *tree, uint32_t at, const CTelltaleName *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        CTelltaleNode node = ctelltale_tree_node(tree, at);
        uint32_t part = node.next;
        while (part < node.end && tree_head(tree, part)->label != names[i])
            part = ctelltale_tree_node(tree, part).end;
        if (part >= node.end || tree_head(tree, part)->what & CTelltaleNodeIsElement) return CTELLTALE_NO_PLACE;
        at = part;
    }
    return at;
}

// Returns whether a node has only a text, and never will have more.
static bool is_leaf(const CTelltaleNode *node) {
    bool may_have_parts = node->kind != CTelltaleNodeScalar && node->kind != CTelltaleNodeString &&
                          node->kind != CTelltaleNodeNone && node->kind != CTelltaleNodeMasked;
    bool has_numbers = node->flags & (CTelltaleNodeHasAddress | CTelltaleNodeHasCount | CTelltaleNodeHasOmitted);
    return !may_have_parts && !has_numbers && !node->handle && node->note == CTELLTALE_NO_NAME &&
           node->cut == CTELLTALE_NO_NAME;
}

uint32_t ctelltale_tree_add(CTelltaleTree *tree, CTelltaleNode node) {
    uint32_t what = tree_what(node.kind, node.type, node.flags & 127);
    if (!tree_leaf_room(tree, sizeof(TreeTail))) return 0;
    if (is_leaf(&node)) {
        tree_leaf(tree, what, node.label, 0);
        return tree->last;
    }
    uint32_t at = (uint32_t)tree->size;
    *tree_head(tree, at) = (TreeHead){node.label, what | TREE_HAS_TAIL, 0};
    *tree_tail(tree, at) = (TreeTail){0, node.handle, node.note, node.cut, node.value, node.omitted};
    tree->last = at;
    tree->count++;
    tree->size += sizeof(TreeHead) + sizeof(TreeTail);
    return at;
}

// Returns the tail of an added node; null if there is none.
static TreeTail *tail_of(CTelltaleTree *tree, uint32_t at) {
    if (tree->has_failed || at >= tree->size || !(tree_head(tree, at)->what & TREE_HAS_TAIL)) return NULL;
    return tree_tail(tree, at);
}

void ctelltale_tree_close(CTelltaleTree *tree, uint32_t at) {
    TreeTail *tail = tail_of(tree, at);
    if (tail) tail->end = (uint32_t)tree->size;
    else if (at != tree->last) tree->has_failed = true;
}

void ctelltale_tree_cut(CTelltaleTree *tree, uint32_t at, CTelltaleName reason, uint64_t omitted) {
    TreeTail *tail = tail_of(tree, at);
    if (!tail) {
        tree->has_failed = true;
        return;
    }
    tail->cut = reason;
    tail->omitted = omitted;
    tree_head(tree, at)->what |= CTelltaleNodeHasOmitted;
}

void ctelltale_tree_note(CTelltaleTree *tree, uint32_t at, CTelltaleName note) {
    TreeTail *tail = tail_of(tree, at);
    if (tail) tail->note = note;
    else tree->has_failed = true;
}

void ctelltale_tree_text(CTelltaleTree *tree, uint32_t at, const char *bytes, size_t size) {
    size_t padded = tree_padded(size);
    bool has_room = tree->room - tree->size >= padded || ctelltale_tree_grow(tree, padded);
    // Nodes before the last one can't grow any more.
    if (!has_room || at != tree->last || tree->size > MOST_INDEX) {
        tree->has_failed = true;
        return;
    }
    memcpy(tree->bytes + tree->size, bytes, size);
    TreeHead *head = tree_head(tree, at);
    head->text_size = (uint32_t)size;
    head->what |= CTelltaleNodeHasText;
    tree->size += padded;
    tree->text_size += size;
    bool steers = false;
    if (ctelltale_text_is_simple(bytes, size))
        head->what |= CTelltaleNodeIsPlain;
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
    bool has_room = ctelltale_own_pages_grow(&paths, &tree->path_room, tree->path_size + size, 1);
    tree->paths = paths;
    has_room = has_room &&
               ctelltale_own_pages_grow(&places, &tree->place_room, tree->place_count + 1, sizeof place);
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
#endif
