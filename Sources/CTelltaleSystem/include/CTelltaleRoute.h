//! The way to a value that was gone once, gone again: what the types on it decide was decided then. Where
//! anything isn't as it was, it leads nowhere, and the value is read as one that was never read before.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    /// `offset` bytes further, in an object or in a value.
    CTelltaleRouteField,
    /// A reference stands there; on from its object, which has to be one of `type`.
    CTelltaleRouteObject,
    /// An array stands there; on from its element `index`, of which the first is `offset` behind the
    /// storage's beginning, and each `stride` behind the one before.
    CTelltaleRouteElement,
    /// An array stands there, whose count is the value. Nothing follows.
    CTelltaleRouteCount,
} CTelltaleRouteKind;

typedef struct {
    CTelltaleRouteKind kind;
    uintptr_t type;
    size_t offset, index, stride;
} CTelltaleRouteStep;

/// How the value at the end is written.
typedef enum {
    CTelltaleRouteSigned,
    CTelltaleRouteUnsigned,
    CTelltaleRouteTruth,
} CTelltaleRouteForm;

/// The most bytes that a value has as text: a sign and 19 digits, or 20 digits.
#define CTELLTALE_ROUTE_TEXT 20

/// Goes the steps from an object, which has to be one of `type`, and writes the value of `size` bytes at their
/// end as text. On the object's owner.
///
/// @return The bytes of the text; 0 where it leads nowhere.
size_t ctelltale_route_read(uintptr_t object, uintptr_t type, const CTelltaleRouteStep *steps, size_t count,
                            CTelltaleRouteForm form, size_t size, char *text);

/// Goes the steps from an object, which has to be one of `type`, to the object or the value at their end. On the
/// object's owner.
///
/// @param holder The object that was entered last: the one at the end, or the one that the value stands in.
/// @return Where that stands; 0 where they lead nowhere.
uintptr_t ctelltale_route_place(uintptr_t object, uintptr_t type, const CTelltaleRouteStep *_Nullable steps,
                                size_t count, uintptr_t *holder);

#pragma clang assume_nonnull end
