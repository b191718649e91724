//! Values of the host, read by plans into a flat tree, and that tree as JSON and as text.
//!
//! A plan caches the facts about a type: kind, offsets, names, masks. One C routine follows plans and
//! copies the values that it reaches, guarded, into an array of nodes; another writes bytes from these.
//! Written in C and with tables, since the agent is part of builds without optimisation, where Swift is ten
//! times slower.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTelltaleMemory.h"
#include "CTelltalePlans.h"
#include "CTelltaleTree.h"

#pragma clang assume_nonnull begin

// MARK: The walk

/// A copy of some bytes of the host.
typedef struct {
    const uint8_t *_Nullable bytes;
    size_t size;
    /// The object that contains these bytes; 0 for others.
    uintptr_t object;
} CTelltaleBlock;

typedef struct CTelltaleWalk CTelltaleWalk;

/// Callbacks into Swift. `context` is the walk's; `label` as in a node, with `flags` for its meaning.
typedef struct {
    void (*make)(void *context, CTelltalePlan *plan);
    /// Returns the plan of a possible class; null if it is not a class.
    CTelltalePlan *_Nullable (*_Nonnull find_class)(void *context, uintptr_t metadata);
    /// Adds the node of a value at an offset of a block.
    void (*read_other)(void *context, const CTelltalePlan *plan, CTelltaleBlock block, size_t offset,
                       uint32_t label, uint8_t flags, uint32_t level);
    /// Adds the node of a part of a value at an offset of a block.
    void (*read_part)(void *context, const CTelltalePlan *plan, uint32_t part, CTelltaleBlock block,
                      size_t offset, uint32_t level);
    /// Writes a number as text; returns its length, 0 if that fails.
    size_t (*write_number)(void *context, const CTelltalePlan *plan, const void *bytes, char *out,
                           size_t room);
} CTelltaleWalkCalls;

/// A step of a path: a position, or a property.
typedef struct {
    bool is_element;
    uint32_t value;
} CTelltaleStep;

#define CTELLTALE_MOST_STEPS 64u

/// A requested property, and the requested ones among its own parts; without any, none of them is read.
typedef struct CTelltaleWanted {
    CTelltaleName step;
    uint32_t count;
    const struct CTelltaleWanted *_Nullable parts;
} CTelltaleWanted;

struct CTelltaleWalk {
    CTelltalePlans *plans;
    CTelltaleWalkCalls calls;
    void *context;
    CTelltaleTree tree;
    /// Null for this process's own memory.
    CTelltaleCopy *_Nullable copy;
    uint32_t depth;
    uint64_t elements;
    uint64_t bytes;
    uint64_t string_bytes;
    uint64_t deadline;
    /// True if texts are searched for secrets.
    bool masks;
    bool gives_handles;
    /// True if an object's parts are repeated each time it is reached, instead of only the first time.
    bool repeats;
    bool is_late;
    /// The properties of the elements that are read; null for all. Values read by Swift have all.
    const CTelltaleWanted *_Nullable wanted;
    uint64_t spent;
    /// The work done, and the amount at which the clock is read next.
    uint64_t ticks, clock_ticks;
    /// The encoded path to the start of the walk, and its number of steps.
    const char *_Nullable base;
    size_t base_size;
    uint32_t base_steps;
    CTelltaleStep steps[CTELLTALE_MOST_STEPS + 8];
    uint32_t step_count;
    /// The objects that are in the answer, with their handles.
    struct CTelltaleShown *_Nullable shown;
    size_t shown_count, shown_room;
    /// Their indices by their addresses (a hash table).
    uint32_t *_Nullable shown_table;
    size_t shown_table_room;
    struct CTelltaleChunk *_Nullable chunk;
    CTelltaleName note_changing, cut_depth, cut_elements, cut_bytes, cut_deadline, payload_label;
};

/// Makes a walk without limits and with an empty tree; null if there is no memory.
CTelltaleWalk *_Nullable ctelltale_walk_make(CTelltalePlans *plans, CTelltaleWalkCalls calls, void *context);
/// Frees a walk and its tree.
void ctelltale_walk_free(CTelltaleWalk *walk);

/// Adds the node of a value.
void ctelltale_walk_value(CTelltaleWalk *walk, CTelltalePlan *plan, const CTelltaleBlock *block, size_t offset,
                          uint32_t label, uint8_t flags, uint32_t level);
/// Adds the node of an object; false, without adding anything, if there is none or it must be read in
/// Swift.
bool ctelltale_walk_object(CTelltaleWalk *walk, uintptr_t address, uint32_t label, uint8_t flags,
                           uint32_t level);
/// Adds the node of some elements of an array: `count` of `wanted` requested ones, out of `all`.
void ctelltale_walk_elements(CTelltaleWalk *walk, CTelltalePlan *array, uintptr_t first, uint64_t from,
                             uint64_t count, uint64_t wanted, uint64_t all, uint32_t label,
                             uint8_t flags, uint32_t level);

/// Adds the node of the elements of an array at some positions, in their order, as an array of `wanted`
/// elements.
void ctelltale_walk_chosen(CTelltaleWalk *walk, CTelltalePlan *array, uintptr_t first,
                           const uint32_t *_Nullable positions, size_t count, uint64_t wanted);

/// Returns whether an object is in the answer, and its handle.
bool ctelltale_walk_is_shown(const CTelltaleWalk *walk, uintptr_t address, int32_t *handle);
void ctelltale_walk_shows(CTelltaleWalk *walk, uintptr_t address, int32_t handle);
/// Returns a provisional handle for an object at the end of an encoded path.
int32_t ctelltale_walk_place(CTelltaleWalk *walk, uintptr_t address, CTelltaleName type,
                             const char *_Nullable path, size_t path_size);

/// Returns whether `SecretURL.masking` must be called to find secrets in a text: false only if it would
/// find none.
bool ctelltale_may_hold_secret(const char *bytes, size_t size);

// MARK: Rendering

/// Takes some bytes of the output; false stops the writing.
typedef bool (*CTelltaleSink)(void *_Nullable context, const char *bytes, size_t size);

/// Writes a tree as the JSON of `ValueNode`, in pages; false if the sink stopped it or there is no memory.
bool ctelltale_tree_json(const CTelltaleTree *tree, const CTelltalePlans *plans, CTelltaleSink sink,
                         void *_Nullable context);

#pragma clang assume_nonnull end
