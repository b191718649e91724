//! Walks a stack by the call frame information of the images. The stack is read from a copy, the
//! information by guarded reads, so that neither a thread that goes on nor a library that is unloaded
//! can make it fault.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"
#include "unwind/registers.h"

#pragma clang assume_nonnull begin

/// A copy of a part of a thread's stack, from its stack pointer upwards.
struct stack_copy {
    uintptr_t low;
    /// How much of it is there.
    size_t size;
    /// How much there may be.
    size_t capacity;
    uint8_t *bytes;
    /// Whether more may be copied while walking: the thread is blocked.
    bool may_grow;
    /// Reading went on to where nothing is, or to the bound.
    bool is_at_end;
    /// How many bytes `bytes` has room for; `capacity` is less where the stack is known to end.
    size_t room;
    /// Where the thread's stack ends; 0 where that isn't known.
    uintptr_t top;
    /// What was asked for last above all that there may be; 0 as a rule.
    uintptr_t beyond;
};

struct unwinder;

struct unwinder *_Nullable unwinder_make(void);
void unwinder_free(struct unwinder *unwinder);

/// What is loaded; borrowed until the next call.
void unwinder_use(struct unwinder *unwinder, const CTelltaleImages *images);

/// Writes the frames of a thread, innermost first.
///
/// @return how many; `*end` says why there are no more.
size_t unwinder_walk(struct unwinder *unwinder, struct stack_copy *stack,
                     const struct registers *start, CTelltaleFrame *frames, size_t capacity,
                     CTelltaleStackEnd *end);

/// Whose stack is walked next: the task that it runs, and the function of the runtime that calls a
/// task's functions; 0 for none.
void unwinder_set_task(struct unwinder *unwinder, uintptr_t runner, uintptr_t task);

/// The first address of the function of one frame; 0 where it isn't known.
uintptr_t unwinder_function(struct unwinder *unwinder, struct stack_copy *stack,
                            const struct registers *start, size_t index);

/// Whether the last walk had to leave out the caller of the innermost function (arm64).
bool unwinder_has_lost_leaf(const struct unwinder *unwinder);

/// Copies at least `size` bytes of the stack, as far as there are so many.
void stack_copy_grow(struct stack_copy *stack, size_t size);

#pragma clang assume_nonnull end
