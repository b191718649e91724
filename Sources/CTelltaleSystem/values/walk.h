//! Declarations shared by the parts of the walk.
#pragma once

#include "process/clock.h"
#include "values/tree.h"

#pragma clang assume_nonnull begin

/// Copies bytes of the host, or of a snapshot of it.
bool ctelltale_walk_read(CTelltaleWalk *walk, uintptr_t address, void *buffer, size_t size);

/// Allocates a block until `ctelltale_walk_release`; null if there is no memory. Eight bytes off the
/// alignment of objects, so that a search of the heap finds no object in it.
uint8_t *_Nullable ctelltale_walk_room(CTelltaleWalk *walk, size_t size);
/// The state that `ctelltale_walk_release` restores.
typedef struct {
    struct CTelltaleChunk *_Nullable chunk;
    size_t used;
} WalkMark;
WalkMark ctelltale_walk_mark(const CTelltaleWalk *walk);
void ctelltale_walk_release(CTelltaleWalk *walk, WalkMark mark);

/// The work between two reads of the clock, and the number of bytes that count as much as one node.
#define WALK_CLOCK_TICKS 128u
#define WALK_BYTES_A_TICK 4096u

/// Counts the cost of a node, as `ReadSession.spend` does.
static inline void walk_spend(CTelltaleWalk *walk, uint64_t bytes) {
    walk->spent += bytes;
    walk->ticks += 1 + bytes / WALK_BYTES_A_TICK;
    if (walk->ticks < walk->clock_ticks) return;
    walk->clock_ticks = walk->ticks + WALK_CLOCK_TICKS;
    if (clock_now() >= walk->deadline) walk->is_late = true;
}
/// The reason why no further node is made; `CTELLTALE_NO_NAME` as long as there is capacity.
static inline CTelltaleName walk_stop(const CTelltaleWalk *walk) {
    if (walk->is_late || walk->tree.has_failed) return walk->cut_deadline;
    return walk->spent >= walk->bytes ? walk->cut_bytes : CTELLTALE_NO_NAME;
}

/// Makes a node with only a label.
static inline CTelltaleNode walk_node(CTelltaleNodeKind kind, CTelltaleName type, uint32_t label, uint8_t flags) {
    CTelltaleNode node = {0};
    node.label = label;
    node.type = type;
    node.note = CTELLTALE_NO_NAME;
    node.cut = CTELLTALE_NO_NAME;
    node.kind = kind;
    node.flags = flags;
    return node;
}
/// Adds a node with the reason why there is no value.
void ctelltale_walk_unavailable(CTelltaleWalk *walk, CTelltaleName type, uint32_t label, uint8_t flags);
/// Adds the node of a secret.
void ctelltale_walk_masked(CTelltaleWalk *walk, CTelltaleName type, uint32_t label, uint8_t flags);
/// Returns whether a part is requested; `wanted` then contains the requested parts below it, and the caller
/// restores it.
bool ctelltale_walk_wants(CTelltaleWalk *walk, CTelltaleName step);

/// Adds the nodes of a value's parts.
void ctelltale_walk_parts(CTelltaleWalk *walk, const CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                uint32_t node, uint32_t level);

/// Returns the number of an enum's case, for a value with the correct alignment.
unsigned ctelltale_walk_tag(const CTelltalePlan *plan, const void *value);

/// Adds a leaf that is read as its plan says.
void ctelltale_walk_scalar(CTelltaleWalk *walk, const CTelltalePlan *plan, const uint8_t *bytes, uint32_t label,
                 uint8_t flags);
/// Adds a string; false if it has to be read in Swift.
bool ctelltale_walk_string(CTelltaleWalk *walk, const CTelltalePlan *plan, const uint8_t *bytes, uint32_t label,
                 uint8_t flags);
/// Adds an array.
void ctelltale_walk_array(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                uint32_t label, uint8_t flags, uint32_t level);
/// Adds an enumeration; false if it has to be read in Swift.
bool ctelltale_walk_enumeration(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                      uint32_t label, uint8_t flags, uint32_t level);

/// Returns the plan, which is made first if necessary.
static inline CTelltalePlan *walk_plan(CTelltaleWalk *walk, CTelltalePlan *plan) {
    if (plan->kind == CTelltalePlanUnmade) walk->calls.make(walk->context, plan);
    return plan;
}

#pragma clang assume_nonnull end
