// Numbers, strings, enumerations and arrays, in their memory layout (swift-6.3.1, 64 bits).
#if TELLTALE_AGENT
#include "values/text.h"
#include "values/walk.h"

// The capacity for any number, an address, or the digits of a Double.
#define NUMBER_ROOM 64

// MARK: Numbers

static size_t write_scalar(CTelltaleWalk *walk, const CTelltalePlan *plan, const uint8_t *bytes, char *out) {
    uint64_t number = 0;
    if (plan->kind == CTelltalePlanNumber)
        return walk->calls.write_number(walk->context, plan, bytes, out, NUMBER_ROOM);
    memcpy(&number, bytes, plan->size <= 8 ? plan->size : 8);
    switch (plan->kind) {
    case CTelltalePlanInteger: {
        int unused = 64 - 8 * (int)plan->size;
        return ctelltale_text_integer((int64_t)(number << unused) >> unused, out);
    }
    case CTelltalePlanNatural: return ctelltale_text_natural(number, out);
    case CTelltalePlanPointer: return ctelltale_text_address(number, out);
    default: {
        const char *text = number & 1 ? "true" : "false";
        memcpy(out, text, 5);
        return number & 1 ? 4 : 5;
    }
    }
}

void ctelltale_walk_scalar(CTelltaleWalk *walk, const CTelltalePlan *plan, const uint8_t *bytes, uint32_t label,
                 uint8_t flags) {
    char *room = tree_leaf_room(&walk->tree, NUMBER_ROOM);
    if (!room) return;
    size_t size = write_scalar(walk, plan, bytes, room);
    if (size == 0) return ctelltale_walk_unavailable(walk, plan->type, label, flags);
    flags |= CTelltaleNodeHasText | CTelltaleNodeIsPlain;
    tree_leaf(&walk->tree, tree_what(CTelltaleNodeScalar, plan->type, flags), label, size);
    walk_spend(walk, size);
}

// MARK: Strings

// Finds the address of the bytes; false for a form that is read elsewhere.
static bool string_place(const uint8_t *bytes, uint64_t *count, uintptr_t *address) {
    uint64_t first, second;
    memcpy(&first, bytes, 8);
    memcpy(&second, bytes + 8, 8);
    *address = 0;
    if (second >> 60 & 2) {
        *count = second >> 56 & 0xF;
        return true;
    }
    *count = first & UINT64_C(0xFFFFFFFFFFFF);
    if (second >> 60 & 1) return false;
    // A shared string keeps its bytes elsewhere.
    if (!(first >> 60 & 1) && !(second >> 60 & 8)) return *count == 0;
    *address = (second & UINT64_C(0x0FFFFFFFFFFFFFFF)) + 32;
    return true;
}

bool ctelltale_walk_string(CTelltaleWalk *walk, const CTelltalePlan *plan, const uint8_t *bytes, uint32_t label,
                 uint8_t flags) {
    uint64_t count;
    uintptr_t address;
    if (!string_place(bytes, &count, &address) || count > walk->string_bytes) return false;
    char *room = tree_leaf_room(&walk->tree, count < 16 ? 16 : count);
    if (!room) return false;
    if (!address)
        memcpy(room, bytes, 16);
    else if (!ctelltale_walk_read(walk, address, room, count))
        return false;
    unsigned seen = count < 16 ? ctelltale_text_look_short(room, count) : ctelltale_text_look(room, count);
    bool steers = false;
    if (seen & TextIsNotSimple && (memchr(room, '"', count) || memchr(room, '\\', count) ||
                                   !ctelltale_text_is_utf8(room, count, &steers) || steers))
        return false;
    if (walk->masks && ctelltale_text_may_hold_secret(room, count, seen)) return false;
    flags |= CTelltaleNodeHasText | CTelltaleNodeIsQuoted | CTelltaleNodeIsPlain;
    tree_leaf(&walk->tree, tree_what(CTelltaleNodeString, plan->type, flags), label, count);
    walk_spend(walk, count + 2);
    return true;
}

// MARK: Enumerations

typedef void (*EnumProject)(void *value, const void *metadata);

