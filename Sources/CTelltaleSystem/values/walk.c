// Follows plans through the host's memory. Swift reads the types that a plan can't express, and everything
// if the rules are not those of the process; both give the same nodes, which a test compares.
#if TELLTALE_AGENT
#include "values/walk.h"

#include <stdlib.h>
#include <string.h>

// MARK: Memory

// Blocks are allocated one after the other in chunks, and released in reverse order.
struct CTelltaleChunk {
    struct CTelltaleChunk *before;
    size_t room, used;
};

#define CHUNK (256u << 10)

bool ctelltale_walk_read(CTelltaleWalk *walk, uintptr_t address, void *buffer, size_t size) {
    if (size == 0) return true;
    return walk->copy ? ctelltale_copy_read(walk->copy, address, buffer, size) == 0
                      : ctelltale_reading_copy(address, buffer, size);
}

uint8_t *ctelltale_walk_room(CTelltaleWalk *walk, size_t size) {
    struct CTelltaleChunk *chunk = walk->chunk;
    size_t needed = (size + 31) & ~(size_t)15;
    if (!chunk || chunk->room - chunk->used < needed) {
        size_t room = needed > CHUNK ? needed : CHUNK;
        chunk = malloc(sizeof *chunk + 16 + room);
        if (!chunk) {
            walk->tree.has_failed = true;
            return NULL;
        }
        *chunk = (struct CTelltaleChunk){walk->chunk, room, 0};
        walk->chunk = chunk;
    }
    uintptr_t start = ((uintptr_t)(chunk + 1) + chunk->used + 15) & ~(uintptr_t)15;
    chunk->used += needed;
    return (uint8_t *)start + 8;
}

WalkMark ctelltale_walk_mark(const CTelltaleWalk *walk) {
    return (WalkMark){walk->chunk, walk->chunk ? walk->chunk->used : 0};
}

void ctelltale_walk_release(CTelltaleWalk *walk, WalkMark mark) {
    // The first chunk stays: there is always a next block.
    while (walk->chunk != mark.chunk && walk->chunk->before) {
        struct CTelltaleChunk *chunk = walk->chunk;
        walk->chunk = chunk->before;
        free(chunk);
    }
    if (walk->chunk) walk->chunk->used = walk->chunk == mark.chunk ? mark.used : 0;
}

// MARK: Bounds

static bool shows_parts(const CTelltaleWalk *walk, uint32_t level) {
    return level < walk->depth && walk->step_count < CTELLTALE_MOST_STEPS;
}

// MARK: Nodes

void ctelltale_walk_unavailable(CTelltaleWalk *walk, CTelltaleName type, uint32_t label, uint8_t flags) {
    CTelltaleNode node = walk_node(CTelltaleNodeUnavailable, type, label, flags);
    node.note = walk->note_changing;
    ctelltale_tree_add(&walk->tree, node);
}

void ctelltale_walk_masked(CTelltaleWalk *walk, CTelltaleName type, uint32_t label, uint8_t flags) {
    uint32_t index = ctelltale_tree_add(&walk->tree, walk_node(CTelltaleNodeMasked, type, label, flags));
    ctelltale_tree_text(&walk->tree, index, "<masked>", 8);
}

static uint64_t label_size(const CTelltaleWalk *walk, uint32_t label, uint8_t flags) {
    if (!(flags & CTelltaleNodeIsElement))
        return label == CTELLTALE_NO_NAME ? 0 : ctelltale_name_text(walk->plans, label)->size;
    uint64_t size = 3;
    for (; label >= 10; label /= 10) size++;
    return size;
}

bool ctelltale_walk_wants(CTelltaleWalk *walk, CTelltaleName step) {
    if (!walk->wanted) return true;
    for (uint32_t i = 0; i < walk->wanted->count; i++)
        if (walk->wanted->parts[i].step == step) {
            walk->wanted = &walk->wanted->parts[i];
            return true;
        }
    return false;
}

static void read_part(CTelltaleWalk *walk, const CTelltalePlan *plan, uint32_t index, const CTelltaleBlock *block,
                      size_t offset, uint32_t level) {
    const CTelltalePart *part = &plan->parts[index];
    if (part->is_masked)
        ctelltale_walk_masked(walk, part->type, part->name, 0);
    else if (part->is_other)
        walk->calls.read_part(walk->context, plan, index, *block, offset, level);
    else
        ctelltale_walk_value(walk, part->plan, block, offset + part->offset, part->name, 0, level);
}

void ctelltale_walk_parts(CTelltaleWalk *walk, const CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                uint32_t node, uint32_t level) {
    if (plan->part_count > 0 && !shows_parts(walk, level))
        return ctelltale_tree_cut(&walk->tree, node, walk->cut_depth, plan->part_count);
    for (uint32_t i = 0; i < plan->part_count; i++) {
        CTelltaleName stop = walk_stop(walk);
        if (stop != CTELLTALE_NO_NAME) {
            ctelltale_tree_cut(&walk->tree, node, stop, plan->part_count - i);
            break;
        }
        const CTelltaleWanted *wanted = walk->wanted;
        if (!ctelltale_walk_wants(walk, plan->parts[i].step)) continue;
        walk->steps[walk->step_count++] = (CTelltaleStep){false, plan->parts[i].step};
        read_part(walk, plan, i, block, offset, level + 1);
        walk->step_count--;
        walk->wanted = wanted;
    }
    ctelltale_tree_close(&walk->tree, node);
}

// MARK: Objects

