//! Declarations shared by the parts that make a tree.
#pragma once

#include <string.h>

#include "CTelltaleValues.h"

#pragma clang assume_nonnull begin

/// A step of an encoded path: a letter, followed by the eight bytes of a position or by four bytes of a
/// length and the text. `p` is a property, `i` a position, `k` a key as it is typed, `r` a range.
#define STEP_ELEMENT_SIZE 9u
#define STEP_HEADER 5u

static inline size_t step_write(CTelltaleStep step, const CTelltalePlans *plans, char *out) {
    if (step.is_element) {
        uint64_t position = step.value;
        out[0] = 'i';
        memcpy(out + 1, &position, sizeof position);
        return STEP_ELEMENT_SIZE;
    }
    const CTelltaleNameText *name = ctelltale_name_text(plans, step.value);
    out[0] = 'p';
    memcpy(out + 1, &name->size, 4);
    memcpy(out + STEP_HEADER, name->bytes, name->size);
    return STEP_HEADER + name->size;
}

// A node begins with a head. A node that is not a leaf continues with a tail; then come the text, and up to
// three bytes so that the next head is at a multiple of four. With nodes of one size, half of the time of a
// walk went into getting pages for them, and most of them were leaves.

// Inlined without optimisation too: a call costs as much there as the called function.
#define TREE_INLINE __attribute__((always_inline)) static inline

/// `what` contains the type in 20 bits, the kind in 4 and the flags in 8.
typedef struct {
    uint32_t label;
    uint32_t what;
    uint32_t text_size;
} TreeHead;

/// `end` is 0 as long as there are no parts.
typedef struct __attribute__((packed, aligned(4))) {
    uint32_t end;
    int32_t handle;
    CTelltaleName note, cut;
    uint64_t value, omitted;
} TreeTail;

/// In addition to the flags of nodes: there is a tail.
#define TREE_HAS_TAIL 128u
#define TREE_NO_TYPE 0xFFFFFu

TREE_INLINE uint32_t tree_what(CTelltaleNodeKind kind, CTelltaleName type, uint8_t flags) {
    return (type & TREE_NO_TYPE) << 12 | (uint32_t)kind << 8 | flags;
}
TREE_INLINE CTelltaleName tree_type(uint32_t what) {
    return what >> 12 == TREE_NO_TYPE ? CTELLTALE_NO_NAME : what >> 12;
}
TREE_INLINE CTelltaleNodeKind tree_kind(uint32_t what) { return (CTelltaleNodeKind)(what >> 8 & 15); }
TREE_INLINE size_t tree_padded(size_t size) { return (size + 3) & ~(size_t)3; }

TREE_INLINE TreeHead *tree_head(const CTelltaleTree *tree, uint32_t at) {
    return (TreeHead *)(void *)(tree->bytes + at);
}
TREE_INLINE TreeTail *tree_tail(const CTelltaleTree *tree, uint32_t at) {
    return (TreeTail *)(void *)(tree->bytes + at + sizeof(TreeHead));
}

/// Returns the address of a leaf's text.
TREE_INLINE char *tree_leaf_text(const CTelltaleTree *tree, uint32_t at) {
    return (char *)tree->bytes + at + sizeof(TreeHead);
}
/// Returns the offset after a leaf.
TREE_INLINE uint32_t tree_leaf_end(const TreeHead *head, uint32_t at) {
    return at + (uint32_t)(sizeof(TreeHead) + tree_padded(head->text_size));
}

/// Reserves space for further bytes; false if there is no memory.
bool ctelltale_tree_grow(CTelltaleTree *tree, size_t size);

/// Returns the space for the text of a leaf that may be added next; null if there is no memory.
TREE_INLINE char *_Nullable tree_leaf_room(CTelltaleTree *tree, size_t size) {
    size_t needed = sizeof(TreeHead) + size + 4;
    if (tree->room - tree->size < needed && !ctelltale_tree_grow(tree, needed)) return NULL;
    return (char *)tree->bytes + tree->size + sizeof(TreeHead);
}
/// Adds a leaf, whose text is stored inside it.
TREE_INLINE void tree_leaf(CTelltaleTree *tree, uint32_t what, uint32_t label, size_t text_size) {
    uint32_t at = (uint32_t)tree->size;
    TreeHead *head = tree_head(tree, at);
    head->label = label;
    head->what = what;
    head->text_size = (uint32_t)text_size;
    tree->last = at;
    tree->count++;
    tree->text_size += text_size;
    tree->size = tree_leaf_end(head, at);
}

/// Records an object's location, whose path is a base and steps; returns its provisional handle.
int32_t ctelltale_tree_place(CTelltaleTree *tree, CTelltalePlace place, const char *_Nullable base, size_t base_size,
                   const CTelltaleStep *_Nullable steps, size_t count, const CTelltalePlans *plans);

#pragma clang assume_nonnull end