static void payload(CTelltaleWalk *walk, const CTelltalePlan *plan, const CTelltalePart *part,
                    const uint8_t *bytes, uint32_t index, uint32_t level) {
    WalkMark mark = ctelltale_walk_mark(walk);
    uint8_t *copy = ctelltale_walk_room(walk, plan->size);
    if (!copy) return;
    memcpy(copy, bytes, plan->size);
    const void *const *witnesses = ((const void *const *const *)plan->metadata)[-1];
    ((EnumProject)witnesses[12])(copy, plan->metadata);
    CTelltaleBlock block = {copy, plan->size, 0};
    CTelltalePlan *inner = walk_plan(walk, part->plan);
    CTelltaleName stop = walk_stop(walk);
    if (inner->kind == CTelltalePlanTuple) {
        ctelltale_walk_parts(walk, inner, &block, 0, index, level);
    } else if (level >= walk->depth || walk->step_count >= CTELLTALE_MOST_STEPS) {
        ctelltale_tree_cut(&walk->tree, index, walk->cut_depth, 1);
    } else if (stop != CTELLTALE_NO_NAME) {
        ctelltale_tree_cut(&walk->tree, index, stop, 1);
    } else {
        const CTelltaleWanted *wanted = walk->wanted;
        if (ctelltale_walk_wants(walk, part->step)) {
            walk->steps[walk->step_count++] = (CTelltaleStep){false, part->step};
            ctelltale_walk_value(walk, inner, &block, 0, walk->payload_label, 0, level + 1);
            walk->step_count--;
            ctelltale_tree_close(&walk->tree, index);
        }
        walk->wanted = wanted;
    }
    ctelltale_walk_release(walk, mark);
}

bool ctelltale_walk_enumeration(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                      uint32_t label, uint8_t flags, uint32_t level) {
    unsigned tag = ctelltale_walk_tag(plan, block->bytes + offset);
    if (tag >= plan->part_count) return false;
    const CTelltalePart *part = &plan->parts[tag];
    if (part->is_other) return false;
    const CTelltaleNameText *name = ctelltale_name_text(walk->plans, part->name);
    uint32_t index =
        ctelltale_tree_add(&walk->tree, walk_node(CTelltaleNodeEnumeration, plan->type, label, flags));
    ctelltale_tree_text(&walk->tree, index, name->bytes, name->size);
    if (part->plan) payload(walk, plan, part, block->bytes + offset, index, level);
    return true;
}

// MARK: Arrays

// A larger count means that the bytes are not an array's.
#define MOST_ELEMENTS (UINT64_C(1) << 40)
#define ELEMENTS_AT_ONCE 65536u
// The maximum number of unreadable elements that are tried.
#define MOST_UNREADABLE 16u

// Adds an element; false ends the array.
static bool element(CTelltaleWalk *walk, CTelltalePlan *inner, const CTelltaleBlock *block, size_t offset,
                    uint64_t position, uint64_t *shown, uint32_t level) {
    if (walk_stop(walk) != CTELLTALE_NO_NAME) return false;
    uint32_t label = (uint32_t)position;
    ++*shown;
    if (inner->has_scalars) {
        uint64_t before = walk->spent;
        if (block->bytes)
            ctelltale_walk_scalar(walk, inner, block->bytes + offset, label, CTelltaleNodeIsElement);
        else
            ctelltale_walk_unavailable(walk, inner->type, label, CTelltaleNodeIsElement);
        walk->spent = before;
        walk_spend(walk, 112);
        return block->bytes || *shown < MOST_UNREADABLE;
    }
    if (!block->bytes) {
        ctelltale_walk_unavailable(walk, inner->type, label, CTelltaleNodeIsElement);
        return *shown < MOST_UNREADABLE;
    }
    walk->steps[walk->step_count++] = (CTelltaleStep){true, label};
    ctelltale_walk_value(walk, inner, block, offset, label, CTelltaleNodeIsElement, level + 1);
    walk->step_count--;
    return true;
}

// An object is prefetched this number of elements before it is read; a prefetch of any word can't fault.
#define OBJECTS_AHEAD 4u
static void fetch(const uint8_t *element) {
    const char *object;
    __builtin_memcpy(&object, element, sizeof object);
    __builtin_prefetch(object);
    __builtin_prefetch(object + 64);
}