bool ctelltale_walk_object(CTelltaleWalk *walk, uintptr_t address, uint32_t label, uint8_t flags,
                           uint32_t level) {
    uintptr_t metadata;
    if (address <= 0xFFFF || address & 7 || !ctelltale_walk_read(walk, address, &metadata, 8)) return false;
    CTelltalePlan *plan = ctelltale_plan_find(walk->plans, (const void *)metadata);
    if (!plan) plan = walk->calls.find_class(walk->context, metadata);
    if (!plan) return false;
    walk_plan(walk, plan);
    if (plan->kind == CTelltalePlanSecret) {
        ctelltale_walk_masked(walk, plan->type, label, flags);
        return true;
    }
    if (plan->kind != CTelltalePlanClass) return false;
    CTelltaleNode node = walk_node(CTelltaleNodeObject, plan->type, label, flags);
    node.value = address;
    node.flags |= CTelltaleNodeHasAddress;
    if (!walk->repeats && ctelltale_walk_is_shown(walk, address, &node.handle)) {
        node.kind = CTelltaleNodeReference;
        ctelltale_tree_add(&walk->tree, node);
        return true;
    }
    if (walk->gives_handles && walk->base_steps + walk->step_count <= CTELLTALE_MOST_STEPS)
        node.handle = ctelltale_tree_place(&walk->tree, (CTelltalePlace){address, plan->type, 0, 0}, walk->base,
                                 walk->base_size, walk->steps, walk->step_count, walk->plans);
    uint32_t index = ctelltale_tree_add(&walk->tree, node);
    if (plan->part_count > 0 && !shows_parts(walk, level)) {
        ctelltale_tree_cut(&walk->tree, index, walk->cut_depth, plan->part_count);
        return true;
    }
    WalkMark mark = ctelltale_walk_mark(walk);
    uint8_t *bytes = ctelltale_walk_room(walk, plan->object_size);
    if (bytes && ctelltale_walk_read(walk, address, bytes, plan->object_size)) {
        ctelltale_walk_shows(walk, address, node.handle);
        CTelltaleBlock block = {bytes, plan->object_size, address};
        ctelltale_walk_parts(walk, plan, &block, 0, index, level);
    } else if (!walk->tree.has_failed) {
        ctelltale_tree_note(&walk->tree, index, walk->note_changing);
    }
    ctelltale_walk_release(walk, mark);
    return true;
}

// MARK: Values

typedef unsigned (*EnumTag)(const void *value, const void *metadata);

unsigned ctelltale_walk_tag(const CTelltalePlan *plan, const void *value) {
    // The value witnesses precede the metadata; the 12th is an enum's `getEnumTag` (swift-6.3.1).
    const void *const *witnesses = ((const void *const *const *)plan->metadata)[-1];
    return ((EnumTag)witnesses[11])(value, plan->metadata);
}

static void structure(CTelltaleWalk *walk, const CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                      uint32_t label, uint8_t flags, uint32_t level) {
    bool is_tuple = plan->kind == CTelltalePlanTuple;
    CTelltaleNodeKind kind = is_tuple ? CTelltaleNodeTuple : CTelltaleNodeStructure;
    uint32_t index = ctelltale_tree_add(&walk->tree, walk_node(kind, plan->type, label, flags));
    ctelltale_walk_parts(walk, plan, block, offset, index, level);
}

// Returns false if the value must be read in Swift; nothing was added then.
static bool read_value(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                       uint32_t label, uint8_t flags, uint32_t level) {
    for (int wraps = 0; wraps < 64; wraps++) {
        walk_plan(walk, plan);
        if (offset > block->size || plan->size > block->size - offset) return false;
        const uint8_t *bytes = block->bytes + offset;
        switch (plan->kind) {
        case CTelltalePlanOptional:
            if (ctelltale_walk_tag(plan, bytes) == 0) {
                plan = plan->inner;
                continue;
            }
            if (walk_plan(walk, plan->inner)->kind == CTelltalePlanSecret) {
                ctelltale_walk_masked(walk, plan->type, label, flags);
            } else {
                uint32_t index =
                    ctelltale_tree_add(&walk->tree, walk_node(CTelltaleNodeNone, plan->type, label, flags));
                ctelltale_tree_text(&walk->tree, index, "nil", 3);
            }
            return true;
        case CTelltalePlanSecret: ctelltale_walk_masked(walk, plan->type, label, flags); return true;
        case CTelltalePlanInteger:
        case CTelltalePlanNatural:
        case CTelltalePlanTruth:
        case CTelltalePlanPointer:
        case CTelltalePlanNumber: ctelltale_walk_scalar(walk, plan, bytes, label, flags); return true;
        case CTelltalePlanString: return ctelltale_walk_string(walk, plan, bytes, label, flags);
        case CTelltalePlanEnumeration:
            return ctelltale_walk_enumeration(walk, plan, block, offset, label, flags, level);
        case CTelltalePlanStructure:
        case CTelltalePlanTuple: structure(walk, plan, block, offset, label, flags, level); return true;
        case CTelltalePlanArray: ctelltale_walk_array(walk, plan, block, offset, label, flags, level); return true;
        case CTelltalePlanReference:
        case CTelltalePlanClass: {
            uintptr_t address;
            memcpy(&address, bytes, sizeof address);
            return ctelltale_walk_object(walk, address, label, flags, level);
        }
        default: return false;
        }
    }
    return false;
}

void ctelltale_walk_value(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                          uint32_t label, uint8_t flags, uint32_t level) {
    uint64_t spent = walk->spent;
    walk_spend(walk, 96 + label_size(walk, label, flags));
    if (read_value(walk, plan, block, offset, label, flags, level)) return;
    walk->spent = spent;
    walk->calls.read_other(walk->context, plan, *block, offset, label, flags, level);
}
#endif
