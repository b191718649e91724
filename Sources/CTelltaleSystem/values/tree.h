//! What the parts that make a tree share.
#pragma once

#include <string.h>

#include "CTelltaleValues.h"

#pragma clang assume_nonnull begin

/// A step of an encoded path: a letter, and behind it eight bytes of a position or four of a length and
/// the text. `p` is a property, `i` a position, `k` a key as it is typed, `r` a range.
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

/// Room for a text behind the others, which is the caller's to count; null without memory.
char *_Nullable ctelltale_tree_text_room(CTelltaleTree *tree, size_t size);

/// Notes an object's place, whose path is a base and steps; its provisional handle.
int32_t ctelltale_tree_place(CTelltaleTree *tree, CTelltalePlace place, const char *_Nullable base, size_t base_size,
                   const CTelltaleStep *_Nullable steps, size_t count, const CTelltalePlans *plans);

#pragma clang assume_nonnull end
