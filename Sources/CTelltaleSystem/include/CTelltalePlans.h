//! Plans: the agent's cached facts about types, made once for each, with the names and offsets by which
//! values are read.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Names

/// A name by its number; the same text has one number in one set of plans.
typedef uint32_t CTelltaleName;
#define CTELLTALE_NO_NAME UINT32_MAX

typedef struct {
    const char *bytes;
    const char *json;
    uint32_t size;
    uint32_t json_size;
    /// The name needs no escape, on a terminal either.
    bool is_plain;
    /// The name is only a position: `.0`.
    bool is_position;
} CTelltaleNameText;

// MARK: Plans

/// The kind of reader for the values of a type.
typedef enum : uint8_t {
    /// Not known yet: `make` is called.
    CTelltalePlanUnmade,
    /// Read by `read_other`, in Swift.
    CTelltalePlanOther,
    /// Never shown.
    CTelltalePlanSecret,
    CTelltalePlanInteger,
    CTelltalePlanNatural,
    CTelltalePlanTruth,
    /// An address.
    CTelltalePlanPointer,
    /// Written by `write_number`.
    CTelltalePlanNumber,
    CTelltalePlanString,
    CTelltalePlanOptional,
    CTelltalePlanEnumeration,
    CTelltalePlanStructure,
    CTelltalePlanTuple,
    CTelltalePlanReference,
    CTelltalePlanClass,
    CTelltalePlanArray,
} __attribute__((enum_extensibility(closed))) CTelltalePlanKind;

typedef struct CTelltalePlan CTelltalePlan;

/// A stored property, or an enum's case.
typedef struct {
    CTelltaleName name;
    /// The name in a path: `0` for `.0`.
    CTelltaleName step;
    /// The name of its type.
    CTelltaleName type;
    uint32_t offset;
    CTelltalePlan *_Nullable plan;
    bool is_masked;
    /// Read by `read_part`, in Swift.
    bool is_other;
} CTelltalePart;

struct CTelltalePlan {
    CTelltalePlanKind kind;
    /// Elements are numbers, which need no step on a path and no lookup of their type.
    bool has_scalars;
    CTelltaleName type;
    const void *metadata;
    /// The size of a value; the size of an object is `object_size`.
    uint32_t size;
    uint32_t stride;
    uint32_t alignment_mask;
    uint32_t object_size;
    uint32_t part_count;
    CTelltalePart *_Nullable parts;
    /// The plan of an optional's wrapped value, or of an array's elements.
    CTelltalePlan *_Nullable inner;
    CTelltalePlan *_Nullable next;
};

/// The plans of a set of rules, and their names. Must be used by one thread at a time.
typedef struct CTelltalePlans CTelltalePlans;

CTelltalePlans *_Nullable ctelltale_plans_make(void);
void ctelltale_plans_free(CTelltalePlans *plans);

/// Returns the plan of a type, which may be unmade; null if there is no memory.
CTelltalePlan *_Nullable ctelltale_plan(CTelltalePlans *plans, const void *metadata);
/// Returns the plan of a type, if there is one.
CTelltalePlan *_Nullable ctelltale_plan_find(const CTelltalePlans *plans, const void *metadata);
/// Allocates the parts of a plan; null if there is no memory.
CTelltalePart *_Nullable ctelltale_plan_parts(CTelltalePlan *plan, uint32_t count);

/// Returns the number of a text; `CTELLTALE_NO_NAME` if there is no memory or no number left.
CTelltaleName ctelltale_name(CTelltalePlans *plans, const char *bytes, size_t size);
/// Returns the size of all names in bytes. A dictionary's key is a name as a property's is, so names grow
/// with the host's data.
size_t ctelltale_names_size(const CTelltalePlans *plans);
/// Returns whether a name got no number: a tree read with it is incomplete.
bool ctelltale_names_are_cut(const CTelltalePlans *plans);
/// Returns the length of the longest name in bytes of JSON.
size_t ctelltale_names_longest(const CTelltalePlans *plans);
/// Returns whether a name contains control sequences for a terminal.
bool ctelltale_names_are_odd(const CTelltalePlans *plans);
const CTelltaleNameText *ctelltale_name_text(const CTelltalePlans *plans, CTelltaleName name);

#pragma clang assume_nonnull end