static uint64_t chunks(CTelltaleWalk *walk, CTelltalePlan *inner, uintptr_t first, uint64_t from,
                       uint64_t count, uint32_t level) {
    uint64_t shown = 0, at_once = ELEMENTS_AT_ONCE / inner->stride;
    if (at_once == 0) at_once = 1;
    bool goes_on = true;
    for (uint64_t position = from; goes_on && position < from + count;) {
        uint64_t end = position + at_once < from + count ? position + at_once : from + count;
        size_t size = (size_t)(end - position - 1) * inner->stride + inner->size;
        WalkMark mark = ctelltale_walk_mark(walk);
        uint8_t *bytes = ctelltale_walk_room(walk, size);
        if (!bytes) break;
        if (!ctelltale_walk_read(walk, first + position * inner->stride, bytes, size)) bytes = NULL;
        CTelltaleBlock block = {bytes, size, 0};
        for (uint64_t i = position; goes_on && i < end; i++) {
            if (inner->kind == CTelltalePlanClass && bytes && i + OBJECTS_AHEAD < end)
                fetch(bytes + (size_t)(i + OBJECTS_AHEAD - position) * inner->stride);
            goes_on = element(walk, inner, &block, (size_t)(i - position) * inner->stride, i, &shown, level);
        }
        ctelltale_walk_release(walk, mark);
        position = end;
    }
    return shown;
}

void ctelltale_walk_elements(CTelltaleWalk *walk, CTelltalePlan *plan, uintptr_t first, uint64_t from,
                             uint64_t count, uint64_t wanted, uint64_t all, uint32_t label, uint8_t flags,
                             uint32_t level) {
    CTelltaleNode node =
        walk_node(CTelltaleNodeArray, plan->type, label, flags | CTelltaleNodeHasCount);
    node.value = all;
    CTelltalePlan *inner = walk_plan(walk, plan->inner);
    if (wanted > 0 && inner->kind == CTelltalePlanSecret)
        return ctelltale_walk_masked(walk, plan->type, label, flags);
    uint32_t index = ctelltale_tree_add(&walk->tree, node);
    if (wanted == 0) return;
    if (level >= walk->depth || walk->step_count >= CTELLTALE_MOST_STEPS)
        return ctelltale_tree_cut(&walk->tree, index, walk->cut_depth, wanted);
    uint64_t shown = chunks(walk, inner, first, from, count, level);
    ctelltale_tree_close(&walk->tree, index);
    if (shown >= wanted) return;
    CTelltaleName stop = walk_stop(walk);
    ctelltale_tree_cut(&walk->tree, index, stop == CTELLTALE_NO_NAME ? walk->cut_elements : stop, wanted - shown);
}

void ctelltale_walk_chosen(CTelltaleWalk *walk, CTelltalePlan *plan, uintptr_t first, const uint32_t *positions,
                           size_t count, uint64_t wanted) {
    CTelltaleNode node = walk_node(CTelltaleNodeArray, plan->type, CTELLTALE_NO_NAME,
                                   CTelltaleNodeHasCount);
    node.value = wanted;
    CTelltalePlan *inner = walk_plan(walk, plan->inner);
    if (wanted > 0 && inner->kind == CTelltalePlanSecret)
        return ctelltale_walk_masked(walk, plan->type, CTELLTALE_NO_NAME, 0);
    uint32_t index = ctelltale_tree_add(&walk->tree, node);
    if (wanted == 0) return;
    if (walk->depth == 0) return ctelltale_tree_cut(&walk->tree, index, walk->cut_depth, wanted);
    uint64_t shown = 0;
    for (size_t i = 0; i < count;) {
        // Adjacent elements are read together.
        size_t end = i + 1;
        while (end < count && positions[end] == positions[end - 1] + 1) end++;
        uint64_t read = chunks(walk, inner, first, positions[i], end - i, 0);
        shown += read;
        if (read < end - i) break;
        i = end;
    }
    ctelltale_tree_close(&walk->tree, index);
    if (shown >= wanted) return;
    CTelltaleName stop = walk_stop(walk);
    ctelltale_tree_cut(&walk->tree, index, stop == CTELLTALE_NO_NAME ? walk->cut_elements : stop, wanted - shown);
}

void ctelltale_walk_array(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                uint32_t label, uint8_t flags, uint32_t level) {
    uintptr_t object;
    uint64_t header[4];
    memcpy(&object, block->bytes + offset, sizeof object);
    if (object <= 0xFFFF || object & 7 || !ctelltale_walk_read(walk, object, header, sizeof header) ||
        header[2] > header[3] >> 1 || header[2] >= MOST_ELEMENTS)
        return ctelltale_walk_unavailable(walk, plan->type, label, flags);
    CTelltalePlan *inner = walk_plan(walk, plan->inner);
    uint64_t shown = header[2] < walk->elements ? header[2] : walk->elements;
    uintptr_t first = object + ((32 + (uintptr_t)inner->alignment_mask) & ~(uintptr_t)inner->alignment_mask);
    ctelltale_walk_elements(walk, plan, first, 0, shown, header[2], header[2], label, flags, level);
}
#endif
